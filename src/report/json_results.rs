//! All results as one JSON document: `--format json`.

use std::io;

use serde_json::json;

use super::agents_pairings_seats_csv::{agents_table, pairings_table, seats_table};
use super::first_move_advantage::SeatRows;
use super::notes_before_tables::{GameCounts, remarks};
use super::run_results::Results;
use super::{
    luck_table, round_decisions, sprt_text, standings_and_matches, tuned_parameters,
    two_agents_report,
};

/// Writes the document, with its keys in alphabetical order and a newline at its end.
///
/// # Errors
/// If writing to `out` fails.
pub fn write(results: &Results, out: &mut dyn io::Write) -> io::Result<()> {
    let Results { heading, tally, context, .. } = results;
    let GameCounts { games, distinct_games, voids, faults, plies } = GameCounts::of(tally);
    let seats = SeatRows::new(tally, context);
    let complete = context.complete();
    let mut document = json!({
        "agents": agents_table(results).json(),
        "config_hash": heading.config_hash,
        "distinct_games": distinct_games,
        "faults": faults,
        "game": heading.game,
        "games": games,
        "graded_games": tally.grades.as_ref().map(|grades| grades.games),
        "name": heading.name,
        "notes": remarks(tally, context),
        "openings": heading.openings,
        "pairings": pairings_table(results).json(),
        "plies": plies,
        "question": heading.question,
        "seats": seats_table(&seats).json(),
        "seed": heading.seed,
        "sprt": tally.sprt.as_ref().map(|sprt| sprt_text::json(sprt, complete)),
        "verdict": round_decisions::answer(results)
            .or_else(|| two_agents_report::verdict(tally, context)),
        "voids": voids,
    });
    if context.adaptive.is_some() {
        document["decisions"] = round_decisions::data(results).json();
    }
    if let Some(luck) = luck_table::json(results) {
        document["luck"] = luck;
    }
    if context.tournament.is_some() {
        document["matches"] = standings_and_matches::matches_data(results).json();
        document["standings"] = standings_and_matches::standings_data(results).json();
    }
    if context.tuning.is_some() {
        document["tune"] = tuned_parameters::data(results).json();
    }
    writeln!(out, "{document:#}")
}
