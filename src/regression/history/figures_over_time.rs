//! The figures of a history over time: the level of each figure after each gate, and its changes.

use std::collections::HashMap;

use super::history_line::HistoryLine;
use crate::regression::compare::{Metric, TIME_CONFIDENCE};
use crate::report::{Trend, TrendPoint, elo, fixed};
use crate::stats::Confidence;
use crate::stats::timing::{FALSE_ALARMS, change_points};

/// A gate that knows a figure. Levels are Elo or logarithms of factors; the old side of the first gate
/// has the level 0.
struct MeasuredGate<'a> {
    /// The number of the gate, from 1.
    number: usize,
    line: &'a HistoryLine,
    old_level: f64,
    new_level: f64,
    /// The interval of the new level; infinite where it is open.
    ends: Option<[f64; 2]>,
}

/// The trends of all figures that a history has.
pub fn figures_over_time(lines: &[HistoryLine]) -> Vec<Trend> {
    let figures = HistoryLine::FIGURES.into_iter().enumerate();
    figures.filter_map(|(column, metric)| trend(lines, column, metric)).collect()
}

fn trend(lines: &[HistoryLine], column: usize, metric: Metric) -> Option<Trend> {
    let gates = measured(lines, column, metric);
    let title = match metric {
        Metric::Strength => "Strength",
        Metric::Work => "Nodes per move",
        Metric::Time | Metric::Speed => "Processor time per move",
        Metric::Instructions => "Instructions per move",
        Metric::Memory => "Peak memory",
    };
    let steps: Vec<bool> = (0..gates.len()).map(|i| is_step(&gates, i, metric)).collect();
    let places = new_levels(&gates);
    let listed = |what: &str, mark: &str, gates: Vec<&MeasuredGate<'_>>| {
        let names: Vec<String> = gates.iter().map(|gate| gate.name()).collect();
        match names.is_empty() {
            true => format!("no {what}"),
            false => format!("{what} ({mark}): {}", names.join(", ")),
        }
    };
    let with_step = gates.iter().zip(&steps).filter(|(_, is_step)| **is_step);
    let note = format!(
        "{}; {}",
        listed("change point", "dashed line", places.iter().map(|&i| &gates[i]).collect()),
        listed("step", "square", with_step.map(|(gate, _)| gate).collect())
    );
    let points = gates.iter().zip(&steps).map(|(gate, &is_step)| TrendPoint {
        gate: gate.number,
        level: gate.new_level,
        ends: gate.ends.filter(|ends| ends.iter().all(|end| end.is_finite())),
        is_step,
        title: gate.title(metric),
    });
    let points: Vec<TrendPoint> = points.collect();
    (!points.is_empty()).then(|| Trend {
        title,
        is_factor: metric != Metric::Strength,
        points,
        change_points: places.iter().map(|&i| gates[i].number).collect(),
        note,
    })
}

/// The gates that know the figure. A side that an earlier gate has measured has its level from there. A
/// side that is new to the history has the level of the gate before.
fn measured<'a>(lines: &'a [HistoryLine], column: usize, metric: Metric) -> Vec<MeasuredGate<'a>> {
    let level = |change: f64| if metric == Metric::Strength { change } else { change.ln() };
    let mut known: HashMap<&str, f64> = HashMap::new();
    let mut gates: Vec<MeasuredGate<'a>> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let change = line.figures[column];
        let Some(value) = change.value else { continue };
        let before = gates.last().map_or(0.0, |gate| gate.new_level);
        let old_level = *known.entry(line.old.key()).or_insert(before);
        let new_level = old_level + level(value);
        known.entry(line.new.key()).or_insert(new_level);
        let end = |end: Option<f64>, open: f64| end.map_or(open, |end| old_level + level(end));
        let ends = [end(change.low, f64::NEG_INFINITY), end(change.high, f64::INFINITY)];
        let ends = ends.iter().any(|end| end.is_finite()).then_some(ends);
        gates.push(MeasuredGate { number: i + 1, line, old_level, new_level, ends });
    }
    gates
}

/// The places of the gates with which a new level begins. Only gates against the same old side measure the
/// same level again and again.
fn new_levels(gates: &[MeasuredGate<'_>]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut begin = 0;
    for run in gates.chunk_by(|a, b| a.line.old.key() == b.line.old.key()) {
        let levels: Vec<f64> = run.iter().map(|gate| gate.new_level).collect();
        places.extend(change_points(&levels).iter().map(|place| begin + place));
        begin += run.len();
    }
    places
}

/// Whether a gate on its own shows another level than before: that of its old side, or that of the gate
/// before if this has the same old side. Each interval is widened for the number of gates. A figure without
/// an interval must change by more than its default limit.
fn is_step(gates: &[MeasuredGate<'_>], i: usize, metric: Metric) -> bool {
    let own = match metric {
        Metric::Time => TIME_CONFIDENCE,
        _ => Confidence::P95,
    };
    let all = Confidence::new(1.0 - FALSE_ALARMS / gates.len() as f64).unwrap_or(own);
    let wider = (all.z() / own.z()).max(1.0);
    let has_intervals = !matches!(metric, Metric::Instructions | Metric::Memory);
    let tolerance = metric.default_limit().filter(|_| !has_intervals).map_or(0.0, f64::ln);
    let possible = |gate: &MeasuredGate<'_>| match gate.ends {
        Some(ends) => Some(ends.map(|end| gate.new_level + wider * (end - gate.new_level))),
        None if has_intervals => None,
        None => Some([gate.new_level; 2]),
    };
    let gate = &gates[i];
    let before = match i.checked_sub(1).map(|i| &gates[i]) {
        Some(before) if before.line.old.key() == gate.line.old.key() => possible(before),
        _ => Some([gate.old_level; 2]),
    };
    // Rounding is no change.
    let tolerance = tolerance + 1e-9;
    possible(gate).zip(before).is_some_and(|(now, before)| {
        now[0] > before[1] + tolerance || now[1] < before[0] - tolerance
    })
}

impl MeasuredGate<'_> {
    /// Its number and the version of its new side.
    fn name(&self) -> String {
        format!("gate {} ({})", self.number, self.line.new.key())
    }

    fn title(&self, metric: Metric) -> String {
        let shown = |level: f64| match metric {
            Metric::Strength => elo(level),
            _ => format!("× {}", fixed(level.exp(), 3)),
        };
        let ends = self.ends.filter(|ends| ends.iter().all(|end| end.is_finite()));
        let ends =
            ends.map_or(String::new(), |[low, high]| format!(" [{}, {}]", shown(low), shown(high)));
        format!("{}, {}: {}{ends}", self.name(), self.line.date, shown(self.new_level))
    }
}
