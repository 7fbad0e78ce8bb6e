//! Intervals, e-values and ratios of counts have their closed forms and stay in range.

use std::f64::consts::PI;

use agon::stats::elo::NORMALIZED_ELO_PER_SIGMA;
use agon::stats::wilson_interval::wilson;
use agon::stats::{ClusterRatio, Confidence, Counts, EloRange, Interval, Pentanomial, Trinomial};
use proptest::prelude::*;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const P95: Confidence = Confidence::P95;

#[test]
fn before_the_first_game_nothing_is_known() {
    assert_eq!(Trinomial::default().e_value(), 1.0);
    assert_eq!(Trinomial::default().anytime_interval(Confidence::P95), None);
}

#[test]
fn decisive_games_in_closed_form() {
    // B(w + ½, l + ½) / B(½, ½) 2^(w + l).
    let ln_gamma = libm::lgamma;
    for (losses, wins) in [(0, 1), (5, 5), (139, 227), (0, 4250), (3, 60_000)] {
        let (l, w) = (losses as f64, wins as f64);
        let want = ln_gamma(w + 0.5) + ln_gamma(l + 0.5) - ln_gamma(w + l + 1.0) - PI.ln()
            + (w + l) * 2f64.ln();
        let got = Trinomial::of(losses, 0, wins).ln_e_value(0.5);
        assert!((got - want).abs() < 1e-9 * (1.0 + want.abs()), "{got} {want}");
    }
}

#[test]
fn draws_say_nothing_about_equality() {
    let all_drawn = Trinomial::of(0, 1000, 0);
    assert!((all_drawn.e_value() - 1.0).abs() < 1e-12);
}

#[test]
fn one_win_in_closed_form() {
    // M_m = ½ / m, which is 20 at m = 1/40.
    let interval = Trinomial::of(0, 0, 1).anytime_interval(Confidence::P95);
    let interval = interval.unwrap();
    assert!((interval.lo - 0.025).abs() < 1e-12);
    assert_eq!(interval.hi, 1.0);
}

#[test]
fn the_expected_capital_after_three_games_is_one() {
    // Sum over all sequences of three results of a distribution with mean 0.6.
    let law = [0.3, 0.2, 0.5];
    let mut mean = 0.0;
    for code in 0..27_usize {
        let mut counts = Trinomial::default();
        let mut chance = 1.0;
        for digit in [code % 3, code / 3 % 3, code / 9] {
            counts.0[digit] += 1;
            chance *= law[digit];
        }
        mean += chance * counts.ln_e_value(0.6).exp();
    }
    assert!((mean - 1.0).abs() < 1e-12);
}

proptest! {
    #[test]
    fn finite_and_around_the_mean_for_any_counts(
        counts in prop::array::uniform5(prop_oneof![Just(0u64), 1u64..9, 1u64..5_000_000_000, Just(u64::MAX / 8)]),
    ) {
        let counts: Pentanomial = Counts(counts);
        prop_assert!(counts.e_value().is_finite());
        prop_assert!(counts.ln_e_value(1e-9).is_finite());
        if let Some(interval) = counts.anytime_interval(Confidence::P95) {
            prop_assert!(interval.contains(counts.mean().unwrap()));
            prop_assert!(0.0 <= interval.lo && interval.hi <= 1.0);
        }
    }
}

#[test]
fn wilson_at_the_edges() {
    let z2 = Confidence::P95.z().powi(2);
    let none = wilson(0.0, 10.0, Confidence::P95).unwrap();
    assert_eq!(none.lo, 0.0);
    assert!((none.hi - z2 / (10.0 + z2)).abs() < 1e-15);
    assert_eq!(wilson(10.0, 10.0, Confidence::P95).unwrap().hi, 1.0);
    assert_eq!(wilson(0.0, 0.0, Confidence::P95), None);
    assert_eq!(wilson(2.0, 1.0, Confidence::P95), None);
    assert_eq!(wilson(f64::NAN, 1.0, Confidence::P95), None);
}

#[test]
fn z_of_the_usual_levels() {
    assert!((Confidence::P95.z() - 1.959963984540054).abs() < 1e-14);
    assert!((Confidence::P99.z() - 2.5758293035489004).abs() < 1e-13);
    assert!((Confidence::new(0.9).unwrap().z() - 1.6448536269514722).abs() < 1e-14);
}

#[test]
fn levels_outside_the_open_interval_are_refused() {
    for level in [0.0, 1.0, -1.0, 2.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Confidence::new(level), None);
    }
    assert_eq!(Confidence::new(0.95), Some(Confidence::P95));
}

