//! `agon merge`: merges shards into one results folder.

use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

use clap::Args;

use super::run::no_wave;
use crate::arena::{
    Folder, FolderError, FolderLock, Manifest, MergeParts, ShardFolder, Shards, Status, Tally,
    Wave, agents_of_different_programs, merge, ranges,
};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::grading::Grading;
use crate::cli::options_of_several_commands::{Shown, Threads};
use crate::cli::print_run_results::{name_test, note, print};
use crate::cli::read_results_folder::{StoredRun, count, played, restore};
use crate::cli::run_files::Files;
use crate::cli::signals::StopSignal;
use crate::cli::slurm_variables::jobs;
use crate::play::Registry;
use crate::report::Results;

/// Merges the shards of an experiment into one results folder.
///
/// The files are those that one machine would have written.
///
/// All shards must have the same config, and two folders of one shard must be equal. If shards
/// are missing, nothing is written and the exit code is 8. Their numbers go to stdout in the
/// syntax of batch systems, such as `3,7-9`. A sequential test needs only the shards up to
/// its decision, and the decision is the exit code.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The results folder to write.
    out: PathBuf,
    /// Folders of shards, or folders that contain them [default: OUT].
    shards: Vec<PathBuf>,
    /// If shards are missing, merge those before the first missing one, as an interrupted run.
    #[arg(long)]
    incomplete: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    shown: Shown,
}

/// Merges shards and prints the tables.
pub fn run(args: &MergeArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, argv, registry, .. } = context;
    let stop = StopSignal::listen(args.shown.quiet)?;
    let out = Folder::new(&args.out);
    let wave = Wave::of(&out);
    let places = places(args, wave, registry)?;
    let manifests: Vec<Manifest> =
        places.iter().filter_map(|place| place.folder.manifest()).collect();
    let mut work = match wave {
        Some(wave) => of_wave(&out, wave, places, registry)?,
        None => of_run(&out, places, registry)?,
    };
    warn_versions(&manifests);
    warn_programs(&manifests);
    std::fs::create_dir_all(out.path()).map_err(|error| {
        Failure::Other(anyhow::anyhow!("cannot make {}: {error}", out.path().display()))
    })?;
    let lock = FolderLock::take(out.path())?;
    let earlier = wave.and(out.manifest());
    let mut manifest = match earlier.iter().chain(&manifests).next() {
        Some(_) => manifest(earlier, &manifests, argv),
        None => Manifest::begin(&work.played.experiment, 0, argv),
    };
    let tally = work.merge(args.incomplete, &manifest, &out)?;
    let schedule = &mut work.played.schedule;
    schedule.grow(&tally);
    let complete = schedule.is_over(&tally);
    manifest.end(&tally, if complete { Status::Complete } else { Status::Interrupted });
    out.write_manifest(&manifest)?;
    let (mut results, stopped) = write_files(args, work.played, manifest, &out, &stop)?;
    if let Some(wave) = wave {
        // Its games, moves and logs are in the results folder. A kill leaves all of it or a folder
        // that the next command removes.
        let gone = out.file(".agon-merged");
        let _ = std::fs::rename(wave.folder(&out).path(), &gone);
        let _ = std::fs::remove_dir_all(gone);
    }
    drop(lock);
    if !args.shown.quiet {
        print(&mut results, Some(&out), format, args.shown.verbose)?;
    }
    Ok(stopped.unwrap_or(if complete {
        exit_codes::of_results(&results)
    } else {
        exit_codes::DONE
    }))
}

/// Counts the merged games, and writes all files that follow from them. Returns the exit code of a
/// signal that stopped the grading early.
fn write_files(
    args: &MergeArgs,
    played: StoredRun,
    manifest: Manifest,
    out: &Folder,
    stop: &StopSignal,
) -> Result<(Results, Option<u8>), Failure> {
    let (mut results, history, StoredRun { experiment, schedule, .. }) = played.load(out)?;
    let is_complete = manifest.status == Status::Complete;
    let grading = experiment.grading.filter(|_| is_complete).map(|grading| Grading {
        schedule: &schedule,
        games: grading.games,
        fresh: false,
        jobs: jobs(args.threads.jobs),
        quiet: args.shown.quiet,
        stop,
    });
    let files = Files {
        folder: out,
        experiment: Some(&experiment),
        history: experiment.output.report.then_some(history),
        grading,
        manifest: Some(manifest),
    };
    let stopped = files.write(&mut results)?;
    if !args.shown.quiet {
        name_test(out, &experiment, &schedule);
    }
    Ok((results, stopped))
}

