//! The search proper: is the score at least so much?
//!
//! Every question has an empty window: the answer is a bound that is either at least the
//! value asked for, and then a lower bound, or less, and then an upper bound.
//!
//! A visit to a quiet position looks at all its children at once: wins, bounds, codes and
//! promise, lane by lane. What that settles is gone; of the others the table is asked, the
//! line of the cache having been called for before; and those that are left are visited,
//! the most promising first.

use std::sync::atomic::{AtomicBool, Ordering};

use super::children::Child;
use super::geometry::Geometry;
use super::key::key;
use super::level::Level;
use super::order::{After, FORCED, HINT, LINES, Weights, lines_through, promise};
use super::settle::{Position, Settled, sane, settle, winning_score};
use super::strategy::{Plan, bounds};
use super::table::{Known, Table};
use super::word::{One, Word};

/// Positions with fewer free cells than this do without the table.
const TABLE_LEAVES: u32 = 12;

/// Below every score; its opposite is above.
const NONE: i32 = -64;

/// What the search makes use of.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What the features of a move weigh, by whether the mover gets the upper cells of each
    /// pair by following, then by whether the question is if the mover wins.
    pub weights: [[Weights; 2]; 2],
    /// Proofs by strategy.
    pub strategy: bool,
    /// Proofs by the lack of lines that can still be completed.
    pub lifeless: bool,
    /// Stones that cannot matter any more have no colour in the table.
    pub idle: bool,
    /// A position and its mirror image are one in the table.
    pub mirror: bool,
    /// The table is asked about all children before any is visited.
    pub siblings: bool,
    /// The table, without which the last two do nothing.
    pub table: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            weights: super::weights::WEIGHTS,
            strategy: true,
            lifeless: true,
            idle: true,
            mirror: true,
            siblings: true,
            table: true,
        }
    }
}

/// What one thread needs while it searches.
pub struct Search<'a, G> {
    board: &'a G,
    table: &'a Table,
    stop: &'a [&'a AtomicBool],
    level: Level,
    settings: Settings,
    /// Nodes after which the search breaks off.
    pub limit: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Whether the search was broken off; what it returned then means nothing.
    pub stopped: bool,
    /// The root, then room for the children of one position of each number of stones.
    children: Vec<Child>,
    /// Lines through each cell.
    lines: [u8; 64],
    /// Small numbers by which threads order moves differently.
    jitter: [u8; 64],
    pub stats: [u64; 16],
}

/// What a visit knows from the start.
struct Visit {
    node: usize,
    position: Position,
    value: i32,
    /// Where its children begin.
    base: usize,
    /// The best score so far of the moves that are not enough.
    best: i32,
}

