//! The search of the Othello solver: does the player to move end with at least this lead?

use super::flip_rays::FlipRays;
use crate::games::Othello;
use crate::games::grid::bitboard::Bitboard;
use crate::solve::bound_table::{BoundTable, StoredBounds};

/// With this number of empty cells or fewer, moves are ordered by regions only.
const LAST: u32 = 6;
/// The table has positions with at least this number of empty cells,
const STORED: u32 = 9;
/// those with at least this number are looked up before one of them is searched,
const LOOKED_UP: u32 = 10;
/// and of those with at least this number, all images share one entry.
const MIRRORED: u32 = 16;
/// With at least this number, shallow searches order the moves.
const ORDERED_BY_SEARCH: u32 = 14;
/// At most this number of plies.
const ORDER_PLIES: u32 = 6;

fn sort(children: &mut [Child]) {
    children.sort_unstable_by_key(|child| child.order);
}

/// More than any value of a shallow search.
const INFINITE: i32 = 1 << 20;

pub(super) const NO_MOVE: u8 = 127;

/// The discs of the player to move, and the opponent's.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Discs {
    pub own: u64,
    pub enemy: u64,
}

impl Discs {
    /// The same position for the other player.
    #[inline]
    fn passed(self) -> Discs {
        Discs { own: self.enemy, enemy: self.own }
    }

    #[inline]
    fn lead(self) -> i32 {
        self.own.count_ones() as i32 - self.enemy.count_ones() as i32
    }
}

#[derive(Clone, Copy, Default)]
struct Child {
    discs: Discs,
    order: i32,
    cell: u8,
}

/// The most empty cells of a position that can be searched, and so of moves: a board of six rows.
pub(super) const MOST_EMPTY: usize = 32;

pub(super) struct DiscSearch {
    pub game: Othello,
    rays: FlipRays,
    /// The quarters of the board.
    regions: [u64; 4],
    /// A row's discs of one side as a number of base three.
    base_three: [u16; 256],
    pub table: BoundTable,
    pub nodes: u64,
}

impl DiscSearch {
    pub fn new(game: Othello, table: BoundTable) -> DiscSearch {
        let half = game.size() / 2;
        let quarter = (0..half).fold(0, |all, y| all | ((1 << half) - 1) << (8 * y));
        let mut base_three = [0; 256];
        for row in 1..256 {
            base_three[row] = 3 * base_three[row / 2] + (row as u16 & 1);
        }
        DiscSearch {
            rays: FlipRays::new(game.size() as i32),
            regions: [0, half, 8 * half, 9 * half].map(|shift| quarter << shift),
            base_three,
            game,
            table,
            nodes: 0,
        }
    }

    pub fn empty(&self, discs: Discs) -> u64 {
        self.game.board & !(discs.own | discs.enemy)
    }

    #[inline]
    fn legal(&self, discs: Discs) -> u64 {
        self.game.legal(discs.own, discs.enemy)
    }

    /// The position after a move, and the number of discs that it turns over.
    #[inline]
    fn after(&self, discs: Discs, cell: u32) -> (Discs, u32) {
        let turned = self.rays.turned(discs.own, discs.enemy, cell);
        let own = discs.own | turned | 1 << cell;
        (Discs { own: discs.enemy ^ turned, enemy: own }, turned.count_ones())
    }

    /// The least of the position's images, and its number, while there are many empty cells.
    #[inline]
    pub fn canonical(&self, discs: Discs, empty: u32) -> (Discs, usize) {
        let image = |s| (self.game.image(s, discs.own), self.game.image(s, discs.enemy));
        let images = if empty < MIRRORED { 1 } else { 8 };
        let least = (0..images).map(|s| (image(s), s)).min();
        let ((own, enemy), s) = least.unwrap_or_default();
        (Discs { own, enemy }, s)
    }

