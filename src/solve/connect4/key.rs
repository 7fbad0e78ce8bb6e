//! One code for all positions that are the same game from here on.
//!
//! Three things are forgotten: which way round the board lies; the colour of stones that
//! cannot matter any more; nothing else.
//!
//! A stone of the mover's through which no line can be completed is as good as the other
//! player's, provided that the stones recoloured so do not open lines for the other player.
//! First all stones of the mover are found that lie in no open line of the mover's; then
//! those are kept out that would lie in a line of the other player's if all of them were
//! recoloured. What is left can change its colour without anybody noticing.

use super::geometry::Geometry;
use super::word::Word;

/// The code of a position: the smaller of its own and its mirror image's, and a mask of
/// those lanes where that is the mirror image's.
#[inline(always)]
pub fn code<G: Geometry, W: Word>(board: &G, mover: W, other: W, empty: W) -> (W, W) {
    let idle = mover.without(board.wins(mover | empty));
    let idle = idle.without(board.wins(other | empty | idle));
    let all = mover | other;
    let code = mover.without(idle).plus(all).plus(W::all(board.bottoms()));
    let image = board.mirror(code);
    let mirrored = image.less(code);
    (mirrored.choose(image, code), mirrored)
}
