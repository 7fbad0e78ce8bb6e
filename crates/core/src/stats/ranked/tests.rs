//! Exact small cases, from two general optimisers and closed forms.

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
        sides.push(Side { members, rank });
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
            let side = |player, rank| Side { members: vec![player], rank };
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
