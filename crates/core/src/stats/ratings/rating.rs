//! The rating of a player, and bounds for players who won or lost all games.

use super::super::evidence::Evidence;
use super::super::extended_wilson_interval::error_factor;
use super::bradley_terry_model::logistic;
use super::fit_with_errors::{Fit, Length};
use super::rating_covariance::NATS_PER_ELO;
use crate::stats::numerics::confidence_level::Confidence;

/// The reference of the ratings of the main group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// The mean of the group.
    #[default]
    Mean,
    /// One player, such as the seed of a gauntlet. The main group is the group of that player.
    Player(usize),
}

/// The options of a rating list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ListOptions {
    /// Whether to fit a first-move advantage if the games determine it.
    pub first_mover: bool,
    /// The reference of the ratings.
    pub reference: Reference,
    /// The confidence level of the intervals.
    pub confidence: Confidence,
    /// How the number of games was determined.
    pub length: Length,
}

/// The rating of a player in Elo. In the main group it is relative to the reference. In any other
/// group it is relative to the group's mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rating {
    /// An estimate with its confidence interval.
    Estimate {
        elo: f64,
        /// The lower end of its interval.
        lo: f64,
        /// The upper end of its interval.
        hi: f64,
        /// Its standard error; positive.
        se: f64,
    },
    /// The reference player: 0 by definition.
    Reference,
    /// The player won every game against the group or player in [`super::Standing::against`]. The
    /// rating is at least this value, at the confidence of the list.
    AtLeast(f64),
    /// The player lost every game against it. The rating is at most this value.
    AtMost(f64),
    /// The player has no opponents.
    Unknown,
}

impl Rating {
    /// The estimate, 0 for the reference, `None` for bounds and unknown ratings.
    pub fn estimate(self) -> Option<f64> {
        match self {
            Self::Estimate { elo, .. } => Some(elo),
            Self::Reference => Some(0.0),
            Self::AtLeast(_) | Self::AtMost(_) | Self::Unknown => None,
        }
    }
}

/// The games of a player against one member of the group from one seat: their number, and the
/// advantage of the player in Elo from this seat and this opponent.
struct Seat {
    games: f64,
    ahead: f64,
}

/// The bound for a player who won or lost every game against a group, or against a single
/// opponent. `met` contains these opponents, each with its rating and the player's results. `fit`
/// is the fit of the group.
///
/// After `n` wins in `n` samples, the interval contains the expected scores from `n / (n + c²)`
/// on, where `c` is `z` times [`error_factor`]. A sample is an opening with all its games, because
/// games that were all won do not show how much openings differ: the opponent with the most opening
/// pairs or single games has their number. The bound is the rating at which the model expects exactly
/// that score against the same opponents. A player who did not meet the group has no bound.
pub(super) fn bound(
    met: impl Iterator<Item = (f64, Evidence)>,
    fit: Option<&Fit>,
    options: ListOptions,
) -> Rating {
    let first_move = fit.and_then(|f| f.first_mover).unwrap_or(0.0);
    let (mut samples, mut won) = (0.0_f64, false);
    let mut seats = Vec::new();
    for (theirs, evidence) in met {
        let all = [evidence.pairs.n(), evidence.lone_first.n(), evidence.lone_second.n()];
        samples = samples.max(all.iter().map(|&n| n as f64).sum());
        won |= evidence.games().wins() > 0;
        let (first, second) = (evidence.moving_first(), evidence.moving_second());
        seats.push(Seat { games: first.n() as f64, ahead: first_move - theirs });
        seats.push(Seat { games: second.n() as f64, ahead: -first_move - theirs });
    }
    let games: f64 = seats.iter().map(|seat| seat.games).sum();
    if games == 0.0 {
        return Rating::Unknown;
    }
    let reach = error_factor(samples)
        * match options.length {
            Length::Fixed => options.confidence.z(),
            length => length.reach(samples, 1.0, options.confidence),
        };
    let least = samples / (samples + reach * reach);
    let share = if won { least } else { 1.0 - least };
    let expected = |rating: f64| {
        let points =
            seats.iter().map(|seat| seat.games * logistic((rating + seat.ahead) * NATS_PER_ELO));
        points.sum::<f64>() / games
    };
    // The score grows with the rating.
    let (mut lo, mut hi) = (-20_000.0, 20_000.0);
    for _ in 0..100 {
        let middle = f64::midpoint(lo, hi);
        if middle == lo || middle == hi {
            break;
        }
        if expected(middle) < share {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    if won { Rating::AtLeast(lo) } else { Rating::AtMost(hi) }
}
