//! Reads games in PGN one after the other; the memory does not grow with the file.
//!
//! The reader keeps the first position and the first moves of each game. It ignores comments,
//! variations, annotations and lines that begin with `%` (S. Edwards, "Portable Game Notation
//! specification and implementation guide", 1994).

use std::io::{self, BufRead};

/// The beginning of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// Number of the game's first line, from 1.
    pub line: u64,
    /// The position in the tag `FEN`.
    pub position: Option<String>,
    /// Line number of that tag; 0 if there is none.
    pub position_line: u64,
    /// The tag `Variant`, and its line number.
    pub variant: Option<(String, u64)>,
    /// The first moves, each with its line number.
    pub moves: Vec<(String, u64)>,
}

/// Reads games from a PGN file.
pub struct PgnReader<R> {
    input: R,
    bytes: Vec<u8>,
    line: String,
    number: u64,
    /// Whether the current line belongs to the next game.
    waiting: bool,
}

impl<R: BufRead> PgnReader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Self {
        PgnReader { input, bytes: Vec::new(), line: String::new(), number: 0, waiting: false }
    }

    /// The next game with at most `most` moves, if there is one. A game ends with its result, or
    /// before the tags of the next game.
    ///
    /// # Errors
    /// An error of the input, or a comment without an end, which would hide all later games.
    pub fn next_game(&mut self, most: usize) -> io::Result<Option<PgnGame>> {
        let mut game = PgnGame::default();
        let mut text = Movetext { most, depth: 0, comment: None, begun: false, ended: false };
        while self.advance()? {
            let line = self.line.trim();
            if line.starts_with('%') && text.comment.is_none() {
                continue;
            }
            // A variation without an end stops at the next game.
            let inside = text.depth > 0 && tag(line, "Event").is_none();
            if line.starts_with('[') && text.comment.is_none() && !inside {
                if text.begun {
                    self.waiting = true;
                    return Ok(Some(game));
                }
                game.line = if game.line == 0 { self.number } else { game.line };
                if let Some(position) = tag(line, "FEN") {
                    game.position = Some(position);
                    game.position_line = self.number;
                }
                if let Some(variant) = tag(line, "Variant") {
                    game.variant = Some((variant, self.number));
                }
                continue;
            }
            if game.line == 0 && !line.is_empty() {
                game.line = self.number;
            }
            text.take(line, self.number, &mut game.moves);
            if text.ended {
                return Ok(Some(game));
            }
        }
        if let Some(line) = text.comment {
            let message = format!("the comment that begins in line {line} never ends");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok((game.line > 0).then_some(game))
    }

    /// Goes to the next line; returns whether there is one.
    fn advance(&mut self) -> io::Result<bool> {
        if std::mem::take(&mut self.waiting) {
            return Ok(true);
        }
        self.bytes.clear();
        if self.input.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(false);
        }
        self.number += 1;
        self.line.clear();
        // Names may have any encoding; the reader needs only ASCII text.
        self.line.push_str(&String::from_utf8_lossy(&self.bytes));
        Ok(true)
    }
}

/// The value of this tag, if the line contains the tag.
fn tag(line: &str, name: &str) -> Option<String> {
    let rest = line.strip_prefix('[')?.trim_start().strip_prefix(name)?;
    let value = rest.trim_start().strip_prefix('"')?;
    Some(value[..value.rfind('"')?].to_owned())
}

/// The state of the reader in the moves of a game.
struct Movetext {
    most: usize,
    /// Number of open variations.
    depth: u32,
    /// The line number at which an open comment in braces began.
    comment: Option<u64>,
    /// Whether anything other than tags was read.
    begun: bool,
    /// Whether the result was read.
    ended: bool,
}

impl Movetext {
    fn take(&mut self, line: &str, number: u64, moves: &mut Vec<(String, u64)>) {
        let mut word = String::new();
        for letter in line.chars().chain([' ']) {
            if self.comment.is_some() {
                self.comment = self.comment.filter(|_| letter != '}');
                continue;
            }
            if !(letter.is_whitespace() || "{}();".contains(letter)) {
                word.push(letter);
                continue;
            }
            if !word.is_empty() {
                self.word(&word, number, moves);
                word.clear();
            }
            match letter {
                '{' => self.comment = Some(number),
                '(' => self.depth += 1,
                ')' => self.depth = self.depth.saturating_sub(1),
                ';' => return,
                _ => {}
            }
        }
    }

    fn word(&mut self, word: &str, number: u64, moves: &mut Vec<(String, u64)>) {
        self.begun = true;
        if self.depth > 0 || self.ended {
            return;
        }
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.ended = true;
            return;
        }
        // `12.`, `12...` and `12.e4`, but not the castling move `0-0`.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let word = if digits.starts_with('.') { digits.trim_start_matches('.') } else { word };
        // `--` is a null move, which is not a legal move; the caller must report it.
        let a_move = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '0');
        if (a_move || word == "--") && word != "e.p." && moves.len() < self.most {
            moves.push((word.to_owned(), number));
        }
    }
}
