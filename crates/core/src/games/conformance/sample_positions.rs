//! The sample of positions for the checks.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::games::game::{Game, GameExt, SearchHints, Shortcuts, Turn};
use crate::games::random_playout::random_outcome;

/// Every position of some random games, starts and ends included, game by game.
pub fn positions<G: Game>(game: &G, games: u32, seed: u64) -> Vec<G::State> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut state = game.start();
        loop {
            positions.push(state.clone());
            let mv = match game.turn(&state) {
                Turn::Over => break,
                Turn::Player(_) => game.shortcuts().random_move(&state, &mut rng, &mut moves),
                Turn::Chance => random_outcome(game, &state, &mut rng, &mut outcomes),
            };
            game.play(&mut state, mv);
        }
    }
    positions
}

/// The legal moves of the player, or the outcomes of chance.
pub(super) fn playable<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    match game.turn(state) {
        Turn::Over | Turn::Player(_) => game.legal_moves(state),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            outcomes.into_iter().map(|(outcome, _)| outcome).collect()
        }
    }
}

/// The legal moves that the game recognises as quiet.
pub(super) fn quiet_moves<G: Game>(game: &G, state: &G::State) -> Vec<G::Move> {
    let moves = game.legal_moves(state);
    if moves.is_empty() {
        return moves;
    }
    let Some(is_quiet) = game.hints().quiet(state) else { return Vec::new() };
    moves.into_iter().filter(|&mv| is_quiet(mv)).collect()
}
