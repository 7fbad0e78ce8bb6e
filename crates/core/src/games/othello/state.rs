//! The game of Othello, its positions, and the discs that a move turns over.

use crate::games::player::Player;

/// Othello on a square board. Cells have the number 8 × row + column, from `a1`, the top left.
#[derive(Debug, Clone, Copy)]
pub struct Othello {
    pub(super) size: u8,
    pub(crate) board: u64,
    /// The board without its leftmost and rightmost column: a line along a row or a diagonal goes
    /// on only from these cells.
    inner: u64,
    pub(crate) corners: u64,
    pub(super) edges: u64,
    /// The cells diagonally next to the corners.
    pub(crate) x_cells: u64,
}

/// A position: 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OthelloState {
    pub(super) discs: [u64; 2],
    /// The legal cells of the player to move; none if the player must pass.
    pub(super) moves: u64,
    pub(super) side: Player,
    pub(super) over: bool,
}

/// A cell, or a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct OthelloMove(pub(super) u8);

impl OthelloMove {
    pub const PASS: OthelloMove = OthelloMove(64);

    /// The cell as a set; `None` for a pass.
    pub(crate) fn cell(self) -> Option<u64> {
        (self != Self::PASS).then(|| 1 << self.0)
    }
}

impl OthelloState {
    /// The discs of a side, a bit for each cell.
    #[inline]
    pub fn discs(&self, player: Player) -> u64 {
        self.discs[player.index()]
    }

    /// The player to move; in a finished game, of no meaning.
    #[inline]
    pub fn side(&self) -> Player {
        self.side
    }

    /// The first player's discs minus the second player's.
    #[inline]
    pub(super) fn lead(&self) -> i32 {
        let [first, second] = self.discs.map(u64::count_ones);
        first as i32 - second as i32
    }
}

const COLUMN: u64 = 0x0101_0101_0101_0101;

impl Othello {
    pub(super) fn new(size: u8) -> Self {
        let last = size - 1;
        let row = (1_u64 << size) - 1;
        let rows = |row: u64| (0..size).fold(0, |all, y| all | row << (8 * y));
        let inner_row = row & !(1 | 1 << last);
        let ends = |near: u8, far: u8| {
            let columns = 1_u64 << near | 1 << far;
            columns << (8 * near) | columns << (8 * far)
        };
        Othello {
            size,
            board: rows(row),
            inner: rows(inner_row),
            corners: ends(0, last),
            edges: rows(row) & !(rows(inner_row) & !(row | row << (8 * last))),
            x_cells: ends(1, last - 1),
        }
    }

    /// The number of rows and of columns.
    pub fn size(&self) -> u32 {
        u32::from(self.size)
    }

    /// The four cells in the middle.
    pub(super) fn middle(&self) -> u64 {
        let near = self.size / 2 - 1;
        0b11 << near << (8 * near) | 0b11 << near << (8 * near + 8)
    }

    /// The four directions, each to be used forwards and backwards: the difference of cell numbers,
    /// and the enemy discs from which a line goes on.
    #[inline]
    fn lines(&self, enemy: u64) -> [(u32, u64); 4] {
        let inner = enemy & self.inner;
        [(1, inner), (8, enemy), (7, inner), (9, inner)]
    }

    /// The cells where a side turns over at least one disc.
    #[inline]
    pub(crate) fn legal(&self, own: u64, enemy: u64) -> u64 {
        let mut found = 0;
        for (step, between) in self.lines(enemy) {
            let (mut up, mut down) = (between & own << step, between & own >> step);
            up |= between & up << step;
            down |= between & down >> step;
            // Two steps at once: at most six discs are between two others.
            let (pairs_up, pairs_down) = (between & between << step, between & between >> step);
            for _ in 0..2 {
                up |= pairs_up & up << (2 * step);
                down |= pairs_down & down >> (2 * step);
            }
            found |= up << step | down >> step;
        }
        found & self.board & !(own | enemy)
    }

    /// The discs that a disc on this cell turns over.
    #[inline]
    pub(super) fn turned(&self, own: u64, enemy: u64, cell: u8) -> u64 {
        let disc = 1_u64 << cell;
        let mut turned = 0;
        for (step, between) in self.lines(enemy) {
            let (mut up, mut down) = (between & disc << step, between & disc >> step);
            for _ in 0..5 {
                up |= between & up << step;
                down |= between & down >> step;
            }
            if up << step & own != 0 {
                turned |= up;
            }
            if down >> step & own != 0 {
                turned |= down;
            }
        }
        turned
    }

    /// The position with these discs.
    #[inline]
    pub(super) fn position(&self, discs: [u64; 2], side: Player) -> OthelloState {
        let (own, other) = (discs[side.index()], discs[side.other().index()]);
        let moves = self.legal(own, other);
        let over = moves == 0 && self.legal(other, own) == 0;
        // A finished position does not depend on the last player.
        let side = if over { Player::First } else { side };
        OthelloState { discs, moves, side, over }
    }

    /// The cells next to a set.
    #[inline]
    pub(crate) fn around(&self, set: u64) -> u64 {
        let (left, right) = (set & !COLUMN, set & !(COLUMN << (self.size - 1)));
        let row = set | left >> 1 | right << 1;
        (row | row << 8 | row >> 8) & self.board
    }

    /// The image of a set: left and right exchanged for bit 0 of `s`, top and bottom for bit 1,
    /// rows and columns for bit 2.
    pub(crate) fn image(&self, s: usize, mut set: u64) -> u64 {
        let unused = 8 - self.size;
        if s & 1 != 0 {
            set = set.reverse_bits().swap_bytes() >> unused;
        }
        if s & 2 != 0 {
            set = set.swap_bytes() >> (8 * unused);
        }
        if s & 4 != 0 { transposed(set) } else { set }
    }

    /// The position with the colours exchanged: the same game with negated values.
    pub fn exchanged(&self, state: &OthelloState) -> OthelloState {
        let [first, second] = state.discs;
        self.position([second, first], state.side.other())
    }
}

/// Rows and columns exchanged, in blocks of 1, 2 and 4 cells (Warren, "Hacker's Delight", 7-3).
fn transposed(mut set: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let swap = (set ^ set >> shift) & mask;
        set ^= swap ^ swap << shift;
    }
    set
}
