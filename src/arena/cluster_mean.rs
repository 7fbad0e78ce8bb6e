//! The mean score of each opening: games from the same opening are not independent.

use crate::stats::Clusters;

/// Scores of games by round. Each round of games counts once, with its mean.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClusterMean {
    closed: Clusters,
    games: u32,
    score: f64,
}

impl ClusterMean {
    /// Adds a game to the current round; `score` is in `[0, 1]`.
    pub fn count(&mut self, score: f64) {
        self.games += 1;
        self.score += score;
    }

    /// Ends the round. A round without games does not count.
    pub fn close(&mut self) {
        if self.games > 0 {
            self.closed.add(self.score / f64::from(self.games), u64::from(self.games));
            (self.games, self.score) = (0, 0.0);
        }
    }

    /// All rounds so far, including the current one.
    pub fn all(&self) -> Clusters {
        let mut votes = *self;
        votes.close();
        votes.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_has_one_vote_and_none_without_games() {
        let mut votes = ClusterMean::default();
        votes.close();
        votes.count(1.0);
        votes.count(0.0);
        assert_eq!((votes.all().n, votes.all().sum), (1, 0.5));
        votes.close();
        votes.close();
        votes.count(1.0);
        assert_eq!((votes.all().n, votes.all().sum), (2, 1.5));
    }
}
