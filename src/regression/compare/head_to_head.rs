//! Head-to-head strength: games in which baseline and candidate played each other under different
//! names.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::change_limits::Metric;
use super::check_limits::{Finding, Measure};
use super::comparability::Matched;
use super::read_completed_run::{CompletedRun, PlayedGame};
use crate::report::counted;
use crate::stats::Pentanomial;

/// The candidate's results against the baseline's agent, from the candidate's run or else from the
/// baseline's. `None` if they did not play each other.
pub(super) fn head_to_head(
    base: &CompletedRun,
    candidate: &CompletedRun,
    agent: &Matched,
) -> Option<Measure> {
    let old = &base.experiment.agents[agent.base];
    [candidate, base].into_iter().find_map(|run| {
        let (a, b) = (run.agent(&agent.name)?, run.agent(&old.name)?);
        let same = |index: usize, named: &crate::config::NamedAgent| {
            run.experiment.agents[index].spec == named.spec
        };
        let new = &candidate.experiment.agents[agent.candidate];
        // In the other run, the name may belong to a different agent.
        (a != b && same(a, new) && same(b, old)).then_some(())?;
        measure(run, a, b, &agent.name, &old.name)
    })
}

fn measure(run: &CompletedRun, new: usize, old: usize, name: &str, other: &str) -> Option<Measure> {
    let mut games: Vec<(&PlayedGame, usize, i32)> = (run.games.iter())
        .filter_map(|game| {
            let seat = match game.agents {
                agents if agents == [new, old] => 0,
                agents if agents == [old, new] => 1,
                _ => return None,
            };
            Some((game, seat, game.half_points(seat)?))
        })
        .collect();
    if games.is_empty() {
        return None;
    }
    // A pair is one opening played from both seats, in consecutive games.
    games.sort_by_key(|(game, ..)| game.number);
    let mut counts = Pentanomial::default();
    let mut seen = HashSet::new();
    let (mut points, mut distinct, mut rest) = (0_u64, 0_u64, &games[..]);
    while let [(first, seat, half), after @ ..] = rest {
        let second = after.first().filter(|(game, other_seat, _)| {
            game.number == first.number + 1 && game.opening == first.opening && other_seat != seat
        });
        rest = if second.is_some() { &after[1..] } else { after };
        let mut hash = DefaultHasher::new();
        (seat, first.line, second.map(|(game, ..)| game.line)).hash(&mut hash);
        let varies = first.varies || second.is_some_and(|(game, ..)| game.varies);
        if !varies && !seen.insert(hash.finish()) {
            continue;
        }
        let sum = half + second.map_or(0, |(_, _, half)| *half);
        let cell = if second.is_some() { sum } else { 2 * half };
        if let Some(cell) = usize::try_from(cell).ok().and_then(|i| counts.0.get_mut(i)) {
            *cell += 1;
        }
        points += u64::from(sum.unsigned_abs());
        distinct += 1 + u64::from(second.is_some());
    }
    let score = points as f64 / (2 * distinct) as f64;
    Some(Measure {
        what: "head to head",
        metric: Metric::Strength,
        agent: Some(name.to_owned()),
        baseline: Some(1.0 - score),
        candidate: Some(score),
        finding: Finding::HeadToHead(counts),
        anytime: !run.has_fixed_length(),
        basis: format!(
            "{} in {} of {name} against {other}, in {}",
            counted(distinct, "distinct game"),
            counted(counts.n(), "pair"),
            run.path.display()
        ),
    })
}
