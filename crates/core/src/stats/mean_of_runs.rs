//! The mean of runs that differ only in their seeds.

use super::numerics::confidence_level::Confidence;
use super::numerics::students_t;

/// The mean of a figure over runs, with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanOfRuns {
    /// The mean of the runs.
    pub mean: f64,
    /// The interval of the mean over all seeds. It is Student's t with `n - 1` degrees of freedom,
    /// because the spread between runs is estimated from these `n` runs. It needs no interval
    /// within a run, so it also holds for times and for agents that learn. `None` for one run, and
    /// for equal values, which may be the same games.
    pub ends: Option<[f64; 2]>,
}

impl MeanOfRuns {
    /// The mean of these values, one for each run. `None` without values, and if one is not finite.
    pub fn of(values: &[f64], confidence: Confidence) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        mean.is_finite().then_some(())?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let differ = values.iter().any(|value| *value != values[0]);
        let ends = differ.then(|| {
            let reach =
                students_t::quantile(confidence, n - 1.0) * (squares / (n - 1.0) / n).sqrt();
            [mean - reach, mean + reach]
        });
        Some(MeanOfRuns { mean, ends })
    }
}