const Z2: f64 = 1.959963984540054 * 1.959963984540054;

fn close(interval: Interval, lo: f64, hi: f64) {
    assert!((interval.lo - lo).abs() < 1e-12, "lo {} for {lo}", interval.lo);
    assert!((interval.hi - hi).abs() < 1e-12, "hi {} for {hi}", interval.hi);
}

#[test]
fn nothing_counted_has_no_interval() {
    assert_eq!(Pentanomial::default().interval(Confidence::P95), None);
}

#[test]
fn all_wins_in_closed_form() {
    for n in [1_u64, 10, 4250, 1 << 32] {
        let interval = Trinomial::of(0, 0, n).gen_wilson(Confidence::P95).unwrap();
        close(interval, n as f64 / (n as f64 + Z2), 1.0);
        assert_eq!(interval.hi, 1.0);
        let lost = Trinomial::of(n, 0, 0).gen_wilson(Confidence::P95).unwrap();
        close(lost, 0.0, 1.0 - n as f64 / (n as f64 + Z2));
    }
}

#[test]
fn all_draws_in_closed_form() {
    for n in [1_u64, 10, 100, 1 << 33] {
        let half = 0.5 * Z2 / (n as f64 + Z2);
        let games = Trinomial::of(0, n, 0).gen_wilson(Confidence::P95).unwrap();
        close(games, 0.5 - half, 0.5 + half);
        let pairs = Counts([0, 0, n, 0, 0]).gen_wilson(Confidence::P95).unwrap();
        close(pairs, 0.5 - half, 0.5 + half);
    }
}

#[test]
fn without_draws_it_is_wilson() {
    for (losses, wins) in [(1, 1), (3, 17), (9, 1), (500_000, 500_001)] {
        let n = (losses + wins) as f64;
        let p = wins as f64 / n;
        let centre = (p + Z2 / (2.0 * n)) / (1.0 + Z2 / n);
        let half = (Z2 * (p * (1.0 - p) / n + Z2 / (4.0 * n * n))).sqrt() / (1.0 + Z2 / n);
        let interval = Trinomial::of(losses, 0, wins).gen_wilson(Confidence::P95);
        close(interval.unwrap(), centre - half, centre + half);
    }
}

#[test]
fn the_default_is_wider_by_its_two_corrections() {
    for n in [5_u64, 10, 4250, 1 << 32] {
        // If all games have the same result, the score test is less strict.
        let z2 = Z2 * (1.0 + 2.0 / (n as f64 + 8.0)).powi(2);
        let won = Trinomial::of(0, 0, n).interval(Confidence::P95).unwrap();
        close(won, n as f64 / (n as f64 + z2), 1.0);
        let drawn = Counts([0, 0, n, 0, 0]).interval(Confidence::P95).unwrap();
        let half = 0.5 * z2 / (n as f64 + z2);
        close(drawn, 0.5 - half, 0.5 + half);
    }
    // One loss in ten games: the upper end is that of the likelihood ratio, 9 ln(0.9/s) +
    // ln(0.1/(1-s)) = z² (1 + 2/18)² / 2.
    let hi = Trinomial::of(1, 0, 9).interval(Confidence::P95).unwrap().hi;
    let loss = 9.0 * (0.9 / hi).ln() + (0.1 / (1.0 - hi)).ln();
    assert!((loss - Z2 * (1.0 + 1.0 / 9.0_f64).powi(2) / 2.0).abs() < 1e-9, "{hi} {loss}");
}

#[test]
fn superiority_in_closed_form() {
    let normal_cdf = |x: f64| 0.5 * libm::erfc(-x / std::f64::consts::SQRT_2);
    // Without draws the variance at one half is ¼, and the error is larger by 2/(n+8).
    let los = Trinomial::of(9, 0, 11).los().unwrap();
    assert!((los - normal_cdf(0.05 / (0.25_f64 / 20.0).sqrt() / (30.0 / 28.0))).abs() < 1e-12);
    // All wins: at one half the variance is ¼ too.
    let los = Trinomial::of(0, 0, 9).los().unwrap();
    assert!((los - normal_cdf(3.0 / (19.0 / 17.0))).abs() < 1e-12);
    assert_eq!(Trinomial::of(0, 9, 0).los(), Some(0.5));
    assert_eq!(Trinomial::default().los(), None);
}

