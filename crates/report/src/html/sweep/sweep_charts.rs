//! The charts of a sweep: each figure against each swept number. Small multiples on the same axes show
//! the other keys.

use maud::Markup;

use crate::html::cost_charts::round_count;
use crate::html::move_time_charts::round;
use crate::html::svg::axis_scale::{range, tick_text};
use crate::html::svg::chart_figure::{Figure, figure};
use crate::html::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw};
use crate::html::svg::svg_elements::LegendEntry;
use crate::means_over_seeds::{ELO, NODES, PooledRow, PooledRows, SCORE, SweptFigure, TIME};
use crate::params::Value;
use crate::text::number_format::{elo, percentage};

/// The most lines of a chart: there are as many colours.
const LINES: usize = 6;
/// The most charts of a figure.
const PANELS: usize = 12;
/// A range with a larger ratio has a logarithmic axis.
const WIDE: f64 = 16.0;
/// An Elo chart whose values fill less than this share of the common axis has its own axis: the
/// rating of one weak agent would flatten all lines.
const FLAT: f64 = 0.5;

/// The charts of a figure against a swept key.
pub struct SweptChart {
    /// Its name, such as `elo-by-depth`.
    pub id: String,
    pub key: String,
    pub title: String,
    pub panels: Vec<Figure>,
}