    /// The cells as a number of base three.
    #[inline]
    pub fn code(&self, discs: Discs) -> u128 {
        let (own, enemy) = (discs.own.to_le_bytes(), discs.enemy.to_le_bytes());
        let number = |byte: u8| u64::from(self.base_three[usize::from(byte)]);
        let row = |y: usize| number(own[y]) + 2 * number(enemy[y]);
        let half =
            |y: usize| row(y) + 6561 * (row(y + 1) + 6561 * (row(y + 2) + 6561 * row(y + 3)));
        // Half a board has less than 2^51 positions.
        u128::from(half(0)) | u128::from(half(4)) << 51
    }

    /// The bounds of a position in the table.
    #[inline]
    fn known(&self, code: u128) -> Option<(i32, i32, u8)> {
        let found = self.table.get(code)?;
        Some((i32::from(found.lower) - 64, i32::from(found.upper) - 63, found.best))
    }

    /// Cells in regions with an odd number of empty cells: their last move is often one's own.
    #[inline]
    fn odd_regions(&self, empty: u64) -> u64 {
        let odd = |region: &&u64| (empty & **region).count_ones() & 1 == 1;
        self.regions.iter().filter(odd).fold(0, |all, region| all | region)
    }

    /// A bound on the lead at the end: at least `bound`, and then from below, or else from above.
    pub fn search(&mut self, discs: Discs, bound: i32) -> i32 {
        let empty = self.empty(discs);
        let count = empty.count_ones();
        if count <= LAST {
            return self.search_last(discs, empty, bound, false);
        }
        self.nodes += 1;
        let (discs, _) = self.canonical(discs, count);
        let empty = self.empty(discs);
        let moves = self.legal(discs);
        if moves == 0 {
            if self.legal(discs.passed()) == 0 {
                return discs.lead();
            }
            return -self.search(discs.passed(), 1 - bound);
        }
        let before = self.nodes;
        let (mut lower, mut upper, mut best) = (-64, 64, NO_MOVE);
        let code = if count >= STORED { self.code(discs) } else { 0 };
        if count >= STORED
            && let Some(known) = self.known(code)
        {
            (lower, upper, best) = known;
            if lower >= bound {
                return lower;
            }
            if upper < bound {
                return upper;
            }
        }
        let mut children = [Child::default(); MOST_EMPTY];
        let odd = self.odd_regions(empty);
        for (i, cell) in moves.cells().enumerate() {
            let (child, _) = self.after(discs, cell);
            if count >= LOOKED_UP {
                let (canonical, _) = self.canonical(child, count - 1);
                if let Some((_, upper, _)) = self.known(self.code(canonical))
                    && -upper >= bound
                {
                    return -upper;
                }
            }
            let order = match count.checked_sub(ORDERED_BY_SEARCH) {
                _ if cell == u32::from(best) => -INFINITE,
                Some(more) => self.guess(child, (more / 3).min(ORDER_PLIES), -INFINITE, INFINITE),
                None => self.order(child, empty, odd, 1 << cell),
            };
            children[i] = Child { discs: child, order, cell: cell as u8 };
        }
        let children = &mut children[..moves.count_ones() as usize];
        sort(children);
        let mut value = -INFINITE;
        for child in children {
            let found = -self.search(child.discs, 1 - bound);
            value = value.max(found);
            if found >= bound {
                best = child.cell;
                break;
            }
        }
        if count >= STORED {
            if value >= bound {
                lower = value;
            } else {
                upper = value;
            }
            // A bound of seven bits: one disc less than everything is also true.
            let (lower, upper) = ((lower.min(63) + 64) as u8, (upper.max(-63) + 63) as u8);
            self.table.put(code, StoredBounds { lower, upper, best }, self.nodes - before + 1);
        }
        value
    }

