//! Does the first mover win more? Exact tests on pairs and on single games.
//!
//! [`PairTable::first_mover`] gives the score of whoever moved first, and with it
//! the Elo of the first move and its interval by the methods of
//! [`crate::stats::Counts`]. In a pair each player moves first once, so their
//! strength cancels to first order.

use super::binomial::sign_test;
use super::counts::Trinomial;
use super::pairs::PairTable;
use super::special::{beta_inc, ln_binomial, normal_cdf, normal_density};

/// A sign test: how often each side came out ahead, and what chance makes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignTest {
    /// Samples in which the first mover came out ahead.
    pub first: u64,
    /// Samples in which the second mover came out ahead.
    pub second: u64,
    /// The exact two-sided p-value in (0, 1] of "neither is better off".
    pub p: f64,
}

/// The exact sign test on opening pairs: those in which the first movers made
/// more than half of the points against those in which they made less. Level
/// pairs say nothing and are left out.
pub fn paired_sign_test(pairs: &PairTable) -> SignTest {
    let [lost, nearly_lost, _, nearly_won, won] = pairs.first_mover().0;
    let (first, second) = (won.saturating_add(nearly_won), lost.saturating_add(nearly_lost));
    let p = sign_test(first, second);
    SignTest { first, second, p }
}

/// The exact sign test on the first mover's results in independent games, draws
/// left out. [`trinomial_test`] makes something of the draws.
pub fn game_sign_test(first_mover: &Trinomial) -> SignTest {
    let (first, second) = (first_mover.wins(), first_mover.losses());
    let p = sign_test(first, second);
    SignTest { first, second, p }
}

/// The two-sided p-value of the trinomial test on independent games: how likely
/// wins and losses differ at least as much as they do when both are equally
/// likely and draws as likely as observed. 1 without games.
///
/// G. Bian, M. McAleer, W.-K. Wong, "A Trinomial Test for Paired Data When There
/// Are Many Ties" (2011). Exact up to 20 000 games, beyond that by the normal law
/// with its correction for kurtosis, right to four digits.
pub fn trinomial_test(games: &Trinomial) -> f64 {
    let [losses, draws, wins] = games.0;
    let difference = wins.abs_diff(losses);
    if difference == 0 {
        return 1.0;
    }
    if draws == 0 {
        return sign_test(wins, losses);
    }
    let n = losses as f64 + draws as f64 + wins as f64;
    let (drawn, decisive) = (draws as f64 / n, (losses as f64 + wins as f64) / n);
    if n > 20_000.0 {
        let z = (difference as f64 - 0.5) / (n * decisive).sqrt();
        let kurtosis = 1.0 / decisive - 3.0;
        let correction = normal_density(z) * kurtosis * (z * z * z - 3.0 * z) / (24.0 * n);
        return (2.0 * (normal_cdf(-z) + correction)).clamp(0.0, 1.0);
    }
    // Over the number m of decisive games; k is the least number of wins that
    // puts one side ahead by the difference.
    let total: f64 = (difference..=n as u64)
        .map(|m| {
            let k = (m + difference).div_ceil(2);
            let (m, k) = (m as f64, k as f64);
            // As many decisive games as were seen are likely; skip what is not.
            let ln_chance = ln_binomial(m, n - m, decisive, drawn);
            if ln_chance < -100.0 {
                return 0.0;
            }
            ln_chance.exp() * 2.0 * beta_inc(k, m - k + 1.0, 0.5).0
        })
        .sum();
    total.min(1.0)
}

impl Trinomial {
    /// The likelihood of superiority from decisive games with a uniform prior on
    /// the chance of winning one: `P(Beta(W + 1, L + 1) > ½)`. ½ without games.
    pub fn los_exact(&self) -> f64 {
        beta_inc(self.losses() as f64 + 1.0, self.wins() as f64 + 1.0, 0.5).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_judged_by_who_moved_first() {
        let mut table = PairTable([[0, 0, 0], [0, 0, 0], [50, 0, 0]]);
        let test = paired_sign_test(&table);
        assert_eq!((test.first, test.second), (50, 0));
        assert!((test.p / 2f64.powi(-49) - 1.0).abs() < 1e-9);
        table.0 = [[0, 0, 0], [0, 25, 0], [0, 0, 0]];
        assert_eq!(paired_sign_test(&table).p, 1.0);
    }

    #[test]
    fn trinomial_test_by_hand() {
        // Two games, each decisive with chance ½. One decisive game (chance ½) always
        // puts a side ahead by one; two of them (chance ¼) do so half of the time.
        assert!((trinomial_test(&Trinomial::of(0, 1, 1)) - 0.625).abs() < 1e-12);
        assert_eq!(trinomial_test(&Trinomial::of(0, 0, 0)), 1.0);
        assert_eq!(trinomial_test(&Trinomial::of(3, 9, 3)), 1.0);
        let without_draws = trinomial_test(&Trinomial::of(40, 0, 60));
        assert_eq!(without_draws, sign_test(60, 40));
    }

    #[test]
    fn the_normal_law_continues_the_exact_test() {
        for scale in [1.0, 2.0, 3.0, 5.0] {
            let exact = Trinomial::of(4900, 10_100, 4900 + (100.0 * scale) as u64);
            let beyond = Trinomial::of(4951, 10_203, 4951 + (100.0 * scale) as u64);
            let (a, b) = (trinomial_test(&exact), trinomial_test(&beyond));
            assert!((a / b - 1.0).abs() < 0.12, "{a} {b}");
        }
    }

    #[test]
    fn extreme_counts_stay_probabilities() {
        for cells in [[0, 1, u64::MAX], [u64::MAX / 3; 3], [0, u64::MAX, 1], [0, 19_999, 1]] {
            let games = Trinomial::of(cells[0], cells[1], cells[2]);
            assert!((0.0..=1.0).contains(&trinomial_test(&games)), "{cells:?}");
            assert!((0.0..=1.0).contains(&games.los_exact()), "{cells:?}");
            assert!((0.0..=1.0).contains(&game_sign_test(&games).p), "{cells:?}");
        }
        assert!((Trinomial::default().los_exact() - 0.5).abs() < 1e-14);
    }
}
