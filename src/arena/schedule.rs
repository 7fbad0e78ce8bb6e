//! Which game is which: a pure function of the game's number, so that a billion games
//! cost no memory and every thread, shard or resumed run plays the same ones.
//!
//! Games come in *units*: one opening from both sides, or, for an agent against itself
//! (where swapping sides changes nothing), two openings once each. Units go round the
//! pairings, so that an interrupted run has compared everybody equally often.

use crate::config::{Experiment, Format};
use crate::world::GameSpec;

/// Two agents that meet, by index; an agent may meet itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// The agent named first.
    pub a: usize,
    /// The agent named second.
    pub b: usize,
}

impl Pairing {
    /// Whether an agent meets itself.
    pub fn is_self(self) -> bool {
        self.a == self.b
    }
}

/// Every game of an experiment, computed when asked for.
#[derive(Debug, Clone)]
pub struct Schedule {
    pairings: Vec<Pairing>,
    games: u64,
    openings: u64,
}

impl Schedule {
    /// The schedule of an experiment that has so many different openings.
    pub fn new(experiment: &Experiment, openings: u64) -> Self {
        let schedule = &experiment.schedule;
        let pairings = pairings(schedule.format, experiment.agents.len(), schedule.include_self);
        Schedule { pairings, games: schedule.games, openings }
    }

    /// Who meets whom, in order.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Whether a pairing comes back to an opening that it has played.
    pub fn repeats_openings(&self) -> bool {
        (0..self.pairings.len()).any(|pairing| self.distinct_games(pairing) < self.games)
    }

    /// Number of games of each pairing.
    pub fn games_each(&self) -> u64 {
        self.games
    }

    /// Games of a pairing (from 0) that can differ where nobody draws lots: an opening from
    /// both sides, or once where an agent meets itself.
    pub fn distinct_games(&self, pairing: usize) -> u64 {
        let sides = if self.pairings[pairing].is_self() { 1 } else { 2 };
        self.games.min(self.openings.saturating_mul(sides))
    }

    /// Number of games in all.
    pub fn games(&self) -> u64 {
        self.games * self.pairings.len() as u64
    }

    /// Number of units in all.
    pub fn units(&self) -> u64 {
        self.games.div_ceil(2) * self.pairings.len() as u64
    }

    /// Number (from 1) of the first game of a unit (from 0).
    pub fn first_game(&self, unit: u64) -> u64 {
        let pairings = self.pairings.len() as u64;
        let (round, pairing) = (unit / pairings, unit % pairings);
        round * 2 * pairings + pairing * self.games_in_round(round) + 1
    }

    /// The games of a unit (from 0): two, or one where an odd number was asked for.
    pub fn unit(&self, unit: u64) -> impl Iterator<Item = GameSpec> + use<> {
        let pairings = self.pairings.len() as u64;
        let (round, index) = (unit / pairings, unit % pairings);
        let pairing = self.pairings[index as usize];
        let first_game = self.first_game(unit);
        let openings = self.openings;
        let rounds = self.games.div_ceil(2);
        (0..self.games_in_round(round)).map(move |i| {
            let game = first_game + i;
            // A pair shares opening and dice. In self-play both games are on their own; the
            // second takes an opening from behind those of the pairs, so that each opening
            // belongs to one round.
            let (slot, dice) =
                if pairing.is_self() { (round + i * rounds, game) } else { (round, first_game) };
            let (first, second) =
                if i == 0 { (pairing.a, pairing.b) } else { (pairing.b, pairing.a) };
            GameSpec {
                game,
                pairing: index as u32 + 1,
                opening: slot % openings + 1,
                first,
                second,
                dice,
            }
        })
    }

    /// Two, or one in the last round of an odd number of games.
    fn games_in_round(&self, round: u64) -> u64 {
        (self.games - 2 * round).min(2)
    }
}

/// Who meets whom.
fn pairings(format: Format, agents: usize, include_self: bool) -> Vec<Pairing> {
    let mut out = Vec::new();
    for a in 0..agents {
        for b in a..agents {
            let meets = match format {
                Format::SelfPlay => a == b,
                _ if a == b => include_self,
                Format::RoundRobin => true,
                Format::Gauntlet | Format::Match => a == 0,
            };
            if meets {
                out.push(Pairing { a, b });
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(format: Format, agents: usize, include_self: bool, games: u64) -> Schedule {
        Schedule { pairings: pairings(format, agents, include_self), games, openings: 50 }
    }

    #[test]
    fn games_are_numbered_without_gaps() {
        for (format, include_self, games) in [
            (Format::RoundRobin, true, 6),
            (Format::RoundRobin, false, 2),
            (Format::SelfPlay, true, 7),
            (Format::SelfPlay, true, 1),
            (Format::Gauntlet, false, 4),
        ] {
            let schedule = schedule(format, 4, include_self, games);
            let numbers: Vec<u64> =
                (0..schedule.units()).flat_map(|u| schedule.unit(u)).map(|g| g.game).collect();
            assert_eq!(numbers, (1..=schedule.games()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_opening_is_played_from_both_sides_by_every_pairing() {
        let schedule = schedule(Format::RoundRobin, 3, false, 10);
        for unit in 0..schedule.units() {
            let games: Vec<_> = schedule.unit(unit).collect();
            assert_eq!(games.len(), 2);
            assert_eq!(games[0].opening, games[1].opening);
            assert_eq!((games[0].first, games[0].second), (games[1].second, games[1].first));
            assert_eq!(games[0].opening, unit / 3 + 1);
            assert_eq!(games[0].dice, games[1].dice);
        }
    }

    #[test]
    fn an_agent_against_itself_takes_an_opening_per_game() {
        let schedule = schedule(Format::SelfPlay, 1, true, 5);
        let openings: Vec<u64> =
            (0..schedule.units()).flat_map(|u| schedule.unit(u)).map(|g| g.opening).collect();
        assert_eq!(openings, [1, 4, 2, 5, 3]);
    }

    #[test]
    fn a_gauntlet_is_the_first_agent_against_the_others() {
        let schedule = schedule(Format::Gauntlet, 4, false, 2);
        assert_eq!(schedule.pairings(), [1, 2, 3].map(|b| Pairing { a: 0, b }));
    }
}
