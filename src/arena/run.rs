//! Workers play the schedule in parallel.

use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::attempts::{Attempts, Step};
use super::events::Observer;
use super::journal::{Chunk, Journal, JournalError, Outputs};
use super::moves;
use super::pin;
use super::remaining::Remaining;
use super::row::{self, Row};
use super::schedule::Schedule;
use super::tally::Tally;
use super::watchdog::Watchdog;
use crate::solve::STACK;
use crate::world::{GameRecord, GameSpec, Lineup, MoveTexts, Worker};

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The rows cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The threads cannot be had.
    #[error("cannot start {jobs} threads: {message}\nhelp: use fewer threads (`-j`)")]
    Threads {
        /// How many were asked for.
        jobs: usize,
        /// What the system says.
        message: String,
    },
    /// The system refuses descriptors, processes or memory that a game needs.
    #[error(
        "game {game} cannot be played: {message}\n\
         help: use fewer threads (`-j`), or raise the limit (`ulimit -n`, `ulimit -u`, memory); \
         the same command plays what is missing"
    )]
    Shortage {
        /// Number of the game.
        game: u64,
        /// What the system says.
        message: String,
    },
}

/// What plays a schedule.
///
/// ```
/// use std::sync::{Arc, atomic::AtomicBool};
///
/// use agon::arena::{Outputs, Remaining, Runner, Schedule, Tally, Watchdog, silent};
/// use agon::config::{Overrides, parse};
/// use agon::world::Registry;
///
/// let text = "[game]\nkind = \"pig\"\n[[agents]]\nkind = \"optimal\"\n\
///             [[agents]]\nkind = \"random\"\n[schedule]\ngames = 6\n";
/// let experiment = parse(text, "pig.toml", &Overrides::default(), &Registry::builtin()).unwrap();
/// let field = experiment.world.lineup(experiment.setup()).unwrap();
/// let schedule = Schedule::new(&experiment, field.openings());
/// let tally = Tally::new(vec!["optimal".into(), "random".into()], schedule.pairings());
/// let stop = AtomicBool::new(false);
/// let (pin, watchdog) = (false, Watchdog::default());
/// let (stop, observer) = (&stop, &silent);
/// let runner = Runner { field, schedule: &schedule, jobs: 2, stop, pin, observer, watchdog };
/// let mut rows = Vec::new();
/// let out = Outputs { games: &mut rows, moves: None, wal: None };
/// let tally = runner.run(out, &Remaining::all(&schedule), tally).unwrap();
/// // One row a game, in order, however many threads have played.
/// assert_eq!(rows.iter().filter(|&&byte| byte == b'\n').count(), 6);
/// let (_, pairing) = &tally.pairings[0];
/// assert_eq!(pairing.all().games().n(), 6);
/// ```
pub struct Runner<'a> {
    /// Agents and openings.
    pub field: Arc<Lineup>,
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
    /// What watches the files.
    pub watchdog: Watchdog,
}

/// The most units in a chunk: enough to make locking invisible, few enough to stay in
/// a core's own cache.
const LARGEST: u64 = 256;
/// The time that a chunk should take: short, because a stop waits for its end.
const AIM: Duration = Duration::from_millis(4);
/// Games are noted once they have taken so many nanoseconds: what is finished is not in
/// memory only for longer.
const UNNOTED: u64 = 2_000_000;

