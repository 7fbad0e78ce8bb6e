//! Checks before a run starts. A run is refused for a folder with another owner or config, for too
//! little memory, or for too few file descriptors or processes. It is also refused if games could
//! only repeat each other, or if agents cannot play.

use std::sync::Arc;

use super::Job;
use super::sharding::Sharding;
use crate::arena::{Demand, Extended, Need, Schedule, available_memory, game_columns, probe};
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{note, warn_without_sandbox};
use crate::cli::signals::StopSignal;
use crate::cli::slurm_variables;
use crate::config::{Experiment, LoadedConfig, StartFailure};
use crate::engine::{free_processes, raise_descriptor_limit};
use crate::play::{Lineup, Registry};
use crate::report::{counted, grouped};

impl Job<'_> {
    /// Refuses a run that cannot be played here.
    pub(super) fn check_before_run(&self, registry: &Registry) -> Result<(), Failure> {
        self.folder.check_ours()?;
        check_attributes(self.experiment)?;
        // A task that chooses its run of a sweep plays only this run.
        let sets = &self.args.changes.keys.set;
        let chooses_run = sets.iter().any(|set| set.trim_start().starts_with("sweep."));
        if self.sharding.is_none()
            && !chooses_run
            && let Some(hint) = slurm_variables::hint(&|name: &str| std::env::var(name).ok())
        {
            self.say(&format!("warning: {hint}"));
        }
        if self.new {
            refuse_memory(self.loaded, &self.schedule, self.jobs)?;
            if !self.args.quiet && !self.args.dry_run {
                announce_memory(self.experiment, &self.schedule, self.jobs);
            }
            self.check_limits()?;
            self.check_agents()?;
        }
        let extended = match &self.sharding {
            _ if self.args.fresh => None,
            None => self.folder.check_or_extend(self.experiment, registry)?,
            Some(_) => {
                self.folder.check(self.experiment, registry)?;
                None
            }
        };
        if !self.args.fresh {
            self.check_programs()?;
        }
        if let Some(Extended { games, added }) = &extended {
            let without = match &added[..] {
                [] => String::new(),
                [name] => format!(" without `{name}`"),
                names => format!(" without {} new agents", names.len()),
            };
            self.say(&format!(
                "{} has {} of each pairing{without}; they stay, and only the rest is played",
                self.folder.path().display(),
                counted(*games, "game")
            ));
        }
        // The first round has the first games of all pairings that can repeat theirs.
        let is_later = |sharding: &Sharding| sharding.wave.is_some_and(|wave| wave.wave > 1);
        let is_later = self.sharding.as_ref().is_some_and(is_later);
        let is_new = (self.new && !is_later) || extended.is_some();
        if is_new && !self.experiment.schedule.allow_duplicates {
            let Job { loaded, lineup, schedule, jobs, stop, .. } = self;
            refuse_repetition(loaded, lineup, schedule, *jobs, stop)?;
        }
        Ok(())
    }

    /// Refuses a folder with games of other external programs.
    fn check_programs(&self) -> Result<(), Failure> {
        let mut changed = self.folder.check_programs(&self.programs)?;
        if let Some(Sharding { results, wave: Some(_), .. }) = &self.sharding {
            changed = results.check_programs(&self.programs)?;
        }
        for interpreter in changed {
            self.say(&format!(
                "warning: {interpreter} has changed since the first games here; the scripts that \
                 it runs have not"
            ));
        }
        Ok(())
    }

    /// The same checks for a resumed run, once it is known that games remain.
    pub(super) fn check_before_resume(&self) -> Result<(), Failure> {
        if self.new {
            return Ok(());
        }
        refuse_memory(self.loaded, &self.schedule, self.jobs)?;
        self.check_limits()?;
        self.check_agents()
    }

    /// Refuses a run whose engines and threads need more file descriptors or processes than the
    /// system allows.
    fn check_limits(&self) -> Result<(), Failure> {
        let need = Need::descriptors(self.experiment, &self.schedule, self.jobs);
        if let Some(limit) = raise_descriptor_limit().filter(|&limit| need.total() > limit) {
            let taken = format!(
                "{} file descriptors, and the limit is {}",
                grouped(need.total()),
                grouped(limit)
            );
            return Err(refused(need, limit, &taken, "ulimit -Hn"));
        }
        let need = Need::processes(self.experiment, &self.schedule, self.jobs);
        if let Some(free) = free_processes().filter(|&free| need.total() > free) {
            let taken = format!(
                "at least {} processes and threads, and this user may start {} more",
                grouped(need.total()),
                grouped(free)
            );
            return Err(refused(need, free, &taken, "ulimit -u"));
        }
        Ok(())
    }

    /// Checks that the agents can play.
    fn check_agents(&self) -> Result<(), Failure> {
        // Pinned engines must start on their own core, so they are started again later.
        let keep = !self.args.pin && !self.args.dry_run;
        if !self.args.quiet {
            warn_without_sandbox(self.experiment);
        }
        let failed = self.lineup.check(keep);
        if failed.is_empty() {
            return Ok(());
        }
        let error = self.loaded.start_error(&failed);
        let shortage = failed.iter().any(|(_, error)| error.key.is_none());
        let unprotected = failed.iter().any(|(_, error)| error.key.as_deref() == Some("sandbox"));
        if shortage
            || unprotected
            || self.experiment.schedule.on_start_failure == StartFailure::Stop
        {
            return Err(error.into());
        }
        for (index, error) in &failed {
            let name = &self.experiment.agents[*index].name;
            let said = &error.message;
            note(format!("warning: `{name}` does not start and forfeits its games: {said}"));
        }
        Ok(())
    }
}

