//! The likelihood of ratings, climbed by Newton's method.

use std::ops::Deref;

use super::clusters::Cluster;
use super::covariance::{Covariance, NATS_PER_ELO};
use super::fit::{Fit, FitOptions, NoFit};
use super::matrix::Matrix;
use super::model::{Model, Terms};
use super::profile::MOST_PLAYERS;

/// The likelihood of all ratings, the worth of the first move and the draw
/// parameter, given the games.
pub(super) struct Problem<'a> {
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

/// The few parameters that a game depends on, with their weights.
struct Direction([(usize, f64); 3], usize);

impl Deref for Direction {
    type Target = [(usize, f64)];

    fn deref(&self) -> &Self::Target {
        &self.0[..self.1]
    }
}

impl<'a> Problem<'a> {
    pub fn new(
        players: usize,
        options: FitOptions,
        real: &'a [Cluster],
        prior: &'a [Cluster],
    ) -> Self {
        let drawn = |c: &Cluster| c.games().any(|g| g.result == 1);
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

    /// The maximum, or that there is none.
    pub fn solve(&self) -> Result<Fit, NoFit> {
        let mut at = vec![0.0; self.size];
        if let Some(i) = self.draw {
            at[i] = self.draw_start;
        }
        let mut point = self.look(&at);
        // Newton's step is near 1 nat for ever where there is no finite maximum.
        for _ in 0..100 {
            let step = self.step(&point)?;
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
    fn direction(&self, first: usize, second: usize) -> Direction {
        match self.first_mover {
            Some(i) => Direction([(first, 1.0), (second, -1.0), (i, 1.0)], 3),
            None => Direction([(first, 1.0), (second, -1.0), (first, 0.0)], 2),
        }
    }

    fn terms(&self, at: &[f64], v: &[(usize, f64)], result: usize) -> Terms {
        let x = v.iter().map(|&(i, w)| w * at[i]).sum();
        let e = self.draw.map_or(self.draw_start, |i| at[i]);
        self.model.terms(x, e, result)
    }

    fn look(&self, at: &[f64]) -> Point {
        let mut point =
            Point { ln: 0.0, gradient: vec![0.0; self.size], information: Matrix::zero(self.size) };
        for cluster in self.real.iter().chain(self.prior) {
            for game in cluster.games() {
                let v = self.direction(game.first, game.second);
                let t = self.terms(at, &v, game.result);
                point.ln += cluster.count * t.ln;
                for &(i, w) in v.iter() {
                    point.gradient[i] += cluster.count * t.dx * w;
                }
                point.information.add_outer(&v, -cluster.count * t.dxx);
                if let Some(e) = self.draw {
                    point.gradient[e] += cluster.count * t.de;
                    point.information.add(e, e, -cluster.count * t.dee);
                    for &(i, w) in v.iter() {
                        point.information.add(i, e, -cluster.count * t.dxe * w);
                        point.information.add(e, i, -cluster.count * t.dxe * w);
                    }
                }
            }
        }
        point
    }

    /// The player whose rating stands still: ratings matter up to a constant. With the player
    /// who is known best as the fixed point the others lose the fewest digits.
    fn known_best(&self, information: &Matrix) -> usize {
        (1..self.players).fold(0, |best, i| {
            if information.at(i, i) > information.at(best, best) { i } else { best }
        })
    }

    /// The inverse of the information, one player's rating standing still.
    fn invert(&self, information: &Matrix) -> Result<Matrix, NoFit> {
        let known = self.known_best(information);
        information.inverse_without(known).ok_or(NoFit::NoFiniteEstimate)
    }

    /// Newton's step.
    fn step(&self, Point { gradient, information, .. }: &Point) -> Result<Vec<f64>, NoFit> {
        if self.players <= MOST_PLAYERS {
            return Ok(self.invert(information)?.times(gradient));
        }
        let step = information.solve_without(self.known_best(information), gradient);
        step.ok_or(NoFit::NoFiniteEstimate)
    }

    fn report(&self, at: &[f64], point: &Point) -> Result<Fit, NoFit> {
        let inverse = self.invert(&point.information)?;
        let places = [self.first_mover, self.draw];
        let covariance = |matrix| Covariance::new(matrix, self.players, places);
        let mean = at[..self.players].iter().sum::<f64>() / self.players as f64;
        let ratings: Vec<f64> =
            at[..self.players].iter().map(|r| (r - mean) / NATS_PER_ELO).collect();
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
            profile: None,
        })
    }

    /// The sum of the clusters' squared scores.
    fn meat(&self, at: &[f64]) -> Matrix {
        let mut meat = Matrix::zero(self.size);
        let mut score: Vec<(usize, f64)> = Vec::new();
        for cluster in self.real {
            score.clear();
            for game in cluster.games() {
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
        let key =
            |c: &Cluster| c.games().next().map(|g| (g.first as u32, g.second as u32, c.len()));
        let mut kinds: Vec<(u32, u32, usize)> = self.real.iter().filter_map(key).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut floor = Matrix::zero(self.size);
        for (first, second, games) in kinds {
            let [first, second] = [first, second].map(|player| player as usize);
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
