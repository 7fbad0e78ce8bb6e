//! The formats of a schedule: who meets whom. Each format is a constant and has a line in [`ScheduleFormat::ALL`].

use std::fmt;

use crate::params::{self, Field, ParamError, Type, Value};
use crate::rounds::adaptive_rounds::AdaptiveQuestion;
use crate::rounds::knockout::Knockout;
use crate::rounds::swiss::Swiss;
use crate::rounds::tournament::{Placing, TournamentRules};

#[derive(Clone, Copy)]
pub struct ScheduleFormat {
    pub word: &'static str,
    /// Whether two agents may play each other, by their places in the config: `a <= b`.
    pub meets: fn(usize, usize) -> bool,
    /// The smallest number of agents.
    pub least: usize,
    /// The largest number of agents.
    pub most: usize,
    /// What to do if there are fewer agents.
    pub if_fewer: &'static str,
    /// What to do if there are more.
    pub if_more: &'static str,
    /// What decides which rounds are played.
    pub rounds: Rounds,
}

/// What decides which rounds are played.
#[derive(Clone, Copy)]
pub enum Rounds {
    /// Nothing: all pairings play in one round.
    One,
    /// How much evidence there is for the answer to this question.
    Evidence(AdaptiveQuestion),
    /// The results of matches.
    Matches(&'static dyn TournamentRules),
}

const ADD: &str = "add another table `[[agents]]`";

impl ScheduleFormat {
    pub const ALL: &[&ScheduleFormat] = &[
        Self::ROUND_ROBIN,
        Self::GAUNTLET,
        Self::SELF_PLAY,
        Self::MATCH,
        Self::BEST,
        Self::RANKING,
        Self::SWISS,
        Self::KNOCKOUT,
    ];

    /// Every agent against every other.
    pub const ROUND_ROBIN: &ScheduleFormat = &ScheduleFormat {
        word: "round-robin",
        meets: |a, b| a < b,
        least: 2,
        most: usize::MAX,
        if_fewer: "add another agent, or use `format = \"self-play\"` to let it play itself",
        if_more: "",
        rounds: Rounds::One,
    };

    /// The first agent against every other.
    pub const GAUNTLET: &ScheduleFormat = &ScheduleFormat {
        word: "gauntlet",
        meets: |a, b| a == 0 && b > 0,
        if_fewer: ADD,
        ..*Self::ROUND_ROBIN
    };

    /// Every agent against itself.
    pub const SELF_PLAY: &ScheduleFormat =
        &ScheduleFormat { word: "self-play", meets: |a, b| a == b, least: 1, ..*Self::ROUND_ROBIN };

    /// Two agents against each other.
    pub const MATCH: &ScheduleFormat = &ScheduleFormat {
        word: "match",
        most: 2,
        if_more: "use `format = \"round-robin\"` or `\"gauntlet\"`",
        ..*Self::GAUNTLET
    };

    /// Every agent against every other, in rounds that eliminate agents until one is left.
    pub const BEST: &ScheduleFormat = &ScheduleFormat {
        word: "best",
        least: 3,
        if_fewer: "add an agent, or use a sequential test of two agents: a section `[sprt]`",
        rounds: Rounds::Evidence(AdaptiveQuestion::Best),
        ..*Self::ROUND_ROBIN
    };

    /// Every agent against every other, in rounds of pairs whose order is not decided.
    pub const RANKING: &ScheduleFormat = &ScheduleFormat {
        word: "ranking",
        rounds: Rounds::Evidence(AdaptiveQuestion::Ranking),
        ..*Self::BEST
    };

    /// Agents with equal scores, in rounds of one match each. The pairings of a round of more than 500
    /// agents would take minutes to find.
    pub const SWISS: &ScheduleFormat = &ScheduleFormat {
        word: "swiss",
        least: 3,
        most: 500,
        if_fewer: "add an agent, or use `format = \"match\"`",
        if_more: "use `format = \"best\"`",
        rounds: Rounds::Matches(&Swiss),
        ..*Self::ROUND_ROBIN
    };

    /// The winners of the round before, until one agent is left.
    pub const KNOCKOUT: &ScheduleFormat = &ScheduleFormat {
        word: "knockout",
        if_fewer: ADD,
        rounds: Rounds::Matches(&Knockout),
        ..*Self::ROUND_ROBIN
    };

    const WORDS: [&str; Self::ALL.len()] = {
        let mut words = [""; Self::ALL.len()];
        let mut i = 0;
        while i < words.len() {
            words[i] = Self::ALL[i].word;
            i += 1;
        }
        words
    };

    pub fn from_word(word: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|format| format.word == word).copied()
    }

    /// Whether the first agent plays in all pairings of several agents.
    pub fn has_fixed_first_agent(&self) -> bool {
        self == Self::GAUNTLET
    }

    /// Whether agents may be references. The other formats ask for the best of all agents, or compare
    /// none.
    pub(crate) fn may_have_references(&self) -> bool {
        [Self::ROUND_ROBIN, Self::GAUNTLET, Self::MATCH, Self::RANKING].contains(&self)
    }

    /// Whether evidence decides which games are played next.
    pub fn is_adaptive(&self) -> bool {
        matches!(self.rounds, Rounds::Evidence(_))
    }

    /// The rules by which the results of matches decide who meets in the next round.
    pub fn tournament(&self) -> Option<&'static dyn TournamentRules> {
        match self.rounds {
            Rounds::Matches(rules) => Some(rules),
            _ => None,
        }
    }

    /// Whether the loser of a match is out.
    pub fn is_bracket(&self) -> bool {
        self.tournament().is_some_and(|rules| rules.placing() == Placing::Bracket)
    }

    /// What is wrong with a number of agents, and what to do. Without any agent, nothing is.
    pub(crate) fn wrong_count(
        &self,
        count: usize,
        include_self: bool,
    ) -> Option<(String, &'static str)> {
        let ScheduleFormat { least, most, .. } = *self;
        let plays_itself = include_self && self == Self::ROUND_ROBIN;
        if count == 0 || plays_itself || (least..=most).contains(&count) {
            return None;
        }
        let (limit, number) = match count < least {
            _ if least == most => ("exactly", most),
            true => ("at least", least),
            false => ("at most", most),
        };
        let number = match number {
            2 => "two".to_owned(),
            3 => "three".to_owned(),
            number => number.to_string(),
        };
        let help = if count < least { self.if_fewer } else { self.if_more };
        Some((format!("`{}` needs {limit} {number} agents", self.word), help))
    }
}

impl fmt::Debug for ScheduleFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word)
    }
}

impl PartialEq for ScheduleFormat {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Field for &'static ScheduleFormat {
    type Bounds = ();

    fn ty(_: &()) -> Type {
        Type::Choice(&ScheduleFormat::WORDS)
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        value.text().and_then(ScheduleFormat::from_word).ok_or_else(params::mismatch)
    }

    fn value(&self) -> Option<Value> {
        Some(Value::Text(self.word.to_owned()))
    }
}
