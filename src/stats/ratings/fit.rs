//! Maximum-likelihood ratings with standard errors that take account of pairs.
//!
//! The model's own covariance is the inverse `I⁻¹` of the information. The *robust* covariance is
//! the sandwich `I⁻¹ M I⁻¹`, where `M` is the sum over clusters of the outer product of their
//! scores (P. Huber 1967, H. White 1982). A cluster is an opening pair or a single game.
//! Half-point Bradley-Terry is not a correct model of draws, so only its robust errors are valid.

use std::fmt;

use super::super::confidence::Confidence;
use super::covariance::{Covariance, NATS_PER_ELO};
use super::profile::Profile;

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
        Some(self.interval(&self.difference(a, b), difference, se, confidence))
    }

    /// The confidence interval of the first-move advantage in Elo, as [`Fit::rating_interval`].
    /// `None` if it was not fitted.
    pub fn first_mover_interval(&self, confidence: Confidence) -> Option<[f64; 2]> {
        let (worth, se) = (self.first_mover?, self.first_mover_se()?);
        let mut contrast = vec![0.0; self.ratings.len()];
        contrast.push(1.0);
        Some(self.interval(&contrast, worth, se, confidence))
    }

    /// The distance of the results above those expected of two equal players, in standard errors.
    /// It is from the score test if possible, otherwise from the difference and its standard
    /// error. `None` for a player outside the fit and for a player compared with itself.
    pub(super) fn difference_z(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.ratings.get(a)? - self.ratings.get(b)?;
        let se = self.difference_se(a, b).filter(|&se| se > 0.0)?;
        let profile = self.profile.as_ref();
        let scored = profile.and_then(|profile| profile.z(&self.difference(a, b), 0.0));
        Some(scored.unwrap_or(difference / se))
    }

    /// The weights of the parameters in a difference between two ratings.
    fn difference(&self, a: usize, b: usize) -> Vec<f64> {
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
        let [lo, hi] = ends.map(|end| end.map(|nats| nats / NATS_PER_ELO));
        [lo.unwrap_or(estimate - half).min(estimate), hi.unwrap_or(estimate + half).max(estimate)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PairingScore, elo_se, fit};
    use super::*;
    use crate::stats::{Counts, Evidence, PairTable, elo};

    fn pairs(a: usize, b: usize, table: [[u64; 3]; 3]) -> PairingScore {
        let pairs = PairTable(table);
        PairingScore { a, b, evidence: Evidence { pairs, ..Evidence::default() } }
    }

    fn lone(a: usize, b: usize, lone_first: [u64; 3], lone_second: [u64; 3]) -> PairingScore {
        let evidence = Evidence {
            lone_first: Counts(lone_first),
            lone_second: Counts(lone_second),
            ..Evidence::default()
        };
        PairingScore { a, b, evidence }
    }

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-8 * (1.0 + want.abs()), "{got} for {want}");
    }

    #[test]
    fn two_players_get_the_elo_and_the_error_of_their_pairs() {
        let pairing = pairs(0, 1, [[5, 9, 20], [8, 40, 30], [25, 33, 31]]);
        let fit = fit(2, &[pairing], FitOptions::default()).unwrap();
        let strength = pairing.evidence.pairs.strength();
        near(fit.ratings[0] - fit.ratings[1], strength.elo().unwrap());
        near(fit.difference_se(0, 1).unwrap(), elo_se(&strength));
        near(fit.rating_se(0).unwrap(), fit.difference_se(0, 1).unwrap() / 2.0);
        assert_eq!(fit.rating_se(2), None);
    }

    #[test]
    fn expected_points_are_the_points_made() {
        let games = [
            pairs(0, 1, [[1, 2, 3], [0, 4, 1], [2, 2, 5]]),
            pairs(2, 1, [[0, 1, 0], [3, 1, 1], [6, 0, 2]]),
            lone(0, 2, [3, 1, 4], [1, 5, 9]),
        ];
        let fit = fit(3, &games, FitOptions { first_mover: true }).unwrap();
        let adv = fit.first_mover.unwrap();
        let (mut made, mut expected) = ([0.0; 3], [0.0; 3]);
        for p in games {
            for (games, adv) in
                [(p.evidence.moving_first(), adv), (p.evidence.moving_second(), -adv)]
            {
                let (n, score) = (games.n() as f64, games.mean().unwrap());
                let chance = elo::to_score(fit.ratings[p.a] - fit.ratings[p.b] + adv);
                made[p.a] += n * score;
                made[p.b] += n * (1.0 - score);
                expected[p.a] += n * chance;
                expected[p.b] += n * (1.0 - chance);
            }
        }
        for (m, e) in made.iter().zip(expected) {
            near(e, *m);
        }
        near(fit.ratings.iter().sum(), 0.0);
    }

    #[test]
    fn alike_results_still_leave_doubt() {
        let drawn = pairs(0, 1, [[0, 0, 0], [0, 10, 0], [0, 0, 0]]);
        let fit = fit(2, &[drawn], FitOptions { first_mover: true }).unwrap();
        assert_eq!(fit.robust.difference_se(0, 1), Some(0.0));
        // Half the width of the interval of ten even pairs, ±97 Elo, divided by z.
        let se = fit.difference_se(0, 1).unwrap();
        assert!((30.0..90.0).contains(&se), "{se}");
        assert!(fit.first_mover_se().unwrap() > 10.0);
    }

    #[test]
    fn what_has_no_answer_says_why() {
        let no = |players, pairings: &[PairingScore], options| {
            fit(players, pairings, options).unwrap_err()
        };
        let plain = FitOptions::default();
        assert_eq!(no(2, &[], plain), NoFit::NoGames);
        assert_eq!(no(2, &[pairs(0, 0, [[1; 3]; 3])], plain), NoFit::NoGames);
        assert_eq!(no(2, &[lone(0, 1, [0, 0, 9], [0; 3])], plain), NoFit::NotConnected);
        assert_eq!(no(3, &[lone(0, 1, [1, 1, 9], [0; 3])], plain), NoFit::NotConnected);
        let one_sided = [lone(0, 1, [1, 1, 9], [0; 3])];
        assert_eq!(no(2, &one_sided, FitOptions { first_mover: true }), NoFit::FirstMover);
        let drawn = [lone(0, 1, [0, 5, 5], [0; 3])];
        assert!(fit(2, &drawn, plain).is_ok());
    }

    #[test]
    fn the_largest_counts_are_finite() {
        let games = [pairs(0, 1, [[1 << 60; 3]; 3]), lone(1, 2, [1, 1 << 33, 1], [1, 1, 1])];
        let fit = fit(3, &games, FitOptions { first_mover: true }).unwrap();
        assert!(fit.ratings.iter().all(|r| r.is_finite()));
        assert!((0..3).all(|i| fit.rating_se(i).unwrap().is_finite()));
    }
}
