//! Errors in the settings of a sequential test, with advice.

use std::fmt;

/// The reason why a sequential test cannot be run. Its message says what to change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingsError {
    /// The hypotheses are equal or in the wrong order.
    Order {
        /// The lower hypothesis as given, in Elo.
        elo0: f64,
        /// The upper hypothesis as given, in Elo.
        elo1: f64,
    },
    /// A hypothesis is beyond ±[`SettingsError::MOST_ELO`] or is not a number.
    Range {
        name: &'static str,
        /// Its value as given.
        value: f64,
    },
    /// The hypotheses are too close for any run to decide between them.
    TooClose {
        /// The distance between the hypotheses in Elo.
        distance: f64,
    },
    /// An error rate is outside [1e-12, 1) or is not a number.
    Rate {
        name: &'static str,
        /// Its value as given.
        value: f64,
    },
    /// The two error rates sum to 1 or more: a coin toss would be as good.
    Rates {
        /// The rate of false acceptance of H1 as given.
        alpha: f64,
        /// The rate of false acceptance of H0 as given.
        beta: f64,
    },
    /// A setting that scores without luck do not have.
    RawOnly { name: &'static str },
    /// The limit of games is smaller than one sample.
    Cap {
        /// The number of games per sample.
        needed: u64,
    },
}

impl SettingsError {
    /// The largest absolute value of a hypothesis in Elo.
    pub const MOST_ELO: f64 = 2000.0;
    /// The smallest distance between the hypotheses in Elo.
    pub const LEAST_DISTANCE: f64 = 1e-3;
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Order { elo0, elo1 } if elo0 == elo1 => write!(
                f,
                "elo0 and elo1 are both {elo0}: set elo1 to the smallest gain worth finding, \
                 for example {}",
                elo0 + 5.0
            ),
            Self::Order { elo0, elo1 } => {
                write!(f, "elo0 ({elo0}) must be below elo1 ({elo1}): exchange the two")
            }
            Self::Range { name, value } => write!(
                f,
                "{name} is {value}: choose a value between -{limit} and {limit} Elo",
                limit = Self::MOST_ELO
            ),
            Self::TooClose { distance } => write!(
                f,
                "elo0 and elo1 are only {distance:.1e} Elo apart: set them at least {} Elo apart",
                Self::LEAST_DISTANCE
            ),
            // Scientific notation for values that would be mostly zeros.
            Self::Rate { name, value } if value.abs() < 1e-5 && value != 0.0 => write!(
                f,
                "{name} is {value:e}: choose an error rate of at least 1e-12, for example 0.05"
            ),
            Self::Rate { name, value } => write!(
                f,
                "{name} is {value}: choose an error rate above 0 and below 1, for example 0.05"
            ),
            Self::Rates { alpha, beta } => write!(
                f,
                "alpha ({alpha}) and beta ({beta}) sum to 1 or more, so a coin would do as well: \
                 choose both below 0.5, for example 0.05"
            ),
            Self::RawOnly { name } => {
                write!(f, "{name} does not apply to a test of scores without luck: leave it out")
            }
            Self::Cap { needed } => {
                write!(f, "the cap leaves no room for one sample: allow at least {needed} games")
            }
        }
    }
}

impl std::error::Error for SettingsError {}
