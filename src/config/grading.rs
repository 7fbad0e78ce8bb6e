//! `[grading]`: measures how good the agents' moves are, by exact values.

use super::diagnostic::{Diagnostic, Problems};
use super::tree::Table;
use crate::params::{Param, Value, Values};
use crate::world::AnyGame;

/// How moves are graded after the last game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grading {
    /// The maximum number of games that are graded. Of more games, a sample is graded.
    pub games: u64,
}

impl Default for Grading {
    fn default() -> Self {
        Grading { games: GAMES as u64 }
    }
}

/// The sources of exact values.
const ORACLES: &[&str] = &["perfect"];
/// Enough to estimate shares of good moves to within 1 or 2 %.
const GAMES: i64 = 1000;
/// The same as the maximum number of games of one pairing in a schedule.
const MAX_GAMES: i64 = 1_000_000_000_000;

pub(super) fn params() -> Vec<Param> {
    vec![
        Param::choice(
            "oracle",
            ORACLES,
            "perfect",
            "who says what a move is worth: exact values, as the agent `perfect` has them",
        ),
        Param::int(
            "games",
            2,
            MAX_GAMES,
            GAMES,
            "the most games that are graded, in whole pairs; where there are more, a sample by \
             lot, the same for every number of threads",
        ),
    ]
}

/// Checks the section against the game. `None` if there is no such section, or if the game has no
/// exact values, which is then reported.
pub(super) fn build(
    values: &Values,
    world: Option<&AnyGame>,
    tree: &Table,
    problems: &mut Problems,
) -> Option<Grading> {
    let section = tree.get("grading")?.node.span;
    if let Some(Err(error)) = world.map(AnyGame::grader) {
        let place = tree.table("grading").and_then(|table| table.locate("oracle"));
        let help = match error.remedy.as_str() {
            "" => "leave `[grading]` out, or choose a game that can be solved".to_owned(),
            remedy => format!("{remedy}, or leave `[grading]` out"),
        };
        problems.report(
            Diagnostic::at(place.unwrap_or(section), "grading.oracle", error.message).help(help),
        );
        return None;
    }
    Some(Grading { games: values.int("games").unwrap_or(GAMES) as u64 })
}

pub(super) fn to_values(grading: &Grading) -> Values {
    let mut values = Values::default();
    values.set("oracle", Value::Text(ORACLES[0].to_owned()));
    values.set("games", Value::Int(grading.games as i64));
    values
}
