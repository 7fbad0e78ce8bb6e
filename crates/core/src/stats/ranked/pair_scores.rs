//! The scores of two players against each other, over the rows in which both are a side of their own. They
//! assume no strengths. All rows of a group are one sample.

use std::collections::BTreeMap;

use super::super::Clusters;
use super::ranked_samples::{RankedSamples, RankedSide, StoredSide, StoredSides};

/// The score of a player against another.
#[derive(Clone, Debug, PartialEq)]
pub struct PairScore {
    /// The players; the score is that of the first one.
    pub players: [usize; 2],
    /// The number of rows with both.
    pub rows: u64,
    /// The mean score of each group; without groups, the score of each row.
    pub samples: Clusters,
}

/// The score of a player against another in a row: 1 if it has the better rank, ½ in a tie. `None` if
/// one of them has no side of its own.
pub fn score_in_row(sides: &[RankedSide], [a, b]: [usize; 2]) -> Option<f64> {
    let rank = |player| sides.iter().find(|side| side.members == [player]).map(|side| side.rank);
    Some(score(rank(a)?, rank(b)?))
}

fn score(rank: u32, other: u32) -> f64 {
    match rank.cmp(&other) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

impl RankedSamples {
    /// The scores of all pairs of players who met, by their numbers.
    pub fn pair_scores(&self) -> Vec<PairScore> {
        let mut all = BTreeMap::new();
        let mut in_group: BTreeMap<[usize; 2], (f64, u64)> = BTreeMap::new();
        let mut current = None;
        for (group, sides, count) in self.different_rows() {
            if group != current {
                end_group(std::mem::take(&mut in_group), &mut all);
                current = group;
            }
            for (players, score) in met(sides) {
                if group.is_some() {
                    let of = in_group.entry(players).or_default();
                    *of = (of.0 + count as f64 * score, of.1 + count);
                } else {
                    (0..count).for_each(|_| PairScore::of(players, &mut all).add(score, 1));
                }
            }
        }
        end_group(in_group, &mut all);
        all.into_values().collect()
    }
}

/// The players of a row who are a side of their own, each two with the score of the first one.
fn met(sides: StoredSides<'_>) -> Vec<([usize; 2], f64)> {
    let single: Vec<StoredSide<'_>> = sides.filter(|side| side.members.len() == 1).collect();
    let mut met = Vec::new();
    for (place, a) in single.iter().enumerate() {
        for b in &single[place + 1..] {
            let (a, b) = if a.members < b.members { (a, b) } else { (b, a) };
            let players = [a, b].map(|side| side.members[0] as usize);
            met.push((players, score(a.rank, b.rank)));
        }
    }
    met
}

/// Adds the samples of a group: the sum of the scores of each pair, and its rows.
fn end_group(
    in_group: BTreeMap<[usize; 2], (f64, u64)>,
    all: &mut BTreeMap<[usize; 2], PairScore>,
) {
    for (players, (sum, rows)) in in_group {
        PairScore::of(players, all).add(sum / rows as f64, rows);
    }
}

impl PairScore {
    fn of(players: [usize; 2], all: &mut BTreeMap<[usize; 2], Self>) -> &mut Self {
        let new = || PairScore { players, rows: 0, samples: Clusters::default() };
        all.entry(players).or_insert_with(new)
    }

    fn add(&mut self, mean: f64, rows: u64) {
        self.rows += rows;
        self.samples.add(mean, rows);
    }
}
