//! Exact values of endings, by retrograde analysis.
//!
//! A position with few plies left until the draw without progress may have another value than the
//! same pieces with many. So a slice of positions with the same men is solved for one ply left, then
//! for two, and so on, until no value changes. Moves of men and captures lead to other slices, which
//! are solved before, with all plies left. Only the slices that can follow a position are solved.
//!
//! Positions of the game before the solved one are unknown, so they do not count as repetitions. In a
//! won position, best play of the winner repeats no position: with each ply, the end is one ply nearer.

use super::endings_index::{MOST_PIECES, Numbers, Slice};
use super::state::{Checkers, CheckersMove, CheckersState, End, WAYS};
use crate::games::grid::bitboard::Bitboard;
use crate::games::{Exact, ExactSolver, Game, Player, Turn, Unsolved};

/// The score of a won end of the game, for the winner. A win after n plies has n less, a draw has 0,
/// and a loss has the negative score.
const WON: i16 = i16::MAX;

/// From this number of plies left, a position has this score.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    number: u32,
    left: u8,
    score: i16,
}

/// Solves endings with at most four pieces, and keeps the scores.
pub(super) struct EndingsSolver {
    numbers: Numbers,
    /// The scores with all plies left, for the side to move.
    scores: Vec<i16>,
    /// For the first number of a slice: the plies left from which no score changes. 0 for a slice
    /// that is not solved.
    settled: Vec<u8>,
    /// The positions whose scores have been computed again for one more ply left, by number.
    seen: Vec<bool>,
    /// All changes in a slice and the opposite one, sorted, and the first numbers of both slices.
    changes: Vec<Change>,
    changes_of: [u32; 2],
    nodes: u64,
}

/// The position with Black to move.
#[inline]
fn seen_by_mover(state: &CheckersState) -> CheckersState {
    if state.side == Player::First { *state } else { state.exchanged() }
}

impl EndingsSolver {
    pub(super) fn new() -> Self {
        EndingsSolver {
            numbers: Numbers::new(),
            scores: Vec::new(),
            settled: Vec::new(),
            seen: Vec::new(),
            changes: Vec::new(),
            changes_of: [u32::MAX; 2],
            nodes: 0,
        }
    }

    /// The score of an unfinished position for the side to move.
    fn score(&mut self, game: &Checkers, state: &CheckersState) -> i16 {
        if self.scores.is_empty() {
            // The memory of slices that are never solved is never touched.
            self.scores = vec![0; self.numbers.all];
            self.settled = vec![0; self.numbers.all];
            self.seen = vec![false; self.numbers.all];
        }
        let state = seen_by_mover(state);
        let slice = Slice::of(&self.numbers, &state);
        self.solve_once(game, slice);
        let number = slice.number(&state);
        let left = game.quiet_plies - state.quiet;
        if left >= self.settled[slice.first as usize] {
            return self.scores[number as usize];
        }
        if !self.changes_of.contains(&slice.first) {
            self.changes = self.solve(game, slice);
            self.changes.sort();
            self.changes_of = [slice.first, slice.opposite(&self.numbers).first];
        }
        let is_until_now = |change: &Change| (change.number, change.left) <= (number, left);
        let until_now = &self.changes[..self.changes.partition_point(is_until_now)];
        let last = until_now.last().filter(|change| change.number == number);
        last.map_or(0, |change| change.score)
    }

    fn solve_once(&mut self, game: &Checkers, slice: Slice) {
        if self.settled[slice.first as usize] == 0 {
            self.solve(game, slice);
        }
    }

    /// Solves a slice and the opposite one. Returns all changes of their scores.
    fn solve(&mut self, game: &Checkers, slice: Slice) -> Vec<Change> {
        let opposite = slice.opposite(&self.numbers);
        let both = [slice, opposite];
        let slices = if slice == opposite { &both[..1] } else { &both };
        for slice in slices {
            self.scores[slice.first as usize..][..slice.len() as usize].fill(0);
        }
        let (mut new, mut moves, mut left) = (Vec::new(), Vec::new(), 1);
        for slice in slices {
            for number in slice.first..slice.first + slice.len() {
                let state = slice.position(game, number);
                let score = self.best(game, &state, &mut moves);
                if score != 0 {
                    new.push((state, Change { number, left, score }));
                }
            }
        }
        let mut changes = Vec::new();
        loop {
            for &(_, change) in &new {
                self.scores[change.number as usize] = change.score;
                changes.push(change);
            }
            if new.is_empty() || left == game.quiet_plies {
                break;
            }
            left += 1;
            let (mut next, mut seen) = (Vec::new(), Vec::new());
            for (state, _) in &new {
                for_positions_before(state, |state| {
                    let number = Slice::of(&self.numbers, &state).number(&state);
                    if !std::mem::replace(&mut self.seen[number as usize], true) {
                        seen.push(number);
                        let score = self.best(game, &state, &mut moves);
                        if score != self.scores[number as usize] {
                            next.push((state, Change { number, left, score }));
                        }
                    }
                });
            }
            for number in seen {
                self.seen[number as usize] = false;
            }
            new = next;
        }
        for slice in slices {
            self.settled[slice.first as usize] = left;
        }
        changes
    }

    /// The best score of all moves, from the scores after them.
    fn best(
        &mut self,
        game: &Checkers,
        state: &CheckersState,
        moves: &mut Vec<CheckersMove>,
    ) -> i16 {
        if state.end == End::Stuck {
            return -WON;
        }
        self.nodes += 1;
        moves.clear();
        game.moves(state, moves);
        let mut best = -WON;
        for &mv in &*moves {
            let mut child = *state;
            game.play(&mut child, mv);
            let score = match child.end {
                End::Stuck => -WON,
                _ => {
                    let child = child.exchanged();
                    let slice = Slice::of(&self.numbers, &child);
                    if child.quiet == 0 {
                        self.solve_once(game, slice);
                    }
                    self.scores[slice.number(&child) as usize]
                }
            };
            best = best.max(score.signum() - score);
        }
        best
    }
}

/// Calls a function with the positions before, if the last move was a king's and captured nothing.
#[inline]
fn for_positions_before(state: &CheckersState, mut call: impl FnMut(CheckersState)) {
    let kings = state.pieces[1] & state.kings;
    for way in WAYS {
        for to in (kings & way.step(state.empty())).cells() {
            let to = 1 << to;
            let from = way.back().step(to);
            let pieces = [state.pieces[0], state.pieces[1] & !to | from];
            let kings = state.kings & !to | from;
            let before =
                CheckersState { pieces, kings, side: Player::Second, quiet: 0, end: End::No };
            if before.jumpers() == 0 {
                call(before.exchanged());
            }
        }
    }
}

impl ExactSolver<Checkers> for EndingsSolver {
    fn value(&mut self, game: &Checkers, state: &CheckersState) -> Exact {
        if game.turn(state) == Turn::Over {
            return Exact::of_end(game, state);
        }
        let score = self.score(game, state);
        let mean = f64::from(i32::from(score.signum()) * state.side.sign());
        let plies = (score != 0).then(|| (WON - score.abs()) as u32);
        Exact { mean, plies }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn refuses(&self, _game: &Checkers, state: &CheckersState) -> Option<Unsolved> {
        let [first, second] = state.pieces.map(u32::count_ones);
        if first + second <= MOST_PIECES {
            return None;
        }
        let why = format!("checkers is solved with at most {MOST_PIECES} pieces on the board");
        let help = "a position such as `W:WK15,20:B12,K28`".to_owned();
        Some(Unsolved { why, help })
    }
}
