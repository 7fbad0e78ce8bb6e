//! Plays the schedule with parallel workers.

use std::io::Write;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::cost_limit::{CostLimit, NextGame};
use super::cpu_pinning;
use super::void_game_attempts::{Attempts, Step};
use super::watchdog::Watchdog;
use crate::agents::FaultKind;
use crate::arena::count::run_events::Observer;
use crate::arena::count::tally::{EarlyEnd, Tally};
use crate::arena::schedule::game_schedule::Schedule;
use crate::arena::storage::journal::{Chunk, Journal, JournalError, Outputs};
use crate::arena::storage::remaining_games::Remaining;
use crate::play::{GameRecord, GameSpec, Lineup, LineupWorker, MoveTexts};
use crate::rows::csv_layout::CsvLayout;
use crate::rows::games_csv_columns;
use crate::rows::games_csv_rows;
use crate::rows::games_csv_rows::GameRow;
use crate::rows::moves_csv_rows;
use crate::rows::results_folder_errors::FolderError;
use crate::solve::STACK;

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The rows cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// An error of the folder or its files.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The threads cannot be started.
    #[error("cannot start {jobs} threads: {message}\nhelp: use fewer threads (`-j`)")]
    Threads {
        /// The requested number of threads.
        jobs: usize,
        message: String,
    },
    /// The system refuses descriptors, processes or memory for a game.
    #[error(
        "game {game} cannot be played: {message}\n\
         help: use fewer threads (`-j`), or raise the limit (`ulimit -n`, `ulimit -u`, memory); \
         the same command plays the missing games"
    )]
    Shortage { game: u64, message: String },
    /// A table that decides games can no longer be read.
    #[error(
        "game {game} cannot be played: {message}\n\
         help: copy the table again from its source; the same command plays the missing games"
    )]
    Tables { game: u64, message: String },
    /// The program of `[game]` failed in several games in a row.
    #[error(
        "{MOST_RULES_FAILURES} games in a row are void, because the program of `[game]` or both \
         players failed; the last is game {game}: {message}\n\
         help: correct the program or `[game]`; the logs of the games are in the results folder"
    )]
    Rules { game: u64, message: String },
}

/// Plays a schedule.
///
/// ```
/// # use agon_arena as agon;
/// use std::sync::{Arc, atomic::AtomicBool};
///
/// use agon::arena::{Outputs, Remaining, Runner, Schedule, Tally, Watchdog, silent};
/// use agon::config::{Overrides, parse};
/// use agon::play::Registry;
///
/// let text = "[game]\nkind = \"pig\"\n[[agents]]\nkind = \"optimal\"\n\
///             [[agents]]\nkind = \"random\"\n[schedule]\ngames = 6\n";
/// let experiment = parse(text, "pig.toml", &Overrides::default(), &Registry::builtin()).unwrap();
/// let lineup = experiment.any_game.lineup(experiment.setup()).unwrap();
/// let schedule = Schedule::new(&experiment, lineup.openings());
/// let tally = Tally::new(vec!["optimal".into(), "random".into()], schedule.pairings());
/// let stop = AtomicBool::new(false);
/// let (pin, watchdog) = (false, Watchdog::default());
/// let (stop, observer) = (&stop, &silent);
/// let runner = Runner { lineup, schedule: &schedule, jobs: 2, stop, pin, observer, watchdog };
/// let mut rows = Vec::new();
/// let out = Outputs { games: &mut rows, moves: None, wal: None };
/// let (tally, _) = runner.run(out, &Remaining::all(&schedule), tally).unwrap();
/// // One row a game, in order, however many threads have played.
/// assert_eq!(rows.iter().filter(|&&byte| byte == b'\n').count(), 6);
/// let (_, pairing) = &tally.pairings[0];
/// assert_eq!(pairing.all().games().n(), 6);
/// ```
pub struct Runner<'a> {
    /// Agents and openings.
    pub lineup: Arc<Lineup>,
    /// The schedule, with all rounds that are known before the run.
    pub schedule: &'a Schedule,
    /// Number of threads.
    pub jobs: usize,
    /// Set from outside to stop: running games are finished, and no new game begins.
    pub stop: &'a AtomicBool,
    /// Whether each thread is pinned to its own core, with the programs that it starts.
    pub pin: bool,
    /// The observer of the progress.
    pub observer: &'a dyn Observer,
    /// The settings of the watchdog.
    pub watchdog: Watchdog,
}

/// Void games in a row by failures of the program of `[game]` that end the run.
const MOST_RULES_FAILURES: u32 = 3;

/// The maximum number of units in a chunk: enough to hide the cost of locking, few enough to fit
/// into the cache of a core.
const LARGEST: u64 = 256;
const AIM: Duration = Duration::from_millis(4);
/// Games are written to the log after this time in nanoseconds, so finished games are not only in
/// memory for longer.
const UNNOTED: u64 = 2_000_000;

