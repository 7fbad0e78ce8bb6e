//! The interval of a change in Elo covers the change, also at lopsided scores.

use agon::stats::{Confidence, PairedScores, elo};

/// Samples of one game each: half points before, half points after, number of samples.
fn games(cells: &[(usize, usize, u64)]) -> PairedScores {
    let mut samples = PairedScores::default();
    for &(before, after, count) in cells {
        (0..count).for_each(|_| samples.add(before, after, 1));
    }
    samples
}

#[test]
fn large_samples_agree_with_the_variance_of_a_difference_of_log_odds() {
    // 6400 points of 10 000 before and 7500 after, independent of each other. Woolf's error of
    // the logarithm of the odds ratio is sqrt(1/6400 + 1/3600 + 1/7500 + 1/2500).
    let samples = games(&[(0, 0, 900), (0, 2, 2700), (2, 0, 1600), (2, 2, 4800)]);
    let error = (1.0 / 6400.0 + 1.0 / 3600.0 + 1.0 / 7500.0 + 1.0 / 2500.0_f64).sqrt();
    let scale = elo::NORMALIZED_ELO_PER_SIGMA / 2.0;
    let change = scale * ((7500.0 / 2500.0_f64).ln() - (6400.0 / 3600.0_f64).ln());
    assert!((samples.elo().unwrap() - change).abs() < 1e-9);
    let [low, high] = samples.interval(Confidence::P95).unwrap().map(Option::unwrap);
    let half = Confidence::P95.z() * error * scale;
    assert!((low - (change - half)).abs() < 0.01 * half, "{low} for {}", change - half);
    assert!((high - (change + half)).abs() < 0.01 * half, "{high} for {}", change + half);
    // The same scores, but each game won before is won again: the interval is narrower.
    let paired = games(&[(0, 0, 2500), (0, 2, 1100), (2, 2, 6400)]);
    let [low, high] = paired.interval(Confidence::P95).unwrap().map(Option::unwrap);
    // The delta method: the variance of after / 0.1875 - before / 0.2304 is 2.2662.
    let half = Confidence::P95.z() * scale * (2.2662_f64 / 10_000.0).sqrt();
    assert!(((high - low) / 2.0 / half - 1.0).abs() < 0.01, "{low} {high} for ±{half}");
}

#[test]
fn a_score_of_0_or_1_leaves_an_end_open_and_two_of_them_both() {
    let both = |samples: &PairedScores| {
        [samples.interval(Confidence::P95), samples.anytime_interval(Confidence::P95)]
    };
    for found in both(&games(&[(0, 2, 30), (0, 0, 30)])) {
        let [low, high] = found.unwrap();
        assert!(low.unwrap() > 100.0 && high.is_none(), "{low:?} {high:?}");
    }
    for found in both(&games(&[(2, 2, 50)])) {
        assert_eq!(found, Some([None, None]));
    }
    assert_eq!(both(&PairedScores::default()), [None, None]);
    assert_eq!(games(&[(0, 2, 30)]).elo(), None);
}

#[test]
fn going_back_is_the_mirror_image_and_an_interval_at_any_time_is_wider() {
    let (mut samples, mut back) = (PairedScores::default(), PairedScores::default());
    for i in 0..60_usize {
        let (before, after) = (i % 5, (i * i + i / 7) % 5);
        samples.add(before, after, 2);
        back.add(after, before, 2);
    }
    assert!((samples.elo().unwrap() + back.elo().unwrap()).abs() < 1e-9);
    let ends = |found: Option<[Option<f64>; 2]>| found.unwrap().map(Option::unwrap);
    let fixed = ends(samples.interval(Confidence::P95));
    let anytime = ends(samples.anytime_interval(Confidence::P95));
    for (there, back) in [
        (fixed, ends(back.interval(Confidence::P95))),
        (anytime, ends(back.anytime_interval(Confidence::P95))),
    ] {
        assert!((there[0] + back[1]).abs() < 1e-6 && (there[1] + back[0]).abs() < 1e-6);
    }
    assert!(anytime[0] < fixed[0] && fixed[1] < anytime[1], "{fixed:?} {anytime:?}");
    let wider = ends(samples.interval(Confidence::P99));
    assert!(wider[0] < fixed[0] && fixed[1] < wider[1], "{fixed:?} {wider:?}");
}

/// A pseudo-random number in [0, 1): SplitMix64.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// Two runs whose games share openings and seeds.
#[derive(Debug, Clone, Copy)]
struct Cell {
    /// Games per sample: 2, or 1 with fixed seats.
    games: usize,
    samples: u64,
    /// Expected scores before and after.
    scores: [f64; 2],
    /// Fraction of draws between equal players.
    draws: f64,
    /// Fraction of games with the same result in both runs, because of the seed.
    common: f64,
    /// Advantage in Elo that an opening gives to either seat.
    bias: f64,
}

impl Cell {
    /// Half points of a game with this expected score.
    fn half_points(self, score: f64, u: f64) -> usize {
        let draws = self.draws * 4.0 * score * (1.0 - score);
        let lost = 1.0 - score - draws / 2.0;
        usize::from(u >= lost) + usize::from(u >= lost + draws)
    }

