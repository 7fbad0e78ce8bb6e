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
