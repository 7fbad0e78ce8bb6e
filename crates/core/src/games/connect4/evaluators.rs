//! The evaluators of Connect Four.

use super::board_layout::BoardLayout;
use super::state::{Connect4State, ConnectFour};
use crate::games::game::{Game, Player, SearchHints};
use crate::games::grid::lines_on_grid::Grid;
use crate::games::linear_evaluator::{Features, difference};
use crate::games::segments_evaluator::{LineGame, Segments};

impl<L: BoardLayout> LineGame for ConnectFour<L> {
    type Board = u64;

    #[inline]
    fn grid(&self) -> &Grid<u64> {
        self.layout.grid()
    }

    #[inline]
    fn stones(&self, state: &Connect4State) -> [u64; 2] {
        [state.stones(Player::First), state.stones(Player::Second)]
    }

    #[inline]
    fn segments(&self, state: &Connect4State, segments: &Segments) -> i32 {
        // Positions are stored from the mover's side; the result is converted back below.
        let stones = [state.mover, state.mover ^ state.all];
        state.side().sign() * self.layout.segments(stones, state.has_line(), segments)
    }
}

/// - `centre`: stones in the middle column (or the middle two columns);
/// - `inner`: stones in the columns next to them;
/// - `lines`: lines that the opponent has not blocked;
/// - `threats`: empty cells that would complete a line;
/// - `playable`: threats that a stone can reach now;
/// - `stacked`: pairs of threats, one directly above the other;
/// - `zugzwang`: threats in the rows where the end of the game forces the opponent to play
///   below: odd rows for the first player, even rows for the second (V. Allis, "A
///   Knowledge-based Approach of Connect-Four", 1988, chapter 3).
impl<L: BoardLayout> Features<7> for ConnectFour<L> {
    const FEATURES: [(&'static str, i64); 7] = [
        ("centre", 4),
        ("inner", 2),
        ("lines", 1),
        ("threats", 10),
        ("playable", 20),
        ("stacked", 30),
        ("zugzwang", 20),
    ];

    #[inline]
    fn features(&self, state: &Connect4State) -> [i32; 7] {
        let [first, second] = Player::BOTH.map(|player| {
            let (own, enemy) = (state.stones(player), state.stones(player.other()));
            let threats = self.completing_cells(state, player);
            let late = self.rows_of_parity(player.index() as u32);
            [
                (own & self.middle(0)).count_ones() as i32,
                (own & self.middle(1)).count_ones() as i32,
                self.layout.grid().count_open(own, enemy) as i32,
                threats.count_ones() as i32,
                (threats & self.playable(state)).count_ones() as i32,
                (threats & threats >> 1).count_ones() as i32,
                (threats & late).count_ones() as i32,
            ]
        });
        difference(first, second)
    }

    fn largest_feature(&self) -> u32 {
        let size = self.hints().max_plies().unwrap_or(64);
        self.layout.grid().lines.max(size)
    }
}

impl<L: BoardLayout> ConnectFour<L> {
    /// The column or two columns at this distance from the middle.
    #[inline]
    fn middle(&self, distance: u32) -> u64 {
        let columns = self.layout.columns();
        let (left, right) = ((columns - 1) / 2, columns / 2);
        match left.checked_sub(distance) {
            Some(left) => self.layout.column(left) | self.layout.column(right + distance),
            None => 0,
        }
    }

    /// The cells of every second row, starting with row 0 or 1 from the bottom.
    #[inline]
    fn rows_of_parity(&self, parity: u32) -> u64 {
        let column = 0x5555_5555_5555_5555 << parity & self.layout.column(0);
        column * self.layout.bottoms()
    }
}
