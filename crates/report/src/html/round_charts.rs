//! Charts of a format in rounds: when agents were eliminated, how the evidence grew, and which
//! pairings got the games.

use maud::{Markup, html};

use super::evidence_over_time_charts::games_axis;
use super::page_sections::cross_table;
use crate::arena::{RunState, Tally};
use crate::figures::run_results::Results;
use crate::html::svg::axis_scale::tick_text;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::dot_and_interval_chart::{DotChart, DotRow, draw as draw_dots};
use crate::html::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw};
use crate::html::svg::svg_elements::LegendEntry;
use crate::rounds::adaptive_rounds::{Adaptive, AdaptiveQuestion};
use crate::text::number_format::{NONE, counted, fixed, grouped};
use crate::text::text_width::to_columns;

/// The number of lines that are drawn.
const LINES: usize = 6;

/// When each agent was eliminated.
pub fn eliminated(source: &ChartSource<'_>) -> Option<Figure> {
    let adaptive = best(source)?;
    let tally = &source.results.tally;
    let row = |agent: usize, games: u64, figures: String, words: String| DotRow {
        label: tally.names[agent].clone(),
        value: Some(games as f64),
        low: Some(0.0),
        high: Some(games as f64),
        figures,
        title: format!("{}: {words} after {}", tally.names[agent], counted(games, "game")),
    };
    let mut rows: Vec<DotRow> = (adaptive.survivors().into_iter())
        .map(|agent| row(agent, tally.rows, "in".to_owned(), "not eliminated".to_owned()))
        .collect();
    rows.extend(adaptive.decisions().iter().rev().map(|decision| {
        let words = format!("eliminated by {}", tally.names[decision.better]);
        row(decision.worse, decision.games, grouped(decision.games), words)
    }));
    let name = "Games until an agent was eliminated";
    let tick = |value: f64| grouped(value as u64);
    let plain = DotChart::new(name, "games of all pairings", &tick, &rows);
    figure(name, draw_dots(&plain), "in: not eliminated; games come in rounds")
}

fn adaptive(results: &Results) -> Option<&Adaptive> {
    match &results.context.state {
        RunState::Rounds(adaptive) => Some(adaptive),
        _ => None,
    }
}

fn best<'a>(source: &'a ChartSource<'_>) -> Option<&'a Adaptive> {
    let adaptive = adaptive(source.results)?;
    (adaptive.design().question == AdaptiveQuestion::Best && adaptive.rounds() > 0)
        .then_some(adaptive)
}

/// How the evidence against the last agents grew.
pub fn e_values(source: &ChartSource<'_>) -> Option<Figure> {
    let adaptive = adaptive(source.results)?;
    let names = &source.results.tally.names;
    let e_value = if adaptive.design().adjusted { "asymptotic e-value" } else { "e-value" };
    let log10 = |ln: f64| ln / std::f64::consts::LN_10;
    let mut shown: Vec<(usize, Vec<ChartPoint>)> =
        (0..names.len()).map(|agent| (agent, Vec::new())).collect();
    for round in adaptive.history() {
        for &(player, ln_e) in &round.evidence {
            let title = format!(
                "{} after {}: {e_value} {}",
                names[player as usize],
                counted(round.games, "game"),
                power_of_ten(log10(ln_e.into()))
            );
            let (x, y) = (round.games as f64, log10(ln_e.into()));
            shown[player as usize].1.push(ChartPoint { x, y, ends: None, title });
        }
    }
    shown.retain(|(_, spots)| !spots.is_empty());
    let all = shown.len();
    // Those that were compared for the longest time.
    shown.sort_by(|(_, a), (_, b)| {
        let last = |spots: &[ChartPoint]| spots.last().map_or(0.0, |spot| spot.x);
        last(b).total_cmp(&last(a))
    });
    shown.truncate(LINES);
    let legend: Vec<LegendEntry> = (shown.iter().enumerate())
        .map(|(number, (player, _))| LegendEntry::of_series(number, &names[*player]))
        .collect();
    let series: Vec<Series> = (shown.into_iter().enumerate())
        .map(|(number, (_, spots))| Series { number, band: false, spots })
        .collect();
    let is_best = adaptive.design().question == AdaptiveQuestion::Best;
    let bound = (log10(adaptive.elimination_bound()), "eliminated here");
    let chart = draw(&LineChart {
        name: "E-values over the games",
        x: games_axis(),
        y: Axis::new(&format!("{e_value}, as a power of ten"), &tick_text),
        references: if is_best { std::slice::from_ref(&bound) } else { &[] },
        series: &series,
        height: 180.0,
    });
    let what = match adaptive.design().question {
        AdaptiveQuestion::Best => "evidence that the leaders beat an agent",
        _ => "evidence that the two agents of a pair differ",
    };
    let note = match all > LINES {
        true => format!("{what}; the {LINES} agents that were compared longest"),
        false => what.to_owned(),
    };
    Some(Figure { legend, ..figure("E-values over the games", chart, &note)? })
}

fn power_of_ten(log10: f64) -> String {
    match log10 {
        log10 if log10 > 4.0 => format!("10^{}", fixed(log10, 0)),
        log10 => fixed(10.0_f64.powf(log10), if log10 < 1.0 { 2 } else { 0 }),
    }
}

/// How many pairs of a ranking were undecided.
pub fn undecided(source: &ChartSource<'_>) -> Option<Figure> {
    let adaptive = adaptive(source.results)?;
    if adaptive.design().question == AdaptiveQuestion::Best {
        return None;
    }
    let spots: Vec<ChartPoint> = (adaptive.history().iter())
        .map(|round| ChartPoint {
            x: round.games as f64,
            y: round.undecided as f64,
            ends: None,
            title: format!(
                "after {}: {} undecided",
                counted(round.games, "game"),
                counted(round.undecided.into(), "pair")
            ),
        })
        .collect();
    let tick = |value: f64| grouped(value as u64);
    let chart = draw(&LineChart {
        name: "Undecided pairs over the games",
        x: games_axis(),
        y: Axis { range: Some([0.0; 2]), whole: true, ..Axis::new("undecided pairs", &tick) },
        references: &[],
        series: &[Series { number: 0, band: false, spots }],
        height: 180.0,
    });
    figure("Undecided pairs over the games", chart, "")
}

/// Maximum number of agents in the table of games.
const MOST: usize = 40;
/// The games of each pairing: where the format spent them.
pub fn allocation(results: &Results) -> Markup {
    if adaptive(results).is_none() {
        return html! {};
    }
    let games = results.tally.pairings.iter().map(|(_, results)| results.games());
    let most = games.max().unwrap_or(0);
    let cell = |row, column| cell(&results.tally, row, column, most);
    let key = html! { p class="note" { "stronger colour: more games; — none" } };
    cross_table(results, MOST, "Games of each pairing", &cell, &key)
}

fn cell(tally: &Tally, row: usize, column: usize, most: u64) -> Markup {
    let pair = (row.min(column), row.max(column));
    let games = (tally.pairings.iter())
        .find(|(pairing, _)| (pairing.a.min(pairing.b), pairing.a.max(pairing.b)) == pair)
        .map_or(0, |(_, results)| results.games());
    let name = |agent: usize| to_columns(&tally.names[agent], 24);
    let title = format!("{} and {}: {}", name(row), name(column), counted(games, "game"));
    if games == 0 {
        return html! { td title=(title) { (NONE) } };
    }
    let depth = fixed(65.0 * (games as f64 / most.max(1) as f64).sqrt(), 0);
    html! { td class="hi" style={ "--p:" (depth) "%" } title=(title) { (grouped(games)) } }
}
