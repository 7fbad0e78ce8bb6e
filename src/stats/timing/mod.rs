//! Is the candidate slower than the base? Statistics of measured times.
//!
//! Times have outliers on one side, so the medians and ranks here say more than
//! means do. Base and candidate are to be measured in turns and compared pair by
//! pair: [`median_interval`] of their ratios is the default, [`signed_rank()`] its test.

mod ranks;
mod ratio;
mod signed_rank;

pub use ratio::{MeanRatio, MedianInterval, geometric_mean, median_interval};
pub use signed_rank::{SignedRank, signed_rank};
