//! What the rules force where one side is about to win.

use super::bits::Bitboard;

/// What a position forces, as far as the game can tell faster than a search of two plies.
///
/// A game that tells anything but `Unknown` promises that sides take turns and that no
/// move loses at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threat<M> {
    /// The game cannot tell.
    Unknown,
    /// Neither side could win with its next move if it were to move.
    None,
    /// This move wins at once.
    Win(M),
    /// Nothing wins at once, and after any move but this one the other side does.
    Reply(M),
    /// Nothing wins at once, and after every move the other side does.
    Lost,
}

impl<M> Threat<M> {
    /// From the cells where the mover would win at once and those where the other side
    /// would, both of them cells that can be played.
    #[inline]
    pub fn of_cells<B: Bitboard>(wins: B, threats: B, to_move: impl Fn(u32) -> M) -> Self {
        if let Some(cell) = wins.lowest() {
            return Threat::Win(to_move(cell));
        }
        match (threats.lowest(), threats.count()) {
            (None, _) => Threat::None,
            (Some(cell), 1) => Threat::Reply(to_move(cell)),
            _ => Threat::Lost,
        }
    }
}