#[test]
fn samples_for_a_width_are_those_of_the_interval() {
    // 0.25 (1.96 · 1600 / ln 10 / 10)² for samples that are all 0 or 1.
    let split: Pentanomial = Counts([100, 0, 0, 0, 100]);
    let wanted = split.samples_for_half_width(10.0, Confidence::P95).unwrap();
    assert!((wanted - 4641.07).abs() < 0.1, "{wanted}");
    // All pairs even: an end is ½ z² / (n + z²) from the middle.
    let level: Pentanomial = Counts([0, 0, 10, 0, 0]);
    let wanted = level.samples_for_half_width(10.0, Confidence::P95).unwrap();
    let reached = Counts([0, 0, wanted.round() as u64, 0, 0]).interval(Confidence::P95);
    let reached = reached.unwrap().elo().hi().unwrap();
    assert!((reached - 10.0).abs() < 0.1, "{wanted} {reached}");
    assert_eq!(Pentanomial::default().samples_for_half_width(10.0, Confidence::P95), None);
    assert_eq!(level.samples_for_half_width(0.0, Confidence::P95), None);
}

proptest! {
    #[test]
    fn the_mean_is_inside_and_the_ends_are_finite(
        counts in prop::array::uniform5(prop_oneof![Just(0u64), 1u64..9, 1u64..5_000_000_000, Just(u64::MAX)]),
    ) {
        let counts = Counts(counts);
        let interval = counts.interval(Confidence::P95);
        prop_assert_eq!(interval.is_none(), counts.is_empty());
        if let Some(interval) = interval {
            prop_assert!(interval.contains(counts.mean().unwrap()));
            prop_assert!(0.0 <= interval.lo && interval.hi <= 1.0);
            prop_assert!(interval.width() > 0.0 || counts.n() > 1 << 50);
            let mirrored = counts.flipped().interval(Confidence::P95).unwrap();
            prop_assert!((1.0 - mirrored.hi - interval.lo).abs() < 1e-12);
            prop_assert!((1.0 - mirrored.lo - interval.hi).abs() < 1e-12);
            let (los, p) = (counts.los().unwrap(), counts.p_value().unwrap());
            prop_assert!((0.0..=1.0).contains(&los) && (0.0..=1.0).contains(&p));
            // If an end is one half to the last digits, either answer is correct.
            if (interval.lo - 0.5).abs().min((interval.hi - 0.5).abs()) > 1e-12 {
                prop_assert_eq!(los > 0.975, interval.lo > 0.5);
                prop_assert_eq!(los < 0.025, interval.hi < 0.5);
                prop_assert_eq!(p < 0.05, !interval.contains(0.5));
            }
        }
    }
}

#[test]
fn an_end_at_the_edge_leaves_elo_open() {
    let range = |lo, hi| Interval { lo, hi }.elo();
    assert_eq!(range(0.0, 1.0), EloRange::Unbounded);
    assert_eq!(range(0.5, 1.0), EloRange::AtLeast(0.0));
    assert_eq!(range(0.0, 0.5), EloRange::AtMost(0.0));
    assert_eq!(range(0.5, 0.5), EloRange::Between { lo: 0.0, hi: 0.0 });
}

#[test]
fn near_equality_it_is_the_usual_one() {
    let pairs: Pentanomial = Counts([110, 590, 860, 640, 300]);
    let [lo, hi] = pairs.normalized_elo_interval(P95).expect("an interval");
    let (value, half) = (
        pairs.normalized_elo().expect("a value"),
        P95.z() * NORMALIZED_ELO_PER_SIGMA / (2.0 * pairs.n() as f64).sqrt(),
    );
    assert!((lo.expect("an end") - (value - half)).abs() < 0.05 * half);
    assert!((hi.expect("an end") - (value + half)).abs() < 0.05 * half);
}

#[test]
fn without_draws_it_is_that_of_the_score() {
    // Without draws the score determines t = (s - ½) / sqrt(s (1 - s)).
    let games = Trinomial::of(3, 0, 37);
    let score = games.interval(P95).expect("an interval");
    let ends = games.normalized_elo_interval(P95).expect("an interval");
    for (got, s) in ends.into_iter().zip([score.lo, score.hi]) {
        let want = NORMALIZED_ELO_PER_SIGMA * (s - 0.5) / (s * (1.0 - s)).sqrt();
        assert!((got.expect("an end") / want - 1.0).abs() < 0.02, "{got:?} {want}");
    }
}

