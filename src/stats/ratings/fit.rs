//! Maximum-likelihood ratings with standard errors that respect the pairs.
//!
//! The model's own covariance is the inverse `I⁻¹` of the information; the *robust* one is the sandwich
//! `I⁻¹ M I⁻¹` with `M` the sum over clusters of the outer product of their
//! scores (P. Huber 1967, H. White 1982), a cluster being an opening pair or a
//! lone game. Half-point Bradley-Terry treats draws as what they are not, so only
//! its robust errors mean anything.

use std::borrow::Borrow;
use std::fmt;

use super::super::confidence::Confidence;
use super::super::pairs::Evidence;
use super::Pairing;
use super::clusters::{Cluster, clusters, virtual_draws};
use super::covariance::{Covariance, NATS_PER_ELO};
use super::graph;
use super::model::Model;
use super::newton::Problem;
use super::profile::{MOST_PLAYERS, Profile};

/// What to fit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitOptions {
    /// The model of a game.
    pub model: Model,
    /// Whether to fit a worth of the first move, common to all players.
    pub first_mover: bool,
    /// Drawn games to assume in every played pairing, half in each order; 0 for
    /// none. A prior: with it, ratings are finite wherever games connect.
    pub virtual_draws: f64,
}

/// Why there are no ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFit {
    /// There is no game between two of the players.
    NoGames,
    /// Some players never took half a point off the rest, or never lost one, or
    /// did not meet them.
    NotConnected,
    /// The games cannot tell the worth of the first move from strength.
    FirstMover,
    /// The likelihood grows without end, or a setting is out of range.
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
    /// The worth of the first move in Elo, if it was fitted.
    pub first_mover: Option<f64>,
    /// The draw parameter in nats, if the model has one and there was a draw:
    /// `ln ν` for Davidson, `d` for Rao-Kupper.
    pub draw: Option<f64>,
    /// The log-likelihood in nats, virtual draws included.
    pub ln_likelihood: f64,
    /// The covariance if the model were true and games independent.
    pub model: Covariance,
    /// The covariance from the spread of the clusters themselves.
    pub robust: Covariance,
    /// The least uncertainty that so many games can leave, see [`Fit::rating_se`].
    pub(super) floor: Covariance,
    /// What the results say of any other ratings than these: for half-point Bradley-Terry
    /// without a prior, and not too many players.
    pub(super) profile: Option<Profile>,
}

impl Fit {
    /// The standard error of a player's rating in Elo, robust but never below
    /// what as many games leave in doubt when all end alike; `None` for a player
    /// outside the fit. The floor takes from Wilson's interval the width that it
    /// has at zero variance. It matters for a handful of games only, or where
    /// nearly all pairs are level.
    pub fn rating_se(&self, player: usize) -> Option<f64> {
        let floor = self.floor.rating_se(player)?;
        Some(self.robust.rating_se(player)?.max(floor))
    }

    /// The standard error in Elo of the difference between two ratings, as
    /// [`Fit::rating_se`].
    pub fn difference_se(&self, a: usize, b: usize) -> Option<f64> {
        let floor = self.floor.difference_se(a, b)?;
        Some(self.robust.difference_se(a, b)?.max(floor))
    }

    /// The standard error of the worth of the first move in Elo, as
    /// [`Fit::rating_se`]; the worth over it is the robust Wald test.
    pub fn first_mover_se(&self) -> Option<f64> {
        let floor = self.floor.first_mover_se()?;
        Some(self.robust.first_mover_se()?.max(floor))
    }

    /// The interval of a player's rating in Elo; `None` for a player outside the fit.
    ///
    /// For half-point Bradley-Terry without a prior and up to 40 players it is that of the
    /// robust score test, which is [`crate::stats::Counts::interval`] for the pairs of two
    /// players and holds at lopsided scores. Otherwise it is the estimate ± `z`
    /// [`Fit::rating_se`].
    pub fn rating_interval(&self, player: usize, confidence: Confidence) -> Option<[f64; 2]> {
        let se = self.rating_se(player)?;
        let mut contrast = vec![-1.0 / self.ratings.len() as f64; self.ratings.len()];
        contrast[player] += 1.0;
        Some(self.interval(&contrast, self.ratings[player], se, confidence))
    }

    /// The interval of the difference between two ratings in Elo, as
    /// [`Fit::rating_interval`]; `None` for a player outside the fit or compared with itself.
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

