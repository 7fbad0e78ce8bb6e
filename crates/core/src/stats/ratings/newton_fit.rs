//! Maximum-likelihood ratings by Newton's method.

use std::borrow::Borrow;
use std::ops::Deref;

use super::super::pair_results::Evidence;
use super::PairingScore;
use super::bradley_terry_model::{MOST_PLAYERS, PairModel, terms};
use super::fit_with_errors::{Fit, FitOptions, NoFit};
use super::opening_clusters::{Cluster, clusters};
use super::profile_score_test::Profile;
use super::rating_covariance::{Covariance, NATS_PER_ELO};
use super::results_graph;
use super::symmetric_matrix::Matrix;
use crate::util::collect_with_less_code::{AddAll, Each, Gather};
use crate::util::sort_with_less_code;

/// The likelihood of all ratings and the first-move advantage, given the games.
pub(super) struct Problem<'a> {
    players: usize,
    first_mover: Option<usize>,
    size: usize,
    real: &'a [Cluster],
}

/// A point of the likelihood with its gradient and information.
struct Point {
    ln: f64,
    gradient: Vec<f64>,
    information: Matrix,
}

/// The few parameters of a game, with their weights.
struct Direction([(usize, f64); 3], usize);

impl Deref for Direction {
    type Target = [(usize, f64)];

    fn deref(&self) -> &Self::Target {
        &self.0[..self.1]
    }
}

/// Fits ratings of the players `0..players` to their games. Ignores pairings with other players
/// and of a player with itself.
pub fn fit<E: Borrow<Evidence>>(
    players: usize,
    pairings: &[PairingScore<E>],
    options: FitOptions,
) -> Result<Fit, NoFit> {
    fit_borrowed(players, PairingScore::borrowed(pairings), options)
}

fn fit_borrowed(
    players: usize,
    mut pairings: Vec<PairingScore<&Evidence>>,
    options: FitOptions,
) -> Result<Fit, NoFit> {
    pairings.retain(|p| p.a != p.b && p.a < players && p.b < players);
    let real = clusters(&pairings);
    if real.is_empty() {
        return Err(NoFit::NoGames);
    }
    if results_graph::strong_components(players, &pairings).len() > 1 {
        return Err(NoFit::NotConnected);
    }
    if options.first_mover && !results_graph::first_mover_is_identified(players, &pairings) {
        return Err(NoFit::FirstMover);
    }
    let mut fit = Problem::new(players, options, &real).solve()?;
    if players <= MOST_PLAYERS {
        let best = fit.ratings.iter().chain(&fit.first_mover).map(|elo| elo * NATS_PER_ELO);
        fit.profile = Some(Profile::new(players, best.gather(), &pairings));
    }
    Ok(fit)
}

impl<'a> Problem<'a> {
    fn new(players: usize, options: FitOptions, real: &'a [Cluster]) -> Self {
        let first_mover = options.first_mover.then_some(players);
        Self { players, first_mover, size: players + usize::from(options.first_mover), real }
    }

    /// The maximum, or the reason why there is none.
    fn solve(&self) -> Result<Fit, NoFit> {
        let mut at = vec![0.0; self.size];
        let mut point = self.evaluate(&at);
        // Without a finite maximum, Newton's step stays near 1 nat forever.
        for _ in 0..100 {
            let step = self.step(&point)?;
            let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            let mut share = 1.0;
            let next = loop {
                let moved: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + share * s).gather();
                let next = self.evaluate(&moved);
                // Rounding errors may hide the last improvements.
                if next.ln >= point.ln - 1e-13 * point.ln.abs() {
                    break Some((moved, next));
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
                return self.build_fit(&at, &point);
            }
        }
        Err(NoFit::NoFiniteEstimate)
    }

    /// The derivatives of `x` in the parameters for a game between two players.
    fn direction(&self, first: usize, second: usize) -> Direction {
        match self.first_mover {
            Some(i) => Direction([(first, 1.0), (second, -1.0), (i, 1.0)], 3),
            None => Direction([(first, 1.0), (second, -1.0), (first, 0.0)], 2),
        }
    }

