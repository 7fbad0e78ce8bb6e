//! Tests of Swiss tournaments and knockouts: pairings by the handbook, places, and brackets.

use std::collections::BTreeMap;

use agon::rounds::dutch_pairing::{Entrant, Float, RoundPairs, pair_round};
use agon::rounds::knockout::Knockout;
use agon::rounds::swiss::Swiss;
use agon::rounds::tournament::{
    EXTRA_PAIRS, Ending, Match, Played, Tournament, TournamentDesign, TournamentRules,
};
use agon::stats::{Pentanomial, Trinomial};

/// Players with these scores, of whom some have met, from 1.
fn pairs(scores: &[u64], met: &[(usize, usize)]) -> RoundPairs {
    let entrants: Vec<Entrant> =
        scores.iter().map(|&score| Entrant { score, ..Entrant::default() }).collect();
    from_one(&entrants, met)
}

fn from_one(entrants: &[Entrant], met: &[(usize, usize)]) -> RoundPairs {
    let times = |a: usize, b: usize| {
        let is = |&&(one, two): &&(usize, usize)| {
            (one, two) == (a + 1, b + 1) || (two, one) == (a + 1, b + 1)
        };
        met.iter().filter(is).count() as u64
    };
    let mut found = pair_round(entrants, &times);
    found.pairs.iter_mut().for_each(|(a, b)| (*a, *b) = (*a + 1, *b + 1));
    found.pairs.sort_unstable();
    found.bye = found.bye.map(|bye| bye + 1);
    found
}

fn all(n: usize) -> Vec<(usize, usize)> {
    (1..=n).flat_map(|a| (a + 1..=n).map(move |b| (a, b))).collect()
}

#[test]
fn the_upper_half_plays_the_lower_half() {
    assert_eq!(pairs(&[0; 8], &[]).pairs, [(1, 5), (2, 6), (3, 7), (4, 8)]);
    let odd = pairs(&[0; 9], &[]);
    assert_eq!((odd.pairs, odd.bye), (vec![(1, 5), (2, 6), (3, 7), (4, 8)], Some(9)));
}

#[test]
fn transpositions_and_exchanges_come_in_the_order_of_the_handbook() {
    // The second transposition of six players is 4-6-5, the third 5-4-6.
    assert_eq!(pairs(&[0; 6], &[(2, 5)]).pairs, [(1, 4), (2, 6), (3, 5)]);
    assert_eq!(pairs(&[0; 6], &[(1, 4)]).pairs, [(1, 5), (2, 4), (3, 6)]);
    // No transposition helps player 1; the first exchange is 3 against 4: S1 is 1, 2, 4.
    assert_eq!(pairs(&[0; 6], &[(1, 4), (1, 5), (1, 6)]).pairs, [(1, 3), (2, 5), (4, 6)]);
    // Only 1-2 and 3-4 are possible: 2 and 3 are exchanged.
    assert_eq!(pairs(&[0; 4], &[(1, 3), (1, 4), (2, 3), (2, 4)]).pairs, [(1, 2), (3, 4)]);
}

#[test]
fn a_player_without_a_partner_moves_down_and_not_twice_in_a_row() {
    let scores = [2, 2, 2, 0, 0, 0];
    assert_eq!(pairs(&scores, &[]).pairs, [(1, 2), (3, 4), (5, 6)]);
    let mut entrants = scores.map(|score| Entrant { score, ..Entrant::default() });
    entrants[2].floats[0] = Float::Down;
    assert_eq!(from_one(&entrants, &[]).pairs, [(1, 3), (2, 4), (5, 6)]);
    // The opponent must not move up twice in a row.
    entrants[3].floats[0] = Float::Up;
    assert_eq!(from_one(&entrants, &[]).pairs, [(1, 3), (2, 5), (4, 6)]);
    // A float two rounds ago counts less than one in the previous round.
    entrants[1].floats[1] = Float::Down;
    assert_eq!(from_one(&entrants, &[]).pairs, [(1, 5), (2, 3), (4, 6)]);
    entrants[0].floats[0] = Float::Down;
    assert_eq!(from_one(&entrants, &[]).pairs, [(1, 3), (2, 5), (4, 6)]);
}

