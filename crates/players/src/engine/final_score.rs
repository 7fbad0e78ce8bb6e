//! The results of finished games in an engine's words, beside the results by the rules.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What an engine says about the result of a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalScore {
    /// Whether the rules of agon have the same result.
    pub agrees: bool,
    /// The result in the engine's words.
    pub engine: String,
}

/// How often an engine's final score was the result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinalScores {
    /// The agent's name.
    pub agent: String,
    /// Finished games for which the engine gave a score.
    pub games: u64,
    /// Those with another result.
    pub different: u64,
    /// The engine's score of one of them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub example: String,
}

impl FinalScores {
    /// Adds scores to those of the same agent.
    pub fn add_to(self, all: &mut Vec<FinalScores>) {
        let Some(scores) = all.iter_mut().find(|scores| scores.agent == self.agent) else {
            return all.push(self);
        };
        scores.games += self.games;
        scores.different += self.different;
        if scores.example.is_empty() {
            scores.example = self.example;
        }
    }
}

impl fmt::Display for FinalScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FinalScores { agent, games, different, example } = self;
        let s = if *games == 1 { "" } else { "s" };
        write!(
            f,
            "`{agent}` gave a final score in {games} game{s}; {different} differ from the result"
        )?;
        match different {
            0 => Ok(()),
            _ => write!(f, ", such as `{example}`; the rules of agon decide"),
        }
    }
}
