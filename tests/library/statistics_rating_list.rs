//! Rating lists: groups, components, bounds, and finite values for any results.

use agon::stats::ratings::{
    Length, ListOptions, OpeningResult, PairingScore, Rating, RatingList, Reference,
    ResultsByOpening, shortest_cycle,
};
use agon::stats::{Confidence, Counts, Evidence, GameScore, PairTable, Pentanomial, Trinomial};
use proptest::prelude::*;

/// The standard error of the Elo of pairs by the delta method.
pub fn elo_se(pairs: &Pentanomial) -> f64 {
    let (score, variance) = (pairs.mean().expect("pairs"), pairs.variance().expect("pairs"));
    let per_score = 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score));
    per_score * (variance / pairs.n() as f64).sqrt()
}

fn game(a: usize, b: usize, losses: u64, draws: u64, wins: u64) -> PairingScore {
    let lone_first = Counts([losses, draws, wins]);
    PairingScore { a, b, evidence: Evidence { lone_first, ..Evidence::default() } }
}

fn list(players: usize, pairings: &[PairingScore]) -> RatingList {
    RatingList::new(players, pairings, ListOptions { first_mover: true, ..Default::default() })
}

fn rating(list: &RatingList, player: usize) -> Rating {
    list.standings.iter().find(|s| s.player == player).unwrap().rating
}

#[test]
fn an_empty_list_and_players_without_games() {
    assert!(list(0, &[]).standings.is_empty());
    let strangers = list(2, &[]);
    assert_eq!(strangers.groups.len(), 2);
    assert_eq!(rating(&strangers, 1), Rating::Unknown);
    assert_eq!(strangers.standings[1].score, None);
    assert!(strangers.comparisons().is_empty());
}

/// Two agents that beat each other, and two more. The groups have not met.
fn two_groups() -> [PairingScore; 4] {
    [game(0, 1, 3, 1, 3), game(1, 0, 4, 1, 2), game(2, 3, 9, 2, 5), game(3, 2, 5, 2, 9)]
}

#[test]
fn ten_straight_wins_are_a_bound_and_no_number() {
    let list = list(2, &[game(0, 1, 0, 0, 10)]);
    // Neither has a rating, so each has a bound relative to the other.
    let Rating::AtLeast(above) = rating(&list, 0) else { panic!("{list:?}") };
    let Rating::AtMost(bound) = rating(&list, 1) else { panic!("{list:?}") };
    assert_eq!(list.standings.iter().map(|s| s.against).collect::<Vec<_>>(), [Some(1), Some(0)]);
    assert!((above + bound).abs() < 1e-9 && list.components() == 1);
    let wilson = Trinomial::of(0, 0, 10).interval(Confidence::P95).unwrap();
    assert!((bound + wilson.elo().lo().unwrap()).abs() < 1e-9);
}

#[test]
fn a_bound_counts_pairs_once() {
    let pairs = PairTable([[0, 0, 0], [0, 0, 0], [0, 0, 10]]);
    let won = PairingScore { a: 0, b: 1, evidence: Evidence { pairs, ..Evidence::default() } };
    let Rating::AtMost(bound) = rating(&list(2, &[won]), 1) else { panic!() };
    let wilson = pairs.strength().interval(Confidence::P95).unwrap();
    assert!((bound + wilson.elo().lo().unwrap()).abs() < 1e-9);
}

#[test]
fn the_unbeaten_and_the_winless_get_bounds_around_a_group() {
    let games = [
        game(0, 1, 4, 2, 4),
        game(1, 2, 5, 0, 5),
        game(3, 0, 0, 0, 6),
        game(1, 4, 0, 0, 6),
        game(5, 3, 0, 0, 2),
    ];
    let list = list(6, &games);
    assert_eq!(list.groups[0].players, [0, 1, 2]);
    assert!(matches!(rating(&list, 3), Rating::AtLeast(elo) if elo > 25.0));
    assert!(matches!(rating(&list, 4), Rating::AtMost(elo) if elo < -25.0));
    // Beat the unbeaten player but never met the group.
    assert!(matches!(rating(&list, 5), Rating::AtLeast(_)));
    let order: Vec<usize> = list.standings.iter().map(|s| s.player).collect();
    assert_eq!((order[0], order[1], order[5]), (5, 3, 4));
    assert_eq!((list.standings[0].against, list.standings[1].against), (Some(3), None));
    assert_eq!((list.comparisons().len(), list.components()), (3, 1));
}

