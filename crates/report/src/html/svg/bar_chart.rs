//! Bar charts of results: columns over an axis, and stacked rows of shares.

use maud::{Markup, html};

use super::axis_scale::AxisScale;
use super::svg_elements::LegendEntry;
use super::svg_elements::{WIDTH, axis_name, chart, fit, line, px, rect, text, width};
use crate::arena::Lengths;
use crate::text::number_format::{counted, grouped, percent};

/// The results in stacking order: CSS class and name.
pub const RESULTS: [(&str, &str); 3] =
    [("first", "first player wins"), ("draw", "draw"), ("second", "second player wins")];

/// The legend of the result colours.
pub fn result_legend() -> Vec<LegendEntry> {
    let entry = |(class, name): (_, &str)| LegendEntry { class, marker: None, name: name.into() };
    RESULTS.into_iter().map(entry).collect()
}

/// Columns of games by length, split by result.
pub fn lengths(lengths: &Lengths, max_width: usize) -> Option<Markup> {
    let lengths = lengths.in_columns(max_width);
    let of = |counts: &[u64; 3]| counts.iter().sum::<u64>();
    let most = lengths.counts.iter().map(of).max().filter(|most| *most > 0)?;
    let first = lengths.counts.iter().position(|counts| of(counts) > 0)?;
    let shown = &lengths.counts[first..];
    let (left, right, top, bottom) = (58.0, WIDTH - 8.0, 22.0, 172.0);
    let begin = |column: usize| ((first + column) as u64 * u64::from(lengths.width)) as f64;
    let x = AxisScale::linear([begin(0), begin(shown.len())], [left + 4.0, right - 4.0]);
    let y = AxisScale::linear([0.0, most as f64], [bottom, top + 4.0]);
    let one = x.at(begin(1)) - x.at(begin(0));
    // A column of one length is centred on its number, a wider column on its range.
    let middle = if lengths.width == 1 { one / 2.0 } else { 0.0 };
    let content = html! {
        (text("label", [0.0, 12.0], "games"))
        @for tick in y.ticks(4).into_iter().filter(|tick| tick.fract() == 0.0) {
            (line("grid", [left, y.at(tick)], [right, y.at(tick)]))
            (text("tick end", [left - 6.0, y.at(tick) + 4.0], &grouped(tick as u64)))
        }
        // No column starts at the end of the axis, and its number would be outside the chart.
        @for tick in x.ticks(7).into_iter().filter(|tick| {
            tick.fract() == 0.0 && (middle == 0.0 || *tick < begin(shown.len()))
        }) {
            (text("tick middle", [x.at(tick) + middle, bottom + 16.0], &grouped(tick as u64)))
        }
        (axis_name([left, right], bottom + 32.0, "length in plies"))
        @for (column, counts) in shown.iter().enumerate().filter(|(_, counts)| of(counts) > 0) {
            g {
                title { (length_title(begin(column) as u64, lengths.width, counts)) }
                @for ([from, to], (class, _)) in stacked(counts).into_iter().zip(RESULTS) {
                    @if to > from {
                        @let (foot, head) = (y.at(from as f64), y.at(to as f64));
                        (rect(class, [x.at(begin(column)) + 0.5, head],
                            [(one - 1.0).max(0.6), foot - head]))
                    }
                }
            }
        }
        (line("axis", [left, bottom], [right, bottom]))
    };
    Some(chart("Length of games by result", bottom + 38.0, content))
}

/// Start and end of each count in a stack.
fn stacked(&[first, draw, second]: &[u64; 3]) -> [[u64; 2]; 3] {
    [[0, first], [first, first + draw], [first + draw, first + draw + second]]
}

fn length_title(begin: u64, width: u32, counts: &[u64; 3]) -> String {
    let all: u64 = counts.iter().sum();
    let plies = match width {
        1 => counted(begin, "ply"),
        _ => format!("{} to {} plies", grouped(begin), grouped(begin + u64::from(width) - 1)),
    };
    format!("{plies}: {} ({})", counted(all, "game"), results_in_words(counts))
}

