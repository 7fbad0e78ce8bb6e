//! `agon rate`: a verdict on results that other programs have written.

mod any_seats;
mod named_players;
mod notes_of_tables;
mod output_folders;
mod rate_args;
mod two_seats;

pub(super) use any_seats::{ranked_list, sides_of};

use std::fs;
use std::path::{Path, PathBuf};

use rate_args::{RateArgs, Ties};

use crate::arena::{
    ColumnRole, ResultRows, TableFault, TableOptions, append_to_pool, column_word,
    read_result_tables,
};
use crate::cli::command_entry::CommandContext;
use crate::cli::failure::Failure;
use crate::report::{TableFormat, counted};

/// Reads the tables and prints the ratings. The exit code is that of a test, if there is one.
pub fn run(args: &RateArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    check_columns(&args.columns)?;
    let options = TableOptions {
        columns: args.columns.clone(),
        group: args.group.clone(),
        split_by: args.split_by.clone(),
        skip_bad: args.skip_bad,
    };
    let mut rows = read_result_tables(&args.files, &options)?;
    if rows.is_empty() {
        let notes = notes_of_tables::notes(&rows).join("\n");
        let help = "name a file with at least one game that has a result";
        return Err(Failure::usage(format!("no row has a result\n{notes}"), help));
    }
    if let Some(pool) = &args.pool {
        let real = |path: &PathBuf| fs::canonicalize(path).ok();
        if real(pool)
            .is_some_and(|pool| args.files.iter().any(|file| real(file) == Some(pool.clone())))
        {
            let message = format!("the pool {} is also a file to append", pool.display());
            return Err(Failure::usage(message, "`agon rate POOL` rates a pool alone"));
        }
        rows = add_to_pool(&rows, pool, args)?;
    }
    let needs_ranks = !rows.is_two_seats()
        || rows.has_groups()
        || !args.anchor.is_empty()
        || args.ties != Ties::Average
        || args.place.is_some()
        || args.within.is_some();
    if context.format == TableFormat::Csv && args.split_by.is_some() {
        let help = "use another format, or `--out DIR`, which gets a folder for each list";
        return Err(Failure::usage("`--split-by` has several lists, and CSV is one table", help));
    }
    match needs_ranks {
        true => any_seats::print(&rows, args, context),
        false => two_seats::print(&rows, args, context),
    }
}

/// Refuses a meaning with two columns, and a column with two meanings. Several columns may be conditions.
fn check_columns(columns: &[(ColumnRole, String)]) -> Result<(), Failure> {
    for (place, (role, name)) in columns.iter().enumerate() {
        let mut earlier = columns[..place].iter();
        let word = column_word(*role);
        let wrong = |message: String, help: &str| Err(Failure::usage(message, help));
        if let Some((other, _)) = earlier.clone().find(|(_, it)| it.eq_ignore_ascii_case(name)) {
            let other = column_word(*other);
            let message =
                format!("`--columns` names the column `{name}` twice: {other} and {word}");
            return wrong(message, "give each column one meaning");
        }
        let same = earlier.find(|(it, _)| it == role && *role != ColumnRole::Condition);
        if let Some((_, other)) = same {
            let message =
                format!("`--columns` names two columns for {word}: `{other}` and `{name}`");
            return wrong(
                message,
                "name one column for each meaning, such as `first=white,second=black`",
            );
        }
    }
    Ok(())
}

/// Appends the rows to the pool and reads the whole pool. The notes say what was appended.
fn add_to_pool(rows: &ResultRows, pool: &Path, args: &RateArgs) -> Result<ResultRows, Failure> {
    let added = counted(append_to_pool(pool, rows)?, "row");
    let options = TableOptions { skip_bad: args.skip_bad, ..TableOptions::default() };
    let mut all = read_result_tables(&[pool], &options)?;
    all.notes.push(format!("{added} appended to {}", pool.display()));
    all.notes.extend(notes_of_tables::notes(rows));
    Ok(all)
}

impl From<TableFault> for Failure {
    fn from(fault: TableFault) -> Self {
        Failure::usage(&fault, &fault.help)
    }
}
