//! The elements of sections, and tables.

use maud::{Markup, html};

use super::dot_and_interval_chart::MOST;
use crate::report::number_format::counted;
use crate::report::text_table::TextTable;

/// A section of charts alone; empty without charts.
pub fn charts(charts: &Markup) -> Markup {
    html! { @if !charts.0.is_empty() { div class="charts" { (charts) } } }
}

/// A section with an entry in the table of contents; empty without content.
pub fn section(id: &str, title: &str, content: &Markup) -> Markup {
    if content.0.is_empty() {
        return html! {};
    }
    html! { section id=(id) { h2 { (title) } (content) } }
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
