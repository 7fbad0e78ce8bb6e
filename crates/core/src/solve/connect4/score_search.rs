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
        while lower.max(least) < upper.min(most) {
            let value = next_value(lower.max(least), upper.min(most), position.stones & 1 == 0);
            let bound = self.null_window(position, value);
            if bound >= value { lower = bound } else { upper = bound }
        }
        if upper <= least { least } else { lower.min(most) }
    }

    /// A bound on the score: tells on which side of `value` the score is.
    fn null_window(&mut self, position: &Position, value: i32) -> i32 {
        let Self { board, table, weights, level, .. } = &*self;
        let done = AtomicBool::new(false);
        let search = |thread| NullWindowSearch::new(board, table, &done, *level, weights, thread);
        let mut first = search(0);
        if self.threads > 1 {
            first.limit = ALONE;
        }
        let mut bound = first.search(position, value);
        let mut nodes = first.nodes;
        if first.stopped {
            // The first thread to finish gives the answer and stops the others.
            let run = |thread: usize| {
                let mut search = search(thread);
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
            nodes += results.iter().map(|result| result.2).sum::<u64>();
            let answer = results.into_iter().find(|&(stopped, ..)| !stopped);
            bound = answer.expect("a thread that was not stopped").1;
        }
        self.nodes += nodes;
        bound
    }
}

/// The next value to search for when the score is between two bounds. The first search asks
/// whether the first player wins. Later searches step from the latest possible end, because late
/// ends are the most frequent.
fn next_value(lower: i32, upper: i32, first_moves: bool) -> i32 {
    if lower >= 0 {
        lower + 1
    } else if upper <= 0 {
        upper
    } else {
        i32::from(first_moves)
    }
}
