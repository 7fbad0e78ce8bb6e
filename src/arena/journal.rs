//! The one ordered writer: rows come in any order and reach the file in game order.
//!
//! There is no thread for it. Whoever hands in a chunk while nobody writes, writes what is
//! next; whoever hands one in meanwhile leaves it and plays on. Workers that run too far
//! ahead of a slow game wait, so that what is held back stays bounded.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::events::{Observer, Progress};
use super::row::Row;
use super::tally::Tally;

/// Rows of consecutive units, formatted by a worker.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The first unit.
    pub unit: u64,
    /// How many units.
    pub units: u64,
    /// The rows as they stand in the file.
    pub bytes: Vec<u8>,
    /// The rows to be counted.
    pub rows: Vec<Row>,
    /// Where in `bytes` each row ends.
    pub ends: Vec<usize>,
}

impl Chunk {
    /// Empties the chunk but keeps its memory.
    pub fn reset(&mut self, unit: u64, units: u64) {
        self.unit = unit;
        self.units = units;
        self.bytes.clear();
        self.rows.clear();
        self.ends.clear();
    }
}

/// Why the journal cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("cannot write games.csv: {0}; what is in it is whole, and the same command goes on")]
pub struct JournalError(#[source] io::Error);

/// Bytes of rows that may wait for an earlier one.
const PATIENCE: usize = 64 << 20;
/// Empty chunks that are kept for use.
const SPARE: usize = 64;
/// How often observers hear of progress.
const PERIOD: Duration = Duration::from_millis(100);

/// The writer of `games.csv` with the tally of what is in it.
pub struct Journal<'a, W> {
    inbox: Mutex<Inbox>,
    room: Condvar,
    /// Whoever needs both locks takes this one first.
    writer: Mutex<Writer<W>>,
    observer: &'a dyn Observer,
    total: u64,
    begin: Instant,
}

/// What was handed in and is not yet written.
struct Inbox {
    /// The unit to be written next.
    next: u64,
    waiting: BTreeMap<u64, Chunk>,
    waiting_bytes: usize,
    /// Nothing more is wanted.
    closed: bool,
    /// Chunks to be used again.
    spare: Vec<Chunk>,
}

struct Writer<W> {
    out: W,
    tally: Tally,
    /// Rows that were there before.
    before: u64,
    error: Option<io::Error>,
    /// When observers last heard of progress.
    told: Instant,
}

