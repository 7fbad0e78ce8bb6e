//! `[grading]`: measures how good the agents' moves are, by exact values.

use super::schedule_section::MAX_GAMES;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::toml_tree::TomlTable;
use crate::params::{Params, Values};
use crate::play::AnyGame;

crate::choice! {
    /// Where exact values come from.
    pub enum Oracle {
        /// Exact values, as the agent `perfect` has them.
        Perfect = "perfect",
    }
}

crate::params! {
    /// How moves are graded after the last game.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Grading {
        /// source of the exact values: the solver of the agent `perfect`
        oracle: Oracle = Oracle::Perfect,
        /// maximum number of graded games, in whole pairs; of more games a random
        /// sample, independent of the number of threads
        games: u64 [2..=MAX_GAMES] = 1000,
    }
}

/// Checks the section against the game. `None` if there is no such section, or if the game has no
/// exact values, which is then reported.
pub(crate) fn build(
    values: &Values,
    any_game: Option<&AnyGame>,
    tree: &TomlTable,
    problems: &mut Problems,
) -> Option<Grading> {
    let section = tree.get("grading")?.node.span;
    if let Some(Err(error)) = any_game.map(AnyGame::grader) {
        let place = tree.table("grading").and_then(|table| table.locate("oracle"));
        let help = match error.help.as_str() {
            "" => "leave `[grading]` out, or choose a game that can be solved".to_owned(),
            help => format!("{help}, or leave `[grading]` out"),
        };
        problems.wrong(place.unwrap_or(section), "grading.oracle", error.message, help);
        return None;
    }
    Some(Grading::read(values).expect("the section was checked"))
}
