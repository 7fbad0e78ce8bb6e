//! A table before layout: one content for terminal and Markdown.

use std::collections::BTreeSet;

use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Width};
use serde_json::{Value as Json, json};

use super::text_width::{columns, to_columns};

crate::choice! {
    /// How results are written to stdout.
    #[deny(missing_docs)]
    #[derive(Default)]
    pub enum TableFormat {
        /// Aligned columns.
        #[default]
        Text = "text",
        /// One JSON document.
        Json = "json",
        /// Markdown tables.
        Markdown = "markdown",
        /// Rows separated by commas, in full precision; `table` only.
        Csv = "csv",
        /// The JSON of benchmark-tracking actions where smaller is better; `bench` and `compare` only.
        Benchmark = "benchmark",
        /// JUnit's XML, one test for each figure; `compare` and `gate` only.
        Junit = "junit",
    }
}

/// What every output format can show.
pub trait Document {
    /// The document as Markdown, or as text in lines of at most `width` columns if possible. Titles of
    /// text are emphasized.
    fn text(&self, markdown: bool, width: Option<usize>) -> String;

    fn json(&self) -> Json;

    /// For tools that plot a figure over time: an array of figures, the smaller the better.
    fn entries(&self) -> Json {
        json!([])
    }

    /// For pipelines that show tests: JUnit's XML.
    fn junit(&self) -> String {
        String::new()
    }

    fn render(&self, format: TableFormat, width: Option<usize>) -> String {
        match format {
            TableFormat::Json => format!("{:#}\n", self.json()),
            TableFormat::Benchmark => format!("{:#}\n", self.entries()),
            TableFormat::Junit => self.junit(),
            TableFormat::Markdown => self.text(true, None),
            _ => self.text(false, width),
        }
    }
}

/// Minimum width of a text column that wraps, in columns of the terminal.
const TEXT: usize = 20;

/// Names of agents are shortened to this width, in columns of the terminal, if the whole table then
/// fits.
const NAME: usize = 12;

/// The head of a column and its alignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The head.
    pub head: String,
    /// Whether the column is text, aligned left. Figures are aligned right.
    pub is_text: bool,
}

/// A titled table of texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextTable {
    /// The title, one line.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// Rows with one cell per head.
    pub rows: Vec<Vec<String>>,
    /// Notes below the table, one line each.
    pub notes: Vec<String>,
    /// Whether the last column may be left out if it is the only one that does not fit.
    pub brief: bool,
}

impl TextTable {
    /// A table without columns and rows.
    pub fn new(title: &str) -> Self {
        TextTable { title: title.to_owned(), ..TextTable::default() }
    }

    /// The same table, which leaves its last column out if it is the only one that does not fit.
    pub fn brief(self) -> Self {
        TextTable { brief: true, ..self }
    }

    /// Appends columns of text, aligned left.
    pub fn text<S: Into<String>>(self, heads: impl IntoIterator<Item = S>) -> Self {
        self.with(true, heads.into_iter().map(Into::into).collect())
    }

    /// Appends columns of figures, aligned right.
    pub fn figures<S: Into<String>>(self, heads: impl IntoIterator<Item = S>) -> Self {
        self.with(false, heads.into_iter().map(Into::into).collect())
    }

    fn with(mut self, is_text: bool, heads: Vec<String>) -> Self {
        self.columns.extend(heads.into_iter().map(|head| Column { head, is_text }));
        self
    }

    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Adds a note below the table.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// The table, emphasized as text, below these lines, which are wrapped in text only.
    pub fn below(&self, lines: &[String], markdown: bool, width: Option<usize>) -> String {
        let mut out: String = match markdown {
            true => lines.join("\n\n") + "\n",
            false => lines.iter().map(|line| wrapped(line, width, "", "  ")).collect(),
        };
        out.push('\n');
        out.push_str(&self.render(markdown, !markdown, width));
        out
    }

