//! Reads openings from files (text, EPD or PGN) in one pass and keeps only those that are needed.
//! What a file is follows from its first bytes. All formats, and lists, pass through
//! [`OpeningCollector`].

use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::opening_collector::{OpeningChoice, OpeningCollector};
use crate::config::tree::source_of_each_value::{Unreadable, foreign, open_file};
use crate::play::{AnyGame, OpeningSource, PgnError, PgnReader};

/// The default number of plies that are taken from the games of a PGN file.
const PGN_PLIES: u32 = 8;

/// Text files of this size in bytes or larger are read only until there are enough openings.
const LARGE: u64 = 4 << 20;

/// Number of openings that are taken in the order of the file even if fewer are played.
const KEPT: u64 = 1000;

/// The maximum number of bytes of a line.
const LONGEST_LINE: usize = 1 << 20;

/// The number of wrong lines after which reading ends.
const MOST_WRONG: usize = 5;

/// A line that is no opening.
#[derive(Debug)]
pub(crate) struct WrongLine {
    /// Its number, from 1.
    pub number: u64,
    /// Its text or the word at fault; `…` if it was not kept.
    pub text: String,
    pub message: String,
}

pub(crate) struct OpeningFile {
    pub collected: OpeningCollector,
    pub wrong: Vec<WrongLine>,
}

/// The distinct openings of a file, in their order.
///
/// # Errors
/// A file that cannot be read, or has another format.
pub(crate) fn read(
    path: &Path,
    mut choice: OpeningChoice,
    any_game: &AnyGame,
) -> Result<OpeningFile, Unreadable> {
    let file = open_file(path)?;
    let size = file.metadata().map_or(u64::MAX, |data| data.len());
    let mut input = BufReader::with_capacity(1 << 16, file);
    let is_pgn = is_pgn(input.fill_buf().map_err(|error| unreadable(&error))?, path)?;
    let has_pgn = any_game.pgn_header(&any_game.start()).is_some();
    if is_pgn && !has_pgn {
        return Err(Unreadable {
            reason: "it has games with tags (PGN or PDN), which agon reads for chess only"
                .to_owned(),
            help: "write one opening a line: moves separated by blanks, or a position".to_owned(),
        });
    }
    let in_order = choice.seed.is_none();
    choice.most = match is_pgn || choice.rule.plies.is_some() || size > LARGE {
        true if in_order => choice.most.max(KEPT),
        false if in_order => u64::MAX,
        _ => choice.most,
    };
    if is_pgn {
        choice.rule.plies = choice.rule.plies.or(Some(PGN_PLIES));
    }
    let unit = if is_pgn { "games" } else { "lines" };
    let mut read =
        OpeningFile { collected: OpeningCollector::new(choice, unit), wrong: Vec::new() };
    let done = match is_pgn {
        true => read.games(input, any_game),
        false => read.lines(input, any_game),
    };
    done.map_err(|error| unreadable(&error))?;
    Ok(read)
}

fn unreadable(error: &io::Error) -> Unreadable {
    Unreadable { reason: error.to_string(), help: String::new() }
}

/// Whether a file that begins with these bytes is PGN; otherwise it has lines of text.
fn is_pgn(begin: &[u8], path: &Path) -> Result<bool, Unreadable> {
    if let Some(foreign) = foreign(begin) {
        return Err(foreign);
    }
    if begin.contains(&0) {
        return Err(Unreadable {
            reason: "it is a binary file, not text".to_owned(),
            help:
                "openings are PGN, EPD or lines of moves; export books such as `.bin`, `.ctg` or \
                   `.abk` as PGN"
                    .to_owned(),
        });
    }
    let text = String::from_utf8_lossy(begin);
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.split(['\n', '\r']).map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(['%', '#']));
    let first = first.unwrap_or_default();
    if first.starts_with("(;") {
        return Err(Unreadable {
            reason: "it has games in SGF or GGF, which agon does not read".to_owned(),
            help: "write one opening a line: moves separated by blanks, or a position".to_owned(),
        });
    }
    let is_tag = first.strip_prefix('[').is_some_and(|rest| {
        rest.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('"')
    });
    let is_named_pgn = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pgn"));
    let is_position = first.split(' ').next().unwrap_or_default().matches('/').count() == 7;
    Ok(is_tag || is_named_pgn && !is_position)
}

