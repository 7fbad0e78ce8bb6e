//! The rating list and the cross table for the terminal.

use super::agent_figures::{AgentFigures, agent_figures};
use super::notes_below_rating_list;
use super::ranking::{Ranking, between, judge, rating_cells};
use super::run_facts_for_tables::{RatingIntervals, RunContext};
use super::run_results::Results;
use crate::arena::Tally;
use crate::stats::ratings::Standing;
use crate::text::number_format::{NONE, chance, p_value, percentage};
use crate::text::text_table::TextTable;

/// The rating list as a table; `None` if no two different agents met.
pub(crate) fn table(run: &Results) -> Option<TextTable> {
    let Results { tally, context, ranking, .. } = run;
    let standings: Vec<(String, &Standing)> = ranking.ranks().collect();
    if standings.is_empty() {
        return None;
    }
    let rated = ranking.any_rating();
    let next = rated && !ranking.exact && ranking.intervals == RatingIntervals::FixedLength;
    let ends = ranking.intervals.head().filter(|_| ranking.any_interval());
    let (figures, shown) = (agent_figures(), ["games", "wins", "draws", "losses", "score"]);
    let table = TextTable::new("Who is stronger?").figures(["#"]).text(["agent"]);
    let mut table = figures
        .heads(table, &shown)
        .figures(rated.then_some("Elo"))
        .figures(ends)
        .figures(next.then_some(["LOS next", "p next"]).into_iter().flatten());
    for (i, (rank, standing)) in standings.iter().enumerate() {
        let row = AgentFigures::new(run, standing.player);
        let [rating, range] = rating_cells(tally, ranking, standing);
        let below = (standings.get(i + 1))
            .filter(|(_, next)| !ranking.withheld(standing) && !ranking.withheld(next))
            .and_then(|(_, next)| ranking.compared(standing.player, next.player));
        // The comparison may list the two agents in the opposite order.
        let los = below.map(|c| if c.a == standing.player { c.los } else { 1.0 - c.los });
        let mut cells = vec![rank.clone(), context.marked_name(tally, standing.player)];
        cells.extend(shown.map(|name| figures.show(name, &row)));
        cells.extend(rated.then_some(rating));
        cells.extend(ends.map(|_| range));
        if next {
            cells.extend([chance(los), p_value(below.map(|comparison| comparison.p_holm))]);
        }
        table.row(cells);
    }
    table.notes = notes_below_rating_list::notes(tally, context, ranking);
    Some(table)
}

/// Maximum number of agents in a cross table.
const MOST: usize = 24;

/// Scores of the row's agent against the column's agent in percent. `None` for fewer than three
/// agents, where the ranking is sufficient, or for too many agents to read.
pub(crate) fn cross_table(
    tally: &Tally,
    context: &RunContext,
    ranking: &Ranking,
) -> Option<TextTable> {
    let (labels, standings): (Vec<String>, Vec<usize>) =
        ranking.ranks().map(|(rank, standing)| (rank, standing.player)).unzip();
    if !(3..=MOST).contains(&standings.len()) {
        return None;
    }
    let sampling = context.overall(tally);
    let mut table = TextTable::new("Cross table")
        .figures(["#"])
        .text(["score % against"])
        .figures(labels.iter().cloned());
    for (label, &row) in labels.iter().zip(&standings) {
        let mut cells = vec![label.clone(), context.marked_name(tally, row)];
        cells.extend(standings.iter().map(|&column| {
            let met = if row == column { None } else { between(tally, row, column) };
            match met.and_then(|evidence| judge(&evidence, sampling).score) {
                Some(score) => percentage(score, 0),
                None if row == column => "·".to_owned(),
                None => NONE.to_owned(),
            }
        }));
        table.row(cells);
    }
    Some(table)
}
