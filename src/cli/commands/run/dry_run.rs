//! `--dry-run`: prints the games that would be played, and the results folder.

use std::io::Write;

use crate::arena::{Demand, Schedule};
use crate::cli::clap_definitions::RunArgs;
use crate::cli::exit_codes;
use crate::cli::exit_codes::Failure;
use crate::cli::print_run_results::{default_folder, folded, terminal_width};
use crate::config::Experiment;
use crate::report::{DataCell, DataTable, Heading, TableFormat, TextTable, counted};

/// Prints the schedule. Plays no games and writes no files.
pub fn run(
    args: &RunArgs,
    experiment: &Experiment,
    schedule: &Schedule,
    jobs: usize,
) -> Result<u8, Failure> {
    let heading = Heading::of(experiment);
    let folder = args.out.clone().unwrap_or_else(|| default_folder(experiment));
    let each = experiment.schedule.games;
    let name = |agent: usize| experiment.agents[agent].name.as_str();
    let memory = Demand::of(experiment.agents.iter().map(|agent| &agent.needs), schedule, jobs);
    let mut out = anstream::stdout();
    if args.format == TableFormat::Json {
        let sheet = DataTable::new("agent_a, agent_b, games", |row| {
            for pairing in schedule.pairings() {
                row(vec![name(pairing.a).into(), name(pairing.b).into(), DataCell::from(each)]);
            }
        });
        let json = serde_json::json!({
            "name": heading.name,
            "game": heading.game,
            "openings": heading.openings,
            "seed": heading.seed,
            "games": schedule.games(),
            "jobs": jobs,
            "memory_bytes": memory.total,
            "folder": folder.display().to_string(),
            "pairings": sheet,
        });
        writeln!(out, "{json:#}")?;
        return Ok(exit_codes::DONE);
    }
    let pairings = schedule.pairings().len() as u64;
    let mut table =
        TextTable::new("Pairings").figures(["#"]).text(["agent", "against"]).figures(["games"]);
    for (i, pairing) in schedule.pairings().iter().enumerate() {
        let against = if pairing.is_self() { "itself" } else { name(pairing.b) };
        table.row([&(i + 1).to_string(), name(pairing.a), against, &each.to_string()]);
    }
    let blank = if args.format == TableFormat::Markdown { "\n" } else { "" };
    let mut headline = format!("{} · {} · {}\n", heading.name, heading.game, heading.openings);
    if args.format == TableFormat::Text {
        headline = folded(headline.trim_end());
    }
    writeln!(
        out,
        "{headline}{blank}{}: {} of {} each\n\n{}\n{}; results would go to {}",
        counted(schedule.games(), "game"),
        counted(pairings, "pairing"),
        counted(each, "game"),
        table.render(
            args.format == TableFormat::Markdown,
            args.format == TableFormat::Text,
            terminal_width()
        ),
        counted(jobs as u64, "thread"),
        folder.display(),
    )?;
    if let Some(words) = memory.words() {
        writeln!(out, "{words}")?;
    }
    Ok(exit_codes::DONE)
}
