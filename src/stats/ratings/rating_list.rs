//! A rating list that makes no statement about players without a connection.

use std::borrow::Borrow;

use super::super::counts::Trinomial;
use super::super::pairs::Evidence;
use super::PairingScore;
use super::components::{self, Anchor, Group, Meetings};
use super::fit::{Fit, FitOptions, NoFit};
use super::graph;
use super::newton::fit;
use super::unbeaten::{ListOptions, Rating, Reference, bound};
use crate::gather::Gather;
use crate::sorting;

/// One line of a rating list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The player.
    pub player: usize,
    /// The index of the player's group in [`RatingList::groups`].
    pub group: usize,
    /// The number of its league, from 0. A league contains players connected by ratings and
    /// bounds. The distance between two leagues is unknown.
    pub league: usize,
    /// The rating or bound of the player.
    pub rating: Rating,
    /// The opponent that a bound is relative to. `None` for a bound relative to the ratings of the
    /// league, and for all other ratings.
    pub against: Option<usize>,
    /// The number of games.
    pub games: u64,
    /// The points per game, in `[0, 1]`. `None` without games.
    pub score: Option<f64>,
}

/// The ratings of all players, as far as the results determine them.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingList {
    /// The players by league, the main group's league first. Within a league the best player is
    /// first; players with only a bound are at the ends.
    pub standings: Vec<Standing>,
    /// The groups, the main one first.
    pub groups: Vec<Group>,
}

impl RatingList {
    /// Rates the players `0..players`.
    pub fn new<E: Borrow<Evidence>>(
        players: usize,
        pairings: &[PairingScore<E>],
        options: ListOptions,
    ) -> Self {
        let mut components = graph::strong_components(players, pairings);
        let records = records(players, pairings);
        let (games, scores): (Vec<u64>, Vec<Option<f64>>) =
            records.iter().map(|record| (record.n(), record.mean())).unzip();
        sorting::by_key(&mut components, |members| {
            let main = match options.reference {
                Reference::Mean => false,
                Reference::Player(seed) => members.contains(&seed),
            };
            let played = members.iter().fold(0_u64, |sum, &p| sum.saturating_add(games[p]));
            std::cmp::Reverse((main, members.len(), played))
        });
        let (mut group_of, mut place_of) = (vec![0; players], vec![0; players]);
        for (index, members) in components.iter().enumerate() {
            for (place, &player) in members.iter().enumerate() {
                (group_of[player], place_of[player]) = (index, place);
            }
        }
        let mut within = vec![Vec::new(); components.len()];
        for p in pairings.iter().filter(|p| p.a < players && p.b < players) {
            if group_of[p.a] == group_of[p.b] {
                let [a, b] = [p.a, p.b].map(|player| place_of[player]);
                within[group_of[p.a]].push(PairingScore { a, b, evidence: p.evidence() });
            }
        }
        let groups: Vec<Group> = (components.into_iter().zip(within))
            .map(|(members, pairings)| group(members, &pairings, options))
            .gather();
        let meetings = Meetings::new(players, pairings);
        let anchors = components::anchors(&groups, &meetings, &group_of, &scores);
        let leagues = components::numbers(&groups, &anchors, &group_of);
        let mut standings: Vec<Standing> = Vec::new();
        for (index, group) in groups.iter().enumerate() {
            for (place, &player) in group.players.iter().enumerate() {
                let (rating, against) = match (&group.fit, anchors[index]) {
                    (Ok(fit), _) => (estimate(fit, group, place, index, options), None),
                    (Err(_), Anchor::Group(to)) => {
                        let fit = groups[to].fit.as_ref().ok();
                        let rating = |place: usize| fit.map_or(0.0, |fit| fit.ratings[place]);
                        let origin = match options.reference {
                            Reference::Player(seed) if group_of.get(seed) == Some(&to) => {
                                rating(place_of[seed])
                            }
                            _ => 0.0,
                        };
                        let met =
                            meetings.of(player).filter(|(p, _)| group_of.get(*p) == Some(&to));
                        let met = met.map(|(p, evidence)| (rating(place_of[p]) - origin, evidence));
                        (bound(met, fit, options), None)
                    }
                    (Err(_), Anchor::Player(to)) => {
                        let met = meetings.of(player).filter(|(p, _)| *p == to);
                        (bound(met.map(|(_, evidence)| (0.0, evidence)), None, options), Some(to))
                    }
                    (Err(_), Anchor::None) => (Rating::Unknown, None),
                };
                let (games, score) = (games[player], scores[player]);
                let league = leagues[index];
                standings.push(Standing {
                    player,
                    group: index,
                    league,
                    rating,
                    against,
                    games,
                    score,
                });
            }
        }
        sorting::by(&mut standings, |a, b| {
            rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal)
        });
        Self { standings, groups }
    }

    /// The comparisons within all groups that have ratings, with the list's numbers of players and
    /// with Holm's correction over all of them.
    pub fn comparisons(&self) -> Vec<super::PairComparison> {
        let mut all = Vec::new();
        for group in &self.groups {
            let within = group.fit.as_ref().map_or(Vec::new(), Fit::comparisons);
            all.extend(within.into_iter().map(|comparison| super::PairComparison {
                a: group.players[comparison.a],
                b: group.players[comparison.b],
                ..comparison
            }));
        }
        let p: Vec<f64> = all.iter().map(|comparison| comparison.p).gather();
        for (comparison, p) in all.iter_mut().zip(super::holm(&p)) {
            comparison.p_holm = p;
        }
        all
    }

    /// The number of leagues, without players who have no opponents.
    pub fn leagues(&self) -> usize {
        let met = self.standings.iter().filter(|standing| standing.games > 0);
        met.map(|standing| standing.league + 1).max().unwrap_or(0)
    }
}

