//! Ratings after the rounds so far, for the choice of the next games and the size of the bets on
//! them. They prove nothing.

use crate::stats::betting_e_value::LARGEST_BET;
use crate::stats::elo;
use crate::stats::ratings::NATS_PER_ELO;

/// What results before the first round say about a player.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EarlierRating {
    /// The rating, relative to a player of whom nothing is known.
    pub elo: f64,
    /// The number of games. More than `MOST_EARLIER_GAMES` count as this number.
    pub games: f64,
}

/// The maximum weight of earlier results, because they may be from other conditions.
pub const MOST_EARLIER_GAMES: f64 = 100.0;

impl EarlierRating {
    /// The ratings of all players from their games: two players, the number of games, and the points
    /// of the first of them.
    pub fn of_games(players: usize, games: &[(usize, usize, f64, f64)]) -> Vec<Self> {
        let pairs: Vec<_> =
            games.iter().map(|&(a, b, n, won)| (a, b, n / 2.0, won / 2.0)).collect();
        let found = RatingsSoFar::new(&vec![Self::default(); players], &pairs);
        let of = |(strength, games): (f64, &f64)| Self {
            elo: strength / NATS_PER_ELO,
            games: games - 2.0,
        };
        found.strengths.iter().copied().zip(&found.games).map(of).collect()
    }

    /// The games, in pairs, against a player of strength 0 that stand for the earlier results, and the
    /// points of this player: one drawn pair if there are none.
    fn pairs(self) -> (f64, f64) {
        let pairs = 1.0 + self.games.min(MOST_EARLIER_GAMES) / 2.0;
        (pairs, pairs * elo::to_score(self.elo))
    }
}

/// Bradley-Terry estimates of all players, with a pair of games or more of each player against a
/// player of strength 0, so that every player has an estimate.
pub(crate) struct RatingsSoFar {
    /// The strength of each player in nats.
    pub(crate) strengths: Vec<f64>,
    /// The number of games of each player, with those against the player of strength 0.
    games: Vec<f64>,
}

impl RatingsSoFar {
    /// Ratings from what was known of each player before, and the results: two players, their opening
    /// pairs, and the points in pairs of the first of them.
    pub(crate) fn new(earlier: &[EarlierRating], played: &[(usize, usize, f64, f64)]) -> Self {
        let earlier: Vec<(f64, f64)> = earlier.iter().map(|earlier| earlier.pairs()).collect();
        let mut strength: Vec<f64> =
            earlier.iter().map(|(pairs, won)| won / (pairs - won)).collect();
        // Hunter (2004): each step increases the likelihood.
        for _ in 0..200 {
            let mut won: Vec<f64> = earlier.iter().map(|(_, won)| *won).collect();
            let mut expected: Vec<f64> =
                strength.iter().zip(&earlier).map(|(s, (pairs, _))| pairs / (s + 1.0)).collect();
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
        let mut games: Vec<f64> = earlier.iter().map(|(pairs, _)| 2.0 * pairs).collect();
        for &(a, b, n, _) in played {
            games[a] += 2.0 * n;
            games[b] += 2.0 * n;
        }
        RatingsSoFar { strengths: strength.iter().map(|strength| strength.ln()).collect(), games }
    }

    /// How fast the capital of [`bet`](Self::bet) is expected to grow with each opening pair of two
    /// players. The error of the ratings counts, because the difference may be larger.
    pub(crate) fn growth(&self, one: usize, other: usize) -> f64 {
        let result = ((self.strengths[one] - self.strengths[other]) / 2.0).tanh();
        let error = 1.0 / self.games[one] + 1.0 / self.games[other];
        (result * result + error) / (1.0 + error)
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
