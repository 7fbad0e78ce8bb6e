//! Forced moves in positions where one side can win at once.

use super::bitboard::Bitboard;

/// The forced move of a position, if the game can compute it faster than a search of two plies.
///
/// A game that returns anything but `Unknown` guarantees that sides alternate and that no move
/// loses at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threat<M> {
    /// The game cannot determine it.
    Unknown,
    /// Neither side could win with its next move, whichever side is to move.
    None,
    /// This move wins at once.
    Win(M),
    /// No move wins at once, and after any other move the opponent wins at once.
    Reply(M),
    /// No move wins at once, and after every move the opponent wins at once.
    Lost,
}

impl<M> Threat<M> {
    /// Computes the threat from the cells where the mover would win at once and those where the
    /// opponent would. All these cells must be playable.
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
