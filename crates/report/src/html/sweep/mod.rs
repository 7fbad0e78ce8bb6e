//! The page of a sweep: its charts, the means over seeds, and the pages of its runs.

mod sweep_charts;

use maud::{Markup, html};

use super::chart_file::{ChartFile, document};
use super::page_sections;
use crate::means_over_seeds::PooledRows;
use crate::stacked_runs::{StackedRun, stacked_text};
use crate::text::number_format::counted;
use sweep_charts::{SweptChart, sweep_charts};

/// The charts of a sweep as files.
pub fn sweep_chart_files(runs: &[StackedRun]) -> Vec<ChartFile> {
    let file =
        |SweptChart { id, title, panels, .. }| ChartFile { id, title, svg: document(&panels) };
    sweep_charts(&PooledRows::new(runs)).into_iter().map(file).collect()
}

/// The charts against a swept key.
fn section_of_key(charts: &[SweptChart]) -> (String, String, Markup) {
    let key = &charts[0].key;
    let figures = html! {
        @for SweptChart { id, panels, .. } in charts {
            @for (number, panel) in panels.iter().enumerate() {
                (panel.on_page(&if number == 0 { id.clone() } else { format!("{id}-{number}") }))
            }
        }
    };
    let title = format!("What does {key} change?");
    (format!("by-{}", key.replace('.', "-")), title, page_sections::charts(&figures, None))
}

/// The page of these runs. `pages` are the addresses of their own pages with their names.
pub fn sweep_page(name: &str, runs: &[StackedRun], pages: &[(String, String)]) -> String {
    let rows = PooledRows::new(runs);
    let question = runs.iter().find_map(|run| run.experiment.as_ref()?.question.as_deref());
    let charts = sweep_charts(&rows);
    let by_key = charts.chunk_by(|one, next| one.key == next.key);
    let mut sections: Vec<(String, String, Markup)> = by_key.map(section_of_key).collect();
    let has_seeds = rows.seeds()[1] > 1;
    let means = has_seeds.then(|| rows.text());
    let links = html! {
        ul { @for (address, values) in pages { li { a href=(address) { (values) } } } }
    };
    let table = |table| page_sections::sheet(&table);
    let mut add = |id: &str, title: &str, content| {
        sections.push((id.to_owned(), title.to_owned(), content));
    };
    add("means", "Means over seeds", means.map_or(html! {}, table));
    add("agents", "Agents of all runs", table(stacked_text(runs)));
    add(
        "runs",
        "Pages of the runs",
        if pages.is_empty() {
            html! {}
        } else {
            links
        },
    );
    let size = counted(runs.len() as u64, "run");
    let header = html! {
        h1 { (name) }
        @if let Some(question) = question { p class="question" { (question) } }
        p class="headline" { "a sweep of " (size) }
    };
    page_sections::page(name, &header, &sections, None)
}
