//! The public solver of Connect Four: exact answers about positions.

use std::time::{Duration, Instant};

use super::bitboard_geometry::{General, Geometry, Standard};
use super::board_size_and_stones::{BoardSize, BoardStones};
use super::child_ordering::WeightSets;
use super::forced_play::Position;
use super::score_book::{MOST_PLIES, ScoreBook};
use super::score_search::ScoreSearch;
use super::simd_level::Level;

const BOUND: i32 = 32;

/// Solves positions of Connect Four exactly.
///
/// Results stay in the table and speed up later searches. Values do not depend on the number of
/// threads, the size of the table or the instructions of the processor. Node counts do.
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{Configurable, Connect4, Game};
/// use agon::params::Values;
/// use agon::solve::connect4::Solver;
///
/// let game = Connect4::build(&Values::default()).unwrap();
/// let position = game.read_position("4 4 4 4 4 4 2 2 2 2 2 2").unwrap();
/// let mut solver = Solver::new(&game, 2, 1);
/// let solved = solver.solve(&position);
/// let moves = solver.moves(&position);
/// assert_eq!(moves.iter().map(|mv| mv.score).max(), Some(solved.score));
/// ```
pub struct Solver {
    board: Box<dyn Board>,
    shape: BoardSize,
    book: ScoreBook,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredPosition {
    /// The score for the player to move. Each player has half as many stones as the board has
    /// cells. +n: the player to move wins with the n-th last of these stones. −n: the other player
    /// does. 0: a draw.
    pub score: i32,
    /// Stones on the board at the end under perfect play: the winner wins as early as possible,
    /// and the loser loses as late as possible.
    pub ending: u32,
    /// Positions visited.
    pub nodes: u64,
    pub time: Duration,
}

/// The winner of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinDrawLoss {
    /// 1 if the player to move wins, −1 if the other player wins, 0 for a draw.
    pub result: i32,
    /// Positions visited.
    pub nodes: u64,
    pub time: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveScore {
    /// The column, from 0 on the left.
    pub column: u32,
    /// The score for the player who moves, or only its sign: see the method that returns it.
    pub score: i32,
}

impl Solver {
    /// A solver for a game's board with a table of about `table_mb` megabytes. The table is at
    /// least as large as unique entries require: one megabyte, or up to eight if
    /// columns × (rows + 1) is more than 60.
    pub fn new(shape: impl Into<BoardSize>, table_mb: usize, threads: usize) -> Self {
        Self::with_level(shape, table_mb, threads, Level::widest())
    }

    /// A solver that uses no wider instructions than those of the level and of the processor.
    pub fn with_level(
        shape: impl Into<BoardSize>,
        table_mb: usize,
        threads: usize,
        level: Level,
    ) -> Self {
        let shape = shape.into();
        let BoardSize { columns, rows, connect } = shape;
        let level = if level.is_there() { level } else { Level::widest() };
        let general = General::new(columns, rows, connect);
        let board: Box<dyn Board> = match general {
            Some(board) if (columns, rows, connect) != (7, 6, 4) => {
                Box::new(ScoreSearch::new(board, table_mb, threads, level))
            }
            _ => Box::new(ScoreSearch::new(Standard, table_mb, threads, level)),
        };
        Solver { board, shape, book: ScoreBook::default() }
    }

    pub fn clear(&mut self) {
        self.board.clear();
    }

    /// Sets the weights that order moves. They do not change any value.
    #[doc(hidden)]
    pub fn set_weights(&mut self, weights: WeightSets) {
        self.board.set_weights(weights);
    }

    /// Sets the number of threads, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        self.board.set_threads(threads.max(1));
    }

    /// Sets a book of this board. The solver answers from the book where it can.
    pub fn set_book(&mut self, book: ScoreBook) {
        self.book = book;
    }

