//! The picture of `agon plot history`: the level of each figure over the gates.

use super::chart_file::{ChartFile, document};
use crate::html::svg::axis_scale::{AxisScale, range};
use crate::html::svg::chart_figure::{Figure, figure};
use crate::html::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw};
use crate::text::number_format::{elo, trimmed};

/// A figure over the gates.
pub struct Trend {
    pub title: &'static str,
    /// Whether levels are logarithms of factors; otherwise they are Elo.
    pub is_factor: bool,
    pub points: Vec<TrendPoint>,
    /// The first gates of new levels.
    pub change_points: Vec<usize>,
    pub note: String,
}

/// The level after a gate.
pub struct TrendPoint {
    pub gate: usize,
    pub level: f64,
    pub ends: Option<[f64; 2]>,
    /// Whether this gate alone shows a change.
    pub is_step: bool,
    pub title: String,
}

/// More intervals than this are drawn as a band.
const WHISKERS: usize = 24;

/// All figures in one picture.
pub fn trend_picture(trends: &[Trend]) -> ChartFile {
    let figures: Vec<Figure> = trends.iter().filter_map(chart).collect();
    let title = "Figures over the gates".to_owned();
    ChartFile { id: "history".to_owned(), title, svg: document(&figures) }
}

fn chart(trend: &Trend) -> Option<Figure> {
    let point = |point: &TrendPoint| ChartPoint {
        x: point.gate as f64,
        y: point.level,
        ends: point.ends,
        title: point.title.clone(),
    };
    let spots: Vec<ChartPoint> = trend.points.iter().map(point).collect();
    let mut series = vec![Series { number: 0, band: spots.len() > WHISKERS, spots }];
    let steps = trend.points.iter().filter(|point| point.is_step);
    let without_ends = |step| ChartPoint { ends: None, ..point(step) };
    series.extend(steps.map(|step| Series {
        number: 1,
        band: false,
        spots: vec![without_ends(step)],
    }));
    let gate = |gate: f64| trimmed(gate, 0);
    let factor = |level: f64| format!("× {}", trimmed(level.exp(), 4));
    let y = match trend.is_factor {
        true => Axis {
            range: Some([0.99_f64.ln(), 1.01_f64.ln()]),
            ticks: round_factors(trend),
            ..Axis::new("factor since the first gate, logarithmic scale", &factor)
        },
        false => Axis {
            range: Some([-5.0, 5.0]),
            ..Axis::new("change since the first gate in Elo", &elo)
        },
    };
    let lines = trend.change_points.iter().map(|&gate| gate as f64 - 0.5).collect();
    let chart = draw(&LineChart {
        name: trend.title,
        x: Axis { whole: true, lines, ..Axis::new("gate", &gate) },
        y,
        references: &[(0.0, "")],
        series: &series,
        height: 150.0,
    });
    figure(trend.title, chart, &trend.note)
}

/// Round factors over the range of the levels, as levels.
fn round_factors(trend: &Trend) -> Option<Vec<f64>> {
    let ends = trend.points.iter().flat_map(|point| point.ends.into_iter().flatten());
    let levels = trend.points.iter().map(|point| point.level).chain(ends);
    let mut factors: Vec<f64> = levels.map(f64::exp).collect();
    factors.extend([0.99, 1.01]);
    let ticks = AxisScale::linear(range(&factors)?, [0.0, 1.0]).ticks(4);
    Some(ticks.into_iter().filter(|factor| *factor > 0.0).map(f64::ln).collect())
}
