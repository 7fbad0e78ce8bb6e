//! What three models say about one game between two rated players.
//!
//! `x` is the difference of the ratings plus the worth of the first move, in
//! nats: Elo times `ln 10 / 400`. `L(x) = 1 / (1 + e^-x)`.

/// How results follow from a difference in rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Bradley-Terry with a draw as half a win and half a loss: the expected
    /// score is `L(x)`. The model of Ordo. For two players it gives the Elo of
    /// the match score.
    #[default]
    BradleyTerry,
    /// R. Davidson (1970): win, draw and loss are as `e^(x/2) : ν : e^(-x/2)`.
    /// Its draw parameter is `ln ν`.
    Davidson,
    /// P. Rao and L. Kupper (1967), the model of BayesElo: a win has probability
    /// `L(x - d)`, a loss `L(-x - d)`. Its draw parameter is `d`, above 0.
    RaoKupper,
}

/// The logarithm of a result's probability and its derivatives in `x` and in the
/// draw parameter `e`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Terms {
    pub ln: f64,
    pub dx: f64,
    pub de: f64,
    pub dxx: f64,
    pub dxe: f64,
    pub dee: f64,
}

impl Model {
    /// Terms of the first mover's `result`: 0 loss, 1 draw, 2 win.
    pub(super) fn terms(self, x: f64, e: f64, result: usize) -> Terms {
        match self {
            Self::BradleyTerry => bradley_terry(x, result as f64 / 2.0),
            Self::Davidson => davidson(x, e, result),
            Self::RaoKupper => rao_kupper(x, e, result),
        }
    }

    /// The first mover's expected score, in `[0, 1]`.
    pub(super) fn score(self, x: f64, e: f64) -> f64 {
        match self {
            Self::BradleyTerry => logistic(x),
            Self::Davidson => {
                // Over e^(x/2) where that is the largest, so that nothing overflows.
                let (up, down) = ((x.min(0.0)).exp(), (-x.max(0.0)).exp());
                let draw = (e - x.abs() / 2.0).exp();
                (up + draw / 2.0) / (up + down + draw)
            }
            Self::RaoKupper => 0.5 * (1.0 + logistic(x - e) - logistic(-x - e)),
        }
    }

    /// Where to begin the draw parameter, and where it goes without draws.
    pub(super) fn draw_start(self, any_draws: bool) -> f64 {
        match self {
            Self::BradleyTerry => 0.0,
            Self::Davidson if any_draws => 0.0,
            Self::Davidson => f64::NEG_INFINITY,
            Self::RaoKupper if any_draws => 1.0,
            Self::RaoKupper => 0.0,
        }
    }
}

fn bradley_terry(x: f64, score: f64) -> Terms {
    Terms {
        ln: score * ln_logistic(x) + (1.0 - score) * ln_logistic(-x),
        dx: score - logistic(x),
        dxx: -logistic(x) * logistic(-x),
        ..Terms::default()
    }
}

fn davidson(x: f64, e: f64, result: usize) -> Terms {
    let top = (x.abs() / 2.0).max(e);
    let weights = [(-x / 2.0 - top).exp(), (e - top).exp(), (x / 2.0 - top).exp()];
    let sum: f64 = weights.iter().sum();
    let [loss, draw, win] = weights.map(|w| w / sum);
    let drawn = if result == 1 { 1.0 } else { 0.0 };
    let sign = result as f64 - 1.0;
    let exponent = if result == 1 { e } else { sign * x / 2.0 };
    Terms {
        ln: exponent - top - sum.ln(),
        dx: (sign - (win - loss)) / 2.0,
        de: drawn - draw,
        dxx: -(win + loss - (win - loss).powi(2)) / 4.0,
        dxe: (win - loss) * draw / 2.0,
        dee: -draw * (1.0 - draw),
    }
}

fn rao_kupper(x: f64, e: f64, result: usize) -> Terms {
    let win = Terms {
        ln: ln_logistic(x - e),
        dx: logistic(e - x),
        de: -logistic(e - x),
        dxx: -logistic(x - e) * logistic(e - x),
        dxe: logistic(x - e) * logistic(e - x),
        dee: -logistic(x - e) * logistic(e - x),
    };
    let spread = logistic(x + e) * logistic(-x - e);
    let loss = Terms {
        ln: ln_logistic(-x - e),
        dx: -logistic(x + e),
        de: -logistic(x + e),
        dxx: -spread,
        dxe: -spread,
        dee: -spread,
    };
    match result {
        0 => loss,
        2 => win,
        _ => {
            // P(draw) = (e^2d - 1) P(win) P(loss).
            let gap = -(-2.0 * e).exp_m1();
            Terms {
                ln: 2.0 * e + gap.ln() + win.ln + loss.ln,
                dx: win.dx + loss.dx,
                de: 2.0 / gap + win.de + loss.de,
                dxx: win.dxx + loss.dxx,
                dxe: win.dxe + loss.dxe,
                dee: -4.0 * (1.0 - gap) / (gap * gap) + win.dee + loss.dee,
            }
        }
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
    fn chances_sum_to_one() {
        for model in [Model::Davidson, Model::RaoKupper] {
            for (x, e) in [(0.0, 0.3), (1.5, 0.1), (-8.0, 2.0), (30.0, 1.0)] {
                let sum: f64 = (0..3).map(|r| model.terms(x, e, r).ln.exp()).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{model:?} {x} {e}");
            }
        }
    }

    #[test]
    fn expected_scores_are_those_of_the_chances() {
        for model in [Model::Davidson, Model::RaoKupper] {
            for (x, e) in [(0.0, 0.3), (1.5, 0.1), (-8.0, 2.0), (9.0, 1.0)] {
                let [_, draw, win] = [0, 1, 2].map(|r| model.terms(x, e, r).ln.exp());
                assert!((model.score(x, e) - win - draw / 2.0).abs() < 1e-12, "{model:?}");
            }
            assert!((model.score(800.0, 1.0) - 1.0).abs() < 1e-12);
            assert!((model.score(1.5, model.draw_start(false)) - logistic(1.5)).abs() < 1e-12);
        }
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let h = 1e-5;
        for model in [Model::BradleyTerry, Model::Davidson, Model::RaoKupper] {
            for (x, e) in [(0.3, 0.7), (-2.0, 0.2), (4.0, 1.9)] {
                for result in 0..3 {
                    let at = |x, e| model.terms(x, e, result);
                    let t = at(x, e);
                    let slopes = [
                        (t.dx, (at(x + h, e).ln - at(x - h, e).ln) / (2.0 * h)),
                        (t.de, (at(x, e + h).ln - at(x, e - h).ln) / (2.0 * h)),
                        (t.dxx, (at(x + h, e).dx - at(x - h, e).dx) / (2.0 * h)),
                        (t.dxe, (at(x, e + h).dx - at(x, e - h).dx) / (2.0 * h)),
                        (t.dee, (at(x, e + h).de - at(x, e - h).de) / (2.0 * h)),
                    ];
                    for (got, want) in slopes {
                        assert!((got - want).abs() < 1e-8 * (1.0 + want.abs()), "{model:?}");
                    }
                }
            }
        }
    }
}
