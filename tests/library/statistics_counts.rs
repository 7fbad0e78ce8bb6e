//! Counts of games and pairs, Elo, planning, and the statistics of times.

use agon::stats::GameScore::{Draw, Loss, Win};
use agon::stats::effective_games::effective_sample_size;
use agon::stats::elo::{from_score, to_score};
use agon::stats::games_for_precision::{
    games_for_half_width, half_width, power, variance_per_game,
};
use agon::stats::timing::median_interval;
use agon::stats::{Confidence, Counts, Evidence, PairTable, Pentanomial, Trinomial};

const P95: Confidence = Confidence::P95;

#[test]
fn nothing_counted_has_no_answers() {
    let none = Pentanomial::default();
    assert!(none.is_empty());
    assert_eq!((none.n(), none.mean(), none.variance()), (0, None, None));
    assert_eq!(none.elo(), None);
    assert_eq!((none.normalized_elo(), none.pairs_ratio()), (None, None));
}

#[test]
fn a_win_and_a_loss_balance() {
    let counts = Trinomial::of(1, 0, 1);
    assert_eq!(counts.mean(), Some(0.5));
    assert_eq!(counts.variance(), Some(0.25));
    assert_eq!(counts.elo(), Some(0.0));
}

#[test]
fn alike_results_have_no_normalized_elo() {
    assert_eq!(Trinomial::of(0, 9, 0).normalized_elo(), None);
    assert_eq!(Trinomial::of(0, 0, 9).elo(), None);
}

#[test]
fn the_largest_counts_do_not_overflow() {
    let mut counts = Pentanomial::default();
    counts.merge(&Counts([u64::MAX; 5]));
    counts.merge(&Counts([1; 5]));
    assert_eq!(counts.n(), u64::MAX);
    assert!((counts.mean().unwrap() - 0.5).abs() < 1e-15);
    assert!((counts.variance().unwrap() - 0.125).abs() < 1e-15);
}

#[test]
fn flipping_mirrors_the_mean() {
    let counts = Counts([3, 1, 4, 1, 5, 9]);
    let (mean, mirrored) = (counts.mean().unwrap(), counts.flipped().mean().unwrap());
    assert!((mean + mirrored - 1.0).abs() < 1e-15);
}

#[test]
fn replays_add_nothing() {
    assert_eq!(effective_sample_size([(1, 100)]), Some(100.0));
    assert_eq!(effective_sample_size([(50, 10)]), Some(10.0));
    assert_eq!(effective_sample_size([(98, 1), (1, 2)]), Some(10_000.0 / 9606.0));
    assert_eq!(effective_sample_size([]), None);
    assert_eq!(effective_sample_size([(u64::MAX, 2)]), Some(2.0));
}

#[test]
fn one_half_is_zero_and_not_minus_zero() {
    let elo = from_score(0.5).unwrap();
    assert_eq!(elo, 0.0);
    assert!(elo.is_sign_positive());
}

#[test]
fn scores_at_and_beyond_the_edge_have_no_elo() {
    for score in [0.0, 1.0, -0.1, 1.1, f64::NAN] {
        assert_eq!(from_score(score), None);
    }
}

#[test]
fn the_two_directions_are_inverse() {
    for elo in [-1200.0, -400.0, -5.0, 0.01, 30.0, 99.0, 800.0] {
        let back = from_score(to_score(elo)).unwrap();
        assert!((back - elo).abs() < 1e-9, "{elo} came back as {back}");
    }
}

#[test]
fn ten_to_one_is_four_hundred() {
    assert!((to_score(400.0) - 10.0 / 11.0).abs() < 1e-15);
}

#[test]
fn absurd_differences_stay_in_range() {
    assert_eq!(to_score(1e9), 1.0);
    assert_eq!(to_score(-1e9), 0.0);
}

