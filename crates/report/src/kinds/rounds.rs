//! The decisions of a format in rounds: which agent is the best or which order is proven, and after
//! how many games each decision fell.

use super::{KindPlan, KindReport, PlannedGames, RunDecision};
use crate::arena::{DerivedFile, Schedule, Tally};
use crate::figures::figure_list::FigureFormat::{Count, EValue, ErrorOfEValue, Text};
use crate::figures::figure_list::FigureList;
use crate::figures::run_results::Results;
use crate::rounds::adaptive_rounds::{
    Adaptive, AdaptiveDesign, AdaptiveQuestion, BestAnswer, Decision, Proof,
};
use crate::stats::{Trinomial, games_for_precision as planning};
use crate::text::data_table::DataTable;
use crate::text::number_format::{counted, fixed, grouped, percent};
use crate::text::text_table::TextTable;

impl KindPlan for AdaptiveDesign {
    fn planned_games(&self, schedule: &Schedule) -> PlannedGames {
        let most = counted(self.max_games, "game");
        let pairings = counted(schedule.pairings().len() as u64, "pairing");
        PlannedGames {
            most: Some(self.max_games),
            words: format!("{pairings}; rounds until the answer, at most {most}"),
            ..PlannedGames::default()
        }
    }
}

impl KindReport for Adaptive {
    fn answer(&self, results: &Results) -> Option<String> {
        let text = match self.design().question {
            AdaptiveQuestion::Best => best(results, self),
            AdaptiveQuestion::Ranking => ranking(results, self),
            AdaptiveQuestion::Against(agent) => against(results, self, agent),
        };
        let is_raw = !self.design().adjusted;
        Some(if is_raw { text } else { text + " Scores and ratings in the tables have luck." })
    }

    fn decision(&self) -> RunDecision {
        if self.is_decided() { RunDecision::Yes } else { RunDecision::Undecided }
    }

    fn tables(&self, results: &Results) -> Vec<TextTable> {
        vec![table(results, self)]
    }

    fn eliminations(&self, agents: usize) -> Option<Vec<Option<u64>>> {
        let is_best = self.design().question == AdaptiveQuestion::Best;
        is_best.then(|| (0..agents).map(|agent| eliminated_after(self, agent)).collect())
    }

    fn data<'a>(&'a self, results: &'a Results) -> Vec<(DerivedFile, DataTable<'a>)> {
        vec![(DerivedFile::Decisions, data(results, self))]
    }
}

/// `this answer is wrong in at most 5 % of runs`.
fn error(adaptive: &Adaptive) -> String {
    let alpha = percent(Some(adaptive.design().alpha));
    let scores = if adaptive.design().adjusted { ": asymptotic, without luck" } else { "" };
    format!("this answer is wrong in at most {} % of runs{scores}", alpha.trim_end_matches(".0"))
}

fn best(results: &Results, adaptive: &Adaptive) -> String {
    let tally = &results.tally;
    let leader = &tally.names[adaptive.leader()];
    let (agents, error) = (tally.names.len(), error(adaptive));
    let after = format!(
        "after {} in {}",
        counted(tally.games(), "game"),
        counted(adaptive.rounds(), "round"),
    );
    let survivors = adaptive.survivors();
    let others: Vec<usize> =
        survivors.iter().copied().filter(|&agent| agent != adaptive.leader()).collect();
    match adaptive.best_answer() {
        BestAnswer::Best(winner) => {
            let saved = round_robin(results, winner).map_or(String::new(), |games| {
                format!(" A round robin needs about {} games to show this lead.", grouped(games))
            });
            format!(
                "{leader} is the best of {agents} agents ({error}). Its own games against each \
                 other agent prove this. The run stopped {after}.{saved}"
            )
        }
        BestAnswer::NoBest { last, beaten_by } => format!(
            "None of the {agents} agents is the best ({error}). Only {} was not eliminated, but {} \
             beats it: agents form a cycle. The run stopped {after}.",
            tally.names[last], tally.names[beaten_by],
        ),
        BestAnswer::Close(_) => {
            let epsilon = adaptive.design().epsilon_elo.map_or(String::new(), |elo| fixed(elo, 0));
            let rest = match others.is_empty() {
                true => String::new(),
                false => format!(" Not eliminated: {}.", list(tally, &others)),
            };
            format!(
                "{leader} is the best of {agents} agents within {epsilon} Elo: no other one is better \
                 by more ({error}).{rest}"
            )
        }
        BestAnswer::Level(_) => format!(
            "{leader} and {} are equally good: their games are exact.",
            list(tally, &others)
        ),
        BestAnswer::Undecided => {
            let when = match results.context.complete() {
                true => format!("after {}, the maximum", counted(tally.games(), "game")),
                false => format!("so far, after {}", counted(tally.games(), "game")),
            };
            let hint = " Agents that are equally strong need `epsilon_elo`, or `precision_elo` in a \
                        tune.";
            let hint = if results.context.complete() { hint } else { "" };
            match others.is_empty() {
                true => format!(
                    "Undecided {when}: {leader} leads, and all others are eliminated. Its own games \
                     do not yet prove that it beats {}.{hint}",
                    list(tally, &adaptive.unproven())
                ),
                false => format!(
                    "Undecided {when}: {leader} leads, and {} can still be better.{hint}",
                    list(tally, &others)
                ),
            }
        }
    }
}

