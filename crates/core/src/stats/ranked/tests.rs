//! Exact small cases, from two general optimisers and closed forms.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::stats::ratings::{FitOptions, PairingScore, Rating, fit};
use crate::stats::{Counts, Evidence};

/// Adds rows such as `A>B=C`: a letter is a player, several letters are a team, and the order of the
/// text is the order of the seats.
fn add(samples: &mut RankedSamples, text: &str, group: Option<usize>, count: u64) {
    let mut rank = 0;
    let mut sides = Vec::new();
    for part in text.split_inclusive(['>', '=']) {
        let members = part.bytes().filter(u8::is_ascii_uppercase);
        let members = members.map(|letter| usize::from(letter - b'A')).collect();
        sides.push(RankedSide { members, rank });
        rank += u32::from(part.ends_with('>'));
    }
    samples.add(sides, group, count).expect("a row");
}

fn samples(players: usize, rows: &[(&str, u64)]) -> RankedSamples {
    let mut samples = RankedSamples::new(players);
    rows.iter().for_each(|&(text, count)| add(&mut samples, text, None, count));
    samples
}

fn options() -> RankedOptions {
    RankedOptions::default()
}

fn davidson_luce() -> RankedOptions {
    RankedOptions { ties: TieModel::DavidsonLuce, ..options() }
}

fn fitted(samples: &RankedSamples, options: &RankedOptions) -> RankedRatings {
    RankedRatings::fit(samples, options).expect("ratings")
}

fn elo(ratings: &RankedRatings) -> Vec<f64> {
    ratings.ratings().iter().map(|rating| rating.estimate().expect("an estimate")).collect()
}

fn interval(rating: Rating) -> [f64; 2] {
    let Rating::Estimate { lo, hi, .. } = rating else { panic!("no estimate: {rating:?}") };
    [lo, hi]
}

fn assert_close(got: &[f64], want: &[f64], tolerance: f64) {
    assert_eq!(got.len(), want.len());
    let close = got.iter().zip(want).all(|(a, b)| (a - b).abs() <= tolerance);
    assert!(close, "got {got:?}, want {want:?}");
}

fn check(rows: &[(&str, u64)], options: &RankedOptions, want: &[f64], ln: f64) -> RankedRatings {
    let found = fitted(&samples(want.len(), rows), options);
    assert_close(&elo(&found), want, 1e-4);
    assert_close(&[found.log_likelihood()], &[ln], 1e-8);
    found
}

const PL1: [(&str, u64); 5] =
    [("A>B>C", 3), ("A>C>B", 1), ("B>A>C", 2), ("B>C>A", 1), ("C>A>B", 1)];
const PL2: [(&str, u64); 7] = [PL1[0], PL1[1], PL1[2], PL1[3], PL1[4], ("A=B>C", 2), ("C>A=B", 1)];
const PL3: [(&str, u64); 6] = [
    ("A>B>C>D", 4),
    ("B>A>D>C", 2),
    ("C>A=B>D", 1),
    ("D>C>B>A", 1),
    ("A=B>C=D", 1),
    ("A>B=C=D", 1),
];
const BT: [(&str, u64); 3] = [("A>B", 6), ("A=B", 3), ("B>A", 1)];
const TM1: [(&str, u64); 6] =
    [("AB>CD", 7), ("CD>AB", 3), ("AC>BD", 6), ("BD>AC", 4), ("AD>BC", 5), ("BC>AD", 5)];

#[test]
fn strict_orders_have_the_known_ratings() {
    check(&PL1, &options(), &[95.0176, 28.3662, -123.3839], -12.612257442);
}

#[test]
fn ties_are_the_average_of_their_orders() {
    check(&PL2, &options(), &[83.8332, 37.4636, -121.2968], -17.569130672);
    check(&PL3, &options(), &[184.2737, 127.4058, -106.2292, -205.4502], -24.898758491);
    check(&BT, &options(), &[95.4243, -95.4243], -5.623351446);
}

#[test]
fn the_model_of_davidson_and_luce_has_weights_of_ties() {
    let want = [85.8334, 30.9436, -116.7771];
    let found = check(&PL2, &davidson_luce(), &want, -24.366595619);
    assert_eq!(found.tie_weights()[0].0, 2);
    assert_close(&[found.tie_weights()[0].1], &[0.251391], 1e-6);
    let half = 200.0 * 6.0_f64.log10();
    let found = check(&BT, &davidson_luce(), &[half, -half], -8.979457249);
    assert_close(&[found.tie_weights()[0].1], &[1.5_f64.sqrt()], 1e-6);
}

