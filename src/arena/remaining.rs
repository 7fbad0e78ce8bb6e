//! What is still to be played of a schedule.

use std::ops::Range;

use super::row::Row;
use super::schedule::Schedule;
use super::wal::FinishedGames;
use crate::world::GameSpec;

/// What is still to be played.
#[derive(Debug, Clone, Default)]
pub struct Remaining {
    /// Units of the schedule.
    pub units: Range<u64>,
    /// How many games of the first unit are in the file already.
    pub skip: usize,
    /// Later games that are finished.
    pub finished: FinishedGames,
}

impl Remaining {
    /// Everything.
    pub fn all(schedule: &Schedule) -> Self {
        Remaining { units: 0..schedule.units(), ..Remaining::default() }
    }

    /// The game that comes next, if one does.
    pub(super) fn next(&self, schedule: &Schedule) -> Option<GameSpec> {
        let unit = self.units.clone().next()?;
        schedule.unit(unit).nth(self.skip)
    }

    /// The game that comes next is there.
    pub(super) fn advance(&mut self, schedule: &Schedule) {
        self.skip += 1;
        if self.skip == schedule.unit(self.units.start).count() {
            (self.units.start, self.skip) = (self.units.start + 1, 0);
        }
    }

    /// Number of the last game before those that remain.
    pub(super) fn last_game(&self, schedule: &Schedule) -> u64 {
        schedule.games_before(self.units.start) + self.skip as u64
    }

    /// Whether a row is a game that is still to come.
    pub(super) fn wants(&self, row: &Row, schedule: &Schedule) -> bool {
        row.game > self.last_game(schedule)
            && schedule.unit_of(row.game).is_some_and(|unit| unit < self.units.end)
            && schedule.game(row.game).is_some_and(|spec| row.is(&spec))
    }
}
