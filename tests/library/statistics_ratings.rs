//! Ratings of several players: estimates, intervals, comparisons, cycles.

use agon::stats::ratings::{
    FitOptions, NoFit, PairingScore, first_mover_is_identified, fit, holm, shortest_cycle,
    strong_components,
};
use agon::stats::{Confidence, Counts, Evidence, PairTable, elo};

use crate::statistics_rating_list::elo_se;

fn pairs(a: usize, b: usize, table: [[u64; 3]; 3]) -> PairingScore {
    let pairs = PairTable(table);
    PairingScore { a, b, evidence: Evidence { pairs, ..Evidence::default() } }
}

fn lone(a: usize, b: usize, lone_first: [u64; 3], lone_second: [u64; 3]) -> PairingScore {
    let evidence = Evidence {
        lone_first: Counts(lone_first),
        lone_second: Counts(lone_second),
        ..Evidence::default()
    };
    PairingScore { a, b, evidence }
}

fn near(got: f64, want: f64) {
    assert!((got - want).abs() < 1e-8 * (1.0 + want.abs()), "{got} for {want}");
}

#[test]
fn two_players_get_the_elo_and_the_error_of_their_pairs() {
    let pairing = pairs(0, 1, [[5, 9, 20], [8, 40, 30], [25, 33, 31]]);
    let fit = fit(2, &[pairing], FitOptions::default()).unwrap();
    let strength = pairing.evidence.pairs.strength();
    near(fit.ratings[0] - fit.ratings[1], strength.elo().unwrap());
    near(fit.difference_se(0, 1).unwrap(), elo_se(&strength));
    near(fit.rating_se(0).unwrap(), fit.difference_se(0, 1).unwrap() / 2.0);
    assert_eq!(fit.rating_se(2), None);
}

#[test]
fn expected_points_are_the_points_made() {
    let games = [
        pairs(0, 1, [[1, 2, 3], [0, 4, 1], [2, 2, 5]]),
        pairs(2, 1, [[0, 1, 0], [3, 1, 1], [6, 0, 2]]),
        lone(0, 2, [3, 1, 4], [1, 5, 9]),
    ];
    let fit = fit(3, &games, FitOptions { first_mover: true }).unwrap();
    let adv = fit.first_mover.unwrap();
    let (mut made, mut expected) = ([0.0; 3], [0.0; 3]);
    for p in games {
        for (games, adv) in [(p.evidence.moving_first(), adv), (p.evidence.moving_second(), -adv)] {
            let (n, score) = (games.n() as f64, games.mean().unwrap());
            let chance = elo::to_score(fit.ratings[p.a] - fit.ratings[p.b] + adv);
            made[p.a] += n * score;
            made[p.b] += n * (1.0 - score);
            expected[p.a] += n * chance;
            expected[p.b] += n * (1.0 - chance);
        }
    }
    for (m, e) in made.iter().zip(expected) {
        near(e, *m);
    }
    near(fit.ratings.iter().sum(), 0.0);
}

#[test]
fn alike_results_still_leave_doubt() {
    let drawn = pairs(0, 1, [[0, 0, 0], [0, 10, 0], [0, 0, 0]]);
    let fit = fit(2, &[drawn], FitOptions { first_mover: true }).unwrap();
    assert_eq!(fit.robust.difference_se(0, 1), Some(0.0));
    // Half the width of the interval of ten even pairs, ±97 Elo, divided by z.
    let se = fit.difference_se(0, 1).unwrap();
    assert!((30.0..90.0).contains(&se), "{se}");
    assert!(fit.first_mover_se().unwrap() > 10.0);
}

#[test]
fn what_has_no_answer_says_why() {
    let no =
        |players, pairings: &[PairingScore], options| fit(players, pairings, options).unwrap_err();
    let plain = FitOptions::default();
    assert_eq!(no(2, &[], plain), NoFit::NoGames);
    assert_eq!(no(2, &[pairs(0, 0, [[1; 3]; 3])], plain), NoFit::NoGames);
    assert_eq!(no(2, &[lone(0, 1, [0, 0, 9], [0; 3])], plain), NoFit::NotConnected);
    assert_eq!(no(3, &[lone(0, 1, [1, 1, 9], [0; 3])], plain), NoFit::NotConnected);
    let one_sided = [lone(0, 1, [1, 1, 9], [0; 3])];
    assert_eq!(no(2, &one_sided, FitOptions { first_mover: true }), NoFit::FirstMover);
    let drawn = [lone(0, 1, [0, 5, 5], [0; 3])];
    assert!(fit(2, &drawn, plain).is_ok());
}

#[test]
fn the_largest_counts_are_finite() {
    let games = [pairs(0, 1, [[1 << 60; 3]; 3]), lone(1, 2, [1, 1 << 33, 1], [1, 1, 1])];
    let fit = fit(3, &games, FitOptions { first_mover: true }).unwrap();
    assert!(fit.ratings.iter().all(|r| r.is_finite()));
    assert!((0..3).all(|i| fit.rating_se(i).unwrap().is_finite()));
}

