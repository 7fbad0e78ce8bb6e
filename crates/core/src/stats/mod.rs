//! Statistics on counts. This layer does not depend on games, files or clocks.
//!
//! The input is [`Evidence`]: a [`PairTable`] of opening pairs, each played once from either side,
//! and the games without a partner. It gives the [`Counts`] of equally spaced scores that the
//! other modules use.
//!
//! No function here returns `nan` or an infinity for any counts. A function returns `None` if
//! there is no answer. If only one end of a range is known, the type of the result says so.

mod asymptotic_sequence;
pub(crate) mod betting_e_value;
pub mod cluster_means;
pub mod cluster_ratio;
mod e_values;
pub mod effective_games;
pub mod elo;
mod elo_change;
pub mod evidence;
mod extended_wilson_interval;
pub mod games_for_precision;
pub(crate) mod luck_adjusted;
pub mod mean_of_runs;
mod normalized_elo;
mod numerics;
pub mod ranked;
pub mod ratings;
pub mod score_counts;
pub mod score_interval;
pub mod sprt;
pub mod spsa;
pub mod timing;
pub mod tuning;
pub mod wilson_interval;

pub use cluster_means::Clusters;
pub use cluster_ratio::ClusterRatio;
pub use elo::EloRange;
pub use elo_change::PairedScores;
pub use evidence::{Evidence, GameScore, PairTable};
pub use luck_adjusted::LuckAdjusted;
pub use mean_of_runs::MeanOfRuns;
pub use numerics::confidence_level;
pub use numerics::confidence_level::Confidence;
pub use numerics::logistic_fit::{LogisticFit, LogisticMap};
pub use score_counts::{Counts, Pentanomial, Trinomial};
pub use score_interval::Interval;
