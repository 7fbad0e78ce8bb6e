//! Counting the move sequences of a game: the first test of any move generator.

use super::game::{Game, Shortcuts};

/// How many sequences of `depth` players' moves can be played from a position.
///
/// Sequences that reach an end earlier do not count. An outcome of chance branches but
/// takes no depth; each distinct outcome counts once, whatever its weight.
///
/// ```
/// use agon::games::{Game, TicTacToe, perft};
///
/// assert_eq!(perft(&TicTacToe, &TicTacToe.start(), 3), 504);
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    game.shortcuts().perft(state, depth)
}
