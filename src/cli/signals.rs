//! Handles Ctrl-C, SIGTERM and SIGHUP. While games are played or graded, the first signal asks to
//! stop. At any other time it ends the process. The second signal always ends the process.

use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::low_level::pipe;

use super::failure::Failure;
use crate::arena::Folder;
use crate::util::locks::lock;

/// Whether a signal asked the process to stop, and which one.
#[derive(Debug, Clone, Default)]
pub struct StopSignal {
    requested: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    phase: Arc<AtomicU8>,
    /// How long running work may continue after a signal, if this is limited.
    grace: Arc<Mutex<Option<Duration>>>,
}

/// No work that a signal could stop early: files are read, tables are built and written. The same
/// command repeats this work.
const IDLE: u8 = 0;

/// Running work is completed first.
const FINISHING: u8 = 1;

/// The work is complete, and the rest must be short.
const ENDING: u8 = 2;

/// How long the tables may take after a signal has ended the games.
const REST: Duration = Duration::from_millis(700);

impl StopSignal {
    /// Installs the handlers. Unless `quiet` is set, prints a message after the first signal.
    pub fn listen(quiet: bool) -> Result<Self, Failure> {
        StopSignal::try_listen(quiet).map_err(|error| {
            Failure::Other(anyhow::anyhow!(
                "cannot wait for signals: {error}\n\
                 help: end other programs, or raise the limit on processes (`ulimit -u`)"
            ))
        })
    }

    fn try_listen(quiet: bool) -> io::Result<Self> {
        let stop = StopSignal::default();
        let hangup = is_default(SIGHUP).then_some(SIGHUP);
        let (mut signals, sender) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM].into_iter().chain(hangup) {
            flag::register_usize(signal, Arc::clone(&stop.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&stop.requested))?;
            pipe::register(signal, sender.try_clone()?)?;
        }
        // A file that exceeds its size limit is then an error like a full disk, instead of a crash.
        flag::register(SIGXFSZ, Arc::default())?;
        let listener = stop.clone();
        // Games may be long: a user who stops a run needs an immediate response.
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            let is = |phase| listener.phase.load(Ordering::SeqCst) == phase;
            while !matches!(signals.read(&mut [0]), Ok(1)) {}
            if !quiet {
                let message = match (is(FINISHING), *lock(&listener.grace)) {
                    (true, Some(grace)) => format!(
                        "finishing the current games (at most {} s); a second signal stops at once",
                        grace.as_secs_f64()
                    ),
                    (true, None) => {
                        "finishing the current games; a second signal stops at once".to_owned()
                    }
                    (false, _) => "stopped; the same command continues".to_owned(),
                };
                // A progress bar may be on this line.
                let clear = if io::stderr().is_terminal() { "\r\x1b[2K" } else { "" };
                let _ = writeln!(anstream::stderr(), "{clear}{message}");
            }
            // From here on, a second signal ends the process at once.
            let _ = signals.set_read_timeout(Some(Duration::from_millis(20)));
            let mut is_signalled = || matches!(signals.read(&mut [0]), Ok(1));
            let mut at_once = false;
            while is(FINISHING) && !at_once {
                at_once = is_signalled();
            }
            let end = Instant::now() + REST;
            while is(ENDING) && !at_once && Instant::now() < end {
                at_once = is_signalled();
            }
            Folder::remove_partial();
            crate::engine::end_engines();
            std::process::exit(listener.code().unwrap_or(1).into());
        })?;
        Ok(stop)
    }

    /// Runs work that a signal asks to stop, and that then ends by itself, at the latest after
    /// `grace`.
    pub fn finishing<T>(&self, grace: Option<Duration>, work: impl FnOnce() -> T) -> T {
        *lock(&self.grace) = grace;
        self.phase.store(FINISHING, Ordering::SeqCst);
        let result = work();
        self.end_work();
        result
    }

    /// The work that a signal could stop has ended. After a signal, the process soon ends too.
    pub fn end_work(&self) {
        let requested = self.requested.load(Ordering::SeqCst);
        self.phase.store(if requested { ENDING } else { IDLE }, Ordering::SeqCst);
    }

    /// The flag that is set after a signal.
    pub fn flag(&self) -> &AtomicBool {
        &self.requested
    }

    /// The exit code of the received signal, if any.
    pub fn code(&self) -> Option<u8> {
        let signal = self.signal.load(Ordering::Relaxed);
        (signal != 0).then_some(128 + signal as u8)
    }
}

/// Whether the parent left this signal at its default. `nohup` makes a process ignore SIGHUP, and a
/// handler would undo that. If the system does not tell, the answer is no.
fn is_default(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 0)
}