    /// Computes the scores of all positions with at most `plies` stones. Larger numbers than
    /// `MOST_PLIES` are reduced to it.
    pub fn make_book(&mut self, plies: u32) -> ScoreBook {
        let empty = BoardStones { mover: 0, other: 0, line: false };
        let mut layers = vec![vec![empty]];
        let mut seen = ScoreBook::default();
        for _ in 0..plies.min(MOST_PLIES) {
            let mut next = Vec::new();
            for (_, child) in
                layers.last().iter().flat_map(|l| l.iter()).flat_map(|s| self.children(s))
            {
                if self.over(&child).is_none() && seen.score(self.shape, &child).is_none() {
                    seen.insert(self.shape, &child, 0);
                    next.push(child);
                }
            }
            layers.push(next);
        }
        // The last layer is searched. The scores of the earlier layers follow from it.
        let mut book = ScoreBook::default();
        self.board.next_generation();
        for stones in layers.pop().iter().flatten() {
            let score = self.score(stones, BOUND);
            book.insert(self.shape, stones, score);
        }
        for stones in layers.iter().rev().flatten() {
            let mut best = -BOUND;
            for (_, child) in self.children(stones) {
                let known = self.over(&child).or_else(|| book.score(self.shape, &child));
                best = best.max(-known.unwrap_or(BOUND));
            }
            book.insert(self.shape, stones, best);
        }
        book
    }

    /// Positions visited since the creation of the solver.
    pub fn nodes(&self) -> u64 {
        self.board.nodes()
    }

    /// The exact score of a position.
    pub fn solve(&mut self, position: impl Into<BoardStones>) -> ScoredPosition {
        let (start, before) = (Instant::now(), self.nodes());
        self.board.next_generation();
        let stones = position.into();
        let score = self.score(&stones, BOUND);
        let ending = self.ending(&stones, score);
        ScoredPosition { score, ending, nodes: self.nodes() - before, time: start.elapsed() }
    }

    /// The winner of a position. This takes less work than the exact score.
    pub fn wdl(&mut self, position: impl Into<BoardStones>) -> WinDrawLoss {
        let (start, before) = (Instant::now(), self.nodes());
        self.board.next_generation();
        let result = self.score(&position.into(), 1);
        WinDrawLoss { result, nodes: self.nodes() - before, time: start.elapsed() }
    }

    /// The exact score of every move, from the left. Empty if the game is over.
    pub fn moves(&mut self, position: impl Into<BoardStones>) -> Vec<MoveScore> {
        self.board.next_generation();
        self.scores(&position.into(), BOUND)
    }

    /// Whether each move wins (1), draws (0) or loses (−1), from the left.
    pub fn move_results(&mut self, position: impl Into<BoardStones>) -> Vec<MoveScore> {
        self.board.next_generation();
        self.scores(&position.into(), 1)
    }

    /// The columns of the moves with the best score, from the left.
    pub fn best_moves(&mut self, position: impl Into<BoardStones>) -> Vec<u32> {
        self.board.next_generation();
        let stones = position.into();
        let score = self.score(&stones, BOUND);
        let children = self.children(&stones).into_iter();
        children.filter(|(_, next)| self.keeps(next, score)).map(|(column, _)| column).collect()
    }

    /// The column with the best score that is nearest to the middle. `None` if the game is over.
    pub fn best_move(&mut self, position: impl Into<BoardStones>) -> Option<u32> {
        self.board.next_generation();
        let stones = position.into();
        let score = self.score(&stones, BOUND);
        self.follow(&stones, score).map(|(column, _)| column)
    }

    /// Stones on the board at the end of a game, from the score of the player to move.
    pub fn ending(&self, position: &BoardStones, score: i32) -> u32 {
        let placed = position.count();
        if position.line {
            return placed;
        }
        let size = self.shape.columns * self.shape.rows;
        if score == 0 {
            return size;
        }
        // The first player's stones have odd numbers, so the winner decides the parity of the last
        // one.
        let last = size + 2 - 2 * score.unsigned_abs();
        let winner_is_first = (score > 0) == (placed & 1 == 0);
        last - u32::from((last & 1 == 1) != winner_is_first)
    }

    /// The move nearest to the middle that keeps the score, and the position after this move.
    fn follow(&mut self, stones: &BoardStones, score: i32) -> Option<(u32, BoardStones)> {
        self.children_from_middle(stones).into_iter().find(|(_, next)| self.keeps(next, score))
    }

    /// Whether a move to this position has this score for the player who moves.
    fn keeps(&mut self, next: &BoardStones, score: i32) -> bool {
        match self.known(next) {
            Some(known) => known == -score,
            None => self.board.at_most(next, -score),
        }
    }