#[test]
fn teams_have_the_mean_or_the_sum_of_their_members() {
    let want = [108.8136, 38.3771, -38.3771, -108.8136];
    check(&TM1, &options(), &want, -19.770231496);
    let sum = RankedOptions { teams: TeamModel::Sum, ..options() };
    check(&TM1, &sum, &want.map(|elo| elo / 2.0), -19.770231496);
}

/// All orders of all rows of a group of ties, each with the same weight.
#[test]
fn large_ties_equal_the_sum_over_their_orders() {
    let tied = fitted(&samples(4, &[("A=B=C>D", 6), ("D>A=B=C", 6), ("A>B>C>D", 6)]), &options());
    let mut rows = vec![("A>B>C>D", 6)];
    for order in ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"] {
        let parts: Vec<&str> = order.split("").filter(|part| !part.is_empty()).collect();
        let text = parts.join(">");
        rows.push((Box::leak(format!("{text}>D").into_boxed_str()), 1));
        rows.push((Box::leak(format!("D>{text}").into_boxed_str()), 1));
    }
    let orders = fitted(&samples(4, &rows), &options());
    assert_close(&elo(&tied), &elo(&orders), 1e-9);
    assert_close(&[tied.log_likelihood()], &[orders.log_likelihood()], 1e-9);
}

#[test]
fn two_seats_are_bradley_terry() {
    let games =
        [(0, 1, 7, 2, 4), (1, 2, 3, 5, 3), (2, 0, 1, 4, 6), (2, 3, 8, 1, 2), (3, 1, 2, 2, 3)];
    let mut rows = RankedSamples::new(4);
    let mut pairings = Vec::new();
    for (a, b, wins, draws, losses) in games {
        let lone_first = Counts([losses, draws, wins]);
        let evidence = Evidence { lone_first, ..Evidence::default() };
        for (ranks, count) in [([0, 1], wins), ([0, 0], draws), ([1, 0], losses)] {
            let side = |player, rank| RankedSide { members: vec![player], rank };
            rows.add(vec![side(a, ranks[0]), side(b, ranks[1])], None, count).expect("a row");
        }
        pairings.push(PairingScore { a, b, evidence });
    }
    let plain = fit(4, &pairings, FitOptions { first_mover: false }).expect("ratings");
    assert_close(&elo(&fitted(&rows, &options())), &plain.ratings, 1e-9);
    let with_seats = RankedOptions { seat_effects: true, ..options() };
    let seats = fit(4, &pairings, FitOptions { first_mover: true }).expect("ratings");
    let found = fitted(&rows, &with_seats);
    assert_close(&elo(&found), &seats.ratings, 1e-9);
    let effects = found.seat_effects().expect("effects");
    assert_close(&[2.0 * effects.seats[0].elo], &[seats.first_mover.expect("it")], 1e-9);
}

/// Seats, players and tied sides in another order.
#[test]
fn the_order_of_rows_and_players_has_no_effect() {
    let found = fitted(&samples(3, &PL2), &options());
    let renamed = |text: &str| -> String {
        text.chars()
            .map(|c| match c {
                'A' => 'C',
                'C' => 'A',
                c => c,
            })
            .collect()
    };
    let mut other = RankedSamples::new(3);
    for (text, count) in PL2.iter().rev() {
        let text = renamed(text).replace("C=B", "B=C");
        (0..*count).for_each(|_| add(&mut other, &text, None, 1));
    }
    let other = fitted(&other, &options());
    for (player, renamed) in [(0, 2), (1, 1), (2, 0)] {
        let [a, b] = [found.ratings()[player], other.ratings()[renamed]];
        assert_close(&interval(a), &interval(b), 1e-6);
        assert_close(&[a.estimate().expect("it")], &[b.estimate().expect("it")], 1e-9);
    }
    let twins = fitted(&samples(3, &[("A=B>C", 3), ("C>B=A", 2)]), &options());
    assert_close(&[elo(&twins)[0]], &[elo(&twins)[1]], 1e-9);
}

#[test]
fn double_rows_in_groups_keep_the_intervals() {
    let rows: Vec<&str> = PL2.iter().flat_map(|(text, n)| vec![*text; *n as usize]).collect();
    let mut double = RankedSamples::new(3);
    for (group, text) in rows.iter().enumerate() {
        (0..2).for_each(|_| add(&mut double, text, Some(group), 1));
    }
    let (single, double) = (fitted(&samples(3, &PL2), &options()), fitted(&double, &options()));
    assert_close(&[double.log_likelihood()], &[2.0 * single.log_likelihood()], 1e-9);
    for (a, b) in single.ratings().iter().zip(double.ratings()) {
        assert_close(&interval(*a), &interval(*b), 1e-5);
    }
}

