//! What all engines of a run share.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::lateness::Delay;

/// What all engines of a run share: where failures are logged, whether the run is to stop,
/// which game is played, and how many engines start at a time.
#[derive(Debug, Default)]
pub struct House {
    /// The registered kind of the game, such as `connect4`.
    pub game: String,
    /// The game's parameters as `key=value,key=value`; empty where it takes none.
    pub params: String,
    /// The agents' names in the order of the run.
    pub names: Vec<String>,
    /// Where failures are logged; nowhere if not given.
    pub logs: Option<PathBuf>,
    /// The most failures that are logged.
    pub max_logs: u64,
    /// Set from outside to stop: no engine is waited for any longer.
    pub stop: Option<Arc<AtomicBool>>,
    /// The worst delay of agon itself, where any was worth a warning.
    delay: Mutex<Option<Delay>>,
    /// Failures that were to be logged.
    logged: AtomicU64,
    /// Whether an engine that does not start before the first game forfeits its games.
    pub forfeit_start_failures: bool,
    /// Why agents forfeit their games, by name.
    forfeits: Mutex<BTreeMap<String, String>>,
    starting: Mutex<usize>,
    started: Condvar,
}

/// Engines that start at a time: each may read a large file and fill a large table.
pub const AT_A_TIME: usize = 4;

impl House {
    /// Whether the run is to stop.
    pub fn is_stopping(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Writes the log of a failure into a file of that name, where the run has a place for logs
    /// and room for one more.
    pub fn log(&self, name: &str, report: impl ToString) {
        let Some(folder) = &self.logs else { return };
        let path = folder.join(name);
        // A game that is played again writes its log again.
        if path.exists() || self.logged.fetch_add(1, Ordering::Relaxed) < self.max_logs {
            // A log that cannot be written must not cost more than itself.
            let _ = std::fs::write(path, report.to_string());
        }
    }

    /// Counts these logs of an earlier run as written.
    pub fn add_logs(&self, earlier: u64) {
        self.logged.fetch_add(earlier, Ordering::Relaxed);
    }

    /// Notes how late agon was woken.
    pub fn note_delay(&self, delay: Delay) {
        let mut worst = self.delay.lock().unwrap_or_else(PoisonError::into_inner);
        if worst.as_ref().is_none_or(|worst| delay.exceeds(worst)) {
            *worst = Some(delay);
        }
    }

    /// The worst delay that was noted.
    pub fn worst_delay(&self) -> Option<Delay> {
        self.delay.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The agent of that name forfeits all its games.
    pub(crate) fn forfeit(&self, name: &str, why: &str) {
        let mut forfeits = self.forfeits.lock().unwrap_or_else(PoisonError::into_inner);
        forfeits.insert(name.to_owned(), why.to_owned());
    }

    /// Why the agent of that name forfeits its games, if it does.
    pub fn why_forfeit(&self, name: &str) -> Option<String> {
        self.forfeits.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Waits for its turn to start an engine, which ends when the value is dropped. Whoever
    /// holds it ends within the time that an engine has to start.
    pub(crate) fn turn(self: &Arc<Self>) -> InTurn {
        let mut starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        while *starting == AT_A_TIME {
            starting = self.started.wait(starting).unwrap_or_else(PoisonError::into_inner);
        }
        *starting += 1;
        InTurn(Arc::clone(self))
    }

    /// The turn to start an engine, if it need not be waited for: who has one already must not
    /// wait for another.
    pub(crate) fn turn_at_once(self: &Arc<Self>) -> Option<InTurn> {
        let mut starting = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if *starting == AT_A_TIME {
            return None;
        }
        *starting += 1;
        Some(InTurn(Arc::clone(self)))
    }
}

/// An engine is starting as long as this lives.
pub(crate) struct InTurn(Arc<House>);

impl Drop for InTurn {
    fn drop(&mut self) {
        *self.0.starting.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.started.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_few_start_at_a_time() {
        let house = Arc::new(House::default());
        let (now, most) = (Mutex::new(0), Mutex::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 * AT_A_TIME {
                scope.spawn(|| {
                    let _turn = house.turn();
                    let here = {
                        let mut now = now.lock().expect("no panic");
                        *now += 1;
                        *now
                    };
                    let mut most = most.lock().expect("no panic");
                    *most = here.max(*most);
                    drop(most);
                    std::thread::sleep(std::time::Duration::from_millis(2));
                    *now.lock().expect("no panic") -= 1;
                });
            }
        });
        let most = *most.lock().expect("no panic");
        assert!((1..=AT_A_TIME).contains(&most), "{most}");
        let mut turns: Vec<InTurn> = (0..AT_A_TIME).map(|_| house.turn()).collect();
        assert!(house.turn_at_once().is_none());
        turns.pop();
        assert!(house.turn_at_once().is_some() && house.turn_at_once().is_some());
    }
}
