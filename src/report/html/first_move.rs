//! Charts that compare the first and the second player.

use maud::{Markup, html};

use super::bar_chart::{Share, result_legend, shares};
use super::dot_chart::{DotChart, DotRow, draw};
use super::layout::{figure, figures};
use super::score_by_seat;
use crate::arena::Tally;
use crate::gather::Gather;
use crate::report::first_move::{FirstMoveTable, SeatRows, table};
use crate::report::number_format::{counted, fixed, grouped, percent, percents};

/// Maximum number of rows in a chart.
const MOST: usize = 16;

pub fn content(tally: &Tally, all: &SeatRows<'_>) -> Markup {
    let shown = all.chart(MOST);
    let left_out = if all.len() == 2 { 0 } else { all.len() - shown.len() };
    let rows: Vec<DotRow> = shown.iter().map(row).gather();
    let tick = |value: f64| fixed(value, 0);
    let axis = "first player's score in %";
    let plain = DotChart::new("First player's score", axis, &tick, &rows);
    let chart = draw(&DotChart { reference: Some(50.0), class: "first", ..plain });
    let bars: Vec<Share> = (shown.iter())
        .map(|seats| Share {
            label: label(seats),
            counts: [seats.results.wins(), seats.results.draws(), seats.results.losses()],
            figures: grouped(seats.games),
        })
        .gather();
    let mut note = "lines: 95 % intervals over distinct games; above 50 % the first player scores \
                    more"
        .to_owned();
    if left_out > 0 {
        note.push_str(&format!("; seats.csv has {}", counted(left_out as u64, "more row")));
    }
    html! {
        div class="charts" {
            (figure("First player's score", html! {}, chart, &note))
            (figure("Results by seat", result_legend(),
                shares("Results by seat", &bars, false), "share of games; number at the right"))
            (score_by_seat::content(tally, all))
        }
        (figures(Some(&table(tally, all))))
    }
}

/// A short label of the games; agents with fixed seats are named in the order of moves.
fn label(seats: &FirstMoveTable) -> String {
    match seats.scope.split_once(" (first) vs ") {
        Some((first, second)) => format!("{first} – {}", second.trim_end_matches(" (second)")),
        None => seats.scope.clone(),
    }
}

fn row(seats: &FirstMoveTable) -> DotRow {
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
    DotRow::percent(label(seats), judged.score, judged.interval, title)
}
