//! The rules of tic-tac-toe: the implementation of `Game`.

use rand::Rng;

use crate::games::cell_game;
use crate::games::cell_game::CellGame;
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{Bitboard, bits_of_sets, cell_image};
use crate::games::grid::lines_on_grid::Grid;
use crate::games::linear_evaluator::Features;
use crate::games::mnk_tictactoe_features;
use crate::games::mnk_tictactoe_features::Places;
use crate::games::segments_evaluator::LineGame;
use crate::games::{
    Configurable, Drawing, FullSearch, Game, NamedEvaluator, Notation, Offer, Player, SearchHints,
    Shortcuts, Symmetry, Turn, below,
};
use crate::params::ParamError;

#[derive(Debug, Clone, Copy, Default)]
pub struct TicTacToe;

/// A position, from the mover's point of view: a move then swaps the sides with one exclusive or, and the
/// stones stay in registers. A set has one bit for each cell, without guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TicTacToeState {
    mover: u16,
    all: u16,
    plies: u8,
    /// Whether the last stone completed a line.
    line: bool,
}

/// Three rows of three cells, each with a guard bit, and eight lines.
const GRID: Grid<u16> = Grid {
    cells: 0b0111_0111_0111,
    steps: [1, 4, 3, 5],
    firsts: [0b0001_0001_0001, 0b0111, 0b0100, 0b0001],
    directions: 4,
    length: 3,
    exact: false,
    lines: 8,
};

impl TicTacToeState {
    #[inline]
    fn side(&self) -> Player {
        if self.plies & 1 == 0 { Player::First } else { Player::Second }
    }

    #[inline]
    fn empty(&self) -> u16 {
        0o777 & !self.all
    }

    /// The stones of the first and of the second player on the grid.
    #[inline]
    fn stones(&self) -> [u16; 2] {
        let other = self.mover ^ self.all;
        match self.side() {
            Player::First => [self.mover, other],
            Player::Second => [other, self.mover],
        }
        .map(with_guards)
    }
}

/// Whether each set of cells has a line.
static HAS_LINE: [bool; 512] = {
    let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut all = [false; 512];
    let mut place = 0;
    while place < 512 * lines.len() {
        let (set, line) = (place % 512, lines[place / 512]);
        all[set] |= set & line == line;
        place += 1;
    }
    all
};

/// A set of cells on the grid.
#[inline]
fn with_guards(set: u16) -> u16 {
    (set & 0o7) | ((set & 0o70) << 1) | ((set & 0o700) << 2)
}

/// The cell of a bit: each earlier row has one guard.
#[inline]
fn cell(bit: u32) -> u8 {
    (bit - bit / 4) as u8
}

impl Game for TicTacToe {
    type State = TicTacToeState;
    /// The cell, row by row from the top left, starting at 0.
    type Move = u8;

    fn start(&self) -> TicTacToeState {
        TicTacToeState { mover: 0, all: 0, plies: 0, line: false }
    }

    #[inline]
    fn turn(&self, state: &TicTacToeState) -> Turn {
        if state.line || state.plies == 9 { Turn::Over } else { Turn::Player(state.side()) }
    }

    /// Cells in increasing order.
    #[inline]
    fn moves(&self, state: &TicTacToeState, out: &mut Vec<u8>) {
        out.extend(state.empty().cells().map(|cell| cell as u8));
    }

    #[inline(always)]
    fn play(&self, state: &mut TicTacToeState, mv: u8) {
        let stone = 1 << mv;
        state.line = HAS_LINE[usize::from(state.mover | stone) & 0o777];
        state.mover ^= state.all;
        state.all |= stone;
        state.plies += 1;
    }

    #[inline]
    fn payoff(&self, state: &TicTacToeState) -> i32 {
        if state.line { state.side().other().sign() } else { 0 }
    }

    /// All positions have different keys: the stones fill 24 bits and the mixing is invertible.
    #[inline]
    fn key(&self, state: &TicTacToeState) -> u64 {
        let [first, second] = state.stones().map(u64::from);
        let x = first | second << 12;
        let x = (x + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        x ^ x >> 32
    }

    fn reason(&self, state: &TicTacToeState) -> &'static str {
        if state.line { "line" } else { "board full" }
    }

    fn write_move(&self, _state: &TicTacToeState, mv: u8, out: &mut String) {
        out.push(char::from(b'0' + mv));
    }

