//! `agon gate`: plays the same games with an old and a new side. Is the new one worse?

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{self, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use clap::Args;

use crate::cli::argument_types::duration;
use crate::cli::command_entry::CommandContext;
use crate::cli::commands::results::compare::exit_code;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{note, print_text, terminal_width};
use crate::cli::signals::StopSignal;
use crate::config::{self, Experiment, Overrides};
use crate::play::Registry;
use crate::regression::{
    ChangeLimits, Comparison, CompletedRun, GateError, GateEvent, GatePlan, GateSide, GateSideName,
    HistoryCsv, HistoryLine, Metric, NamedSide, SideKind, SlicesCsv, TIME_CONFIDENCE,
    check_comparable, play_interleaved,
};
use crate::report::{Document, counted, fixed};

/// The config for two engines if none is named. The old engine is the opponent of both sides.
const ENGINES: &str = include_str!("engines.toml");

/// Plays an old and a new side: is the new one weaker or slower?
///
/// OLD and NEW are two builds of agon, two configs, or two engines. Both play the same games in
/// small slices, at the same time on one core, so the machine's own changes do not favour a side. The
/// time is that of the processor, with an interval that is valid at any time. The results folders
/// of both sides are kept; other figures are those of `agon compare`. Exit code 0: not worse; 3: worse;
/// 4: undecided.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// The old side: a build of agon, a config, or an engine with its arguments in quotes.
    old: String,
    /// The new side.
    new: String,
    /// The config that both sides play. For engines, its first external engine is the old or the
    /// new one [default for engines: 200 games of chess against the old one].
    config: Option<PathBuf>,
    /// Processor time for both sides together. On a busy machine it takes longer.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    budget: Duration,
    /// The folder to write; it has the results folders `old` and `new`.
    #[arg(long, value_name = "DIR", default_value = "results/gate")]
    out: PathBuf,
    /// Discard an earlier gate in the folder.
    #[arg(long)]
    fresh: bool,
    /// Sets a key of the config for both sides.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Judge only this agent; as in `agon compare`.
    #[arg(long, value_name = "NAME[=NEW]")]
    agent: Vec<String>,
    /// How much worse a figure may become, as in `agon compare`. Repeatable [defaults:
    /// strength=-10 (Elo), work=1.002, time=1.01, instructions=1.002, memory=1.1 (factors)].
    /// `time=off` plays each game once.
    #[arg(long, value_name = "LIMIT", allow_hyphen_values = true)]
    limit: Vec<String>,
    /// Append a line with the verdict and the figures to this CSV file. `agon plot history FILE`
    /// draws the figures over time.
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,
    /// Show no progress.
    #[arg(short, long)]
    quiet: bool,
}

/// Plays both sides and prints the comparison. The exit code is the verdict.
pub fn run(args: &GateArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let limits = ChangeLimits::parse(&args.limit, true)?;
    let stop = StopSignal::listen(true)?;
    let own = env::current_exe().map_err(|error| {
        Failure::Other(anyhow::anyhow!("the system does not tell where agon is: {error}"))
    })?;
    let named = named_sides(args)?;
    let history = args.history.as_deref().map(|file| open_history(file, &args.out)).transpose()?;
    begin_folder(args)?;
    let plan = GatePlan {
        sides: sides(args, &named, &own, context.registry)?,
        out: args.out.clone(),
        budget: args.budget,
        limit: limits.of(Metric::Time, None),
        confidence: TIME_CONFIDENCE,
    };
    // All of it may take long, so the first signal only asks to stop.
    stop.finishing(None, || {
        let played = play_and_compare(args, &plan, &own, &limits, &stop, context)?;
        let stopped = stop.code();
        let Some(([base, candidate], comparison)) = played else {
            return Ok(stopped.unwrap_or(exit_codes::UNDECIDED));
        };
        let code = stopped.unwrap_or_else(|| exit_code(&comparison));
        let appended = history.filter(|_| stopped.is_none()).map_or(Ok(()), |history| {
            let sides = [(&args.old, &base), (&args.new, &candidate)].map(|(word, run)| {
                GateSideName { name: word.clone(), revision: revision(named[0].kind, run) }
            });
            let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
            history.append(&HistoryLine::new(date, sides, &comparison, code))
        });
        print_text(&comparison.render(context.format, terminal_width()))?;
        // The verdict is printed, so only the line is missing.
        appended.map_err(|error| Failure::Other(anyhow::anyhow!(error)))?;
        Ok(code)
    })
}

