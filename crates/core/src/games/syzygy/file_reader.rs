//! Reads parts of a file. A short file is damage, as is a file whose content makes no sense.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The file is damaged, or cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Damage;

impl From<io::Error> for Damage {
    fn from(_: io::Error) -> Self {
        Damage
    }
}

pub(super) struct FileReader {
    file: BufReader<File>,
    at: u64,
}

impl FileReader {
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(FileReader { file: BufReader::with_capacity(1024, File::open(path)?), at: 0 })
    }

    /// The number of bytes of the file.
    pub fn len(&self) -> Result<u64, Damage> {
        Ok(self.file.get_ref().metadata()?.len())
    }

    /// The place of the next byte.
    pub fn at(&self) -> u64 {
        self.at
    }

    pub fn go(&mut self, at: u64) -> Result<(), Damage> {
        let by = i64::try_from(at).map_err(|_| Damage)? - self.at as i64;
        self.file.seek_relative(by)?;
        self.at = at;
        Ok(())
    }

    pub fn skip(&mut self, count: u64) -> Result<(), Damage> {
        self.go(self.at + count)
    }

    pub fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    pub fn block(&mut self, count: usize) -> Result<Vec<u8>, Damage> {
        let mut bytes = vec![0; count];
        self.file.read_exact(&mut bytes)?;
        self.at += count as u64;
        Ok(bytes)
    }
}
