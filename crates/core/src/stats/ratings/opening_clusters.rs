//! The games of a rating list, in clusters that share an opening.

use std::borrow::Borrow;

use super::super::evidence::Evidence;
use super::PairingScore;

/// One game in the form that the models use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RatedGame {
    pub first: usize,
    pub second: usize,
    /// The first mover's result: 0 loss, 1 draw, 2 win.
    pub result: usize,
}

/// Games that share an opening and so are not independent: one game, or two with the sides
/// exchanged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cluster {
    /// The number of clusters of this kind; positive.
    pub count: f64,
    /// The first mover of the first game. The type is small because a large field has half a
    /// million clusters.
    first: u32,
    second: u32,
    /// The first mover's result of each game.
    results: [u8; 2],
    games: u8,
}

impl Cluster {
    /// The number of games that share the opening.
    pub fn len(&self) -> usize {
        self.games.into()
    }

    /// The games, starting with the one in which `first` moved first.
    pub fn games(self) -> impl Iterator<Item = RatedGame> {
        let [first, second] = [self.first, self.second].map(|player| player as usize);
        let movers = [(first, second), (second, first)];
        (movers.into_iter().zip(self.results).take(self.len()))
            .map(|((first, second), result)| RatedGame { first, second, result: result.into() })
    }
}

/// All clusters of the pairings: every opening pair and every single game.
pub(super) fn clusters<E: Borrow<Evidence>>(pairings: &[PairingScore<E>]) -> Vec<Cluster> {
    let mut all = Vec::new();
    for pairing in pairings.iter().filter(|p| p.a != p.b) {
        let (a, b, evidence) = (pairing.a as u32, pairing.b as u32, pairing.evidence.borrow());
        let mut add = |count: u64, first, second, results, games| {
            if count > 0 {
                all.push(Cluster { count: count as f64, first, second, results, games });
            }
        };
        for (cell, &count) in evidence.pairs.0.as_flattened().iter().enumerate() {
            add(count, a, b, [cell as u8 / 3, 2 - cell as u8 % 3], 2);
        }
        for (result, &count) in evidence.lone_first.0.iter().enumerate() {
            add(count, a, b, [result as u8, 0], 1);
        }
        for (result, &count) in evidence.lone_second.0.iter().enumerate() {
            add(count, b, a, [2 - result as u8, 0], 1);
        }
    }
    all
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
        let all = clusters(&[PairingScore { a: 4, b: 1, evidence: &evidence }]);
        let counts: Vec<f64> = all.iter().map(|c| c.count).collect();
        assert_eq!(counts, [7.0, 3.0, 2.0]);
        // A won when moving first and lost when moving second: both first movers won.
        assert!(all[0].games().all(|g| g.result == 2));
        // A won when moving second, so B lost when moving first.
        assert_eq!(all[2].games().next(), Some(RatedGame { first: 1, second: 4, result: 0 }));
    }
}
