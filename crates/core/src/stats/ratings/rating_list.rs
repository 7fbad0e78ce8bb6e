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
        let records = records(players, pairings);
        let scores: Vec<Option<f64>> = records.iter().map(Trinomial::mean).collect();
        let components = ordered_components(pairings, &records, options);
        let places = Places::new(players, &components);
        let groups = groups(components, &places, pairings, by_opening, options);
        let meetings = PairingsByPlayer::new(players, pairings);
        let anchors = connected_components::anchors(&groups, &meetings, &places.group_of, &scores);
        let components =
            connected_components::numbers(&groups, &anchors, &places.group_of, &records);
        let rated = RatedGroups { groups, places, meetings, anchors, options };
        let mut standings: Vec<Standing> = Vec::new();
        for (index, group) in rated.groups.iter().enumerate() {
            for (place, &player) in group.players.iter().enumerate() {
                let (rating, against) = rated.rating(index, place);
                standings.push(Standing {
                    player,
                    group: index,
                    component: components[index],
                    rating,
                    against,
                    games: records[player].n(),
                    score: scores[player],
                });
            }
        }
        standings
            .sort_by(|a, b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal));
        Self { standings, groups: rated.groups }
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

/// The players that results connect, with the reference or else the largest component first.
fn ordered_components(
    pairings: &[PairingScore<&Evidence>],
    records: &[Trinomial],
    options: ListOptions,
) -> Vec<Vec<usize>> {
    let mut components = results_graph::strong_components(records.len(), pairings);
    components.sort_by_key(|members| {
        let main = match options.reference {
            Reference::Mean => false,
            Reference::Player(seed) => members.contains(&seed),
        };
        let played = members.iter().fold(0_u64, |sum, &p| sum.saturating_add(records[p].n()));
        std::cmp::Reverse((main, members.len(), played))
    });
    components
}

/// The group of each player, and the player's place in the group.
struct Places {
    group_of: Vec<usize>,
    place_of: Vec<usize>,
}

impl Places {
    fn new(players: usize, components: &[Vec<usize>]) -> Self {
        let mut places = Places { group_of: vec![0; players], place_of: vec![0; players] };
        for (index, members) in components.iter().enumerate() {
            for (place, &player) in members.iter().enumerate() {
                (places.group_of[player], places.place_of[player]) = (index, place);
            }
        }
        places
    }

    /// The place of a player in this group, if the player belongs to it.
    fn within(&self, group: usize, player: usize) -> Option<usize> {
        (self.group_of.get(player) == Some(&group)).then(|| self.place_of[player])
    }
}

/// A group with its own ratings for each component.
fn groups(
    components: Vec<Vec<usize>>,
    places: &Places,
    pairings: &[PairingScore<&Evidence>],
    by_opening: &ResultsByOpening,
    options: ListOptions,
) -> Vec<Group> {
    let mut within = vec![Vec::new(); components.len()];
    for p in pairings {
        if let Some(&group) = places.group_of.get(p.a)
            && let Some(b) = places.within(group, p.b)
        {
            let a = places.place_of[p.a];
            within[group].push(PairingScore { a, b, evidence: p.evidence });
        }
    }
    (components.into_iter().zip(&within).enumerate())
        .map(|(index, (members, within))| {
            let place = |player: usize| places.within(index, player);
            group(members, within, options, &|model| by_opening.scores(model, &place))
        })
        .collect()
}

/// The groups, with all that bounds of players without a rating need.
struct RatedGroups<'a> {
    groups: Vec<Group>,
    places: Places,
    meetings: PairingsByPlayer<'a>,
    anchors: Vec<Anchor>,
    options: ListOptions,
}

impl RatedGroups<'_> {
    /// The rating of a player, and the opponent that a bound is relative to.
    fn rating(&self, index: usize, place: usize) -> (Rating, Option<usize>) {
        let &RatedGroups { options, .. } = self;
        let group = &self.groups[index];
        let met = self.meetings.of(group.players[place]);
        match (&group.fit, self.anchors[index]) {
            (Ok(fit), _) => (estimate(fit, group, place, index, options), None),
            (Err(_), Anchor::Group(to)) => {
                let fit = self.groups[to].fit.as_ref().ok();
                let rating = |player: usize| {
                    let place = self.places.within(to, player)?;
                    Some(fit.map_or(0.0, |fit| fit.ratings[place]))
                };
                let origin = match options.reference {
                    Reference::Player(seed) => rating(seed).unwrap_or(0.0),
                    Reference::Mean => 0.0,
                };
                let met = met.filter_map(|(p, evidence)| Some((rating(p)? - origin, evidence)));
                (bound(met, fit, options), None)
            }
            (Err(_), Anchor::Player(to)) => {
                let met = met.filter(|(p, _)| *p == to).map(|(_, evidence)| (0.0, evidence));
                (bound(met, None, options), Some(to))
            }
            (Err(_), Anchor::None) => (Rating::Unknown, None),
        }
    }
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
