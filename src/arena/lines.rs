//! CSV files with one row on each line and a checksum at the end of each row.
//!
//! The checksum is the CRC-32 (as in zlib) of the header line and of the row's bytes before
//! the checksum, as eight hexadecimal digits. Damage in one line leaves the next line
//! readable. Columns are found by name. A file of an older version has no column of
//! checksums, and perhaps fewer columns; it is read without checks.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::OnceLock;

use csv_core::ReadRecordResult;

use super::row::RowError;

/// The last column.
const CHECKSUM: &str = "checksum";
/// A longer line is no row.
const LONGEST: u64 = 1 << 24;
/// More columns than any header has.
const MOST_COLUMNS: usize = 256;

/// A file's columns, the checksum last.
pub(super) struct Layout {
    file: &'static str,
    columns: &'static [&'static str],
    /// Columns that every version has written; the others were added later.
    always: usize,
    start: OnceLock<u32>,
}

impl Layout {
    pub const fn new(file: &'static str, columns: &'static [&'static str], always: usize) -> Self {
        Layout { file, columns, always, start: OnceLock::new() }
    }

    /// The header line, newline included.
    pub fn header(&self) -> String {
        self.columns.join(",") + "\n"
    }

    /// The CRC of the header, from which that of each row goes on.
    fn start(&self) -> u32 {
        *self.start.get_or_init(|| crc32fast::hash(self.header().as_bytes()))
    }

    /// Ends the row that begins at `begin` and ends with a comma: appends checksum and newline.
    pub fn seal(&self, out: &mut Vec<u8>, begin: usize) {
        let sum = digits(checksum(self.start(), &out[begin..]));
        out.extend_from_slice(&sum);
        out.push(b'\n');
    }
}

fn checksum(start: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(bytes);
    hasher.finalize()
}

fn digits(sum: u32) -> [u8; 8] {
    std::array::from_fn(|i| b"0123456789abcdef"[(sum >> (28 - 4 * i)) as usize & 15])
}

/// Whether a line, newline included, ends with the checksum of what is before it.
fn is_sealed(start: u32, line: &[u8]) -> bool {
    let parts = line.strip_suffix(b"\n").and_then(|line| line.split_last_chunk());
    parts.is_some_and(|(row, sum)| row.ends_with(b",") && digits(checksum(start, row)) == *sum)
}

/// Reads such a file line by line, in memory that does not grow with the lines.
pub(super) struct Lines<R> {
    layout: &'static Layout,
    reader: BufReader<R>,
    line: Vec<u8>,
    fields: Vec<u8>,
    ends: Vec<usize>,
    parser: csv_core::Reader,
    /// Where each column is in the file; beyond every row where it is not.
    places: Vec<usize>,
    /// Fields in a row.
    width: usize,
    /// The CRC of the header; `None` in a file without checksums.
    start: Option<u32>,
    /// Rows can be written as this version writes them.
    known: bool,
    /// Rows are as this version writes them.
    current: bool,
    number: u64,
    offset: u64,
}

impl<R: Read> Lines<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// A header that lacks a column, or that is damaged: `repair` takes it for the current one.
    pub fn new(reader: R, layout: &'static Layout, repair: bool) -> Result<Self, RowError> {
        let mut lines = Lines {
            layout,
            reader: BufReader::with_capacity(1 << 16, reader),
            line: Vec::new(),
            fields: Vec::new(),
            ends: Vec::new(),
            parser: csv_core::Reader::new(),
            places: (0..layout.columns.len()).collect(),
            width: layout.columns.len(),
            start: Some(layout.start()),
            known: true,
            current: true,
            number: 0,
            offset: 0,
        };
        let header = layout.header();
        let begin = lines.reader.fill_buf()?;
        let mut rows = begin.split_inclusive(|&byte| byte == b'\n').skip(1);
        let same = begin.starts_with(header.as_bytes());
        // Rows that belong to the current header are under no other one.
        let damaged = !same && rows.any(|line| is_sealed(layout.start(), line));
        lines.read_line()?;
        if damaged && !repair {
            return Err(RowError::Damaged { line: 1 });
        }
        if !same && !damaged {
            lines.find_columns()?;
        }
        Ok(lines)
    }

    /// Finds the columns of a header that is not the current one.
    fn find_columns(&mut self) -> Result<(), RowError> {
        let columns = self.layout.columns;
        self.split(MOST_COLUMNS);
        let names: Vec<&str> = (0..self.width).map(|place| self.field(place)).collect();
        let mut places = Vec::with_capacity(columns.len());
        for (i, &column) in columns.iter().enumerate() {
            let place = names.iter().position(|name| *name == column);
            if place.is_none() && i < self.layout.always {
                return Err(RowError::Header { file: self.layout.file, column });
            }
            places.push(place.unwrap_or(usize::MAX));
        }
        let sealed = names.last() == Some(&CHECKSUM);
        let rest = if sealed { &names[..names.len() - 1] } else { &names };
        let known = columns[..columns.len() - 1].starts_with(rest);
        self.known = known;
        self.start = sealed.then(|| crc32fast::hash(&self.line));
        self.places = places;
        self.current = false;
        Ok(())
    }

