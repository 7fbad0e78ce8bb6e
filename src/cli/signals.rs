//! Ctrl-C, SIGTERM and SIGHUP: while games are played or graded the first signal asks to stop, at
//! any other moment it ends the process, and the second one ends it always.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use super::exit::Failure;
use crate::arena::Folder;

/// Whether and by what the process was asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    asked: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    phase: Arc<AtomicU8>,
}

/// Nothing is going on that could be finished: files are read, tables are made and written. The
/// same command does it again.
const IDLE: u8 = 0;
/// What has begun is finished first.
const FINISHING: u8 = 1;
/// It is finished, and the rest must not take long.
const ENDING: u8 = 2;

/// How long the tables may take once games have ended because of a signal.
const REST: Duration = Duration::from_millis(700);

impl Stop {
    /// Listens from now on; unless `quiet`, says that the first signal was heard.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn listen(quiet: bool) -> Result<Self, Failure> {
        Stop::try_listen(quiet).map_err(|error| {
            Failure::Other(anyhow::anyhow!(
                "cannot wait for signals: {error}\n\
                 help: end other programs, or raise the limit on processes (`ulimit -u`)"
            ))
        })
    }

    fn try_listen(quiet: bool) -> io::Result<Self> {
        let stop = Stop::default();
        let hangup = is_default(SIGHUP).then_some(SIGHUP);
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            // In this order: the second signal finds the flag set and leaves.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop.asked))?;
            flag::register_usize(signal, Arc::clone(&stop.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&stop.asked))?;
        }
        // A file that grows beyond its limit is an error like a full disk, and no sudden death.
        flag::register(SIGXFSZ, Arc::default())?;
        let listener = stop.clone();
        // Games may be long: somebody who stops a run must see that it was heard.
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let is = |phase| listener.phase.load(Ordering::SeqCst) == phase;
            let wait = |until: &dyn Fn() -> bool| {
                while !until() {
                    std::thread::sleep(Duration::from_millis(20));
                }
            };
            wait(&|| listener.asked.load(Ordering::SeqCst));
            if !quiet {
                let message = match is(FINISHING) {
                    true => "finishing the games that have begun; once more leaves at once",
                    false => "stopped; the same command goes on",
                };
                // A bar stands in the line where this is to be read.
                let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
                let _ = writeln!(anstream::stderr(), "{clear}{message}");
            }
            wait(&|| !is(FINISHING));
            if is(ENDING) {
                std::thread::sleep(REST);
            }
            Folder::remove_partial();
            crate::engine::end_engines();
            std::process::exit(listener.code().unwrap_or(1).into());
        })?;
        Ok(stop)
    }

    /// Does something that a signal asks to stop, and that ends by itself then.
    pub fn finishing<T>(&self, work: impl FnOnce() -> T) -> T {
        self.phase.store(FINISHING, Ordering::SeqCst);
        let result = work();
        self.hurry();
        result
    }

    /// What a signal could ask to stop has ended: if one has come, so does the process soon.
    pub fn hurry(&self) {
        let asked = self.asked.load(Ordering::SeqCst);
        self.phase.store(if asked { ENDING } else { IDLE }, Ordering::SeqCst);
    }

    /// Set once a signal has come.
    pub fn flag(&self) -> &AtomicBool {
        &self.asked
    }

    /// The same to be kept by whoever waits for somebody else.
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.asked)
    }

    /// The exit code of the signal that came, if one did.
    pub fn code(&self) -> Option<u8> {
        let signal = self.signal.load(Ordering::Relaxed);
        (signal != 0).then_some(128 + signal as u8)
    }
}

/// Whether the parent left this signal alone. `nohup` has a process ignore SIGHUP, and a handler
/// would undo that. Where the system does not tell, the answer is no.
fn is_default(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 0)
}
