//! Checks whether the system grants the file descriptors and processes that a run needs.

use crate::arena::schedule::game_schedule::Schedule;
use crate::config::Experiment;
use crate::engine::{DESCRIPTORS_EACH, DESCRIPTORS_TO_START, MAX_CONCURRENT_STARTS};

/// Descriptors for the files of a run and of the system libraries.
const RESERVED_DESCRIPTORS: u64 = 32;
/// Threads of a run that play no games.
const OTHER_THREADS: u64 = 2;

/// The number of file descriptors or processes that a run needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// Engines of one thread.
    pub engines: u64,
    pub workers: u64,
    /// The part that does not depend on the number of threads.
    own: u64,
    /// The number for each thread, including its engines.
    each: u64,
}

impl Need {
    /// The file descriptors that the agents need for this schedule, including those that are open
    /// now.
    pub fn descriptors(experiment: &Experiment, schedule: &Schedule, jobs: usize) -> Self {
        let open = std::fs::read_dir("/dev/fd").map_or(3, |all| all.count() as u64);
        let own = open + RESERVED_DESCRIPTORS + MAX_CONCURRENT_STARTS as u64 * DESCRIPTORS_TO_START;
        let need = Need::processes(experiment, schedule, jobs);
        Need { own, each: need.engines * DESCRIPTORS_EACH, ..need }
    }

    /// The minimum number of processes and threads that start; an engine may have more than one.
    pub fn processes(experiment: &Experiment, schedule: &Schedule, jobs: usize) -> Self {
        let instances = schedule.instances(experiment.agents.len());
        let agents = experiment.agents.iter().zip(instances);
        let engines = agents.map(|(agent, count)| agent.needs.engines * count).sum();
        Need { engines, workers: schedule.workers(jobs), own: OTHER_THREADS, each: 1 + engines }
    }

    pub fn total(&self) -> u64 {
        self.own + self.workers * self.each
    }

    pub fn fitting_jobs(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.own) / self.each.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_jobs_fit_as_the_limit_has_room_for() {
        let of = |workers| Need { engines: 8, workers, own: 60, each: 32 };
        assert_eq!(of(64).total(), 60 + 64 * 8 * 4);
        let fit = of(64).fitting_jobs(1024);
        assert_eq!(fit, 30);
        assert!(of(fit).total() <= 1024 && of(fit + 1).total() > 1024);
        assert_eq!(of(1).fitting_jobs(50), 0);
        assert_eq!(Need { engines: 0, workers: 8, own: 60, each: 0 }.total(), 60);
    }
}
