//! Simulates whether intervals have the stated coverage and tests the stated error rates. Prints
//! the results in Markdown; `docs/formulas.md` has the main tables of this output.
//!
//! `cargo bench --bench studies -- coverage`

use std::fmt::Write as _;

use agon::stats::sprt::{Sprt, SprtSettings, SprtVerdict};
use agon::stats::{Clusters, Confidence, Counts, GameScore, Interval, PairTable, Pentanomial, elo};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::coverage_support::{GAMES, PAIRS, exact, row};

const P95: Confidence = Confidence::P95;
const DRAW_RATES: [f64; 3] = [0.0, 0.5, 0.9];
const OUTCOMES: [GameScore; 3] = [GameScore::Loss, GameScore::Draw, GameScore::Win];

pub fn run(_: &[String]) {
    let mut page = String::from(INTRODUCTION);
    page += &every_count();
    page += &games();
    page += &pairs();
    page += &replays();
    page += &peeking();
    page += &sequential();
    print!("{page}");
}

const INTRODUCTION: &str = "\
# Statistics, simulated

This page is for readers who want to check the statistics of agon. It shows how
often intervals cover the true value and how often tests err, each with its target.

`cargo bench --bench studies -- coverage` prints this in seven minutes on two
cores. The seeds are fixed, so every run prints the same figures.

Games follow the BayesElo model: `P(win) = L(e - d)`, `P(loss) = L(-e - d)`. The
draw rate fixes `d`: it is the draw rate of equal players from an equal opening.
The Elo fixes `e`: it is the logistic Elo of the expected score. So draws become
rarer as one side becomes stronger, as in real games. A biased opening favours the
first player by the stated BayesElo or, equally often, the second player. Both
games of a pair have the same opening.
";

/// The probabilities of loss, draw and win at BayesElo `e` with draw Elo `d`.
fn chances(e: f64, d: f64) -> [f64; 3] {
    agon::stats::sprt::bayes_elo::chances(e, d)
}

/// The probability of each cell of the pair table.
#[derive(Clone, Copy)]
struct Law([[f64; 3]; 3]);

impl Law {
    /// Players with a difference of `gain` logistic Elo and openings with a bias of `bias`.
    fn new(draw_rate: f64, gain: f64, bias: f64) -> Self {
        // With equal players and a level opening, 2 L(-d) of all games are decisive.
        let d = 400.0 * (2.0 / (1.0 - draw_rate) - 1.0).log10();
        let (mut lo, mut hi) = (-4000.0, 4000.0);
        for _ in 0..200 {
            let e = f64::midpoint(lo, hi);
            if Self::with(e, d, bias).score() < elo::to_score(gain) {
                lo = e;
            } else {
                hi = e;
            }
        }
        Self::with(f64::midpoint(lo, hi), d, bias)
    }

    fn with(e: f64, d: f64, bias: f64) -> Self {
        let mut cells = [[0.0; 3]; 3];
        for b in [bias, -bias] {
            let (first, second) = (chances(e + b, d), chances(e - b, d));
            for (row, p) in cells.iter_mut().zip(first) {
                for (cell, q) in row.iter_mut().zip(second) {
                    *cell += 0.5 * p * q;
                }
            }
        }
        Self(cells)
    }

    fn pentanomial(&self) -> [f64; 5] {
        let mut p = [0.0; 5];
        for (i, row) in self.0.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                p[i + j] += cell;
            }
        }
        p
    }

    fn score(&self) -> f64 {
        (0..5).map(|i| self.pentanomial()[i] * i as f64 / 4.0).sum()
    }

    /// The share of drawn games.
    fn drawn(&self) -> f64 {
        let t = &self.0;
        let first: f64 = t[1].iter().sum();
        let second: f64 = t.iter().map(|row| row[1]).sum();
        f64::midpoint(first, second)
    }

    /// Maps a uniform random number to the index of a cell.
    fn draw(&self, mut u: f64) -> (usize, usize) {
        for (i, row) in self.0.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                u -= cell;
                if u < 0.0 {
                    return (i, j);
                }
            }
        }
        (2, 2)
    }
}

/// For each law, the probability that the interval computed from the counts contains the true
/// score.
fn exact_coverage<const K: usize>(
    n: u64,
    laws: &[([f64; K], f64)],
    interval: impl Fn(&Counts<K>) -> Option<Interval> + Sync,
) -> Vec<f64> {
    exact(n, laws, interval).into_iter().map(|[covered, _]| covered).collect()
}

