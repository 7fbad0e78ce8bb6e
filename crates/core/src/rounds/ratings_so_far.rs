//! Ratings after the rounds so far, for the choice of the next games and the size of the bets on
//! them. They prove nothing.

use crate::stats::betting_e_value::LARGEST_BET;

/// Bradley-Terry estimates of all players, with one drawn pair of games of each player against a
/// player of strength 0, so that every player has an estimate.
pub(crate) struct RatingsSoFar {
    /// The strength of each player in nats.
    pub(crate) strengths: Vec<f64>,
    /// The number of games of each player, and two of the drawn pair.
    games: Vec<f64>,
}

impl RatingsSoFar {
    /// Ratings from two players, their opening pairs, and the points in pairs of the first of them.
    pub(crate) fn new(players: usize, played: &[(usize, usize, f64, f64)]) -> Self {
        let mut strength = vec![1.0_f64; players];
        // Hunter (2004): each step increases the likelihood.
        for _ in 0..200 {
            let mut won = vec![0.5; players];
            let mut expected: Vec<f64> = strength.iter().map(|s| 1.0 / (s + 1.0)).collect();
            for &(a, b, n, points) in played {
                let share = n / (strength[a] + strength[b]);
                won[a] += points;
                won[b] += n - points;
                expected[a] += share;
                expected[b] += share;
            }
            for (strength, (won, expected)) in strength.iter_mut().zip(won.iter().zip(expected)) {
                *strength = won / expected;
            }
        }
        let mut games = vec![2.0; players];
        for &(a, b, n, _) in played {
            games[a] += 2.0 * n;
            games[b] += 2.0 * n;
        }
        RatingsSoFar { strengths: strength.iter().map(|strength| strength.ln()).collect(), games }
    }

    /// The share of the capital, in [0, 0.9], to bet on `leader` in its next opening pairs against
    /// `other`: the expected result over its expected square, so that the capital grows fastest if
    /// the ratings are right. The error of the ratings counts as variance.
    pub(crate) fn bet(&self, leader: usize, other: usize) -> f64 {
        let result = ((self.strengths[leader] - self.strengths[other]) / 2.0).tanh();
        let error = 1.0 / self.games[leader] + 1.0 / self.games[other];
        let variance = (1.0 - result * result) * (0.5 + error);
        (result / (result * result + variance)).clamp(0.0, LARGEST_BET)
    }
}
