//! The answer of a run: one place for the terminal, the page, JSON and the exit code.

use super::first_move_advantage::{SeatRows, rates};
use super::multiple_comparisons::p_value;
use super::number_format::{NONE, counted, elo, elo_range, percent, percents};
use super::run_results::Results;
use super::verdict_phrases::{Judged, Memo, PairVerdict, Sampling};
use super::{luck_table, round_decisions, sprt_text, two_agents_report};
use crate::stats::ratings::Standing;
use crate::stats::sprt::{Sprt, SprtVerdict};
use crate::stats::{Evidence, Interval, elo as elo_scale};
use crate::util::collect_with_less_code::Each;

crate::choice! {
    /// What a sequential test or a format in rounds decided.
    pub enum Decision {
        /// The run tests nothing; its results are estimates.
        NoTest = "no test",
        /// H1 is accepted, or the question of the format has its answer.
        Yes = "yes",
        /// H0 is accepted.
        No = "no",
        Undecided = "undecided",
    }
}

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

impl Decision {
    pub fn of(results: &Results) -> Decision {
        let rounds = results.context.adaptive.as_ref();
        if rounds.is_some_and(|rounds| !rounds.is_decided()) {
            return Decision::Undecided;
        }
        match results.tally.sprt.as_ref().map(Sprt::verdict) {
            None if rounds.is_some() => Decision::Yes,
            None => Decision::NoTest,
            Some(Some(SprtVerdict::AcceptH1)) => Decision::Yes,
            Some(Some(SprtVerdict::AcceptH0)) => Decision::No,
            Some(Some(SprtVerdict::Undecided) | None) => Decision::Undecided,
        }
    }
}

/// The answer of a run in which no two different agents met.
fn without_opponents(results: &Results) -> String {
    if results.tally.games() == 0 {
        return "No games were played.".to_owned();
    }
    let first = SeatRows::new(&results.tally, &results.context).all();
    let moving_first = moving_first(results, &first.judged);
    let [wins, draws, losses] = rates(&first.results).each(percent);
    format!("{moving_first}: {wins} % wins, {draws} % draws, {losses} % losses")
}

/// Whether the number of games was chosen before the run, so that intervals for a fixed length
/// hold. Otherwise only intervals that hold at any time do.
pub(super) fn fixed_length(results: &Results) -> bool {
    results.tally.sprt.is_none() && results.context.overall(&results.tally).fixed_length
}

/// The interval that holds for this run; `None` for an exact score.
fn interval(results: &Results, judged: &Judged) -> Option<Interval> {
    if fixed_length(results) { judged.interval } else { judged.anytime }
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
    if judged.verdict == PairVerdict::TooFew {
        return String::new();
    }
    let Some(score) = judged.score else { return String::new() };
    let range = match judged.verdict {
        PairVerdict::Exact => String::new(),
        _ => elo_range(interval(results, judged).map(|interval| interval.elo())),
    };
    match elo_scale::from_score(score) {
        Some(value) => format!(": {} Elo {range}", elo(value)).trim_end().to_owned(),
        None if range.is_empty() || range == NONE => String::new(),
        None => format!(": Elo {range}"),
    }
}

/// The scores without luck, if luck is measured.
pub(super) fn without_luck(results: &Results) -> Option<String> {
    luck_table::sentence(&results.tally, fixed_length(results))
}

/// The score of the first player over all games.
pub(super) fn moving_first(results: &Results, first: &Judged) -> String {
    let verdict = first.verdict.of_seats();
    format!("Moving first: {} of the points, {verdict}", score(results, first))
}

