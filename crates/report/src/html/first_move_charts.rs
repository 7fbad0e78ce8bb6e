//! Charts that compare the first and the second player.

use crate::figures::first_move_table::FirstMoveTable;
use crate::html::svg::axis_scale::tick_text;
use crate::html::svg::bar_chart::{Share, result_legend, shares};
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::dot_and_interval_chart::{DotChart, DotRow, draw};
use crate::text::number_format::{
    counted, explain_missing, grouped, informative, percent, percents,
};

/// Maximum number of rows in a chart.
const MOST: usize = 16;

pub fn score(source: &ChartSource<'_>) -> Option<Figure> {
    let all = &source.seats;
    let shown = all.chart(MOST);
    let left_out = if all.len() == 2 { 0 } else { all.len() - shown.len() };
    let fixed_length = source.results.fixed_length();
    let rows: Vec<DotRow> = shown.iter().map(|seats| row(seats, fixed_length)).collect();
    let axis = "first player's score in %";
    let plain = DotChart::new("First player's score", axis, &tick_text, &rows);
    let chart = draw(&DotChart { reference: Some(50.0), class: "first", ..plain });
    let mut note = "lines: 95 % intervals over distinct games; above 50 % the first player scores \
                    more"
        .to_owned();
    if left_out > 0 {
        note.push_str(&format!("; seats.csv has {}", counted(left_out as u64, "more row")));
    }
    let note = explain_missing(
        note,
        shown.iter().map(|seats| seats.judged.interval_that_holds(fixed_length)),
    );
    figure("First player's score", chart, &note)
}

pub fn results(source: &ChartSource<'_>) -> Option<Figure> {
    let bars: Vec<Share> = (source.seats.chart(MOST).iter())
        .map(|seats| Share {
            label: label(seats),
            counts: [seats.results.wins(), seats.results.draws(), seats.results.losses()],
            figures: grouped(seats.games),
        })
        .collect();
    let name = "Results by seat";
    let plain = figure(name, shares(name, &bars, false), "share of games; number at the right")?;
    Some(Figure { legend: result_legend(), ..plain })
}

/// A short label of the games; agents with fixed seats are named in the order of moves.
fn label(seats: &FirstMoveTable) -> String {
    match seats.scope.split_once(" (first) vs ") {
        Some((first, second)) => format!("{first} – {}", second.trim_end_matches(" (second)")),
        None => seats.scope.clone(),
    }
}

fn row(seats: &FirstMoveTable, fixed_length: bool) -> DotRow {
    let judged = &seats.judged;
    let title = format!(
        "{}: the first player scores {} %, 95 % {}, at any time {}; {} distinct games; {}",
        seats.scope,
        percent(judged.score),
        percents(judged.interval),
        percents(judged.anytime),
        grouped(seats.distinct),
        judged.verdict.of_seats()
    );
    DotRow::percent(
        label(seats),
        judged.score,
        informative(judged.interval_that_holds(fixed_length)),
        title,
    )
}
