//! The search proper: is the score at least so much?
//!
//! Every question has an empty window: [`Search::ask`] returns a bound that is either at
//! least the value asked for, and then a lower bound, or less, and then an upper bound.

use std::sync::atomic::{AtomicBool, Ordering};

use super::children::Child;
use super::geometry::Geometry;
use super::key::code;
use super::level::Level;
use super::order::{Weights, promise, weights};
use super::settle::{Position, Settled, sane, settle, winning_score};
use super::strategy::{Plan, bounds};
use super::table::{Known, Place, Table};
use super::word::{One, Word};

/// Positions with fewer free cells than this do without the table.
pub const TABLE_LEAVES: u32 = 9;

/// A sentinel below every score.
const NONE: i32 = -64;

/// What one thread needs while it searches.
pub struct Search<'a, G> {
    board: &'a G,
    table: &'a Table,
    stop: &'a [&'a AtomicBool],
    /// Positions visited.
    pub nodes: u64,
    /// Whether the search was broken off; what it returned then means nothing.
    pub stopped: bool,
    children: Vec<Child>,
    centre: [u8; 64],
    weights: [[Weights; 2]; 2],
    level: Level,
    upper: u64,
    lower: u64,
    pub stats: [u64; 16],
}

/// Adds to what is best for the player who asks, and says whether that is enough.
struct Best {
    score: i32,
    column: u32,
}

