//! Verdicts on counts: a fixed list of phrases, each with its condition.

use std::collections::HashMap;

use crate::stats::{Clusters, Confidence, Counts, Evidence, Interval, elo};
use crate::text::number_format::informative_range;

/// A verdict on two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairVerdict {
    /// Better, valid at any time.
    Stronger,
    /// Worse, valid at any time.
    Weaker,
    /// Better, for a number of games fixed in advance.
    StrongerFixed,
    /// Worse, for a number of games fixed in advance.
    WeakerFixed,
    /// The interval contains ½.
    NoDifference,
    /// Too little evidence to say anything.
    TooFew,
    /// Both sides always play the same moves, and the whole opening set was played: a fact, not a
    /// sample.
    Exact,
    /// The run was stopped early, and its games do not decide the question.
    Undecided,
}

/// With fewer distinct pairs or games than this there is no verdict.
pub(crate) const FEW: u64 = 5;

impl PairVerdict {
    /// The verdict in words, about the agent whose score it is.
    pub fn of_agents(self) -> &'static str {
        match self {
            PairVerdict::Stronger => "stronger",
            PairVerdict::Weaker => "weaker",
            PairVerdict::StrongerFixed => "stronger (fixed-length test)",
            PairVerdict::WeakerFixed => "weaker (fixed-length test)",
            PairVerdict::NoDifference => "no difference shown",
            PairVerdict::TooFew => "too few distinct games",
            PairVerdict::Exact => "exact over the opening set",
            PairVerdict::Undecided => "undecided",
        }
    }

    /// The verdict in words, about the two seats.
    pub fn of_seats(self) -> &'static str {
        match self {
            PairVerdict::Stronger => "first player wins more",
            PairVerdict::Weaker => "second player wins more",
            PairVerdict::StrongerFixed => "first player wins more (fixed-length test)",
            PairVerdict::WeakerFixed => "second player wins more (fixed-length test)",
            PairVerdict::TooFew => "too few openings",
            other => other.of_agents(),
        }
    }
}

/// How the length of a run was determined, which decides the valid intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sampling {
    /// The number of games was fixed in advance, and all games were played.
    pub fixed_length: bool,
    /// Every opening of a finite set was played by agents that always play the same moves.
    pub exhausted: bool,
}

/// A mean score with its intervals and its verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The mean; `None` without evidence.
    pub score: Option<f64>,
    /// The 95 % interval for a length fixed in advance.
    pub interval: Option<Interval>,
    /// The 95 % interval that is valid at any time.
    pub anytime: Option<Interval>,
    /// The p-value of "the mean is ½", from the test whose interval is `interval`: it is below 5 %
    /// exactly if the interval excludes ½.
    pub p_value: Option<f64>,
    /// The e-value against ½: 20 is evidence at 5 % at any time.
    pub e_value: Option<f64>,
    /// Distinct samples: pairs, games or clusters.
    pub samples: u64,
    pub verdict: PairVerdict,
}

impl Judged {
    /// The interval that holds for a run: that of a length fixed in advance, or that at any stopping
    /// time.
    pub fn interval_that_holds(&self, fixed_length: bool) -> Option<Interval> {
        if fixed_length { self.interval } else { self.anytime }
    }

    /// The Elo of the score and the known ends of one of its intervals. There is none from too few samples,
    /// or if the interval says nothing: readers would trust it too much.
    pub fn elo(&self, interval: Option<Interval>) -> [Option<f64>; 3] {
        let value = self.score.and_then(elo::from_score);
        match (self.verdict, informative_range(interval)) {
            (PairVerdict::Exact, _) => [value, None, None],
            (PairVerdict::TooFew, _) | (_, None) => [None; 3],
            (_, Some(range)) => [value, range.lo(), range.hi()],
        }
    }

