//! One row of `games.csv`: written by the workers, read back by reports.

use std::collections::HashMap;
use std::io::Read;

use crate::world::{GameRecord, GameSpec, MoveTexts, Outcome, SideRecord};

/// The columns of `games.csv`, in order. Columns are only ever appended.
pub const COLUMNS: [&str; 21] = [
    "game",
    "pairing",
    "opening",
    "first",
    "second",
    "result",
    "reason",
    "plies",
    "opening_moves",
    "moves",
    "nodes_first",
    "nodes_second",
    "time_first_ns",
    "time_second_ns",
    "moves_first",
    "moves_second",
    "depth_first",
    "depth_second",
    "slowest_first_ns",
    "slowest_second_ns",
    "random_words",
];

/// What is counted of a game: everything in its row but the moves, of which a hash is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Number of the game, from 1.
    pub game: u64,
    /// Number of the pairing, from 1.
    pub pairing: u32,
    /// Number of the opening, from 1.
    pub opening: u64,
    /// Index of the agent that moved first.
    pub first: usize,
    /// Index of the agent that moved second.
    pub second: usize,
    /// How it came out.
    pub outcome: Outcome,
    /// The rule or fault that ended it.
    pub reason: &'static str,
    /// Moves of both players from the start.
    pub plies: u32,
    /// Random words drawn; 0: playing it again would show nothing new.
    pub random_words: u64,
    /// What each side spent.
    pub sides: [SideRecord; 2],
    /// Hash of seats, opening and moves: equal for the same game played twice.
    pub identity: u64,
}

impl Row {
    /// The row of a game that was just played.
    pub fn of(record: &GameRecord, texts: &MoveTexts) -> Row {
        let GameSpec { game, pairing, opening, first, second, .. } = record.spec;
        Row {
            game,
            pairing,
            opening,
            first,
            second,
            outcome: record.outcome,
            reason: record.reason,
            plies: record.plies,
            random_words: record.random_words,
            sides: record.sides,
            identity: identity(first, second, &texts.opening, &texts.moves),
        }
    }

    /// Hash of pairing, seats and opening: equal for games that begin alike, and no game's
    /// identity.
    pub(super) fn begins(&self) -> u64 {
        let seats = identity(self.first, self.second, "", "begins") ^ u64::from(self.pairing);
        seats.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.opening.wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

/// FNV-1a over eight bytes at a time, finished by an avalanche: stable across versions
/// and machines, because it decides what counts as the same game.
fn identity(first: usize, second: usize, opening: &str, moves: &str) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let mut hash = 0xCBF2_9CE4_8422_2325 ^ (first as u64) << 32 ^ second as u64;
    for text in [opening, moves] {
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(PRIME);
            hash ^= hash >> 29;
        }
        hash = (hash ^ text.len() as u64 ^ 0xFF00).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    hash
}

/// Appends a row to `out`, newline included. Names come as CSV fields, quoted where needed.
pub fn write(out: &mut Vec<u8>, record: &GameRecord, names: &[String], texts: &MoveTexts) {
    let spec = &record.spec;
    let mut digits = itoa::Buffer::new();
    let mut number = |out: &mut Vec<u8>, value: u64| {
        out.extend_from_slice(digits.format(value).as_bytes());
    };
    for value in [spec.game, u64::from(spec.pairing), spec.opening] {
        number(out, value);
        out.push(b',');
    }
    let opening = quoted(&texts.opening);
    let moves = quoted(&texts.moves);
    for text in [&names[spec.first], &names[spec.second], record.outcome.word(), record.reason] {
        out.extend_from_slice(text.as_bytes());
        out.push(b',');
    }
    number(out, u64::from(record.plies));
    for text in [&opening, &moves] {
        out.push(b',');
        out.extend_from_slice(text.as_bytes());
    }
    let [first, second] = &record.sides;
    for value in [
        first.nodes,
        second.nodes,
        first.time_ns,
        second.time_ns,
        u64::from(first.moves),
        u64::from(second.moves),
        first.depth,
        second.depth,
        first.slowest_ns,
        second.slowest_ns,
        record.random_words,
    ] {
        out.push(b',');
        number(out, value);
    }
    out.push(b'\n');
}

/// A text as a CSV field (RFC 4180): quoted only where it must be.
pub fn quoted(text: &str) -> std::borrow::Cow<'_, str> {
    if text.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        format!("\"{}\"", text.replace('"', "\"\"")).into()
    } else {
        text.into()
    }
}

