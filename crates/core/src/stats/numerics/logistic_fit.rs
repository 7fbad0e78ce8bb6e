//! Fits expected scores as a logistic function of whole numbers, by maximum likelihood.

use std::collections::BTreeMap;

/// The function `1 / (1 + exp(-(value + offset) / scale))`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogisticMap {
    /// A lead of this size is worth odds of `e` to 1. Not 0; negative if small values are good.
    pub scale: f64,
    /// Added to the value.
    pub offset: f64,
}

/// Scores of samples by their value. The memory grows with the number of different values only.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LogisticFit {
    /// Samples, and the sum of their half points.
    scores: BTreeMap<i32, (u64, u64)>,
}

/// Bounds of slope and intercept per standard deviation. Without them, the fit of values that
/// separate wins from losses has no end.
const STEEPEST: f64 = 30.0;
/// Slopes below this are written as this.
const FLATTEST: f64 = 1e-9;
/// Newton's method needs fewer than ten steps.
const STEPS: usize = 100;

impl LogisticMap {
    /// The expected score of a value, from 0 to 1.
    pub fn expected(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-(value + self.offset) / self.scale).exp())
    }
}

impl LogisticFit {
    /// Adds a sample: its value, and its score in half points from 0 to 2.
    pub fn add(&mut self, value: i32, half_points: u64) {
        let (samples, sum) = self.scores.entry(value).or_default();
        *samples += 1;
        *sum += half_points;
    }

    /// The map with the greatest likelihood; `None` without samples.
    pub fn map(&self) -> Option<LogisticMap> {
        let all =
            || self.scores.iter().map(|(v, (n, sum))| (f64::from(*v), *n as f64, *sum as f64));
        let n: f64 = all().map(|(_, n, _)| n).sum();
        if n == 0.0 {
            return None;
        }
        let mean = all().map(|(v, n, _)| n * v).sum::<f64>() / n;
        let variance = all().map(|(v, n, _)| n * (v - mean).powi(2)).sum::<f64>() / n;
        let unit = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        // Newton's method on slope and intercept, in units of the standard deviation.
        let (mut slope, mut intercept) = (0.0_f64, 0.0_f64);
        for _ in 0..STEPS {
            let (mut gradient, mut curvature) = ([0.0; 2], [0.0; 3]);
            for (v, n, sum) in all() {
                let x = (v - mean) / unit;
                let p = 1.0 / (1.0 + (-(slope * x + intercept)).exp());
                let (rest, weight) = (0.5 * sum - n * p, n * p * (1.0 - p));
                gradient = [gradient[0] + rest * x, gradient[1] + rest];
                let [xx, x1, one] = curvature;
                curvature = [xx + weight * x * x, x1 + weight * x, one + weight];
            }
            // One value alone has no slope.
            let [xx, x1, one] = [curvature[0].max(1e-12), curvature[1], curvature[2].max(1e-12)];
            let size = (xx * one - x1 * x1).max(1e-12 * xx * one);
            let steps = [
                (one * gradient[0] - x1 * gradient[1]) / size,
                (xx * gradient[1] - x1 * gradient[0]) / size,
            ];
            let before = (slope, intercept);
            // Longer steps may lead away from the maximum.
            slope = (slope + steps[0].clamp(-1.0, 1.0)).clamp(-STEEPEST, STEEPEST);
            intercept = (intercept + steps[1].clamp(-1.0, 1.0)).clamp(-STEEPEST, STEEPEST);
            if (slope - before.0).abs() + (intercept - before.1).abs() < 1e-12 {
                break;
            }
        }
        let flat = slope.abs() / unit < FLATTEST;
        let per_value = if flat { FLATTEST } else { slope / unit };
        Some(LogisticMap { scale: 1.0 / per_value, offset: intercept / per_value - mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(samples: &[(i32, u64)]) -> Option<LogisticMap> {
        let mut fit = LogisticFit::default();
        samples.iter().for_each(|&(value, half_points)| fit.add(value, half_points));
        fit.map()
    }

    /// Quarter hours of study and passed exams of 20 students; the intercept is -4.0777 and the slope
    /// 1.5046 per hour. "Logistic regression", Wikipedia.
    #[test]
    fn a_textbook_example_has_its_coefficients() {
        let failed = [2, 3, 4, 5, 6, 7, 8, 10, 12, 14].map(|hours| (hours, 0));
        let passed = [7, 9, 11, 13, 16, 17, 18, 19, 20, 22].map(|hours| (hours, 2));
        let map = fit(&[failed, passed].concat()).expect("a map");
        let (slope, intercept) = (4.0 / map.scale, map.offset / map.scale);
        assert!((slope - 1.5046).abs() < 5e-5 && (intercept + 4.0777).abs() < 5e-5, "{map:?}");
        // 2 hours: 0.26; 3 hours: 0.61.
        assert!((map.expected(8.0) - 0.256).abs() < 1e-3);
        assert!((map.expected(12.0) - 0.607).abs() < 1e-3);
    }

    #[test]
    fn values_that_show_nothing_or_everything_have_a_map() {
        assert_eq!(fit(&[]), None);
        // One value: the mean score, three of four half points.
        let map = fit(&[(5, 2), (5, 1)]).expect("a map");
        assert!((map.expected(5.0) - 0.75).abs() < 1e-6, "{map:?}");
        // Draws only.
        let map = fit(&[(-7, 1), (0, 1), (9, 1)]).expect("a map");
        assert!([-7.0, 0.0, 9.0].iter().all(|v| (map.expected(*v) - 0.5).abs() < 1e-6), "{map:?}");
        let map = fit(&[(-3, 0), (4, 2), (5, 2)]).expect("a map");
        assert!(map.expected(-3.0) < 1e-6 && map.expected(4.0) > 1.0 - 1e-6, "{map:?}");
        // Large values are bad.
        let map = fit(&[(0, 2), (1, 2), (1, 0), (2, 0)]).expect("a map");
        assert!(map.scale < 0.0 && map.expected(0.0) > 0.9, "{map:?}");
        let wide = fit(&[(i32::MIN, 0), (i32::MAX, 2), (0, 0), (0, 2)]).expect("a map");
        assert!(wide.scale.is_finite() && wide.offset.is_finite(), "{wide:?}");
    }
}
