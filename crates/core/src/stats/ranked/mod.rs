//! Ratings from results with any number of seats, with ranks, ties and teams.
//!
//! [`RankedSamples`] collects the rows, [`RankedRatings::fit`] fits them. The model is that of R.
//! Plackett ("The analysis of permutations", 1975) and R. Luce: the chance of an order is the
//! product over its places of the strength of the side there, divided by the strengths of all sides
//! that are left. With two seats it is the model of Bradley and Terry, as in [`super::ratings`].
//! Results are in Elo, likelihoods in nats.

mod anchors;
mod average_of_orders;
mod bound;
mod comparisons;
mod connected_players;
mod davidson_luce;
mod design;
mod fitted;
mod group_covariance;
mod joint_test;
mod likelihood;
mod pair_scores;
mod placing;
mod profile;
mod ranked_ratings;
mod ranked_samples;
mod row_point;
mod seat_effects;

pub use anchors::AnchorShift;
pub use comparisons::RankedComparison;
pub use design::{TeamModel, TieModel};
pub use joint_test::{JointTest, TestMethod};
pub use pair_scores::{PairScore, score_in_row};
pub use placing::{PlacingGames, PlacingStage};
pub use ranked_ratings::{NoRankedFit, RankedOptions, RankedRatings};
pub use ranked_samples::{RankedSamples, RankedSide, SampleError};
pub use seat_effects::{SeatEffect, SeatEffects};

#[cfg(test)]
mod tests;
