//! Random choices from an agent's random stream.

use rand::Rng;
use rand::rngs::ChaCha8Rng;

use crate::games::{Game, GameExt, Player};

/// A uniformly random number in [0, 1), made from 64 random bits.
pub(super) fn unit(rng: &mut ChaCha8Rng) -> f64 {
    // An `f64` has a mantissa of 53 bits.
    (rng.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// The probability of each legal move if all are equally likely.
pub(super) fn uniform<G: Game>(game: &G, state: &G::State, out: &mut Vec<f64>) {
    uniform_among(game, state, &|_| true, out);
}

/// The probability of each legal move if those that `is_drawn` accepts are equally likely.
pub(super) fn uniform_among<G: Game>(
    game: &G,
    state: &G::State,
    is_drawn: &dyn Fn(&G::Move) -> bool,
    out: &mut Vec<f64>,
) {
    let moves = game.legal_moves(state);
    out.clear();
    for mv in &moves {
        out.push(if is_drawn(mv) { 1.0 } else { 0.0 });
    }
    normalise(out);
}

/// Divides weights by their sum; leaves zeros as they are.
pub(super) fn normalise(weights: &mut [f64]) {
    let all = weights.iter().sum::<f64>();
    for weight in weights.iter_mut().filter(|weight| **weight > 0.0) {
        *weight /= all;
    }
}

/// Draws a move with probability proportional to `exp(±value / temperature)`. The sign depends on
/// the player. `moves` must not be empty; `weights` receives the weights of the moves.
pub(super) fn softmax<M: Copy>(
    moves: &[(M, f64)],
    player: Player,
    temperature: f64,
    rng: &mut ChaCha8Rng,
    weights: &mut Vec<f64>,
) -> M {
    weights.clear();
    for &(_, value) in moves {
        weights.push(value);
    }
    moves[draw(weights, player, temperature, rng)].0
}

/// Replaces the values of moves by their weights, and draws the index of a move.
fn draw(weights: &mut [f64], player: Player, temperature: f64, rng: &mut ChaCha8Rng) -> usize {
    let sign = f64::from(player.sign());
    let best = weights.iter().map(|&value| sign * value).fold(f64::NEG_INFINITY, f64::max);
    for weight in &mut *weights {
        *weight = libm::exp((sign * *weight - best) / temperature);
    }
    let mut left = unit(rng) * weights.iter().sum::<f64>();
    for (index, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    // Rounding can leave a small rest; it goes to the last move with a positive probability.
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn softmax_draws_by_weight() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let moves = [('a', 0.0), ('b', 1.0), ('c', -1.0)];
        let temperature = 1.0 / std::f64::consts::LN_2;
        for (player, expected) in [(Player::First, [2, 4, 1]), (Player::Second, [2, 1, 4])] {
            let mut counts = [0; 3];
            for _ in 0..70_000 {
                let mv = softmax(&moves, player, temperature, &mut rng, &mut Vec::new());
                counts[(mv as u8 - b'a') as usize] += 1;
            }
            for (count, expected) in counts.into_iter().zip(expected) {
                assert!((count - expected * 10_000i32).abs() < 500, "{counts:?}");
            }
        }
    }

    #[test]
    fn cold_softmax_is_the_best_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let moves = [(0, -2e9), (1, 1.0), (2, 2e9), (3, 2e9 - 1.0)];
        for _ in 0..1000 {
            assert_eq!(softmax(&moves, Player::First, 1e-3, &mut rng, &mut Vec::new()), 2);
            assert_eq!(softmax(&moves, Player::Second, 1e-3, &mut rng, &mut Vec::new()), 0);
        }
    }
}
