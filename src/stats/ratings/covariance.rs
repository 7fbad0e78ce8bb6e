//! The uncertainty of ratings that were estimated together.

use std::f64::consts::LN_10;

use super::matrix::Matrix;

/// One Elo in nats.
pub(super) const NATS_PER_ELO: f64 = LN_10 / 400.0;

/// A covariance matrix of ratings, the worth of the first move and the draw
/// parameter. Ratings are relative to the mean of their group.
#[derive(Clone, Debug, PartialEq)]
pub struct Covariance {
    /// Of the parameters while one of the ratings stands still.
    pub(super) matrix: Matrix,
    pub(super) players: usize,
    pub(super) first_mover: Option<usize>,
    pub(super) draw: Option<usize>,
}

impl Covariance {
    /// The standard error of a player's rating in Elo; `None` for a player
    /// outside the fit.
    pub fn rating_se(&self, player: usize) -> Option<f64> {
        (player < self.players).then_some(())?;
        let share = -1.0 / self.players as f64;
        let mut less_mean: Vec<(usize, f64)> = (0..self.players).map(|i| (i, share)).collect();
        less_mean[player].1 += 1.0;
        Some(self.se(&less_mean) / NATS_PER_ELO)
    }

    /// The standard error in Elo of the difference between two ratings; `None`
    /// for a player outside the fit.
    pub fn difference_se(&self, a: usize, b: usize) -> Option<f64> {
        let known = a < self.players && b < self.players;
        known.then(|| match a == b {
            true => 0.0,
            false => self.se(&[(a, 1.0), (b, -1.0)]) / NATS_PER_ELO,
        })
    }

    /// The standard error of the worth of the first move in Elo; `None` if it
    /// was not fitted.
    pub fn first_mover_se(&self) -> Option<f64> {
        self.first_mover.map(|i| self.se(&[(i, 1.0)]) / NATS_PER_ELO)
    }

    /// The standard error of the draw parameter in nats; `None` if none was
    /// fitted.
    pub fn draw_se(&self) -> Option<f64> {
        self.draw.map(|i| self.se(&[(i, 1.0)]))
    }

    /// The standard error in nats of a combination of parameters, never below
    /// the rounding of the sum that it comes from.
    fn se(&self, combination: &[(usize, f64)]) -> f64 {
        let (mut variance, mut size) = (0.0, 0.0);
        for &(i, x) in combination {
            for &(j, y) in combination {
                let term = x * y * self.matrix.at(i, j);
                variance += term;
                size += term.abs();
            }
        }
        variance.max(f64::EPSILON * size).sqrt()
    }
}
