//! Parses the commands of a host, line by line.

use std::time::Duration;

use crate::engine::{UCI, UGI, Words};
use crate::games::Player;
use crate::search::Limits;
use crate::util::beginning_of_text::beginning;

#[derive(Debug, Clone, PartialEq)]
pub enum HostCommand {
    /// The handshake in UCI or UGI.
    Greeting(Words),
    /// `isready`: answered with `readyok` when all earlier commands are done.
    IsReady,
    /// `ucinewgame`, or `uginewgame`.
    NewGame,
    /// `setoption name NAME value VALUE`.
    SetOption {
        name: String,
        /// The value; empty if none was given.
        value: String,
    },
    /// `position startpos|fen TEXT moves …`.
    Position {
        /// The text of the position; `None` is the start.
        from: Option<String>,
        /// The moves after it, separated by one space.
        moves: String,
    },
    Go(GoCommand),
    Stop,
    Quit,
    /// `query p1turn`, `query gameover` or `query result`.
    Query(String),
    Display,
    Nothing,
    /// A command that cannot be parsed, with the reason in one sentence.
    Unknown(String),
}

/// The arguments of `go`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GoCommand {
    /// Milliseconds left: first, second.
    pub time: [Option<i64>; 2],
    /// Milliseconds added per move: first, second.
    pub increment: [i64; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Milliseconds for the move.
    pub movetime: Option<i64>,
    pub nodes: Option<u64>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Unknown words.
    pub ignored: Vec<String>,
}

/// The assumed number of moves left on the clock if the host does not give it.
const MOVES_LEFT: i64 = 30;

impl GoCommand {
    /// The limits of the side to move. `None` if the host gives no limit, so that the agent's own
    /// budget applies. `overhead` is subtracted from every time.
    ///
    /// With a clock, the time is an equal share of the time left (1/30 if the number of moves is
    /// not given) plus four fifths of the increment.
    pub fn limits(&self, player: Option<Player>, overhead: i64) -> Option<Limits> {
        if self.infinite {
            return Some(Limits::default());
        }
        let kept = |time: i64| time.saturating_sub(overhead).max(time / 2).max(1);
        let clock = player.and_then(|player| {
            let left = kept(self.time[player.index()]?);
            let share = left / self.moves_to_go.unwrap_or(MOVES_LEFT).clamp(1, 1000);
            let gained = self.increment[player.index()].max(0) / 5 * 4;
            Some(share.saturating_add(gained).clamp(1, left))
        });
        let time = match (self.movetime.map(kept), clock) {
            (Some(movetime), Some(clock)) => Some(movetime.min(clock)),
            (movetime, clock) => movetime.or(clock),
        };
        let limits = Limits {
            depth: self.depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            movetime: time.map(|time| Duration::from_millis(time.unsigned_abs())),
            stop: None,
        };
        (limits != Limits::default()).then_some(limits)
    }

    fn read(words: &[&str]) -> GoCommand {
        let mut go = GoCommand::default();
        let mut rest = words.iter();
        while let Some(&word) = rest.next() {
            let mut ahead = rest.clone();
            let value: Option<i64> = ahead.next().and_then(|text| number(text));
            let known = match word {
                "infinite" | "ponder" => {
                    go.infinite = true;
                    continue;
                }
                "p1time" | "wtime" => value.map(|value| go.time[0] = Some(value)),
                "p2time" | "btime" => value.map(|value| go.time[1] = Some(value)),
                "p1inc" | "winc" => value.map(|value| go.increment[0] = value),
                "p2inc" | "binc" => value.map(|value| go.increment[1] = value),
                "movestogo" => value.map(|value| go.moves_to_go = Some(value)),
                "movetime" => value.map(|value| go.movetime = Some(value)),
                "nodes" => value.map(|value| go.nodes = Some(u64::try_from(value).unwrap_or(1))),
                "depth" => value.map(|value| go.depth = Some(plies(value))),
                "mate" => value.map(|value| go.depth = Some(plies(value.saturating_mul(2) - 1))),
                _ => None,
            };
            match known {
                Some(()) => rest = ahead,
                None => go.ignored.push(word.to_owned()),
            }
        }
        go
    }
}

/// A number of plies from the number in a command.
fn plies(value: i64) -> u32 {
    u32::try_from(value.clamp(1, i64::from(u32::MAX))).unwrap_or(1)
}

/// A whole number. Some hosts send fractions, which are truncated.
fn number(text: &str) -> Option<i64> {
    match text.parse() {
        Ok(number) => Some(number),
        Err(_) => {
            let float: f64 = text.parse().ok()?;
            // The cast saturates at the ends of the range.
            float.is_finite().then_some(float as i64)
        }
    }
}

/// Reads a line of a host.
pub fn read(line: &str) -> HostCommand {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let Some((&first, rest)) = words.split_first() else { return HostCommand::Nothing };
    match first {
        "uci" => HostCommand::Greeting(UCI),
        "ugi" => HostCommand::Greeting(UGI),
        "isready" => HostCommand::IsReady,
        "ucinewgame" | "uginewgame" => HostCommand::NewGame,
        "setoption" => set_option(rest),
        "position" => position(rest),
        "go" => HostCommand::Go(GoCommand::read(rest)),
        // There is no pondering, so `ponderhit` is the same as `stop`.
        "stop" | "ponderhit" => HostCommand::Stop,
        "quit" | "exit" => HostCommand::Quit,
        "query" => HostCommand::Query(rest.join(" ")),
        "d" => HostCommand::Display,
        "debug" | "register" => HostCommand::Nothing,
        other => HostCommand::Unknown(format!("unknown command `{}`", shortened(other))),
    }
}

