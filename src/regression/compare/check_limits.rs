//! Computes the verdict of a gate: compares a confidence interval with a limit.

use super::change_limits::Metric;
use crate::report::{counted, fixed};
use crate::stats::timing::{BlockRatio, MedianInterval, anytime_median_interval, median_interval};
use crate::stats::{Confidence, EloRange, Interval, PairedScores, Pentanomial};

crate::choice! {
    /// The verdict of a gate on the candidate.
    pub enum GateVerdict {
        /// No change: the same games, or the same work.
        Same = "the same",
        /// The whole interval is on the better side of "no change". Ratios and memory must be better
        /// by more than the limit allows them to be worse.
        Better = "better",
        /// The whole interval is within the limit.
        NotWorse = "not worse",
        /// The whole interval is beyond the limit.
        Worse = "worse",
        /// The limit is inside the interval.
        Undecided = "undecided",
        /// The change is printed, but nothing says how large its error is.
        NotJudged = "not judged",
        NotCompared = "not compared",
    }
}

impl GateVerdict {
    /// Whether the change was compared with a limit.
    pub fn is_judged(self) -> bool {
        !matches!(self, GateVerdict::NotJudged | GateVerdict::NotCompared)
    }
}

/// One row: a figure, its change and its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    pub measure: Measure,
    pub change: Change,
    /// `None` if the figure is not judged.
    pub limit: Option<f64>,
    pub verdict: GateVerdict,
}

impl Gate {
    /// The figure and the agent.
    pub fn name(&self) -> String {
        match &self.measure.agent {
            Some(agent) => format!("{} of {agent}", self.measure.what),
            None => self.measure.what.to_owned(),
        }
    }

    /// The ends of the interval. A change that is known exactly is both of them.
    pub fn ends(&self) -> [Option<f64>; 2] {
        let Change { value, low, high } = self.change;
        match self.measure.finding {
            Finding::Same => [value; 2],
            Finding::Exact(_) if self.measure.metric == Metric::Work => [value; 2],
            _ => [low, high],
        }
    }
}

/// The minimum number of distinct pairs for a verdict.
const FEW: u64 = 5;

/// A finding, before it is compared with a limit.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding {
    /// Points in paired games, in the baseline and in the candidate's run.
    Paired(PairedScores),
    /// Pairs of games of the candidate against the baseline.
    HeadToHead(Pentanomial),
    /// Ratios candidate / baseline of paired figures.
    Ratios(Vec<f64>),
    /// The ratio of times of interleaved blocks, with its interval.
    Interleaved(BlockRatio),
    /// A factor that is known exactly.
    Exact(f64),
    /// A factor whose absolute difference is too small to matter.
    Negligible(f64),
    Same,
    /// No finding; the basis has the reason.
    Nothing,
}

/// A figure of both runs with the finding about its change.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// The name of the figure.
    pub what: &'static str,
    /// The metric whose limit applies.
    pub metric: Metric,
    /// The agent; `None` for the whole run.
    pub agent: Option<String>,
    /// The figure of the baseline: a score from 0 to 1, nodes, nanoseconds or bytes. `None` if the
    /// change is not that from this figure to the candidate's.
    pub baseline: Option<f64>,
    pub candidate: Option<f64>,
    pub finding: Finding,
    /// Whether the number of games depended on results. Then intervals must hold at any time.
    pub anytime: bool,
    /// The basis of the comparison, or the reason why there is none.
    pub basis: String,
}

