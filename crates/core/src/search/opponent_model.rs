//! Opponent models: the probabilities of the opponent's moves, given their values.
//!
//! Let `v_1 … v_n` be the values of the opponent's moves in the search, and `b` the best of them
//! for the opponent. The value of the position is the mean of the `v_i` with these probabilities:
//!
//! - uniform: `1/n` each
//! - epsilon: `(1 - e)` on the best move (or divided among the moves that tie) plus `e/n` on
//!   each, that is `(1 - e) b + e mean(v)`
//! - softmax: proportional to `exp(-|v_i - b| / t)`: a move that is worse by `t` is chosen
//!   `e = 2.718…` times less often (Luce 1959, "Individual Choice Behavior"; the quantal
//!   response of McKelvey and Palfrey 1995)
//! - perfect: `b`, as in the minimax of games with chance (Michie 1966)

use crate::games::Player;

/// The model of the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Opponent {
    /// A uniformly random move.
    #[default]
    Uniform,
    /// The best move, but a random move with this probability (0 to 1).
    Epsilon(f64),
    /// Better moves more often, with this temperature (above 0, in units of values).
    Softmax(f64),
    /// The best move.
    Perfect,
}

impl Opponent {
    /// The value of a position with the opponent to move, from the values of its moves (at least
    /// one). Reorders the values.
    pub(super) fn expect(self, values: &mut [f64], player: Player) -> f64 {
        match self {
            Opponent::Uniform => mean(values),
            Opponent::Perfect => best(values, player),
            Opponent::Epsilon(epsilon) => {
                (1.0 - epsilon) * best(values, player) + epsilon * mean(values)
            }
            Opponent::Softmax(temperature) => {
                let best = best(values, player);
                // Sorted by value, so equal sets have the same order.
                values.sort_unstable_by(f64::total_cmp);
                let (mut total, mut sum) = (0.0, 0.0);
                for &value in values.iter() {
                    let weight = libm::exp(-(value - best).abs() / temperature);
                    total += weight;
                    sum += weight * (value - best);
                }
                // Relative to the best value, so that large values of wins do not cancel the rest.
                best + sum / total
            }
        }
    }
}

/// The best of some values for a player.
pub(super) fn best(values: &[f64], player: Player) -> f64 {
    let fold = |f: fn(f64, f64) -> f64| values[1..].iter().copied().fold(values[0], f);
    match player {
        Player::First => fold(f64::max),
        Player::Second => fold(f64::min),
    }
}

fn mean(values: &mut [f64]) -> f64 {
    let count = values.len() as f64;
    sum(values) / count
}

/// The sum in sorted order: mirrored positions must tie to the last bit.
pub(super) fn sum(terms: &mut [f64]) -> f64 {
    terms.sort_unstable_by(f64::total_cmp);
    terms.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expect(opponent: Opponent, values: &[f64], player: Player) -> f64 {
        opponent.expect(&mut values.to_vec(), player)
    }

    #[test]
    fn models_weigh_moves_as_documented() {
        let values = [3.0, -1.0, 7.0, -1.0];
        assert_eq!(expect(Opponent::Uniform, &values, Player::Second), 2.0);
        assert_eq!(expect(Opponent::Epsilon(0.25), &values, Player::Second), -0.25);
        assert_eq!(expect(Opponent::Epsilon(0.25), &values, Player::First), 5.75);
        assert_eq!(expect(Opponent::Epsilon(0.0), &values, Player::Second), -1.0);
        // Weights 1, 1, 1/2 and 1/4 for -1, -1, 3 and 7, because a difference of 4 halves the
        // weight.
        let halves = Opponent::Softmax(4.0 / std::f64::consts::LN_2);
        let value = expect(halves, &values, Player::Second);
        assert!((value - (-2.0 + 1.5 + 1.75) / 2.75).abs() < 1e-12, "{value}");
    }

    #[test]
    fn extreme_temperatures_are_the_other_models() {
        let values = [5.0, 2e9, -2e9, 4.0];
        assert_eq!(expect(Opponent::Softmax(1e-9), &values, Player::First), 2e9);
        assert_eq!(expect(Opponent::Softmax(1e-9), &values, Player::Second), -2e9);
        let warm = expect(Opponent::Softmax(1e30), &values, Player::First);
        assert!((warm - 2.25).abs() < 1e-5, "{warm}");
    }

    #[test]
    fn order_does_not_matter() {
        let mut values = [0.1, 0.2, 0.3, 0.4, 1e9, -1e9, 1.0 / 3.0];
        for opponent in [Opponent::Uniform, Opponent::Epsilon(0.3), Opponent::Softmax(0.7)] {
            let value = expect(opponent, &values, Player::First);
            for _ in 0..values.len() {
                values.rotate_left(1);
                assert_eq!(expect(opponent, &values, Player::First).to_bits(), value.to_bits());
            }
        }
    }
}
