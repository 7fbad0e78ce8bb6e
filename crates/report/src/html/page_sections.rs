//! What pages are made of: their frame, sections, tables and buttons.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::figures::run_results::Results;
use crate::html::svg::dot_and_interval_chart::MOST;
use crate::html::svg::svg_elements::fit;
use crate::text::number_format::counted;
use crate::text::text_table::TextTable;

pub(crate) const STYLE: &str = include_str!("style.css");
/// The style of positions, for the page and for separate SVG files.
pub const BOARD_STYLE: &str = include_str!("board.css");
/// Tooltips that work without a mouse, and a hint at tables that scroll.
pub(crate) const TIPS: &str = include_str!("tips.js");
/// Tables that are sorted by a click on the head of a column.
pub(super) const TABLES: &str = include_str!("tables.js");

/// The head of a page with this name: its title and styles.
pub(crate) fn head_of_page(name: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            link rel="icon" href="data:,";
            title { (name) " – agon" }
            style { (PreEscaped(BOARD_STYLE)) (PreEscaped(STYLE)) }
        }
    }
}

/// A page with this header, a table of contents and the sections (id, title, content). `script` is
/// for this page alone.
pub fn page<S: AsRef<str>>(
    name: &str,
    header: &Markup,
    sections: &[(S, S, Markup)],
    script: Option<&str>,
) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head_of_page(name))
            body {
                header { (header) }
                nav {
                    @for (id, title, content) in sections {
                        @if !content.0.is_empty() { a href={ "#" (id.as_ref()) } { (title.as_ref()) } " " }
                    }
                }
                main {
                    @for (id, title, content) in sections {
                        (section(id.as_ref(), title.as_ref(), content))
                    }
                }
                script { (PreEscaped(TIPS)) (PreEscaped(TABLES)) }
                @if let Some(script) = script { script { (PreEscaped(script)) } }
            }
        }
    };
    page.into_string()
}

/// A section of charts, and of the table with their figures; empty without both.
pub fn charts(charts: &Markup, table: Option<&TextTable>) -> Markup {
    html! {
        @if !charts.0.is_empty() { div class="charts" { (charts) } }
        (figures(table))
    }
}

/// A section; empty without content.
fn section(id: &str, title: &str, content: &Markup) -> Markup {
    if content.0.is_empty() {
        return html! {};
    }
    html! { section id=(id) { h2 { (title) } (content) } }
}

/// The buttons that go through the `unit`s of a game or a search, and the place of the current one.
pub fn step_buttons(unit: &str) -> Markup {
    html! {
        button type="button" id="to-start" title="to the start (Home)" { "«" }
        button type="button" id="back" title={ "one " (unit) " back (left arrow)" } { "‹" }
        button type="button" id="forward" title={ "one " (unit) " on (right arrow)" } { "›" }
        button type="button" id="to-end" title="to the end (End)" { "»" }
        span id="place" {}
    }
}

/// The figures of the charts, as the terminal shows them. They are visible, and can be hidden.
pub fn figures(table: Option<&TextTable>) -> Markup {
    let Some(table) = table else { return html! {} };
    html! {
        details open { summary { (table.title) } (sheet(table)) }
    }
}

/// A table in a box that scrolls, with its notes. The script sorts it by a column.
pub fn sheet(table: &TextTable) -> Markup {
    let left = |column: usize| table.columns[column].is_text.then_some("left");
    html! {
        div class="scroll tall" {
            table class="sortable" {
                thead {
                    tr {
                        @for (i, column) in table.columns.iter().enumerate() {
                            th class=[left(i)] scope="col" { (column.head) }
                        }
                    }
                }
                tbody {
                    @for row in table.rows.iter().take(MOST) {
                        tr {
                            @for (i, cell) in row.iter().enumerate() {
                                td class=[left(i)] { (cell) }
                            }
                        }
                    }
                }
            }
        }
        @if table.rows.len() > MOST {
            p class="note" {
                "the first " (MOST) " of " (counted(table.rows.len() as u64, "row"))
                "; summary.txt has all rows"
            }
        }
        @for note in &table.notes { p class="note" { (note) } }
    }
}

/// With more agents a cross table is as wide as the page.
const BROAD: usize = 12;
/// Maximum width of a name in a cross table, in chart pixels.
const NAME: f64 = 130.0;

/// A table with a row and a column for each ranked agent, and an explanation of its colours below.
/// Empty for fewer than three agents and for more than `most`.
pub fn cross_table(
    results: &Results,
    most: usize,
    caption: &str,
    cell: &dyn Fn(usize, usize) -> Markup,
    key: &Markup,
) -> Markup {
    let Results { tally, context, ranking, .. } = results;
    let name = |agent: usize| context.marked_name(tally, agent);
    let ranks: Vec<(String, usize)> =
        ranking.ranks().map(|(rank, standing)| (rank, standing.player)).collect();
    if !(3..=most).contains(&ranks.len()) {
        return html! {};
    }
    let agents: Vec<String> = ranks.iter().map(|(_, agent)| agent.to_string()).collect();
    html! {
        figure class={ "wide" @if ranks.len() > BROAD { " broad" } } {
            figcaption { (caption) }
            div class="scroll" {
                table class="heat" data-agents=(agents.join(" ")) {
                    thead {
                        tr {
                            th {} th {}
                            @for (label, column) in &ranks {
                                th scope="col" title=(name(*column)) { (label) }
                            }
                        }
                    }
                    tbody {
                        @for (label, row) in &ranks {
                            tr {
                                th { (label) }
                                th scope="row" class="left" title=(name(*row)) {
                                    (fit(&tally.names[*row], NAME))
                                }
                                @for (_, column) in &ranks {
                                    @if row == column {
                                        td class="self" { "·" }
                                    } @else {
                                        (cell(*row, *column))
                                    }
                                }
                            }
                        }
                    }
                }
            }
            (key)
        }
    }
}
