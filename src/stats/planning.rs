//! Planning: the number of games for a given precision.

use std::f64::consts::LN_10;

use super::confidence::Confidence;
use super::elo;
use super::special::normal_cdf;

/// The variance of a game's score with mean `score` and draw ratio `draw_ratio`,
/// `s (1 - s) - d / 4`. `None` if no such game exists, because `d / 2` exceeds the score of either
/// side.
pub fn variance_per_game(score: f64, draw_ratio: f64) -> Option<f64> {
    let room = score.min(1.0 - score);
    let fits = (0.0..=1.0).contains(&score) && (0.0..=1.0).contains(&draw_ratio);
    (fits && draw_ratio / 2.0 <= room).then(|| (score * (1.0 - score) - draw_ratio / 4.0).max(0.0))
}

/// The number of games after which the half width of the interval is `elo`, near equality, rounded
/// up.
///
/// `v (z (1600 / ln 10) / E)²`. `variance` is that of a game's score. With opening pairs it is
/// twice the variance of a pair's mean score. `None` unless `elo` is positive and the variance is
/// in `[0, 1/4]`.
pub fn games_for_half_width(elo: f64, variance: f64, confidence: Confidence) -> Option<u64> {
    let fits = elo > 0.0 && elo.is_finite() && (0.0..=0.25).contains(&variance);
    fits.then(|| games(variance * (confidence.z() * 1600.0 / LN_10 / elo).powi(2)))
}

/// The half width of the interval in Elo after `games`, near equality: the inverse of
/// [`games_for_half_width`]. `None` without games.
pub fn half_width(games: u64, variance: f64, confidence: Confidence) -> Option<f64> {
    let fits = games > 0 && (0.0..=0.25).contains(&variance);
    fits.then(|| confidence.z() * 1600.0 / LN_10 * (variance / games as f64).sqrt())
}

/// The power in `[0, 1]` of a two-sided z test: the probability that a difference of `elo` is
/// significant after `games`. `None` without games and for a variance outside (0, 1/4].
pub fn power(elo: f64, variance: f64, confidence: Confidence, games: u64) -> Option<f64> {
    let fits = games > 0 && variance > 0.0 && variance <= 0.25 && elo.is_finite();
    fits.then_some(())?;
    let away = (elo::to_score(elo) - 0.5).abs() / (variance / games as f64).sqrt();
    Some(normal_cdf(away - confidence.z()))
}

/// Rounds up to whole games, at least one and at most `u64::MAX`.
fn games(exact: f64) -> u64 {
    (exact.ceil() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const P95: Confidence = Confidence::P95;

    #[test]
    fn five_elo_with_eighty_percent_power() {
        let score = elo::to_score(5.0);
        for (draws, want) in [(0.0, 37_896), (0.5, 18_944), (0.9, 3_783)] {
            let variance = variance_per_game(score, draws).unwrap();
            for elo in [5.0, -5.0] {
                assert!(power(elo, variance, P95, want).unwrap() >= 0.8);
                assert!(power(elo, variance, P95, want - 1).unwrap() < 0.8);
            }
        }
    }

    #[test]
    fn the_two_half_widths_are_inverse() {
        for (draws, want) in [(0.0, 18_549), (0.5, 9_275), (0.9, 1_855)] {
            let variance = variance_per_game(0.5, draws).unwrap();
            assert_eq!(games_for_half_width(5.0, variance, P95), Some(want));
            let half = half_width(want, variance, P95).unwrap();
            assert!((half - 5.0).abs() < 2e-3);
        }
    }

    #[test]
    fn games_that_cannot_exist_have_no_variance() {
        assert_eq!(variance_per_game(0.76, 0.5), None);
        assert_eq!(variance_per_game(0.5, 1.0), Some(0.0));
        assert_eq!(variance_per_game(f64::NAN, 0.0), None);
    }

    #[test]
    fn absurd_questions_stay_finite() {
        assert_eq!(power(5.0, 0.0, P95, 9), None);
        assert_eq!(power(5.0, 0.25, P95, 0), None);
        assert!(power(1e-300, 0.25, P95, u64::MAX).unwrap() < 0.026);
        assert_eq!(games_for_half_width(1e-9, 0.25, P95), Some(u64::MAX));
        assert_eq!(half_width(0, 0.25, P95), None);
    }
}
