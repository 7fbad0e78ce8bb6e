//! `agon compare`: is the candidate's run worse than the baseline's?

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{print_text, terminal_width};
use crate::cli::read_results_folder::{existing, restore};
use crate::regression::{
    ChangeLimits, Comparison, CompletedRun, GateVerdict, SlicesCsv, UsageError,
};
use crate::report::Document;

/// Compares two results folders: is the candidate's run worse than the baseline's?
///
/// Both runs must have the same game, schedule, openings, seed and limits. Agents are
/// matched by name and must have the same budget; other parameters may differ. Each row is
/// one figure: strength from paired games (same opponent, opening and seat), exact work, time
/// on the same machine, and memory. The verdict compares the interval with the limit. Times
/// have a verdict only with `--interleaved`: `agon gate` plays both runs interleaved. Exit code
/// 0: not worse; 3: worse; 4: undecided.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// The results folder of the baseline.
    base: PathBuf,
    /// The results folder of the candidate.
    candidate: PathBuf,
    /// Judge only this agent; `OLD=NEW` if its name differs in the candidate's run. Repeatable
    /// [default: agents whose definition has changed, or all].
    #[arg(long, value_name = "NAME[=NEW]")]
    agent: Vec<String>,
    /// How much worse a figure may become: `METRIC=VALUE`, `AGENT.METRIC=VALUE` or
    /// `METRIC=off`. Repeatable [defaults: strength=-10 (Elo), work=1.002, memory=1.1
    /// (factors)]. `time` and `speed` have no limit; `off` leaves them out.
    #[arg(long, value_name = "LIMIT", allow_hyphen_values = true)]
    limit: Vec<String>,
    /// The folders are from `agon gate`, which played both runs interleaved: times are judged, too.
    #[arg(long)]
    interleaved: bool,
}

/// Compares two results folders. The exit code is the verdict.
pub fn run(args: &CompareArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    let slices = args.interleaved.then(|| slices(&args.candidate)).transpose()?;
    let limits = ChangeLimits::parse(&args.limit, slices.is_some())?;
    for path in [&args.base, &args.candidate] {
        restore(&existing(path)?, registry)?;
    }
    let base = CompletedRun::open(&args.base, registry, args.interleaved)?;
    let candidate = CompletedRun::open(&args.candidate, registry, args.interleaved)?;
    let comparison = Comparison::new(&base, &candidate, &args.agent, &limits, slices.as_ref())?;
    print_text(&comparison.render(format, terminal_width()))?;
    Ok(exit_code(&comparison))
}

/// The times of folders that `agon gate` has written.
fn slices(candidate: &Path) -> Result<SlicesCsv, Failure> {
    let folder = candidate.parent().unwrap_or(Path::new("."));
    SlicesCsv::read(folder).map_err(|error| {
        Failure::usage(
            format!("cannot read {}: {error}", folder.join(SlicesCsv::NAME).display()),
            "`--interleaved` needs the folders `old` and `new` that `agon gate` has written",
        )
    })
}

/// The exit code of the verdict.
pub fn exit_code(comparison: &Comparison) -> u8 {
    match comparison.verdict() {
        GateVerdict::Worse => exit_codes::REJECTED,
        GateVerdict::Undecided | GateVerdict::NotJudged | GateVerdict::NotCompared => {
            exit_codes::UNDECIDED
        }
        GateVerdict::Same | GateVerdict::Better | GateVerdict::NotWorse => exit_codes::DONE,
    }
}

impl From<UsageError> for Failure {
    fn from(error: UsageError) -> Self {
        Failure::usage(error.message, error.help)
    }
}
