//! Which ratings and bounds hang together, and which do not.

use super::Pairing;
use super::list::Group;

/// What a bound is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The ratings of the group of this index.
    Group(usize),
    /// One opponent, who has no rating either.
    Player(usize),
    /// Nothing: a group with ratings of its own, or a player who met nobody.
    None,
}

/// The anchor of every group: for a single player the first group with ratings that it met,
/// or else the opponent that is nearest to it: the best of those that it beat, or the worst
/// of those that it lost to. `scores` are points per game by player.
pub(super) fn anchors(
    groups: &[Group],
    pairings: &[Pairing],
    scores: &[Option<f64>],
) -> Vec<Anchor> {
    let of = |group: &Group| {
        let (Err(_), [player]) = (&group.fit, &group.players[..]) else { return Anchor::None };
        let met: Vec<(usize, bool)> = opponents(*player, pairings).collect();
        let rated = (groups.iter()).position(|group| {
            group.fit.is_ok() && met.iter().any(|(opponent, _)| group.players.contains(opponent))
        });
        if let Some(group) = rated {
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

/// Everybody whom a player met, and whether it won anything there.
fn opponents(player: usize, pairings: &[Pairing]) -> impl Iterator<Item = (usize, bool)> {
    pairings.iter().filter(|p| p.a != p.b && !p.evidence.is_empty()).filter_map(move |p| {
        if p.a == player {
            Some((p.b, p.evidence.games().wins() > 0))
        } else if p.b == player {
            Some((p.a, p.evidence.games().losses() > 0))
        } else {
            None
        }
    })
}

/// The number of every group's league: groups that bounds tie together have the same, and
/// leagues are numbered in the order of their first group.
pub(super) fn numbers(groups: &[Group], anchors: &[Anchor]) -> Vec<usize> {
    let of_player = |player: usize| groups.iter().position(|g| g.players.contains(&player));
    let mut league: Vec<usize> = (0..groups.len()).collect();
    for (index, anchor) in anchors.iter().enumerate() {
        let to = match *anchor {
            Anchor::Group(group) => Some(group),
            Anchor::Player(player) => of_player(player),
            Anchor::None => None,
        };
        let Some(to) = to else { continue };
        let (kept, gone) = (league[index].min(league[to]), league[index].max(league[to]));
        league.iter_mut().filter(|l| **l == gone).for_each(|l| *l = kept);
    }
    let mut order: Vec<usize> = league.clone();
    order.sort_unstable();
    order.dedup();
    league.iter().map(|l| order.iter().position(|o| o == l).unwrap_or(0)).collect()
}
