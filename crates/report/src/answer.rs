//! The answer of a run: one place for the terminal, the page, JSON and the exit code.

use std::cmp::Ordering;

use super::kinds::{self, rounds};
use super::two_agents_report;
use crate::arena::Pairing;
use crate::figures::first_move_table::{SeatRows, rates};
use crate::figures::luck_table;
use crate::figures::pairing_figures::PairingFigures;
use crate::figures::run_results::Results;
use crate::figures::verdict_phrases::{Judged, PairVerdict};
use crate::stats::ratings::{PairComparison, Standing};
use crate::stats::{Confidence, Interval};
use crate::text::number_format::{are, counted, elo, elo_ends, informative, percent, percents};

/// The main result of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// One to three sentences.
    pub sentence: String,
    /// Whether the sentence is about agents that met each other, and not about seats or about a run
    /// without games.
    pub compares_agents: bool,
}

impl Answer {
    pub fn of(results: &Results) -> Answer {
        let agents = agents_answer(results).filter(|_| results.tally.games() > 0);
        let compares_agents = agents.is_some();
        let sentence = agents.unwrap_or_else(|| without_opponents(results));
        Answer { sentence, compares_agents }
    }
}

/// The answer of a run in which no two different agents met.
fn without_opponents(results: &Results) -> String {
    if results.tally.games() == 0 {
        return "No games were played.".to_owned();
    }
    let first = SeatRows::new(&results.tally, &results.context).all();
    let moving_first = moving_first(results, &first.judged);
    let [wins, draws, losses] = rates(&first.results).map(percent);
    format!("{moving_first}: {wins} % wins, {draws} % draws, {losses} % losses")
}

/// The interval that holds for this run; `None` for an exact score, and if it says nothing.
fn interval(results: &Results, judged: &Judged) -> Option<Interval> {
    informative(judged.interval_that_holds(results.fixed_length()))
}

/// A score with its interval: `62.5 % [54.2, 72.3]`.
fn score(results: &Results, judged: &Judged) -> String {
    let score = percent(judged.score);
    match interval(results, judged) {
        Some(interval) => format!("{score} % {}", percents(Some(interval))),
        None => format!("{score} %"),
    }
}

/// The Elo difference of two agents with its interval: `: +24 Elo [−30, +83]`. Its interval is not
/// symmetric. Empty if nothing is known, and with too few pairs: the score has its interval, and Elo
/// would only look more precise.
fn elo_difference(results: &Results, judged: &Judged) -> String {
    match judged.elo(judged.interval_that_holds(results.fixed_length())) {
        [None, None, None] => String::new(),
        [None, ends @ ..] => format!(": Elo {}", elo_ends(ends)),
        [Some(value), None, None] => format!(": {} Elo", elo(value)),
        [Some(value), ends @ ..] => format!(": {} Elo {}", elo(value), elo_ends(ends)),
    }
}

/// The scores without luck, if luck is measured.
pub(super) fn without_luck(results: &Results) -> Option<String> {
    luck_table::sentence(&results.tally, results.fixed_length())
}

/// The score of the first player over all games.
pub(super) fn moving_first(results: &Results, first: &Judged) -> String {
    let verdict = first.verdict.of_seats();
    format!("Moving first: {} of the points, {verdict}", score(results, first))
}

