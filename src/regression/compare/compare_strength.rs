//! Strength by paired games: did the score against the same opponents change?

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::change_limits::Metric;
use super::check_limits::{Finding, Measure};
use super::comparability::Matched;
use super::paired_games::PairedGame;
use super::read_completed_run::PlayedGame;
use crate::report::counted;
use crate::stats::PairedScores;

/// The change of an agent's score over its paired games.
///
/// A sample is an opening from both seats, with its points before and after. Samples with the same
/// moves as an earlier one count once.
pub(super) fn strength(agent: &Matched, pairs: &[PairedGame<'_>], anytime: bool) -> Measure {
    let what = "strength";
    let name = Some(agent.name.as_str());
    let games: Vec<(&PairedGame<'_>, usize, usize)> = (pairs.iter())
        .filter_map(|pair| {
            let half_points = |game: &PlayedGame| game.half_points(pair.seat?)?.try_into().ok();
            Some((pair, half_points(pair.base)?, half_points(pair.candidate)?))
        })
        .collect();
    if games.is_empty() {
        let why = "no opponent is the same in both runs, so strength cannot be measured";
        return Measure::nothing(what, Metric::Strength, name, why.to_owned());
    }
    let mut seen = HashSet::new();
    let mut samples = PairedScores::default();
    let (mut distinct, mut changed, mut plays) = (0_u64, 0_u64, 0_u64);
    for unit in games.chunk_by(|(a, ..), (b, ..)| a.round == b.round) {
        plays += unit.len() as u64;
        if !unit.iter().any(|(pair, ..)| pair.varies()) && !seen.insert(lines(unit)) {
            continue;
        }
        let (old, new) = unit.iter().fold((0, 0), |(o, n), (_, old, new)| (o + old, n + new));
        samples.add(old, new, unit.len());
        distinct += unit.len() as u64;
        changed += unit.iter().filter(|(pair, ..)| !pair.identical()).count() as u64;
    }
    let scores = samples.scores();
    let seeds = games.iter().all(|(pair, ..)| pair.base.number == pair.candidate.number);
    let repeated = match plays - distinct {
        0 => String::new(),
        n => format!("; {n} repetitions left out"),
    };
    let finding = match changed {
        0 => Finding::Same,
        _ => Finding::Paired(samples),
    };
    Measure {
        what,
        metric: Metric::Strength,
        agent: Some(agent.name.clone()),
        baseline: scores.map(|[before, _]| before),
        candidate: scores.map(|[_, after]| after),
        finding,
        anytime,
        basis: format!(
            "{} in {} (same opponent, opening and seat{}), {changed} \
             of them are different{repeated}",
            counted(distinct, "paired game"),
            counted(samples.n(), "pair"),
            if seeds { ", same seed" } else { "; random numbers differ" },
        ),
    }
}

/// A hash of all games of a sample, in both runs, and of the opponent. The hash of a game includes
/// its opening.
fn lines(unit: &[(&PairedGame<'_>, usize, usize)]) -> u64 {
    let mut hash = DefaultHasher::new();
    for (pair, ..) in unit {
        (pair.round.0, pair.seat, pair.base.line, pair.candidate.line).hash(&mut hash);
    }
    hash.finish()
}