fn ends(players: usize, pairings: &[PairingScore], first_mover: bool) -> [f64; 2] {
    let options = FitOptions { first_mover };
    let fit = fit(players, pairings, options).expect("ratings");
    fit.difference_interval(0, 1, Confidence::P95).expect("an interval")
}

#[test]
fn for_two_players_it_is_the_interval_of_their_pairs() {
    for table in [
        [[5, 9, 20], [8, 40, 30], [25, 33, 31]],
        [[0, 0, 0], [0, 0, 1], [0, 0, 30]],
        [[0, 0, 0], [0, 10, 0], [0, 0, 0]],
        [[1, 0, 0], [0, 0, 0], [0, 0, 30]],
    ] {
        let pairing = pairs(0, 1, table);
        let want = pairing.evidence.pairs.strength().interval(Confidence::P95);
        let want = want.expect("pairs").elo();
        let [lo, hi] = ends(2, &[pairing], false);
        assert!((lo - want.lo().unwrap()).abs() < 1e-4, "{table:?} {lo} {want:?}");
        assert!((hi - want.hi().unwrap()).abs() < 1e-4, "{table:?} {hi} {want:?}");
    }
}

#[test]
fn a_nearly_perfect_score_is_significant_with_a_first_mover_too() {
    // 62 of 64.
    let table = [[0, 0, 1], [0, 0, 0], [1, 0, 30]];
    let [lo, hi] = ends(2, &[pairs(0, 1, table)], true);
    let want = PairTable(table).strength().interval(Confidence::P95).expect("pairs").elo();
    assert!((lo - want.lo().unwrap()).abs() < 20.0, "{lo} {want:?}");
    assert!((hi - want.hi().unwrap()).abs() < 0.2 * hi, "{hi} {want:?}");
    let fit = fit(2, &[pairs(0, 1, table)], FitOptions { first_mover: true });
    let compared = fit.expect("ratings").compare(0, 1).expect("a comparison");
    assert!(compared.los > 0.9999 && compared.p < 1e-4, "{compared:?}");
}

