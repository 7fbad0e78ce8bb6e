//! The file of the history. Gates that end at the same time append in turns: each locks the file, and
//! writes its line at once.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::history_line::HistoryLine;
use crate::arena::plain;
use crate::regression::usage_error::UsageError;
use crate::util::unix;

fn disk_error(what: &str, path: &Path) -> impl Fn(io::Error) -> UsageError {
    let what = format!("cannot {what} {}", path.display());
    move |error| UsageError::new(format!("{what}: {error}"), OTHER_FILE)
}

const OTHER_FILE: &str = "name a new file, or one that `agon gate --history` has written";

/// Bytes that must be free before a gate begins. A line is shorter.
const ROOM: usize = 4096;

/// A history to which a gate appends its line.
#[derive(Debug)]
pub struct HistoryCsv {
    path: PathBuf,
}

impl HistoryCsv {
    /// Opens a history, or begins it with its header.
    ///
    /// # Errors
    /// The file is something else, may not be written, or the disk is full.
    pub fn open(path: &Path) -> Result<Self, UsageError> {
        let mut file = locked(path)?;
        repair(&mut file, path)?;
        let disk = disk_error("write", path);
        let length = file.metadata().map_err(&disk)?.len();
        let is_free = file.write_all(&[b' '; ROOM]);
        file.set_len(length).map_err(&disk)?;
        is_free.map_err(&disk)?;
        Ok(HistoryCsv { path: path.to_owned() })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// As `open`. The file is then as before.
    pub fn append(&self, line: &HistoryLine) -> Result<(), UsageError> {
        let disk = disk_error("write", &self.path);
        let mut file = locked(&self.path)?;
        repair(&mut file, &self.path)?;
        let length = file.metadata().map_err(&disk)?.len();
        let written = file.write_all(&bytes(&line.fields())).and_then(|()| file.sync_all());
        if written.is_err() {
            file.set_len(length).map_err(&disk)?;
        }
        written.map_err(&disk)
    }
}

/// Reads the lines of a history. A last line that a kill has cut is left out.
///
/// # Errors
/// The file is no history, or one of its lines is damaged.
pub fn read_history(path: &Path) -> Result<Vec<HistoryLine>, UsageError> {
    let mut text = fs::read(path).map_err(disk_error("read", path))?;
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if !is_complete(&text[whole..]) {
        text.truncate(whole);
    }
    let wrong = |line: u64, what: &str, help: &str| {
        UsageError::new(format!("{}:{line}: {what}", path.display()), help)
    };
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let columns = reader.headers().map_err(|_| wrong(1, "it is no CSV", OTHER_FILE))?.clone();
    let column = |name: &str| columns.iter().position(|column| column == name);
    if let Some(name) = HistoryLine::columns().iter().find(|name| column(name).is_none()) {
        return Err(wrong(1, &format!("the column `{name}` is missing"), OTHER_FILE));
    }
    let mut lines = Vec::new();
    for (number, row) in (2..).zip(reader.records()) {
        let row = row.map_err(|_| wrong(number, "the line is damaged", "remove the line"))?;
        let field = |name: &str| plain(column(name).map_or("", |place| &row[place])).to_owned();
        let line = HistoryLine::read(&field).map_err(|name| {
            let what = format!("the value of `{name}` is not valid");
            wrong(number, &what, "correct the value, or remove the line")
        })?;
        lines.push(line);
    }
    Ok(lines)
}

/// A record as a line of the file.
fn bytes(fields: &[String]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail.
    let _ = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}

/// Opens the file and waits for its lock, which the system holds until the file is closed.
fn locked(path: &Path) -> Result<File, UsageError> {
    let disk = disk_error("write", path);
    loop {
        let mut options = OpenOptions::new();
        let options = options.read(true).append(true).create(true);
        let file = unix::open_plain_file(options, path).map_err(&disk)?;
        // A file system may have no locks. A line is still written at once to the end of the file.
        let _ = file.lock();
        // While this process waited, another program may have replaced the file.
        let there = fs::metadata(path);
        if there
            .is_ok_and(|there| file.metadata().is_ok_and(|own| unix::is_same_file(&own, &there)))
        {
            return Ok(file);
        }
    }
}

/// Checks the header. An empty file gets one, and a last line that a kill has cut is removed.
fn repair(file: &mut File, path: &Path) -> Result<(), UsageError> {
    let header = bytes(&HistoryLine::columns());
    let disk = disk_error("read", path);
    let mut text = Vec::new();
    file.rewind().map_err(&disk)?;
    Read::by_ref(file).take(header.len() as u64).read_to_end(&mut text).map_err(&disk)?;
    if !header.starts_with(&text) {
        let message = format!("{}: its first line is not that of a history", path.display());
        return Err(UsageError::new(message, OTHER_FILE));
    }
    file.read_to_end(&mut text).map_err(&disk)?;
    let disk = disk_error("write", path);
    let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole == 0 {
        file.set_len(0).and_then(|()| file.write_all(&header)).map_err(disk)
    } else if whole == text.len() {
        Ok(())
    } else if is_complete(&text[whole..]) {
        file.write_all(b"\n").map_err(disk)
    } else {
        file.set_len(whole as u64).map_err(disk)
    }
}

/// Whether a line without its end has all fields. The last one is a digit.
fn is_complete(line: &[u8]) -> bool {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let row = reader.records().next().and_then(Result::ok);
    let columns = HistoryLine::columns().len();
    row.is_some_and(|row| row.len() == columns && !row[columns - 1].is_empty())
}
