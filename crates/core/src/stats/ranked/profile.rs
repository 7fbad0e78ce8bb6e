//! Confidence intervals from the profile likelihood.
//!
//! A value is in the interval if the log-likelihood, fitted again with this value, is at most half of
//! `width` below its maximum. Unlike an interval of estimate ± errors, it is valid at lopsided
//! results.

use super::design::Design;
use super::likelihood::{Constraint, Maximum, dot};

/// The largest number of values that are tried for one end.
const MOST_TRIES: usize = 40;

/// The ends of the interval of a contrast, in nats. An end is infinite if it cannot be found.
/// `se` is the standard error of the model.
pub(super) fn interval(
    design: &Design,
    best: &Maximum,
    contrast: &[f64],
    se: f64,
    width: f64,
) -> [f64; 2] {
    [-1.0, 1.0].map(|side| end(design, best, contrast, side * se, width.sqrt()))
}

/// One end: the root of the likelihood ratio is nearly linear, so that the Illinois method needs a
/// few steps. `step` is the standard error with the sign of the side.
fn end(design: &Design, best: &Maximum, contrast: &[f64], step: f64, reach: f64) -> f64 {
    let estimate = dot(contrast, &best.point.at);
    let mut from = best.point.at.clone();
    let mut excess = |errors: f64| {
        let value = estimate + step * errors;
        let there = design.maximize(from.clone(), Some(&Constraint { contrast, value }))?;
        from.clone_from(&there.point.at);
        Some((2.0 * (best.point.ln - there.point.ln)).max(0.0).sqrt() - reach)
    };
    let (mut inner, mut outer) = ((0.0, -reach), (reach, f64::NAN));
    for _ in 0..MOST_TRIES {
        match excess(outer.0) {
            Some(found) if found < 0.0 => {
                inner = (outer.0, found);
                outer.0 *= 1.5;
            }
            Some(found) => {
                outer.1 = found;
                break;
            }
            None => return step.signum() * f64::INFINITY,
        }
    }
    for _ in 0..MOST_TRIES {
        let middle = inner.0 - inner.1 * (outer.0 - inner.0) / (outer.1 - inner.1);
        let Some(found) = excess(middle) else { break };
        if found.abs() < 1e-7 * reach {
            return estimate + step * middle;
        }
        if found > 0.0 {
            outer = (middle, found);
            inner.1 *= 0.5;
        } else {
            inner = (middle, found);
            outer.1 *= 0.5;
        }
    }
    if outer.1.is_finite() { estimate + step * outer.0 } else { step.signum() * f64::INFINITY }
}
