//! Is the candidate slower than the base? Statistics of measured times.
//!
//! Times have outliers on one side, so the medians and ranks here say more than
//! means do. Base and candidate are to be measured in turns and compared pair by
//! pair: [`ratios`] and [`median_interval`] are the default, [`signed_rank()`] its
//! test. [`mann_whitney`] is for times that were not measured in pairs.

mod rank_sum;
mod ranks;
mod ratio;
mod signed_rank;

pub use rank_sum::{RankSum, mann_whitney};
pub use ratio::{MeanRatio, MedianInterval, geometric_mean, median_interval, ratios};
pub use signed_rank::{SignedRank, signed_rank};
