//! Reads a file line by line. Most lines are not copied.

use std::io::{self, BufRead, BufReader, Read};

/// The bytes of the longest line that is kept whole.
const LONGEST: u64 = 1 << 24;

/// The lines of a file, one at a time.
pub(crate) struct FileLines<'r> {
    reader: BufReader<Box<dyn Read + Send + 'r>>,
    /// The length of the current line while it is in the reader's buffer; 0 if it was copied.
    in_buffer: usize,
    copied: Vec<u8>,
}

impl<'r> FileLines<'r> {
    pub fn new(reader: Box<dyn Read + Send + 'r>) -> Self {
        let reader = BufReader::with_capacity(1 << 16, reader);
        FileLines { reader, in_buffer: 0, copied: Vec::new() }
    }

    /// The first bytes of the file, before a line is read.
    pub fn beginning(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    /// Advances to the next line; returns its length in bytes. `None` at the end, or if the line has no
    /// newline. A line that is too long loses its end.
    pub fn advance(&mut self) -> io::Result<Option<u64>> {
        self.leave();
        if let Some(end) = memchr::memchr(b'\n', self.reader.buffer()) {
            self.in_buffer = end + 1;
            return Ok(Some(self.in_buffer as u64));
        }
        let mut read_part = |part: &mut Vec<u8>| -> io::Result<u64> {
            Ok((&mut self.reader).take(LONGEST).read_until(b'\n', part)? as u64)
        };
        let mut read = read_part(&mut self.copied)?;
        let (mut length, mut rest) = (read, Vec::new());
        let mut has_end = self.copied.ends_with(b"\n");
        while !has_end && read == LONGEST {
            rest.clear();
            read = read_part(&mut rest)?;
            length += read;
            has_end = rest.ends_with(b"\n");
        }
        Ok(has_end.then_some(length))
    }

    /// The current line, with its newline.
    #[inline]
    pub fn line(&self) -> &[u8] {
        match self.in_buffer {
            0 => &self.copied,
            length => &self.reader.buffer()[..length],
        }
    }

    /// Makes other bytes the current line.
    pub fn set_line(&mut self, line: &[u8]) {
        self.leave();
        self.copied.extend_from_slice(line);
    }

    fn leave(&mut self) {
        self.reader.consume(std::mem::take(&mut self.in_buffer));
        self.copied.clear();
    }
}
