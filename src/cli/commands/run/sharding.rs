//! `--shard`: the part of the experiment that this process plays, and the state of the other parts.

use crate::arena::{
    Folder, FolderLock, MergeParts, Programs, Schedule, Shard, ShardFolder, Shards, Tally, Wave,
};
use crate::cli::argument_types::ShardArg;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::slurm_variables;
use crate::config::Experiment;
use crate::play::Registry;
use crate::report::counted;
use crate::stats::sprt::SprtVerdict;

/// A shard of an experiment, in the folder of all shards.
pub struct Sharding {
    pub shard: Shard,
    pub parent: Shards,
    /// The results folder, into which the shards are merged.
    pub results: Folder,
    /// The round that the shards divide, for formats in rounds.
    pub wave: Option<Wave>,
    /// Why there is nothing to play in the wave.
    idle: Option<String>,
    /// The source of the shard's number, for messages.
    source: String,
}

impl Sharding {
    /// Reads the shard from the command line or from Slurm; `None`: the whole run.
    pub fn of(args: &RunArgs, results: &Folder, in_rounds: bool) -> Result<Option<Self>, Failure> {
        let env = |name: &str| std::env::var(name).ok();
        let wave = match in_rounds && args.shard.is_some() {
            true => Some(Wave::of(results).ok_or_else(|| no_wave(results))?),
            false => None,
        };
        let (shard, source) = match (args.shard, args.shards) {
            (None, _) => return Ok(None),
            (Some(ShardArg::Of(_)), Some(_)) => {
                let message = "`--shards` needs `--shard auto`";
                return Err(Failure::usage(message, "leave `--shards` out"));
            }
            (Some(ShardArg::Of(shard)), None) => (shard, "--shard".to_owned()),
            (Some(ShardArg::Auto), shards) => {
                let shards = shards.or(wave.map(|wave| wave.asked));
                slurm_variables::shard(&env, shards).map_err(|why| Failure::usage(why, ""))?
            }
        };
        let mut sharding = Sharding {
            shard,
            parent: Shards(results.clone()),
            results: results.clone(),
            wave,
            idle: None,
            source,
        };
        if let Some(wave) = wave {
            sharding.parent = Shards(wave.folder(results));
            // A small wave has fewer shards than the array of its tasks.
            if shard.count == wave.asked {
                match Shard::new(shard.index, wave.shards) {
                    Some(shard) => sharding.shard = shard,
                    None => {
                        let shards = counted(wave.shards, "shard");
                        sharding.idle = Some(format!("wave {} has only {shards}", wave.wave));
                    }
                }
            }
        }
        if wave.is_some() {
            sharding.parent.0.check_no_link()?;
        }
        sharding.parent.part(sharding.shard).check_no_link()?;
        Ok(Some(sharding))
    }

    /// Compares the shard with its wave and with the games of earlier rounds in the results folder.
    pub fn begin_wave(
        &mut self,
        results: &Folder,
        schedule: &Schedule,
        tally: &Tally,
    ) -> Result<(), Failure> {
        let Some(wave) = self.wave else { return Ok(()) };
        if wave.is_merged(results, schedule, tally)? {
            self.idle = Some(format!("wave {} is merged already", wave.wave));
        }
        if self.idle.is_none() && self.shard.count != wave.shards {
            return Err(Failure::usage(
                format!(
                    "wave {} has {}, but this is {} ({})",
                    wave.wave,
                    counted(wave.shards, "shard"),
                    self.shard,
                    self.source
                ),
                format!("`agon next {}` prints the shards", results.path().display()),
            ));
        }
        Ok(())
    }

    /// For people: the number of the shard, its source, and its games.
    pub fn describe(&self, schedule: &Schedule) -> String {
        if self.idle.is_some() {
            return format!("{} ({})", self.shard, self.source);
        }
        let wave = self.wave.map_or(String::new(), |wave| format!("wave {}, ", wave.wave));
        let units = self.shard.units(schedule);
        let (first, last) = (schedule.games_before(units.start), schedule.games_before(units.end));
        let games = match last - first {
            0 => "no games".to_owned(),
            _ => format!("games {} to {last} of {}", first + 1, schedule.games()),
        };
        format!("{wave}{} ({}): {games}", self.shard, self.source)
    }

