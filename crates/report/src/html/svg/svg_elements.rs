//! The basic SVG elements of all charts.

use maud::{Markup, html};

use crate::text::number_format::fixed;
use crate::text::text_width::{columns, shortened};

/// The width of every chart, suitable for a desktop screen and for a phone.
pub const WIDTH: f64 = 400.0;

/// A coordinate as text, to a tenth of a pixel.
pub fn px(value: f64) -> String {
    let text = fixed(if value.is_finite() { value } else { 0.0 }, 1);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A chart of this height, with its name for screen readers.
pub fn chart(name: &str, height: f64, content: Markup) -> Markup {
    html! {
        svg class="chart" viewBox={ "0 0 " (px(WIDTH)) " " (px(height)) }
            role="img" aria-label=(name) { (content) }
    }
}

pub fn line(class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) -> Markup {
    html! { line class=(class) x1=(px(x1)) y1=(px(y1)) x2=(px(x2)) y2=(px(y2)) {} }
}

/// Text at a position; `class` determines the alignment.
pub fn text(class: &str, [x, y]: [f64; 2], content: &str) -> Markup {
    html! { text class=(class) x=(px(x)) y=(px(y)) { (content) } }
}

/// The name of an axis from `left` to `right`, centred below the axis and inside the chart.
pub fn axis_name([left, right]: [f64; 2], y: f64, name: &str) -> Markup {
    let name = fit(name, WIDTH);
    let half = width(&name) / 2.0;
    let middle = ((left + right) / 2.0).min(WIDTH - half).max(half);
    text("label middle", [middle, y], &name)
}

/// A rectangle from its top left corner.
pub fn rect(class: &str, [x, y]: [f64; 2], [width, height]: [f64; 2]) -> Markup {
    html! {
        rect class=(class) x=(px(x)) y=(px(y)) width=(px(width.max(0.0)))
            height=(px(height.max(0.0))) {}
    }
}

/// The marker of a series, which distinguishes it without colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Down,
    Ring,
}

impl Marker {
    /// The marker of a series by its number; markers repeat after six, like colours.
    pub fn of(series: usize) -> Marker {
        use Marker::*;
        [Disc, Square, Triangle, Diamond, Down, Ring][series % 6]
    }

    /// The marker centred at a position.
    pub fn at(self, [x, y]: [f64; 2]) -> Markup {
        let polygon = |points: &[[f64; 2]]| {
            let points: Vec<String> =
                points.iter().map(|[dx, dy]| format!("{},{}", px(x + dx), px(y + dy))).collect();
            html! { polygon class="mark" points=(points.join(" ")) {} }
        };
        match self {
            Marker::Disc => html! { circle class="mark" cx=(px(x)) cy=(px(y)) r="4" {} },
            Marker::Ring => html! { circle class="mark hollow" cx=(px(x)) cy=(px(y)) r="4" {} },
            Marker::Square => rect("mark", [x - 3.8, y - 3.8], [7.6, 7.6]),
            Marker::Triangle => polygon(&[[0.0, -5.0], [4.8, 3.6], [-4.8, 3.6]]),
            Marker::Diamond => polygon(&[[0.0, -5.2], [5.2, 0.0], [0.0, 5.2], [-5.2, 0.0]]),
            Marker::Down => polygon(&[[0.0, 5.0], [4.8, -3.6], [-4.8, -3.6]]),
        }
    }
}

/// The CSS class that gives a series its colour.
pub fn colour(series: usize) -> &'static str {
    ["s1", "s2", "s3", "s4", "s5", "s6"][series % 6]
}

/// The approximate width of a text in chart pixels, for the widest of the usual fonts.
pub fn width(text: &str) -> f64 {
    text.chars().map(letter).sum()
}

/// The width of a letter at 12 pixels in DejaVu Sans, rounded to 0.5.
fn letter(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '\'' | '|' | 'I' => 3.5,
        ' ' | ',' | '.' | ':' | ';' | '/' | '\\' | '!' | 'f' | 't' | 'r' => 5.0,
        '(' | ')' | '[' | ']' | '-' | '"' | '*' => 5.5,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' | '—' => 12.0,
        '+' | '<' | '>' | '=' | '~' | '&' | '#' | 'O' | 'Q' | 'D' | 'G' | 'H' | 'N' | 'U' => 10.0,
        'A'..='Z' => 8.5,
        ' '..='~' => 7.5,
        _ => 4.0 + 4.0 * columns(letter.encode_utf8(&mut [0; 4])) as f64,
    }
}

/// A text that fits a width, shortened in the middle if necessary. Of two names joined by a dash,
/// each is shortened.
pub fn fit(text: &str, wide: f64) -> String {
    const DASH: &str = " – ";
    let Some((one, other)) = text.split_once(DASH).filter(|_| width(text) > wide) else {
        return shortened(text, wide, letter);
    };
    let room = wide - width(DASH);
    let [first, second] = [one, other].map(width);
    let half = (room / 2.0).max(room - first.min(second));
    [one, other].map(|name| shortened(name, half, letter)).join(DASH)
}

/// A marker, or a patch of the colour, with its meaning.
pub struct LegendEntry {
    /// The CSS class that gives the colour.
    pub class: &'static str,
    pub marker: Option<Marker>,
    pub name: String,
}

impl LegendEntry {
    /// The entry of a series by its number.
    pub fn of_series(number: usize, name: &str) -> LegendEntry {
        let (class, marker) = (colour(number), Some(Marker::of(number)));
        LegendEntry { class, marker, name: name.to_owned() }
    }
}

/// A legend; empty without entries.
pub fn legend(entries: &[LegendEntry]) -> Markup {
    if entries.is_empty() {
        return html! {};
    }
    html! {
        p class="legend" {
            @for LegendEntry { class, marker, name } in entries {
                span {
                    svg class=(class) viewBox="0 0 12 12" width="12" height="12"
                        aria-hidden="true" {
                        @match marker {
                            Some(marker) => (marker.at([6.0, 6.0])),
                            None => (rect("mark", [0.0, 0.0], [12.0, 12.0])),
                        }
                    }
                    " " (name)
                }
                " "
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_always_numbers() {
        assert_eq!([1.0, 2.26, -0.01, f64::NAN].map(px), ["1", "2.3", "0", "0"]);
    }

    #[test]
    fn names_of_axes_stay_inside_the_chart() {
        let name = "score of the agent named first, in %";
        for ends in [[0.0, WIDTH], [360.0, WIDTH], [0.0, 40.0]] {
            for name in [name, &name.repeat(3)] {
                let svg = axis_name(ends, 9.0, name).into_string();
                let x = svg.split("x=\"").nth(1).and_then(|rest| rest.split('"').next());
                let x: f64 = x.expect("a place").parse().expect("a number");
                let shown = svg.split(['>', '<']).nth(2).expect("a name");
                let half = width(shown) / 2.0;
                assert!(x - half > -0.1 && x + half < WIDTH + 0.1, "{svg}");
            }
        }
    }

    #[test]
    fn names_that_are_too_long_are_cut() {
        assert_eq!(fit("short", 60.0), "short");
        let cut = fit("a name that goes on and on", 84.0);
        assert_eq!(cut, "a nam…d on");
        // The longer name gets the space that a short name does not need.
        assert_eq!(fit("ab – alphabeta_of_depth_8", 140.0), "ab – alphabet…pth_8");
        for text in
            ["普通のランダムなプレーヤー – another long name", "WWWWWWWWWWWWWWWWWWWWWWWWWWW"]
        {
            assert!(width(&fit(text, 120.0)) <= 120.0, "{}", fit(text, 120.0));
        }
    }
}
