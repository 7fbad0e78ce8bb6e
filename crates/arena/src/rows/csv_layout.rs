//! CSV files with a CRC-32 at the end of each row, so that damage in one line does not affect the next.
//! Columns are found by name. A missing column is unknown; without checksums, nothing is checked.

use std::borrow::Cow;
use std::io::Read;

use csv_core::ReadRecordResult;

use super::file_lines::FileLines;
use super::results_folder_errors::RowError;

const CHECKSUM: &str = "checksum";
const MOST_COLUMNS: usize = 256;

pub(crate) struct Column<Write> {
    pub name: &'static str,
    /// The meaning, as in results/README.md. Columns with the same meaning have the same text.
    pub doc: &'static str,
    pub write: Write,
    /// Whether a file without this column is refused.
    required: bool,
}

impl<Write: Copy> Column<Write> {
    pub const fn new(name: &'static str, doc: &'static str, write: Write) -> Self {
        Column { name, doc, write, required: true }
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
    pub fn new<W>(file: &'static str, columns: &[Column<W>], added: &'static [String]) -> Self {
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
    /// Where each field begins, and where the one after the last would begin.
    begins: Vec<usize>,
    has_quotes: bool,
    /// The fields of a line with quotes, without them, one after another.
    unquoted: Vec<u8>,
    /// Made for the first line with quotes, because it costs as much as reading many lines.
    parser: Option<csv_core::Reader>,
}

impl FieldSplitter {
    /// Returns the number of fields; `None` if it is above `most`, or if the line is not whole or not
    /// UTF-8.
    fn split(&mut self, line: &[u8], most: usize) -> Option<usize> {
        self.begins.clear();
        self.begins.push(0);
        let (mut quotes, mut bits) = (0, 0);
        // Fields are so short that a search for each comma takes twice as long as these loops.
        let (words, rest) = line.as_chunks();
        for (at, word) in words.iter().enumerate() {
            let word = u64::from_le_bytes(*word);
            bits |= word;
            quotes |= equal(word, b'"');
            let mut commas = equal(word, b',');
            while commas != 0 {
                self.begins.push(8 * at + commas.trailing_zeros() as usize / 8 + 1);
                commas &= commas - 1;
            }
        }
        for (at, byte) in rest.iter().enumerate() {
            bits |= u64::from(*byte);
            match byte {
                b',' => self.begins.push(8 * words.len() + at + 1),
                b'"' => quotes = 1,
                _ => {}
            }
        }
        let is_ascii = bits & 0x8080_8080_8080_8080 == 0;
        if !is_ascii && std::str::from_utf8(line).is_err() {
            return None;
        }
        self.has_quotes = quotes != 0;
        if self.has_quotes {
            return self.split_quoted(line, most);
        }
        let row = line.strip_suffix(b"\n")?;
        self.begins.push(row.strip_suffix(b"\r").unwrap_or(row).len() + 1);
        Some(self.begins.len() - 1).filter(|&count| count <= most)
    }

    fn split_quoted(&mut self, line: &[u8], most: usize) -> Option<usize> {
        let parser = self.parser.get_or_insert_with(csv_core::Reader::new);
        parser.reset();
        self.unquoted.resize(self.unquoted.len().max(line.len()), 0);
        self.begins.resize(most + 1, 0);
        let ends = &mut self.begins[1..];
        let (result, .., count) = parser.read_record(line, &mut self.unquoted, ends);
        matches!(result, ReadRecordResult::Record).then_some(count)
    }
}

/// A field as it is in the file, without quotes.
#[derive(Clone, Copy)]
pub(crate) struct Field<'l> {
    /// Everything before the end of the field, so that a short number can be read as one word.
    before_end: &'l [u8],
    len: usize,
}

impl<'l> Field<'l> {
    #[inline(always)]
    pub fn bytes(self) -> &'l [u8] {
        &self.before_end[self.before_end.len() - self.len..]
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The text of the field, in a line that is UTF-8.
    pub fn text(self) -> &'l str {
        std::str::from_utf8(self.plain()).unwrap_or_default()
    }

    /// The bytes of the text that [`guarded`] wrote.
    #[inline(always)]
    pub fn plain(self) -> &'l [u8] {
        let bytes = self.bytes();
        bytes.strip_prefix(b"'").filter(|text| is_formula(text)).unwrap_or(bytes)
    }

    /// A number without sign. A run has a dozen in each row.
    #[inline(always)]
    pub fn number(self) -> Option<u64> {
        match (self.len, self.before_end.last_chunk()) {
            (1..=8, Some(last)) => short_number(u64::from_le_bytes(*last), self.len),
            // The first field of a line.
            (1..=8, None) => {
                let mut last = [0; 8];
                last[8 - self.len..].copy_from_slice(self.bytes());
                short_number(u64::from_le_bytes(last), self.len)
            }
            _ => unsigned(std::str::from_utf8(self.bytes()).ok()?),
        }
    }
}