/// Plays both sides, merges what they played, and compares it. `None` if a signal came before all games
/// were played.
fn play_and_compare(
    args: &GateArgs,
    plan: &GatePlan,
    own: &Path,
    limits: &ChangeLimits,
    stop: &StopSignal,
    context: &CommandContext<'_>,
) -> Result<Option<([CompletedRun; 2], Comparison)>, Failure> {
    let mut progress = Progress::new(args, limits);
    let played = play_interleaved(plan, stop.flag(), |event| progress.show(&event));
    progress.clear();
    for side in &plan.sides {
        let _ = fs::remove_file(args.out.join(format!("{}.log", side.name)));
    }
    let merged = merge_slices(plan, own);
    let slices = match played {
        Ok(slices) => slices,
        Err(error) => {
            // The first error is the one to repair.
            if let Ok(slices) = merged {
                note_kept(plan, slices);
            }
            return Err(error.into());
        }
    };
    let slice_counts = merged?;
    let folder = |side: usize| args.out.join(plan.sides[side].name);
    let open = |side| CompletedRun::open(&folder(side), context.registry, true);
    let runs = open(0).and_then(|base| Ok([base, open(1)?]));
    if stop.code().is_some() {
        note(stopped(&slices));
    }
    let runs = match (runs, stop.code()) {
        (Err(_), Some(_)) => {
            note_kept(plan, slice_counts);
            return Ok(None);
        }
        (runs, _) => runs?,
    };
    let [base, candidate] = &runs;
    let comparison = Comparison::new(base, candidate, &args.agent, limits, Some(&slices))?;
    Ok(Some((runs, comparison)))
}

/// Opens the history. In the folder of the gate, the next gate would remove it.
fn open_history(file: &Path, out: &Path) -> Result<HistoryCsv, Failure> {
    let full = |path: &Path| path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if full(file).starts_with(full(out)) {
        return Err(Failure::usage(
            format!("{} is in the folder of the gate", file.display()),
            "name a file beside the folder of `--out`",
        ));
    }
    Ok(HistoryCsv::open(file)?)
}

/// What changes with each version of a side; empty if unknown.
fn revision(kind: SideKind, run: &CompletedRun) -> String {
    let manifest = &run.manifest;
    match kind {
        SideKind::Builds => manifest.revision.clone().unwrap_or_default(),
        SideKind::Configs => manifest.config_hash.clone(),
        SideKind::Engines => {
            let engine = run.experiment.agents.iter().find(|agent| agent.spec.kind == "engine");
            let program = engine.and_then(|agent| manifest.programs.get(&agent.name));
            let file = program.and_then(|program| program.files.first());
            file.map_or(String::new(), |file| file.sha256.chars().take(12).collect())
        }
    }
}

/// Makes the folder. An earlier gate in it is refused, or removed if the user said so. A folder with any
/// other file or without the file of a gate belongs to someone else, and is never touched.
fn begin_folder(args: &GateArgs) -> Result<(), Failure> {
    let out = &args.out;
    fs::create_dir_all(out).map_err(|error| unwritable(out, &error))?;
    let entries = fs::read_dir(out).map_err(|error| unwritable(out, &error))?;
    let found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    let ours = ["old", "new", "again", SlicesCsv::NAME, "old.log", "new.log", CONFIG];
    let is_ours = |path: &PathBuf| ours.iter().any(|name| path.ends_with(name));
    let is_gate = SlicesCsv::is_in(out) && found.iter().all(is_ours);
    if !found.is_empty() && !is_gate {
        return Err(Failure::usage(
            format!("{} has files that are not from a gate", out.display()),
            "name a new folder with `--out DIR`",
        ));
    }
    // A gate that failed before its first game has nothing to lose.
    let has_games = found.iter().any(|path| path.ends_with("old") || path.ends_with("new"));
    if has_games && !args.fresh {
        let message = format!("{} has an earlier gate", out.display());
        let help = "`--fresh` discards it; `--out DIR` names another folder";
        return Err(Failure::usage(message, help));
    }
    for path in found {
        let is_folder = path.symlink_metadata().is_ok_and(|data| data.is_dir());
        let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|error| unwritable(&path, &error))?;
    }
    // From now on the folder is that of a gate, also if this process is killed.
    SlicesCsv::begin(out).map_err(|error| unwritable(out, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Other(anyhow::anyhow!(
        "cannot write {}: {error}\nhelp: free disk space, or name another folder with `--out`",
        path.display()
    ))
}

/// The name of the written config of two engines.
const CONFIG: &str = "engines.toml";

/// The programs or configs of both sides. They must be of the same kind.
fn named_sides(args: &GateArgs) -> Result<[NamedSide; 2], Failure> {
    let find = |word: &str| NamedSide::find(word).map_err(|e| Failure::usage(e.detail, e.help));
    let [old, new] = [find(&args.old)?, find(&args.new)?];
    if old.kind == new.kind {
        return Ok([old, new]);
    }
    let is = |side: &NamedSide| match side.kind {
        SideKind::Builds => "a build of agon".to_owned(),
        SideKind::Configs => "a config".to_owned(),
        SideKind::Engines => format!("an engine ({})", side.not_agon),
    };
    Err(Failure::usage(
        format!("OLD is {}, and NEW is {}", is(&old), is(&new)),
        "name two builds of agon, two configs or two engines",
    ))
}

/// What both sides play.
fn sides(
    args: &GateArgs,
    named: &[NamedSide; 2],
    own: &Path,
    registry: &Registry,
) -> Result<[GateSide; 2], Failure> {
    match named[0].kind {
        SideKind::Configs => sides_of_configs(args, own, registry),
        SideKind::Builds => sides_of_builds(args, named, registry),
        SideKind::Engines => sides_of_engines(args, named, own, registry),
    }
}

/// Both sides, each with its program, its config and its own values of keys.
fn both<'a>(
    args: &GateArgs,
    experiments: [&Experiment; 2],
    side: impl Fn(usize) -> (&'a Path, &'a Path, Option<String>),
) -> [GateSide; 2] {
    [(0, "old"), (1, "new")].map(|(i, name)| {
        let (program, config, set) = side(i);
        GateSide {
            name,
            program: program.to_owned(),
            config: config.to_owned(),
            set: args.set.iter().cloned().chain(set).collect(),
            is_timed: experiments[i].agents.iter().any(|agent| agent.needs.is_timed),
        }
    })
}

