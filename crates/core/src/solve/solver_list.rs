//! The registry of solvers: one line for each game that is solved here.

use std::any::Any;

use crate::games::{
    Breakthrough, Configurable, Connect4, Connect4Standard, Game, Kalah, Mnk, Offer, Othello,
};

use super::{breakthrough_solver, connect4, kalah_solver, mnk, othello};

/// The exact solver of a game: the one in this module if there is one, otherwise the one that the
/// game itself names.
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{ExactSolver, Game};
/// use agon::solve::exact_solver;
///
/// let game = agon::games::TicTacToe;
/// let mut solver = exact_solver(&game).unwrap();
/// let state = game.read_position("xx./oo./...").unwrap();
/// let value = solver.value(&game, &state);
/// assert_eq!((value.mean, value.plies), (1.0, Some(1)));
/// ```
///
/// # Errors
/// The game has no solver, or its board is too large.
pub fn exact_solver<G: Configurable>(game: &G) -> Offer<G> {
    // The types are equal: the offer is for this game.
    if let Some(Ok(offer)) = own_solver(game).map(<Box<dyn Any>>::downcast) {
        return *offer;
    }
    game.exact_solver()
}

/// The offer of this module for a game `H`, an [`Offer<H>`], if there is one.
fn own_solver(game: &dyn Any) -> Option<Box<dyn Any>> {
    offered::<Connect4Standard>(game, connect4::solver_or_reason)
        .or_else(|| offered::<Connect4>(game, connect4::solver_or_reason))
        .or_else(|| offered::<Mnk<1>>(game, mnk::offer))
        .or_else(|| offered::<Mnk<6>>(game, mnk::offer))
        .or_else(|| offered::<Breakthrough>(game, breakthrough_solver::offer))
        .or_else(|| offered::<Kalah>(game, kalah_solver::offer))
        .or_else(|| offered::<Othello>(game, othello::offer))
}

/// The offer for the game `H`, if the game is one.
fn offered<H: Game>(game: &dyn Any, offer: fn(&H) -> Offer<H>) -> Option<Box<dyn Any>> {
    Some(Box::new(offer(game.downcast_ref()?)))
}
