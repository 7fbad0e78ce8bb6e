//! Statistics of measured times: is the candidate slower than the baseline?
//!
//! Times have outliers on one side, so the medians and ranks here are more robust than means.
//! Measure baseline and candidate together and compare them pair by pair. The default is
//! [`median_interval`] of their ratios. A series of such measurements has [`change_points()`].

mod block_ratio;
mod change_points;
mod paired_time_ratio;
mod ranks_with_ties;

pub use block_ratio::{BlockRatio, block_ratio};
pub use change_points::{FALSE_ALARMS, change_points};
pub use paired_time_ratio::{MedianInterval, anytime_median_interval, median_interval};
