//! Charts of the evidence over the course of the run.

use maud::Markup;

use crate::arena::HistoryPoint;
use crate::html::svg::axis_scale::tick_text;
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::line_chart::{Axis, ChartPoint, LineChart, Series, draw};
use crate::kinds::sequential;
use crate::stats::{Confidence, Interval};
use crate::text::number_format::{grouped, percent, percents, signed};

/// Maximum number of points in a chart: an interval valid at any time is expensive to compute.
const MOST: usize = 64;

/// At most [`MOST`] points, evenly spaced, including the last one.
fn thinned(course: &[HistoryPoint]) -> Vec<&HistoryPoint> {
    let step = course.len().div_ceil(MOST).max(1);
    let offset = course.len().saturating_sub(1) % step;
    course.iter().skip(offset).step_by(step).collect()
}

/// A log-likelihood ratio between its bounds, or the evidence of scores without luck.
pub fn llr(source: &ChartSource<'_>) -> Option<Figure> {
    let sprt = source.results.tally.sprt.as_ref()?;
    let [ratio, short] = sequential::name_of_ratio(sprt);
    let spots: Vec<ChartPoint> = (source.history.samples.iter())
        .filter_map(|point| {
            let [llr, lower, upper] = point.llr?;
            let title = format!(
                "after {} games: {short} {} between {} and {}",
                grouped(point.games),
                signed(llr, 2),
                signed(lower, 2),
                signed(upper, 2)
            );
            Some(ChartPoint { x: point.games as f64, y: llr, ends: None, title })
        })
        .collect();
    let references = [(sprt.upper(), "H1 is accepted here"), (sprt.lower(), "H0 is accepted here")];
    let chart = draw(&LineChart {
        name: &format!("The {ratio} of the sequential test"),
        x: games_axis(),
        y: Axis::new(&format!("{ratio} in nats"), &tick_text),
        references: &references,
        series: &[Series { number: 0, band: false, spots }],
        height: 180.0,
    });
    let title = format!("{}: {ratio}", sequential::name(sprt));
    figure(title, chart, "the test ends when the line reaches a bound")
}

pub fn games_axis<'a>() -> Axis<'a> {
    let plain = Axis::new("games played", &|value| grouped(value as u64));
    Axis { range: Some([0.0; 2]), whole: true, ..plain }
}

/// The score of the first of two agents, with the interval that is valid at any time.
pub fn score(source: &ChartSource<'_>) -> Option<Figure> {
    let tally = &source.results.tally;
    let (pairing, _) = tally.pairings.iter().find(|(pairing, _)| !pairing.is_self())?;
    let (a, b) = (&tally.names[pairing.a], &tally.names[pairing.b]);
    let of = |point: &HistoryPoint| {
        let evidence = point.head_to_head?;
        let pairs = evidence.pairs.strength();
        if pairs.is_empty() {
            let games = evidence.games();
            return Some((games.mean()?, games.anytime_interval(Confidence::P95)?));
        }
        Some((pairs.mean()?, pairs.anytime_interval(Confidence::P95)?))
    };
    let chart = running("Score during the run", &format!("score of {a} in %"), source, &of);
    let title = format!("{a} against {b} during the run");
    figure(title, chart, BAND)
}

/// The first player's score; each opening has equal weight.
pub fn first(source: &ChartSource<'_>) -> Option<Figure> {
    // With fixed seats the first player is always the same agent, so this chart adds nothing.
    if source.results.tally.pairings.iter().all(|(pairing, _)| pairing.fixed) {
        return None;
    }
    let of = |point: &HistoryPoint| {
        Some((point.first.mean()?, point.first.anytime_interval(Confidence::P95)?))
    };
    let name = "First player's score during the run";
    let chart = running(name, "first player's score in %", source, &of);
    figure(name, chart, BAND)
}

const BAND: &str = "band: 95 % interval that is valid at any time; distinct games only";

type EvidencePoint<'a> = dyn Fn(&HistoryPoint) -> Option<(f64, Interval)> + 'a;

fn running(
    name: &str,
    unit: &str,
    source: &ChartSource<'_>,
    of: &EvidencePoint<'_>,
) -> Option<Markup> {
    let spots: Vec<ChartPoint> = (thinned(&source.history.samples).iter())
        .filter_map(|point| {
            let (score, interval) = of(point)?;
            let (low, high) = (100.0 * interval.lo, 100.0 * interval.hi);
            let title = format!(
                "after {} games: {} %, at any time {}",
                grouped(point.games),
                percent(Some(score)),
                percents(Some(interval))
            );
            let ends = Some([low, high]);
            Some(ChartPoint { x: point.games as f64, y: 100.0 * score, ends, title })
        })
        .collect();
    let spots = trimmed(spots);
    (spots.len() > 1).then_some(())?;
    draw(&LineChart {
        name,
        x: games_axis(),
        y: Axis::new(unit, &tick_text),
        references: &[(50.0, "")],
        series: &[Series { number: 0, band: true, spots }],
        height: 180.0,
    })
}

/// Removes the first points, whose intervals cover almost the whole axis.
fn trimmed(spots: Vec<ChartPoint>) -> Vec<ChartPoint> {
    let wide = |spot: &ChartPoint| spot.ends.is_some_and(|[low, high]| high - low > 95.0);
    let kept: Vec<ChartPoint> = spots.iter().skip_while(|spot| wide(spot)).cloned().collect();
    if kept.len() > 1 { kept } else { spots }
}
