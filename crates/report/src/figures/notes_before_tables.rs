//! Remarks before the tables of a run: what was played, how much of it is evidence, and what went
//! wrong.

use super::engine_budget_check;
use super::run_facts_for_tables::{RunContext, RunEnd};
use super::run_results::Heading;
use crate::agents::log_name;
use crate::arena::{Pairing, PairingTally, Tally};
use crate::play::{ADJUDICATED_DRAW, ADJUDICATED_WIN};
use crate::text::number_format::{NONE, counted, fixed, grouped};

/// Counts over all pairings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameCounts {
    pub games: u64,
    pub distinct_games: u64,
    pub voids: u64,
    pub faults: u64,
    pub plies: u64,
}

impl GameCounts {
    pub fn of(tally: &Tally) -> Self {
        GameCounts {
            games: tally.games(),
            distinct_games: tally.distinct_games(),
            voids: tally.voids(),
            faults: tally.faults(),
            plies: tally.pairings.iter().map(|(_, p)| p.plies).sum(),
        }
    }
}

/// One line: what was played, how much of it is evidence, and how many games were not decided on
/// the board.
pub(crate) fn headline(heading: &Heading, tally: &Tally) -> String {
    let GameCounts { games, distinct_games, voids, faults, plies } = GameCounts::of(tally);
    let mut parts = vec![
        heading.name.clone(),
        heading.game.clone(),
        heading.openings.clone(),
        heading.seed.map(|seed| format!("seed {seed}")).unwrap_or_default(),
        format!("{} ({} distinct)", counted(games, "game"), grouped(distinct_games)),
    ];
    parts.retain(|part| !part.is_empty());
    if plies > 0 {
        parts.push(format!("{:.1} plies on average", plies as f64 / games as f64));
    }
    if faults > 0 {
        parts.push(format!("{} forfeited", counted(faults, "game")));
    }
    if voids > 0 {
        parts.push(format!("{} void", counted(voids, "game")));
    }
    parts.extend(drawn_by_length(heading, tally));
    for (reason, words) in
        [(ADJUDICATED_DRAW, "adjudicated drawn"), (ADJUDICATED_WIN, "adjudicated won")]
    {
        if let Some(&count) = tally.reasons.get(&reason) {
            parts.push(format!("{} {words}", counted(count, "game")));
        }
    }
    parts.join(" · ")
}

/// The games that the limit on plies has ended, with the limit.
pub(crate) fn drawn_by_length(heading: &Heading, tally: &Tally) -> Option<String> {
    let games = counted(*tally.reasons.get(&"max plies")?, "game");
    let limit = heading.max_plies.map(|plies| format!("{} plies ", grouped(plies.into())));
    Some(format!("{games} drawn at {}(`max_plies`)", limit.unwrap_or_default()))
}

/// Pairs from the same opening are evidence about this opening only, however many there are.
fn repeated_openings(tally: &Tally, context: &RunContext) -> Option<String> {
    // A run with a single opening asks about this opening only.
    if context.opening_set == Some(1) {
        return None;
    }
    let mut all = (tally.pairings.iter().enumerate())
        .filter_map(|(i, (pairing, _))| Some((pairing, tally.repeated(i)?)));
    let (pairing, again) = all.next()?;
    let others = match all.count() {
        0 => String::new(),
        1 => " (and one more pairing)".to_owned(),
        more => format!(" (and {more} more pairings)"),
    };
    Some(format!(
        "{} and {} played {} from {}{others}: intervals and verdicts are valid for these \
         openings only",
        tally.names[pairing.a],
        tally.names[pairing.b],
        counted(again.pairs, "distinct pair"),
        counted(again.openings.n, "opening"),
    ))
}

/// Agents that should always play the same moves, but did not.
fn varied(tally: &Tally, context: &RunContext) -> Option<String> {
    let of = |(pairing, results): &&(Pairing, PairingTally)| {
        results.varied && !pairing.may_vary && !context.kinds.is_empty()
    };
    let (pairing, _) = tally.pairings.iter().find(of)?;
    Some(format!(
        "{} and {} are not deterministic: they played different games from the same opening, \
         without known random numbers. All their games count from the first difference on.",
        tally.names[pairing.a], tally.names[pairing.b],
    ))
}

