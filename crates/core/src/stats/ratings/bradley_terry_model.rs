//! The half-point Bradley-Terry model of one game between two rated players.
//!
//! A draw is half a win and half a loss, as in Ordo. For two players the model gives the Elo of
//! the match score. `x` is the difference of the ratings plus the first-move advantage, in nats:
//! Elo times `ln 10 / 400`. The expected score is `L(x) = 1 / (1 + e^-x)`.

/// The largest number of players for profile likelihoods: the effort grows with the fifth power of
/// this number.
pub(super) const MOST_PLAYERS: usize = 40;

/// The logarithm of a result's probability and its derivatives in `x`.
pub(super) struct PairModel {
    pub ln: f64,
    pub dx: f64,
    pub dxx: f64,
}

/// Terms of the first mover's `result`: 0 loss, 1 draw, 2 win.
pub(super) fn terms(x: f64, result: usize) -> PairModel {
    let score = result as f64 / 2.0;
    PairModel {
        ln: score * ln_logistic(x) + (1.0 - score) * ln_logistic(-x),
        dx: score - logistic(x),
        dxx: -logistic(x) * logistic(-x),
    }
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn ln_logistic(x: f64) -> f64 {
    if x < 0.0 { x - x.exp().ln_1p() } else { -(-x).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_agree_with_differences() {
        let h = 1e-5;
        for x in [0.3, -2.0, 4.0] {
            for result in 0..3 {
                let at = |x| terms(x, result);
                let slopes = [
                    (at(x).dx, (at(x + h).ln - at(x - h).ln) / (2.0 * h)),
                    (at(x).dxx, (at(x + h).dx - at(x - h).dx) / (2.0 * h)),
                ];
                for (got, want) in slopes {
                    assert!((got - want).abs() < 1e-8 * (1.0 + want.abs()), "{x} {result}");
                }
            }
        }
    }
}
