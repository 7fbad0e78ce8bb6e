//! Maximum-likelihood ratings with standard errors that respect the pairs.
//!
//! The likelihood is climbed by Newton's method. The model's own covariance is
//! the inverse `I⁻¹` of the information; the *robust* one is the sandwich
//! `I⁻¹ M I⁻¹` with `M` the sum over clusters of the outer product of their
//! scores (P. Huber 1967, H. White 1982), a cluster being an opening pair or a
//! lone game. Half-point Bradley-Terry treats draws as what they are not, so only
//! its robust errors mean anything.

use std::fmt;

use super::Pairing;
use super::clusters::{Cluster, clusters, virtual_draws};
use super::covariance::{Covariance, NATS_PER_ELO};
use super::graph;
use super::matrix::Matrix;
use super::model::{Model, Terms};

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
    floor: Covariance,
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
}

/// Fits ratings of the players `0..players` to their games. Pairings with other
/// players, and of a player with itself, are left out.
pub fn fit(players: usize, pairings: &[Pairing], options: FitOptions) -> Result<Fit, NoFit> {
    let pairings: Vec<Pairing> = pairings
        .iter()
        .filter(|p| p.a != p.b && p.a < players && p.b < players)
        .copied()
        .collect();
    let real = clusters(&pairings);
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
    Problem::new(players, options, &real, &prior).solve()
}

struct Problem<'a> {
    players: usize,
    model: Model,
    first_mover: Option<usize>,
    draw: Option<usize>,
    size: usize,
    draw_start: f64,
    real: &'a [Cluster],
    prior: &'a [Cluster],
}

/// A point on the likelihood with its gradient and information.
struct Point {
    ln: f64,
    gradient: Vec<f64>,
    information: Matrix,
}

impl<'a> Problem<'a> {
    fn new(players: usize, options: FitOptions, real: &'a [Cluster], prior: &'a [Cluster]) -> Self {
        let drawn = |c: &Cluster| c.games.iter().any(|g| g.result == 1);
        let any_draws = real.iter().chain(prior).any(drawn);
        let mut size = players;
        let mut place = |wanted: bool| {
            wanted.then(|| {
                size += 1;
                size - 1
            })
        };
        let first_mover = place(options.first_mover);
        let draw = place(any_draws && options.model != Model::BradleyTerry);
        Self {
            players,
            model: options.model,
            first_mover,
            draw,
            size,
            draw_start: options.model.draw_start(any_draws),
            real,
            prior,
        }
    }

