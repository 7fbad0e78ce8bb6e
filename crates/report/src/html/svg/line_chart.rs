//! Line charts: values with markers, optionally with intervals.

use maud::{Markup, html};

use super::axis_scale::{AxisScale, range};
use super::svg_elements::{Marker, WIDTH, axis_name, chart, colour, line, px, text};

#[derive(Debug, Clone, PartialEq)]
pub struct ChartPoint {
    /// Value on the horizontal axis.
    pub x: f64,
    /// Value on the vertical axis.
    pub y: f64,
    /// The interval around the value, if any.
    pub ends: Option<[f64; 2]>,
    /// The text of the tooltip.
    pub title: String,
}

/// Values of one line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its number, which determines colour and marker.
    pub number: usize,
    /// Whether to draw the intervals as one band or separately.
    pub band: bool,
    pub spots: Vec<ChartPoint>,
}

pub struct Axis<'a> {
    /// The measure with its unit.
    pub name: &'a str,
    /// Whether the scale is logarithmic.
    pub log: bool,
    /// Values that the axis must include.
    pub range: Option<[f64; 2]>,
    pub tick: &'a dyn Fn(f64) -> String,
    /// Whether ticks are whole numbers, as of games and plies.
    pub whole: bool,
    /// Positions of ticks; round values by default.
    pub ticks: Option<Vec<f64>>,
    /// Positions of lines across the chart; of the horizontal axis only.
    pub lines: Vec<f64>,
}

impl<'a> Axis<'a> {
    /// A linear axis.
    pub fn new(name: &'a str, tick: &'a dyn Fn(f64) -> String) -> Self {
        Axis { name, log: false, range: None, tick, whole: false, ticks: None, lines: Vec::new() }
    }

    fn scale(&self, mut values: Vec<f64>, stretch: [f64; 2]) -> Option<AxisScale> {
        values.extend(self.range.into_iter().flatten());
        if self.log {
            values.retain(|value| *value > 0.0);
            return Some(AxisScale::log(range(&values)?, stretch));
        }
        Some(AxisScale::linear(range(&values)?, stretch))
    }

    fn ticks(&self, scale: &AxisScale, wanted: usize) -> Vec<f64> {
        let mut ticks = self.ticks.clone().unwrap_or_else(|| scale.ticks(wanted));
        ticks.retain(|tick| !self.whole || tick.fract() == 0.0);
        ticks
    }
}

/// Lines on a pair of axes.
pub struct LineChart<'a> {
    pub name: &'a str,
    pub x: Axis<'a>,
    pub y: Axis<'a>,
    /// Reference values on the vertical axis, with their names.
    pub references: &'a [(f64, &'a str)],
    pub series: &'a [Series],
    /// The height without the horizontal axis.
    pub height: f64,
}

/// Draws the lines; `None` if there is nothing to show.
pub fn draw(lines: &LineChart<'_>) -> Option<Markup> {
    let (mut across, mut up) = (Vec::new(), Vec::new());
    for spot in lines.series.iter().flat_map(|series| &series.spots) {
        across.push(spot.x);
        up.push(spot.y);
        up.extend(spot.ends.into_iter().flatten());
    }
    up.extend(lines.references.iter().map(|(value, _)| *value));
    let (left, right, top) = (58.0, WIDTH - 12.0, 22.0);
    let bottom = top + lines.height;
    let x = lines.x.scale(across, [left + 10.0, right - 10.0])?;
    let y = lines.y.scale(up, [bottom - 6.0, top + 6.0])?;
    let content = html! {
        (text("label", [0.0, 12.0], lines.y.name))
        @for tick in lines.y.ticks(&y, 4) {
            (line("grid", [left, y.at(tick)], [right, y.at(tick)]))
            (text("tick end", [left - 6.0, y.at(tick) + 4.0], &(lines.y.tick)(tick)))
        }
        @for tick in lines.x.ticks(&x, 5) {
            (line("notch", [x.at(tick), bottom], [x.at(tick), bottom + 4.0]))
            (text("tick middle", [x.at(tick), bottom + 17.0], &(lines.x.tick)(tick)))
        }
        (line("axis", [left, bottom], [right, bottom]))
        (axis_name([left, right], bottom + 34.0, lines.x.name))
        @for (value, name) in lines.references {
            (line("reference", [left, y.at(*value)], [right, y.at(*value)]))
            (text("tick end", [right, y.at(*value) - 4.0], name))
        }
        @for place in &lines.x.lines {
            (line("reference", [x.at(*place), top], [x.at(*place), bottom]))
        }
        @for series in lines.series { (draw_series(series, &x, &y)) }
    };
    Some(chart(lines.name, bottom + 40.0, content))
}