/// A row of a table: a name, a figure per law, and their minimum.
fn coverage_row(page: &mut String, name: &str, figures: &[f64]) {
    let least = figures.iter().fold(1.0_f64, |m, &f| m.min(f));
    let cells: Vec<String> = figures.iter().map(|f| format!("{f:.3}")).collect();
    let _ = writeln!(page, "| {name} | {} | **{least:.3}** |", cells.join(" | "));
}

fn heading(laws: &[String]) -> String {
    let rule = "|---".repeat(laws.len() + 2);
    format!("\n| | {} | least |\n{rule}|\n", laws.join(" | "))
}

/// Coverage for every number of games and of pairs.
fn every_count() -> String {
    let mut page = String::from(
        "\n## Coverage of the 95 % interval, every number of games\n\n\
         These figures are exact: every possible result, weighted by its probability. Scores are\n\
         50, 50.5, … 99.5 % (lower scores are the mirror image). Each score has 0, 10, … 100 % of\n\
         the possible draws. The column `least` is the least coverage over all of these and over\n\
         every number of games in the row. The column `genWilson` is the least coverage of the\n\
         genWilson interval. The column `width` is the mean width of the default divided by that of\n\
         genWilson. Target: at least 0.94.\n\n\
         | games | least | at | genWilson | width |\n|---|---|---|---|---|\n",
    );
    let laws = crate::coverage_support::games();
    for (first, last) in GAMES {
        let _ = writeln!(page, "{}", row(&laws, first..=last).0);
    }
    page += "\nThe next table is for opening pairs. Draw rates are 0, 30, 60 and 90 %, openings favour\n\
             one side by 0, 200, 400 or 600 BayesElo, and 21 scores are from 50 to 99.5 %. If both\n\
             games of a pair always have the same result, pairs have the coverage of games.\n\n\
             | pairs | least | at | genWilson | width |\n|---|---|---|---|---|\n";
    let laws = crate::coverage_support::pairs();
    for (first, last) in PAIRS {
        let _ = writeln!(page, "{}", row(&laws, first..=last).0);
    }
    page
}

/// The standard error of the mean, from the sample variance.
fn standard_error<const K: usize>(counts: &Counts<K>) -> Option<f64> {
    Some((counts.variance()? / counts.n() as f64).sqrt())
}

/// The interval that most programs print: `mean ± 1.96 SE`.
fn wald<const K: usize>(counts: &Counts<K>) -> Option<Interval> {
    let (mean, half) = (counts.mean()?, P95.z() * standard_error(counts)?);
    Some(Interval { lo: (mean - half).max(0.0), hi: (mean + half).min(1.0) })
}

/// Coverage for single games, computed exactly over all possible results.
fn games() -> String {
    let mut page = String::from(
        "\n## Coverage of the 95 % interval, independent games\n\n\
         These figures are exact: every possible result, weighted by its probability. Columns\n\
         are draw rate and Elo. Target: at least 0.94. Wald is `mean ± 1.96 SE`, the interval of\n\
         most programs.\n",
    );
    let (mut laws, mut names) = (Vec::new(), Vec::new());
    for draw_rate in DRAW_RATES {
        for gain in [0.0, 100.0, 300.0] {
            let law = Law::new(draw_rate, gain, 0.0);
            let first: [f64; 3] = std::array::from_fn(|i| law.0[i].iter().sum());
            laws.push((first, first[2] + first[1] / 2.0));
            names.push(format!("{:.0} %, {gain}", 100.0 * draw_rate));
        }
    }
    page += &heading(&names);
    for n in [10, 100, 1000] {
        let default = exact_coverage(n, &laws, |c| c.interval(P95));
        let wald = exact_coverage(n, &laws, wald);
        coverage_row(&mut page, &format!("default, {n} games"), &default);
        coverage_row(&mut page, &format!("Wald, {n} games"), &wald);
    }
    page
}

