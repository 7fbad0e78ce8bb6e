//! Replays of void games: a game is void if the machine or a provider failed, not an agent.

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
/// As `PAUSE` and `LONGEST`, for a provider of an engine that is unavailable. The sum of the pauses
/// is `unavailable_wait` of the config.
const PROVIDER_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PROVIDER_PAUSE: Duration = Duration::from_secs(60);

/// What to do with a game after it was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Write,
    /// Wait, and play the game again.
    Retry(Duration),
    /// Play it again at once.
    Replay,
    GiveUp,
}

#[derive(Debug, Default)]
pub(crate) struct Attempts {
    shortages: u32,
    overloads: u32,
    provider_failures: u32,
    /// How long the game has waited for providers.
    waited: Duration,
}

impl Attempts {
    /// What to do now. `wait` is how long the game waits at most for providers.
    pub(crate) fn step(&mut self, record: &GameRecord, wait: impl FnOnce() -> Duration) -> Step {
        match record.voided_by() {
            Some(FaultKind::Shortage) if self.shortages == RETRIES => Step::GiveUp,
            Some(FaultKind::Shortage) => {
                self.shortages += 1;
                Step::Retry((PAUSE * (1 << (self.shortages - 1))).min(LONGEST))
            }
            Some(FaultKind::Unavailable) => {
                let pause = PROVIDER_PAUSE.saturating_mul(1 << self.provider_failures.min(16));
                let pause =
                    pause.min(LONGEST_PROVIDER_PAUSE).min(wait().saturating_sub(self.waited));
                self.provider_failures += 1;
                self.waited += pause;
                if pause.is_zero() { Step::GiveUp } else { Step::Retry(pause) }
            }
            Some(FaultKind::Tables) => Step::GiveUp,
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
        let no_wait = || Duration::ZERO;
        let step = |outcome, reason| Attempts::default().step(&record(outcome, reason), no_wait);
        assert_eq!(step(Outcome::Second, "timeout"), Step::Write);
        assert_eq!(step(Outcome::Second, "handshake failure"), Step::Write);
        assert_eq!(step(Outcome::Void, "panic"), Step::Write);
        assert_eq!(step(Outcome::Void, "overload"), Step::Replay);
    }

    #[test]
    fn replays_and_retries_are_bounded() {
        let mut attempts = Attempts::default();
        let no_wait = || Duration::ZERO;
        let overload = record(Outcome::Void, FaultKind::Overload.reason());
        let shortage = record(Outcome::Void, FaultKind::Shortage.reason());
        for _ in 0..REPLAYS {
            assert_eq!(attempts.step(&overload, no_wait), Step::Replay);
        }
        assert_eq!(attempts.step(&overload, no_wait), Step::Write);
        let mut pauses = Vec::new();
        while let Step::Retry(pause) = attempts.step(&shortage, no_wait) {
            pauses.push(pause.as_millis());
        }
        assert_eq!(pauses[..7], [50, 100, 200, 400, 800, 1600, 2000]);
        assert_eq!((pauses.len(), pauses.iter().sum::<u128>()), (12, 15_150));
        assert_eq!(attempts.step(&shortage, no_wait), Step::GiveUp);
    }

    #[test]
    fn games_wait_for_providers_as_long_as_the_config_says() {
        let unavailable = record(Outcome::Void, FaultKind::Unavailable.reason());
        for (wait, begin) in [(600, &[100, 200, 400, 800][..]), (1, &[100, 200, 400, 300])] {
            let mut attempts = Attempts::default();
            let mut pauses = Vec::new();
            while let Step::Retry(pause) = attempts.step(&unavailable, || Duration::from_secs(wait))
            {
                pauses.push(pause.as_millis() as u64);
            }
            assert_eq!(&pauses[..4], begin);
            assert_eq!(pauses.iter().sum::<u64>(), 1000 * wait);
            assert!(pauses.iter().all(|&pause| pause <= 60_000));
        }
    }
}
