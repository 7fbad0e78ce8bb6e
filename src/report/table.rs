//! A table before it is laid out: one content for terminal and Markdown.

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{CellAlignment, ContentArrangement};

/// How results are written to stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns.
    #[default]
    Text,
    /// One JSON document.
    Json,
    /// Markdown tables.
    Markdown,
    /// The JSON of benchmark-tracking actions, smaller is better; `bench` and `compare` only.
    Benchmark,
}

/// A titled table of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// What it shows, as one line.
    pub title: String,
    /// Column heads; those that begin with `<` are aligned left (and lose the sign).
    pub heads: Vec<String>,
    /// Rows of as many cells.
    pub rows: Vec<Vec<String>>,
    /// Remarks below, one line each.
    pub notes: Vec<String>,
}

impl Table {
    /// An empty table.
    pub fn new<S: Into<String>>(title: &str, heads: impl IntoIterator<Item = S>) -> Self {
        let heads = heads.into_iter().map(Into::into).collect();
        Table { title: title.to_owned(), heads, rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table as text; `bold` sets the title apart by an escape sequence.
    pub fn render(&self, markdown: bool, bold: bool) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(if markdown { ASCII_MARKDOWN } else { NOTHING });
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(self.heads.iter().map(|head| head.trim_start_matches('<')));
        for row in &self.rows {
            // A bar would begin another cell.
            let cell =
                |cell: &String| if markdown { cell.replace('|', "\\|") } else { cell.clone() };
            table.add_row(row.iter().map(cell));
        }
        for (column, head) in table.column_iter_mut().zip(&self.heads) {
            if !markdown {
                column.set_padding((0, 2));
            }
            if !head.starts_with('<') {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let mut out = if markdown {
            format!("### {}\n\n", self.title)
        } else if bold {
            let style = anstyle::Style::new().bold();
            format!("{style}{}{style:#}\n", self.title)
        } else {
            format!("{}\n", self.title)
        };
        for line in table.to_string().lines() {
            if !markdown {
                out.push_str("  ");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if markdown && !self.notes.is_empty() {
            out.push('\n');
        }
        for note in &self.notes {
            out.push_str(if markdown { "" } else { "  " });
            out.push_str(note);
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_have_no_blank_ends() {
        let mut table = Table::new("Scores", ["<agent", "games"]);
        table.row(["ab2", "10"]);
        table.row(["random", "9"]);
        table.notes.push("That is all.".to_owned());
        assert_eq!(
            table.render(false, false),
            "Scores\n  agent   games\n  ab2        10\n  random      9\n  That is all.\n"
        );
        assert!(table.render(true, false).contains("| random |     9 |"));
        table.row(["a|b", "1"]);
        assert!(table.render(true, false).contains("| a\\|b   |     1 |"));
    }
}
