//! The distribution of move times: a small histogram per agent on a common time axis.

use maud::{Markup, html};

use crate::arena::{AgentTally, Tally};
use crate::html::svg::axis_scale::AxisScale;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::dot_and_interval_chart::{MOST, axis, left_of, ticks};
use crate::html::svg::svg_elements::{WIDTH, axis_name, chart, fit, line, rect, text};
use crate::text::number_format::{grouped, time};
use std::collections::BTreeMap;

/// Columns per factor of ten.
const STEPS: f64 = 12.0;
const HEIGHT: f64 = 34.0;

pub fn distribution(source: &ChartSource<'_>) -> Option<Figure> {
    let note = "number of games by mean time per move; median at the right";
    figure("Time per move", draw(&source.results.tally), note)
}

/// One histogram per agent that has moved; `None` if no time was measured.
fn draw(tally: &Tally) -> Option<Markup> {
    let mut agents: Vec<(&str, &AgentTally)> = (tally.names.iter().map(String::as_str))
        .zip(&tally.agents)
        .filter(|(_, agent)| agent.times.quantile(0.5).is_some_and(|median| median > 0))
        .collect();
    let axis = axis("time per move", agents.len());
    agents.truncate(MOST);
    let mut ends: Vec<f64> = Vec::new();
    for (_, agent) in &agents {
        let [least, most] = [agent.times.quantile(0.0)?.max(1), agent.times.quantile(1.0)?];
        ends.extend([least as f64, most as f64]);
    }
    let range = crate::html::svg::axis_scale::range(&ends)?;
    let (left, right) = (left_of(agents.iter().map(|(name, _)| *name)), WIDTH - 62.0);
    let x = AxisScale::log(range, [left + 6.0, right - 6.0]);
    let bottom = HEIGHT * agents.len() as f64 + 4.0;
    let content = html! {
        (ticks(&x, &x.ticks(5), &round, bottom))
        (axis_name([left, right], bottom + 32.0, &axis))
        @for (i, (name, agent)) in agents.iter().enumerate() {
            @let foot = HEIGHT * (i as f64 + 1.0);
            (text("name", [0.0, foot - 6.0], &fit(name, left - 8.0)))
            (line("axis", [left, foot], [right, foot]))
            (columns(name, agent, &x, foot))
            @let median = agent.times.quantile(0.5).map(|ns| ns as f64);
            (text("figures end", [WIDTH, foot - 6.0], &time(median)))
        }
    };
    Some(chart("Time per move by agent", bottom + 38.0, content))
}

/// A power of ten without decimals: `10 µs`.
pub fn round(ns: f64) -> String {
    let text = time(Some(ns));
    text.replace(".00 ", " ").replace(".0 ", " ")
}

fn columns(name: &str, agent: &AgentTally, x: &AxisScale, foot: f64) -> Markup {
    let mut counts: BTreeMap<i64, u64> = Default::default();
    for (ns, count) in agent.times.counts() {
        *counts.entry(((ns.max(1) as f64).log10() * STEPS).floor() as i64).or_default() += count;
    }
    let most = counts.values().max().map_or(1.0, |&most| most as f64);
    let edge = |step: i64| 10f64.powf(step as f64 / STEPS);
    html! {
        g class="s1" {
            @for (&step, &count) in &counts {
                @let (from, to) = (x.at(edge(step)), x.at(edge(step + 1)));
                @let high = ((HEIGHT - 8.0) * count as f64 / most).max(0.8);
                g {
                    title {
                        (name) ": " (grouped(count)) " of " (grouped(agent.times.total()))
                        " games at " (time(Some(edge(step)))) " to " (time(Some(edge(step + 1))))
                        " per move"
                    }
                    (rect("mark", [from, foot - high], [(to - from - 0.6).max(0.6), high]))
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_a_column() {
        let mut tally = Tally::new(vec!["a".into(), "b".into()], &[]);
        assert!(draw(&tally).is_none());
        for ns in [900, 1_000, 1_100, 50_000] {
            tally.agents[0].times.add(ns);
        }
        let svg = draw(&tally).expect("a chart").into_string();
        assert!(svg.contains("a: 1 of 4 games at 46.4 µs to 56.2 µs per move"), "{svg}");
        assert_eq!(svg.matches("<title>").count(), 3);
        assert!(!svg.contains(">b<"));
    }

    #[test]
    fn ticks_have_no_decimals() {
        assert_eq!([1.0, 1e4, 1e6, 1e10].map(round), ["1 ns", "10 µs", "1 ms", "10 s"]);
    }
}
