//! Reads games in PGN one after the other; the memory does not grow with the file.
//!
//! The reader keeps the first position and the first moves of each game. It skips comments,
//! variations, annotations and lines that begin with `%` (S. Edwards, "Portable Game Notation
//! specification and implementation guide", 1994). It never skips a word that may be a move.

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

/// Why the games of a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// The line with this number is not PGN, and the reason.
    #[error("line {0}: {1}")]
    Line(u64, String),
}

/// A tag: name, value and line.
type Tag = (String, Option<String>, u64);

/// Reads games from a PGN file.
pub struct PgnReader<R> {
    input: R,
    /// The number of the current line, from 1.
    line: u64,
    /// Whether only blanks were read in the current line.
    at_line_start: bool,
    after_return: bool,
    /// A tag that belongs to the next game.
    next_tag: Option<Tag>,
}

/// The maximum number of bytes of a word or a tag that are kept.
const LONGEST: usize = 1000;

/// Signs after a move that judge it or its position.
const ANNOTATIONS: &str = "!?+-=/~#±∓∞⩲⩱□○⇆→↑⟳⌓†‡";

impl<R: BufRead> PgnReader<R> {
    /// A reader at the beginning of a file.
    pub fn new(input: R) -> Self {
        PgnReader { input, line: 1, at_line_start: true, after_return: false, next_tag: None }
    }

    /// The next game with at most `most` moves, if there is one. A game ends with its result, or
    /// before the tags of the next game.
    ///
    /// # Errors
    /// An error of the input. A comment or a variation that never ends, which would hide later
    /// moves, and any other text that is not PGN.
    pub fn next_game(&mut self, most: usize) -> Result<Option<PgnGame>, PgnError> {
        let mut text = GameText { most, ..GameText::default() };
        if let Some(tag) = self.next_tag.take() {
            text.tag(tag)?;
        }
        let mut word = Vec::new();
        loop {
            let at_line_start = self.at_line_start;
            let byte = self.next_byte()?;
            let separates =
                byte.is_none_or(|byte| byte.is_ascii_whitespace() || b"{}[;()*$".contains(&byte));
            if separates && !word.is_empty() {
                // A line break after the word has been read.
                let line = self.line - u64::from(byte == Some(b'\n'));
                text.words(&String::from_utf8_lossy(&word), line)?;
                word.clear();
            }
            match byte {
                None => break,
                Some(b'%') if at_line_start && word.is_empty() => self.skip_line()?,
                Some(b';') => self.skip_line()?,
                Some(b'{') => self.skip_comment()?,
                Some(b'}') => return self.wrong("`}` closes no comment"),
                Some(b'(') => text.variations.push(self.line),
                Some(b')') if text.variations.pop().is_none() => {
                    return self.wrong("`)` closes no variation");
                }
                Some(b'$') => self.skip_digits()?,
                Some(b'*') => text.result(),
                Some(b'[') => {
                    let tag = self.tag()?;
                    if tag.1.is_some()
                        && let Some(line) = text.variations.first()
                    {
                        let why = "the variation that begins here never ends".to_owned();
                        return Err(PgnError::Line(*line, why));
                    }
                    if text.belongs_to_next(&tag) {
                        self.next_tag = Some(tag);
                        return Ok(Some(text.game));
                    }
                    text.tag(tag)?;
                }
                Some(byte) if !separates && word.len() <= LONGEST => word.push(byte),
                Some(_) => {}
            }
            if text.ended {
                return Ok(Some(text.game));
            }
        }
        if let Some(line) = text.variations.first() {
            let why = "the variation that begins here never ends".to_owned();
            return Err(PgnError::Line(*line, why));
        }
        Ok(text.is_game().then_some(text.game))
    }

    fn wrong<T>(&self, why: &str) -> Result<T, PgnError> {
        Err(PgnError::Line(self.line, why.to_owned()))
    }

    /// The next byte of the input.
    fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.input.fill_buf()?.first().copied())
    }

    /// Reads the next byte. All three kinds of line breaks are read as `\n`.
    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let Some(mut byte) = self.peek()? else { return Ok(None) };
        self.input.consume(1);
        if byte == b'\n' && self.after_return {
            self.after_return = false;
            return self.next_byte();
        }
        self.after_return = byte == b'\r';
        if byte == b'\r' {
            byte = b'\n';
        }
        if byte == b'\n' {
            self.line += 1;
            self.at_line_start = true;
        } else if byte != b' ' && byte != b'\t' {
            self.at_line_start = false;
        }
        Ok(Some(byte))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        while !matches!(self.peek()?, None | Some(b'\n' | b'\r')) {
            self.next_byte()?;
        }
        Ok(())
    }

    fn skip_digits(&mut self) -> io::Result<()> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_digit()) {
            self.next_byte()?;
        }
        Ok(())
    }

    /// Skips a comment whose brace has been read. Tags in it mean that its end is missing.
    fn skip_comment(&mut self) -> Result<(), PgnError> {
        let begin = self.line;
        loop {
            let at_line_start = self.at_line_start;
            match self.next_byte()? {
                Some(b'}') => return Ok(()),
                Some(b'[') if at_line_start && self.tag()?.1.is_some() => break,
                Some(_) => {}
                None => break,
            }
        }
        Err(PgnError::Line(begin, "the comment that begins here never ends".to_owned()))
    }

    /// Reads a tag whose bracket has been read, at most to the end of the line.
    fn tag(&mut self) -> io::Result<Tag> {
        let (mut raw, mut quotes, line) = (Vec::new(), 0, self.line);
        while !matches!(self.peek()?, None | Some(b'\n' | b'\r')) {
            // A comment that is not a tag may end in the same line.
            if self.peek()? == Some(b'}') && quotes == 0 {
                break;
            }
            let Some(byte) = self.next_byte()? else { break };
            let is_closed = quotes == 0 || quotes > 1 && raw.trim_ascii_end().ends_with(b"\"");
            if byte == b']' && is_closed {
                break;
            }
            quotes += u32::from(byte == b'"');
            if raw.len() <= LONGEST {
                raw.push(byte);
            }
        }
        let raw = String::from_utf8_lossy(&raw);
        let raw = raw.trim();
        let end = raw.find(|c: char| c.is_whitespace() || c == '"').unwrap_or(raw.len());
        let (name, rest) = raw.split_at(end);
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic());
        let value = rest.trim().strip_prefix('"').filter(|_| is_name);
        let value = value.and_then(|value| Some(value[..value.rfind('"')?].to_owned()));
        Ok((name.to_owned(), value, line))
    }
}

