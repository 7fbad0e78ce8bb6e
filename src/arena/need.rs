//! Whether the system grants the file descriptors and the processes that a run takes.

use super::schedule::Schedule;
use crate::agents::Requirements;
use crate::engine::{AT_A_TIME, DESCRIPTORS_EACH, DESCRIPTORS_TO_START};

/// Descriptors for the files of a run and for those of the system's libraries.
const RESERVED_DESCRIPTORS: u64 = 32;
/// Threads of a run that play no games.
const OTHER_THREADS: u64 = 2;

/// How many file descriptors or processes a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// Engines of one thread.
    pub engines: u64,
    /// Threads: no more than have something to play.
    pub workers: u64,
    /// What is taken whatever the number of threads is.
    own: u64,
    /// What each thread takes, its engines included.
    each: u64,
}

impl Need {
    /// The file descriptors, those that are open now included, that these agents take
    /// when that schedule is played.
    pub fn descriptors<'a>(
        agents: impl IntoIterator<Item = &'a Requirements>,
        schedule: &Schedule,
        jobs: usize,
    ) -> Self {
        let open = std::fs::read_dir("/dev/fd").map_or(3, |all| all.count() as u64);
        let own = open + RESERVED_DESCRIPTORS + AT_A_TIME as u64 * DESCRIPTORS_TO_START;
        let need = Need::processes(agents, schedule, jobs);
        Need { own, each: need.engines * DESCRIPTORS_EACH, ..need }
    }

    /// The processes and threads that start, at the least: an engine may have more than one.
    pub fn processes<'a>(
        agents: impl IntoIterator<Item = &'a Requirements>,
        schedule: &Schedule,
        jobs: usize,
    ) -> Self {
        let engines: Vec<u64> = agents.into_iter().map(|needs| needs.engines).collect();
        let instances = schedule.instances(engines.len());
        let engines = engines.iter().zip(instances).map(|(each, count)| each * count).sum();
        Need { engines, workers: schedule.workers(jobs), own: OTHER_THREADS, each: 1 + engines }
    }

    /// How many in all.
    pub fn total(&self) -> u64 {
        self.own + self.workers * self.each
    }

    /// The most threads that fit this limit.
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
