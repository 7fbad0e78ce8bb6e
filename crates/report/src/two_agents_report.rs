//! The report on a run of two agents: verdict, score, Elo and resolution.

use super::kinds;
use crate::arena::{Pairing, PairingTally, RepeatedOpenings, Tally};
use crate::figures::pairing_figures::met;
use crate::figures::ranking::judge;
use crate::figures::run_facts_for_tables::RunContext;
use crate::figures::verdict_phrases::{Judged, PairVerdict};
use crate::stats::{Confidence, Evidence, games_for_precision};
use crate::text::number_format::{
    NONE, chance, counted, e_value, elo, elo_ends, fixed, grouped, p_value, percent_and_interval,
    percents, signed,
};
use crate::text::text_table::TextTable;

/// The only pairing of two different agents with games; `None` if there are more or fewer.
fn head_to_head<'a>(tally: &'a Tally, context: &RunContext) -> Option<&'a (Pairing, PairingTally)> {
    if !context.state.rates_agents() {
        return None;
    }
    let mut met = met(tally);
    met.next().filter(|_| met.next().is_none())
}

/// The only two agents that met, and the judgement on the first; `None` if more or fewer met. A
/// reference is the second.
pub(super) fn judged(tally: &Tally, context: &RunContext) -> Option<([usize; 2], Judged)> {
    let (pairing, results) = head_to_head(tally, context)?;
    let (agents, evidence) = match context.is_reference(pairing.a) {
        true => ([pairing.b, pairing.a], results.distinct.flipped()),
        false => ([pairing.a, pairing.b], results.distinct),
    };
    Some((agents, judge(&evidence, context.sampling(results))))
}

/// The verdict on two agents as a sentence; `None` if more or fewer agents met.
pub fn verdict(tally: &Tally, context: &RunContext) -> Option<String> {
    let (agents, judged) = judged(tally, context)?;
    let [a, b] = agents.map(|agent| tally.names[agent].as_str());
    // A reference is not the subject of the sentence.
    let b_is_better = |verb: [&str; 2]| match context.is_reference(agents[1]) {
        true => format!("{a} {} than {b}", verb[1]),
        false => format!("{b} {}", verb[0]),
    };
    // A test was declared in advance, so its verdict is the verdict of the run.
    let kind = kinds::of(tally, context);
    let tested = kind.verdict([a, b], &|| b_is_better(STRENGTH), context.complete());
    let tested = tested.filter(|_| judged.verdict != PairVerdict::Exact);
    Some(tested.unwrap_or_else(|| sentence(a, &b_is_better, &judged)))
}

/// The summary of two agents; `None` if more or fewer agents met.
pub fn table(tally: &Tally, context: &RunContext) -> Option<TextTable> {
    let (pairing, results) = head_to_head(tally, context)?;
    let (a, b) = (&tally.names[pairing.a], &tally.names[pairing.b]);
    let mut table = TextTable::new(&format!("{a} against {b}")).text([
        "figure",
        "value and 95 % interval",
        "detail",
    ]);
    let judged = judge(&results.distinct, context.sampling(results));
    let verdict = verdict(tally, context).unwrap_or_default();
    table.row(["verdict", &verdict, ""]);
    let test = kinds::of(tally, context).test(context.complete());
    let is_estimate = test.is_none();
    if let Some(row) = test {
        table.row(row);
    }
    score_rows(&mut table, ["score %", "Elo"], &judged);
    if let Some(again) = repeated(tally) {
        let interval = again.openings.interval(Confidence::P95);
        table.row([
            "openings as samples %",
            &percent_and_interval(again.openings.mean(), interval),
            &format!("{} with equal weight", counted(again.openings.n, "opening")),
        ]);
    }
    let games = results.all().games();
    table.row([
        "wins / draws / losses".to_owned(),
        format!("{} / {} / {}", games.wins(), games.draws(), games.losses()),
        if pairing.fixed { String::new() } else { points(&results.distinct) },
    ]);
    if !pairing.fixed {
        table.row(["pairs", &complete(&results.distinct), &unpaired(&results.distinct)]);
    }
    if pairing.fixed {
        let note = "seats are fixed: the score includes the advantage of the first move";
        table.row(["seats", &format!("{a} first, {b} second"), note]);
    } else {
        first_mover_row(&mut table, results, context);
    }
    if context.verbose {
        verbose_rows(&mut table, &results.distinct, &judged);
    }
    if let Some(rho) = results.distinct.pairs.intra_pair_correlation() {
        let rho = signed(rho, 2);
        table.note(format!(
            "correlation of the two games of a pair: {rho}; below 0, pairs give a narrower interval"
        ));
    }
    // A sequential test does not aim at a narrow interval.
    if is_estimate {
        table.notes.extend(resolution(&results.distinct, &judged));
    }
    Some(table)
}

