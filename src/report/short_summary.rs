//! The short summary that the terminal shows by default: the answer, the ranking with the cost of
//! moves, moving first, and warnings. All other figures are in `summary.txt` and on the page.

use anstyle::{AnsiColor, Style};

use super::answer::Answer;
use super::first_move_advantage::SeatRows;
use super::move_cost_table::Cost;
use super::multiple_comparisons::p_value;
use super::notes_before_tables::{drawn_by_length, forfeits, remarks};
use super::number_format::{
    NONE, counted, elo, elo_plus_minus, elo_range, fixed, grouped, percent, percents, short, time,
};
use super::ranking::results as results_of;
use super::run_results::Results;
use super::text_table::{TextTable, wrapped};
use super::verdict_phrases::{Judged, Memo, PairVerdict, Sampling};
use super::{
    luck_table, move_quality_table, round_decisions, sprt_text, standings_and_matches,
    tuned_parameters, two_agents_report,
};
use crate::stats::adaptive_rounds::AdaptiveQuestion;
use crate::stats::{
    Confidence, Evidence, Interval, elo as elo_scale, ratings::Standing, sprt::SprtVerdict,
};
use crate::util::collect_with_less_code::Gather;

/// The short summary. Lines have at most `width` columns if possible. Escape sequences emphasize the
/// answer and forfeits.
pub fn short_summary(results: &Results, width: Option<usize>) -> String {
    let (strong, alarm) = (Style::new().bold(), AnsiColor::Red.on_default().bold());
    let fold = |text: &str| wrapped(text, width, "", "  ");
    let answer = Answer::of(results);
    let heading = &results.heading;
    let mut played = format!(
        "{} ({} distinct)",
        counted(results.tally.games(), "game"),
        grouped(results.tally.distinct_games()),
    );
    // A folder with games alone does not say what was played.
    let game = heading.game.split(" (").next().unwrap_or_default();
    let too_long = drawn_by_length(heading, &results.tally).unwrap_or_default();
    for part in [game, &heading.openings, &too_long].into_iter().filter(|part| !part.is_empty()) {
        played.push_str(&format!(" · {part}"));
    }
    let mut out = fold(&played);
    out.push_str(&format!("{strong}{}{strong:#}\n", fold(&answer.sentence).trim_end()));
    if answer.compares_agents {
        for text in [without_luck(results), luck_table::games_to_look_at(results)] {
            text.iter().for_each(|text| out.push_str(&fold(text)));
        }
        let places = standings_and_matches::standings(results)
            .or_else(|| standings_and_matches::matches(results));
        if let Some(places) = places {
            out.push_str(&places.lines(false, width));
            let relaxed = standings_and_matches::relaxed_rules(results);
            relaxed.iter().for_each(|note| out.push_str(&fold(note)));
            out.push_str(&fold(standings_and_matches::MEANING));
        }
        let table = tuned_parameters::table(results).unwrap_or_else(|| ranking(results));
        out.push_str(&table.lines(false, width));
        let first = SeatRows::new(&results.tally, &results.context).all();
        out.push_str(&fold(&moving_first(results, &first.judged)));
    } else if results.tally.games() > 0 {
        // Agents that only play themselves have no ranking.
        out.push_str(&ranking(results).lines(false, width));
    }
    let forfeits = forfeits(&results.tally, &results.context);
    for remark in remarks(&results.tally, &results.context) {
        let style = if forfeits.as_ref() == Some(&remark) { alarm } else { Style::new() };
        out.push_str(&format!("{style}{}{style:#}\n", fold(&format!("note: {remark}")).trim_end()));
    }
    out
}

