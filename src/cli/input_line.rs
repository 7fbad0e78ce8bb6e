//! Reads lines of a host or a person, with a maximum length.

use std::io::{self, BufRead, Read};

/// The maximum length of a line of a host, in bytes.
pub const OF_HOSTS: u64 = 1 << 20;

pub enum InputLine {
    /// A line with its line ending and without a byte-order mark; invalid UTF-8 is replaced.
    Line(String),
    /// A line that is too long.
    TooLong,
    /// The input has ended.
    Nothing,
}

/// Reads the next line to its end. A line of more than `longest` bytes is discarded.
pub fn next(input: &mut dyn BufRead, longest: u64) -> io::Result<InputLine> {
    let mut line = Vec::new();
    let bytes = input.take(longest).read_until(b'\n', &mut line)?;
    if bytes == 0 {
        return Ok(InputLine::Nothing);
    }
    if bytes as u64 == longest && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(InputLine::TooLong);
    }
    let text = String::from_utf8_lossy(&line);
    Ok(InputLine::Line(text.trim_start_matches('\u{feff}').to_owned()))
}
