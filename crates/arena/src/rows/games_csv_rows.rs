//! A row of `games.csv`: workers write it and reports read it.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::csv_layout::{Column, CsvLayout, CsvLines};
use super::games_csv_columns::{ANSWER_COLUMNS, LAYOUT, MOVES, OPENING_MOVES, layout};
use super::results_folder_errors::{FolderError, RowError};
use super::row_fields::{Columns, Field, unsigned};
use super::row_writer::RowWriter;
use crate::agents::AnswerCounts;
use crate::play::{GameRecord, GameSpec, MoveTexts, Outcome, SideRecord};
use crate::stats::GameScore;

/// A number of billionths as a decimal number without trailing zeros.
pub(crate) fn points_of(billionths: u64) -> String {
    let digits = format!("{}.{:09}", billionths / 1_000_000_000, billionths % 1_000_000_000);
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Reads a decimal number of at most nine decimals as billionths; `None` for any other text.
fn billionths_of(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    if decimals.is_empty() || decimals.len() > 9 || decimals.starts_with('+') {
        return None;
    }
    let units = unsigned(whole)?;
    let parts = unsigned(&format!("{decimals:0<9}"))?;
    units.checked_mul(1_000_000_000)?.checked_add(parts)
}

/// Billionths as a decimal number.
fn luck_text(value: i64) -> String {
    let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    format!("{sign}{}.{:09}", size / 1_000_000_000, size % 1_000_000_000)
}

/// Reads a decimal number as billionths; `None` for any other text.
fn luck_of(text: &str) -> Option<i64> {
    const MOST: f64 = 1e6;
    let luck: f64 = text.parse().ok().filter(|luck: &f64| luck.abs() < MOST)?;
    Some((luck * 1e9).round() as i64)
}

/// The result from the first player's point of view.
pub(crate) fn of_first(outcome: Outcome) -> GameScore {
    match outcome {
        Outcome::First => GameScore::Win,
        Outcome::Second => GameScore::Loss,
        Outcome::Draw | Outcome::Void => GameScore::Draw,
    }
}

/// The data of a game that is counted: everything in its row except the moves, which are kept as a
/// hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameRow {
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
    pub outcome: Outcome,
    /// The rule or fault that ended the game.
    pub reason: &'static str,
    /// Moves of both players from the start.
    pub plies: u32,
    /// Random words drawn. If 0, playing the game again would show nothing new.
    pub rng_draws: u64,
    /// The first player's luck in billionths of a point; `None` if it was not measured.
    pub luck: Option<i64>,
    /// The costs of each side.
    pub sides: [SideRecord; 2],
    /// Hash of seats, opening and moves: equal if the same game is played twice. 0 in a game with
    /// random numbers, which never repeats another game.
    pub identity: u64,
}

impl GameRow {
    pub(crate) fn is(&self, spec: &GameSpec) -> bool {
        (self.game, self.pairing, self.opening, self.first, self.second)
            == (spec.game, spec.pairing, spec.opening, spec.first, spec.second)
    }

    /// The row of a game that was just played.
    pub fn of(record: &GameRecord, texts: &MoveTexts) -> GameRow {
        let GameSpec { game, pairing, opening, first, second, .. } = record.spec;
        let mut row = GameRow {
            game,
            pairing,
            opening,
            first,
            second,
            outcome: record.outcome,
            reason: record.reason,
            plies: record.plies,
            rng_draws: record.rng_draws,
            luck: record.luck,
            sides: record.sides,
            identity: 0,
        };
        row.set_identity(texts.opening.as_bytes(), texts.moves.as_bytes());
        row
    }

    #[inline]
    fn set_identity(&mut self, opening: &[u8], moves: &[u8]) {
        let may_repeat = self.rng_draws == 0;
        self.identity =
            if may_repeat { identity(self.first, self.second, opening, moves) } else { 0 };
    }

