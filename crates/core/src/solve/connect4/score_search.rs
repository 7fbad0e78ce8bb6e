//! Exact scores from null-window searches, on one or several threads.

use std::sync::atomic::{AtomicBool, Ordering};

use super::bitboard_geometry::Geometry;
use super::child_ordering::WeightSets;
use super::forced_play::{Position, winning_score};
use super::null_window_search::NullWindowSearch;
use super::ordering_weights::WEIGHTS;
use super::score_table::ScoreTable;
use super::simd_level::Level;
use crate::solve::STACK;

/// Nodes that one thread visits before the other threads start. Starting threads for a shorter
/// search does not pay.
const ALONE: u64 = 20_000;

/// A win is early if at most this many stones come before the winning stone.
const EARLY: u32 = 12;

/// With fewer free cells, a search to the end of the board costs too little to look for early wins
/// first.
const FREE_CELLS_OF_OPENINGS: u32 = 20;

pub struct ScoreSearch<G> {
    pub board: G,
    pub table: ScoreTable,
    pub nodes: u64,
    pub threads: usize,
    level: Level,
    pub weights: WeightSets,
}

impl<G: Geometry> ScoreSearch<G> {
    pub fn new(board: G, table_mb: usize, threads: usize, level: Level) -> Self {
        let table = ScoreTable::new(table_mb, board.code_bits());
        ScoreSearch { board, table, nodes: 0, threads: threads.max(1), level, weights: WEIGHTS }
    }

    /// The score of an unfinished position for the player to move, clamped to the two bounds.
    /// Between the bounds it is exact.
    pub fn score(&mut self, position: &Position, least: i32, most: i32) -> i32 {
        if position.playable(&self.board) & position.mover_wins != 0 {
            return winning_score(&self.board, position.stones).clamp(least, most);
        }
        let size = self.board.size();
        let score_at = |stones: u32| {
            if stones < size { winning_score(&self.board, stones) } else { 0 }
        };
        let (mut lower, mut upper) =
            (-score_at(position.stones + 1), score_at(position.stones + 2));
        let is_opening = position.stones + FREE_CELLS_OF_OPENINGS <= size;
        let early = is_opening.then(|| winning_score(&self.board, position.stones + EARLY));
        let first_moves = position.stones & 1 == 0;
        let Self { board, table, level, weights, .. } = &*self;
        let never = AtomicBool::new(false);
        let mut alone = NullWindowSearch::new(board, table, &never, *level, weights, 0);
        let mut nodes = 0;
        while lower.max(least) < upper.min(most) {
            let value = next_value(lower.max(least), upper.min(most), early, first_moves);
            if self.threads > 1 {
                alone.limit = alone.nodes + ALONE;
            }
            let mut bound = alone.search(position, value);
            if alone.stopped {
                alone.stopped = false;
                let (found, visited) = self.search_on_all_threads(position, value);
                (bound, nodes) = (found, nodes + visited);
            }
            if bound >= value { lower = bound } else { upper = bound }
        }
        self.nodes += alone.nodes + nodes;
        if upper <= least { least } else { lower.min(most) }
    }

    /// A bound on the score, which tells on which side of `value` the score is, and the number of
    /// nodes. The first thread to finish gives the answer and stops the others.
    fn search_on_all_threads(&self, position: &Position, value: i32) -> (i32, u64) {
        let Self { board, table, weights, level, .. } = self;
        let done = AtomicBool::new(false);
        let run = |thread: usize| {
            let mut search = NullWindowSearch::new(board, table, &done, *level, weights, thread);
            let bound = search.search(position, value);
            if !search.stopped {
                done.store(true, Ordering::Relaxed);
            }
            (search.stopped, bound, search.nodes)
        };
        let results = std::thread::scope(|scope| {
            let run = &run;
            // Fewer threads than requested give the same answer.
            let start = |thread| {
                let builder = std::thread::Builder::new().stack_size(STACK);
                builder.spawn_scoped(scope, move || run(thread)).ok()
            };
            let others: Vec<_> = (1..self.threads).filter_map(start).collect();
            let mut results = vec![run(0)];
            results.extend(others.into_iter().filter_map(|other| other.join().ok()));
            results
        });
        let nodes = results.iter().map(|result| result.2).sum();
        let answer = results.into_iter().find(|&(stopped, ..)| !stopped);
        (answer.expect("a thread that was not stopped").1, nodes)
    }
}

/// The next value to search for when the score is between two bounds. The first two searches ask
/// whether a player wins early, with at least the score `early`. They are shallow; without them, an
/// opening that ends early is searched to the end of the board. The next search asks whether the
/// first player wins. Later searches step from the latest possible end, because late ends are the
/// most frequent.
fn next_value(lower: i32, upper: i32, early: Option<i32>, first_moves: bool) -> i32 {
    match early {
        Some(early) if lower <= -early && upper >= early => early,
        Some(early) if lower <= -early && upper > -early => 1 - early,
        _ if lower >= 0 => lower + 1,
        _ if upper <= 0 => upper,
        _ => i32::from(first_moves),
    }
}
