//! Elo differences and their expected scores.
//!
//! The logistic model: a player who is `d` Elo stronger has an expected score of
//! `1 / (1 + 10^(-d / 400))` per game.

use std::f64::consts::LN_10;

/// Normalized Elo per standard deviation of a game's score: `800 / ln 10`.
///
/// M. Van den Bergh, "Normalized Elo": with this factor, normalized and logistic Elo are equal for
/// equal players without draws.
pub const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// The Elo range of a confidence interval; one or both ends may be open. All its numbers are
/// finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EloRange {
    /// Both ends are known.
    Between {
        /// The lower end in Elo.
        lo: f64,
        /// The upper end in Elo.
        hi: f64,
    },
    /// Only the lower end is known: the upper end is at a score of 1.
    AtLeast(f64),
    /// Only the upper end is known: the lower end is at a score of 0.
    AtMost(f64),
    /// Neither end is known.
    Unbounded,
}

impl EloRange {
    /// The lower end in Elo. `None` if it is open.
    pub fn lo(self) -> Option<f64> {
        match self {
            Self::Between { lo, .. } | Self::AtLeast(lo) => Some(lo),
            Self::AtMost(_) | Self::Unbounded => None,
        }
    }

    /// The upper end in Elo. `None` if it is open.
    pub fn hi(self) -> Option<f64> {
        match self {
            Self::Between { hi, .. } | Self::AtMost(hi) => Some(hi),
            Self::AtLeast(_) | Self::Unbounded => None,
        }
    }
}

/// The expected score in (0, 1) of a player who is `elo` stronger.
///
/// `s(d) = 1 / (1 + 10^(-d / 400))`, A. Elo, "The Rating of Chessplayers", with the logistic curve
/// that engine testers use.
pub fn to_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * LN_10 / 400.0).exp())
}

/// The logistic Elo difference with the expected score `score`. `None` at 0 and 1 and outside,
/// because no finite difference gives such a score.
///
/// `Elo(s) = -400 log10(1 / s - 1)`.
pub fn from_score(score: f64) -> Option<f64> {
    if !(score > 0.0 && score < 1.0) {
        return None;
    }
    // ln(s / (1 - s)) = 2 artanh(2s - 1) keeps its precision around one half.
    let nats = if (0.25..=0.75).contains(&score) {
        2.0 * libm::atanh(2.0 * score - 1.0)
    } else {
        (score / (1.0 - score)).ln()
    };
    Some(nats * 400.0 / LN_10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_half_is_zero_and_not_minus_zero() {
        let elo = from_score(0.5).unwrap();
        assert_eq!(elo, 0.0);
        assert!(elo.is_sign_positive());
    }

    #[test]
    fn scores_at_and_beyond_the_edge_have_no_elo() {
        for score in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
            assert_eq!(from_score(score), None);
        }
    }

    #[test]
    fn the_two_directions_are_inverse() {
        for elo in [-1200.0, -400.0, -5.0, 0.01, 30.0, 99.0, 800.0] {
            let back = from_score(to_score(elo)).unwrap();
            assert!((back - elo).abs() < 1e-9, "{elo} came back as {back}");
        }
    }

    #[test]
    fn ten_to_one_is_four_hundred() {
        assert!((to_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
    }

    #[test]
    fn absurd_differences_stay_in_range() {
        assert_eq!(to_score(1e9), 1.0);
        assert_eq!(to_score(-1e9), 0.0);
    }
}
