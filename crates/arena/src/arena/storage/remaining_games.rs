//! The part of a schedule that is still to be played.

use std::ops::Range;

use super::write_ahead_log::FinishedGames;
use crate::arena::schedule::game_schedule::Schedule;
use crate::rows::games_csv_rows::GameRow;

/// The part of a schedule that is still to be played.
#[derive(Debug, Clone, Default)]
pub struct Remaining {
    /// Units of the schedule.
    pub units: Range<u64>,
    /// The number of games of the first unit that are already in the file.
    pub skip: usize,
    /// Later games that are finished.
    pub finished: FinishedGames,
}

impl Remaining {
    /// The whole schedule.
    pub fn all(schedule: &Schedule) -> Self {
        Remaining { units: 0..schedule.units(), ..Remaining::default() }
    }

    /// Number of the last game before the remaining games.
    pub(crate) fn last_game(&self, schedule: &Schedule) -> u64 {
        schedule.games_before(self.units.start) + self.skip as u64
    }

    /// Whether a row is a game that is still to be played, or may be one of a later round.
    pub(crate) fn wants(&self, row: &GameRow, schedule: &Schedule) -> bool {
        row.game > self.last_game(schedule)
            && match schedule.unit_of(row.game) {
                Some(unit) => {
                    unit < self.units.end && schedule.game(row.game).is_some_and(|s| row.is(&s))
                }
                None => schedule.may_come(row.game),
            }
    }
}