fn set_option(words: &[&str]) -> HostCommand {
    let name_at = words.iter().position(|&word| word.eq_ignore_ascii_case("name"));
    let value_at = words.iter().position(|&word| word.eq_ignore_ascii_case("value"));
    let Some(name_at) = name_at else {
        return HostCommand::Unknown(
            "set an option with `setoption name NAME value VALUE`".to_owned(),
        );
    };
    let end = value_at.filter(|&at| at > name_at).unwrap_or(words.len());
    let value = words.get(end + 1..).map(|words| words.join(" ")).unwrap_or_default();
    let value = if value == "<empty>" { String::new() } else { value };
    HostCommand::SetOption { name: words[name_at + 1..end].join(" "), value }
}

fn position(words: &[&str]) -> HostCommand {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words.get(end + 1..).map(|words| words.join(" ")).unwrap_or_default();
    match words[..end] {
        ["startpos"] => HostCommand::Position { from: None, moves },
        ["fen", ref text @ ..] => HostCommand::Position { from: Some(text.join(" ")), moves },
        _ => HostCommand::Unknown(
            "write `position startpos` or `position fen TEXT`, then `moves …`".to_owned(),
        ),
    }
}

/// The beginning of a text, if it is long.
pub fn shortened(text: &str) -> String {
    beginning(text, 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> GoCommand {
        match read(line) {
            HostCommand::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    fn millis(limits: Option<Limits>) -> u128 {
        limits.unwrap().movetime.unwrap().as_millis()
    }

    #[test]
    fn positions_are_start_or_text_with_moves() {
        let position = |from: Option<&str>, moves: &str| HostCommand::Position {
            from: from.map(str::to_owned),
            moves: moves.to_owned(),
        };
        assert_eq!(read("position startpos"), position(None, ""));
        assert_eq!(read("position startpos moves a1  b2"), position(None, "a1 b2"));
        assert_eq!(read(" position fen x/ y w moves c3 "), position(Some("x/ y w"), "c3"));
        for wrong in ["position", "position 17", "position startpos x moves a1"] {
            assert!(matches!(read(wrong), HostCommand::Unknown(_)), "{wrong}");
        }
    }

    #[test]
    fn options_may_have_blanks_in_name_and_value() {
        let set = |name: &str, value: &str| HostCommand::SetOption {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        assert_eq!(read("setoption name Hash value 17"), set("Hash", "17"));
        assert_eq!(read("setoption name Move Overhead value 1 2"), set("Move Overhead", "1 2"));
        assert_eq!(read("setoption name Clear"), set("Clear", ""));
        assert_eq!(read("setoption name Params value <empty>"), set("Params", ""));
        assert_eq!(read("setoption name Params value"), set("Params", ""));
        assert!(matches!(read("setoption Hash 17"), HostCommand::Unknown(_)));
    }

    #[test]
    fn limits_of_uci_and_ugi_are_read() {
        assert_eq!(go("go").limits(Some(Player::First), 0), None);
        let depth = go("go depth 5").limits(None, 0).unwrap();
        assert_eq!((depth.depth, depth.nodes, depth.movetime), (Some(5), None, None));
        assert_eq!(go("go nodes 0").limits(None, 0).unwrap().nodes, Some(1));
        assert_eq!(go("go mate 3").limits(None, 0).unwrap().depth, Some(5));
        assert_eq!(millis(go("go movetime 100").limits(None, 10)), 90);
        assert_eq!(millis(go("go movetime 5").limits(None, 10)), 2);
        assert_eq!(go("go infinite").limits(None, 0), Some(Limits::default()));
        for line in [
            "go p1time 60010 p2time 30010 p1inc 0 p2inc 100",
            "go wtime 60010 btime 30010 winc 0 binc 100",
        ] {
            assert_eq!(millis(go(line).limits(Some(Player::First), 10)), 2000);
            assert_eq!(millis(go(line).limits(Some(Player::Second), 10)), 1080);
        }
        assert_eq!(millis(go("go wtime 1010 movestogo 1").limits(Some(Player::First), 10)), 1000);
    }

    #[test]
    fn nonsense_is_no_panic() {
        let strange = go("go depth x nodes -4 wtime -50 binc 9e99 movestogo 0 searchmoves a1");
        assert_eq!(strange.ignored, ["depth", "x", "searchmoves", "a1"]);
        assert_eq!(strange.nodes, Some(1));
        assert_eq!(millis(strange.limits(Some(Player::First), 10)), 1);
        assert!(strange.limits(Some(Player::Second), i64::MAX).is_some());
        let huge = go("go mate 9223372036854775807 movetime -9223372036854775808");
        assert_eq!(millis(huge.limits(None, 10)), 1);
        assert_eq!(read("  "), HostCommand::Nothing);
        assert!(matches!(read(&"ü".repeat(1000)), HostCommand::Unknown(text) if text.len() < 200));
    }
}
