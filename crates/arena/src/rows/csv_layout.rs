//! CSV files with a CRC-32 at the end of each row, so that damage in one line does not affect the next.
//! Columns are found by name. A missing column is unknown; without checksums, nothing is checked.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use csv_core::ReadRecordResult;

use super::results_folder_errors::RowError;

const CHECKSUM: &str = "checksum";
/// A longer line is invalid.
const LONGEST: u64 = 1 << 24;
const MOST_COLUMNS: usize = 256;

pub(crate) struct Column<Write, Read> {
    pub name: &'static str,
    /// The meaning, as in results/README.md. Columns with the same meaning have the same text.
    pub doc: &'static str,
    pub write: Write,
    /// Parses the field; `None` for an invalid text.
    pub read: Read,
    /// Whether a file without this column is refused.
    required: bool,
}

impl<Write: Copy, Read: Copy> Column<Write, Read> {
    pub const fn new(name: &'static str, doc: &'static str, write: Write, read: Read) -> Self {
        Column { name, doc, write, read, required: true }
    }

    /// A column that a file may lack. Its field is empty there.
    pub const fn optional(mut self) -> Self {
        self.required = false;
        self
    }
}

/// The columns of a file; the checksum is last.
pub(crate) struct CsvLayout {
    file: &'static str,
    columns: Vec<&'static str>,
    required: Vec<bool>,
    header: String,
    /// The CRC of the header. The CRC of each row starts from it.
    start: u32,
    /// The columns that not every file has. They are last before the checksum.
    pub added: &'static [String],
}

impl CsvLayout {
    pub fn new<W, R>(
        file: &'static str,
        columns: &[Column<W, R>],
        added: &'static [String],
    ) -> Self {
        let mut required: Vec<bool> = columns.iter().map(|column| column.required).collect();
        required.resize(columns.len() + added.len(), false);
        let mut columns: Vec<&str> = columns.iter().map(|column| column.name).collect();
        columns.extend(added.iter().map(String::as_str));
        columns.push(CHECKSUM);
        required.push(false);
        let header = columns.join(",") + "\n";
        let start = crc32fast::hash(header.as_bytes());
        CsvLayout { file, columns, required, header, start, added }
    }

    /// The header line, including the newline.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// Ends the row that starts at `begin` and ends with a comma: appends checksum and newline.
    pub fn seal(&self, out: &mut Vec<u8>, begin: usize) {
        let sum = digits(checksum(self.start, &out[begin..]));
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

/// A line without its newline and without its last fields.
fn without_last(line: &[u8], fields: usize) -> &[u8] {
    let mut line = line.strip_suffix(b"\n").unwrap_or(line);
    for _ in 0..fields {
        let (mut is_quoted, mut end) = (false, 0);
        for (place, byte) in line.iter().enumerate() {
            is_quoted ^= *byte == b'"';
            if *byte == b',' && !is_quoted {
                end = place;
            }
        }
        line = &line[..end];
    }
    line
}

/// Whether a line without its newline ends with the correct checksum.
fn is_sealed(start: u32, line: &[u8]) -> bool {
    line.split_last_chunk()
        .is_some_and(|(row, sum)| row.ends_with(b",") && digits(checksum(start, row)) == *sum)
}

/// The highest bit of each byte of a word that is equal to `byte`.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let other = word ^ (u64::from(byte) * 0x0101_0101_0101_0101);
    !(((other & LOW) + LOW) | other | LOW)
}

/// Finds the fields of a line. Few lines have quotes, and the others need no copy.
#[derive(Default)]
struct FieldSplitter {
    /// The end of each field in the line, or in `unquoted`.
    ends: Vec<usize>,
    has_quotes: bool,
    /// The fields of a line with quotes, without them, one after another.
    unquoted: Vec<u8>,
    /// Made for the first line with quotes, because it costs as much as reading many lines.
    parser: Option<csv_core::Reader>,
}

impl FieldSplitter {
    /// Returns the number of fields; `None` if it is above `most` or the line is not whole.
    fn split(&mut self, line: &str, most: usize) -> Option<usize> {
        self.has_quotes = false;
        self.ends.clear();
        // Fields are so short that a search for each comma takes twice as long as these loops.
        let (words, rest) = line.as_bytes().as_chunks();
        for (at, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            self.has_quotes |= equal(word, b'"') != 0;
            let mut commas = equal(word, b',');
            while commas != 0 {
                self.ends.push(8 * at + commas.trailing_zeros() as usize / 8);
                commas &= commas - 1;
            }
        }
        for (at, byte) in rest.iter().enumerate() {
            match byte {
                b',' => self.ends.push(8 * words.len() + at),
                b'"' => self.has_quotes = true,
                _ => {}
            }
        }
        if self.has_quotes {
            return self.split_quoted(line, most);
        }
        let row = line.strip_suffix('\n')?;
        self.ends.push(row.strip_suffix('\r').unwrap_or(row).len());
        Some(self.ends.len()).filter(|&count| count <= most)
    }

