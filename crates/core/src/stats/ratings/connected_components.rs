//! Connected groups of ratings and bounds.

use super::super::evidence::Evidence;
use super::super::score_counts::Trinomial;
use super::PairingScore;
use super::fit_with_errors::{Fit, NoFit};

/// Players whose results connect them. Ratings can be compared within a group but not between
/// groups.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The players of the group; the fit numbers them in this order.
    pub players: Vec<usize>,
    /// Its ratings, relative to their mean, or the reason why there are none. A single player
    /// never has ratings.
    pub fit: Result<Fit, NoFit>,
    /// Whether a first-move advantage was requested but cannot be determined.
    pub first_mover_missing: bool,
}

pub(super) struct PairingsByPlayer<'a> {
    pairings: &'a [PairingScore<&'a Evidence>],
    of: Vec<Vec<u32>>,
}

impl<'a> PairingsByPlayer<'a> {
    pub fn new(players: usize, pairings: &'a [PairingScore<&'a Evidence>]) -> Self {
        let mut of = vec![Vec::new(); players];
        for (index, p) in pairings.iter().enumerate().filter(|(_, p)| p.a != p.b) {
            for player in [p.a, p.b].into_iter().filter(|&player| player < players) {
                of[player].push(index as u32);
            }
        }
        PairingsByPlayer { pairings, of }
    }

    /// The opponents of a player, with the player's results against each.
    pub fn of(&self, player: usize) -> impl Iterator<Item = (usize, Evidence)> {
        self.of[player].iter().map(move |&index| {
            let p = &self.pairings[index as usize];
            if p.a == player { (p.b, *p.evidence) } else { (p.a, p.evidence.flipped()) }
        })
    }
}

/// The reference of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The ratings of the group with this index.
    Group(usize),
    /// One opponent, who has no rating either.
    Player(usize),
    /// No reference: the group has its own ratings, or the player has no opponents.
    None,
}

/// The anchor of every group. For a single player it is the first group with ratings that the
/// player met. Otherwise it is the nearest opponent: the best of those that it beat, or the worst
/// of those that it lost to. `group_of` is the number of each player's group; `scores` are points
/// per game by player.
pub(super) fn anchors(
    groups: &[Group],
    meetings: &PairingsByPlayer<'_>,
    group_of: &[usize],
    scores: &[Option<f64>],
) -> Vec<Anchor> {
    let of = |group: &Group| {
        let (Err(_), [player]) = (&group.fit, &group.players[..]) else { return Anchor::None };
        let met: Vec<(usize, bool)> = (meetings.of(*player))
            .filter(|(_, evidence)| !evidence.is_empty())
            .map(|(opponent, evidence)| (opponent, evidence.games().wins() > 0))
            .collect();
        let known = met.iter().filter_map(|(opponent, _)| group_of.get(*opponent).copied());
        if let Some(group) = known.filter(|&group| groups[group].fit.is_ok()).min() {
            return Anchor::Group(group);
        }
        let score = |player: usize| scores.get(player).copied().flatten().unwrap_or(0.5);
        let beaten = met.iter().filter(|(_, won)| *won).map(|(opponent, _)| *opponent);
        let lost = met.iter().filter(|(_, won)| !*won).map(|(opponent, _)| *opponent);
        beaten
            .min_by(|a, b| score(*b).total_cmp(&score(*a)))
            .or_else(|| lost.min_by(|a, b| score(*a).total_cmp(&score(*b))))
            .map_or(Anchor::None, Anchor::Player)
    };
    groups.iter().map(of).collect()
}

/// The component number of every group. Groups connected by bounds have the same component. The
/// component with the most points per game is first: a component that won all its games against
/// another one is never after it only because it has fewer players. `records` are the results by
/// player.
pub(super) fn numbers(
    groups: &[Group],
    anchors: &[Anchor],
    group_of: &[usize],
    records: &[Trinomial],
) -> Vec<usize> {
    let mut component: Vec<usize> = (0..groups.len()).collect();
    for (index, anchor) in anchors.iter().enumerate() {
        let to = match *anchor {
            Anchor::Group(group) => Some(group),
            Anchor::Player(player) => group_of.get(player).copied(),
            Anchor::None => None,
        };
        let Some(to) = to else { continue };
        let (kept, gone) =
            (component[index].min(component[to]), component[index].max(component[to]));
        component.iter_mut().filter(|l| **l == gone).for_each(|l| *l = kept);
    }
    let mut results = vec![Trinomial::default(); groups.len()];
    for (group, &component) in groups.iter().zip(&component) {
        group.players.iter().for_each(|&player| results[component].merge(&records[player]));
    }
    let mut order: Vec<usize> = component.clone();
    order.sort();
    order.dedup();
    // Players without games are last.
    let points = |&component: &usize| results[component].mean().unwrap_or(-1.0);
    order.sort_by(|a, b| points(b).total_cmp(&points(a)));
    let place = |component: &usize| order.iter().position(|other| other == component);
    component.iter().map(|component| place(component).unwrap_or(0)).collect()
}