impl Runner<'_> {
    /// Plays the remaining games, until stopped or until the tally's sequential test is decided.
    /// Rows go to `out` in game order, and also the rows of moves if `out` has a file for them.
    /// `tally` contains the games played before. Returns the counts, and the schedule with all
    /// rounds that were played.
    ///
    /// # Errors
    /// Threads that cannot be started, or a file that cannot be written.
    pub fn run(
        &self,
        out: Outputs<impl Write + Send>,
        remaining: &Remaining,
        tally: Tally,
    ) -> Result<(Tally, Schedule), RunError> {
        self.run_to(out.boxed(), remaining, tally)
    }

    fn run_to(
        &self,
        out: Outputs<Box<dyn Write + Send + '_>>,
        remaining: &Remaining,
        tally: Tally,
    ) -> Result<(Tally, Schedule), RunError> {
        let log = out.moves.is_some();
        let layout = games_csv_columns::layout(&tally.added_columns);
        let names: Vec<String> =
            tally.names.iter().map(|n| crate::rows::cell_text::quoted(n).into_owned()).collect();
        let (schedule, units) = (self.schedule, remaining.units.clone());
        let total = schedule.games_before(units.end) - schedule.games_before(units.start);
        let known = total - remaining.skip as u64 + tally.rows;
        let total = schedule.state().planned_games(known);
        // A thread without a unit to play would only cost resources.
        let left = units.end.saturating_sub(units.start).max(1);
        let threads = match schedule.grows() {
            true => self.jobs,
            false => self.jobs.min(usize::try_from(left).unwrap_or(usize::MAX)),
        };
        let pool = pool(threads)?;
        let plan = (units, Arc::new(schedule.clone()));
        let cost_limit = CostLimit::new(self.lineup.max_cost(), &tally, remaining);
        let journal = Journal::new(out, plan, tally, total, self.observer);
        let (failed, early_end) = (OnceLock::new(), OnceLock::new());
        let rules_failures = AtomicU32::new(0);
        if !journal.is_closed() {
            std::thread::scope(|scope| {
                // The watchdog ends when this is dropped, even if workers fail.
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
                        cpu_pinning::pin(worker.index());
                    }
                    let (mut lineup, texts) = (self.lineup.worker(), MoveTexts::logging(log));
                    // A pinned program stays with its thread.
                    if !self.pin {
                        lineup.share(schedule.parallel().iter().map(Option::is_some).collect());
                    }
                    let (runner, names) = (self, &names[..]);
                    let (failed, early_end, rules_failures) =
                        (&failed, &early_end, &rules_failures);
                    let cost_limit = &cost_limit;
                    Worker {
                        runner,
                        journal,
                        names,
                        layout,
                        remaining,
                        log,
                        failed,
                        early_end,
                        cost_limit,
                        rules_failures,
                        lineup,
                        texts,
                    }
                    .work();
                });
            });
        }
        let (mut tally, schedule) = journal.finish()?;
        tally.early_end = early_end.into_inner();
        tally.void_cost = tally.void_cost.saturating_add(cost_limit.void());
        failed.into_inner().map_or(Ok((tally, schedule)), Err)
    }
}

/// One thread of a run.
struct Worker<'a, 'j> {
    runner: &'a Runner<'a>,
    journal: &'a Journal<'j>,
    names: &'a [String],
    layout: &'static CsvLayout,
    remaining: &'a Remaining,
    /// Whether the moves are written.
    log: bool,
    failed: &'a OnceLock<RunError>,
    /// Why no more games are played, if the run ends by itself before the last one.
    early_end: &'a OnceLock<EarlyEnd>,
    cost_limit: &'a CostLimit,
    /// The last games of all workers that are void by a failure of the program of `[game]`.
    rules_failures: &'a AtomicU32,
    lineup: LineupWorker,
    texts: MoveTexts,
}

impl Worker<'_, '_> {
    /// Plays chunks of units until none is left or the run is stopping.
    fn work(mut self) {
        let journal = self.journal;
        let _guard = Guard(journal);
        let mut chunk = Chunk::default();
        let mut size = 1;
        while !self.is_stopping() {
            let Some((units, schedule)) = journal.take(size, self.runner.jobs) else { return };
            let clock = Instant::now();
            chunk.reset(units.start, 0);
            self.play_units(units, &schedule, &mut chunk);
            let took = clock.elapsed();
            match journal.submit(chunk) {
                Some(empty) => chunk = empty,
                None => return,
            }
            size = next_size(size, took);
        }
    }

