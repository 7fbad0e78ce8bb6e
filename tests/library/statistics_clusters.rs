//! Intervals of means over clusters of games with the same opening.

use agon::stats::{Clusters, Confidence, Counts, Pentanomial};

const P95: Confidence = Confidence::P95;

/// Clusters of one opening pair each.
fn clusters(means: &[f64]) -> Clusters {
    of_games(2, means)
}

fn of_games(games: u64, means: &[f64]) -> Clusters {
    let mut clusters = Clusters::default();
    means.iter().for_each(|&mean| clusters.add(mean, games));
    clusters
}

#[test]
fn the_interval_of_pairs_is_nearly_that_of_counts() {
    // t with 29 degrees of freedom is 2.045, and z (1 + 2/38) is 2.063.
    let pairs: Pentanomial = Counts([0, 1, 0, 0, 29]);
    let found = clusters(&[[0.25].as_slice(), &[1.0; 29]].concat());
    let (got, want) = (found.interval(P95).unwrap(), pairs.interval(P95).unwrap());
    assert!((got.lo - want.lo).abs() < 2e-3 && (got.hi - want.hi).abs() < 1e-3, "{got:?}");
}

#[test]
fn nearly_alike_clusters_are_no_surer_than_alike_ones() {
    // One of thirty is slightly lower: the others must not become more certain.
    let alike = clusters(&[0.75; 30]).interval(P95).unwrap();
    let nearly = clusters(&[[0.74].as_slice(), &[0.75; 29]].concat()).interval(P95).unwrap();
    assert!(nearly.width() > 0.95 * alike.width(), "{nearly:?} {alike:?}");
}

#[test]
fn many_spread_out_clusters_have_the_usual_interval() {
    // n = 200, standard deviation 0.0957: half width 1.96 · 0.0957 / sqrt(200) = 0.01326.
    let means: Vec<f64> = (0..200).map(|i| 0.335 + 0.33 * f64::from(i) / 199.0).collect();
    let half = clusters(&means).interval(P95).unwrap().width() / 2.0;
    assert!((half / 0.01326 - 1.0).abs() < 0.03, "{half}");
    // With few clusters, an unobserved one may be far from the mean.
    let few = clusters(&means.iter().step_by(10).copied().collect::<Vec<_>>());
    assert!(few.interval(P95).unwrap().width() / 2.0 > 0.0466);
}

#[test]
fn clusters_of_many_games_have_the_interval_of_student() {
    // 100 openings of 90 games, standard deviation 0.0497 about 0.55: with 99 degrees of
    // freedom the half width is 1.984 · 0.0497 / 10, and t = 10.
    let means: Vec<f64> = (0..100)
        .map(|i| 0.55 + 0.07 * (std::f64::consts::PI * f64::from(i) / 50.0).cos())
        .collect();
    let found = of_games(90, &means);
    let half = found.interval(P95).unwrap().width() / 2.0;
    assert!((half / 0.00987 - 1.0).abs() < 0.1, "{half}");
    assert!(found.p_value().unwrap() < 1e-6, "{:?}", found.p_value());
    // Equal results do not prove that all openings are equal. Fewer games prove less.
    let alike = |games| of_games(games, &[0.55; 100]).interval(P95).unwrap().width();
    assert!(0.002 < alike(90) && alike(90) < alike(8) && alike(8) < alike(2), "{}", alike(90));
}

/// One opening in ten is won nearly always (98 %), the others have another score, and each
/// opening is played 100 times. The test measures the coverage of the interval and of
/// Student's t in 1000 runs. The statistics page has these figures.
#[test]
#[ignore = "seconds; `cargo test --release --test library statistics_clusters -- --ignored --nocapture`"]
fn few_openings_that_decide_much_lower_the_coverage() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    const RUNS: u32 = 1000;
    let mut found = Vec::new();
    // Numbers of openings, with Student's quantile for 95 %.
    let sizes = [(10_u32, 2.262157), (20, 2.093024), (50, 2.009575), (100, 1.984217)];
    for (other, (n, quantile)) in [0.5, 0.02].into_iter().flat_map(|s| sizes.map(|n| (s, n))) {
        let (mut covered, mut by_t) = (0, 0);
        for _ in 0..RUNS {
            let means: Vec<f64> = (0..n)
                .map(|_| {
                    let score = if random() < 0.1 { 0.98 } else { other };
                    f64::from((0..100).filter(|_| random() < score).count() as u32) / 100.0
                })
                .collect();
            let truth = 0.1 * 0.98 + 0.9 * other;
            let interval = of_games(100, &means).interval(P95).unwrap();
            covered += u32::from(interval.lo <= truth && truth <= interval.hi);
            let size = f64::from(n);
            let mean = means.iter().sum::<f64>() / size;
            let squares: f64 = means.iter().map(|x| (x - mean).powi(2)).sum();
            let error = (squares / (size - 1.0) / size).sqrt();
            let reach = quantile * error;
            by_t += u32::from((mean - truth).abs() <= reach);
        }
        let percent = |count: u32| (f64::from(count) / f64::from(RUNS) * 1000.0).round() / 10.0;
        found.push((n, percent(covered), percent(by_t)));
    }
    let level = [(10, 98.3, 71.0), (20, 91.0, 90.2), (50, 96.8, 93.2), (100, 96.0, 93.1)];
    let lost = [(10, 66.1, 64.6), (20, 86.7, 87.7), (50, 97.3, 89.7), (100, 96.3, 92.6)];
    assert_eq!(found, [level, lost].concat());
}