struct Work {
    /// The experiment, with all rounds that are known.
    played: StoredRun,
    /// The wave that the shards belong to, if they are not those of a whole run.
    wave: Option<Wave>,
    parts: MergeParts,
    /// The counts, if nothing is left to merge.
    counted: Option<Tally>,
}

impl Work {
    /// Writes the games of the shards into the results folder, with the config and the manifest.
    fn merge(
        &mut self,
        incomplete: bool,
        manifest: &Manifest,
        out: &Folder,
    ) -> Result<Tally, Failure> {
        if let Some(tally) = self.counted.take() {
            return Ok(tally);
        }
        let (StoredRun { experiment, schedule, .. }, parts) = (&self.played, &self.parts);
        let nothing = schedule.empty_tally(experiment);
        let merged = merge(parts, schedule, nothing, out, experiment.output.moves)?;
        let is_enough = incomplete && parts.missing.first() != Some(&1);
        if !parts.missing.is_empty() && !merged.tally.is_decided() && !is_enough {
            return Err(missing(&parts.missing, self.wave.is_some()));
        }
        if out.manifest().is_none() {
            // Written first, so that the same command resumes after a kill.
            out.write_manifest(manifest)?;
        }
        if self.wave.is_none() {
            copy_config(&parts.whole[0].folder, out)?;
        }
        Ok(merged.keep(out)?)
    }
}

/// The shards of a whole run. All must belong to one experiment and one division.
fn of_run(out: &Folder, places: Vec<ShardFolder>, registry: &Registry) -> Result<Work, Failure> {
    let Some(one) = places.first() else {
        let help = "name folders of shards, such as `results/x/shard-*`, or their parent folder";
        return Err(Failure::usage("there are no shards to merge", help));
    };
    if one.wave.is_some() {
        return Err(no_wave(out));
    }
    let played = played(&one.folder, registry)?;
    let experiment = &played.experiment;
    for place in &places {
        if place.shard.count != one.shard.count {
            return Err(Failure::usage(
                format!(
                    "{} is {}, but {} is {}",
                    place.folder.path().display(),
                    place.shard,
                    one.folder.path().display(),
                    one.shard
                ),
                "name shards of one division only",
            ));
        }
        place.folder.check(experiment, registry).map_err(mixed)?;
    }
    out.check_ours()?;
    out.check(experiment, registry)?;
    let count = one.shard.count;
    let parts = MergeParts::new(places, count);
    Ok(Work { played, wave: None, parts, counted: None })
}

/// The shards of a wave, and the games of earlier waves.
fn of_wave(
    out: &Folder,
    wave: Wave,
    places: Vec<ShardFolder>,
    registry: &Registry,
) -> Result<Work, Failure> {
    let mut played = played(out, registry)?;
    let StoredRun { experiment, schedule, .. } = &mut played;
    let (tally, _) = count(out, experiment, schedule)?;
    let is_merged = wave.is_merged(out, schedule, &tally)?;
    let waits = if is_merged { schedule.rounds() } else { wave.wave };
    for place in &places {
        place.folder.check(experiment, registry).map_err(mixed)?;
        let path = place.folder.path().display();
        // A merge that was killed at its end leaves the shards that it has merged.
        let own = place.folder.path().starts_with(wave.folder(out).path());
        if is_merged && own && place.wave == Some(wave.wave) {
            continue;
        }
        if place.wave != Some(wave.wave) || is_merged {
            let of = place.wave.map_or("a run".to_owned(), |wave| format!("wave {wave}"));
            return Err(Failure::usage(
                format!("{path} is a shard of {of}, and wave {waits} is the next one"),
                format!("`agon next {}` prints the shards of wave {waits}", out.path().display()),
            ));
        }
        if place.shard.count != wave.shards {
            return Err(Failure::usage(
                format!("{path} is {}, but wave {waits} has {} shards", place.shard, wave.shards),
                format!("remove it; `agon next {}` prints its shards", out.path().display()),
            ));
        }
    }
    let parts = MergeParts::new(places, wave.shards);
    Ok(Work { played, wave: Some(wave), parts, counted: is_merged.then_some(tally) })
}

/// Copies the config of a shard.
fn copy_config(from: &Folder, out: &Folder) -> Result<(), Failure> {
    for name in ["config.toml", "resolved.toml"] {
        let content = std::fs::read(from.file(name)).map_err(|error| {
            Failure::Other(anyhow::anyhow!("cannot read {}: {error}", from.file(name).display()))
        })?;
        out.replace(name, &content)?;
    }
    Ok(())
}

