//! The one ordered writer: rows come in any order and reach the file in game order.
//!
//! Whoever hands in the chunk that is next writes it, with all that waited behind it;
//! there is no thread for it. Workers that run too far ahead of a slow game wait, so
//! that what is held back stays bounded.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
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
/// How often observers hear of progress.
const PERIOD: Duration = Duration::from_millis(100);

/// The writer of `games.csv` with the tally of what is in it.
pub struct Journal<'a, W> {
    state: Mutex<State<W>>,
    room: Condvar,
    observer: &'a dyn Observer,
    total: u64,
    begin: Instant,
}

struct State<W> {
    out: W,
    next: u64,
    waiting: BTreeMap<u64, Chunk>,
    waiting_bytes: usize,
    tally: Tally,
    before: u64,
    error: Option<io::Error>,
    /// A sequential test has fallen: nothing more is written.
    decided: bool,
    told: Instant,
    spare: Vec<Chunk>,
}

impl<'a, W: Write> Journal<'a, W> {
    /// A journal that goes on at `unit`, with everything before it counted in `tally`.
    pub fn new(out: W, unit: u64, tally: Tally, total: u64, observer: &'a dyn Observer) -> Self {
        let now = Instant::now();
        let (before, decided) = (tally.rows, tally.is_decided());
        let state = State {
            out,
            next: unit,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            tally,
            before,
            error: None,
            decided,
            told: now,
            spare: Vec::new(),
        };
        Journal { state: Mutex::new(state), room: Condvar::new(), observer, total, begin: now }
    }

    /// A panic elsewhere does not make what is in order untrue.
    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nothing more is wanted: the run is decided, or writing has failed.
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed()
    }

    /// Hands in a chunk and takes an empty one in return; `None` when writing has failed,
    /// or when the run is decided.
    pub fn submit(&self, chunk: Chunk) -> Option<Chunk> {
        let mut state = self.lock();
        while !state.is_closed()
            && chunk.unit != state.next
            && state.waiting_bytes + chunk.bytes.len() > PATIENCE
        {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_closed() {
            return None;
        }
        state.waiting_bytes += chunk.bytes.len();
        state.waiting.insert(chunk.unit, chunk);
        let written = state.drain();
        if written {
            self.room.notify_all();
            if state.told.elapsed() >= PERIOD {
                state.told = Instant::now();
                self.tell(&state);
            }
        }
        if state.is_closed() {
            self.room.notify_all();
            return None;
        }
        Some(state.spare.pop().unwrap_or_default())
    }

    /// Lets nobody wait any more for rows that will not come.
    pub fn abandon(&self) {
        self.lock().error.get_or_insert_with(|| io::Error::other("a worker panicked"));
        self.room.notify_all();
    }

    fn tell(&self, state: &State<W>) {
        self.observer.progress(&Progress {
            done: state.tally.rows,
            played: state.tally.rows - state.before,
            total: self.total,
            elapsed: self.begin.elapsed(),
            tally: &state.tally,
        });
    }

    /// Ends the journal: everything in order is in the file.
    ///
    /// # Errors
    /// The first failure to write.
    pub fn finish(self) -> Result<Tally, JournalError> {
        self.tell(&self.lock());
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = state.error {
            return Err(JournalError(error));
        }
        state.out.flush().map_err(JournalError)?;
        state.tally.settle();
        Ok(state.tally)
    }
}

impl<W: Write> State<W> {
    fn is_closed(&self) -> bool {
        self.decided || self.error.is_some()
    }

    /// Counts what is next and writes it; whether there was anything. Behind the unit
    /// that decides a sequential test nothing is written, so that the file does not
    /// depend on how far ahead the workers were.
    fn drain(&mut self) -> bool {
        let before = self.next;
        while !self.decided
            && let Some(chunk) = self.waiting.remove(&self.next)
        {
            self.waiting_bytes -= chunk.bytes.len();
            let mut end = chunk.bytes.len();
            for (row, &row_end) in chunk.rows.iter().zip(&chunk.ends) {
                self.tally.push(row);
                if self.tally.is_decided() {
                    self.decided = true;
                    end = row_end;
                    break;
                }
            }
            // What cannot be written ends the run, and its tally is thrown away.
            if let Err(error) = self.out.write_all(&chunk.bytes[..end]) {
                self.error = Some(error);
                break;
            }
            self.next += chunk.units;
            if self.spare.len() < 64 {
                self.spare.push(chunk);
            }
        }
        self.next != before
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
