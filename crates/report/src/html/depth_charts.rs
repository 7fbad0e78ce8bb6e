//! The gain and the cost of search depth: charts of agents that differ only in their depth, joined
//! by lines.

use maud::Markup;

use super::cost_charts::round_count;
use super::move_time_charts::round;
use crate::arena::Tally;
use crate::config::NamedAgent;
use crate::figures::move_cost::Cost;
use crate::figures::ranking::{Ranking, rating_cells};
use crate::figures::run_results::Results;
use crate::html::svg::axis_scale::tick_text;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw};
use crate::html::svg::svg_elements::LegendEntry;
use crate::params::{Depth, Spec};
use crate::text::number_format::{self, NONE, elo, percent, short};

/// Agents that differ only in their depth.
struct Family {
    /// The common part of their names.
    name: String,
    /// Depth and agent number, sorted by depth.
    members: Vec<(u32, usize)>,
}

pub fn strength(source: &ChartSource<'_>) -> Option<Figure> {
    let charts = Charts::of(source)?;
    charts.figure("Strength by depth", charts.strength(), charts.note())
}

pub fn nodes(source: &ChartSource<'_>) -> Option<Figure> {
    let charts = Charts::of(source)?;
    charts.figure("Nodes by depth", charts.nodes(), "mean over all moves; logarithmic scale")
}

pub fn time(source: &ChartSource<'_>) -> Option<Figure> {
    let charts = Charts::of(source)?;
    charts.figure("Time by depth", charts.time(), "mean over all moves; logarithmic scale")
}

/// The families, largest first, and the unit of their depth.
fn families(agents: &[NamedAgent]) -> (Vec<Family>, &'static str) {
    let mut unit = "plies";
    let mut found: Vec<(Spec, Vec<(u32, usize)>)> = Vec::new();
    for (index, agent) in agents.iter().enumerate() {
        let depth = match agent.spec.values.get("depth").and_then(Depth::of) {
            Some(Depth::Plies(plies)) => plies,
            Some(Depth::Rounds(rounds)) => {
                unit = "rounds";
                rounds
            }
            None => continue,
        };
        let mut rest = agent.spec.clone();
        rest.values.0.remove("depth");
        match found.iter_mut().find(|(spec, _)| *spec == rest) {
            Some((_, members)) => members.push((depth, index)),
            None => found.push((rest, vec![(depth, index)])),
        }
    }
    found.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    found.truncate(6);
    let kinds: Vec<String> = found.iter().map(|(spec, _)| spec.kind.clone()).collect();
    let families = found.into_iter().zip(&kinds).map(|((_, mut members), kind)| {
        members.sort();
        // If two families have the same kind, the name of a member distinguishes them.
        let alone = kinds.iter().filter(|other| *other == kind).count() == 1;
        let example = &agents[members[0].1].name;
        let name = if alone { kind.clone() } else { format!("{kind} ({example}, …)") };
        Family { name, members }
    });
    (families.collect(), unit)
}

fn depths(families: &[Family]) -> Vec<f64> {
    let all = families.iter().flat_map(|family| &family.members);
    let mut depths: Vec<f64> = all.map(|(depth, _)| f64::from(*depth)).collect();
    depths.sort_by(f64::total_cmp);
    depths.dedup();
    depths
}

/// A value of an agent, its interval, and both as text.
type Measured = (f64, Option<[f64; 2]>, String);

struct Charts<'a> {
    tally: &'a Tally,
    ranking: &'a Ranking,
    families: Vec<Family>,
    depths: Vec<f64>,
    axis: String,
}