/// The pairs by opening, if several openings were played more than once.
fn repeated(tally: &Tally) -> Option<RepeatedOpenings> {
    let pairing = (tally.pairings.iter()).position(|(p, r)| !p.is_self() && r.games() > 0)?;
    tally.repeated(pairing).filter(|again| again.openings.n > 1)
}

/// The verbs of "B is better than A", and of "A is worse than B".
pub(super) type BIsBetter<'a> = dyn Fn([&str; 2]) -> String + 'a;

pub(super) const STRENGTH: [&str; 2] = ["is stronger", "is weaker"];

/// The verdict as a sentence that names the better agent, or the agent that is no reference.
fn sentence(a: &str, b_is_better: &BIsBetter<'_>, judged: &Judged) -> String {
    match judged.verdict {
        PairVerdict::Stronger => format!("{a} is stronger (holds at any stopping time)"),
        PairVerdict::Weaker => {
            format!("{} (holds at any stopping time)", b_is_better(STRENGTH))
        }
        PairVerdict::StrongerFixed => format!("{a} is stronger (fixed-length test)"),
        PairVerdict::WeakerFixed => format!("{} (fixed-length test)", b_is_better(STRENGTH)),
        PairVerdict::Exact => {
            let score = judged.score.unwrap_or(0.5);
            let who = match score.total_cmp(&0.5) {
                std::cmp::Ordering::Greater => format!("{a} scores more"),
                std::cmp::Ordering::Less => b_is_better(["scores more", "scores less"]),
                std::cmp::Ordering::Equal => "both score the same".to_owned(),
            };
            format!("{who}: exact over the opening set, not a sample")
        }
        other => other.of_agents().to_owned(),
    }
}

/// Score and Elo with both intervals, the e-value and the p-value.
fn score_rows(table: &mut TextTable, [score, scale]: [&str; 2], judged: &Judged) {
    let exact = judged.verdict == PairVerdict::Exact;
    let at_any_time = |range: String| match exact {
        true => String::new(),
        false => format!("at any time {range}"),
    };
    // With fewer than five pairs, readers would trust a p-value too much.
    let enough = judged.verdict != PairVerdict::TooFew;
    let e_value = match judged.e_value {
        Some(e) if enough => {
            format!(", e-value {}, p {}", e_value(Some(e)), p_value(judged.p_value))
        }
        Some(e) => format!(", e-value {}", e_value(Some(e))),
        None => String::new(),
    };
    table.row([
        score.to_owned(),
        percent_and_interval(judged.score, judged.interval),
        at_any_time(percents(judged.anytime)) + &e_value,
    ]);
    let [value, ends @ ..] = judged.elo(judged.interval);
    let [_, anytime @ ..] = judged.elo(judged.anytime);
    let known = |ends: &[Option<f64>; 2]| *ends != [None; 2];
    let value = value.map_or(NONE.to_owned(), elo);
    let range =
        Some(ends).filter(known).map_or(String::new(), |ends| format!(" {}", elo_ends(ends)));
    let anytime = Some(anytime).filter(known).map(elo_ends);
    table.row([scale.to_owned(), value + &range, anytime.map_or(String::new(), at_any_time)]);
}

/// The number of distinct pairs.
fn complete(evidence: &Evidence) -> String {
    format!("{} complete", grouped(evidence.pairs.n()))
}

/// The games without a partner, which count only if there are no pairs at all.
fn unpaired(evidence: &Evidence) -> String {
    let lone = evidence.lone_games();
    match (lone, evidence.pairs.n()) {
        (0, _) => String::new(),
        (_, 0) => format!("{} unpaired: each is a sample", counted(lone, "game")),
        _ => format!("{} unpaired: score and intervals do not count them", counted(lone, "game")),
    }
}

