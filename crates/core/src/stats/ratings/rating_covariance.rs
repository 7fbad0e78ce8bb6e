//! The covariance of ratings that were estimated together.

use std::f64::consts::LN_10;

use super::bradley_terry_model::MOST_PLAYERS;
use crate::stats::numerics::symmetric_matrix::Matrix;

pub(crate) const NATS_PER_ELO: f64 = LN_10 / 400.0;

/// A covariance matrix of ratings and the first-move advantage. Ratings are relative to the mean
/// of their group.
#[derive(Clone, Debug, PartialEq)]
pub struct Covariance {
    /// The covariance of the parameters with one rating fixed.
    pub(super) matrix: Matrix,
    pub(super) players: usize,
    pub(super) first_mover: Option<usize>,
    /// For a large field: the sum of each player's row, and the sum of its absolute values.
    sums: Vec<[f64; 2]>,
}

impl Covariance {
    pub(super) fn new(matrix: Matrix, players: usize, first_mover: Option<usize>) -> Self {
        let row = |player: usize| &matrix.cells[player * matrix.n..][..players];
        let sums = |player| [row(player).iter().sum(), row(player).iter().map(|x| x.abs()).sum()];
        let large = if players > MOST_PLAYERS { players } else { 0 };
        let sums = (0..large).map(sums).collect();
        Covariance { matrix, players, first_mover, sums }
    }

    /// The standard error of a player's rating in Elo. `None` for a player outside the fit.
    pub fn rating_se(&self, player: usize) -> Option<f64> {
        (player < self.players).then_some(())?;
        let share = -1.0 / self.players as f64;
        if let Some(of_player) = self.sums.get(player) {
            // The same result from sums over rows. In a large field, a loop over all pairs of
            // players for each player takes too long.
            let term = |of: fn(f64) -> f64, which: usize| {
                let all: f64 = self.sums.iter().map(|sums| sums[which]).sum();
                of(self.matrix.at(player, player))
                    + 2.0 * of(share) * of_player[which]
                    + share * share * all
            };
            let (variance, size) = (term(|x| x, 0), term(f64::abs, 1));
            return Some(variance.max(f64::EPSILON * size).sqrt() / NATS_PER_ELO);
        }
        let mut less_mean: Vec<(usize, f64)> = (0..self.players).map(|i| (i, share)).collect();
        less_mean[player].1 += 1.0;
        Some(self.se(&less_mean) / NATS_PER_ELO)
    }

    /// The standard error in Elo of the difference between two ratings. `None` for a player
    /// outside the fit.
    pub fn difference_se(&self, a: usize, b: usize) -> Option<f64> {
        let known = a < self.players && b < self.players;
        known.then(|| match a == b {
            true => 0.0,
            false => self.se(&[(a, 1.0), (b, -1.0)]) / NATS_PER_ELO,
        })
    }

    /// The standard error of the first-move advantage in Elo. `None` if it was not fitted.
    pub fn first_mover_se(&self) -> Option<f64> {
        self.first_mover.map(|i| self.se(&[(i, 1.0)]) / NATS_PER_ELO)
    }

    /// The standard error in nats of a linear combination of parameters. It is at least the
    /// rounding error of its sum.
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

#[cfg(test)]
mod tests {
    use super::super::{FitOptions, PairingScore, fit};
    use super::*;
    use crate::stats::{Evidence, PairTable};

    #[test]
    fn errors_in_a_large_field_are_those_of_the_whole_matrix() {
        let players = MOST_PLAYERS + 20;
        let meets = |a| (a + 1..players).map(move |b| (a, b));
        let games: Vec<PairingScore> = (0..players)
            .flat_map(meets)
            .map(|(a, b)| {
                let mut pairs = PairTable::default();
                pairs.0[(a * 7 + b) % 3][(a + b * 5) % 3] += 1 + (a * b % 4) as u64;
                PairingScore { a, b, evidence: Evidence { pairs, ..Evidence::default() } }
            })
            .collect();
        let options = FitOptions { first_mover: true };
        let fit = fit(players, &games, options).expect("ratings");
        for covariance in [&fit.robust, &fit.floor, &fit.model] {
            assert_eq!(covariance.sums.len(), players);
            for player in [0, 17, players - 1] {
                let share = -1.0 / players as f64;
                let mut less_mean: Vec<_> = (0..players).map(|i| (i, share)).collect();
                less_mean[player].1 += 1.0;
                let want = covariance.se(&less_mean) / NATS_PER_ELO;
                let got = covariance.rating_se(player).expect("a player");
                assert!((got / want - 1.0).abs() < 1e-9, "{got} {want}");
            }
        }
        // At the maximum likelihood, every player has exactly the expected points.
        let worth = fit.first_mover.expect("both moved first");
        for player in 0..players {
            let mut missing = 0.0;
            for PairingScore { a, b, evidence } in
                games.iter().filter(|p| [p.a, p.b].contains(&player))
            {
                let elo = fit.ratings[*a] - fit.ratings[*b];
                let made = evidence.games().mean().expect("games");
                let expected =
                    [worth, -worth].map(|worth| crate::stats::elo::to_score(elo + worth));
                missing += evidence.pairs.n() as f64
                    * (made - expected.iter().sum::<f64>() / 2.0)
                    * if *a == player { 1.0 } else { -1.0 };
            }
            assert!(missing.abs() < 1e-8, "{player} {missing}");
        }
    }
}
