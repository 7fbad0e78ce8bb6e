//! The context that all engines of a run share: fault logs, start permits, delays, the game.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::cost_faults::{CostFault, CostFaults};
use super::final_score::FinalScores;
use super::harness_delay::Delay;
use super::transcript::KeptTranscripts;
use crate::games::EngineFacts;
use crate::util::locks::lock;
use crate::util::unix;
use std::collections::{BTreeMap, BTreeSet};

/// The context that all engines of a run share: the folder for failure logs, the game, and a limit
/// on simultaneous starts.
#[derive(Debug, Default)]
pub struct EngineContext {
    /// The registered kind of the game, such as `connect4`.
    pub game: String,
    /// The game's parameters as `key=value,key=value`; empty if the game has none.
    pub params: String,
    /// What engines must know of the game, by the protocols of other programs.
    pub facts: EngineFacts,
    /// The agents' names in the order of the run.
    pub agent_names: Vec<String>,
    /// The folder for failure logs; `None`: failures are not logged.
    pub logs: Option<PathBuf>,
    /// The largest number of failure logs, besides the first of each subject.
    pub max_logs: u64,
    /// The folder for transcripts of games; `None`: no transcript is written.
    pub transcripts: Option<PathBuf>,
    /// The games whose transcripts are written.
    pub kept_transcripts: KeptTranscripts,
    /// Why a transcript was not written.
    transcript_fault: Mutex<Option<String>>,
    /// The worst delay of agon itself, if any delay needed a warning.
    delay: Mutex<Option<Delay>>,
    /// Failures so far for which a log was requested.
    logged: AtomicU64,
    /// The subjects of these logs.
    logged_subjects: Mutex<BTreeSet<String>>,
    /// Whether an engine that fails to start before the first game forfeits its games.
    pub forfeit_start_failures: bool,
    /// By name: why an agent forfeits its games.
    forfeits: Mutex<BTreeMap<String, String>>,
    /// By agent: the name that its engine announced.
    names: Mutex<BTreeMap<String, String>>,
    /// By agent: finished games with a final score of the engine, and how many of them differ from
    /// the result, with the last such score.
    final_scores: Mutex<Vec<FinalScores>>,
    /// By agent: how often the provider of its engine was unavailable.
    unavailable: Mutex<BTreeMap<String, u64>>,
    /// Costs that do not count.
    cost_faults: Mutex<CostFaults>,
    /// The attributes in the results of a referee, by name.
    attributes: Mutex<BTreeSet<String>>,
    starting: Mutex<usize>,
    started: Condvar,
}

/// The largest number of engines that start at the same time. Each may read a large file and fill a
/// large table.
pub const MAX_CONCURRENT_STARTS: usize = 4;

impl EngineContext {
    /// Writes a failure log with this file name. Does nothing if the run has no folder for logs. If
    /// the limit is reached, writes only the first log of a subject, so that one bad engine does not
    /// use up the logs of all others.
    pub fn log(&self, name: &str, subject: &str, report: impl ToString) {
        let Some(path) = self.log_path(name) else { return };
        let is_first = self.is_first_of(subject);
        // A repeated game overwrites its log.
        if path.exists() || self.logged.fetch_add(1, Ordering::Relaxed) < self.max_logs || is_first
        {
            write_log(&path, &report.to_string());
        }
    }

    /// Writes a log with this file name, if it is the first of its subject.
    pub fn log_first(&self, name: &str, subject: &str, report: impl ToString) {
        let Some(path) = self.log_path(name) else { return };
        if self.is_first_of(subject) {
            write_log(&path, &report.to_string());
        }
    }

    /// The path of a log, if logs are written.
    fn log_path(&self, name: &str) -> Option<PathBuf> {
        Some(self.logs.as_ref().filter(|_| self.max_logs > 0)?.join(name))
    }

    /// Whether there was no log of this subject yet.
    fn is_first_of(&self, subject: &str) -> bool {
        lock(&self.logged_subjects).insert(subject.to_owned())
    }

    /// Counts logs of an earlier run as written.
    pub fn add_logs(&self, earlier: u64) {
        self.logged.fetch_add(earlier, Ordering::Relaxed);
    }

    /// Records how often an engine's final score was the result.
    pub fn record_final_scores(&self, scores: FinalScores) {
        scores.add_to(&mut lock(&self.final_scores));
    }

    /// What the engines said about the results of finished games, by agent.
    pub fn final_scores(&self) -> Vec<FinalScores> {
        lock(&self.final_scores).clone()
    }

    /// Records that the provider of an agent's engine was unavailable.
    pub(crate) fn record_unavailable(&self, agent: &str) {
        self.add_unavailable(BTreeMap::from([(agent.to_owned(), 1)]));
    }

