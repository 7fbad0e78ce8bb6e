//! Charts of the quality of moves, measured by exact values.

use maud::{Markup, html};

use super::page_sections::figures;
use crate::arena::{Grades, SideGrades};
use crate::figures::move_quality_table;
use crate::figures::run_results::Results;
use crate::html::svg::axis_scale::tick_text;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::dot_and_interval_chart::{DotChart, DotRow, draw};
use crate::html::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw as draw_lines};
use crate::html::svg::svg_elements::LegendEntry;
use crate::stats::Confidence;
use crate::text::number_format::{grouped, informative, percent, percents};

/// Maximum number of agents in a line chart.
const MOST: usize = 6;

/// The section; empty if no move was graded.
pub fn content(source: &ChartSource<'_>, charts: &Markup) -> Markup {
    let Results { tally, context, .. } = source.results;
    let Some(grades) = &tally.grades else { return html! {} };
    html! {
        div class="charts" { (charts) }
        (figures(move_quality_table::table(tally, context).as_ref()))
        p class="note" { "graded: " (move_quality_table::sample(grades, tally)) }
    }
}

/// The grades of both seats together, of the agents with graded moves.
fn by_agent(grades: Option<&Grades>) -> Vec<(usize, SideGrades)> {
    (grades.into_iter().flat_map(|grades| grades.agents.iter().map(move_quality_table::both)))
        .enumerate()
        .filter(|(_, all)| all.moves() > 0)
        .collect()
}

pub fn optimal(source: &ChartSource<'_>) -> Option<Figure> {
    let tally = &source.results.tally;
    let both = by_agent(tally.grades.as_ref());
    let rows: Vec<DotRow> = (both.iter())
        .map(|(agent, grades)| {
            let (share, interval) =
                (grades.optimal.ratio(), grades.optimal.interval(Confidence::P95));
            let label = tally.names[*agent].clone();
            let title = format!(
                "{label}: {} % of {} moves are optimal, 95 % {}; {} of {} games without \
                     a mistake",
                percent(share),
                grouped(grades.moves()),
                percents(interval),
                grouped(grades.flawless()),
                grouped(grades.games())
            );
            DotRow::percent(label, share, informative(interval), title)
        })
        .collect();
    let axis = "optimal moves in %";
    let chart = draw(&DotChart::percents("Share of optimal moves", axis, &rows));
    figure("Optimal moves", chart, "lines: 95 % intervals, clustered by game")
}

/// Accuracy by ply, for the agents with the most graded moves.
pub fn by_ply(source: &ChartSource<'_>) -> Option<Figure> {
    let tally = &source.results.tally;
    let both = by_agent(tally.grades.as_ref());
    let mut shown: Vec<&(usize, SideGrades)> = both.iter().collect();
    shown.sort_by_key(|(_, grades)| std::cmp::Reverse(grades.moves()));
    shown.truncate(MOST);
    shown.sort_by_key(|(agent, _)| *agent);
    let series: Vec<Series> = (shown.iter().enumerate())
        .map(|(number, (agent, grades))| {
            let name = &tally.names[*agent];
            let spots = joined(grades).into_iter().map(|(plies, [optimal, moves])| {
                let share = optimal as f64 / moves as f64;
                let [from, to] = plies;
                let when = if from == to {
                    format!("ply {from}")
                } else {
                    format!("plies {from} to {to}")
                };
                let title = format!(
                    "{name}, {when}: {} % of {} moves are optimal",
                    percent(Some(share)),
                    grouped(moves)
                );
                let x = (f64::from(from) + f64::from(to)) / 2.0;
                ChartPoint { x, y: 100.0 * share, ends: None, title }
            });
            Series { number, band: false, spots: spots.collect() }
        })
        .collect();
    let legend = (shown.iter().enumerate())
        .map(|(number, (agent, _))| LegendEntry::of_series(number, &tally.names[*agent]));
    let chart = draw_lines(&LineChart {
        name: "Accuracy by ply",
        x: Axis { whole: true, ..Axis::new("ply", &tick_text) },
        y: Axis { range: Some([100.0; 2]), ..Axis::new("optimal moves in %", &tick_text) },
        references: &[],
        series: &series,
        height: 170.0,
    });
    let note = match both.len() > MOST {
        true => "the agents with the most graded moves; plies with few moves are joined",
        false => "plies with few moves are joined",
    };
    Some(Figure { legend: legend.collect(), ..figure("Accuracy by ply", chart, note)? })
}

/// Maximum number of markers on a line.
const MARKS: usize = 20;

/// Joins adjacent plies until each marker has enough moves and the line has few enough markers.
fn joined(grades: &SideGrades) -> Vec<([u32; 2], [u64; 2])> {
    let enough = (grades.moves() / 200).max(grades.moves() / MARKS as u64).max(1);
    let mut joined: Vec<([u32; 2], [u64; 2])> = Vec::new();
    let mut open = false;
    for (&ply, &[optimal, moves]) in &grades.by_ply {
        match joined.last_mut().filter(|_| open) {
            Some((plies, counts)) => {
                plies[1] = ply;
                *counts = [counts[0] + optimal, counts[1] + moves];
            }
            None => joined.push(([ply, ply], [optimal, moves])),
        }
        open = joined.last().is_some_and(|(_, counts)| counts[1] < enough);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_joined_until_they_say_something() {
        let by_ply = [(1, [50, 100]), (2, [1, 2]), (3, [60, 98]), (4, [1, 1])].into();
        let mut grades = SideGrades { by_ply, ..SideGrades::default() };
        for _ in 0..201 {
            grades.optimal.add(1, 1);
        }
        let plies: Vec<[u32; 2]> = joined(&grades).into_iter().map(|(plies, _)| plies).collect();
        assert_eq!(plies, [[1, 1], [2, 3], [4, 4]]);
        let all: u64 = joined(&grades).iter().map(|(_, counts)| counts[1]).sum();
        assert_eq!(all, 201);
    }
}
