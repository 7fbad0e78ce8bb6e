//! The registry of solvers: one line for each game that is solved here.

use std::any::Any;

use crate::games::{
    Breakthrough, Configurable, Connect4, Connect4Standard, Exactness, Game, Kalah, Mnk, Offer,
    Othello,
};
use crate::search::FullSearch;

use super::{alphabeta_solver, connect4, mnk};

/// The exact solver of a game: the one in this module if there is one, otherwise the one that the
/// game itself names.
///
/// ```
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
    let own = [
        offered::<Connect4Standard, G>(game, connect4::solver_or_reason),
        offered::<Connect4, G>(game, connect4::solver_or_reason),
        offered::<Mnk<1>, G>(game, mnk::offer),
        offered::<Mnk<6>, G>(game, mnk::offer),
        offered::<Breakthrough, G>(game, alphabeta_solver::breakthrough),
        offered::<Kalah, G>(game, alphabeta_solver::kalah),
        offered::<Othello, G>(game, alphabeta_solver::othello),
    ];
    if let Some(offer) = own.into_iter().flatten().next() {
        return offer;
    }
    match game.exactness() {
        Exactness::Search => Ok(Box::new(FullSearch::default())),
        Exactness::Solver(solver) => Ok(solver),
        Exactness::None(unsolved) => Err(unsolved),
    }
}

/// The solver of the game `H`, if `G` is `H`.
fn offered<H: Game, G: Game>(game: &G, offer: fn(&H) -> Offer<H>) -> Option<Offer<G>> {
    let offer: Box<dyn Any> = Box::new(offer((game as &dyn Any).downcast_ref::<H>()?));
    // The types are equal: the game was downcast successfully.
    offer.downcast::<Offer<G>>().ok().map(|offer| *offer)
}
