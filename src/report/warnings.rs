//! Why a planned run cannot answer its question, said before it is played.

use super::numbers::{fixed, grouped};
use super::plan::{Plan, Planned};
use crate::stats::{Confidence, planning};

/// Intervals that reach further than this many Elo hardly tell agents apart.
const COARSE: f64 = 100.0;

/// The warnings of a plan, each with its remedy.
pub fn of(plan: &Plan) -> Vec<String> {
    [repetition(plan), resolution(plan), cap(plan)].into_iter().flatten().collect()
}

/// Agents without random choices repeat themselves once the openings are used up.
fn repetition(plan: &Plan) -> Option<String> {
    let short = |planned: &&Planned| planned.repeats && planned.distinct < plan.games;
    let mut all = plan.pairings.iter().filter(short);
    let first = all.next()?;
    let others = match all.count() {
        0 => String::new(),
        1 => " (and one more pairing)".to_owned(),
        more => format!(" (and {more} more pairings)"),
    };
    let who = match first.is_self() {
        true => format!("{} always plays the same moves", first.a),
        false => format!("{} and {} always play the same moves", first.a, first.b),
    };
    let openings = match plan.openings.played {
        1 => "one opening".to_owned(),
        openings => format!("{} distinct openings", grouped(openings)),
    };
    let refused = match plan.refused {
        true => "; the run will be refused unless `allow_duplicates = true` in [schedule]",
        false => "",
    };
    let exact = match plan.openings.finite {
        true => "; what they show is exact over these openings and no sample of others",
        false => "",
    };
    Some(format!(
        "{who}{others}: from {openings} at most {} of {} games are distinct{exact}{refused}; use \
         more openings, such as `kind = \"random\"`, or agents with `ties = \"random\"`",
        grouped(first.distinct),
        grouped(plan.games),
    ))
}

/// Too few games to tell the agents apart unless they are worlds apart.
fn resolution(plan: &Plan) -> Option<String> {
    let (coarsest, repeats) = (plan.pairings.iter())
        .filter_map(|planned| Some((planned.resolution?, planned.repeats)))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(elo, _)| *elo > COARSE)?;
    // Without random numbers each opening gives its games once, so more games are more openings.
    let each = if repeats { ", each from a new opening," } else { "" };
    let games = |elo| planning::games_for_half_width(elo, plan.variance(), Confidence::P95);
    Some(format!(
        "a pairing's distinct games resolve only about ±{} Elo; about {}{each} would resolve \
         ±100, {} ±20",
        fixed(coarsest, 0),
        grouped(games(COARSE)?),
        grouped(games(20.0)?),
    ))
}

/// A sequential test that will probably meet its cap.
fn cap(plan: &Plan) -> Option<String> {
    let (_, asked) = plan.test?;
    let distinct = plan.pairings.first()?.distinct;
    let [h0, halfway, h1] = plan.expected()?.map(|expected| expected.games);
    if !asked || distinct as f64 >= halfway {
        return None;
    }
    let likely = if (distinct as f64) < h0.min(h1) { "probably" } else { "perhaps" };
    Some(format!(
        "the sequential test {likely} stays undecided: it takes {} games on average, {} if the \
         truth lies halfway, and at most {} distinct ones are played; raise the cap, add \
         openings, or set elo0 and elo1 further apart",
        grouped(h0.max(h1).ceil() as u64),
        grouped(halfway.ceil() as u64),
        grouped(distinct),
    ))
}