/// A number without sign, of any length.
pub(crate) fn unsigned(text: &str) -> Option<u64> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// A number of one to eight digits, all at once: a loop ends where the processor does not expect it.
/// The last digit is the highest byte of `word`.
#[inline(always)]
fn short_number(word: u64, len: usize) -> Option<u64> {
    let unused = 64 - 8 * len;
    let digits = ((word ^ u64::from_le_bytes([b'0'; 8])) >> unused) << unused;
    // The highest bit of a byte that is no digit is set in it or in its sum with 0x76.
    if (digits | digits.wrapping_add(0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = (digits * 10 + (digits >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs * 100 + (pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    Some((fours * 10_000 + (fours >> 32)) & 0xFFFF_FFFF)
}

/// The fields of a row.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'l> {
    text: &'l [u8],
    begins: &'l [usize],
    /// The bytes between two fields.
    gap: usize,
    places: &'l [usize],
}

impl<'l> Fields<'l> {
    /// The field at a place of the file.
    #[inline(always)]
    pub fn at(self, place: usize) -> Field<'l> {
        let end = self.begins[place + 1] - self.gap;
        Field { before_end: &self.text[..end], len: end - self.begins[place] }
    }

    /// The field of a column; empty if the file does not have the column.
    #[inline(always)]
    pub fn of(self, column: usize) -> Field<'l> {
        let place = self.places[column];
        if place + 1 < self.begins.len() {
            self.at(place)
        } else {
            Field { before_end: b"", len: 0 }
        }
    }
}

/// The fields of a row, column by column.
pub(crate) struct Columns<'l> {
    fields: Fields<'l>,
    next: usize,
}

impl<'l> Columns<'l> {
    #[inline(always)]
    pub fn field(&mut self) -> Field<'l> {
        self.next += 1;
        self.fields.of(self.next - 1)
    }

    /// A number without sign.
    #[inline(always)]
    pub fn number<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.field().number()?).ok()
    }

    pub fn text(&mut self) -> &'l str {
        self.field().text()
    }
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
            if self.start.is_some() || !self.file.line().trim_ascii().is_empty() {
                return self.check().map(|()| true);
            }
        }
        Ok(false)
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
        let FieldSplitter { begins, has_quotes, unquoted, .. } = &self.splitter;
        let (text, gap) = if *has_quotes { (&unquoted[..], 0) } else { (self.file.line(), 1) };
        Fields { text, begins, gap, places: &self.places }
    }

    /// Reads the columns of the current row in their order. The column at which `read` returns `None` is
    /// invalid.
    #[inline(always)]
    pub fn read<T>(&self, read: impl FnOnce(&mut Columns<'_>) -> Option<T>) -> Result<T, RowError> {
        let mut columns = Columns { fields: self.fields(), next: 0 };
        read(&mut columns).ok_or_else(|| self.error(columns.next - 1))
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
        let names = header.trim_ascii_end().split(|&byte| byte == b',');
        let mut own = names.take_while(|name| *name != CHECKSUM.as_bytes());
        own.position(|other| other == name.as_bytes())
    }

    pub fn parsed<T: std::str::FromStr>(&self, column: usize) -> Result<T, RowError> {
        self.text(column).parse().map_err(|_| self.error(column))
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

/// Whether a spreadsheet would read a cell with this first character as a formula.
fn is_formula(text: &[u8]) -> bool {
    let first = text.iter().find(|&&byte| byte != b'\'');
    first.is_some_and(|first| b"=+-@".contains(first))
}

/// A text as a CSV cell. It gets an apostrophe if a spreadsheet would read it as a formula.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text.as_bytes()) { format!("'{text}").into() } else { text.into() }
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
    field.strip_prefix('\'').filter(|text| is_formula(text.as_bytes())).unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    /// The number in a field after these bytes.
    fn read<T: TryFrom<u64>>(field: &[u8], before: &[u8]) -> Option<T> {
        let text = [before, field].concat();
        let begins = [before.len(), text.len() + 1];
        let fields = Fields { text: &text, begins: &begins, gap: 1, places: &[0] };
        Columns { fields, next: 0 }.number()
    }

    #[test]
    fn numbers_of_each_length_are_read() {
        for before in [&b""[..], b"1,", b"99,999,999,"] {
            for len in 1..=20 {
                let text = &"12345678901234567890"[..len];
                assert_eq!(read::<u64>(text.as_bytes(), before), text.parse().ok(), "{text}");
                assert_eq!(read::<u64>("0".repeat(len).as_bytes(), before), Some(0));
                let nines = "9".repeat(len);
                assert_eq!(read::<u64>(nines.as_bytes(), before), nines.parse().ok());
                for at in 0..len {
                    for byte in (0..=255).filter(|byte| !u8::is_ascii_digit(byte)) {
                        let mut bytes = text.as_bytes().to_vec();
                        bytes[at] = byte;
                        assert_eq!(read::<u64>(&bytes, before), None, "{bytes:?}");
                    }
                }
            }
            for text in ["", "é", "1é", "4 294 967 296", "12345é78", "18446744073709551616"] {
                assert_eq!(read::<u64>(text.as_bytes(), before), None, "{text:?}");
            }
            assert_eq!(read::<u32>(b"4294967296", before), None);
            assert_eq!(read::<u8>(b"256", before), None);
        }
    }

    #[test]
    fn lines_that_are_not_text_or_too_long_are_damaged() {
        static LAYOUT: LazyLock<CsvLayout> = LazyLock::new(|| {
            CsvLayout::new("a.csv", &[Column::new("a", "", ()), Column::new("b", "", ())], &[])
        });
        let long = [b"1,", &vec![b'x'; 1 << 25][..], b"\n"].concat();
        let parts: [&[u8]; 6] = [b"a,b\n", b"1,\xff\n", &long, b"\n", b"1,\"x,y\"\n", b"torn,"];
        let bytes = parts.concat();
        let mut lines = CsvLines::new(Box::new(&bytes[..]), &LAYOUT).expect("a header");
        for line in [2, 3] {
            let error = lines.advance().expect_err("a damaged line").to_string();
            assert!(error.contains(&format!("line {line} is damaged")), "{error}");
        }
        assert!(lines.advance().expect("a row"));
        assert_eq!((lines.text(0), lines.text(1), lines.number()), ("1", "x,y", 5));
        assert!(!lines.advance().expect("the end"));
        assert_eq!(lines.offset(), (bytes.len() - "torn,".len()) as u64);
    }
}
