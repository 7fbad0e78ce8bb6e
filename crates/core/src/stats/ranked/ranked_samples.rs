//! Rows of results: sides with their members and ranks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// One side of a row. Its seat is its position in the row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RankedSide {
    /// The players of the side; one, or the members of a team.
    pub members: Vec<usize>,
    /// The place of the side: smaller is better, equal is a tie. Gaps have no meaning.
    pub rank: u32,
}

/// The sides of a row in little memory, because there may be millions of rows: for each side its rank,
/// the number of its members, and the members.
type PackedSides = Box<[u32]>;

/// A side of a row, as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredSide<'a> {
    /// The members, the smallest number first.
    pub members: &'a [u32],
    pub rank: u32,
}

impl StoredSide<'_> {
    pub fn players(self) -> impl Iterator<Item = usize> {
        self.members.iter().map(|&player| player as usize)
    }
}

/// The sides of a row in the order of the seats, as they are stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredSides<'a>(&'a [u32]);

impl<'a> Iterator for StoredSides<'a> {
    type Item = StoredSide<'a>;

    fn next(&mut self) -> Option<StoredSide<'a>> {
        let [rank, members, others @ ..] = self.0 else { return None };
        let (members, others) = others.split_at(*members as usize);
        self.0 = others;
        Some(StoredSide { members, rank: *rank })
    }
}

/// Rows of results. Equal rows of one group are stored once, with their number.
#[derive(Clone, Debug, Default)]
pub struct RankedSamples {
    players: usize,
    rows: BTreeMap<(Option<usize>, PackedSides), u64>,
    groups: BTreeSet<usize>,
    seats: usize,
    has_teams: bool,
}

/// The reason why a row cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleError {
    /// The row has fewer than two sides.
    OneSide,
    /// A side has no member.
    EmptySide {
        /// The seat of the side, from 0.
        seat: usize,
    },
    /// A member is not one of the players.
    UnknownPlayer {
        /// The number of the member.
        player: usize,
    },
    /// A player is in the row twice.
    SamePlayerTwice {
        /// The number of the player.
        player: usize,
    },
    /// More sides share a rank than the likelihood can average over.
    TooManyTied {
        /// The number of sides with one rank.
        tied: usize,
    },
    /// Some rows have a group and some have none.
    MixedGroups,
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = RankedSamples::MOST_TIED;
        match self {
            Self::OneSide => f.write_str("the row has fewer than two sides"),
            Self::EmptySide { seat } => write!(f, "the side of seat {} has no player", seat + 1),
            Self::UnknownPlayer { player } => write!(f, "there is no player number {player}"),
            Self::SamePlayerTwice { .. } => f.write_str("a player is in the row twice"),
            Self::TooManyTied { tied } => {
                write!(f, "{tied} sides have the same rank; at most {most} can be tied")
            }
            Self::MixedGroups => f.write_str("some rows have a group and some have none"),
        }
    }
}

impl std::error::Error for SampleError {}

impl RankedSamples {
    /// The largest number of sides with the same rank. The average over their orders is exact; it
    /// is a sum over all their subsets.
    pub const MOST_TIED: usize = 10;

    /// No rows yet, of the players `0..players`.
    pub fn new(players: usize) -> Self {
        Self { players, ..Self::default() }
    }

    /// Adds `count` equal rows. All rows with the same `group` are one sample. Either all rows have
    /// a group or none.
    pub fn add(
        &mut self,
        sides: Vec<RankedSide>,
        group: Option<usize>,
        count: u64,
    ) -> Result<(), SampleError> {
        self.check(&sides)?;
        if !self.rows.is_empty() && group.is_some() != self.groups().is_some() {
            return Err(SampleError::MixedGroups);
        }
        if count == 0 {
            return Ok(());
        }
        let ranks: BTreeSet<u32> = sides.iter().map(|side| side.rank).collect();
        let mut packed = Vec::new();
        for side in &sides {
            let rank = ranks.range(..side.rank).count();
            packed.extend([rank as u32, side.members.len() as u32]);
            let begin = packed.len();
            packed.extend(side.members.iter().map(|&player| player as u32));
            packed[begin..].sort_unstable();
        }
        self.seats = self.seats.max(sides.len());
        self.has_teams |= sides.iter().any(|side| side.members.len() > 1);
        self.groups.extend(group);
        *self.rows.entry((group, packed.into_boxed_slice())).or_default() += count;
        Ok(())
    }

    fn check(&self, sides: &[RankedSide]) -> Result<(), SampleError> {
        if sides.len() < 2 {
            return Err(SampleError::OneSide);
        }
        let mut seen = BTreeSet::new();
        let mut tied: BTreeMap<u32, usize> = BTreeMap::new();
        for (seat, side) in sides.iter().enumerate() {
            if side.members.is_empty() {
                return Err(SampleError::EmptySide { seat });
            }
            for &player in &side.members {
                if player >= self.players {
                    return Err(SampleError::UnknownPlayer { player });
                }
                if !seen.insert(player) {
                    return Err(SampleError::SamePlayerTwice { player });
                }
            }
            *tied.entry(side.rank).or_default() += 1;
        }
        let tied = tied.into_values().max().unwrap_or(0);
        if tied > Self::MOST_TIED {
            return Err(SampleError::TooManyTied { tied });
        }
        Ok(())
    }

    /// The number of players, with those who are in no row.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows.values().sum()
    }

    /// The number of different groups; `None` if the rows have none.
    pub fn groups(&self) -> Option<usize> {
        (!self.groups.is_empty()).then_some(self.groups.len())
    }

    /// The largest number of sides of a row.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The different rows, sorted by group: the group, the sides and the number of rows. Ranks are
    /// 0, 1, 2 and so on.
    pub(super) fn different_rows(
        &self,
    ) -> impl Iterator<Item = (Option<usize>, StoredSides<'_>, u64)> {
        self.rows.iter().map(|((group, sides), &count)| (*group, StoredSides(sides), count))
    }

    /// Two players who are members of the same side in each of their rows.
    pub(super) fn always_together(&self) -> Option<[usize; 2]> {
        let mut sides_of: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.players];
        for (row, (_, sides, _)) in self.different_rows().enumerate() {
            for (seat, side) in sides.enumerate() {
                side.players().for_each(|player| sides_of[player].push((row, seat)));
            }
        }
        let mut seen: BTreeMap<&[(usize, usize)], usize> = BTreeMap::new();
        let played = sides_of.iter().enumerate().filter(|(_, sides)| !sides.is_empty());
        played
            .into_iter()
            .find_map(|(player, sides)| seen.insert(sides, player).map(|earlier| [earlier, player]))
    }

    /// The different numbers of tied sides, from 2.
    pub(super) fn tie_sizes(&self) -> Vec<usize> {
        let mut sizes = BTreeSet::new();
        for (_, sides, _) in self.different_rows() {
            let mut tied: BTreeMap<u32, usize> = BTreeMap::new();
            sides.for_each(|side| *tied.entry(side.rank).or_default() += 1);
            sizes.extend(tied.into_values().filter(|size| *size > 1));
        }
        sizes.into_iter().collect()
    }

    /// Whether all rows are games of two players.
    pub fn is_two_single_sides(&self) -> bool {
        self.different_rows().all(|(_, sides, _)| sides.count() == 2) && !self.has_teams
    }

    /// Whether a side has several members.
    pub(super) fn has_teams(&self) -> bool {
        self.has_teams
    }
}
