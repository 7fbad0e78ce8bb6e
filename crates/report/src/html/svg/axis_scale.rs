//! Scales of charts: from values to positions, and the positions of ticks.

use crate::text::number_format::trimmed;

/// An axis: a range of values on a range of the chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisScale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl AxisScale {
    /// A linear axis from `low` to `high` on the chart positions from `from` to `to`. An empty
    /// range is widened.
    pub fn linear([low, high]: [f64; 2], [from, to]: [f64; 2]) -> AxisScale {
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        AxisScale { low, high, from, to, log: false }
    }

    /// A logarithmic axis, in whole powers of ten.
    pub fn log([low, high]: [f64; 2], [from, to]: [f64; 2]) -> AxisScale {
        let low = 10f64.powf(low.max(1e-12).log10().floor());
        let high = 10f64.powf(high.max(1e-12).log10().ceil());
        AxisScale { low, high: high.max(10.0 * low), from, to, log: true }
    }

    /// The range of values, widened by a share of it on both sides, so that markers are not on the
    /// edge.
    pub fn around(values: &[f64], share: f64) -> Option<[f64; 2]> {
        let [low, high] = range(values)?;
        let margin = share * (high - low);
        Some([low - margin, high + margin])
    }

    /// The position of a value; values outside the range go to the nearest end.
    pub fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            let value = value.max(self.low);
            (value / self.low).log10() / (self.high / self.low).log10()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// About `wanted` round values on the axis, and at least [`FEWEST`].
    pub fn ticks(&self, wanted: usize) -> Vec<f64> {
        let enough = |ticks: &Vec<f64>| ticks.len() >= FEWEST;
        (wanted.max(1)..64).map(|wanted| self.about(wanted)).find(enough).unwrap_or_default()
    }

    /// About `wanted` round values; on a short logarithmic axis also 2 and 5, or 3, times a power
    /// of ten.
    fn about(&self, wanted: usize) -> Vec<f64> {
        if self.log {
            let (low, high) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
            let decades = (high - low) as usize;
            let between: &[f64] = match decades {
                1 => &[1.0, 2.0, 5.0],
                2 => &[1.0, 3.0],
                _ => &[1.0],
            };
            let step = decades.div_ceil(wanted).max(1);
            let powers = (low..=high).step_by(step).map(|power| 10f64.powi(power));
            let all = powers.flat_map(|power| between.iter().map(move |digit| digit * power));
            return all.filter(|tick| *tick <= self.high * (1.0 + 1e-9)).collect();
        }
        let step = round_step((self.high - self.low) / wanted as f64);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|tick| tick as f64 * step).collect()
    }
}

/// With fewer ticks a reader cannot see the scale.
const FEWEST: usize = 4;

/// A tick with the decimals that it needs: `0.25`, `50`.
pub fn tick_text(value: f64) -> String {
    trimmed(value, 6)
}

/// The smallest and the largest of the finite values.
pub fn range(values: &[f64]) -> Option<[f64; 2]> {
    let mut range = None;
    for &value in values.iter().filter(|value| value.is_finite()) {
        let [low, high] = range.unwrap_or([value; 2]);
        range = Some([value.min(low), value.max(high)]);
    }
    range
}

/// The nearest of 1, 2, 5, 10, …
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let off = |digit: f64| (digit * power / step).ln().abs();
    let digits = [1.0, 2.0, 5.0, 10.0].into_iter();
    digits.min_by(|a, b| off(*a).total_cmp(&off(*b))).unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_go_where_they_belong_and_never_beyond() {
        let scale = AxisScale::linear([0.0, 10.0], [100.0, 200.0]);
        assert_eq!(
            [-5.0, 0.0, 2.5, 10.0, 99.0].map(|v| scale.at(v)),
            [100.0, 100.0, 125.0, 200.0, 200.0]
        );
        let upward = AxisScale::linear([0.0, 1.0], [50.0, 0.0]);
        assert_eq!(upward.at(0.5), 25.0);
        let log = AxisScale::log([3.0, 900.0], [0.0, 30.0]);
        assert_eq!([1.0, 10.0, 1000.0].map(|v| log.at(v).round()), [0.0, 10.0, 30.0]);
        assert_eq!(log.at(0.0), 0.0);
        let flat = AxisScale::linear([7.0, 7.0], [0.0, 10.0]);
        assert_eq!(flat.at(7.0), 5.0);
    }

    #[test]
    fn ticks_are_round_and_on_the_axis() {
        let ticks = |low, high| AxisScale::linear([low, high], [0.0, 1.0]).ticks(5);
        assert_eq!(ticks(0.0, 100.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        // The ideal step is 240; the nearest round step is 200.
        assert_eq!(ticks(-842.0, 359.0), [-800.0, -600.0, -400.0, -200.0, 0.0, 200.0]);
        assert_eq!(ticks(8.0, 92.0), [20.0, 40.0, 60.0, 80.0]);
        let log = AxisScale::log([2.0, 5e6], [0.0, 1.0]);
        assert_eq!(log.ticks(4), [1.0, 100.0, 10_000.0, 1_000_000.0]);
        assert_eq!(AxisScale::log([5.0, 6.0], [0.0, 1.0]).ticks(4), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(AxisScale::log([0.0, 0.0], [0.0, 1.0]).ticks(4).len(), 4);
        assert_eq!(["0.25", "50", "−0.5"], [0.25, 50.0, -0.5].map(tick_text));
    }

    /// An axis from 3.9 to 6.8 had three ticks, one from 1 to 10 had two.
    #[test]
    fn every_axis_has_four_ticks() {
        for digits in 1..400 {
            let (low, high) = (f64::from(digits) / 7.0, 0.3 + f64::from(digits * digits) / 11.0);
            for scale in [
                AxisScale::linear([low, low + high], [0.0, 1.0]),
                AxisScale::log([low, low + high], [0.0, 1.0]),
                AxisScale::log([low, low * high.exp2().min(1e12)], [0.0, 1.0]),
            ] {
                for wanted in [4, 5, 7] {
                    let count = scale.ticks(wanted).len();
                    assert!((4..=12).contains(&count), "{scale:?}: {count}");
                }
            }
        }
    }

    #[test]
    fn ranges_leave_out_what_is_no_number() {
        assert_eq!(range(&[f64::NAN, 2.0, 1.0, f64::INFINITY]), Some([1.0, 2.0]));
        assert_eq!(range(&[]), None);
        assert_eq!(AxisScale::around(&[0.0, 10.0], 0.1), Some([-1.0, 11.0]));
    }
}
