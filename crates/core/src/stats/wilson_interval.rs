//! Wilson's confidence interval of a proportion: successes among trials.

use super::score_interval::Interval;
use crate::stats::numerics::confidence_level::Confidence;

/// Wilson's score interval for the success probability after `successes` in `trials`. `successes`
/// may be a score with halves. `None` unless `0 <= successes <= trials` and `trials > 0`.
///
/// `(x + z²/2) / (n + z²) ± z / (1 + z²/n) sqrt(p (1-p) / n + z² / 4n²)`, E. B. Wilson, JASA 22
/// (1927). With draws the interval is valid but too wide; use [`crate::stats::Counts::interval`]
/// for them.
pub fn wilson(successes: f64, trials: f64, confidence: Confidence) -> Option<Interval> {
    let (x, n) = checked(successes, trials)?;
    let z2 = confidence.z().powi(2);
    let p = x / n;
    let centre = (x + z2 / 2.0) / (n + z2);
    let half = (z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    let lo = if x == 0.0 { 0.0 } else { centre - half };
    let hi = if x == n { 1.0 } else { centre + half };
    Some(Interval::within_unit(lo, hi))
}

fn checked(successes: f64, trials: f64) -> Option<(f64, f64)> {
    let fits = trials.is_finite() && trials > 0.0 && (0.0..=trials).contains(&successes);
    fits.then_some((successes, trials))
}