fn sides_of_configs(
    args: &GateArgs,
    own: &Path,
    registry: &Registry,
) -> Result<[GateSide; 2], Failure> {
    if args.config.is_some() {
        return Err(Failure::usage(
            "OLD and NEW are configs, so CONFIG has no meaning",
            "`agon gate OLD.toml NEW.toml` plays both with this agon",
        ));
    }
    let read = |word: &str| config::read(Path::new(word), &overrides(args), registry);
    let [old, new] = [read(&args.old)?, read(&args.new)?];
    fixed_length(&old.experiment)?;
    check_comparable(&old.experiment, &new.experiment, &args.agent)?;
    let words = [&args.old, &args.new];
    Ok(both(args, [&old.experiment, &new.experiment], |i| (own, Path::new(words[i]), None)))
}

fn sides_of_builds(
    args: &GateArgs,
    named: &[NamedSide; 2],
    registry: &Registry,
) -> Result<[GateSide; 2], Failure> {
    let Some(config) = &args.config else {
        return Err(Failure::usage(
            "two builds of agon need a config that both play",
            "name it, such as `agon gate ./old ./new gate.toml`; `agon init` writes one",
        ));
    };
    let loaded = config::read(config, &overrides(args), registry)?;
    fixed_length(&loaded.experiment)?;
    Ok(both(args, [&loaded.experiment; 2], |i| (Path::new(&named[i].command[0]), config, None)))
}

fn sides_of_engines(
    args: &GateArgs,
    named: &[NamedSide; 2],
    own: &Path,
    registry: &Registry,
) -> Result<[GateSide; 2], Failure> {
    let config = match &args.config {
        Some(config) => config.clone(),
        None => {
            let config = args.out.join(CONFIG);
            let text = ENGINES.replace("\"OLD\"", &listed(&named[0].command));
            fs::write(&config, text).map_err(|error| unwritable(&config, &error))?;
            config
        }
    };
    let loaded = config::read(&config, &overrides(args), registry)?;
    fixed_length(&loaded.experiment)?;
    let agents = &loaded.experiment.agents;
    let Some(agent) = agents.iter().find(|agent| agent.spec.kind == "engine") else {
        return Err(Failure::usage(
            format!("no agent of {} is an external engine", config.display()),
            "give one agent `kind = \"engine\"`: OLD and NEW replace its `command`",
        ));
    };
    let key = format!("agents.{}.command", agent.name);
    let set = |i: usize| Some(format!("{key}={}", listed(&named[i].command)));
    Ok(both(args, [&loaded.experiment; 2], |i| (own, &config, set(i))))
}

/// Refuses games whose number or pairings follow from results: both sides would play different ones.
pub(super) fn fixed_length(experiment: &Experiment) -> Result<(), Failure> {
    match experiment.kind.plays_fixed_games() {
        true => Ok(()),
        false => Err(Failure::usage(
            "the games of this config follow from results, so both sides would play different ones",
            "use a config without `[sprt]` and `[tune]`, and without a format in rounds",
        )),
    }
}

fn overrides(args: &GateArgs) -> Overrides {
    Overrides { set: args.set.clone(), ..Overrides::default() }
}

/// Words as a value of a config.
fn listed(words: &[String]) -> String {
    serde_json::Value::from(words).to_string()
}

