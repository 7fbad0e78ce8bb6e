//! The chart of a tune: the path of each parameter through its range.

use super::evidence_over_time_charts::games_axis;
use crate::arena::RunState;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw};
use crate::html::svg::svg_elements::LegendEntry;
use crate::kinds::tune::{PathPoint, number, path};
use crate::text::number_format::{counted, fixed};

/// The number of parameters that are drawn.
const LINES: usize = 6;
/// The number of points of a line.
const POINTS: usize = 40;

/// The mean of the second half of the path, with the interval of each optimum.
pub fn tuned(source: &ChartSource<'_>) -> Option<Figure> {
    let RunState::Tune(tuning) = &source.results.context.state else { return None };
    let parameters = &tuning.design().parameters;
    let all = path(tuning);
    let every = all.len().div_ceil(POINTS);
    let last = all.len() - 1;
    let points: Vec<&PathPoint> = (all.iter().enumerate())
        .filter(|(i, _)| (last - i).is_multiple_of(every))
        .map(|(_, point)| point)
        .collect();
    let mut series = Vec::new();
    let mut legend = Vec::new();
    for (number_of, (key, range)) in parameters.iter().take(LINES).enumerate() {
        let share = |value: f64| 100.0 * (value - range.min) / (range.max - range.min);
        let point = |point: &&PathPoint| {
            let [_, mean, low, high] = point.values[number_of];
            let [shown, from, to] = [mean, low, high].map(|value| number(range, value));
            let after = counted(point.games, "game");
            ChartPoint {
                x: point.games as f64,
                y: share(mean),
                ends: Some([share(low), share(high)]),
                title: format!("{key} after {after}: {shown} [{from}, {to}]"),
            }
        };
        let spots = points.iter().map(point).collect();
        series.push(Series { number: number_of, band: true, spots });
        legend.push(LegendEntry::of_series(number_of, key));
    }
    let name = "Tuned parameters over the games";
    let tick = |value: f64| format!("{} %", fixed(value, 0));
    let chart = draw(&LineChart {
        name,
        x: games_axis(),
        y: Axis { range: Some([0.0, 100.0]), ..Axis::new("place in the range", &tick) },
        references: &[],
        series: &series,
        height: 220.0,
    });
    let more = match parameters.len() > LINES {
        true => format!("; the first {LINES} of {} parameters", parameters.len()),
        false => String::new(),
    };
    let note =
        format!("mean over the second half of the games, with the interval of the optimum{more}");
    Some(Figure { legend, ..figure(name, chart, &note)? })
}
