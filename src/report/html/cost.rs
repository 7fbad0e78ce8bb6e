//! Charts of the cost of moves: nodes, time and branching.

use maud::{Markup, html};

use super::dot_chart::{DotChart, DotRow, draw};
use super::layout::{figure, figures};
use super::move_times::{self, round};
use crate::arena::{MoveStats, Tally};
use crate::config::NamedAgent;
use crate::gather::Gather;
use crate::report::cost::{Cost, table};
use crate::report::number_format::{fixed, grouped, percent, short, time};

pub fn content(tally: &Tally, stats: &MoveStats, agents: &[NamedAgent]) -> Markup {
    let tick = |value: f64| short(Some(value)).replace(".00 ", " ").replace(".0 ", " ");
    let in_short = |value: f64| short(Some(value));
    let nodes = Measure {
        name: "Nodes per move",
        log: true,
        tick: &tick,
        text: &in_short,
        of: &|cost| cost.nodes_per_move,
    };
    let branching = Measure {
        name: "Effective branching factor",
        log: false,
        tick: &|value| fixed(value, 1),
        text: &|value| fixed(value, 2),
        of: &|cost| cost.branching_factor,
    };
    let speed = Measure { name: "Nodes per second", of: &|cost| cost.nodes_per_second, ..nodes };
    html! {
        div class="charts" {
            (figure("Time per move", html! {}, move_times::draw(tally),
                "number of games by mean time per move; median at the right"))
            (figure("Mean time per move", html! {}, mean_times(tally),
                "line: from the mean to the slowest move; logarithmic scale"))
            (nodes.figure(tally, ""))
            (branching.figure(tally,
                "branching factor of a uniform tree of this depth with as many nodes; smaller: \
                 the search prunes more"))
            (figure("Cut-offs with the first move", html! {}, cutoffs(tally, stats, agents),
                "share of cut-offs that the first move caused; larger: better move ordering"))
            (speed.figure(tally, ""))
        }
        (figures(Some(&table(tally))))
    }
}

/// A figure of the cost of moves.
#[derive(Clone, Copy)]
struct Measure<'a> {
    name: &'a str,
    log: bool,
    tick: &'a dyn Fn(f64) -> String,
    text: &'a dyn Fn(f64) -> String,
    of: &'a dyn Fn(&Cost) -> Option<f64>,
}

impl Measure<'_> {
    /// A chart of every agent that has this figure.
    fn figure(&self, tally: &Tally, note: &str) -> Markup {
        let axis = self.name.to_lowercase();
        let rows: Vec<DotRow> = (tally.names.iter().zip(&tally.agents))
            .filter_map(|(name, agent)| {
                let value = (self.of)(&Cost::of(agent))?;
                let (figures, moves) = ((self.text)(value), grouped(agent.moves));
                let title = format!("{name}: {figures} {axis}, over {moves} moves");
                let (label, value) = (name.clone(), Some(value));
                Some(DotRow { label, value, low: None, high: None, figures, title })
            })
            .gather();
        let plain = DotChart::new(self.name, &axis, self.tick, &rows);
        figure(self.name, html! {}, draw(&DotChart { log: self.log, ..plain }), note)
    }
}

/// Mean times with the slowest move.
fn mean_times(tally: &Tally) -> Option<Markup> {
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
        .gather();
    let plain = DotChart::new("Mean time per move", "time per move", &round, &rows);
    draw(&DotChart { log: true, ..plain })
}

/// How often the first move caused the cut-off, by agent and its move ordering.
fn cutoffs(tally: &Tally, stats: &MoveStats, agents: &[NamedAgent]) -> Option<Markup> {
    let rows: Vec<DotRow> = (tally.names.iter().enumerate())
        .filter_map(|(agent, name)| {
            let share = stats.first_share(agent)?;
            let [all, first] = stats.cutoffs[agent];
            let ordering = agents.get(agent).and_then(|a| a.spec.values.text("ordering"));
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
        .gather();
    let axis = "cut-offs with the first move tried, in %";
    draw(&DotChart::percents("Cut-offs with the first move", axis, &rows))
}