    /// Adds to the numbers of [`EngineContext::unavailable`].
    pub fn add_unavailable(&self, times: BTreeMap<String, u64>) {
        let mut known = lock(&self.unavailable);
        times.into_iter().for_each(|(agent, times)| *known.entry(agent).or_default() += times);
    }

    /// How often the provider of each agent's engine was unavailable.
    pub fn unavailable(&self) -> BTreeMap<String, u64> {
        lock(&self.unavailable).clone()
    }

    /// Records a cost that does not count.
    pub(crate) fn record_cost_fault(&self, agent: &str, fault: CostFault, text: String) {
        lock(&self.cost_faults).record(agent, fault, text);
    }

    /// Records that a transcript was not written.
    pub(crate) fn record_transcript_fault(&self, why: String) {
        lock(&self.transcript_fault).get_or_insert(why);
    }

    /// A sentence on each kind of costs that do not count, and on a transcript that was not written.
    pub fn warnings(&self) -> Vec<String> {
        let mut all = lock(&self.cost_faults).sentences();
        all.extend(lock(&self.transcript_fault).clone());
        all
    }

    /// Records how late agon was woken.
    pub fn record_delay(&self, delay: Delay) {
        let mut worst = lock(&self.delay);
        if worst.as_ref().is_none_or(|worst| delay.exceeds(worst)) {
            *worst = Some(delay);
        }
    }

    /// The worst recorded delay.
    pub fn worst_delay(&self) -> Option<Delay> {
        lock(&self.delay).clone()
    }

    /// Records the name that the engine of an agent announced.
    pub(crate) fn record_name(&self, agent: &str, name: String) {
        let mut names = lock(&self.names);
        names.insert(agent.to_owned(), name);
    }

    /// The name that the engine of an agent announced, if it did.
    pub fn announced_name(&self, agent: &str) -> Option<String> {
        lock(&self.names).get(agent).cloned()
    }

    /// Records which attributes the result of a referee has.
    pub(crate) fn record_attributes<'a>(&self, names: impl Iterator<Item = &'a String>) {
        const MOST: usize = 1000;
        let mut known = lock(&self.attributes);
        for name in names {
            if known.len() < MOST && !known.contains(name) {
                known.insert(name.clone());
            }
        }
    }

    /// The attributes in the results of a referee so far.
    pub fn attributes(&self) -> Vec<String> {
        lock(&self.attributes).iter().cloned().collect()
    }

    /// Makes the agent forfeit all its games.
    pub(crate) fn forfeit(&self, name: &str, why: &str) {
        let mut forfeits = lock(&self.forfeits);
        forfeits.insert(name.to_owned(), why.to_owned());
    }

    /// Why this agent forfeits its games, if it does.
    pub fn why_forfeit(&self, name: &str) -> Option<String> {
        lock(&self.forfeits).get(name).cloned()
    }

    /// Waits for a permit to start an engine; dropping the permit releases it. A holder releases
    /// its permit within the startup time of its engine.
    pub(crate) fn start_permit(self: &Arc<Self>) -> StartPermit {
        let mut starting = lock(&self.starting);
        while *starting == MAX_CONCURRENT_STARTS {
            starting = self.started.wait(starting).unwrap_or_else(PoisonError::into_inner);
        }
        *starting += 1;
        StartPermit(Arc::clone(self))
    }

    /// A permit to start an engine, if one is free. A thread that already holds a permit must not
    /// wait for another.
    pub(crate) fn try_start_permit(self: &Arc<Self>) -> Option<StartPermit> {
        let mut starting = lock(&self.starting);
        if *starting == MAX_CONCURRENT_STARTS {
            return None;
        }
        *starting += 1;
        Some(StartPermit(Arc::clone(self)))
    }
}

/// A failure to write a log has no other effect.
fn write_log(path: &Path, text: &str) {
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(true);
    let _ =
        unix::open_plain_file(options, path).and_then(|mut file| file.write_all(text.as_bytes()));
}

/// A permit to start an engine; released on drop.
pub(crate) struct StartPermit(Arc<EngineContext>);

impl Drop for StartPermit {
    fn drop(&mut self) {
        *lock(&self.0.starting) -= 1;
        self.0.started.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_few_start_at_a_time() {
        let engine_context = Arc::new(EngineContext::default());
        let (now, most) = (Mutex::new(0), Mutex::new(0));
        std::thread::scope(|scope| {
            for _ in 0..3 * MAX_CONCURRENT_STARTS {
                scope.spawn(|| {
                    let _permit = engine_context.start_permit();
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
        assert!((1..=MAX_CONCURRENT_STARTS).contains(&most), "{most}");
        let mut permits: Vec<StartPermit> =
            (0..MAX_CONCURRENT_STARTS).map(|_| engine_context.start_permit()).collect();
        assert!(engine_context.try_start_permit().is_none());
        permits.pop();
        assert!(
            engine_context.try_start_permit().is_some()
                && engine_context.try_start_permit().is_some()
        );
    }
}
