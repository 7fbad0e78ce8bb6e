//! The search of the m,n,k solver: can the attacker complete a line within some plies?
//!
//! The defender succeeds by completing a line first or by surviving. Answers are bounds. A
//! positive number: the attacker wins within this number of plies. A negative number: there is no
//! win within its absolute value. [`NEVER`] is longer than every game.

use super::board_lines::LineBoard;
use super::line_scan::{LineScan, SideStones};
use super::pairing_proof;
use super::symmetric_key::{Codes, Images};
use crate::solve::bound_table::{BoundTable, StoredBounds};

/// More plies than any game can have. In the table, `lower` is a number of plies within which there is
/// no win, and `upper` one within which there is a win.
pub const NEVER: i32 = 99;

const NO_MOVE: u8 = 127;

#[derive(Debug, Clone, Copy)]
pub struct AttackNode {
    pub stones: SideStones,
    pub codes: Codes,
}

pub struct MnkSearch<'a> {
    pub board: &'a LineBoard,
    pub images: &'a Images,
    pub table: &'a mut BoundTable,
    pub nodes: u64,
    /// The attacker: 0 for the first player.
    pub attacker: usize,
}

/// The bounds of a position before its moves are tried.
struct Known {
    code: u128,
    symmetry: usize,
    lower: i32,
    upper: i32,
    best: u64,
}

impl MnkSearch<'_> {
    fn empty(&self, node: &AttackNode) -> u64 {
        self.board.all() & !(node.stones.attacker | node.stones.defender)
    }

    /// The attacker is to move: does the attacker win within `plies`?
    pub fn attack(&mut self, node: &AttackNode, plies: i32) -> i32 {
        self.nodes += 1;
        let empty = self.empty(node);
        let left = empty.count_ones() as i32;
        let scan = LineScan::at(self.board, node.stones);
        if scan.wins != 0 {
            return 1;
        }
        let Some(nearest) = scan.nearest() else { return -NEVER };
        // Only a double threat wins between two and four plies.
        let soonest = 2 * nearest as i32 - 2;
        if plies <= soonest || left <= soonest || scan.threats.count_ones() > 1 {
            let beaten = left <= soonest || scan.threats.count_ones() > 1;
            return if beaten { -NEVER } else { -soonest };
        }
        let allowed = if scan.threats == 0 { empty } else { scan.threats };
        if scan.double_threat_replies(self.board, node.stones, allowed) != u64::MAX {
            return 3;
        }
        if left <= 4 {
            return -NEVER;
        }
        if plies <= 4 {
            return -4;
        }
        let most = u32::try_from(left.min(plies) + 1).unwrap_or(0) / 2;
        if scan.is_outweighed(most, true) {
            return if scan.is_outweighed(u32::MAX, true) || plies >= left {
                -NEVER
            } else {
                -plies
            };
        }
        let mut known = match self.known(node, plies) {
            Ok(known) => known,
            Err(answer) => return answer,
        };
        if pairing_proof::blocks(self.board, node.stones, most) {
            let never = plies >= left || pairing_proof::blocks(self.board, node.stones, u32::MAX);
            known.lower = if never { NEVER } else { plies };
            self.store(&known, NO_MOVE, 0);
            return -known.lower;
        }
        let before = self.nodes;
        let moves = if scan.threats != 0 {
            scan.threats
        } else if self.board.exact {
            empty
        } else {
            scan.open(most) | scan.counter(most)
        };
        let mut order = Order::new(self.board, node.stones, moves, known.best);
        let mut lower = NEVER;
        while let Some(cell) = order.next() {
            let mut stones = node.stones;
            stones.attacker |= 1 << cell;
            let codes = self.images.with(node.codes, cell, self.attacker);
            let answer = self.defend(&AttackNode { stones, codes }, plies - 1);
            if answer > 0 {
                known.upper = known.upper.min(answer + 1);
                self.store(&known, cell as u8, self.nodes - before);
                return known.upper;
            }
            lower = lower.min(1 - answer);
        }
        known.lower = known.lower.max(if lower >= left { NEVER } else { lower });
        self.store(&known, NO_MOVE, self.nodes - before);
        -known.lower
    }

    /// The defender is to move: does the attacker win within `plies`?
    pub fn defend(&mut self, node: &AttackNode, plies: i32) -> i32 {
        self.nodes += 1;
        let empty = self.empty(node);
        let left = empty.count_ones() as i32;
        let scan = LineScan::at(self.board, node.stones);
        let Some(nearest) = scan.nearest() else { return -NEVER };
        let soonest = 2 * nearest as i32 - 1;
        if scan.threats != 0 || left <= soonest {
            return -NEVER;
        }
        if scan.wins.count_ones() > 1 && plies >= 2 {
            return 2;
        }
        if plies <= soonest {
            return -soonest;
        }
        let most = left.min(plies) as u32 / 2;
        if scan.is_outweighed(most, false) {
            return if scan.is_outweighed(u32::MAX, false) || plies >= left {
                -NEVER
            } else {
                -plies
            };
        }
        let mut upper = 2;
        let moves = if scan.wins != 0 {
            scan.wins
        } else {
            let all =
                if self.board.exact { empty } else { scan.open(most) | scan.counter(most + 1) };
            let replies = scan.double_threat_replies(self.board, node.stones, empty);
            if replies == u64::MAX {
                all
            } else {
                // The attacker answers all other moves with the double threat.
                upper = 4;
                (replies | scan.forcing()) & empty
            }
        };
        let mut known = match self.known(node, plies) {
            Ok(known) => known,
            Err(answer) => return answer,
        };
        let before = self.nodes;
        let mut order = Order::new(self.board, node.stones, moves, known.best);
        while let Some(cell) = order.next() {
            let mut stones = node.stones;
            stones.defender |= 1 << cell;
            let codes = self.images.with(node.codes, cell, 1 - self.attacker);
            let answer = self.attack(&AttackNode { stones, codes }, plies - 1);
            if answer <= 0 {
                let lower = 1 - answer;
                known.lower = known.lower.max(if lower >= left { NEVER } else { lower });
                self.store(&known, cell as u8, self.nodes - before);
                return -known.lower;
            }
            upper = upper.max(answer + 1);
        }
        known.upper = known.upper.min(upper);
        self.store(&known, NO_MOVE, self.nodes - before);
        known.upper
    }

    /// The bounds in the table, or an answer.
    #[inline]
    fn known(&self, node: &AttackNode, plies: i32) -> Result<Known, i32> {
        let (code, symmetry) = Images::smallest(&node.codes);
        let code = 2 * code + self.attacker as u128;
        let mut known = Known { code, symmetry, lower: 0, upper: NEVER, best: 0 };
        if let Some(found) = self.table.get(code) {
            let (lower, upper) = (i32::from(found.lower), i32::from(found.upper));
            if upper <= plies {
                return Err(upper);
            }
            if lower >= plies {
                return Err(-lower);
            }
            (known.lower, known.upper) = (lower, upper);
            if found.best != NO_MOVE {
                known.best = 1 << self.images.origin(symmetry, u32::from(found.best));
            }
        }
        Ok(known)
    }

    fn store(&mut self, known: &Known, best: u8, nodes: u64) {
        let best = match best {
            NO_MOVE if known.best == 0 => NO_MOVE,
            NO_MOVE => self.images.image(known.symmetry, known.best.trailing_zeros()) as u8,
            cell => self.images.image(known.symmetry, u32::from(cell)) as u8,
        };
        let found = StoredBounds { lower: known.lower as u8, upper: known.upper as u8, best };
        self.table.put(known.code, found, nodes);
    }
}

