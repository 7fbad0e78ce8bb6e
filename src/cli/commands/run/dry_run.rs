//! `--dry-run`: prints the games that would be played, and the results folder.

use std::io::Write;

use crate::arena::{Demand, Pairing, Schedule};
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::print_run_results::{default_folder, folded, terminal_width};
use crate::config::Experiment;
use crate::report::{
    DataCell, DataTable, Heading, NONE, PlannedGames, TableFormat, TextTable, counted,
    planned_games,
};

/// Prints the schedule. Plays no games and writes no files.
pub fn run(
    args: &RunArgs,
    experiment: &Experiment,
    schedule: &Schedule,
    jobs: usize,
) -> Result<u8, Failure> {
    let heading = Heading::of(experiment);
    let folder = args.out.clone().unwrap_or_else(|| default_folder(experiment));
    let planned = planned_games(experiment, schedule);
    let PlannedGames { each, first_round, .. } = planned;
    // A tournament knows the matches of its first round only.
    let is_known = |pairing: &usize| !first_round || schedule.games_of(*pairing) > 0;
    let known: Vec<usize> = (0..schedule.pairings().len()).filter(is_known).collect();
    let name = |agent: usize| experiment.agents[agent].name.as_str();
    let memory = Demand::of(experiment, schedule, jobs);
    let mut out = anstream::stdout();
    if args.format == TableFormat::Json {
        let sheet = DataTable::new("agent_a, agent_b, games", |row| {
            for pairing in known.iter().map(|&pairing| schedule.pairings()[pairing]) {
                row(vec![name(pairing.a).into(), name(pairing.b).into(), DataCell::from(each)]);
            }
        });
        let json = serde_json::json!({
            "name": heading.name,
            "game": heading.game,
            "openings": heading.openings,
            "seed": heading.seed,
            "games": planned.all,
            "max_games": planned.most,
            "jobs": jobs,
            "memory_bytes": memory.total,
            "folder": folder.display().to_string(),
            "pairings": sheet.json(),
        });
        writeln!(out, "{json:#}")?;
        return Ok(exit_codes::DONE);
    }
    let title = if first_round { "Pairings of the first round" } else { "Pairings" };
    let table = table(title, known.iter().map(|&pairing| schedule.pairings()[pairing]), name, each);
    let markdown = args.format == TableFormat::Markdown;
    let blank = if markdown { "\n" } else { "" };
    let mut headline = format!("{} · {} · {}\n", heading.name, heading.game, heading.openings);
    if !markdown {
        headline = folded(headline.trim_end());
    }
    writeln!(
        out,
        "{headline}{blank}{}\n\n{}\n{}; results would go to {}",
        planned.words,
        table.render(markdown, !markdown, terminal_width()),
        counted(jobs as u64, "thread"),
        folder.display(),
    )?;
    if let Some(words) = memory.words() {
        writeln!(out, "{words}")?;
    }
    Ok(exit_codes::DONE)
}

fn table<'a>(
    title: &'static str,
    pairings: impl Iterator<Item = Pairing>,
    name: impl Fn(usize) -> &'a str,
    games: Option<u64>,
) -> TextTable {
    let mut table =
        TextTable::new(title).figures(["#"]).text(["agent", "against"]).figures(["games"]);
    let games = games.map_or(NONE.to_owned(), |games| games.to_string());
    for (number, pairing) in (1..).zip(pairings) {
        let against = if pairing.is_self() { "itself" } else { name(pairing.b) };
        table.row([&u64::to_string(&number), name(pairing.a), against, &games]);
    }
    table
}
