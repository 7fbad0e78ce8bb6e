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
    let mut own: Option<Offer<G>> = None;
    own_solver(game, &mut own);
    own.unwrap_or_else(|| game.exact_solver())
}

/// Writes the offer of this module for a game `H`, if there is one, to an `Option<Offer<H>>`.
fn own_solver(game: &dyn Any, out: &mut dyn Any) {
    offer::<Connect4Standard>(game, out, connect4::solver_or_reason);
    offer::<Connect4>(game, out, connect4::solver_or_reason);
    offer::<Mnk<1>>(game, out, mnk::offer);
    offer::<Mnk<4>>(game, out, mnk::offer);
    offer::<Mnk<7>>(game, out, mnk::offer);
    offer::<Breakthrough>(game, out, breakthrough_solver::offer);
    offer::<Kalah>(game, out, kalah_solver::offer);
    offer::<Othello>(game, out, othello::offer);
}

/// Writes the offer for the game `H`, if the game is one.
fn offer<H: Game>(game: &dyn Any, out: &mut dyn Any, make: fn(&H) -> Offer<H>) {
    if let (Some(game), Some(out)) = (game.downcast_ref(), out.downcast_mut()) {
        *out = Some(make(game));
    }
}