/// Coverage for opening pairs; exact up to 50 pairs.
fn pairs() -> String {
    let mut page = String::from(
        "\n## Coverage of the 95 % interval, opening pairs\n\n\
         The figures are exact for 5 and 50 pairs. For 500 pairs they are from 20 000 simulated\n\
         matches (±0.003). Columns are draw rate, Elo and opening bias. Target: at least 0.94. The\n\
         last row treats the same games as independent of each other.\n",
    );
    let (mut laws, mut names) = (Vec::new(), Vec::new());
    for draw_rate in DRAW_RATES {
        for (gain, bias) in [(0.0, 0.0), (0.0, 400.0), (100.0, 200.0)] {
            laws.push(Law::new(draw_rate, gain, bias));
            names.push(format!("{:.0} %, {gain}, {bias}", 100.0 * draw_rate));
        }
    }
    page += &heading(&names);
    let exact: Vec<_> = laws.iter().map(|l| (l.pentanomial(), l.score())).collect();
    for n in [5, 50] {
        let default = exact_coverage(n, &exact, |c| c.interval(P95));
        let wald = exact_coverage(n, &exact, wald);
        coverage_row(&mut page, &format!("default, {n} pairs"), &default);
        coverage_row(&mut page, &format!("Wald, {n} pairs"), &wald);
    }
    let simulated = |interval: &(dyn Fn(&PairTable) -> Option<Interval> + Sync)| -> Vec<f64> {
        let share = |(seed, law): (u64, &Law)| {
            share_of(20_000, seed, |rng| {
                interval(&sample(law, 500, rng)).is_some_and(|i| i.contains(law.score()))
            })
        };
        (100..).zip(&laws).map(share).collect()
    };
    let row = |page: &mut String, name: &str, figures: Vec<f64>| coverage_row(page, name, &figures);
    row(&mut page, "default, 500 pairs", simulated(&|t| t.strength().interval(P95)));
    row(&mut page, "Wald, 500 pairs", simulated(&|t| wald(&t.strength())));
    row(&mut page, "pairs ignored, 1000 games", simulated(&|t| t.games().interval(P95)));
    page
}

fn sample(law: &Law, pairs: u64, rng: &mut ChaCha8Rng) -> PairTable {
    let mut table = PairTable::default();
    for _ in 0..pairs {
        let (i, j) = law.draw(rng.random());
        table.add(OUTCOMES[i], OUTCOMES[j]);
    }
    table
}

/// How often `event` happens in `runs` runs, each with its own random stream.
fn share_of(runs: u64, seed: u64, event: impl Fn(&mut ChaCha8Rng) -> bool + Sync) -> f64 {
    let hits: u64 = (0..runs)
        .into_par_iter()
        .map(|run| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(run);
            u64::from(event(&mut rng))
        })
        .sum();
    hits as f64 / runs as f64
}

/// Ten distinct pairs of deterministic players, each played fifty times.
fn replays() -> String {
    let mut page = String::from(
        "\n## Ten distinct pairs, each replayed fifty times\n\n\
         Deterministic players repeat their games, so 500 pairs are only ten. The figures are\n\
         exact. Columns are draw rate and opening bias; the players are equal. Target: at least\n\
         0.94 with one vote per distinct pair.\n",
    );
    let (mut laws, mut names) = (Vec::new(), Vec::new());
    for draw_rate in DRAW_RATES {
        for bias in [0.0, 200.0] {
            let law = Law::new(draw_rate, 0.0, bias);
            laws.push((law.pentanomial(), law.score()));
            names.push(format!("{:.0} %, {bias}", 100.0 * draw_rate));
        }
    }
    page += &heading(&names);
    let replayed = |c: &Pentanomial| Counts(c.0.map(|n| 50 * n));
    let cluster = |c: &Pentanomial| {
        let mut clusters = Clusters::default();
        for (score, &times) in (0..).zip(&c.0) {
            (0..times).for_each(|_| clusters.add(f64::from(score) / 4.0, 2));
        }
        clusters.interval(P95)
    };
    let mut row = |name, figures: Vec<f64>| coverage_row(&mut page, name, &figures);
    row("one vote per distinct pair", exact_coverage(10, &laws, |c| c.interval(P95)));
    row("openings as clusters", exact_coverage(10, &laws, cluster));
    row("naive, default interval", exact_coverage(10, &laws, |c| replayed(c).interval(P95)));
    row("naive, Wald", exact_coverage(10, &laws, |c| wald(&replayed(c))));
    page
}

