//! A solver, or the reason why a game has none.

use crate::games::ExactSolver;

/// The reason why there are no exact values of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsolved {
    /// The reason, as a sentence without a full stop.
    pub why: String,
    /// A hint what to do instead; may be empty.
    pub remedy: String,
}

/// The result of a request for a solver.
pub type Offer<G> = Result<Box<dyn ExactSolver<G>>, Unsolved>;