    fn split_quoted(&mut self, line: &str, most: usize) -> Option<usize> {
        let parser = self.parser.get_or_insert_with(csv_core::Reader::new);
        parser.reset();
        self.unquoted.resize(self.unquoted.len().max(line.len()), 0);
        self.ends.resize(most, 0);
        let (result, .., count) =
            parser.read_record(line.as_bytes(), &mut self.unquoted, &mut self.ends);
        matches!(result, ReadRecordResult::Record).then_some(count)
    }

    /// A field of the line that was split.
    #[inline(always)]
    fn field<'l>(&'l self, line: &'l str, place: usize) -> &'l str {
        let begin = if place == 0 { 0 } else { self.ends[place - 1] };
        let end = self.ends[place];
        match self.has_quotes {
            true => std::str::from_utf8(&self.unquoted[begin..end]).unwrap_or_default(),
            false => &line[begin + usize::from(place > 0)..end],
        }
    }
}

/// Reads a CSV file line by line, in memory that does not grow with the number of lines.
pub(crate) struct CsvLines<'r> {
    layout: &'static CsvLayout,
    reader: BufReader<Box<dyn Read + Send + 'r>>,
    line: String,
    fields: FieldSplitter,
    /// The position of each column in the file; a missing column has a position after all fields.
    places: Vec<usize>,
    /// Number of fields in a row.
    width: usize,
    /// The CRC of the header; `None` in a file without checksums.
    start: Option<u32>,
    /// Number of columns after the checksum, which a user has added.
    added: usize,
    /// Whether this version can write the rows.
    known: bool,
    /// Whether the rows have the format of this version.
    current: bool,
    /// Whether the header is damaged and the damage was not reported yet.
    damaged_header: bool,
    number: u64,
    offset: u64,
}

impl<'r> CsvLines<'r> {
    /// Reads the header. A damaged header counts as a damaged line: see [`advance`](Self::advance).
    pub fn new(
        reader: Box<dyn Read + Send + 'r>,
        layout: &'static CsvLayout,
    ) -> Result<Self, RowError> {
        let mut lines = CsvLines {
            layout,
            reader: BufReader::with_capacity(1 << 16, reader),
            line: String::new(),
            fields: FieldSplitter::default(),
            places: (0..layout.columns.len()).collect(),
            width: layout.columns.len(),
            start: Some(layout.start),
            added: 0,
            known: true,
            current: true,
            damaged_header: false,
            number: 0,
            offset: 0,
        };
        let begin = lines.reader.fill_buf()?;
        if let Some(change) = spreadsheet_change(begin) {
            return Err(RowError::Columns(format!(
                "a spreadsheet has changed this file ({change}): restore the file that agon wrote, and \
                 open a copy of it in a spreadsheet"
            )));
        }
        let same = begin.starts_with(layout.header.as_bytes());
        // If rows match the header but the header does not, the header is damaged.
        let mut rows = begin.split_inclusive(|&byte| byte == b'\n').skip(1);
        lines.damaged_header =
            !same && rows.any(|line| is_sealed(layout.start, without_last(line, 0)));
        lines.read_line()?;
        if !same && !lines.damaged_header {
            lines.find_columns()?;
        }
        Ok(lines)
    }

