//! The mean over seeds has its textbook interval, and the interval has its coverage.

use agon::stats::{Confidence, MeanOfRuns, elo};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

#[test]
fn the_interval_of_a_mean_is_that_of_the_textbook() {
    let of = |values: &[f64]| MeanOfRuns::of(values, Confidence::P95);
    let one_to_three = of(&[1.0, 2.0, 3.0]).expect("a mean");
    assert_eq!(one_to_three.mean, 2.0);
    // t(0.025, 2) = 4.302652729911275, and the standard error is 1/sqrt(3).
    let [low, high] = one_to_three.ends.expect("an interval");
    let reach = 4.302652729911275 / 3f64.sqrt();
    assert!((low - 2.0 + reach).abs() < 1e-9 && (high - 2.0 - reach).abs() < 1e-9);
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[1.0, f64::INFINITY]), None);
    for equal in [&[7.0][..], &[7.0, 7.0, 7.0]] {
        assert_eq!(of(equal), Some(MeanOfRuns { mean: 7.0, ends: None }));
    }
}

#[test]
fn the_interval_over_seeds_covers_the_mean_of_all_seeds() {
    const GAMES: u32 = 40;
    const TRIALS: u32 = 4000;
    for (number, (runs, chance)) in
        [(2, 0.5), (3, 0.6), (5, 0.7), (10, 0.5)].into_iter().enumerate()
    {
        let mut rng = ChaCha8Rng::seed_from_u64(number as u64);
        // The strength of an agent in this run, such as one that learned from the seed.
        let mut run = || {
            let chance = chance + 0.1 * (rng.random::<f64>() - 0.5);
            let wins = (0..GAMES).filter(|_| rng.random::<f64>() < chance).count();
            let score = wins.clamp(1, GAMES as usize - 1) as f64 / f64::from(GAMES);
            elo::from_score(score).expect("a score between 0 and 1")
        };
        let truth = (0..200_000).map(|_| run()).sum::<f64>() / 200_000.0;
        let covers = |_: &u32| {
            let values: Vec<f64> = (0..runs).map(|_| run()).collect();
            let mean = MeanOfRuns::of(&values, Confidence::P95).expect("a mean");
            mean.ends.is_some_and(|[low, high]| low <= truth && truth <= high)
        };
        let covered = (0..TRIALS).filter(covers).count() as f64 / f64::from(TRIALS);
        println!("{runs} runs at {chance}: {covered:.3}");
        // Two runs of so few games may be equal, and then there is no interval.
        let least = if runs == 2 { 0.88 } else { 0.935 };
        assert!((least..0.975).contains(&covered), "{runs} runs at {chance}: {covered}");
    }
}
