//! Notes below the rating list: what the ratings mean and what they do not show.

use std::collections::HashMap;

use super::ranking::{Ranking, met};
use super::run_facts_for_tables::{RatingIntervals, RunContext};
use super::verdict_phrases::Judged;
use crate::arena::Tally;
use crate::stats::ratings::{PairComparison, Rating, Reference};
use crate::stats::{Confidence, elo as elo_scale};
use crate::text::number_format::{are, elo, elo_ends, fixed, grouped, is_informative_elo};

/// Maximum number of named pairs of agents or groups, unless all are requested.
const NAMED: usize = 6;

/// The lines below the rating list.
pub(crate) fn notes(tally: &Tally, context: &RunContext, ranking: &Ranking) -> Vec<String> {
    let name = |agent: usize| tally.names[agent].as_str();
    let mut notes = meaning(tally, context, ranking);
    if tally.pairings.iter().any(|(pairing, _)| pairing.fixed) {
        let note = "seats are fixed: ratings include the advantage of the seat, so compare only \
                    agents in the same seat";
        notes.push(note.to_owned());
    }
    notes.extend(first_move(tally, context, ranking));
    if context.state.has_significance() {
        notes.extend(significance(tally, context, ranking));
    }
    notes.extend(apart(tally, ranking));
    if let Some(cycle) = &ranking.cycle {
        let chain: Vec<&str> = cycle.iter().chain(cycle.first()).map(|&a| name(a)).collect();
        notes.push(format!("cycle: {}; ratings cannot show this", chain.join(" beats ")));
    }
    notes
}

/// The reference of the ratings and their data.
fn meaning(tally: &Tally, context: &RunContext, ranking: &Ranking) -> Vec<String> {
    let mut notes = Vec::new();
    let standings = || ranking.list.standings.iter().filter(|standing| standing.games > 0);
    let rated =
        ranking.any_rating() && standings().any(|standing| standing.rating.estimate().is_some());
    let zero = match context.reference {
        Reference::Player(agent) if ranking.components() > 1 => {
            format!("{} (other groups: to their mean)", tally.names[agent])
        }
        Reference::Player(agent) => tally.names[agent].clone(),
        Reference::Mean if ranking.components() > 1 => "the mean of each group".to_owned(),
        Reference::Mean => "the mean of the agents".to_owned(),
    };
    let exact = "exact over the opening set: no sampling error, so no intervals, LOS or p";
    match (rated, ranking.exact) {
        (true, true) => notes.push(format!("Elo: Bradley-Terry, relative to {zero}; {exact}")),
        (true, false) => {
            let intervals = match ranking.intervals {
                _ if !ranking.any_interval() => "",
                RatingIntervals::FixedLength => {
                    "; intervals from results by opening; LOS and p compare with the next agent, p \
                     with Holm's correction"
                }
                RatingIntervals::AtAnyTime => "; intervals from results by opening",
                RatingIntervals::None => "",
            };
            notes.push(format!("Elo: Bradley-Terry, relative to {zero}{intervals}"));
            notes.extend(ranking.any_interval().then(|| caution(context, ranking).to_owned()));
        }
        (false, true) => notes.push(format!("no ratings: no agent both won and lost; {exact}")),
        (false, false) => {}
    }
    notes.extend(missing(ranking, rated));
    notes
}

/// What readers must not conclude from the intervals.
fn caution(context: &RunContext, ranking: &Ranking) -> &'static str {
    match ranking.intervals {
        RatingIntervals::FixedLength if context.state.chooses_pairings() => {
            "Intervals, LOS and p are approximate, because results chose the opponents."
        }
        RatingIntervals::FixedLength => {
            "Intervals, LOS and p assume that the number of games was chosen before the \
             run. If you stopped early, use `anytime_low` and `anytime_high` in \
             pairings.csv."
        }
        RatingIntervals::AtAnyTime if ranking.pairings == 1 => {
            "The intervals hold at any time. They are half that of the difference."
        }
        RatingIntervals::AtAnyTime => {
            "The intervals hold at any time, for many openings. They are asymptotic. \
             `anytime_low` and `anytime_high` in pairings.csv hold for any number."
        }
        RatingIntervals::None if !context.state.chooses_games() => {
            "Ratings have no intervals here, because results chose the opponents and the \
             number of games. `anytime_low` and `anytime_high` in pairings.csv hold."
        }
        RatingIntervals::None => {
            "Ratings have no intervals here, because results chose the games. The decisions \
             above hold, and so do `anytime_low` and `anytime_high` in pairings.csv."
        }
    }
}

