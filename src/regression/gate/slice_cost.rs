//! Plays one slice in a process of its own, and measures its processor time and instructions.

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::util::unix::{cores, pin_to};

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
    pub status: ExitStatus,
    /// The end of its error output.
    pub errors: String,
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
    /// is killed.
    ///
    /// # Errors
    /// The command does not start, or has no end.
    pub fn run(
        &mut self,
        command: &mut Command,
        errors: &Path,
        patience: Duration,
    ) -> io::Result<SliceEnd> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(errors)?);
        let before = children_time()?;
        let instructions = self.counter.as_mut().map(instruction_counter::begin);
        let mut child = command.spawn()?;
        let status = wait(&mut child, patience);
        let instructions = self.counter.as_mut().zip(instructions.flatten());
        let instructions = instructions.and_then(|(of, from)| instruction_counter::since(of, from));
        let status = status?;
        let time = children_time()?.saturating_sub(before);
        let errors = std::fs::read_to_string(errors).unwrap_or_default();
        Ok(SliceEnd { status, errors, cost: SliceCost { time, instructions } })
    }
}

/// Waits for the end of a process. It asks rarely at first: the waiting costs the machine some time.
fn wait(child: &mut Child, patience: Duration) -> io::Result<ExitStatus> {
    const PAUSE: Duration = Duration::from_millis(2);
    let until = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() > until {
            child.kill()?;
            child.wait()?;
            let message = format!("it did not end within {} s", patience.as_secs());
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        std::thread::sleep(PAUSE);
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
