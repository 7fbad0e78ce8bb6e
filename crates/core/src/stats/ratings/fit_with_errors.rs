//! Maximum-likelihood ratings with standard errors that take account of pairs.
//!
//! The model's own covariance is the inverse `I⁻¹` of the information. The *robust* covariance is
//! the sandwich `I⁻¹ M I⁻¹`, where `M` is the sum over clusters of the outer product of their
//! scores (P. Huber 1967, H. White 1982). A cluster is an opening pair or a single game.
//! Half-point Bradley-Terry is not a correct model of draws, so only its robust errors are valid.

use std::fmt;

use super::super::confidence_level::Confidence;
use super::profile_score_test::Profile;
use super::rating_covariance::{Covariance, NATS_PER_ELO};
use crate::util::collect_with_less_code::Each;

/// The options of a fit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitOptions {
    /// Whether to fit a first-move advantage, common to all players.
    pub first_mover: bool,
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
        Some(self.interval(&contrast, self.ratings[player], se, confidence))
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
        Some(self.interval(&self.difference_contrast(a, b), difference, se, confidence))
    }

    /// The distance of the results above those expected of two equal players, in standard errors.
    /// It is from the score test if possible, otherwise from the difference and its standard
    /// error. `None` for a player outside the fit and for a player compared with itself.
    pub(super) fn difference_z(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.ratings.get(a)? - self.ratings.get(b)?;
        let se = self.difference_se(a, b).filter(|&se| se > 0.0)?;
        let profile = self.profile.as_ref();
        let scored = profile.and_then(|profile| profile.z(&self.difference_contrast(a, b), 0.0));
        Some(scored.unwrap_or(difference / se))
    }

    /// The weights of the parameters in a difference between two ratings.
    fn difference_contrast(&self, a: usize, b: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.ratings.len() + usize::from(self.first_mover.is_some())];
        (contrast[a], contrast[b]) = (1.0, -1.0);
        contrast
    }

    /// The confidence interval of a linear combination of parameters, given its estimate.
    fn interval(
        &self,
        contrast: &[f64],
        estimate: f64,
        se: f64,
        confidence: Confidence,
    ) -> [f64; 2] {
        let mut contrast = contrast.to_vec();
        contrast.resize(self.ratings.len() + usize::from(self.first_mover.is_some()), 0.0);
        let profile = self.profile.as_ref();
        let ends = profile.map_or([None; 2], |p| p.interval(&contrast, confidence.z()));
        let half = confidence.z() * se;
        let [lo, hi] = ends.each(|end| end.map(|nats| nats / NATS_PER_ELO));
        [lo.unwrap_or(estimate - half).min(estimate), hi.unwrap_or(estimate + half).max(estimate)]
    }
}
