//! Scales of charts: from values to positions, and the positions of ticks.

use crate::util::collect_lists::Gather;

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
    pub fn around(values: impl Iterator<Item = f64>, share: f64) -> Option<[f64; 2]> {
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

    /// About `wanted` round values on the axis.
    pub fn ticks(&self, wanted: usize) -> Vec<f64> {
        if self.log {
            let (low, high) = (self.low.log10().round() as i32, self.high.log10().round() as i32);
            let step = ((high - low) as usize).div_ceil(wanted.max(1)).max(1);
            return (low..=high).step_by(step).map(|power| 10f64.powi(power)).gather();
        }
        let step = round_step((self.high - self.low) / wanted.max(1) as f64);
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|tick| tick as f64 * step).gather()
    }
}

/// The smallest and the largest of the finite values.
pub fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.filter(|value| value.is_finite()).fold(None, |range, value| match range {
        None => Some([value; 2]),
        Some([low, high]) => Some([low.min(value), high.max(value)]),
    })
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
        assert_eq!(AxisScale::log([5.0, 6.0], [0.0, 1.0]).ticks(4), [1.0, 10.0]);
        assert_eq!(AxisScale::log([0.0, 0.0], [0.0, 1.0]).ticks(4).len(), 2);
    }

    #[test]
    fn ranges_leave_out_what_is_no_number() {
        assert_eq!(range([f64::NAN, 2.0, 1.0, f64::INFINITY].into_iter()), Some([1.0, 2.0]));
        assert_eq!(range(std::iter::empty()), None);
        assert_eq!(AxisScale::around([0.0, 10.0].into_iter(), 0.1), Some([-1.0, 11.0]));
    }
}
