//! The commands of a host in UCI and UGI.

use std::fmt;

use crate::util::beginning_of_text::beginning;

/// The words that differ between UCI and UGI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// The greeting. The engine's answer and the command for a new game begin with this word.
    pub hello: &'static str,
    /// Prefixes of the clock commands for the first and the second player.
    pub players: [&'static str; 2],
}

/// The words of UCI, in which the first player is white.
pub const UCI: Words = Words { hello: "uci", players: ["w", "b"] };

/// The words of UGI.
pub const UGI: Words = Words { hello: "ugi", players: ["p1", "p2"] };

/// A line of a host. `parse` reads it, `Display` writes it without the line end.
#[derive(Debug, Clone, PartialEq)]
pub enum UciCommand {
    /// The handshake in UCI or UGI.
    Greeting(Words),
    /// `isready`: answered with `readyok` when all earlier commands are done.
    IsReady,
    /// `ucinewgame`, or `uginewgame`.
    NewGame(Words),
    /// `setoption name NAME value VALUE`.
    SetOption {
        /// The name; it may contain spaces.
        name: String,
        /// The value; a button has none.
        value: Option<String>,
    },
    /// `position startpos|fen TEXT moves …`.
    Position {
        /// The text of the position; `None` is the start.
        from: Option<String>,
        /// The moves after it, separated by one space.
        moves: String,
    },
    /// `go` with its limits.
    Go(GoCommand),
    /// `illegal TEXT`: the last move is not legal, and why. The same position and `go` follow.
    Illegal(String),
    /// Ends the search; the engine then answers with its move.
    Stop,
    /// Ends the engine.
    Quit,
    /// `query p1turn`, `query gameover` or `query result`.
    Query(String),
    /// `d`: shows the position to people.
    Display,
    /// An empty line, or a command without effect.
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
    pub increment: [Option<i64>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<i64>,
    /// Milliseconds for the move.
    pub movetime: Option<i64>,
    /// Positions for the move.
    pub nodes: Option<u64>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Whether the clocks are those of `w` and `b`, as in UCI, and not of `p1` and `p2`.
    pub has_colours: bool,
    /// Unknown words.
    pub ignored: Vec<String>,
}

impl UciCommand {
    /// Reads a line of a host.
    pub fn parse(line: &str) -> UciCommand {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let Some((&first, rest)) = words.split_first() else { return UciCommand::Nothing };
        match first {
            "uci" => UciCommand::Greeting(UCI),
            "ugi" => UciCommand::Greeting(UGI),
            "isready" => UciCommand::IsReady,
            "ucinewgame" => UciCommand::NewGame(UCI),
            "uginewgame" => UciCommand::NewGame(UGI),
            "setoption" => set_option(rest),
            "position" => position(rest),
            "go" => UciCommand::Go(GoCommand::parse(rest)),
            "illegal" => UciCommand::Illegal(rest.join(" ")),
            // There is no pondering, so `ponderhit` is the same as `stop`.
            "stop" | "ponderhit" => UciCommand::Stop,
            "quit" | "exit" => UciCommand::Quit,
            "query" => UciCommand::Query(rest.join(" ")),
            "d" => UciCommand::Display,
            "debug" | "register" => UciCommand::Nothing,
            other => UciCommand::Unknown(format!("unknown command `{}`", beginning(other, 60))),
        }
    }
}

impl fmt::Display for UciCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciCommand::Greeting(words) => f.write_str(words.hello),
            UciCommand::IsReady => f.write_str("isready"),
            UciCommand::NewGame(words) => write!(f, "{}newgame", words.hello),
            UciCommand::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            UciCommand::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            UciCommand::Position { from, moves } => {
                match from {
                    None => f.write_str("position startpos")?,
                    Some(from) => write!(f, "position fen {from}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {moves}") }
            }
            UciCommand::Go(go) => go.fmt(f),
            UciCommand::Illegal(why) => write!(f, "illegal {why}"),
            UciCommand::Stop => f.write_str("stop"),
            UciCommand::Quit => f.write_str("quit"),
            UciCommand::Query(what) => write!(f, "query {what}"),
            UciCommand::Display => f.write_str("d"),
            UciCommand::Nothing | UciCommand::Unknown(_) => Ok(()),
        }
    }
}

impl GoCommand {
    fn parse(words: &[&str]) -> GoCommand {
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
                "p1inc" | "winc" => value.map(|value| go.increment[0] = Some(value)),
                "p2inc" | "binc" => value.map(|value| go.increment[1] = Some(value)),
                "movestogo" => value.map(|value| go.moves_to_go = Some(value)),
                "movetime" => value.map(|value| go.movetime = Some(value)),
                "nodes" => value.map(|value| go.nodes = Some(u64::try_from(value).unwrap_or(1))),
                "depth" => value.map(|value| go.depth = Some(plies(value))),
                "mate" => value.map(|value| go.depth = Some(plies(value.saturating_mul(2) - 1))),
                _ => None,
            };
            match known {
                Some(()) => {
                    go.has_colours |= ["wtime", "btime", "winc", "binc"].contains(&word);
                    rest = ahead;
                }
                None => go.ignored.push(word.to_owned()),
            }
        }
        go
    }
}

