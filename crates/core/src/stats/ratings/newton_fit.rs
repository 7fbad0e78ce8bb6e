//! Maximum-likelihood ratings by Newton's method.

use std::borrow::Borrow;

use super::super::evidence::Evidence;
use super::PairingScore;
use super::bradley_terry_model::{Likelihood, MOST_PLAYERS, Point, Seat, logistic};
use super::fit_with_errors::{Fit, FitOptions, Length, NoFit, OpeningCovariance};
use super::opening_clusters::{Cluster, RatedGame, clusters};
use super::profile_score_test::Profile;
use super::rating_covariance::{Covariance, NATS_PER_ELO};
use super::results_by_opening::OpeningScores;
use super::results_graph;
use crate::stats::numerics::symmetric_matrix::Matrix;

/// The likelihood of all ratings and the first-move advantage, and the games in clusters.
pub(super) struct Problem<'a> {
    model: Likelihood,
    real: &'a [Cluster],
}

/// Fits ratings of the players `0..players` to their games. Ignores pairings with other players
/// and of a player with itself.
pub fn fit<E: Borrow<Evidence>>(
    players: usize,
    pairings: &[PairingScore<E>],
    options: FitOptions,
) -> Result<Fit, NoFit> {
    let mut pairings = PairingScore::borrowed(pairings);
    pairings.retain(|p| p.a < players && p.b < players);
    fit_all(players, &pairings, options, &|_| None)
}

/// The scores by opening of the players in a model.
pub(super) type ScoresOf<'a> = &'a dyn Fn(&Likelihood) -> Option<OpeningScores>;

/// As [`fit`], for pairings of these players only and with their results by opening.
pub(super) fn fit_all(
    players: usize,
    pairings: &[PairingScore<&Evidence>],
    options: FitOptions,
    by_opening: ScoresOf<'_>,
) -> Result<Fit, NoFit> {
    let real = clusters(pairings);
    if real.is_empty() {
        return Err(NoFit::NoGames);
    }
    if results_graph::strong_components(players, pairings).len() > 1 {
        return Err(NoFit::NotConnected);
    }
    if options.first_mover && !results_graph::first_mover_is_identified(players, pairings) {
        return Err(NoFit::FirstMover);
    }
    let mut fit = Problem::new(players, options, &real).solve(by_opening)?;
    if players <= MOST_PLAYERS {
        let best = fit.ratings.iter().chain(&fit.first_mover).map(|elo| elo * NATS_PER_ELO);
        fit.profile = Some(Profile::new(players, best.collect(), pairings));
    }
    Ok(fit)
}

impl<'a> Problem<'a> {
    fn new(players: usize, options: FitOptions, real: &'a [Cluster]) -> Self {
        let seat = |game: RatedGame, count: f64| {
            let RatedGame { first, second, result } = game;
            let points = count * result as f64 / 2.0;
            Seat { first: first as u32, second: second as u32, games: count, points }
        };
        let seats = real.iter().flat_map(|c| c.games().map(move |game| seat(game, c.count)));
        Self { model: Likelihood::new(players, options.first_mover, seats.collect()), real }
    }

    /// The maximum, or the reason why there is none.
    fn solve(self, by_opening: ScoresOf<'_>) -> Result<Fit, NoFit> {
        let mut point = self.model.point(vec![0.0; self.model.size()]);
        // Without a finite maximum, Newton's step stays near 1 nat forever.
        for _ in 0..100 {
            let step = self.step(&point)?;
            let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            let mut share = 1.0;
            let next = loop {
                let moved = point.at.iter().zip(&step).map(|(a, s)| a + share * s).collect();
                let next = self.model.point(moved);
                // Rounding errors may hide the last improvements.
                if next.ln >= point.ln - 1e-13 * point.ln.abs() {
                    break Some(next);
                }
                share *= 0.5;
                if share < 1e-10 {
                    break None;
                }
            };
            point = next.ok_or(NoFit::NoFiniteEstimate)?;
            if longest * share < 1e-11 {
                return self.build_fit(point, by_opening);
            }
        }
        Err(NoFit::NoFiniteEstimate)
    }

    /// The inverse of the information with one rating fixed.
    fn invert(&self, information: &Matrix) -> Result<Matrix, NoFit> {
        let known = self.model.reference_player(information);
        information.inverse_without(known).ok_or(NoFit::NoFiniteEstimate)
    }

    fn step(&self, Point { gradient, information, .. }: &Point) -> Result<Vec<f64>, NoFit> {
        if self.model.players <= MOST_PLAYERS {
            return Ok(self.invert(information)?.times(gradient));
        }
        let step = information.solve_without(self.model.reference_player(information), gradient);
        step.ok_or(NoFit::NoFiniteEstimate)
    }

    fn build_fit(mut self, point: Point, by_opening: ScoresOf<'_>) -> Result<Fit, NoFit> {
        let Point { at, ln, information, .. } = point;
        // A large field has matrices and lists of many megabytes.
        self.model.forget_games();
        let inverse = self.invert(&information)?;
        drop(information);
        let players = self.model.players;
        let first_mover = self.model.first_mover.then_some(players);
        let covariance = |matrix| Covariance::new(matrix, players, first_mover);
        let mean = at[..players].iter().sum::<f64>() / players as f64;
        let ratings: Vec<f64> = at[..players].iter().map(|r| (r - mean) / NATS_PER_ELO).collect();
        if ratings.iter().any(|r| !r.is_finite()) || !ln.is_finite() {
            return Err(NoFit::NoFiniteEstimate);
        }
        let openings = by_opening(&self.model).map(|scores| OpeningCovariance {
            by_opening: covariance(inverse.sandwich(scores.by_opening)),
            by_result: covariance(inverse.sandwich(scores.by_result)),
            openings: scores.openings,
        });
        Ok(Fit {
            ratings,
            first_mover: first_mover.map(|i| at[i] / NATS_PER_ELO),
            robust: covariance(inverse.sandwich(self.meat(&at))),
            floor: covariance(inverse.sandwich(self.floor())),
            model: covariance(inverse),
            profile: None,
            openings,
            samples: self.real.iter().map(|cluster| cluster.count).sum(),
            length: Length::default(),
        })
    }

    /// The sum of the outer products of the clusters' scores.
    fn meat(&self, at: &[f64]) -> Matrix {
        let mut meat = Matrix::zero(self.model.size());
        let mut score: Vec<(usize, f64)> = Vec::new();
        for cluster in self.real {
            score.clear();
            for game in cluster.games() {
                let RatedGame { first, second, result } = game;
                let residual = result as f64 / 2.0 - logistic(self.model.x(at, first, second));
                score.extend(self.model.slopes(first, second).map(|(i, w)| (i, w * residual)));
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
        let mut kinds: Vec<(u32, u32, usize)> = self.real.iter().filter_map(key).collect();
        kinds.sort();
        kinds.dedup();
        let mut floor = Matrix::zero(self.model.size());
        for (first, second, games) in kinds {
            let [first, second] = [first, second].map(|player| player as usize);
            if games == 1 {
                floor.add_outer(&self.model.slopes(first, second), 1.0);
            } else {
                floor.add_outer(&[(first, 1.0), (second, -1.0)], 4.0);
                if self.model.first_mover {
                    floor.add(self.model.players, self.model.players, 4.0);
                }
            }
        }
        floor
    }
}