/// A change with its interval: Elo for strength, a factor for all other metrics. An open end is
/// `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Change {
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Measure {
    /// A figure that cannot be compared, with the reason.
    pub fn nothing(what: &'static str, metric: Metric, agent: Option<&str>, why: String) -> Self {
        Measure {
            what,
            metric,
            agent: agent.map(str::to_owned),
            baseline: None,
            candidate: None,
            finding: Finding::Nothing,
            anytime: false,
            basis: why,
        }
    }

    /// Whether chance can make its verdict wrong.
    pub fn has_interval(&self) -> bool {
        matches!(self.finding, Finding::Paired(..) | Finding::HeadToHead(_) | Finding::Ratios(_))
    }

    /// Compares the finding with the limit. Without a limit, the change is not judged.
    pub fn judge(mut self, limit: Option<f64>, confidence: Confidence) -> Gate {
        let (change, verdict, few) = match (limit, &self.finding) {
            (Some(limit), _) => self.compared(limit, confidence),
            (None, &Finding::Exact(factor)) => {
                (Change { value: Some(factor), ..Change::default() }, GateVerdict::NotJudged, None)
            }
            (None, _) => (Change::default(), GateVerdict::NotCompared, None),
        };
        if let Some(few) = few {
            self.basis = format!("{}; {few}", self.basis);
        }
        Gate { measure: self, change, limit, verdict }
    }

    /// The change, its verdict, and the reason if there is too little evidence.
    fn compared(
        &self,
        limit: f64,
        confidence: Confidence,
    ) -> (Change, GateVerdict, Option<String>) {
        let mut few = None;
        let (change, verdict) = match &self.finding {
            Finding::Paired(samples) => {
                let ends = match self.anytime {
                    true => samples.anytime_interval(confidence),
                    false => samples.interval(confidence),
                };
                let [low, high] = ends.unwrap_or_default();
                few = too_few_pairs(samples.n());
                let change = Change { value: samples.elo(), low, high };
                (change, of_elo(change, limit, samples.n()))
            }
            Finding::HeadToHead(counts) => {
                let range = match self.anytime {
                    true => counts.anytime_interval(confidence),
                    false => counts.interval(confidence),
                };
                let range = range.map(Interval::elo);
                let value = counts.elo();
                few = too_few_pairs(counts.n());
                let low = range.and_then(EloRange::lo);
                let change = Change { value, low, high: range.and_then(EloRange::hi) };
                (change, of_elo(change, limit, counts.n()))
            }
            Finding::Ratios(ratios) => {
                let found = match self.anytime {
                    true => anytime_median_interval(ratios, confidence),
                    false => median_interval(ratios, confidence),
                };
                let (change, verdict, short) = of_ratios(found, limit, confidence);
                few = short;
                (change, verdict)
            }
            Finding::Interleaved(found) => {
                let [low, high] = found.interval.map_or([None; 2], |ends| ends.map(Some));
                (Change { value: Some(found.ratio), low, high }, of_factor(low, high, limit))
            }
            Finding::Exact(factor) => {
                let change = Change { value: Some(*factor), ..Change::default() };
                (change, of_exact(*factor, limit, self.metric))
            }
            Finding::Negligible(factor) => {
                (Change { value: Some(*factor), ..Change::default() }, GateVerdict::NotWorse)
            }
            Finding::Same => (Change { value: Some(0.0), ..Change::default() }, GateVerdict::Same),
            Finding::Nothing => (Change::default(), GateVerdict::NotCompared),
        };
        (change, verdict, few)
    }
}

/// The reason why so few pairs give no verdict.
fn too_few_pairs(pairs: u64) -> Option<String> {
    (pairs < FEW).then(|| {
        format!("too few: {}, {FEW} are needed to decide", counted(pairs, "distinct pair"))
    })
}

/// The verdict on a factor that is known exactly.
fn of_exact(factor: f64, limit: f64, metric: Metric) -> GateVerdict {
    // Work is counted exactly. Memory varies, so a decrease within the limit is no gain.
    let gain = if metric == Metric::Memory { 1.0 / limit } else { 1.0 };
    match factor {
        1.0 => GateVerdict::Same,
        f if f < gain => GateVerdict::Better,
        f if f <= limit => GateVerdict::NotWorse,
        _ => GateVerdict::Worse,
    }
}

/// More Elo is better; an open end is infinite.
fn of_elo(change: Change, limit: f64, pairs: u64) -> GateVerdict {
    match (change.low, change.high) {
        _ if pairs < FEW => GateVerdict::Undecided,
        (_, Some(high)) if high < limit => GateVerdict::Worse,
        (Some(low), _) if low > 0.0 => GateVerdict::Better,
        (Some(low), _) if low >= limit => GateVerdict::NotWorse,
        _ => GateVerdict::Undecided,
    }
}

