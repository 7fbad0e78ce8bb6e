//! Words for what the counts show: a fixed list, each with its condition.

use crate::stats::Interval;

/// What may be said about two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The interval lies above ½, for a number of games fixed in advance.
    Stronger,
    /// The interval lies below ½, for a number of games fixed in advance.
    Weaker,
    /// The interval holds ½.
    NoDifference,
    /// Too little evidence to say anything.
    TooFew,
}

/// Fewer distinct pairs or games than this show nothing.
const FEW: u64 = 5;

impl Verdict {
    /// From a 95 % interval of the score and the number of distinct samples behind it.
    pub fn of(interval: Option<Interval>, samples: u64) -> Verdict {
        match interval {
            _ if samples < FEW => Verdict::TooFew,
            Some(i) if i.lo > 0.5 => Verdict::Stronger,
            Some(i) if i.hi < 0.5 => Verdict::Weaker,
            Some(_) => Verdict::NoDifference,
            None => Verdict::TooFew,
        }
    }

    /// In words, for two agents.
    pub fn of_agents(self) -> &'static str {
        match self {
            Verdict::Stronger => "stronger (fixed-length test)",
            Verdict::Weaker => "weaker (fixed-length test)",
            Verdict::NoDifference => "no difference shown",
            Verdict::TooFew => "too few distinct games",
        }
    }

    /// In words, for the two seats.
    pub fn of_seats(self) -> &'static str {
        match self {
            Verdict::Stronger => "first player wins more",
            Verdict::Weaker => "second player wins more",
            Verdict::NoDifference => "no difference shown",
            Verdict::TooFew => "too few distinct games",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_decides_and_little_evidence_does_not() {
        let interval = |lo, hi| Some(Interval { lo, hi });
        assert_eq!(Verdict::of(interval(0.51, 0.7), 100), Verdict::Stronger);
        assert_eq!(Verdict::of(interval(0.3, 0.49), 100), Verdict::Weaker);
        assert_eq!(Verdict::of(interval(0.4, 0.6), 100), Verdict::NoDifference);
        assert_eq!(Verdict::of(interval(0.7, 1.0), 4), Verdict::TooFew);
        assert_eq!(Verdict::of(None, 100), Verdict::TooFew);
    }
}