#[test]
fn alike_results_have_none_and_lopsided_ones_are_finite() {
    assert_eq!(Trinomial::of(0, 9, 0).normalized_elo_interval(P95), None);
    for cells in [[0, 0, 0, 1, 900], [1, 0, 0, 0, u64::MAX], [0, 1, 3, 0, 0]] {
        let counts = Counts(cells);
        let value = counts.normalized_elo().expect("a value");
        let [lo, hi] = counts.normalized_elo_interval(P95).expect("an interval");
        assert!(lo.is_none_or(|lo| lo.is_finite() && lo <= value), "{cells:?} {lo:?}");
        assert!(hi.is_none_or(|hi| hi.is_finite() && value <= hi), "{cells:?} {hi:?}");
    }
}

#[test]
fn it_covers_at_lopsided_scores_where_the_usual_one_does_not() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let law = [0.005, 0.015, 0.08, 0.2, 0.7];
    let mean: f64 = (0..5).map(|i| law[i] * i as f64 / 4.0).sum();
    let spread: f64 = (0..5).map(|i| law[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
    let truth = (mean - 0.5) / spread.sqrt();
    let (pairs, runs) = (100, 1000);
    let (mut ours, mut usual) = (0, 0);
    for _ in 0..runs {
        let mut counts: Pentanomial = Counts([0; 5]);
        for _ in 0..pairs {
            let mut u = rng.random::<f64>();
            let cell = law.iter().position(|p| {
                u -= p;
                u < 0.0
            });
            counts.0[cell.unwrap_or(4)] += 1;
        }
        let [lo, hi] = counts.normalized_elo_interval(P95).expect("an interval");
        let scale = std::f64::consts::SQRT_2 / NORMALIZED_ELO_PER_SIGMA;
        let (value, error) = (
            counts.normalized_elo().expect("a value") * scale,
            NORMALIZED_ELO_PER_SIGMA / (2.0 * pairs as f64).sqrt() * scale,
        );
        let within =
            |end: Option<f64>, sign: f64| end.is_none_or(|end| sign * (truth - end * scale) <= 0.0);
        ours += u32::from(within(lo, -1.0) && within(hi, 1.0));
        usual += u32::from((value - truth).abs() <= P95.z() * error);
    }
    assert!(ours >= 930 && usual < 800, "{ours} and {usual} of {runs}");
}

fn of(clusters: &[(u64, u64)]) -> ClusterRatio {
    let mut shares = ClusterRatio::default();
    clusters.iter().for_each(|&(hits, trials)| shares.add(hits, trials));
    shares
}

/// The interval with these clusters, computed with SciPy's quantiles of beta and t.
fn is_interval(clusters: &[(u64, u64)], lo: f64, hi: f64) {
    let interval = of(clusters).interval(Confidence::P95).expect("an interval");
    assert!((interval.lo - lo).abs() < 1e-12 && (interval.hi - hi).abs() < 1e-12, "{interval:?}");
}

#[test]
fn ratios_of_clusters_have_exact_intervals_of_the_effective_number() {
    let single = [vec![(1, 1); 30], vec![(0, 1); 70]].concat();
    is_interval(&single, 0.21094146406182124, 0.40171789757626464);
    let three = [(4, 5), (2, 5), (6, 10), (0, 0)];
    assert_eq!((of(&three).n, of(&three).ratio()), (3, Some(0.6)));
    is_interval(&three, 0.11624168418315776, 0.9623297371443295);
    let three_mistakes = [vec![(8, 8); 117], vec![(7, 8); 3]].concat();
    is_interval(&three_mistakes, 0.9908040944081203, 0.9993694298374663);
    // Without variance the moves of a game count once.
    is_interval(&[(7, 7), (9, 9), (5, 5)], 0.2924017738212866, 1.0);
}

#[test]
fn rare_mistakes_are_covered() {
    // 120 games of 8 moves; each move is a mistake with probability 0.5 %. Student's t interval
    // around the ratio covers 90 % here.
    let (runs, mut covered) = (2_000, 0);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..runs {
        let mut shares = ClusterRatio::default();
        (0..120)
            .for_each(|_| shares.add((0..8).filter(|_| rng.random_bool(0.995)).count() as u64, 8));
        covered += u32::from(shares.interval(Confidence::P95).is_some_and(|i| i.contains(0.995)));
    }
    assert!(covered >= 1_900, "{covered} of {runs}");
}

#[test]
fn ratios_of_few_clusters() {
    assert_eq!(of(&[(7, 7)]).interval(Confidence::P95), None);
    assert_eq!(of(&[]).ratio(), None);
    let mut both = of(&[(4, 5)]);
    both.merge(&of(&[(2, 5), (6, 10)]));
    assert_eq!(both, of(&[(4, 5), (2, 5), (6, 10)]));
}
