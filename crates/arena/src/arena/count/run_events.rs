//! Events of a run: progress bars, log lines, the report page and tests observe them.

#![deny(missing_docs)]

use std::time::Duration;

use super::tally::Tally;
use crate::rows::games_csv_rows::GameRow;

/// An event of a run.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A game was counted, in game order. All workers wait until the observer returns.
    Game {
        /// The data of the game that is counted.
        row: &'a GameRow,
        /// The row as written to `games.csv`.
        line: &'a [u8],
        /// The tally, including this game.
        tally: &'a Tally,
    },
    /// Progress: sent at most a few times a second, and once at the end.
    Progress(Progress<'a>),
    /// The run was asked to stop, and games are still running after the grace period. All finished
    /// games are on disk: the observer may end the process.
    GraceOver(&'a Tally),
}

/// The progress of a run.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Games on disk, including those of an earlier start.
    pub done: u64,
    /// Games played since this start.
    pub played: u64,
    /// Total number of games.
    pub total: u64,
    /// Time since this start began to play.
    pub elapsed: Duration,
    /// The tally so far, in game order.
    pub tally: &'a Tally,
    /// The state of a format in rounds. `total` is then the end of the current round, unless the
    /// number of rounds is known.
    pub round: Option<RoundState>,
}

/// The state of a format in rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoundState {
    /// The current round, from 1.
    pub round: u64,
    /// What is not decided yet: agents that are not eliminated, or pairs of agents.
    pub open: usize,
    /// The number of these at the start. 0 in a tournament, where results only decide who meets.
    pub all: usize,
    /// Whether pairs are decided, and not agents.
    pub is_pairs: bool,
    /// The number of rounds if it is known, as in a tune. Results then say nothing about agents.
    pub rounds: Option<u64>,
}

/// An observer of a run. A function can be an observer.
pub trait Observer: Sync {
    /// Receives an event.
    fn on(&self, event: &Event<'_>);
}

impl<F: Fn(&Event<'_>) + Sync> Observer for F {
    fn on(&self, event: &Event<'_>) {
        self(event);
    }
}

/// An observer that does nothing.
pub fn silent(_: &Event<'_>) {}