    fn write_position(&self, state: &TicTacToeState) -> String {
        cell_game::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<TicTacToeState, String> {
        cell_game::read_position(self, text)
    }

    capabilities!(
        hints: SearchHints,
        shortcuts: Shortcuts,
        symmetry: Symmetry,
        notation: Notation,
        drawing: Drawing,
    );
}

/// The cells of each set, in increasing order.
static NTH_CELLS: [[u8; 9]; 512] = bits_of_sets();

/// The image of a cell for each symmetry of the square.
#[inline]
fn image(s: usize, cell: u8) -> u8 {
    let [column, row] = cell_image(s, [cell % 3, cell / 3].map(u32::from), [3; 2]);
    (3 * row + column) as u8
}

impl Symmetry<TicTacToe> for &TicTacToe {
    fn symmetries(self) -> usize {
        8
    }

    fn map_state(self, s: usize, state: &TicTacToeState) -> TicTacToeState {
        let map = |side: u16| {
            side.cells().map(|cell| image(s, cell as u8)).fold(0, |all, cell| all | 1 << cell)
        };
        TicTacToeState { mover: map(state.mover), all: map(state.all), ..*state }
    }

    fn map_move(self, s: usize, mv: u8) -> u8 {
        image(s, mv)
    }
}

impl Shortcuts<TicTacToe> for &TicTacToe {
    #[inline]
    fn legality(self, state: &TicTacToeState, mv: u8) -> Option<bool> {
        Some(mv < 9 && state.empty().has(u32::from(mv)))
    }

    #[inline(always)]
    fn random_move<R: Rng>(self, state: &TicTacToeState, rng: &mut R, _buffer: &mut Vec<u8>) -> u8 {
        let chosen = below(rng, 9 - u32::from(state.plies));
        NTH_CELLS[usize::from(state.empty())][chosen as usize]
    }
}

impl LineGame for TicTacToe {
    type Board = u16;

    #[inline]
    fn grid(&self) -> &Grid<u16> {
        &GRID
    }

    #[inline]
    fn stones(&self, state: &TicTacToeState) -> [u16; 2] {
        state.stones()
    }
}

impl CellGame for TicTacToe {
    fn size(&self) -> (u32, u32) {
        (3, 3)
    }

    fn move_to(&self, cell: u32) -> u8 {
        cell as u8
    }

    #[inline]
    fn on_bit(&self, bit: u32) -> u8 {
        cell(bit)
    }

    #[inline]
    fn lines_through(&self, mv: u8) -> i32 {
        [3, 2, 3, 2, 4, 2, 3, 2, 3][usize::from(mv)]
    }

    #[inline]
    fn mover(&self, state: &TicTacToeState) -> usize {
        state.side().index()
    }

    fn cell_of(&self, mv: u8) -> u32 {
        u32::from(mv)
    }

    fn bit_of(&self, cell: u32) -> u32 {
        cell + cell / 3
    }

    fn position(&self, stones: [u16; 2]) -> TicTacToeState {
        let line = stones.iter().any(|&side| GRID.has_line(side));
        let [first, second] =
            stones.map(|side| side.cells().fold(0, |set, bit| set | 1 << cell(bit)));
        let all: u16 = first | second;
        let plies = all.count() as u8;
        let mover = if plies & 1 == 0 { first } else { second };
        TicTacToeState { mover, all, plies, line }
    }
}

impl Features<4> for TicTacToe {
    const FEATURES: [(&'static str, i64); 4] = mnk_tictactoe_features::FEATURES;

    fn features(&self, state: &TicTacToeState) -> [i32; 4] {
        let places = Places { centre: 0b0000_0010_0000, corners: 0b0101_0000_0101 };
        mnk_tictactoe_features::count(self, &places, state)
    }

    fn largest_feature(&self) -> u32 {
        9
    }
}

impl Configurable for TicTacToe {
    const KIND: &'static str = "tictactoe";
    const SUMMARY: &'static str = "Tic-tac-toe: three in a row on three by three";
    const SIDES: &'static [[&'static str; 2]] = &[["x", "o"]];
    const OPENING_PLIES: u32 = 2;

    type Params = ();

    fn from_params((): ()) -> Result<Self, ParamError> {
        Ok(TicTacToe)
    }

    fn exact_solver(&self) -> Offer<Self> {
        Ok(Box::new(FullSearch::default()))
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        vec![self.named_segments(), NamedEvaluator::linear()]
    }
}
