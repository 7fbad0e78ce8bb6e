//! Dot charts with one row per name: a dot on an axis, optionally with its interval, and its value
//! as text.

use maud::{Markup, html};

use super::axis_scale::{AxisScale, tick_text};
use super::svg_elements::{Marker, WIDTH, axis_name, chart, fit, line, text, width};
use crate::stats::Interval;
use crate::text::number_format::{grouped, informative, percent, percent_and_interval};

#[derive(Debug, Clone, PartialEq)]
pub struct DotRow {
    /// The name at the left of the row.
    pub label: String,
    /// The position of the dot; `None` if only a bound is known, or nothing.
    pub value: Option<f64>,
    /// The lower end of the interval, if any.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// The value as text, at the end of the row.
    pub figures: String,
    /// The text of the tooltip.
    pub title: String,
}

impl DotRow {
    /// A share with its interval on an axis of percents.
    pub fn percent(
        label: String,
        share: Option<f64>,
        interval: Option<Interval>,
        title: String,
    ) -> DotRow {
        DotRow {
            label,
            value: share.map(|share| 100.0 * share),
            low: interval.map(|ends| 100.0 * ends.lo),
            high: interval.map(|ends| 100.0 * ends.hi),
            figures: match informative(interval) {
                Some(_) => percent_and_interval(share, interval),
                None => format!("{} %", percent(share)),
            },
            title,
        }
    }
}

pub struct DotChart<'a> {
    pub name: &'a str,
    /// The measure on the axis, with its unit.
    pub axis: &'a str,
    /// Whether the scale is logarithmic.
    pub log: bool,
    /// The ends of the axis; by default the range of the rows.
    pub range: Option<[f64; 2]>,
    pub reference: Option<f64>,
    pub tick: &'a dyn Fn(f64) -> String,
    /// The CSS class that gives the markers their colour.
    pub class: &'static str,
    pub rows: &'a [DotRow],
}

impl<'a> DotChart<'a> {
    /// Rows on a linear axis.
    pub fn new(
        name: &'a str,
        axis: &'a str,
        tick: &'a dyn Fn(f64) -> String,
        rows: &'a [DotRow],
    ) -> DotChart<'a> {
        let (log, range, reference, class) = (false, None, None, "s1");
        DotChart { name, axis, log, range, reference, tick, class, rows }
    }

    /// Rows on an axis from 0 to 100 %.
    pub fn percents(name: &'a str, axis: &'a str, rows: &'a [DotRow]) -> DotChart<'a> {
        let range = Some([0.0, 100.0]);
        DotChart { range, ..DotChart::new(name, axis, &tick_text, rows) }
    }
}

/// Maximum number of rows in a chart: a page with thousands of rows is not readable.
pub const MOST: usize = 100;

/// The name of an axis, with the number of shown rows if some are omitted.
pub fn axis(name: &str, rows: usize) -> String {
    match rows > MOST {
        true => format!("{name}; the first {MOST} of {} agents", grouped(rows as u64)),
        false => name.to_owned(),
    }
}

/// The size of figures relative to names.
pub const SMALL: f64 = 11.0 / 12.0;
const HEIGHT: f64 = 22.0;
const FOOT: f64 = 38.0;

/// Draws the rows; `None` if no row has anything to show.
pub fn draw(rows: &DotChart<'_>) -> Option<Markup> {
    let axis = axis(rows.axis, rows.rows.len());
    let rows = &DotChart { axis: &axis, rows: &rows.rows[..rows.rows.len().min(MOST)], ..*rows };
    let mut ends: Vec<f64> = Vec::new();
    for row in rows.rows {
        ends.extend([row.value, row.low, row.high].into_iter().flatten());
    }
    if ends.is_empty() {
        return None;
    }
    let range = match rows.range {
        Some(range) => range,
        None if rows.log => {
            ends.retain(|value| *value > 0.0);
            super::axis_scale::range(&ends)?
        }
        None => {
            ends.extend(rows.reference);
            AxisScale::around(&ends, 0.05)?
        }
    };
    let figures = SMALL * rows.rows.iter().map(|row| width(&row.figures)).fold(0.0, f64::max);
    let left = left_of(rows.rows.iter().map(|row| row.label.as_str()));
    let right = WIDTH - figures.min(150.0) - 8.0;
    let stretch = [left + 6.0, right - 6.0];
    let scale =
        if rows.log { AxisScale::log(range, stretch) } else { AxisScale::linear(range, stretch) };
    let bottom = HEIGHT * rows.rows.len() as f64 + 4.0;
    let content = html! {
        (ticks(&scale, &scale.ticks(if rows.log { 5 } else { 4 }), rows.tick, bottom))
        @if let Some(reference) = rows.reference {
            (line("reference", [scale.at(reference), 2.0], [scale.at(reference), bottom]))
        }
        (line("axis", [left, bottom], [right, bottom]))
        (axis_name([left, right], bottom + 32.0, rows.axis))
        @for (i, row) in rows.rows.iter().enumerate() {
            @let y = HEIGHT * (i as f64 + 0.5) + 2.0;
            g class=(rows.class) {
                title { (row.title) }
                rect class="hit" x="0" y=(super::svg_elements::px(y - HEIGHT / 2.0))
                    width=(super::svg_elements::px(WIDTH)) height=(super::svg_elements::px(HEIGHT)) {}
                (text("name", [0.0, y + 4.0], &fit(&row.label, left - 8.0)))
                (marks(row, &scale, y))
                (text("figures end", [WIDTH, y + 4.0], &fit(&row.figures, 150.0 / SMALL)))
            }
        }
    };
    Some(chart(rows.name, bottom + FOOT, content))
}

