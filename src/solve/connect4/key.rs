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
use super::settings::Settings;
use super::word::Word;

/// A position's code and what was found on the way to it.
pub struct Key<W> {
    /// The smaller of the position's own code and its mirror image's.
    pub code: W,
    /// All bits where that is the mirror image's.
    pub mirrored: W,
    /// The cells in lines that the mover could still complete.
    pub mover_open: W,
    /// The cells in lines that the other player could still complete, if the mover's idle
    /// stones did not stand in the way.
    pub other_open: W,
}

/// The key of a position.
#[inline(always)]
pub fn key<G: Geometry, W: Word>(
    board: &G,
    settings: &Settings,
    mover: W,
    other: W,
    empty: W,
) -> Key<W> {
    // Where a stone would win says nothing of the lower stones of upright lines.
    let set = mover | empty;
    let mover_open = board.wins(set);
    let idle = mover.without(mover_open | board.upright(set));
    let set = other | empty | idle;
    let other_open = board.wins(set);
    let other_lines = other_open | board.upright(set);
    let idle = if settings.idle { idle.without(other_lines) } else { W::all(0) };
    let all = mover | other;
    let code = mover.without(idle).plus(all).plus(W::all(board.bottoms()));
    let image = if settings.mirror { board.mirror(code) } else { code };
    let mirrored = image.less(code);
    Key { code: mirrored.choose(image, code), mirrored, mover_open, other_open }
}
