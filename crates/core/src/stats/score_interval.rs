//! A confidence interval of expected scores; both ends are always given.

use super::elo::{self, EloRange};

/// A closed interval of expected scores within `[0, 1]`, never empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub lo: f64,
    /// The upper end, at least `lo`.
    pub hi: f64,
}

impl Interval {
    /// The interval between two scores, both clamped to `[0, 1]`.
    pub(crate) fn within_unit(lo: f64, hi: f64) -> Self {
        let lo = lo.clamp(0.0, 1.0);
        Self { lo, hi: hi.clamp(lo, 1.0) }
    }

    /// Whether `score` is in the interval, ends included.
    pub fn contains(self, score: f64) -> bool {
        self.lo <= score && score <= self.hi
    }

    /// The distance between the ends.
    pub fn width(self) -> f64 {
        self.hi - self.lo
    }

    /// The ends as logistic Elo differences. An end at score 0 or 1 has no finite Elo, so the
    /// range is open on that side.
    pub fn elo(self) -> EloRange {
        match (elo::from_score(self.lo), elo::from_score(self.hi)) {
            (Some(lo), Some(hi)) => EloRange::Between { lo, hi },
            (Some(lo), None) => EloRange::AtLeast(lo),
            (None, Some(hi)) => EloRange::AtMost(hi),
            (None, None) => EloRange::Unbounded,
        }
    }
}