/// All charts, by swept key.
pub fn sweep_charts(rows: &PooledRows<'_>) -> Vec<SweptChart> {
    let settings = (0..rows.settings.len()).map(Key::Setting);
    let parameters = (0..rows.parameters.len()).map(Key::Parameter);
    let mut charts = Vec::new();
    for key in settings.chain(parameters) {
        let panels = panels(rows, key);
        let mut of_series = panels.iter().flat_map(|panel| &panel.series);
        let differs =
            |series: &(String, Vec<Spot<'_>>)| series.1.iter().any(|s| s.0 != series.1[0].0);
        if !of_series.any(differs) {
            continue;
        }
        let mut spots = panels.iter().flat_map(|panel| &panel.series).flat_map(|(_, spots)| spots);
        let is_rated = spots.all(|(_, row)| row.mean(&ELO).is_some());
        for figure in [&ELO, &SCORE, &NODES, &TIME] {
            // Where all agents have ratings, scores say less than ratings.
            if figure.word != SCORE.word || !is_rated {
                charts.extend(chart(rows, key, figure, &panels));
            }
        }
    }
    charts
}

/// A swept key by its place.
#[derive(Clone, Copy, PartialEq)]
enum Key {
    Setting(usize),
    Parameter(usize),
}

impl Key {
    fn name<'r>(self, rows: &'r PooledRows<'_>) -> &'r str {
        match self {
            Key::Setting(place) => &rows.settings[place],
            Key::Parameter(place) => &rows.parameters[place],
        }
    }

    fn number(self, row: &PooledRow<'_>) -> Option<f64> {
        let value = match self {
            Key::Setting(place) => &row.settings[place],
            Key::Parameter(place) => &row.parameters[place],
        };
        match value {
            Some(Value::Int(number)) => Some(*number as f64),
            Some(Value::Float(number)) => Some(*number),
            _ => None,
        }
    }
}

/// The swept number and its row.
type Spot<'a> = (f64, &'a PooledRow<'a>);

/// Rows with the same other settings.
struct Panel<'a> {
    name: String,
    /// The lines with their names.
    series: Vec<(String, Vec<Spot<'a>>)>,
}

/// The values that are not the swept one, such as `game.rows = 6, openings.plies = 2`.
fn others(names: &[String], values: &[Option<Value>], left_out: Option<usize>) -> String {
    let given = names.iter().zip(values).enumerate().filter(|(place, _)| Some(*place) != left_out);
    let texts = given.filter_map(|(_, (name, value))| {
        let value = value.as_ref()?;
        Some(format!("{name} = {}", value.text().map_or(value.to_string(), str::to_owned)))
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// The panels in the order of their first rows. Against a key of the run, each agent is a line.
/// Against a parameter, agents that differ only in it are a line.
fn panels<'a>(rows: &'a PooledRows<'a>, key: Key) -> Vec<Panel<'a>> {
    let mut panels: Vec<Panel<'a>> = Vec::new();
    for row in &rows.rows {
        let Some(x) = key.number(row) else { continue };
        let (name, line) = match key {
            Key::Setting(place) => {
                (others(&rows.settings, &row.settings, Some(place)), row.agent.to_owned())
            }
            Key::Parameter(place) => {
                let more = others(&rows.parameters, &row.parameters, Some(place));
                let line = if more.is_empty() {
                    row.kind.to_owned()
                } else {
                    format!("{} ({more})", row.kind)
                };
                (others(&rows.settings, &row.settings, None), line)
            }
        };
        let panel = match panels.iter().position(|panel| panel.name == name) {
            Some(there) => &mut panels[there],
            None => {
                panels.push(Panel { name, series: Vec::new() });
                panels.last_mut().expect("a panel")
            }
        };
        match panel.series.iter_mut().find(|(other, _)| *other == line) {
            Some((_, spots)) => spots.push((x, row)),
            None => panel.series.push((line, vec![(x, row)])),
        }
    }
    let mut small: Vec<Panel<'a>> = panels.into_iter().flat_map(split).collect();
    for (_, spots) in small.iter_mut().flat_map(|panel| &mut panel.series) {
        spots.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    small
}

/// Panels of few lines: one for each kind of agent, and more if that is not enough.
fn split(panel: Panel<'_>) -> Vec<Panel<'_>> {
    if panel.series.len() <= LINES {
        return vec![panel];
    }
    let mut kinds: Vec<(&str, Vec<_>)> = Vec::new();
    for line in panel.series {
        let kind = line.1[0].1.kind;
        match kinds.iter_mut().find(|(other, _)| *other == kind) {
            Some((_, lines)) => lines.push(line),
            None => kinds.push((kind, vec![line])),
        }
    }
    let mut small = Vec::new();
    for (kind, mut lines) in kinds {
        let name = [panel.name.as_str(), kind].into_iter().filter(|part| !part.is_empty());
        let name = name.collect::<Vec<_>>().join(", ");
        while !lines.is_empty() {
            let rest = lines.split_off(lines.len().min(LINES));
            small.push(Panel { name: name.clone(), series: lines });
            lines = rest;
        }
    }
    small
}

/// A figure against a key; `None` without values.
fn chart(
    rows: &PooledRows<'_>,
    key: Key,
    figure: &SweptFigure,
    panels: &[Panel<'_>],
) -> Option<SweptChart> {
    let key_name = key.name(rows);
    let title = format!("{} by {key_name}", figure.name);
    let drawn: Vec<(&Panel<'_>, Vec<Series>)> = (panels.iter())
        .map(|panel| (panel, lines(panel, key_name, figure)))
        .filter(|(_, series)| series.iter().any(|series| !series.spots.is_empty()))
        .collect();
    let axes = Axes::of(&drawn, key_name, figure)?;
    let figures = drawn.iter().take(PANELS).filter_map(|(panel, series)| {
        let title = match panel.name.as_str() {
            "" => title.clone(),
            name => format!("{title}: {name}"),
        };
        axes.figure(&title, panel, series, &note(rows, figure))
    });
    let mut figures: Vec<Figure> = figures.collect();
    if drawn.len() > PANELS
        && let Some(last) = figures.last_mut()
    {
        last.note += &format!("; the first {PANELS} of {} charts", drawn.len());
    }
    Some(SweptChart {
        id: format!("{}-by-{key_name}", figure.word),
        key: key_name.to_owned(),
        title,
        panels: figures,
    })
}

fn lines(panel: &Panel<'_>, key: &str, figure: &SweptFigure) -> Vec<Series> {
    let line = |(number, (name, spots)): (usize, &(String, Vec<Spot<'_>>))| {
        let spot = |(x, row): &Spot<'_>| {
            let mean = row.mean(figure).filter(|mean| !figure.is_log || mean.mean > 0.0)?;
            let ends = mean.ends.map_or(String::new(), |ends| {
                let [low, high] = ends.map(figure.text);
                format!(" [{low}, {high}]")
            });
            let seeds = match row.seeds() {
                1 => String::new(),
                seeds => format!(", mean of {seeds} seeds"),
            };
            let value = (figure.text)(mean.mean);
            let x_text = tick_text(*x);
            let title = format!("{name}, {key} = {x_text}: {value}{ends}{seeds}");
            Some(ChartPoint { x: *x, y: mean.mean, ends: mean.ends, title })
        };
        Series { number, band: false, spots: spots.iter().filter_map(spot).collect() }
    };
    panel.series.iter().enumerate().map(line).collect()
}

/// What the marks and lines of a figure are.
fn note(rows: &PooledRows<'_>, figure: &SweptFigure) -> String {
    let scale = if figure.is_log { "; logarithmic scale" } else { "" };
    let mean = if figure.is_log { "geometric mean" } else { "mean" };
    match (rows.seeds(), figure.word) {
        ([1, 1], "elo") => "lines: 95 % intervals of each run".to_owned(),
        ([1, 1], "score") => "score against all others".to_owned(),
        ([1, 1], _) => format!("mean over all moves{scale}"),
        ([low, high], _) => {
            let seeds = if low == high { low.to_string() } else { format!("{low} to {high}") };
            format!(
                "{mean} of {seeds} seeds; lines: 95 % t intervals of the mean over all seeds{scale}"
            )
        }
    }
}

/// The axes that all panels of a figure share.
struct Axes<'a> {
    key: &'a str,
    figure: &'a SweptFigure,
    x: [f64; 2],
    y: [f64; 2],
    ticks: Vec<f64>,
}

impl<'a> Axes<'a> {
    fn of(
        drawn: &[(&Panel<'_>, Vec<Series>)],
        key: &'a str,
        figure: &'a SweptFigure,
    ) -> Option<Self> {
        let spots = || drawn.iter().flat_map(|(_, all)| all).flat_map(|series| &series.spots);
        let mut ticks: Vec<f64> = spots().map(|spot| spot.x).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        Some(Axes { key, figure, x: range(&ticks)?, y: heights(spots())?, ticks })
    }

    fn figure(
        &self,
        title: &str,
        panel: &Panel<'_>,
        series: &[Series],
        note: &str,
    ) -> Option<Figure> {
        let Axes { key, figure: swept, x, y, ticks } = self;
        let own = heights(series.iter().flat_map(|series| &series.spots))?;
        let is_flat = swept.word == ELO.word && own[1] - own[0] < FLAT * (y[1] - y[0]);
        let (y, scale) = if is_flat { (&own, "; scale of this chart only") } else { (y, "") };
        let is_wide = x[0] > 0.0 && x[1] >= WIDE * x[0];
        let percent = |share: f64| format!("{} %", percentage(share, 0));
        let tick: &dyn Fn(f64) -> String = match swept.word {
            "elo" => &elo,
            "score" => &percent,
            "nodes" => &round_count,
            _ => &round,
        };
        let ticks = (ticks.len() <= 12).then(|| ticks.clone());
        let svg: Option<Markup> = draw(&LineChart {
            name: title,
            x: Axis { range: Some(*x), ticks, log: is_wide, ..Axis::new(key, &tick_text) },
            y: Axis { range: Some(*y), log: swept.is_log, ..Axis::new(swept.name, tick) },
            references: &[],
            series,
            height: 140.0,
        });
        let legend = (series.iter().zip(&panel.series))
            .filter(|(series, _)| !series.spots.is_empty())
            .map(|(series, (name, _))| LegendEntry::of_series(series.number, name));
        Some(Figure { legend: legend.collect(), ..figure(title, svg, &format!("{note}{scale}"))? })
    }
}

/// The range of the values with their intervals.
fn heights<'s>(spots: impl Iterator<Item = &'s ChartPoint>) -> Option<[f64; 2]> {
    let ends = |spot: &ChartPoint| std::iter::once(spot.y).chain(spot.ends.into_iter().flatten());
    range(&spots.flat_map(ends).collect::<Vec<f64>>())
}
