//! Grades the games of the sample after the last game, and writes a new `moves.csv` in game order. The
//! result depends only on `games.csv`, the recorded data and the sample. Existing grades only save work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::grading_sample::Sample;
use crate::arena::count::run_events::{Event, Observer, Progress};
use crate::arena::count::tally::Tally;
use crate::arena::folder::game_moves::{GameMoves, NAME, wrong_moves};
use crate::arena::folder::results_folder::{Folder, Replacement};
use crate::arena::schedule::game_schedule::Schedule;
use crate::arena::workers::parallel_workers::{RunError, pool};
use crate::play::{AnyGame, GradedMove, Grader, Outcome};
use crate::rows::cell_text::quoted;
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::rows::moves_csv_rows;
use crate::rows::moves_csv_rows::MoveRow;
use crate::rows::results_folder_errors::FolderError;

#[doc(hidden)]
pub struct GradingPass<'a> {
    pub folder: &'a Folder,
    /// The game, which must have exact values.
    pub any_game: &'a AnyGame,
    pub names: Vec<String>,
    pub schedule: &'a Schedule,
    pub sample: &'a Sample,
    /// Whether to grade games again that already have grades.
    pub fresh: bool,
    pub jobs: usize,
    /// Set from outside to stop: current games are finished, and no new game begins.
    pub stop: &'a AtomicBool,
    pub observer: &'a dyn Observer,
}

#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Graded {
    /// Games of the sample that have grades.
    pub games: u64,
    /// Games of the sample that had no grades before this pass.
    pub new: u64,
    /// Whether no played game is left to grade.
    pub complete: bool,
}

/// The maximum number of games in memory.
const MOST: usize = 8192;
/// How often observers receive progress.
const PERIOD: Duration = Duration::from_millis(100);

struct Item {
    row: GameRow,
    opening: String,
    moves: String,
    /// Whether the game belongs to the sample.
    wanted: bool,
    /// The rows of the game in the old file.
    old: Vec<MoveRow>,
    /// The grades of the game, once it has been graded.
    new: Option<Result<Vec<GradedMove>, String>>,
}

impl Item {
    /// Whether all moves have grades from an earlier pass.
    fn is_done(&self) -> bool {
        self.old.len() as u64 == moves_csv_rows::expected(&self.row)
            && self.old.iter().all(|row| row.is_graded)
    }

    /// Whether the old rows are the moves of the game, in order.
    fn is_own(&self) -> bool {
        let mut words = self.moves.split(' ');
        self.old.iter().all(|row| words.any(|word| word == row.graded.text))
    }
}

impl GradingPass<'_> {
    /// Grades the games of the sample.
    ///
    /// # Panics
    /// If the game has no exact values.
    pub fn run(&self) -> Result<Graded, RunError> {
        let pool = pool(self.jobs)?;
        let path = self.folder.file("games.csv");
        let bad = FolderError::rows(&path);
        let mut rows = GameRows::open(&path, &self.names)?;
        let mut old = GameMoves::open(self.folder)?;
        let mut work = Work::begin(self, &pool)?;
        let mut read = 0;
        'all: for unit in 0..self.schedule.units() {
            let wanted = self.sample.has(unit);
            for spec in self.schedule.unit(unit) {
                let Some(row) = rows.next_row().map_err(&bad)? else { break 'all };
                read += 1;
                let is = (row.game, row.pairing, row.first, row.second);
                if is != (spec.game, spec.pairing, spec.first, spec.second) {
                    return Err(FolderError::order(&path, read, (row.game, row.pairing)).into());
                }
                let wanted = wanted && row.outcome != Outcome::Void;
                let old = old.of(row.game)?;
                if !wanted && old.is_empty() {
                    continue;
                }
                let (opening, moves) = rows.owned_texts();
                work.push(Item { row, opening, moves, wanted, old, new: None })?;
            }
        }
        Ok(work.end()?)
    }
}

/// The games in memory, the graders, and the output file.
struct Work<'a> {
    pass: &'a GradingPass<'a>,
    pool: &'a rayon::ThreadPool,
    out: Replacement,
    names: Vec<String>,
    items: Vec<Item>,
    graders: Mutex<Vec<Grader>>,
    begin: Instant,
    last_reported: Mutex<Instant>,
    done: AtomicU64,
    graded: Graded,
    buffer: Vec<u8>,
}

