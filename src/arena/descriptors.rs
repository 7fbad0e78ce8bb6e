//! Whether the system grants the file descriptors that the engines of a run take.

use super::schedule::Schedule;
use crate::agents::Requirements;
use crate::engine::{AT_A_TIME, DESCRIPTORS_EACH, DESCRIPTORS_TO_START};

/// Descriptors for the files of a run and for those of the system's libraries.
const RESERVE: u64 = 32;

/// The file descriptors that a run takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptors {
    /// Engines of one thread.
    pub engines: u64,
    /// Threads: no more than have something to play.
    pub workers: u64,
    /// Descriptors that are taken whatever the number of threads is.
    own: u64,
}

impl Descriptors {
    /// What these agents take when that schedule is played.
    pub fn of<'a>(
        agents: impl IntoIterator<Item = &'a Requirements>,
        schedule: &Schedule,
        jobs: usize,
    ) -> Self {
        let engines: Vec<u64> = agents.into_iter().map(|needs| needs.engines).collect();
        let instances = schedule.instances(engines.len());
        let engines = engines.iter().zip(instances).map(|(each, count)| each * count).sum();
        let open = std::fs::read_dir("/dev/fd").map_or(3, |all| all.count() as u64);
        Descriptors {
            engines,
            workers: schedule.workers(jobs),
            own: open + RESERVE + AT_A_TIME as u64 * DESCRIPTORS_TO_START,
        }
    }

    /// Descriptors in all.
    pub fn total(&self) -> u64 {
        self.own + self.workers * self.engines * DESCRIPTORS_EACH
    }

    /// The most threads that fit this limit.
    pub fn fitting_jobs(&self, limit: u64) -> u64 {
        limit.saturating_sub(self.own) / (self.engines * DESCRIPTORS_EACH).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_jobs_fit_as_the_limit_has_room_for() {
        let of = |workers| Descriptors { engines: 8, workers, own: 60 };
        assert_eq!(of(64).total(), 60 + 64 * 8 * 4);
        let fit = of(64).fitting_jobs(1024);
        assert_eq!(fit, 30);
        assert!(of(fit).total() <= 1024 && of(fit + 1).total() > 1024);
        assert_eq!(of(1).fitting_jobs(50), 0);
        assert_eq!(Descriptors { engines: 0, workers: 8, own: 60 }.total(), 60);
    }
}