/// Where the axis begins: after the names of the rows.
pub fn left_of<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    names.map(width).fold(0.0, f64::max).min(130.0) + 10.0
}

/// Vertical lines at ticks, with their values below the rows.
pub fn ticks(scale: &AxisScale, at: &[f64], tick: &dyn Fn(f64) -> String, bottom: f64) -> Markup {
    let labels: Vec<String> = at.iter().map(|value| tick(*value)).collect();
    // Where the labels have no room, every second one is enough, zero included.
    let zero = at.iter().position(|value| *value == 0.0).unwrap_or(0);
    let wide = SMALL * labels.iter().map(|label| width(label)).fold(0.0, f64::max) + 3.0;
    let crowded = at.windows(2).any(|ends| scale.at(ends[1]) - scale.at(ends[0]) < wide);
    html! {
        @for (i, (&value, label)) in at.iter().zip(&labels).enumerate() {
            (line("grid", [scale.at(value), 2.0], [scale.at(value), bottom]))
            @if !crowded || i % 2 == zero % 2 {
                (text("tick middle", [scale.at(value), bottom + 14.0], label))
            }
        }
    }
}

/// The dot with its interval; an open end is an arrow.
fn marks(row: &DotRow, scale: &AxisScale, y: f64) -> Markup {
    html! {
        @match (row.low, row.high) {
            (Some(low), Some(high)) => (whisker(scale, [low, high], y)),
            (Some(low), None) if row.value.is_none() => (arrow(scale.at(low), y, 1.0)),
            (None, Some(high)) if row.value.is_none() => (arrow(scale.at(high), y, -1.0)),
            _ => {},
        }
        @if let Some(value) = row.value { (Marker::Disc.at([scale.at(value), y])) }
    }
}

/// An interval: a line with a tick at each end.
pub fn whisker(scale: &AxisScale, ends: [f64; 2], y: f64) -> Markup {
    let [low, high] = ends.map(|end| scale.at(end));
    html! {
        (line("whisker", [low, y], [high, y]))
        @for x in [low, high] { (line("whisker", [x, y - 4.0], [x, y + 4.0])) }
    }
}

/// A bound: an arrow from a tick in the direction of the possible values.
fn arrow(x: f64, y: f64, way: f64) -> Markup {
    let tip = x + 16.0 * way;
    html! {
        (line("whisker", [x, y - 5.0], [x, y + 5.0]))
        (line("whisker", [x, y], [tip, y]))
        (line("whisker", [tip, y], [tip - 5.0 * way, y - 4.0]))
        (line("whisker", [tip, y], [tip - 5.0 * way, y + 4.0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> DotRow {
        let (label, figures) = ("a <b>".to_owned(), "1.5".to_owned());
        DotRow { label, value, low, high, figures, title: "what it is".to_owned() }
    }

    fn drawn(log: bool, rows: &[DotRow]) -> Option<String> {
        let tick = |value: f64| format!("{value}");
        let chart = DotChart { log, ..DotChart::new("Name", "score in %", &tick, rows) };
        draw(&chart).map(Markup::into_string)
    }

    #[test]
    fn every_row_says_what_it_is_and_names_are_escaped() {
        let svg = drawn(false, &[row(Some(1.5), Some(1.0), Some(2.0)), row(None, Some(1.2), None)]);
        let svg = svg.expect("a chart");
        assert_eq!(svg.matches("<title>what it is</title>").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(svg.contains("a &lt;b&gt;") && !svg.contains("<b>") && !svg.contains("NaN"));
    }

    #[test]
    fn a_chart_of_a_large_field_shows_its_first_rows_and_says_so() {
        let rows = vec![row(Some(1.5), None, None); MOST + 900];
        let svg = drawn(false, &rows).expect("a chart");
        assert_eq!(svg.matches("<circle").count(), MOST);
        assert!(svg.contains("score in %; the first 100 of 1 000 agents"), "{svg}");
        assert!(!drawn(false, &rows[..MOST]).expect("a chart").contains("the first"));
    }

    #[test]
    fn nothing_to_show_is_no_chart() {
        assert_eq!(drawn(false, &[row(None, None, None)]), None);
        assert_eq!(drawn(true, &[row(Some(0.0), None, None)]), None);
        assert_eq!(
            draw(&DotChart::percents("Name", "score in %", &[])).map(Markup::into_string),
            None
        );
        assert!(drawn(true, &[row(Some(0.0), None, None), row(Some(5.0), None, None)]).is_some());
    }
}
