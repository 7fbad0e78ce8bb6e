//! `agon report DIR --luck SPEC`: scores without luck for a run that did not measure it.

use crate::arena::Folder;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{note, print_text, terminal_width};
use crate::cli::read_results_folder::{StoredRun, played, unreadable};
use crate::config::parse_luck_spec;
use crate::params::Spec;
use crate::play::LuckSettings;
use crate::report::{TableFormat, render, short_summary, table_of_scores_without_luck};

/// Measures the luck in the games of the folder, and prints the results with the table of scores
/// without luck. Writes no files.
pub fn print(
    folder: &Folder,
    spec: &str,
    verbose: bool,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    let &CommandContext { format, registry, .. } = context;
    let played = played(folder, registry)?;
    let experiment = &played.experiment;
    let agents: Vec<Spec> = experiment.agents.iter().map(|agent| agent.spec.clone()).collect();
    let settings = parse_luck_spec(spec, "--luck", &experiment.any_game, &agents)?;
    let dir = folder.path().display();
    if let Some(own) = experiment.luck.as_ref().filter(|own| **own != settings) {
        return Err(Failure::usage(
            format!("the run in {dir} measured luck by {own}, not by {settings}"),
            "leave out `--luck` to see its scores; another value function needs a run of its own, \
             so that it is chosen before the games",
        ));
    }
    let (mut results, _, StoredRun { experiment, .. }) = played.load(folder)?;
    if experiment.luck.is_none() {
        results.measure_luck(folder, &experiment, Some(&settings), true).map_err(unreadable)?;
    }
    let Some(table) = table_of_scores_without_luck(&results) else {
        return Err(Failure::usage(
            format!("{dir} has no two games from one opening between two different agents"),
            "scores without luck compare two agents; play more games with `agon run`",
        ));
    };
    results.context.verbose = verbose;
    let width = terminal_width();
    let text = match format {
        TableFormat::Text if !verbose => {
            let table = table.render(false, true, width);
            format!("{}\n{table}", short_summary(&results, width))
        }
        _ => render(&results, format, true, width),
    };
    if experiment.luck.is_none() && settings != LuckSettings::Exact {
        note(
            "note: the value function was chosen after the run; the scores without luck are \
             unbiased only if the choice did not depend on these games",
        );
    }
    print_text(&text)?;
    Ok(exit_codes::DONE)
}
