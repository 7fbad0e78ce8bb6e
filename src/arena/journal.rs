//! The one ordered writer: rows come in any order and reach the file in game order.
//!
//! There is no thread for it. Whoever hands in a chunk while nobody writes, writes what is
//! next; whoever hands one in meanwhile leaves it and plays on. Workers that run too far
//! ahead of a slow game wait, so that what is held back stays bounded. What waits stands in
//! the side journal meanwhile, so that nothing that is finished is only in memory.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::events::{Observer, Progress};
use super::row::Row;
use super::tally::Tally;
use super::wal::{self, Wal};

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
    /// Where in `bytes` each row ends, and where in `moves` the rows of its moves end.
    pub ends: Vec<[usize; 2]>,
    /// The rows of single moves, where they are written down.
    pub moves: Vec<u8>,
    /// How many of the rows stand in the side journal.
    pub noted: usize,
}

impl Chunk {
    /// Empties the chunk but keeps its memory.
    pub fn reset(&mut self, unit: u64, units: u64) {
        self.unit = unit;
        self.units = units;
        self.bytes.clear();
        self.moves.clear();
        self.rows.clear();
        self.ends.clear();
        self.noted = 0;
    }

    /// The row of a game is complete, with those of its moves.
    pub fn end_row(&mut self, row: Row) {
        self.rows.push(row);
        self.ends.push([self.bytes.len(), self.moves.len()]);
    }

    /// How much memory it takes to wait.
    fn size(&self) -> usize {
        self.bytes.len() + self.moves.len()
    }
}

/// Where rows go.
#[derive(Debug)]
pub struct Outputs<W> {
    /// `games.csv`.
    pub games: W,
    /// `moves.csv`, where moves are written down.
    pub moves: Option<W>,
    /// The side journal, where there is one.
    pub ahead: Option<Wal>,
}

impl<W: Write> Outputs<W> {
    /// Appends to both; on failure the name of the file. Moves go first: whatever is cut off
    /// between both, `games.csv` tells of no game whose moves are missing.
    fn write(&mut self, games: &[u8], moves: &[u8]) -> Result<(), JournalError> {
        if let Some(out) = &mut self.moves {
            out.write_all(moves).map_err(|error| JournalError("moves.csv".to_owned(), error))?;
        }
        self.games.write_all(games).map_err(|error| JournalError("games.csv".to_owned(), error))
    }

    fn flush(&mut self) -> Result<(), JournalError> {
        if let Some(out) = &mut self.moves {
            out.flush().map_err(|error| JournalError("moves.csv".to_owned(), error))?;
        }
        self.games.flush().map_err(|error| JournalError("games.csv".to_owned(), error))
    }
}

/// Why the journal cannot go on.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot write {0}: {1}\n\
     help: make room or mend the disk; the same command goes on behind the last whole row"
)]
pub struct JournalError(String, #[source] io::Error);

/// Bytes of rows that may wait for an earlier one.
const PATIENCE: usize = 64 << 20;
/// Empty chunks that are kept for use.
const SPARE: usize = 64;
/// How often observers hear of progress.
const PERIOD: Duration = Duration::from_millis(100);

/// The writer of `games.csv` and `moves.csv` with the tally of what is in them.
pub struct Journal<'a, W> {
    inbox: Mutex<Inbox>,
    room: Condvar,
    /// Whoever needs both locks takes this one first.
    writer: Mutex<Writer<W>>,
    /// What went wrong elsewhere than in the writer.
    failed: Mutex<Option<JournalError>>,
    ahead: Mutex<Option<Wal>>,
    /// Counts what was written anywhere.
    written: AtomicU64,
    /// The unit behind the last one that is to be played.
    end: u64,
    active: Mutex<bool>,
    rest: Condvar,
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
    out: Outputs<W>,
    tally: Tally,
    /// Rows that were there before.
    before: u64,
    error: Option<JournalError>,
    /// When observers last heard of progress.
    told: Instant,
}