/// The part of a game that has been read.
#[derive(Default)]
struct GameText {
    game: PgnGame,
    most: usize,
    /// The lines in which open variations begin.
    variations: Vec<u64>,
    /// Whether the tag `Event` was read.
    has_event: bool,
    /// Whether a move or its number was read.
    begun: bool,
    /// The last number of a move.
    number: u64,
    /// The number of the move with which the game begins, if it is known.
    first_number: Option<u64>,
    /// Whether the result was read.
    ended: bool,
}

impl GameText {
    /// A game has a tag or a move; a result alone is none.
    fn is_game(&self) -> bool {
        self.game.line > 0
    }

    fn begins_in(&mut self, line: u64) {
        if self.game.line == 0 {
            self.game.line = line;
        }
    }

    /// Whether a tag begins the next game: after moves, or if this game has the tag.
    fn belongs_to_next(&self, (name, value, _): &Tag) -> bool {
        let again =
            name == "Event" && self.has_event || name == "FEN" && self.game.position.is_some();
        value.is_some() && self.is_game() && (self.begun || again)
    }

    fn tag(&mut self, (name, value, line): Tag) -> Result<(), PgnError> {
        let Some(value) = value else {
            if !self.variations.is_empty() {
                return Ok(());
            }
            let why = format!("`[{name}` begins no tag: a tag is `[{name} \"text\"]`");
            return Err(PgnError::Line(line, why));
        };
        self.begins_in(line);
        match name.as_str() {
            "Event" => self.has_event = true,
            "FEN" => {
                self.game.position = Some(value);
                self.game.position_line = line;
            }
            "Variant" => self.game.variant = Some((value, line)),
            _ => {}
        }
        Ok(())
    }

    fn words(&mut self, text: &str, line: u64) -> Result<(), PgnError> {
        let is_blank = |c: char| c.is_whitespace() || c == '\u{feff}' || c == '\u{200b}';
        for word in text.split(is_blank).filter(|word| !word.is_empty()) {
            if self.variations.is_empty() && !self.ended {
                self.word(word, line)?;
            }
        }
        Ok(())
    }

    fn word(&mut self, word: &str, line: u64) -> Result<(), PgnError> {
        let dashed = word.replace(['–', '—', '‑', '−'], "-").replace('½', "1/2");
        if ["1-0", "0-1", "1/2-1/2", "1/2"].contains(&dashed.as_str()) {
            self.result();
            return Ok(());
        }
        // `12.`, `12...` and `12.e4`, but not the castling move `0-0`.
        let after = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &word[..word.len() - after.len()];
        let is_numbered =
            after.starts_with(['.', '…']) || after.is_empty() && !digits.starts_with('0');
        let mut rest = word;
        if is_numbered {
            self.begins_in(line);
            self.begun = true;
            rest = after.trim_start_matches(['.', '…']);
            self.numbered(digits, line)?;
        }
        // `--` is a null move, which is not a legal move; the caller must report it.
        if !rest.starts_with("--") {
            rest = rest.trim_end_matches(|c| ANNOTATIONS.contains(c));
        }
        if rest.is_empty() || rest == "e.p." || rest == "ep" {
            return Ok(());
        }
        if rest.matches('/').count() == 7 {
            let why = format!("`{rest}` is a position, not a move: is this line EPD?");
            return Err(PgnError::Line(line, why));
        }
        self.begins_in(line);
        self.begun = true;
        if self.game.moves.len() < self.most {
            self.game.moves.push((rest.to_owned(), line));
        }
        Ok(())
    }

    /// Reads the number of a move. Number 1 after other moves begins another game. Of the moves that
    /// are kept, none may be missing before the number. A position may begin with any number.
    fn numbered(&mut self, digits: &str, line: u64) -> Result<(), PgnError> {
        let Ok(number) = digits.parse() else { return Ok(()) };
        if number == 1 && self.number > 1 {
            let why = "`1.` begins another game, and the game before it has no result";
            return Err(PgnError::Line(line, why.to_owned()));
        }
        self.number = number;
        let position = self.game.position.as_deref();
        let second_begins = position.is_some_and(|text| text.split(' ').nth(1) == Some("b"));
        let moves = self.game.moves.len();
        let later = ((moves + usize::from(second_begins)) / 2) as u64;
        let first = match position {
            Some(_) => *self.first_number.get_or_insert(number.saturating_sub(later)),
            None => 1,
        };
        let expected = first + later;
        if number != expected && moves < self.most {
            let why = format!("`{number}.` is in the place of move {expected}: are moves missing?");
            return Err(PgnError::Line(line, why));
        }
        Ok(())
    }

    fn result(&mut self) {
        self.ended = self.variations.is_empty() && self.is_game();
    }
}