    /// The level in Elo at which openings with this bias give this score.
    fn level(self, score: f64) -> f64 {
        let (mut low, mut high) = (-4000.0, 4000.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let [give, take] = [1.0, -1.0].map(|s| elo::to_score(middle + s * self.bias));
            if f64::midpoint(give, take) < score { low = middle } else { high = middle }
        }
        low
    }

    fn true_change(self) -> f64 {
        let [before, after] = self.scores.map(|score| elo::from_score(score).unwrap());
        after - before
    }

    /// Number of `runs` in which an interval misses the true change.
    fn misses(self, runs: u32, state: &mut u64) -> u32 {
        let (levels, truth) = (self.scores.map(|score| self.level(score)), self.true_change());
        let missed = |_: &u32| {
            let mut samples = PairedScores::default();
            for _ in 0..self.samples {
                let sign = if random(state) < 0.5 { 1.0 } else { -1.0 };
                let mut points = [0, 0];
                for seat in 0..self.games {
                    let bias = if seat == 0 { sign } else { -sign } * self.bias;
                    let u = random(state);
                    let other = random(state) >= self.common;
                    let us = [u, if other { random(state) } else { u }];
                    for run in 0..2 {
                        let score = elo::to_score(levels[run] + bias);
                        points[run] += self.half_points(score, us[run]);
                    }
                }
                samples.add(points[0], points[1], self.games);
            }
            let [low, high] = samples.interval(Confidence::P95).unwrap();
            low.is_some_and(|low| low > truth) || high.is_some_and(|high| high < truth)
        };
        (0..runs).filter(missed).count() as u32
    }

    /// Expected number of wins or of losses, whichever is rarer, in the more lopsided run.
    fn rare(self) -> f64 {
        let rarest = self.scores.map(|s| s.min(1.0 - s)).into_iter().fold(1.0, f64::min);
        rarest * (self.samples * self.games as u64) as f64
    }
}

/// All cells of a grid: numbers of games, and scores before.
fn grid(games: &[u64], scores: &[f64]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (&all, &before, per_sample) in games.iter().flat_map(|all| {
        (scores.iter()).flat_map(move |before| [1, 2].map(|games| (all, before, games)))
    }) {
        for change in [-300.0, -150.0, -50.0, 0.0, 50.0, 150.0, 300.0] {
            for (draws, common, bias) in (0..12)
                .map(|i| ([0.0, 0.5][i % 2], [0.0, 0.6, 0.9][i / 4], [0.0, 200.0][i / 2 % 2]))
            {
                let scores = [before, elo::to_score(elo::from_score(before).unwrap() + change)];
                let samples = all / per_sample as u64;
                cells.push(Cell { games: per_sample, samples, scores, draws, common, bias });
            }
        }
    }
    cells
}

#[test]
fn the_interval_covers_the_change_where_scores_are_lopsided() {
    // Pig, hold at 5 and hold at 10 against hold at 20: 10 % and 42 %, +327 Elo. 10 000 runs
    // of each: ±0.7 % is three standard errors.
    let pig =
        Cell { games: 2, samples: 200, scores: [0.1, 0.4222], draws: 0.0, common: 0.0, bias: 0.0 };
    let other_way = Cell { scores: [0.4222, 0.1], common: 0.6, bias: 200.0, ..pig };
    let mut state = 11;
    for cell in [pig, other_way] {
        let covered = 1.0 - f64::from(cell.misses(2000, &mut state)) / 2000.0;
        assert!((0.935..=0.975).contains(&covered), "{covered} in {cell:?}");
    }
}

/// The coverage is at least 93 % for every baseline, number of games, change, draw ratio and
/// kind of paired samples. It is at most 98 % if the results are independent and each run has
/// at least twelve rare results.
#[test]
#[ignore = "a quarter of an hour; `cargo test --release --test library statistics_elo_change -- --ignored --nocapture`"]
fn the_interval_covers_the_change_on_the_whole_grid() {
    // Scores above one half are mirror images. So are their changes, which have both signs.
    let scores = [0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5];
    let all = grid(&[20, 40, 100, 300, 1000], &scores);
    let covered = |cell: &Cell, runs: u32, state: &mut u64| {
        1.0 - f64::from(cell.misses(runs, state)) / f64::from(runs)
    };
    let mut least = (1.0, all[0]);
    let (mut over, mut most) = (0, 0.0_f64);
    for (seed, cell) in (0_u64..).zip(&all) {
        let mut state = seed;
        let mut share = covered(cell, 500, &mut state);
        // If the first sample is not clear, a second, larger sample decides.
        if share < 0.935 {
            share = covered(cell, 10_000, &mut state);
        }
        if share < least.0 {
            least = (share, *cell);
        }
        over += usize::from(share > 0.98);
        if cell.common == 0.0 && cell.rare() >= 12.0 {
            if share > 0.975 {
                share = covered(cell, 10_000, &mut state);
            }
            most = most.max(share);
        }
    }
    println!("least {least:?}; above 98 %: {over} of {}; most {most}", all.len());
    // 0.25 % is one standard error of 10 000 runs.
    assert!(least.0 >= 0.93, "{least:?}");
    assert!(most <= 0.9825, "{most}");
}
