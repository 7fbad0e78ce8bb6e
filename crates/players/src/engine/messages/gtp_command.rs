//! The lines of the Go Text Protocol, version 2, for hosts and engines.
//!
//! <https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html>: a command is one line
//! with an optional number. An answer begins with `=` or, for a failure, `?`, and this number. It
//! ends with an empty line.

use std::str::FromStr;

use crate::engine::connection::Line;
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
    pub fn parse(line: &str) -> Option<GtpCommand> {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace().peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        let name = words.next()?.to_ascii_lowercase();
        Some(GtpCommand { id, name, arguments: words.map(str::to_owned).collect() })
    }

    /// Reads the argument at this place.
    ///
    /// # Errors
    /// The failure for the host: there is no such argument, or it has another form.
    pub fn argument<T: FromStr>(&self, place: usize) -> Result<T, String> {
        let word = self.arguments.get(place);
        word.and_then(|word| word.parse().ok()).ok_or_else(|| "syntax error".to_owned())
    }

    /// The player of the first argument, a colour.
    ///
    /// # Errors
    /// As [`GtpCommand::argument`].
    pub fn player(&self) -> Result<Player, String> {
        read_colour(&self.argument::<String>(0)?).ok_or_else(|| "syntax error".to_owned())
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
    /// Takes the next line. Lines outside of answers are ignored.
    pub fn add(&mut self, line: &str) -> Line<()> {
        if !self.begun {
            let Some(rest) = line.strip_prefix(['=', '?']) else { return Line::Other };
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            self.id = rest[..digits].parse().ok();
            self.is_error = line.starts_with('?');
            self.text.clear();
            self.text.push_str(rest[digits..].trim());
            self.begun = true;
            return Line::Part;
        }
        if line.trim().is_empty() {
            self.begun = false;
            return Line::End(());
        }
        self.text.push('\n');
        self.text.push_str(line);
        Line::Part
    }
}

/// The letter of a player: Black moves first.
pub fn colour(player: Player) -> &'static str {
    ["b", "w"][player.index()]
}

/// Reads a colour.
fn read_colour(word: &str) -> Option<Player> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_numbers_and_comments() {
        let read = |line| GtpCommand::parse(line).map(|c| (c.id, c.name, c.arguments.join(" ")));
        let is = |id, name: &str, rest: &str| Some((id, name.to_owned(), rest.to_owned()));
        assert_eq!(read("7 Play  B\tD4 # a comment\r\n"), is(Some(7), "play", "B D4"));
        assert_eq!(read("genmove w"), is(None, "genmove", "w"));
        assert_eq!(read("  # nothing"), None);
        assert_eq!(read("12"), None);
        let command = GtpCommand::parse("3 name").expect("a command");
        assert_eq!(command.answer(&Ok("agon".into())), "=3 agon\n\n");
        assert_eq!(command.answer(&Err("a\n\nb".into())), "?3 a\nb\n\n");
    }

    #[test]
    fn answers_end_with_an_empty_line() {
        let mut answer = GtpAnswer::default();
        let complete = |answer: &mut GtpAnswer, lines: &[&str]| {
            let is_end = |line: &&str| matches!(answer.add(line), Line::End(()));
            lines.iter().map(is_end).collect::<Vec<_>>()
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
    }
}
