//! A solver, or the reason why there is none.

use crate::games::ExactSolver;

/// Why the exact values of a game cannot be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsolved {
    /// In a sentence without a full stop.
    pub why: String,
    /// What to do instead; may be empty.
    pub remedy: String,
}

/// What becomes of a request for a solver.
pub type Offer<G> = Result<Box<dyn ExactSolver<G>>, Unsolved>;