/// A smaller factor is better. With too few ratios there is no interval of that level. Then the
/// third returned value is the reason.
fn of_ratios(
    found: Option<MedianInterval>,
    limit: f64,
    confidence: Confidence,
) -> (Change, GateVerdict, Option<String>) {
    let Some(found) = found else {
        return (Change::default(), GateVerdict::NotCompared, None);
    };
    let value = Some(found.median);
    if found.coverage < confidence.level() {
        let percent = |share: f64| fixed(100.0 * share, 2);
        let few = format!(
            "too few: from smallest to largest they cover {} %, not {} %",
            percent(found.coverage),
            percent(confidence.level())
        );
        return (Change { value, ..Change::default() }, GateVerdict::Undecided, Some(few));
    }
    let change = Change { value, low: Some(found.lo), high: Some(found.hi) };
    (change, of_factor(change.low, change.high, limit), None)
}

/// A smaller factor is better; without an end, no verdict is possible.
fn of_factor(low: Option<f64>, high: Option<f64>, limit: f64) -> GateVerdict {
    match (low, high) {
        (Some(low), _) if low > limit => GateVerdict::Worse,
        // A decrease within the variation that the limit allows is no gain.
        (_, Some(high)) if high < 1.0 / limit => GateVerdict::Better,
        (_, Some(high)) if high <= limit => GateVerdict::NotWorse,
        _ => GateVerdict::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(finding: Finding, metric: Metric) -> Gate {
        let mut measure = Measure::nothing("x", metric, None, String::new());
        measure.finding = finding;
        measure.judge(metric.default_limit(), Confidence::P95)
    }

    /// Numbers of samples of paired games by their scores before and after, in half points.
    fn samples(cells: &[(usize, usize, u64)]) -> Finding {
        let mut samples = PairedScores::default();
        for &(before, after, count) in cells {
            (0..count).for_each(|_| samples.add(before, after, 1));
        }
        Finding::Paired(samples)
    }

    /// Games that the baseline drew and the candidate lost, drew or won.
    fn pairs(lost: u64, kept: u64, won: u64) -> GateVerdict {
        let finding = samples(&[(1, 0, lost), (1, 1, kept), (1, 2, won)]);
        judge(finding, Metric::Strength).verdict
    }

    #[test]
    fn the_interval_decides_about_strength() {
        assert_eq!(pairs(0, 10, 90), GateVerdict::Better);
        assert_eq!(pairs(90, 10, 0), GateVerdict::Worse);
        assert_eq!(pairs(10, 20, 10), GateVerdict::Undecided);
        assert_eq!(pairs(5, 5000, 5), GateVerdict::NotWorse);
        assert_eq!(pairs(4, 0, 0), GateVerdict::Undecided);
    }

    #[test]
    fn a_change_has_no_end_where_a_score_has_no_elo() {
        // 50 % to 75 %: 191 Elo.
        let gate = judge(samples(&[(1, 1, 50), (1, 2, 50)]), Metric::Strength);
        assert!((gate.change.value.expect("Elo") - 190.8485).abs() < 1e-4, "{gate:?}");
        // From a score of 0, or to a score of 1, the change in Elo has no upper bound.
        for cells in [[(0, 0, 9), (0, 2, 9)], [(0, 2, 9), (2, 2, 9)]] {
            let gate = judge(samples(&cells), Metric::Strength);
            assert_eq!((gate.change.value, gate.change.high), (None, None), "{gate:?}");
            assert_eq!(gate.verdict, GateVerdict::Better, "{gate:?}");
        }
    }

    #[test]
    fn times_are_not_judged() {
        for factor in [0.5, 1.0, 2.0] {
            for metric in [Metric::Time, Metric::Speed] {
                let gate = judge(Finding::Exact(factor), metric);
                assert_eq!((gate.verdict, gate.limit), (GateVerdict::NotJudged, None));
                assert_eq!(gate.change, Change { value: Some(factor), ..Change::default() });
            }
        }
    }

    #[test]
    fn the_kind_of_the_run_decides_about_strength() {
        // 8 of 60 games better, none worse: 0.004 for a length fixed in advance.
        let judged = |anytime: bool| {
            let finding = samples(&[(1, 1, 52), (1, 2, 8)]);
            let measure = Measure::nothing("x", Metric::Strength, None, String::new());
            Measure { finding, anytime, ..measure }.judge(Some(-10.0), Confidence::P95)
        };
        assert_eq!(judged(false).verdict, GateVerdict::Better);
        let anytime = judged(true);
        assert_eq!(anytime.verdict, GateVerdict::Undecided);
        assert!(anytime.change.low < judged(false).change.low, "{anytime:?}");
    }

    #[test]
    fn the_interval_decides_about_factors() {
        let judged = |ratios: Vec<f64>, anytime: bool| {
            let measure = Measure::nothing("x", Metric::Work, None, String::new());
            let finding = Finding::Ratios(ratios);
            Measure { finding, anytime, ..measure }.judge(Some(1.05), Confidence::P95)
        };
        let ratios = |value: f64, n: usize| judged(vec![value; n], false);
        assert_eq!(ratios(1.2, 50).verdict, GateVerdict::Worse);
        assert_eq!(ratios(1.01, 50).verdict, GateVerdict::NotWorse);
        assert_eq!(ratios(0.9, 50).verdict, GateVerdict::Better);
        // Five values cover 93.75 %, less than the required level.
        assert_eq!(ratios(1.2, 5).verdict, GateVerdict::Undecided);
        assert_eq!(ratios(1.2, 0).verdict, GateVerdict::NotCompared);
        let spread = (0..50).map(|i| 1.0 + 0.002 * f64::from(i)).collect();
        assert_eq!(judged(spread, false).verdict, GateVerdict::Undecided);
        // 20 of 60 ratios are below 1.05: 0.013 for a length fixed in advance, but an e-value of 8 only.
        let lopsided: Vec<f64> = [vec![1.0; 20], vec![1.2; 40]].concat();
        assert_eq!(judged(lopsided.clone(), false).verdict, GateVerdict::Worse);
        assert_eq!(judged(lopsided, true).verdict, GateVerdict::Undecided);
        // 8 values: 2 in 256 for a fixed length, an e-value of 51 / 2 at any time.
        assert_eq!(judged(vec![1.2; 8], true).verdict, GateVerdict::Worse);
        assert_eq!(judged(vec![1.2; 6], true).verdict, GateVerdict::Undecided);
        // There is no interval of that level. The result has a reason, not an interval of a lower
        // level.
        for n in [2, 5] {
            let gate = ratios(1.0, n);
            let Change { low, high, .. } = gate.change;
            assert_eq!((low, high, gate.verdict), (None, None, GateVerdict::Undecided));
            let covered = ["50.00 %", "93.75 %"][usize::from(n == 5)];
            assert!(
                gate.measure.basis.contains("too few") && gate.measure.basis.contains(covered),
                "{gate:?}"
            );
        }
        let few = judge(samples(&[(1, 1, 4)]), Metric::Strength);
        assert!(few.measure.basis.contains("too few: 4 distinct pairs"), "{few:?}");
        // Memory varies: a decrease within the limit is no gain.
        let memory = |factor| judge(Finding::Exact(factor), Metric::Memory).verdict;
        assert_eq!(
            [1.0, 0.95, 0.8, 1.05, 1.2].map(memory),
            [
                GateVerdict::Same,
                GateVerdict::NotWorse,
                GateVerdict::Better,
                GateVerdict::NotWorse,
                GateVerdict::Worse
            ]
        );
        let exact = |factor| judge(Finding::Exact(factor), Metric::Work).verdict;
        assert_eq!(
            [1.0, 0.999, 1.001, 1.01].map(exact),
            [GateVerdict::Same, GateVerdict::Better, GateVerdict::NotWorse, GateVerdict::Worse]
        );
    }
}
