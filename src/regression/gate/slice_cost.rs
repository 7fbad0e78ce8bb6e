//! Runs processes of the sides to their ends, and measures the processor time and the instructions of each.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use instruction_counter::Counter;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::util::unix::{Exit, Process};

/// What a process and its own processes, such as engines, cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SliceCost {
    /// Processor time of all threads, in the program and in the kernel.
    pub time: Duration,
    /// Instructions outside the kernel. `None` if the kernel does not count them.
    pub instructions: Option<u64>,
}

/// A process of a side that is to be measured.
pub struct SliceCommand {
    /// The place of the side: 0 is the old one, 1 the new one.
    pub side: usize,
    pub command: Command,
    /// The file for its error output.
    pub errors: PathBuf,
}

/// How a process ended.
pub struct SliceEnd {
    pub exit: Exit,
    /// The end of its error output.
    pub errors: String,
    pub cost: SliceCost,
}

/// A process that was started. Dropping it kills it and all processes that it started.
struct Running {
    process: Process,
    /// Counts this process and those that are started after it.
    counter: Option<Counter>,
}

/// Starts processes in this order, and waits for all of them. Those that need longer than `patience` are
/// killed, and after a stop they are killed at once. No process that they started remains.
///
/// # Errors
/// A command does not start or was killed: its place in the list, and why.
pub fn run_together(
    commands: &mut [SliceCommand],
    patience: Duration,
    stop: &AtomicBool,
) -> Result<Vec<SliceEnd>, (usize, io::Error)> {
    let begin = Instant::now();
    let places = 0..commands.len();
    let mut running = Vec::new();
    for place in places.clone() {
        running.push(start(&mut commands[place]).map_err(|error| (place, error))?);
    }
    let mut exits = Vec::new();
    for place in places.clone() {
        let exit = wait(&running[place].process, begin, patience, stop);
        exits.push(exit.map_err(|error| (place, error))?);
    }
    let instructions = instructions(&mut running);
    let ends = running.into_iter().zip(places).map(|(running, place)| {
        // The system adds the time of a process when it is reaped, so each has its own difference.
        let time = children_time().and_then(|before| {
            drop(running);
            Ok(children_time()?.saturating_sub(before))
        });
        let time = time.map_err(|error| (place, error))?;
        let errors = last_text(&commands[place].errors).unwrap_or_default();
        let cost = SliceCost { time, instructions: instructions[place] };
        Ok(SliceEnd { exit: exits[place], errors, cost })
    });
    ends.collect()
}

/// The end of a file, at most so much as a terminal shows. Some programs write without end.
fn last_text(file: &Path) -> io::Result<String> {
    const MOST: u64 = 2000;
    let mut file = File::open(file)?;
    let skipped = file.metadata()?.len().saturating_sub(MOST);
    file.seek(SeekFrom::Start(skipped))?;
    let mut text = Vec::new();
    file.take(MOST).read_to_end(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn start(slice: &mut SliceCommand) -> io::Result<Running> {
    slice.command.stdin(Stdio::null()).stderr(File::create(&slice.errors)?);
    let counter = instruction_counter::open();
    Ok(Running { process: Process::start(&mut slice.command)?, counter })
}

/// Waits for the end of a process. It is not reaped.
fn wait(
    process: &Process,
    begin: Instant,
    patience: Duration,
    stop: &AtomicBool,
) -> io::Result<Exit> {
    /// The time between two looks at `stop`.
    const LOOK: Duration = Duration::from_millis(50);
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

/// The instructions of each process. Processes inherit the counters that were open when they were
/// started, so each counter also counts the processes after its own.
fn instructions(running: &mut [Running]) -> Vec<Option<u64>> {
    let read = |running: &mut Running| running.counter.as_mut().and_then(instruction_counter::read);
    let counts: Vec<Option<u64>> = running.iter_mut().map(read).collect();
    let after = counts.iter().skip(1).copied().chain([Some(0)]);
    counts.iter().zip(after).map(|(own, after)| Some((*own)?.saturating_sub(after?))).collect()
}

/// Whether the kernel counts instructions.
pub fn counts_instructions() -> bool {
    instruction_counter::open().is_some()
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

    pub fn read(counter: &mut Counter) -> Option<u64> {
        counter.read().ok()
    }
}

/// Other systems count no instructions.
#[cfg(not(target_os = "linux"))]
mod instruction_counter {
    pub enum Counter {}

    pub fn open() -> Option<Counter> {
        None
    }

    pub fn read(counter: &mut Counter) -> Option<u64> {
        match *counter {}
    }
}
