//! Reads lines of a host, with a maximum length.

use std::io::{self, BufRead, Read};

/// The maximum length of a line, in bytes; the rest of a longer line is discarded.
const LONGEST: u64 = 1 << 20;

/// The next input of a host.
pub enum HostLine {
    /// A line with its line ending; invalid UTF-8 is replaced.
    Line(String),
    /// A line that is too long.
    TooLong,
    Nothing,
}

/// Reads the next line to its end.
pub fn next(input: &mut impl BufRead) -> io::Result<HostLine> {
    let mut line = Vec::new();
    let bytes = input.take(LONGEST).read_until(b'\n', &mut line)?;
    if bytes == 0 {
        return Ok(HostLine::Nothing);
    }
    if bytes as u64 == LONGEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(HostLine::TooLong);
    }
    Ok(HostLine::Line(String::from_utf8_lossy(&line).into_owned()))
}
