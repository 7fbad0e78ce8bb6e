//! The lines of the Go Text Protocol, version 2, for hosts and engines.
//!
//! <https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>: a command is one line
//! with an optional number. An answer begins with `=` or, for a failure, `?`, and this number. It
//! ends with an empty line.

use crate::games::Player;

/// A command of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GtpCommand {
    /// The number, if it has one.
    pub id: Option<u32>,
    /// Its name, in small letters.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<String>,
}

impl GtpCommand {
    /// Reads a line; `None` if it has no command. Comments begin with `#`.
    pub fn read(line: &str) -> Option<GtpCommand> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace().peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        let name = words.next()?.to_ascii_lowercase();
        Some(GtpCommand { id, name, arguments: words.map(str::to_owned).collect() })
    }

    /// The whole answer to this command, with the empty line at its end.
    pub fn answer(&self, result: &Result<String, String>) -> String {
        let (sign, text) = match result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        // An empty line would end the answer.
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        format!("{sign}{id} {}\n\n", lines.join("\n"))
    }
}

/// Collects an engine's answer line by line.
#[derive(Debug, Clone, Default)]
pub struct GtpAnswer {
    /// The number of the command.
    pub id: Option<u32>,
    /// Whether the command failed.
    pub is_error: bool,
    /// The answer without sign and number.
    pub text: String,
    begun: bool,
}

impl GtpAnswer {
    /// Takes the next line. Returns whether the answer is complete. Lines outside of answers are
    /// ignored.
    pub fn is_complete(&mut self, line: &str) -> bool {
        if !self.begun {
            let Some(rest) = line.strip_prefix(['=', '?']) else { return false };
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            self.id = rest[..digits].parse().ok();
            self.is_error = line.starts_with('?');
            self.text.clear();
            self.text.push_str(rest[digits..].trim());
            self.begun = true;
            return false;
        }
        if line.trim().is_empty() {
            self.begun = false;
            return true;
        }
        self.text.push('\n');
        self.text.push_str(line);
        false
    }
}

/// The letter of a player: Black moves first.
pub fn colour(player: Player) -> &'static str {
    ["b", "w"][player.index()]
}

/// Reads a colour.
pub fn read_colour(word: &str) -> Option<Player> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Player::First),
        "w" | "white" => Some(Player::Second),
        _ => None,
    }
}

/// A final score: `B+3.5`, `W+7` or `0`.
pub fn write_score(lead: f64) -> String {
    match lead {
        0.0 => "0".to_owned(),
        lead if lead > 0.0 => format!("B+{lead}"),
        lead => format!("W+{}", -lead),
    }
}

/// Reads a final score: the first player's lead.
pub fn read_score(text: &str) -> Option<f64> {
    let text = text.split_ascii_whitespace().next()?;
    if text == "0" || text.eq_ignore_ascii_case("draw") {
        return Some(0.0);
    }
    let (winner, lead) = text.split_once('+')?;
    let lead: f64 = lead.parse().ok().filter(|lead: &f64| lead.is_finite())?;
    Some(lead * f64::from(read_colour(winner)?.sign()))
}

/// A game that is played by this protocol.
#[derive(Debug, Clone, PartialEq)]
pub struct GtpGame {
    /// Rows and columns.
    pub size: u32,
    /// The komi; `None` if the game is Othello.
    pub komi: Option<f64>,
    /// Whether a player may remove own stones.
    pub suicide: bool,
}

impl GtpGame {
    /// The game with this kind and these parameters (`size=9,komi=7.5`), if the protocol has it.
    pub fn of(kind: &str, params: &str) -> Option<GtpGame> {
        let value = |key: &str| {
            let mut pairs = params.split(',').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
        };
        let number = |key, default: f64| {
            value(key).and_then(|value: &str| value.parse().ok()).unwrap_or(default)
        };
        match kind {
            "go" => Some(GtpGame {
                size: number("size", 9.0) as u32,
                komi: Some(number("komi", 7.5)),
                suicide: value("suicide") == Some("true"),
            }),
            "othello" => {
                Some(GtpGame { size: number("size", 8.0) as u32, komi: None, suicide: false })
            }
            _ => None,
        }
    }

    /// The first player's lead in points from the payoff of a finished game.
    pub fn lead(&self, payoff: i32) -> f64 {
        // The payoff of Go is in half points.
        if self.komi.is_some() { f64::from(payoff) / 2.0 } else { f64::from(payoff) }
    }

    /// Whether two leads are the same result. In Othello some engines count the empty cells for the
    /// winner.
    pub fn agrees(&self, own: f64, engine: f64) -> bool {
        let with_empty_cells = own * engine > 0.0 && engine.abs() > own.abs();
        own == engine || self.komi.is_none() && with_empty_cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_numbers_and_comments() {
        let read = |line| GtpCommand::read(line).map(|c| (c.id, c.name, c.arguments.join(" ")));
        let is = |id, name: &str, rest: &str| Some((id, name.to_owned(), rest.to_owned()));
        assert_eq!(read("7 Play  B\tD4 # a comment\r\n"), is(Some(7), "play", "B D4"));
        assert_eq!(read("genmove w"), is(None, "genmove", "w"));
        assert_eq!(read("  # nothing"), None);
        assert_eq!(read("12"), None);
        let command = GtpCommand::read("3 name").expect("a command");
        assert_eq!(command.answer(&Ok("agon".into())), "=3 agon\n\n");
        assert_eq!(command.answer(&Err("a\n\nb".into())), "?3 a\nb\n\n");
    }

    #[test]
    fn answers_end_with_an_empty_line() {
        let mut answer = GtpAnswer::default();
        let complete = |answer: &mut GtpAnswer, lines: &[&str]| {
            lines.iter().map(|line| answer.is_complete(line)).collect::<Vec<_>>()
        };
        assert_eq!(complete(&mut answer, &["noise", "", "=4 D4", ""]), [false, false, false, true]);
        assert_eq!((answer.id, answer.is_error, answer.text.as_str()), (Some(4), false, "D4"));
        assert_eq!(complete(&mut answer, &["?17illegal move", "more", ""]), [false, false, true]);
        assert_eq!((answer.id, answer.is_error), (Some(17), true));
        assert_eq!(answer.text, "illegal move\nmore");
    }

    #[test]
    fn scores_are_written_and_read() {
        for (lead, text) in [(3.5, "B+3.5"), (-7.0, "W+7"), (0.0, "0")] {
            assert_eq!((write_score(lead).as_str(), read_score(text)), (text, Some(lead)));
        }
        assert_eq!(read_score("W+Resign"), None);
        assert_eq!(read_score("?"), None);
        let go = GtpGame::of("go", "komi=6.5,margin=false,size=19,suicide=true").expect("go");
        assert_eq!(go, GtpGame { size: 19, komi: Some(6.5), suicide: true });
        assert!(go.agrees(1.5, 1.5) && !go.agrees(1.5, 2.5));
        let othello = GtpGame::of("othello", "size=8").expect("othello");
        assert!(othello.agrees(20.0, 24.0) && !othello.agrees(20.0, 18.0));
        assert!(!othello.agrees(2.0, -4.0) && !othello.agrees(0.0, 4.0));
        assert_eq!((go.lead(-3), GtpGame::of("chess", "")), (-1.5, None));
    }
}