    fn find_columns(&mut self) -> Result<(), RowError> {
        let columns = &self.layout.columns;
        self.width = self.fields.split(&self.line, MOST_COLUMNS).unwrap_or_default();
        let names: Vec<&str> = (0..self.width).map(|place| self.field(place)).collect();
        let mut places = Vec::with_capacity(columns.len());
        for (column, required) in columns.iter().zip(&self.layout.required) {
            let place = names.iter().position(|name| name == column);
            if place.is_none() && *required {
                let file = self.layout.file;
                return Err(RowError::Columns(format!(
                    "the columns are not those of {file}: `{column}` is missing"
                )));
            }
            places.push(place.unwrap_or(usize::MAX));
        }
        // A checksum is that of the columns before it. A user may add columns after it.
        let own = names.iter().position(|&name| name == CHECKSUM);
        let is_checksum = |name: &&&str| name.trim().eq_ignore_ascii_case(CHECKSUM);
        let is_after = |&place: &usize| place < names.len() && own.is_some_and(|own| place > own);
        if names.iter().filter(is_checksum).count() != usize::from(own.is_some())
            || places.iter().any(is_after)
        {
            return Err(RowError::Columns(format!(
                "`{CHECKSUM}` is not the column after those of agon: another program has changed \
                 this file, so its rows cannot be checked; restore the file that agon wrote"
            )));
        }
        let rest = &names[..own.unwrap_or(names.len())];
        let known = own.is_none_or(|own| own + 1 == names.len()) && columns.starts_with(rest);
        let added = own.map_or(0, |own| names.len() - own - 1);
        self.known = known;
        self.added = added;
        self.start = own.map(|_| {
            let header = without_last(self.line.as_bytes(), self.added);
            crc32fast::hash(&[header, b"\n"].concat())
        });
        self.places = places;
        self.current = false;
        Ok(())
    }

    /// Reads a line; returns whether there is a complete line.
    fn read_line(&mut self) -> io::Result<bool> {
        let mut line = std::mem::take(&mut self.line).into_bytes();
        line.clear();
        let buffer = self.reader.buffer();
        let mut read = match memchr::memchr(b'\n', buffer) {
            Some(end) => {
                line.extend_from_slice(&buffer[..=end]);
                self.reader.consume(end + 1);
                end + 1
            }
            // The line ends after the buffer.
            None => (&mut self.reader).take(LONGEST).read_until(b'\n', &mut line)?,
        } as u64;
        if read == LONGEST && !line.ends_with(b"\n") {
            read += self.reader.skip_until(b'\n')? as u64;
            // The remaining part of the line is not a row.
            line = vec![b'\n'];
        }
        let whole = line.ends_with(b"\n");
        self.set_line(line);
        if whole {
            self.number += 1;
            self.offset += read;
        }
        Ok(whole)
    }

    /// Advances to the next row; returns whether there is one. A torn last line is left out.
    pub fn advance(&mut self) -> Result<bool, RowError> {
        if std::mem::take(&mut self.damaged_header) {
            return Err(RowError::damaged(1));
        }
        while self.read_line()? {
            if self.start.is_some() || !self.line.trim_ascii().is_empty() {
                return self.check().map(|()| true);
            }
        }
        Ok(false)
    }

    /// Makes a line of the same file, including its newline, the current line.
    pub fn load(&mut self, line: &[u8]) -> Result<(), RowError> {
        let mut bytes = std::mem::take(&mut self.line).into_bytes();
        bytes.clear();
        bytes.extend_from_slice(line);
        self.set_line(bytes);
        self.check()
    }

    /// Makes these bytes the current line. If they are not UTF-8, the line is empty, which is not a row.
    fn set_line(&mut self, line: Vec<u8>) {
        self.line = String::from_utf8(line).unwrap_or_else(|_| "\n".to_owned());
    }

    fn check(&mut self) -> Result<(), RowError> {
        let row = without_last(self.line.as_bytes(), self.added);
        let sound = self.start.is_none_or(|start| is_sealed(start, row))
            && self.fields.split(&self.line, self.width) == Some(self.width);
        if sound { Ok(()) } else { Err(RowError::damaged(self.number)) }
    }

