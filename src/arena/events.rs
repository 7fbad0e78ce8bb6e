//! What the arena tells while it plays: progress bars, log lines and tests listen.

use std::time::Duration;

use super::row::Row;
use super::tally::Tally;

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

/// Somebody who listens.
pub trait Observer: Sync {
    /// Called now and then, at most some times a second, and once at the end.
    fn progress(&self, progress: &Progress<'_>);

    /// Called for each game in game order, once `tally` has counted it; `line` is its row as it
    /// goes to `games.csv`. Everybody waits for the answer.
    fn game(&self, _row: &Row, _line: &[u8], _tally: &Tally) {}
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: &Progress<'_>) {}
}
