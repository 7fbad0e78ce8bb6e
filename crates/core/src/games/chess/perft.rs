//! Perft for chess: counts the last ply by the sizes of the move sets, without playing it.

use cozy_chess::Board;

use super::game_end::{FIFTY_MOVES, is_insufficient};
use super::move_sets::MoveSets;

/// The number of sequences of `depth` moves, at least 1; see [`perft`](crate::games::perft).
/// Finished positions have none.
pub(super) fn sequences(board: &Board, depth: u32) -> u64 {
    if is_insufficient(board) || board.halfmove_clock() >= FIFTY_MOVES {
        return 0;
    }
    let mut sets = MoveSets::NONE;
    sets.fill(board);
    if depth == 1 {
        return u64::from(sets.total());
    }
    let mut count = 0;
    for mv in sets.moves() {
        let mut child = board.clone();
        child.play_unchecked(mv);
        count += sequences(&child, depth - 1);
    }
    count
}
