//! Statistics of measured times: is the candidate slower than the baseline?
//!
//! Times have outliers on one side, so the medians and ranks here are more robust than means.
//! Measure baseline and candidate alternately and compare them pair by pair. The default is
//! [`median_interval`] of their ratios, and its test is [`signed_rank()`].

mod ranks;
mod ratio;
mod signed_rank;

pub use ratio::{MeanRatio, MedianInterval, geometric_mean, median_interval};
pub use signed_rank::{SignedRank, signed_rank};