    /// The interval of the worth of the first move in Elo, as [`Fit::rating_interval`];
    /// `None` if it was not fitted.
    pub fn first_mover_interval(&self, confidence: Confidence) -> Option<[f64; 2]> {
        let (worth, se) = (self.first_mover?, self.first_mover_se()?);
        let mut contrast = vec![0.0; self.ratings.len()];
        contrast.push(1.0);
        Some(self.interval(&contrast, worth, se, confidence))
    }

    /// How many standard errors the results lie above what two equal players should make:
    /// by the score test, or else by the difference over its standard error. `None` for a
    /// player outside the fit or compared with itself.
    pub(super) fn difference_z(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.ratings.get(a)? - self.ratings.get(b)?;
        let se = self.difference_se(a, b).filter(|&se| se > 0.0)?;
        let profile = self.profile.as_ref();
        let scored = profile.and_then(|profile| profile.z(&self.difference(a, b), 0.0));
        Some(scored.unwrap_or(difference / se))
    }

    /// The parameters' weights in a difference between two ratings.
    fn difference(&self, a: usize, b: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.ratings.len() + usize::from(self.first_mover.is_some())];
        (contrast[a], contrast[b]) = (1.0, -1.0);
        contrast
    }

    /// The interval of a combination of parameters, given its estimate.
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

