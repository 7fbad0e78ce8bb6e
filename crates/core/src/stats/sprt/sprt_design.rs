//! The design of a sequential test: its hypotheses, error rates and model.

use super::super::elo::{self, NORMALIZED_ELO_PER_SIGMA};
use super::super::evidence::Evidence;
use super::super::score_counts::{Pentanomial, Trinomial};
use super::sprt_settings_error::SettingsError;
use super::{bayes_elo, llr_of_means, llr_of_t};

/// The scale of the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloModel {
    /// Logistic Elo: hypotheses about the mean score.
    #[default]
    Logistic,
    /// Normalized Elo: hypotheses about the mean score divided by its standard deviation. The
    /// length of a test then does not depend on the draw ratio.
    Normalized,
    /// BayesElo: hypotheses whose mean scores depend on a draw rate. The draw rate is estimated
    /// from the games.
    Bayes,
}

/// The unit that counts as one independent sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Opening pairs, by their score over both games.
    #[default]
    Pairs,
    /// Single games. This is valid only if no two games share an opening.
    Games,
}

impl Unit {
    /// The number of games per sample.
    pub fn games(self) -> u64 {
        match self {
            Self::Pairs => 2,
            Self::Games => 1,
        }
    }
}

/// The settings of a sequential test, as the user gives them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtSettings {
    /// The hypothesis H0, in Elo of the chosen model.
    pub elo0: f64,
    /// The hypothesis H1, in Elo of the chosen model; above `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 although H0 is true, in (0, 1).
    pub alpha: f64,
    /// The probability of accepting H0 although H1 is true, in (0, 1).
    pub beta: f64,
    /// The scale of the hypotheses.
    pub model: EloModel,
    pub unit: Unit,
    /// Whether to correct the bounds for the average overshoot. Tests with distant hypotheses are
    /// then shorter, but their error rates may be twice `alpha` and `beta`.
    pub overshoot: bool,
    /// Whether scores without luck decide, by an asymptotic confidence sequence. The test is then
    /// logistic, its unit is pairs, and there is no overshoot to correct.
    pub adjusted: bool,
    /// The largest number of games. Without it, a test may take very long if the true strength is
    /// between its hypotheses or if nearly all games are drawn.
    pub max_games: Option<u64>,
}

impl Default for SprtSettings {
    /// H0 0 Elo, H1 5 Elo, both error rates 5 %, logistic, on pairs, no cap.
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
            unit: Unit::Pairs,
            overshoot: false,
            adjusted: false,
            max_games: None,
        }
    }
}

impl SprtSettings {
    /// Checks the settings and returns the design of the test.
    pub fn check(self) -> Result<Design, SettingsError> {
        for (name, value) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            let limit = SettingsError::MOST_ELO;
            if !(-limit..=limit).contains(&value) {
                return Err(SettingsError::Range { name, value });
            }
        }
        let (elo0, elo1) = (self.elo0, self.elo1);
        if elo0 >= elo1 {
            return Err(SettingsError::Order { elo0, elo1 });
        }
        if elo1 - elo0 < SettingsError::LEAST_DISTANCE {
            let distance = elo1 - elo0;
            return Err(SettingsError::TooClose { distance });
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(1e-12..1.0).contains(&value) {
                return Err(SettingsError::Rate { name, value });
            }
        }
        if self.alpha + self.beta >= 1.0 {
            let (alpha, beta) = (self.alpha, self.beta);
            return Err(SettingsError::Rates { alpha, beta });
        }
        if self.adjusted {
            let raw_only = [
                ("model", self.model != EloModel::Logistic),
                ("unit", self.unit != Unit::Pairs),
                ("overshoot", self.overshoot),
            ];
            if let Some((name, _)) = raw_only.into_iter().find(|(_, is_set)| *is_set) {
                return Err(SettingsError::RawOnly { name });
            }
        }
        let needed = self.unit.games();
        if self.max_games.is_some_and(|most| most < needed) {
            return Err(SettingsError::Cap { needed });
        }
        Ok(Design(self))
    }
}

/// The settings of a sequential test that can be run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design(SprtSettings);

impl Design {
    pub fn settings(&self) -> &SprtSettings {
        &self.0
    }

    /// The log-likelihood ratio below which H0 is accepted; negative.
    ///
    /// `ln(β / (1 - α))`, A. Wald, "Sequential Analysis" (1947). With adjusted scores `ln β`, because
    /// their evidence is an e-value.
    pub fn lower(&self) -> f64 {
        let other = if self.0.adjusted { 0.0 } else { self.0.alpha };
        (self.0.beta / (1.0 - other)).ln()
    }

    /// The log-likelihood ratio above which H1 is accepted; positive: `ln((1 - β) / α)`. With
    /// adjusted scores `-ln α`.
    pub fn upper(&self) -> f64 {
        let other = if self.0.adjusted { 0.0 } else { self.0.beta };
        ((1.0 - other) / self.0.alpha).ln()
    }

    /// The scores that belong to both hypotheses of a logistic test.
    pub(super) fn scores(&self) -> [f64; 2] {
        [self.0.elo0, self.0.elo1].map(elo::to_score)
    }

    /// The log-likelihood ratio of H1 against H0 in nats. Without samples it is 0 up to rounding.
    /// Games without a partner count only if the unit is games.
    pub fn llr(&self, evidence: &Evidence) -> f64 {
        match self.0.unit {
            Unit::Pairs => self.llr_of_pairs(&evidence.pairs.strength(), || evidence.pairs.games()),
            Unit::Games => self.llr_of_games(&evidence.games()),
        }
    }

    fn llr_of_pairs(&self, pairs: &Pentanomial, games: impl Fn() -> Trinomial) -> f64 {
        let (elo0, elo1) = (self.0.elo0, self.0.elo1);
        match self.0.model {
            EloModel::Logistic => llr_of_means(pairs, elo::to_score(elo0), elo::to_score(elo1)),
            EloModel::Normalized => {
                let per_pair = 2f64.sqrt() / NORMALIZED_ELO_PER_SIGMA;
                llr_of_t(pairs, elo0 * per_pair, elo1 * per_pair)
            }
            EloModel::Bayes => {
                let draw_elo = bayes_elo::draw_elo(&games());
                let score = |elo| bayes_elo::to_score(elo, draw_elo);
                llr_of_means(pairs, score(elo0), score(elo1))
            }
        }
    }

    fn llr_of_games(&self, games: &Trinomial) -> f64 {
        let (elo0, elo1) = (self.0.elo0, self.0.elo1);
        match self.0.model {
            EloModel::Logistic => llr_of_means(games, elo::to_score(elo0), elo::to_score(elo1)),
            EloModel::Normalized => {
                let (t0, t1) = (elo0 / NORMALIZED_ELO_PER_SIGMA, elo1 / NORMALIZED_ELO_PER_SIGMA);
                llr_of_t(games, t0, t1)
            }
            EloModel::Bayes => {
                let draw_elo = bayes_elo::draw_elo(games);
                let score = |elo| bayes_elo::to_score(elo, draw_elo);
                llr_of_means(games, score(elo0), score(elo1))
            }
        }
    }
}
