//! Planning: the number of games for a given precision.

use std::f64::consts::LN_10;

use super::elo;
use crate::stats::numerics::confidence_level::Confidence;
use crate::stats::numerics::special_functions::normal_cdf;

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
/// twice the variance of a pair's mean score, at most 1/2. `None` unless `elo` is positive and the
/// variance is in `[0, 1/2]`.
pub fn games_for_half_width(elo: f64, variance: f64, confidence: Confidence) -> Option<u64> {
    let fits = elo > 0.0 && elo.is_finite() && (0.0..=0.5).contains(&variance);
    fits.then(|| games(variance * (confidence.z() * 1600.0 / LN_10 / elo).powi(2)))
}

/// The half width of the interval in Elo after `games`, near equality: the inverse of
/// [`games_for_half_width`]. `None` without games.
pub fn half_width(games: u64, variance: f64, confidence: Confidence) -> Option<f64> {
    let fits = games > 0 && (0.0..=0.5).contains(&variance);
    fits.then(|| confidence.z() * 1600.0 / LN_10 * (variance / games as f64).sqrt())
}

/// The power in `[0, 1]` of a two-sided z test: the probability that a difference of `elo` is
/// significant after `games`. `None` without games and for a variance outside (0, 1/2].
pub fn power(elo: f64, variance: f64, confidence: Confidence, games: u64) -> Option<f64> {
    let fits = games > 0 && variance > 0.0 && variance <= 0.5 && elo.is_finite();
    fits.then_some(())?;
    let away = (elo::to_score(elo) - 0.5).abs() / (variance / games as f64).sqrt();
    Some(normal_cdf(away - confidence.z()))
}

/// The games of a round robin after which a difference of `elo` is significant at 5 % with a power of
/// 80 %, near equality: each of the `players - 1` pairings of two players adds to what is known of
/// their difference (effective resistance). `None` for a difference of 0.
pub fn round_robin(elo: f64, variance: f64, players: u64) -> Option<u64> {
    // 1.96 standard errors for the test and 0.84 for the power.
    let half = elo * Confidence::P95.z() / (Confidence::P95.z() + 0.8416);
    let pair = games_for_half_width(half, variance, Confidence::P95)?;
    Some(pair.saturating_mul(players.saturating_sub(1)))
}

/// Rounds up to whole games, at least one and at most `u64::MAX`.
fn games(exact: f64) -> u64 {
    (exact.ceil() as u64).max(1)
}