/// Fits ratings of the players `0..players` to their games. Pairings with other
/// players, and of a player with itself, are left out.
pub fn fit<E: Borrow<Evidence>>(
    players: usize,
    pairings: &[Pairing<E>],
    options: FitOptions,
) -> Result<Fit, NoFit> {
    let pairings: Vec<Pairing<&Evidence>> = (pairings.iter())
        .filter(|p| p.a != p.b && p.a < players && p.b < players)
        .map(|p| Pairing { a: p.a, b: p.b, evidence: p.evidence() })
        .collect();
    let real: Vec<Cluster> = clusters(&pairings).collect();
    if real.is_empty() {
        return Err(NoFit::NoGames);
    }
    if !(0.0..=1e6).contains(&options.virtual_draws) {
        return Err(NoFit::NoFiniteEstimate);
    }
    let prior = virtual_draws(&pairings, options.virtual_draws);
    if prior.is_empty() {
        if graph::strong_components(players, &pairings).len() > 1 {
            return Err(NoFit::NotConnected);
        }
        if options.first_mover && !graph::first_mover_is_identified(players, &pairings) {
            return Err(NoFit::FirstMover);
        }
    } else if graph::weak_components(players, &pairings).len() > 1 {
        return Err(NoFit::NotConnected);
    }
    let mut fit = Problem::new(players, options, &real, &prior).solve()?;
    let bradley_terry = options.model == Model::BradleyTerry && prior.is_empty();
    if bradley_terry && players <= MOST_PLAYERS {
        let best = fit.ratings.iter().chain(&fit.first_mover).map(|elo| elo * NATS_PER_ELO);
        fit.profile = Some(Profile::new(players, best.collect(), &pairings));
    }
    Ok(fit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, PairTable, elo};

    fn pairs(a: usize, b: usize, table: [[u64; 3]; 3]) -> Pairing {
        let pairs = PairTable(table);
        Pairing { a, b, evidence: Evidence { pairs, ..Evidence::default() } }
    }

    fn lone(a: usize, b: usize, lone_first: [u64; 3], lone_second: [u64; 3]) -> Pairing {
        let evidence = Evidence {
            lone_first: Counts(lone_first),
            lone_second: Counts(lone_second),
            ..Evidence::default()
        };
        Pairing { a, b, evidence }
    }

    fn with(model: Model, first_mover: bool) -> FitOptions {
        FitOptions { model, first_mover, virtual_draws: 0.0 }
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
        near(fit.difference_se(0, 1).unwrap(), strength.elo_standard_error().unwrap());
        near(fit.rating_se(0).unwrap(), fit.difference_se(0, 1).unwrap() / 2.0);
        assert_eq!(fit.rating_se(2), None);
    }

    #[test]
    fn davidson_for_two_players_in_closed_form() {
        let fit = fit(2, &[lone(0, 1, [20, 45, 35], [0; 3])], with(Model::Davidson, false));
        let fit = fit.unwrap();
        near(fit.ratings[0] - fit.ratings[1], 400.0 * (35f64 / 20.0).log10());
        near(fit.draw.unwrap(), (45.0 / (35f64 * 20.0).sqrt()).ln());
        near(fit.ln_likelihood, [20.0, 45.0, 35.0].map(|n: f64| n * (n / 100.0).ln()).iter().sum());
    }

    #[test]
    fn rao_kupper_for_two_players_in_closed_form() {
        let fit = fit(2, &[lone(0, 1, [20, 45, 35], [0; 3])], with(Model::RaoKupper, false));
        let fit = fit.unwrap();
        let (win, loss) = (elo::from_score(0.35).unwrap(), elo::from_score(0.2).unwrap());
        near(fit.ratings[0] - fit.ratings[1], (win - loss) / 2.0);
        near(fit.draw.unwrap() / NATS_PER_ELO, -(win + loss) / 2.0);
        near(fit.ln_likelihood, [20.0, 45.0, 35.0].map(|n: f64| n * (n / 100.0).ln()).iter().sum());
    }

    #[test]
    fn without_draws_all_models_agree() {
        let games = [
            lone(0, 1, [3, 0, 7], [4, 0, 6]),
            lone(1, 2, [5, 0, 5], [2, 0, 8]),
            lone(2, 0, [9, 0, 1], [3, 0, 4]),
        ];
        let reference = fit(3, &games, with(Model::BradleyTerry, true)).unwrap();
        for model in [Model::Davidson, Model::RaoKupper] {
            let other = fit(3, &games, with(model, true)).unwrap();
            assert_eq!(other.draw, None);
            near(other.first_mover.unwrap(), reference.first_mover.unwrap());
            for (a, b) in other.ratings.iter().zip(&reference.ratings) {
                near(*a, *b);
            }
        }
    }

    #[test]
    fn expected_points_are_the_points_made() {
        let games = [
            pairs(0, 1, [[1, 2, 3], [0, 4, 1], [2, 2, 5]]),
            pairs(2, 1, [[0, 1, 0], [3, 1, 1], [6, 0, 2]]),
            lone(0, 2, [3, 1, 4], [1, 5, 9]),
        ];
        let fit = fit(3, &games, with(Model::BradleyTerry, true)).unwrap();
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
        let fit = fit(2, &[drawn], with(Model::BradleyTerry, true)).unwrap();
        assert_eq!(fit.robust.difference_se(0, 1), Some(0.0));
        // Half the width of the interval of ten level pairs, ±97 Elo, over z.
        let se = fit.difference_se(0, 1).unwrap();
        assert!((30.0..90.0).contains(&se), "{se}");
        assert!(fit.first_mover_se().unwrap() > 10.0);
    }

    #[test]
    fn what_has_no_answer_says_why() {
        let no =
            |players, pairings: &[Pairing], options| fit(players, pairings, options).unwrap_err();
        let plain = FitOptions::default();
        assert_eq!(no(2, &[], plain), NoFit::NoGames);
        assert_eq!(no(2, &[pairs(0, 0, [[1; 3]; 3])], plain), NoFit::NoGames);
        assert_eq!(no(2, &[lone(0, 1, [0, 0, 9], [0; 3])], plain), NoFit::NotConnected);
        assert_eq!(no(3, &[lone(0, 1, [1, 1, 9], [0; 3])], plain), NoFit::NotConnected);
        let one_sided = [lone(0, 1, [1, 1, 9], [0; 3])];
        assert_eq!(no(2, &one_sided, with(Model::BradleyTerry, true)), NoFit::FirstMover);
        let bad = FitOptions { virtual_draws: f64::NAN, ..plain };
        assert_eq!(no(2, &one_sided, bad), NoFit::NoFiniteEstimate);
        // Connected by a draw, but no finite Davidson rating.
        let drawn = [lone(0, 1, [0, 5, 5], [0; 3])];
        assert_eq!(no(2, &drawn, with(Model::Davidson, false)), NoFit::NoFiniteEstimate);
        assert_eq!(no(2, &drawn, with(Model::RaoKupper, false)), NoFit::NoFiniteEstimate);
        assert!(fit(2, &drawn, plain).is_ok());
    }

    #[test]
    fn the_largest_counts_are_finite() {
        for model in [Model::BradleyTerry, Model::Davidson, Model::RaoKupper] {
            let games = [pairs(0, 1, [[1 << 60; 3]; 3]), lone(1, 2, [1, 1 << 33, 1], [1, 1, 1])];
            let fit = fit(3, &games, with(model, true)).unwrap();
            assert!(fit.ratings.iter().all(|r| r.is_finite()));
            assert!((0..3).all(|i| fit.rating_se(i).unwrap().is_finite()));
        }
    }
}
