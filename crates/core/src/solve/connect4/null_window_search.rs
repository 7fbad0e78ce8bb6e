//! The null-window search: is the score at least `value`?
//!
//! Every answer is a bound. An answer of at least `value` is a lower bound. A smaller answer is an
//! upper bound.
//!
//! A visit to a quiet position computes wins, bounds, codes and ranks of all its children in
//! parallel, one child per lane. Children settled by these values need no further work. For the
//! others the search reads the table; it has already prefetched the cache line. The search then
//! visits the remaining children, the most promising first.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bitboard_geometry::Geometry;
use super::child_list::{Child, ChildVisit};
use super::child_ordering::{WeightSets, lines_through};
use super::forced_play::{Position, Settled, play_forced_moves, winning_score};
use super::score_table::{KnownBounds, ScoreTable};
use super::simd_level::Level;
use super::simd_words::{One, Word};

/// Positions with fewer free cells do not use the table.
const TABLE_LEAVES: u32 = 11;

/// Less than every score; its negative is more than every score.
const NONE: i32 = -64;

pub struct NullWindowSearch<'a, G> {
    pub(super) board: &'a G,
    pub(super) table: &'a ScoreTable,
    stop: &'a AtomicBool,
    level: Level,
    pub(super) weights: WeightSets,
    pub limit: u64,
    pub nodes: u64,
    /// Whether the search was stopped. The result of a stopped search has no meaning.
    pub stopped: bool,
    /// The root, then room for the children of one position for each number of stones.
    pub(super) children: Vec<Child>,
    pub(super) lines: [u8; 64],
    /// Small random numbers, so that threads order moves differently.
    pub(super) jitter: [u8; 64],
}

impl<'a, G: Geometry> NullWindowSearch<'a, G> {
    /// A search that stops when the flag is set. Each thread number gives a different
    /// order of equally promising moves.
    pub fn new(
        board: &'a G,
        table: &'a ScoreTable,
        stop: &'a AtomicBool,
        level: Level,
        weights: &WeightSets,
        thread: usize,
    ) -> Self {
        let room = (board.size() + 1) * board.columns() + 1;
        NullWindowSearch {
            board,
            table,
            stop,
            level,
            weights: *weights,
            limit: u64::MAX,
            nodes: 0,
            stopped: false,
            children: vec![Child::default(); room as usize],
            lines: lines_through(board),
            jitter: jitter(thread),
        }
    }

    /// A bound on the score of a position without a winner. The bound is at least `value` exactly
    /// if the score is at least `value`.
    pub fn search(&mut self, position: &Position, value: i32) -> i32 {
        if position.playable(self.board) & position.mover_wins != 0 {
            return winning_score(self.board, position.stones);
        }
        let (position, moves, same) = match play_forced_moves(self.board, *position) {
            Settled::Score(score) => return score,
            Settled::Quiet(quiet, moves) => {
                (quiet, moves, (quiet.stones - position.stones) & 1 == 0)
            }
        };
        let value = if same { value } else { 1 - value };
        let mut root = self.new_node(position, moves).0;
        self.probe(&mut root);
        let bound = if root.lower >= value {
            root.lower
        } else if root.upper < value {
            root.upper
        } else {
            self.children[0] = root;
            match self.level {
                Level::One => self.visit::<One>(0, value),
                #[cfg(target_arch = "x86_64")]
                Level::Four => self.visit::<super::simd_words::Four>(0, value),
                #[cfg(target_arch = "x86_64")]
                Level::Counting => self.visit::<super::simd_words::Counting>(0, value),
                #[cfg(not(target_arch = "x86_64"))]
                _ => self.visit::<One>(0, value),
            }
        };
        if same { bound } else { -bound }
    }

    #[inline(always)]
    pub(super) fn has_table(&self, stones: u32) -> bool {
        stones + TABLE_LEAVES <= self.board.size()
    }

    /// A column, mirrored if the table stores the mirror image.
    #[inline(always)]
    fn reflected(&self, column: Option<u32>, mirrored: bool) -> Option<u32> {
        if mirrored { column.map(|c| self.board.columns() - 1 - c) } else { column }
    }

    /// Adds the bounds that the table has for a position.
    #[inline(always)]
    fn probe(&self, child: &mut Child) {
        if self.has_table(child.position.stones)
            && let Some(known) = self.table.get(child.place)
        {
            child.lower = child.lower.max(known.lower);
            child.upper = child.upper.min(known.upper);
            child.hint = self.reflected(known.column, child.mirrored);
        }
    }

