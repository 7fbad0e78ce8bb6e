//! The watchdog of a run: it syncs the files, checks that they still exist, watches for a verdict
//! of other shards, and enforces the shutdown deadline.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::arena::count::run_events::{Event, Observer};
use crate::arena::folder::results_folder_lock::{is_same, vanished};
use crate::arena::storage::journal::Journal;

/// The settings of the watchdog.
pub struct Watchdog {
    /// How often written data is synced to the disk.
    pub sync: Duration,
    /// The output files with their names.
    pub files: Vec<(PathBuf, File)>,
    /// If this file appears, no more games are needed.
    pub verdict: Option<PathBuf>,
    /// How long running games may continue after a stop request: see [`Event::GraceOver`].
    pub grace: Duration,
}

impl Default for Watchdog {
    /// Watches only the write-ahead log.
    fn default() -> Self {
        let (sync, grace) = (Duration::from_secs(1), Duration::MAX);
        Watchdog { sync, files: Vec::new(), verdict: None, grace }
    }
}

const TICK: Duration = Duration::from_millis(50);
const CHECK: Duration = Duration::from_millis(500);

impl Watchdog {
    /// Watches the journal until the other end of `end` is dropped.
    pub(crate) fn watch(
        &self,
        journal: &Journal<'_>,
        stop: &AtomicBool,
        observer: &dyn Observer,
        end: &Receiver<()>,
    ) {
        let begin = Instant::now();
        let (mut synced, mut checked, mut synced_writes) = (begin, begin, 0);
        let mut stop_since = None;
        while end.recv_timeout(TICK.min(self.sync)) == Err(RecvTimeoutError::Timeout) {
            if synced.elapsed() >= self.sync {
                synced = Instant::now();
                self.sync(journal, &mut synced_writes);
            }
            if checked.elapsed() >= CHECK {
                checked = Instant::now();
                self.check_files(journal);
            }
            if stop.load(Ordering::Relaxed)
                && stop_since.get_or_insert_with(Instant::now).elapsed() >= self.grace
            {
                self.sync(journal, &mut synced_writes);
                return observer.on(&Event::GraceOver(&journal.tally()));
            }
        }
        self.sync(journal, &mut synced_writes);
    }

    /// Syncs the data that was written since the last sync.
    fn sync(&self, journal: &Journal<'_>, synced_writes: &mut u64) {
        let written = journal.written();
        if written == *synced_writes {
            return;
        }
        *synced_writes = written;
        for (path, file) in &self.files {
            if let Err(error) = file.sync_data() {
                journal.fail(&path.file_name().unwrap_or_default().to_string_lossy(), error);
            }
        }
        journal.sync_wal();
    }

    /// Checks that the output files exist and that the stop file does not.
    fn check_files(&self, journal: &Journal<'_>) {
        for (path, file) in &self.files {
            if matches!(is_same(file, path), Ok(false)) {
                journal.fail(&path.display().to_string(), vanished());
            }
        }
        if self.verdict.as_ref().is_some_and(|path| path.exists()) {
            journal.close();
        }
    }
}
