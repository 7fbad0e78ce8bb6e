//! A chart of each agent's score, moving first and moving second.

use maud::{Markup, html};

use crate::figures::verdict_phrases::Judged;
use crate::html::svg::axis_scale::{AxisScale, tick_text};
use crate::html::svg::chart_figure::{ChartSource, Figure, figure};
use crate::html::svg::dot_and_interval_chart::{MOST, SMALL, axis, left_of, ticks, whisker};
use crate::html::svg::svg_elements::LegendEntry;
use crate::html::svg::svg_elements::{Marker, WIDTH, axis_name, chart, fit, line, px, text, width};
use crate::text::number_format::{
    explain_missing, informative, percent, percent_and_interval, percents,
};

const HEIGHT: f64 = 34.0;
/// The seats: CSS class, marker and name.
const SEATS: [(&str, Marker, &str); 2] =
    [("first", Marker::Disc, "moving first"), ("second", Marker::Square, "moving second")];

/// The chart; `None` if no agent has played from both seats.
pub fn scores(source: &ChartSource<'_>) -> Option<Figure> {
    let (tally, all) = (&source.results.tally, &source.seats);
    let with_both = || (0..tally.names.len()).filter(|&agent| all.has_both_seats(agent));
    let fixed_length = source.results.fixed_length();
    let holding =
        |judged: Judged| Judged { interval: judged.interval_that_holds(fixed_length), ..judged };
    let agents: Vec<(&str, [Judged; 2])> = (with_both().take(MOST))
        .map(|agent| (tally.names[agent].as_str(), all.by_seat(agent).map(holding)))
        .collect();
    if agents.is_empty() {
        return None;
    }
    let chart = draw(&agents, &axis("agent's score in %", with_both().count()));
    let note = "against other agents; lines: 95 % intervals; each opening has equal weight";
    let intervals = agents.iter().flat_map(|(_, seats)| seats).map(|judged| judged.interval);
    let note = &explain_missing(note.to_owned(), intervals);
    let entry = |(class, marker, name): (_, _, &str)| LegendEntry {
        class,
        marker: Some(marker),
        name: name.to_owned(),
    };
    let plain = figure("Score of each agent by seat", Some(chart), note)?;
    Some(Figure { legend: SEATS.into_iter().map(entry).collect(), ..plain })
}

fn draw(agents: &[(&str, [Judged; 2])], axis: &str) -> Markup {
    let left = left_of(agents.iter().map(|(name, _)| *name));
    let wide = agents
        .iter()
        .flat_map(|(_, seats)| seats)
        .map(|judged| width(&percent_and_interval(judged.score, judged.interval)));
    let right = WIDTH - SMALL * wide.fold(0.0, f64::max) - 8.0;
    let x = AxisScale::linear([0.0, 100.0], [left + 6.0, right - 6.0]);
    let bottom = HEIGHT * agents.len() as f64 + 4.0;
    let content = html! {
        (ticks(&x, &[0.0, 25.0, 50.0, 75.0, 100.0], &tick_text, bottom))
        (line("reference", [x.at(50.0), 2.0], [x.at(50.0), bottom]))
        (line("axis", [left, bottom], [right, bottom]))
        (axis_name([left, right], bottom + 32.0, axis))
        @for (i, (name, seats)) in agents.iter().enumerate() {
            @let y = HEIGHT * (i as f64 + 0.5) + 2.0;
            g {
                title { (title(name, seats)) }
                rect class="hit" x="0" y=(px(y - HEIGHT / 2.0)) width=(px(WIDTH))
                    height=(px(HEIGHT)) {}
                (text("name", [0.0, y + 4.0], &fit(name, left - 8.0)))
                @for ((judged, (class, marker, _)), off) in seats.iter().zip(SEATS).zip([-6.5, 6.5])
                {
                    g class=(class) {
                        @if let Some(ends) = informative(judged.interval) {
                            (whisker(&x, [100.0 * ends.lo, 100.0 * ends.hi], y + off))
                        }
                        @if let Some(score) = judged.score {
                            (marker.at([x.at(100.0 * score), y + off]))
                        }
                        @let figures = percent_and_interval(judged.score, judged.interval);
                        (text("figures end", [WIDTH, y + off + 4.0], &figures))
                    }
                }
            }
        }
    };
    chart("Score by seat", bottom + 38.0, content)
}

fn title(name: &str, seats: &[Judged; 2]) -> String {
    let parts: Vec<String> = (seats.iter().zip(SEATS))
        .map(|(judged, (_, _, words))| {
            let of = format!("{words} {} %", percent(judged.score));
            match informative(judged.interval) {
                interval @ Some(_) => format!("{of}, 95 % {}", percents(interval)),
                None => of,
            }
        })
        .collect();
    format!("{name}: {}", parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::verdict_phrases::Sampling;
    use crate::stats::Trinomial;

    #[test]
    fn both_seats_are_shown_with_their_intervals() {
        let judged =
            |wins| Judged::counts(&Trinomial::of(100 - wins, 0, wins), Sampling::default());
        let svg = draw(&[("a <b>", [judged(60), judged(45)])], "").into_string();
        assert_eq!((svg.matches("<circle").count(), svg.matches("class=\"mark\"").count()), (1, 2));
        // An interval is a line with a tick at each end.
        assert_eq!(svg.matches("class=\"whisker\"").count(), 6);
        assert!(svg.contains("a &lt;b&gt;: moving first 60.0 %, 95 % ["), "{svg}");
        assert!(svg.contains(">60.0 [") && svg.contains(">45.0 ["), "{svg}");
        let exact = Sampling { fixed_length: true, exhausted: true };
        let exact = [60, 45].map(|wins| Judged::counts(&Trinomial::of(100 - wins, 0, wins), exact));
        let svg = draw(&[("a", exact)], "").into_string();
        assert!(!svg.contains("whisker") && svg.contains("moving first 60.0 %; moving second"));
    }
}