/// The sort order: by league, better players first, bounds at the ends. Players without opponents
/// are last.
fn rank(standing: &Standing) -> (bool, usize, u8, f64, usize) {
    let by_score = standing.score.unwrap_or(0.0);
    let (class, better) = match (standing.rating, standing.against) {
        (Rating::AtLeast(_), Some(_)) => (0, by_score),
        (Rating::AtLeast(elo), None) => (1, elo),
        (Rating::Estimate { elo, .. }, _) => (2, elo),
        (Rating::Reference, _) => (2, 0.0),
        (Rating::AtMost(elo), None) => (3, elo),
        (Rating::AtMost(_), Some(_)) => (4, by_score),
        (Rating::Unknown, _) => (5, 0.0),
    };
    (standing.games == 0, standing.league, class, -better, standing.player)
}

/// The results of each player.
fn records<E: Borrow<Evidence>>(players: usize, pairings: &[PairingScore<E>]) -> Vec<Trinomial> {
    let mut records = vec![Trinomial::default(); players];
    for p in pairings.iter().filter(|p| p.a != p.b) {
        let games = p.evidence().games();
        for (player, games) in [(p.a, games), (p.b, games.flipped())] {
            records.get_mut(player).into_iter().for_each(|record| record.merge(&games));
        }
    }
    records
}

fn group(players: Vec<usize>, within: &[PairingScore<&Evidence>], options: ListOptions) -> Group {
    let fitted = |first_mover| fit(players.len(), within, FitOptions { first_mover });
    let with = fitted(options.first_mover);
    let first_mover_missing = with == Err(NoFit::FirstMover);
    let fit = if first_mover_missing { fitted(false) } else { with };
    Group { players, fit, first_mover_missing }
}

fn estimate(fit: &Fit, group: &Group, place: usize, index: usize, options: ListOptions) -> Rating {
    let seed = match options.reference {
        Reference::Player(seed) if index == 0 => group.players.iter().position(|&p| p == seed),
        _ => None,
    };
    let level = options.confidence;
    let (elo, ends, se) = match seed {
        Some(seed) if seed == place => return Rating::Reference,
        Some(seed) => (
            fit.ratings[place] - fit.ratings[seed],
            fit.difference_interval(place, seed, level),
            fit.difference_se(place, seed),
        ),
        None => (fit.ratings[place], fit.rating_interval(place, level), fit.rating_se(place)),
    };
    let [lo, hi] = ends.unwrap_or([elo; 2]);
    Rating::Estimate { elo, lo, hi, se: se.unwrap_or(0.0) }
}

#[cfg(test)]
mod tests {
    use super::super::elo_se;
    use super::*;
    use crate::stats::{Confidence, Counts, PairTable};

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
    fn nobody_and_no_games() {
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
        assert_eq!(
            list.standings.iter().map(|s| s.against).collect::<Vec<_>>(),
            [Some(1), Some(0)]
        );
        assert!((above + bound).abs() < 1e-9 && list.leagues() == 1);
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
        assert_eq!((list.comparisons().len(), list.leagues()), (3, 1));
    }

    #[test]
    fn a_chain_of_straight_wins_is_bounds_against_the_next() {
        let games = [game(0, 1, 0, 0, 8), game(1, 2, 0, 0, 8), game(0, 2, 0, 0, 8)];
        let list = list(3, &games);
        assert_eq!(list.leagues(), 1);
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
        assert_eq!(list.leagues(), 2);
        let order: Vec<_> = list.standings.iter().map(|s| (s.player, s.league)).collect();
        assert_eq!(order[2], (4, 1));
        assert!(order[..2].iter().all(|s| s.1 == 0) && order[3..].iter().all(|s| s.1 == 1));
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
    fn a_first_move_that_cannot_be_told_is_left_out_and_said_so() {
        let list = list(2, &[game(0, 1, 3, 1, 5)]);
        assert!(list.groups[0].first_mover_missing);
        let fit = list.groups[0].fit.as_ref().unwrap();
        assert_eq!(fit.first_mover, None);
    }
}
