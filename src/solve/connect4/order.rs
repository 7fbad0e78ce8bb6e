//! Which move to try first.

use super::geometry::Geometry;
use super::word::Word;

/// What the features of a position after a move weigh.
#[derive(Clone, Copy, Debug)]
pub struct Weights(pub [u32; 12]);

/// Features per player to move: whether the mover gets the upper cells by following, and
/// whether the question is if the mover wins.
pub fn weights(_upper: bool, _attacks: bool) -> Weights {
    Weights([16, 4, 4, 4, 2, 2, 8, 4, 0, 0, 0, 1])
}

/// How promising a move is, from the position after it: larger is better. Never negative.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub fn promise<G: Geometry, W: Word>(
    board: &G,
    weights: &Weights,
    good: u64,
    mine: W,
    mine_wins: W,
    their_wins: W,
    empty: W,
    play: W,
) -> W {
    let w = &weights.0;
    let _ = mine;
    let wins = mine_wins & empty;
    let theirs = their_wins & empty;
    let useful = wins.without(theirs.left(1));
    let good = W::all(good);
    let mut sum = W::all(1 << 12);
    sum = sum.plus(useful.count().times(w[0]));
    sum = sum.plus((useful & good).count().times(w[1]));
    sum = sum.plus((useful & play.left(1)).count().times(w[2]));
    sum = sum.plus((useful & play.left(2)).count().times(w[3]));
    sum = sum.plus((wins & wins.left(1)).count().times(w[4]));
    sum = sum.plus(wins.count().times(w[5]));
    let feared = theirs.without(wins.left(1));
    sum = sum.minus(feared.count().times(w[6]));
    sum = sum.minus(feared.without(good).count().times(w[7]));
    let _ = board;
    sum
}
