//! The ordered writer: workers hand in rows in any order, and the files get them in game order. The
//! worker with the next chunk writes it together with all following chunks that wait. Waiting rows are
//! also in the write-ahead log. Workers that are too far ahead wait, so memory is bounded. The journal
//! also gives units to the workers. When the last row of a round is counted, it adds the next round.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::write_ahead_log;
use super::write_ahead_log::WriteAheadLog;
use crate::arena::count::run_events::{Event, Observer, Progress, RoundState};
use crate::arena::count::tally::Tally;
use crate::arena::schedule::game_schedule::Schedule;
use crate::arena::schedule::unit_queue::UnitQueue;
use crate::rows::games_csv_rows::GameRow;
use crate::util::locks::lock;

/// Rows of consecutive units, formatted by a worker.
#[derive(Debug, Default)]
pub struct Chunk {
    pub unit: u64,
    pub units: u64,
    pub bytes: Vec<u8>,
    pub rows: Vec<GameRow>,
    /// Where each row ends in `bytes`, and where its move rows end in `moves`.
    pub ends: Vec<[usize; 2]>,
    pub moves: Vec<u8>,
    /// The number of rows that are in the write-ahead log.
    pub noted: usize,
}

impl Chunk {
    pub fn reset(&mut self, unit: u64, units: u64) {
        self.unit = unit;
        self.units = units;
        self.bytes.clear();
        self.moves.clear();
        self.rows.clear();
        self.ends.clear();
        self.noted = 0;
    }

    /// Marks the end of a game: its row and its move rows are complete.
    pub fn end_row(&mut self, row: GameRow) {
        self.rows.push(row);
        self.ends.push([self.bytes.len(), self.moves.len()]);
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.moves.len()
    }

    /// The games that are not in the write-ahead log: the first and last number, and the bytes to
    /// write. Each row comes after its move rows.
    fn unnoted(&mut self) -> Option<(u64, u64, Vec<u8>)> {
        let from = std::mem::replace(&mut self.noted, self.rows.len());
        let (first, last) = (self.rows.get(from)?.game, self.rows.last()?.game);
        let mut begin = from.checked_sub(1).map_or([0, 0], |before| self.ends[before]);
        let mut rows = Vec::new();
        for &end in &self.ends[from..] {
            rows.extend_from_slice(&self.moves[begin[1]..end[1]]);
            rows.extend_from_slice(&self.bytes[begin[0]..end[0]]);
            begin = end;
        }
        Some((first, last, rows))
    }
}

/// The output files of a run.
#[derive(Debug)]
pub struct Outputs<W> {
    /// `games.csv`.
    pub games: W,
    /// `moves.csv`, if moves are recorded.
    pub moves: Option<W>,
    /// The write-ahead log, if there is one.
    pub wal: Option<WriteAheadLog>,
}

type Out<'a> = Box<dyn Write + Send + 'a>;

impl<'a, W: Write + Send + 'a> Outputs<W> {
    /// The same files, of one type: the journal and the workers are compiled once.
    pub(crate) fn boxed(self) -> Outputs<Out<'a>> {
        let boxed = |out| -> Out<'a> { Box::new(out) };
        Outputs { games: boxed(self.games), moves: self.moves.map(boxed), wal: self.wal }
    }
}

/// Why the journal failed.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot write {0}: {1}\n\
     help: free disk space and run the same command again; it resumes after the last complete row"
)]
pub struct JournalError(String, #[source] io::Error);

/// Maximum bytes of rows that wait for an earlier row.
const PATIENCE: usize = 64 << 20;
const SPARE: usize = 64;
const PERIOD: Duration = Duration::from_millis(100);

/// The writer of `games.csv` and `moves.csv`, with the tally of their rows.
pub struct Journal<'a> {
    inbox: Mutex<Inbox>,
    room: Condvar,
    /// A thread that needs several locks takes this lock first and the inbox last.
    writer: Mutex<Writer<'a>>,
    wal: Mutex<Option<WriteAheadLog>>,
    /// Counts all writes to any file.
    written: AtomicU64,
    observer: &'a dyn Observer,
    begin: Instant,
}

struct Inbox {
    schedule: Arc<Schedule>,
    /// The next unit to write, and the unit after the last one.
    next: u64,
    end: u64,
    queue: UnitQueue,
    waiting: HashMap<u64, Chunk>,
    waiting_bytes: usize,
    /// Whether the run needs no more rows.
    closed: bool,
    /// Whether the workers get no more units.
    ended: bool,
    error: Option<JournalError>,
    spare: Vec<Chunk>,
}