#[test]
fn a_chain_of_straight_wins_is_bounds_against_the_next() {
    let games = [game(0, 1, 0, 0, 8), game(1, 2, 0, 0, 8), game(0, 2, 0, 0, 8)];
    let list = list(3, &games);
    assert_eq!(list.components(), 1);
    let order: Vec<_> = list.standings.iter().map(|s| (s.player, s.against)).collect();
    assert_eq!(order, [(0, Some(1)), (1, Some(2)), (2, Some(1))]);
    assert!(list.standings.iter().all(|s| s.rating.estimate().is_none()));
    assert!(list.comparisons().is_empty());
}

#[test]
fn groups_that_met_in_one_direction_only_are_leagues_of_their_own() {
    let mut games = two_groups().to_vec();
    // One player beat all players of the smaller group and met no others.
    games.extend([game(0, 2, 0, 0, 8), game(4, 0, 0, 0, 3)]);
    let list = list(5, &games);
    assert_eq!(list.components(), 2);
    let order: Vec<_> = list.standings.iter().map(|s| (s.player, s.component)).collect();
    // They won all games against the larger group.
    assert_eq!(order[0], (4, 0));
    assert!(order[1..3].iter().all(|s| s.1 == 0) && order[3..].iter().all(|s| s.1 == 1));
    assert!(matches!(rating(&list, 4), Rating::AtLeast(_)));
    // The comparisons of both groups are corrected together.
    let all = list.comparisons();
    assert_eq!(all.len(), 2);
    assert!(all.iter().any(|c| (c.p_holm - (2.0 * c.p).min(1.0)).abs() < 1e-12));
}

#[test]
fn two_groups_that_never_met_stay_apart() {
    let list = list(4, &two_groups());
    assert_eq!(list.groups.len(), 2);
    assert_eq!(list.groups[0].players, [2, 3]);
    assert_eq!(list.standings[0].group, 0);
    assert_eq!(list.standings[3].group, 1);
    assert!(list.standings.iter().all(|s| s.rating.estimate().is_some()));
    assert!(!list.groups[0].first_mover_missing);
}

#[test]
fn a_gauntlet_is_relative_to_its_seed() {
    let pairs = |a, b, table| {
        let evidence = Evidence { pairs: PairTable(table), ..Evidence::default() };
        PairingScore { a, b, evidence }
    };
    let games = [
        pairs(0, 1, [[1, 2, 6], [2, 9, 3], [7, 4, 6]]),
        pairs(0, 2, [[6, 2, 6], [2, 9, 3], [7, 4, 1]]),
        pairs(0, 3, [[0, 0, 0], [0, 0, 0], [0, 0, 9]]),
    ];
    let options = ListOptions { reference: Reference::Player(0), ..Default::default() };
    let list = RatingList::new(4, &games, options);
    assert_eq!(rating(&list, 0), Rating::Reference);
    for (player, pairing) in [(1, games[0]), (2, games[1])] {
        let strength = pairing.evidence.pairs.strength();
        let Rating::Estimate { elo, se, lo, hi } = rating(&list, player) else {
            panic!("{list:?}")
        };
        assert!((elo + strength.elo().unwrap()).abs() < 1e-8);
        assert!((se - elo_se(&strength)).abs() < 1e-8);
        assert!(lo < elo && elo < hi);
    }
    assert!(matches!(rating(&list, 3), Rating::AtMost(elo) if elo < -100.0));
}

#[test]
fn a_first_move_that_is_not_identified_is_left_out_and_reported() {
    let list = list(2, &[game(0, 1, 3, 1, 5)]);
    assert!(list.groups[0].first_mover_missing);
    let fit = list.groups[0].fit.as_ref().unwrap();
    assert_eq!(fit.first_mover, None);
}

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => Just(0u64),
        3 => 1u64..5,
        1 => 1u64..5_000_000_000,
        1 => Just(u64::MAX)
    ]
}

