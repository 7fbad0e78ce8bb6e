//! `[schedule]`: the pairings and their number of games.

use super::seats_and_pairings::{FixedSeat, Pairing};
use crate::params::{Params, Values};

crate::choice! {
    /// Which pairings are played.
    #[derive(Hash)]
    pub enum ScheduleFormat {
        /// Every agent against every other.
        RoundRobin = "round-robin",
        /// The first agent against every other.
        Gauntlet = "gauntlet",
        /// Every agent against itself.
        SelfPlay = "self-play",
        /// Two agents against each other.
        Match = "match",
        /// Every agent against every other, in rounds that eliminate agents until one is left.
        Best = "best",
        /// Every agent against every other, in rounds of pairs whose order is not decided.
        Ranking = "ranking",
    }
}

crate::choice! {
    /// What an engine costs that does not start.
    pub enum StartFailure {
        /// The whole run.
        Stop = "stop",
        /// All games of that engine.
        Forfeit = "forfeit",
    }
}

/// The maximum number of games per pairing. The games of all pairings of all agents still fit
/// 64 bits.
pub(super) const MAX_GAMES: i64 = 1_000_000_000_000;

crate::params! {
    /// Who meets whom, and how often.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ScheduleConfig {
        /// all pairings, the first agent against all others, each agent against itself, one match
        /// of two agents, or rounds that find the best agent or the order of all agents
        format: ScheduleFormat = ScheduleFormat::RoundRobin,
        /// games per pairing, in whole pairs: each opening is played from both sides; `best` and
        /// `ranking` decide the number themselves
        games: u64 [1..=MAX_GAMES] = 100,
        /// whether every agent also plays itself
        include_self: bool = false,
        /// whether agents that always play the same moves may repeat games; repeated
        /// games count once
        allow_duplicates: bool = false,
        /// whether both games of a pair have the same dice, which reduces the effect of
        /// luck; a pair is always one sample
        shared_dice: bool = true,
        /// effect of an engine that does not start before the first game: the run
        /// stops, or the engine forfeits its games
        on_start_failure: StartFailure = StartFailure::Stop,
    }
}

impl ScheduleFormat {
    /// Whether the next games depend on the results of earlier rounds.
    pub fn is_adaptive(self) -> bool {
        matches!(self, ScheduleFormat::Best | ScheduleFormat::Ranking)
    }
}

impl ScheduleConfig {
    /// Builds the schedule from checked values. In self-play, every agent plays itself.
    pub(super) fn from_values(values: &Values) -> Self {
        let read = Self::read(values).expect("the section was checked");
        let include_self = read.include_self || read.format == ScheduleFormat::SelfPlay;
        ScheduleConfig { include_self, ..read }
    }

    /// The pairings, in order, for the seats that the agents take.
    pub fn pairings(&self, seats: &[FixedSeat]) -> Vec<Pairing> {
        let mut out = Vec::new();
        for (a, &seat) in seats.iter().enumerate() {
            for (b, &other) in seats.iter().enumerate().skip(a) {
                let meets = match self.format {
                    ScheduleFormat::SelfPlay => a == b,
                    _ if a == b => self.include_self,
                    ScheduleFormat::RoundRobin | ScheduleFormat::Best | ScheduleFormat::Ranking => {
                        true
                    }
                    ScheduleFormat::Gauntlet | ScheduleFormat::Match => a == 0,
                };
                match Pairing::seated((a, seat), (b, other)) {
                    Some(pairing) if meets => out.push(pairing),
                    _ => {}
                }
            }
        }
        out
    }

    /// The number of openings that one pairing needs, the maximum over all pairings. A pair of
    /// games shares one opening. An agent that plays itself, or in one seat only, needs one for
    /// each game.
    pub fn openings_wanted(&self, seats: &[FixedSeat]) -> u64 {
        let single = self.include_self || seats.iter().any(|&seat| seat != FixedSeat::Both);
        if single { self.games } else { self.games / 2 }
    }
}
