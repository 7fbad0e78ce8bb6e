//! Results that ratings cannot explain: A beats B, B beats C, C beats A.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use super::super::evidence::Evidence;
use super::PairingScore;
use super::results_graph::strongly_connected;
use crate::stats::numerics::confidence_level::Confidence;

/// The shortest cycle of players in which each beats the next: the head-to-head interval is above
/// one half. The cycle starts with its smallest number. `None` if there is no cycle. A rating list
/// hides such results.
pub fn shortest_cycle<E: Borrow<Evidence>>(
    players: usize,
    pairings: &[PairingScore<E>],
    confidence: Confidence,
) -> Option<Vec<usize>> {
    cycle(winners(players, &PairingScore::borrowed(pairings), confidence))
}

/// The shortest cycle, given who beats whom.
fn cycle(mut beats: Vec<Vec<u32>>) -> Option<Vec<usize>> {
    let players = beats.len();
    // A cycle stays within a strongly connected component.
    let mut knot = vec![usize::MAX; players];
    for (index, members) in strongly_connected(&beats).into_iter().enumerate() {
        members.into_iter().for_each(|player| knot[player] = index);
    }
    for (player, all) in beats.iter_mut().enumerate() {
        all.retain(|&to| knot[to as usize] == knot[player]);
    }
    let mut shortest: Option<Vec<usize>> = None;
    for from in (0..players).filter(|&from| !beats[from].is_empty()) {
        if let Some(way) = back_to(&beats, from)
            && shortest.as_ref().is_none_or(|known| way.len() < known.len())
        {
            // Two players cannot beat each other.
            if way.len() == 3 {
                return Some(way);
            }
            shortest = Some(way);
        }
    }
    shortest
}

/// Whether the player with these results beat the opponent (true) or lost to it (false).
fn winner(evidence: &Evidence, confidence: Confidence) -> Option<bool> {
    // Pairs are better evidence; single games count only if there are no pairs.
    let interval = evidence
        .pairs
        .strength()
        .interval(confidence)
        .or_else(|| evidence.games().interval(confidence))?;
    match (interval.lo > 0.5, interval.hi < 0.5) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// For each player, the players whom it beats by the merged results of both.
fn winners(
    players: usize,
    pairings: &[PairingScore<&Evidence>],
    confidence: Confidence,
) -> Vec<Vec<u32>> {
    let ends = |p: &PairingScore<&Evidence>| (p.a.min(p.b), p.a.max(p.b));
    let known = |p: &PairingScore<&Evidence>| p.a != p.b && p.a < players && p.b < players;
    let mut order: Vec<&PairingScore<&Evidence>> = pairings.iter().filter(|p| known(p)).collect();
    order.sort_by_key(|p| ends(p));
    let mut beats = vec![Vec::new(); players];
    // A large field with few games per pairing has few different results.
    let mut known: BTreeMap<Evidence, Option<bool>> = BTreeMap::new();
    for same in order.chunk_by(|one, two| ends(one) == ends(two)) {
        let mut evidence = Evidence::default();
        for p in same {
            let of = p.evidence;
            evidence.merge(&if p.a < p.b { *of } else { of.flipped() });
        }
        let (a, b) = ends(same[0]);
        match known.entry(evidence).or_insert_with(|| winner(&evidence, confidence)) {
            Some(true) => beats[a].push(b as u32),
            Some(false) => beats[b].push(a as u32),
            None => {}
        }
    }
    beats
}

/// The shortest path from a player back to itself over larger numbers only.
fn back_to(beats: &[Vec<u32>], from: usize) -> Option<Vec<usize>> {
    let mut before = vec![None; beats.len()];
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for to in beats[at].iter().map(|&to| to as usize) {
            if to == from {
                let mut way = vec![at];
                while let Some(previous) = before[way[way.len() - 1]] {
                    way.push(previous);
                }
                way.reverse();
                return Some(way);
            }
            if to > from && before[to].is_none() {
                before[to] = Some(at);
                queue.push_back(to);
            }
        }
    }
    None
}