    /// The table in lines of at most `width` columns if possible; `bold` emphasizes the title.
    /// Columns that do not fit go below, and the names of the rows are repeated.
    pub fn render(&self, markdown: bool, bold: bool, width: Option<usize>) -> String {
        let width = width.filter(|_| !markdown);
        let title = wrapped(&self.title, width, "", "  ");
        let title = title.trim_end();
        let mut out = if markdown {
            format!("### {title}\n\n")
        } else if bold {
            let style = anstyle::Style::new().bold();
            format!("{style}{title}{style:#}\n")
        } else {
            format!("{title}\n")
        };
        out.push_str(&self.lines(markdown, width));
        if markdown && !self.notes.is_empty() {
            out.push('\n');
        }
        for note in &self.notes {
            out.push_str(&wrapped(note, width, if markdown { "" } else { "  " }, "    "));
        }
        out
    }

    /// The heads and rows, without title and notes.
    pub fn lines(&self, markdown: bool, width: Option<usize>) -> String {
        let mut out = String::new();
        let width = width.filter(|_| !markdown);
        let (table, parts) = match width {
            Some(width) => self.narrowed(width),
            None => (self.clone(), vec![self.all()]),
        };
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                out.push('\n');
            }
            for line in table.laid_out(part, markdown, width).lines() {
                if !markdown {
                    out.push_str("  ");
                }
                out.push_str(line.trim_end());
                out.push('\n');
            }
        }
        out
    }

    /// The indices of all columns.
    fn all(&self) -> Vec<usize> {
        (0..self.columns.len()).collect()
    }

    /// These columns as lines; text in the last column wraps if necessary.
    fn laid_out(&self, columns: &[usize], markdown: bool, width: Option<usize>) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(if markdown { ASCII_MARKDOWN } else { NOTHING });
        table.set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(columns.iter().map(|&i| self.columns[i].head.as_str()));
        for row in &self.rows {
            // A vertical bar would begin another cell.
            let cell =
                |cell: &String| if markdown { cell.replace('|', "\\|") } else { cell.clone() };
            table.add_row(columns.iter().filter_map(|&i| row.get(i)).map(cell));
        }
        for (column, &i) in table.column_iter_mut().zip(columns) {
            if !markdown {
                column.set_padding((0, 2));
            }
            if !self.columns[i].is_text {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        if let Some(widths) = width.and_then(|width| self.wrapped_widths(columns, width)) {
            table.set_content_arrangement(ContentArrangement::Dynamic);
            table.set_width(widths.iter().sum::<usize>() as u16);
            for (column, width) in table.column_iter_mut().zip(widths) {
                column.set_constraint(ColumnConstraint::Absolute(Width::Fixed(width as u16)));
            }
        }
        table.to_string()
    }

    /// The width of a column, including the gap before it.
    fn width(&self, column: usize) -> usize {
        let head = columns(&self.columns[column].head);
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        2 + cells.map(|cell| columns(cell)).fold(head, usize::max)
    }

    /// The number of columns that name the rows: up to the first text column and the
    /// text columns after it, unless only text follows.
    fn names(&self) -> usize {
        let Some(first) = self.columns.iter().position(|column| column.is_text) else { return 0 };
        let more = self.columns[first..].iter().take_while(|column| column.is_text).count();
        if first + more == self.columns.len() { first + 1 } else { first + more }
    }

    /// The table for this width, with its columns in parts. Names are shortened if everything then
    /// fits. Otherwise they get a share of the width, and no part has one column alone.
    fn narrowed(&self, width: usize) -> (TextTable, Vec<Vec<usize>>) {
        if self.least_width() <= width {
            return (self.clone(), vec![self.all()]);
        }
        if let Some(table) = self.with_short_names(width) {
            let all = table.all();
            return (table, vec![all]);
        }
        let mut table = self.clone();
        let names: Vec<usize> = (0..self.names()).filter(|&i| self.columns[i].is_text).collect();
        // A terminal narrower than this could not show distinct names.
        let most = (width / (names.len() + 2)).max(12);
        names.into_iter().for_each(|i| table.shorten(self, i, most));
        let of_names: usize = (0..self.names()).map(|i| table.width(i)).sum();
        for i in (self.names()..self.columns.len()).filter(|&i| !self.wraps(i)) {
            table.shorten(self, i, width.saturating_sub(of_names + 2).max(12));
        }
        let mut parts = table.parts(width);
        if let [.., before, last] = &mut parts[..]
            && last.len() == table.names() + 1
        {
            if self.brief {
                parts.pop();
            } else if before.len() > table.names() + 2 {
                last.splice(table.names()..table.names(), before.pop());
            }
        }
        (table, parts)
    }

    /// The table with names so short that all of its columns fit; `None` if the names would be too
    /// short, or equal.
    fn with_short_names(&self, width: usize) -> Option<TextTable> {
        let mut table = self.clone();
        let names: Vec<usize> = (0..self.columns.len()).filter(|&i| self.is_name(i)).collect();
        while table.least_width() > width {
            let widest = names.iter().copied().max_by_key(|&i| table.width(i))?;
            let most = table.width(widest) - 3;
            table.shorten(self, widest, most);
            // The head may be wider than the names.
            if most < NAME || table.width(widest) > most + 2 {
                return None;
            }
        }
        let distinct = |table: &TextTable, i: usize| {
            let cells = table.rows.iter().filter_map(|row| row.get(i));
            cells.collect::<BTreeSet<_>>().len()
        };
        names.iter().all(|&i| distinct(&table, i) == distinct(self, i)).then_some(table)
    }

    /// Whether the text of this column may go on in the next line of its row.
    fn wraps(&self, column: usize) -> bool {
        self.columns[column].is_text && column >= self.names() && !self.is_name(column)
    }

    /// The width of a column, or less if its text can wrap.
    fn least_width_of(&self, column: usize) -> usize {
        let most = if self.wraps(column) { TEXT + 2 } else { usize::MAX };
        self.width(column).min(most)
    }

    fn least_width(&self) -> usize {
        (0..self.columns.len()).map(|i| self.least_width_of(i)).sum()
    }

    /// The widths of these columns if their texts have to wrap.
    fn wrapped_widths(&self, columns: &[usize], width: usize) -> Option<Vec<usize>> {
        let mut widths: Vec<usize> = columns.iter().map(|&i| self.width(i)).collect();
        if widths.iter().sum::<usize>() <= width {
            return None;
        }
        while widths.iter().sum::<usize>() > width {
            let wide = |&i: &usize| widths[i] > self.least_width_of(columns[i]);
            let widest = (0..columns.len()).filter(wide).max_by_key(|&i| widths[i]);
            let Some(widest) = widest else { break };
            widths[widest] -= 1;
        }
        Some(widths)
    }

    /// Whether the cells of this column are names, and not sentences.
    fn is_name(&self, column: usize) -> bool {
        const HEADS: [&str; 8] =
            ["agent", "against", "games", "winner", "lucky agent", "better", "worse", "algorithm"];
        self.columns[column].is_text && HEADS.contains(&&*self.columns[column].head)
    }

    /// Shortens the cells of a column of this table to a width.
    fn shorten(&mut self, whole: &TextTable, column: usize, most: usize) {
        for (row, whole) in self.rows.iter_mut().zip(&whole.rows) {
            if let (Some(cell), Some(whole)) = (row.get_mut(column), whole.get(column)) {
                *cell = with_short_words(whole, most);
            }
        }
    }

    /// The columns in parts that fit the width, each with the columns that name the rows.
    fn parts(&self, width: usize) -> Vec<Vec<usize>> {
        let names = self.names();
        let of_names: usize = (0..names).map(|i| self.width(i)).sum();
        if self.least_width() <= width || 3 * of_names > 2 * width {
            return vec![self.all()];
        }
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut used = usize::MAX;
        for i in names..self.columns.len() {
            if used.saturating_add(self.least_width_of(i)) > width {
                parts.push((0..names).collect());
                used = of_names;
            }
            used += self.least_width_of(i);
            parts.iter_mut().next_back().into_iter().for_each(|part| part.push(i));
        }
        parts
    }
}