impl<'a, G: Geometry> Search<'a, G> {
    /// A search that ends early when one of the flags is raised. Threads of different
    /// numbers try equally promising moves in different order.
    pub fn new(
        board: &'a G,
        table: &'a Table,
        stop: &'a [&'a AtomicBool],
        level: Level,
        settings: &Settings,
        thread: usize,
    ) -> Self {
        let room = (board.size() + 1) * board.columns() + 1;
        Search {
            board,
            table,
            stop,
            level,
            settings: settings.clone(),
            limit: u64::MAX,
            nodes: 0,
            stopped: false,
            children: vec![Child::default(); room as usize],
            lines: lines_through(board),
            jitter: std::array::from_fn(|i| {
                let mixed = (i as u64 + 1).wrapping_mul(thread as u64 * 0x9e37_79b9_7f4a_7c15);
                (mixed >> 59) as u8
            }),
            stats: [0; 16],
        }
    }

    /// A bound on the score of a position nobody has won: at least `value` if the score is
    /// at least `value`, less if it is less.
    pub fn ask(&mut self, position: &Position, value: i32) -> i32 {
        if position.playable(self.board) & position.mover_wins != 0 {
            return winning_score(self.board, position.stones);
        }
        let (position, moves, same) = match settle(self.board, *position) {
            Settled::Score(score) => return score,
            Settled::Quiet(quiet, moves) => {
                (quiet, moves, (quiet.stones - position.stones) & 1 == 0)
            }
        };
        let value = if same { value } else { 1 - value };
        let mut root = self.look(position, moves).0;
        if self.has_table(position.stones) {
            self.recall(&mut root);
        }
        let bound = if root.lower >= value {
            root.lower
        } else if root.upper < value {
            root.upper
        } else {
            self.children[0] = root;
            match self.level {
                Level::One => self.visit::<One>(0, value),
                #[cfg(target_arch = "x86_64")]
                Level::Four => self.visit::<super::word::Four>(0, value),
                #[cfg(target_arch = "x86_64")]
                Level::Counting => self.visit::<super::word::Counting>(0, value),
                #[cfg(not(target_arch = "x86_64"))]
                _ => self.visit::<One>(0, value),
            }
        };
        if same { bound } else { -bound }
    }

    #[inline(always)]
    fn has_table(&self, stones: u32) -> bool {
        self.settings.table && stones + TABLE_LEAVES <= self.board.size()
    }

    /// A column of the position's mirror image, if that is what the table keeps.
    #[inline(always)]
    fn reflected(&self, column: Option<u32>, mirrored: bool) -> Option<u32> {
        if mirrored { column.map(|c| self.board.columns() - 1 - c) } else { column }
    }

    /// Bounds and place of a quiet position.
    #[inline(always)]
    fn look(&self, position: Position, moves: u64) -> (Child, After<One>) {
        let board = self.board;
        let (mover, other) = (One(position.mover), One(position.other));
        let empty = One(board.cells()).without(mover | other);
        let play = board.playable(mover | other);
        let mine = Plan { enemy: other, wins: One(position.mover_wins), empty, play };
        let theirs = Plan { enemy: mover, wins: One(position.other_wins), empty, play };
        let odd = (board.size() - position.stones) & 1 == 1;
        let (least, most) = bounds(board, &mine, &theirs, odd, self.settings.strategy);
        let soonest = winning_score(board, position.stones + 2);
        let lost = -winning_score(board, position.stones + 3);
        let found = key(board, &self.settings, mover, other, empty);
        let mut lower = if least.score.0 == 0 { lost } else { least.score.0 as i32 - 1 };
        let mut upper = if most.score.0 == 0 { soonest } else { 1 - most.score.0 as i32 };
        if self.settings.lifeless {
            if found.mover_open.0 & empty.0 == 0 {
                upper = upper.min(0);
            }
            if found.other_open.0 & empty.0 == 0 {
                lower = lower.max(0);
            }
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

    /// Adds what the table knows.
    #[inline(always)]
    fn recall(&self, child: &mut Child) {
        if let Some(known) = self.table.get(child.place) {
            child.lower = child.lower.max(known.lower);
            child.upper = child.upper.min(known.upper);
            child.hint = self.reflected(known.column, child.mirrored);
        }
    }

    /// Stores what was found of a node, with what was known before.
    #[inline(always)]
    fn store(&self, node: usize, lower: i32, upper: i32, column: Option<u32>, before: u64) {
        let node = &self.children[node];
        let known = Known {
            lower: lower.max(node.lower),
            upper: upper.min(node.upper),
            column: self.reflected(column, node.mirrored),
        };
        self.table.put(node.place, known, self.nodes - before + 1);
    }

    /// [`visit_with`](Self::visit_with), compiled for the instructions that `W` needs.
    #[inline(always)]
    fn visit<W: Word>(&mut self, node: usize, value: i32) -> i32 {
        // SAFETY: the search's level was chosen by asking the processor, and no wider words
        // than the level's are used.
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
            && (self.nodes >= self.limit || self.stop.iter().any(|f| f.load(Ordering::Relaxed)))
        {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let before = self.nodes;
        let position = self.children[node].position;
        let base = 1 + (position.stones * self.board.columns()) as usize;
        let mut visit = Visit { node, position, value, base, best: NONE };
        let mut order = [0u64; 32];
        let count = match self.expand::<W>(&mut visit, &mut order) {
            Ok(count) => count,
            Err(enough) => return enough,
        };

        let table = self.has_table(position.stones);
        let mut kept = 0;
        for i in 0..count {
            let rank = order[i];
            if table && self.settings.siblings {
                let index = base + (rank & 31) as usize;
                let mut child = self.children[index];
                if self.has_table(child.position.stones) {
                    self.recall(&mut child);
                    let (lower, upper) = child.bounds();
                    if lower >= value {
                        self.store(node, lower, -NONE, Some(child.column), before);
                        return lower;
                    }
                    if upper < value {
                        visit.best = visit.best.max(upper);
                        continue;
                    }
                    self.children[index] = child;
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

        for (i, rank) in order[..kept].iter().enumerate() {
            let index = base + (rank & 31) as usize;
            if !self.settings.siblings
                && table
                && self.has_table(self.children[index].position.stones)
            {
                let mut child = self.children[index];
                self.recall(&mut child);
                let (lower, upper) = child.bounds();
                if lower >= value {
                    self.store(node, lower, -NONE, Some(child.column), before);
                    return lower;
                }
                if upper < value {
                    visit.best = visit.best.max(upper);
                    continue;
                }
                self.children[index] = child;
            }
            let score = if self.children[index].same {
                self.visit::<W>(index, value)
            } else {
                -self.visit::<W>(index, 1 - value)
            };
            if self.stopped {
                return 0;
            }
            if score >= value {
                self.stats[i.min(7)] += 1;
                if table {
                    let column = self.children[index].column;
                    self.store(node, score, -NONE, Some(column), before);
                }
                return score;
            }
            visit.best = visit.best.max(score);
        }
        self.stats[8 + usize::from(kept == 0)] += 1;
        if table {
            let hint = self.children[node].hint;
            self.store(node, NONE, visit.best, hint, before);
        }
        visit.best
    }

    /// Finds the children that need a visit, ranked: promise above, number below. `Err` is
    /// a score that is enough.
    #[inline(always)]
    fn expand<W: Word>(&mut self, visit: &mut Visit, order: &mut [u64; 32]) -> Result<usize, i32> {
        let board = self.board;
        let Visit { position: p, value, base, .. } = *visit;
        // A move that threatens twice wins with the stone after the next; a quiet move does
        // so two stones later at best, and loses no sooner than this.
        let soonest = winning_score(board, p.stones + 2);
        let later = winning_score(board, (p.stones + 4).min(board.size()));
        let least = -winning_score(board, p.stones + 3);
        let odd = (board.size() - p.stones) & 1 == 1;
        let weights = &self.settings.weights[usize::from(odd)][usize::from(value > 0)];
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
            let replies = sane(play, wins);
            let found = key(board, &self.settings, theirs, mine, empty);
            let (cells, win, reply) = (cell.words(), wins.words(), replies.words());
            let (codes, mirrored) = (found.code.words(), found.mirrored.words());
            let mut lanes = 0;
            let mut places = [super::table::Place::default(); 4];
            while lanes < W::LANES && cells[lanes] != 0 {
                places[lanes] = self.table.place(codes[lanes]);
                if table && several(reply[lanes]) {
                    self.table.prefetch(places[lanes]);
                }
                lanes += 1;
            }

            let my_plan = Plan { enemy: theirs, wins, empty, play };
            let their_plan = Plan { enemy: mine, wins: their_wins, empty, play };
            let (most, sure) = bounds(board, &their_plan, &my_plan, !odd, self.settings.strategy);
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
            let promises = promise(weights, good, &after).words();
            let (sure, most) = (sure.score.words(), most.score.words());
            let lifeless = [found.other_open & empty, found.mover_open & empty];
            let lifeless = [lifeless[0].words(), lifeless[1].words()];

            for i in 0..lanes {
                let index = cells[i].trailing_zeros();
                let column = index / board.stride();
                let mut promise = (promises[i] as i32)
                    .wrapping_add(i32::from(self.lines[index as usize & 63]) * weights[LINES])
                    .wrapping_add(i32::from(self.jitter[index as usize & 63]));
                let child = if several(reply[i]) {
                    let mut lower = if sure[i] == 0 { least } else { sure[i] as i32 - 1 };
                    let mut upper = if most[i] == 0 { later } else { 1 - most[i] as i32 };
                    if self.settings.lifeless {
                        if lifeless[0][i] == 0 {
                            upper = upper.min(0);
                        }
                        if lifeless[1][i] == 0 {
                            lower = lower.max(0);
                        }
                    }
                    if lower >= value {
                        return Err(lower);
                    }
                    if upper < value {
                        visit.best = visit.best.max(upper);
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
                    promise = promise.wrapping_add(weights[FORCED]);
                    let next = Position {
                        mover: p.other,
                        other: p.mover | cells[i],
                        mover_wins: p.other_wins,
                        other_wins: win[i],
                        stones: p.stones + 1,
                    };
                    match settle(board, next) {
                        Settled::Score(score) => {
                            if -score >= value {
                                return Err(-score);
                            }
                            visit.best = visit.best.max(-score);
                            continue;
                        }
                        Settled::Quiet(position, moves) => {
                            let (mut child, mut after) = self.look(position, moves);
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
                            promise = promise.wrapping_sub(promises[i] as i32).wrapping_add(
                                super::order::promise(weights, good, &after).0 as i32,
                            );
                            child
                        }
                    }
                };
                if hint == Some(column) {
                    promise = promise.wrapping_add(weights[HINT]);
                }
                self.children[base + count] = child;
                order[count & 31] = u64::from(promise as u32 ^ 1 << 31) << 8 | count as u64;
                count += 1;
            }
        }
        Ok(count)
    }
}

/// Whether a set holds more than one cell.
#[inline(always)]
fn several(set: u64) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// [`Search::visit_with`] for every machine.
fn visit_one<G: Geometry>(search: &mut Search<'_, G>, node: usize, value: i32) -> i32 {
    search.visit_with::<One>(node, value)
}

/// [`Search::visit_with`] compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn visit_four<G: Geometry>(search: &mut Search<'_, G>, node: usize, value: i32) -> i32 {
    search.visit_with::<super::word::Four>(node, value)
}

/// [`Search::visit_with`] compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn visit_counting<G: Geometry>(search: &mut Search<'_, G>, node: usize, value: i32) -> i32 {
    search.visit_with::<super::word::Counting>(node, value)
}