fn draw_series(series: &Series, x: &AxisScale, y: &AxisScale) -> Markup {
    let place = |spot: &ChartPoint| [x.at(spot.x), y.at(spot.y)];
    let point = |[x, y]: [f64; 2]| format!("{},{}", px(x), px(y));
    let path: Vec<String> = series.spots.iter().map(|spot| point(place(spot))).collect();
    let edge = |end: usize| -> Vec<String> {
        let of = |spot: &ChartPoint| Some(point([x.at(spot.x), y.at(spot.ends?[end])]));
        series.spots.iter().filter_map(of).collect()
    };
    let (mut outline, back) = (edge(0), edge(1));
    outline.extend(back.into_iter().rev());
    let many = series.spots.len() > 24;
    html! {
        g class=(colour(series.number)) {
            @if series.band { polygon class="band" points=(outline.join(" ")) {} }
            polyline class="line" points=(path.join(" ")) {}
            @for spot in &series.spots {
                g {
                    title { (spot.title) }
                    @if let Some([low, high]) = spot.ends.filter(|_| !series.band) {
                        (line("whisker", [x.at(spot.x), y.at(low)], [x.at(spot.x), y.at(high)]))
                    }
                    @if many {
                        circle class="hit" cx=(px(x.at(spot.x))) cy=(px(y.at(spot.y))) r="7" {}
                    } @else {
                        (Marker::of(series.number).at(place(spot)))
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spot_has_its_title_and_its_mark() {
        let tick = |value: f64| format!("{value}");
        let spot =
            |x: f64| ChartPoint { x, y: 10f64.powf(x), ends: None, title: format!("at {x}") };
        let spots: Vec<ChartPoint> = (1..=4).map(|x| spot(f64::from(x))).collect();
        let mut series = vec![Series { number: 2, band: false, spots }];
        let draw = |series: &[Series]| {
            draw(&LineChart {
                name: "n",
                x: Axis::new("depth in plies", &tick),
                y: Axis { log: true, ..Axis::new("nodes per move", &tick) },
                references: &[],
                series,
                height: 100.0,
            })
            .map(Markup::into_string)
        };
        let svg = draw(&series).expect("a chart");
        assert_eq!(svg.matches("<title>at ").count(), 4);
        assert_eq!(svg.matches("<polygon").count(), 4);
        assert!(svg.contains("depth in plies") && svg.contains("nodes per move"));
        series[0].spots.clear();
        assert_eq!(draw(&series), None);
    }

    #[test]
    fn bands_go_there_and_back() {
        let tick = |value: f64| format!("{value}");
        let spot = |x: f64| ChartPoint { x, y: 0.5, ends: Some([0.4, 0.6]), title: String::new() };
        let spots = vec![spot(1.0), spot(2.0), spot(3.0)];
        let series = [Series { number: 0, band: true, spots }];
        let svg = draw(&LineChart {
            name: "n",
            x: Axis::new("games", &tick),
            y: Axis::new("score", &tick),
            references: &[(0.5, "even")],
            series: &series,
            height: 100.0,
        });
        let svg = svg.expect("a chart").into_string();
        let band = svg.split("class=\"band\" points=\"").nth(1).and_then(|s| s.split('"').next());
        assert_eq!(band.map(|points| points.split(' ').count()), Some(6));
        assert!(svg.contains(">even<"));
    }
}