fn with_seats() -> RankedOptions {
    RankedOptions { seat_effects: true, ..options() }
}

/// Of `n` wins, all have a probability of 2.5 % at the bound.
#[test]
fn players_above_or_below_all_others_have_exact_bounds() {
    let found = fitted(&samples(4, &[("A=B", 10), ("C>A", 5), ("B>D", 5)]), &options());
    let share = 0.025_f64.powf(0.2);
    let bound = 400.0 * (share / (1.0 - share)).log10();
    let [Rating::AtLeast(above), Rating::AtMost(below)] = found.ratings()[2..] else {
        panic!("{:?}", found.ratings())
    };
    assert_close(&[above, below], &[bound, -bound], 1e-6);
    assert_eq!(found.components(), [vec![0, 1], vec![2], vec![3]]);
    assert_eq!(found.difference(0, 2), Rating::Unknown);
    // Five rows of one group are one row.
    let mut grouped = RankedSamples::new(3);
    (0..10).for_each(|group| add(&mut grouped, "A=B", Some(group), 1));
    add(&mut grouped, "C>A", Some(10), 5);
    let Rating::AtLeast(bound) = fitted(&grouped, &options()).ratings()[2] else {
        panic!("no bound")
    };
    assert_close(&[bound], &[400.0 * (0.025_f64 / 0.975).log10()], 1e-6);
}

#[test]
fn players_who_never_met_are_in_different_components() {
    let rows = [("A>B", 3), ("B>A", 1), ("C>D", 1), ("D>C", 1), ("E>F", 1)];
    let found = fitted(&samples(7, &rows), &options());
    assert_eq!(found.unconnected(), [vec![0, 1], vec![2, 3], vec![4, 5], vec![6]]);
    assert_eq!(found.components().len(), 5);
    let half = 200.0 * 3.0_f64.log10();
    assert_close(&elo_of(&found, 0..4), &[half, -half, 0.0, 0.0], 1e-6);
    assert_eq!(found.ratings()[4..], [Rating::Unknown; 3]);
    assert_eq!([0, 4, 6].map(|player| found.rows_of(player)), [4, 1, 0]);
}

fn elo_of(ratings: &RankedRatings, players: std::ops::Range<usize>) -> Vec<f64> {
    ratings.ratings()[players].iter().filter_map(|rating| rating.estimate()).collect()
}

#[test]
fn members_of_teams_that_always_won_have_bounds() {
    let rows = [TM1.as_slice(), &[("EA>BC", 4), ("EB>AD", 2)]].concat();
    let found = fitted(&samples(5, &rows), &options());
    let want = [108.8136, 38.3771, -38.3771, -108.8136];
    assert_close(&elo_of(&found, 0..4), &want, 1e-4);
    assert!(matches!(found.ratings()[4], Rating::AtLeast(_)), "{:?}", found.ratings());
    let always_together = samples(4, &[("AB>CD", 3), ("CD>AB", 2)]);
    let none = RankedRatings::fit(&always_together, &options()).err();
    assert_eq!(none, Some(NoRankedFit::AlwaysTogether { players: [0, 1] }));
}

/// The variance of rows that all are ties is 0. The profile of `n` ties is `n ln cosh(x / 2)`.
#[test]
fn ties_alone_have_an_interval() {
    let found = fitted(&samples(2, &[("A=B", 30)]), &options());
    let z = 1.959963984540054_f64;
    let t29 = 2.045229642132703_f64;
    let half = 2.0 * (z * z / 30.0 * t29 * t29 / 60.0).exp().acosh() * 400.0 / 10.0_f64.ln();
    assert_close(&interval(found.difference(0, 1)), &[-half, half], 1e-4);
}

#[test]
fn few_groups_have_no_interval_but_a_permutation_test() {
    let mut first_wins = RankedSamples::new(2);
    for group in 0..6 {
        let row = if group % 2 == 0 { "A>B" } else { "B>A" };
        add(&mut first_wins, row, Some(group), 2);
    }
    // The second seat wins once, so that the effect is finite.
    let sides = [(0, 1), (1, 0)].map(|(player, rank)| RankedSide { members: vec![player], rank });
    first_wins.add(sides.to_vec(), Some(0), 1).expect("a row");
    let sides = [(1, 1), (0, 0)].map(|(player, rank)| RankedSide { members: vec![player], rank });
    first_wins.add(sides.to_vec(), Some(1), 1).expect("a row");
    let found = fitted(&first_wins, &with_seats());
    assert!(found.intervals_missing());
    assert_eq!(interval(found.ratings()[0]), [f64::NEG_INFINITY, f64::INFINITY]);
    let effects = found.seat_effects().expect("effects");
    assert_eq!(effects.seats[0].interval, None);
    // 12 of 14 games: odds of 6.
    assert_close(&[effects.seats[0].elo - effects.seats[1].elo], &[400.0 * 6.0_f64.log10()], 1e-6);
    let test = effects.test.expect("a test");
    assert_eq!(test.method, TestMethod::Permutation);
    // Two of 2^6 exchanges are as extreme.
    assert!((test.p - 2.0 / 64.0).abs() < 0.01, "{test:?}");
}

