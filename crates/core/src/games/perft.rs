//! Perft: counts the move sequences of a game, the standard first test of a move generator.

use super::game::{Game, Shortcuts};

/// The number of sequences of `depth` player moves from a position.
///
/// Sequences that end the game earlier do not count. A chance outcome branches but does not use up
/// depth; each distinct outcome counts once, whatever its weight.
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{Game, TicTacToe, perft};
///
/// assert_eq!(perft(&TicTacToe, &TicTacToe.start(), 3), 504);
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    game.shortcuts().perft(state, depth)
}
