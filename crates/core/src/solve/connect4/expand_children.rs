//! Expands all children of a position at once: their states, their proven bounds and their order.

use super::bitboard_geometry::Geometry;
use super::canonical_key::key;
use super::child_list::{Child, ChildVisit};
use super::child_ordering::{After, FORCED, HINT, LINES, move_score};
use super::forced_play::{Position, Settled, non_losing_cells, play_forced_moves, winning_score};
use super::null_window_search::NullWindowSearch;
use super::score_table::TableSlot;
use super::simd_words::{One, Word};
use super::strategy_proof::{StrategyProof, bounds};

impl<G: Geometry> NullWindowSearch<'_, G> {
    /// Bounds and table place of a quiet position.
    #[inline(always)]
    pub(super) fn new_node(&self, position: Position, moves: u64) -> (Child, After<One>) {
        let board = self.board;
        let (mover, other) = (One(position.mover), One(position.other));
        let empty = One(board.cells()).without(mover | other);
        let play = board.playable(mover | other);
        let mine = StrategyProof { enemy: other, wins: One(position.mover_wins), empty, play };
        let theirs = StrategyProof { enemy: mover, wins: One(position.other_wins), empty, play };
        let odd = (board.size() - position.stones) & 1 == 1;
        let (least, most) = bounds(board, &mine, &theirs, odd);
        let soonest = winning_score(board, position.stones + 2);
        let lost = -winning_score(board, position.stones + 3);
        let found = key(board, mover, other, empty);
        let mut lower = if least.score.0 == 0 { lost } else { least.score.0 as i32 - 1 };
        let mut upper = if most.score.0 == 0 { soonest } else { 1 - most.score.0 as i32 };
        if found.mover_open.0 & empty.0 == 0 {
            upper = upper.min(0);
        }
        if found.other_open.0 & empty.0 == 0 {
            lower = lower.max(0);
        }
        let child = Child {
            position,
            moves,
            place: self.table.place(found.code.0),
            mirrored: found.mirrored.0 != 0,
            lower,
            upper,
            ..Child::default()
        };
        let after = After {
            mine: theirs.wins,
            theirs: mine.wins,
            my_open: found.other_open,
            their_open: found.mover_open,
            empty,
            play,
            replies: One(moves),
            against_me: most.against,
            against_them: least.against,
        };
        (child, after)
    }

    /// Finds the children that need a visit and ranks them. The high bits are the rank and the low
    /// bits are the number. `Err` is a score that is sufficient for the search.
    #[inline(always)]
    pub(super) fn expand<W: Word>(
        &mut self,
        visit: &mut ChildVisit,
        order: &mut [u64; 32],
    ) -> Result<usize, i32> {
        let board = self.board;
        let ChildVisit { position: p, value, base, .. } = *visit;
        // A double threat wins with the stone after the next one. A quiet move wins two stones
        // later at best, and it loses no sooner than this.
        let soonest = winning_score(board, p.stones + 2);
        let later = winning_score(board, (p.stones + 4).min(board.size()));
        let least = -winning_score(board, p.stones + 3);
        let odd = (board.size() - p.stones) & 1 == 1;
        let weights = &self.weights[usize::from(odd)][usize::from(value > 0)];
        let good = if odd { board.upper() } else { board.lower() };
        let table = self.has_table(p.stones + 1);
        let (hint, mut moves) = (self.children[visit.node].hint, self.children[visit.node].moves);
        let mut count = 0;
        while moves != 0 {
            let cell = W::take(&mut moves);
            let mine = W::all(p.mover) | cell;
            let theirs = W::all(p.other);
            let their_wins = W::all(p.other_wins);
            let taken = mine | theirs;
            let empty = W::all(board.cells()).without(taken);
            let play = board.playable(taken);
            let wins = board.wins(mine);
            let replies = non_losing_cells(play, wins);
            let found = key(board, theirs, mine, empty);
            let (cells, win, reply) = (cell.words(), wins.words(), replies.words());
            let (codes, mirrored) = (found.code.words(), found.mirrored.words());
            let mut lanes = 0;
            let mut places = [TableSlot::default(); 4];
            while lanes < W::LANES && cells[lanes] != 0 {
                places[lanes] = self.table.place(codes[lanes]);
                if table && several(reply[lanes]) {
                    self.table.prefetch(places[lanes]);
                }
                lanes += 1;
            }

            let my_plan = StrategyProof { enemy: theirs, wins, empty, play };
            let their_plan = StrategyProof { enemy: mine, wins: their_wins, empty, play };
            let (most, sure) = bounds(board, &their_plan, &my_plan, !odd);
            let after = After {
                mine: wins,
                theirs: their_wins,
                my_open: found.other_open,
                their_open: found.mover_open,
                empty,
                play,
                replies,
                against_me: sure.against,
                against_them: most.against,
            };
            let promises = move_score(weights, good, &after).words();
            let (sure, most) = (sure.score.words(), most.score.words());
            let lifeless = [found.other_open & empty, found.mover_open & empty];
            let lifeless = [lifeless[0].words(), lifeless[1].words()];

            for i in 0..lanes {
                let index = cells[i].trailing_zeros();
                let column = index / board.stride();
                let mut features = promises[i] as i32;
                let mut extra = i32::from(self.jitter[index as usize & 63]);
                let next = || Position {
                    mover: p.other,
                    other: p.mover | cells[i],
                    mover_wins: p.other_wins,
                    other_wins: win[i],
                    stones: p.stones + 1,
                };
                let child = if several(reply[i]) {
                    let mut lower = if sure[i] == 0 { least } else { sure[i] as i32 - 1 };
                    let mut upper = if most[i] == 0 { later } else { 1 - most[i] as i32 };
                    if lifeless[0][i] == 0 {
                        upper = upper.min(0);
                    }
                    if lifeless[1][i] == 0 {
                        lower = lower.max(0);
                    }
                    if lower >= value {
                        return Err(lower);
                    }
                    if upper < value {
                        visit.best = visit.best.max(upper);
                        continue;
                    }
                    Child {
                        position: next(),
                        moves: reply[i],
                        place: places[i],
                        lower: -upper,
                        upper: -lower,
                        hint: None,
                        column,
                        same: false,
                        mirrored: mirrored[i] != 0,
                    }
                } else if reply[i] == 0 {
                    if soonest >= value {
                        return Err(soonest);
                    }
                    visit.best = visit.best.max(soonest);
                    continue;
                } else {
                    extra += weights[FORCED];
                    match play_forced_moves(board, next()) {
                        Settled::Score(score) => {
                            if -score >= value {
                                return Err(-score);
                            }
                            visit.best = visit.best.max(-score);
                            continue;
                        }
                        Settled::Quiet(position, moves) => {
                            let (mut child, mut after) = self.new_node(position, moves);
                            child.same = (position.stones - p.stones) & 1 == 0;
                            child.column = column;
                            let (lower, upper) = child.bounds();
                            if lower >= value {
                                return Err(lower);
                            }
                            if upper < value {
                                visit.best = visit.best.max(upper);
                                continue;
                            }
                            if self.has_table(position.stones) {
                                self.table.prefetch(child.place);
                            }
                            if child.same {
                                after = after.reversed();
                            }
                            // The features are those of the position after all forced moves.
                            features = move_score(weights, good, &after).0 as i32;
                            child
                        }
                    }
                };
                if hint == Some(column) {
                    extra += weights[HINT];
                }
                self.children[base + count] = child;
                extra += i32::from(self.lines[index as usize & 63]) * weights[LINES];
                let move_score = features.wrapping_add(extra) as u32 ^ 1 << 31;
                order[count & 31] = u64::from(move_score) << 8 | count as u64;
                count += 1;
            }
        }
        Ok(count)
    }
}

#[inline(always)]
fn several(set: u64) -> bool {
    set & set.wrapping_sub(1) != 0
}
