//! One code for all positions that have the same continuation.
//!
//! The code of a position ignores two things: left and right, and the colour of stones that no longer matter.
//!
//! Take a stone of the player to move that is in none of this player's open lines. Such a stone
//! has the same effect as a stone of the other player, if the new colour opens no line for the
//! other player. The first step finds all such stones. The second step removes the stones that would
//! be in a line of the other player if all of them changed their colour. The remaining stones can
//! change their colour without any effect on the game.

use super::bitboard_geometry::Geometry;
use super::simd_words::Word;

/// A position's code, and sets of cells found while computing it.
pub struct CanonicalKey<W> {
    /// The smaller of the code of the position and the code of its mirror image.
    pub code: W,
    /// All bits if `code` is that of the mirror image, otherwise none.
    pub mirrored: W,
    /// The cells in lines that the player to move can still complete.
    pub mover_open: W,
    /// The cells in lines that the other player could still complete if the idle stones of the
    /// player to move did not block them.
    pub other_open: W,
}

#[inline(always)]
pub fn key<G: Geometry, W: Word>(board: &G, mover: W, other: W, empty: W) -> CanonicalKey<W> {
    // `wins` finds only the upper end of a vertical line; `upright` adds its stones.
    let set = mover | empty;
    let mover_open = board.wins(set);
    let idle = mover.without(mover_open | board.upright(set));
    let set = other | empty | idle;
    let other_open = board.wins(set);
    let other_lines = other_open | board.upright(set);
    let idle = idle.without(other_lines);
    let all = mover | other;
    let code = mover.without(idle).plus(all).plus(W::all(board.bottoms()));
    let image = board.mirror(code);
    let mirrored = image.less(code);
    CanonicalKey { code: mirrored.choose(image, code), mirrored, mover_open, other_open }
}
