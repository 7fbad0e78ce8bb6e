//! What the arena tells while it works: progress bars, log lines, the page and tests listen.

use std::time::Duration;

use super::row::Row;
use super::tally::Tally;

/// What has happened.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A game was counted, in game order. Every worker waits for the answer.
    Game {
        /// What is counted of it.
        row: &'a Row,
        /// Its row as it goes to `games.csv`.
        line: &'a [u8],
        /// Everything counted so far, this game included.
        tally: &'a Tally,
    },
    /// How far it is: now and then, at most some times a second, and once at the end.
    Progress(Progress<'a>),
    /// The run was asked to stop, and games have run longer than the grace period since then.
    /// What is finished is on the disk: the listener may end the process.
    GraceOver(&'a Tally),
}

/// How far a run is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Games on disk, those of an earlier start included.
    pub done: u64,
    /// Games played since this start.
    pub played: u64,
    /// Games in all.
    pub total: u64,
    /// Time since this start began to play.
    pub elapsed: Duration,
    /// Everything counted so far, in game order.
    pub tally: &'a Tally,
}

/// A listener; a function is one.
pub trait Observer: Sync {
    /// Hears of an event.
    fn on(&self, event: &Event<'_>);
}

impl<F: Fn(&Event<'_>) + Sync> Observer for F {
    fn on(&self, event: &Event<'_>) {
        self(event);
    }
}

/// A listener that does nothing.
pub fn silent(_: &Event<'_>) {}
