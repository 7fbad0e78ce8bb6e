//! Results that no single rating can explain: A beats B, B beats C, C beats A.

use super::super::confidence::Confidence;
use super::super::pairs::Evidence;
use super::Pairing;

/// The shortest cycle of players in which each beats the next, judged by the
/// head-to-head interval lying above one half; it starts with its smallest
/// number. `None` if there is none. A rating list hides such results.
pub fn shortest_cycle(
    players: usize,
    pairings: &[Pairing],
    confidence: Confidence,
) -> Option<Vec<usize>> {
    let mut beats = vec![Vec::new(); players];
    for (a, b, evidence) in merged(players, pairings) {
        // Pairs are the better evidence; lone games speak where there are none.
        let interval = evidence
            .pairs
            .strength()
            .interval(confidence)
            .or_else(|| evidence.games().interval(confidence));
        match interval {
            Some(interval) if interval.lo > 0.5 => beats[a].push(b),
            Some(interval) if interval.hi < 0.5 => beats[b].push(a),
            _ => {}
        }
    }
    (0..players).filter_map(|from| back_to(&beats, from)).min_by_key(Vec::len)
}

/// The evidence between every two players, `a < b`, by `a`'s results.
fn merged(players: usize, pairings: &[Pairing]) -> Vec<(usize, usize, Evidence)> {
    let mut all: Vec<(usize, usize, Evidence)> = pairings
        .iter()
        .filter(|p| p.a != p.b && p.a < players && p.b < players)
        .map(|p| match p.a < p.b {
            true => (p.a, p.b, p.evidence),
            false => (p.b, p.a, p.evidence.flipped()),
        })
        .collect();
    all.sort_by_key(|&(a, b, _)| (a, b));
    all.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2.merge(&next.2);
        }
        same
    });
    all
}

/// The shortest way from a player back to itself over larger numbers only.
fn back_to(beats: &[Vec<usize>], from: usize) -> Option<Vec<usize>> {
    let mut before = vec![None; beats.len()];
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        for &to in &beats[at] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, PairTable};

    fn won(a: usize, b: usize, wins: u64, losses: u64) -> Pairing {
        let mut pairs = PairTable::default();
        pairs.0[2][2] = wins;
        pairs.0[0][0] = losses;
        Pairing { a, b, evidence: Evidence { pairs, ..Evidence::default() } }
    }

    #[test]
    fn a_cycle_is_found_and_an_order_is_not() {
        let order = [won(0, 1, 9, 1), won(1, 2, 9, 1), won(0, 2, 9, 1)];
        assert_eq!(shortest_cycle(3, &order, Confidence::P95), None);
        let cycle = [won(0, 1, 9, 1), won(2, 1, 1, 9), won(0, 2, 1, 9)];
        assert_eq!(shortest_cycle(3, &cycle, Confidence::P95), Some(vec![0, 1, 2]));
    }

    #[test]
    fn chance_results_make_no_cycle() {
        let close = [won(0, 1, 6, 4), won(1, 2, 6, 4), won(2, 0, 6, 4)];
        assert_eq!(shortest_cycle(3, &close, Confidence::P95), None);
        assert_eq!(shortest_cycle(0, &[], Confidence::P95), None);
    }

    #[test]
    fn evidence_in_both_orders_adds_up_and_lone_games_count() {
        let lone = |a, b, wins| {
            let lone_first = Counts([0, 0, wins]);
            Pairing { a, b, evidence: Evidence { lone_first, ..Evidence::default() } }
        };
        let games = [lone(3, 1, 20), won(1, 2, 4, 0), won(2, 1, 0, 9), won(2, 3, 9, 0)];
        assert_eq!(shortest_cycle(4, &games, Confidence::P95), Some(vec![1, 2, 3]));
    }
}