    /// Hash of pairing, seats and opening: equal for games with the same start, and different from
    /// the identity of every game.
    pub(crate) fn begins(&self) -> u64 {
        let seats = identity(self.first, self.second, b"", b"begins") ^ u64::from(self.pairing);
        seats.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ self.opening.wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

/// FNV-1a over eight bytes at a time, with an avalanche step at the end. It is stable across
/// versions and machines, because it decides which games are duplicates.
fn identity(first: usize, second: usize, opening: &[u8], moves: &[u8]) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let mut hash = 0xCBF2_9CE4_8422_2325 ^ (first as u64) << 32 ^ second as u64;
    for text in [opening, moves] {
        let mut add = |word| {
            hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(PRIME);
            hash ^= hash >> 29;
        };
        let (words, rest) = text.as_chunks();
        for &word in words {
            add(word);
        }
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            add(word);
        }
        hash = (hash ^ text.len() as u64 ^ 0xFF00).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    hash
}

/// Appends a row to `out`, including the newline. Names are CSV fields, quoted if necessary.
pub(crate) fn write(
    out: &mut Vec<u8>,
    record: &GameRecord,
    names: &[String],
    texts: &MoveTexts,
    layout: &CsvLayout,
) {
    let mut fields = RowWriter::new(out);
    let GameRecord { spec, sides: [first, second], .. } = record;
    fields.number(spec.game);
    fields.number(spec.pairing);
    fields.number(spec.opening);
    fields.field(&names[spec.first]);
    fields.field(&names[spec.second]);
    fields.field(record.outcome.word());
    fields.field(record.reason);
    fields.number(record.plies);
    fields.text(&texts.opening);
    fields.text(&texts.moves);
    fields.number(first.nodes);
    fields.number(second.nodes);
    fields.number(first.time_ns);
    fields.number(second.time_ns);
    fields.number(first.moves);
    fields.number(second.moves);
    fields.number(first.depth);
    fields.number(second.depth);
    fields.number(first.slowest_ns);
    fields.number(second.slowest_ns);
    fields.number(record.rng_draws);
    let points = i64::from(of_first(record.outcome) as u8) * 500_000_000;
    fields.field(&record.luck.map(luck_text).unwrap_or_default());
    fields.field(&record.luck.map(|luck| luck_text(points - luck)).unwrap_or_default());
    for (at, name) in layout.added.iter().enumerate() {
        if let Some(column) = ANSWER_COLUMNS.iter().position(|column| column.name == name) {
            write_answer(&mut fields, &record.sides, column);
            continue;
        }
        // The attributes are the first of these columns.
        let value = texts.attributes.get(at).map_or("", String::as_str);
        // An apostrophe before a negative number would make it a text.
        match value.parse::<f64>().is_ok() {
            true => fields.field(value),
            false => fields.text(value),
        }
    }
    fields.seal(layout);
}

/// Writes one of `ANSWER_COLUMNS`, as [`read_answer`] reads it.
fn write_answer(fields: &mut RowWriter<'_>, sides: &[SideRecord; 2], column: usize) {
    let AnswerCounts { illegal, retries, cost } = sides[column % 2].answers;
    match column / 2 {
        0 => fields.number(illegal),
        1 => fields.number(retries),
        2 => fields.field(&points_of(cost.billionths)),
        3 => fields.number(cost.tokens_in),
        _ => fields.number(cost.tokens_out),
    }
}

/// More reasons than any run has. A file with more reasons is not a `games.csv`.
const MOST_REASONS: usize = 256;
/// Longer in bytes than any reason.
const LONGEST_REASON: usize = 100;

/// Reads `games.csv` row by row, in memory that does not grow with the number of rows. Unknown
/// columns are skipped, and a torn last line is left out.
pub struct GameRows<'r> {
    pub(crate) lines: CsvLines<'r>,
    taken: Taken,
    /// The columns about answers that the file has, by their numbers in `ANSWER_COLUMNS`, with their
    /// places.
    answers: Vec<(usize, usize)>,
}

/// The state for parsing rows, and the texts that rows share.
struct Taken {
    row: GameRow,
    names: Vec<String>,
    numbers: HashMap<String, usize>,
    /// The interned reasons: there are only as many as rules and faults.
    reasons: Vec<&'static str>,
}