/// The number of games that each agent lost by forfeit, and the logs that say why.
pub(crate) fn forfeits(tally: &Tally, context: &RunContext) -> Option<String> {
    let by_agent: Vec<String> = (tally.names.iter().zip(&tally.agents))
        .filter(|(_, agent)| agent.faults() > 0)
        .map(|(name, agent)| {
            let kinds: Vec<String> = match agent.forfeits.len() {
                1 => agent.forfeits.keys().map(|&kind| kind.to_owned()).collect(),
                _ => agent
                    .forfeits
                    .iter()
                    .map(|(kind, n)| format!("{} {kind}", grouped(*n)))
                    .collect(),
            };
            format!("{name} {} ({})", grouped(agent.faults()), kinds.join(", "))
        })
        .collect();
    let with_log = (tally.names.iter().zip(&tally.agents).zip(&context.budgets))
        .filter(|(_, budget)| budget.is_some())
        .find_map(|((name, agent), _)| Some(log_name(name, agent.first_forfeit?)));
    let engines = tally.agents.iter().zip(&context.budgets);
    let logged = engines.filter(|(_, budget)| budget.is_some()).map(|(agent, _)| agent.faults());
    let logged: u64 = logged.sum();
    let logs = match context.fault_logs {
        Some(most) if most > 0 && logged > most => format!(
            "; {} and other logs say why, for {} games and one of each kind of fault \
             (`[output] fault_logs`)",
            with_log.unwrap_or_default(),
            grouped(most)
        ),
        Some(most) if most > 0 && logged > 0 => {
            let others = if logged > 1 { " and other logs say why" } else { " says why" };
            format!("; {}{others}", with_log.unwrap_or_default())
        }
        _ => String::new(),
    };
    (!by_agent.is_empty()).then(|| format!("forfeited games: {}{logs}", by_agent.join(", ")))
}

/// Remarks before the tables: repeated games, faults, games that do not count.
pub(crate) fn remarks(tally: &Tally, context: &RunContext) -> Vec<String> {
    let mut remarks = Vec::new();
    if context.ending == RunEnd::Stopped {
        remarks.push("the run was stopped early: the tables show the games so far".to_owned());
    } else if context.facts.extended {
        remarks.push(
            "the run was extended after its results could be seen, so each verdict is one that \
             holds at any stopping time"
                .to_owned(),
        );
    } else if let Some(notes) = &context.facts.tables {
        remarks.extend(notes.iter().cloned());
    } else if !context.knows_experiment() {
        remarks.push(
            "the planned number of games is unknown, so each verdict is one that holds at any \
             stopping time"
                .to_owned(),
        );
    }
    let (games, distinct) = (tally.games(), tally.distinct_games());
    if distinct < games && context.state.rates_agents() {
        remarks.push(format!(
            "duplicates: {} of {}. A duplicate has the moves of an earlier game and no known random \
             numbers. Scores, intervals and verdicts count it only once (effective sample size \
             {}). Use more openings to get more distinct games.",
            grouped(games - distinct),
            counted(games, "game"),
            tally.effective_games().map_or(NONE.to_owned(), |n| fixed(n, 1)),
        ));
    }
    remarks.extend(varied(tally, context));
    remarks.extend(repeated_openings(tally, context));
    if tally.is_saturated() {
        remarks.push(format!(
            "the check for duplicate games is full ({} games and openings): later games without \
             random numbers are not counted as evidence",
            grouped(Tally::REMEMBERED as u64),
        ));
    }
    remarks.extend(forfeits(tally, context));
    remarks.extend(engine_budget_check::remarks(tally, context));
    remarks.extend(context.facts.delay.as_ref().map(ToString::to_string));
    remarks.extend(context.facts.final_scores.iter().map(ToString::to_string));
    remarks.extend(context.facts.unavailable.iter().map(|(agent, times)| {
        format!(
            "the provider of `{agent}` was unavailable {}: such games are played again, and no \
             agent loses one",
            counted(*times, "time")
        )
    }));
    if tally.voids() > 0 {
        remarks.push(
            "void games are not counted: no agent has lost them; `reason` in games.csv says why"
                .to_owned(),
        );
    }
    remarks
}
