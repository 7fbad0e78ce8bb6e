//! Exact coverage: all possible results of a number of samples, weighted by probability.

use std::ops::RangeInclusive;

use agon::stats::sprt::bayes_elo::chances;
use agon::stats::{Confidence, Counts, Interval};
use rayon::prelude::*;

const P95: Confidence = Confidence::P95;

/// Every way to distribute `n` samples over `K` cells.
fn all_counts<const K: usize>(n: u64) -> Vec<Counts<K>> {
    fn fill<const K: usize>(at: usize, left: u64, cells: &mut [u64; K], all: &mut Vec<Counts<K>>) {
        if at == K - 1 {
            cells[at] = left;
            all.push(Counts(*cells));
            return;
        }
        for here in 0..=left {
            cells[at] = here;
            fill(at + 1, left - here, cells, all);
        }
    }
    let mut all = Vec::new();
    fill(0, n, &mut [0; K], &mut all);
    all
}

/// A law of samples: the probability of each score, and their mean.
pub type Law<const K: usize> = ([f64; K], f64);

/// For each law, the probability that the interval of `n` samples contains the mean, and the
/// expected width of the interval.
pub fn exact<const K: usize>(
    n: u64,
    laws: &[Law<K>],
    interval: impl Fn(&Counts<K>) -> Option<Interval> + Sync,
) -> Vec<[f64; 2]> {
    let ln_factorial: Vec<f64> = (0..=n).map(|i| libm::lgamma(i as f64 + 1.0)).collect();
    let ln_law: Vec<[f64; K]> = laws.iter().map(|(p, _)| p.map(f64::ln)).collect();
    let none = || vec![[0.0; 2]; laws.len()];
    // A fixed number of partial sums, so that the number of threads does not change the digits.
    let parts: Vec<_> = all_counts::<K>(n)
        .par_chunks(4096)
        .map(|part| {
            let mut sums = none();
            for counts in part {
                let interval = interval(counts).expect("something was counted");
                let ways = ln_factorial[n as usize]
                    - counts.0.iter().map(|&c| ln_factorial[c as usize]).sum::<f64>();
                for ((sum, ln_law), (_, mean)) in sums.iter_mut().zip(&ln_law).zip(laws) {
                    let seen = counts.0.iter().zip(ln_law).filter(|(c, _)| **c > 0);
                    let ln = ways + seen.map(|(&c, ln)| c as f64 * ln).sum::<f64>();
                    if ln > -45.0 {
                        sum[0] += if interval.contains(*mean) { ln.exp() } else { 0.0 };
                        sum[1] += ln.exp() * interval.width();
                    }
                }
            }
            sums
        })
        .collect();
    parts.iter().flatten().zip((0..laws.len()).cycle()).fold(none(), |mut sums, (part, law)| {
        sums[law][0] += part[0];
        sums[law][1] += part[1];
        sums
    })
}

/// Laws of games: scores of 50 to 99.5 %, each with 0 to 100 % of the maximum draw rate.
pub fn games() -> Vec<Law<3>> {
    let law = |(score, draws): (f64, f64)| {
        let drawn = draws * 2.0 * (1.0 - score);
        ([1.0 - score - drawn / 2.0, drawn, score - drawn / 2.0].map(|p| p.max(0.0)), score)
    };
    let scores = (100..200).map(|i| f64::from(i) / 200.0);
    scores.flat_map(|s| (0..=10).map(move |d| law((s, f64::from(d) / 10.0)))).collect()
}

/// Laws of opening pairs in the BayesElo model: scores of 50 to 99.5 %, draw rates of 0 to 90 %,
/// and opening biases of 0 to 600 BayesElo for either side.
pub fn pairs() -> Vec<Law<5>> {
    let mut laws = Vec::new();
    for draw_rate in [0.0, 0.3, 0.6, 0.9] {
        for bias in [0.0, 200.0, 400.0, 600.0] {
            for step in 0..=20 {
                let score = 0.5 + 0.495 * f64::from(step) / 20.0;
                laws.push((pair_law(draw_rate, bias, score), score));
            }
        }
    }
    laws
}

fn pair_law(draw_rate: f64, bias: f64, score: f64) -> [f64; 5] {
    let (e, d) = players(draw_rate, bias, score);
    pentanomial(e, d, bias)
}

/// BayesElo and draw Elo of players with this score, if equal players have this draw rate.
pub fn players(draw_rate: f64, bias: f64, score: f64) -> (f64, f64) {
    let d = 400.0 * (2.0_f64 / (1.0 - draw_rate) - 1.0).log10();
    let (mut lo, mut hi) = (-6000.0, 6000.0);
    for _ in 0..200 {
        let e = f64::midpoint(lo, hi);
        let law = pentanomial(e, d, bias);
        let mean: f64 = (0..5).map(|i| law[i] * i as f64 / 4.0).sum();
        if mean < score { lo = e } else { hi = e }
    }
    (f64::midpoint(lo, hi), d)
}

fn pentanomial(e: f64, d: f64, bias: f64) -> [f64; 5] {
    let mut cells = [0.0; 5];
    for b in [bias, -bias] {
        for (i, p) in chances(e + b, d).into_iter().enumerate() {
            for (j, q) in chances(e - b, d).into_iter().enumerate() {
                cells[i + j] += 0.5 * p * q;
            }
        }
    }
    cells
}

/// The groups of game counts and of pair counts on the page.
pub const GAMES: [(u64, u64); 5] = [(5, 9), (10, 19), (20, 49), (50, 99), (100, 200)];
pub const PAIRS: [(u64, u64); 3] = [(5, 9), (10, 19), (20, 40)];

/// A row of the page for a range of sample counts, and the minimum coverage. The row contains the
/// minimum coverage over all laws and its position, the minimum coverage of genWilson, and the
/// ratio of the mean widths.
pub fn row<const K: usize>(laws: &[Law<K>], range: RangeInclusive<u64>) -> (String, f64) {
    let (first, last) = (*range.start(), *range.end());
    let (mut least, mut plain, mut widths) = ((1.0, 0, 0.0), 1.0_f64, [0.0; 2]);
    for n in range {
        let (ours, gen_wilson) =
            (exact(n, laws, |c| c.interval(P95)), exact(n, laws, |c| c.gen_wilson(P95)));
        for ((ours, gen_wilson), (_, mean)) in ours.iter().zip(&gen_wilson).zip(laws) {
            if ours[0] < least.0 {
                least = (ours[0], n, *mean);
            }
            plain = plain.min(gen_wilson[0]);
            widths[0] += ours[1];
            widths[1] += gen_wilson[1];
        }
    }
    let (coverage, n, mean) = least;
    let row = format!(
        "| {first} to {last} | **{coverage:.4}** | {n} at {:.2} % | {plain:.3} | {:.2} |",
        100.0 * mean,
        widths[0] / widths[1]
    );
    (row, coverage)
}