impl<'a, G: Geometry> Search<'a, G> {
    /// A search that ends early when one of the flags is raised. Threads of different
    /// numbers try equally promising moves in different order.
    pub fn new(
        board: &'a G,
        table: &'a Table,
        stop: &'a [&'a AtomicBool],
        level: Level,
        thread: usize,
    ) -> Self {
        let mut centre = [0; 64];
        for c in 0..board.columns() {
            let near = board.columns().abs_diff(2 * c + 1);
            for r in 0..board.rows() {
                let place = 2 * (board.columns() - near) + u32::from((c + thread as u32) & 1 == 0);
                centre[(c * board.stride() + r) as usize] = place as u8;
            }
        }
        let depth = board.size() as usize + 1;
        Search {
            board,
            table,
            stop,
            nodes: 0,
            stopped: false,
            children: vec![Child::default(); depth * board.columns() as usize],
            centre,
            weights: [false, true].map(|upper| [false, true].map(|attack| weights(upper, attack))),
            level,
            upper: board.upper(),
            lower: board.lower(),
            stats: [0; 16],
        }
    }

    /// A bound on the score of a position nobody has won: at least `value` if the score is
    /// at least `value`, less if it is less.
    pub fn ask(&mut self, position: &Position, value: i32) -> i32 {
        if position.playable(self.board) & position.mover_wins != 0 {
            return winning_score(self.board, position.stones);
        }
        match settle(self.board, *position) {
            Settled::Score(score) => score,
            Settled::Quiet(quiet, moves) => {
                let same = (quiet.stones - position.stones) & 1 == 0;
                let mut child = Child { position: quiet, moves, same, ..Child::default() };
                self.look::<One>(&mut child);
                let value = if same { value } else { 1 - value };
                let most = winning_score(self.board, quiet.stones + 2);
                let least = -winning_score(self.board, quiet.stones + 3);
                let (mut lower, mut upper) = (child.lower.max(least), child.upper.min(most));
                if self.has_table(quiet.stones) {
                    child.place = self.table.place(child.code);
                    if let Some(known) = self.table.get(child.place) {
                        (lower, upper) = (lower.max(known.lower), upper.min(known.upper));
                        child.hint = Some(self.column_as_seen(known.column, child.mirrored));
                    }
                }
                let bound = if lower >= value {
                    lower
                } else if upper < value {
                    upper
                } else {
                    self.descend(&child, value)
                };
                if same { bound } else { -bound }
            }
        }
    }

    /// The best column of a quiet position, if the table knows it.
    pub fn level(&self) -> Level {
        self.level
    }

    #[inline(always)]
    fn has_table(&self, stones: u32) -> bool {
        stones + TABLE_LEAVES <= self.board.size()
    }

    #[inline(always)]
    fn column_as_seen(&self, column: u32, mirrored: bool) -> u32 {
        if mirrored { (self.board.columns() - 1).wrapping_sub(column) & 7 } else { column }
    }

    /// Bounds and code of a quiet position, from the side of its mover.
    #[inline(always)]
    fn look<W: Word>(&self, child: &mut Child) {
        let p = &child.position;
        let (mover, other) = (One(p.mover), One(p.other));
        let empty = One(self.board.cells()).without(mover | other);
        let play = self.board.playable(mover | other);
        let (key, mirrored) = code(self.board, mover, other, empty);
        child.code = key.0;
        child.mirrored = mirrored.0 != 0;
        let mine = Plan { enemy: other, wins: One(p.mover_wins), empty, play };
        let theirs = Plan { enemy: mover, wins: One(p.other_wins), empty, play };
        let odd = (self.board.size() - p.stones) & 1 == 1;
        let (least, most) = bounds(self.board, &mine, &theirs, odd);
        child.lower = if least.0 == 0 { NONE } else { least.0 as i32 - 1 };
        child.upper = if most.0 == 0 { -NONE } else { 1 - most.0 as i32 };
    }

    /// Goes one level down with as many lanes as the processor has.
    #[inline(always)]
    fn descend(&mut self, child: &Child, value: i32) -> i32 {
        match self.level {
            Level::One => self.visit::<One>(child, value),
            // SAFETY: the level was chosen by asking the processor.
            #[cfg(target_arch = "x86_64")]
            Level::Four => unsafe { visit_four(self, child, value) },
            #[cfg(target_arch = "x86_64")]
            Level::Eight => unsafe { visit_eight(self, child, value) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => self.visit::<One>(child, value),
        }
    }

    /// Visits a quiet position that neither the table nor a proof has settled.
    #[inline(always)]
    fn visit<W: Word>(&mut self, node: &Child, value: i32) -> i32 {
        self.nodes += 1;
        if self.nodes & 0xfff == 0 && self.stop.iter().any(|flag| flag.load(Ordering::Relaxed)) {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let nodes = self.nodes;
        let board = self.board;
        let p = node.position;
        let all = p.mover | p.other;
        let table = self.has_table(p.stones);
        let child_table = self.has_table(p.stones + 1);

        // A move that threatens twice wins with the stone after the next.
        let soonest = winning_score(board, p.stones + 2);
        // Otherwise the score lies between these.
        let least = -winning_score(board, p.stones + 3).max(winning_score(board, p.stones + 3));
        let later = if p.stones + 4 > board.size() { 0 } else { winning_score(board, p.stones + 4) };
        let mut best = Best { score: NONE, column: 0 };
        if least >= value {
            return least;
        }

        let odd = (board.size() - p.stones) & 1 == 1;
        let weights = self.weights[usize::from(odd)][usize::from(value > 0)];
        let good = if odd { self.upper } else { self.lower };
        let base = p.stones as usize * board.columns() as usize;
        let mut count = 0;

        let mut moves = node.moves;
        while moves != 0 {
            let mut cells = [0; 8];
            let mut lanes = 0;
            while moves != 0 && lanes < W::LANES {
                cells[lanes] = moves & moves.wrapping_neg();
                moves &= moves - 1;
                lanes += 1;
            }
            let cell = W::load(&cells, 0);
            let mine = W::all(p.mover) | cell;
            let theirs = W::all(p.other);
            let taken = W::all(all) | cell;
            let empty = W::all(board.cells()).without(taken);
            let play = board.playable(taken);
            let wins = board.wins(mine);
            let replies = sane(play, wins);
            let mut reply = [0; 8];
            replies.store(&mut reply, 0);
            let mut win = [0; 8];
            wins.store(&mut win, 0);
            if soonest >= value && reply[..lanes].contains(&0) {
                return soonest;
            }

            let (key, image) = code(board, theirs, mine, empty);
            let (mut codes, mut images) = ([0; 8], [0; 8]);
            key.store(&mut codes, 0);
            image.store(&mut images, 0);
            let mut places = [Place::default(); 8];
            if child_table {
                for i in 0..lanes {
                    places[i] = self.table.place(codes[i]);
                    if reply[i] & reply[i].wrapping_sub(1) != 0 {
                        self.table.prefetch(places[i]);
                    }
                }
            }

            let my_plan = Plan { enemy: theirs, wins, empty, play };
            let their_plan = Plan { enemy: mine, wins: W::all(p.other_wins), empty, play };
            let (most, sure) = bounds(board, &their_plan, &my_plan, !odd);
            let (mut lowers, mut uppers) = ([0; 8], [0; 8]);
            sure.store(&mut lowers, 0);
            most.store(&mut uppers, 0);
            let order = promise(
                board,
                &weights,
                good,
                mine,
                wins,
                W::all(p.other_wins),
                empty,
                play,
            );
            let mut orders = [0; 8];
            order.store(&mut orders, 0);

            for i in 0..lanes {
                let index = cells[i].trailing_zeros();
                let column = index / board.stride();
                let child = if reply[i] & reply[i].wrapping_sub(1) != 0 {
                    let lower = lowers[i] as i32 - 1;
                    let upper = if uppers[i] == 0 { later } else { later.min(1 - uppers[i] as i32) };
                    let lower = if lowers[i] == 0 { least } else { lower };
                    if lower >= value {
                        return lower;
                    }
                    if upper < value {
                        best.score = best.score.max(upper);
                        continue;
                    }
                    Child {
                        position: Position {
                            mover: p.other,
                            other: p.mover | cells[i],
                            mover_wins: p.other_wins,
                            other_wins: win[i],
                            stones: p.stones + 1,
                        },
                        moves: reply[i],
                        same: false,
                        lower: -upper,
                        upper: -lower,
                        code: codes[i],
                        place: places[i],
                        mirrored: images[i] != 0,
                        hint: None,
                        order: 0,
                        column,
                    }
                } else {
                    match settle(board, p.play(board, cells[i])) {
                        Settled::Score(score) => {
                            let score = -score;
                            if score >= value {
                                return score;
                            }
                            best.score = best.score.max(score);
                            continue;
                        }
                        Settled::Quiet(position, moves) => {
                            let same = (position.stones - p.stones) & 1 == 0;
                            let mut child =
                                Child { position, moves, same, column, ..Child::default() };
                            self.look::<One>(&mut child);
                            let most = winning_score(board, position.stones + 2);
                            let least = if position.stones + 3 > board.size() {
                                0
                            } else {
                                -winning_score(board, position.stones + 3)
                            };
                            child.lower = child.lower.max(least);
                            child.upper = child.upper.min(most);
                            let (lower, upper) = child.bounds();
                            if lower >= value {
                                return lower;
                            }
                            if upper < value {
                                best.score = best.score.max(upper);
                                continue;
                            }
                            if self.has_table(position.stones) {
                                child.place = self.table.place(child.code);
                                self.table.prefetch(child.place);
                            }
                            child
                        }
                    }
                };
                let mut child = child;
                child.order = (orders[i] as u32) << 4
                    | u32::from(self.centre[index as usize & 63]);
                if node.hint == Some(column) {
                    child.order += 1 << 24;
                }
                self.children[base + count] = child;
                count += 1;
            }
        }

        // What the table knows of the children, before any of them is visited.
        let mut kept = 0;
        for i in 0..count {
            let child = &mut self.children[base + i];
            if child.position.stones + TABLE_LEAVES <= board.size() {
                if let Some(known) = self.table.get(child.place) {
                    child.lower = child.lower.max(known.lower);
                    child.upper = child.upper.min(known.upper);
                    let mirrored = child.mirrored;
                    let last = board.columns() - 1;
                    child.hint = Some(if mirrored {
                        last.wrapping_sub(known.column) & 7
                    } else {
                        known.column
                    });
                    let (lower, upper) = child.bounds();
                    if lower >= value {
                        let column = child.column;
                        if table {
                            self.store(node, lower, -NONE, column, nodes);
                        }
                        return lower;
                    }
                    if upper < value {
                        best.score = best.score.max(upper);
                        continue;
                    }
                }
            }
            // Insert where it belongs by order.
            let child = *child;
            let mut at = kept;
            while at > 0 && self.children[base + at - 1].order < child.order {
                self.children[base + at] = self.children[base + at - 1];
                at -= 1;
            }
            self.children[base + at] = child;
            kept += 1;
        }

        for i in 0..kept {
            let child = self.children[base + i];
            let score = if child.same {
                self.descend_as::<W>(&child, value)
            } else {
                -self.descend_as::<W>(&child, 1 - value)
            };
            if self.stopped {
                return 0;
            }
            if score >= value {
                self.stats[i.min(7)] += 1;
                if table {
                    self.store(node, score, -NONE, child.column, nodes);
                }
                return score;
            }
            best.score = best.score.max(score);
        }
        if kept > 0 {
            self.stats[8] += 1;
        } else {
            self.stats[9] += 1;
        }
        if table {
            let column = node.hint.unwrap_or(best.column);
            self.store(node, NONE, best.score, column, nodes);
        }
        best.score
    }

    #[inline(always)]
    fn descend_as<W: Word>(&mut self, child: &Child, value: i32) -> i32 {
        match W::LANES {
            1 => self.visit_one(child, value),
            _ => self.descend(child, value),
        }
    }

    #[inline(never)]
    fn visit_one(&mut self, child: &Child, value: i32) -> i32 {
        self.visit::<One>(child, value)
    }

    /// Stores what was found of a node, with what was known before.
    #[inline(always)]
    fn store(&self, node: &Child, lower: i32, upper: i32, column: u32, before: u64) {
        let lower = lower.max(node.lower).max(-31);
        let upper = upper.min(node.upper).min(31);
        let column = self.column_as_seen(column, node.mirrored);
        let known = Known { lower, upper, column };
        self.table.put(node.place, known, self.nodes - before + 1);
    }
}

/// [`Search::visit`] compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn visit_four<G: Geometry>(search: &mut Search<'_, G>, node: &Child, value: i32) -> i32 {
    search.visit::<super::word::Four>(node, value)
}

/// [`Search::visit`] compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn visit_eight<G: Geometry>(search: &mut Search<'_, G>, node: &Child, value: i32) -> i32 {
    search.visit::<super::word::Eight>(node, value)
}
