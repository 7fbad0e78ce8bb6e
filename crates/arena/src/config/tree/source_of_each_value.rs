//! The sources of values: the config file, a list of openings, an option, a `SPEC`. A [`Span`] stores its
//! source, so each mistake is reported at its own place.

use std::io::Read;
use std::ops::Range;
use std::path::Path;

use crate::util::did_you_mean::nearest;

/// The kind of a source, which decides how its places are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// A file: places are printed as file, line and column.
    File,
    /// Text typed on the command line: places are shown by a caret.
    Typed,
}

/// A text that values were read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueSource {
    /// The name of the file, or the option.
    pub name: String,
    pub text: String,
    pub kind: SourceKind,
    /// The number of the text's first line in the file.
    pub first_line: usize,
}

/// A place in one of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The index of the source.
    pub source: usize,
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// A place in a source.
    pub fn new(source: usize, range: Range<usize>) -> Self {
        Span { source, start: range.start, end: range.end.max(range.start) }
    }

    /// The same place in a source that contains this text `by` bytes from its start.
    pub(crate) fn shifted(self, by: usize) -> Self {
        Span { start: self.start + by, end: self.end + by, ..self }
    }
}

impl ValueSource {
    /// A file that has been read.
    pub fn file(name: impl Into<String>, text: impl Into<String>) -> Self {
        ValueSource { name: name.into(), text: text.into(), kind: SourceKind::File, first_line: 1 }
    }

    /// A line of a file, by its number from 1.
    pub(crate) fn line_of(name: impl Into<String>, line: u64, text: impl Into<String>) -> Self {
        ValueSource { first_line: line as usize, ..ValueSource::file(name, text) }
    }

    /// A text typed on the command line.
    pub fn typed(name: impl Into<String>, text: impl Into<String>) -> Self {
        ValueSource { name: name.into(), text: text.into(), kind: SourceKind::Typed, first_line: 1 }
    }

    /// Line and column of a byte, both from 1; columns count characters.
    pub fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = &self.text[..self.floor(at)];
        let line = before.matches('\n').count() + self.first_line;
        let begin = before.rfind('\n').map_or(0, |i| i + 1);
        (line, before[begin..].chars().count() + 1)
    }

    /// The nearest place at or before `at` where a character begins.
    pub(crate) fn floor(&self, at: usize) -> usize {
        let mut at = at.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

/// Why a file cannot be used as text; `help` (how to fix it) may be empty.
pub(crate) struct Unreadable {
    pub reason: String,
    pub help: String,
}

/// Opens a file for reading.
pub(crate) fn open_file(path: &Path) -> Result<std::fs::File, Unreadable> {
    let fail = |reason: String, help: &str| Unreadable { reason, help: help.to_owned() };
    if path.is_dir() {
        return Err(fail("it is a folder".to_owned(), "name a file inside it"));
    }
    std::fs::File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Unreadable {
            reason: "there is no such file".to_owned(),
            help: near_file(path).unwrap_or_default(),
        },
        _ => fail(plain(&error), ""),
    })
}

/// Reads a text file of at most `limit` bytes and removes a byte order mark.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<String, Unreadable> {
    let fail = |reason: String, help: &str| Unreadable { reason, help: help.to_owned() };
    let (file, mut bytes) = (open_file(path)?, Vec::new());
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| fail(plain(&error), ""))?;
    if bytes.len() as u64 > limit {
        return Err(fail(format!("it is larger than {} MiB", limit >> 20), ""));
    }
    if let Some(foreign) = foreign(&bytes) {
        return Err(foreign);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
        fail(format!("line {line} is not UTF-8 text"), "save the file as UTF-8")
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// The first bytes of compressed files, the name of the format, and how to unpack it.
const COMPRESSED: [(&[u8], &str, &str); 6] = [
    (&[0x1F, 0x8B], "a gzip file", "unpack it first: `gunzip FILE`"),
    (b"PK\x03\x04", "a zip archive", "unpack it first: `unzip FILE`"),
    (&[0x28, 0xB5, 0x2F, 0xFD], "a zstd file", "unpack it first: `zstd -d FILE`"),
    (b"BZh", "a bzip2 file", "unpack it first: `bunzip2 FILE`"),
    (&[0xFD, b'7', b'z', b'X', b'Z', 0], "an xz file", "unpack it first: `unxz FILE`"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive", "unpack it first: `7z x FILE`"),
];

/// The format of a file that begins with these bytes, if it is not text in UTF-8 or a similar
/// encoding.
pub(crate) fn foreign(bytes: &[u8]) -> Option<Unreadable> {
    let compressed = COMPRESSED.iter().find(|(begin, ..)| bytes.starts_with(begin));
    let marked = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    // Without a byte order mark, one byte of each ASCII character is 0.
    let is_utf16 = || matches!(bytes, [0, b, 0, c, ..] | [b, 0, c, 0, ..] if *b > 0 && *c > 0);
    let (reason, help) = if let Some((_, name, help)) = compressed {
        (format!("it is {name}"), *help)
    } else if !marked && is_polyglot(&bytes[..bytes.len().min(16 * 64)]) {
        (
            "it is an opening book in the format of Polyglot, which holds no moves from the start"
                .to_owned(),
            "export its lines as PGN, or as moves in text, one line an opening",
        )
    } else if marked || is_utf16() {
        ("it is text in UTF-16".to_owned(), "save the file as UTF-8")
    } else {
        return None;
    };
    Some(Unreadable { reason, help: help.to_owned() })
}

/// Whether bytes are entries of a Polyglot book. An entry has 16 bytes: the hash of the position in
/// rising order, a move of 15 bits, a weight, and four bytes for learning. Text is UTF-8, or has no
/// control characters.
fn is_polyglot(bytes: &[u8]) -> bool {
    let entries = bytes.chunks_exact(16).take(64);
    bytes.len().is_multiple_of(16)
        && std::str::from_utf8(bytes).is_err()
        && bytes.iter().any(|&byte| byte < b'\t')
        && entries.clone().map(|entry| &entry[..8]).is_sorted()
        && entries.clone().all(|entry| entry[8] >> 7 == 0)
}

/// The error message of the system without its error number.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}

/// The help for a file that does not exist: a file in the same folder with a similar name.
fn near_file(path: &Path) -> Option<String> {
    let with_ending = path.with_extension("toml");
    if with_ending.is_file() {
        return Some(format!("did you mean `{}`?", with_ending.display()));
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wanted = path.file_name()?.to_str()?;
    let Ok(entries) = std::fs::read_dir(parent) else {
        return Some(format!("there is no folder `{}` either", parent.display()));
    };
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .take(10_000)
        .collect();
    names.sort();
    let near = nearest(wanted, &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    Some(format!("did you mean `{}`?", path.with_file_name(near).display()))
}
