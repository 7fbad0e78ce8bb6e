//! Maximum-likelihood ratings with standard errors that take account of pairs.
//!
//! The model's own covariance is the inverse `I⁻¹` of the information. The *robust* covariance is
//! the sandwich `I⁻¹ M I⁻¹`, where `M` is the sum over clusters of the outer product of their
//! scores (P. Huber 1967, H. White 1982). A cluster is an opening pair or a single game. If several
//! pairings play the same openings, intervals are as wide as those of clusters by opening, or wider.
//! Half-point Bradley-Terry is not a correct model of draws, so only its robust errors are valid.

use std::fmt;

use super::super::asymptotic_sequence;
use super::super::extended_wilson_interval::error_factor;
use super::profile_score_test::Profile;
use super::rating_covariance::{Covariance, NATS_PER_ELO};
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::special_functions::normal_cdf;
use crate::stats::numerics::students_t;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitOptions {
    /// Whether to fit a first-move advantage, common to all players.
    pub first_mover: bool,
}

/// How the number of games was determined, which decides the valid intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    /// It was fixed in advance.
    #[default]
    Fixed,
    /// The games may have been stopped or continued because of their results.
    AnyTime,
}

/// The asymptotic confidence sequence is narrowest at about this number of openings.
const NARROWEST: f64 = 100.0;

impl Length {
    /// The half width of an interval in standard errors of independent samples, if the variance of
    /// openings is `design_effect` times that of independent samples.
    pub(super) fn reach(self, openings: f64, design_effect: f64, confidence: Confidence) -> f64 {
        if openings < 2.0 {
            return f64::INFINITY;
        }
        let t = students_t::quantile(confidence, openings - 1.0);
        match self {
            Self::Fixed => confidence.z().max(t * design_effect.sqrt()),
            Self::AnyTime => {
                let errors = asymptotic_sequence::errors(openings, confidence.alpha(), NARROWEST);
                errors * t / confidence.z() * design_effect.max(1.0).sqrt()
            }
        }
    }
}

/// What the openings that several pairings share add to the variance.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpeningCovariance {
    pub by_opening: Covariance,
    pub by_result: Covariance,
    pub openings: u64,
}

/// The reason why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFit {
    /// There is no game between two of the players.
    NoGames,
    /// Some players never scored half a point against the rest, or never lost half a point to
    /// them, or did not meet them.
    NotConnected,
    /// The games do not separate the first-move advantage from strength.
    FirstMover,
    /// The likelihood has no maximum at finite ratings.
    NoFiniteEstimate,
}

impl fmt::Display for NoFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoGames => "no game was played",
            Self::NotConnected => "the results do not connect the players",
            Self::FirstMover => "the games do not tell the first move from strength",
            Self::NoFiniteEstimate => "no finite rating explains the results best",
        })
    }
}

impl std::error::Error for NoFit {}

/// Ratings that were estimated together.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The rating of each player in Elo; their mean is 0.
    pub ratings: Vec<f64>,
    /// The first-move advantage in Elo, if it was fitted.
    pub first_mover: Option<f64>,
    /// The covariance under the model with independent games.
    pub model: Covariance,
    /// The covariance from the observed variance of the clusters.
    pub robust: Covariance,
    /// The smallest possible uncertainty with this number of games, see [`Fit::rating_se`].
    pub(super) floor: Covariance,
    /// The profile likelihood of other ratings, if there are not too many players.
    pub(super) profile: Option<Profile>,
    /// The covariance by opening, if the pairings share openings.
    pub(super) openings: Option<OpeningCovariance>,
    /// The number of opening pairs and single games.
    pub(super) samples: f64,
    /// How the number of games was determined.
    pub(super) length: Length,
}

impl Fit {
    /// The robust standard error of a player's rating in Elo. It has a minimum: the uncertainty
    /// after the same number of games if all have the same result. The minimum is the width of
    /// Wilson's interval at zero variance. It matters only for a few games, or if nearly all pairs
    /// are even. `None` for a player outside the fit.
    pub fn rating_se(&self, player: usize) -> Option<f64> {
        let floor = self.floor.rating_se(player)?;
        Some(self.robust.rating_se(player)?.max(floor))
    }

    /// The standard error in Elo of the difference between two ratings, with the same minimum as
    /// [`Fit::rating_se`].
    pub fn difference_se(&self, a: usize, b: usize) -> Option<f64> {
        let floor = self.floor.difference_se(a, b)?;
        Some(self.robust.difference_se(a, b)?.max(floor))
    }

    /// The standard error of the first-move advantage in Elo, as [`Fit::rating_se`]. The advantage
    /// divided by it is the statistic of the robust Wald test.
    pub fn first_mover_se(&self) -> Option<f64> {
        let floor = self.floor.first_mover_se()?;
        Some(self.robust.first_mover_se()?.max(floor))
    }

