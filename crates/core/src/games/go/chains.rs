//! Chains, captures and areas.

use super::state::{Go, GoState, NO_POINT, Points, insert, stone_hash};
use crate::games::grid::bitboard::{Bitboard, Wide};
use crate::games::player::Player;

/// The most points of a board.
const MOST: usize = 361;

/// What a stone on a point does.
pub(super) struct Placed {
    /// The stones that leave the board: the opponent's, or the own ones by suicide.
    pub removed: Points,
    pub removed_count: u32,
    /// The hash of the board afterwards.
    pub hash: u64,
    pub suicide: bool,
    /// The point of a single captured stone.
    pub last_removed: u16,
}

/// Room for the points of one chain.
struct Chain {
    points: [u16; MOST],
    count: usize,
}

impl Chain {
    fn new() -> Self {
        Chain { points: [0; MOST], count: 0 }
    }

    /// Begins again with one point.
    #[inline]
    fn begin(&mut self, point: u16) {
        self.points[0] = point;
        self.count = 1;
    }

    #[inline]
    fn add(&mut self, point: u16) {
        self.points[self.count] = point;
        self.count += 1;
    }
}

impl Go {
    /// Whether a point has an empty neighbour other than `except`.
    #[inline]
    fn touches_empty(&self, own: &Points, other: &Points, point: u16, except: u16) -> bool {
        let is_empty = |next: u16| {
            let (word, bit) = (usize::from(next / 64), next % 64);
            next != except && (own.0[word] | other.0[word]) >> bit & 1 == 0
        };
        self.neighbours(point).any(is_empty)
    }

    /// The chain of a point if it has no liberty other than `except`.
    #[inline]
    fn dead_chain(&self, own: &Points, other: &Points, point: u16, except: u16) -> Option<Points> {
        if self.words() <= 2 {
            self.dead_chain_in::<2>(own, other, point, except)
        } else {
            self.dead_chain_in::<6>(own, other, point, except)
        }
    }

    /// The same in the first `W` words, which contain the board. The chain grows in all directions at
    /// once.
    fn dead_chain_in<const W: usize>(
        &self,
        own: &Points,
        other: &Points,
        point: u16,
        except: u16,
    ) -> Option<Points> {
        let begin = |set: &Points| Wide::<W>(std::array::from_fn(|word| set.0[word]));
        let (own, other) = (begin(own), begin(other));
        let [not_first, not_last] = self.columns.each_ref().map(begin);
        let mut empty = begin(&self.all) & !(own | other);
        if except != NO_POINT {
            empty = empty & !Wide::bit(except.into());
        }
        let size = self.size();
        let mut chain = Wide::bit(point.into());
        loop {
            let beside = (chain & not_first) >> 1 | (chain & not_last) << 1;
            let near = beside | chain << size | chain >> size;
            if !(near & empty).is_empty() {
                return None;
            }
            let grown = chain | near & own;
            if grown == chain {
                let mut all = Points::NONE;
                all.0[..W].copy_from_slice(&chain.0);
                return Some(all);
            }
            chain = grown;
        }
    }

    /// What a stone of the player to move on this empty point does; `None` if it is a forbidden
    /// suicide. It may recreate an earlier position.
    #[inline]
    pub(super) fn place(&self, state: &GoState, point: u16) -> Option<Placed> {
        let side = state.side.index();
        let (own, other) = (&state.stones[side], &state.stones[1 - side]);
        let mut placed = Placed {
            removed: Points::NONE,
            removed_count: 0,
            hash: state.hash ^ stone_hash(point, side),
            suicide: false,
            last_removed: NO_POINT,
        };
        let mut has_liberty = false;
        for neighbour in self.neighbours(point) {
            let index = u32::from(neighbour);
            if other.has(index) {
                if !self.touches_empty(own, other, neighbour, point)
                    && !placed.removed.has(index)
                    && let Some(chain) = self.dead_chain(other, own, neighbour, point)
                {
                    placed.remove(&chain, 1 - side);
                }
            } else if !own.has(index) || self.touches_empty(own, other, neighbour, point) {
                has_liberty = true;
            }
        }
        if !has_liberty && placed.removed_count == 0 {
            let mut joined = *own;
            insert(&mut joined, point);
            if let Some(chain) = self.dead_chain(&joined, other, point, NO_POINT) {
                if !self.suicide {
                    return None;
                }
                placed.suicide = true;
                placed.remove(&chain, side);
            }
        }
        Some(placed)
    }

    /// What a legal stone on this empty point does; `None` if it is a forbidden suicide or recreates
    /// an earlier position.
    #[inline]
    pub(super) fn place_legally(&self, state: &GoState, point: u16) -> Option<Placed> {
        self.place(state, point).filter(|placed| !self.recurs(state, placed))
    }

    /// Whether the board was there before.
    #[inline]
    pub(super) fn recurs(&self, state: &GoState, placed: &Placed) -> bool {
        (state.removed || placed.removed_count > 0) && state.has_seen(placed.hash)
    }

