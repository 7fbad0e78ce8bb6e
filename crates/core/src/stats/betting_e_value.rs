//! The e-value of opening pairs against a mean score: the capital of a gambler who bets on each pair.
//! Waudby-Smith and Ramdas, *Estimating means of bounded random variables by betting* (2024).

use super::score_counts::Pentanomial;

/// Shares of the capital that are bet, from small to large in equal ratios: small ones for small
/// differences, large ones for large differences.
const BETS: usize = 12;
const SMALLEST_BET: f64 = 0.02;
pub(crate) const LARGEST_BET: f64 = 0.9;

/// The natural logarithm of the e-value against "the mean score is at most `mean`", for `mean` in
/// (0, 1): the mean over the bets `b` of `Π (1 + b (x - mean) / mean)`.
pub fn ln_e_value(pairs: &Pentanomial, mean: f64) -> f64 {
    let ratio = (LARGEST_BET / SMALLEST_BET).powf(1.0 / (BETS - 1) as f64);
    let (mut bet, mut logs) = (SMALLEST_BET, [0.0; BETS]);
    for log in &mut logs {
        *log = ln_capital(pairs, bet, mean);
        bet *= ratio;
    }
    ln_mean_exp(&logs)
}

/// The natural logarithm of the capital after bets of the share `bet` in [0, 1) on each pair:
/// `Σ ln (1 + bet (x - mean) / mean)`.
pub(crate) fn ln_capital(pairs: &Pentanomial, bet: f64, mean: f64) -> f64 {
    let mut sum = 0.0;
    for (cell, &count) in pairs.0.iter().enumerate().filter(|(_, count)| **count > 0) {
        sum += count as f64 * (bet * (Pentanomial::value(cell) - mean) / mean).ln_1p();
    }
    sum
}

/// The natural logarithm of the mean of values, from their logarithms.
pub(crate) fn ln_mean_exp(logs: &[f64]) -> f64 {
    let most = logs.iter().fold(f64::MIN, |most, &log| most.max(log));
    let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
    most + (sum / logs.len() as f64).ln()
}

/// The natural logarithm of the e-value against "the mean score is at least `mean`".
pub(crate) fn ln_e_below(pairs: &Pentanomial, mean: f64) -> f64 {
    ln_e_value(&pairs.flipped(), 1.0 - mean)
}
