//! Compares the cost of moves: work, time and memory.

use std::collections::HashSet;

use super::change_limits::Metric;
use super::check_limits::{Finding, Measure};
use super::comparability::Matched;
use super::paired_games::PairedGame;
use super::read_completed_run::CompletedRun;
use crate::regression::gate::SlicesCsv;
use crate::report::counted;
use crate::stats::Confidence;

/// The nodes that an agent searched. They are compared only in games with the same moves, because
/// only there were the positions the same. `None` for agents that do not search.
pub(super) fn work(agent: &Matched, pairs: &[PairedGame<'_>], anytime: bool) -> Option<Measure> {
    let searched = pairs.iter().map(nodes).any(|(old, new)| old + new > 0);
    searched.then_some(())?;
    let (what, metric, name) = ("nodes per move", Metric::Work, Some(agent.name.as_str()));
    if agent.clocked {
        let why = "its budget is time, so its work varies between runs".to_owned();
        return Some(Measure::nothing(what, metric, name, why));
    }
    let mut seen = HashSet::new();
    let identical: Vec<&PairedGame<'_>> = (pairs.iter())
        .filter(|pair| pair.identical() && moves(pair).0 > 0)
        .filter(|pair| seen.insert((pair.base.line, pair.round.0, pair.seat)))
        .collect();
    let [(old, new), count] = [nodes, moves].map(|of| sum(identical.iter().copied(), of));
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
        .collect();
    let basis = different(distinct.len(), identical.len());
    let ratios: Vec<f64> = distinct.iter().filter_map(|pair| ratio(pair)).collect();
    if ratios.is_empty() {
        let why = format!("{basis}: none has this figure in both runs");
        return Some(Measure::nothing(what, metric, name, why));
    }
    // A median of ratios is not the ratio of two figures, so there are none beside it.
    Some(Measure {
        anytime,
        basis: format!("median of {} ratios: {basis}", ratios.len()),
        finding: Finding::Ratios(ratios),
        ..Measure::nothing(what, metric, name, String::new())
    })
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

/// The time per move, or per node for agents whose budget is time. It is not judged, because the runs
/// were played one after the other.
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
    let identical: Vec<&PairedGame<'_>> = pairs.iter().filter(|pair| pair.identical()).collect();
    let (games, basis) = if are_most(identical.len(), pairs.len()) {
        let n = identical.len();
        (identical, format!("{n} games that are the same in both runs"))
    } else {
        (pairs.iter().collect(), different(pairs.len(), identical.len()))
    };
    let per = if agent.clocked { nodes } else { moves };
    let [time, count] = [time_ns, per].map(|of| sum(games.iter().copied(), of));
    if [time.0, time.1, count.0, count.1].contains(&0) {
        let why = format!("{basis}: none has this figure in both runs");
        return Measure::nothing(what, metric, name, why);
    }
    let [old, new] = [(time.0, count.0), (time.1, count.1)].map(|(a, b)| a as f64 / b as f64);
    if !agent.clocked && old < SHORTEST && new < SHORTEST {
        let why = "less than 1 µs per move: too fast to measure".to_owned();
        return Measure::nothing(what, metric, name, why);
    }
    Measure {
        baseline: Some(old),
        candidate: Some(new),
        finding: Finding::Exact(new / old),
        ..Measure::nothing(
            what,
            metric,
            name,
            format!("not judged: the machine's own changes are not in it; mean over {basis}"),
        )
    }
}

/// The confidence of the interval of the ratio of interleaved times. It is valid at any time.
pub const TIME_CONFIDENCE: Confidence = Confidence::P99;

/// Processor time and instructions of two interleaved runs.
pub(super) fn interleaved(
    base: &CompletedRun,
    candidate: &CompletedRun,
    slices: &SlicesCsv,
) -> Vec<Measure> {
    // After a stop, one side may have played a slice more.
    let mut pairs = base.games.iter().zip(&candidate.games);
    let games = match slices.has_equal_moves() && pairs.all(|(old, new)| old.line == new.line) {
        true => "the games of both sides are the same",
        false => "the sides played different games, so the times are of different positions",
    };
    let mut measures = Vec::new();
    let what = "processor time per move";
    if let Some(ratio) = slices.time_ratio(TIME_CONFIDENCE) {
        let [old, new] = slices.time_per_move();
        let blocks = counted(ratio.blocks as u64, "interleaved block");
        let few = if ratio.interval.is_none() { "; too few for an interval" } else { "" };
        let basis = format!("{blocks}, all agents; {games}{few}");
        measures.push(Measure {
            baseline: Some(old),
            candidate: Some(new),
            finding: Finding::Interleaved(ratio),
            anytime: true,
            ..Measure::nothing(what, Metric::Time, None, basis)
        });
    }
    let what = "instructions per move";
    measures.push(match slices.instructions_per_move() {
        Some([old, new]) => Measure {
            baseline: Some(old),
            candidate: Some(new),
            finding: Finding::Exact(new / old),
            ..Measure::nothing(what, Metric::Instructions, None, format!("counted; {games}"))
        },
        None => Measure::nothing(
            what,
            Metric::Instructions,
            None,
            "the kernel or the machine does not count instructions".to_owned(),
        ),
    });
    measures
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

/// The sum of a figure over games.
fn sum<'a>(
    pairs: impl Iterator<Item = &'a PairedGame<'a>>,
    of: fn(&PairedGame<'_>) -> Pair,
) -> Pair {
    pairs.map(of).fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
}

/// The ratio of the nodes per move in one pair of games; `None` if a game has no nodes.
fn ratio(pair: &PairedGame<'_>) -> Option<f64> {
    let ((old, new), (old_moves, new_moves)) = (nodes(pair), moves(pair));
    (![old, new, old_moves, new_moves].contains(&0)).then_some(())?;
    Some((new as f64 * old_moves as f64) / (old as f64 * new_moves as f64))
}
