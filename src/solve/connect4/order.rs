//! Which move to try first.

use super::geometry::Geometry;
use super::word::Word;

/// How many features there are.
pub const FEATURES: usize = 17;
/// The weight of each line through the cell.
pub const LINES: usize = 14;
/// The weight of a move whose reply is forced.
pub const FORCED: usize = 15;
/// The weight of the table's move.
pub const HINT: usize = 16;

/// What the features of a position after a move weigh, in sixteenths of a line through the
/// cell.
pub type Weights = [i32; FEATURES];

/// A position after a move, as the ordering sees it: the player who moved is `mine`.
pub struct After<W> {
    /// Where the player who moved would complete a line.
    pub mine: W,
    /// Where the other player would.
    pub theirs: W,
    /// The cells in lines that the player who moved could still complete.
    pub my_open: W,
    /// The cells in lines that the other player could still complete.
    pub their_open: W,
    /// Free cells.
    pub empty: W,
    /// Where a stone can fall.
    pub play: W,
    /// The other player's sane replies.
    pub replies: W,
    /// Lines against a strategy of the player who moved.
    pub against_me: W,
    /// Lines against a strategy of the other player.
    pub against_them: W,
}

impl<W: Word> After<W> {
    /// The same from the other player's side, who has just moved.
    #[inline(always)]
    pub fn reversed(self) -> Self {
        After {
            mine: self.theirs,
            theirs: self.mine,
            my_open: self.their_open,
            their_open: self.my_open,
            replies: W::all(0),
            against_me: self.against_them,
            against_them: self.against_me,
            ..self
        }
    }
}

/// How promising a move is, from the position after it: larger is better. The lower half of
/// each lane, as a number with a sign.
#[inline(always)]
pub fn promise<W: Word>(weights: &Weights, good: u64, after: &After<W>) -> W {
    let wins = after.mine & after.empty;
    let theirs = after.theirs & after.empty;
    let useful = wins.without(theirs.left(1));
    let feared = theirs.without(wins.left(1));
    let good = W::all(good);
    let features = [
        useful,
        useful & good,
        useful & after.play.left(1),
        useful & after.play.left(2),
        wins & wins.left(1),
        wins,
        feared,
        feared.without(good),
        after.replies,
        after.my_open & after.empty,
        after.their_open & after.empty,
        feared & after.play.left(1),
        after.against_me,
        after.against_them,
    ];
    let mut sum = W::all(0);
    for (feature, &weight) in features.into_iter().zip(weights) {
        sum = sum.plus(feature.count().times(weight as u32));
    }
    sum
}

/// How many lines of four pass through each cell of an empty board.
pub fn lines_through<G: Geometry>(board: &G) -> [u8; 64] {
    let mut lines = [0; 64];
    for step in [1, board.stride() - 1, board.stride(), board.stride() + 1] {
        for first in 0..64 {
            let line = [0, 1, 2, 3].map(|i| first + i * step);
            if line.iter().all(|&i| i < 64 && board.cells() >> i & 1 == 1) {
                line.iter().for_each(|&i| lines[i as usize] += 1);
            }
        }
    }
    lines
}
