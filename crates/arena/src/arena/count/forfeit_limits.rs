//! Counts the consecutive games that each agent loses by faults. Too many of them end a run.

use crate::games::Player;
use crate::rows::games_csv_rows::GameRow;

/// The limits on consecutive forfeits, by agent.
#[derive(Debug, Clone, Default)]
pub(crate) struct ForfeitLimits(Vec<ForfeitLimit>);

#[derive(Debug, Clone, Copy)]
struct ForfeitLimit {
    /// The number that ends the run; 0: no limit.
    max: u64,
    consecutive: u64,
}

impl ForfeitLimits {
    pub fn new(limits: Vec<u64>) -> Self {
        let limit = |max| ForfeitLimit { max, consecutive: 0 };
        ForfeitLimits(limits.into_iter().map(limit).collect())
    }

    /// Counts a game; returns an agent that has reached its limit. `loser` lost by a fault.
    pub fn record(&mut self, row: &GameRow, loser: Option<Player>) -> Option<usize> {
        let mut reached = None;
        for (agent, player) in [(row.first, Player::First), (row.second, Player::Second)] {
            let Some(limit) = self.0.get_mut(agent) else { continue };
            if loser == Some(player) {
                limit.consecutive += 1;
                if limit.consecutive == limit.max {
                    reached = reached.or(Some(agent));
                }
            } else if row.first != row.second || loser.is_none() {
                limit.consecutive = 0;
            }
        }
        reached
    }
}
