//! Reads bytes of a file. `None` if the file is too short or cannot be read.

use std::io::{Read, Seek};

/// The next bytes.
pub(super) fn bytes<const N: usize>(reader: &mut impl Read) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// The next bytes, a number of them that only the file knows.
pub(super) fn block(reader: &mut impl Read, count: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; count];
    reader.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// Goes to the next even place, and returns it.
pub(super) fn go_to_even(reader: &mut (impl Read + Seek)) -> Option<u64> {
    let at = reader.stream_position().ok()?;
    if at % 2 == 1 {
        bytes::<1>(reader)?;
    }
    Some(at.next_multiple_of(2))
}
