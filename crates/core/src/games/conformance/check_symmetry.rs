//! Checks that symmetries commute with play.

use std::collections::HashMap;

use super::sample_positions::playable;
use crate::games::game::{Game, GameExt, SearchHints, Symmetry, Turn};

/// Checks that a symmetric image is the same game: the same turn, the mapped moves, the mapped
/// positions after them, the same result and the same canonical key.
pub fn check<G: Game>(game: &G, positions: &[G::State]) {
    assert!(game.symmetry().symmetries() >= 1, "the identity is missing");
    for state in positions {
        let text = game.write_position(state);
        let canonical = game.symmetry().canonical_key(state);
        assert_eq!(
            &game.symmetry().map_state(0, state),
            state,
            "symmetry 0 must be the identity: {text}"
        );
        for s in 0..game.symmetry().symmetries() {
            let image = game.symmetry().map_state(s, state);
            assert_eq!(game.turn(&image), game.turn(state), "turn, symmetry {s} of {text}");
            let key = game.symmetry().canonical_key(&image);
            assert_eq!(key, canonical, "canonical key, symmetry {s} of {text}");
            let back = |t| &game.symmetry().map_state(t, &image) == state;
            assert!(
                (0..game.symmetry().symmetries()).any(back),
                "symmetry {s} has no inverse: {text}"
            );
            match game.turn(state) {
                Turn::Over => {
                    assert_eq!(game.payoff(&image), game.payoff(state), "payoff, {s} of {text}");
                    assert_eq!(game.reason(&image), game.reason(state), "reason, {s} of {text}");
                }
                Turn::Player(_) => {
                    let noisy = |state| {
                        let mut noisy = Vec::new();
                        game.hints().noisy(state, &mut noisy);
                        noisy.into_iter().map(|mv| (mv, 0)).collect()
                    };
                    let (here, there) = (noisy(state), noisy(&image));
                    assert_eq!(mapped(game, s, here), counts(there), "noisy, {s} of {text}");
                }
                Turn::Chance => {}
            }
            let (here, there) = (weighted(game, state), weighted(game, &image));
            assert_eq!(mapped(game, s, here), counts(there), "moves, symmetry {s} of {text}");
            for mv in playable(game, state) {
                let played = game.symmetry().map_state(s, &game.after(state, mv));
                let other = game.after(&image, game.symmetry().map_move(s, mv));
                assert_eq!(played, other, "{mv:?} and symmetry {s} do not commute in {text}");
            }
        }
    }
}

/// Moves with weight 0, or outcomes with their weights.
fn weighted<G: Game>(game: &G, state: &G::State) -> Vec<(G::Move, u32)> {
    match game.turn(state) {
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            outcomes
        }
        _ => playable(game, state).into_iter().map(|mv| (mv, 0)).collect(),
    }
}

fn mapped<G: Game>(game: &G, s: usize, moves: Vec<(G::Move, u32)>) -> HashMap<G::Move, u32> {
    moves.into_iter().map(|(mv, weight)| (game.symmetry().map_move(s, mv), weight)).collect()
}

fn counts<M: std::hash::Hash + Eq>(moves: Vec<(M, u32)>) -> HashMap<M, u32> {
    moves.into_iter().collect()
}