impl<'a> Charts<'a> {
    /// The charts; `None` if no two agents differ only in their depth.
    fn of(source: &ChartSource<'a>) -> Option<Charts<'a>> {
        let (families, unit) = families(source.agents);
        families.iter().find(|family| family.members.len() > 1)?;
        let Results { tally, ranking, .. } = source.results;
        let (depths, axis) = (depths(&families), format!("depth in {unit}"));
        Some(Charts { tally, ranking, families, depths, axis })
    }

    fn figure(&self, title: &str, svg: Option<Markup>, note: &str) -> Option<Figure> {
        let legend = (self.families.iter().enumerate())
            .map(|(i, family)| LegendEntry::of_series(i, &family.name));
        Some(Figure { legend: legend.collect(), ..figure(title, svg, note)? })
    }

    /// Elo if every member has a rating, otherwise the score.
    fn strength(&self) -> Option<Markup> {
        let ranking = self.ranking;
        let rated = self.is_rated();
        let spot = |agent: usize| {
            let standing = ranking.standing(agent)?;
            let [value, ends] = rating_cells(self.tally, ranking, standing);
            let score = percent(standing.score);
            let title = match (value == NONE, ends == NONE) {
                (true, true) => format!("score {score} %"),
                _ => format!("Elo {value} {ends}, score {score} %"),
            };
            let [value, low, high] = ranking.numbers(standing);
            match rated {
                true => Some((value?, low.zip(high).map(|(low, high)| [low, high]), title)),
                false => Some((100.0 * standing.score?, None, title)),
            }
        };
        let name = if rated { "Elo" } else { "score in %" };
        let tick: &dyn Fn(f64) -> String = if rated { &elo } else { &tick_text };
        self.draw("Strength against depth", (name, false, tick), &spot)
    }

    fn is_rated(&self) -> bool {
        let ranking = self.ranking;
        let members = self.families.iter().flat_map(|family| &family.members);
        members.clone().all(|(_, agent)| {
            let standing = ranking.standing(*agent);
            standing.is_some_and(|s| s.group == 0 && ranking.numbers(s)[0].is_some())
        })
    }

    fn note(&self) -> &'static str {
        match (self.is_rated(), self.ranking.exact) {
            (true, false) => self.ranking.intervals.lines(),
            (true, true) => "exact over the opening set",
            (false, _) => "score against all others; not every agent has a rating",
        }
    }

    fn nodes(&self) -> Option<Markup> {
        let spot = |agent: usize| {
            let nodes = Cost::of(&self.tally.agents[agent]).nodes_per_move?;
            Some((nodes, None, format!("{} nodes per move", short(Some(nodes)))))
        };
        self.draw("Nodes per move against depth", ("nodes per move", true, &round_count), &spot)
    }

    fn time(&self) -> Option<Markup> {
        let spot = |agent: usize| {
            let ns = Cost::of(&self.tally.agents[agent]).mean_ns.filter(|ns| *ns > 0.0)?;
            Some((ns, None, format!("{} per move", number_format::time(Some(ns)))))
        };
        self.draw("Time per move against depth", ("time per move", true, &round), &spot)
    }

    fn draw(
        &self,
        name: &str,
        (unit, log, tick): (&str, bool, &dyn Fn(f64) -> String),
        spot: &dyn Fn(usize) -> Option<Measured>,
    ) -> Option<Markup> {
        let series: Vec<Series> = (self.families.iter().enumerate())
            .map(|(number, family)| {
                let spots = family.members.iter().filter_map(|&(depth, agent)| {
                    let (y, ends, text) = spot(agent)?;
                    let title = format!("{} (depth {depth}): {text}", self.tally.names[agent]);
                    Some(ChartPoint { x: f64::from(depth), y, ends, title })
                });
                Series { number, band: false, spots: spots.collect() }
            })
            .collect();
        let ends = self.depths.first().zip(self.depths.last()).map(|(low, high)| [*low, *high]);
        let ticks = (self.depths.len() <= 12).then(|| self.depths.clone());
        draw(&LineChart {
            name,
            x: Axis { range: ends, ticks, whole: true, ..Axis::new(&self.axis, &tick_text) },
            y: Axis { log, ..Axis::new(unit, tick) },
            references: &[],
            series: &series,
            height: 140.0,
        })
    }
}
