//! `[schedule]`: the pairings and their number of games.

use super::seat::{Pairing, Seat};
use crate::params::{Param, Value, Values};

/// Which pairings are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Every agent against every other.
    RoundRobin,
    /// The first agent against every other.
    Gauntlet,
    /// Every agent against itself.
    SelfPlay,
    /// Two agents against each other.
    Match,
}

impl Format {
    /// The words of the config, in the order of the variants.
    pub const WORDS: &'static [&'static str] = &["round-robin", "gauntlet", "self-play", "match"];

    /// The word of the config.
    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    /// Reads the word of the config.
    pub fn from_word(word: &str) -> Option<Format> {
        [Format::RoundRobin, Format::Gauntlet, Format::SelfPlay, Format::Match]
            .into_iter()
            .find(|format| format.word() == word)
    }
}

/// The pairings and their number of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Which pairings are played.
    pub format: Format,
    /// Games per pairing. The number is even because every opening is played from both sides,
    /// except in schedules in which agents only play themselves.
    pub games: u64,
    /// Whether every agent also plays itself; always true in self-play.
    pub include_self: bool,
    /// Whether agents without random choices may play more games than can be different.
    pub allow_duplicates: bool,
    /// Whether the two games of a pair use the same dice.
    pub shared_dice: bool,
    /// Whether an engine that does not start forfeits its games. If false, no games are played.
    pub forfeit_start_failures: bool,
}

/// An engine that does not start forfeits its games.
const FORFEIT: &str = "forfeit";
/// The default number of games per pairing.
const GAMES: i64 = 100;
/// The maximum number of games per pairing. The games of all pairings of all agents still fit 64
/// bits.
const MAX_GAMES: i64 = 1_000_000_000_000;

pub(super) fn params() -> Vec<Param> {
    vec![
        Param::choice(
            "format",
            Format::WORDS,
            "round-robin",
            "every agent against every other, the first against every other, each against \
             itself, or two against each other",
        ),
        Param::int(
            "games",
            1,
            MAX_GAMES,
            GAMES,
            "games per pairing, in whole pairs: each opening is played from both sides",
        ),
        Param::bool("include_self", false, "whether every agent also plays itself"),
        Param::bool(
            "allow_duplicates",
            false,
            "whether agents that always play the same moves may play the same games again, which \
             count once",
        ),
        Param::bool(
            "shared_dice",
            true,
            "whether the two games of a pair draw the same dice, which takes luck out of the \
             comparison; a pair is one sample either way",
        ),
        Param::choice(
            "on_start_failure",
            &["stop", FORFEIT],
            "stop",
            "what an engine costs that does not start before the first game: the run, or all \
             games of that engine",
        ),
    ]
}

impl Schedule {
    pub(super) fn from_values(values: &Values) -> Self {
        let format = values.text("format").and_then(Format::from_word);
        let format = format.unwrap_or(Format::RoundRobin);
        Schedule {
            format,
            games: values.int("games").unwrap_or(GAMES) as u64,
            include_self: values.bool("include_self").unwrap_or(false)
                || format == Format::SelfPlay,
            allow_duplicates: values.bool("allow_duplicates").unwrap_or(false),
            shared_dice: values.bool("shared_dice").unwrap_or(true),
            forfeit_start_failures: values.text("on_start_failure") == Some(FORFEIT),
        }
    }

    pub(super) fn to_values(&self) -> Values {
        let mut values = Values::default();
        values.set("format", Value::Text(self.format.word().to_owned()));
        values.set("games", Value::Int(self.games as i64));
        values.set("include_self", Value::Bool(self.include_self));
        values.set("allow_duplicates", Value::Bool(self.allow_duplicates));
        values.set("shared_dice", Value::Bool(self.shared_dice));
        let word = if self.forfeit_start_failures { FORFEIT } else { "stop" };
        values.set("on_start_failure", Value::Text(word.to_owned()));
        values
    }

    /// The pairings, in order, for the seats that the agents take.
    pub fn pairings(&self, seats: &[Seat]) -> Vec<Pairing> {
        let mut out = Vec::new();
        for (a, &seat) in seats.iter().enumerate() {
            for (b, &other) in seats.iter().enumerate().skip(a) {
                let meets = match self.format {
                    Format::SelfPlay => a == b,
                    _ if a == b => self.include_self,
                    Format::RoundRobin => true,
                    Format::Gauntlet | Format::Match => a == 0,
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
    pub fn openings_wanted(&self, seats: &[Seat]) -> u64 {
        let single = self.include_self || seats.iter().any(|&seat| seat != Seat::Both);
        if single { self.games } else { self.games / 2 }
    }
}
