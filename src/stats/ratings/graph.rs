//! Who can be compared with whom.
//!
//! A finite rating exists within a group if and only if every player of it can
//! be reached from every other along "took at least half a point off": L. R.
//! Ford, "Solution of a Ranking Problem from Binary Comparisons" (1957).

use super::Pairing;
use super::clusters::{Game, clusters};

/// The strongly connected components of the graph "took at least half a point
/// off", each sorted, the components in order of their first player.
pub fn strong_components(players: usize, pairings: &[Pairing]) -> Vec<Vec<usize>> {
    let mut reaches = vec![Vec::new(); players];
    let mut reached = vec![Vec::new(); players];
    for Game { first, second, result } in games(players, pairings) {
        if result > 0 {
            reaches[first].push(second);
            reached[second].push(first);
        }
        if result < 2 {
            reaches[second].push(first);
            reached[first].push(second);
        }
    }
    collect(players, |from| {
        let forth = reachable(&reaches, from);
        let back = reachable(&reached, from);
        (0..players).map(|i| forth[i] && back[i]).collect()
    })
}

/// The groups of players that are connected by games at all, each sorted, the
/// groups in order of their first player.
pub fn weak_components(players: usize, pairings: &[Pairing]) -> Vec<Vec<usize>> {
    let mut met = vec![Vec::new(); players];
    for Game { first, second, .. } in games(players, pairings) {
        met[first].push(second);
        met[second].push(first);
    }
    collect(players, |from| reachable(&met, from))
}

/// Whether these games tell a worth of the first move from strength, for players
/// that are strongly connected.
///
/// It is not told when some change of all ratings together with a larger (or a
/// smaller) worth explains every game at least as well: when numbers `d` exist
/// with `d_first - d_second >= -1` for every game in which the first mover took
/// half a point or more and `<= -1` for every game in which it lost as much. Such
/// constraints between differences can be met unless they contain a negative
/// cycle, which the method of Bellman and Ford finds.
pub fn first_mover_is_identified(players: usize, pairings: &[Pairing]) -> bool {
    let games: Vec<Game> = games(players, pairings).collect();
    if games.is_empty() {
        return false;
    }
    [1, -1].into_iter().all(|worth| {
        // An edge (from, to, bound) says d_to <= d_from + bound.
        let edges = games.iter().flat_map(|g| {
            let took = (g.result > 0).then_some((g.first, g.second, worth));
            let gave = (g.result < 2).then_some((g.second, g.first, -worth));
            [took, gave].into_iter().flatten()
        });
        has_negative_cycle(players, &edges.collect::<Vec<_>>())
    })
}

fn has_negative_cycle(players: usize, edges: &[(usize, usize, i64)]) -> bool {
    let mut d = vec![0_i64; players];
    for _ in 0..=players {
        let mut changed = false;
        for &(from, to, bound) in edges {
            if d[from] + bound < d[to] {
                d[to] = d[from] + bound;
                changed = true;
            }
        }
        if !changed {
            return false;
        }
    }
    true
}

/// One game of each kind that was played; players beyond the count are left out.
fn games(players: usize, pairings: &[Pairing]) -> impl Iterator<Item = Game> {
    clusters(pairings)
        .into_iter()
        .flat_map(|cluster| cluster.games)
        .filter(move |g| g.first < players && g.second < players)
}

fn reachable(edges: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![from];
    seen[from] = true;
    while let Some(at) = open.pop() {
        for &to in &edges[at] {
            if !seen[to] {
                seen[to] = true;
                open.push(to);
            }
        }
    }
    seen
}

fn collect(players: usize, mates: impl Fn(usize) -> Vec<bool>) -> Vec<Vec<usize>> {
    let mut placed = vec![false; players];
    let mut all = Vec::new();
    for from in 0..players {
        if !placed[from] {
            let group = mates(from);
            let group: Vec<usize> = (0..players).filter(|&i| group[i]).collect();
            for &member in &group {
                placed[member] = true;
            }
            all.push(group);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, Evidence, PairTable};

    fn first(a: usize, b: usize, losses: u64, draws: u64, wins: u64) -> Pairing {
        let lone_first = Counts([losses, draws, wins]);
        Pairing { a, b, evidence: Evidence { lone_first, ..Evidence::default() } }
    }

    #[test]
    fn nobody_and_strangers() {
        assert!(strong_components(0, &[]).is_empty());
        assert_eq!(strong_components(2, &[]), [[0], [1]]);
        assert_eq!(weak_components(3, &[first(2, 0, 1, 0, 0)]), [vec![0, 2], vec![1]]);
        assert!(!first_mover_is_identified(2, &[]));
    }

    #[test]
    fn a_cycle_of_wins_connects() {
        let cycle = [first(0, 1, 0, 0, 9), first(1, 2, 0, 0, 9), first(2, 0, 0, 0, 9)];
        assert_eq!(strong_components(3, &cycle), [[0, 1, 2]]);
        // Everything is explained by the first move alone.
        assert!(!first_mover_is_identified(3, &cycle));
    }

    #[test]
    fn a_first_move_played_from_one_side_only_is_not_told_from_strength() {
        assert!(!first_mover_is_identified(2, &[first(0, 1, 5, 0, 7)]));
        let both = [first(0, 1, 5, 0, 7), first(1, 0, 3, 0, 9)];
        assert!(first_mover_is_identified(2, &both));
    }

    #[test]
    fn a_first_mover_who_always_wins_has_no_finite_worth() {
        let pairs = PairTable([[0, 0, 0], [0, 0, 0], [50, 0, 0]]);
        let evidence = Evidence { pairs, ..Evidence::default() };
        let always = [Pairing { a: 0, b: 1, evidence }];
        assert_eq!(strong_components(2, &always), [[0, 1]]);
        assert!(!first_mover_is_identified(2, &always));
    }
}
