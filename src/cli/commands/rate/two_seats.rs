//! Rates rows of two seats: their counts, and the tables of a run.

use std::io::Write;

use super::named_players::test_of_two;
use super::notes_of_tables;
use super::output_folders::{folder_of_list, make_folder};
use super::rate_args::RateArgs;
use crate::arena::{Folder, ResultRows, RunHistory, Tally, tally_of_rows};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{self, print_text, terminal_width, unless_closed};
use crate::cli::run_files::Files;
use crate::report::{
    Heading, Results, RunContext, RunEnd, RunFacts, TableFormat, counted, grouped, wrapped,
    write_agents,
};
use crate::stats::sprt::{Design, Unit};

/// Prints the results of each list.
pub(super) fn print(
    rows: &ResultRows,
    args: &RateArgs,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    let unit = if rows.has_openings() { Unit::Pairs } else { Unit::Games };
    let test = test_of_two(rows, args, unit)?;
    let mut code = exit_codes::DONE;
    for list in 0..rows.lists.len().max(1) {
        let mut results = results(rows, list as u32, test, args);
        let folder =
            args.out.as_ref().map(|out| Folder::new(folder_of_list(out, rows, list as u32)));
        if let Some(folder) = &folder {
            write_files(folder, &mut results)?;
        }
        if !rows.lists.is_empty() && context.format == TableFormat::Text {
            let title = args.split_by.as_deref().unwrap_or_default();
            let space = if list == 0 { "" } else { "\n" };
            print_text(&format!("{space}{title} = {}\n", rows.lists.text(list as u32)))?;
        }
        if context.format == TableFormat::Text && !args.verbose {
            print_conditions(rows, args, &mut results)?;
        }
        match context.format {
            TableFormat::Csv => {
                let mut out = anstream::stdout();
                unless_closed(write_agents(&results, &mut out).and_then(|()| out.flush()))?;
            }
            format => {
                print_run_results::print(&mut results, folder.as_ref(), format, args.verbose)?;
            }
        }
        code = code.max(exit_codes::of_results(&results));
    }
    Ok(code)
}

fn results(
    rows: &ResultRows,
    list: u32,
    test: Option<(Design, [u32; 2])>,
    args: &RateArgs,
) -> Results {
    let tally = tally_of_rows(rows, list, test);
    let is_over = tally.sprt.is_none() || tally.verdict().is_some();
    let mut notes = test.map_or(Vec::new(), |_| games_outside_of_test(rows, list, &tally));
    notes.extend(notes_of_tables::differing_conditions(rows, args.split_by.as_deref()));
    notes.extend(notes_of_tables::notes(rows));
    let context = RunContext {
        ending: if is_over { RunEnd::Complete } else { RunEnd::Unknown },
        length_fixed: !args.any_time && test.is_none(),
        facts: RunFacts { tables: Some(notes), ..RunFacts::default() },
        ..RunContext::default()
    };
    Results::new(heading(rows, list, args), tally, context)
}

/// Prints conditions that differ before the short summary, whose notes are at its end.
fn print_conditions(
    rows: &ResultRows,
    args: &RateArgs,
    results: &mut Results,
) -> Result<(), Failure> {
    let conditions = notes_of_tables::differing_conditions(rows, args.split_by.as_deref());
    if let Some(notes) = &mut results.context.facts.tables {
        notes.retain(|note| !conditions.contains(note));
    }
    let fold = |note: &String| wrapped(&format!("note: {note}"), terminal_width(), "", "  ");
    print_text(&conditions.iter().map(fold).collect::<String>())
}

/// How many games the sequential test leaves out, and why.
fn games_outside_of_test(rows: &ResultRows, list: u32, tally: &Tally) -> Vec<String> {
    let Some((_, pairing)) = tally.pairings.first() else { return Vec::new() };
    let (all, games) = (pairing.all(), pairing.games());
    let alone = all.lone_first.n() + all.lone_second.n();
    let of_pairs = rows.has_openings() && alone > 0;
    let are = |count: u64| if count == 1 { "is" } else { "are" };
    let without_partner = of_pairs.then(|| {
        format!(
            "{} of {} {} not in the test: a sample is two games from the same opening with changed \
             seats, and the other game is missing; `--group COLUMN` makes all games from an opening a \
             sample",
            grouped(alone),
            counted(games, "game"),
            are(alone),
        )
    });
    let in_list = rows.iter().filter(|row| row.facts.list == list).count() as u64;
    let others = in_list - tally.rows;
    let of_others = (others > 0)
        .then(|| format!("{} of other players {} left out", counted(others, "game"), are(others)));
    without_partner.into_iter().chain(of_others).collect()
}

fn heading(rows: &ResultRows, list: u32, args: &RateArgs) -> Heading {
    let mut name = rows.files.join(", ");
    if let Some(column) = &args.split_by {
        name.push_str(&format!(", {column} = {}", rows.lists.text(list)));
    }
    let game = rows.conditions.iter().find(|(name, _)| name.eq_ignore_ascii_case("game"));
    let game = match game.map(|(_, counts)| &counts.values[..]) {
        Some([(only, _)]) => only.clone(),
        _ => String::new(),
    };
    Heading { name, game, ..Heading::default() }
}

fn write_files(folder: &Folder, results: &mut Results) -> Result<(), Failure> {
    make_folder(folder.path())?;
    let files = Files {
        folder,
        experiment: None,
        history: Some(RunHistory::default()),
        grading: None,
        manifest: None,
    };
    files.write(results).map(|_| ())
}