struct Writer<'a> {
    games: Out<'a>,
    moves: Option<Out<'a>>,
    tally: Tally,
    /// The number of rows from before this start.
    before: u64,
    /// The number of games when the last known round is played.
    total: u64,
    round: Option<RoundState>,
    last_reported: Instant,
}

impl<'a> Journal<'a> {
    /// A journal for these units of a schedule and all rounds that follow. `tally` already contains
    /// everything before; `total` is the number of all games.
    pub fn new(
        Outputs { games, moves, wal }: Outputs<Out<'a>>,
        (units, schedule): (Range<u64>, Arc<Schedule>),
        tally: Tally,
        total: u64,
        observer: &'a dyn Observer,
    ) -> Self {
        let begin = Instant::now();
        let inbox = Inbox {
            next: units.start,
            end: units.end,
            queue: UnitQueue::new(units.clone(), &schedule),
            schedule,
            waiting: HashMap::new(),
            waiting_bytes: 0,
            closed: tally.is_over(),
            ended: units.is_empty(),
            error: None,
            spare: Vec::new(),
        };
        let before = tally.rows;
        let round = inbox.schedule.round_state(tally.names.len());
        let writer = Writer { games, moves, tally, before, total, round, last_reported: begin };
        Journal {
            inbox: Mutex::new(inbox),
            room: Condvar::new(),
            writer: Mutex::new(writer),
            wal: Mutex::new(wal),
            written: AtomicU64::new(0),
            observer,
            begin,
        }
    }

    /// Whether the run needs no more rows: it is decided, or a write has failed.
    pub fn is_closed(&self) -> bool {
        lock(&self.inbox).closed
    }