impl fmt::Display for GoCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = if self.has_colours { UCI.players } else { UGI.players };
        let numbers = [
            (first, "time", self.time[0]),
            (second, "time", self.time[1]),
            (first, "inc", self.increment[0]),
            (second, "inc", self.increment[1]),
            ("", "movestogo", self.moves_to_go),
            ("", "movetime", self.movetime),
            ("", "nodes", self.nodes.map(|nodes| nodes.min(i64::MAX as u64) as i64)),
            ("", "depth", self.depth.map(i64::from)),
        ];
        f.write_str(if self.infinite { "go infinite" } else { "go" })?;
        numbers.iter().try_for_each(|(player, name, number)| {
            number.map_or(Ok(()), |number| write!(f, " {player}{name} {number}"))
        })
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

fn set_option(words: &[&str]) -> UciCommand {
    let name_at = words.iter().position(|&word| word.eq_ignore_ascii_case("name"));
    let value_at = words.iter().position(|&word| word.eq_ignore_ascii_case("value"));
    let Some(name_at) = name_at else {
        return UciCommand::Unknown(
            "set an option with `setoption name NAME value VALUE`".to_owned(),
        );
    };
    let end = value_at.filter(|&at| at > name_at).unwrap_or(words.len());
    let value = words.get(end + 1..).map(|words| words.join(" "));
    let value = value.map(|value| if value == "<empty>" { String::new() } else { value });
    UciCommand::SetOption { name: words[name_at + 1..end].join(" "), value }
}

fn position(words: &[&str]) -> UciCommand {
    let end = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let moves = words.get(end + 1..).map(|words| words.join(" ")).unwrap_or_default();
    match words[..end] {
        ["startpos"] => UciCommand::Position { from: None, moves },
        ["fen", ref text @ ..] => UciCommand::Position { from: Some(text.join(" ")), moves },
        _ => UciCommand::Unknown(
            "write `position startpos` or `position fen TEXT`, then `moves …`".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(line: &str) -> GoCommand {
        match UciCommand::parse(line) {
            UciCommand::Go(go) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn positions_are_start_or_text_with_moves() {
        let position = |from: Option<&str>, moves: &str| UciCommand::Position {
            from: from.map(str::to_owned),
            moves: moves.to_owned(),
        };
        let read = UciCommand::parse;
        assert_eq!(read("position startpos"), position(None, ""));
        assert_eq!(read("position startpos moves a1  b2"), position(None, "a1 b2"));
        assert_eq!(read(" position fen x/ y w moves c3 "), position(Some("x/ y w"), "c3"));
        for wrong in ["position", "position 17", "position startpos x moves a1"] {
            assert!(matches!(read(wrong), UciCommand::Unknown(_)), "{wrong}");
        }
    }

    #[test]
    fn options_may_have_blanks_in_name_and_value() {
        let set = |name: &str, value: Option<&str>| UciCommand::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        let read = UciCommand::parse;
        assert_eq!(read("setoption name Hash value 17"), set("Hash", Some("17")));
        assert_eq!(
            read("setoption name Move Overhead value 1 2"),
            set("Move Overhead", Some("1 2"))
        );
        assert_eq!(read("setoption name Clear"), set("Clear", None));
        assert_eq!(read("setoption name Params value <empty>"), set("Params", Some("")));
        assert_eq!(read("setoption name Params value"), set("Params", Some("")));
        assert!(matches!(read("setoption Hash 17"), UciCommand::Unknown(_)));
    }

    #[test]
    fn commands_are_read_as_they_are_written() {
        for line in [
            "uci",
            "ugi",
            "isready",
            "ucinewgame",
            "uginewgame",
            "setoption name Clear Hash",
            "setoption name Move Overhead value 1 2",
            "position startpos",
            "position startpos moves a1 b2",
            "position fen x/y w moves c3",
            "go",
            "go infinite",
            "go wtime 8000 btime 60000 winc 80 binc 0 movestogo 40",
            "go p1time 5000 p2time 5000 movetime 7 nodes 8 depth 9",
            "illegal it answered `9`: the column is full",
            "stop",
            "query p1turn",
            "d",
            "quit",
        ] {
            assert_eq!(UciCommand::parse(line).to_string(), line);
        }
    }

    #[test]
    fn nonsense_is_no_panic() {
        let strange = go("go depth x nodes -4 wtime -50 binc 9e99 movestogo 0 searchmoves a1");
        assert_eq!(strange.ignored, ["depth", "x", "searchmoves", "a1"]);
        assert_eq!(strange.nodes, Some(1));
        assert_eq!(UciCommand::parse("  "), UciCommand::Nothing);
        let unknown = UciCommand::parse(&"ü".repeat(1000));
        assert!(matches!(unknown, UciCommand::Unknown(text) if text.len() < 200));
    }
}
