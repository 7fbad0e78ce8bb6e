//! Checks whether the machine has enough memory for the tables and trees of all workers, before the
//! first game. Some systems promise memory that they do not have, and a run would fail in the middle.

use std::fs::read_to_string;

use crate::arena::schedule::game_schedule::Schedule;
use crate::config::Experiment;

#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// All agents of all workers.
    pub total: u64,
    /// The index of the agent that needs the most memory.
    pub largest: usize,
    /// The memory of all instances of this agent in one worker.
    pub each: u64,
    /// Number of workers; each one has something to play.
    pub workers: u64,
}

impl Demand {
    /// The memory that the agents need for this schedule.
    pub fn of(experiment: &Experiment, schedule: &Schedule, jobs: usize) -> Demand {
        let workers = schedule.workers(jobs);
        let mut demand = Demand { total: 0, largest: 0, each: 0, workers };
        let instances = schedule.instances(experiment.agents.len());
        for (index, agent) in experiment.agents.iter().enumerate() {
            let each = agent.needs.memory.saturating_mul(instances[index]);
            let playing = agent.parallel.map_or(workers, |games| games.min(workers));
            demand.total = demand.total.saturating_add(each.saturating_mul(playing));
            if each > demand.each {
                (demand.largest, demand.each) = (index, each);
            }
        }
        demand
    }

    pub fn fitting_jobs(&self, available: u64) -> u64 {
        available / (self.total / self.workers).max(1)
    }

    /// The memory for tables and trees as text; `None` if no agent needs any.
    pub fn words(&self) -> Option<String> {
        let threads = match self.workers {
            1 => "one thread".to_owned(),
            workers => format!("each of {workers} threads"),
        };
        (self.total > 0).then(|| {
            let (each, all) = ((self.total / self.workers) >> 20, self.total >> 20);
            format!("memory for tables and trees: at most {each} MB in {threads}, {all} MB in all")
        })
    }
}

/// The bytes that this process may still use; `None` if unknown, as on systems other than Linux.
/// This is the minimum of the free memory (`MemAvailable`), the limit of the process (`ulimit -v`),
/// and the limit of its control group (a container).
pub fn available_memory() -> Option<u64> {
    let text = |path: &str| read_to_string(path).unwrap_or_default();
    let taken = kilobytes(&text("/proc/self/status"), "VmSize:").unwrap_or(0);
    let limit = address_space(&text("/proc/self/limits"));
    let group = text("/sys/fs/cgroup/memory.max").trim().parse().ok();
    let limit = limit.map(|limit| limit.saturating_sub(taken));
    let limits = [kilobytes(&text("/proc/meminfo"), "MemAvailable:"), limit, group];
    limits.iter().filter_map(|limit| *limit).min()
}

/// The bytes in a line of `/proc` such as `VmSize: 12 kB`.
pub(crate) fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

fn address_space(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Overrides, parse};
    use crate::play::Registry;

    fn demand(schedule: &str, jobs: usize) -> Demand {
        let text = format!(
            "name = \"t\"\n[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"mcts\"\n\
             simulations = 1\ntree_mb = 100\n[[agents]]\nkind = \"expectimax\"\ndepth = 1\n\
             table_mb = 10\n[[agents]]\nkind = \"random\"\n[schedule]\n{schedule}\n"
        );
        let registry = Registry::builtin();
        let experiment = parse(&text, "t.toml", &Overrides::default(), &registry)
            .unwrap_or_else(|e| panic!("{}", e.render(false)));
        let schedule = Schedule::new(&experiment, 1);
        Demand::of(&experiment, &schedule, jobs)
    }

    #[test]
    fn every_worker_counts_and_so_does_who_plays_itself() {
        let mb = |demand: Demand| (demand.total >> 20, demand.each >> 20, demand.workers);
        assert_eq!(mb(demand("games = 20", 1)), (110, 100, 1));
        assert_eq!(mb(demand("games = 20", 4)), (440, 100, 4));
        assert_eq!(mb(demand("games = 20\ninclude_self = true", 2)), (440, 200, 2));
        assert_eq!(
            demand("games = 20", 4).words().as_deref(),
            Some("memory for tables and trees: at most 110 MB in each of 4 threads, 440 MB in all")
        );
        let four = demand("games = 20", 4);
        assert_eq!([330, 329, 109].map(|mb| four.fitting_jobs(mb << 20)), [3, 2, 0]);
        // Two games of each of three pairings are three units.
        assert_eq!(mb(demand("games = 2", 64)), (330, 100, 3));
    }

    #[test]
    fn what_the_system_says_is_read() {
        let meminfo = "MemTotal:  100 kB\nMemAvailable:    64 kB\n";
        assert_eq!(kilobytes(meminfo, "MemAvailable:"), Some(65_536));
        assert_eq!(kilobytes("", "MemAvailable:"), None);
        let limits = |limit| format!("Limit  Soft\nMax address space         {limit}  bytes\n");
        assert_eq!(address_space(&limits("4096  8192")), Some(4096));
        assert_eq!(address_space(&limits("unlimited  unlimited")), None);
    }
}
