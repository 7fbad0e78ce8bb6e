//! A rating list that makes no statement about players without a connection.

use std::borrow::Borrow;

use super::super::evidence::Evidence;
use super::super::score_counts::Trinomial;
use super::PairingScore;
use super::connected_components;
use super::connected_components::{Anchor, Group, PairingsByPlayer};
use super::fit_with_errors::{Fit, FitOptions, NoFit};
use super::newton_fit::{ScoresOf, fit_all};
use super::pair_comparison::corrected;
use super::rating::{ListOptions, Rating, Reference, bound};
use super::results_by_opening::ResultsByOpening;
use super::results_graph;

/// One line of a rating list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    pub player: usize,
    /// The index of the player's group in [`RatingList::groups`].
    pub group: usize,
    /// The number of its component, from 0. A component contains players connected by ratings and
    /// bounds. The distance between two components is unknown.
    pub component: usize,
    /// The rating or bound of the player.
    pub rating: Rating,
    /// The opponent that a bound is relative to. `None` for a bound relative to the ratings of the
    /// component, and for all other ratings.
    pub against: Option<usize>,
    pub games: u64,
    /// The points per game, in `[0, 1]`. `None` without games.
    pub score: Option<f64>,
}

/// The ratings of all players, as far as the results determine them.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingList {
    /// The players by component, the one with the most points per game first. Within a component
    /// the best player is first; players with only a bound are at the ends.
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
        let none = ResultsByOpening::default();
        Self::of(players, &PairingScore::borrowed(pairings), &none, options)
    }

    /// As [`new`](Self::new), without a copy of the pairings. `by_opening` has the same results by
    /// opening: several pairings share openings.
    pub fn of(
        players: usize,
        pairings: &[PairingScore<&Evidence>],
        by_opening: &ResultsByOpening,
        options: ListOptions,
    ) -> Self {
        let mut components = results_graph::strong_components(players, pairings);
        let records = records(players, pairings);
        let (games, scores): (Vec<u64>, Vec<Option<f64>>) =
            records.iter().map(|record| (record.n(), record.mean())).unzip();
        components.sort_by_key(|members| {
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
                within[group_of[p.a]].push(PairingScore { a, b, evidence: p.evidence });
            }
        }
        let rated = |(index, (members, within)): (usize, (Vec<usize>, Vec<_>))| {
            let place =
                |player: usize| (group_of.get(player) == Some(&index)).then(|| place_of[player]);
            group(members, &within, options, &|model| by_opening.scores(model, &place))
        };
        let groups: Vec<Group> =
            components.into_iter().zip(within).enumerate().map(rated).collect();
        let meetings = PairingsByPlayer::new(players, pairings);
        let anchors = connected_components::anchors(&groups, &meetings, &group_of, &scores);
        let components = connected_components::numbers(&groups, &anchors, &group_of, &records);
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
                let component = components[index];
                standings.push(Standing {
                    player,
                    group: index,
                    component,
                    rating,
                    against,
                    games,
                    score,
                });
            }
        }
        standings
            .sort_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal));
        Self { standings, groups }
    }

    /// The comparisons within all groups that have ratings, with the list's numbers of players and
    /// with Holm's correction over all of them.
    pub fn comparisons(&self) -> Vec<super::PairComparison> {
        let fits = self.groups.iter().filter_map(|group| Some((group, group.fit.as_ref().ok()?)));
        let all = fits.flat_map(|(group, fit)| {
            fit.uncorrected().map(|comparison| super::PairComparison {
                a: group.players[comparison.a],
                b: group.players[comparison.b],
                ..comparison
            })
        });
        corrected(all.collect())
    }

    /// The number of components, without players who have no opponents.
    pub fn components(&self) -> usize {
        let met = self.standings.iter().filter(|standing| standing.games > 0);
        met.map(|standing| standing.component + 1).max().unwrap_or(0)
    }
}

/// The sort order: by component, better players first, bounds at the ends. Players without opponents
/// are last. Players with the same bound are in the order of their points.
fn rank(standing: &Standing) -> (bool, usize, u8, f64, f64, usize) {
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
    (standing.games == 0, standing.component, class, -better, -by_score, standing.player)
}

fn records(players: usize, pairings: &[PairingScore<&Evidence>]) -> Vec<Trinomial> {
    let mut records = vec![Trinomial::default(); players];
    for p in pairings.iter().filter(|p| p.a != p.b) {
        let games = p.evidence.games();
        for (player, games) in [(p.a, games), (p.b, games.flipped())] {
            records.get_mut(player).into_iter().for_each(|record| record.merge(&games));
        }
    }
    records
}

fn group(
    players: Vec<usize>,
    within: &[PairingScore<&Evidence>],
    options: ListOptions,
    by_opening: ScoresOf<'_>,
) -> Group {
    let fitted = |first_mover| {
        let fit = fit_all(players.len(), within, FitOptions { first_mover }, by_opening);
        fit.map(|fit| Fit { length: options.length, ..fit })
    };
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