/// The count of each result, in words.
pub fn results_in_words(counts: &[u64; 3]) -> String {
    let words = ["first player won", "drawn", "second player won"];
    let parts: Vec<String> = (counts.iter().zip(words))
        .filter(|(count, _)| **count > 0)
        .map(|(count, word)| format!("{word} {}", grouped(*count)))
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

/// A row of shares: its name, the counts by result, and the figures at its end.
pub struct Share {
    /// The name at the left of the row.
    pub label: String,
    /// First player's wins, draws, second player's wins.
    pub counts: [u64; 3],
    pub figures: String,
}

/// Rows of results. Each row has its full length, or, with `of_all`, a length relative to the
/// longest row.
pub fn shares(name: &str, rows: &[Share], of_all: bool) -> Option<Markup> {
    let of = |row: &Share| row.counts.iter().sum::<u64>();
    let most = rows.iter().map(of).max().filter(|most| *most > 0)?;
    let widest = |of: &dyn Fn(&Share) -> f64| rows.iter().map(of).fold(0.0, f64::max).min(150.0);
    let left = widest(&|row| width(&row.label)) + 10.0;
    let right = WIDTH - widest(&|row| width(&row.figures)) - 10.0;
    let content = html! {
        @for (i, row) in rows.iter().enumerate() {
            @let y = 22.0 * i as f64 + 2.0;
            @let all = if of_all { most } else { of(row).max(1) };
            @let x = AxisScale::linear([0.0, all as f64], [left, right]);
            (text("name", [0.0, y + 14.0], &fit(&row.label, left - 8.0)))
            (text("figures end", [WIDTH, y + 14.0], &row.figures))
            @for (([begin, end], (class, name)), short) in
                stacked(&row.counts).into_iter().zip(RESULTS).zip(["1", "=", "2"])
            {
                @let count = end - begin;
                @if count > 0 {
                    @let (from, wide) = (x.at(begin as f64), x.at(end as f64) - x.at(begin as f64));
                    g {
                        title {
                            (row.label) ": " (name) " " (grouped(count)) " of "
                            (grouped(of(row))) " ("
                            (percent(Some(count as f64 / of(row).max(1) as f64))) " %)"
                        }
                        (rect(class, [from, y + 3.0], [(wide - 1.0).max(0.8), 15.0]))
                        @if wide > 14.0 {
                            text class=(format!("inside {class} middle")) x=(px(from + wide / 2.0))
                                y=(px(y + 14.5)) { (short) }
                        }
                    }
                }
            }
        }
    };
    Some(chart(name, 22.0 * rows.len() as f64 + 6.0, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_say_how_many_games_and_how_they_ended() {
        let all = Lengths { width: 1, counts: vec![[0; 3], [0; 3], [3, 0, 1], [0; 3], [0, 2, 0]] };
        let svg = lengths(&all, 48).expect("a chart").into_string();
        assert!(svg.contains("2 plies: 4 games (first player won 3, second player won 1)"));
        assert!(svg.contains("4 plies: 2 games (drawn 2)"));
        assert_eq!(svg.matches("<rect").count(), 3);
        // All games have one length: the number of the next length was outside the chart.
        let one = Lengths { width: 1, counts: vec![[0; 3], [0; 3], [3, 0, 1]] };
        let svg = lengths(&one, 48).expect("a chart").into_string();
        let ticks: Vec<&str> = svg.split("class=\"tick middle\" x=\"").skip(1).collect();
        assert!(ticks.len() == 1 && ticks[0].contains(">2</text>"), "{svg}");
        let none = Lengths { width: 1, counts: vec![[0; 3]] };
        assert!(lengths(&none, 48).is_none());
        let wide = Lengths { width: 8, counts: vec![[1, 0, 0]; 100] };
        let svg = lengths(&wide, 48).expect("a chart").into_string();
        assert!(svg.contains("0 to 23 plies: 3 games"), "{svg}");
    }

    #[test]
    fn shares_say_of_how_many() {
        let row = |counts| Share { label: "line".into(), counts, figures: "4".into() };
        let svg = shares("Reasons", &[row([3, 0, 1])], false).expect("a chart").into_string();
        assert!(svg.contains("line: first player wins 3 of 4 (75.0 %)"), "{svg}");
        assert!(shares("Reasons", &[row([0; 3])], true).is_none());
    }
}
