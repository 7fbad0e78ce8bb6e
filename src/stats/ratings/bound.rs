//! What is known of a player's rating, and what straight wins or straight losses say about it.

use super::super::confidence::Confidence;
use super::super::gen_wilson::enlarged;
use super::super::pairs::Evidence;
use super::covariance::NATS_PER_ELO;
use super::fit::Fit;
use super::model::logistic;

/// What the ratings of the main group are relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// The mean of the group.
    #[default]
    Mean,
    /// One player, as the seed of a gauntlet. The main group is that player's.
    Player(usize),
}

/// How to make a rating list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ListOptions {
    /// Whether to fit a worth of the first move where the games tell it.
    pub first_mover: bool,
    /// What ratings are relative to.
    pub reference: Reference,
    /// The level of the intervals.
    pub confidence: Confidence,
}

/// What is known about a player's strength, in Elo relative to the reference for
/// the main group and to its own mean for any other group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rating {
    /// An estimate with its interval.
    Estimate {
        /// The rating.
        elo: f64,
        /// The lower end of its interval.
        lo: f64,
        /// The upper end of its interval.
        hi: f64,
        /// Its standard error; positive.
        se: f64,
    },
    /// The player that the ratings are relative to: 0 by definition.
    Reference,
    /// Won every game against what [`super::Standing::against`] says: the rating is at
    /// least this, at the confidence of the list.
    AtLeast(f64),
    /// Lost every game against it: the rating is at most this.
    AtMost(f64),
    /// The player met nobody.
    Unknown,
}

impl Rating {
    /// The estimate, 0 for the reference, `None` for bounds and unknowns.
    pub fn estimate(self) -> Option<f64> {
        match self {
            Self::Estimate { elo, .. } => Some(elo),
            Self::Reference => Some(0.0),
            Self::AtLeast(_) | Self::AtMost(_) | Self::Unknown => None,
        }
    }
}

/// Games of a player against one member of the group from one seat: their
/// number, and by how much the player's rating counts for more, in Elo.
struct Seat {
    games: f64,
    ahead: f64,
}

/// The bound for a player who won or lost every game against a group, or against a
/// single opponent: `met` are its opponents there, each with its rating and the player's
/// evidence; `fit` is that of the group.
///
/// `n` samples won out of `n` leave expected scores from `n / (n + c²)` on within
/// the interval of scores, where `c` is `z` times [`enlarged`], a sample being an opening pair or a lone game; the bound is
/// the rating at which the model expects just that score against the same
/// opponents. Who did not meet the group has none.
pub(super) fn bound(
    met: impl Iterator<Item = (f64, Evidence)>,
    fit: Option<&Fit>,
    options: ListOptions,
) -> Rating {
    let first_move = fit.and_then(|f| f.first_mover).unwrap_or(0.0);
    let (mut samples, mut won) = (0.0, false);
    let mut seats = Vec::new();
    for (theirs, evidence) in met {
        samples += evidence.pairs.n() as f64;
        samples += evidence.lone_first.n() as f64 + evidence.lone_second.n() as f64;
        won |= evidence.games().wins() > 0;
        let (first, second) = (evidence.moving_first(), evidence.moving_second());
        seats.push(Seat { games: first.n() as f64, ahead: first_move - theirs });
        seats.push(Seat { games: second.n() as f64, ahead: -first_move - theirs });
    }
    let games: f64 = seats.iter().map(|seat| seat.games).sum();
    if games == 0.0 {
        return Rating::Unknown;
    }
    let reach = options.confidence.z() * enlarged(samples);
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