#[test]
fn a_bye_goes_to_the_lowest_score_and_to_each_once() {
    let mut entrants = [4, 2, 2, 2, 0].map(|score| Entrant { score, ..Entrant::default() });
    assert_eq!(from_one(&entrants, &[]).bye, Some(5));
    entrants[4].byes = 1;
    let found = from_one(&entrants, &[]);
    assert_eq!((found.bye, found.pairs), (Some(4), vec![(1, 2), (3, 5)]));
    // A low score of the bye is worth more than pairs of equal score.
    let found = pairs(&[2, 1, 0, 1, 2], &[(1, 3), (2, 4)]);
    assert_eq!((found.bye, found.pairs), (Some(3), vec![(1, 2), (5, 4)]));
}

#[test]
fn everybody_gets_a_pair_and_as_few_rematches_as_possible() {
    // The pairs of the first two would leave two players who have met.
    assert_eq!(pairs(&[2, 2, 0, 0], &[(3, 4)]).pairs, [(1, 3), (2, 4)]);
    let mut met = all(4);
    assert_eq!(pairs(&[6, 4, 2, 0], &met).pairs, [(1, 2), (3, 4)]);
    met.push((1, 2));
    assert_eq!(pairs(&[6, 4, 2, 0], &met).pairs, [(1, 3), (2, 4)]);
}

#[test]
fn two_hundred_players_are_paired_without_a_rematch() {
    let seeds = (0..200).collect();
    let mut tournament =
        began(TournamentDesign { rounds: 3, ..TournamentDesign::new(&Swiss, 2, seeds) });
    play(&mut tournament, &|a, b| i64::from(a < b) - i64::from(a > b));
    let mut met: Vec<(usize, usize)> = (tournament.matches().iter())
        .map(|game| (game.a.min(game.b.unwrap()), game.a.max(game.b.unwrap())))
        .collect();
    met.sort_unstable();
    met.dedup();
    assert_eq!(met.len(), 300);
    assert_eq!(tournament.standings()[0].player, 0);
}

fn tournament(rules: &'static dyn TournamentRules, games: u64, players: usize) -> Tournament {
    began(TournamentDesign::new(rules, games, (0..players).collect()))
}

fn began(design: TournamentDesign) -> Tournament {
    let pairings = all(design.seeds.len()).into_iter().map(|(a, b)| (a - 1, b - 1)).collect();
    Tournament::new(design, pairings)
}

/// Plays a tournament. `result` is the number of games by which the first player wins each pair of
/// games: -2 to 2. Returns the number of rounds of games.
fn play(tournament: &mut Tournament, result: &dyn Fn(usize, usize) -> i64) -> u64 {
    let players = tournament.design().seeds.len();
    let pairings = all(players);
    let mut counts: BTreeMap<u32, Played> = BTreeMap::new();
    let mut rounds = 0;
    loop {
        let known = counts.clone();
        let next = tournament.step(&|pairing| known.get(&pairing).copied().unwrap_or_default());
        let Some(next) = next else { return rounds };
        rounds += 1;
        for pairing in next.pairings {
            let (a, b) = pairings[pairing as usize];
            let ahead = result(a - 1, b - 1);
            let played = counts.entry(pairing).or_default();
            let games = match ahead {
                -2 => Trinomial::of(2, 0, 0),
                -1 => Trinomial::of(1, 1, 0),
                0 => Trinomial::of(0, 2, 0),
                1 => Trinomial::of(0, 1, 1),
                _ => Trinomial::of(0, 0, 2),
            };
            for _ in 0..next.pairs {
                played.all.merge(&games);
                played.distinct.merge(&games);
            }
            let mut pairs = Pentanomial::default();
            pairs.0[(ahead + 2) as usize] = next.pairs;
            played.pairs.merge(&pairs);
        }
    }
}

fn met(tournament: &Tournament, round: u64) -> Vec<(usize, Option<usize>)> {
    let of_round = |game: &&Match| game.round == round;
    let players = |game: &Match| (game.a + 1, game.b.map(|b| b + 1));
    tournament.matches().iter().filter(of_round).map(players).collect()
}

#[test]
fn places_follow_from_points_and_tie_breaks() {
    // Four players, the lower number wins; only 1 and 2 draw.
    let four = (0..4).collect();
    let mut swiss = began(TournamentDesign { rounds: 3, ..TournamentDesign::new(&Swiss, 4, four) });
    play(&mut swiss, &|a, b| if (a, b) == (0, 1) { 0 } else { 2 });
    assert!(swiss.is_over() && swiss.matches().len() == 6);
    let standings = swiss.standings();
    let places: Vec<_> = (standings.iter())
        .map(|s| (s.player + 1, s.place, s.points, s.buchholz, s.sonneborn_berger))
        .collect();
    // Half points 5, 5, 2, 0; a round robin gives everybody the points of the others. Sonneborn-
    // Berger of 1: the win against 3 counts 2 * 2, against 4 0, the draw 5 * 1.
    assert_eq!(places, [(1, 1, 5, 7, 9), (2, 1, 5, 7, 9), (3, 3, 2, 10, 0), (4, 4, 0, 12, 0)]);
    assert_eq!(standings[2].matches, [1, 0, 2]);
}

