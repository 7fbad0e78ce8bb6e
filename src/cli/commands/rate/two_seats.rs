//! Rates rows of two seats: their counts, and the tables of a run.

use std::fs;
use std::io::Write;

use super::notes_of_tables;
use super::rate_args::RateArgs;
use crate::arena::{Folder, ResultRows, RunHistory, tally_of_rows};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{self, print_text, unless_closed};
use crate::cli::run_files::Files;
use crate::report::{Heading, Results, RunContext, RunEnd, RunFacts, TableFormat, write_agents};
use crate::stats::sprt::{Design, SprtSettings, Unit};
use crate::util::did_you_mean::did_you_mean_or;

/// Prints the results of each list.
pub(super) fn print(
    rows: &ResultRows,
    args: &RateArgs,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    let test = test(rows, args)?;
    if context.format == TableFormat::Csv && args.split_by.is_some() {
        let help = "use another format, or `--out DIR`, which gets a folder for each list";
        return Err(Failure::usage("`--split-by` has several lists, and CSV is one table", help));
    }
    let mut code = exit_codes::DONE;
    for list in 0..rows.lists.len().max(1) {
        let mut results = results(rows, list as u32, test, args);
        let folder = args.out.as_ref().map(|out| match rows.lists.is_empty() {
            true => Folder::new(out),
            false => Folder::new(out.join(file_name(rows.lists.text(list as u32)))),
        });
        if let Some(folder) = &folder {
            write_files(folder, &mut results)?;
        }
        if !rows.lists.is_empty() && context.format == TableFormat::Text {
            let title = args.split_by.as_deref().unwrap_or_default();
            let space = if list == 0 { "" } else { "\n" };
            print_text(&format!("{space}{title} = {}\n", rows.lists.text(list as u32)))?;
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

/// A sequential test of two players.
#[derive(Clone, Copy)]
struct TestOfTwo {
    design: Design,
    players: [u32; 2],
}

/// The test of `--sprt` and `--of`.
fn test(rows: &ResultRows, args: &RateArgs) -> Result<Option<TestOfTwo>, Failure> {
    let Some([elo0, elo1]) = args.sprt else { return Ok(None) };
    let unit = if rows.has_openings() { Unit::Pairs } else { Unit::Games };
    let settings = SprtSettings { elo0, elo1, unit, ..SprtSettings::default() };
    let design = settings.check().map_err(|error| {
        Failure::usage(format!("`--sprt {elo0},{elo1}`: {error}"), "write `--sprt 0,5`")
    })?;
    let [a, b] = &args.of[..] else {
        return Err(Failure::usage("`--of` needs two players", "write `--of A,B`"));
    };
    let known: Vec<&str> = rows.names.iter().collect();
    let number = |name: &String| {
        let found = known.iter().position(|known| known == name).map(|number| number as u32);
        let all = || format!("the players are {}", known.join(", "));
        found.ok_or_else(|| {
            let help = did_you_mean_or(name, &known, all);
            Failure::usage(format!("there is no player `{name}`"), help)
        })
    };
    Ok(Some(TestOfTwo { design, players: [number(a)?, number(b)?] }))
}

fn results(rows: &ResultRows, list: u32, test: Option<TestOfTwo>, args: &RateArgs) -> Results {
    let tally = tally_of_rows(rows, list, test.map(|test| (test.design, test.players)));
    let is_over = tally.sprt.is_none() || tally.verdict().is_some();
    let context = RunContext {
        ending: if is_over { RunEnd::Complete } else { RunEnd::Unknown },
        length_fixed: !args.any_time && test.is_none(),
        facts: RunFacts { tables: Some(notes_of_tables::notes(rows)), ..RunFacts::default() },
        ..RunContext::default()
    };
    Results::new(heading(rows, list, args), tally, context)
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
    fs::create_dir_all(folder.path()).map_err(|error| {
        let message = format!("cannot make the folder {}: {error}", folder.path().display());
        Failure::usage(message, "name another folder with `--out`")
    })?;
    let files = Files {
        folder,
        experiment: None,
        history: Some(RunHistory::default()),
        grading: None,
        manifest: None,
    };
    files.write(results).map(|_| ())
}

/// The value of a list as the name of a folder.
fn file_name(value: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "._-+".contains(c) { c } else { '_' };
    let name: String = value.chars().map(safe).collect();
    if name.trim_matches('.').is_empty() { format!("_{name}") } else { name }
}
