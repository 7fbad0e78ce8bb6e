//! Proofs by strategy: what a player is sure of who answers in the same column.
//!
//! A player who answers each stone of the other's with a stone on top of it gets the
//! upper cell of every pair, the pairs counted from the highest row down: the even rows of
//! a board with six (V. Allis, "A Knowledge-based Approach of Connect-Four", 1988:
//! *claimeven*). The other can then have all lower cells at most. If no line is among
//! those and the stones that are there already, the follower cannot lose; and if one of
//! the upper cells completes a line of the follower's, the other is at last forced to play
//! below it, and loses. Cells above such a cell are never reached.
//!
//! That needs an even number of free cells in every column. Columns with an odd number are
//! taken in pairs: when the other takes the lowest free cell of one, the follower takes that
//! of its partner (*baseinverse*), and both are even. So the other player gets one of the
//! two; and the proof holds if neither, together with the lower cells, makes a line. A
//! follower who is to move first makes one odd column even by a stone of its own.
//!
//! With an odd number of odd columns, a follower who has a winning *lower* cell in one of
//! them claims that column: there too each stone is answered, which now gives the follower
//! the lower cells. All other columns fill up in pairs, and the other player must open the
//! claimed one and lose (the *odd threat* of the first player on a board with six rows).
//!
//! Lines count that stand upright, too: the bases of paired columns are the one place where
//! the other player can have two stones on each other.

use super::geometry::Geometry;
use super::word::Word;

/// What the proof needs to know, from the side of the player whose strategy it is.
pub struct Plan<W> {
    /// The stones of the other player.
    pub enemy: W,
    /// Where the follower would complete a line, taken cells or not.
    pub wins: W,
    /// The free cells.
    pub empty: W,
    /// The cells where a stone can fall.
    pub play: W,
}

/// The lowest cell of a set in each column; the guard bit where there is none.
#[inline(always)]
fn lowest_in_columns<G: Geometry, W: Word>(board: &G, set: W) -> W {
    let guarded = set | W::all(board.guards());
    guarded.without(guarded.minus(W::all(board.bottoms())))
}

/// What comes of a strategy.
#[derive(Clone, Copy)]
pub struct Sure<W> {
    /// One more than what the follower is sure of as a score, where there is a proof; else
    /// 0.
    pub score: W,
    /// Where lines begin that stand against a proof.
    pub against: W,
}

/// What the follower is sure of.
///
/// `CLAIM`: whether the follower claims a column by a winning lower cell. `MOVE`: whether
/// the follower is to move. The number of odd columns must be even if both hold or neither
/// does, odd otherwise: without the claimed column, and once the follower has moved, it is
/// then even.
#[inline(always)]
fn sure<G: Geometry, W: Word, const CLAIM: bool, const MOVE: bool>(
    board: &G,
    plan: &Plan<W>,
) -> Sure<W> {
    let (upper, lower) = (W::all(board.upper()), W::all(board.lower()));
    let guards = W::all(board.guards());
    let odd = plan.play & upper;

    // The claimed column: that of the first winning lower cell over an odd base.
    let (mut column, mut target, mut over) = (W::all(0), W::all(0), W::all(0));
    if CLAIM {
        let reach = guards.minus(odd) & W::all(board.cells());
        target = (plan.wins & plan.empty & lower & reach).lowest();
        over = (guards.minus(target) & W::all(board.cells())).without(target);
        // The guard bit of the column, by the carry that runs up to it.
        let guard = (over | target).plus(target);
        column = guard.minus(guard.right(board.rows()));
    }

    // Upper cells that the follower wins by, and what lies above them.
    let claimed = (plan.wins & plan.empty & upper).without(odd | column);
    let lowest = lowest_in_columns(board, claimed);
    let above = guards.minus(lowest).without(lowest);

    // What the other player can have at most, but for the bases of odd columns.
    let mut reachable = (plan.empty & lower).without(above | column);
    if CLAIM {
        let below = target.minus(W::all(1)) & column;
        reachable = reachable | (plan.empty & upper & below);
    }
    let most = plan.enemy | reachable;

    let bases = odd.without(column);
    let first = bases.lowest();
    let rest = bases ^ first;
    let second = rest.lowest();
    let third = rest ^ second;
    let (refuted, against) = if MOVE {
        // One base is the follower's; of the others, in pairs, the enemy gets one each. So
        // at most one may serve the enemy. More than three are taken together.
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

    let gain = if CLAIM {
        // All other columns are full, and this one up to the winning cell.
        over.count().plus(W::all(2)).right(1)
    } else {
        // All is full but the winning cells, what lies above and, in each column but one,
        // the cell below.
        let wins = lowest.without(guards);
        above.count().right(1).plus(wins.count())
    };
    let fails = if CLAIM { refuted | target.is_zero() } else { refuted };
    Sure { score: gain.plus(W::all(1)).without(fails), against }
}

/// What each player is sure of: first the player to move, then the other.
///
/// `odd_left`: whether the number of free cells is odd, which is that of odd columns too.
/// `strategy`: whether there are to be proofs at all.
#[inline(always)]
pub fn bounds<G: Geometry, W: Word>(
    board: &G,
    mover: &Plan<W>,
    other: &Plan<W>,
    odd_left: bool,
    strategy: bool,
) -> (Sure<W>, Sure<W>) {
    if !strategy {
        let nothing = Sure { score: W::all(0), against: W::all(0) };
        return (nothing, nothing);
    }
    if odd_left {
        (sure::<G, W, false, true>(board, mover), sure::<G, W, true, false>(board, other))
    } else {
        (sure::<G, W, true, true>(board, mover), sure::<G, W, false, false>(board, other))
    }
}
