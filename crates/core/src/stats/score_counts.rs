//! Counts of equally spaced scores: a trinomial for single games, a pentanomial for pairs, or any
//! other number of scores.

use super::elo::{self, NORMALIZED_ELO_PER_SIGMA};
use super::wilson_interval;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::mle_given_mean::{score, sum};

/// The number of samples with each of the `K` equally spaced scores `0, 1/(K-1), .., 1`.
///
/// The samples must be independent: single games if games are independent, opening pairs if the
/// two games of a pair share an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counts<const K: usize>(pub [u64; K]);

/// Losses, draws and wins of single games.
pub type Trinomial = Counts<3>;

/// Opening pairs by their score over both games: 0, ½, 1, 1½ and 2 points.
pub type Pentanomial = Counts<5>;

impl<const K: usize> Default for Counts<K> {
    fn default() -> Self {
        Self([0; K])
    }
}

impl<const K: usize> Counts<K> {
    const SHAPE: () = assert!(K >= 2, "a scale of scores needs two points");

    /// The number of samples: games of a trinomial, pairs of a pentanomial. Sums above `u64::MAX`
    /// stay at `u64::MAX`.
    pub fn n(&self) -> u64 {
        self.0.iter().fold(0, |sum, &c| sum.saturating_add(c))
    }

    /// Whether there are no samples.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&c| c == 0)
    }

    /// The score of cell `i`, in `[0, 1]`.
    pub fn value(i: usize) -> f64 {
        let () = Self::SHAPE;
        score(i, K)
    }

    /// The fraction of samples in each cell. `None` without samples.
    pub(super) fn frequencies(&self) -> Option<Vec<f64>> {
        let n = total(&self.0);
        (n > 0).then(|| self.0.iter().map(|&c| c as f64 / n as f64).collect())
    }

    /// The mean score per game in `[0, 1]`. `None` without samples.
    pub fn mean(&self) -> Option<f64> {
        let () = Self::SHAPE;
        mean(&self.0)
    }

    /// The variance of one sample around the mean, divided by `n` and not by `n - 1`, in
    /// `[0, 1/4]`. `None` without samples.
    pub fn variance(&self) -> Option<f64> {
        let (mean, p) = (self.mean()?, self.frequencies()?);
        Some(sum(K, &|i| p[i] * (Self::value(i) - mean).powi(2)))
    }

    /// The logistic Elo difference whose expected score is the mean score. `None` without samples
    /// and if the mean is 0 or 1.
    pub fn elo(&self) -> Option<f64> {
        elo::from_score(self.mean()?)
    }

    /// The same counts from the side of the opponent.
    pub fn flipped(&self) -> Self {
        let mut cells = self.0;
        cells.reverse();
        Self(cells)
    }

    /// Adds the samples of `other`. Sums above `u64::MAX` stay at `u64::MAX`.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = mine.saturating_add(theirs);
        }
    }

    /// These samples and those of `other`.
    pub fn plus(mut self, other: &Self) -> Self {
        self.merge(other);
        self
    }

    /// Normalized Elo if a sample consists of `games` games: `C (s - ½) / σ` with σ² the variance
    /// per game.
    ///
    /// M. Van den Bergh, "Normalized Elo"; `C` is [`NORMALIZED_ELO_PER_SIGMA`].
    fn normalized(&self, games: f64) -> Option<f64> {
        let sigma = (games * self.variance()?).sqrt();
        (sigma > 0.0).then_some(())?;
        Some(NORMALIZED_ELO_PER_SIGMA * (self.mean()? - 0.5) / sigma)
    }
}

fn total(cells: &[u64]) -> u128 {
    let mut total = 0;
    cells.iter().for_each(|&count| total += u128::from(count));
    total
}

fn mean(cells: &[u64]) -> Option<f64> {
    let (n, mut points) = (total(cells), 0);
    for (i, &count) in cells.iter().enumerate() {
        points += i as u128 * u128::from(count);
    }
    (n > 0).then(|| points as f64 / (n as f64 * (cells.len() - 1) as f64))
}

/// The count of an empty cell. It keeps every distribution possible and is too small to change a
/// verdict. One half, as in some programs, costs up to half as many games more.
const EMPTY_CELL: f64 = 1e-3;

/// The counts with [`EMPTY_CELL`] in place of zero, and the fraction of samples in each cell.
pub(super) fn regularized(counts: &[u64]) -> (Vec<f64>, Vec<f64>) {
    let filled = |&count: &u64| if count == 0 { EMPTY_CELL } else { count as f64 };
    let cells: Vec<f64> = counts.iter().map(filled).collect();
    let n: f64 = cells.iter().sum();
    let p = cells.iter().map(|cell| cell / n).collect();
    (cells, p)
}

impl Trinomial {
    /// Counts of losses, draws and wins.
    pub fn of(losses: u64, draws: u64, wins: u64) -> Self {
        Self([losses, draws, wins])
    }

    pub fn losses(&self) -> u64 {
        self.0[0]
    }

    pub fn draws(&self) -> u64 {
        self.0[1]
    }

    pub fn wins(&self) -> u64 {
        self.0[2]
    }

    /// The lower end of the Wilson interval of the draw ratio. `None` without games.
    pub fn least_draw_ratio(&self, confidence: Confidence) -> Option<f64> {
        let interval = wilson_interval::wilson(self.draws() as f64, self.n() as f64, confidence)?;
        Some(interval.lo)
    }

    /// Normalized Elo. `None` without games and if all results are equal.
    pub fn normalized_elo(&self) -> Option<f64> {
        self.normalized(1.0)
    }
}

impl Pentanomial {
    /// The number of pairs won per pair lost. `None` if no pair was lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let lost = self.0[0] as f64 + self.0[1] as f64;
        (lost > 0.0).then(|| (self.0[4] as f64 + self.0[3] as f64) / lost)
    }

    /// Normalized Elo. `None` without pairs and if all pairs have the same score.
    pub fn normalized_elo(&self) -> Option<f64> {
        self.normalized(2.0)
    }
}