    fn solve(&self) -> Result<Fit, NoFit> {
        let mut at = vec![0.0; self.size];
        if let Some(i) = self.draw {
            at[i] = self.draw_start;
        }
        let mut point = self.look(&at);
        // Newton's step is near 1 nat for ever where there is no finite maximum.
        for _ in 0..100 {
            let inverse = self.invert(&point.information)?;
            let step = inverse.times(&point.gradient);
            let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            let mut share = 1.0;
            let next = loop {
                let moved: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + share * s).collect();
                if self.allows(&moved) {
                    let next = self.look(&moved);
                    // Rounding may hide the last gains.
                    if next.ln >= point.ln - 1e-13 * point.ln.abs() {
                        break Some((moved, next));
                    }
                }
                share *= 0.5;
                if share < 1e-10 {
                    break None;
                }
            };
            let Some((moved, next)) = next else {
                return Err(NoFit::NoFiniteEstimate);
            };
            (at, point) = (moved, next);
            if longest * share < 1e-11 {
                return self.report(&at, &point);
            }
        }
        Err(NoFit::NoFiniteEstimate)
    }

    /// Whether the draw parameter is within its range.
    fn allows(&self, at: &[f64]) -> bool {
        let draw = self.draw.map(|i| at[i]);
        self.model != Model::RaoKupper || draw.is_none_or(|d| d > 0.0)
    }

    /// The derivatives of `x` in the parameters for a game between two players.
    fn direction(&self, first: usize, second: usize) -> Vec<(usize, f64)> {
        let mut v = vec![(first, 1.0), (second, -1.0)];
        v.extend(self.first_mover.map(|i| (i, 1.0)));
        v
    }

    fn terms(&self, at: &[f64], v: &[(usize, f64)], result: usize) -> Terms {
        let x = v.iter().map(|&(i, w)| w * at[i]).sum();
        let e = self.draw.map_or(self.draw_start, |i| at[i]);
        self.model.terms(x, e, result)
    }

    fn look(&self, at: &[f64]) -> Point {
        let mut point = Point {
            ln: 0.0,
            gradient: vec![0.0; self.size],
            information: Matrix::zero(self.size),
        };
        for cluster in self.real.iter().chain(self.prior) {
            for game in &cluster.games {
                let v = self.direction(game.first, game.second);
                let t = self.terms(at, &v, game.result);
                point.ln += cluster.count * t.ln;
                for &(i, w) in &v {
                    point.gradient[i] += cluster.count * t.dx * w;
                }
                point.information.add_outer(&v, -cluster.count * t.dxx);
                if let Some(e) = self.draw {
                    point.gradient[e] += cluster.count * t.de;
                    point.information.add(e, e, -cluster.count * t.dee);
                    for &(i, w) in &v {
                        point.information.add(i, e, -cluster.count * t.dxe * w);
                        point.information.add(e, i, -cluster.count * t.dxe * w);
                    }
                }
            }
        }
        point
    }

    /// The inverse of the information among ratings whose sum does not move.
    fn invert(&self, information: &Matrix) -> Result<Matrix, NoFit> {
        // Ratings matter up to a constant. Filling that direction in, and taking
        // it out again afterwards, gives the inverse on all others.
        let n = self.players;
        let fill = (0..n).map(|i| information.at(i, i)).sum::<f64>() / (n * n) as f64;
        let mut filled = information.clone();
        let mut inverse = {
            for i in 0..n {
                for j in 0..n {
                    filled.add(i, j, fill);
                }
            }
            filled.inverse().ok_or(NoFit::NoFiniteEstimate)?
        };
        let back = 1.0 / (fill * (n * n) as f64);
        for i in 0..n {
            for j in 0..n {
                inverse.add(i, j, -back);
            }
        }
        Ok(inverse)
    }

    fn report(&self, at: &[f64], point: &Point) -> Result<Fit, NoFit> {
        let inverse = self.invert(&point.information)?;
        let covariance = |matrix| Covariance {
            matrix,
            players: self.players,
            first_mover: self.first_mover,
            draw: self.draw,
        };
        let mean = at[..self.players].iter().sum::<f64>() / self.players as f64;
        let ratings: Vec<f64> = at[..self.players]
            .iter()
            .map(|r| (r - mean) / NATS_PER_ELO)
            .collect();
        if ratings.iter().any(|r| !r.is_finite()) || !point.ln.is_finite() {
            return Err(NoFit::NoFiniteEstimate);
        }
        Ok(Fit {
            ratings,
            first_mover: self.first_mover.map(|i| at[i] / NATS_PER_ELO),
            draw: self.draw.map(|i| at[i]),
            ln_likelihood: point.ln,
            robust: covariance(inverse.sandwich(&self.meat(at))),
            floor: covariance(inverse.sandwich(&self.floor())),
            model: covariance(inverse),
        })
    }

    /// The sum of the clusters' squared scores.
    fn meat(&self, at: &[f64]) -> Matrix {
        let mut meat = Matrix::zero(self.size);
        for cluster in self.real {
            let mut score: Vec<(usize, f64)> = Vec::new();
            for game in &cluster.games {
                let v = self.direction(game.first, game.second);
                let t = self.terms(at, &v, game.result);
                score.extend(v.iter().map(|&(i, w)| (i, w * t.dx)));
                score.extend(self.draw.map(|e| (e, t.de)));
            }
            meat.add_outer(&score, cluster.count);
        }
        meat
    }

    /// The least that [`Problem::meat`] may be: in every pairing four clusters
    /// whose games each miss the expected score by one half, the pairs in favour
    /// of a player as well as of the first mover.
    fn floor(&self) -> Matrix {
        let key = |c: &Cluster| (c.games[0].first, c.games[0].second, c.games.len());
        let mut kinds: Vec<_> = self.real.iter().map(key).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut floor = Matrix::zero(self.size);
        for (first, second, games) in kinds {
            if games == 1 {
                floor.add_outer(&self.direction(first, second), 1.0);
            } else {
                floor.add_outer(&[(first, 1.0), (second, -1.0)], 4.0);
                if let Some(i) = self.first_mover {
                    floor.add(i, i, 4.0);
                }
            }
        }
        floor
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, Evidence, PairTable, elo};

    fn pairs(a: usize, b: usize, table: [[u64; 3]; 3]) -> Pairing {
        let pairs = PairTable(table);
        Pairing {
            a,
            b,
            evidence: Evidence {
                pairs,
                ..Evidence::default()
            },
        }
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
        FitOptions {
            model,
            first_mover,
            virtual_draws: 0.0,
        }
    }

    fn near(got: f64, want: f64) {
        assert!(
            (got - want).abs() < 1e-8 * (1.0 + want.abs()),
            "{got} for {want}"
        );
    }

    #[test]
    fn two_players_get_the_elo_and_the_error_of_their_pairs() {
        let pairing = pairs(0, 1, [[5, 9, 20], [8, 40, 30], [25, 33, 31]]);
        let fit = fit(2, &[pairing], FitOptions::default()).unwrap();
        let strength = pairing.evidence.pairs.strength();
        near(fit.ratings[0] - fit.ratings[1], strength.elo().unwrap());
        near(
            fit.difference_se(0, 1).unwrap(),
            strength.elo_standard_error().unwrap(),
        );
        near(
            fit.rating_se(0).unwrap(),
            fit.difference_se(0, 1).unwrap() / 2.0,
        );
        assert_eq!(fit.rating_se(2), None);
    }

    #[test]
    fn davidson_for_two_players_in_closed_form() {
        let fit = fit(
            2,
            &[lone(0, 1, [20, 45, 35], [0; 3])],
            with(Model::Davidson, false),
        );
        let fit = fit.unwrap();
        near(
            fit.ratings[0] - fit.ratings[1],
            400.0 * (35f64 / 20.0).log10(),
        );
        near(fit.draw.unwrap(), (45.0 / (35f64 * 20.0).sqrt()).ln());
        near(
            fit.ln_likelihood,
            [20.0, 45.0, 35.0]
                .map(|n: f64| n * (n / 100.0).ln())
                .iter()
                .sum(),
        );
    }

    #[test]
    fn rao_kupper_for_two_players_in_closed_form() {
        let fit = fit(
            2,
            &[lone(0, 1, [20, 45, 35], [0; 3])],
            with(Model::RaoKupper, false),
        );
        let fit = fit.unwrap();
        let (win, loss) = (
            elo::from_score(0.35).unwrap(),
            elo::from_score(0.2).unwrap(),
        );
        near(fit.ratings[0] - fit.ratings[1], (win - loss) / 2.0);
        near(fit.draw.unwrap() / NATS_PER_ELO, -(win + loss) / 2.0);
        near(
            fit.ln_likelihood,
            [20.0, 45.0, 35.0]
                .map(|n: f64| n * (n / 100.0).ln())
                .iter()
                .sum(),
        );
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
            for (games, adv) in [
                (p.evidence.moving_first(), adv),
                (p.evidence.moving_second(), -adv),
            ] {
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
        assert_eq!(
            no(2, &[lone(0, 1, [0, 0, 9], [0; 3])], plain),
            NoFit::NotConnected
        );
        assert_eq!(
            no(3, &[lone(0, 1, [1, 1, 9], [0; 3])], plain),
            NoFit::NotConnected
        );
        let one_sided = [lone(0, 1, [1, 1, 9], [0; 3])];
        assert_eq!(
            no(2, &one_sided, with(Model::BradleyTerry, true)),
            NoFit::FirstMover
        );
        let bad = FitOptions {
            virtual_draws: f64::NAN,
            ..plain
        };
        assert_eq!(no(2, &one_sided, bad), NoFit::NoFiniteEstimate);
        // Connected by a draw, but no finite Davidson rating.
        let drawn = [lone(0, 1, [0, 5, 5], [0; 3])];
        assert_eq!(
            no(2, &drawn, with(Model::Davidson, false)),
            NoFit::NoFiniteEstimate
        );
        assert_eq!(
            no(2, &drawn, with(Model::RaoKupper, false)),
            NoFit::NoFiniteEstimate
        );
        assert!(fit(2, &drawn, plain).is_ok());
    }

    #[test]
    fn the_largest_counts_are_finite() {
        for model in [Model::BradleyTerry, Model::Davidson, Model::RaoKupper] {
            let games = [
                pairs(0, 1, [[1 << 60; 3]; 3]),
                lone(1, 2, [1, 1 << 33, 1], [1, 1, 1]),
            ];
            let fit = fit(3, &games, with(model, true)).unwrap();
            assert!(fit.ratings.iter().all(|r| r.is_finite()));
            assert!((0..3).all(|i| fit.rating_se(i).unwrap().is_finite()));
        }
    }
}
