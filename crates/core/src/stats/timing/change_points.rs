//! Change points: where a series of measurements gets another level.
//!
//! The test is Pettitt's (*Applied Statistics* 28, 1979) in its weighted form, as in the chart of Hawkins
//! and Deng (*Journal of Quality Technology* 42, 2010). Each place splits the values into those before and
//! those after it. The statistic is the largest standardized rank sum of all places,
//!
//! `T = max |S_t| / √(t (n − t) σ² / (n − 1))`, where `S_t = Σ_{i ≤ t} (r_i − (n + 1) / 2)`
//!
//! and `σ²` is the variance of the ranks. If nothing changes, all orders of the values are equally
//! likely, so the p-value is the share of random orders with a statistic as large. This holds for every
//! distribution of the values, also with ties and outliers. One extreme value has one rank, so it is
//! no change point.
//!
//! If the test rejects, the place of the maximum is a change point. The values on both sides are tested
//! again, as in E-divisive (Matteson and James, *JASA* 109, 2014). MongoDB (Daly et al., ICPE 2020) and
//! Hunter (Fleming et al., ICPE 2023) find changes of performance with that method.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;

use super::ranks_with_ties::doubled_ranks;

/// The chance of a change point in a series without a change.
pub const FALSE_ALARMS: f64 = 0.01;

/// Random orders of a test. The observed order is one more.
const ORDERS: usize = 1999;

/// The places of the first values of each new level, in ascending order. Values must not be NaN.
///
/// ```
/// # use agon_core as agon;
/// use agon::stats::timing::change_points;
///
/// let before = [1.00, 1.01, 0.99, 1.02, 1.00, 0.98, 1.01, 1.00];
/// let after = before.map(|factor| factor + 0.05);
/// assert_eq!(change_points(&[before, after].concat()), [8]);
/// assert!(change_points(&[before, before].concat()).is_empty());
/// ```
pub fn change_points(values: &[f64]) -> Vec<usize> {
    let mut ranks: Vec<f64> = doubled_ranks(values).iter().map(|&rank| rank as f64).collect();
    let Some((statistic, place)) = largest_rank_sum(&ranks) else { return Vec::new() };
    let mut rng = ChaCha8Rng::seed_from_u64(values.len() as u64);
    let as_large = (0..ORDERS).filter(|_| {
        ranks.shuffle(&mut rng);
        // Sums in another order may differ in their last digits.
        largest_rank_sum(&ranks).is_some_and(|(random, _)| random >= statistic - 1e-9)
    });
    // The p-value is `(1 + as large) / (1 + ORDERS)`. With this number it is above the limit.
    let too_many = (FALSE_ALARMS * (1 + ORDERS) as f64).round() as usize;
    if as_large.take(too_many).count() == too_many {
        return Vec::new();
    }
    let mut places = change_points(&values[..place]);
    places.push(place);
    places.extend(change_points(&values[place..]).iter().map(|after| place + after));
    places
}

/// The largest standardized rank sum, and the place of the first value after the split. `None` if all
/// values are equal.
fn largest_rank_sum(ranks: &[f64]) -> Option<(f64, usize)> {
    let n = ranks.len() as f64;
    let mean = ranks.iter().sum::<f64>() / n;
    let variance = ranks.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>() / n;
    let mut sum = 0.0;
    let standardized = |(before, rank): (usize, &f64)| {
        sum += rank - mean;
        let t = (before + 1) as f64;
        (sum.abs() / (t * (n - t) * variance / (n - 1.0)).sqrt(), before + 1)
    };
    let splits = ranks.len().saturating_sub(1);
    let all = ranks[..splits].iter().enumerate().map(standardized);
    all.filter(|(value, _)| value.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statistic_is_that_of_the_formula() {
        // Ranks 1, 2, 3, 4: S = −1.5, −2, −1.5 and σ² = 1.25; at the middle, 2 / √(4 · 1.25 / 3).
        let doubled = [2.0, 4.0, 6.0, 8.0];
        let (statistic, place) = largest_rank_sum(&doubled).expect("a maximum");
        assert!((statistic - 2.0 / (5.0_f64 / 3.0).sqrt()).abs() < 1e-12, "{statistic}");
        assert_eq!(place, 2);
        // Of the 24 orders, those with 1 and 2 or with 3 and 4 in the first half are as extreme.
        let all = (0..256_usize).map(|code| [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6]);
        let orders = all.filter(|order| (0..4).all(|rank| order.contains(&rank)));
        let as_large = orders.filter(|order| {
            let (value, _) = largest_rank_sum(&order.map(|rank| rank as f64)).expect("a maximum");
            value >= statistic - 1e-9
        });
        assert_eq!(as_large.count(), 8);
    }

    #[test]
    fn nothing_is_found_where_nothing_changes() {
        for values in [vec![], vec![1.0], vec![1.0; 50]] {
            assert!(change_points(&values).is_empty(), "{values:?}");
        }
        // One outlier is no new level, however large, and neither are two.
        let mut values: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 60)).collect();
        assert!(change_points(&values).is_empty());
        values[30] = 1e9;
        values[59] = -1e9;
        assert!(change_points(&values).is_empty());
    }

    /// Four against four values: 2 of 70 splits are as extreme at the middle, so p is above 1 %.
    #[test]
    fn eight_values_show_nothing_and_sixteen_are_enough() {
        let split = |each: usize| {
            let level = |from: f64| (0..each).map(move |i| from + 0.01 * i as f64);
            change_points(&level(0.0).chain(level(1.0)).collect::<Vec<_>>())
        };
        assert!(split(4).is_empty());
        assert_eq!(split(8), [8]);
    }

    #[test]
    fn all_levels_are_found() {
        let level = |of: f64| (0..20).map(move |i| of + 0.01 * f64::from(i * 7 % 20));
        let values: Vec<f64> = level(0.0).chain(level(1.0)).chain(level(0.5)).collect();
        assert_eq!(change_points(&values), [20, 40]);
        // Near the end of the series, five values of a new level are enough.
        let values: Vec<f64> = level(0.0).chain(level(0.0)).chain(level(1.0).take(5)).collect();
        assert_eq!(change_points(&values), [40]);
    }
}
