//! Fixed positions and fixed budgets for every agent and game: one number that changes
//! when a search does, and how fast it searches.
//!
//! The list follows the registry: `suite` says with which settings each kind of agent and
//! game takes part, and a test fails when a kind is missing there.

mod measure;
mod page;
mod signature;
mod suite;

pub use measure::{Passes, measure};
pub use signature::Signature;
