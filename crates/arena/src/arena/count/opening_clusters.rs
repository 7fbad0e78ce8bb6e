//! Scores by opening, because games from the same opening are not independent.

use crate::config::Pairing;
use crate::rows::games_csv_rows::GameRow;
use crate::stats::Clusters;
use crate::stats::ratings::{OpeningResult, ResultsByOpening};

/// Which games are a round: one sample of the seats.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SeatSamples {
    /// The games of all pairings from one opening, in the order of a schedule.
    #[default]
    OfSchedule,
    /// Consecutive games from one opening.
    OfOpenings,
    /// Each game alone: no opening is known.
    OfGames,
}

/// Scores of all agents by opening. Each opening counts once.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpeningClusters {
    /// The first player's score, from the games of all pairings in a round.
    first_player: ClusterMean,
    /// The same without self-play and fixed seats: the games that show a first-move advantage in Elo.
    between_agents: ClusterMean,
    agents: Vec<AgentClusters>,
    /// The pairing of the latest game of the round.
    last_pairing: u32,
    /// The opening of the latest game.
    last_opening: u64,
}

#[derive(Debug, Clone, Default)]
struct AgentClusters {
    /// The first mover's score in the agent's games against others who change sides with it.
    openings: ClusterMean,
    /// The agent's own score against others, moving first and moving second.
    seats: [ClusterMean; 2],
}

impl OpeningClusters {
    /// Ends the round if this game begins another one, or if each game is `alone` in its round.
    /// Within a round of a schedule, the pairing numbers increase, and a unit begins with an odd game.
    pub fn begin_game(&mut self, row: &GameRow, alone: bool, rounds: SeatSamples) {
        let last = self.last_pairing;
        let begins = match rounds {
            SeatSamples::OfSchedule => {
                row.pairing < last || (row.pairing == last && row.game % 2 == 1)
            }
            SeatSamples::OfOpenings => row.opening != self.last_opening,
            SeatSamples::OfGames => true,
        };
        self.last_opening = row.opening;
        if alone || begins {
            self.first_player.close();
            self.between_agents.close();
            for agent in &mut self.agents {
                agent.openings.close();
                agent.seats.iter_mut().for_each(ClusterMean::close);
            }
        }
        self.last_pairing = row.pairing;
        let agents = row.first.max(row.second) + 1;
        if self.agents.len() < agents {
            self.agents.resize(agents, AgentClusters::default());
        }
    }

    /// Adds the first player's score, from 0 to 1.
    pub fn record(&mut self, row: &GameRow, pairing: Pairing, score: f64) {
        self.first_player.count(score);
        if pairing.has_pairs() {
            self.between_agents.count(score);
            self.agents[row.first].openings.count(score);
            self.agents[row.second].openings.count(score);
        }
        if !pairing.is_self() {
            self.agents[row.first].seats[0].count(score);
            self.agents[row.second].seats[1].count(1.0 - score);
        }
    }

    pub fn first_player(&self) -> Clusters {
        self.first_player.all()
    }

    pub fn between_agents(&self) -> Clusters {
        self.between_agents.all()
    }

    pub fn of(&self, agent: usize) -> Clusters {
        self.agents.get(agent).map_or(Clusters::default(), |agent| agent.openings.all())
    }

    pub fn seats_of(&self, agent: usize) -> [Clusters; 2] {
        let seats = self.agents.get(agent).map(|agent| agent.seats.map(|seat| seat.all()));
        seats.unwrap_or_default()
    }
}

/// The results between agents by opening, for their ratings.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpeningResults {
    pub results: ResultsByOpening,
    /// For each pairing, the current opening and how often all openings were played before.
    places: Vec<(u64, u64)>,
    /// Results from the only opening, after the first of each pairing.
    repeated: u64,
}

/// The bits of the number of an opening: the schedule has fewer openings.
const OPENING_BITS: u32 = 40;

impl OpeningResults {
    /// Begins the next unit of a pairing. Each pairing plays the openings in their order. Agents that
    /// joined later begin with the first one again. An opening that the same pairing plays again is
    /// another sample. If there is only one opening, its games are independent.
    pub fn begin(&mut self, row: &GameRow) {
        let place = row.pairing as usize - 1;
        if self.places.len() <= place {
            self.places.resize(place + 1, (0, 0));
        }
        let (last, times) = &mut self.places[place];
        if row.opening == *last {
            self.repeated += 1;
            *times = (1 << 23) + self.repeated;
        } else {
            *times += u64::from(row.opening < *last);
        }
        *last = row.opening;
    }

    /// Adds the result of the current unit of a pairing (from 1).
    pub fn add(&mut self, pairing: u32, agents: [usize; 2], result: OpeningResult) {
        let place = pairing as usize - 1;
        let (opening, times) = self.places[place];
        let number = opening & ((1 << OPENING_BITS) - 1);
        self.results.add(place, agents, (times << OPENING_BITS) | number, result);
    }
}

/// Scores of games by round. Each round of games counts once, with its mean.
#[derive(Debug, Clone, Copy, Default)]
struct ClusterMean {
    closed: Clusters,
    games: u32,
    score: f64,
}

impl ClusterMean {
    /// Adds a game to the current round; `score` is in `[0, 1]`.
    fn count(&mut self, score: f64) {
        self.games += 1;
        self.score += score;
    }

    /// Ends the round. A round without games does not count.
    fn close(&mut self) {
        if self.games > 0 {
            self.closed.add(self.score / f64::from(self.games), u64::from(self.games));
            (self.games, self.score) = (0, 0.0);
        }
    }

    /// All rounds so far, including the current one.
    fn all(&self) -> Clusters {
        let mut mean = *self;
        mean.close();
        mean.closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_counts_once_and_not_without_games() {
        let mut mean = ClusterMean::default();
        mean.close();
        mean.count(1.0);
        mean.count(0.0);
        assert_eq!((mean.all().n, mean.all().sum), (1, 0.5));
        mean.close();
        mean.close();
        mean.count(1.0);
        assert_eq!((mean.all().n, mean.all().sum), (2, 1.5));
    }
}