    /// The scores of all moves, limited to `most`. The search starts with the position itself: its
    /// score limits that of each move, and its results help with each move. The moves nearest to
    /// the middle follow first.
    fn scores(&mut self, stones: &BoardStones, most: i32) -> Vec<MoveScore> {
        let children = self.children_from_middle(stones);
        if children.is_empty() {
            return Vec::new();
        }
        let best = self.score(stones, most);
        let mut scores = Vec::with_capacity(children.len());
        for (column, next) in children {
            let score = match self.known(&next) {
                Some(score) => -score.clamp(-most, most),
                None => -self.board.score(&next, -best, most),
            };
            scores.push(MoveScore { column, score });
        }
        scores.sort_by_key(|mv| mv.column);
        scores
    }

    /// The score of a position, finished or not, limited to `most`.
    fn score(&mut self, stones: &BoardStones, most: i32) -> i32 {
        match self.known(stones) {
            Some(score) => score.clamp(-most, most),
            None => self.board.score(stones, -most, most),
        }
    }

    /// The score of a finished game or of a position in the book.
    fn known(&self, stones: &BoardStones) -> Option<i32> {
        self.over(stones).or_else(|| self.book.score(self.shape, stones))
    }

    fn over(&self, stones: &BoardStones) -> Option<i32> {
        let placed = stones.count();
        let size = self.shape.columns * self.shape.rows;
        if stones.line || self.board.has_line(stones.other) {
            return Some(-(((size + 2 - placed) / 2) as i32));
        }
        (placed == size).then_some(0)
    }

    /// The positions after all moves, from the left. Empty if the game is over.
    fn children(&self, stones: &BoardStones) -> Vec<(u32, BoardStones)> {
        if self.over(stones).is_some() {
            return Vec::new();
        }
        let all = stones.mover | stones.other;
        (0..self.shape.columns)
            .filter_map(|column| {
                let bottom = 1 << (column * (self.shape.rows + 1));
                let cells = bottom * ((1u64 << self.shape.rows) - 1);
                let cell = (all & cells).wrapping_add(bottom) & cells;
                let mover = stones.mover | cell;
                let next = BoardStones { mover: stones.other, other: mover, line: false };
                (cell != 0).then_some((column, next))
            })
            .collect()
    }

    /// The same from the middle.
    fn children_from_middle(&self, stones: &BoardStones) -> Vec<(u32, BoardStones)> {
        let mut children = self.children(stones);
        children.sort_by_key(|&(column, _)| (2 * column + 1).abs_diff(self.shape.columns));
        children
    }
}

trait Board: Send {
    /// The score of an unfinished position, clamped to two bounds.
    fn score(&mut self, stones: &BoardStones, least: i32, most: i32) -> i32;
    /// Whether the score of an unfinished position is at most `score`.
    fn at_most(&mut self, stones: &BoardStones, score: i32) -> bool;
    fn has_line(&self, stones: u64) -> bool;
    fn next_generation(&mut self);
    fn clear(&mut self);
    fn nodes(&self) -> u64;
    fn set_threads(&mut self, threads: usize);
    fn set_weights(&mut self, weights: WeightSets);
}

impl<G: Geometry> ScoreSearch<G> {
    fn position(&self, stones: &BoardStones) -> Position {
        let [mover, other] = [stones.mover, stones.other].map(|set| self.board.spread(set));
        Position::new(&self.board, mover, other)
    }
}

impl<G: Geometry> Board for ScoreSearch<G> {
    fn score(&mut self, stones: &BoardStones, least: i32, most: i32) -> i32 {
        let position = self.position(stones);
        ScoreSearch::score(self, &position, least, most)
    }

    fn at_most(&mut self, stones: &BoardStones, score: i32) -> bool {
        let position = self.position(stones);
        ScoreSearch::score(self, &position, score, score + 1) <= score
    }

    fn has_line(&self, stones: u64) -> bool {
        self.board.line(super::simd_words::One(self.board.spread(stones))).0 != 0
    }

    fn next_generation(&mut self) {
        self.table.next_generation();
    }

    fn clear(&mut self) {
        self.table.clear();
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    fn set_weights(&mut self, weights: WeightSets) {
        self.weights = weights;
    }
}
