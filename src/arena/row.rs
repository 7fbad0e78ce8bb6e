//! One row of `games.csv`: written by the workers, read back by reports.

use std::collections::HashMap;
use std::io::{self, Read};

use super::lines::{Layout, Lines, quoted};
use crate::world::{GameRecord, GameSpec, MoveTexts, Outcome, SideRecord};

/// The columns of `games.csv`, in order. New columns come before `checksum`, the last one.
pub const COLUMNS: [&str; 22] = [
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
    "checksum",
];

/// How rows of `games.csv` are written and read.
pub(super) static LAYOUT: Layout = Layout::new("games.csv", &COLUMNS, 21);

/// What is counted of a game: everything in its row but the moves, of which a hash is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
    let begin = out.len();
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
    out.push(b',');
    LAYOUT.seal(out, begin);
}

/// The opening's text and the moves' text of a row as [`write`] writes it.
pub fn texts(line: &[u8]) -> (String, String) {
    let text = [header().as_bytes(), line].concat();
    let mut rows = Lines::new(&text[..], &LAYOUT, false).expect("the current header");
    match rows.advance() {
        Ok(true) => (rows.text(8).to_owned(), rows.text(9).to_owned()),
        _ => Default::default(),
    }
}

/// The header line, newline included.
pub fn header() -> String {
    LAYOUT.header()
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
    /// The header has columns that this version cannot write.
    #[error("line 1: it has columns that this version of agon does not know")]
    Foreign,
    /// A line that is not as agon wrote it.
    #[error("line {line} is damaged: it is no row, or its checksum is wrong")]
    Damaged {
        /// Line in the file, from 1.
        line: u64,
    },
    /// A row that is there twice, or out of its place.
    #[error("line {line} is out of its place")]
    Order {
        /// Line in the file, from 1.
        line: u64,
    },
    /// A field is not what its column holds.
    #[error("line {line}: `{value}` is no {column}")]
    Field {
        /// Line in the file, from 1.
        line: u64,
        /// The column's name.
        column: &'static str,
        /// What is there.
        value: String,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// More reasons than any run has: what follows is no `games.csv`.
const MOST_REASONS: usize = 256;
/// Longer in bytes than any reason.
const LONGEST_REASON: usize = 100;

/// Reads `games.csv` row by row, in memory that does not grow with the rows. Unknown
/// columns are passed over, and a torn last line is left out.
pub struct Rows<R> {
    /// The file line by line.
    pub(super) lines: Lines<R>,
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
    /// A header that is damaged or lacks a column.
    pub fn new(reader: R, names: Vec<String>) -> Result<Self, RowError> {
        Ok(Rows::over(Lines::new(reader, &LAYOUT, false)?, names))
    }

    /// The same for a repair: rows count even where the header is damaged.
    pub(super) fn repairing(reader: R, names: Vec<String>) -> Result<Self, RowError> {
        Ok(Rows::over(Lines::new(reader, &LAYOUT, true)?, names))
    }

    fn over(lines: Lines<R>, names: Vec<String>) -> Self {
        let numbers = names.iter().cloned().zip(0..).collect();
        Rows { lines, names, numbers, reasons: Vec::new() }
    }

    /// The agents seen so far, in the order of their indices.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The byte offset behind the last row that was read.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    /// The opening's text and the moves' text of the last row that was read.
    pub fn texts(&self) -> (&str, &str) {
        (self.lines.text(8), self.lines.text(9))
    }

    /// The next row, `None` at the end.
    ///
    /// # Errors
    /// A line that is no row; the next call goes on after it.
    pub fn next_row(&mut self) -> Result<Option<Row>, RowError> {
        if !self.lines.advance()? {
            return Ok(None);
        }
        let first = self.agent(3);
        let second = self.agent(4);
        let reason = self.reason()?;
        let lines = &self.lines;
        let outcome = Outcome::from_word(lines.text(5)).ok_or_else(|| lines.error(5))?;
        let side = |i: usize| -> Result<SideRecord, RowError> {
            Ok(SideRecord {
                nodes: lines.parsed(10 + i)?,
                time_ns: lines.parsed(12 + i)?,
                moves: lines.parsed(14 + i)?,
                depth: lines.parsed(16 + i)?,
                slowest_ns: lines.parsed(18 + i)?,
            })
        };
        let (opening, moves) = self.texts();
        Ok(Some(Row {
            game: lines.parsed(0)?,
            pairing: lines.parsed(1)?,
            opening: lines.parsed(2)?,
            first,
            second,
            outcome,
            reason,
            plies: lines.parsed(7)?,
            random_words: lines.parsed(20)?,
            sides: [side(0)?, side(1)?],
            identity: identity(first, second, opening, moves),
        }))
    }

    fn agent(&mut self, column: usize) -> usize {
        let name = self.lines.text(column);
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    fn reason(&mut self) -> Result<&'static str, RowError> {
        let word = self.lines.text(6);
        if let Some(known) = self.reasons.iter().find(|known| **known == word) {
            return Ok(known);
        }
        if self.reasons.len() == MOST_REASONS || word.len() > LONGEST_REASON {
            return Err(self.lines.error(6));
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
        let texts = MoveTexts { opening: "4 4 3 5".into(), moves, ..MoveTexts::default() };
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
        let old = COLUMNS[..21].join(",");
        let bytes = old + "\n1,1,1,a,b,won,line,7,,1 2,0,0,0,0,0,0,0,0,0,0,0\n";
        let error = Rows::new(bytes.as_bytes(), Vec::new()).expect("a header").next_row();
        assert_eq!(error.expect_err("no result").to_string(), "line 2: `won` is no result");
        let error = Rows::new(&b"game,pairing\n"[..], Vec::new()).err().expect("no header");
        assert!(error.to_string().contains("`opening` is missing"));
    }

    #[test]
    fn every_bit_is_covered() {
        let (record, texts) = sample();
        let names = ["a".to_owned(), "=b".to_owned()].map(|name| quoted(&name).into_owned());
        let mut bytes = header().into_bytes();
        write(&mut bytes, &record, &names, &texts);
        write(&mut bytes, &record, &names, &texts);
        let rows = |bytes: &[u8]| {
            let mut rows = Rows::new(bytes, Vec::new())?;
            let mut all = Vec::new();
            while let Some(row) = rows.next_row()? {
                all.push((row, rows.names().to_vec()));
            }
            Ok::<_, RowError>(all)
        };
        let sound = rows(&bytes).expect("two rows");
        assert_eq!(sound[0].1, ["=b", "a"]);
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                // The last newline: as after a kill, the row is left out.
                match rows(&damaged) {
                    Ok(found) => assert_eq!((found.len(), at), (1, bytes.len() - 1)),
                    Err(error) => assert!(matches!(error, RowError::Damaged { .. }), "{error}"),
                }
            }
        }
    }

    #[test]
    fn checksums_are_those_of_other_programs() {
        // As `zlib.crc32` of Python has it.
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926);
        let mut row = b"1,".to_vec();
        LAYOUT.seal(&mut row, 0);
        let whole = crc32fast::hash((header() + "1,").as_bytes());
        assert_eq!(String::from_utf8(row).expect("text"), format!("1,{whole:08x}\n"));
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