    /// Reads a line; whether there is one that is whole.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let mut read = (&mut self.reader).take(LONGEST).read_until(b'\n', &mut self.line)? as u64;
        if read == LONGEST && !self.line.ends_with(b"\n") {
            read += self.reader.skip_until(b'\n')? as u64;
            // What is left of it is no row.
            self.line = vec![b'\n'];
        }
        let whole = self.line.ends_with(b"\n");
        if whole {
            self.number += 1;
            self.offset += read;
        }
        Ok(whole)
    }

    /// Goes to the next row; whether there is one. A torn last line is left out.
    ///
    /// # Errors
    /// A line that is no row, or damaged; the next call goes on after it.
    pub fn advance(&mut self) -> Result<bool, RowError> {
        while self.read_line()? {
            if self.start.is_some() || self.line.iter().any(|byte| !byte.is_ascii_whitespace()) {
                return self.check().map(|()| true);
            }
        }
        Ok(false)
    }

    /// Takes a line of the same file, newline included, for the one that was read last.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn load(&mut self, line: &[u8]) -> Result<(), RowError> {
        self.line.clear();
        self.line.extend_from_slice(line);
        self.check()
    }

    fn check(&mut self) -> Result<(), RowError> {
        let width = self.width;
        let sound = self.start.is_none_or(|start| is_sealed(start, &self.line))
            && std::str::from_utf8(&self.line).is_ok()
            && self.split(width)
            && self.width == width;
        self.width = width;
        if sound { Ok(()) } else { Err(RowError::Damaged { line: self.number }) }
    }

    /// Takes the line apart into `width` fields; whether it has no more.
    fn split(&mut self, most: usize) -> bool {
        self.parser.reset();
        self.fields.resize(self.fields.len().max(self.line.len()), 0);
        self.ends.resize(most, 0);
        let (result, .., count) =
            self.parser.read_record(&self.line, &mut self.fields, &mut self.ends);
        self.width = count;
        matches!(result, ReadRecordResult::Record)
    }

    fn field(&self, place: usize) -> &str {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        std::str::from_utf8(&self.fields[begin..self.ends[place]]).unwrap_or_default()
    }

    /// The text in a column; empty where the file does not have it.
    pub fn text(&self, column: usize) -> &str {
        let place = self.places[column];
        if place < self.width { plain(self.field(place)) } else { "" }
    }

    /// The same as a number or another thing that is written as text.
    ///
    /// # Errors
    /// What is none.
    pub fn parsed<T: std::str::FromStr>(&self, column: usize) -> Result<T, RowError> {
        self.text(column).parse().map_err(|_| self.error(column))
    }

    /// That a text is not what its column holds.
    pub fn error(&self, column: usize) -> RowError {
        RowError::Field {
            line: self.number,
            column: self.layout.columns[column],
            value: self.text(column).chars().take(40).collect(),
        }
    }

    /// Appends the row as this version writes it: see [`refuse_unknown`](Self::refuse_unknown).
    pub fn copy_to(&self, out: &mut Vec<u8>) {
        if self.current {
            return out.extend_from_slice(&self.line);
        }
        let begin = out.len();
        let row = self.line.trim_ascii_end();
        let (row, there) = match self.start {
            Some(_) => (&row[..row.len() - ",12345678".len()], self.width - 1),
            None => (row, self.width),
        };
        out.extend_from_slice(row);
        // A comma before the checksum, and an empty field for each column that is new.
        out.resize(out.len() + self.layout.columns.len() - there, b',');
        self.layout.seal(out, begin);
    }

    /// Refuses a file whose rows this version cannot write.
    ///
    /// # Errors
    /// Columns that this version does not know.
    pub fn refuse_unknown(&self) -> Result<(), RowError> {
        if self.known { Ok(()) } else { Err(RowError::Foreign) }
    }

    /// Whether the rows are as this version writes them.
    pub fn is_current(&self) -> bool {
        self.current
    }

    /// Whether the rows have checksums.
    pub fn is_sealed(&self) -> bool {
        self.start.is_some()
    }

    /// The number of the line that was read last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The byte offset behind that line.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

/// Whether a spreadsheet would take a cell that begins so for a formula.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@'])
}

/// A text as a cell of CSV, with an apostrophe before what a spreadsheet would take for a
/// formula.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

/// The same as a field of CSV (RFC 4180): in quotes only where it must be.
pub(super) fn quoted(text: &str) -> Cow<'_, str> {
    let text = guarded(text);
    match text.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}

/// The text of a field that [`quoted`] has written.
fn plain(field: &str) -> &str {
    field.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(field)
}