/// Refuses attributes of games by a referee whose names are taken.
fn check_attributes(experiment: &Experiment) -> Result<(), Failure> {
    let attributes = experiment.any_game.attributes();
    match attributes.iter().find(|name| game_columns().any(|(column, _)| column == **name)) {
        None => Ok(()),
        Some(name) => Err(Failure::usage(
            format!("`game.attributes`: `{name}` is a column of games.csv already"),
            "the referee must print this attribute with another name",
        )),
    }
}

/// The error of a run that needs too much, with the number of threads that fits.
fn refused(need: Need, limit: u64, taken: &str, raise: &str) -> Failure {
    let lower = match need.fitting_jobs(limit) {
        0 => String::new(),
        jobs => format!("use at most {} (`-j {jobs}`), or ", counted(jobs, "thread")),
    };
    let who = match need.engines {
        0 => counted(need.workers, "thread"),
        engines => {
            format!("{} in each of {}", counted(engines, "engine"), counted(need.workers, "thread"))
        }
    };
    Failure::usage(format!("{who} need {taken}"), format!("{lower}raise the limit (`{raise}`)"))
}

/// Refuses a run that needs more memory than the machine has, if that is known.
fn refuse_memory(loaded: &LoadedConfig, schedule: &Schedule, jobs: usize) -> Result<(), Failure> {
    let demand = Demand::of(&loaded.experiment, schedule, jobs);
    match available_memory() {
        Some(available) if demand.total > available => {
            let Demand { total, largest, each, workers } = demand;
            let mb = |bytes: u64| bytes >> 20;
            let (most, fitting) = ((largest, mb(each)), demand.fitting_jobs(available));
            Err(loaded.memory_error(mb(total), mb(available), most, workers, fitting).into())
        }
        _ => Ok(()),
    }
}

/// Refuses a schedule in which games must repeat others.
fn refuse_repetition(
    loaded: &LoadedConfig,
    lineup: &Arc<Lineup>,
    schedule: &Schedule,
    jobs: usize,
    stop: &StopSignal,
) -> Result<(), Failure> {
    let found = probe(lineup, schedule, jobs, stop.flag());
    if found.is_empty() {
        return Ok(());
    }
    let name = |agent: usize| loaded.experiment.agents[agent].name.as_str();
    let pairings: Vec<(String, u64)> = (found.iter())
        .map(|repeats| {
            let pairing = schedule.pairings()[repeats.pairing];
            let against = if pairing.is_self() { "itself" } else { name(pairing.b) };
            (format!("`{}` against `{against}`", name(pairing.a)), repeats.distinct)
        })
        .collect();
    Err(loaded.repetition_error(&pairings, schedule.games_of(found[0].pairing)).into())
}

/// From this many bytes on, the system takes seconds to allocate them.
const MUCH: u64 = 2 << 30;

/// Explains the delay before the first game, if agents need much memory.
fn announce_memory(experiment: &Experiment, schedule: &Schedule, jobs: usize) {
    let demand = Demand::of(experiment, schedule, jobs);
    if demand.total >= MUCH {
        let gigabytes = demand.total as f64 / f64::from(1 << 30);
        note(format!("allocating {gigabytes:.1} GiB for tables and trees before the first game"));
    }
}
