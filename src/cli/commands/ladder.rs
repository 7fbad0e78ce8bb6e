//! `agon ladder`: a page of the ratings of a pool by date.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use clap::Args;

use super::rate::{ranked_list, sides_of};
use crate::arena::{ResultRows, TableOptions, read_result_tables};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::print_text;
use crate::report::{LadderDay, TextTable, ladder_page, percent};
use crate::stats::ranked::RankedOptions;

/// Writes a page of the ratings of a pool: by date, with intervals, and a cross table.
///
/// The page is one HTML file. `agon rate FILE --pool POOL` makes the pool. Each day has the
/// ratings of all games up to it.
#[derive(Debug, Args)]
pub struct LadderArgs {
    /// The pool.
    pool: PathBuf,
    /// The page to write.
    #[arg(long, value_name = "FILE", default_value = "ladder.html")]
    out: PathBuf,
}

/// The most days with ratings of their own. Of more days, some are left out.
const MOST_DAYS: usize = 60;
/// The most players in a cross table.
const MOST_PLAYERS: usize = 24;

/// Writes the page.
pub fn run(args: &LadderArgs, _: &CommandContext<'_>) -> Result<u8, Failure> {
    let options = TableOptions { split_by: Some("date".to_owned()), ..TableOptions::default() };
    let rows = read_result_tables(&[&args.pool], &options)?;
    let name =
        args.pool.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let days = days(&rows)?;
    let step = days.len().div_ceil(MOST_DAYS).max(1);
    let shown: Vec<u64> = days.iter().rev().step_by(step).rev().copied().collect();
    let day_of_list = days_of_lists(&rows)?;
    let options = RankedOptions { seat_effects: true, ..RankedOptions::default() };
    let mut ladder = Vec::new();
    for day in shown {
        let is_played = |list: u32| day_of_list[list as usize] <= day;
        // The first days may not have enough games for ratings.
        match ranked_list(&rows, &is_played, &options, &name) {
            Ok(list) => ladder.push(LadderDay { day, list }),
            Err(error) if Some(&day) == days.last() => return Err(error),
            Err(_) => {}
        }
    }
    let page = ladder_page(&name, &ladder, cross_table(&rows, &ladder));
    fs::write(&args.out, page).map_err(|error| {
        let message = format!("cannot write {}: {error}", args.out.display());
        Failure::usage(message, "name another file with `--out`")
    })?;
    print_text(&format!("{}\n", args.out.display()))?;
    Ok(exit_codes::DONE)
}

/// The day of each list, since 1970. A list has the rows of one date.
fn days_of_lists(rows: &ResultRows) -> Result<Vec<u64>, Failure> {
    let day = |date: &str| {
        let day = date.get(..10).map(|day| format!("{day}T00:00:00Z"));
        let time = day.and_then(|day| humantime::parse_rfc3339(&day).ok());
        let since = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        since.map(|since| since.as_secs() / 86_400).ok_or_else(|| {
            let message = format!("{}: `{date}` is not a date", rows.files[0]);
            Failure::usage(message, "write dates such as 2026-11-27")
        })
    };
    rows.lists.iter().map(day).collect()
}

/// All days with games, in order.
fn days(rows: &ResultRows) -> Result<Vec<u64>, Failure> {
    let mut days = days_of_lists(rows)?;
    days.sort_unstable();
    days.dedup();
    Ok(days)
}

/// The share of the games of two players that the first one won, in percent; a tie is half a win.
fn cross_table(rows: &ResultRows, ladder: &[LadderDay]) -> Option<TextTable> {
    let list = &ladder.last()?.list;
    let order = list.order();
    if !(3..=MOST_PLAYERS).contains(&order.len()) {
        return None;
    }
    let mut points: BTreeMap<(usize, usize), (f64, u32)> = BTreeMap::new();
    for row in rows.iter() {
        let sides = sides_of(&row);
        for (a, b) in
            sides.iter().flat_map(|a| sides.iter().map(move |b| (a, b))).filter(|(a, b)| a != b)
        {
            let score = match a.rank.cmp(&b.rank) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
            for (&player, &other) in
                a.members.iter().flat_map(|a| b.members.iter().map(move |b| (a, b)))
            {
                let of = points.entry((player, other)).or_default();
                *of = (of.0 + score, of.1 + 1);
            }
        }
    }
    let heads = (1..=order.len()).map(|rank| rank.to_string());
    let mut table =
        TextTable::new("Cross table").figures(["#"]).text(["score % against"]).figures(heads);
    for (rank, &player) in (1..).zip(&order) {
        let mut cells = vec![rank.to_string(), list.players[player].clone()];
        cells.extend(order.iter().map(|&other| match points.get(&(player, other)) {
            _ if other == player => "·".to_owned(),
            score => percent(score.map(|(sum, games)| sum / f64::from(*games))),
        }));
        table.row(cells);
    }
    Some(table)
}