/// Distinct pairs by the points of A.
fn points(evidence: &Evidence) -> String {
    let pairs = evidence.pairs.strength();
    let counts: Vec<String> = pairs.0.iter().map(u64::to_string).collect();
    format!("pairs by points 0 to 2: [{}]", counts.join(", "))
}

/// The score of the player who moved first.
fn first_mover_row(table: &mut TextTable, results: &PairingTally, context: &RunContext) {
    let pairs = results.distinct.pairs.first_mover();
    if pairs.is_empty() {
        // Without pairs, single games are the evidence.
        let games = results.distinct.first_mover_games();
        let judged = Judged::counts(&games, context.sampling(results));
        return score_rows(table, ["first mover's score %", "first mover's Elo"], &judged);
    }
    let judged = Judged::counts(&pairs, context.sampling(results));
    let [second_both, second, _, first, first_both] = pairs.0;
    let (won, lost) = (first + first_both, second + second_both);
    score_rows(table, ["first mover's score %", "first mover's Elo"], &judged);
    table.row(["pairs by who moved first", &format!("{won} won, {lost} lost"), ""]);
}

/// Additional rows for experts: other scales of the same counts.
fn verbose_rows(table: &mut TextTable, evidence: &Evidence, judged: &Judged) {
    let (pairs, games) = (evidence.pairs.strength(), evidence.games());
    let level = Confidence::P95;
    let (los, nelo, ends) = if judged.verdict == PairVerdict::TooFew {
        (None, None, None)
    } else if judged.verdict == PairVerdict::Exact {
        (None, pairs.normalized_elo(), None)
    } else if pairs.is_empty() {
        (games.los(), games.normalized_elo(), games.normalized_elo_interval(level))
    } else {
        (pairs.los(), pairs.normalized_elo(), pairs.normalized_elo_interval(level))
    };
    table.row([
        "LOS %".to_owned(),
        chance(los),
        "1 minus the one-sided p of \u{201c}not stronger\u{201d}".to_owned(),
    ]);
    let ends = ends.filter(|ends| *ends != [None; 2]).map(|ends| format!(" {}", elo_ends(ends)));
    table.row([
        "normalized Elo".to_owned(),
        nelo.map_or(NONE.to_owned(), elo) + &ends.unwrap_or_default(),
        "Elo in units of the standard deviation of a game".to_owned(),
    ]);
    let ratio = |value: Option<f64>| value.map_or(NONE.to_owned(), |value| fixed(value, 2));
    table.row([
        "pairs ratio".to_owned(),
        ratio(pairs.pairs_ratio()),
        format!(
            "pairs won / pairs lost; level pairs: split / drawn {}",
            ratio(evidence.pairs.split_ratio())
        ),
    ]);
}

/// A resolution in Elo that is sufficient for most questions.
const WANTED: f64 = 10.0;

/// The smallest difference that the run could show, and how many more games would show more.
pub fn resolution(evidence: &Evidence, judged: &Judged) -> Option<String> {
    if !matches!(judged.verdict, PairVerdict::NoDifference | PairVerdict::Undecided) {
        return None;
    }
    let range = judged.interval?.elo();
    let resolution = (range.hi()? - range.lo()?) / 2.0;
    let (pairs, games) = (evidence.pairs.strength(), evidence.games());
    let (wanted, played) = if pairs.is_empty() {
        (games.samples_for_half_width(WANTED, Confidence::P95)?, games.n())
    } else {
        (2.0 * pairs.samples_for_half_width(WANTED, Confidence::P95)?, 2 * pairs.n())
    };
    // As in a plan: count no more draws than these games support, and include what
    // pairing saves. With shared dice, pairs may also vary more.
    let variance =
        games_for_precision::variance_per_game(0.5, games.least_draw_ratio(Confidence::P95)?)?;
    let saved = 1.0 + evidence.pairs.intra_pair_correlation().unwrap_or(0.0);
    let variance = variance * saved;
    let planned = games_for_precision::games_for_half_width(WANTED, variance, Confidence::P95)?;
    let more = (wanted.round() as u64).max(planned).saturating_sub(played);
    let hint = match more {
        0 => String::new(),
        more => format!("; ±{WANTED} Elo needs about {} more games", grouped(more)),
    };
    Some(format!("precision: ±{} Elo{hint}", fixed(resolution, 0)))
}
