//! Strength by twin games: did the score change against the same opponents?

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::gates::{Finding, Measure};
use super::limits::Metric;
use super::question::Matched;
use super::twins::Twin;
use crate::report::counted;
use crate::stats::Counts;

/// The change of an agent's score over its twin games.
///
/// A sample is an opening from both seats: the mean difference of its games' scores,
/// from −1 to 1. Samples that repeat an earlier one move for move count once.
pub(super) fn strength(agent: &Matched, twins: &[Twin<'_>], anytime: bool) -> Measure {
    let what = "strength";
    let name = Some(agent.name.as_str());
    let games: Vec<(&Twin<'_>, i32, i32)> = (twins.iter())
        .filter_map(|twin| {
            let seat = twin.seat?;
            Some((twin, twin.base.half_points(seat)?, twin.candidate.half_points(seat)?))
        })
        .collect();
    if games.is_empty() {
        let why = "no opponent is the same in both runs: nothing to measure strength by";
        return Measure::nothing(what, Metric::Strength, name, why.to_owned());
    }
    let mut seen = HashSet::new();
    let mut counts = Counts::<9>::default();
    let (mut points, mut distinct, mut changed, mut plays) = ([0, 0], 0_u64, 0_u64, 0_u64);
    for unit in games.chunk_by(|(a, ..), (b, ..)| a.round == b.round) {
        plays += unit.len() as u64;
        if !unit.iter().any(|(twin, ..)| twin.drew_lots()) && !seen.insert(lines(unit)) {
            continue;
        }
        let (old, new) = unit.iter().fold((0, 0), |(o, n), (_, old, new)| (o + old, n + new));
        // Half points a game, −2 to 2, as one of nine cells: a lone game counts as two alike.
        let step = if unit.len() == 1 { 2 * (new - old) } else { new - old };
        if let Some(cell) = usize::try_from(4 + step).ok().and_then(|i| counts.0.get_mut(i)) {
            *cell += 1;
        }
        points =
            [points[0] + u64::from(old.unsigned_abs()), points[1] + u64::from(new.unsigned_abs())];
        distinct += unit.len() as u64;
        changed += unit.iter().filter(|(twin, ..)| !twin.identical()).count() as u64;
    }
    let score = |half_points: u64| half_points as f64 / (2 * distinct) as f64;
    let seeds = games.iter().all(|(twin, ..)| twin.base.number == twin.candidate.number);
    let repeated = match plays - distinct {
        0 => String::new(),
        n => format!("; {n} repetitions left out"),
    };
    let finding = match changed {
        0 => Finding::Same,
        _ => Finding::Twins(counts, score(points[0])),
    };
    let pairs = counts.n();
    Measure {
        what,
        metric: Metric::Strength,
        agent: Some(agent.name.clone()),
        baseline: Some(score(points[0])),
        candidate: Some(score(points[1])),
        finding,
        anytime,
        basis: format!(
            "{} in {} (same opponent, opening and seat{}), {changed} \
             of them went differently{repeated}",
            counted(distinct, "twin game"),
            counted(pairs, "pair"),
            if seeds { ", same seed" } else { "; random numbers differ" },
        ),
    }
}

/// A hash of all games of a sample, in both runs, and of who met; openings are in the lines.
fn lines(unit: &[(&Twin<'_>, i32, i32)]) -> u64 {
    let mut hash = DefaultHasher::new();
    for (twin, ..) in unit {
        (twin.round.0, twin.seat, twin.base.line, twin.candidate.line).hash(&mut hash);
    }
    hash.finish()
}