/// What a dash and a bound mean in the list.
fn missing(ranking: &Ranking, rated: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let standings = || ranking.list.standings.iter().filter(|standing| standing.games > 0);
    let bounded = |named: bool| {
        standings().any(|standing| {
            let bound = matches!(standing.rating, Rating::AtLeast(_) | Rating::AtMost(_));
            bound && standing.against.is_some() == named && !ranking.withheld(standing)
        })
    };
    if ranking.exact {
        if rated && (bounded(false) || bounded(true)) {
            notes.push("—: no rating, because the agent won or lost every game".to_owned());
        }
        return notes;
    }
    if ranking.intervals == RatingIntervals::None {
        if bounded(false) || bounded(true) {
            notes.push("—: no rating, because the agent won or lost every game".to_owned());
        }
        notes.extend(ranking.withheld_note());
        return notes;
    }
    let won_all = "≥, ≤: the agent won or lost every game, so only a bound is known";
    match (bounded(false), bounded(true)) {
        (true, true) => {
            notes.push(format!("{won_all}, on the same scale or against the named agent"));
        }
        (true, false) => notes.push(format!("{won_all}, on the same scale")),
        (false, true) => notes.push(format!("{won_all}, from the score against the named agent")),
        (false, false) => {}
    }
    let compares = ranking.intervals == RatingIntervals::FixedLength;
    if compares && rated && (bounded(false) || bounded(true) || ranking.components() > 1) {
        notes.push("LOS and p: — if the next agent has no rating in the same group".to_owned());
    }
    notes.extend(ranking.withheld_note());
    if ranking.exact_pairings > 0 {
        notes.push(format!(
            "{} of {} pairings are exact over the opening set; intervals treat their openings as \
             a sample",
            ranking.exact_pairings, ranking.pairings
        ));
    }
    notes
}

/// The first-move advantage in each group that determines it. The interval of a single group is that
/// of the first movers' score by opening, on the scale of the ratings: all pairings share the
/// openings. The scores by opening of several groups are not counted separately.
fn first_move(tally: &Tally, context: &RunContext, ranking: &Ranking) -> Option<String> {
    let groups = ranking.list.groups.iter().filter_map(|group| {
        let fit = group.fit.as_ref().ok()?;
        Some((group, fit, fit.first_mover?))
    });
    let groups: Vec<_> = groups.collect();
    let [(group, fit, worth)] = groups[..] else { return None };
    let mut rating = vec![None; tally.names.len()];
    for (&player, &elo) in group.players.iter().zip(&fit.ratings) {
        rating[player] = Some(elo);
    }
    // The expected score of all first movers. Games with agents outside the group keep their results.
    let expected = |advantage: f64| {
        let (mut points, mut games) = (0.0, 0.0);
        for (pairing, results) in tally.pairings.iter().filter(|(pairing, _)| pairing.has_pairs()) {
            let evidence = &results.distinct;
            let seats = [evidence.moving_first().n() as f64, evidence.moving_second().n() as f64];
            let n = seats[0] + seats[1];
            games += n;
            points += match (rating[pairing.a], rating[pairing.b]) {
                (Some(a), Some(b)) => {
                    seats[0] * elo_scale::to_score(a - b + advantage)
                        + seats[1] * elo_scale::to_score(b - a + advantage)
                }
                _ => evidence.first_mover_games().mean().unwrap_or(0.0) * n,
            };
        }
        points / games
    };
    let clusters = tally.clusters_between_agents();
    let judged = Judged::clusters(&clusters, context.overall(tally));
    let fixed_length = context.fixed_length(tally);
    let interval = judged.interval_that_holds(fixed_length);
    let score = judged.score?;
    let middle = expected(worth) - score;
    let end = |score: f64| {
        const FAR: f64 = 4000.0;
        let (mut low, mut high) = (-FAR, FAR);
        let wanted = score + middle;
        (expected(low) < wanted && wanted < expected(high)).then_some(())?;
        while high - low > 1e-6 {
            let at = f64::midpoint(low, high);
            if expected(at) < wanted { low = at } else { high = at }
        }
        Some(low)
    };
    let range = match interval.map(|interval| [end(interval.lo), end(interval.hi)]) {
        _ if ranking.exact => String::new(),
        Some(ends @ [Some(_), Some(_)]) if is_informative_elo(ends) => {
            format!(" {}", elo_ends(ends))
        }
        _ => return None,
    };
    Some(format!("moving first is worth {} Elo{range}", elo(worth)))
}

