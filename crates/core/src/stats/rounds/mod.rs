//! Formats in rounds: evidence that ends a run, Swiss tournaments and knockouts.

pub(crate) mod adaptive_design;
pub(crate) mod adaptive_evidence;
pub mod adaptive_rounds;
pub mod dutch_pairing;
pub mod knockout;
pub(crate) mod ratings_so_far;
pub mod simulated_rounds;
pub mod swiss;
pub mod tournament;
pub mod weighted_matching;