#[test]
fn p_and_interval_decide_alike() {
    for wins in 0..40 {
        let games = [
            pairs(0, 1, [[10, 0, 0], [0, 20, 0], [0, 0, wins]]),
            pairs(1, 2, [[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
            pairs(0, 2, [[1, 0, 0], [4, 5, 6], [7, 0, 0]]),
        ];
        let options = FitOptions { first_mover: true };
        let fit = fit(3, &games, options).expect("ratings");
        let [lo, hi] = fit.difference_interval(0, 1, Confidence::P95).expect("an interval");
        let compared = fit.compare(0, 1).expect("a comparison");
        assert!(lo < compared.difference && compared.difference < hi);
        assert_eq!(compared.p < 0.05, lo > 0.0 || hi < 0.0, "{wins} {compared:?} {lo} {hi}");
        assert_eq!(compared.los > 0.975, lo > 0.0, "{wins} {compared:?} {lo} {hi}");
    }
}

#[test]
fn a_player_met_through_another_has_a_wider_interval() {
    // Player 2 met only player 1, so its distance to player 0 has the uncertainty of both
    // pairings.
    let games = [
        pairs(0, 1, [[5, 9, 20], [8, 40, 30], [25, 33, 31]]),
        pairs(1, 2, [[5, 9, 20], [8, 40, 30], [25, 33, 31]]),
    ];
    let fit = fit(3, &games, FitOptions::default()).expect("ratings");
    let width = |a, b| {
        let [lo, hi] = fit.difference_interval(a, b, Confidence::P95).expect("an interval");
        hi - lo
    };
    assert!((width(0, 2) / width(0, 1) - 2.0_f64.sqrt()).abs() < 0.01);
    let elo = elo::from_score(games[0].evidence.pairs.strength().mean().unwrap()).unwrap();
    assert!((fit.compare(0, 2).unwrap().difference - 2.0 * elo).abs() < 1e-6);
}

#[test]
fn it_covers_in_a_lopsided_league() {
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let strength = [600.0, 0.0, -300.0];
    let (mut covered, mut all) = ([0_u32; 2], 0_u32);
    for _ in 0..600 {
        let mut games = [(0, 1), (1, 2), (0, 2)].map(|(a, b)| pairs(a, b, [[0; 3]; 3]));
        for game in &mut games {
            let chance = elo::to_score(strength[game.a] - strength[game.b]);
            for _ in 0..60 {
                let [one, two] = [0; 2].map(|_| 2 * usize::from(rng.random::<f64>() < chance));
                game.evidence.pairs.0[one][two] += 1;
            }
        }
        // A group in which a player won every game has bounds and no intervals.
        let Ok(fit) = fit(3, &games, FitOptions::default()) else { continue };
        all += 1;
        let ends = [(0, 1), (0, 2)]
            .map(|(a, b)| fit.difference_interval(a, b, Confidence::P95).expect("an interval"));
        for ((covered, [lo, hi]), truth) in covered.iter_mut().zip(ends).zip([600.0, 900.0]) {
            *covered += u32::from((lo..=hi).contains(&truth));
        }
    }
    let least = f64::from(*covered.iter().min().expect("two")) / f64::from(all);
    println!("covered {covered:?} of {all}");
    assert!(all > 400 && least >= 0.94, "{covered:?} of {all}");
}

#[test]
fn holm_by_hand() {
    assert!(holm(&[]).is_empty());
    let got = holm(&[0.04, 0.01, 0.03]);
    for (got, want) in got.iter().zip([0.06, 0.03, 0.06]) {
        assert!((got - want).abs() < 1e-15);
    }
}

#[test]
fn comparisons_agree_with_the_ratings() {
    let game = |a, b, lone_first| {
        let lone_first = Counts(lone_first);
        PairingScore { a, b, evidence: Evidence { lone_first, ..Evidence::default() } }
    };
    let games = [game(0, 1, [10, 5, 40]), game(1, 2, [20, 9, 30]), game(2, 0, [40, 3, 9])];
    let fit = fit(3, &games, FitOptions::default()).unwrap();
    let all = fit.comparisons();
    assert_eq!(all.len(), 3);
    for c in all {
        assert!((c.difference - (fit.ratings[c.a] - fit.ratings[c.b])).abs() < 1e-12);
        assert!((c.p - 2.0 * c.los.min(1.0 - c.los)).abs() < 1e-12);
        assert!(c.p <= c.p_holm && c.p_holm <= 1.0);
    }
    assert_eq!(fit.compare(0, 0), None);
    assert_eq!(fit.compare(0, 7), None);
}

fn first(a: usize, b: usize, losses: u64, draws: u64, wins: u64) -> PairingScore {
    let lone_first = Counts([losses, draws, wins]);
    PairingScore { a, b, evidence: Evidence { lone_first, ..Evidence::default() } }
}

#[test]
fn no_players_and_no_games() {
    assert!(strong_components::<Evidence>(0, &[]).is_empty());
    assert_eq!(strong_components::<Evidence>(2, &[]), [[0], [1]]);
    assert!(!first_mover_is_identified::<Evidence>(2, &[]));
}

#[test]
fn a_cycle_of_wins_connects() {
    let cycle = [first(0, 1, 0, 0, 9), first(1, 2, 0, 0, 9), first(2, 0, 0, 0, 9)];
    assert_eq!(strong_components(3, &cycle), [[0, 1, 2]]);
    // The first move alone explains all results.
    assert!(!first_mover_is_identified(3, &cycle));
}

#[test]
fn a_first_move_from_one_side_only_is_not_separated_from_strength() {
    assert!(!first_mover_is_identified(2, &[first(0, 1, 5, 0, 7)]));
    let both = [first(0, 1, 5, 0, 7), first(1, 0, 3, 0, 9)];
    assert!(first_mover_is_identified(2, &both));
}

#[test]
fn a_first_mover_who_always_wins_has_no_finite_advantage() {
    let pairs = PairTable([[0, 0, 0], [0, 0, 0], [50, 0, 0]]);
    let evidence = Evidence { pairs, ..Evidence::default() };
    let always = [PairingScore { a: 0, b: 1, evidence }];
    assert_eq!(strong_components(2, &always), [[0, 1]]);
    assert!(!first_mover_is_identified(2, &always));
}

fn won(a: usize, b: usize, wins: u64, losses: u64) -> PairingScore {
    let mut pairs = PairTable::default();
    pairs.0[2][2] = wins;
    pairs.0[0][0] = losses;
    PairingScore { a, b, evidence: Evidence { pairs, ..Evidence::default() } }
}

#[test]
fn a_cycle_is_found_and_an_order_is_not() {
    let order = [won(0, 1, 9, 1), won(1, 2, 9, 1), won(0, 2, 9, 1)];
    assert_eq!(shortest_cycle(3, &order, Confidence::P95), None);
    let cycle = [won(0, 1, 9, 1), won(2, 1, 1, 9), won(0, 2, 1, 9)];
    assert_eq!(shortest_cycle(3, &cycle, Confidence::P95), Some(vec![0, 1, 2]));
}

#[test]
fn chance_results_make_no_cycle() {
    let close = [won(0, 1, 6, 4), won(1, 2, 6, 4), won(2, 0, 6, 4)];
    assert_eq!(shortest_cycle(3, &close, Confidence::P95), None);
    assert_eq!(shortest_cycle::<Evidence>(0, &[], Confidence::P95), None);
}

#[test]
fn evidence_in_both_orders_adds_up_and_lone_games_count() {
    let lone = |a, b, wins| {
        let lone_first = Counts([0, 0, wins]);
        PairingScore { a, b, evidence: Evidence { lone_first, ..Evidence::default() } }
    };
    let games = [lone(3, 1, 20), won(1, 2, 4, 0), won(2, 1, 0, 9), won(2, 3, 9, 0)];
    assert_eq!(shortest_cycle(4, &games, Confidence::P95), Some(vec![1, 2, 3]));
}