impl GameRows<'static> {
    /// Opens a `games.csv`; `names` are agents with a known order.
    ///
    /// # Errors
    /// An unreadable file, or a header that lacks a column.
    pub fn open(path: &Path, names: &[String]) -> Result<Self, FolderError> {
        GameRows::open_with(path, names, &[])
    }

    /// Opens a `games.csv` that may have these added columns, to write to it.
    pub(crate) fn open_with(
        path: &Path,
        names: &[String],
        added: &[String],
    ) -> Result<Self, FolderError> {
        let file = File::open(path).map_err(RowError::Io);
        file.and_then(|file| GameRows::read(Box::new(file), names.to_vec(), layout(added)))
            .map_err(FolderError::rows(path))
    }

    pub(crate) fn of_lines(names: Vec<String>, added: &[String]) -> Self {
        let layout = layout(added);
        let header = Box::new(layout.header().as_bytes());
        GameRows::read(header, names, layout).expect("the current header")
    }
}

impl<'r> GameRows<'r> {
    /// Reads the header; `names` are agents with a known order.
    ///
    /// # Errors
    /// A header that lacks a column.
    pub fn new(reader: impl Read + Send + 'r, names: Vec<String>) -> Result<Self, RowError> {
        GameRows::read(Box::new(reader), names, &LAYOUT)
    }

    fn read(
        reader: Box<dyn Read + Send + 'r>,
        names: Vec<String>,
        layout: &'static CsvLayout,
    ) -> Result<Self, RowError> {
        let numbers = names.iter().cloned().zip(0..).collect();
        let taken = Taken { row: GameRow::default(), names, numbers, reasons: Vec::new() };
        let lines = CsvLines::new(reader, layout)?;
        let place = |(at, column): (usize, &Column)| Some((at, lines.place(column.name)?));
        let answers = ANSWER_COLUMNS.iter().enumerate().filter_map(place).collect();
        Ok(GameRows { lines, taken, answers })
    }

    /// The columns about answers that the file has.
    pub(crate) fn answer_columns(&self) -> Vec<String> {
        self.answers.iter().map(|(column, _)| ANSWER_COLUMNS[*column].name.to_owned()).collect()
    }

    /// The agents seen so far, in the order of their indices.
    pub fn names(&self) -> &[String] {
        &self.taken.names
    }

    /// The byte offset after the current row.
    pub fn offset(&self) -> u64 {
        self.lines.offset()
    }

    /// The opening text and the move text of the current row.
    pub fn texts(&self) -> (&str, &str) {
        (self.lines.text(OPENING_MOVES), self.lines.text(MOVES))
    }

    pub(crate) fn owned_texts(&self) -> (String, String) {
        let (opening, moves) = self.texts();
        (opening.to_owned(), moves.to_owned())
    }

    /// The opening text and the move text of a line of the same file; empty for an invalid line.
    pub(crate) fn texts_of(&mut self, line: &[u8]) -> (String, String) {
        self.lines.load(line).map_or_else(|_| Default::default(), |()| self.owned_texts())
    }

    /// The next row, `None` at the end.
    ///
    /// # Errors
    /// An invalid line; the next call continues after it.
    pub fn next_row(&mut self) -> Result<Option<GameRow>, RowError> {
        Ok(self.advance()?.then_some(self.taken.row))
    }

    /// Advances to the next row; returns whether there is one.
    pub(crate) fn advance(&mut self) -> Result<bool, RowError> {
        Ok(self.lines.advance()? && self.parse().map(|()| true)?)
    }

    pub(crate) fn row(&self) -> &GameRow {
        &self.taken.row
    }

    pub(crate) fn row_mut(&mut self) -> &mut GameRow {
        &mut self.taken.row
    }

    /// Parses a line of the same file, including its newline.
    ///
    /// # Errors
    /// An invalid line.
    pub(crate) fn load(&mut self, line: &[u8]) -> Result<GameRow, RowError> {
        self.lines.load(line)?;
        self.parse()?;
        Ok(self.taken.row)
    }

    fn parse(&mut self) -> Result<(), RowError> {
        self.lines.read(|columns| self.taken.read(columns))?;
        for &(column, place) in &self.answers {
            let field = self.lines.fields().at(place);
            let read = read_answer(&mut self.taken.row.sides, column, field);
            read.ok_or_else(|| self.lines.invalid(ANSWER_COLUMNS[column].name, field))?;
        }
        Ok(())
    }
}

