//! A vote per opening: games that share one stand together or fall together.

use crate::stats::Clusters;

/// Scores of games as they come in, each round of games one vote with its mean.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClusterMean {
    closed: Clusters,
    games: u32,
    score: f64,
}

impl ClusterMean {
    /// A game of the current round; `score` is in `[0, 1]`.
    pub fn count(&mut self, score: f64) {
        self.games += 1;
        self.score += score;
    }

    /// The round is over; one without games has no vote.
    pub fn close(&mut self) {
        if self.games > 0 {
            self.closed.add(self.score / f64::from(self.games), u64::from(self.games));
            (self.games, self.score) = (0, 0.0);
        }
    }

    /// The rounds so far, the current one included.
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
