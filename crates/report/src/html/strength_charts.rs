//! Charts of strength: ratings with their intervals, and scores by pairing.

use maud::{Markup, html};

use super::page_sections::{cross_table, figures, sheet};
use super::round_charts;
use crate::arena::Tally;
use crate::figures::luck_table;
use crate::figures::pairing_figures::{PairingFigures, met, pairing_figures};
use crate::figures::points_table;
use crate::figures::ranking::{between, judge, rating_cells, results};
use crate::figures::ranking_and_cross_table;
use crate::figures::run_results::Results;
use crate::figures::verdict_phrases::Sampling;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::dot_and_interval_chart::{DotChart, DotRow, draw};
use crate::html::svg::knockout_bracket;
use crate::kinds;
use crate::stats::ratings::Reference;
use crate::text::number_format::{
    NONE, elo, explain_missing, fixed, grouped, informative, percent, percentage, percents,
};
use crate::text::text_width::to_columns;
use crate::two_agents_report;

pub fn content(source: &ChartSource<'_>, charts: &Markup) -> Markup {
    let Results { tally, context, .. } = source.results;
    let table = ranking_and_cross_table::table(source.results);
    let head_to_head = two_agents_report::table(tally, context);
    html! {
        div class="charts" {
            (charts)
            (heat(source.results))
            (round_charts::allocation(source.results))
            @if let Some(table) = points_table::table(tally, context) {
                figure class="wide" { figcaption { (table.title) } (sheet(&table)) }
            }
        }
        (knockout_bracket::content(source.results))
        @for table in kinds::of(&source.results.tally, &source.results.context).tables(source.results) {
            (figures(Some(&table)))
        }
        (figures(head_to_head.as_ref()))
        (figures(luck_table::table(source.results).as_ref()))
        (figures(luck_table::luckiest_games(source.results).as_ref()))
        (figures(table.as_ref()))
    }
}

/// The rating list; bounds are arrows.
pub fn ratings(source: &ChartSource<'_>) -> Option<Figure> {
    let Results { tally, context, ranking, .. } = source.results;
    // The difference of two agents is in the first sentence and in the chart of scores.
    if ranking.ranks().count() == 2 || !ranking.any_rating() {
        return None;
    }
    let mut rows = Vec::new();
    for (rank, standing) in ranking.ranks() {
        let name = context.marked_name(tally, standing.player);
        let [value, low, high] = ranking.numbers(standing);
        let [rating, ends] = rating_cells(tally, ranking, standing);
        let games = grouped(results(tally, standing.player).n());
        let score = percent(standing.score);
        let figures = match (rating == NONE, ends == NONE) {
            (true, _) => ends.clone(),
            (false, true) => rating.clone(),
            (false, false) => format!("{rating} {ends}"),
        };
        let known = if rating == NONE { String::new() } else { format!("{rating} ") };
        let title = format!("{name}: Elo {known}{ends}, score {score} % of {games} games");
        // A bound against one opponent is on a different scale.
        let own = standing.against.is_some();
        let on = |value: Option<f64>| value.filter(|_| !own);
        // A label is short, and the rank of a reference is mark enough.
        let label = format!("{rank}. {}", tally.names[standing.player]);
        let figures = if own { ends } else { figures };
        rows.push(DotRow { label, value: on(value), low: on(low), high: on(high), figures, title });
    }
    let axis = match context.reference {
        Reference::Player(agent) => format!("Elo relative to {}", tally.names[agent]),
        Reference::Mean if ranking.components() > 1 => "Elo relative to its group".to_owned(),
        Reference::Mean => "Elo relative to the mean".to_owned(),
    };
    let plain = DotChart::new("Rating list", &axis, &elo, &rows);
    let chart = draw(&DotChart { reference: Some(0.0), ..plain });
    let bounded = rows.iter().any(|row| row.value.is_none() && (row.low.or(row.high)).is_some());
    let lines = match ranking.exact {
        true => "exact over the opening set: no sampling error",
        false => ranking.intervals.lines(),
    };
    let arrows = if bounded { "; arrows: bounds" } else { "" };
    let withheld = ranking.withheld_note().map_or(String::new(), |note| format!("; {note}"));
    figure("Rating list", chart, &format!("{lines}{arrows}{withheld}"))
}

/// The score of every pairing with the interval valid at any time, if there are few agents.
pub fn scores(source: &ChartSource<'_>) -> Option<Figure> {
    let Results { tally, context, ranking, .. } = source.results;
    if met(tally).count() > 12 || !context.state.rates_agents() {
        return None;
    }
    let fixed_length = source.results.fixed_length();
    let all: Vec<PairingFigures<'_>> = PairingFigures::all(source.results, None).collect();
    let holds = |of: &PairingFigures<'_>| of.judged.interval_that_holds(fixed_length);
    let row = |of: &PairingFigures<'_>| {
        let figures = pairing_figures();
        let [a, b, score, interval, anytime, verdict] =
            ["agent_a", "agent_b", "a_score", "score_low", "anytime_low", "verdict"]
                .map(|name| figures.show(name, of));
        let label = format!("{a} – {b}");
        let title =
            format!("{label}: {score} %, 95 % {interval}, at any time {anytime}; {verdict}");
        DotRow::percent(label, of.judged.score, informative(holds(of)), title)
    };
    let rows: Vec<DotRow> = all.iter().map(row).collect();
    let axis = "score of the agent named first, in %";
    let plain = DotChart::percents("Score of each pairing", axis, &rows);
    let chart = draw(&DotChart { reference: Some(50.0), ..plain });
    let lines = match fixed_length {
        true => "lines: 95 % intervals for a number of games chosen before the run",
        false => "lines: 95 % intervals that hold at any time",
    };
    let note = match ranking.correction.len() {
        0 | 1 => lines.to_owned(),
        n => format!("{lines}; verdicts are corrected for {n} comparisons"),
    };
    figure("Score of each pairing", chart, &explain_missing(note, all.iter().map(holds)))
}

/// Maximum number of agents in a cross table.
const MOST: usize = 60;

/// The cross table: the score of the row's agent against the column's agent.
fn heat(results: &Results) -> Markup {
    let sampling = results.context.overall(&results.tally);
    let cell = |row, column| cell(&results.tally, sampling, row, column);
    let key = html! {
        p class="heat-key" {
            "loses " span class="key" aria-hidden="true" {} " wins · 50 % has no colour"
        }
    };
    let caption = "Cross table: score of the row against the column, in %";
    cross_table(results, MOST, caption, &cell, &key)
}

fn cell(tally: &Tally, sampling: Sampling, row: usize, column: usize) -> Markup {
    // The number of cells is the square of the number of agents, so names are short.
    let name = |agent: usize| to_columns(&tally.names[agent], 24);
    let evidence = between(tally, row, column);
    let judged = evidence.map(|evidence| judge(&evidence, sampling));
    let Some((score, judged)) = judged.and_then(|judged| Some((judged.score?, judged))) else {
        let title = format!("{} and {} played no games", name(row), name(column));
        return html! { td title=(title) { (NONE) } };
    };
    let side = if score < 0.5 { "lo" } else { "hi" };
    let depth = fixed(100.0 * (score - 0.5).abs() * 1.3, 0);
    let title = format!(
        "{} against {}: {} %, 95 % {}",
        name(row),
        name(column),
        percent(Some(score)),
        percents(judged.interval)
    );
    html! {
        td class=(side) style={ "--p:" (depth) "%" } title=(title) { (percentage(score, 0)) }
    }
}