    /// Adds the rows of these units to the chunk. When the run is stopping, started work is
    /// finished, but no new work begins.
    fn play_units(&mut self, units: Range<u64>, schedule: &Schedule, chunk: &mut Chunk) {
        let begin = units.start;
        let mut unnoted = 0;
        for unit in units {
            if let Some(sides) = schedule.sides(unit) {
                self.lineup.set_sides(sides);
            }
            let skip = if unit == self.remaining.units.start { self.remaining.skip } else { 0 };
            for (i, spec) in schedule.unit(unit).skip(skip).enumerate() {
                if (i > 0 || unit > begin) && self.is_stopping() {
                    return;
                }
                if let Some(there) = self.remaining.finished.get(&spec.game)
                    && there.row.is(&spec)
                {
                    chunk.bytes.extend_from_slice(&there.bytes);
                    chunk.moves.extend_from_slice(&there.moves);
                    chunk.end_row(there.row);
                    continue;
                }
                if !self.may_begin() {
                    return;
                }
                let record = self.play(&spec);
                self.cost_limit.end();
                let number = schedule.games_of_pairing_before(unit) + (skip + i) as u64;
                self.lineup.end_transcript(&spec, number);
                let Some(record) = record else { return };
                self.write(&record, chunk);
                // Reuses the clocks of the agents, because another clock would slow down short
                // games.
                unnoted += record.sides.iter().map(|side| side.time_ns).sum::<u64>();
                // The time of a game by a referee is not known, and it is long.
                if unnoted >= UNNOTED || record.plies == 0 {
                    self.journal.note(chunk);
                    unnoted = 0;
                }
            }
            chunk.units += 1;
        }
    }

    /// Waits until the next game may begin; false if it may not, because of its cost or because the
    /// run is stopping.
    fn may_begin(&self) -> bool {
        loop {
            match self.cost_limit.begin() {
                NextGame::Begins => return true,
                NextGame::Waits if self.is_stopping() => return false,
                NextGame::Waits => std::thread::sleep(Duration::from_millis(5)),
                NextGame::Exceeds(why) => {
                    let _ = self.early_end.set(EarlyEnd::Cost(why));
                    return false;
                }
            }
        }
    }

    /// Plays a game until it counts. `None` if the run is stopping, so that a later run plays the
    /// game. A lasting lack of descriptors, processes or memory also stops the run, and so does a
    /// provider that stays unavailable.
    fn play(&mut self, spec: &GameSpec) -> Option<GameRecord> {
        let mut attempts = Attempts::default();
        loop {
            let record = self.lineup.play(spec, &mut self.texts);
            self.cost_limit.spend(&record.sides);
            let step = attempts.step(&record, || self.lineup.unavailable_wait(spec));
            if step != Step::Write {
                self.cost_limit.add_void(&record.sides);
            }
            match step {
                Step::Write if self.rules_failed(&record) => return None,
                Step::Write => return Some(record),
                Step::Replay => {}
                Step::Retry(pause) => {
                    if record.voided_by() == Some(FaultKind::Shortage) {
                        self.lineup.release();
                    }
                    let end = Instant::now() + pause;
                    while Instant::now() < end && !self.is_stopping() {
                        std::thread::sleep(pause.min(Duration::from_millis(50)));
                    }
                }
                Step::GiveUp => {
                    let (game, message) = (spec.game, std::mem::take(&mut self.texts.fault));
                    if record.voided_by() == Some(FaultKind::Unavailable) {
                        let why = format!("game {game} cannot be played: {message}");
                        let _ = self.early_end.set(EarlyEnd::Outage(why));
                    } else if record.voided_by() == Some(FaultKind::Tables) {
                        let _ = self.failed.set(RunError::Tables { game, message });
                    } else {
                        let _ = self.failed.set(RunError::Shortage { game, message });
                    }
                    return None;
                }
            }
            if self.is_stopping() {
                return None;
            }
        }
    }

    /// Counts the games that are void by a failure of the program of `[game]`; whether they are so
    /// many that the run ends.
    fn rules_failed(&mut self, record: &GameRecord) -> bool {
        if !record.is_rules_failure() {
            self.rules_failures.store(0, Ordering::Relaxed);
            return false;
        }
        let failures = self.rules_failures.fetch_add(1, Ordering::Relaxed) + 1;
        if failures < MOST_RULES_FAILURES {
            return false;
        }
        let (game, message) = (record.spec.game, std::mem::take(&mut self.texts.fault));
        let _ = self.failed.set(RunError::Rules { game, message });
        true
    }

    fn write(&self, record: &GameRecord, chunk: &mut Chunk) {
        games_csv_rows::write(&mut chunk.bytes, record, self.names, &self.texts, self.layout);
        if self.log {
            moves_csv_rows::write(&mut chunk.moves, record, self.names, &self.texts);
        }
        chunk.end_row(GameRow::of(record, &self.texts));
    }

    fn is_stopping(&self) -> bool {
        self.runner.stop.load(Ordering::Relaxed)
            || self.failed.get().is_some()
            || self.early_end.get().is_some()
    }
}

/// The number of units of the next chunk: larger chunks for fast games.
fn next_size(size: u64, took: Duration) -> u64 {
    let wanted = if took < AIM / 2 {
        size * 2
    } else if took > AIM {
        size / 2
    } else {
        size
    };
    wanted.clamp(1, LARGEST)
}

/// Threads for games or grades.
pub(crate) fn pool(jobs: usize) -> Result<rayon::ThreadPool, RunError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .thread_name(|i| format!("worker-{i}"))
        .stack_size(STACK)
        .build()
        .map_err(|error| RunError::Threads { jobs, message: error.to_string() })
}

/// When a worker ends, releases the other workers that wait for its rows or for the next round.
struct Guard<'a, 'b>(&'a Journal<'b>);

impl Drop for Guard<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        } else {
            self.0.leave();
        }
    }
}