    /// Judges counts of distinct pairs or games.
    pub fn counts<const K: usize>(counts: &Counts<K>, sampling: Sampling) -> Judged {
        let interval = counts.interval(Confidence::P95);
        let anytime = counts.anytime_interval(Confidence::P95);
        let e_value = (!counts.is_empty()).then(|| counts.e_value());
        let judged = Judged::new(counts.mean(), [interval, anytime], counts.n(), sampling);
        Judged { p_value: counts.p_value(), e_value, ..judged }.settled()
    }

    /// Judges the mean of clusters.
    pub fn clusters(clusters: &Clusters, sampling: Sampling) -> Judged {
        let interval = clusters.interval(Confidence::P95);
        let anytime = clusters.anytime_interval(Confidence::P95);
        let judged = Judged::new(clusters.mean(), [interval, anytime], clusters.n, sampling);
        let (p_value, e_value) = (clusters.p_value(), clusters.e_value());
        Judged { p_value, e_value, ..judged }.settled()
    }

    /// Judges a mean by its intervals: for a fixed length and at any time.
    fn new(
        score: Option<f64>,
        [interval, anytime]: [Option<Interval>; 2],
        samples: u64,
        sampling: Sampling,
    ) -> Judged {
        let verdict = match (side(anytime), side(interval)) {
            _ if sampling.exhausted && samples > 0 => PairVerdict::Exact,
            _ if samples < FEW => PairVerdict::TooFew,
            (Some(true), _) => PairVerdict::Stronger,
            (Some(false), _) => PairVerdict::Weaker,
            _ if !sampling.fixed_length => PairVerdict::Undecided,
            (None, Some(true)) => PairVerdict::StrongerFixed,
            (None, Some(false)) => PairVerdict::WeakerFixed,
            (None, None) => PairVerdict::NoDifference,
        };
        Judged { score, interval, anytime, p_value: None, e_value: None, samples, verdict }
    }

    /// Removes the sampling error, which a fact does not have.
    fn settled(self) -> Judged {
        match self.verdict {
            PairVerdict::Exact => {
                Judged { interval: None, anytime: None, p_value: None, e_value: None, ..self }
            }
            _ => self,
        }
    }
}

/// A cache of verdicts on counts. With many agents and few games per pairing, few counts differ,
/// and an interval that is valid at any time is expensive to compute.
#[derive(Debug, Default)]
pub(crate) struct Memo(HashMap<([u64; 5], Sampling), Judged>);

impl Memo {
    /// Maximum number of cached verdicts.
    const MOST: usize = 1 << 14;

    /// Judges two agents by distinct pairs, or by single games if there are no pairs.
    pub fn evidence(&mut self, evidence: &Evidence, sampling: Sampling) -> Judged {
        let pairs = evidence.pairs.strength();
        if pairs.is_empty() {
            self.counts(&evidence.games(), sampling)
        } else {
            self.counts(&pairs, sampling)
        }
    }

    /// As [`Judged::counts`].
    pub fn counts<const K: usize>(&mut self, counts: &Counts<K>, sampling: Sampling) -> Judged {
        // Trinomials and pentanomials never share a key: the position of a cell identifies what it
        // counts.
        let mut key = [u64::MAX; 5];
        key.iter_mut().zip(counts.0).for_each(|(cell, count)| *cell = count);
        if self.0.len() == Self::MOST {
            self.0.clear();
        }
        *self.0.entry((key, sampling)).or_insert_with(|| Judged::counts(counts, sampling))
    }
}

