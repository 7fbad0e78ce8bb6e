//! A manual page: headings, terms and their explanations, wrapped to a width.

use anstyle::{AnsiColor, Style};

use crate::report::wrapped;

pub(crate) struct ManualPage {
    /// The maximum number of columns.
    width: usize,
    out: String,
}

/// The indents of kinds, their keys and the explanations, in columns.
const INDENT: [usize; 3] = [2, 6, 22];

/// The minimum width of text. A narrower terminal breaks the lines itself.
const NARROW: usize = 16;

const HEADING: Style = Style::new().bold();
const TERM: Style = AnsiColor::Cyan.on_default();
const DETAIL: Style = Style::new().dimmed();

impl ManualPage {
    pub fn new(width: usize) -> Self {
        ManualPage { width, out: String::new() }
    }

    pub fn heading(&mut self, text: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(&styled(HEADING, &text.to_uppercase()));
        self.out.push('\n');
    }

    pub fn paragraph(&mut self, text: &str) {
        self.wrapped(INDENT[0], text, Style::new());
    }

    /// A line of text about a kind.
    pub fn note(&mut self, text: &str) {
        self.wrapped(INDENT[1], text, Style::new());
    }

    pub fn kind(&mut self, kind: &str, summary: &str) {
        self.out.push('\n');
        self.pad(INDENT[0]);
        self.out.push_str(&styled(HEADING, kind));
        self.out.push('\n');
        if !summary.is_empty() {
            self.wrapped(INDENT[1], summary, Style::new());
        }
    }

    /// A key with its explanation and, if there is one, its type and range.
    pub fn entry(&mut self, key: &str, help: &str, detail: &str) {
        self.pad(INDENT[1]);
        let used = INDENT[1] + key.chars().count();
        self.out.push_str(&styled(TERM, key));
        if used + 2 > INDENT[2] {
            self.out.push('\n');
            self.wrapped(INDENT[2], help, Style::new());
        } else {
            self.pad(INDENT[2] - used);
            let begin = self.out.len();
            self.wrapped(INDENT[2], help, Style::new());
            // The first line is next to the key.
            self.out.replace_range(begin..begin + INDENT[2].min(self.out.len() - begin), "");
        }
        if !detail.is_empty() {
            self.detail(detail);
        }
    }

    /// A dimmed line below an entry.
    pub fn detail(&mut self, text: &str) {
        self.wrapped(INDENT[2], text, DETAIL);
    }

    pub fn gap(&mut self) {
        self.out.push('\n');
    }

    /// Lines to copy; they are never wrapped.
    pub fn example(&mut self, lines: &str) {
        for line in lines.lines() {
            self.pad(INDENT[1]);
            self.out.push_str(&styled(DETAIL, line));
            self.out.push('\n');
        }
    }

    pub fn finish(self) -> String {
        self.out
    }

    fn pad(&mut self, columns: usize) {
        self.out.extend(std::iter::repeat_n(' ', columns));
    }

    /// Wraps words into lines of at most the width, each line indented.
    fn wrapped(&mut self, indent: usize, text: &str, style: Style) {
        let room = self.width.saturating_sub(indent).max(NARROW);
        let words: Vec<&str> = text.split_whitespace().collect();
        for line in wrapped(&words.join(" "), Some(room), "", "").lines() {
            self.pad(indent);
            self.out.push_str(&styled(style, line));
            self.out.push('\n');
        }
    }
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_to_the_width() {
        let mut page = ManualPage::new(50);
        page.heading("agents");
        page.kind("alphabeta", "Searches to a depth, cutting what cannot matter to the result");
        page.entry("depth", "plies of look-ahead; 1 looks at the own moves only", "1 to 200");
        page.entry("a_key_that_is_very_long", "explained below", "");
        let text = anstream::adapter::strip_str(&page.finish()).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 50), "{text}");
        assert!(text.contains("      depth           plies of look-ahead; 1 looks\n"), "{text}");
        assert!(text.contains("\n                      at the own moves only\n"), "{text}");
        let mut page = ManualPage::new(40);
        page.entry("depth", "plies of look-ahead; 1 looks at the own moves only", "1 to 200");
        let text = anstream::adapter::strip_str(&page.finish()).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
    }
}
