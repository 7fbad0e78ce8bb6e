//! Statistics on counts. This layer does not depend on games, files or clocks.
//!
//! The input is [`Evidence`]: a [`PairTable`] of opening pairs, each played once from either side,
//! and the games without a partner. It gives the [`Counts`] of equally spaced scores that the
//! other modules use.
//!
//! No function here returns `nan` or an infinity for any counts. A function returns `None` if
//! there is no answer. If only one end of a range is known, the type of the result says so.

mod adaptive_design;
mod adaptive_evidence;
pub mod adaptive_rounds;
mod asymptotic_sequence;
mod betting_e_value;
pub mod cluster_means;
pub mod confidence_level;
pub mod dutch_pairing;
mod e_values;
pub mod effective_games;
pub mod elo;
mod elo_change;
mod extended_wilson_interval;
mod root_finder;
pub mod score_counts;
pub mod score_interval;
pub mod wilson_interval;

pub mod cluster_ratio;
pub mod games_for_precision;
pub mod knockout;
mod logistic_fit;
mod luck_adjusted;
mod mle_given_mean;
mod mle_given_normalized_elo;
mod normalized_elo;
pub mod pair_results;
pub mod ratings;
mod ratings_so_far;
pub mod simulated_rounds;
mod special_functions;
pub mod sprt;
pub mod spsa;
pub mod spsa_rounds;
mod students_t;
pub mod swiss;
pub mod timing;
pub mod tournament;
pub mod weighted_matching;

pub use cluster_means::Clusters;
pub use cluster_ratio::ClusterRatio;
pub use confidence_level::Confidence;
pub use elo::EloRange;
pub use elo_change::PairedScores;
pub use logistic_fit::{LogisticFit, LogisticMap};
pub use luck_adjusted::LuckAdjusted;
pub use pair_results::{Evidence, GameScore, PairTable};
pub use score_counts::{Counts, Pentanomial, Trinomial};
pub use score_interval::Interval;