/// In these rows, the first seat always wins.
#[test]
fn seats_without_a_finite_effect_are_missing() {
    let found = fitted(&samples(3, &PL1), &with_seats());
    assert!(found.seats_missing() && found.seat_effects().is_none());
    assert_close(&elo(&found), &elo(&fitted(&samples(3, &PL1), &options())), 1e-9);
}

#[test]
fn anchors_shift_all_ratings() {
    let anchored = |anchors: &[(usize, f64)]| {
        fitted(&samples(2, &BT), &RankedOptions { anchors: anchors.to_vec(), ..options() })
    };
    let one = anchored(&[(0, 1000.0)]);
    assert_close(&elo(&one), &[1000.0, 1000.0 - 190.8485], 1e-4);
    assert_close(&interval(one.ratings()[0]), &[1000.0; 2], 1e-9);
    let shift = one.anchor_shift().expect("a shift");
    assert_close(&[shift.elo], &[1000.0 - 95.4243], 1e-4);
    assert_eq!(shift.test, None);
    for (given, is_same) in [(1000.0 - 190.8485, true), (1800.0, false)] {
        let shift = *anchored(&[(0, 1000.0), (1, given)]).anchor_shift().expect("a shift");
        assert_close(&[shift.elo], &[f64::midpoint(1000.0, given)], 1e-4);
        let p = shift.test.expect("a test").p;
        assert_eq!(p > 0.05, is_same, "p = {p}");
    }
}

#[test]
fn rows_that_cannot_be_used_are_errors() {
    let side = |members: &[usize], rank| RankedSide { members: members.to_vec(), rank };
    let mut samples = RankedSamples::new(20);
    let error = |sides: Vec<RankedSide>| RankedSamples::new(20).add(sides, None, 1).err();
    assert_eq!(error(vec![side(&[0], 0)]), Some(SampleError::OneSide));
    let empty = vec![side(&[0], 0), side(&[], 0)];
    assert_eq!(error(empty), Some(SampleError::EmptySide { seat: 1 }));
    let unknown = vec![side(&[0], 0), side(&[20], 0)];
    assert_eq!(error(unknown), Some(SampleError::UnknownPlayer { player: 20 }));
    let twice = vec![side(&[0], 0), side(&[1, 0], 0)];
    assert_eq!(error(twice), Some(SampleError::SamePlayerTwice { player: 0 }));
    let tied = (0..11).map(|player| side(&[player], 3)).collect();
    assert_eq!(error(tied), Some(SampleError::TooManyTied { tied: 11 }));
    let row = || vec![side(&[0], 0), side(&[1], 0)];
    assert_eq!(samples.add(row(), Some(0), 1), Ok(()));
    assert_eq!(samples.add(row(), None, 1), Err(SampleError::MixedGroups));
}

/// Plays `count` games of two players with these ratings in Elo, half of them in each seat.
fn play(
    samples: &mut RankedSamples,
    elo: &[f64],
    [a, b]: [usize; 2],
    count: u64,
    rng: &mut ChaCha8Rng,
) {
    for game in 0..count {
        let [first, second] = if game % 2 == 0 { [a, b] } else { [b, a] };
        let wins = rng.random::<f64>() < crate::stats::elo::to_score(elo[first] - elo[second]);
        let side = |player, rank| RankedSide { members: vec![player], rank };
        let row = vec![side(first, u32::from(!wins)), side(second, u32::from(wins))];
        samples.add(row, None, 1).expect("a row");
    }
}

