//! Workers play the schedule in parallel.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::events::Observer;
use super::journal::{Chunk, Journal, JournalError, Outputs};
use super::moves;
use super::pin;
use super::row::{self, Row};
use super::schedule::Schedule;
use super::tally::Tally;
use crate::world::{Field, MoveTexts};

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The rows cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The threads cannot be had.
    #[error("cannot start {jobs} threads: {message}")]
    Threads {
        /// How many were asked for.
        jobs: usize,
        /// What the system says.
        message: String,
    },
}

/// What plays a schedule.
///
/// ```
/// use std::sync::{Arc, atomic::AtomicBool};
///
/// use agon::arena::{Outputs, Runner, Schedule, Silent, Tally};
/// use agon::config::{Overrides, parse};
/// use agon::world::Registry;
///
/// let text = "[game]\nkind = \"pig\"\n[[agents]]\nkind = \"optimal\"\n\
///             [[agents]]\nkind = \"random\"\n[schedule]\ngames = 6\n";
/// let experiment = parse(text, "pig.toml", &Overrides::default(), &Registry::builtin()).unwrap();
/// let field = Arc::clone(&experiment.world).field(experiment.setup()).unwrap();
/// let schedule = Schedule::new(&experiment, field.openings());
/// let tally = Tally::new(vec!["optimal".into(), "random".into()], schedule.pairings());
/// let stop = AtomicBool::new(false);
/// let runner = Runner { field, schedule: &schedule, jobs: 2, stop: &stop, observer: &Silent };
/// let mut rows = Vec::new();
/// let tally = runner.run(Outputs { games: &mut rows, moves: None }, 0, tally).unwrap();
/// // One row a game, in order, however many threads have played.
/// assert_eq!(rows.iter().filter(|&&byte| byte == b'\n').count(), 6);
/// let (_, pairing) = &tally.pairings[0];
/// assert_eq!(pairing.all.games().n(), 6);
/// ```
pub struct Runner<'a> {
    /// Agents and openings.
    pub field: Arc<dyn Field>,
    /// Which game is which.
    pub schedule: &'a Schedule,
    /// Number of threads.
    pub jobs: usize,
    /// Set from outside to stop: what is being played is finished, nothing new begins.
    pub stop: &'a AtomicBool,
    /// Each thread is tied to a core of its own, with the programs that it starts.
    pub pin: bool,
    /// Who hears of progress.
    pub observer: &'a dyn Observer,
}

/// The most units in a chunk: enough to make locking invisible, few enough to stay in
/// a core's own cache.
const LARGEST: u64 = 256;
/// The time that a chunk should take: short, because a stop waits for its end.
const AIM: Duration = Duration::from_millis(4);

impl Runner<'_> {
    /// Plays from `unit` to the end of the schedule, or until stopped, or until the tally's
    /// sequential test is decided. Rows go to `out` in game order, those of single moves too
    /// where it has a place for them; `tally` holds what was played before.
    ///
    /// # Errors
    /// Threads that cannot be had, or a file that cannot be written.
    pub fn run<W: Write + Send>(
        &self,
        out: Outputs<W>,
        unit: u64,
        tally: Tally,
    ) -> Result<Tally, RunError> {
        let log = out.moves.is_some();
        let names: Vec<String> = tally.names.iter().map(|n| row::quoted(n).into_owned()).collect();
        let journal = Journal::new(out, unit, tally, self.schedule.games(), self.observer);
        let next = AtomicU64::new(unit);
        // A thread without a unit to play would only cost.
        let left = self.schedule.units().saturating_sub(unit).max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.min(usize::try_from(left).unwrap_or(usize::MAX)))
            .thread_name(|i| format!("worker-{i}"))
            .build()
            .map_err(|error| RunError::Threads { jobs: self.jobs, message: error.to_string() })?;
        if !journal.is_closed() {
            pool.broadcast(|worker| {
                if self.pin {
                    pin::pin(worker.index());
                }
                self.work(&journal, &next, &names, log);
            });
        }
        Ok(journal.finish()?)
    }

    fn work<W: Write>(
        &self,
        journal: &Journal<'_, W>,
        next: &AtomicU64,
        names: &[String],
        log: bool,
    ) {
        let units = self.schedule.units();
        let mut table = Arc::clone(&self.field).table();
        let mut texts = MoveTexts::logging(log);
        let _guard = Guard(journal);
        let mut chunk = Chunk::default();
        let mut size = 1;
        while !self.stop.load(Ordering::Relaxed) {
            let begin = next.fetch_add(size, Ordering::Relaxed);
            if begin >= units {
                return;
            }
            let end = units.min(begin + size);
            let clock = Instant::now();
            chunk.reset(begin, 0);
            for unit in begin..end {
                let begun = chunk.mark();
                for spec in self.schedule.unit(unit) {
                    let record = table.play(&spec, &mut texts);
                    if record.is_stopped() {
                        // Half a unit is of no use: it is played again by whoever goes on.
                        chunk.cut(begun);
                        let _ = journal.submit(chunk);
                        return;
                    }
                    row::write(&mut chunk.bytes, &record, names, &texts);
                    if log {
                        moves::write(&mut chunk.moves, &record, names, &texts);
                    }
                    chunk.end_row(Row::of(&record, &texts));
                }
                chunk.units += 1;
                if self.stop.load(Ordering::Relaxed) {
                    break;
                }
            }
            let took = clock.elapsed();
            match journal.submit(chunk) {
                Some(empty) => chunk = empty,
                None => return,
            }
            // Larger chunks for fast games; towards the end smaller ones, to end together.
            let share = units.saturating_sub(end) / (4 * self.jobs as u64);
            let wanted = if took < AIM / 2 {
                size * 2
            } else if took > AIM {
                size / 2
            } else {
                size
            };
            size = wanted.min(LARGEST).min(share).max(1);
        }
    }
}

/// Frees the other workers when one panics, instead of letting them wait for its rows.
struct Guard<'a, 'b, W: Write>(&'a Journal<'b, W>);

impl<W: Write> Drop for Guard<'_, '_, W> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}
