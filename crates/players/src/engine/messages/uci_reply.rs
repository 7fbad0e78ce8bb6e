//! The lines of an engine in UCI and UGI.

use std::fmt;

use super::engine_option::EngineOption;
use super::uci_command::{UCI, UGI, Words};
use super::uci_info::Details;

/// A line of an engine. `parse` reads it, `Display` writes it without the line end.
#[derive(Debug, Clone, PartialEq)]
pub enum UciReply<'l> {
    /// `id name NAME`.
    Name(&'l str),
    /// `id author NAME`.
    Author(&'l str),
    /// `option name …`.
    Option(EngineOption),
    /// `uciok` or `ugiok`: the end of the answer to the greeting.
    Greeted(Words),
    /// `readyok`.
    ReadyOk,
    /// Search information: the text after `info`.
    Info(&'l str),
    /// `info string details …`.
    Details(Details),
    /// `info string unavailable TEXT`: a service that the engine calls does not answer it.
    Unavailable(&'l str),
    /// `info string cost …`: the text after `cost`.
    Cost(&'l str),
    /// `info string TEXT`: for people.
    Message(&'l str),
    /// `bestmove MOVE`; empty if the line has no move.
    BestMove(&'l str),
    /// `response WORD`, the answer to a query.
    Response(&'l str),
    /// Any other line.
    Other,
}

impl<'l> UciReply<'l> {
    /// Reads a line without white space at its ends.
    pub fn parse(line: &'l str) -> UciReply<'l> {
        let (word, rest) = first_word(line);
        match word {
            "id" => match first_word(rest) {
                ("name", name) => UciReply::Name(name),
                ("author", author) => UciReply::Author(author),
                _ => UciReply::Other,
            },
            "option" => EngineOption::parse(rest).map_or(UciReply::Other, UciReply::Option),
            "uciok" if rest.is_empty() => UciReply::Greeted(UCI),
            "ugiok" if rest.is_empty() => UciReply::Greeted(UGI),
            "readyok" if rest.is_empty() => UciReply::ReadyOk,
            "info" => match first_word(rest) {
                ("string", text) => match first_word(text) {
                    ("details", details) => UciReply::Details(Details::parse(details)),
                    ("unavailable", why) => UciReply::Unavailable(why),
                    ("cost", cost) => UciReply::Cost(cost),
                    _ => UciReply::Message(text),
                },
                _ => UciReply::Info(rest),
            },
            "bestmove" => UciReply::BestMove(first_word(rest).0),
            "response" => UciReply::Response(first_word(rest).0),
            _ => UciReply::Other,
        }
    }
}

/// The first word of a line, and the text after the white space that follows it.
fn first_word(line: &str) -> (&str, &str) {
    let end = line.find(|c: char| c.is_ascii_whitespace()).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii_start())
}

impl fmt::Display for UciReply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciReply::Name(name) => write!(f, "id name {name}"),
            UciReply::Author(author) => write!(f, "id author {author}"),
            UciReply::Option(option) => option.fmt(f),
            UciReply::Greeted(words) => write!(f, "{}ok", words.hello),
            UciReply::ReadyOk => f.write_str("readyok"),
            UciReply::Info(info) => write!(f, "info {info}"),
            UciReply::Details(details) => write!(f, "info string details{details}"),
            UciReply::Unavailable(why) => write!(f, "info string unavailable {why}"),
            UciReply::Cost(cost) => write!(f, "info string cost {cost}"),
            UciReply::Message(text) => write!(f, "info string {text}"),
            UciReply::BestMove(mv) => write!(f, "bestmove {mv}"),
            UciReply::Response(word) => write!(f, "response {word}"),
            UciReply::Other => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for line in [
            "id name agon 0.1.0 random",
            "id author the authors of agon",
            "option name Skill Level type spin default 20 min 0 max 20",
            "option name Style type combo default Both var Off var White Side",
            "option name Book File type string default <empty>",
            "option name Clear Hash type button",
            "uciok",
            "ugiok",
            "readyok",
            "info depth 1 pv a1",
            "info string details words 12 value -0.25",
            "info string cost 0.0021 tokens_in 310 tokens_out 25",
            "info string hello",
            "bestmove a1",
            "response true",
        ] {
            assert_eq!(UciReply::parse(line).to_string(), line);
        }
    }

    #[test]
    fn moves_are_found_in_lines_of_engines() {
        let read = UciReply::parse;
        assert_eq!(read("bestmove e2e4 ponder e7e5"), UciReply::BestMove("e2e4"));
        assert_eq!(read("bestmove\t(none)"), UciReply::BestMove("(none)"));
        assert_eq!(read("bestmove"), UciReply::BestMove(""));
        assert_eq!(read("bestmoves e2e4"), UciReply::Other);
        assert_eq!(read("info string bestmove e2e4"), UciReply::Message("bestmove e2e4"));
        assert_eq!(read("readyok now"), UciReply::Other);
    }
}