impl OpeningFile {
    fn wrong(&mut self, number: u64, text: &str, message: String) {
        // Text in another encoding may be the reason.
        let message = match text.contains('\u{fffd}') {
            true => format!("the line is not UTF-8 text: {message}"),
            false => message,
        };
        let text = if text.is_empty() { "…" } else { text };
        self.wrong.push(WrongLine { number, text: text.to_owned(), message });
    }

    /// Whether more openings are needed, and not too many lines are wrong.
    fn goes_on(&self) -> bool {
        !self.collected.is_full() && self.wrong.len() < MOST_WRONG
    }

    /// Reads one opening per line. Skips blank lines and lines with #.
    fn lines(&mut self, mut input: impl BufRead, any_game: &AnyGame) -> io::Result<()> {
        let (mut bytes, mut number) = (Vec::new(), 0);
        while self.goes_on() && read_line(&mut input, &mut bytes)? {
            number += 1;
            if bytes.len() > LONGEST_LINE {
                self.wrong(number, "", "the line is longer than 1 MiB".to_owned());
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_start_matches('\u{feff}');
            let text = line.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            if let Err(error) = self.collected.take(any_game, OpeningSource::Line(text)) {
                self.wrong(number, line, error.message);
            }
        }
        Ok(())
    }

    /// Takes the first plies of games.
    fn games(&mut self, input: impl BufRead, any_game: &AnyGame) -> io::Result<()> {
        let plies = self.collected.choice.rule.plies.unwrap_or(PGN_PLIES) as usize;
        let variant = any_game.pgn_header(&any_game.start()).and_then(|header| header.variant);
        let mut reader = PgnReader::new(input);
        while self.goes_on() {
            let game = match reader.next_game(plies) {
                Ok(Some(game)) => game,
                Ok(None) => break,
                Err(PgnError::Input(error)) => return Err(error),
                Err(PgnError::Line(line, why)) => {
                    self.wrong(line, "", why);
                    break;
                }
            };
            if let Some((named, line)) = &game.variant
                && let Err(why) = check_variant(named, variant)
            {
                self.wrong(*line, "", why);
                continue;
            }
            let moves: Vec<&str> = game.moves.iter().map(|(word, _)| word.as_str()).collect();
            let source = OpeningSource::Game { position: game.position.as_deref(), moves: &moves };
            if let Err(error) = self.collected.take(any_game, source) {
                let at = error.word.and_then(|word| game.moves.get(word));
                let (text, line) =
                    at.map_or(("", game.position_line), |(word, line)| (word, *line));
                self.wrong(line, text, error.message);
            }
        }
        Ok(())
    }
}

/// Reads a line without its end: `\n`, `\r` or both. Returns whether there is one.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut is_any = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(is_any);
        }
        is_any = true;
        let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let length = end.unwrap_or(buffer.len());
        if line.len() <= LONGEST_LINE {
            line.extend_from_slice(&buffer[..length]);
        }
        let is_return = end.is_some_and(|end| buffer[end] == b'\r');
        input.consume(length + usize::from(end.is_some()));
        if is_return && input.fill_buf()?.first() == Some(&b'\n') {
            input.consume(1);
        }
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Checks the tag `Variant` of a game against the variant that is played; `None` is standard chess.
///
/// Other programs write the tag in many ways, and also for standard chess. Every game of standard
/// chess is one of Chess960.
fn check_variant(named: &str, played: Option<&str>) -> Result<(), String> {
    let word: String = named.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let random_start =
        ["960", "chess960", "fischerandom", "fischerrandom"].contains(&word.as_str());
    match played {
        _ if ["", "chess", "fromposition", "normal", "standard"].contains(&word.as_str()) => Ok(()),
        Some(_) if random_start => Ok(()),
        None if random_start => {
            Err(format!("a game of `{named}`: set `variant = \"960\"` in `[game]`"))
        }
        _ => Err(format!("a game of `{named}`, not of standard chess or Chess960")),
    }
}
