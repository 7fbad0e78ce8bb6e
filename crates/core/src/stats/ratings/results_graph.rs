//! Graphs of results: which players can be compared with each other.
//!
//! A finite rating exists within a group if and only if every player can be reached from every
//! other along edges "scored at least half a point against": L. R. Ford, "Solution of a Ranking
//! Problem from Binary Comparisons" (1957).

use std::borrow::Borrow;

use super::super::evidence::Evidence;
use super::PairingScore;
use super::opening_clusters::{Cluster, RatedGame, clusters};

/// The strongly connected components of the graph "scored at least half a point against". Each
/// component is sorted, and the components are in the order of their first player.
pub fn strong_components<E: Borrow<Evidence>>(
    players: usize,
    pairings: &[PairingScore<E>],
) -> Vec<Vec<usize>> {
    let mut reaches = vec![Vec::new(); players];
    for RatedGame { first, second, result } in games(players, &clusters(pairings)) {
        if result > 0 {
            reaches[first].push(second as u32);
        }
        if result < 2 {
            reaches[second].push(first as u32);
        }
    }
    strongly_connected(&reaches)
}

/// The strongly connected components of a graph, given by the successors of each node. The time is
/// linear in the number of edges: S. Kosaraju's algorithm (M. Sharir 1981).
pub(crate) fn strongly_connected(reaches: &[Vec<u32>]) -> Vec<Vec<usize>> {
    let mut reached = vec![Vec::new(); reaches.len()];
    for (from, all) in reaches.iter().enumerate() {
        all.iter().for_each(|&to| reached[to as usize].push(from as u32));
    }
    // Nodes in depth-first post-order.
    let (mut left, mut seen) = (Vec::new(), vec![false; reaches.len()]);
    for root in 0..reaches.len() {
        let mut open = vec![(root, 0)];
        while let Some((at, next)) = open.pop() {
            if next == 0 && std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match reaches[at].get(next) {
                Some(&to) => open.extend([(at, next + 1), (to as usize, 0)]),
                None => left.push(at),
            }
        }
    }
    components(&reached, left.into_iter().rev())
}

/// Whether these games separate the first-move advantage from strength, for players that are
/// strongly connected.
///
/// They do not if some change of all ratings, together with a larger (or a smaller) advantage,
/// explains every game at least as well. Such a change is a set of numbers `d` with these
/// constraints on `d_first - d_second`. It is `>= -1` for every game in which the first mover
/// scored at least half a point. It is `<= -1` for every game in which the first mover lost at
/// least half a point. Constraints of this form have a solution unless they contain a negative
/// cycle. The Bellman-Ford algorithm finds such a cycle.
pub fn first_mover_is_identified<E: Borrow<Evidence>>(
    players: usize,
    pairings: &[PairingScore<E>],
) -> bool {
    let clusters = clusters(pairings);
    games(players, &clusters).next().is_some()
        && [1, -1].iter().all(|&worth| has_negative_cycle(players, &clusters, worth))
}

/// Whether there is a cycle of edges whose bounds have a negative sum. Bounds are at least -1.
fn has_negative_cycle(players: usize, clusters: &[Cluster], worth: i8) -> bool {
    // An edge (from, to, bound) means d_to <= d_from + bound.
    let mut edges = Vec::new();
    for game in games(players, clusters) {
        let [first, second] = [game.first as u32, game.second as u32];
        if game.result > 0 {
            edges.push((first, second, worth));
        }
        if game.result < 2 {
            edges.push((second, first, -worth));
        }
    }
    let mut d = vec![0_i64; players];
    for _ in 0..=players {
        let mut changed = false;
        for &(from, to, bound) in &edges {
            let (from, to, bound) = (from as usize, to as usize, i64::from(bound));
            if d[from] + bound < d[to] {
                d[to] = d[from] + bound;
                changed = true;
                // A path without repeated players has fewer edges than there are players.
                if d[to] <= -(players as i64) {
                    return true;
                }
            }
        }
        if !changed {
            return false;
        }
    }
    true
}

/// One game of each kind that was played. Players with larger numbers are ignored.
fn games(players: usize, clusters: &[Cluster]) -> impl Iterator<Item = RatedGame> {
    let games = clusters.iter().flat_map(|cluster| cluster.games());
    games.filter(move |game| game.first < players && game.second < players)
}

/// Sorted groups of nodes reachable from the nodes in `from`, in the order of `from`. A node
/// belongs to the first group that reaches it.
fn components(edges: &[Vec<u32>], from: impl Iterator<Item = usize>) -> Vec<Vec<usize>> {
    let mut placed = vec![false; edges.len()];
    let mut all = Vec::new();
    for root in from {
        if std::mem::replace(&mut placed[root], true) {
            continue;
        }
        let (mut group, mut next) = (vec![root], 0);
        while let Some(&at) = group.get(next) {
            next += 1;
            for &to in &edges[at] {
                if !std::mem::replace(&mut placed[to as usize], true) {
                    group.push(to as usize);
                }
            }
        }
        group.sort();
        all.push(group);
    }
    all.sort();
    all
}
