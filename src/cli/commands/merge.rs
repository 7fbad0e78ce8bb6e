//! `agon merge`: merges shards into one results folder.

use std::io::Write;
use std::path::Path;

use super::grade::Grading;
use super::report::{played, restore};
use super::run::write_page;
use crate::arena::{
    Folder, FolderLock, Manifest, MergeParts, ShardFolder, Shards, Status, Tally, merge, ranges,
};
use crate::cli::batch_system_variables::jobs;
use crate::cli::clap_definitions::MergeArgs;
use crate::cli::exit_codes::Failure;
use crate::cli::print_run_results::{code, note, print};
use crate::cli::signals::StopSignal;
use crate::config::{self, Overrides};
use crate::play::Registry;
use crate::report::{ExportSource, PGN, Results, TABLES, TableFormat, export};
use crate::util::collect_with_less_code::Gather;
use crate::util::sort_with_less_code;

/// Merges shards and prints the tables.
pub fn run(
    args: &MergeArgs,
    format: TableFormat,
    argv: Vec<String>,
    registry: &Registry,
) -> Result<u8, Failure> {
    let stop = StopSignal::listen(args.shown.quiet)?;
    let out = Folder::new(&args.out);
    let places = places(args, registry)?;
    let Some(one) = places.first() else {
        let help = "name folders of shards, such as `results/x/shard-*`, or their parent folder";
        return Err(Failure::usage("there are no shards to merge", help));
    };
    let (experiment, schedule, openings) = played(&one.folder, registry)?;
    let read =
        |text: &str| config::parse(text, "resolved.toml", &Overrides::default(), registry).ok();
    for place in &places {
        if place.shard.count != one.shard.count {
            return Err(Failure::Usage(format!(
                "{} is {}, but {} is {}\nhelp: name shards of one division only",
                place.folder.path().display(),
                place.shard,
                one.folder.path().display(),
                one.shard
            )));
        }
        place.folder.check(&experiment, read).map_err(|error| mixed(error.to_string()))?;
    }
    out.check_ours()?;
    out.check(&experiment, read)?;
    let manifests: Vec<Manifest> =
        places.iter().filter_map(|place| place.folder.manifest()).gather();
    warn_versions(&manifests);

    let parts = MergeParts::new(places, one_count(&manifests));
    let names = experiment.agents.iter().map(|agent| agent.name.clone()).gather();
    let nothing = Tally::new(names, schedule.pairings()).testing(experiment.sprt);
    std::fs::create_dir_all(out.path()).map_err(|error| {
        Failure::Other(anyhow::anyhow!("cannot make {}: {error}", out.path().display()))
    })?;
    let lock = FolderLock::take(out.path())?;
    out.sweep();
    let moves = experiment.output.moves;
    let merged = merge(&parts, &schedule, nothing, &out, moves)?;
    if !parts.missing.is_empty() && !merged.tally.is_decided() {
        return missing(&parts.missing);
    }
    let mut manifest = manifest(&manifests, argv);
    if out.manifest().is_none() {
        // Written first, so that the same command resumes after a kill.
        out.write_manifest(&manifest)?;
    }
    let first = Folder::new(parts.whole[0].folder.path());
    for name in ["config.toml", "resolved.toml"] {
        let content = std::fs::read(first.file(name)).map_err(|error| {
            Failure::Other(anyhow::anyhow!("cannot read {}: {error}", first.file(name).display()))
        })?;
        out.replace(name, &content)?;
    }
    let tally = merged.keep(&out)?;
    manifest.end(&tally, Status::Complete);
    out.write_manifest(&manifest)?;
    let delay = manifest.delay.clone();
    let mut results = Results::of(&experiment, &schedule, openings, tally, delay);
    let write = |results: &Results, exporters: &[_]| {
        let experiment = Some(&experiment);
        export(&ExportSource { results, folder: &out, experiment, history: None }, exporters)
    };
    write(&results, &TABLES)?;
    write(&results, &[PGN])?;
    let mut stopped = None;
    if let Some(grading) = &experiment.grading {
        let grading = Grading {
            folder: &out,
            experiment: &experiment,
            schedule: &schedule,
            games: grading.games,
            fresh: false,
            jobs: jobs(args.threads.jobs),
            quiet: args.shown.quiet,
            stop: &stop,
        };
        let graded = grading.run(&mut results.tally)?;
        stopped = stop.code().filter(|_| !graded.complete);
        write(&results, &TABLES)?;
    }
    write_page(&out, &results, None, (&experiment, &schedule))?;
    drop(lock);
    if !args.shown.quiet {
        print(&mut results, &out, format, args.shown.verbose)?;
    }
    Ok(stopped.unwrap_or_else(|| code(&results)))
}

/// The folders of the shards: those named on the command line, and those inside named folders.
fn places(args: &MergeArgs, registry: &Registry) -> Result<Vec<ShardFolder>, Failure> {
    let default = [args.out.clone()];
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
                    let message = format!("{} is no shard and contains none", path.display());
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

fn one_count(manifests: &[Manifest]) -> u64 {
    manifests.iter().find_map(|manifest| manifest.shard).map_or(0, |shard| shard.count)
}

/// The error for shards of different configs, with a help text for `merge`.
fn mixed(error: String) -> Failure {
    let what = error.split("\nhelp:").next().unwrap_or_default();
    Failure::Usage(format!("{what}\nhelp: name shards of one experiment only"))
}

/// Prints the missing shards, on stdout so that a batch system can read them.
fn missing(numbers: &[u64]) -> Result<u8, Failure> {
    let list = ranges(numbers);
    writeln!(anstream::stdout(), "{list}")?;
    Err(Failure::Other(anyhow::anyhow!(
        "{} missing, nothing is merged: {list}\n\
         help: play them, such as `sbatch --array={list} …` with `--shard auto --shards N`",
        if numbers.len() == 1 { "a shard is" } else { "shards are" }
    )))
}

/// Warns about different versions of the program, which may play different games.
fn warn_versions(manifests: &[Manifest]) {
    let mut versions: Vec<String> = (manifests.iter())
        .map(|m| format!("{} {}", m.version, m.revision.as_deref().unwrap_or("")))
        .map(|version| version.trim().to_owned())
        .gather();
    sort_with_less_code::by(&mut versions, Ord::cmp);
    versions.dedup();
    if versions.len() > 1 {
        let all = versions.join(", ");
        note(format!("warning: the shards were played by different versions of agon: {all}"));
    }
}

/// The manifest of all shards together, before the merge is complete.
fn manifest(shards: &[Manifest], argv: Vec<String>) -> Manifest {
    let mut manifest = shards[0].clone();
    manifest.status = Status::Running;
    manifest.shard = None;
    manifest.argv = argv;
    for shard in shards {
        if shard.started < manifest.started {
            manifest.started.clone_from(&shard.started);
        }
        manifest.jobs = manifest.jobs.max(shard.jobs);
        manifest.peak_memory_bytes = manifest.peak_memory_bytes.max(shard.peak_memory_bytes);
        if let Some(delay) = &shard.delay
            && manifest.delay.as_ref().is_none_or(|worst| delay.exceeds(worst))
        {
            manifest.delay = Some(delay.clone());
        }
    }
    manifest
}
