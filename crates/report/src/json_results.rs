//! All results as one JSON document: `--format json`.

#![deny(missing_docs)]

use std::io;

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::Answer;
use super::csv_tables::{agents_table, pairings_table, seats_table};
use super::kinds;
use crate::figures::first_move_table::SeatRows;
use crate::figures::luck_table;
use crate::figures::notes_before_tables::{GameCounts, remarks};
use crate::figures::run_results::Results;
use crate::text::data_table::DataTable;
use std::collections::BTreeMap;

/// A part of the document. A table may be long, so its rows are made while they are written.
#[derive(Serialize)]
#[serde(untagged)]
enum Part<'a> {
    Value(Value),
    Table(DataTable<'a>),
}

/// Writes the document, with its keys in alphabetical order and a newline at its end.
///
/// # Errors
/// If writing to `out` fails.
pub fn write(results: &Results, out: &mut dyn io::Write) -> io::Result<()> {
    let Results { heading, tally, context, .. } = results;
    let GameCounts { games, distinct_games, voids, faults, plies } = GameCounts::of(tally);
    let seats = SeatRows::new(tally, context);
    let (kind, complete) = (kinds::of(tally, context), context.complete());
    let values = [
        ("config_hash", json!(heading.config_hash)),
        ("decision", json!(kinds::decision(results).word())),
        ("distinct_games", json!(distinct_games)),
        ("faults", json!(faults)),
        ("game", json!(heading.game)),
        ("games", json!(games)),
        ("graded_games", json!(tally.grades.as_ref().map(|grades| grades.games))),
        ("name", json!(heading.name)),
        ("notes", json!(remarks(tally, context))),
        ("openings", json!(heading.openings)),
        ("plies", json!(plies)),
        ("question", json!(heading.question)),
        ("seed", json!(heading.seed)),
        ("sprt", json!(kind.test_as_json(complete))),
        ("verdict", json!(Answer::of(results).sentence)),
        ("voids", json!(voids)),
    ];
    let mut tables = vec![
        ("agents", agents_table(results)),
        ("pairings", pairings_table(results)),
        ("seats", seats_table(&seats)),
    ];
    for (file, table) in kind.data(results) {
        tables.push((file.word().trim_end_matches(".csv"), table));
    }
    let mut document: BTreeMap<&str, Part<'_>> = BTreeMap::new();
    for (key, value) in values {
        document.insert(key, Part::Value(value));
    }
    for (key, table) in tables {
        document.insert(key, Part::Table(table));
    }
    if let Some(luck) = luck_table::json(results) {
        document.insert("luck", Part::Value(luck));
    }
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