const TABLE: PairTable = PairTable([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);

#[test]
fn both_pentanomials_come_from_the_table() {
    assert_eq!(TABLE.strength(), Counts([1, 6, 15, 14, 9]));
    assert_eq!(TABLE.first_mover(), Counts([3, 8, 15, 12, 7]));
    assert_eq!(TABLE.n(), 45);
    assert_eq!(TABLE.split_ratio(), Some(2.0));
    assert_eq!(PairTable::default().split_ratio(), None);
}

#[test]
fn games_are_counted_by_seat() {
    assert_eq!(TABLE.moving_first(), Counts([6, 15, 24]));
    assert_eq!(TABLE.moving_second(), Counts([12, 15, 18]));
    assert_eq!(TABLE.games(), Counts([18, 30, 42]));
}

#[test]
fn a_pair_lands_in_its_cell() {
    let mut table = PairTable::default();
    table.add(Win, Loss);
    table.add(Draw, Draw);
    assert_eq!(table.0, [[0, 0, 0], [0, 1, 0], [1, 0, 0]]);
    assert_eq!(table.first_mover(), Counts([0, 0, 1, 0, 1]));
}

#[test]
fn the_other_side_sees_the_mirror() {
    assert_eq!(TABLE.flipped().strength(), TABLE.strength().flipped());
    assert_eq!(TABLE.flipped().first_mover(), TABLE.first_mover());
    assert_eq!(TABLE.flipped().flipped(), TABLE);
    assert_eq!(Win.flipped(), Loss);
}

#[test]
fn lone_games_stay_out_of_the_pairs() {
    let evidence =
        Evidence { pairs: TABLE, lone_first: Counts([0, 0, 5]), lone_second: Counts([0, 1, 2]) };
    assert_eq!(evidence.pairs.n(), 45);
    assert_eq!(evidence.games(), Counts([18, 31, 49]));
    assert_eq!(evidence.first_mover_games().n(), 98);
    assert_eq!(evidence.first_mover_games(), Counts([26, 31, 41]));
    assert_eq!(evidence.flipped().flipped(), evidence);
}

#[test]
fn correlation_of_biased_openings_is_negative() {
    let split = PairTable([[0, 0, 1], [0, 0, 0], [1, 0, 0]]);
    assert_eq!(split.intra_pair_correlation(), Some(-1.0));
    let alike = PairTable([[0, 0, 0], [0, 7, 0], [0, 0, 0]]);
    assert_eq!(alike.intra_pair_correlation(), None);
}

#[test]
fn five_elo_with_eighty_percent_power() {
    let score = to_score(5.0);
    for (draws, want) in [(0.0, 37_896), (0.5, 18_944), (0.9, 3_783)] {
        let variance = variance_per_game(score, draws).unwrap();
        for elo in [5.0, -5.0] {
            assert!(power(elo, variance, P95, want).unwrap() >= 0.8);
            assert!(power(elo, variance, P95, want - 1).unwrap() < 0.8);
        }
    }
}

#[test]
fn the_two_half_widths_are_inverse() {
    for (draws, want) in [(0.0, 18_549), (0.5, 9_275), (0.9, 1_855)] {
        let variance = variance_per_game(0.5, draws).unwrap();
        assert_eq!(games_for_half_width(5.0, variance, P95), Some(want));
        let half = half_width(want, variance, P95).unwrap();
        assert!((half - 5.0).abs() < 2e-3);
    }
}

#[test]
fn games_that_cannot_exist_have_no_variance() {
    assert_eq!(variance_per_game(0.76, 0.5), None);
    assert_eq!(variance_per_game(0.5, 1.0), Some(0.0));
    assert_eq!(variance_per_game(f64::NAN, 0.0), None);
}

#[test]
fn absurd_questions_stay_finite() {
    assert_eq!(power(5.0, 0.0, P95, 9), None);
    assert_eq!(power(5.0, 0.25, P95, 0), None);
    assert!(power(1e-300, 0.25, P95, u64::MAX).unwrap() < 0.026);
    assert_eq!(games_for_half_width(1e-9, 0.25, P95), Some(u64::MAX));
    assert_eq!(half_width(0, 0.25, P95), None);
}

#[test]
fn the_usual_order_statistics() {
    // n = 10: from the 2nd to the 9th value with 97.9 %.
    let values: Vec<f64> = (1..=10).map(f64::from).collect();
    let interval = median_interval(&values, P95).unwrap();
    assert_eq!((interval.lo, interval.median, interval.hi), (2.0, 5.5, 9.0));
    assert!((interval.coverage - (1.0 - 22.0 / 1024.0)).abs() < 1e-12);
}

#[test]
fn too_few_values_say_how_little_they_cover() {
    let one = median_interval(&[7.0], P95).unwrap();
    assert_eq!((one.lo, one.median, one.hi), (7.0, 7.0, 7.0));
    assert!(one.coverage < 1e-12);
    let five = median_interval(&[5.0, 1.0, 4.0, 2.0, 3.0], P95).unwrap();
    assert_eq!((five.lo, five.hi), (1.0, 5.0));
    assert!((five.coverage - 0.9375).abs() < 1e-12);
    assert_eq!(median_interval(&[], P95), None);
    assert_eq!(median_interval(&[1.0, f64::NAN], P95), None);
}
