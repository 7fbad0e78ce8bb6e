//! Schedules in rounds, which follow from the results so far: Swiss tournaments, knockouts, and rounds
//! until the evidence decides.

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
