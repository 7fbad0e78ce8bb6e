//! The results of two agents against each other: opening pairs and single games.

use super::score_counts::{Counts, Pentanomial, Trinomial};

/// The result of a game from the side of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameScore {
    /// The game was lost: 0 points.
    Loss = 0,
    /// The game was drawn: half a point.
    Draw = 1,
    /// The game was won: 1 point.
    Win = 2,
}

impl GameScore {
    /// The same result from the side of the opponent.
    pub fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Opening pairs of A against B. A pair is one opening played twice with the sides exchanged. Cell
/// `[i][j]` counts the pairs in which A got `i` when A moved first and `j` when A moved second (0
/// loss, 1 draw, 2 win).
///
/// ```
/// # use agon_core as agon;
/// use agon::stats::GameScore::{Draw, Loss, Win};
/// use agon::stats::{Confidence, PairTable};
///
/// let mut pairs = PairTable::default();
/// for _ in 0..30 {
///     pairs.add(Win, Draw);
///     pairs.add(Win, Loss);
/// }
/// // A point and a half of two, and one of two.
/// assert_eq!(pairs.strength().mean(), Some(0.625));
/// let score = pairs.strength().interval(Confidence::P95).unwrap();
/// let elo = score.elo().lo().unwrap();
/// assert!(score.lo > 0.58 && elo > 59.0, "{score:?} {elo}");
/// // The first mover won 30 pairs by a point and a half, and 30 by both games.
/// assert_eq!(pairs.first_mover().mean(), Some(0.875));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairTable(pub [[u64; 3]; 3]);

impl PairTable {
    /// Counts one pair by A's results in the two games: first the game in which A moved first,
    /// then the other.
    pub fn add(&mut self, moving_first: GameScore, moving_second: GameScore) {
        let cell = &mut self.0[moving_first as usize][moving_second as usize];
        *cell = cell.saturating_add(1);
    }

    /// Adds the pairs of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (cell, theirs) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *cell = cell.saturating_add(*theirs);
        }
    }

    /// The number of pairs.
    pub fn n(&self) -> u64 {
        self.strength().n()
    }

    /// Pairs by A's score over both games. They show who is stronger.
    pub fn strength(&self) -> Pentanomial {
        self.collect(&|i, j| i + j)
    }

    /// Pairs by the score of the first mover over both games. They show the first-move advantage.
    /// To first order the strength of the players cancels, because each of them moved first once.
    pub fn first_mover(&self) -> Pentanomial {
        self.collect(&|i, j| i + 2 - j)
    }

    /// A's results in the games in which it moved first.
    pub fn moving_first(&self) -> Trinomial {
        self.collect(&|i, _| i)
    }

    /// A's results in the games in which it moved second.
    pub fn moving_second(&self) -> Trinomial {
        self.collect(&|_, j| j)
    }

    /// All games by A's result.
    pub fn games(&self) -> Trinomial {
        self.moving_first().plus(&self.moving_second())
    }

    /// The same pairs from the side of B.
    pub fn flipped(&self) -> Self {
        let mut flipped = Self::default();
        for (i, row) in self.0.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                flipped.0[2 - j][2 - i] = count;
            }
        }
        flipped
    }

    /// The correlation between A's results in the two games of a pair, in `[-1, 1]`:
    /// `2 v5 / v3 - 1` with the variances of pairs and of games. It is negative if openings favour
    /// one side. `None` without games and if all games have the same result.
    pub fn intra_pair_correlation(&self) -> Option<f64> {
        let games = self.games().variance()?;
        (games > 0.0).then_some(())?;
        Some((2.0 * self.strength().variance()? / games - 1.0).clamp(-1.0, 1.0))
    }

    /// The number of pairs with one win each per pair of two draws. Both kinds of pairs are even.
    /// `None` without a pair of two draws.
    pub fn split_ratio(&self) -> Option<f64> {
        let split = self.0[0][2] as f64 + self.0[2][0] as f64;
        let drawn = self.0[1][1] as f64;
        (drawn > 0.0).then(|| split / drawn)
    }

    fn collect<const K: usize>(&self, cell: &dyn Fn(usize, usize) -> usize) -> Counts<K> {
        let mut counts = Counts::default();
        for (i, row) in self.0.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                let into = &mut counts.0[cell(i, j)];
                *into = count.saturating_add(*into);
            }
        }
        counts
    }
}

/// All results of A against B: the complete pairs and, separately, the games without a partner.
/// All are from the side of A.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evidence {
    /// The complete pairs.
    pub pairs: PairTable,
    /// Games without a partner in which A moved first.
    pub lone_first: Trinomial,
    /// Games without a partner in which A moved second.
    pub lone_second: Trinomial,
}

impl Evidence {
    /// Adds the results of `other`. They must be of the same two agents in the same order.
    pub fn merge(&mut self, other: &Self) {
        self.pairs.merge(&other.pairs);
        self.lone_first.merge(&other.lone_first);
        self.lone_second.merge(&other.lone_second);
    }

    /// The same results from the side of B.
    pub fn flipped(&self) -> Self {
        Self {
            pairs: self.pairs.flipped(),
            lone_first: self.lone_second.flipped(),
            lone_second: self.lone_first.flipped(),
        }
    }

    /// The number of games without a partner.
    pub fn lone_games(&self) -> u64 {
        self.lone_first.n() + self.lone_second.n()
    }

    /// The same games, each as a sample of its own.
    pub fn without_pairs(&self) -> Self {
        Self {
            pairs: PairTable::default(),
            lone_first: self.moving_first(),
            lone_second: self.moving_second(),
        }
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.games().is_empty()
    }

    /// A's results when moving first, in pairs and single games.
    pub fn moving_first(&self) -> Trinomial {
        self.pairs.moving_first().plus(&self.lone_first)
    }

    /// A's results when moving second, in pairs and single games.
    pub fn moving_second(&self) -> Trinomial {
        self.pairs.moving_second().plus(&self.lone_second)
    }

    /// A's results in all games without regard to pairs: wins, draws and losses. For confidence
    /// intervals use [`PairTable::strength`] instead.
    pub fn games(&self) -> Trinomial {
        self.moving_first().plus(&self.moving_second())
    }

    /// The results of the first mover in all games, without regard to pairs.
    pub fn first_mover_games(&self) -> Trinomial {
        self.moving_first().plus(&self.moving_second().flipped())
    }
}