    /// The confidence interval of a player's rating in Elo. `None` for a player outside the fit.
    ///
    /// For up to 40 players it is the interval of the robust score test. For the pairs of two
    /// players this is [`crate::stats::Counts::interval`], and it is valid at lopsided scores. For
    /// more players it is the estimate ± `z` [`Fit::rating_se`].
    pub fn rating_interval(&self, player: usize, confidence: Confidence) -> Option<[f64; 2]> {
        let se = self.rating_se(player)?;
        let mut contrast = vec![-1.0 / self.ratings.len() as f64; self.ratings.len()];
        contrast[player] += 1.0;
        let effect = self.design_effect(|covariance| covariance.rating_se(player));
        Some(self.interval(&contrast, self.ratings[player], se, self.reaches(effect, confidence)))
    }

    /// The variance by opening divided by the variance of independent pairs, for the standard error
    /// that `se` reads.
    fn design_effect(&self, se: impl Fn(&Covariance) -> Option<f64>) -> Option<f64> {
        let openings = self.openings.as_ref()?;
        let effect = se(&openings.by_opening)? / se(&openings.by_result)?;
        Some(effect * effect).filter(|effect| effect.is_finite())
    }

    /// The half widths of an interval with this design effect in standard errors: of the score test,
    /// whose errors are larger for few samples, and of the estimate.
    fn reaches(&self, effect: Option<f64>, confidence: Confidence) -> [f64; 2] {
        let openings = self.openings.as_ref().map(|it| it.openings as f64);
        let reach = |effect: f64| match (openings, self.length) {
            (None, Length::Fixed) => confidence.z(),
            _ => self.length.reach(openings.unwrap_or(self.samples), effect, confidence),
        };
        let effect = effect.unwrap_or(1.0);
        [reach(effect / error_factor(self.samples).powi(2)), reach(effect)]
    }

    /// The confidence interval of the difference between two ratings in Elo, as
    /// [`Fit::rating_interval`]. `None` for a player outside the fit and for a player compared
    /// with itself.
    pub fn difference_interval(
        &self,
        a: usize,
        b: usize,
        confidence: Confidence,
    ) -> Option<[f64; 2]> {
        let difference = self.ratings.get(a)? - self.ratings.get(b)?;
        let se = self.difference_se(a, b).filter(|_| a != b)?;
        let effect = self.design_effect(|covariance| covariance.difference_se(a, b));
        let reaches = self.reaches(effect, confidence);
        Some(self.interval(&self.difference_contrast(a, b), difference, se, reaches))
    }

    /// The likelihood of superiority of `a` over `b`: one minus the one-sided p-value of a length
    /// fixed in advance. The two-sided p-value is below `1 - level` exactly if
    /// [`Fit::difference_interval`] excludes 0. It is from the score test if possible, otherwise from
    /// the difference and its standard error. `None` for a player outside the fit and for a player
    /// compared with itself.
    pub(super) fn superiority(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.ratings.get(a)? - self.ratings.get(b)?;
        let se = self.difference_se(a, b).filter(|&se| se > 0.0)?;
        let profile = self.profile.as_ref();
        let scored = profile.and_then(|profile| profile.z(&self.difference_contrast(a, b), 0.0));
        let z = scored.unwrap_or(difference / se);
        let mut below = normal_cdf(-z.abs());
        if let Some(OpeningCovariance { openings, .. }) = self.openings {
            let effect = self.design_effect(|covariance| covariance.difference_se(a, b));
            let factor = if scored.is_some() { error_factor(self.samples) } else { 1.0 };
            below = match (openings, effect.unwrap_or(1.0)) {
                (..2, _) => 0.5,
                // All openings agree: they add nothing to the error of the results.
                (_, 0.0) => below,
                (n, effect) => {
                    let t = z * factor / effect.sqrt();
                    below.max(students_t::two_sided(t, (n - 1) as f64) / 2.0)
                }
            };
        }
        Some(if z > 0.0 { 1.0 - below } else { below })
    }

    /// The weights of the parameters in a difference between two ratings.
    fn difference_contrast(&self, a: usize, b: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.ratings.len() + usize::from(self.first_mover.is_some())];
        (contrast[a], contrast[b]) = (1.0, -1.0);
        contrast
    }

    /// The confidence interval of a linear combination of parameters, given its estimate and its half
    /// widths in standard errors.
    fn interval(
        &self,
        contrast: &[f64],
        estimate: f64,
        se: f64,
        [scored, plain]: [f64; 2],
    ) -> [f64; 2] {
        if !plain.is_finite() {
            return [f64::NEG_INFINITY, f64::INFINITY];
        }
        let mut contrast = contrast.to_vec();
        contrast.resize(self.ratings.len() + usize::from(self.first_mover.is_some()), 0.0);
        let profile = self.profile.as_ref();
        let ends = profile.map_or([None; 2], |p| p.interval(&contrast, scored));
        let half = plain * se;
        let [lo, hi] = ends.map(|end| end.map(|nats| nats / NATS_PER_ELO));
        [lo.unwrap_or(estimate - half).min(estimate), hi.unwrap_or(estimate + half).max(estimate)]
    }
}