    /// The next units to play, as [`UnitQueue::take`] chooses them. Waits if results of games that
    /// are still running decide the next round, or if no agent of the units has room. `None`: nothing
    /// is left to play.
    pub fn take(&self, most: u64, jobs: usize) -> Option<(Range<u64>, Arc<Schedule>)> {
        let mut inbox = lock(&self.inbox);
        while !inbox.closed && !inbox.ended {
            let ahead = inbox.waiting_bytes <= PATIENCE;
            let Inbox { queue, schedule, .. } = &mut *inbox;
            if let Some(units) = queue.take(most, jobs, ahead, schedule) {
                return Some((units, Arc::clone(schedule)));
            }
            if queue.is_empty() && !schedule.grows() {
                return None;
            }
            inbox = self.room.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// Ends the workers that wait for units, because one worker has ended: nothing is left to play,
    /// or the run stops.
    pub fn leave(&self) {
        lock(&self.inbox).ended = true;
        self.room.notify_all();
    }

    /// Hands in a chunk and returns an empty one; `None` if a write has failed or the run is
    /// decided.
    pub fn submit(&self, mut chunk: Chunk) -> Option<Chunk> {
        let mut inbox = lock(&self.inbox);
        if chunk.unit != inbox.next {
            drop(inbox);
            self.note(&mut chunk);
            inbox = lock(&self.inbox);
        }
        let has_limits = inbox.queue.has_limits();
        if has_limits {
            let Inbox { queue, schedule, .. } = &mut *inbox;
            queue.end(chunk.unit, schedule);
            self.room.notify_all();
        }
        // With limits, workers do not wait here, because the next unit may wait for a worker. They
        // get no units ahead instead.
        while !has_limits
            && !inbox.closed
            && !inbox.ended
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

    /// Writes the missing rows to the write-ahead log. If the process dies, these games are not
    /// played again.
    pub fn note(&self, chunk: &mut Chunk) {
        if let Some(wal) = lock(&self.wal).as_mut()
            && let Some((first, last, rows)) = chunk.unnoted()
        {
            let noted = wal.note(first, last, rows);
            self.written.fetch_add(1, Ordering::Relaxed);
            self.check(write_ahead_log::NAME, noted);
        }
    }

    /// Writes the next chunks, unless another thread is writing.
    fn drain(&self) {
        loop {
            let mut writer = match self.writer.try_lock() {
                Ok(writer) => writer,
                Err(TryLockError::Poisoned(error)) => error.into_inner(),
                Err(TryLockError::WouldBlock) => return,
            };
            while let Some(chunk) = self.take_next() {
                self.write(&mut writer, &chunk);
                let mut inbox = lock(&self.inbox);
                if inbox.closed {
                    return;
                }
                if inbox.spare.len() < SPARE {
                    inbox.spare.push(chunk);
                }
                if inbox.next == inbox.end && inbox.schedule.grows() {
                    self.grow(&mut writer, inbox);
                }
            }
            if writer.last_reported.elapsed() >= PERIOD {
                writer.last_reported = Instant::now();
                self.report(&writer);
            }
            drop(writer);
            // The next chunk may have arrived while the writer was busy.
            let inbox = lock(&self.inbox);
            if inbox.closed || !inbox.waiting.contains_key(&inbox.next) {
                return;
            }
        }
    }

    /// Adds the next round after the last row of a round, or ends the run.
    fn grow(&self, writer: &mut Writer<'_>, mut inbox: MutexGuard<'_, Inbox>) {
        let schedule = Arc::make_mut(&mut inbox.schedule);
        let grown = schedule.grow(&writer.tally);
        writer.total = schedule.planned_games();
        writer.round = schedule.round_state(writer.tally.names.len());
        let end = inbox.schedule.units();
        inbox.queue.extend_to(end);
        (inbox.end, inbox.ended) = (end, !grown);
        self.room.notify_all();
    }

    /// The next chunk to write. `None` if it is not there yet, or if the run needs no more rows: another
    /// thread may have closed the run after this chunk came.
    fn take_next(&self) -> Option<Chunk> {
        let mut inbox = lock(&self.inbox);
        if inbox.closed {
            return None;
        }
        let next = inbox.next;
        let chunk = inbox.waiting.remove(&next)?;
        inbox.next += chunk.units;
        inbox.waiting_bytes -= chunk.size();
        drop(inbox);
        self.room.notify_all();
        Some(chunk)
    }

    /// Counts the rows of a chunk and writes them. Nothing is written after the unit that decides a
    /// sequential test or ends the run. So the file does not depend on how far ahead the workers
    /// were.
    fn write(&self, writer: &mut Writer<'_>, chunk: &Chunk) {
        let mut end = [0, 0];
        for (row, &row_end) in chunk.rows.iter().zip(&chunk.ends) {
            writer.tally.push(row);
            let line = &chunk.bytes[end[0]..row_end[0]];
            self.observer.on(&Event::Game { row, line, tally: &writer.tally });
            end = row_end;
            if writer.tally.is_over() {
                self.close();
                break;
            }
        }
        // Moves go first: if the process dies in between, no game in `games.csv` lacks its moves.
        if let Some(moves) = &mut writer.moves {
            self.check("moves.csv", moves.write_all(&chunk.moves[..end[1]]));
        }
        if lock(&self.inbox).error.is_none() {
            self.check("games.csv", writer.games.write_all(&chunk.bytes[..end[0]]));
        }
        self.written.fetch_add(1, Ordering::Relaxed);
        if let (Some(wal), Some(row)) = (lock(&self.wal).as_mut(), chunk.rows.last())
            && !self.is_closed()
        {
            self.check(write_ahead_log::NAME, wal.forget(row.game));
        }
    }

    /// Ends the run after a write to this file failed.
    fn check(&self, name: &str, result: io::Result<()>) {
        if let Err(error) = result {
            self.fail(name, error);
        }
    }

    /// Wakes all workers that wait for rows, because these rows will not come.
    pub fn abandon(&self) {
        self.fail("games.csv", io::Error::other("a worker panicked"));
    }

    /// Ends the run with an error about this file.
    pub fn fail(&self, name: &str, error: io::Error) {
        lock(&self.inbox).error.get_or_insert(JournalError(name.to_owned(), error));
        self.close();
    }

    /// Ends the run without an error: no more rows are needed.
    pub fn close(&self) {
        lock(&self.inbox).closed = true;
        self.room.notify_all();
    }

    /// A number that changes with every write.
    pub fn written(&self) -> u64 {
        self.written.load(Ordering::Relaxed)
    }

    pub fn tally(&self) -> Tally {
        let mut tally = lock(&self.writer).tally.clone();
        tally.count_lone_game();
        tally
    }

    /// Syncs the write-ahead log to the disk.
    pub fn sync_wal(&self) {
        let wal = lock(&self.wal);
        let Some(file) = wal.as_ref().map(WriteAheadLog::file) else { return };
        let synced = match file.try_clone() {
            Ok(file) => {
                drop(wal);
                file.sync_data()
            }
            // After a lack of descriptors: the workers pause for a moment.
            Err(_) => file.sync_data(),
        };
        self.check(write_ahead_log::NAME, synced);
    }

    fn report(&self, writer: &Writer<'_>) {
        self.observer.on(&Event::Progress(Progress {
            done: writer.tally.rows,
            played: writer.tally.rows - writer.before,
            total: writer.total,
            elapsed: self.begin.elapsed(),
            tally: &writer.tally,
            round: writer.round,
        }));
    }

    /// Closes the journal: everything in order is in the files. Returns the counts, and the schedule
    /// with all rounds that are known.
    ///
    /// # Errors
    /// The first write error.
    pub fn finish(self) -> Result<(Tally, Schedule), JournalError> {
        self.report(&lock(&self.writer));
        let mut writer = self.writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let inbox = self.inbox.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = inbox.error {
            return Err(error);
        }
        for (name, out) in
            [("moves.csv", writer.moves.as_mut()), ("games.csv", Some(&mut writer.games))]
        {
            let flushed = out.map_or(Ok(()), Write::flush);
            flushed.map_err(|error| JournalError(name.to_owned(), error))?;
        }
        // A run that was given up between two rounds has games left.
        let mut schedule = Arc::unwrap_or_clone(inbox.schedule);
        let end = if schedule.grow(&writer.tally) { schedule.units() } else { inbox.end };
        if inbox.next >= end || writer.tally.is_decided() {
            let wal = self.wal.into_inner().unwrap_or_else(PoisonError::into_inner);
            wal.into_iter().for_each(WriteAheadLog::remove);
        }
        writer.tally.count_lone_game();
        Ok((writer.tally, schedule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::count::run_events::silent;
    use crate::play::Outcome;

    /// Units of one game each.
    fn chunk(unit: u64, units: u64) -> Chunk {
        let mut chunk = Chunk { unit, units, ..Chunk::default() };
        for game in unit..unit + units {
            chunk.bytes.extend(format!("{game}\n").bytes());
            chunk.end_row(row(game));
        }
        chunk
    }

    fn row(game: u64) -> GameRow {
        let (first, second) = if game % 2 == 1 { (0, 1) } else { (1, 0) };
        let outcome = if game % 2 == 1 { Outcome::First } else { Outcome::Second };
        let (pairing, opening, identity) = (1, 1, game);
        GameRow { game, pairing, opening, first, second, outcome, identity, ..GameRow::default() }
    }

    fn tally() -> Tally {
        Tally::new(vec!["a".into(), "b".into()], &[])
    }

    #[test]
    fn chunks_are_written_in_order_whatever_order_they_come_in() {
        let mut out = Vec::new();
        let journal = Journal::new(
            Outputs { games: &mut out, moves: None, wal: None }.boxed(),
            (3..9, Arc::default()),
            tally(),
            9,
            &silent,
        );
        for (unit, units) in [(6, 1), (3, 2), (7, 2), (5, 1)] {
            journal.submit(chunk(unit, units)).expect("no failure");
        }
        journal.finish().expect("no failure");
        assert_eq!(out, b"3\n4\n5\n6\n7\n8\n");
    }

    #[test]
    fn a_chunk_that_waited_when_the_run_ended_is_not_written() {
        let mut out = Vec::new();
        let journal = Journal::new(
            Outputs { games: &mut out, moves: None, wal: None }.boxed(),
            (2..9, Arc::default()),
            tally(),
            9,
            &silent,
        );
        journal.submit(chunk(3, 1)).expect("no failure");
        // Another thread writes the chunk before it, and that chunk decides the run.
        lock(&journal.inbox).next = 3;
        journal.close();
        journal.drain();
        journal.finish().expect("no failure");
        assert_eq!(out, b"");
    }

    #[test]
    fn moves_end_with_the_pair_that_decides() {
        let design = crate::stats::sprt::SprtSettings { elo1: 400.0, ..Default::default() };
        let tally = Tally::new(vec!["a".into(), "b".into()], &[]);
        let write = |units: u64| {
            let (mut games, mut moves) = (Vec::new(), Vec::new());
            let tally = tally.clone().testing(Some(design.check().expect("a design")));
            let outputs = Outputs { games: &mut games, moves: Some(&mut moves), wal: None }.boxed();
            let journal = Journal::new(outputs, (0..200, Arc::default()), tally, 400, &silent);
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
                Outputs { games: &mut out.0, moves: None, wal: None }.boxed(),
                (0..9, Arc::default()),
                tally(),
                9,
                &silent,
            );
            assert!(journal.submit(chunk(0, 2)).is_some());
            journal.finish().expect("fits");
        }
        let journal = Journal::new(
            Outputs { games: out, moves: None, wal: None }.boxed(),
            (2..9, Arc::default()),
            tally(),
            9,
            &silent,
        );
        assert!(journal.submit(chunk(2, 1)).is_none());
        assert!(journal.submit(chunk(3, 1)).is_none());
        assert!(journal.finish().expect_err("full").to_string().contains("games.csv"));
    }
}
