//! Ctrl-C, SIGTERM and SIGHUP: the first signal asks to stop, the second ends the process at once.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

/// Whether and by what the process was asked to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    asked: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    /// Nothing has begun that could be finished.
    idle: Arc<AtomicBool>,
}

impl Stop {
    /// Listens from now on; unless `quiet`, says that the first signal was heard.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn listen(quiet: bool) -> io::Result<Self> {
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
            while !listener.asked.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            if listener.idle.load(Ordering::Relaxed) {
                std::process::exit(listener.code().unwrap_or(1).into());
            }
            if !quiet {
                let message = "finishing the games that have begun; once more leaves at once";
                // A bar stands in the line where this is to be read.
                let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
                let _ = writeln!(anstream::stderr(), "{clear}{message}");
            }
        })?;
        Ok(stop)
    }

    /// Does something of which nothing is kept, so that a signal ends the process at once.
    pub fn while_idle<T>(&self, work: impl FnOnce() -> T) -> T {
        self.idle.store(true, Ordering::Relaxed);
        let result = work();
        self.idle.store(false, Ordering::Relaxed);
        result
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