/// A panic elsewhere does not make what is in order untrue.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, W: Write> Journal<'a, W> {
    /// A journal that goes on at `unit` and is complete at `end`, with everything before
    /// counted in `tally`; `total` games in all.
    pub fn new(
        mut out: Outputs<W>,
        (unit, end): (u64, u64),
        tally: Tally,
        total: u64,
        observer: &'a dyn Observer,
    ) -> Self {
        let begin = Instant::now();
        let ahead = out.ahead.take();
        let inbox = Inbox {
            next: unit,
            waiting: BTreeMap::new(),
            waiting_bytes: 0,
            closed: tally.is_over(),
            spare: Vec::new(),
        };
        let before = tally.rows;
        let writer = Writer { out, tally, before, error: None, told: begin };
        Journal {
            inbox: Mutex::new(inbox),
            room: Condvar::new(),
            writer: Mutex::new(writer),
            failed: Mutex::new(None),
            ahead: Mutex::new(ahead),
            written: AtomicU64::new(0),
            end,
            active: Mutex::new(true),
            rest: Condvar::new(),
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
    pub fn submit(&self, mut chunk: Chunk) -> Option<Chunk> {
        let mut inbox = lock(&self.inbox);
        if chunk.unit != inbox.next {
            drop(inbox);
            self.note(&mut chunk);
            inbox = lock(&self.inbox);
        }
        while !inbox.closed
            && chunk.unit != inbox.next
            && inbox.waiting_bytes + chunk.size() > PATIENCE
        {
            inbox = self.room.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
        if inbox.closed {
            return None;
        }
        inbox.waiting_bytes += chunk.size();
        inbox.waiting.insert(chunk.unit, chunk);
        drop(inbox);
        self.drain();
        let mut inbox = lock(&self.inbox);
        (!inbox.closed).then(|| inbox.spare.pop().unwrap_or_default())
    }

    /// Writes the rows that are not yet there to the side journal: whatever happens to this
    /// process, they are not played again.
    pub fn note(&self, chunk: &mut Chunk) {
        let from = chunk.noted;
        let Some(last) = chunk.rows.last().filter(|_| from < chunk.rows.len()) else { return };
        chunk.noted = chunk.rows.len();
        let [bytes, moves] = from.checked_sub(1).map_or([0, 0], |before| chunk.ends[before]);
        let (first, last) = (chunk.rows[from].game, last.game);
        let mut ahead = lock(&self.ahead);
        let Some(ahead) = ahead.as_mut() else { return };
        let noted = ahead.note(first, last, &chunk.bytes[bytes..], &chunk.moves[moves..]);
        self.written.fetch_add(1, Ordering::Relaxed);
        if let Err(error) = noted {
            self.fail(wal::NAME, error);
        }
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
                let mut goes_on = writer.write(&chunk, self.observer);
                self.written.fetch_add(1, Ordering::Relaxed);
                if goes_on && let Some(row) = chunk.rows.last() {
                    let mut ahead = lock(&self.ahead);
                    if let Some(Err(error)) = ahead.as_mut().map(|there| there.forget(row.game)) {
                        writer.error = Some(JournalError(wal::NAME.to_owned(), error));
                        goes_on = false;
                    }
                }
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
        inbox.waiting_bytes -= chunk.size();
        drop(inbox);
        self.room.notify_all();
        Some(chunk)
    }

    /// Lets nobody wait any more for rows that will not come.
    pub fn abandon(&self) {
        self.fail("games.csv", io::Error::other("a worker panicked"));
    }

    /// Ends the run with an error about that file.
    pub fn fail(&self, name: &str, error: io::Error) {
        let error = JournalError(name.to_owned(), error);
        lock(&self.failed).get_or_insert(error);
        self.close();
    }

    /// Nothing more is wanted.
    pub fn close(&self) {
        lock(&self.inbox).closed = true;
        self.room.notify_all();
    }

    /// Waits so long for the end; whether the run still goes on.
    pub fn is_active(&self, time: Duration) -> bool {
        let active = lock(&self.active);
        let wait = self.rest.wait_timeout_while(active, time, |active| *active);
        *wait.unwrap_or_else(PoisonError::into_inner).0
    }

    /// The workers are done.
    pub fn retire(&self) {
        *lock(&self.active) = false;
        self.rest.notify_all();
    }

    /// A number that changes with everything that is written.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    /// Everything counted so far.
    pub fn tally(&self) -> Tally {
        let mut tally = lock(&self.writer).tally.clone();
        tally.settle();
        tally
    }

    /// Brings the side journal to the disk.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn sync_ahead(&self) -> io::Result<()> {
        let ahead = lock(&self.ahead);
        let Some(file) = ahead.as_ref().map(Wal::file) else { return Ok(()) };
        match file.try_clone() {
            Ok(file) => {
                drop(ahead);
                file.sync_data()
            }
            // For lack of descriptors: workers wait a moment.
            Err(_) => file.sync_data(),
        }
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
        let failed = self.failed.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = writer.error.or(failed) {
            return Err(error);
        }
        writer.out.flush()?;
        let inbox = self.inbox.into_inner().unwrap_or_else(PoisonError::into_inner);
        if inbox.next >= self.end || writer.tally.is_decided() {
            let ahead = self.ahead.into_inner().unwrap_or_else(PoisonError::into_inner);
            ahead.into_iter().for_each(Wal::remove);
        }
        writer.tally.settle();
        Ok(writer.tally)
    }
}

impl<W: Write> Writer<W> {
    /// Counts the rows of a chunk and writes them; whether more is wanted. Behind the unit
    /// that decides a sequential test, or in which the run is given up, nothing is written, so that the file does not
    /// depend on how far ahead the workers were.
    fn write(&mut self, chunk: &Chunk, observer: &dyn Observer) -> bool {
        let mut end = [chunk.bytes.len(), chunk.moves.len()];
        let mut begin = 0;
        for (row, &row_end) in chunk.rows.iter().zip(&chunk.ends) {
            self.tally.push(row);
            observer.game(row, &chunk.bytes[begin..row_end[0]], &self.tally);
            begin = row_end[0];
            if self.tally.is_over() {
                end = row_end;
                break;
            }
        }
        // What cannot be written ends the run, and its tally is thrown away.
        if let Err(error) = self.out.write(&chunk.bytes[..end[0]], &chunk.moves[..end[1]]) {
            self.error = Some(error);
        }
        self.error.is_none() && !self.tally.is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::events::Silent;
    use crate::arena::schedule::Pairing;
    use crate::world::Outcome;

    fn chunk(unit: u64, units: u64) -> Chunk {
        let bytes = (unit..unit + units).flat_map(|u| format!("{u}\n").into_bytes()).collect();
        Chunk { unit, units, bytes, ..Chunk::default() }
    }

    fn tally() -> Tally {
        Tally::new(vec!["a".into()], &[Pairing::of(0, 0)])
    }

    #[test]
    fn chunks_are_written_in_order_whatever_order_they_come_in() {
        let mut out = Vec::new();
        let journal = Journal::new(
            Outputs { games: &mut out, moves: None, ahead: None },
            (3, 9),
            tally(),
            9,
            &Silent,
        );
        for (unit, units) in [(6, 1), (3, 2), (7, 2), (5, 1)] {
            journal.submit(chunk(unit, units)).expect("no failure");
        }
        journal.finish().expect("no failure");
        assert_eq!(out, b"3\n4\n5\n6\n7\n8\n");
    }

    #[test]
    fn moves_end_with_the_pair_that_decides() {
        let design = crate::stats::sprt::Settings { elo1: 400.0, ..Default::default() };
        let tally = Tally::new(vec!["a".into(), "b".into()], &[]);
        let row = |game: u64| {
            let (first, second) = if game % 2 == 1 { (0, 1) } else { (1, 0) };
            let outcome = if game % 2 == 1 { Outcome::First } else { Outcome::Second };
            let (pairing, opening, identity) = (1, 1, game);
            Row { game, pairing, opening, first, second, outcome, identity, ..Row::default() }
        };
        let write = |units: u64| {
            let (mut games, mut moves) = (Vec::new(), Vec::new());
            let tally = tally.clone().testing(Some(design.check().expect("a design")));
            let outputs = Outputs { games: &mut games, moves: Some(&mut moves), ahead: None };
            let journal = Journal::new(outputs, (0, 200), tally, 400, &Silent);
            for begin in (0..200).step_by(units as usize) {
                let mut chunk = Chunk::default();
                chunk.reset(begin, units);
                for game in 2 * begin + 1..=2 * (begin + units) {
                    chunk.bytes.extend(format!("{game}\n").bytes());
                    chunk.moves.extend(format!("{game} {game}\n").bytes());
                    chunk.end_row(row(game));
                }
                if journal.submit(chunk).is_none() {
                    break;
                }
            }
            journal.finish().expect("no failure");
            (games, moves)
        };
        let (games, moves) = write(1);
        assert_eq!((games.clone(), moves.clone()), write(50));
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
        let last = text(&games).lines().last().expect("a game").to_owned();
        assert!(text(&moves).ends_with(&format!("\n{last} {last}\n")), "{last}");
        assert!(last.parse::<u64>().expect("a number") < 400);
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
            let journal = Journal::new(
                Outputs { games: &mut out.0, moves: None, ahead: None },
                (0, 9),
                tally(),
                9,
                &Silent,
            );
            assert!(journal.submit(chunk(0, 2)).is_some());
            journal.finish().expect("fits");
        }
        let journal = Journal::new(
            Outputs { games: out, moves: None, ahead: None },
            (2, 9),
            tally(),
            9,
            &Silent,
        );
        assert!(journal.submit(chunk(2, 1)).is_none());
        assert!(journal.submit(chunk(3, 1)).is_none());
        assert!(journal.finish().expect_err("full").to_string().contains("games.csv"));
    }
}