#[test]
fn too_few_clusters_say_nothing() {
    assert_eq!(clusters(&[]).mean(), None);
    assert_eq!(clusters(&[0.75]).interval(P95), None);
    assert_eq!(clusters(&[0.75]).p_value(), None);
    assert_eq!(clusters(&[f64::NAN, -1.0, 2.0]).n, 0);
}

#[test]
fn the_anytime_interval_is_that_of_pairs_and_never_narrower_off_the_grid() {
    let pairs: Pentanomial = Counts([3, 9, 20, 14, 8]);
    let mut means = Vec::new();
    for (i, &count) in pairs.0.iter().enumerate() {
        means.extend(vec![i as f64 / 4.0; count as usize]);
    }
    let found = clusters(&means);
    let (got, want) = (found.anytime_interval(P95), pairs.anytime_interval(P95));
    let (got, want) = (got.expect("clusters"), want.expect("pairs"));
    assert!((got.lo - want.lo).abs() < 1e-6 && (got.hi - want.hi).abs() < 1e-6);
    let e = found.e_value().expect("clusters");
    assert!((e / pairs.e_value() - 1.0).abs() < 1e-6, "{e}");
    assert_eq!(clusters(&[]).e_value(), None);
    assert_eq!(clusters(&[]).anytime_interval(P95), None);
    // Fifty means between the grid points. The anytime-valid interval contains the
    // fixed-length interval.
    let off: Vec<f64> = (0..50).map(|i| 0.501 + 0.007 * f64::from(i % 30)).collect();
    let off = clusters(&off);
    let (inner, outer) = (off.interval(P95), off.anytime_interval(P95));
    let (inner, outer) = (inner.expect("clusters"), outer.expect("clusters"));
    assert!(outer.lo < inner.lo && inner.hi < outer.hi, "{inner:?} {outer:?}");
}

#[test]
fn alike_clusters_have_an_interval_in_closed_form() {
    // t with 8 degrees of freedom.
    let t2 = 2.306004135204166_f64.powi(2);
    let all = |mean| clusters(&[mean; 9]).interval(P95).expect("nine clusters");
    for (mean, lo, hi) in [
        (1.0, 9.0 / (9.0 + t2), 1.0),
        (0.5, 0.5 - 0.5 * t2 / (9.0 + t2), 0.5 + 0.5 * t2 / (9.0 + t2)),
        (0.0, 0.0, t2 / (9.0 + t2)),
    ] {
        let found = all(mean);
        assert!((found.lo - lo).abs() < 1e-12 && (found.hi - hi).abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn the_p_value_agrees_with_the_interval() {
    // One more equal result changes the interval and the p-value together.
    for (mean, n) in [(1.0, 5), (1.0, 6), (1.0, 7), (0.75, 9), (0.75, 12), (0.5, 50)] {
        let alike = clusters(&vec![mean; n]);
        let excludes = !alike.interval(P95).expect("clusters").contains(0.5);
        assert_eq!(alike.p_value().expect("clusters") < 0.05, excludes, "{mean} {n}");
    }
}

#[test]
fn openings_that_decide_all_their_games_count_as_single_games() {
    // Ten openings of thirty equal games: nine are won by the first player, one by the second. The
    // variance of a cluster is that of one game, so other openings may be at 0 or 1. The interval is
    // that of ten games: (0.9 - s)² = t² s (1 - s) / 10 with 9 degrees of freedom, at the lower end.
    let means = [[0.0].as_slice(), &[1.0; 9]].concat();
    let share = 2.262157162740992_f64.powi(2) / 10.0;
    let (b, c) = (1.8 + share, 0.81);
    let root = (b * b - 4.0 * (1.0 + share) * c).sqrt();
    let found = of_games(30, &means).interval(P95).unwrap();
    assert!((found.lo - (b - root) / (2.0 * (1.0 + share))).abs() < 1e-9, "{found:?}");
    // If all are won, the games of an opening show nothing about other openings.
    let all = of_games(30, &[1.0; 10]).interval(P95).unwrap();
    assert!((all.lo - 1.0 / (1.0 + share)).abs() < 1e-9, "{all:?}");
}