/// The folders of the shards: those named on the command line, and those inside named folders.
fn places(
    args: &MergeArgs,
    wave: Option<Wave>,
    registry: &Registry,
) -> Result<Vec<ShardFolder>, Failure> {
    let out = Folder::new(&args.out);
    let default = match wave {
        Some(wave) => {
            restore(&out, registry)?;
            [wave.folder(&out).path().to_owned()]
        }
        None => [args.out.clone()],
    };
    let named = if args.shards.is_empty() { &default[..] } else { &args.shards };
    let mut places = Vec::new();
    for path in named {
        let folder = Folder::new(path);
        restore(&folder, registry)?;
        match ShardFolder::of(&folder) {
            // A shard that is not complete counts as missing, even if it is named.
            Some(place) => {
                places.push(ShardFolder { complete: place.complete && !is_part(path), ..place })
            }
            None => {
                let inside = Shards(folder).list()?;
                if inside.is_empty() && !args.shards.is_empty() && !is_part(path) {
                    let message = format!("{} is not a shard and contains none", path.display());
                    return Err(Failure::usage(message, "name folders that `--shard` created"));
                }
                for there in inside {
                    restore(&there.folder, registry)?;
                    // A shard that is still running may have no manifest yet.
                    places.extend(match there.complete {
                        true => Some(ShardFolder::whole(&there.folder)?),
                        false => ShardFolder::of(&there.folder)
                            .map(|place| ShardFolder { complete: false, ..place }),
                    });
                }
            }
        }
    }
    Ok(places)
}

fn is_part(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "part")
}

/// The error for shards of different configs, with a help text for `merge`.
fn mixed(error: FolderError) -> Failure {
    let (message, _) = error.message_and_help();
    Failure::usage(message, "name shards of one experiment only")
}

/// The error for missing shards. Prints them on stdout, so that a batch system can read them.
fn missing(numbers: &[u64], is_wave: bool) -> Failure {
    let list = ranges(numbers);
    if let Err(error) = writeln!(anstream::stdout(), "{list}") {
        return error.into();
    }
    let options = if is_wave { "--shard auto" } else { "--shard auto --shards N" };
    Failure::ShardsMissing(format!(
        "{} missing, nothing is merged: {list}\n\
         help: play them, such as `sbatch --array={list} …` with `{options}`",
        if numbers.len() == 1 { "a shard is" } else { "shards are" }
    ))
}

/// Warns about different versions of the program, which may play different games.
fn warn_versions(manifests: &[Manifest]) {
    let mut versions: Vec<String> = (manifests.iter())
        .map(|m| format!("{} {}", m.version, m.revision.as_deref().unwrap_or("")))
        .map(|version| version.trim().to_owned())
        .collect();
    versions.sort();
    versions.dedup();
    if versions.len() > 1 {
        let all = versions.join(", ");
        note(format!("warning: the shards were played by different versions of agon: {all}"));
    }
}

/// Warns about different external programs.
fn warn_programs(manifests: &[Manifest]) {
    let Some((first, others)) = manifests.split_first() else { return };
    let mut names: Vec<String> = Vec::new();
    for other in others {
        names.append(&mut agents_of_different_programs(&first.programs, &other.programs));
    }
    names.sort();
    names.dedup();
    for name in names {
        note(format!(
            "warning: the shards were played by different programs of `{name}`: its results are \
             those of no single program"
        ));
    }
}

/// The manifest of all shards together, before the merge is complete. `earlier` is that of earlier
/// waves.
fn manifest(earlier: Option<Manifest>, shards: &[Manifest], argv: &[String]) -> Manifest {
    let mut all = earlier.iter().chain(shards);
    let mut manifest = all.next().expect("a wave or a shard").clone();
    manifest.status = Status::Running;
    (manifest.shard, manifest.wave) = (None, None);
    manifest.argv = argv.to_vec();
    for shard in all {
        if shard.started < manifest.started {
            manifest.started.clone_from(&shard.started);
        }
        for name in agents_of_different_programs(&manifest.programs, &shard.programs) {
            manifest.programs.remove(&name);
        }
        manifest.jobs = manifest.jobs.max(shard.jobs);
        manifest.peak_memory_bytes = manifest.peak_memory_bytes.max(shard.peak_memory_bytes);
        if let Some(delay) = &shard.delay
            && manifest.delay.as_ref().is_none_or(|worst| delay.exceeds(worst))
        {
            manifest.delay = Some(delay.clone());
        }
        for scores in &shard.final_scores {
            scores.clone().add_to(&mut manifest.final_scores);
        }
        manifest.void_cost += shard.void_cost;
        for (agent, times) in &shard.unavailable {
            *manifest.unavailable.entry(agent.clone()).or_default() += times;
        }
    }
    manifest
}
