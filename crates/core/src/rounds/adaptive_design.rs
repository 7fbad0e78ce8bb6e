//! What a format in rounds is to find out, with which error, and how its answers are proven.

/// What the games are to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AdaptiveQuestion {
    Best,
    /// The order of all players.
    Ranking,
    /// Which players are better or worse than this one, by index.
    Against(usize),
}

/// What the choice of the next games saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AdaptiveWeight {
    /// Games: all pairings that need games play equally many.
    #[default]
    Games,
    /// What the games cost: pairings with little evidence for their cost wait for the others.
    Cost,
}

/// A procedure with its error and its limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdaptiveDesign {
    /// What the games are to find out.
    pub question: AdaptiveQuestion,
    /// The probability of a wrong statement, in (0, 1). For [`AdaptiveQuestion::Best`] this is the
    /// probability that a player is eliminated whom no other player beats on average.
    pub alpha: f64,
    /// Differences up to this number of Elo need not be decided.
    pub epsilon_elo: Option<f64>,
    /// The maximum number of games of all pairings.
    pub max_games: u64,
    /// Whether scores without luck decide. Their e-values are asymptotic, so the error is too.
    pub adjusted: bool,
    /// What the choice of the next games saves.
    pub weight: AdaptiveWeight,
}

/// Why a pair of players was decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Proof {
    /// The natural logarithm of the e-value that reached its bound.
    EValue(f64),
    /// The asymptotic e-value of scores without luck reached its bound.
    Asymptotic {
        /// Its natural logarithm.
        ln_e: f64,
        /// The natural logarithm of the strict e-value of the raw scores.
        ln_strict: f64,
    },
    /// More games would only repeat the games that were played.
    Exact,
    /// It follows from other decisions, and the pair's own later games agree: the natural logarithm
    /// of their e-value.
    Transitive(f64),
    /// The difference is at most [`AdaptiveDesign::epsilon_elo`].
    Close,
}

impl Proof {
    /// The natural logarithm of the e-value that decided.
    pub fn ln_e(self) -> Option<f64> {
        match self {
            Proof::EValue(ln_e) | Proof::Asymptotic { ln_e, .. } | Proof::Transitive(ln_e) => {
                Some(ln_e)
            }
            Proof::Exact | Proof::Close => None,
        }
    }
}
