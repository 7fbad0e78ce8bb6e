//! All results as one JSON document: `--format json`.

use std::io;

use serde::Serialize;

use super::agents_pairings_seats_csv::{agents_table, pairings_table, seats_table};
use super::data_table::DataTable;
use super::first_move_advantage::SeatRows;
use super::notes_before_tables::{GameCounts, remarks};
use super::run_results::Results;
use super::{
    luck_table, round_decisions, sprt_text, standings_and_matches, tuned_parameters,
    two_agents_report,
};

/// Writes the document with a newline at its end.
///
/// # Errors
/// If writing to `out` fails.
pub fn write(results: &Results, mut out: impl io::Write) -> io::Result<()> {
    let Results { heading, tally, context, .. } = results;
    let GameCounts { games, distinct_games, voids, faults, plies } = GameCounts::of(tally);
    let seats = SeatRows::new(tally, context);
    let document = Document {
        agents: agents_table(results),
        config_hash: heading.config_hash.as_deref(),
        decisions: context.adaptive.as_ref().map(|_| round_decisions::data(results)),
        distinct_games,
        faults,
        game: &heading.game,
        games,
        graded_games: tally.grades.as_ref().map(|grades| grades.games),
        luck: luck_table::json(results),
        matches: context.tournament.as_ref().map(|_| standings_and_matches::matches_data(results)),
        name: &heading.name,
        notes: remarks(tally, context),
        openings: &heading.openings,
        pairings: pairings_table(results),
        plies,
        question: heading.question.as_deref(),
        seats: seats_table(&seats),
        seed: heading.seed,
        standings: context
            .tournament
            .as_ref()
            .map(|_| standings_and_matches::standings_data(results)),
        sprt: tally.sprt.as_ref().map(|sprt| sprt_text::json(sprt, context.complete())),
        tune: context.tuning.as_ref().map(|_| tuned_parameters::data(results)),
        verdict: round_decisions::answer(results)
            .or_else(|| two_agents_report::verdict(tally, context)),
        voids,
    };
    out.write_all(&serde_json::to_vec_pretty(&document)?)?;
    writeln!(out)
}

/// All results for other programs, with the keys in alphabetical order.
#[derive(Serialize)]
struct Document<'a> {
    agents: DataTable<'a>,
    config_hash: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decisions: Option<DataTable<'a>>,
    distinct_games: u64,
    faults: u64,
    game: &'a str,
    games: u64,
    graded_games: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matches: Option<DataTable<'a>>,
    name: &'a str,
    notes: Vec<String>,
    openings: &'a str,
    pairings: DataTable<'a>,
    plies: u64,
    question: Option<&'a str>,
    seats: DataTable<'a>,
    seed: Option<u64>,
    sprt: Option<serde_json::Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standings: Option<DataTable<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tune: Option<DataTable<'a>>,
    verdict: Option<String>,
    voids: u64,
}
