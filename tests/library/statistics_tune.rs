//! Simulated tunes: their regret and their intervals.

use agon::stats::spsa::expected_regret;

use crate::support::tune::{published, tune};

/// Eight tunes of 37 686 games, as each parameter loses 20 Elo at half its range. The bounds are
/// four standard errors from the expectation.
#[test]
fn simulated_tunes_have_their_expected_regret() {
    let (ranges, design) = published(20.0);
    let expected = expected_regret(&ranges, &design, 0.5);
    assert!((expected.start - 20.0).abs() < 1e-9);
    let (mut end, mut mean, mut covered) = (0.0, 0.0, 0);
    for seed in 0..8 {
        let tuned = tune(&ranges, &design, 20.0, seed);
        end += tuned.end / 8.0;
        mean += tuned.mean / 8.0;
        covered += tuned.covered;
    }
    assert!((end - expected.end).abs() < 0.22, "{end}, {expected:?}");
    assert!((mean - expected.mean).abs() < 0.3, "{mean}, {expected:?}");
    // Of 32 intervals of 95 %, fewer than 25 have a probability below 0.1 %.
    assert!(covered >= 25, "{covered}");
}