/// "undecided", and whether more games would come.
fn undecided(results: &Results) -> &'static str {
    if results.context.complete() { "Undecided" } else { "Undecided so far" }
}

fn ranking(results: &Results, adaptive: &Adaptive) -> String {
    let tally = &results.tally;
    let (open, close) = (adaptive.undecided(), close(adaptive));
    let all = tally.names.len() * (tally.names.len() - 1) / 2;
    let cycles = adaptive.cycles();
    let after = format!(
        "after {} in {}",
        counted(tally.games(), "game"),
        counted(adaptive.rounds(), "round"),
    );
    let is_order = open.is_empty() && close.is_empty() && cycles.is_empty();
    let mut text = if is_order {
        format!(
            "The order of all {} agents is decided ({}), {after}. Games of each pair agree with it.",
            tally.names.len(),
            error(adaptive),
        )
    } else if adaptive.design().epsilon_elo.is_some() {
        format!("{} of {all} pairs are decided ({}), {after}.", all - open.len(), error(adaptive))
    } else {
        // Only the complete order has this error: it needs that no proof contradicts another one.
        format!("{} of {all} pairs are decided, {after}.", all - open.len())
    };
    // The order of the raw ratings in the tables is another one if their luck is larger.
    if adaptive.design().adjusted && is_order {
        let names = adaptive.order().into_iter().map(|agent| tally.names[agent].as_str());
        text.push_str(&format!(" Order: {}.", names.collect::<Vec<_>>().join(", ")));
    }
    for (title, pairs) in [("Close", close), (undecided(results), open)] {
        if !pairs.is_empty() {
            text.push_str(&format!(" {title}: {}.", pair_names(tally, &pairs)));
        }
    }
    if let Some(cycle) = cycles.first() {
        let name = |place: usize| &tally.names[cycle[place % cycle.len()]];
        let beats = |place| format!("{} beats {}", name(place), name(place + 1));
        let steps: Vec<String> = (0..cycle.len()).map(beats).collect();
        let more = match cycles.len() {
            1 => String::new(),
            all => format!(" ({} more)", counted(all as u64 - 1, "cycle")),
        };
        text.push_str(&format!(
            " Cycle: {}, so they have no order ({}){more}.",
            and_more(steps, cycle.len()),
            error(adaptive),
        ));
    }
    text
}

fn against(results: &Results, adaptive: &Adaptive, one: usize) -> String {
    let tally = &results.tally;
    let decided = |better: bool| -> Vec<usize> {
        let is_side = |decision: &&Decision| {
            let side = if better { decision.worse } else { decision.better };
            side == one && decision.proof != Proof::Close
        };
        let other = |decision: &Decision| if better { decision.better } else { decision.worse };
        adaptive.decisions().iter().filter(is_side).map(other).collect()
    };
    let other_of = |pairs: Vec<(usize, usize)>| -> Vec<usize> {
        pairs.into_iter().map(|(a, b)| if a == one { b } else { a }).collect()
    };
    let name = &tally.names[one];
    let parts = [
        (format!("Better than {name}"), decided(true)),
        (format!("Worse than {name}"), decided(false)),
        (format!("Close to {name}"), other_of(close(adaptive))),
        (undecided(results).to_owned(), other_of(adaptive.undecided())),
    ];
    let parts: Vec<String> = (parts.iter())
        .filter(|(_, agents)| !agents.is_empty())
        .map(|(title, agents)| format!("{title}: {}", list(tally, agents)))
        .collect();
    format!("{} ({}, after {}).", parts.join(". "), error(adaptive), counted(tally.games(), "game"))
}

/// Pairs whose difference is small.
fn close(adaptive: &Adaptive) -> Vec<(usize, usize)> {
    let is_close = |decision: &&Decision| decision.proof == Proof::Close;
    (adaptive.decisions().iter().filter(is_close))
        .map(|decision| (decision.better, decision.worse))
        .collect()
}

/// At most this many agents or pairs are named.
const NAMED: usize = 6;

pub(crate) fn list(tally: &Tally, agents: &[usize]) -> String {
    let names: Vec<String> =
        agents.iter().take(NAMED).map(|&agent| tally.names[agent].clone()).collect();
    and_more(names, agents.len())
}

fn pair_names(tally: &Tally, pairs: &[(usize, usize)]) -> String {
    let names: Vec<String> = (pairs.iter().take(NAMED))
        .map(|&(a, b)| format!("{}–{}", tally.names[a], tally.names[b]))
        .collect();
    and_more(names, pairs.len())
}

fn and_more(mut names: Vec<String>, all: usize) -> String {
    if all > names.len() {
        names.push(format!("{} more", all - names.len()));
    }
    match &names[..] {
        [names @ .., last] if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        names => names.join(""),
    }
}