/// Whether the number of games was chosen before the run, so that intervals for a fixed length
/// hold. Otherwise only intervals that hold at any time do.
fn fixed_length(results: &Results) -> bool {
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
/// symmetric. Empty if nothing is known.
fn elo_difference(results: &Results, judged: &Judged) -> String {
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
pub(super) fn agents_answer(results: &Results) -> Option<String> {
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
    let standings: Vec<(usize, &Standing)> = ranking.ranks().gather();
    let (_, best) = standings.first()?;
    let name = |agent: usize| &tally.names[agent];
    let leader = name(best.player);
    let highest = || {
        let score = |standing: &Standing| standing.score.unwrap_or(0.0);
        let most = standings.iter().map(|(_, of)| score(of)).fold(0.0, f64::max);
        let first = standings.iter().filter(|(_, of)| score(of) == most);
        let names: Vec<&str> = first.map(|(_, of)| name(of.player).as_str()).gather();
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
        .gather();
    // An agent that won every game has no rating, and nothing to compare.
    if differences.iter().any(|(_, difference)| difference.is_none()) {
        return Some(format!("{}.", highest()));
    }
    let close: Vec<usize> = (differences.iter())
        .filter(|(_, difference)| difference.is_none_or(|difference| difference.p_holm >= 0.05))
        .map(|&(other, _)| other)
        .gather();
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

/// One line per agent: rank, games, score, Elo, forfeits if there are any, and the cost of a move.
/// Agents that only play themselves have no rank.
fn ranking(results: &Results) -> TextTable {
    let Results { tally, context, ranking, .. } = results;
    let ranked = ranking.ranks().next().is_some();
    let grades = tally.grades.as_ref();
    // The difference of two agents is in the sentence above. Ratings have intervals for a fixed
    // length only. Other runs show an interval of the score that holds at any time, unless results
    // chose the opponents.
    let two = two_agents_report::judged(tally, context).is_some();
    let intervals = !ranking.exact && fixed_length(results);
    let adaptive = context.adaptive.as_ref();
    let anytime = ranked
        && !two
        && !ranking.exact
        && !fixed_length(results)
        && adaptive.is_none()
        && context.tournament.is_none();
    let heads = [
        ("#", ranked),
        ("agent", true),
        ("games", ranked),
        ("score %", ranked),
        ("95 % at any time", anytime),
        (if intervals { "Elo ±" } else { "Elo" }, ranked && !two),
        ("wins", ranked && two),
        ("draws", ranked && two),
        ("losses", ranked && two),
        ("optimal %", grades.is_some()),
        ("forfeits", tally.faults() > 0),
        (
            "out after",
            adaptive.is_some_and(|rounds| rounds.design().question == AdaptiveQuestion::Best),
        ),
        ("nodes/move", true),
        ("time/move", true),
        ("depth", true),
    ];
    let mut table = TextTable::new("");
    for (head, _) in heads.into_iter().filter(|(_, shown)| *shown) {
        table = if head == "agent" { table.text([head]) } else { table.figures([head]) };
    }
    let mut lines: Vec<(String, usize, String, String)> = ranking
        .ranks()
        .map(|(rank, standing)| {
            let numbers = ranking.numbers(standing.rating);
            let rating = match numbers[0] {
                Some(_) if ranking.withheld(standing) => NONE.to_owned(),
                value if !intervals => value.map_or(NONE.to_owned(), elo),
                _ => elo_plus_minus(numbers),
            };
            (ranking.label(rank, standing), standing.player, percent(standing.score), rating)
        })
        .gather();
    if !ranked {
        let none = String::new;
        lines = (0..tally.names.len()).map(|agent| (none(), agent, none(), none())).gather();
    }
    for (rank, agent, score, rating) in lines {
        let (costs, counts) = (Cost::of(&tally.agents[agent]), results_of(tally, agent));
        let optimal = grades
            .and_then(|grades| move_quality_table::both(&grades.agents[agent]).optimal.ratio());
        let clusters = tally.score_clusters_of(agent);
        let cells = [
            rank,
            tally.names[agent].clone(),
            grouped(counts.n()),
            score,
            percents(anytime.then(|| clusters.anytime_interval(Confidence::P95)).flatten()),
            rating,
            grouped(counts.wins()),
            grouped(counts.draws()),
            grouped(counts.losses()),
            percent(optimal),
            grouped(tally.agents[agent].faults()),
            (adaptive.and_then(|rounds| round_decisions::eliminated_after(rounds, agent)))
                .map_or(NONE.to_owned(), grouped),
            short(costs.nodes_per_move),
            time(costs.mean_ns),
            costs.mean_depth.map_or(NONE.to_owned(), |depth| fixed(depth, 1)),
        ];
        let shown = |(i, _): &(usize, String)| heads[*i].1;
        table.row(cells.into_iter().enumerate().filter(shown).map(|(_, cell)| cell));
    }
    table
}
