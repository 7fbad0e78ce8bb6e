//! Players with given ratings, which fix the scale.

use super::super::ratings::NATS_PER_ELO;
use super::fitted::Fitted;
use super::joint_test::JointTest;
use super::likelihood::dot;

/// The shift from ratings with mean 0 to the given ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchorShift {
    /// The mean of given minus fitted ratings, in Elo.
    pub elo: f64,
    /// Whether the differences between the given ratings agree with the results. `None` with one
    /// anchor and below 8 groups.
    pub test: Option<JointTest>,
}

/// The anchors of one component.
pub(super) struct Anchors<'a> {
    /// All players of the component.
    pub members: &'a [usize],
    /// Each anchor and its given rating.
    pub given: Vec<(usize, f64)>,
}

impl Anchors<'_> {
    /// The players whose mean rating is known.
    pub fn reference(&self) -> Vec<usize> {
        match self.given.is_empty() {
            true => self.members.to_vec(),
            false => self.given.iter().map(|(player, _)| *player).collect(),
        }
    }

    /// The mean rating of the reference in Elo.
    pub fn level(&self) -> f64 {
        let given: f64 = self.given.iter().map(|(_, elo)| elo).sum();
        given / self.given.len().max(1) as f64
    }

    pub fn shift(&self, fitted: &Fitted) -> Option<AnchorShift> {
        let (first, others) = self.given.split_first()?;
        let of_mean = |player| fitted.relative(player, self.members);
        let contrasts = self.given.iter().map(|(player, _)| of_mean(*player));
        let rated = contrasts.map(|contrast| dot(&contrast, &fitted.best.point.at));
        let mean = rated.sum::<f64>() / self.given.len() as f64 / NATS_PER_ELO;
        let differences: Vec<Vec<f64>> =
            others.iter().map(|other| fitted.relative(other.0, &[first.0])).collect();
        let missing: Vec<f64> = (others.iter().zip(&differences))
            .map(|(other, contrast)| {
                (other.1 - first.1) * NATS_PER_ELO - dot(contrast, &fitted.best.point.at)
            })
            .collect();
        let is_tested = !missing.is_empty() && fitted.has_intervals();
        let test = is_tested.then(|| fitted.wald_test(&differences, &missing)).flatten();
        Some(AnchorShift { elo: self.level() - mean, test })
    }
}