fn pairing(players: usize) -> impl Strategy<Value = PairingScore> {
    let cells = prop::collection::vec(count(), 15);
    (0..players, 0..players, cells).prop_map(|(a, b, c)| {
        let evidence = Evidence {
            pairs: PairTable(std::array::from_fn(|i| std::array::from_fn(|j| c[3 * i + j]))),
            lone_first: Counts([c[9], c[10], c[11]]),
            lone_second: Counts([c[12], c[13], c[14]]),
        };
        PairingScore { a, b, evidence }
    })
}

#[test]
fn counts_near_the_limit_of_numbers_have_bounds() {
    let evidence = Evidence {
        pairs: PairTable([[0, 0, 0], [0, 0, 0], [0, 0, u64::MAX - 1]]),
        lone_first: Trinomial::of(0, 0, 2),
        lone_second: Trinomial::of(0, 0, 2),
    };
    let list = RatingList::new(2, &[PairingScore { a: 0, b: 1, evidence }], ListOptions::default());
    assert!(
        matches!(list.standings[0].rating, Rating::AtLeast(elo) if elo.is_finite()),
        "{list:?}"
    );
}

proptest! {
    #[test]
    fn every_list_is_finite_and_complete(
        pairings in prop::collection::vec(pairing(5), 0..8),
        first_mover in any::<bool>(),
        seed in prop::option::of(0usize..5),
    ) {
        let reference = seed.map_or(Reference::Mean, Reference::Player);
        let options = ListOptions { first_mover, reference, ..ListOptions::default() };
        let list = RatingList::new(5, &pairings, options);
        let mut players: Vec<usize> = list.standings.iter().map(|s| s.player).collect();
        players.sort_unstable();
        prop_assert_eq!(players, [0, 1, 2, 3, 4]);
        for standing in &list.standings {
            match standing.rating {
                Rating::Estimate { elo, lo, hi, se } => {
                    prop_assert!(elo.is_finite() && lo <= elo && elo <= hi);
                    prop_assert!(se > 0.0 && se.is_finite(), "{:?}", standing);
                }
                Rating::AtLeast(elo) | Rating::AtMost(elo) => prop_assert!(elo.is_finite()),
                Rating::Reference | Rating::Unknown => {}
            }
        }
        for c in list.comparisons() {
            prop_assert!([c.p, c.p_holm, c.los].iter().all(|p| (0.0..=1.0).contains(p)));
        }
        let cycle = shortest_cycle(5, &pairings, Confidence::P95);
        prop_assert!(cycle.is_none_or(|c| c.len() > 2));
    }
}

#[test]
fn the_league_that_won_all_games_against_a_larger_one_is_first() {
    // 0, 1 and 2 beat each other in turn; 3 and 4 drew, and won all games against the others.
    let mut games = vec![game(0, 1, 0, 0, 3), game(1, 2, 0, 0, 3), game(2, 0, 0, 0, 3)];
    games.push(game(3, 4, 0, 2, 0));
    for (winner, loser) in [3, 4].into_iter().flat_map(|winner| (0..3).map(move |l| (winner, l))) {
        games.push(game(winner, loser, 0, 0, 2));
    }
    let list = list(5, &games);
    assert_eq!((list.components(), list.groups[0].players.len()), (2, 3));
    let order: Vec<_> = list.standings.iter().map(|s| (s.player, s.component)).collect();
    assert_eq!(order[..2], [(3, 0), (4, 0)]);
    assert!(order[2..].iter().all(|standing| standing.1 == 1));
}

#[test]
fn equal_bounds_are_in_the_order_of_points() {
    // 3 won everything against the group of 0 and 1; 2 also lost to 3.
    let games = [
        game(0, 1, 2, 0, 2),
        game(2, 0, 0, 0, 2),
        game(2, 1, 0, 0, 2),
        game(3, 0, 0, 0, 2),
        game(3, 1, 0, 0, 2),
        game(3, 2, 0, 0, 2),
    ];
    let list = list(4, &games);
    let order: Vec<_> = list.standings[..2].iter().map(|s| (s.player, s.rating)).collect();
    assert_eq!((order[0].0, order[1].0), (3, 2));
    assert!(matches!(order[0].1, Rating::AtLeast(_)) && order[0].1 == order[1].1, "{order:?}");
}

