//! Mathematics on counts: knows no game, no file and no clock.
//!
//! Everything starts from [`Evidence`]: a [`PairTable`] of opening pairs, each
//! played once from either side, and the games that found no partner. From it
//! come the [`Counts`] on equally spaced scores that the other modules read.
//!
//! No function here returns `nan` or an infinity, whatever the counts: where a
//! question has no answer it returns `None`, and where only one side of a range
//! is known it says so in its type.

mod anytime;
pub mod binomial;
mod change;
pub mod clusters;
pub mod confidence;
pub mod counts;
pub mod duplicates;
mod edge;
pub mod elo;
mod gen_wilson;
pub mod interval;

mod mle;
mod mle_t;
mod normalized;
pub mod pairs;
pub mod planning;
pub mod ratings;
pub mod shares;
mod special;
pub mod sprt;
mod student;
pub mod timing;

pub(crate) use change::PairedScores;
pub use clusters::Clusters;
pub use confidence::Confidence;
pub use counts::{Counts, Pentanomial, Trinomial};
pub use elo::EloRange;
pub use interval::Interval;
pub use pairs::{Evidence, Outcome, PairTable};
pub use shares::Shares;
