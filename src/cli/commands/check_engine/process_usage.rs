//! Processor time and memory of a process group, as the system reports them.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

/// Processor time and memory of all processes of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProcessUsage {
    /// Time on all cores, in ticks of the system (10 ms).
    ticks: u64,
    /// Peak resident memory in kilobytes, summed over the processes.
    pub peak_kb: u64,
}

/// The tick that Linux shows to programs, whatever its internal clock.
const TICK: Duration = Duration::from_millis(10);

impl ProcessUsage {
    /// The values of the group with that number and of the processes that it has started outside the
    /// group; `None` if the system does not report them.
    pub fn by_group(group: u32) -> Option<ProcessUsage> {
        let mut usage: Option<ProcessUsage> = None;
        let mut others = Vec::new();
        for entry in fs::read_dir("/proc").ok()?.flatten() {
            let path = entry.path();
            let Ok(stat) = fs::read_to_string(path.join("stat")) else { continue };
            others.extend(StatLine::parse(&stat).map(|line| (line, path)));
        }
        let mut members = BTreeSet::from([group]);
        let is_member = |line: &StatLine, members: &BTreeSet<u32>| {
            line.group == group || members.contains(&line.parent)
        };
        while let Some(at) = others.iter().position(|(line, _)| is_member(line, &members)) {
            let (line, path) = others.swap_remove(at);
            members.insert(line.pid);
            let status = fs::read_to_string(path.join("status")).unwrap_or_default();
            let sum = usage.get_or_insert_default();
            sum.ticks += line.ticks;
            sum.peak_kb += peak(&status).unwrap_or(0);
        }
        usage
    }

    /// Processor time since an earlier measurement.
    pub fn time_since(self, earlier: ProcessUsage) -> Duration {
        TICK * u32::try_from(self.ticks.saturating_sub(earlier.ticks)).unwrap_or(u32::MAX)
    }
}

/// A line of `/proc/N/stat`.
#[derive(Debug, PartialEq, Eq)]
struct StatLine {
    pid: u32,
    parent: u32,
    group: u32,
    ticks: u64,
}

impl StatLine {
    /// The name in parentheses may contain any characters.
    fn parse(stat: &str) -> Option<StatLine> {
        let (begin, rest) = stat.rsplit_once(')')?;
        let pid = begin.split_once(' ')?.0.parse().ok()?;
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |at: usize| words.get(at)?.parse().ok();
        let ticks = |at: usize| words.get(at)?.parse::<u64>().ok();
        Some(StatLine {
            pid,
            parent: number(1)?,
            group: number(2)?,
            ticks: ticks(11)? + ticks(12)?,
        })
    }
}

/// The line `VmHWM` of `/proc/N/status`.
fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_ascii_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_system_are_read() {
        let stat = "12 (a ) (b) S 1 13 12 0 -1 4194304 100 0 0 0 7 5 0 0 20 0 1 0 99 1000 20";
        let line = StatLine { pid: 12, parent: 1, group: 13, ticks: 12 };
        assert_eq!(StatLine::parse(stat), Some(line));
        assert_eq!(peak("Name:\tx\nVmHWM:\t  1234 kB\n"), Some(1234));
        assert_eq!((StatLine::parse("x"), peak("")), (None, None));
    }
}
