//! The short summary that the terminal shows by default: the answer, the ranking with the cost of
//! moves, moving first, and warnings. All other figures are in `summary.txt` and on the page.

use anstyle::{AnsiColor, Style};

use super::answer::{Answer, moving_first, without_luck};
use super::kinds;
use super::two_agents_report;
use crate::figures::agent_figures::{AgentFigures, agent_figures, has_moves};
use crate::figures::first_move_table::SeatRows;
use crate::figures::luck_table;
use crate::figures::move_quality_table;
use crate::figures::notes_before_tables::{drawn_by_length, forfeits, remarks};
use crate::figures::ranking::rating_cells;
use crate::figures::run_facts_for_tables::RatingIntervals;
use crate::figures::run_results::Results;
use crate::stats::ratings::Standing;
use crate::text::number_format::{NONE, counted, elo_plus_minus, grouped};
use crate::text::text_table::{TextTable, wrapped};

/// The short summary. Lines have at most `width` columns if possible. Escape sequences emphasize the
/// answer and forfeits.
pub fn short_summary(results: &Results, width: Option<usize>) -> String {
    let (strong, alarm) = (Style::new().bold(), AnsiColor::Red.on_default().bold());
    let fold = |text: &str| wrapped(text, width, "", "  ");
    let answer = Answer::of(results);
    let heading = &results.heading;
    let mut played = format!(
        "{} ({} distinct)",
        counted(results.tally.games(), "game"),
        grouped(results.tally.distinct_games()),
    );
    // A folder with games alone does not say what was played.
    let game = heading.game.split(" (").next().unwrap_or_default();
    let too_long = drawn_by_length(heading, &results.tally).unwrap_or_default();
    for part in [game, &heading.openings, &too_long].into_iter().filter(|part| !part.is_empty()) {
        played.push_str(&format!(" · {part}"));
    }
    let mut out = fold(&played);
    out.push_str(&format!("{strong}{}{strong:#}\n", fold(&answer.sentence).trim_end()));
    if answer.compares_agents {
        for text in [without_luck(results), luck_table::games_to_look_at(results)] {
            text.iter().for_each(|text| out.push_str(&fold(text)));
        }
        for (table, notes) in
            kinds::of(&results.tally, &results.context).first_screen(results, ranking(results))
        {
            out.push_str(&table.brief().lines(false, width));
            notes.iter().for_each(|note| out.push_str(&fold(note)));
        }
        // A dash is explained where there are numbers beside it.
        let is_mixed = results.ranking.any_rating();
        results
            .ranking
            .withheld_note()
            .filter(|_| is_mixed)
            .iter()
            .for_each(|note| out.push_str(&fold(note)));
        let first = SeatRows::new(&results.tally, &results.context).all();
        out.push_str(&fold(&moving_first(results, &first.judged)));
    } else if results.tally.games() > 0 {
        // Agents that only play themselves have no ranking.
        out.push_str(&ranking(results).brief().lines(false, width));
    }
    let forfeits = forfeits(&results.tally, &results.context);
    for remark in remarks(&results.tally, &results.context) {
        let style = if forfeits.as_ref() == Some(&remark) { alarm } else { Style::new() };
        out.push_str(&format!("{style}{}{style:#}\n", fold(&format!("note: {remark}")).trim_end()));
    }
    out
}

/// The agents with their ranks and the cells of their ratings, in the order of the table.
fn lines_of_agents(
    results: &Results,
    ranked: bool,
    intervals: bool,
) -> Vec<(String, usize, [String; 2])> {
    let Results { tally, ranking, .. } = results;
    if !ranked {
        let line = |agent| (String::new(), agent, Default::default());
        return (0..tally.names.len()).map(line).collect();
    }
    let rated = |(rank, standing): (String, &Standing)| {
        let numbers = ranking.numbers(standing);
        let rating = match intervals {
            true if numbers[0].is_some() => [elo_plus_minus(numbers), String::new()],
            _ => rating_cells(tally, ranking, standing),
        };
        (rank, standing.player, rating)
    };
    ranking.ranks().map(rated).collect()
}

/// An empty table with these columns.
fn table_of(columns: &[&str]) -> TextTable {
    let figures = agent_figures();
    columns.iter().fold(TextTable::new(""), |table, column| match figures.has(column) {
        true => figures.heads(table, &[column]),
        false => table.figures([*column]),
    })
}

/// One line per agent: rank, games, score, Elo, forfeits if there are any, and the cost of a move.
/// Agents that only play themselves have no rank.
fn ranking(results: &Results) -> TextTable {
    let Results { tally, context, ranking, .. } = results;
    let ranked = ranking.ranks().next().is_some();
    let grades = tally.grades.as_ref();
    // The difference of two agents is in the sentence above.
    let two = two_agents_report::judged(tally, context).is_some();
    let intervals = !ranking.exact
        && ranking.intervals == RatingIntervals::FixedLength
        && ranking.any_interval();
    let anytime =
        ranked && !two && !ranking.exact && ranking.intervals == RatingIntervals::AtAnyTime;
    let rated = ranking.any_rating();
    let eliminations = kinds::of(&results.tally, &results.context).eliminations(tally.names.len());
    let bounded =
        |(_, standing): &(_, &Standing)| ranking.numbers(standing)[1..].iter().any(Option::is_some);
    let anytime = anytime && ranking.ranks().any(|ranked| bounded(&ranked));
    let has_moves = has_moves(results);
    let columns = [
        ("#", ranked),
        ("agent", true),
        ("games", ranked),
        ("score", ranked),
        (if intervals { "Elo ±" } else { "Elo" }, !two && rated),
        ("95 % at any time", anytime),
        ("wins", ranked && two),
        ("draws", ranked && two),
        ("losses", ranked && two),
        ("optimal %", grades.is_some()),
        ("faults", tally.faults() > 0),
        ("out after", eliminations.is_some()),
        ("nodes_per_move", has_moves),
        ("time_per_move_ns_mean", has_moves),
        ("depth", has_moves),
    ];
    let columns: Vec<&str> =
        columns.into_iter().filter(|(_, shown)| *shown).map(|(column, _)| column).collect();
    let mut table = table_of(&columns);
    let figures = agent_figures();
    let lines = lines_of_agents(results, ranked, intervals);
    for (rank, agent, [rating, range]) in lines {
        let row = AgentFigures::new(results, agent);
        let cell = |column: &str| match column {
            "#" => rank.clone(),
            "agent" => context.marked_name(tally, agent),
            "Elo" | "Elo ±" => rating.clone(),
            "95 % at any time" => range.clone(),
            "optimal %" => grades.map_or(NONE.to_owned(), |grades| {
                move_quality_table::optimal_share(grades, agent, context)
            }),
            "out after" => {
                let after = eliminations.as_ref().and_then(|after| after[agent]);
                after.map_or(NONE.to_owned(), grouped)
            }
            "depth" => row.depth_in_brief(),
            figure => figures.show(figure, &row),
        };
        table.row(columns.iter().map(|column| cell(column)));
    }
    table
}
