//! The fields of a line of a CSV file: where they are, and the texts and numbers in them.

use csv_core::ReadRecordResult;

use super::cell_text::is_formula;

/// The highest bit of each byte of a word that is equal to `byte`.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let other = word ^ (u64::from(byte) * 0x0101_0101_0101_0101);
    !(((other & LOW) + LOW) | other | LOW)
}

/// Finds the fields of a line. Few lines have quotes, and the others need no copy.
#[derive(Default)]
pub(crate) struct FieldSplitter {
    /// Where each field begins, and where the one after the last would begin.
    begins: Vec<usize>,
    has_quotes: bool,
    /// The fields of a line with quotes, without them, one after another.
    unquoted: Vec<u8>,
    /// Made for the first line with quotes, because it costs as much as reading many lines.
    parser: Option<csv_core::Reader>,
}

impl FieldSplitter {
    /// Returns the number of fields; `None` if it is above `most`, or if the line is not whole, is not
    /// UTF-8, or has quotes in wrong places.
    pub fn split(&mut self, line: &[u8], most: usize) -> Option<usize> {
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

    /// The fields of a line that was just split, with the place of each column.
    #[inline]
    pub fn fields<'l>(&'l self, line: &'l [u8], places: &'l [usize]) -> Fields<'l> {
        let FieldSplitter { begins, has_quotes, unquoted, .. } = self;
        let (text, gap) = if *has_quotes { (&unquoted[..], 0) } else { (line, 1) };
        Fields { text, begins, gap, places }
    }

    fn split_quoted(&mut self, line: &[u8], most: usize) -> Option<usize> {
        let parser = self.parser.get_or_insert_with(csv_core::Reader::new);
        parser.reset();
        self.unquoted.resize(self.unquoted.len().max(line.len()), 0);
        self.begins.resize(most + 1, 0);
        let ends = &mut self.begins[1..];
        let (result, read, _, count) = parser.read_record(line, &mut self.unquoted, ends);
        // The parser ends a record at any line end, a lone CR included.
        let is_whole = line.ends_with(b"\n") && matches!(&line[read..], b"" | b"\n");
        (is_whole && matches!(result, ReadRecordResult::Record)).then_some(count)
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

    /// The bytes of the text that [`guarded`](super::cell_text::guarded) wrote.
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
    pub fn new(fields: Fields<'l>) -> Self {
        Columns { fields, next: 0 }
    }

    /// The column that was read last.
    pub fn last(&self) -> usize {
        self.next - 1
    }

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

    /// A number without sign, or nothing; `None` for another text.
    pub fn known_number<T: TryFrom<u64>>(&mut self) -> Option<Option<T>> {
        let field = self.field();
        if field.is_empty() { Some(None) } else { T::try_from(field.number()?).ok().map(Some) }
    }

    pub fn text(&mut self) -> &'l str {
        self.field().text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number in a field after these bytes.
    fn read<T: TryFrom<u64>>(field: &[u8], before: &[u8]) -> Option<T> {
        let text = [before, field].concat();
        let begins = [before.len(), text.len() + 1];
        let fields = Fields { text: &text, begins: &begins, gap: 1, places: &[0] };
        Columns::new(fields).number()
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
}
