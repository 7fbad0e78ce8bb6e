//! What a chart is drawn from, and a drawn chart with its texts.

use maud::{Markup, html};

use super::svg_elements::{LegendEntry, legend};
use crate::arena::{MoveStats, RunHistory};
use crate::config::NamedAgent;
use crate::exporter_trait::ExportSource;
use crate::figures::first_move_table::SeatRows;
use crate::figures::run_results::Results;

/// The data of all charts.
pub struct ChartSource<'a> {
    pub results: &'a Results,
    pub seats: SeatRows<'a>,
    pub history: &'a RunHistory,
    /// The agents as configured; empty if unknown.
    pub agents: &'a [NamedAgent],
    /// Statistics from `moves.csv`.
    pub moves: &'a MoveStats,
}

impl<'a> ChartSource<'a> {
    /// The data of a run. `moves` are the moves of the games that are shown.
    pub fn new(source: &ExportSource<'a>, history: &'a RunHistory, moves: &'a MoveStats) -> Self {
        let results = source.results;
        let seats = SeatRows::new(&results.tally, &results.context);
        let agents = source.experiment.map_or(&[][..], |experiment| &experiment.agents);
        ChartSource { results, seats, history, agents, moves }
    }
}

/// A chart with its texts.
pub struct Figure {
    pub title: String,
    pub legend: Vec<LegendEntry>,
    /// One `svg` element, [`super::svg_elements::WIDTH`] wide. `style.css` gives its colours.
    pub svg: Markup,
    /// What the marks mean; empty if they are obvious.
    pub note: String,
}

impl Figure {
    /// The chart with its caption and legend above and its note below.
    pub fn on_page(&self, id: &str) -> Markup {
        html! {
            figure id={ "chart-" (id) } {
                figcaption { (self.title) }
                (legend(&self.legend))
                (self.svg)
                @if !self.note.is_empty() { p class="note" { (self.note) } }
            }
        }
    }
}

/// A figure without legend; `None` without a chart.
pub fn figure(title: impl Into<String>, svg: Option<Markup>, note: &str) -> Option<Figure> {
    Some(Figure { title: title.into(), legend: Vec::new(), svg: svg?, note: note.to_owned() })
}
