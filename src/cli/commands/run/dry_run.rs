//! `--dry-run`: prints the games that would be played, and the results folder.

use std::io::Write;

use crate::arena::{Demand, Schedule};
use crate::cli::exit_codes::{self, Failure};
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::print_run_results::{default_folder, folded, terminal_width};
use crate::config::{Experiment, RunKind};
use crate::report::{DataCell, DataTable, Heading, NONE, TableFormat, TextTable, counted};

/// Prints the schedule. Plays no games and writes no files.
pub fn run(
    args: &RunArgs,
    experiment: &Experiment,
    schedule: &Schedule,
    jobs: usize,
) -> Result<u8, Failure> {
    let heading = Heading::of(experiment);
    let folder = args.out.clone().unwrap_or_else(|| default_folder(experiment));
    // The games of each pairing and of all. Formats that look for evidence know neither.
    let (each, all) = match &experiment.kind {
        RunKind::Fixed | RunKind::Sequential(_) => {
            (Some(experiment.schedule.games), Some(schedule.games()))
        }
        RunKind::Rounds(_) => (None, None),
        RunKind::Matches(design) => (Some(design.games), Some(design.all_games())),
        RunKind::Tune(design) => {
            (Some(2 * design.rounds() * design.pairs_of_round()), Some(design.games()))
        }
    };
    let first_round = matches!(experiment.kind, RunKind::Matches(_));
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
            "games": all,
            "max_games": match experiment.kind {
                RunKind::Rounds(design) => Some(design.max_games),
                _ => None,
            },
            "jobs": jobs,
            "memory_bytes": memory.total,
            "folder": folder.display().to_string(),
            "pairings": sheet.json(),
        });
        writeln!(out, "{json:#}")?;
        return Ok(exit_codes::DONE);
    }
    let pairings = known.len() as u64;
    let title = if first_round { "Pairings of the first round" } else { "Pairings" };
    let mut table =
        TextTable::new(title).figures(["#"]).text(["agent", "against"]).figures(["games"]);
    for (i, &pairing) in known.iter().enumerate() {
        let pairing = schedule.pairings()[pairing];
        let against = if pairing.is_self() { "itself" } else { name(pairing.b) };
        let games = each.map_or(NONE.to_owned(), |each| each.to_string());
        table.row([&(i + 1).to_string(), name(pairing.a), against, &games]);
    }
    let markdown = args.format == TableFormat::Markdown;
    let blank = if markdown { "\n" } else { "" };
    let mut headline = format!("{} · {} · {}\n", heading.name, heading.game, heading.openings);
    if !markdown {
        headline = folded(headline.trim_end());
    }
    let pairings = counted(pairings, "pairing");
    let games = counted(all.unwrap_or_default(), "game");
    let of_each = counted(each.unwrap_or_default(), "game");
    let games = match &experiment.kind {
        RunKind::Fixed | RunKind::Sequential(_) | RunKind::Tune(_) => {
            format!("{games}: {pairings} of {of_each} each")
        }
        RunKind::Rounds(design) => {
            let most = counted(design.max_games, "game");
            format!("{pairings}; rounds until the answer, at most {most}")
        }
        RunKind::Matches(design) if design.alpha.is_some() => {
            format!("at most {games}, and extra games of drawn matches")
        }
        RunKind::Matches(design) if design.is_bracket() => {
            format!("{games} and extra games of drawn matches: {of_each} each match")
        }
        RunKind::Matches(design) => {
            let rounds = counted(design.rounds, "round");
            format!("{games}: {rounds} of {pairings}, {of_each} each")
        }
    };
    writeln!(
        out,
        "{headline}{blank}{games}\n\n{}\n{}; results would go to {}",
        table.render(markdown, !markdown, terminal_width()),
        counted(jobs as u64, "thread"),
        folder.display(),
    )?;
    if let Some(words) = memory.words() {
        writeln!(out, "{words}")?;
    }
    Ok(exit_codes::DONE)
}
