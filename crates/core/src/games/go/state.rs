//! The game of Go, its positions, and the memory of earlier positions.

use std::sync::Arc;

use crate::games::grid::bitboard::{Bitboard, Wide, cell_image};
use crate::games::key_hash::mix;
use crate::games::player::Player;

/// Go on a square board. Points have the number size × row + column, from `A1`, the bottom left.
#[derive(Debug, Clone)]
pub struct Go {
    pub(super) size: u16,
    /// Twice the komi.
    pub(super) komi: i32,
    pub(super) suicide: bool,
    pub(super) margin: bool,
    /// The neighbours of each point; [`NO_POINT`] after the last.
    pub(super) neighbours: Box<[[u16; 4]]>,
    /// The points of the board.
    pub(super) all: Points,
    /// The points without the first column, and without the last.
    pub(super) columns: [Points; 2],
}

pub(super) type Points = Wide<6>;

/// No point of any board.
pub(super) const NO_POINT: u16 = u16::MAX;

/// The earlier positions that a position has without another allocation.
const RECENT: usize = 13;

/// A position: 232 bytes, and the hashes of older positions on the heap, shared between copies.
///
/// Positions are equal if board, side, passes and ko are equal; earlier positions do not count.
#[derive(Debug, Clone)]
pub struct GoState {
    pub(super) stones: [Points; 2],
    /// The hash of the stones.
    pub(super) hash: u64,
    pub(super) recent: [u64; RECENT],
    pub(super) older: Option<Arc<Vec<u64>>>,
    pub(super) recent_count: u8,
    /// Whether a stone was ever removed: only then a position can recur.
    pub(super) removed: bool,
    pub(super) side: Player,
    /// The passes in a row before this position; two end the game.
    pub(super) passes: u8,
    /// Where the player to move must not take back a stone at once.
    pub(super) ko: u16,
}

/// A point, or a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GoMove(pub(super) u16);

impl GoMove {
    pub const PASS: GoMove = GoMove(NO_POINT);
}

impl PartialEq for GoState {
    fn eq(&self, other: &Self) -> bool {
        let place = |state: &Self| (state.stones, state.side.index(), state.passes, state.ko);
        place(self) == place(other)
    }
}

impl Eq for GoState {}

/// The part of a stone in the hash of the board.
#[inline]
pub(super) fn stone_hash(point: u16, side: usize) -> u64 {
    mix(2 * u64::from(point) + side as u64)
}

impl GoState {
    /// A board without earlier positions.
    pub(super) fn new(stones: [Points; 2], side: Player) -> Self {
        let mut hash = 0;
        for (number, set) in stones.iter().enumerate() {
            set.cells().for_each(|point| hash ^= stone_hash(point as u16, number));
        }
        GoState {
            stones,
            hash,
            recent: [0; RECENT],
            older: None,
            recent_count: 0,
            removed: false,
            side,
            passes: 0,
            ko: NO_POINT,
        }
    }

    /// The first player's stones minus the second player's.
    #[inline]
    pub(super) fn lead_in_stones(&self) -> i32 {
        self.stones[0].count() as i32 - self.stones[1].count() as i32
    }

    /// The owner of the stone on a point.
    #[inline]
    pub(super) fn at(&self, point: u16) -> Option<Player> {
        let has = |player: &Player| self.stones[player.index()].has(u32::from(point));
        Player::BOTH.into_iter().find(has)
    }

    /// Adds a position of the board to the earlier ones.
    #[inline]
    pub(super) fn remember(&mut self, hash: u64) {
        if usize::from(self.recent_count) == RECENT {
            let recent = self.recent;
            Arc::make_mut(self.older.get_or_insert_default()).extend_from_slice(&recent);
            self.recent_count = 0;
        }
        self.recent[usize::from(self.recent_count)] = hash;
        self.recent_count += 1;
    }

    /// Whether the board with this hash was there before, or is there now.
    #[inline]
    pub(super) fn has_seen(&self, hash: u64) -> bool {
        let among = |keys: &[u64]| keys.iter().fold(false, |seen, key| seen | (*key == hash));
        hash == self.hash
            || among(&self.recent[..usize::from(self.recent_count)])
            || self.older.as_ref().is_some_and(|older| among(older))
    }
}

impl Go {
    pub(super) fn new(size: u16, komi: i32, suicide: bool, margin: bool) -> Self {
        let neighbours = (0..size * size).map(|point| {
            let (column, row) = (point % size, point / size);
            let mut all = [NO_POINT; 4];
            let mut count = 0;
            let mut add = |there: bool, neighbour: u16| {
                if there {
                    all[count] = neighbour;
                    count += 1;
                }
            };
            add(column > 0, point.wrapping_sub(1));
            add(column + 1 < size, point + 1);
            add(row > 0, point.wrapping_sub(size));
            add(row + 1 < size, point + size);
            all
        });
        let (mut all, mut columns) = (Points::NONE, [Points::NONE; 2]);
        for point in 0..size * size {
            insert(&mut all, point);
            if point % size > 0 {
                insert(&mut columns[0], point);
            }
            if point % size + 1 < size {
                insert(&mut columns[1], point);
            }
        }
        Go { size, komi, suicide, margin, neighbours: neighbours.collect(), all, columns }
    }

    /// The number of rows and of columns.
    pub fn size(&self) -> u32 {
        u32::from(self.size)
    }

    #[inline]
    pub(super) fn points(&self) -> u16 {
        self.size * self.size
    }

    /// The words of a set that have points.
    #[inline]
    pub(super) fn words(&self) -> usize {
        usize::from(self.points()).div_ceil(64)
    }

    #[inline]
    pub(super) fn empty(&self, state: &GoState) -> Points {
        let [first, second] = &state.stones;
        let mut empty = Points::NONE;
        for word in 0..self.words() {
            empty.0[word] = self.all.0[word] & !(first.0[word] | second.0[word]);
        }
        empty
    }

    #[inline]
    pub(super) fn neighbours(&self, point: u16) -> impl Iterator<Item = u16> + '_ {
        self.neighbours[usize::from(point)].iter().copied().take_while(|&next| next != NO_POINT)
    }

    /// The image of a point, as [`cell_image`].
    pub(super) fn image(&self, s: usize, point: u16) -> u16 {
        if point == NO_POINT {
            return NO_POINT;
        }
        let place = [point % self.size, point / self.size].map(u32::from);
        let [column, row] = cell_image(s, place, [self.size(); 2]);
        (row * self.size() + column) as u16
    }
}

/// Adds a point to a set.
#[inline]
pub(super) fn insert(set: &mut Points, point: u16) {
    set.0[usize::from(point / 64)] |= 1 << (point % 64);
}
