//! CSV files with a CRC-32 at the end of each row, so that damage in one line does not affect the next.
//! Columns are found by name. A missing column is unknown. Without checksums, a line is only damaged if
//! it is not UTF-8, is too long, has another number of fields, or has quotes in wrong places.

use std::io::Read;

use super::file_lines::FileLines;
use super::results_folder_errors::RowError;
use super::row_fields::{Columns, Field, FieldSplitter, Fields};

const CHECKSUM: &str = "checksum";
const MOST_COLUMNS: usize = 256;

pub(crate) struct Column {
    pub name: &'static str,
    /// The meaning, as in results/README.md. Columns with the same meaning have the same text.
    pub doc: &'static str,
    /// Whether a file without this column is refused.
    required: bool,
}

impl Column {
    pub const fn new(name: &'static str, doc: &'static str) -> Self {
        Column { name, doc, required: true }
    }

    /// A column that a file may lack. Its field is empty there.
    pub const fn optional(name: &'static str, doc: &'static str) -> Self {
        Column { name, doc, required: false }
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
    pub fn new(file: &'static str, columns: &[Column], added: &'static [String]) -> Self {
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

/// Reads a CSV file line by line, in memory that does not grow with the number of lines.
pub(crate) struct CsvLines<'r> {
    layout: &'static CsvLayout,
    file: FileLines<'r>,
    splitter: FieldSplitter,
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
            file: FileLines::new(reader),
            splitter: FieldSplitter::default(),
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
        let begin = lines.file.beginning()?;
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
        self.width = self.splitter.split(self.file.line(), MOST_COLUMNS).unwrap_or_default();
        let fields = self.fields();
        let names: Vec<&str> = (0..self.width).map(|place| fields.at(place).text()).collect();
        let mut places = Vec::with_capacity(columns.len());
        for (column, required) in columns.iter().zip(&self.layout.required) {
            let place = names.iter().position(|name| name == column);
            if place.is_none() && *required {
                let file = self.layout.file;
                return Err(RowError::Columns(format!(
                    "the columns are not those of {file}: `{column}` is missing"
                )));
            }
            places.push(place.unwrap_or(MOST_COLUMNS));
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
            let header = without_last(self.file.line(), self.added);
            crc32fast::hash(&[header, b"\n"].concat())
        });
        self.places = places;
        self.current = false;
        Ok(())
    }

    /// Reads a line; returns whether there is a complete line.
    fn read_line(&mut self) -> Result<bool, RowError> {
        let read = self.file.advance()?;
        if let Some(length) = read {
            self.number += 1;
            self.offset += length;
        }
        Ok(read.is_some())
    }

    /// Advances to the next row; returns whether there is one. A torn last line is left out.
    pub fn advance(&mut self) -> Result<bool, RowError> {
        if std::mem::take(&mut self.damaged_header) {
            return Err(RowError::damaged(1));
        }
        while self.read_line()? {
            if !self.is_blank(self.file.line()) {
                return self.check().map(|()| true);
            }
        }
        Ok(false)
    }

    /// Whether a line is left out: with checksums, even an empty line is damaged.
    pub fn is_blank(&self, line: &[u8]) -> bool {
        self.start.is_none() && line.trim_ascii().is_empty()
    }

    /// Makes a line of the same file, including its newline, the current line.
    pub fn load(&mut self, line: &[u8]) -> Result<(), RowError> {
        self.file.set_line(line);
        self.check()
    }

    fn check(&mut self) -> Result<(), RowError> {
        let line = self.file.line();
        let sound = self.start.is_none_or(|start| is_sealed(start, without_last(line, self.added)))
            && self.splitter.split(line, self.width) == Some(self.width);
        if sound { Ok(()) } else { Err(RowError::damaged(self.number)) }
    }

    /// The fields of the current row.
    #[inline]
    pub fn fields(&self) -> Fields<'_> {
        self.splitter.fields(self.file.line(), &self.places)
    }

    /// Reads the columns of the current row in their order. The column at which `read` returns `None` is
    /// invalid.
    #[inline(always)]
    pub fn read<T>(&self, read: impl FnOnce(&mut Columns<'_>) -> Option<T>) -> Result<T, RowError> {
        let mut columns = Columns::new(self.fields());
        read(&mut columns).ok_or_else(|| self.error(columns.last()))
    }

    /// The text in a column; empty if the file does not have the column.
    pub fn text(&self, column: usize) -> &str {
        self.fields().of(column).text()
    }

    /// The place of a column that agon has written, before the first row is read.
    pub fn place(&self, name: &str) -> Option<usize> {
        let header = match self.damaged_header {
            true => self.layout.header.as_bytes(),
            false => self.file.line(),
        };
        let mut splitter = FieldSplitter::default();
        let width = splitter.split(header, MOST_COLUMNS)?;
        let fields = splitter.fields(header, &[]);
        let mut own =
            (0..width).map(|at| fields.at(at).bytes()).take_while(|&it| it != CHECKSUM.as_bytes());
        own.position(|other| other == name.as_bytes())
    }

    /// The number without sign in a column.
    pub fn number_in<T: TryFrom<u64>>(&self, column: usize) -> Result<T, RowError> {
        let number = self.fields().of(column).number();
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| self.error(column))
    }

    pub fn error(&self, column: usize) -> RowError {
        self.invalid(self.layout.columns[column], self.fields().of(column))
    }

    /// The error of a field.
    pub fn invalid(&self, column: &str, field: Field<'_>) -> RowError {
        let value: String = field.text().chars().take(40).collect();
        let what = format!(": `{value}` is not a valid {column}");
        RowError::Line { line: self.number, what }
    }

    /// Appends the row in the format of this version: see [`refuse_unknown`](Self::refuse_unknown).
    pub fn copy_to(&self, out: &mut Vec<u8>) {
        if self.current {
            return out.extend_from_slice(self.file.line());
        }
        let begin = out.len();
        let row = self.file.line().trim_ascii_end();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    #[test]
    fn lines_that_are_not_text_or_too_long_are_damaged() {
        static LAYOUT: LazyLock<CsvLayout> = LazyLock::new(|| {
            CsvLayout::new("a.csv", &[Column::new("a", ""), Column::new("b", "")], &[])
        });
        let long = [b"1,", &vec![b'x'; 1 << 25][..], b"\n"].concat();
        let quoted = [b"1,\"x\"\r", &vec![b'x'; 1 << 25][..], b"\n"].concat();
        let parts: [&[u8]; 5] = [b"a,b\n", b"1,\xff\n", &long, &quoted, b"1,\"x\"\ry\n"];
        // The last line has no end.
        let bytes = [&parts.concat(), &b"\n1,\"x,y\"\n"[..], &long[..1 << 25]].concat();
        let mut lines = CsvLines::new(Box::new(&bytes[..]), &LAYOUT).expect("a header");
        for line in 2..=5 {
            let error = lines.advance().expect_err("a damaged line").to_string();
            assert!(error.contains(&format!("line {line} is damaged")), "{error}");
        }
        assert!(lines.advance().expect("a row"));
        assert_eq!((lines.text(0), lines.text(1), lines.number()), ("1", "x,y", 7));
        assert!(!lines.advance().expect("the end"));
        assert_eq!(lines.offset(), (bytes.len() - (1 << 25)) as u64);
    }
}
