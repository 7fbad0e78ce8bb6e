//! Who looks after a run while the workers play: syncs the files, sees that they are still
//! there, hears of a verdict elsewhere, and ends a stop that takes too long.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::journal::Journal;
use super::lock::is_same;
use super::tally::Tally;

/// What is to be looked after.
pub struct Watchdog<'a> {
    /// How often what was written is synced to the disk.
    pub sync: Duration,
    /// The files that are written, with their names.
    pub files: Vec<(PathBuf, File)>,
    /// When this file appears, nothing more is wanted.
    pub verdict: Option<PathBuf>,
    /// How long games that are running may go on once the run is asked to stop.
    pub grace: Duration,
    /// Called when they take longer, with what was counted so far. It ends the process.
    pub give_up: Option<&'a (dyn Fn(Tally) + Sync)>,
}

impl Default for Watchdog<'_> {
    /// Nothing but the side journal is looked after.
    fn default() -> Self {
        Watchdog {
            sync: Duration::from_secs(1),
            files: Vec::new(),
            verdict: None,
            grace: Duration::MAX,
            give_up: None,
        }
    }
}

/// How often it looks.
const TICK: Duration = Duration::from_millis(50);
/// How often it looks for files.
const LOOK: Duration = Duration::from_millis(500);

impl Watchdog<'_> {
    /// Looks after the journal until [`Journal::retire`].
    pub(super) fn watch<W: io::Write>(&self, journal: &Journal<'_, W>, stop: &AtomicBool) {
        let begin = Instant::now();
        let (mut synced, mut looked, mut seen) = (begin, begin, 0);
        let mut asked = None;
        while journal.is_active(TICK.min(self.sync)) {
            if synced.elapsed() >= self.sync {
                synced = Instant::now();
                self.sync(journal, &mut seen);
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                self.look(journal);
            }
            if stop.load(Ordering::Relaxed) {
                let since = *asked.get_or_insert_with(Instant::now);
                if let Some(give_up) = self.give_up
                    && since.elapsed() >= self.grace
                {
                    self.sync(journal, &mut seen);
                    give_up(journal.tally());
                    return;
                }
            }
        }
        self.sync(journal, &mut seen);
    }

    /// Brings to the disk what was written since the last time.
    fn sync<W: io::Write>(&self, journal: &Journal<'_, W>, seen: &mut u64) {
        let written = journal.written();
        if written == *seen {
            return;
        }
        *seen = written;
        let fail = |path: &PathBuf, error| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            journal.fail(&name, error);
        };
        for (path, file) in &self.files {
            if let Err(error) = file.sync_data() {
                fail(path, error);
            }
        }
        if let Err(error) = journal.sync_ahead() {
            journal.fail(super::wal::NAME, error);
        }
    }

    /// Looks for what should be there and what should not.
    fn look<W: io::Write>(&self, journal: &Journal<'_, W>) {
        for (path, file) in &self.files {
            if matches!(is_same(file, path), Ok(false)) {
                let error = vanished();
                journal.fail(&path.display().to_string(), error);
            }
        }
        if self.verdict.as_ref().is_some_and(|path| path.exists()) {
            journal.close();
        }
    }
}

/// The error of a file that is not there any more, or not the same.
pub(super) fn vanished() -> io::Error {
    io::Error::other("it was removed or replaced while the run wrote it")
}
