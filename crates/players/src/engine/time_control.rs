//! Time controls and the running clocks of a game.

use std::time::Duration;

use crate::params::{Field, ParamError, Role, Type, Value, mismatch};

/// A time control: a base time, an increment after each move and, if there are periods, the number
/// of moves in one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves of a period; `None`: the base time is for the whole game.
    pub moves: Option<u32>,
    /// Time of a period.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// The longest base time or increment: one day.
const LONGEST: f64 = 86_400.0;

impl TimeControl {
    /// Reads `8+0.08` (base and increment in seconds), `60`, or `40/60+0.6`. In the last form the
    /// player gets the base time again after every 40 moves.
    ///
    /// # Errors
    /// The problem, in a sentence for people.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a time control");
        let text_of = text.trim();
        let (moves, rest) = match text_of.split_once('/') {
            Some((moves, rest)) => (Some(moves.trim()), rest),
            None => (None, text_of),
        };
        let moves = match moves {
            Some(moves) => match moves.parse() {
                Ok(moves @ 1..=10_000) => Some(moves),
                _ => return Err(wrong()),
            },
            None => None,
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let seconds = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let value: f64 = text.parse().ok().filter(|_| plain)?;
            (value <= LONGEST).then(|| Duration::from_secs_f64(value))
        };
        let base = seconds(base.trim()).ok_or_else(wrong)?;
        let increment = seconds(increment.trim()).ok_or_else(wrong)?;
        if base + increment < Duration::from_millis(1) {
            return Err(format!("`{text}` leaves no time to think"));
        }
        Ok(TimeControl { moves, base, increment })
    }
}

impl Field for TimeControl {
    type Bounds = ();

    fn ty(_: &()) -> Type {
        Type::Text
    }

    fn role(_: &()) -> Role {
        Role::Time
    }

    fn read(value: &Value) -> Result<Self, ParamError> {
        let help = "seconds and increment as in \"8+0.08\", or \"40/60+0.6\"";
        let text = value.text().ok_or_else(mismatch)?;
        TimeControl::parse(text).map_err(|why| ParamError::new(why, help))
    }

    fn value(&self) -> Option<Value> {
        let moves = self.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        let [base, increment] = [self.base, self.increment].map(|time| time.as_secs_f64());
        Some(Value::Text(format!("{moves}{base}+{increment}")))
    }
}

/// A running clock of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The time control.
    pub control: TimeControl,
    /// The remaining time.
    pub left: Duration,
    /// Moves until the next period starts.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// The clock at the start of a game. Without a base time, the first move has the increment.
    pub fn new(control: TimeControl) -> Self {
        let left = if control.base.is_zero() { control.increment } else { control.base };
        Clock { control, left, moves_to_go: control.moves }
    }

    /// Subtracts the time of a move and adds the increment.
    pub fn spend(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time) + self.control.increment;
        if let (Some(to_go), Some(moves)) = (&mut self.moves_to_go, self.control.moves) {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = moves;
                self.left += self.control.base;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn controls_are_read_as_people_write_them() {
        let control = |moves, base, increment| Ok(TimeControl { moves, base, increment });
        assert_eq!(TimeControl::parse("8+0.08"), control(None, ms(8_000), ms(80)));
        assert_eq!(TimeControl::parse(" 60 "), control(None, ms(60_000), ms(0)));
        assert_eq!(TimeControl::parse("40/60+0.6"), control(Some(40), ms(60_000), ms(600)));
        assert_eq!(TimeControl::parse("0+0.1"), control(None, ms(0), ms(100)));
        let clock = TimeControl::parse("40/60+0.6").expect("a control");
        assert_eq!(clock.value(), Some(Value::Text("40/60+0.6".to_owned())));
        for wrong in ["", "+", "x", "8+", "-1", "1e3", "0/60", "40/", "nan", "0", "1:30", "99999"] {
            assert!(TimeControl::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn clocks_run_down_and_are_filled_again() {
        let mut clock = Clock::new(TimeControl::parse("2/1+0.1").expect("a control"));
        clock.spend(ms(300));
        assert_eq!((clock.left, clock.moves_to_go), (ms(800), Some(1)));
        clock.spend(ms(850));
        assert_eq!((clock.left, clock.moves_to_go), (ms(1_100), Some(2)));
        assert_eq!(Clock::new(TimeControl::parse("0+0.1").expect("a control")).left, ms(100));
    }
}
