//! Charts of the cost of moves: nodes, time and branching.

use super::move_time_charts::round;
use crate::figures::move_cost::Cost;
use crate::html::svg::axis_scale::tick_text;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::dot_and_interval_chart::{DotChart, DotRow, draw};
use crate::text::number_format::{fixed, grouped, percent, short, time};

/// A figure of the cost of moves.
struct Measure {
    name: &'static str,
    log: bool,
    tick: fn(f64) -> String,
    text: fn(f64) -> String,
    of: fn(&Cost) -> Option<f64>,
    note: &'static str,
}

const NODES: Measure = Measure {
    name: "Nodes per move",
    log: true,
    tick: round_count,
    text: |value| short(Some(value)),
    of: |cost| cost.nodes_per_move,
    note: "",
};

pub fn nodes_per_move(source: &ChartSource<'_>) -> Option<Figure> {
    NODES.figure(source)
}

pub fn nodes_per_second(source: &ChartSource<'_>) -> Option<Figure> {
    let name = "Nodes per second";
    Measure { name, of: |cost| cost.nodes_per_second, ..NODES }.figure(source)
}

pub fn branching(source: &ChartSource<'_>) -> Option<Figure> {
    let measure = Measure {
        name: "Effective branching factor",
        log: false,
        tick: tick_text,
        text: |value| fixed(value, 2),
        of: |cost| cost.branching_factor,
        note: "branching factor of a uniform tree of this depth with as many nodes; smaller: the \
               search prunes more",
    };
    measure.figure(source)
}

/// A power of ten without decimals: `10 k`.
pub fn round_count(value: f64) -> String {
    short(Some(value)).replace(".00 ", " ").replace(".0 ", " ")
}

impl Measure {
    /// A chart of every agent that has this figure.
    fn figure(&self, source: &ChartSource<'_>) -> Option<Figure> {
        let tally = &source.results.tally;
        let axis = self.name.to_lowercase();
        let rows: Vec<DotRow> = (tally.names.iter().zip(&tally.agents))
            .filter_map(|(name, agent)| {
                let value = (self.of)(&Cost::of(agent))?;
                let (figures, moves) = ((self.text)(value), grouped(agent.moves));
                let title = format!("{name}: {figures} {axis}, over {moves} moves");
                let (label, value) = (name.clone(), Some(value));
                Some(DotRow { label, value, low: None, high: None, figures, title })
            })
            .collect();
        let plain = DotChart::new(self.name, &axis, &self.tick, &rows);
        figure(self.name, draw(&DotChart { log: self.log, ..plain }), self.note)
    }
}

/// Mean times with the slowest move.
pub fn mean_times(source: &ChartSource<'_>) -> Option<Figure> {
    let tally = &source.results.tally;
    let rows: Vec<DotRow> = (tally.names.iter().zip(&tally.agents))
        .filter_map(|(label, agent)| {
            let cost = Cost::of(agent);
            let mean = cost.mean_ns.filter(|mean| *mean > 0.0)?;
            let slowest = cost.max_ns.map(|ns| ns as f64);
            Some(DotRow {
                label: label.clone(),
                value: Some(mean),
                low: Some(mean),
                high: slowest,
                figures: time(Some(mean)),
                title: format!(
                    "{label}: {} per move on average, half of the games below {}, 99 % below {}, \
                     slowest move {}",
                    time(Some(mean)),
                    time(cost.p50_ns.map(|ns| ns as f64)),
                    time(cost.p99_ns.map(|ns| ns as f64)),
                    time(slowest)
                ),
            })
        })
        .collect();
    let name = "Mean time per move";
    let plain = DotChart::new(name, "time per move", &round, &rows);
    let note = "line: from the mean to the slowest move; logarithmic scale";
    figure(name, draw(&DotChart { log: true, ..plain }), note)
}

/// How often the first move caused the cut-off, by agent and its move ordering.
pub fn cutoffs(source: &ChartSource<'_>) -> Option<Figure> {
    let (tally, stats) = (&source.results.tally, source.moves);
    let rows: Vec<DotRow> = (tally.names.iter().enumerate())
        .filter_map(|(agent, name)| {
            let share = stats.first_share(agent)?;
            let [all, first] = stats.cutoffs[agent];
            let ordering = source.agents.get(agent).and_then(|a| a.spec.values.text("ordering"));
            let label = match ordering {
                Some(ordering) => format!("{name} ({ordering})"),
                None => name.clone(),
            };
            let title = format!(
                "{label}: {} of {} cut-offs with the first move, {} %",
                grouped(first),
                grouped(all),
                percent(Some(share))
            );
            Some(DotRow::percent(label, Some(share), None, title))
        })
        .collect();
    let axis = "cut-offs with the first move tried, in %";
    let name = "Cut-offs with the first move";
    let note = "share of cut-offs that the first move caused; larger: better move ordering";
    figure(name, draw(&DotChart::percents(name, axis, &rows)), note)
}
