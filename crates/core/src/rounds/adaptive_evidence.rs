//! The evidence about a pair of players in a format in rounds: strict e-values of raw scores, or
//! asymptotic e-values of scores without luck.

use super::adaptive_design::{AdaptiveDesign, Proof};
use crate::stats::betting_e_value::{ln_e_below, ln_e_value, ln_mean_exp};
use crate::stats::elo;
use crate::stats::luck_adjusted::LuckAdjusted;
use crate::stats::score_counts::Pentanomial;

/// The evidence about a pairing, from the point of view of its first player.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairState {
    /// The distinct opening pairs.
    pub pairs: Pentanomial,
    /// The same pairs without luck; empty if raw scores decide.
    pub luck: LuckAdjusted,
    /// More games would only repeat these, so their score is exact.
    pub exhausted: bool,
    /// What all games of the pairing have cost, in any unit; 0 if unknown.
    pub cost: f64,
}

impl PairState {
    /// The point of view of the second player.
    pub(crate) fn flipped(&self) -> Self {
        PairState { pairs: self.pairs.flipped(), luck: self.luck.flipped(), ..*self }
    }

    /// What came after `before`.
    pub(crate) fn since(&self, before: &PairState) -> Self {
        let mut new = Pentanomial::default();
        for (cell, (now, before)) in new.0.iter_mut().zip(self.pairs.0.iter().zip(before.pairs.0)) {
            *cell = now - before;
        }
        PairState { pairs: new, luck: self.luck.since(&before.luck), ..*self }
    }

    pub(crate) fn merge(&mut self, other: &PairState) {
        self.pairs.merge(&other.pairs);
        self.luck.merge(&other.luck);
    }

    /// The mean score, from 0 to 1, without luck if such scores decide.
    pub(crate) fn score(&self, design: &AdaptiveDesign) -> Option<f64> {
        match design.adjusted {
            true => self.luck.mean().map(|mean| mean.clamp(0.0, 1.0)),
            false => self.pairs.mean(),
        }
    }

    /// The natural logarithm of the e-value against "the first player scores at most `mean`"; 0 if
    /// there is no evidence.
    pub(crate) fn ln_e_above(&self, design: &AdaptiveDesign, mean: f64) -> f64 {
        match design.adjusted {
            true => self.luck.ln_asymptotic_e_above(mean).unwrap_or(0.0),
            false => ln_e_value(&self.pairs, mean),
        }
    }

    /// The same against "the first player scores at least `mean`".
    pub(crate) fn ln_e_below(&self, design: &AdaptiveDesign, mean: f64) -> f64 {
        match design.adjusted {
            true => self.luck.ln_asymptotic_e_below(mean).unwrap_or(0.0),
            false => ln_e_below(&self.pairs, mean),
        }
    }

    /// The proof that the first player scores more than half of the points.
    fn proof_above_half(&self, design: &AdaptiveDesign) -> Proof {
        let ln_e = self.ln_e_above(design, 0.5);
        match design.adjusted {
            true => Proof::Asymptotic { ln_e, ln_strict: ln_e_value(&self.pairs, 0.5) },
            false => Proof::EValue(ln_e),
        }
    }

    /// The same, if half of the capital of raw scores was bet by ratings. `rated` is the logarithm of
    /// this half. The mean of e-values is an e-value, so with scores without luck both kinds of
    /// scores count half.
    pub(crate) fn proof_with_rated_bets(&self, design: &AdaptiveDesign, rated: f64) -> Proof {
        let ln_strict = ln_mean_exp(&[rated, ln_e_value(&self.pairs, 0.5)]);
        match design.adjusted {
            true => {
                let ln_e = ln_mean_exp(&[ln_strict, self.ln_e_above(design, 0.5)]);
                Proof::Asymptotic { ln_e, ln_strict }
            }
            false => Proof::EValue(ln_strict),
        }
    }

    /// What the evidence proves: whether the first player is the better one, and how.
    pub(crate) fn proof(&self, design: &AdaptiveDesign, bound: f64) -> Option<(bool, Proof)> {
        let score = self.score(design)?;
        if self.exhausted {
            let proof = if score == 0.5 { Proof::Close } else { Proof::Exact };
            return Some((score >= 0.5, proof));
        }
        let both = [*self, self.flipped()];
        for (is_first, state) in [(true, &both[0]), (false, &both[1])] {
            if state.ln_e_above(design, 0.5) >= bound {
                return Some((is_first, state.proof_above_half(design)));
            }
        }
        let margin = elo::to_score(design.epsilon_elo?);
        let close = both.iter().all(|state| state.ln_e_below(design, margin) >= bound);
        close.then_some((score >= 0.5, Proof::Close))
    }
}
