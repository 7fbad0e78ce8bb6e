//! The lower layers of agon: statistics, rules of games, searches and exact solvers.
//!
//! Programs use these modules through the crate `agon`, which re-exports them.

pub mod games;
pub mod params;
pub mod rounds;
pub mod search;
pub mod solve;
pub mod stats;
#[doc(hidden)]
pub mod util;
