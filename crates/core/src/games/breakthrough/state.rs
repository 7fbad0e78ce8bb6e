//! The game of Breakthrough and its positions.

use crate::games::grid::bitboard::Bitboard;
use crate::games::player::Player;

/// Breakthrough on a board of at most 64 cells. Cells are numbered row by row from `a1`, the bottom
/// left. The first player moves up.
#[derive(Debug, Clone, Copy)]
pub struct Breakthrough {
    pub(super) columns: u8,
    pub(super) rows: u8,
    /// The leftmost and the rightmost column.
    edges: [u64; 2],
    /// The home rows of both sides.
    home: [u64; 2],
}

/// A position: 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakthroughState {
    pub(super) pieces: [u64; 2],
    /// The side to move; in a finished game, the loser.
    pub(super) side: Player,
}

/// A step of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BreakthroughMove {
    /// The cell of the piece.
    pub from: u8,
    pub to: u8,
}

/// The three directions of a step, from the left.
pub(super) const WAYS: [Way; 3] = [Way::Left, Way::Straight, Way::Right];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Left,
    Straight,
    Right,
}

impl BreakthroughState {
    /// The pieces of a side, a bit for each cell.
    #[inline]
    pub fn pieces(&self, player: Player) -> u64 {
        self.pieces[player.index()]
    }

    /// The side to move; in a finished game, the loser.
    #[inline]
    pub fn side(&self) -> Player {
        self.side
    }
}

impl Breakthrough {
    pub(super) fn new(columns: u8, rows: u8) -> Self {
        let column = (0..rows).fold(0, |all, row| all | 1 << (columns * row));
        let row = (1 << columns) - 1;
        Breakthrough {
            columns,
            rows,
            edges: [column, column << (columns - 1)],
            home: [row, row << (columns * (rows - 1))],
        }
    }

    /// The number of columns and of rows.
    pub fn size(&self) -> (u32, u32) {
        (u32::from(self.columns), u32::from(self.rows))
    }

    #[inline]
    pub(super) fn cells(&self) -> u32 {
        u32::from(self.columns) * u32::from(self.rows)
    }

    /// A row, counted from a side's home row.
    #[inline]
    pub(super) fn row(&self, player: Player, row: u8) -> u64 {
        let row = match player {
            Player::First => row,
            Player::Second => self.rows - 1 - row,
        };
        self.home[0] << (self.columns * row)
    }

    /// The home row of a side: the goal of the opponent.
    #[inline]
    pub(super) fn home(&self, player: Player) -> u64 {
        self.home[player.index()]
    }

    /// The number of rows between a cell and a side's home row.
    #[inline]
    pub(super) fn progress(&self, player: Player, cell: u8) -> i32 {
        let row = cell / self.columns;
        i32::from(if player == Player::First { row } else { self.rows - 1 - row })
    }

    /// The cells in front of pieces, in one direction. No piece may be on its last row.
    #[inline]
    pub(super) fn ahead(&self, pieces: u64, player: Player, way: Way) -> u64 {
        let inside = match way {
            Way::Left => pieces & !self.edges[0],
            Way::Straight => pieces,
            Way::Right => pieces & !self.edges[1],
        };
        let steps = self.steps(player, way);
        if player == Player::First { inside << steps } else { inside >> steps }
    }

    /// The difference between the numbers of a piece's cell and its target.
    #[inline]
    fn steps(&self, player: Player, way: Way) -> u8 {
        match (player, way) {
            (_, Way::Straight) => self.columns,
            (Player::First, Way::Left) | (Player::Second, Way::Right) => self.columns - 1,
            (Player::First, Way::Right) | (Player::Second, Way::Left) => self.columns + 1,
        }
    }

    /// The targets of the side to move, in one direction.
    #[inline]
    pub(super) fn targets(&self, state: &BreakthroughState, way: Way) -> u64 {
        let own = state.pieces(state.side);
        let taken = match way {
            Way::Straight => own | state.pieces(state.side.other()),
            _ => own,
        };
        self.ahead(own, state.side, way) & !taken
    }

    /// The step to a target.
    #[inline]
    pub(super) fn step(&self, player: Player, way: Way, to: u32) -> BreakthroughMove {
        let (to, steps) = (to as u8, self.steps(player, way));
        let from = if player == Player::First { to - steps } else { to + steps };
        BreakthroughMove { from, to }
    }

    /// The cells that pieces attack: diagonally in front of them.
    #[inline]
    pub(super) fn attacked(&self, pieces: u64, player: Player) -> u64 {
        self.ahead(pieces, player, Way::Left) | self.ahead(pieces, player, Way::Right)
    }

    /// Whether a side has won.
    #[inline]
    pub(super) fn has_won(&self, state: &BreakthroughState, player: Player) -> bool {
        let other = player.other();
        state.pieces(player) & self.home(other) != 0 || state.pieces(other) == 0
    }

    /// Calls `found` with each move, in the game's order.
    #[inline]
    pub(crate) fn each_move(
        &self,
        state: &BreakthroughState,
        mut found: impl FnMut(BreakthroughMove),
    ) {
        for way in WAYS {
            for to in self.targets(state, way).cells() {
                found(self.step(state.side, way, to));
            }
        }
    }

    #[inline]
    pub(crate) fn count_moves(&self, state: &BreakthroughState) -> u32 {
        WAYS.into_iter().map(|way| self.targets(state, way).count_ones()).sum()
    }

    /// Whether the side to move can step to the row before the last where no piece attacks.
    #[inline]
    pub(crate) fn has_safe_step(&self, state: &BreakthroughState) -> bool {
        let other = state.side.other();
        let attacked = self.attacked(state.pieces(other), other);
        let safe = self.row(state.side, self.rows - 2) & !attacked;
        WAYS.into_iter().any(|way| self.targets(state, way) & safe != 0)
    }

    /// The position with left and right exchanged.
    #[inline]
    pub(crate) fn mirror_image(&self, state: &BreakthroughState) -> BreakthroughState {
        // The board is rotated, and then its rows are exchanged.
        let (unused, columns) = (64 - self.cells(), self.columns);
        let mirrored = |pieces: u64| {
            let rotated = pieces.reverse_bits() >> unused;
            let row = |y: u8| rotated >> (columns * (self.rows - 1 - y)) & self.home[0];
            (0..self.rows).fold(0, |all, y| all | row(y) << (columns * y))
        };
        BreakthroughState { pieces: state.pieces.map(mirrored), side: state.side }
    }

    pub(super) fn mirrored_cell(&self, cell: u8) -> u8 {
        let column = cell % self.columns;
        cell - column + self.columns - 1 - column
    }

    /// The board rotated and the sides exchanged: the same game with negated values.
    pub fn exchanged(&self, state: &BreakthroughState) -> BreakthroughState {
        let unused = 64 - self.cells();
        let [first, second] = state.pieces.map(|pieces| pieces.reverse_bits() >> unused);
        BreakthroughState { pieces: [second, first], side: state.side.other() }
    }
}
