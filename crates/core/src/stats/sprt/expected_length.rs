//! The expected length of a sequential test and its probability to accept H1.

use super::super::elo::{self, NORMALIZED_ELO_PER_SIGMA};
use super::super::games_for_precision;
use super::bayes_elo;
use super::running_sprt::Sprt;
use super::sprt_design::{Design, EloModel};

/// The expected result of a sequential test at a given true strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The mean number of games.
    pub games: f64,
    /// The probability in `[0, 1]` of accepting H1.
    pub accept_h1: f64,
}

impl Design {
    /// The expectations at H0, at the score halfway between both hypotheses, and at H1. The
    /// halfway score takes longest. `draw_ratio` is in `[0, 1)`. `None` if the halfway score is
    /// impossible with this draw ratio, and for adjusted scores, whose variance is not known.
    ///
    /// The log-likelihood ratio is modelled as a Brownian motion between Wald's bounds with drift
    /// `(s1 - s0) (2 s - s0 - s1) / (2 v)` and variance `(s1 - s0)² / v` per game. The result is
    /// accurate to 3 % for hypotheses a few Elo apart.
    pub fn expected_lengths(&self, draw_ratio: f64) -> Option<[Expected; 3]> {
        let settings = self.settings();
        if settings.adjusted {
            return None;
        }
        let halfway = f64::midpoint(elo::to_score(settings.elo0), elo::to_score(settings.elo1));
        let variance = games_for_precision::variance_per_game(halfway, draw_ratio)?;
        let [t0, t1] = self.in_deviations(variance)?;
        let at = |slant| self.brownian(slant, t1 - t0);
        Some([at(-1.0)?, at(0.0)?, at(1.0)?])
    }

    /// Both hypotheses as distances above one half, in standard deviations of a game's score.
    fn in_deviations(&self, variance: f64) -> Option<[f64; 2]> {
        (variance > 0.0 && variance <= 0.25).then_some(())?;
        let settings = self.settings();
        let t = [settings.elo0, settings.elo1].map(|elo| self.deviations(elo, variance));
        (t[0] < t[1]).then_some(t)
    }

    fn deviations(&self, elo: f64, variance: f64) -> f64 {
        match self.settings().model {
            EloModel::Normalized => elo / NORMALIZED_ELO_PER_SIGMA,
            EloModel::Logistic => (elo::to_score(elo) - 0.5) / variance.sqrt(),
            EloModel::Bayes => {
                // Near equality the variance is a quarter of the fraction of decisive games, and
                // this fraction is 2 / (1 + 10^(d / 400)).
                let draw_elo = 400.0 * (0.5 / variance - 1.0).log10();
                (bayes_elo::to_score(elo, draw_elo) - 0.5) / variance.sqrt()
            }
        }
    }

    /// Mean length and exit side for a drift of `slant / 2` times the variance `distance²` per
    /// game. `slant` is -1 at H0, 0 halfway, 1 at H1.
    fn brownian(&self, slant: f64, distance: f64) -> Option<Expected> {
        let (lower, upper) = (self.lower(), self.upper());
        let (games, accept_h1) = if slant.abs() < 1e-6 {
            (-lower * upper, -lower / (upper - lower))
        } else {
            // Negative exponents cannot overflow.
            let share = |near: f64, far: f64| (-near).exp_m1() / (-near - far).exp_m1();
            let steep = slant.abs();
            let accept_h1 = if slant > 0.0 {
                share(steep * -lower, steep * upper)
            } else {
                1.0 - share(steep * upper, steep * -lower)
            };
            let end = accept_h1 * upper + (1.0 - accept_h1) * lower;
            (end / (0.5 * slant), accept_h1)
        };
        let games = games / (distance * distance);
        games.is_finite().then_some(Expected { games, accept_h1 })
    }
}

impl Sprt {
    /// The expected number of further games, if the true strength is near what the games so far show.
    /// `None` if the test has a verdict, if its hypotheses are impossible, or for adjusted scores.
    ///
    /// The log-likelihood ratio is modelled as in [`Design::expected_lengths`]. Its drift is estimated
    /// from the games so far. With few games it is near 0, where a test takes longest: the prior is
    /// normal, and its standard deviation is four times the drift at H1.
    pub fn expected_rest(&self) -> Option<f64> {
        let games = self.evidence().games();
        let played = games.n() as f64;
        let draw_ratio = if played > 0.0 { games.draws() as f64 / played } else { 0.0 };
        let lengths = self.design().expected_lengths(draw_ratio);
        let [_, halfway, _] = lengths.or_else(|| self.design().expected_lengths(0.0))?;
        let bounds = self.design();
        let variance = -bounds.lower() * bounds.upper() / halfway.games;
        let drift = self.llr() / (played + 0.25 / variance);
        let (width, below) = (self.upper() - self.lower(), self.llr() - self.lower());
        if self.verdict().is_some() || below <= 0.0 || below >= width {
            return None;
        }
        // Seen from the other bound, the drift has the other sign.
        let (drift, below) = if drift < 0.0 { (-drift, width - below) } else { (drift, below) };
        let steepness = 2.0 * drift / variance;
        let rest = if steepness * width < 1e-6 {
            below * (width - below) / variance
        } else {
            let accept_h1 = (-steepness * below).exp_m1() / (-steepness * width).exp_m1();
            (accept_h1 * width - below) / drift
        };
        (rest.is_finite() && rest >= 0.0).then_some(rest)
    }
}
