//! Runs one process of a side to its end, and measures its processor time and instructions.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::util::unix::{Exit, Process, cores, pin_to};

/// What a process and its own processes, such as engines, cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceCost {
    /// Processor time of all threads, in the program and in the kernel.
    pub time: Duration,
    /// Instructions outside the kernel. `None` if the kernel does not count them.
    pub instructions: Option<u64>,
}

/// How a process ended.
pub struct SliceEnd {
    pub exit: Exit,
    /// Its error output.
    pub errors: String,
    /// How long it ran.
    pub elapsed: Duration,
    pub cost: SliceCost,
}

/// Measures processes one after the other. All of them run on the cores of this program in turn, so
/// that no side always has the better core.
pub struct SliceMeter {
    cores: Vec<usize>,
    counter: Option<instruction_counter::Counter>,
}

impl SliceMeter {
    pub fn new() -> SliceMeter {
        SliceMeter { cores: cores(), counter: instruction_counter::open() }
    }

    /// Whether the kernel counts instructions.
    pub fn counts_instructions(&self) -> bool {
        self.counter.is_some()
    }

    /// Moves this thread and the next processes to one core. All processes of a block share it.
    pub fn use_core(&self, number: usize) {
        if let Some(&core) = self.cores.get(number % self.cores.len().max(1)) {
            pin_to(core);
        }
    }

    /// Runs a command to its end; its errors go to the file. A process that needs longer than `patience`
    /// is killed, and after a stop it is killed at once. No process that it started remains.
    ///
    /// # Errors
    /// The command does not start or was killed.
    pub fn run(
        &mut self,
        command: &mut Command,
        errors: &Path,
        patience: Duration,
        stop: &AtomicBool,
    ) -> io::Result<SliceEnd> {
        command.stdin(Stdio::null()).stderr(File::create(errors)?);
        let (before, begin) = (children_time()?, Instant::now());
        let instructions = self.counter.as_mut().and_then(instruction_counter::begin);
        let exit = wait(Process::start(command)?, patience, stop)?;
        let elapsed = begin.elapsed();
        let instructions = (self.counter.as_mut().zip(instructions))
            .and_then(|(counter, begin)| instruction_counter::since(counter, begin));
        let time = children_time()?.saturating_sub(before);
        let errors = std::fs::read(errors).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors).into_owned();
        Ok(SliceEnd { exit, errors, elapsed, cost: SliceCost { time, instructions } })
    }
}

/// Waits for the end of a process, and reaps it.
fn wait(process: Process, patience: Duration, stop: &AtomicBool) -> io::Result<Exit> {
    /// The time between two looks at `stop`.
    const LOOK: Duration = Duration::from_millis(50);
    let begin = Instant::now();
    loop {
        if let Some(exit) = process.exit_within(LOOK) {
            return Ok(exit);
        }
        if stop.load(Ordering::SeqCst) {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "it was stopped"));
        }
        if begin.elapsed() > patience {
            let message = format!("it did not end within {} s", patience.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
    }
}

/// The processor time of all ended processes of this program, with their own processes.
fn children_time() -> io::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(Duration::from_micros(micros.max(0).cast_unsigned()))
}

/// Instructions of this thread and of the processes that it starts.
#[cfg(target_os = "linux")]
mod instruction_counter {
    pub use perf_event::Counter;

    /// `None` if the kernel does not allow it, or the machine has no counter, as many virtual machines.
    pub fn open() -> Option<Counter> {
        let event = perf_event::events::Hardware::INSTRUCTIONS;
        let mut counter = perf_event::Builder::new(event).inherit(true).build().ok()?;
        counter.enable().ok()?;
        Some(counter)
    }

    pub fn begin(counter: &mut Counter) -> Option<u64> {
        counter.read().ok()
    }

    pub fn since(counter: &mut Counter, begin: u64) -> Option<u64> {
        counter.read().ok()?.checked_sub(begin)
    }
}

/// Other systems count no instructions.
#[cfg(not(target_os = "linux"))]
mod instruction_counter {
    pub enum Counter {}

    pub fn open() -> Option<Counter> {
        None
    }

    pub fn begin(counter: &mut Counter) -> Option<u64> {
        match *counter {}
    }

    pub fn since(counter: &mut Counter, _: u64) -> Option<u64> {
        match *counter {}
    }
}