/// Equal players, tested after every pair up to 10 000 pairs.
fn peeking() -> String {
    const RUNS: u64 = 8000;
    const LOOKS: u64 = 10_000;
    let mut page = format!(
        "\n## Looking after every pair\n\n\
         The players are equal. A row has {RUNS} runs of up to {LOOKS} pairs (±0.005). A figure is\n\
         the share of runs in which one side is ever called stronger. Target: at most 0.05 for\n\
         the anytime interval.\n\n\
         | draw rate | bias | anytime: by 100 pairs | 1 000 | 10 000 | Wald from pair 5: by 100 | 1 000 | 10 000 |\n\
         |---|---|---|---|---|---|---|---|\n"
    );
    let mut seed = 200;
    for draw_rate in DRAW_RATES {
        for bias in [0.0, 200.0] {
            seed += 1;
            let law = Law::new(draw_rate, 0.0, bias);
            let verdicts: Vec<[Option<u64>; 2]> = (0..RUNS)
                .into_par_iter()
                .map(|run| first_verdicts(&law, seed, run, LOOKS))
                .collect();
            let by = |rule: usize, limit: u64| {
                let hits = verdicts.iter().filter(|v| v[rule].is_some_and(|at| at <= limit));
                hits.count() as f64 / RUNS as f64
            };
            let _ = writeln!(
                page,
                "| {:.0} % | {bias} | {:.3} | {:.3} | **{:.3}** | {:.3} | {:.3} | {:.3} |",
                100.0 * draw_rate,
                by(0, 100),
                by(0, 1000),
                by(0, LOOKS),
                by(1, 100),
                by(1, 1000),
                by(1, LOOKS)
            );
        }
    }
    page
}

/// The first pair at which the anytime interval, and Wald's, exclude equality.
fn first_verdicts(law: &Law, seed: u64, run: u64, looks: u64) -> [Option<u64>; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(run);
    let mut counts = Pentanomial::default();
    let mut found = [None; 2];
    let bound = -P95.alpha().ln();
    for pair in 1..=looks {
        let (i, j) = law.draw(rng.random());
        counts.0[i + j] += 1;
        let (Some(mean), Some(se)) = (counts.mean(), standard_error(&counts)) else {
            continue;
        };
        let away = (mean - 0.5).abs();
        // ln 20 corresponds to 2.4 standard errors. Well within two standard errors nothing can be
        // excluded, and skipping these tests saves most of the time.
        let near = pair > 100 && away < 2.0 * se;
        if found[0].is_none() && !near && counts.ln_e_value(0.5) >= bound {
            found[0] = Some(pair);
        }
        if found[1].is_none() && pair >= 5 && away > P95.z() * se {
            found[1] = Some(pair);
        }
        if found.iter().all(Option::is_some) {
            break;
        }
    }
    found
}

/// Both error rates of SPRT(0, 5).
fn sequential() -> String {
    const RUNS: u64 = 8000;
    let mut page = format!(
        "\n## SPRT(0, 5), α = β = 0.05\n\n\
         The tests have logistic bounds and use opening pairs. They decide after every pair. A\n\
         figure is from {RUNS} tests (±0.005). Target: both errors from 0.04 to 0.06. The column\n\
         `draws` is the share of drawn games, `pairs` the mean number of pairs until the verdict.\n\n\
         | draw rate | bias | draws | accepts H1 at 0 Elo | pairs | accepts H0 at 5 Elo | pairs |\n\
         |---|---|---|---|---|---|---|\n"
    );
    let mut seed = 300;
    for draw_rate in DRAW_RATES {
        for bias in [0.0, 200.0] {
            let mut cells = Vec::new();
            for (gain, wrong) in [(0.0, SprtVerdict::AcceptH1), (5.0, SprtVerdict::AcceptH0)] {
                seed += 1;
                let law = Law::new(draw_rate, gain, bias);
                let ends: Vec<(SprtVerdict, u64)> =
                    (0..RUNS).into_par_iter().map(|run| run_sprt(&law, seed, run)).collect();
                let errors = ends.iter().filter(|end| end.0 == wrong).count();
                let pairs: u64 = ends.iter().map(|end| end.1).sum();
                cells.push(format!("**{:.3}**", errors as f64 / RUNS as f64));
                cells.push(format!("{:.0}", pairs as f64 / RUNS as f64));
            }
            let drawn = Law::new(draw_rate, 0.0, bias).drawn();
            let _ = writeln!(
                page,
                "| {:.0} % | {bias} | {drawn:.2} | {} |",
                100.0 * draw_rate,
                cells.join(" | ")
            );
        }
    }
    page
}

fn run_sprt(law: &Law, seed: u64, run: u64) -> (SprtVerdict, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(run);
    let design = SprtSettings::default().check().expect("the default settings");
    let mut sprt = Sprt::new(design);
    loop {
        let (i, j) = law.draw(rng.random());
        if let Some(verdict) = sprt.push_pair(OUTCOMES[i], OUTCOMES[j]) {
            return (verdict, sprt.evidence().pairs.n());
        }
    }
}