/// A text in at most `most` columns. Its longest words are shortened first, so that the names of two
/// agents both stay readable.
fn with_short_words(text: &str, most: usize) -> String {
    let whole: Vec<&str> = text.split(' ').collect();
    let mut words: Vec<String> = whole.iter().map(|word| (*word).to_owned()).collect();
    while columns(&words.join(" ")) > most {
        let longest = (0..words.len()).max_by_key(|&i| columns(&words[i])).unwrap_or_default();
        let wide = columns(&words[longest]);
        if wide <= 8 {
            return to_columns(text, most);
        }
        words[longest] = to_columns(whole[longest], wide - 1);
    }
    words.join(" ")
}

/// A message in lines of at most `width` columns. Lines of a config that it quotes stay as they are,
/// and so does text between backquotes, which people paste.
pub fn wrapped_message(text: &str, width: Option<usize>) -> String {
    let mut out = String::new();
    for line in text.split('\n') {
        let is_quoted = anstream::adapter::strip_str(line).to_string().contains(" |");
        match width.filter(|width| !is_quoted && columns(line) > *width) {
            None => out.push_str(&format!("{line}\n")),
            Some(width) => {
                let indent = " ".repeat(line.len() - line.trim_start().len() + 2);
                out.push_str(&wrapped_words(words_with_quotes(line), Some(width), "", &indent));
            }
        }
    }
    out
}

