//! Everything that the terminal shows after a run, and `summary.txt` keeps.

use std::io;

use serde::Serialize;

use super::context::{Context, Ending};
use super::csv_files::{agents_sheet, pairings_sheet, seats_sheet};
use super::numbers::{NONE, counted, fixed, grouped};
use super::ranking::{self, Ranking};
use super::seats::SeatRows;
use super::sheet::Sheet;
use super::table::{Format, Table, wrapped};
use super::{audit, cost, duel, grading, seats, sequential};
use crate::arena::{Pairing, PairingTally, Tally};
use crate::world::{ADJUDICATED_DRAW, ADJUDICATED_WIN};

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
    /// The seed, where it is known.
    pub seed: Option<u64>,
}

/// The tables of a run with their heading.
pub struct Summary<'a> {
    heading: &'a Heading,
    tally: &'a Tally,
    context: &'a Context,
    ranking: &'a Ranking,
    seats: SeatRows<'a>,
}

impl<'a> Summary<'a> {
    /// Of a tally with its ratings.
    pub fn new(
        heading: &'a Heading,
        tally: &'a Tally,
        context: &'a Context,
        ranking: &'a Ranking,
    ) -> Self {
        Summary { heading, tally, context, ranking, seats: SeatRows::new(tally, context) }
    }

    /// Every table that people read.
    fn tables(&self) -> impl Iterator<Item = Table> {
        let (tally, context, ranking) = (self.tally, self.context, self.ranking);
        let tables = [
            duel::table(tally, context),
            ranking::table(tally, context, ranking),
            ranking::cross_table(tally, context, ranking),
            Some(seats::table(tally, &self.seats)),
            Some(cost::table(tally)),
            grading::table(tally, context),
        ];
        tables.into_iter().flatten()
    }

    /// The summary as one text; `bold` sets titles apart where the format is text.
    pub fn render(&self, format: Format, bold: bool) -> String {
        self.render_within(format, bold, None)
    }

    /// The same in lines of at most so many columns, as far as that is possible.
    pub fn render_within(&self, format: Format, bold: bool, width: Option<usize>) -> String {
        let markdown = match format {
            Format::Json => {
                let mut text = Vec::new();
                self.write_json(&mut text).expect("memory takes everything");
                return String::from_utf8(text).expect("JSON is text");
            }
            Format::Markdown => true,
            Format::Text | Format::Benchmark => false,
        };
        let headline = headline(self.heading, self.tally);
        let mut out = String::new();
        if markdown {
            out.push_str(&format!("## {}\n\n", self.heading.name));
        }
        if let Some(question) = &self.heading.question {
            match width.filter(|_| !markdown) {
                Some(width) => out.push_str(&wrapped(question, width, "", "")),
                None => {
                    out.push_str(&format!("{question}{}", if markdown { "\n\n" } else { "\n" }))
                }
            }
        }
        match width.filter(|_| !markdown) {
            Some(width) => out.push_str(&wrapped(&headline, width, "", "  ")),
            None => {
                out.push_str(&headline);
                out.push('\n');
            }
        }
        for remark in remarks(self.tally, self.context) {
            match width.filter(|_| !markdown) {
                Some(width) => out.push_str(&wrapped(&format!("note: {remark}"), width, "", "  ")),
                None => {
                    out.push_str(if markdown { "\n> " } else { "note: " });
                    out.push_str(&remark);
                    out.push('\n');
                }
            }
        }
        for table in self.tables() {
            out.push('\n');
            out.push_str(&table.render_within(markdown, bold && !markdown, width));
        }
        out
    }

    /// The tables for other programs, each with the name of its file.
    pub fn sheets(&self) -> [(&'static str, Sheet<'_>); 3] {
        let (tally, context, ranking) = (self.tally, self.context, self.ranking);
        [
            ("agents.csv", agents_sheet(tally, context, ranking)),
            ("pairings.csv", pairings_sheet(tally, context, ranking)),
            ("seats.csv", seats_sheet(&self.seats)),
        ]
    }

    /// Writes everything as one JSON document with a newline at its end.
    ///
    /// # Errors
    /// What `out` refuses.
    pub fn write_json(&self, mut out: impl io::Write) -> io::Result<()> {
        let (tally, context) = (self.tally, self.context);
        let Counts { games, distinct_games, voids, faults, plies } = Counts::of(tally);
        let [(_, agents), (_, pairings), (_, seats)] = self.sheets();
        let document = Document {
            agents,
            distinct_games,
            faults,
            game: &self.heading.game,
            games,
            graded_games: tally.grades.as_ref().map(|grades| grades.games),
            name: &self.heading.name,
            notes: remarks(tally, context),
            openings: &self.heading.openings,
            pairings,
            plies,
            question: self.heading.question.as_deref(),
            seats,
            seed: self.heading.seed,
            sprt: tally.sprt.as_ref().map(|sprt| sequential::json(sprt, context.complete())),
            verdict: duel::verdict(tally, context),
            voids,
        };
        serde_json::to_writer_pretty(&mut out, &document)?;
        writeln!(out)
    }
}

/// Everything for other programs, the keys in alphabetical order.
#[derive(Serialize)]
struct Document<'a> {
    agents: Sheet<'a>,
    distinct_games: u64,
    faults: u64,
    game: &'a str,
    games: u64,
    graded_games: Option<u64>,
    name: &'a str,
    notes: Vec<String>,
    openings: &'a str,
    pairings: Sheet<'a>,
    plies: u64,
    question: Option<&'a str>,
    seats: Sheet<'a>,
    seed: Option<u64>,
    sprt: Option<serde_json::Value>,
    verdict: Option<String>,
    voids: u64,
}

/// What was counted over all pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Counts {
    games: u64,
    distinct_games: u64,
    voids: u64,
    faults: u64,
    plies: u64,
}