    #[inline(always)]
    fn field(&self, place: usize) -> &str {
        self.fields.field(&self.line, place)
    }

    /// The text in a column; empty if the file does not have the column.
    #[inline(always)]
    pub fn text(&self, column: usize) -> &str {
        let place = self.places[column];
        if place < self.width { plain(self.field(place)) } else { "" }
    }

    /// The place of a column that agon has written, before the first row is read.
    pub fn place(&self, name: &str) -> Option<usize> {
        let header = if self.damaged_header { &self.layout.header } else { &self.line };
        let mut names = header.trim_end().split(',').take_while(|name| *name != CHECKSUM);
        names.position(|other| other == name)
    }

    /// The text at a place of the file.
    pub fn text_at(&self, place: usize) -> &str {
        plain(self.field(place))
    }

    pub fn parsed<T: std::str::FromStr>(&self, column: usize) -> Result<T, RowError> {
        self.text(column).parse().map_err(|_| self.error(column))
    }

    pub fn error(&self, column: usize) -> RowError {
        self.invalid(self.layout.columns[column], self.text(column))
    }

    /// The error of a field with this text.
    pub fn invalid(&self, column: &str, text: &str) -> RowError {
        let value: String = text.chars().take(40).collect();
        let what = format!(": `{value}` is not a valid {column}");
        RowError::Line { line: self.number, what }
    }

    /// Appends the row in the format of this version: see [`refuse_unknown`](Self::refuse_unknown).
    pub fn copy_to(&self, out: &mut Vec<u8>) {
        if self.current {
            return out.extend_from_slice(self.line.as_bytes());
        }
        let begin = out.len();
        let row = self.line.trim_ascii_end().as_bytes();
        let (row, there) = match self.start {
            Some(_) => (&row[..row.len() - ",12345678".len()], self.width - 1),
            None => (row, self.width),
        };
        out.extend_from_slice(row);
        // A comma before the checksum, and an empty field for each new column.
        out.resize(out.len() + self.layout.columns.len() - there, b',');
        self.layout.seal(out, begin);
    }

    /// Refuses a file if this version cannot write its rows.
    pub fn refuse_unknown(&self) -> Result<(), RowError> {
        let foreign = "it has columns that this version of agon does not know";
        if self.known { Ok(()) } else { Err(RowError::Columns(foreign.to_owned())) }
    }

    pub fn is_current(&self) -> bool {
        self.current
    }

    pub fn is_sealed(&self) -> bool {
        self.start.is_some()
    }

    pub fn number(&self) -> u64 {
        self.number
    }

    pub fn offset(&self) -> u64 {
        self.offset
    }
}

/// Whether the rows below this header have checksums.
pub(crate) fn has_checksum(header: &str) -> bool {
    header.split(',').any(|name| name.trim().eq_ignore_ascii_case(CHECKSUM))
}

/// What a spreadsheet has changed in a file with checksums, as its header shows. A repair would drop
/// every row of such a file.
fn spreadsheet_change(text: &[u8]) -> Option<&'static str> {
    let header = text.split_inclusive(|&byte| byte == b'\n').next()?;
    let count = |sign: u8| header.iter().filter(|&&byte| byte == sign).count();
    let ends = |ending: &str| header.ends_with(ending.as_bytes());
    match () {
        () if count(b';') > count(b',') => Some("`;` between the columns"),
        () if count(b'\t') > count(b',') => Some("tabs between the columns"),
        () if header.starts_with(b"\xef\xbb\xbf") => Some("a byte-order mark"),
        () if ends("checksum\r\n") => Some("line ends of Windows"),
        () if ends("\"checksum\"\n") || ends("\"checksum\"\r\n") => Some("quotes"),
        () => None,
    }
}

/// Whether a spreadsheet would read a cell with this first character as a formula.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@'])
}

/// A text as a CSV cell. It gets an apostrophe if a spreadsheet would read it as a formula.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    let text = guarded(text);
    match text.bytes().any(|b| matches!(b, b',' | b'"' | b'\n' | b'\r')) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}

/// The text of a field that [`guarded`] wrote.
pub fn plain(field: &str) -> &str {
    field.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(field)
}
