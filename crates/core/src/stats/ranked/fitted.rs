//! Estimates, intervals and joint tests of contrasts between the parameters of a fit.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::ratings::{NATS_PER_ELO, Rating};
use super::design::Design;
use super::group_covariance::GroupCovariance;
use super::joint_test::{JointTest, TestMethod};
use super::likelihood::{Maximum, dot};
use super::profile;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::special_functions::f_tail;
use crate::stats::numerics::students_t;
use crate::stats::numerics::symmetric_matrix::Matrix;

/// Fewer groups have no intervals.
const FEWEST_GROUPS: usize = 8;
/// From here on, the quantiles of Student's t are an expansion around those of the normal.
const MANY_GROUPS: f64 = 3_000.0;
/// Up to this number of different rows times players, intervals are from the profile likelihood.
/// Above it, they are the estimate ± errors: with that number of rows, the two are nearly equal.
const MOST_PROFILED: usize = 20_000;

/// A maximum, with all that intervals and tests need.
pub(super) struct Fitted {
    pub design: Design,
    /// The design without effects of seats.
    pub without_seats: Design,
    pub best: Maximum,
    pub variance: GroupCovariance,
    pub confidence: Confidence,
    pub is_grouped: bool,
    /// The half widths of intervals that were computed, by their degrees of freedom: many players have
    /// half a million pairs.
    pub reaches: RefCell<BTreeMap<u64, f64>>,
}

/// An estimate in Elo.
pub(super) struct Estimate {
    pub elo: f64,
    pub lo: f64,
    pub hi: f64,
    pub se: f64,
}

impl From<Estimate> for Rating {
    fn from(Estimate { elo, lo, hi, se }: Estimate) -> Self {
        Self::Estimate { elo, lo, hi, se }
    }
}

impl Fitted {
    /// Whether there are enough groups for intervals.
    pub fn has_intervals(&self) -> bool {
        !self.is_grouped || self.variance.groups >= FEWEST_GROUPS as f64
    }

    /// The contrast between a player and the mean of others.
    pub fn relative(&self, player: usize, others: &[usize]) -> Vec<f64> {
        let mut contrast = vec![0.0; self.design.size];
        for place in others.iter().filter_map(|&other| self.design.place(other)) {
            contrast[place] -= 1.0 / others.len() as f64;
        }
        self.design.place(player).into_iter().for_each(|place| contrast[place] += 1.0);
        contrast
    }

    /// The half width of an interval in standard errors, from this number of groups.
    fn reach(&self, groups: f64) -> f64 {
        let df = (groups - 1.0).max(FEWEST_GROUPS as f64 - 1.0);
        if df < MANY_GROUPS {
            let mut known = self.reaches.borrow_mut();
            let new = || students_t::quantile(self.confidence, df);
            return *known.entry(df.to_bits()).or_insert_with(new);
        }
        // Abramowitz & Stegun 26.7.5.
        let z = self.confidence.z();
        z + (z.powi(3) + z) / (4.0 * df)
    }

    /// The smallest ratio of the observed variance to that of the model. Only ties and groups make rows
    /// vary less than the model says. If all rows are ties, they do not differ at all; the interval is
    /// then that of Wilson, with about four rows for each opponent.
    fn least_effect(&self, groups: f64, opponents: usize) -> f64 {
        if !self.is_grouped && !self.design.has_ties() {
            return 1.0;
        }
        let GroupCovariance { rows, groups: all, .. } = self.variance;
        let z = self.confidence.z();
        rows / all * (z * z * opponents as f64 / groups).min(1.0)
    }

    /// The mean ratio of the observed variance to that of the model.
    fn effect(&self, contrasts: &[Vec<f64>], groups: f64, opponents: usize) -> f64 {
        let least = self.least_effect(groups, opponents);
        let Some(inverse) = among(contrasts, &self.best.inverse).inverse() else { return least };
        let observed = among(contrasts, &self.variance.covariance);
        let n = contrasts.len();
        let trace: f64 = inverse.cells.iter().zip(&observed.cells).map(|(a, b)| a * b).sum();
        (trace / n as f64).max(least)
    }

    /// The estimate of a contrast between parameters in this number of groups.
    pub fn estimate(&self, contrast: &[f64], groups: f64, opponents: usize) -> Estimate {
        let Self { design, best, .. } = self;
        let nats = dot(contrast, &best.point.at);
        let elo = nats / NATS_PER_ELO;
        if contrast.iter().all(|weight| weight.abs() < 1e-12) {
            return Estimate { elo, lo: elo, hi: elo, se: 0.0 };
        }
        let [of_model, observed] =
            [&best.inverse, &self.variance.covariance].map(|matrix| variance(contrast, matrix));
        let model = of_model.sqrt();
        let effect = (observed / of_model).max(self.least_effect(groups, opponents));
        let reach = self.reach(groups) * effect.sqrt();
        let ends = if !self.has_intervals() {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else if design.rows() * design.players() > MOST_PROFILED {
            [nats - reach * model, nats + reach * model]
        } else {
            profile::interval(design, best, contrast, model, reach * reach)
        };
        let [lo, hi] = ends.map(|end| end / NATS_PER_ELO);
        Estimate { elo, lo, hi, se: model * effect.sqrt() / NATS_PER_ELO }
    }

    /// The test that contrasts are 0, from its statistic under the model.
    pub fn joint_test(
        &self,
        method: TestMethod,
        statistic: f64,
        contrasts: &[Vec<f64>],
    ) -> Option<JointTest> {
        let df = contrasts.len();
        let groups = self.variance.groups;
        let statistic = statistic / self.effect(contrasts, groups, df);
        let p = f_tail(statistic / df as f64, df, (groups - 1.0).max(1.0));
        statistic.is_finite().then_some(JointTest { method, statistic, df, p })
    }

    /// The Wald test that contrasts have values at these distances from the estimates, in nats.
    pub fn wald_test(&self, contrasts: &[Vec<f64>], distances: &[f64]) -> Option<JointTest> {
        let inverse = among(contrasts, &self.best.inverse).inverse()?;
        let squared = dot(distances, &inverse.times(distances));
        self.joint_test(TestMethod::Wald, squared, contrasts)
    }

    /// The number of groups with a player, and of the opponents there.
    pub fn exposure(&self, player: usize) -> (f64, usize) {
        let GroupCovariance { groups_of, opponents, .. } = &self.variance;
        self.design.place(player).map_or((0.0, 0), |place| (groups_of[place], opponents[place]))
    }
}

/// The variance of a contrast. The difference of two players has two parts, in any number of players.
fn variance(contrast: &[f64], covariance: &Matrix) -> f64 {
    let parts: Vec<(usize, f64)> =
        contrast.iter().copied().enumerate().filter(|(_, weight)| *weight != 0.0).collect();
    let along = |i: usize| parts.iter().map(|&(j, b)| b * covariance.at(i, j)).sum::<f64>();
    parts.iter().map(|&(i, a)| a * along(i)).sum()
}

/// The covariance of contrasts.
fn among(contrasts: &[Vec<f64>], covariance: &Matrix) -> Matrix {
    let mut among = Matrix::zero(contrasts.len());
    for (j, contrast) in contrasts.iter().enumerate() {
        let along = covariance.times(contrast);
        (0..contrasts.len()).for_each(|i| among.add(i, j, dot(&contrasts[i], &along)));
    }
    among
}
