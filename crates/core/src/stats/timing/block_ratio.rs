//! The ratio of two times from interleaved blocks, valid at any time.
//!
//! In a block, baseline and candidate run at the same time on one core; a coin decides which starts first. Its value is
//! `x = ln(candidate's time / baseline's time)` of the same work. If the machine multiplies times
//! by a noise that does not depend on which program runs, then `x - θ` is symmetric around 0, where
//! `e^θ` is the true ratio: with the other order, the noise would have had the other sign. This
//! holds for drift, for changes of frequency and for neighbours, however they follow each other.
//!
//! So `1 + κ tanh((x - θ) / s)` has the mean 1. The stake `κ < 1` and the scale `s` are chosen before the
//! block. The product over the blocks is the gain of a fair bet against θ. The interval has all θ against
//! which neither bet has gained `2 / α`. By Ville's inequality it contains the truth at all times together
//! with probability `1 - α`. `tanh` bounds what one block can say, so single disturbed blocks change
//! little. (A bet on the sign of symmetric values: V. H. de la Peña, "A general class of
//! exponential inequalities for martingales and ratios" (1999); A. Ramdas et al., "Admissible
//! anytime-valid sequential inference must rely on nonnegative martingales" (2020), section 6.)

use crate::stats::numerics::confidence_level::Confidence;

/// A ratio of times with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockRatio {
    /// The Hodges–Lehmann estimate of candidate / baseline.
    pub ratio: f64,
    /// The ends of the interval. `None` if there are too few blocks.
    pub interval: Option<[f64; 2]>,
    pub blocks: usize,
}

/// The stakes: small ones find small differences in many blocks, large ones find large differences in
/// few blocks. The gain is the mean of all of them.
const STAKES: [f64; 4] = [0.1, 0.2, 0.4, 0.8];

/// The scale of the first blocks, as long as there is nothing to measure it by: 5 %.
const FIRST_SCALE: f64 = 0.05;

/// The number of blocks from which the scale is measured.
const SCALED_FROM: usize = 4;

/// The smallest scale. Equal times would otherwise give a scale of 0.
const LEAST_SCALE: f64 = 1e-6;

/// The ratio from the logarithms of the ratios of each block, in the order of measurement. `None` without
/// blocks or if a value is not finite.
pub fn block_ratio(logs: &[f64], confidence: Confidence) -> Option<BlockRatio> {
    let usable = !logs.is_empty() && logs.iter().all(|x| x.is_finite());
    usable.then_some(())?;
    let scales = scales(logs);
    let needed = 2.0 / confidence.alpha();
    // The gain of the bet that the truth is above θ. It falls with θ.
    let gain = |theta: f64, sign: f64| {
        let mut gains = STAKES.map(|_| 0.0);
        for (x, scale) in logs.iter().zip(&scales) {
            let said = (sign * (x - theta) / scale).tanh();
            gains.iter_mut().zip(STAKES).for_each(|(gain, stake)| *gain += (stake * said).ln_1p());
        }
        gains.iter().map(|gain: &f64| gain.exp()).sum::<f64>() / STAKES.len() as f64
    };
    let end = |sign: f64| {
        let far = logs.iter().map(|x| x.abs()).fold(1.0, f64::max) + 40.0 * FIRST_SCALE;
        // At the far end the bet gains most, at the other one least.
        let (mut refuted, mut kept) = (-sign * far, sign * far);
        (gain(refuted, sign) >= needed).then_some(())?;
        while (kept - refuted).abs() > 1e-7 {
            let middle = f64::midpoint(refuted, kept);
            if gain(middle, sign) >= needed { refuted = middle } else { kept = middle }
        }
        Some(kept.exp())
    };
    let interval = end(1.0).zip(end(-1.0)).map(|(low, high)| [low, high]);
    Some(BlockRatio { ratio: hodges_lehmann(logs).exp(), interval, blocks: logs.len() })
}

/// The scale for each block: the median distance from the median of the blocks before it.
fn scales(logs: &[f64]) -> Vec<f64> {
    (0..logs.len())
        .map(|i| {
            if i < SCALED_FROM {
                return FIRST_SCALE;
            }
            let middle = median(logs[..i].to_vec());
            median(logs[..i].iter().map(|x| (x - middle).abs()).collect()).max(LEAST_SCALE)
        })
        .collect()
}

/// The median of the means of all pairs of values, each value with itself included.
fn hodges_lehmann(values: &[f64]) -> f64 {
    let pairs = values.iter().enumerate();
    median(
        pairs.flat_map(|(i, x)| values[i..].iter().map(move |y| f64::midpoint(*x, *y))).collect(),
    )
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len();
    f64::midpoint(values[(n - 1) / 2], values[n / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_estimate_is_that_of_hodges_and_lehmann() {
        // Walsh averages of 0, 1, 5: 0, 0.5, 1, 2.5, 3, 5.
        assert_eq!(hodges_lehmann(&[0.0, 1.0, 5.0]), 1.75);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
    }

    #[test]
    fn a_few_blocks_have_no_interval_and_equal_blocks_a_narrow_one() {
        let ratio = |n: usize| {
            let found = block_ratio(&vec![1.05_f64.ln(); n], Confidence::P95).expect("blocks");
            assert!((found.ratio - 1.05).abs() < 1e-12);
            found.interval
        };
        // The stakes gain 1.8^n / 4 + 1.4^n / 4 + …, which is 40 from 9 blocks on.
        assert_eq!((ratio(7), ratio(8)), (None, None));
        assert!(ratio(9).is_some());
        let [low, high] = ratio(30).expect("an interval");
        assert!(low < 1.05 && 1.05 < high && high - low < 0.001, "{low} {high}");
        assert_eq!(block_ratio(&[], Confidence::P95), None);
        assert_eq!(block_ratio(&[f64::NAN], Confidence::P95), None);
    }

    #[test]
    fn the_interval_turns_with_the_roles() {
        let logs: Vec<f64> =
            (0..40).map(|i| 0.02 + 0.03 * f64::from(i * 7 % 11 - 5) / 5.0).collect();
        let turned: Vec<f64> = logs.iter().map(|x| -x).collect();
        let [low, high] =
            block_ratio(&logs, Confidence::P95).and_then(|r| r.interval).expect("one");
        let [from, to] =
            block_ratio(&turned, Confidence::P95).and_then(|r| r.interval).expect("one");
        assert!((low * to - 1.0).abs() < 1e-6 && (high * from - 1.0).abs() < 1e-6);
        assert!(low > 1.0 && high < 1.05, "{low} {high}");
    }

    /// Of symmetric values, the interval leaves the truth out at most as often as it says, at all
    /// times together. All sequences of signs of 9 blocks are tried, so the share is exact.
    #[test]
    fn the_interval_holds_for_all_orders_together() {
        let sizes = [0.01, 0.03, 0.02, 0.5, 0.01, 0.02, 0.04, 0.01, 0.03];
        let orders = 1_u32 << sizes.len();
        let confidence = Confidence::new(0.6).expect("a level");
        let missed = (0..orders).filter(|order| {
            let signed = sizes.iter().enumerate();
            let logs: Vec<f64> =
                signed.map(|(i, x)| if order >> i & 1 == 1 { *x } else { -x }).collect();
            (1..=logs.len()).any(|n| {
                let interval = block_ratio(&logs[..n], confidence).and_then(|r| r.interval);
                interval.is_some_and(|[low, high]| low > 1.0 || high < 1.0)
            })
        });
        let share = missed.count() as f64 / f64::from(orders);
        assert!(share > 0.0 && share <= 0.4, "{share}");
    }
}
