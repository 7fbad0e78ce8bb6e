//! Repeated openings: agents with random numbers play new games from them, but all these games are
//! evidence about the same opening only.

use crate::stats::Clusters;
use std::collections::BTreeMap;

/// Distinct pairs by pairing and opening, in bounded memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpeningPairs {
    /// For each pairing and each of its openings: the number of pairs, and the sum of the first
    /// agent's scores in them, from 0 to 1 each. A schedule takes the openings in their order.
    pairings: Vec<BTreeMap<u64, (u32, f64)>>,
    /// The number of openings of all pairings together.
    openings: usize,
    full: bool,
}

/// The pairs of a pairing with repeated openings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepeatedOpenings {
    /// Distinct pairs.
    pub pairs: u64,
    /// The openings of these pairs. Each opening counts once, with the mean score of its pairs.
    pub openings: Clusters,
}

impl OpeningPairs {
    /// The maximum number of separate openings, which take 20 MB. Above this limit, there is no
    /// result for any opening.
    const MOST: usize = 1 << 18;

    pub fn add(&mut self, pairing: u32, opening: u64, score: f64) {
        if self.full {
            return;
        }
        let pairing = pairing as usize;
        if self.pairings.len() <= pairing {
            self.pairings.resize_with(pairing + 1, BTreeMap::default);
        }
        let openings = &mut self.pairings[pairing];
        if !openings.contains_key(&opening) {
            if self.openings == Self::MOST {
                *self = OpeningPairs { full: true, ..OpeningPairs::default() };
                return;
            }
            self.openings += 1;
        }
        let (pairs, sum) = openings.entry(opening).or_default();
        *pairs = pairs.saturating_add(1);
        *sum += score;
    }

    /// The pairs of a pairing (from 1) by opening; `None` if each opening has only one pair, or if
    /// there are too many openings.
    pub fn repeated(&self, pairing: u32) -> Option<RepeatedOpenings> {
        if self.full {
            return None;
        }
        let mut repeated = RepeatedOpenings { pairs: 0, openings: Clusters::default() };
        for (pairs, sum) in self.pairings.get(pairing as usize)?.values() {
            repeated.pairs += u64::from(*pairs);
            repeated.openings.add(sum / f64::from(*pairs), 2 * u64::from(*pairs));
        }
        (repeated.pairs > repeated.openings.n).then_some(repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_has_one_vote_however_often_it_was_played() {
        let mut again = OpeningPairs::default();
        for (opening, score) in [(1, 1.0), (2, 0.5), (1, 0.5)] {
            again.add(1, opening, score);
        }
        again.add(2, 1, 0.25);
        let found = again.repeated(1).expect("an opening came again");
        assert_eq!((found.pairs, found.openings.n), (3, 2));
        assert_eq!(found.openings.mean(), Some((0.75 + 0.5) / 2.0));
        assert_eq!(again.repeated(2), None);
        for opening in 0..=OpeningPairs::MOST as u64 {
            again.add(3, opening, 0.5);
        }
        assert_eq!((again.repeated(1), again.openings, again.full), (None, 0, true));
    }
}