/// Three agents and twenty openings: half of the openings suit the first agent, which wins both games of
/// them against both others, and loses both games of the other half. The others draw.
fn openings_that_suit_an_agent(length: Length, is_by_opening: bool) -> RatingList {
    use GameScore::{Draw, Loss, Win};
    let mut by_opening = ResultsByOpening::default();
    let mut games: Vec<PairingScore> = [(0, 1), (0, 2), (1, 2)]
        .map(|(a, b)| PairingScore { a, b, evidence: Evidence::default() })
        .to_vec();
    for opening in 0..20 {
        for (i, PairingScore { a, b, evidence }) in games.iter_mut().enumerate() {
            let result = match (*a, opening % 2) {
                (0, 0) => Win,
                (0, _) => Loss,
                _ => Draw,
            };
            evidence.pairs.add(result, result);
            if is_by_opening {
                by_opening.add(i, [*a, *b], opening, OpeningResult::Pair(result, result));
            }
        }
    }
    let borrowed: Vec<PairingScore<&Evidence>> =
        (games.iter()).map(|p| PairingScore { a: p.a, b: p.b, evidence: &p.evidence }).collect();
    RatingList::of(3, &borrowed, &by_opening, ListOptions { length, ..ListOptions::default() })
}

fn ends(list: &RatingList, player: usize) -> [f64; 2] {
    match rating(list, player) {
        Rating::Estimate { lo, hi, .. } => [lo, hi],
        other => panic!("{other:?}"),
    }
}

#[test]
fn openings_that_all_pairings_share_are_the_samples() {
    let alone = openings_that_suit_an_agent(Length::Fixed, false);
    let shared = openings_that_suit_an_agent(Length::Fixed, true);
    let width = |list: &RatingList| ends(list, 0)[1] - ends(list, 0)[0];
    // The two results of an opening are equal, so the variance is twice that of independent pairs. The
    // factor of 60 pairs is 1 + 2/68, and t with 19 degrees of freedom is 2.093.
    let wanted = 2.0_f64.sqrt() * 2.093 / 1.96 / (1.0 + 2.0 / 68.0);
    let found = width(&shared) / width(&alone);
    assert!((found / wanted - 1.0).abs() < 0.1, "{found} {wanted}");
    // The other agents only draw with each other, so nothing is wider than for independent pairs.
    let of = |list: &RatingList| {
        let all = list.comparisons();
        all.into_iter().find(|of| (of.a, of.b) == (1, 2)).expect("a comparison").p
    };
    assert!(of(&shared) >= of(&alone));
    // An interval that holds at any time contains the one for a fixed length.
    let any_time = ends(&openings_that_suit_an_agent(Length::AnyTime, true), 0);
    let fixed = ends(&shared, 0);
    assert!(any_time[0] < fixed[0] && fixed[1] < any_time[1], "{any_time:?} {fixed:?}");
}

#[test]
fn one_opening_is_no_sample_of_openings() {
    use GameScore::{Loss, Win};
    let mut by_opening = ResultsByOpening::default();
    let mut games = Vec::new();
    for (i, (a, b)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
        let mut evidence = Evidence::default();
        evidence.pairs.add(Win, Loss);
        by_opening.add(i, [a, b], 7, OpeningResult::Pair(Win, Loss));
        games.push(PairingScore { a, b, evidence });
    }
    let borrowed: Vec<PairingScore<&Evidence>> =
        games.iter().map(|p| PairingScore { a: p.a, b: p.b, evidence: &p.evidence }).collect();
    let list = RatingList::of(3, &borrowed, &by_opening, ListOptions::default());
    assert_eq!(ends(&list, 0), [f64::NEG_INFINITY, f64::INFINITY]);
    assert!(list.comparisons().iter().all(|of| of.p == 1.0 && of.los == 0.5));
}
