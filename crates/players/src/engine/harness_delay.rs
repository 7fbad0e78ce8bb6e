//! Delays of agon itself while an engine thinks, and their effect on the game.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Smaller time margins are treated as this value, because every system wakes a process late.
const LEAST_MARGIN: Duration = Duration::from_millis(10);

/// The effect of a delay of agon on a game with a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lateness {
    /// The measured time of the engine is accurate enough.
    Fine,
    /// More than a tenth of the time margin: agon warns the user.
    Notable,
    /// More than the time margin: perhaps the engine did not use the measured time. The game is
    /// void.
    TooLate,
}

impl Lateness {
    /// Judges the longest delay of a move. The result of the game has no influence: voiding only
    /// losses would favour the engine that loses on time.
    pub fn of(delay: Duration, margin: Duration) -> Self {
        let margin = margin.max(LEAST_MARGIN);
        if delay > margin {
            Lateness::TooLate
        } else if delay * 10 > margin {
            Lateness::Notable
        } else {
            Lateness::Fine
        }
    }
}

/// How often agon wakes up to measure its own delay: often enough to detect a tenth of the margin.
pub fn measuring_interval(margin: Duration) -> Duration {
    (margin / 20).clamp(Duration::from_millis(1), Duration::from_millis(5))
}

/// The worst delay of a run, relative to the time margin of the engine that was thinking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delay {
    /// The agent's name.
    pub agent: String,
    /// How late agon was woken.
    #[serde(rename = "delay_us", with = "microseconds")]
    pub delay: Duration,
    /// The agent's `time_margin`.
    #[serde(rename = "margin_us", with = "microseconds")]
    pub margin: Duration,
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Delay { agent, delay, margin } = self;
        write!(
            f,
            "the machine was too busy to measure time well: agon was woken {delay:.1?} late while \
             `{agent}` was thinking, and its time margin is {margin:?}"
        )
    }
}

/// Serializes a duration as a number of microseconds.
mod microseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}

impl Delay {
    /// Whether this delay is a larger fraction of its margin than the other delay.
    pub fn exceeds(&self, other: &Delay) -> bool {
        let part = |it: &Delay| it.delay.as_secs_f64() / it.margin.max(LEAST_MARGIN).as_secs_f64();
        part(self) > part(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_margin_warns_and_the_margin_voids() {
        let of = |delay, margin| {
            Lateness::of(Duration::from_micros(delay), Duration::from_millis(margin))
        };
        assert_eq!(of(5_000, 50), Lateness::Fine);
        assert_eq!(of(5_001, 50), Lateness::Notable);
        assert_eq!(of(50_000, 50), Lateness::Notable);
        assert_eq!(of(50_001, 50), Lateness::TooLate);
        // Without a least margin, a margin of 0 would void every game.
        assert_eq!((of(900, 0), of(9_000, 0), of(11_000, 0)).0, Lateness::Fine);
        assert_eq!((of(9_000, 0), of(11_000, 0)), (Lateness::Notable, Lateness::TooLate));
    }

    #[test]
    fn the_interval_sees_a_tenth_of_the_margin() {
        let ms = Duration::from_millis;
        assert_eq!(measuring_interval(ms(0)), ms(1));
        assert_eq!(measuring_interval(ms(60)), ms(3));
        assert_eq!(measuring_interval(ms(5_000)), ms(5));
    }

    #[test]
    fn delays_are_compared_by_their_part_of_the_margin() {
        let delay = |delay, margin| Delay {
            agent: String::new(),
            delay: Duration::from_millis(delay),
            margin: Duration::from_millis(margin),
        };
        assert!(delay(6, 20).exceeds(&delay(10, 50)));
        assert!(!delay(10, 50).exceeds(&delay(6, 20)));
        assert!(!delay(6, 20).exceeds(&delay(6, 20)));
    }
}