/// The main result as one to three sentences; `None` if no two different agents met.
fn agents_answer(results: &Results) -> Option<String> {
    let Results { tally, context, ranking, .. } = results;
    let kind = kinds::of(tally, context);
    if let Some(answer) = kind.answer(results) {
        return Some(answer);
    }
    if let Some((agents, judged)) = two_agents_report::judged(tally, context) {
        let [a, b] = agents.map(|agent| &tally.names[agent]);
        if judged.verdict == PairVerdict::NoDifference && kind.test(true).is_none() {
            let score = score(results, &judged);
            let samples = match tally.pairings.iter().any(|(_, of)| of.distinct.pairs.n() > 0) {
                true => counted(judged.samples, "pair"),
                false => counted(judged.samples, "distinct game"),
            };
            return Some(format!(
                "No significant difference in {samples}: {a} scores {score} against {b}{}.",
                elo_difference(results, &judged),
            ));
        }
        let mut verdict = two_agents_report::verdict(tally, context)?;
        // Names of agents stay as they are.
        if ![a, b].iter().any(|name| verdict.starts_with(name.as_str()))
            && let Some(first) = verdict.get_mut(..1)
        {
            first.make_ascii_uppercase();
        }
        let mut text = format!(
            "{verdict}. {a} scores {} against {b}{}.",
            score(results, &judged),
            elo_difference(results, &judged),
        );
        if let Some(state) = kind.state_of_test(context.complete()) {
            text.push_str(&format!(" {state}"));
        }
        return Some(text);
    }
    let is_subject = |standing: &&Standing| !context.is_reference(standing.player);
    let standings: Vec<&Standing> =
        ranking.ranks().map(|(_, standing)| standing).filter(is_subject).collect();
    let sentences = [
        strongest(results, &standings),
        against_references(results, standings.first()?.player),
        significant_differences(results),
    ];
    Some(sentences.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Which of these agents is the strongest, as far as this is known. `None` for a single agent, which
/// met references only.
fn strongest(results: &Results, standings: &[&Standing]) -> Option<String> {
    let Results { tally, context, ranking, .. } = results;
    let (best, others) = standings.split_first()?;
    if others.is_empty() {
        return None;
    }
    let leader = &tally.names[best.player];
    if ranking.components() > 1 {
        return Some(format!(
            "{}. The ratings of the {} groups cannot be compared; `-v` says why.",
            highest_score(results, standings),
            ranking.components(),
        ));
    }
    if ranking.exact {
        let highest = highest_score(results, standings);
        return Some(format!("{highest}: exact over the opening set, not a sample."));
    }
    if !results.fixed_length() {
        let so_far = if context.complete() { "" } else { " so far" };
        return Some(format!("{leader} leads{so_far}."));
    }
    let compared =
        || others.iter().map(|other| (other, ranking.compared(best.player, other.player)));
    // An agent that won every game has no rating, and nothing to compare.
    if compared().any(|(_, difference)| difference.is_none()) {
        return Some(format!("{}.", highest_score(results, standings)));
    }
    let is_close =
        |difference: Option<&PairComparison>| difference.is_none_or(|it| !is_significant(it));
    let close: Vec<&str> = compared()
        .filter(|(_, difference)| is_close(*difference))
        .map(|(other, _)| tally.names[other.player].as_str())
        .collect();
    let others = match close[..] {
        [] if context.reference_agents.is_empty() => {
            return Some(format!("{leader} is the strongest."));
        }
        [] => return Some(format!("{leader} is the strongest of {} agents.", standings.len())),
        [one] => one.to_owned(),
        [one, two] => format!("{one} and {two}"),
        [first, ..] => format!("{first} and {} other agents", close.len() - 1),
    };
    Some(format!("{leader} leads, but its lead over {others} is not significant."))
}

/// The agents with the highest score.
fn highest_score(results: &Results, standings: &[&Standing]) -> String {
    let score = |standing: &Standing| standing.score.unwrap_or(0.0);
    let most = standings.iter().map(|of| score(of)).fold(0.0, f64::max);
    let first = standings.iter().filter(|of| score(of) == most);
    let names: Vec<&str> = first.map(|of| results.tally.names[of.player].as_str()).collect();
    let percent = percent(Some(most));
    match names[..] {
        [one] => format!("{one} has the highest score, {percent} %"),
        _ => format!("{} share the highest score, {percent} %", names.join(" and ")),
    }
}

/// Whether two ratings differ, corrected for the number of comparisons.
fn is_significant(comparison: &PairComparison) -> bool {
    Confidence::P95.is_significant(comparison.p_holm)
}

/// How many differences are significant, if ratings are compared or pairings are judged at any time.
fn significant_differences(results: &Results) -> Option<String> {
    let Results { context, ranking, .. } = results;
    if ranking.components() > 1 || ranking.exact {
        return None;
    }
    if !results.fixed_length() {
        let (decided, all) = decided_pairings(results);
        return (all > 0).then(|| {
            format!(
                "{decided} of {all} pairings {} decided (5 %, at any stopping time).",
                are(decided)
            )
        });
    }
    let all = &ranking.comparisons;
    let subjects: Vec<usize> = (ranking.ranks().map(|(_, standing)| standing.player))
        .filter(|&agent| !context.is_reference(agent))
        .collect();
    // The sentence of an agent without a rating names no difference.
    let (best, others) = subjects.split_first()?;
    let are_rated = others.iter().all(|&other| ranking.compared(*best, other).is_some());
    (are_rated && !all.is_empty()).then(|| {
        let significant = all.iter().filter(|it| is_significant(it)).count();
        format!(
            "{significant} of {} differences {} significant (5 %).",
            all.len(),
            are(significant)
        )
    })
}

/// How an agent compares with the references: `a is stronger than the reference b, and weaker than the
/// reference c.` `None` if it met none.
fn against_references(results: &Results, agent: usize) -> Option<String> {
    let Results { tally, context, ranking, .. } = results;
    let (verb, phrases) = match (ranking.exact, results.fixed_length()) {
        (true, _) => ("scores", ["more than", "less than", "as much as"]),
        (_, true) => ("is", ["stronger than", "weaker than", "not significantly different from"]),
        (_, false) => ("is", ["stronger than", "weaker than", "undecided against"]),
    };
    let mut parts: Vec<String> = Vec::new();
    for (order, phrase) in [Ordering::Greater, Ordering::Less, Ordering::Equal].iter().zip(phrases)
    {
        let references: Vec<usize> = (ranking.ranks().map(|(_, standing)| standing.player))
            .filter(|&other| context.is_reference(other))
            .filter(|&other| compared(results, agent, other) == Some(*order))
            .collect();
        if !references.is_empty() {
            let noun = if references.len() == 1 { "reference" } else { "references" };
            let names = rounds::list(tally, &references);
            parts.push(format!("{phrase} the {noun} {names}"));
        }
    }
    let (last, first) = parts.split_last()?;
    let all = match first {
        [] => last.clone(),
        first => format!("{}, and {last}", first.join(", ")),
    };
    Some(format!("{} {verb} {all}.", tally.names[agent]))
}

/// Which of two agents is better, by their ratings or by their own games, as far as this is
/// significant. `None` if neither compares them.
fn compared(results: &Results, agent: usize, other: usize) -> Option<Ordering> {
    let ranking = &results.ranking;
    if results.fixed_length()
        && let Some(difference) = ranking.compared(agent, other)
    {
        let ahead =
            if difference.a == agent { difference.difference } else { -difference.difference };
        return Some(match is_significant(difference) {
            true => ahead.total_cmp(&0.0),
            false => Ordering::Equal,
        });
    }
    let met =
        |pairing: &Pairing| [(agent, other), (other, agent)].contains(&(pairing.a, pairing.b));
    let of = PairingFigures::all(results, None).find(|of| met(of.pairing))?;
    let ahead = match of.verdict() {
        PairVerdict::Stronger | PairVerdict::StrongerFixed => Ordering::Greater,
        PairVerdict::Weaker | PairVerdict::WeakerFixed => Ordering::Less,
        PairVerdict::Exact => of.judged.score?.total_cmp(&0.5),
        _ => Ordering::Equal,
    };
    Some(if of.pairing.a == agent { ahead } else { ahead.reverse() })
}

/// The number of pairings whose difference is proven at any stopping time, and of all that were
/// tested.
fn decided_pairings(results: &Results) -> (usize, usize) {
    let decided = PairingFigures::all(results, None)
        .filter(|of| matches!(of.verdict(), PairVerdict::Stronger | PairVerdict::Weaker));
    (decided.count(), results.ranking.correction.len())
}