#[test]
fn a_bye_is_a_win_against_equal_points() {
    let three = (0..3).collect();
    let mut swiss =
        began(TournamentDesign { rounds: 3, ..TournamentDesign::new(&Swiss, 2, three) });
    play(&mut swiss, &|_, _| 1);
    let byes: Vec<usize> =
        swiss.matches().iter().filter(|game| game.b.is_none()).map(|game| game.a).collect();
    assert_eq!(byes, [2, 1, 0], "each player once, the lowest score first");
    let standings = swiss.standings();
    let first = standings[0];
    assert_eq!((first.player, first.points, first.byes, first.games.n()), (0, 6, 1, 4));
    // Its opponents have 4 and 2 half points, and the bye counts as its own 6.
    assert_eq!((first.buchholz, first.sonneborn_berger), (12, 24));
}

#[test]
fn the_best_seeds_of_a_knockout_meet_last_and_have_the_byes() {
    let mut knockout = tournament(&Knockout, 2, 8);
    play(&mut knockout, &|_, _| 1);
    let pairs =
        |all: &[(usize, usize)]| -> Vec<_> { all.iter().map(|&(a, b)| (a, Some(b))).collect() };
    assert_eq!(met(&knockout, 1), pairs(&[(1, 8), (4, 5), (2, 7), (3, 6)]));
    assert_eq!(met(&knockout, 2), pairs(&[(1, 4), (2, 3)]));
    assert_eq!(met(&knockout, 3), pairs(&[(1, 2)]));
    let mut five = tournament(&Knockout, 2, 5);
    // The lower seed wins.
    play(&mut five, &|_, _| -1);
    assert_eq!(met(&five, 1), [(1, None), (4, Some(5)), (2, None), (3, None)]);
    assert_eq!(met(&five, 2), [(1, Some(5)), (2, Some(3))]);
    assert_eq!(met(&five, 3), [(3, Some(5))]);
    let places: Vec<_> = five.standings().iter().map(|s| (s.player + 1, s.place)).collect();
    assert_eq!(places, [(5, 1), (3, 2), (1, 3), (2, 3), (4, 5)]);
}

#[test]
fn a_drawn_match_goes_on_until_a_limit_and_then_the_higher_seed_wins() {
    let mut drawn = tournament(&Knockout, 6, 2);
    assert_eq!(play(&mut drawn, &|_, _| 0), 1 + EXTRA_PAIRS);
    let last = drawn.matches()[0];
    assert_eq!((last.winner, last.ending), (Some(0), Ending::Seed));
    assert_eq!(last.score.n(), 6 + 2 * EXTRA_PAIRS);
    // More games would only repeat the first ones.
    let mut exact = tournament(&Knockout, 6, 2);
    let nothing = |_| Played::default();
    exact.step(&nothing).expect("a round");
    let games = Trinomial::of(1, 0, 1);
    let played = Played { all: games, distinct: games, exhausted: true, ..Played::default() };
    assert_eq!(exact.step(&|_| played), None);
    assert_eq!((exact.matches()[0].winner, exact.matches()[0].ending), (Some(0), Ending::Repeats));
}

#[test]
fn an_e_value_ends_a_match_early() {
    let at_most = |games| {
        let design = TournamentDesign::new(&Knockout, games, vec![0, 1]);
        began(TournamentDesign { alpha: Some(0.05), ..design })
    };
    let mut clear = at_most(1000);
    play(&mut clear, &|_, _| -2);
    let last = clear.matches()[0];
    assert_eq!(last.winner, Some(1));
    let Ending::EValue(ln_e) = last.ending else { panic!("{last:?}") };
    assert!(ln_e >= 40.0_f64.ln() && last.score.n() <= 40, "{last:?}");
    let mut close = at_most(24);
    play(&mut close, &|_, _| 0);
    assert_eq!(close.matches()[0].ending, Ending::Seed);
    assert_eq!(close.matches()[0].score.n(), 24 + 2 * EXTRA_PAIRS);
}
