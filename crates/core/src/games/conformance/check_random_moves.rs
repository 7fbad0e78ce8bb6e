//! Checks that random moves are uniform.

use std::collections::HashMap;

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::sample_positions::playable;
use crate::games::game::{Game, Shortcuts, Turn};

/// Draws for each legal move of a position.
const DRAWS: usize = 200;
const POSITIONS: usize = 40;

/// Draws random moves in positions spread over the sample. All must be legal, and their counts must
/// pass Pearson's χ² test (six standard deviations above its mean). The seed is fixed, so the
/// result is reproducible.
pub fn check<G: Game>(game: &G, positions: &[G::State]) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut buffer = Vec::new();
    let players = positions.iter().filter(|s| matches!(game.turn(s), Turn::Player(_)));
    let stride = (positions.len() / POSITIONS).max(1);
    for state in players.step_by(stride) {
        let text = game.write_position(state);
        let moves = playable(game, state);
        let mut counts: HashMap<G::Move, usize> = moves.iter().map(|&mv| (mv, 0)).collect();
        for _ in 0..DRAWS * moves.len() {
            let mv = game.shortcuts().random_move(state, &mut rng, &mut buffer);
            match counts.get_mut(&mv) {
                Some(count) => *count += 1,
                None => panic!("the random move {mv:?} is not legal in {text}"),
            }
        }
        let excess = |&count: &usize| (count as f64 - DRAWS as f64).powi(2) / DRAWS as f64;
        let statistic: f64 = counts.values().map(excess).sum();
        let freedom = (moves.len() - 1) as f64;
        let limit = freedom + 6.0 * (2.0 * freedom).sqrt();
        assert!(
            statistic <= limit,
            "random moves are not uniform in {text}: χ² {statistic:.1} above {limit:.1}"
        );
    }
}