/// A panic elsewhere does not make what is in order untrue.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, W: Write> Journal<'a, W> {
    /// A journal that goes on at `unit`, with everything before it counted in `tally`.
    pub fn new(out: W, unit: u64, tally: Tally, total: u64, observer: &'a dyn Observer) -> Self {
        let begin = Instant::now();
        let inbox = Inbox {
            next: unit,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            closed: tally.is_decided(),
            spare: Vec::new(),
        };
        let before = tally.rows;
        let writer = Writer { out, tally, before, error: None, told: begin };
        Journal {
            inbox: Mutex::new(inbox),
            room: Condvar::new(),
            writer: Mutex::new(writer),
            observer,
            total,
            begin,
        }
    }

    /// Whether nothing more is wanted: the run is decided, or writing has failed.
    pub fn is_closed(&self) -> bool {
        lock(&self.inbox).closed
    }

    /// Hands in a chunk and takes an empty one in return; `None` when writing has failed,
    /// or when the run is decided.
    pub fn submit(&self, chunk: Chunk) -> Option<Chunk> {
        let mut inbox = lock(&self.inbox);
        while !inbox.closed
            && chunk.unit != inbox.next
            && inbox.waiting_bytes + chunk.bytes.len() > PATIENCE
        {
            inbox = self.room.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
        if inbox.closed {
            return None;
        }
        inbox.waiting_bytes += chunk.bytes.len();
        inbox.waiting.insert(chunk.unit, chunk);
        drop(inbox);
        self.drain();
        let mut inbox = lock(&self.inbox);
        (!inbox.closed).then(|| inbox.spare.pop().unwrap_or_default())
    }

    /// Writes what is next, unless somebody else is at it.
    fn drain(&self) {
        loop {
            let mut writer = match self.writer.try_lock() {
                Ok(writer) => writer,
                Err(TryLockError::Poisoned(error)) => error.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            while let Some(chunk) = self.take_next() {
                let goes_on = writer.write(&chunk);
                let mut inbox = lock(&self.inbox);
                if !goes_on {
                    inbox.closed = true;
                    drop(inbox);
                    self.room.notify_all();
                    return;
                }
                if inbox.spare.len() < SPARE {
                    inbox.spare.push(chunk);
                }
            }
            if writer.told.elapsed() >= PERIOD {
                writer.told = Instant::now();
                self.tell(&writer);
            }
            drop(writer);
            // Whoever handed in the next chunk in this moment has found the writer busy.
            let inbox = lock(&self.inbox);
            if inbox.closed || !inbox.waiting.contains_key(&inbox.next) {
                return;
            }
        }
    }

    /// The chunk to be written next, if it was handed in.
    fn take_next(&self) -> Option<Chunk> {
        let mut inbox = lock(&self.inbox);
        let next = inbox.next;
        let chunk = inbox.waiting.remove(&next)?;
        inbox.next += chunk.units;
        inbox.waiting_bytes -= chunk.bytes.len();
        drop(inbox);
        self.room.notify_all();
        Some(chunk)
    }

    /// Lets nobody wait any more for rows that will not come.
    pub fn abandon(&self) {
        lock(&self.writer).error.get_or_insert_with(|| io::Error::other("a worker panicked"));
        lock(&self.inbox).closed = true;
        self.room.notify_all();
    }

    fn tell(&self, writer: &Writer<W>) {
        self.observer.progress(&Progress {
            done: writer.tally.rows,
            played: writer.tally.rows - writer.before,
            total: self.total,
            elapsed: self.begin.elapsed(),
            tally: &writer.tally,
        });
    }

    /// Ends the journal: everything in order is in the file.
    ///
    /// # Errors
    /// The first failure to write.
    pub fn finish(self) -> Result<Tally, JournalError> {
        self.tell(&lock(&self.writer));
        let mut writer = self.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = writer.error {
            return Err(JournalError(error));
        }
        writer.out.flush().map_err(JournalError)?;
        writer.tally.settle();
        Ok(writer.tally)
    }
}

impl<W: Write> Writer<W> {
    /// Counts the rows of a chunk and writes them; whether more is wanted. Behind the unit
    /// that decides a sequential test nothing is written, so that the file does not
    /// depend on how far ahead the workers were.
    fn write(&mut self, chunk: &Chunk) -> bool {
        let mut end = chunk.bytes.len();
        for (row, &row_end) in chunk.rows.iter().zip(&chunk.ends) {
            self.tally.push(row);
            if self.tally.is_decided() {
                end = row_end;
                break;
            }
        }
        // What cannot be written ends the run, and its tally is thrown away.
        if let Err(error) = self.out.write_all(&chunk.bytes[..end]) {
            self.error = Some(error);
        }
        self.error.is_none() && !self.tally.is_decided()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::events::Silent;
    use crate::arena::schedule::Pairing;

    fn chunk(unit: u64, units: u64) -> Chunk {
        let bytes = (unit..unit + units).flat_map(|u| format!("{u}\n").into_bytes()).collect();
        Chunk { unit, units, bytes, rows: Vec::new(), ends: Vec::new() }
    }

    fn tally() -> Tally {
        Tally::new(vec!["a".into()], &[Pairing::of(0, 0)])
    }

    #[test]
    fn chunks_are_written_in_order_whatever_order_they_come_in() {
        let mut out = Vec::new();
        let journal = Journal::new(&mut out, 3, tally(), 9, &Silent);
        for (unit, units) in [(6, 1), (3, 2), (7, 2), (5, 1)] {
            journal.submit(chunk(unit, units)).expect("no failure");
        }
        journal.finish().expect("no failure");
        assert_eq!(out, b"3\n4\n5\n6\n7\n8\n");
    }

    #[test]
    fn a_full_disk_is_reported_once_and_nothing_later_is_written() {
        struct Full(Vec<u8>);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                if self.0.len() + bytes.len() > 4 {
                    return Err(io::Error::from(io::ErrorKind::StorageFull));
                }
                self.0.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut out = Full(Vec::new());
        {
            let journal = Journal::new(&mut out.0, 0, tally(), 9, &Silent);
            assert!(journal.submit(chunk(0, 2)).is_some());
            journal.finish().expect("fits");
        }
        let journal = Journal::new(out, 2, tally(), 9, &Silent);
        assert!(journal.submit(chunk(2, 1)).is_none());
        assert!(journal.submit(chunk(3, 1)).is_none());
        assert!(journal.finish().expect_err("full").to_string().contains("games.csv"));
    }
}
