//! Compares the cost of moves: work, time and memory.

use std::collections::HashSet;

use super::check_limits::{Finding, Measure};
use super::comparability::Matched;
use super::default_limits::Metric;
use super::paired_games::PairedGame;
use super::read_completed_run::CompletedRun;
use crate::report::fixed;
use crate::stats::Confidence;
use crate::stats::timing::{geometric_mean, signed_rank};
use crate::util::collect_with_less_code::Gather;

/// The nodes that an agent searched. They are compared only in games with the same moves, because
/// only there were the positions the same. `None` for agents that do not search.
pub(super) fn work(agent: &Matched, pairs: &[PairedGame<'_>]) -> Option<Measure> {
    let searched = pairs.iter().map(nodes).any(|(old, new)| old + new > 0);
    searched.then_some(())?;
    let (what, metric, name) = ("nodes per move", Metric::Work, Some(agent.name.as_str()));
    if agent.clocked {
        let why = "its budget is time, so its work varies between runs; see speed".to_owned();
        return Some(Measure::nothing(what, metric, name, why));
    }
    let mut seen = HashSet::new();
    let identical: Vec<&PairedGame<'_>> = (pairs.iter())
        .filter(|pair| pair.identical() && moves(pair).0 > 0)
        .filter(|pair| seen.insert((pair.base.line, pair.round.0, pair.seat)))
        .gather();
    let ((old, new), count) = sums(identical.iter().copied(), nodes);
    let same = pairs.iter().filter(|pair| pair.identical()).count();
    if old > 0 && are_most(same, pairs.len()) {
        return Some(Measure {
            what,
            metric,
            agent: Some(agent.name.clone()),
            baseline: Some(old as f64 / count.0 as f64),
            candidate: Some(new as f64 / count.1 as f64),
            finding: Finding::Exact(new as f64 / old as f64),
            anytime: false,
            basis: format!(
                "exact: {} positions of the {} distinct games that are the same in both runs, of \
                 {} paired games",
                count.0,
                identical.len(),
                pairs.len()
            ),
        });
    }
    let mut seen = HashSet::new();
    let distinct: Vec<&PairedGame<'_>> = (pairs.iter())
        .filter(|pair| seen.insert((pair.base.line, pair.candidate.line, pair.round.0, pair.seat)))
        .gather();
    let basis = different(distinct.len(), identical.len());
    Some(ratios(what, metric, agent, &distinct, nodes, moves, basis))
}

/// Whether the identical games represent all games. A few identical games are mostly short and have
/// mostly positions in which nothing was at stake.
fn are_most(identical: usize, all: usize) -> bool {
    identical > 0 && 2 * identical >= all
}

/// The basis of the comparison if most games are different.
fn different(pairs: usize, identical: usize) -> String {
    format!(
        "{pairs} paired games, {identical} of them the same; the others have different positions"
    )
}

/// Moves faster than this cannot be timed individually, in nanoseconds.
const SHORTEST: f64 = 1000.0;

/// The time per move, or per node for agents whose budget is time.
pub(super) fn time(
    base: &CompletedRun,
    candidate: &CompletedRun,
    agent: &Matched,
    pairs: &[PairedGame<'_>],
) -> Measure {
    let name = Some(agent.name.as_str());
    let (what, metric) = match agent.clocked {
        true => ("time per node", Metric::Speed),
        false => ("time per move", Metric::Time),
    };
    if let Err(why) = same_machine(base, candidate) {
        return Measure::nothing(what, metric, name, why);
    }
    let identical: Vec<&PairedGame<'_>> = pairs.iter().filter(|pair| pair.identical()).gather();
    let (games, basis) = if are_most(identical.len(), pairs.len()) {
        let n = identical.len();
        (identical, format!("{n} games that are the same in both runs"))
    } else {
        (pairs.iter().gather(), different(pairs.len(), identical.len()))
    };
    match agent.clocked {
        true => ratios(what, metric, agent, &games, time_ns, nodes, basis),
        false => {
            let ((old, new), count) = sums(games.iter().copied(), time_ns);
            let fast = |time: u64, count: u64| (time as f64) < SHORTEST * count as f64;
            if fast(old, count.0) && fast(new, count.1) {
                let why = "less than 1 µs per move: too fast to measure".to_owned();
                return Measure::nothing(what, metric, name, why);
            }
            ratios(what, metric, agent, &games, time_ns, moves, basis)
        }
    }
}

/// A negligible difference of memory, in bytes.
const LITTLE: u64 = 4 << 20;

pub(super) fn memory(base: &CompletedRun, candidate: &CompletedRun) -> Measure {
    let (what, metric) = ("peak memory", Metric::Memory);
    if let Err(why) = same_machine(base, candidate) {
        return Measure::nothing(what, metric, None, why);
    }
    if base.has_engines() || candidate.has_engines() {
        let why = "not compared: engines are external programs, and agon measures only itself";
        return Measure::nothing(what, metric, None, why.to_owned());
    }
    let (Some(old), Some(new)) =
        (base.manifest.peak_memory_bytes, candidate.manifest.peak_memory_bytes)
    else {
        let why = "one of the manifests has no peak memory".to_owned();
        return Measure::nothing(what, metric, None, why);
    };
    let factor = new as f64 / old.max(1) as f64;
    let little = new != old && new.abs_diff(old) <= LITTLE;
    Measure {
        baseline: Some(old as f64),
        candidate: Some(new as f64),
        finding: if little { Finding::Negligible(factor) } else { Finding::Exact(factor) },
        ..Measure::nothing(
            what,
            metric,
            None,
            "one measurement of each run, all threads".to_owned(),
        )
    }
}

/// Whether times can be compared; if not, the reason.
fn same_machine(base: &CompletedRun, candidate: &CompletedRun) -> Result<(), String> {
    let (old, new) = (&base.manifest, &candidate.manifest);
    if old.machine != new.machine {
        return Err("the runs were played on different machines".to_owned());
    }
    if old.jobs != new.jobs {
        return Err(format!("played on {} threads and on {}", old.jobs, new.jobs));
    }
    Ok(())
}

/// A figure in the baseline and in the candidate's run.
type Pair = (u64, u64);

fn nodes(pair: &PairedGame<'_>) -> Pair {
    pair.both(|game, seat| game.nodes[seat])
}

fn time_ns(pair: &PairedGame<'_>) -> Pair {
    pair.both(|game, seat| game.time_ns[seat])
}

fn moves(pair: &PairedGame<'_>) -> Pair {
    pair.both(|game, seat| u64::from(game.moves[seat]))
}

/// Sums of a figure and of the number of moves.
fn sums<'a>(
    pairs: impl Iterator<Item = &'a PairedGame<'a>>,
    of: impl Fn(&PairedGame<'_>) -> Pair,
) -> (Pair, Pair) {
    let add = |(a, b): Pair, (c, d): Pair| (a + c, b + d);
    pairs.fold(((0, 0), (0, 0)), |(sum, count), pair| (add(sum, of(pair)), add(count, moves(pair))))
}

/// Ratios of `of` per `per`, one for each pair of games.
fn ratios(
    what: &'static str,
    metric: Metric,
    agent: &Matched,
    pairs: &[&PairedGame<'_>],
    of: impl Fn(&PairedGame<'_>) -> Pair,
    per: impl Fn(&PairedGame<'_>) -> Pair,
    basis: String,
) -> Measure {
    let (mut ratios, mut sums) = (Vec::new(), [0_u64; 4]);
    for pair in pairs {
        let ((old, new), (old_per, new_per)) = (of(pair), per(pair));
        if [old, new, old_per, new_per].contains(&0) {
            continue;
        }
        for (sum, value) in sums.iter_mut().zip([old, old_per, new, new_per]) {
            *sum = sum.saturating_add(value);
        }
        // In this order, equal figures give exactly 1, which a rank test skips.
        ratios.push((new as f64 * old_per as f64) / (old as f64 * new_per as f64));
    }
    if ratios.is_empty() {
        let why = format!("{basis}: none has this figure in both runs");
        return Measure::nothing(what, metric, Some(&agent.name), why);
    }
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).gather();
    let mean = geometric_mean(&ratios, Confidence::P95)
        .map_or(String::new(), |mean| format!("; geometric mean {}", fixed(mean.mean, 3)));
    let p = signed_rank(&logs).map_or(String::new(), |test| {
        format!("; p {} (Wilcoxon)", crate::report::p_value(Some(test.p)))
    });
    Measure {
        baseline: Some(sums[0] as f64 / sums[1] as f64),
        candidate: Some(sums[2] as f64 / sums[3] as f64),
        basis: format!("median of {} ratios: {basis}{mean}{p}", ratios.len()),
        finding: Finding::Ratios(ratios),
        ..Measure::nothing(what, metric, Some(&agent.name), String::new())
    }
}