    /// The order of a move, the least first: moves after which the opponent has few of them.
    #[inline]
    fn order(&self, child: Discs, empty: u64, odd: u64, cell: u64) -> i32 {
        let replies = self.legal(child);
        let corners = self.game.corners;
        let later = self.game.around(child.enemy) & empty & !cell;
        let replies = 4 * (replies.count_ones() + (replies & corners).count_ones());
        let good = 8 * (cell & corners).count_ones() + 2 * (cell & odd).count_ones();
        (replies + later.count_ones()) as i32 - good as i32
    }

    /// The search of the last cells.
    fn search_last(&mut self, discs: Discs, empty: u64, bound: i32, passed: bool) -> i32 {
        self.nodes += 1;
        if empty & empty.wrapping_sub(1) == 0 {
            return self.last_disc(discs, empty);
        }
        let odd = self.odd_regions(empty);
        let near = empty & self.game.around(discs.enemy);
        let mut value = -INFINITE;
        for cells in [near & odd, near & !odd] {
            for cell in cells.cells() {
                let (child, turned) = self.after(discs, cell);
                if turned == 0 {
                    continue;
                }
                let found = -self.search_last(child, empty ^ 1 << cell, 1 - bound, false);
                if found >= bound {
                    return found;
                }
                value = value.max(found);
            }
        }
        match (value == -INFINITE, passed) {
            (false, _) => value,
            (true, false) => -self.search_last(discs.passed(), empty, 1 - bound, true),
            (true, true) => discs.lead(),
        }
    }

    /// The lead at the end with at most one empty cell.
    #[inline]
    fn last_disc(&self, discs: Discs, empty: u64) -> i32 {
        let lead = discs.lead();
        if empty == 0 {
            return lead;
        }
        let turned = |Discs { own, enemy }| {
            self.rays.turned(own, enemy, empty.trailing_zeros()).count_ones() as i32
        };
        match turned(discs) {
            0 => match turned(discs.passed()) {
                0 => lead,
                other => lead - 1 - 2 * other,
            },
            own => lead + 1 + 2 * own,
        }
    }

    /// A shallow alpha-beta search for the order of moves.
    fn guess(&mut self, discs: Discs, plies: u32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        if plies == 0 {
            return self.evaluate(discs);
        }
        let moves = self.legal(discs);
        if moves == 0 {
            if self.legal(discs.passed()) == 0 {
                return 100 * discs.lead();
            }
            return -self.guess(discs.passed(), plies, -beta, -alpha);
        }
        let mut children = [Child::default(); MOST_EMPTY];
        for (i, cell) in moves.cells().enumerate() {
            let (child, _) = self.after(discs, cell);
            let corner = (1 << cell & self.game.corners).count_ones();
            let replies = if plies > 1 { self.legal(child).count_ones() } else { 0 };
            children[i] =
                Child { discs: child, order: replies as i32 - 8 * corner as i32, cell: 0 };
        }
        let children = &mut children[..moves.count_ones() as usize];
        sort(children);
        for child in children {
            alpha = alpha.max(-self.guess(child.discs, plies - 1, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// Moves, later moves, discs next to an empty cell, corners, and cells diagonally next to an
    /// empty corner. The weights are guesses; they change no value.
    fn evaluate(&self, discs: Discs) -> i32 {
        let (game, empty) = (&self.game, self.empty(discs));
        let (corners, open) = (game.corners, game.around(empty));
        let bad = game.around(game.corners & empty) & game.x_cells;
        let side = |own: u64, enemy: u64| {
            let moves = game.legal(own, enemy);
            let later = game.around(enemy) & empty;
            let counts = [moves, moves & corners, later, own & open, own & corners, own & bad];
            let mut value = 0;
            for (set, weight) in counts.into_iter().zip([4, 4, 1, -1, 16, -6]) {
                value += set.count_ones() as i32 * weight;
            }
            value
        };
        let (own, enemy): (i32, i32) = (side(discs.own, discs.enemy), side(discs.enemy, discs.own));
        own - enemy
    }
}
