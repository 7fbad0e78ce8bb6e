//! Counting the move sequences of a game: the first test of any move generator.

use super::game::{Game, Turn};

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
    game.perft(state, depth)
}

/// The count by playing every move.
pub(super) fn count<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    match game.turn(state) {
        Turn::Over => 0,
        Turn::Player(_) => {
            let mut moves = Vec::new();
            game.moves(state, &mut moves);
            moves.into_iter().map(|mv| count(game, &after(game, state, mv), depth - 1)).sum()
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            outcomes.into_iter().map(|(mv, _)| count(game, &after(game, state, mv), depth)).sum()
        }
    }
}

/// The position after a move.
fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}