    /// The points where only superko forbids a stone that changes the board.
    pub(super) fn forbidden_by_superko(&self, state: &GoState) -> Vec<u16> {
        let forbidden = |point: &u16| {
            let placed = self.place(state, *point);
            placed.is_some_and(|placed| placed.hash != state.hash && self.recurs(state, &placed))
        };
        self.empty(state).cells().map(|point| point as u16).filter(forbidden).collect()
    }

    /// Forbids a point as if its stone recreated an earlier position.
    pub(super) fn forbid(&self, state: &mut GoState, point: u16) {
        if let Some(placed) = self.place(state, point) {
            state.remember(placed.hash);
            state.removed = true;
        }
    }

    /// Where the opponent cannot take back the single stone that was just captured.
    pub(super) fn ko_after(&self, state: &GoState, point: u16, placed: &Placed) -> u16 {
        if placed.removed_count != 1 || placed.suicide {
            return NO_POINT;
        }
        // The capturing stone is alone, and its only liberty is the captured stone's point.
        let mover = state.side.index();
        let bound =
            |next: u16| next == placed.last_removed || state.stones[1 - mover].has(u32::from(next));
        if self.neighbours(point).all(bound) { placed.last_removed } else { NO_POINT }
    }

    /// A stone without liberties, which no position has.
    pub(super) fn dead_stone(&self, state: &GoState) -> Option<u16> {
        (0..self.points()).find(|&point| {
            state.at(point).is_some_and(|owner| {
                let own = &state.stones[owner.index()];
                let other = &state.stones[owner.other().index()];
                self.dead_chain(own, other, point, NO_POINT).is_some()
            })
        })
    }

    /// The first player's area minus the second player's: stones, and empty points that reach only
    /// one colour.
    pub(super) fn area(&self, state: &GoState) -> i32 {
        let [first, second] = state.stones;
        let mut lead = state.lead_in_stones();
        let mut open = self.empty(state);
        let mut chain = Chain::new();
        while let Some(start) = open.lowest() {
            let mut reached = [false; 2];
            chain.begin(start as u16);
            open.0[(start / 64) as usize] &= !(1 << (start % 64));
            let mut next = 0;
            while next < chain.count {
                for neighbour in self.neighbours(chain.points[next]) {
                    let index = u32::from(neighbour);
                    if open.has(index) {
                        open.0[(index / 64) as usize] &= !(1 << (index % 64));
                        chain.add(neighbour);
                    }
                    reached[0] |= first.has(index);
                    reached[1] |= second.has(index);
                }
                next += 1;
            }
            lead += chain.count as i32 * (i32::from(reached[0]) - i32::from(reached[1]));
        }
        lead
    }

    /// For each side: chains with one liberty, and liberties of all chains.
    pub(super) fn count_chains(&self, state: &GoState) -> [[i32; 2]; 2] {
        let mut counts = [[0; 2]; 2];
        for player in Player::BOTH {
            let own = state.stones[player.index()];
            let other = state.stones[player.other().index()];
            let mut seen = Points::NONE;
            let mut chain = Chain::new();
            for start in own.cells() {
                if seen.has(start) {
                    continue;
                }
                let mut liberties = Points::NONE;
                chain.begin(start as u16);
                insert(&mut seen, start as u16);
                let mut next = 0;
                while next < chain.count {
                    for neighbour in self.neighbours(chain.points[next]) {
                        let index = u32::from(neighbour);
                        if own.has(index) {
                            if !seen.has(index) {
                                insert(&mut seen, neighbour);
                                chain.add(neighbour);
                            }
                        } else if !other.has(index) {
                            insert(&mut liberties, neighbour);
                        }
                    }
                    next += 1;
                }
                let count = &mut counts[player.index()];
                let free = liberties.count() as i32;
                *count = [count[0] + i32::from(free == 1), count[1] + free];
            }
        }
        counts
    }

    /// Whether an empty point is an eye of a side: all neighbours are its stones, and at most one
    /// of four diagonal neighbours (none at the edge) is the opponent's.
    pub(super) fn is_eye(&self, state: &GoState, point: u16, side: Player) -> bool {
        let own = &state.stones[side.index()];
        if !self.neighbours(point).all(|next| own.has(u32::from(next))) {
            return false;
        }
        let other = &state.stones[side.other().index()];
        let (column, row) = (point % self.size, point / self.size);
        let (mut there, mut enemies) = (0, 0);
        for (x, y) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            let (x, y) = (column as i16 + x, row as i16 + y);
            let on_board = |n: i16| (0..self.size as i16).contains(&n);
            if on_board(x) && on_board(y) {
                there += 1;
                enemies += u32::from(other.has((y * self.size as i16 + x) as u32));
            }
        }
        enemies <= u32::from(there == 4)
    }
}

impl Placed {
    fn remove(&mut self, chain: &Points, side: usize) {
        for point in chain.cells() {
            let point = point as u16;
            insert(&mut self.removed, point);
            self.hash ^= stone_hash(point, side);
            self.removed_count += 1;
            self.last_removed = point;
        }
    }
}