/// Merges the slices of each side to a results folder, which after a stop or a failure is that of an
/// interrupted run. Returns the numbers of slices.
fn merge_slices(plan: &GatePlan, own: &Path) -> Result<[usize; 2], Failure> {
    let mut counts = [0; 2];
    for (side, count) in plan.sides.iter().zip(&mut counts) {
        let folder = plan.out.join(side.name);
        let slices = slice_folders(&folder).map_err(|error| unwritable(&folder, &error))?;
        *count = slices.len();
        if slices.is_empty() {
            continue;
        }
        let mut command = Command::new(own);
        command.arg("merge").arg(&folder).args(["--incomplete", "--quiet"]).stdin(Stdio::null());
        let failed = |error: &str| {
            let message = format!("cannot merge the slices of {}: {error}", folder.display());
            Failure::Other(anyhow::anyhow!("{message}"))
        };
        let output = command.output().map_err(|error| failed(&error.to_string()))?;
        let code = output.status.code().and_then(|code| u8::try_from(code).ok());
        if matches!(code, Some(exit_codes::FAILED | exit_codes::USAGE) | None) {
            return Err(failed(String::from_utf8_lossy(&output.stderr).trim()));
        }
        for slice in slices {
            fs::remove_dir_all(&slice).map_err(|error| unwritable(&slice, &error))?;
        }
    }
    Ok(counts)
}

/// The folders of complete slices in the folder of a side.
fn slice_folders(side: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(side) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let is_slice = |name: &str| name.starts_with("shard-") && !name.ends_with(".part");
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|p| p.file_name().and_then(|n| n.to_str()).is_some_and(is_slice)).collect())
}

/// Says where the games are that were played before a stop or a failure.
fn note_kept(plan: &GatePlan, slices: [usize; 2]) {
    for (side, slices) in plan.sides.iter().zip(slices).filter(|(_, slices)| *slices > 0) {
        let folder = plan.out.join(side.name);
        let slices = counted(slices as u64, "slice");
        note(format!(
            "kept: {slices} of the {} side; `agon report {}`",
            side.name,
            folder.display()
        ));
    }
}

/// What is known after a signal, in a sentence.
fn stopped(slices: &SlicesCsv) -> String {
    let blocks = counted(slices.0.len() as u64, "block");
    match slices.time_ratio(TIME_CONFIDENCE) {
        Some(ratio) => format!(
            "stopped after {blocks}: processor time per move × {}{}",
            fixed(ratio.ratio, 3),
            interval(ratio.interval)
        ),
        None => "stopped before the first block was complete".to_owned(),
    }
}

fn interval(ends: Option<[f64; 2]>) -> String {
    ends.map_or(String::new(), |[low, high]| format!(" [{}, {}]", fixed(low, 3), fixed(high, 3)))
}

/// The progress, on one line of a terminal.
struct Progress {
    shown: bool,
    quiet: bool,
    /// Whether the user asks for instructions.
    wants_instructions: bool,
    budget: Duration,
}

impl Progress {
    fn new(args: &GateArgs, limits: &ChangeLimits) -> Progress {
        Progress {
            shown: !args.quiet && io::stderr().is_terminal(),
            quiet: args.quiet,
            wants_instructions: !limits.is_off(Metric::Instructions, None),
            budget: args.budget,
        }
    }

    fn show(&mut self, event: &GateEvent) {
        match event {
            GateEvent::Sliced { slices, counts_instructions } if !self.quiet => {
                if self.wants_instructions && !counts_instructions {
                    note("note: this machine does not let agon count instructions");
                }
                note(format!("{slices} slices, played by both sides"));
            }
            GateEvent::CutShort { played, slices } if !self.quiet => {
                self.clear();
                note(format!(
                    "note: the budget allows the first {played} of {slices} slices; \
                     `--budget` allows more"
                ));
            }
            GateEvent::Block { played, spent, ratio } if self.shown => {
                let line = ratio.map_or(String::new(), |ratio| {
                    format!("time × {}{}", fixed(ratio.ratio, 3), interval(ratio.interval))
                });
                let _ = write!(
                    anstream::stderr(),
                    "\r\x1b[2Kblock {played}, {:.0} of {} s  {line}",
                    spent.as_secs_f64(),
                    self.budget.as_secs()
                );
            }
            _ => {}
        }
    }

    fn clear(&self) {
        if self.shown {
            let _ = write!(anstream::stderr(), "\r\x1b[2K");
        }
    }
}

impl From<GateError> for Failure {
    fn from(error: GateError) -> Self {
        match error {
            GateError::Settings(error) => error.into(),
            GateError::Forfeits(message) => Failure::Forfeited(message),
            error => Failure::Other(anyhow::anyhow!("{error}")),
        }
    }
}