/// Reads one of `ANSWER_COLUMNS`: each column of the first player is before that of the second.
fn read_answer(sides: &mut [SideRecord; 2], column: usize, field: Field<'_>) -> Option<()> {
    let answers = &mut sides[column % 2].answers;
    match column / 2 {
        0 => answers.illegal = field.number()?.try_into().ok()?,
        1 => answers.retries = field.number()?.try_into().ok()?,
        2 => answers.cost.billionths = billionths_of(field.text())?,
        3 => answers.cost.tokens_in = field.number()?,
        _ => answers.cost.tokens_out = field.number()?,
    }
    Some(())
}

impl Taken {
    /// Reads the columns that every file has, except the last, which follows from `luck_first`.
    #[inline(always)]
    fn read(&mut self, columns: &mut Columns<'_>) -> Option<()> {
        self.row.game = columns.number()?;
        self.row.pairing = columns.number()?;
        self.row.opening = columns.number()?;
        self.row.first = self.agent(columns.field().plain());
        self.row.second = self.agent(columns.field().plain());
        self.row.outcome = Outcome::from_word(columns.field().bytes())?;
        self.row.reason = self.reason(columns.field().plain())?;
        let row = &mut self.row;
        row.plies = columns.number()?;
        let (opening, moves) = (columns.field(), columns.field());
        let [first, second] = &mut row.sides;
        first.nodes = columns.number()?;
        second.nodes = columns.number()?;
        first.time_ns = columns.number()?;
        second.time_ns = columns.number()?;
        first.moves = columns.number()?;
        second.moves = columns.number()?;
        first.depth = columns.number()?;
        second.depth = columns.number()?;
        first.slowest_ns = columns.number()?;
        second.slowest_ns = columns.number()?;
        row.rng_draws = columns.number()?;
        let luck = columns.field();
        row.luck = if luck.is_empty() { None } else { Some(luck_of(luck.text())?) };
        row.set_identity(opening.plain(), moves.plain());
        Some(())
    }

    fn agent(&mut self, name: &[u8]) -> usize {
        // Most rows have the two agents of the row before.
        let before = [self.row.first, self.row.second];
        if let Some(same) = before
            .into_iter()
            .find(|&agent| self.names.get(agent).is_some_and(|n| n.as_bytes() == name))
        {
            return same;
        }
        let name = std::str::from_utf8(name).unwrap_or_default();
        if let Some(&known) = self.numbers.get(name) {
            return known;
        }
        self.numbers.insert(name.to_owned(), self.names.len());
        self.names.push(name.to_owned());
        self.names.len() - 1
    }

    fn reason(&mut self, word: &[u8]) -> Option<&'static str> {
        if let Some(known) = self.reasons.iter().find(|known| known.as_bytes() == word) {
            return Some(known);
        }
        if self.reasons.len() == MOST_REASONS || word.len() > LONGEST_REASON {
            return None;
        }
        // A few words per run, kept until the process ends.
        let word: &'static str = String::from_utf8(word.to_vec()).ok()?.leak();
        self.reasons.push(word);
        Some(word)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::cell_text::quoted;
    use super::super::games_csv_columns::{COLUMNS, header};
    use super::*;

