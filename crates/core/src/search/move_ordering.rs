//! Move ordering, for early cut-offs in alpha-beta.

use std::hash::{Hash, Hasher};

use super::search_limits::MAX_DEPTH;
use crate::games::{Game, Player, SearchHints};

crate::choice! {
    /// How the moves of a position are ordered. Without reductions the values are the same in
    /// any order.
    #[derive(Default)]
    pub enum Ordering {
        /// As the game lists them.
        None = "none",
        /// By the game's own hint (`SearchHints::order_hint`).
        Static = "static",
        /// The table's move, then moves that led to cut-offs elsewhere, then the hint.
        #[default]
        Full = "full",
    }
}

/// The number of distinct moves in the history table, a power of two.
const SLOTS: usize = 1 << 10;

/// The number of plies with killers.
const PLIES: usize = MAX_DEPTH as usize + 1;

/// The maximum count in the history; then all counts are halved.
const MOST: i32 = 1 << 24;

/// Larger hints are limited to this value.
const HINT: i32 = (1 << 15) - 1;

/// A move that caused a cut-off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Killer<M> {
    pub mv: M,
    /// Its index among the moves, often the same in other positions.
    pub place: u32,
}

impl<M: Copy + Eq> Killer<M> {
    /// The move's index among these moves, if it is one of them.
    #[inline(always)]
    pub fn place(&self, moves: &[M]) -> Option<usize> {
        let place = self.place as usize;
        if moves.get(place) == Some(&self.mv) {
            return Some(place);
        }
        moves.iter().position(|&mv| mv == self.mv)
    }
}

/// Cut-off statistics of moves, from elsewhere in the tree.
///
/// Killers are the last two moves that caused a cut-off at the same ply (Huberman 1968, "A program
/// to play chess end games"). The history counts cut-offs by move, with more weight for greater
/// depth (Schaeffer 1983, "The history heuristic").
#[derive(Debug, Clone)]
pub(super) struct Memory<M> {
    killers: Box<[[Option<Killer<M>>; 2]; PLIES]>,
    history: Vec<i32>,
}

impl<M: Copy + Eq + Hash> Memory<M> {
    pub(super) fn new() -> Self {
        Memory { killers: Box::new([[None; 2]; PLIES]), history: vec![0; 2 * SLOTS] }
    }

    pub(super) fn clear(&mut self) {
        *self.killers = [[None; 2]; PLIES];
        self.history.fill(0);
    }

    #[inline]
    fn slot(player: Player, mv: M) -> usize {
        let mut mix = Mix(0);
        mv.hash(&mut mix);
        player.index() * SLOTS + (mix.0 >> 54) as usize
    }

    /// Records a cut-off by a move with this index among all moves and this remaining depth.
    #[inline]
    pub(super) fn reward(&mut self, player: Player, mv: M, place: usize, ply: u32, depth: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0].is_none_or(|killer| killer.mv != mv) {
            killers[1] = killers[0];
        }
        killers[0] = Some(Killer { mv, place: place as u32 });
        let count = &mut self.history[Self::slot(player, mv)];
        *count += (depth * depth) as i32;
        if *count >= MOST {
            self.halve();
        }
    }

    #[cold]
    fn halve(&mut self) {
        self.history.iter_mut().for_each(|count| *count /= 2);
    }

    /// The killers of a ply, the most recent first.
    #[inline]
    pub(super) fn killers(&self, ply: u32) -> [Option<Killer<M>>; 2] {
        self.killers[ply as usize]
    }

    /// The indices of a ply's killers among these moves, the most recent first; `usize::MAX` for a
    /// killer that is not one of them.
    #[inline]
    pub(super) fn killers_among(&self, ply: u32, moves: &[M]) -> [usize; 2] {
        let place = |killer: Option<Killer<M>>| {
            killer.and_then(|killer| killer.place(moves)).unwrap_or(usize::MAX)
        };
        self.killers(ply).map(place)
    }

    /// The ordering score of a move: by history, then by the game's hint. If the values of noisy
    /// moves differ widely (`SearchHints::mvv_lva`), moves with a positive hint come before all
    /// others. Less than 2^43 in absolute value.
    #[inline]
    pub(super) fn score<G: Game<Move = M>>(
        &self,
        game: &G,
        state: &G::State,
        player: Player,
        mv: M,
    ) -> i64 {
        let hint = game.hints().order_hint(state, mv).clamp(-HINT, HINT);
        if game.hints().mvv_lva() && hint > 0 {
            return (i64::from(MOST) << 17) + i64::from(HINT) + i64::from(hint);
        }
        (i64::from(self.history[Self::slot(player, mv)]) << 17) + i64::from(hint)
    }
}

/// Sorts the keys, largest first. Compiled once, not for each game.
pub(super) fn largest_first(keys: &mut [i64]) {
    keys.sort_unstable_by(|a, b| b.cmp(a));
}

/// A hasher for small moves; its top bits are well mixed.
struct Mix(u64);

impl Mix {
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word ^ 0x1F).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Mix {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.add(u64::from(byte)));
    }

    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u16(&mut self, word: u16) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