#[test]
fn a_newcomer_among_equal_players_needs_the_games_of_the_formula() {
    let mut rows = Vec::new();
    for pair in ["A>B", "B>A", "A>C", "C>A", "A>D", "D>A", "B>C", "C>B", "B>D", "D>B", "C>D", "D>C"]
    {
        rows.push((pair, 1_000_000));
    }
    let samples = samples(5, &rows);
    let found = fitted(&samples, &options());
    let placing = found.placing(&samples, &[], None, 20.0).expect("a plan");
    assert_eq!((placing.stage, placing.games_each), (PlacingStage::Search, 2));
    assert_close(&placing.known, &[0.0, 200.0], 0.01);
    // A score near 1/2 has the slope 1/4 in nats. A forecast is for its likely ratings, ± 200 Elo.
    let exact = 4.0 * (1.96 / (20.0 * std::f64::consts::LN_10 / 400.0)).powi(2);
    let games = placing.games.expect("enough games") as f64 - 8.0;
    assert!((1.0..1.25).contains(&(games / exact)), "{games} {exact}");
    assert_eq!(placing.gauntlet, Some(games as u64));
}

#[test]
fn a_newcomer_of_a_wide_list_is_placed_with_few_games() {
    let newcomer = 30;
    let (mut samples, elo) = list_of(newcomer, 2_600.0, 100, 700.0);
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut games, mut stages) = (0, Vec::new());
    loop {
        let found = fitted(&samples, &options());
        let known = (games > 0).then_some(newcomer);
        let plan = found.placing(&samples, &[], known, 40.0).expect("a plan");
        stages.push(plan.stage);
        assert!(stages.len() < 8, "{stages:?}");
        if plan.stage == PlacingStage::Placed {
            let [lo, hi] = interval(found.ratings()[newcomer]);
            let mean = 700.0 / elo.len() as f64;
            assert!(hi - lo <= 80.0 && (lo..hi).contains(&(700.0 - mean)), "{lo} {hi}");
            let gauntlet = plan.gauntlet.expect("a gauntlet is possible");
            assert!(games * 5 / 2 < gauntlet, "{games} {gauntlet}");
            break;
        }
        games += plan.opponents.len() as u64 * plan.games_each;
        for &opponent in &plan.opponents {
            play(&mut samples, &elo, [newcomer, opponent], plan.games_each, &mut rng);
        }
    }
    stages.dedup();
    assert_eq!(stages, [PlacingStage::Search, PlacingStage::Measure, PlacingStage::Placed]);
}

/// A list of players at equal distances, with these games of each two, and a newcomer who is the last.
fn list_of(players: usize, width: f64, games: u64, new: f64) -> (RankedSamples, Vec<f64>) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let place = |player: usize| width * (player as f64 / (players - 1) as f64 - 0.5);
    let mut elo: Vec<f64> = (0..players).map(place).collect();
    elo.push(new);
    let mut samples = RankedSamples::new(elo.len());
    for a in 0..players {
        (0..a).for_each(|b| play(&mut samples, &elo, [a, b], games, &mut rng));
    }
    (samples, elo)
}

#[test]
fn a_newcomer_of_a_list_with_certain_results_has_a_finite_estimate() {
    let (mut samples, elo) = list_of(30, 4_000.0, 400, 800.0);
    let search = fitted(&samples, &options()).placing(&samples, &[], None, 60.0).expect("a plan");
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for &opponent in &search.opponents {
        play(&mut samples, &elo, [30, opponent], search.games_each, &mut rng);
    }
    let next = fitted(&samples, &options()).placing(&samples, &[], Some(30), 60.0).expect("a plan");
    assert!(next.known.iter().all(|of| of.is_finite()), "{next:?}");
    assert!(next.games.is_some(), "{next:?}");
}

#[test]
fn a_first_plan_says_for_which_share_of_ratings_no_number_of_games_is_enough() {
    let first = |width: f64, within: f64| {
        let (samples, _) = list_of(10, width, 100, 0.0);
        fitted(&samples, &options()).placing(&samples, &[], None, within).expect("a plan")
    };
    let certain = first(1_000.0, 60.0);
    assert_eq!((certain.stage, certain.hopeless), (PlacingStage::Search, 0.0));
    let mixed = first(2_000.0, 30.0);
    assert_eq!(mixed.stage, PlacingStage::Search);
    assert!((0.2..0.9).contains(&mixed.hopeless), "{mixed:?}");
    let none = first(4_000.0, 30.0);
    assert_eq!((none.stage, none.hopeless, none.games), (PlacingStage::Impossible, 1.0, None));
}

#[test]
fn an_uncertain_list_places_no_newcomer() {
    let samples = samples(2, &BT);
    let plan =
        fitted(&samples, &options()).placing(&samples, &[(0, 0.0)], None, 20.0).expect("a plan");
    assert_eq!((plan.stage, plan.games), (PlacingStage::Impossible, None));
    // A list without ratings.
    let samples = self::samples(2, &[("A>B", 3)]);
    assert_eq!(fitted(&samples, &options()).placing(&samples, &[], None, 20.0), None);
}