impl<'a> Work<'a> {
    fn begin(pass: &'a GradingPass<'a>, pool: &'a rayon::ThreadPool) -> Result<Self, FolderError> {
        let mut out = pass.folder.replacement(NAME)?;
        out.put(moves_csv_rows::header().as_bytes())?;
        let now = Instant::now();
        Ok(Work {
            pass,
            pool,
            out,
            names: pass.names.iter().map(|name| quoted(name).into_owned()).collect(),
            items: Vec::new(),
            graders: Mutex::new(Vec::new()),
            begin: now,
            last_reported: Mutex::new(now),
            done: AtomicU64::new(0),
            graded: Graded { games: 0, new: 0, complete: true },
            buffer: Vec::new(),
        })
    }

    fn push(&mut self, item: Item) -> Result<(), FolderError> {
        self.items.push(item);
        if self.items.len() >= MOST { self.flush() } else { Ok(()) }
    }

    fn is_pending(&self, item: &Item) -> bool {
        item.wanted && (self.pass.fresh || !item.is_done())
    }

    fn flush(&mut self) -> Result<(), FolderError> {
        let mut items = std::mem::take(&mut self.items);
        let queue = Mutex::new(items.iter_mut());
        let next = || queue.lock().ok()?.next();
        self.pool.broadcast(|_| {
            while let Some(item) = next() {
                self.grade(item);
            }
        });
        items.iter().try_for_each(|item| self.write(item))
    }

    /// Grades one game; any thread may call this.
    fn grade(&self, item: &mut Item) {
        if !self.is_pending(item) || self.pass.stop.load(Ordering::Relaxed) {
            return;
        }
        let spare = self.graders.lock().map(|mut graders| graders.pop()).ok().flatten();
        let mut grader = spare.unwrap_or_else(|| {
            self.pass.any_game.grader().unwrap_or_else(|error| panic!("{}", error.message))
        });
        let mut grades = Vec::new();
        let result = grader.grade(&item.opening, &item.moves, &mut grades);
        item.new = Some(result.map(|()| grades));
        if let Ok(mut graders) = self.graders.lock() {
            graders.push(grader);
        }
        self.done.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut last_reported) = self.last_reported.try_lock()
            && last_reported.elapsed() >= PERIOD
        {
            *last_reported = Instant::now();
            self.report();
        }
    }

    fn report(&self) {
        let played = self.done.load(Ordering::Relaxed);
        self.pass.observer.on(&Event::Progress(Progress {
            done: (self.graded.games - self.graded.new + played).min(self.pass.sample.games()),
            played,
            total: self.pass.sample.games(),
            elapsed: self.begin.elapsed(),
            tally: &Tally::new(Vec::new(), &[]),
            round: None,
        }));
    }

    fn write(&mut self, item: &Item) -> Result<(), FolderError> {
        let game = item.row.game;
        let wrong_moves = || wrong_moves(self.pass.folder, game);
        let whole = item.old.len() as u64 == moves_csv_rows::expected(&item.row);
        if !item.is_own() || !(whole || item.old.is_empty()) {
            return Err(wrong_moves());
        }
        let name =
            |mv: &GradedMove| &self.names[[item.row.first, item.row.second][mv.player.index()]];
        self.buffer.clear();
        match &item.new {
            Some(Err(message)) => {
                let path = self.pass.folder.file("games.csv");
                return Err(FolderError::no_game(&path, game, message));
            }
            Some(Ok(grades)) => {
                if !item.old.is_empty() && item.old.len() != grades.len() {
                    return Err(wrong_moves());
                }
                let mut costs = item.old.iter().map(|row| row.costs);
                for graded in grades {
                    let costs = costs.next().unwrap_or_default();
                    let row = MoveRow { game, graded: graded.clone(), is_graded: true, costs };
                    moves_csv_rows::write_row(&mut self.buffer, &row, name(graded));
                }
                self.graded.games += 1;
                self.graded.new += 1;
            }
            None if item.wanted => {
                for row in &item.old {
                    moves_csv_rows::write_row(&mut self.buffer, row, name(&row.graded));
                }
                self.graded.games += u64::from(item.is_done());
                self.graded.complete &= item.is_done();
            }
            // Grades of an earlier sample are dropped, but recorded data is kept.
            None => {
                for row in item.old.iter().filter(|row| row.costs.time_ns.is_some()) {
                    let row = MoveRow { is_graded: false, ..row.clone() };
                    moves_csv_rows::write_row(&mut self.buffer, &row, name(&row.graded));
                }
            }
        }
        self.out.put(&self.buffer)
    }

    fn end(mut self) -> Result<Graded, FolderError> {
        self.flush()?;
        self.report();
        self.out.keep()?;
        Ok(self.graded)
    }
}
