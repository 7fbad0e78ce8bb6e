//! Statistics on counts. This layer does not depend on games, files or clocks.
//!
//! The input is [`Evidence`]: a [`PairTable`] of opening pairs, each played once from either side,
//! and the games without a partner. It gives the [`Counts`] of equally spaced scores that the
//! other modules use.
//!
//! No function here returns `nan` or an infinity for any counts. A function returns `None` if
//! there is no answer. If only one end of a range is known, the type of the result says so.

mod anytime;
pub mod binomial;
pub mod clusters;
pub mod confidence;
pub mod counts;
pub mod duplicates;
pub mod elo;
mod elo_change;
mod gen_wilson;
pub mod interval;
mod root_finder;

pub mod cluster_ratio;
mod mle;
mod mle_t;
mod normalized;
pub mod pairs;
pub mod planning;
pub mod ratings;
mod special;
pub mod sprt;
mod students_t;
pub mod timing;

pub use cluster_ratio::ClusterRatio;
pub use clusters::Clusters;
pub use confidence::Confidence;
pub use counts::{Counts, Pentanomial, Trinomial};
pub use elo::EloRange;
pub use elo_change::PairedScores;
pub use interval::Interval;
pub use pairs::{Evidence, GameScore, PairTable};
