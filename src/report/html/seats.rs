//! First against second player, as a picture.

use maud::{Markup, html};

use super::bars::{Share, result_legend, shares};
use super::layout::{figure, figures};
use super::rows::{Row, Rows, draw};
use crate::arena::Tally;
use crate::report::context::Context;
use crate::report::numbers::{counted, fixed, grouped, percent, percents};
use crate::report::seats::{Seats, seats, table};

/// The most rows of a chart.
const MOST: usize = 16;

/// The section.
pub fn content(tally: &Tally, context: &Context) -> Markup {
    let all = seats(tally, context);
    let (shown, left_out) = chosen(&all);
    let rows: Vec<Row> = shown.iter().map(|seats| row(seats)).collect();
    let chart = draw(&Rows {
        name: "First player's score",
        axis: "first player's score in %",
        log: false,
        range: None,
        reference: Some(50.0),
        tick: &|value| fixed(value, 0),
        class: "first",
        rows: &rows,
    });
    let bars: Vec<Share> = (shown.iter())
        .map(|seats| Share {
            label: seats.scope.clone(),
            counts: [seats.results.wins(), seats.results.draws(), seats.results.losses()],
            figures: grouped(seats.games),
        })
        .collect();
    let mut note =
        "lines: 95 % intervals over distinct games; right of the middle the first player \
                    scores more"
            .to_owned();
    if left_out > 0 {
        note.push_str(&format!("; {} more in seats.csv", counted(left_out as u64, "row")));
    }
    html! {
        div class="charts" {
            (figure("First player's score", html! {}, chart, &note))
            (figure("Results by seat", result_legend(),
                shares("Results by seat", &bars, false), "of all games; on the right how many"))
            (by_agent(tally))
        }
        (figures(Some(&table(tally, context))))
    }
}

/// All games, and each agent against itself, or else against all others; pairings where there
/// is nothing by agent.
fn chosen(all: &[Seats]) -> (Vec<&Seats>, usize) {
    let any_self = all.iter().any(|seats| seats.is_self);
    let of_agent = |seats: &&Seats| match any_self {
        true => seats.is_self,
        false => seats.scope.ends_with(" vs all others"),
    };
    let agents = all.iter().skip(1).filter(of_agent);
    let shown: Vec<&Seats> = match agents.clone().next() {
        Some(_) => all.iter().take(1).chain(agents).collect(),
        // Of one pairing alone the row of all games says everything.
        None if all.len() == 2 => all.iter().take(1).collect(),
        None => all.iter().collect(),
    };
    let kept: Vec<&Seats> = shown.into_iter().take(MOST).collect();
    let left_out = if all.len() == 2 { 0 } else { all.len() - kept.len() };
    (kept, left_out)
}

fn row(seats: &Seats) -> Row {
    let judged = &seats.judged;
    Row {
        label: seats.scope.clone(),
        value: judged.score.map(|score| 100.0 * score),
        low: judged.interval.map(|ends| 100.0 * ends.lo),
        high: judged.interval.map(|ends| 100.0 * ends.hi),
        figures: format!("{} %", percent(judged.score)),
        title: format!(
            "{}: the first player scores {} %, 95 % {}, at any time {}; {} distinct games; {}",
            seats.scope,
            percent(judged.score),
            percents(judged.interval),
            percents(judged.anytime),
            grouped(seats.distinct),
            judged.verdict.of_seats()
        ),
    }
}

/// Each agent's score against others, moving first and moving second.
fn by_agent(tally: &Tally) -> Markup {
    use super::scale::Scale;
    use super::svg::{Marker, WIDTH, chart, fit, legend, line, text, width};
    let agents: Vec<_> = (tally.names.iter().zip(&tally.agents))
        .filter_map(|(name, agent)| {
            Some((name, agent.moving_first.mean()?, agent.moving_second.mean()?))
        })
        .collect();
    if agents.is_empty() {
        return html! {};
    }
    let left = agents.iter().map(|(name, ..)| width(name)).fold(0.0, f64::max).min(150.0) + 10.0;
    let right = WIDTH - 96.0;
    let x = Scale::linear([0.0, 100.0], [left + 6.0, right - 6.0]);
    let bottom = 22.0 * agents.len() as f64 + 4.0;
    let content = html! {
        @for tick in [0.0, 25.0, 50.0, 75.0, 100.0] {
            (line(if tick == 50.0 { "reference" } else { "grid" }, [x.at(tick), 2.0],
                [x.at(tick), bottom]))
            (text("tick middle", [x.at(tick), bottom + 14.0], &fixed(tick, 0)))
        }
        (line("axis", [left, bottom], [right, bottom]))
        (text("label middle", [(left + right) / 2.0, bottom + 32.0], "agent's score in %"))
        @for (i, (name, first, second)) in agents.iter().enumerate() {
            @let y = 22.0 * (i as f64 + 0.5) + 2.0;
            @let [one, two] = [100.0 * first, 100.0 * second];
            g {
                title {
                    (name) ": moving first " (fixed(one, 1)) " %, moving second " (fixed(two, 1))
                    " %"
                }
                (text("name", [0.0, y + 4.0], &fit(name, left - 8.0)))
                (line("joint", [x.at(one), y], [x.at(two), y]))
                g class="second" { (Marker::Square.at([x.at(two), y])) }
                g class="first" { (Marker::Disc.at([x.at(one), y])) }
                (text("figures end", [WIDTH, y + 4.0],
                    &format!("{} / {}", fixed(one, 1), fixed(two, 1))))
            }
        }
    };
    let key = legend([
        ("first", Some(Marker::Disc), "moving first"),
        ("second", Some(Marker::Square), "moving second"),
    ]);
    let chart = chart("Score by seat", bottom + 38.0, content);
    figure("Each agent by seat", key, Some(chart), "against others, all games")
}
