//! Which players have finite ratings, and which never met.

use super::super::ratings::strongly_connected;
use super::ranked_samples::{RankedSamples, StoredSide, StoredSides};

/// Sets of players with finite differences between their ratings; a player without one is alone.
/// The largest sets are first.
///
/// For single players these are the strong components of the graph "ranked at least as high as"
/// (L. Ford 1957). If ties do not count, it is "ranked above". Teams have no such graph. A member
/// of teams that always or never were alone in the first place, and of teams that always were alone
/// in the last one, has no finite rating. Without this player's rows, the next may have none.
pub(super) fn components(samples: &RankedSamples, do_ties_count: bool) -> Vec<Vec<usize>> {
    let mut reaches = vec![Vec::new(); samples.players()];
    let is_inside = match samples.has_teams() {
        true => inside_players(samples),
        false => vec![true; samples.players()],
    };
    for (_, sides, _) in samples.different_rows() {
        let mut sides = inside_sides(sides, &is_inside);
        sides.sort_by_key(|side| side.rank);
        if samples.has_teams() {
            join(&sides, &mut reaches);
            continue;
        }
        let ranks: Vec<&[StoredSide<'_>]> = sides.chunk_by(|a, b| a.rank == b.rank).collect();
        for pair in ranks.windows(2) {
            for &better in pair[0] {
                pair[1].iter().for_each(|&worse| connect(better, worse, &mut reaches));
            }
        }
        if do_ties_count {
            ranks.iter().for_each(|tied| join(tied, &mut reaches));
        }
    }
    sorted(strongly_connected(&reaches))
}

/// Sets of players who met, directly or through others. The largest sets are first.
pub(super) fn unconnected(samples: &RankedSamples) -> Vec<Vec<usize>> {
    let mut reaches = vec![Vec::new(); samples.players()];
    for (_, sides, _) in samples.different_rows() {
        join(&sides.collect::<Vec<_>>(), &mut reaches);
    }
    sorted(strongly_connected(&reaches))
}

fn sorted(mut components: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    components.sort_by_key(|members| (std::cmp::Reverse(members.len()), members[0]));
    components
}

fn connect(from: StoredSide<'_>, to: StoredSide<'_>, reaches: &mut [Vec<u32>]) {
    from.players().for_each(|player| reaches[player].extend(to.members));
}

/// Connects all players of these sides in both directions.
fn join(sides: &[StoredSide<'_>], reaches: &mut [Vec<u32>]) {
    for &side in sides {
        connect(side, sides[0], reaches);
        connect(sides[0], side, reaches);
    }
}

fn inside_sides<'a>(sides: StoredSides<'a>, is_inside: &[bool]) -> Vec<StoredSide<'a>> {
    let inside = |side: &StoredSide<'_>| side.players().all(|player| is_inside[player]);
    let inside: Vec<StoredSide<'_>> = sides.filter(inside).collect();
    if inside.len() > 1 { inside } else { Vec::new() }
}

/// Whether each player is left after those whose teams always were alone in the first place, or
/// always alone in the last one, are taken out again and again.
fn inside_players(samples: &RankedSamples) -> Vec<bool> {
    let mut is_inside = vec![true; samples.players()];
    loop {
        let (mut above, mut below) = (is_inside.clone(), is_inside.clone());
        for (_, sides, _) in samples.different_rows() {
            let sides = inside_sides(sides, &is_inside);
            for (at, side) in sides.iter().enumerate() {
                let mut others = sides.iter().enumerate().filter(|(other, _)| *other != at);
                let is_last = others.clone().all(|(_, other)| other.rank < side.rank);
                let is_first = others.all(|(_, other)| other.rank > side.rank);
                for player in side.players() {
                    above[player] &= is_first;
                    below[player] &= is_last;
                }
            }
        }
        let outside = (0..is_inside.len()).filter(|&player| above[player] != below[player]);
        let outside: Vec<usize> = outside.collect();
        if outside.is_empty() {
            return is_inside;
        }
        outside.into_iter().for_each(|player| is_inside[player] = false);
    }
}