impl Counts {
    fn of(tally: &Tally) -> Self {
        Counts {
            games: tally.games(),
            distinct_games: tally.distinct_games(),
            voids: tally.voids(),
            faults: tally.faults(),
            plies: tally.pairings.iter().map(|(_, p)| p.plies).sum(),
        }
    }
}

/// One line: what was played and how much of it is evidence, and what was not decided on
/// the board.
pub(super) fn headline(heading: &Heading, tally: &Tally) -> String {
    let Counts { games, distinct_games, voids, faults, plies } = Counts::of(tally);
    let mut parts = vec![
        heading.name.clone(),
        heading.game.clone(),
        heading.openings.clone(),
        heading.seed.map(|seed| format!("seed {seed}")).unwrap_or_default(),
        format!("{} ({} distinct)", counted(games, "game"), grouped(distinct_games)),
    ];
    parts.retain(|part| !part.is_empty());
    if games > 0 {
        parts.push(format!("{:.1} plies on average", plies as f64 / games as f64));
    }
    if faults > 0 {
        parts.push(format!("{} lost by faults", counted(faults, "game")));
    }
    if voids > 0 {
        parts.push(format!("{} void", counted(voids, "game")));
    }
    if let Some(&count) = tally.reasons.get(&"max plies") {
        parts.push(format!("{} adjudicated drawn at max_plies", counted(count, "game")));
    }
    for (reason, words) in
        [(ADJUDICATED_DRAW, "adjudicated drawn"), (ADJUDICATED_WIN, "adjudicated won")]
    {
        if let Some(&count) = tally.reasons.get(&reason) {
            parts.push(format!("{} {words}", counted(count, "game")));
        }
    }
    parts.join(" · ")
}

/// Pairs from the same opening tell of that opening, however many they are.
fn repeated_openings(tally: &Tally, context: &Context) -> Option<String> {
    // Who plays from one opening asks about that one.
    if context.opening_set == Some(1) {
        return None;
    }
    let mut all = (tally.pairings.iter().enumerate())
        .filter_map(|(i, (pairing, _))| Some((pairing, tally.repeated(i)?)));
    let (pairing, again) = all.next()?;
    let others = match all.count() {
        0 => String::new(),
        1 => " (likewise one more pairing)".to_owned(),
        more => format!(" (likewise {more} more pairings)"),
    };
    Some(format!(
        "{} and {} played {} from {}{others}: intervals and verdicts hold for these openings \
         only; of others they say nothing",
        tally.names[pairing.a],
        tally.names[pairing.b],
        counted(again.pairs, "distinct pair"),
        counted(again.openings.n, "opening"),
    ))
}

/// Agents that should always play the same moves, and do not.
fn varied(tally: &Tally, context: &Context) -> Option<String> {
    let of = |(pairing, results): &&(Pairing, PairingTally)| {
        results.varied && !pairing.may_vary && !context.kinds.is_empty()
    };
    let (pairing, _) = tally.pairings.iter().find(of)?;
    Some(format!(
        "{} and {} played different games from the same opening, though no agent is known to have \
         drawn a random number: they are not deterministic, and all their games count from the \
         first different one on",
        tally.names[pairing.a], tally.names[pairing.b],
    ))
}

/// What a reader must know before the tables: repetition, faults, games that do not count.
pub(super) fn remarks(tally: &Tally, context: &Context) -> Vec<String> {
    let mut remarks = Vec::new();
    if context.ending == Ending::Stopped {
        remarks.push("the run was stopped early: these are the games so far".to_owned());
    } else if !context.length_fixed && tally.sprt.is_none() {
        remarks.push(
            "nothing here says how many games were planned, so a verdict is given only where it \
             holds at any stopping time"
                .to_owned(),
        );
    }
    let (games, distinct) = (tally.games(), tally.distinct_games());
    if distinct < games {
        let repeat = if games - distinct == 1 { "repeats" } else { "repeat" };
        remarks.push(format!(
            "{} of {} {repeat} an earlier one move for move, and no agent is known to have drawn \
             a random number in them. They are no further evidence: scores, intervals and verdicts \
             leave them out (effective sample size {}). More openings would give more distinct \
             games.",
            grouped(games - distinct),
            counted(games, "game"),
            tally.effective_games().map_or(NONE.to_owned(), |n| fixed(n, 1)),
        ));
    }
    remarks.extend(varied(tally, context));
    remarks.extend(repeated_openings(tally, context));
    if tally.is_saturated() {
        remarks.push(format!(
            "the check for repeated games remembers {} games and openings and is full: later \
             games without random numbers are not counted as evidence",
            grouped(Tally::REMEMBERED as u64),
        ));
    }
    if tally.faults() > 0 {
        let by_agent: Vec<String> = (tally.names.iter().zip(&tally.agents))
            .filter(|(_, agent)| agent.faults > 0)
            .map(|(name, agent)| format!("{name} {}", grouped(agent.faults)))
            .collect();
        remarks.push(format!("games lost by faults: {}", by_agent.join(", ")));
        let engines = tally.agents.iter().zip(&context.budgets);
        let logged = engines.filter(|(_, budget)| budget.is_some()).map(|(agent, _)| agent.faults);
        if let Some(most) = context.fault_logs.filter(|&most| logged.sum::<u64>() > most) {
            remarks.push(format!(
                "only {} of these games have a log (`[output] fault_logs = {most}`)",
                grouped(most)
            ));
        }
    }
    remarks.extend(audit::remarks(tally, context));
    remarks.extend(context.delay.as_ref().map(ToString::to_string));
    if tally.voids() > 0 {
        remarks.push("void games are not counted: agon or the machine failed in them".to_owned());
    }
    remarks
}