/// Which agents differ significantly.
pub(crate) fn significance(tally: &Tally, context: &RunContext, ranking: &Ranking) -> Vec<String> {
    let all = &ranking.comparisons;
    if all.len() < 2 {
        return Vec::new();
    }
    let mut alike: Vec<&PairComparison> =
        all.iter().filter(|c| !Confidence::P95.is_significant(c.p_holm)).collect();
    let significant = all.len() - alike.len();
    let mut notes = vec![format!(
        "{significant} of {} differences {} significant (5 %)",
        all.len(),
        are(significant)
    )];
    alike.sort_by(|a, b| b.p_holm.total_cmp(&a.p_holm).then(b.p.total_cmp(&a.p)));
    if alike.is_empty() {
        return notes;
    }
    let shown = if context.verbose { alike.len() } else { NAMED };
    let mut names: Vec<String> = (alike.iter().take(shown))
        .map(|c| format!("{}–{}", tally.names[c.a], tally.names[c.b]))
        .collect();
    if alike.len() > shown {
        names.push(format!("and {} more (all with -v)", alike.len() - shown));
    }
    notes.push(format!("no significant difference: {}", names.join(", ")));
    let widest = alike.iter().max_by(|a, b| a.se.total_cmp(&b.se));
    if let Some(widest) = widest.filter(|_| context.verbose) {
        let pair = format!("{}–{}", tally.names[widest.a], tally.names[widest.b]);
        notes.push(format!("widest interval: {pair}, {}", width(ranking, widest)));
    }
    notes
}

/// Half the width of a comparison's interval, and how many games ±10 Elo needs: `±22 Elo; ±10 Elo needs
/// about 4.9 times the games`.
fn width(ranking: &Ranking, of: &PairComparison) -> String {
    /// Wider intervals come from a few openings. Their width is mostly chance.
    const WIDE: f64 = 400.0;
    let interval = ranking.list.groups.iter().find_map(|group| {
        let place = |agent| group.players.iter().position(|&player| player == agent);
        let fit = group.fit.as_ref().ok()?;
        fit.difference_interval(place(of.a)?, place(of.b)?, Confidence::P95)
    });
    let half = interval.map_or(f64::INFINITY, |[low, high]| (high - low) / 2.0);
    let times = (half / 10.0).powi(2);
    match half {
        WIDE.. => "too wide to say how many games ±10 Elo needs".to_owned(),
        ..10.0 => format!("±{} Elo", fixed(half, 0)),
        _ => {
            let times = if times < 10.0 { fixed(times, 1) } else { grouped(times.round() as u64) };
            format!("±{} Elo; ±10 Elo needs about {times} times the games", fixed(half, 0))
        }
    }
}

/// Why groups have separate ratings: they never met, or one side won every game.
fn apart(tally: &Tally, ranking: &Ranking) -> Vec<String> {
    let components = ranking.components();
    if components < 2 {
        return Vec::new();
    }
    let mut component = vec![0; tally.names.len()];
    for standing in &ranking.list.standings {
        component[standing.player] = standing.component;
    }
    // Whether the first of two groups won any points against the second, and the reverse.
    let mut won: HashMap<(usize, usize), [bool; 2]> = HashMap::new();
    for pairing in met(tally) {
        let (a, b) = (component[pairing.a], component[pairing.b]);
        if a != b {
            let a_won = pairing.evidence.games().wins() > 0;
            let winner = if a_won { a } else { b };
            won.entry((a.min(b), a.max(b))).or_default()[usize::from(winner > a.min(b))] = true;
        }
    }
    let pairs = components * (components - 1) / 2;
    let mut notes = Vec::new();
    for one in 0..components {
        for two in one + 1..components {
            if notes.len() == NAMED {
                notes.push(format!("and {} more pairs of separate groups", pairs - NAMED));
                return notes;
            }
            let [one_won, two_won] = won.get(&(one, two)).copied().unwrap_or_default();
            let (first, second) = (one + 1, two + 1);
            notes.push(match (one_won, two_won) {
                (false, false) => {
                    format!("groups {first} and {second} played no games: nothing compares them")
                }
                (true, true) => format!(
                    "groups {first} and {second} played, but not enough to connect their ratings: \
                     their difference is unknown"
                ),
                (one_won, _) => format!(
                    "groups {first} and {second} played, and group {} won every game: their \
                     difference is unknown",
                    if one_won { first } else { second }
                ),
            });
        }
    }
    notes
}
