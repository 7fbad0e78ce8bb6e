//! Which players differ significantly: all differences between ratings, corrected for their number.

use super::super::ratings::{Rating, holm};
use super::ranked_ratings::RankedRatings;
use crate::stats::numerics::special_functions::normal_cdf;

/// The difference between the ratings of two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedComparison {
    /// The players; the first one has the higher rating.
    pub players: [usize; 2],
    /// Their difference in Elo, not negative.
    pub elo: f64,
    /// The ends of its interval.
    pub interval: [f64; 2],
    /// The p-value with Holm's correction over all comparisons.
    pub p_holm: f64,
}

impl RankedRatings {
    /// The differences of all players with ratings in the same component; none without intervals. The
    /// p-values belong to the intervals: at 5 %, an uncorrected one is below 0.05 if 0 is outside of an
    /// interval of 95 %.
    pub fn comparisons(&self, confidence_z: f64) -> Vec<RankedComparison> {
        let mut all = Vec::new();
        let mut p_values = Vec::new();
        let pairs = self.components().iter().flat_map(|members| {
            let after = |&a: &usize| members.iter().filter(move |b| **b > a).map(move |&b| (a, b));
            members.iter().flat_map(after)
        });
        for (a, b) in pairs {
            let Rating::Estimate { elo, lo, hi, .. } = self.difference(a, b) else { continue };
            // The end on the side of 0 decides whether the difference is significant.
            let error = if elo < 0.0 { hi - elo } else { elo - lo } / confidence_z;
            if !error.is_finite() || error <= 0.0 {
                continue;
            }
            p_values.push(2.0 * normal_cdf(-elo.abs() / error));
            let (players, interval) =
                if elo < 0.0 { ([b, a], [-hi, -lo]) } else { ([a, b], [lo, hi]) };
            all.push(RankedComparison { players, elo: elo.abs(), interval, p_holm: 1.0 });
        }
        for (comparison, p) in all.iter_mut().zip(holm(&p_values)) {
            comparison.p_holm = p;
        }
        all
    }
}
