//! `agon rate`: a verdict on results that other programs have written.

mod notes_of_tables;
mod rate_args;
mod two_seats;

use rate_args::RateArgs;

use crate::arena::{ResultRows, TableFault, TableOptions, read_result_tables};
use crate::cli::command_entry::CommandContext;
use crate::cli::failure::Failure;

/// Reads the tables and prints the ratings. The exit code is that of a test, if there is one.
pub fn run(args: &RateArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let options = TableOptions {
        columns: args.columns.clone(),
        group: None,
        split_by: args.split_by.clone(),
        skip_bad: args.skip_bad,
    };
    let rows = read_result_tables(&args.files, &options)?;
    if rows.is_empty() {
        let notes = notes_of_tables::notes(&rows).join("\n");
        return Err(Failure::usage(format!("no row has a result\n{notes}"), ""));
    }
    check_seats(&rows)?;
    two_seats::print(&rows, args, context)
}

fn check_seats(rows: &ResultRows) -> Result<(), Failure> {
    let Some(row) = rows.iter().find(|row| !matches!(row.players, [a, b] if a.seat != b.seat))
    else {
        return Ok(());
    };
    let place = format!("{}, line {}", rows.files[row.facts.file as usize], row.facts.line);
    Err(Failure::usage(
        format!(
            "{place}: the row has {} players; `agon rate` rates rows of two players",
            row.players.len()
        ),
        "give the results of two players against each other",
    ))
}

impl From<TableFault> for Failure {
    fn from(fault: TableFault) -> Self {
        Failure::usage(&fault, &fault.help)
    }
}
