//! `[grading]`: measures how good the agents' moves are, by exact values.

use super::schedule_section::MAX_GAMES;
use crate::config::build_context::{BuildContext, Section};
use crate::config::tree::diagnostics::Problems;
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

impl Section for Grading {
    const KEY: &'static str = "grading";
    const SUMMARY: &'static str = "Grades each move by exact values; only if this section exists";
}

impl Grading {
    /// Checks that the game can be graded. `None` if there is no such section, or if it cannot.
    pub(crate) fn checked(
        self,
        context: &BuildContext<'_>,
        problems: &mut Problems,
    ) -> Option<Self> {
        context.tree.get("grading")?;
        if let Some(Err(error)) = context.any_game.map(AnyGame::grader) {
            let help = match error.help.as_str() {
                "" => "leave `[grading]` out, or choose a game that can be solved".to_owned(),
                help => format!("{help}, or leave `[grading]` out"),
            };
            let place = context.place("grading", "oracle");
            problems.wrong(place, "grading.oracle", error.message, help);
            return None;
        }
        Some(self)
    }
}
