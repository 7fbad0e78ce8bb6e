//! Lines of a host, of bounded length.

use std::io::{self, BufRead, Read};

/// The longest line of a host, in bytes; what lies behind is not kept.
const LONGEST: u64 = 1 << 20;

/// What a host says next.
pub enum Said {
    /// A line, with what ends it; what is no UTF-8 is replaced.
    Line(String),
    /// A line that is too long.
    TooLong,
    Nothing,
}

/// Reads the next line to its end.
///
/// # Errors
/// What the system refuses.
pub fn next(input: &mut impl BufRead) -> io::Result<Said> {
    let mut line = Vec::new();
    let bytes = input.take(LONGEST).read_until(b'\n', &mut line)?;
    if bytes == 0 {
        return Ok(Said::Nothing);
    }
    if bytes as u64 == LONGEST && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        return Ok(Said::TooLong);
    }
    Ok(Said::Line(String::from_utf8_lossy(&line).into_owned()))
}