/// The opening's text and the moves' text of a row as [`write`] writes it.
pub fn texts(line: &[u8]) -> (String, String) {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .buffer_capacity(line.len().max(1))
        .from_reader(line);
    let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
    let text = |column| record.get(column).unwrap_or_default().to_owned();
    (text(8), text(9))
}

/// The header line, newline included.
pub fn header() -> String {
    COLUMNS.join(",") + "\n"
}

/// Why a line of `games.csv` cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The header is not that of the file.
    #[error("line 1: the columns are not those of {file}: `{column}` is missing")]
    Header {
        /// The file that it should be.
        file: &'static str,
        /// The column that it lacks.
        column: &'static str,
    },
    /// The header lacks nothing, but rows could not be appended under it.
    #[error("line 1: the columns are not those that this version of agon writes")]
    Foreign,
    /// A field is not what its column holds.
    #[error("line {line}: `{value}` is no {column}")]
    Field {
        /// Line in the file, from 1.
        line: u64,
        /// The column's name.
        column: &'static str,
        /// What stands there.
        value: String,
    },
    /// The file is not CSV, or cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
}

/// More reasons than any run has: what follows is no `games.csv`.
const MOST_REASONS: usize = 256;
/// Longer in bytes than any reason.
const LONGEST_REASON: usize = 100;

/// Reads `games.csv` row by row, in memory that does not grow with the rows. Foreign
/// columns are passed over.
pub struct Rows<R> {
    reader: csv::Reader<R>,
    record: csv::StringRecord,
    /// Where each of [`COLUMNS`] stands in the file.
    places: [usize; COLUMNS.len()],
    /// Agents in order of appearance, or as given.
    names: Vec<String>,
    /// The place of each name.
    numbers: HashMap<String, usize>,
    /// Reasons seen, interned: there are only as many as rules and faults.
    reasons: Vec<&'static str>,
}

