//! Everything that the terminal shows after a run, and `summary.txt` keeps.

use super::context::Context;
use super::numbers::grouped;
use super::table::{Format, Table};
use super::{cost, duel, ranking, seats};
use crate::arena::Tally;

/// What was played, in the words of the config.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Heading {
    /// The experiment's name.
    pub name: String,
    /// The question that it asks.
    pub question: Option<String>,
    /// The game with its parameters, such as `connect4`.
    pub game: String,
    /// The openings, such as `random openings of 4 plies`.
    pub openings: String,
    /// The seed.
    pub seed: u64,
}

/// The tables of a run with their heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    heading: Heading,
    headline: String,
    remarks: Vec<String>,
    tables: Vec<Table>,
}

impl Summary {
    /// Makes every table of a tally.
    pub fn new(heading: Heading, tally: &Tally, context: &Context) -> Self {
        let tables = [
            duel::table(tally, context),
            ranking::table(tally, context),
            ranking::cross_table(tally, context),
            Some(seats::table(tally, context)),
            Some(cost::table(tally)),
        ];
        Summary {
            headline: headline(&heading, tally),
            remarks: remarks(tally, context),
            tables: tables.into_iter().flatten().collect(),
            heading,
        }
    }

    /// The summary as one text; `bold` sets titles apart where the format is text.
    pub fn render(&self, format: Format, bold: bool) -> String {
        let markdown = match format {
            Format::Json => {
                let mut text = serde_json::to_string_pretty(&self.json()).unwrap_or_default();
                text.push('\n');
                return text;
            }
            Format::Markdown => true,
            Format::Text | Format::Benchmark => false,
        };
        let mut out = String::new();
        if markdown {
            out.push_str(&format!("## {}\n\n", self.heading.name));
        }
        if let Some(question) = &self.heading.question {
            out.push_str(question);
            out.push_str(if markdown { "\n\n" } else { "\n" });
        }
        out.push_str(&self.headline);
        out.push('\n');
        for remark in &self.remarks {
            out.push_str(if markdown { "\n> " } else { "note: " });
            out.push_str(remark);
            out.push('\n');
        }
        for table in &self.tables {
            out.push('\n');
            out.push_str(&table.render(markdown, bold && !markdown));
        }
        out
    }

    fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "name": self.heading.name,
            "question": self.heading.question,
            "game": self.heading.game,
            "openings": self.heading.openings,
            "seed": self.heading.seed,
            "notes": self.remarks,
            "tables": self.tables.iter().map(Table::json).collect::<Vec<_>>(),
        })
    }
}

/// One line: what was played and how much of it is evidence.
fn headline(heading: &Heading, tally: &Tally) -> String {
    let games = tally.games();
    let plies: u64 = tally.pairings.iter().map(|(_, p)| p.plies).sum();
    let length = match games {
        0 => String::new(),
        _ => format!(" · {:.1} plies on average", plies as f64 / games as f64),
    };
    format!(
        "{} · {} · {} · seed {} · {} games ({} distinct){length}",
        heading.name,
        heading.game,
        heading.openings,
        heading.seed,
        grouped(games),
        grouped(tally.distinct_games()),
    )
}

/// What a reader must know before the tables: repetition, faults, adjudication.
fn remarks(tally: &Tally, context: &Context) -> Vec<String> {
    let mut remarks = Vec::new();
    if !context.complete {
        remarks.push("the run was stopped early: these are the games so far".to_owned());
    }
    let (games, distinct) = (tally.games(), tally.distinct_games());
    if distinct < games {
        remarks.push(format!(
            "{} of {} games repeat an earlier one move for move, because neither agent draws lots; \
             they are no further evidence, and scores, intervals and verdicts leave them out. \
             More openings would give more distinct games.",
            grouped(games - distinct),
            grouped(games),
        ));
    }
    let faults = tally.faults();
    if faults > 0 {
        let by_agent: Vec<String> = (tally.names.iter().zip(&tally.agents))
            .filter(|(_, agent)| agent.faults > 0)
            .map(|(name, agent)| format!("{name} {}", grouped(agent.faults)))
            .collect();
        remarks.push(format!("games lost by faults: {}", by_agent.join(", ")));
    }
    if tally.voids() > 0 {
        let count = grouped(tally.voids());
        remarks.push(format!("{count} games are void and not counted: the program failed in them"));
    }
    if let Some(&count) = tally.reasons.get("max plies") {
        remarks.push(format!("{} games were adjudicated draws at max_plies", grouped(count)));
    }
    remarks
}