/// The words of a text. All between two backquotes is one word.
fn words_with_quotes(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in text.split(' ') {
        match words.last_mut() {
            Some(last) if last.matches('`').count() % 2 == 1 => *last = format!("{last} {part}"),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// A text in lines of at most `width` columns, or in one line. The first line is indented by `first`,
/// the others by `others`.
pub fn wrapped(text: &str, width: Option<usize>, first: &str, others: &str) -> String {
    wrapped_words(text.split(' '), width, first, others)
}

fn wrapped_words<W: AsRef<str>>(
    words: impl IntoIterator<Item = W>,
    width: Option<usize>,
    first: &str,
    others: &str,
) -> String {
    let width = width.unwrap_or(usize::MAX);
    let (mut out, mut used) = (first.to_owned(), columns(first));
    for (i, word) in words.into_iter().enumerate() {
        let word = word.as_ref();
        let wide = columns(word);
        if i > 0 && used + 1 + wide > width {
            out.push('\n');
            out.push_str(others);
            used = columns(others);
        } else if i > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += wide;
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_lines_have_no_blank_ends() {
        let mut table = TextTable::new("Scores").text(["agent"]).figures(["games"]);
        table.row(["ab2", "10"]);
        table.row(["random", "9"]);
        table.note("That is all.");
        assert_eq!(
            table.render(false, false, None),
            "Scores\n  agent   games\n  ab2        10\n  random      9\n  That is all.\n"
        );
        assert!(table.render(true, false, None).contains("| random |     9 |"));
        table.row(["a|b", "1"]);
        assert!(table.render(true, false, None).contains("| a\\|b   |     1 |"));
    }

    #[test]
    fn messages_are_wrapped_but_no_command_and_no_config() {
        let text = "error: `agon run a.toml` cannot be read\n 1 | a = \"a long line of a config\"";
        let wrapped = wrapped_message(text, Some(23));
        assert_eq!(
            wrapped,
            "error:\n  `agon run a.toml`\n  cannot be read\n 1 | a = \"a long line of a config\"\n"
        );
        assert_eq!(wrapped_message(text, None), format!("{text}\n"));
    }

    #[test]
    fn wide_tables_are_folded() {
        let mut table = TextTable::new("Scores")
            .figures(["#"])
            .text(["agent"])
            .figures(["games", "score %"])
            .text(["verdict"]);
        table.row(["1", "ab2", "10", "90.0", "stronger"]);
        table.row(["2", "random", "10", "10.0", "weaker"]);
        table.note("Ten games say little about two agents.");
        assert_eq!(
            table.render(false, false, Some(30)),
            "Scores\n  #  agent   games  score %\n  1  ab2        10     90.0\n  \
             2  random     10     10.0\n\n  #  agent   verdict\n  1  ab2     stronger\n  \
             2  random  weaker\n  Ten games say little about\n    two agents.\n"
        );
        let whole = table.render(false, false, None);
        assert_eq!(table.render(false, false, Some(80)), whole);
        assert_eq!(table.render(true, false, Some(10)), table.render(true, false, None));
        // The last part is not one lone column.
        let mut five = TextTable::new("Scores").text(["agent"]).figures(["a", "b", "c", "d"]);
        five.row(["alphabeta", "11 111 111", "22 222 222", "33 333 333", "4"]);
        assert_eq!(
            five.render(false, false, Some(48)),
            "Scores\n  agent               a           b\n  alphabeta  11 111 111  22 222 222\n\n  \
             agent               c  d\n  alphabeta  33 333 333  4\n"
        );
        // Names that are a little too wide are cut.
        let mut long = TextTable::new("Scores").text(["agent"]).figures(["games"]);
        long.row(["alphabeta_of_depth_12", "1 000"]);
        assert_eq!(
            long.render(false, false, Some(26)),
            "Scores\n  agent              games\n  alphabeta_…pth_12  1 000\n"
        );
        // A brief table leaves one lone column out.
        assert_eq!(
            five.clone().brief().render(false, false, Some(48)),
            "Scores\n  agent               a           b           c\n  alphabeta  11 111 111  \
             22 222 222  33 333 333\n"
        );
        // Both names of a row stay readable, and texts wrap.
        let mut pairs = TextTable::new("Seats").text(["games"]).figures(["n"]).text(["verdict"]);
        pairs.row(["alphabeta_of_depth_12 vs alphabeta_of_depth_13", "10", "no difference shown"]);
        let folded = pairs.render(false, false, Some(52));
        assert!(folded.contains("_12 vs ") && folded.contains("_13"), "{folded}");
        assert!(folded.lines().all(|line| columns(line) <= 52), "{folded}");
        // Names wider than half of the width leave room for one other column at a time.
        let mut narrow = TextTable::new("Games, and who is stronger in them")
            .figures(["#"])
            .text(["agent", "against"])
            .figures(["games", "Elo"]);
        narrow.row(["10", "random", "noisy", "1 000", "−100"]);
        let folded = narrow.render(false, false, Some(32));
        assert!(folded.lines().all(|line| columns(line) <= 32), "{folded}");
        // No room for columns beside the names.
        assert!(table.render(false, false, Some(12)).contains("score %  verdict\n"));
    }

    #[test]
    fn long_names_are_cut_and_long_texts_go_on_in_the_next_line() {
        let mut table =
            TextTable::new("Scores").text(["agent", "against"]).figures(["games", "Elo"]);
        table.row(["alphabeta_of_depth_12", "alphabeta_of_depth_8", "10", "+100"]);
        let within = |table: &TextTable, width| table.render(false, false, Some(width));
        // Both name columns are in every part.
        assert_eq!(
            within(&table, 50),
            "Scores\n  agent              against           games   Elo\n  alphabeta_…pth_12  \
             alphabeta…epth_8     10  +100\n"
        );
        let mut table = TextTable::new("Steps").text(["step", "seen"]);
        table.row(["greeting", "a sentence that needs more room than there is"]);
        let text = within(&table, 40);
        assert_eq!(text.lines().count(), 4, "{text}");
        assert!(text.lines().all(|line| columns(line) <= 40), "{text}");
        assert!(within(&table, 5).contains("greeting"));
    }
}
