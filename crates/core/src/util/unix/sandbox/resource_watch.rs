//! What all processes of a sandbox use together. Limits of the system count each process alone.

use std::fs;
use std::path::Path;

use super::plan::{Breach, Sandbox};

pub(super) struct ResourceWatch {
    memory: u64,
    /// In ticks of the processor clock; `None`: no limit.
    cpu_ticks: Option<u64>,
    page: u64,
}

impl ResourceWatch {
    pub fn new(sandbox: &Sandbox) -> Self {
        let ticks = rustix::param::clock_ticks_per_second();
        let cpu = sandbox.cpu_seconds;
        ResourceWatch {
            memory: sandbox.memory_mb.saturating_mul(1 << 20),
            cpu_ticks: (cpu > 0).then(|| cpu.saturating_mul(ticks)),
            page: rustix::param::page_size() as u64,
        }
    }

    /// The limit that the processes exceed.
    pub fn breach(&self) -> Option<Breach> {
        let (mut ticks, mut pages, mut processes) = (0, 0, Vec::new());
        for entry in fs::read_dir("/proc").ok()?.flatten() {
            let path = entry.path();
            let is_process =
                entry.file_name().to_string_lossy().starts_with(|c| ('1'..='9').contains(&c));
            if is_process && let Some(use_of) = Use::of(&path) {
                ticks += use_of.ticks;
                pages += use_of.pages;
                processes.push((path, use_of.pages));
            }
        }
        if self.cpu_ticks.is_some_and(|most| ticks > most) {
            return Some(Breach::CpuTime);
        }
        // Processes may share pages; their exact share is slow to ask for.
        let exceeds = pages * self.page > self.memory
            && processes
                .iter()
                .map(|(path, pages)| {
                    // A process that hides its memory counts in full.
                    proportional(path).unwrap_or(pages * self.page)
                })
                .sum::<u64>()
                > self.memory;
        exceeds.then_some(Breach::Memory)
    }
}

/// What one process uses.
struct Use {
    /// Of the process and its children that have ended.
    ticks: u64,
    /// Pages in memory.
    pages: u64,
}

impl Use {
    fn of(process: &Path) -> Option<Use> {
        Use::parse(&fs::read_to_string(process.join("stat")).ok()?)
    }

    /// Reads a line of `/proc/PID/stat`. The name of the process may have any character.
    fn parse(stat: &str) -> Option<Use> {
        let (_, fields) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
        let ticks = number(14)? + number(15)? + number(16)? + number(17)?;
        Some(Use { ticks, pages: number(24)? })
    }
}

/// The memory of a process in bytes; pages that several processes share count in parts.
fn proportional(process: &Path) -> Option<u64> {
    let text = fs::read_to_string(process.join("smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kib: u64 = line?.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_use_of_a_process_is_read_whatever_its_name_is() {
        let stat = "7 (a) b) R 1 7 7 0 -1 4 5 6 7 8 100 20 3 4 20 0 1 0 99 5000000 321 18446 1 1";
        let read = Use::parse(stat).expect("a line");
        assert_eq!((read.ticks, read.pages), (127, 321));
        assert!(Use::parse("7 (a").is_none());
    }
}
