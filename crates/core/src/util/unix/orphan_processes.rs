//! Ends the processes that engines leave running.
//!
//! A process that calls `setsid` leaves its engine's group and can outlive the engine. Agon is
//! therefore a subreaper: it becomes the parent of such a process when the original parent ends.
//! Agon finds the process among its children. An environment variable identifies its engine.

use std::io;
use std::process::{Child, Command};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, waitpid,
};

use crate::util::locks::lock;

/// The environment variable that identifies the engine of a process.
const MARK: &str = "AGON_ENGINE";
/// Time limit for ending processes.
const MAX_WAIT: Duration = Duration::from_millis(700);
/// Time between two checks of a process that is ending.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

static ADOPTING: AtomicBool = AtomicBool::new(false);
/// Whether this process may have children from other programs; those are not killed.
static SHARED: AtomicBool = AtomicBool::new(false);
/// Whether the engines were killed because this process exits.
static EXITING: AtomicBool = AtomicBool::new(false);
static NEXT: AtomicU64 = AtomicU64::new(1);
/// Running engines, each with its mark. The list is locked while an engine starts. So a scan of
/// this process's children never finds an engine that is not in the list yet.
static ENGINES: Mutex<Vec<(Pid, String)>> = Mutex::new(Vec::new());

/// From now on this process adopts the processes that engines leave running, and kills them. For
/// programs that start no other processes: those would be killed too.
pub fn adopt_orphans() {
    // A shell that runs `exec agon` leaves its children to agon. The first process of a container
    // adopts the orphans of all other processes.
    let is_first = getpid() == Pid::INIT;
    SHARED.store(is_first || !children().is_empty(), Ordering::Relaxed);
    ADOPTING.store(true, Ordering::Relaxed);
}

/// Kills all engines and the processes that they started, for an exit without waiting.
pub fn end_engines() {
    EXITING.store(true, Ordering::SeqCst);
    let mut engines = lock(&ENGINES);
    for (pid, _) in engines.drain(..) {
        let _ = kill_process_group(pid, Signal::KILL);
    }
    end_orphans(&engines);
}

/// Blocks for ever once [`end_engines`] has killed the engines, until the process exits. Otherwise
/// the end of an engine would be recorded as a fault of this engine.
pub fn block_if_exiting() {
    while EXITING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// Starts an engine with a mark in its environment.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(target_os = "linux")]
    if ADOPTING.load(Ordering::Relaxed) {
        // Without this call, the system adopts processes that have left their engine's group.
        let _ = rustix::process::set_child_subreaper(Some(getpid()));
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mark = format!("{}-{number}", getpid());
    let mut engines = lock(&ENGINES);
    let child = command.env(MARK, &mark).spawn()?;
    engines.push((Pid::from_child(&child), mark));
    Ok(child)
}

/// Kills the remaining processes of an engine whose group is killed and whose leader is reaped.
pub(super) fn end_with(pid: Pid) {
    let mut engines = lock(&ENGINES);
    engines.retain(|(own, _)| *own != pid);
    if ADOPTING.load(Ordering::Relaxed) {
        end_orphans(&engines);
    }
}

/// Kills adopted processes that belong to none of these engines. When a process ends, agon adopts
/// its children. The loop therefore ends only after a scan that finds nothing.
fn end_orphans(engines: &[(Pid, String)]) {
    let deadline = Instant::now() + MAX_WAIT;
    loop {
        let mut found = false;
        for child in children().into_iter().filter(|pid| engines.iter().all(|(own, _)| own != pid))
        {
            let mark = mark_of(child);
            let known =
                mark.as_ref().is_some_and(|mark| engines.iter().any(|(_, other)| other == mark));
            // Without a mark of this agon, the process may belong to any running engine or to
            // another program.
            let unknown = mark.as_ref().is_none_or(|mark| !is_ours(mark))
                && (!engines.is_empty() || SHARED.load(Ordering::Relaxed));
            if !known && !unknown {
                found = kill_process(child, Signal::KILL).is_ok() || found;
                while Instant::now() < deadline
                    && matches!(waitpid(Some(child), WaitOptions::NOHANG), Ok(None))
                {
                    std::thread::sleep(POLL_INTERVAL);
                }
            } else {
                // Such a process is not killed; it is reaped if it has ended.
                let _ = waitpid(Some(child), WaitOptions::NOHANG);
            }
        }
        if !found || Instant::now() >= deadline {
            return;
        }
    }
}

/// Children of the first thread, because the system makes that thread the parent of orphans. Empty
/// if the system does not list them.
fn children() -> Vec<Pid> {
    let own = getpid();
    let list = std::fs::read_to_string(format!("/proc/self/task/{own}/children"));
    let list = list.unwrap_or_default();
    list.split_ascii_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect()
}

/// The mark in the environment of a process, if the process still runs.
fn mark_of(pid: Pid) -> Option<String> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mark = environment.split(|&byte| byte == 0).find_map(|variable| {
        variable.strip_prefix(MARK.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec)
    });
    String::from_utf8(mark?).ok()
}

/// Whether this process created the mark.
fn is_ours(mark: &str) -> bool {
    mark.split_once('-').is_some_and(|(pid, _)| pid == getpid().to_string())
}