    /// A game and its moves, for these tests and the tests of `moves.csv`.
    pub(crate) fn sample() -> (GameRecord, MoveTexts) {
        let record = GameRecord {
            spec: GameSpec { game: 3, pairing: 2, opening: 9, first: 1, second: 0, dice: 3 },
            outcome: Outcome::Second,
            reason: "line",
            plies: 17,
            rng_draws: 4,
            luck: Some(-1_234_567_890),
            sides: [
                SideRecord {
                    moves: 6,
                    nodes: 100,
                    depth: 24,
                    time_ns: 5_000,
                    slowest_ns: 900,
                    ..SideRecord::default()
                },
                SideRecord { moves: 7, time_ns: 70, slowest_ns: 20, ..SideRecord::default() },
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
        let mut bytes = header().as_bytes().to_vec();
        write(&mut bytes, &record, &fields, &texts, &LAYOUT);
        let line = &bytes[header().len()..];
        let texts_of = GameRows::of_lines(Vec::new(), &[]).texts_of(line);
        assert_eq!(texts_of, ("4 4 3 5".to_owned(), "1 2, \"x\"".to_owned()));
        let mut rows = GameRows::new(&bytes[..], names.to_vec()).expect("a header");
        assert_eq!(rows.next_row().expect("a row"), Some(GameRow::of(&record, &texts)));
        assert_eq!(rows.texts(), ("4 4 3 5", "1 2, \"x\""));
        assert_eq!(rows.offset(), bytes.len() as u64);
        assert!(rows.next_row().expect("the end").is_none());
    }

    #[test]
    fn errors_name_line_column_and_value() {
        let old = header().trim_end().trim_end_matches(",checksum").to_owned();
        let bytes = old + "\n1,1,1,a,b,won,line,7,,1 2,0,0,0,0,0,0,0,0,0,0,0,,\n";
        let error = GameRows::new(bytes.as_bytes(), Vec::new()).expect("a header").next_row();
        assert_eq!(
            error.expect_err("no result").to_string(),
            "line 2: `won` is not a valid result"
        );
        let error = GameRows::new(&b"game,pairing\n"[..], Vec::new()).err().expect("no header");
        assert!(error.to_string().contains("`opening` is missing"));
    }

    #[test]
    fn each_column_is_read_in_its_place() {
        let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let texts = ["first", "second", "reason", "opening_moves", "moves", "adjusted_first"];
        for (at, name) in names.iter().enumerate() {
            let row = "1,1,1,a,b,first,line,7,,1 2,0,0,0,0,0,0,0,0,0,0,0,,";
            let mut fields: Vec<&str> = row.split(',').collect();
            fields[at] = "?";
            let file = format!("{}\n{}\n", names.join(","), fields.join(","));
            let row = GameRows::new(file.as_bytes(), Vec::new()).expect("a header").next_row();
            let expected = format!("line 2: `?` is not a valid {name}");
            assert_eq!(row.err().map(|error| error.to_string()), {
                (!texts.contains(name)).then_some(expected)
            });
        }
    }

    #[test]
    fn columns_of_users_may_have_quotes() {
        let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let bytes = names.join(",")
            + ",\"x,y\",illegal_first\n1,1,1,a,b,first,line,7,,1 2,0,0,0,0,0,0,0,0,0,0,0,,,z,3\n";
        let mut rows = GameRows::new(bytes.as_bytes(), Vec::new()).expect("a header");
        assert_eq!(rows.answer_columns(), ["illegal_first"]);
        let row = rows.next_row().expect("a row").expect("a game");
        assert_eq!(row.sides[0].answers.illegal, 3);
    }

    #[test]
    fn every_bit_is_covered() {
        let (record, texts) = sample();
        let names = ["a".to_owned(), "=b".to_owned()].map(|name| quoted(&name).into_owned());
        let mut bytes = header().as_bytes().to_vec();
        write(&mut bytes, &record, &names, &texts, &LAYOUT);
        write(&mut bytes, &record, &names, &texts, &LAYOUT);
        let rows = |bytes: &[u8]| {
            let mut rows = GameRows::new(bytes, Vec::new())?;
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
                // Without the last newline, as after a kill, the row is left out.
                match rows(&damaged) {
                    Ok(found) => assert_eq!((found.len(), at), (1, bytes.len() - 1)),
                    Err(error) => assert!(error.to_string().contains(" is damaged"), "{error}"),
                }
            }
        }
    }

    #[test]
    fn checksums_are_those_of_other_programs() {
        // The value of Python's `zlib.crc32`.
        assert_eq!(crc32fast::hash(b"123456789"), 0xCBF4_3926);
        let mut row = b"1,".to_vec();
        LAYOUT.seal(&mut row, 0);
        let whole = crc32fast::hash(format!("{}1,", header()).as_bytes());
        assert_eq!(String::from_utf8(row).expect("text"), format!("1,{whole:08x}\n"));
    }

    #[test]
    fn identity_tells_seats_openings_and_moves_apart() {
        let all = [
            identity(0, 1, b"1 2", b"3 4"),
            identity(1, 0, b"1 2", b"3 4"),
            identity(0, 1, b"1 2 3", b"4"),
            identity(0, 1, b"", b"1 2 3 4"),
            identity(0, 1, b"1 2", b"3 5"),
            identity(0, 1, b"1 2", b"3 4 3"),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
    }
}