    /// Adds the bounds that the table has for a child and returns them from the parent's side.
    #[inline(always)]
    fn bounds_of(&mut self, index: usize) -> (i32, i32) {
        let mut child = self.children[index];
        self.probe(&mut child);
        self.children[index] = child;
        child.bounds()
    }

    /// Stores the bounds found for a node together with the bounds known before.
    #[inline(always)]
    fn store(&self, node: usize, lower: i32, upper: i32, column: Option<u32>, before: u64) {
        let node = &self.children[node];
        let known = KnownBounds {
            lower: lower.max(node.lower),
            upper: upper.min(node.upper),
            column: self.reflected(column, node.mirrored),
        };
        self.table.put(node.place, known, self.nodes - before + 1);
    }

    /// Calls [`visit_with`](Self::visit_with), compiled for the instructions that `W` needs.
    #[inline(always)]
    fn visit<W: Word>(&mut self, node: usize, value: i32) -> i32 {
        // SAFETY: the level of the search was detected on this processor, and no wider words than
        // those of the level are used.
        match W::LEVEL {
            Level::One => visit_one(self, node, value),
            #[cfg(target_arch = "x86_64")]
            Level::Four => unsafe { visit_four(self, node, value) },
            #[cfg(target_arch = "x86_64")]
            Level::Counting => unsafe { visit_counting(self, node, value) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => visit_one(self, node, value),
        }
    }

    /// Visits a quiet position that neither the table nor a proof has settled.
    #[inline(always)]
    fn visit_with<W: Word>(&mut self, node: usize, value: i32) -> i32 {
        self.nodes += 1;
        if self.nodes & 0x3ff == 0
            && (self.nodes >= self.limit || self.stop.load(Ordering::Relaxed))
        {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let before = self.nodes;
        let position = self.children[node].position;
        let base = 1 + (position.stones * self.board.columns()) as usize;
        let mut visit = ChildVisit { node, position, value, base, best: NONE };
        let mut order = [0u64; 32];
        let count = match self.expand::<W>(&mut visit, &mut order) {
            Ok(count) => count,
            Err(enough) => return enough,
        };

        let table = self.has_table(position.stones);
        let mut kept = 0;
        for i in 0..count {
            let rank = order[i];
            if table {
                let index = base + (rank & 31) as usize;
                let (lower, upper) = self.bounds_of(index);
                if lower >= value {
                    let column = self.children[index].column;
                    self.store(node, lower, -NONE, Some(column), before);
                    return lower;
                }
                if upper < value {
                    visit.best = visit.best.max(upper);
                    continue;
                }
            }
            let mut at = kept;
            while at > 0 && order[at - 1] < rank {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = rank;
            kept += 1;
        }

        for rank in &order[..kept] {
            let index = base + (rank & 31) as usize;
            let score = if self.children[index].same {
                self.visit::<W>(index, value)
            } else {
                -self.visit::<W>(index, 1 - value)
            };
            if self.stopped {
                return 0;
            }
            if score >= value {
                if table {
                    let column = self.children[index].column;
                    self.store(node, score, -NONE, Some(column), before);
                }
                return score;
            }
            visit.best = visit.best.max(score);
        }
        if table {
            let hint = self.children[node].hint;
            self.store(node, NONE, visit.best, hint, before);
        }
        visit.best
    }
}

fn jitter(thread: usize) -> [u8; 64] {
    let spread = (thread as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (mut jitter, mut mixed) = ([0; 64], 0_u64);
    for jitter in &mut jitter {
        mixed = mixed.wrapping_add(spread);
        *jitter = (mixed >> 59) as u8;
    }
    jitter
}

fn visit_one<G: Geometry>(search: &mut NullWindowSearch<'_, G>, node: usize, value: i32) -> i32 {
    search.visit_with::<One>(node, value)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn visit_four<G: Geometry>(search: &mut NullWindowSearch<'_, G>, node: usize, value: i32) -> i32 {
    search.visit_with::<super::simd_words::Four>(node, value)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn visit_counting<G: Geometry>(
    search: &mut NullWindowSearch<'_, G>,
    node: usize,
    value: i32,
) -> i32 {
    search.visit_with::<super::simd_words::Counting>(node, value)
}
