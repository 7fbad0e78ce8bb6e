//! Move ordering: which move to try first.

use super::bitboard_geometry::Geometry;
use super::simd_words::Word;

pub const FEATURES: usize = 17;
/// Index of the weight of each line through the cell.
pub const LINES: usize = 14;
/// Index of the weight of a move with a forced reply.
pub const FORCED: usize = 15;
/// Index of the weight of the table's move.
pub const HINT: usize = 16;

/// The weights of the features of a position after a move. The unit is one sixteenth of a line
/// through the cell.
pub type OrderingWeights = [i32; FEATURES];

/// Four sets of weights. The first index: whether the player to move gets the upper cells of each pair
/// by following. The second index: whether the search asks if this player wins.
pub type WeightSets = [[OrderingWeights; 2]; 2];

/// The features of a position after a move. `mine` belongs to the player who moved.
pub struct After<W> {
    /// The cells where the player who moved would complete a line.
    pub mine: W,
    /// The cells where the other player would complete a line.
    pub theirs: W,
    /// The cells in lines that the player who moved can still complete.
    pub my_open: W,
    /// The cells in lines that the other player can still complete.
    pub their_open: W,
    pub empty: W,
    pub play: W,
    pub replies: W,
    /// Lines that refute a strategy of the player who moved.
    pub against_me: W,
    /// Lines that refute a strategy of the other player.
    pub against_them: W,
}

impl<W: Word> After<W> {
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

/// How promising a move is, from the position after it: larger is better. The value is the lower
/// half of each lane, as a signed number.
#[inline(always)]
pub fn move_score<W: Word>(weights: &OrderingWeights, good: u64, after: &After<W>) -> W {
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

/// The number of lines of four through each cell of an empty board.
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
