//! The summary that the terminal shows after a run and `summary.txt` stores.

#![deny(missing_docs)]

use super::answer::Answer;
use super::exporter_trait::{ExportSource, Exporter};
use super::json_results;
use super::kinds;
use super::two_agents_report;
use crate::arena::{DerivedFile, FolderError, Replacement};
use crate::figures::agent_figures::cost_table;
use crate::figures::answers;
use crate::figures::first_move_table;
use crate::figures::first_move_table::SeatRows;
use crate::figures::forfeits_table;
use crate::figures::luck_table;
use crate::figures::move_quality_table;
use crate::figures::notes_before_tables::{headline, remarks};
use crate::figures::ranking_and_cross_table;
use crate::figures::run_results::Results;
use crate::text::text_table::{TableFormat, wrapped};

/// Where terms are explained.
pub(super) const GLOSSARY: &str = "`agon explain TERM` explains a term of these tables.";

/// `summary.txt`: the same text as in the terminal.
pub struct SummaryText;

impl Exporter for SummaryText {
    fn file(&self) -> DerivedFile {
        DerivedFile::Summary
    }

    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError> {
        out.put(source.results.summary(TableFormat::Text).as_bytes())
    }
}

impl Results {
    /// The tables as the program prints them, without colours.
    pub fn summary(&self, format: TableFormat) -> String {
        render(self, format, false, None)
    }
}

/// The summary as text. `bold` emphasizes titles if the format is text. Lines have at most `width`
/// columns if possible.
pub fn render(results: &Results, format: TableFormat, bold: bool, width: Option<usize>) -> String {
    let markdown = match format {
        TableFormat::Json => {
            let mut text = Vec::new();
            json_results::write(results, &mut text).expect("memory takes everything");
            return String::from_utf8(text).expect("JSON is text");
        }
        TableFormat::Markdown => true,
        _ => false,
    };
    let Results { heading, tally, context, ranking, .. } = results;
    let mut out = String::new();
    if markdown {
        out.push_str(&format!("## {}\n\n", heading.name));
    }
    // Markdown text is not wrapped.
    let width_of_text = width.filter(|_| !markdown);
    let mut line =
        |text: &str, others: &str| out.push_str(&wrapped(text, width_of_text, "", others));
    if let Some(question) = &heading.question {
        line(&format!("{question}{}", if markdown { "\n" } else { "" }), "");
    }
    line(&headline(heading, tally), "  ");
    for remark in remarks(tally, context) {
        let mark = if markdown { "\n> " } else { "note: " };
        line(&format!("{mark}{remark}"), "  ");
    }
    line(&format!("{}{}", if markdown { "\n" } else { "" }, Answer::of(results).sentence), "  ");
    let seats = SeatRows::new(tally, context);
    let tables = [
        two_agents_report::table(tally, context),
        luck_table::table(results),
        luck_table::luckiest_games(results),
        ranking_and_cross_table::table(results),
        ranking_and_cross_table::cross_table(tally, context, ranking),
        Some(first_move_table::table(tally, &seats)),
        cost_table(results),
        answers::cost_table::table(tally),
        answers::illegal_moves_table::table(results),
        forfeits_table::table(tally),
        move_quality_table::table(tally, context),
    ];
    for table in kinds::of(&results.tally, &results.context)
        .tables(results)
        .into_iter()
        .chain(tables.into_iter().flatten())
    {
        out.push('\n');
        out.push_str(&table.render(markdown, bold && !markdown, width));
    }
    if context.verbose {
        out.push_str(&format!("\n{GLOSSARY}\n"));
    }
    out
}