/// The moves of a position in the order of the search, the most promising first.
struct Order {
    moves: [(u32, u32); 64],
    count: usize,
    next: usize,
}

impl Order {
    /// Ranks a set of cells by the number of lines through them that one side can still complete.
    /// Each stone in a line doubles its weight. `hint` comes first.
    fn new(board: &LineBoard, stones: SideStones, cells: u64, hint: u64) -> Order {
        let mut order = Order { moves: [(0, 0); 64], count: 0, next: 0 };
        let mut scores = [0u32; 64];
        if cells & (cells.wrapping_sub(1)) != 0 {
            let SideStones { attacker, defender } = stones;
            let taken = attacker | defender;
            for line in &board.lines {
                let mine = line.cells & defender == 0 && line.ends & attacker == 0;
                let theirs = line.cells & attacker == 0 && line.ends & defender == 0;
                if mine || theirs {
                    let held = (line.cells & taken).count_ones().min(20);
                    // These weights were found by trials on boards up to 7 × 7.
                    let weight = match (mine, theirs) {
                        (true, true) => 8,
                        (true, false) => 5 << held,
                        _ => 4 << held,
                    };
                    let mut empty = line.cells & !taken;
                    while empty != 0 {
                        scores[empty.trailing_zeros() as usize] += weight;
                        empty &= empty - 1;
                    }
                }
            }
            if hint != 0 {
                scores[hint.trailing_zeros() as usize] = u32::MAX;
            }
        }
        let mut rest = cells;
        while rest != 0 {
            let cell = rest.trailing_zeros();
            rest &= rest - 1;
            order.moves[order.count] = (scores[cell as usize], cell);
            order.count += 1;
        }
        order
    }

    fn next(&mut self) -> Option<u32> {
        let rest = &mut self.moves[self.next..self.count];
        let best = (0..rest.len()).max_by_key(|&i| (rest[i].0, u32::MAX - rest[i].1))?;
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0].1)
    }
}
