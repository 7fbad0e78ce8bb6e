//! The games behind a rating, in clusters that share an opening.

use super::super::counts::Trinomial;
use super::Pairing;

/// One game as the models see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Game {
    pub first: usize,
    pub second: usize,
    /// The first mover's result: 0 loss, 1 draw, 2 win.
    pub result: usize,
}

/// Games that share an opening and so are not independent of each other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cluster {
    /// How many such clusters there are; positive.
    pub count: f64,
    pub games: Vec<Game>,
}

/// All clusters of the pairings: every opening pair, and every lone game.
pub(super) fn clusters(pairings: &[Pairing]) -> Vec<Cluster> {
    let mut all = Vec::new();
    for &Pairing { a, b, evidence } in pairings.iter().filter(|p| p.a != p.b) {
        let a_first = |result| Game { first: a, second: b, result };
        let b_first = |result: usize| Game { first: b, second: a, result: 2 - result };
        let mut add = |count: u64, games: Vec<Game>| {
            if count > 0 {
                all.push(Cluster { count: count as f64, games });
            }
        };
        for (i, row) in evidence.pairs.0.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                add(count, vec![a_first(i), b_first(j)]);
            }
        }
        let mut lone = |games: Trinomial, game: &dyn Fn(usize) -> Game| {
            for (result, &count) in games.0.iter().enumerate() {
                add(count, vec![game(result)]);
            }
        };
        lone(evidence.lone_first, &a_first);
        lone(evidence.lone_second, &b_first);
    }
    all
}

/// The given number of drawn games in every pairing that was played, half of
/// them in either order: a prior that makes every connected rating finite.
pub(super) fn virtual_draws(pairings: &[Pairing], draws: f64) -> Vec<Cluster> {
    let mut played: Vec<(usize, usize)> = pairings
        .iter()
        .filter(|p| p.a != p.b && !p.evidence.is_empty())
        .map(|p| (p.a.min(p.b), p.a.max(p.b)))
        .collect();
    played.sort_unstable();
    played.dedup();
    let one = |first, second| Cluster {
        count: draws / 2.0,
        games: vec![Game { first, second, result: 1 }],
    };
    played.into_iter().filter(|_| draws > 0.0).flat_map(|(a, b)| [one(a, b), one(b, a)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, Evidence, PairTable};

    #[test]
    fn pairs_stay_together_and_lone_games_stand_alone() {
        let evidence = Evidence {
            pairs: PairTable([[0, 0, 0], [0, 0, 0], [7, 0, 0]]),
            lone_first: Counts([0, 3, 0]),
            lone_second: Counts([0, 0, 2]),
        };
        let all = clusters(&[Pairing { a: 4, b: 1, evidence }]);
        let counts: Vec<f64> = all.iter().map(|c| c.count).collect();
        assert_eq!(counts, [7.0, 3.0, 2.0]);
        // A won moving first and lost moving second: both first movers won.
        assert!(all[0].games.iter().all(|g| g.result == 2));
        // A won moving second, so B lost moving first.
        assert_eq!(all[2].games[0], Game { first: 1, second: 4, result: 0 });
    }
}
