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
    let nodes = |cost: &Cost| cost.nodes_per_move;
    let branching = |cost: &Cost| cost.branching_factor;
    let speed = |cost: &Cost| cost.nodes_per_second;
    let positions =
        chart(tally, ("Nodes per move", "nodes per move", true, &tick), &nodes, &|value| {
            short(Some(value))
        });
    let factor = chart(
        tally,
        ("Effective branching factor", "effective branching factor", false, &|v| fixed(v, 1)),
        &branching,
        &|value| fixed(value, 2),
    );
    let per_second =
        chart(tally, ("Nodes per second", "nodes per second", true, &tick), &speed, &|value| {
            short(Some(value))
        });
    html! {
        div class="charts" {
            (figure("Time per move", html! {}, move_times::draw(tally),
                "number of games by mean time per move; median at the right"))
            (figure("Mean time per move", html! {}, mean_times(tally),
                "line: from the mean to the slowest move; logarithmic scale"))
            (figure("Nodes per move", html! {}, positions, ""))
            (figure("Effective branching factor", html! {}, factor,
                "branching factor of a uniform tree of this depth with as many nodes; smaller: \
                 the search prunes more"))
            (figure("Cut-offs with the first move", html! {}, cutoffs(tally, stats, agents),
                "share of cut-offs that the first move caused; larger: better move ordering"))
            (figure("Nodes per second", html! {}, per_second, ""))
        }
        (figures(Some(&table(tally))))
    }
}

type Look<'a> = (&'a str, &'a str, bool, &'a dyn Fn(f64) -> String);

/// A chart of one measure for every agent that has it.
fn chart(
    tally: &Tally,
    (name, axis, log, tick): Look<'_>,
    of: &dyn Fn(&Cost) -> Option<f64>,
    figures: &dyn Fn(f64) -> String,
) -> Option<Markup> {
    let rows: Vec<DotRow> = (tally.names.iter().zip(&tally.agents))
        .filter_map(|(label, agent)| {
            let value = of(&Cost::of(agent))?;
            Some(DotRow {
                label: label.clone(),
                value: Some(value),
                low: None,
                high: None,
                figures: figures(value),
                title: format!(
                    "{label}: {} {axis}, over {} moves",
                    figures(value),
                    grouped(agent.moves)
                ),
            })
        })
        .gather();
    draw(&DotChart {
        name,
        axis,
        log,
        range: None,
        reference: None,
        tick,
        class: "s1",
        rows: &rows,
    })
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
    draw(&DotChart {
        name: "Mean time per move",
        axis: "time per move",
        log: true,
        range: None,
        reference: None,
        tick: &round,
        class: "s1",
        rows: &rows,
    })
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
            Some(DotRow {
                value: Some(100.0 * share),
                low: None,
                high: None,
                figures: format!("{} %", percent(Some(share))),
                title: format!(
                    "{label}: {} of {} cut-offs with the first move, {} %",
                    grouped(first),
                    grouped(all),
                    percent(Some(share))
                ),
                label,
            })
        })
        .gather();
    let axis = "cut-offs with the first move tried, in %";
    draw(&DotChart::percents("Cut-offs with the first move", axis, &rows))
}
