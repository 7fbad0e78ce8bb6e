//! What a tally counts: evidence, costs, duplicates, clusters and the sequential test.

use agon::arena::{GameRow, Tally};
use agon::play::{Outcome, SideRecord};
use agon::stats::Trinomial;
use agon::stats::ratings::{ListOptions, PairingScore, Rating, RatingList};
use agon::stats::sprt::{SprtSettings, Unit};

fn row(game: u64, seats: (usize, usize), outcome: Outcome, random: u64, identity: u64) -> GameRow {
    GameRow {
        game,
        pairing: 1,
        opening: game.div_ceil(2),
        first: seats.0,
        second: seats.1,
        outcome,
        reason: "line",
        plies: 10,
        rng_draws: random,
        luck: None,
        sides: [SideRecord {
            moves: 5,
            nodes: 50,
            depth: 10,
            time_ns: 500,
            slowest_ns: 200,
            ..SideRecord::default()
        }; 2],
        identity,
    }
}

fn tally(rows: &[GameRow]) -> Tally {
    let mut tally = Tally::new(vec!["a".into(), "b".into()], &[]);
    rows.iter().for_each(|row| tally.push(row));
    tally.count_lone_game();
    tally
}

#[test]
fn pairs_are_found_and_lone_games_kept_apart() {
    let tally = tally(&[
        row(1, (0, 1), Outcome::First, 1, 1),
        row(2, (1, 0), Outcome::Draw, 1, 2),
        row(3, (0, 1), Outcome::Second, 1, 3),
    ]);
    let evidence = &tally.pairings[0].1.distinct;
    assert_eq!(evidence.pairs.0[2][1], 1);
    assert_eq!(evidence.pairs.n(), 1);
    assert_eq!(evidence.lone_first, Trinomial::of(1, 0, 0));
    assert_eq!(tally.agents[1].moving_first, Trinomial::of(0, 1, 0));
    assert_eq!(tally.agents[1].moving_second, Trinomial::of(1, 0, 1));
}

#[test]
fn the_same_game_counts_once_unless_a_random_number_was_drawn() {
    let games = |random| {
        tally(&[
            row(1, (0, 1), Outcome::First, random, 1),
            row(2, (1, 0), Outcome::Draw, random, 2),
            row(3, (0, 1), Outcome::First, random, 1),
            row(4, (1, 0), Outcome::Draw, random, 2),
        ])
    };
    assert_eq!(games(0).distinct_games(), 2);
    assert_eq!(games(0).pairings[0].1.distinct.pairs.n(), 1);
    assert_eq!(games(0).pairings[0].1.all().pairs.n(), 2);
    assert_eq!(games(5).distinct_games(), 4);
    assert_eq!(games(5).pairings[0].1.distinct.pairs.n(), 2);
}

#[test]
fn spending_that_no_number_holds_stops_at_the_largest() {
    let mut much = row(1, (0, 1), Outcome::First, 1, 1);
    much.sides[0].time_ns = u64::MAX;
    much.sides[0].nodes = u64::MAX;
    much.sides[0].depth = u64::MAX;
    let tally = tally(&[much, GameRow { game: 2, ..much }]);
    let agent = &tally.agents[0];
    assert_eq!([agent.time_ns, agent.nodes, agent.depth], [u64::MAX; 3]);
}

#[test]
fn voids_and_faults_are_counted_apart() {
    let mut crash = row(2, (1, 0), Outcome::First, 1, 2);
    crash.reason = "crash";
    let tally = tally(&[row(1, (0, 1), Outcome::Void, 1, 1), crash]);
    assert_eq!((tally.voids(), tally.faults(), tally.games()), (1, 1, 1));
    assert_eq!(tally.agents[0].faults(), 1);
}

