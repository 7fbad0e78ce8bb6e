//! Replays of void games: a game is void if the machine failed, not an agent.

use std::time::Duration;

use crate::agents::FaultKind;
use crate::play::GameRecord;

/// How often a game is replayed because the machine was overloaded. After that, its row says that
/// the game is void.
pub const REPLAYS: u32 = 3;
/// How often a game is retried after a lack of descriptors, processes or memory. After that, the
/// run ends with an error.
const RETRIES: u32 = 12;
/// The pause before the first retry. Each pause is twice as long as the previous one, up to
/// `LONGEST`. All pauses together take 15 seconds.
const PAUSE: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(2);

/// What to do with a game after it was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Write,
    /// Release all agents, wait, and play the game again.
    Retry(Duration),
    /// Play it again at once.
    Replay,
    GiveUp,
}

#[derive(Debug, Default)]
pub(crate) struct Attempts {
    shortages: u32,
    overloads: u32,
}

impl Attempts {
    pub(crate) fn step(&mut self, record: &GameRecord) -> Step {
        match record.voided_by() {
            Some(FaultKind::Shortage) if self.shortages == RETRIES => Step::GiveUp,
            Some(FaultKind::Shortage) => {
                self.shortages += 1;
                Step::Retry((PAUSE * (1 << (self.shortages - 1))).min(LONGEST))
            }
            Some(FaultKind::Overload) if self.overloads < REPLAYS => {
                self.overloads += 1;
                Step::Replay
            }
            _ => Step::Write,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{GameSpec, Outcome, SideRecord};

    fn record(outcome: Outcome, reason: &'static str) -> GameRecord {
        let spec = GameSpec { game: 1, pairing: 1, opening: 1, first: 0, second: 1, dice: 1 };
        let sides = [SideRecord::default(); 2];
        GameRecord { spec, outcome, reason, plies: 0, rng_draws: 0, luck: None, sides }
    }

    #[test]
    fn games_count_unless_the_machine_is_to_blame() {
        let step = |outcome, reason| Attempts::default().step(&record(outcome, reason));
        assert_eq!(step(Outcome::Second, "timeout"), Step::Write);
        assert_eq!(step(Outcome::Second, "handshake failure"), Step::Write);
        assert_eq!(step(Outcome::Void, "panic"), Step::Write);
        assert_eq!(step(Outcome::Void, "overload"), Step::Replay);
    }

    #[test]
    fn replays_and_retries_are_bounded() {
        let mut attempts = Attempts::default();
        let overload = record(Outcome::Void, FaultKind::Overload.reason());
        let shortage = record(Outcome::Void, FaultKind::Shortage.reason());
        for _ in 0..REPLAYS {
            assert_eq!(attempts.step(&overload), Step::Replay);
        }
        assert_eq!(attempts.step(&overload), Step::Write);
        let mut pauses = Vec::new();
        while let Step::Retry(pause) = attempts.step(&shortage) {
            pauses.push(pause.as_millis());
        }
        assert_eq!(pauses[..7], [50, 100, 200, 400, 800, 1600, 2000]);
        assert_eq!((pauses.len(), pauses.iter().sum::<u128>()), (12, 15_150));
        assert_eq!(attempts.step(&shortage), Step::GiveUp);
    }
}