    /// Whether this shard needs no work, with the reason. The other shards in the folder must
    /// belong to the same experiment and have the same count.
    pub fn reason_to_skip(
        &self,
        experiment: &Experiment,
        programs: &Programs,
        fresh: bool,
        registry: &Registry,
    ) -> Result<Option<String>, Failure> {
        if let Some(idle) = &self.idle {
            return Ok(Some(format!("{idle}; nothing is played")));
        }
        let done = self.parent.whole(self.shard);
        if fresh && ShardFolder::of(&done).is_some() {
            let disk = |error| anyhow::anyhow!("cannot remove {}: {error}", done.path().display());
            std::fs::remove_dir_all(done.path()).map_err(disk).map_err(Failure::Other)?;
        }
        let there = self.parent.list()?;
        let mut counts: Vec<u64> = there.iter().map(|place| place.shard.count).collect();
        counts.retain(|&count| count != self.shard.count);
        if let Some(count) = counts.first() {
            return Err(Failure::usage(
                format!(
                    "{} has shards of {count}, but this is {} ({})",
                    self.parent.0.path().display(),
                    self.shard,
                    self.source
                ),
                format!(
                    "`--shards {count}` if part of an array was submitted again; else remove \
                 the others, or `--out DIR` writes elsewhere"
                ),
            ));
        }
        let same = there.iter().find(|place| place.shard == self.shard && place.complete);
        if let Some(place) = same.or(there.first()) {
            place.folder.check(experiment, registry)?;
            place.folder.check_programs(programs)?;
        }
        if let Some(place) = same {
            ShardFolder::whole(&place.folder)?;
            // A kill at the end leaves the lock of the shard.
            drop(FolderLock::left_behind(place.folder.path()));
            return Ok(Some(format!("{} is complete already; nothing is played", self.shard)));
        }
        match self.parent.stopped() {
            // The shards that are there were checked, even if another version computed the hash.
            Some((hash, _)) if there.is_empty() && hash != experiment.hash() => {
                Err(Failure::usage(
                    format!(
                        "{} is the verdict of another experiment",
                        self.parent.stop_file().display()
                    ),
                    "remove it, or `--out DIR` \
                 writes elsewhere",
                ))
            }
            Some((_, words)) => Ok(Some(format!("{words}; {} is not needed", self.shard))),
            None => Ok(None),
        }
    }

    /// Evaluates the sequential test, if there is one, on the complete shards from the first one
    /// without a gap. Tells the other shards about a decision. Returns the result in words.
    pub fn evaluate_test(
        &self,
        experiment: &Experiment,
        schedule: &Schedule,
    ) -> Result<Option<String>, Failure> {
        if experiment.kind.sequential_test().is_none() {
            return Ok(None);
        }
        let tally = schedule.empty_tally(experiment);
        let tally = self.parent.count(self.shard.count, schedule, tally)?;
        if !tally.is_decided() {
            return Ok(None);
        }
        let words = match tally.verdict() {
            Some(SprtVerdict::Undecided) | None => "undecided at the cap",
            Some(verdict) => verdict.words(),
        };
        let words = format!("{words} at game {}", tally.rows);
        if self.parent.stopped().is_none() {
            self.parent.stop(&experiment.hash(), &words)?;
        }
        Ok(Some(words))
    }

    pub fn all_complete(&self) -> Result<bool, Failure> {
        Ok(MergeParts::new(self.parent.list()?, self.shard.count).missing.is_empty())
    }
}

/// The error for shards of a format in rounds without a wave.
pub fn no_wave(folder: &Folder) -> Failure {
    let shown = folder.path().display();
    Failure::usage(
        format!("there is no wave in {shown}: games of later rounds depend on earlier results"),
        format!(
            "`agon next --config FILE --out {shown} --shards N` begins the first wave; without \
             `--shard`, one machine plays the whole run"
        ),
    )
}