#[test]
fn a_sequential_test_sees_distinct_pairs_only_and_ends_with_a_unit() {
    let settings = SprtSettings { elo1: 400.0, unit: Unit::Games, ..SprtSettings::default() };
    for (unit, random, decided) in
        [(Unit::Pairs, 0, false), (Unit::Pairs, 1, true), (Unit::Games, 1, true)]
    {
        let design = SprtSettings { unit, ..settings }.check().expect("a design");
        let mut tally = Tally::new(vec!["a".into(), "b".into()], &[]).testing(Some(design));
        for game in 1..=400 {
            // The first agent wins every game in both seats.
            let (seats, outcome) = match game % 2 {
                1 => ((0, 1), Outcome::First),
                _ => ((1, 0), Outcome::Second),
            };
            tally.push(&row(game, seats, outcome, random, game % 2));
            assert!(!tally.is_decided() || game % 2 == 0);
        }
        assert_eq!(tally.is_decided(), decided, "{unit:?} {random}");
    }
}

#[test]
fn each_opening_is_one_cluster() {
    let tally = tally(&[
        row(1, (0, 1), Outcome::First, 1, 1),
        row(2, (1, 0), Outcome::First, 1, 2),
        row(3, (0, 1), Outcome::First, 1, 3),
        row(4, (1, 0), Outcome::Second, 1, 4),
    ]);
    let clusters = tally.clusters();
    assert_eq!((clusters.n, clusters.sum), (2, 1.5));
    // The first agent: won and lost moving first, lost and won moving second.
    let seats = [0, 1].map(|agent| tally.seats_of(agent).map(|scores| (scores.n, scores.sum)));
    assert_eq!(seats, [[(2, 2.0), (2, 1.0)], [(2, 1.0), (2, 0.0)]]);
}

/// The rating intervals of three agents after twelve openings, whose rows are in this order of pairing
/// and opening.
fn rating_intervals(order: &[(u32, u64)]) -> Vec<[f64; 2]> {
    let mut tally = Tally::new(["a", "b", "c"].map(String::from).to_vec(), &[]);
    let mut game = 0;
    for &(pairing, opening) in order {
        let (a, b) = [(0, 1), (0, 2), (1, 2)][pairing as usize - 1];
        let suits = opening % 3 != 0;
        for (i, seats) in [(a, b), (b, a)].into_iter().enumerate() {
            game += 1;
            let outcome = match (a, suits == (i == 0)) {
                (0, true) => Outcome::First,
                (0, false) => Outcome::Second,
                _ => Outcome::Draw,
            };
            tally.push(&GameRow { pairing, opening, ..row(game, seats, outcome, 1, game) });
        }
    }
    let met: Vec<PairingScore<_>> = (tally.pairings.iter())
        .map(|(p, results)| PairingScore { a: p.a, b: p.b, evidence: &results.distinct })
        .collect();
    let list = RatingList::of(3, &met, tally.results_by_opening(), ListOptions::default());
    let mut all: Vec<(usize, [f64; 2])> = (list.standings.iter())
        .map(|standing| match standing.rating {
            Rating::Estimate { lo, hi, .. } => (standing.player, [lo, hi]),
            other => panic!("{other:?}"),
        })
        .collect();
    all.sort_by_key(|(player, _)| *player);
    all.into_iter().map(|(_, ends)| ends).collect()
}

#[test]
fn openings_that_agents_play_later_are_the_same_samples() {
    let at_once: Vec<(u32, u64)> =
        (1..=12).flat_map(|opening| [1, 2, 3].map(|pairing| (pairing, opening))).collect();
    // Agent c joins after the games of a and b.
    let mut later: Vec<(u32, u64)> = (1..=12).map(|opening| (1, opening)).collect();
    later.extend((1..=12).flat_map(|opening| [2, 3].map(|pairing| (pairing, opening))));
    // The same games from other openings are other samples.
    let others: Vec<(u32, u64)> = (later.iter())
        .map(|&(pairing, opening)| (pairing, if pairing == 1 { opening } else { opening + 12 }))
        .collect();
    let [at_once, later, others] = [at_once, later, others].map(|order| rating_intervals(&order));
    let near = |one: &[[f64; 2]], two: &[[f64; 2]]| {
        one.iter().flatten().zip(two.iter().flatten()).all(|(one, two)| (one - two).abs() < 1e-6)
    };
    assert!(near(&at_once, &later), "{at_once:?} {later:?}");
    assert!(others[0][1] - others[0][0] < later[0][1] - later[0][0], "{others:?} {later:?}");
}