/// The games that a round robin needs to show the lead of the winner with a power of 80 %.
fn round_robin(results: &Results, winner: usize) -> Option<u64> {
    let Results { tally, ranking, .. } = results;
    let rating = |agent: usize| ranking.numbers(ranking.standing(agent)?)[0];
    let best = rating(winner)?;
    let others = (0..tally.names.len()).filter(|&agent| agent != winner);
    let gap = others.filter_map(rating).map(|elo| best - elo).reduce(f64::min)?;
    let mut games = Trinomial::default();
    tally.pairings.iter().for_each(|(_, pairing)| games.merge(&pairing.distinct.games()));
    let draws = games.draws() as f64 / games.n().max(1) as f64;
    let variance = planning::variance_per_game(0.5, draws.min(0.99))?;
    let needed = planning::round_robin(gap, variance, tally.names.len() as u64)?;
    (gap > 0.0 && needed > tally.games()).then_some(needed)
}

/// The number of games after which an agent was eliminated.
fn eliminated_after(adaptive: &Adaptive, agent: usize) -> Option<u64> {
    let is_best = adaptive.design().question == AdaptiveQuestion::Best;
    (adaptive.decisions().iter())
        .find(|decision| is_best && decision.worse == agent)
        .map(|decision| decision.games)
}

/// The strict e-value of raw scores beside an asymptotic one.
fn strict_e_value(proof: Proof) -> Option<f64> {
    match proof {
        Proof::Asymptotic { ln_strict, .. } => Some(ln_strict.exp().min(f64::MAX)),
        _ => None,
    }
}

fn proof_words(proof: Proof) -> (&'static str, Option<f64>) {
    match proof {
        Proof::EValue(ln_e) => ("e-value", Some(ln_e.exp().min(f64::MAX))),
        Proof::Asymptotic { ln_e, .. } => ("asymptotic e-value", Some(ln_e.exp().min(f64::MAX))),
        Proof::Exact => ("exact", None),
        Proof::Transitive(ln_e) => ("transitive", Some(ln_e.exp().min(f64::MAX))),
        Proof::Close => ("close", None),
    }
}

/// A decision of a run.
struct DecisionRow<'a> {
    names: &'a [String],
    decision: &'a Decision,
}

/// The figures of a decision, in the order of `decisions.csv`. A run without luck also has the strict
/// e-value of the raw scores.
fn decision_figures<'a>(is_adjusted: bool) -> FigureList<DecisionRow<'a>> {
    let figures = FigureList::<DecisionRow<'a>>::new()
        .with("round", "round", Count, |row| row.decision.round.into())
        .with("games", "games", Count, |row| row.decision.games.into())
        .with("better", "better", Text, |row| row.names[row.decision.better].as_str().into())
        .with("worse", "worse", Text, |row| row.names[row.decision.worse].as_str().into())
        .with("proof", "proof", Text, |row| proof_words(row.decision.proof).0.into())
        .with("e_value", "error", ErrorOfEValue, |row| proof_words(row.decision.proof).1.into());
    match is_adjusted {
        true => figures.with("strict_raw_e_value", "strict e-value of raw scores", EValue, |row| {
            strict_e_value(row.decision.proof).into()
        }),
        false => figures,
    }
}

/// The decisions in order, for `-v`.
fn table(results: &Results, adaptive: &Adaptive) -> TextTable {
    let figures = decision_figures(adaptive.design().adjusted);
    let shown: Vec<&str> = figures.columns().collect();
    let mut table = figures.heads(TextTable::new("What was decided, and when?"), &shown);
    for decision in adaptive.decisions() {
        let row = DecisionRow { names: &results.tally.names, decision };
        table.row(shown.iter().map(|name| figures.show(name, &row)));
    }
    let bound = |ln: f64| grouped(ln.exp().ceil() as u64);
    let what = match adaptive.design().question {
        AdaptiveQuestion::Best => format!(
            "an agent is eliminated at an e-value of {} against \u{201c}no agent beats it\u{201d}",
            bound(adaptive.elimination_bound())
        ),
        AdaptiveQuestion::Against(_) => {
            format!("an agent is decided at an e-value of {}", bound(adaptive.proof_bound()))
        }
        AdaptiveQuestion::Ranking => format!(
            "a pair is decided at an e-value of {}; transitive: it follows from other decisions, and \
             later games of the pair confirm it at {}",
            bound(adaptive.proof_bound()),
            bound(adaptive.confirmation_bound())
        ),
    };
    table.note(format!("{what}; error: 1 / e-value; see docs/formats.md"));
    table
}

/// `decisions.csv`: one row for each decision, in order.
fn data<'a>(results: &'a Results, adaptive: &'a Adaptive) -> DataTable<'a> {
    let figures = decision_figures(adaptive.design().adjusted);
    DataTable::new(&figures.header(), move |add| {
        for decision in adaptive.decisions() {
            add(figures.cells(&DecisionRow { names: &results.tally.names, decision }));
        }
    })
}