    fn terms(&self, at: &[f64], v: &[(usize, f64)], result: usize) -> PairModel {
        terms(v.iter().map(|&(i, w)| w * at[i]).sum(), result)
    }

    fn evaluate(&self, at: &[f64]) -> Point {
        let mut point =
            Point { ln: 0.0, gradient: vec![0.0; self.size], information: Matrix::zero(self.size) };
        for cluster in self.real {
            for game in cluster.games() {
                let v = self.direction(game.first, game.second);
                let t = self.terms(at, &v, game.result);
                point.ln += cluster.count * t.ln;
                for &(i, w) in v.iter() {
                    point.gradient[i] += cluster.count * t.dx * w;
                }
                point.information.add_outer(&v, -cluster.count * t.dxx);
            }
        }
        point
    }

    /// The player whose rating is fixed: ratings are determined only up to a constant. The choice
    /// of the player with the most information loses the fewest digits.
    fn reference_player(&self, information: &Matrix) -> usize {
        (1..self.players).fold(0, |best, i| {
            if information.at(i, i) > information.at(best, best) { i } else { best }
        })
    }

    /// The inverse of the information with one rating fixed.
    fn invert(&self, information: &Matrix) -> Result<Matrix, NoFit> {
        let known = self.reference_player(information);
        information.inverse_without(known).ok_or(NoFit::NoFiniteEstimate)
    }

    fn step(&self, Point { gradient, information, .. }: &Point) -> Result<Vec<f64>, NoFit> {
        if self.players <= MOST_PLAYERS {
            return Ok(self.invert(information)?.times(gradient));
        }
        let step = information.solve_without(self.reference_player(information), gradient);
        step.ok_or(NoFit::NoFiniteEstimate)
    }

    fn build_fit(&self, at: &[f64], point: &Point) -> Result<Fit, NoFit> {
        let inverse = self.invert(&point.information)?;
        let covariance = |matrix| Covariance::new(matrix, self.players, self.first_mover);
        let mean = at[..self.players].iter().sum::<f64>() / self.players as f64;
        let ratings: Vec<f64> =
            at[..self.players].iter().map(|r| (r - mean) / NATS_PER_ELO).gather();
        if ratings.iter().any(|r| !r.is_finite()) || !point.ln.is_finite() {
            return Err(NoFit::NoFiniteEstimate);
        }
        Ok(Fit {
            ratings,
            first_mover: self.first_mover.map(|i| at[i] / NATS_PER_ELO),
            robust: covariance(inverse.sandwich(&self.meat(at))),
            floor: covariance(inverse.sandwich(&self.floor())),
            model: covariance(inverse),
            profile: None,
        })
    }

    /// The sum of the outer products of the clusters' scores.
    fn meat(&self, at: &[f64]) -> Matrix {
        let mut meat = Matrix::zero(self.size);
        let mut score: Vec<(usize, f64)> = Vec::new();
        for cluster in self.real {
            score.clear();
            for game in cluster.games() {
                let v = self.direction(game.first, game.second);
                let t = self.terms(at, &v, game.result);
                score.add_all(v.iter().map(|&(i, w)| (i, w * t.dx)));
            }
            meat.add_outer(&score, cluster.count);
        }
        meat
    }

    /// The minimum of [`Problem::meat`]: four clusters in every pairing, whose games each differ
    /// from the expected score by one half. Pairs differ in favour of a player and also in favour
    /// of the first mover.
    fn floor(&self) -> Matrix {
        let key =
            |c: &Cluster| c.games().next().map(|g| (g.first as u32, g.second as u32, c.len()));
        let mut kinds: Vec<(u32, u32, usize)> = self.real.iter().filter_map(key).gather();
        sort_with_less_code::by(&mut kinds, Ord::cmp);
        kinds.dedup();
        let mut floor = Matrix::zero(self.size);
        for (first, second, games) in kinds {
            let [first, second] = [first, second].each(|player| player as usize);
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
