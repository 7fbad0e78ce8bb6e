//! `agon compare`: is the candidate's run worse than the baseline's?

use super::report;
use crate::cli::clap_definitions::CompareArgs;
use crate::cli::exit_codes::{self, Failure};
use crate::cli::print_run_results::{print_text, terminal_width};
use crate::cli::warn_of_old_keys;
use crate::play::Registry;
use crate::regression::{ChangeLimits, CompareError, Comparison, CompletedRun, GateVerdict};
use crate::report::{Document, TableFormat};

/// Compares two results folders. The exit code is the verdict.
pub fn run(args: &CompareArgs, format: TableFormat, registry: &Registry) -> Result<u8, Failure> {
    let limits = ChangeLimits::parse(&args.limit)?;
    for path in [&args.base, &args.candidate] {
        report::restore(&report::existing(path)?, registry)?;
    }
    let base = CompletedRun::open(&args.base, registry)?;
    let candidate = CompletedRun::open(&args.candidate, registry)?;
    warn_of_old_keys::warn(&base.warnings);
    warn_of_old_keys::warn(&candidate.warnings);
    let comparison = Comparison::new(&base, &candidate, &args.agent, &limits)?;
    print_text(&comparison.render(format, terminal_width()))?;
    Ok(match comparison.verdict() {
        GateVerdict::Worse => exit_codes::WORSE,
        GateVerdict::Undecided | GateVerdict::NotCompared => exit_codes::UNDECIDED,
        GateVerdict::Same | GateVerdict::Better | GateVerdict::NotWorse => exit_codes::DONE,
    })
}

impl From<CompareError> for Failure {
    fn from(error: CompareError) -> Self {
        Failure::Usage(error.to_string())
    }
}
