//! Ends the processes that engines leave behind.
//!
//! A process that calls `setsid` leaves the group of its engine and outlives it. A program that
//! is a subreaper becomes the parent of such a process when its own parent has ended, finds it
//! among its children, and knows its engine by a variable in its environment.

use std::io;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, waitpid,
};

/// The variable by which a process is known to belong to an engine.
const MARK: &str = "AGON_ENGINE";
/// How long the end of processes may take.
const PATIENCE: Duration = Duration::from_millis(700);
/// Between two looks at a process that is about to end.
const LOOK: Duration = Duration::from_millis(1);

static ADOPTING: AtomicBool = AtomicBool::new(false);
/// Other programs may have given this process children: those stay alive.
static SHARED: AtomicBool = AtomicBool::new(false);
static NEXT: AtomicU64 = AtomicU64::new(1);
/// Engines that run, each with its mark. It stays locked while one starts, so that no look at the
/// children of this process finds a child that is not in the list yet.
static ENGINES: Mutex<Vec<(Pid, String)>> = Mutex::new(Vec::new());

/// From now on this process becomes the parent of what engines leave behind, and ends it with
/// them. It is for programs that start no other processes: those would be ended too.
pub fn adopt_orphans() {
    // A shell that runs `exec agon` leaves agon its children, and the first process of a container
    // gets the orphans of all others.
    let is_first = getpid() == Pid::INIT;
    SHARED.store(is_first || !children().is_empty(), Ordering::Relaxed);
    ADOPTING.store(true, Ordering::Relaxed);
}

/// Ends all engines with all that they have started, where the program leaves without waiting.
pub fn end_engines() {
    let mut engines = engines();
    for (pid, _) in engines.drain(..) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    end_orphans(&engines);
}

fn engines() -> MutexGuard<'static, Vec<(Pid, String)>> {
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts an engine whose processes can be found.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(target_os = "linux")]
    if ADOPTING.load(Ordering::Relaxed) {
        // Without it, processes that have left their engine's group go to the system.
        let _ = rustix::process::set_child_subreaper(Some(getpid()));
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{number}", getpid());
    let mut engines = engines();
    let child = command.env(MARK, &mark).spawn()?;
    engines.push((Pid::from_child(&child), mark));
    Ok(child)
}

/// Ends what an engine, whose group is killed and whose leader is reaped, has left behind.
pub(super) fn end_with(pid: Pid) {
    let mut engines = engines();
    engines.retain(|(own, _)| *own != pid);
    if ADOPTING.load(Ordering::Relaxed) {
        end_orphans(&engines);
    }
}

/// Ends the adopted processes that belong to none of these engines. The children of a process
/// that ends are adopted in turn, so that a look that finds nothing is the last.
fn end_orphans(engines: &[(Pid, String)]) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut found = false;
        for child in children().into_iter().filter(|pid| engines.iter().all(|(own, _)| own != pid))
        {
            let mark = mark_of(child);
            let known =
                mark.as_ref().is_some_and(|mark| engines.iter().any(|(_, other)| other == mark));
            // Without a mark of ours it may belong to any of the engines that run, or to another
            // program.
            let unknown = mark.as_ref().is_none_or(|mark| !is_ours(mark))
                && (!engines.is_empty() || SHARED.load(Ordering::Relaxed));
            if !known && !unknown {
                found = kill_process(child, Signal::KILL).is_ok() || found;
                while Instant::now() < deadline
                    && matches!(waitpid(Some(child), WaitOptions::NOHANG), Ok(None))
                {
                    std::thread::sleep(LOOK);
                }
            } else {
                // One that has ended by itself is only reaped.
                let _ = waitpid(Some(child), WaitOptions::NOHANG);
            }
        }
        if !found || Instant::now() >= deadline {
            return;
        }
    }
}

/// Children of the first thread, which the system makes the parent of orphans; none where the
/// system does not tell.
fn children() -> Vec<Pid> {
    let own = getpid();
    let list = std::fs::read_to_string(format!("/proc/self/task/{own}/children"));
    let list = list.unwrap_or_default();
    list.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
}

/// The mark in the environment of a process, where it has not ended yet.
fn mark_of(pid: Pid) -> Option<String> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mark = environment.split(|&byte| byte == 0).find_map(|variable| {
        variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec)
    });
    String::from_utf8(mark?).ok()
}

/// Whether this process has given the mark.
fn is_ours(mark: &str) -> bool {
    mark.split_once('-').is_some_and(|(pid, _)| pid == getpid().to_string())
}
