//! `agon explain`: what a word in a table, a config or the help means.

use clap::Args;
use serde_json::json;

use super::list;
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::manual_page::ManualPage;
use crate::cli::print_run_results::{print_text, terminal_width};
use crate::config::Definitions;
use crate::report::TableFormat;
use crate::util::did_you_mean::did_you_mean_or;

/// The page with the terms, one table row each.
const PAGE: &str = include_str!("../../../docs/glossary.md");
/// The page with the columns of each file, one table row each.
const COLUMNS: &str = include_str!("../../../results/README.md");

/// The maximum width of an explanation, in columns.
const WIDTH: usize = 80;

/// Explains a term of the tables and pages, or a key of a config.
///
/// The terms are those of docs/glossary.md, and the columns those of results/README.md. For a key, a
/// game or an agent, the output is that of `agon list`. If no term is given, all terms are listed.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A term such as `LOS`, the head of a column such as `p next`, a key, a game or an agent.
    #[arg(value_name = "TERM")]
    words: Vec<String>,
}

/// A row of the glossary, or a row of the columns of a file.
struct Term {
    name: &'static str,
    meaning: String,
    /// Where agon prints it.
    place: &'static str,
    /// Text with the heads of columns that show it, between backquotes.
    heads: &'static str,
}

/// Prints the explanation of a word, or all terms.
pub fn run(args: &ExplainArgs, context: &CommandContext<'_>) -> Result<u8, Failure> {
    let word = args.words.join(" ");
    let terms = terms();
    let columns = columns();
    let mut found: Vec<&Term> = terms.iter().filter(|term| term.is_meant_by(&word)).collect();
    found.extend(columns.iter().filter(|column| column.is_meant_by(&word)));
    let listed = list::wanted(Some(&word), context.registry);
    if !word.is_empty() && found.is_empty() && listed.is_err() {
        return Err(unknown(&word, &terms, context));
    }
    let explained: Vec<&Term> = if word.is_empty() { terms.iter().collect() } else { found };
    if context.format == TableFormat::Json {
        let mut out =
            json!({ "terms": explained.iter().map(|term| term.json()).collect::<Vec<_>>() });
        if let Ok(what) = listed {
            out["list"] = list::json(what, context.registry);
        }
        print_text(&format!("{out:#}\n"))?;
        return Ok(exit_codes::DONE);
    }
    let width = terminal_width().map_or(WIDTH, |width| width.min(WIDTH));
    let mut page = ManualPage::new(width);
    if word.is_empty() {
        page.paragraph(&explained.iter().map(|term| term.name).collect::<Vec<_>>().join(", "));
        page.gap();
        page.paragraph("`agon explain TERM` explains one of them, a key, a game or an agent.");
    }
    for term in explained.iter().filter(|_| !word.is_empty()) {
        page.kind(term.name, &term.meaning);
        page.note(&format!("Printed in: {}.", term.place));
    }
    let mut text = page.finish();
    if let Ok(what) = listed {
        text.push_str(&list::text(what, width, context.registry));
    }
    print_text(text.trim_start_matches('\n'))?;
    Ok(exit_codes::DONE)
}

/// The error for a word that is no term and in no list.
fn unknown(word: &str, terms: &[Term], context: &CommandContext<'_>) -> Failure {
    let listed = list::names(&Definitions::new(context.registry));
    let mut names: Vec<&str> = terms.iter().map(|term| term.name).collect();
    names.extend(listed.iter().map(String::as_str));
    let definition = (context.definition)();
    names.extend(definition.get_subcommands().map(clap::Command::get_name));
    let help = did_you_mean_or(word, &names, || "`agon explain` lists the terms".to_owned());
    Failure::usage(format!("there is no term, key, game or agent `{word}`"), help)
}

/// All terms, in the order of the page.
fn terms() -> Vec<Term> {
    PAGE.lines().filter_map(Term::read).collect()
}

fn columns() -> Vec<Term> {
    let mut file = "";
    let mut all = Vec::new();
    for line in COLUMNS.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            file = heading;
        }
        let cells = line.strip_prefix("| `").and_then(|cells| cells.strip_suffix(" |"));
        if let Some((_, meaning)) = cells.and_then(|cells| cells.split_once(" | "))
            && file.starts_with('`')
        {
            let name = &line[2..line.len() - meaning.len() - " | ".len() - " |".len()];
            all.push(Term { name, meaning: without_links(meaning), place: file, heads: name });
        }
    }
    all
}

impl Term {
    /// Reads a line such as `| **ply** | One move. | \`plies\` in games.csv |`.
    fn read(line: &'static str) -> Option<Term> {
        let mut cells = line.strip_prefix("| **")?.strip_suffix(" |")?.splitn(3, " | ");
        let name = cells.next()?.strip_suffix("**")?;
        let (meaning, place) = (without_links(cells.next()?), cells.next()?);
        Some(Term { name, meaning, place, heads: place })
    }

    /// Whether the word is the name of the term, or the head of a column that shows it. Case and
    /// hyphens do not matter.
    fn is_meant_by(&self, word: &str) -> bool {
        let plain = |text: &str| text.to_lowercase().replace(['-', '–', '_'], " ");
        let heads = self.heads.split('`').skip(1).step_by(2);
        heads.chain([self.name]).any(|name| plain(name) == plain(word))
    }

    fn json(&self) -> serde_json::Value {
        json!({ "term": self.name, "meaning": self.meaning, "printed_in": self.place })
    }
}

/// Markdown text with the words of its links, without their targets.
fn without_links(text: &str) -> String {
    let mut parts = text.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(part.split_once(')').map_or("", |(_, rest)| rest));
    }
    out.replace('[', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_page_is_a_term() {
        let rows = PAGE.lines().filter(|line| line.starts_with("| **")).count();
        let terms = terms();
        assert_eq!(terms.len(), rows);
        assert!(terms.iter().all(|term| !term.meaning.contains(['[', ']', '|'])));
        let los = terms.iter().find(|term| term.is_meant_by("los next")).map(|term| term.name);
        assert_eq!(los, Some("LOS"), "heads of columns are explained, too");
        let elo: Vec<_> = terms.iter().filter(|term| term.is_meant_by("Normalized-Elo")).collect();
        assert_eq!(elo.len(), 1);
    }
}