impl<R: Read> Rows<R> {
    /// Reads the header; `names` are agents whose order is known already.
    ///
    /// # Errors
    /// A header that lacks a column.
    pub fn new(reader: R, names: Vec<String>) -> Result<Self, RowError> {
        let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 16).from_reader(reader);
        let header = reader.headers()?.clone();
        let mut places = [0; COLUMNS.len()];
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            *place = header
                .iter()
                .position(|h| h == column)
                .ok_or(RowError::Header { file: "games.csv", column })?;
        }
        let record = csv::StringRecord::new();
        let numbers = names.iter().cloned().zip(0..).collect();
        Ok(Rows { reader, record, places, names, numbers, reasons: Vec::new() })
    }

    /// The agents seen so far, in the order of their indices.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The byte offset behind the last row that was read.
    pub fn offset(&self) -> u64 {
        self.reader.position().byte()
    }

    /// The opening's text and the moves' text of the last row that was read.
    pub fn texts(&self) -> (&str, &str) {
        (&self.record[self.places[8]], &self.record[self.places[9]])
    }

    /// The next row, `None` at the end.
    ///
    /// # Errors
    /// A line that is no row.
    pub fn next_row(&mut self) -> Result<Option<Row>, RowError> {
        if !self.reader.read_record(&mut self.record)? {
            return Ok(None);
        }
        let first = self.agent(3);
        let second = self.agent(4);
        let reason = self.reason()?;
        let outcome = Outcome::from_word(self.text(5)).ok_or_else(|| self.error(5))?;
        let pairing = u32::try_from(self.number(1)?).map_err(|_| self.error(1))?;
        let plies = u32::try_from(self.number(7)?).map_err(|_| self.error(7))?;
        let side = |i: usize| -> Result<SideRecord, RowError> {
            Ok(SideRecord {
                nodes: self.number(10 + i)?,
                time_ns: self.number(12 + i)?,
                moves: u32::try_from(self.number(14 + i)?).map_err(|_| self.error(14 + i))?,
                depth: self.number(16 + i)?,
                slowest_ns: self.number(18 + i)?,
            })
        };
        let (opening, moves) = self.texts();
        Ok(Some(Row {
            game: self.number(0)?,
            pairing,
            opening: self.number(2)?,
            first,
            second,
            outcome,
            reason,
            plies,
            random_words: self.number(20)?,
            sides: [side(0)?, side(1)?],
            identity: identity(first, second, opening, moves),
        }))
    }

    fn text(&self, column: usize) -> &str {
        &self.record[self.places[column]]
    }

    fn number(&self, column: usize) -> Result<u64, RowError> {
        self.text(column).parse().map_err(|_| self.error(column))
    }

    fn error(&self, column: usize) -> RowError {
        RowError::Field {
            line: self.record.position().map_or(0, csv::Position::line),
            column: COLUMNS[column],
            value: self.text(column).chars().take(40).collect(),
        }
    }

    fn agent(&mut self, column: usize) -> usize {
        let name = &self.record[self.places[column]];
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    fn reason(&mut self) -> Result<&'static str, RowError> {
        let word = &self.record[self.places[6]];
        if let Some(known) = self.reasons.iter().find(|known| **known == word) {
            return Ok(known);
        }
        if self.reasons.len() == MOST_REASONS || word.len() > LONGEST_REASON {
            return Err(self.error(6));
        }
        // A handful of words per run, kept for the life of the process.
        let word: &'static str = Box::leak(word.to_owned().into_boxed_str());
        self.reasons.push(word);
        Ok(word)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A game and its moves, for these tests and those of `moves.csv`.
    pub(in crate::arena) fn sample() -> (GameRecord, MoveTexts) {
        let record = GameRecord {
            spec: GameSpec { game: 3, pairing: 2, opening: 9, first: 1, second: 0, dice: 3 },
            outcome: Outcome::Second,
            reason: "line",
            plies: 17,
            random_words: 4,
            sides: [
                SideRecord { moves: 6, nodes: 100, depth: 24, time_ns: 5_000, slowest_ns: 900 },
                SideRecord { moves: 7, nodes: 0, depth: 0, time_ns: 70, slowest_ns: 20 },
            ],
        };
        let moves = "1 2, \"x\"".into();
        let texts = MoveTexts { opening: "4 4 3 5".into(), moves, log: None, onlooker: None };
        (record, texts)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let (record, texts) = sample();
        let names = ["mm{depth}, \"plain\"".to_owned(), "random".to_owned()];
        let fields: Vec<String> = names.iter().map(|n| quoted(n).into_owned()).collect();
        let mut bytes = header().into_bytes();
        write(&mut bytes, &record, &fields, &texts);
        let line = &bytes[header().len()..];
        assert_eq!(super::texts(line), ("4 4 3 5".to_owned(), "1 2, \"x\"".to_owned()));
        let mut rows = Rows::new(&bytes[..], names.to_vec()).expect("a header");
        assert_eq!(rows.next_row().expect("a row"), Some(Row::of(&record, &texts)));
        assert_eq!(rows.texts(), ("4 4 3 5", "1 2, \"x\""));
        assert_eq!(rows.offset(), bytes.len() as u64);
        assert!(rows.next_row().expect("the end").is_none());
    }

    #[test]
    fn errors_name_line_column_and_value() {
        let bytes = header() + "1,1,1,a,b,won,line,7,,1 2,0,0,0,0,0,0,0,0,0,0,0\n";
        let error = Rows::new(bytes.as_bytes(), Vec::new()).expect("a header").next_row();
        assert_eq!(error.expect_err("no result").to_string(), "line 2: `won` is no result");
        let error = Rows::new(&b"game,pairing\n"[..], Vec::new()).err().expect("no header");
        assert!(error.to_string().contains("`opening` is missing"));
    }

    #[test]
    fn identity_tells_seats_openings_and_moves_apart() {
        let all = [
            identity(0, 1, "1 2", "3 4"),
            identity(1, 0, "1 2", "3 4"),
            identity(0, 1, "1 2 3", "4"),
            identity(0, 1, "", "1 2 3 4"),
            identity(0, 1, "1 2", "3 5"),
            identity(0, 1, "1 2", "3 4 3"),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
    }
}
