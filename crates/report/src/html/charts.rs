//! The list of charts. Each has an id and a function that draws it, for the page or for a file.

use maud::{Markup, html};

use super::cost_charts;
use super::depth_charts;
use super::evidence_over_time_charts;
use super::first_move_charts;
use super::game_end_charts;
use super::move_quality_charts;
use super::move_time_charts;
use super::round_charts;
use super::score_by_seat_chart;
use super::strength_charts;
use super::tune_chart;
use crate::html::svg::chart_figure::{ChartSource, Figure};

pub struct Chart {
    /// Its name, also in the addresses of the page (`#chart-ID`).
    pub id: &'static str,
    /// The id of its section of the page.
    section: &'static str,
    /// Draws it; `None` if the run has nothing to show in it.
    pub draw: fn(&ChartSource<'_>) -> Option<Figure>,
}

const fn chart(
    section: &'static str,
    id: &'static str,
    draw: fn(&ChartSource<'_>) -> Option<Figure>,
) -> Chart {
    Chart { id, section, draw }
}

/// All charts, in the order of the page.
pub const CHARTS: &[Chart] = &[
    chart("strength", "tuned-parameters", tune_chart::tuned),
    chart("strength", "ratings", strength_charts::ratings),
    chart("strength", "pairing-scores", strength_charts::scores),
    chart("strength", "eliminated", round_charts::eliminated),
    chart("strength", "e-values", round_charts::e_values),
    chart("strength", "undecided-pairs", round_charts::undecided),
    chart("seats", "first-score", first_move_charts::score),
    chart("seats", "results-by-seat", first_move_charts::results),
    chart("seats", "seat-scores", score_by_seat_chart::scores),
    chart("depth", "strength-by-depth", depth_charts::strength),
    chart("depth", "nodes-by-depth", depth_charts::nodes),
    chart("depth", "time-by-depth", depth_charts::time),
    chart("cost", "time-distribution", move_time_charts::distribution),
    chart("cost", "mean-time", cost_charts::mean_times),
    chart("cost", "nodes-per-move", cost_charts::nodes_per_move),
    chart("cost", "branching", cost_charts::branching),
    chart("cost", "first-cutoffs", cost_charts::cutoffs),
    chart("cost", "nodes-per-second", cost_charts::nodes_per_second),
    chart("moves-graded", "optimal-moves", move_quality_charts::optimal),
    chart("moves-graded", "accuracy-by-ply", move_quality_charts::by_ply),
    chart("endings", "lengths", game_end_charts::game_lengths),
    chart("endings", "endings", game_end_charts::endings),
    chart("endings", "llr", evidence_over_time_charts::llr),
    chart("endings", "score-during-run", evidence_over_time_charts::score),
    chart("endings", "first-score-during-run", evidence_over_time_charts::first),
];

/// The charts of a section; empty if there is nothing to show.
pub fn of_section(section: &str, source: &ChartSource<'_>) -> Markup {
    let charts = CHARTS.iter().filter(|chart| chart.section == section);
    html! { @for chart in charts { (chart.on_page(source)) } }
}

impl Chart {
    /// The chart on the page; empty if there is nothing to draw.
    fn on_page(&self, source: &ChartSource<'_>) -> Markup {
        (self.draw)(source).map_or(html! {}, |figure| figure.on_page(self.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_can_be_typed() {
        for (i, chart) in CHARTS.iter().enumerate() {
            assert!(chart.id.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", chart.id);
            assert!(CHARTS[..i].iter().all(|other| other.id != chart.id), "{}", chart.id);
        }
    }
}
