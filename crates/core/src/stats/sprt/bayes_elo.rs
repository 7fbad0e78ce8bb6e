//! BayesElo: Elo differences with a "draw Elo". The draw Elo is the half width of the margin in
//! which a game is drawn.
//!
//! `P(win) = L(e - d)`, `P(loss) = L(-e - d)` with the logistic function `L` of
//! [`crate::stats::elo`]. The model is from R. Coulom's BayesElo program; earlier fishtest and
//! OpenBench use this test.

use super::super::elo;
use super::super::score_counts::Trinomial;

/// The draw Elo with the largest likelihood for the observed wins and losses,
/// `200 log10((1-l)/l (1-w)/w)`; never negative. Empty cells count as 0.001.
pub fn draw_elo(games: &Trinomial) -> f64 {
    let [losses, draws, wins] = games.0.map(|c| if c == 0 { 1e-3 } else { c as f64 });
    let odds = (draws + wins) / losses * ((losses + draws) / wins);
    (200.0 * odds.log10()).max(0.0)
}

/// The probabilities of a loss, a draw and a win.
pub fn chances(elo: f64, draw_elo: f64) -> [f64; 3] {
    let loss = elo::to_score(-elo - draw_elo);
    let win = elo::to_score(elo - draw_elo);
    [loss, (1.0 - loss - win).max(0.0), win]
}

/// The expected score in (0, 1).
pub fn to_score(elo: f64, draw_elo: f64) -> f64 {
    let [loss, _, win] = chances(elo, draw_elo);
    0.5 * (1.0 + (win - loss))
}