impl Runner<'_> {
    /// Plays the rest, or until stopped, or until the tally's sequential test is decided. Rows
    /// go to `out` in game order, those of single moves too where it has a place for them;
    /// `tally` holds what was played before.
    ///
    /// # Errors
    /// Threads that cannot be had, or a file that cannot be written.
    pub fn run<W: Write + Send>(
        &self,
        out: Outputs<W>,
        rest: &Remaining,
        tally: Tally,
    ) -> Result<Tally, RunError> {
        let log = out.moves.is_some();
        let names: Vec<String> =
            tally.names.iter().map(|n| super::lines::quoted(n).into_owned()).collect();
        let Range { start, end } = rest.units;
        let total = self.schedule.games_before(end) - self.schedule.games_before(start);
        let total = total - rest.skip as u64 + tally.rows;
        let journal = Journal::new(out, (start, end), tally, total, self.observer);
        let next = AtomicU64::new(start);
        // A thread without a unit to play would only cost.
        let left = end.saturating_sub(start).max(1);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.jobs.min(usize::try_from(left).unwrap_or(usize::MAX)))
            .thread_name(|i| format!("worker-{i}"))
            .stack_size(STACK)
            .build()
            .map_err(|error| RunError::Threads { jobs: self.jobs, message: error.to_string() })?;
        let failed = OnceLock::new();
        if !journal.is_closed() {
            std::thread::scope(|scope| {
                // The watchdog ends when this is dropped, whatever becomes of the workers.
                let (_working, end) = channel();
                let journal = &journal;
                let watch = move || self.watchdog.watch(journal, self.stop, self.observer, &end);
                if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, watch) {
                    let (jobs, message) = (self.jobs, error.to_string());
                    let _ = failed.set(RunError::Threads { jobs, message });
                    return;
                }
                pool.broadcast(|worker| {
                    if self.pin {
                        pin::pin(worker.index());
                    }
                    self.work(journal, &next, &names, (rest, log), &failed);
                });
            });
        }
        let tally = journal.finish()?;
        failed.into_inner().map_or(Ok(tally), Err)
    }

    fn work<W: Write>(
        &self,
        journal: &Journal<'_, W>,
        next: &AtomicU64,
        names: &[String],
        (rest, log): (&Remaining, bool),
        failed: &OnceLock<RunError>,
    ) {
        let is_stopping = || self.stop.load(Ordering::Relaxed) || failed.get().is_some();
        let units = rest.units.end;
        let mut table = self.field.worker();
        let mut texts = MoveTexts::logging(log);
        let _guard = Guard(journal);
        let mut chunk = Chunk::default();
        let mut size = 1;
        while !is_stopping() {
            let begin = next.fetch_add(size, Ordering::Relaxed);
            if begin >= units {
                return;
            }
            let end = units.min(begin + size);
            let clock = Instant::now();
            let mut unnoted = 0;
            chunk.reset(begin, 0);
            'chunk: for unit in begin..end {
                let skip = if unit == rest.units.start { rest.skip } else { 0 };
                for (i, spec) in self.schedule.unit(unit).skip(skip).enumerate() {
                    // What has begun is finished, but nothing new begins.
                    if (i > 0 || unit > begin) && is_stopping() {
                        break 'chunk;
                    }
                    if let Some(there) = rest.finished.get(&spec.game) {
                        chunk.bytes.extend_from_slice(&there.bytes);
                        chunk.moves.extend_from_slice(&there.moves);
                        chunk.end_row(there.row);
                        continue;
                    }
                    let played = play(&mut table, &spec, &mut texts, is_stopping);
                    let record = match played {
                        Ok(Some(record)) => record,
                        // A later run plays the game.
                        Ok(None) => break 'chunk,
                        Err(error) => {
                            let _ = failed.set(error);
                            break 'chunk;
                        }
                    };
                    row::write(&mut chunk.bytes, &record, names, &texts);
                    if log {
                        moves::write(&mut chunk.moves, &record, names, &texts);
                    }
                    chunk.end_row(Row::of(&record, &texts));
                    // The agents' clocks tell, for one more would be felt in short games.
                    unnoted += record.sides.iter().map(|side| side.time_ns).sum::<u64>();
                    if unnoted >= UNNOTED {
                        journal.note(&mut chunk);
                        unnoted = 0;
                    }
                }
                chunk.units += 1;
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

/// Plays a game until it counts; nothing where the run is to stop.
///
/// # Errors
/// A lack of descriptors, processes or memory that does not pass.
fn play(
    table: &mut Worker,
    spec: &GameSpec,
    texts: &mut MoveTexts,
    is_stopping: impl Fn() -> bool,
) -> Result<Option<GameRecord>, RunError> {
    let mut attempts = Attempts::default();
    loop {
        let record = table.play(spec, texts);
        match attempts.step(&record) {
            Step::Write => return Ok(Some(record)),
            Step::Drop => return Ok(None),
            Step::Replay => {}
            Step::Retry(pause) => {
                table.release();
                let end = Instant::now() + pause;
                while Instant::now() < end && !is_stopping() {
                    std::thread::sleep(pause.min(Duration::from_millis(50)));
                }
            }
            Step::GiveUp => {
                let (game, message) = (spec.game, std::mem::take(&mut texts.fault));
                return Err(RunError::Shortage { game, message });
            }
        }
        if is_stopping() {
            return Ok(None);
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
