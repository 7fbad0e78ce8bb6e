//! A chart of the page as an SVG file of its own: with its title, its legend and its own colours, for
//! a light background. Programs that draw SVG do not know variables of CSS, so their values are
//! written into the rules.

use maud::{Markup, PreEscaped, html};

use super::charts::CHARTS;
use super::page_sections::{BOARD_STYLE, STYLE};
use crate::arena::{FolderError, MoveStats};
use crate::exporter_trait::ExportSource;
use crate::html::svg::chart_figure::{ChartSource, Figure};
use crate::html::svg::svg_elements::{LegendEntry, WIDTH, px, rect, width};

/// A chart of a run: its id, its title, and its picture.
pub struct ChartFile {
    pub id: String,
    pub title: String,
    pub svg: String,
}

pub fn chart_ids() -> Vec<&'static str> {
    CHARTS.iter().map(|chart| chart.id).collect()
}

/// The charts that this run has.
///
/// # Errors
/// If `moves.csv` cannot be read.
pub fn chart_files(source: &ExportSource<'_>) -> Result<Vec<ChartFile>, FolderError> {
    let Some(history) = source.history else { return Ok(Vec::new()) };
    let games = history.highlights.games();
    let moves = MoveStats::of(source.folder, &games, &source.results.tally)?;
    let charts = ChartSource::new(source, history, &moves);
    let mut files = Vec::new();
    for chart in CHARTS {
        if let Some(figure) = (chart.draw)(&charts) {
            let svg = document(std::slice::from_ref(&figure));
            files.push(ChartFile { id: chart.id.to_owned(), title: figure.title, svg });
        }
    }
    Ok(files)
}

/// The space around the chart.
const MARGIN: f64 = 14.0;
/// The height of a line of text.
const LINE: f64 = 17.0;

/// A picture of these figures, one below the other.
pub(super) fn document(figures: &[Figure]) -> String {
    let mut y = 0.0;
    let parts: Vec<Markup> = figures.iter().map(|figure| part(figure, &mut y)).collect();
    let size = [WIDTH + 2.0 * MARGIN, y + 2.0 * MARGIN];
    let view = format!("{0} {0} {1} {2}", px(-MARGIN), px(size[0]), px(size[1]));
    let titles: Vec<&str> = figures.iter().map(|figure| figure.title.as_str()).collect();
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(view) width=(px(size[0]))
            height=(px(size[1])) role="img" aria-label=(titles.join(", ")) {
            style { (PreEscaped(style())) }
            (rect("paper", [-MARGIN, -MARGIN], size))
            @for part in &parts { (part) }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", picture.into_string())
}

/// A figure that begins at `y`, which is then its end.
fn part(figure: &Figure, y: &mut f64) -> Markup {
    if *y > 0.0 {
        *y += 2.0 * MARGIN;
    }
    let title = lines(&figure.title, 1.15, y, "title");
    let legend = legend(&figure.legend, y);
    *y += 4.0;
    let (head, body) = figure.svg.0.split_once('>').unwrap_or_default();
    let body = body.strip_suffix("</svg>").unwrap_or(body);
    let view = head.split("viewBox=\"").nth(1).and_then(|rest| rest.split('"').next());
    let height = view.and_then(|view| view.rsplit(' ').next()?.parse().ok()).unwrap_or(WIDTH);
    let top = *y;
    *y += height + 6.0;
    let note = lines(&figure.note, 1.0, y, "note");
    html! {
        (title)
        (legend)
        g transform={ "translate(0 " (px(top)) ")" } { (PreEscaped(body)) }
        (note)
    }
}

/// The legend in lines that fit the chart.
fn legend(entries: &[LegendEntry], y: &mut f64) -> Markup {
    let mut legend = Vec::new();
    let mut x = 0.0;
    for entry in entries {
        let wide = 34.0 + width(&entry.name);
        if x > 0.0 && x + wide > WIDTH {
            (x, *y) = (0.0, *y + LINE);
        }
        legend.push(html! {
            g transform={ "translate(" (px(x)) " " (px(*y + 2.0)) ")" } {
                g class=(entry.class) {
                    @match entry.marker {
                        Some(marker) => (marker.at([6.0, 6.0])),
                        None => (rect("mark", [0.0, 0.0], [12.0, 12.0])),
                    }
                }
                text x="17" y="10" { (entry.name) }
            }
        });
        x += wide;
    }
    if x > 0.0 {
        *y += LINE;
    }
    html! { @for entry in &legend { (entry) } }
}

/// A text in lines that fit the chart; letters are `scale` times as wide as usual.
fn lines(content: &str, scale: f64, y: &mut f64, class: &str) -> Markup {
    let mut all: Vec<String> = Vec::new();
    for word in content.split_whitespace() {
        match all.last_mut().filter(|line| scale * width(&format!("{line} {word}")) <= WIDTH) {
            Some(line) => *line = format!("{line} {word}"),
            None => all.push(word.to_owned()),
        }
    }
    let first = *y;
    *y += LINE * all.len() as f64;
    html! {
        @for (i, line) in all.iter().enumerate() {
            text class=(class) x="0" y=(px(first + LINE * i as f64 + 12.0)) { (line) }
        }
    }
}

/// The rules of the page for charts, with the colours of its light form.
fn style() -> String {
    let board = between(BOARD_STYLE, "text {", ".board {");
    let charts = between(STYLE, "svg .name", ".legend {");
    let own = ".title { font-weight: 700; fill: var(--ink); } rect.paper { fill: #fff; }\n";
    light(format!("{board}{charts}{own}"))
}

/// Rules with the colours of the light form of the page in place of variables.
pub(crate) fn light(rules: String) -> String {
    let mut rules = rules.replace("system-ui", "'DejaVu Sans', Arial");
    for sheet in [BOARD_STYLE, STYLE] {
        for definition in between(sheet, ":root {", "}").split([';', '{']) {
            if let Some((name, value)) = definition.trim().split_once(": ") {
                rules = rules.replace(&format!("var({name})"), value);
            }
        }
    }
    rules
}

/// The part of a text from one word up to another.
pub(crate) fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let begin = text.find(from).unwrap_or(0);
    let end = text[begin..].find(to).map_or(text.len(), |end| begin + end);
    &text[begin..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_have_no_variables_and_all_series() {
        let style = style();
        assert!(!style.contains("var(") && !style.contains("color-mix"), "{style}");
        for rule in [".s1 { color: #", ".s6 { color: #", ".mark {", ".grid", ".middle", ".first {"]
        {
            assert!(style.contains(rule), "{rule}: {style}");
        }
        assert!(!style.contains("<"));
    }
}
