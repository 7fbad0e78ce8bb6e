//! `report.html`: a run as one page with pictures, which needs nothing but itself.
//!
//! Charts are laid out by hand as SVG: scales and marks are functions of numbers, each chart
//! is a function of counts. Colours are names that the style sheet fills in for light and
//! dark; none of them is the only carrier of anything, and every mark says its value.

mod bars;
mod board;
mod by_seat;
mod cost;
mod course;
mod depth;
mod film;
mod games;
mod layout;
mod lines;
mod origin;
mod quality;
mod rows;
mod scale;
mod seats;
mod strength;
mod strip;
mod svg;
mod theatre;
mod times;

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::context::Context;
use super::ranking::Ranking;
use super::seats::SeatRows;
use super::summary::{Heading, headline, remarks};
use super::{duel, rating_notes};
use crate::arena::{Chronicle, Looked, Manifest, Tally};
use crate::config::NamedAgent;
use crate::world::World;

pub use strip::strip;

const STYLE: &str = include_str!("style.css");
/// What positions look like, on the page and in files of their own.
const BOARD_STYLE: &str = include_str!("board.css");
const SCRIPT: &str = include_str!("replay.js");
/// The most bytes of a page, but for what frames its parts.
const BYTES: usize = 960_000;

/// What a page is made of.
pub struct Page<'a> {
    /// What was played, in words.
    pub heading: &'a Heading,
    /// The counts.
    pub tally: &'a Tally,
    /// What else is known of the run.
    pub context: &'a Context,
    /// The ratings that follow from both.
    pub ranking: &'a Ranking,
    /// What happened besides.
    pub chronicle: &'a Chronicle,
    /// Where the results come from, where that is known.
    pub manifest: Option<&'a Manifest>,
    /// The game, where it is known.
    pub world: Option<&'a dyn World>,
    /// The agents as they were configured; empty where that is not known.
    pub agents: &'a [NamedAgent],
    /// What `moves.csv` tells.
    pub looked: &'a Looked,
    /// The files that say how engines failed, by game, as far as they are there.
    pub logs: BTreeMap<u64, Vec<String>>,
}

impl Page<'_> {
    /// The page.
    pub fn render(&self) -> String {
        let (tally, context, chronicle) = (self.tally, self.context, self.chronicle);
        let (ranking, seats) = (self.ranking, SeatRows::new(tally, context));
        let score = |agent: usize| ranking.list.standings.iter().find(|s| s.player == agent)?.score;
        let mut sections = [
            ("strength", "Who is stronger?", strength::content(tally, context, ranking)),
            ("seats", "First or second player?", seats::content(tally, &seats)),
            ("depth", "What does depth buy?", depth::content(tally, ranking, self.agents)),
            ("cost", "What does a move cost?", cost::content(tally, self.looked, self.agents)),
            ("moves-graded", "How good are the moves?", quality::content(tally, context)),
            ("course", "How did games go?", games::content(tally, chronicle)),
            ("board", "Games to look at", html! {}),
            ("faults", "Faults", games::faults(tally, &chronicle.picks, &self.logs)),
            ("origin", "Where this comes from", origin::content(self.manifest)),
        ];
        // The games get what the rest leaves.
        let rest: usize = sections.iter().map(|(_, _, content)| content.0.len()).sum();
        let room = BYTES.saturating_sub(rest + STYLE.len() + BOARD_STYLE.len() + SCRIPT.len());
        let film = self.world.and_then(|world| {
            film::film(world, tally, &chronicle.picks, &self.looked.moves, score, room)
        });
        let board = theatre::content(film.as_ref());
        sections.iter_mut().filter(|(id, ..)| *id == "board").for_each(|s| s.2 = board.clone());
        let title = format!("{} – agon", self.heading.name);
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    link rel="icon" href="data:,";
                    title { (title) }
                    style { (PreEscaped(BOARD_STYLE)) (PreEscaped(STYLE)) }
                }
                body {
                    (self.head(&seats))
                    nav {
                        @for (id, title, content) in &sections {
                            @if !content.0.is_empty() { a href={ "#" (id) } { (title) } " " }
                        }
                    }
                    main {
                        @for (id, title, content) in &sections {
                            (layout::section(id, title, content))
                        }
                    }
                    @if film.is_some() { script { (PreEscaped(SCRIPT)) } }
                }
            }
        };
        page.into_string()
    }

    /// The question and the answers.
    fn head(&self, seats: &SeatRows<'_>) -> Markup {
        html! {
            header {
                h1 { (self.heading.name) }
                @if let Some(question) = &self.heading.question {
                    p class="question" { (question) }
                }
                ul class="verdicts" {
                    @for sentence in self.verdicts(seats) { li { (sentence) } }
                }
                p class="headline" { (headline(self.heading, self.tally)) }
                @for remark in remarks(self.tally, self.context) {
                    p class="remark" { "note: " (remark) }
                }
            }
        }
    }

    /// What may be said, in sentences.
    fn verdicts(&self, seats: &SeatRows<'_>) -> Vec<String> {
        let (tally, context, ranking) = (self.tally, self.context, self.ranking);
        let mut sentences = Vec::new();
        match duel::verdict(tally, context) {
            Some(verdict) => sentences.push(verdict),
            None => {
                let told = rating_notes::told_apart(tally, context, ranking);
                sentences.extend(leader(tally, ranking).into_iter().chain(told));
            }
        }
        let all = seats.all();
        if all.judged.score.is_some() {
            sentences.push(format!("Over all games: {}", all.judged.verdict.of_seats()));
        }
        sentences.into_iter().map(|sentence| capital(&sentence)).collect()
    }
}

/// Who leads the list, where there is one list.
fn leader(tally: &Tally, ranking: &Ranking) -> Option<String> {
    let (_, best) = ranking.ranks().next().filter(|_| ranking.leagues() == 1)?;
    let score = super::numbers::percent(best.score);
    let name = &tally.names[best.player];
    Some(format!("{name} leads the rating list, with {score} % against the others"))
}

fn capital(sentence: &str) -> String {
    // Names of agents are written as they are.
    let mut chars = sentence.chars();
    match chars.next() {
        Some(first) if sentence.starts_with("undecided") || sentence.starts_with("no ") => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => sentence.to_owned(),
    }
}
