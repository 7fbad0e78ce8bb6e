//! Proofs by strategy: the guaranteed score of a player who answers in the same column.
//!
//! A *follower* answers each stone of the other player with a stone on top of it. Pairs of cells
//! are counted from the highest row down, and the follower gets the upper cell of every pair. On a
//! board with six rows these are the even rows (V. Allis, "A Knowledge-based Approach of
//! Connect-Four", 1988: *claimeven*). The other player can get at most all lower cells. If those
//! cells and the stones already on the board contain no line, the follower cannot lose. If an
//! upper cell completes a line of the follower, the other player must finally play below it and
//! loses. Cells above such a cell are never reached.
//!
//! This needs an even number of free cells in every column. Columns with an odd number are paired:
//! when the other player takes the lowest free cell of one, the follower takes the lowest free
//! cell of its partner (*baseinverse*). Then both columns are even. The other player gets one of
//! these two cells. So the proof holds if neither of them makes a line with the lower cells. A
//! follower who moves first makes one odd column even with that move.
//!
//! With an odd number of odd columns, the follower may have a winning *lower* cell in one of them.
//! The follower then claims this column. Each stone in it is answered too, so the follower gets
//! its lower cells. All other columns fill up in pairs. At last the other player must open the
//! claimed column and loses (the *odd threat* of the first player on a board with six rows).
//!
//! Vertical lines count too: only on the bases of paired columns can the other player have two
//! stones on top of each other.

use super::bitboard_geometry::Geometry;
use super::simd_words::Word;

/// The input of the proof, from the side of the follower.
pub struct StrategyProof<W> {
    pub enemy: W,
    /// The cells, taken or not, where the follower would complete a line.
    pub wins: W,
    pub empty: W,
    pub play: W,
}

/// The lowest cell of a set in each column; the guard bit where there is none.
#[inline(always)]
fn lowest_in_columns<G: Geometry, W: Word>(board: &G, set: W) -> W {
    let guarded = set | W::all(board.guards());
    guarded.without(guarded.minus(W::all(board.bottoms())))
}

#[derive(Clone, Copy)]
pub struct Guarantee<W> {
    /// One more than the guaranteed score of the follower, or 0 without a proof.
    pub score: W,
    /// The first cells of lines that refute the proof.
    pub against: W,
}

/// The guaranteed score of the follower.
///
/// `claims`: whether the follower claims a column with a winning lower cell. `moves`: whether the
/// follower is to move. Both are constants where this is inlined. The number of odd columns must be
/// even if they are equal, otherwise odd. Without the claimed column and after the follower's move
/// it is then even.
#[inline(always)]
fn guarantee<G: Geometry, W: Word>(
    board: &G,
    plan: &StrategyProof<W>,
    claims: bool,
    moves: bool,
) -> Guarantee<W> {
    let (upper, lower) = (W::all(board.upper()), W::all(board.lower()));
    let guards = W::all(board.guards());
    let odd = plan.play & upper;

    // The claimed column: that of the first winning lower cell over an odd base.
    let (mut column, mut target, mut over) = (W::all(0), W::all(0), W::all(0));
    if claims {
        let reach = guards.minus(odd) & W::all(board.cells());
        target = (plan.wins & plan.empty & lower & reach).lowest();
        over = (guards.minus(target) & W::all(board.cells())).without(target);
        // The guard bit of the column, from the carry of the addition.
        let guard = (over | target).plus(target);
        column = guard.minus(guard.right(board.rows()));
    }

    // Upper cells where the follower wins, and the cells above them.
    let claimed = (plan.wins & plan.empty & upper).without(odd | column);
    let lowest = lowest_in_columns(board, claimed);
    let above = guards.minus(lowest).without(lowest);

    // The largest set that the other player can get, without the bases of odd columns.
    let mut reachable = (plan.empty & lower).without(above | column);
    if claims {
        let below = target.minus(W::all(1)) & column;
        reachable = reachable | (plan.empty & upper & below);
    }
    let most = plan.enemy | reachable;

    let bases = odd.without(column);
    let first = bases.lowest();
    let rest = bases ^ first;
    let second = rest.lowest();
    let third = rest ^ second;
    let (refuted, against) = if moves {
        // The follower gets one base. The other bases form pairs, and the enemy gets one of each
        // pair. So at most one base may help the enemy. If there are more than three, they are
        // treated as one set.
        let many = third.without(third.lowest()).is_zero();
        let (second, third) = (many.choose(second, bases), many.choose(third, bases));
        let (x, y) = (board.line(most | first), board.line(most | second));
        let z = board.line(most | third);
        let (a, b, c) = (x.is_zero(), y.is_zero(), z.is_zero());
        (((a & b) | (a & c) | (b & c)).is_zero(), x | y)
    } else {
        let rest = third.is_zero().choose(rest, bases);
        let lines = board.line(most | first) | board.line(most | rest);
        (lines.is_zero().is_zero(), lines)
    };

    let gain = if claims {
        // All other columns are full, and this one is full up to the winning cell.
        over.count().plus(W::all(2)).right(1)
    } else {
        // All cells are taken except the winning cells, the cells above them and, in each column
        // but one, the cell below.
        let wins = lowest.without(guards);
        above.count().right(1).plus(wins.count())
    };
    let fails = if claims { refuted | target.is_zero() } else { refuted };
    Guarantee { score: gain.plus(W::all(1)).without(fails), against }
}

/// The guaranteed score of each player: first the player to move, then the other.
///
/// `odd_left`: whether the number of free cells is odd; the number of odd columns is then odd too.
#[inline(always)]
pub fn bounds<G: Geometry, W: Word>(
    board: &G,
    mover: &StrategyProof<W>,
    other: &StrategyProof<W>,
    odd_left: bool,
) -> (Guarantee<W>, Guarantee<W>) {
    if odd_left {
        (guarantee(board, mover, false, true), guarantee(board, other, true, false))
    } else {
        (guarantee(board, mover, true, true), guarantee(board, other, false, false))
    }
}