/// Whether an interval is above or below ½; `None` if it contains ½.
fn side(interval: Option<Interval>) -> Option<bool> {
    let interval = interval?;
    if interval.lo > 0.5 {
        Some(true)
    } else if interval.hi < 0.5 {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Trinomial;
    use proptest::prelude::*;

    const FIXED: Sampling = Sampling { fixed_length: true, exhausted: false };

    #[test]
    fn the_intervals_decide_and_little_evidence_does_not() {
        let verdict = |l, d, w, sampling| Judged::counts(&Trinomial::of(l, d, w), sampling).verdict;
        assert_eq!(verdict(0, 0, 100, FIXED), PairVerdict::Stronger);
        assert_eq!(verdict(100, 0, 0, FIXED), PairVerdict::Weaker);
        assert_eq!(verdict(40, 0, 62, FIXED), PairVerdict::StrongerFixed);
        assert_eq!(verdict(40, 0, 62, Sampling::default()), PairVerdict::Undecided);
        assert_eq!(verdict(50, 3, 52, FIXED), PairVerdict::NoDifference);
        assert_eq!(verdict(0, 0, 4, FIXED), PairVerdict::TooFew);
        assert_eq!(verdict(0, 0, 0, FIXED), PairVerdict::TooFew);
        let exhausted = Sampling { fixed_length: true, exhausted: true };
        assert_eq!(verdict(0, 0, 1, exhausted), PairVerdict::Exact);
        assert_eq!(verdict(0, 0, 0, exhausted), PairVerdict::TooFew);
    }

    #[test]
    fn equal_counts_are_judged_once() {
        let mut memo = Memo::default();
        for (counts, sampling) in [
            (Trinomial::of(1, 2, 3), FIXED),
            (Trinomial::of(3, 2, 1), FIXED),
            (Trinomial::of(1, 2, 3), Sampling::default()),
        ] {
            for _ in 0..3 {
                assert_eq!(memo.counts(&counts, sampling), Judged::counts(&counts, sampling));
            }
        }
        let pairs = crate::stats::Counts([1, 2, 3, 0, 0]);
        assert_eq!(memo.counts(&pairs, FIXED), Judged::counts(&pairs, FIXED));
        assert_eq!(memo.0.len(), 4);
    }

    /// Checks that the interval, the p-value and the verdict agree.
    fn agrees<const K: usize>(counts: Counts<K>) {
        let judged = Judged::counts(&counts, FIXED);
        let (Some(interval), Some(p)) = (judged.interval, judged.p_value) else {
            assert!(counts.is_empty());
            return;
        };
        let differs = !interval.contains(0.5);
        assert_eq!(p < 0.05, differs, "{counts:?} p {p} {interval:?}");
        let decided = match judged.verdict {
            PairVerdict::Stronger | PairVerdict::StrongerFixed => interval.lo > 0.5,
            PairVerdict::Weaker | PairVerdict::WeakerFixed => interval.hi < 0.5,
            PairVerdict::NoDifference => !differs,
            PairVerdict::TooFew => counts.n() < FEW,
            _ => false,
        };
        assert!(decided, "{counts:?} {interval:?} {:?}", judged.verdict);
    }

    #[test]
    fn interval_p_and_verdict_agree_on_all_small_tables() {
        for n in 0..=30 {
            for losses in 0..=n {
                for draws in 0..=n - losses {
                    agrees(Trinomial::of(losses, draws, n - losses - draws));
                }
            }
        }
        // For 10 wins and 3 losses a sign test has p = 0.09, the score test p = 0.05.
        agrees(Trinomial::of(3, 1, 10));
    }

    proptest! {
        #[test]
        fn interval_p_and_verdict_agree_on_pairs(
            cells in prop::array::uniform5(prop_oneof![Just(0_u64), 0_u64..12, 0_u64..400]),
        ) {
            agrees(Counts(cells));
        }

        #[test]
        fn interval_p_and_verdict_agree_on_clusters(
            means in prop::collection::vec(0.3_f64..0.8, 0..60), games in 1_u64..100,
        ) {
            let mut clusters = Clusters::default();
            means.iter().for_each(|&mean| clusters.add(mean, games));
            let judged = Judged::clusters(&clusters, FIXED);
            if let (Some(interval), Some(p)) = (judged.interval, judged.p_value) {
                prop_assert_eq!(p < 0.05, !interval.contains(0.5), "{} {:?}", p, interval);
            }
        }
    }
}