/// The main result as one or two sentences; `None` if no two different agents met.
fn agents_answer(results: &Results) -> Option<String> {
    let Results { tally, context, ranking, .. } = results;
    if let Some(answer) = round_decisions::answer(results) {
        return Some(answer);
    }
    if let Some((pairing, judged)) = two_agents_report::judged(tally, context) {
        let (a, b) = (&tally.names[pairing.a], &tally.names[pairing.b]);
        if judged.verdict == PairVerdict::NoDifference && tally.sprt.is_none() {
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
        if let Some(test) = &tally.sprt {
            let mut state = sprt_text::accepted(test, context.complete());
            if !matches!(test.verdict(), Some(SprtVerdict::AcceptH0 | SprtVerdict::AcceptH1)) {
                state.push_str(&format!("; {}", sprt_text::progress(test)));
            }
            text.push_str(&format!(" {}: {state}.", sprt_text::name(test)));
        }
        return Some(text);
    }
    let standings: Vec<(usize, &Standing)> = ranking.ranks().collect();
    let (_, best) = standings.first()?;
    let name = |agent: usize| &tally.names[agent];
    let leader = name(best.player);
    let highest = || {
        let score = |standing: &Standing| standing.score.unwrap_or(0.0);
        let most = standings.iter().map(|(_, of)| score(of)).fold(0.0, f64::max);
        let first = standings.iter().filter(|(_, of)| score(of) == most);
        let names: Vec<&str> = first.map(|(_, of)| name(of.player).as_str()).collect();
        let percent = percent(Some(most));
        match names[..] {
            [one] => format!("{one} has the highest score, {percent} %"),
            _ => format!("{} share the highest score, {percent} %", names.join(" and ")),
        }
    };
    if ranking.components() > 1 {
        return Some(format!(
            "{}. The ratings of the {} groups cannot be compared; `-v` says why.",
            highest(),
            ranking.components(),
        ));
    }
    if ranking.exact {
        return Some(format!("{}: exact over the opening set, not a sample.", highest()));
    }
    if !fixed_length(results) {
        let (decided, all) = decided_pairings(results);
        let so_far = if context.complete() { "" } else { " so far" };
        return Some(match all {
            0 => format!("{leader} leads{so_far}."),
            all => format!(
                "{leader} leads{so_far}. {decided} of {all} pairings are decided (5 %, at any \
                 stopping time)."
            ),
        });
    }
    let differences: Vec<_> = (standings[1..].iter())
        .map(|(_, other)| (other.player, ranking.compared(best.player, other.player)))
        .collect();
    // An agent that won every game has no rating, and nothing to compare.
    if differences.iter().any(|(_, difference)| difference.is_none()) {
        return Some(format!("{}.", highest()));
    }
    let close: Vec<usize> = (differences.iter())
        .filter(|(_, difference)| difference.is_none_or(|difference| difference.p_holm >= 0.05))
        .map(|&(other, _)| other)
        .collect();
    let lead = match close[..] {
        [] => format!("{leader} is the strongest."),
        [ref nearest @ .., last] => {
            let others = match nearest {
                [] => name(last).clone(),
                [one] => format!("{} and {}", name(*one), name(last)),
                _ => format!("{} and {} other agents", name(close[0]), close.len() - 1),
            };
            format!("{leader} leads, but its lead over {others} is not significant.")
        }
    };
    let all = &ranking.comparisons;
    let significant = all.iter().filter(|comparison| comparison.p_holm < 0.05).count();
    Some(format!("{lead} {significant} of {} differences are significant (5 %).", all.len()))
}

/// The number of pairings whose difference is proven at any stopping time, and of all that were
/// tested.
fn decided_pairings(results: &Results) -> (usize, usize) {
    let Results { tally, context, ranking, .. } = results;
    let mut memo = Memo::default();
    let mut is_decided = |evidence: &Evidence, sampling: Sampling| {
        let judged = memo.evidence(evidence, sampling);
        let verdict = ranking.correction.verdict(&judged, p_value(evidence, sampling));
        matches!(verdict, PairVerdict::Stronger | PairVerdict::Weaker)
    };
    let mut decided = 0;
    for (_, played) in tally.pairings.iter().filter(|(pairing, _)| !pairing.is_self()) {
        decided += usize::from(is_decided(&played.distinct, context.sampling(played)));
    }
    (decided, ranking.correction.len())
}
