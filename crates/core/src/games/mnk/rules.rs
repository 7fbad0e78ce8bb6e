//! The rules of m,n,k: the implementation of `Game`.

use rand::Rng;

use super::board_shape::{MnkParams, Shape};
use crate::games::cell_game;
use crate::games::cell_game::CellGame;
use crate::games::engine_facts::{EngineFacts, FiveInARow};
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{
    Bitboard, Wide, cell_image, nth_bit_by_ranks, nth_bit_of, ranks, ranks_without,
};
use crate::games::grid::lines_on_grid::{Grid, check_length};
use crate::games::linear_evaluator::Features;
use crate::games::mnk_tictactoe_features;
use crate::games::mnk_tictactoe_features::Places;
use crate::games::segments_evaluator::LineGame;
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Player, SearchHints, Shortcuts,
    Symmetry, Turn, below,
};
use crate::params::{ParamError, Params};

/// m,n,k on a board that fits `W` words. Registered for one word, four (15×15) and seven (20×20).
#[derive(Debug, Clone)]
pub struct Mnk<const W: usize> {
    shape: Shape,
    grid: Grid<Wide<W>>,
    /// For each symmetry, the image of each bit.
    maps: Vec<Vec<u16>>,
    places: Places<Wide<W>>,
    /// The number of lines through each bit.
    hints: Vec<i32>,
}

/// A position, from the mover's point of view, so that the stones stay in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MnkState<const W: usize> {
    mover: Wide<W>,
    all: Wide<W>,
    /// The ranks of the empty cells, for random moves: to count them again takes longer than the rest
    /// of a move. 0 on boards of more than one word, where it would be slower.
    ranks: u64,
    plies: u16,
    /// Whether the last stone completed a line.
    line: bool,
}

impl<const W: usize> MnkState<W> {
    #[inline]
    fn side(&self) -> Player {
        if self.plies & 1 == 0 { Player::First } else { Player::Second }
    }
}

impl<const W: usize> Mnk<W> {
    fn new(shape: Shape) -> Self {
        let grid = Grid::new(shape.rows, shape.columns, shape.length, shape.exact);
        let hints = (0..shape.bits()).map(|bit| grid.lines_through(bit) as i32).collect();
        let places = Places::new(shape.columns, shape.rows, |cell| shape.bit(cell));
        Mnk { shape, grid, maps: symmetries(shape), places, hints }
    }

    #[inline]
    fn empty(&self, state: &MnkState<W>) -> Wide<W> {
        self.grid.cells & !state.all
    }

    /// The position with these stones of the mover and of both sides.
    #[inline]
    fn state(&self, mover: Wide<W>, all: Wide<W>, line: bool) -> MnkState<W> {
        let ranks = if W == 1 { ranks((self.grid.cells & !all).0[0]) } else { 0 };
        MnkState { mover, all, ranks, plies: all.count() as u16, line }
    }
}

impl<const W: usize> Game for Mnk<W> {
    type State = MnkState<W>;
    /// The bit of the cell.
    type Move = u16;

    fn start(&self) -> MnkState<W> {
        self.state(Wide::NONE, Wide::NONE, false)
    }

    #[inline]
    fn turn(&self, state: &MnkState<W>) -> Turn {
        if state.line || u32::from(state.plies) == self.shape.size() {
            Turn::Over
        } else {
            Turn::Player(state.side())
        }
    }

    /// Cells in increasing order.
    #[inline]
    fn moves(&self, state: &MnkState<W>, out: &mut Vec<u16>) {
        let empty = self.empty(state);
        for (word, base) in empty.0.into_iter().zip((0..).step_by(64)) {
            out.extend(word.cells().map(|bit| (base + bit) as u16));
        }
    }

    #[inline(always)]
    fn play(&self, state: &mut MnkState<W>, mv: u16) {
        let stone = Wide::bit(mv.into());
        state.line = self.grid.line_through(&(state.mover | stone), mv.into());
        self.shortcuts().play_on(state, mv);
    }

    #[inline]
    fn payoff(&self, state: &MnkState<W>) -> i32 {
        if state.line { state.side().other().sign() } else { 0 }
    }

    #[inline]
    fn key(&self, state: &MnkState<W>) -> u64 {
        let [first, second] = self.stones(state);
        hash(&first.0, &second.0)
    }

    fn reason(&self, state: &MnkState<W>) -> &'static str {
        if state.line { "line" } else { "board full" }
    }

    fn write_move(&self, _state: &MnkState<W>, mv: u16, out: &mut String) {
        cell_game::write_move(self, mv, out);
    }

    fn write_position(&self, state: &MnkState<W>) -> String {
        cell_game::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<MnkState<W>, String> {
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

impl<const W: usize> Symmetry<Mnk<W>> for &Mnk<W> {
    fn symmetries(self) -> usize {
        self.maps.len()
    }

    fn map_state(self, s: usize, state: &MnkState<W>) -> MnkState<W> {
        let map = |stones: Wide<W>| {
            let image = |bit| u32::from(self.map_move(s, bit as u16));
            stones.cells().fold(Wide::NONE, |all, bit| all | Wide::bit(image(bit)))
        };
        self.state(map(state.mover), map(state.all), state.line)
    }

    #[inline]
    fn map_move(self, s: usize, mv: u16) -> u16 {
        self.maps[s][usize::from(mv)]
    }
}

impl<const W: usize> Shortcuts<Mnk<W>> for &Mnk<W> {
    #[inline(always)]
    fn play_on(self, state: &mut MnkState<W>, mv: u16) {
        state.mover = state.mover ^ state.all;
        state.all = state.all | Wide::bit(mv.into());
        if W == 1 {
            state.ranks = ranks_without(state.ranks, mv.into());
        }
        state.plies += 1;
    }

    #[inline]
    fn legality(self, state: &MnkState<W>, mv: u16) -> Option<bool> {
        Some(u32::from(mv) < self.shape.bits() && self.empty(state).has(mv.into()))
    }

    #[inline(always)]
    fn random_move<R: Rng>(self, state: &MnkState<W>, rng: &mut R, _buffer: &mut Vec<u16>) -> u16 {
        let chosen = below(rng, self.shape.size() - u32::from(state.plies));
        if W == 1 {
            return nth_bit_by_ranks(self.empty(state).0[0], state.ranks, chosen) as u16;
        }
        let (word, bit) = nth_bit_of(self.empty(state).0, chosen);
        (64 * word as u32 + bit) as u16
    }
}

/// For each symmetry, of the rectangle (4) or of the square (8), the image of each bit, 0 for
/// guards; the identity comes first.
fn symmetries(shape: Shape) -> Vec<Vec<u16>> {
    let Shape { columns, rows, .. } = shape;
    let stride = shape.stride();
    let image = |s: usize, bit: u32| {
        if bit % stride == columns {
            return 0;
        }
        let [column, row] = cell_image(s, [bit % stride, bit / stride], [columns, rows]);
        (row * stride + column) as u16
    };
    let images = |s| (0..shape.bits()).map(|bit| image(s, bit)).collect();
    (0..if columns == rows { 8 } else { 4 }).map(images).collect()
}

/// A hash of both sides' words: multiplies each pair to 128 bits and folds the halves together
/// (Wang Yi's wyhash), with different constants for each pair.
#[inline]
fn hash(first: &[u64], second: &[u64]) -> u64 {
    let mut salt = 0x9E37_79B9_7F4A_7C15_u64;
    first.iter().zip(second).fold(0, |hash, (&a, &b)| {
        salt = salt.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        let product = u128::from(a ^ salt) * u128::from(b ^ salt.rotate_left(32));
        hash ^ product as u64 ^ (product >> 64) as u64
    })
}

impl<const W: usize> LineGame for Mnk<W> {
    type Board = Wide<W>;

    #[inline]
    fn grid(&self) -> &Grid<Wide<W>> {
        &self.grid
    }

    #[inline]
    fn stones(&self, state: &MnkState<W>) -> [Wide<W>; 2] {
        let other = state.mover ^ state.all;
        match state.side() {
            Player::First => [state.mover, other],
            Player::Second => [other, state.mover],
        }
    }
}

impl<const W: usize> CellGame for Mnk<W> {
    fn size(&self) -> (u32, u32) {
        (self.shape.columns, self.shape.rows)
    }

    fn move_to(&self, cell: u32) -> u16 {
        self.shape.bit(cell) as u16
    }

    #[inline]
    fn on_bit(&self, bit: u32) -> u16 {
        bit as u16
    }

    #[inline]
    fn lines_through(&self, mv: u16) -> i32 {
        self.hints[usize::from(mv)]
    }

    #[inline]
    fn mover(&self, state: &MnkState<W>) -> usize {
        state.side().index()
    }

    #[inline]
    fn cell_of(&self, mv: u16) -> u32 {
        self.shape.cell(mv.into())
    }

    fn bit_of(&self, cell: u32) -> u32 {
        self.shape.bit(cell)
    }

    fn position(&self, stones: [Wide<W>; 2]) -> MnkState<W> {
        let line = stones.iter().any(|&side| self.grid.has_line(side));
        let [first, second] = stones;
        let all = first | second;
        self.state(if all.count() & 1 == 0 { first } else { second }, all, line)
    }
}

impl<const W: usize> Features<4> for Mnk<W> {
    const FEATURES: [(&'static str, i64); 4] = mnk_tictactoe_features::FEATURES;

    fn features(&self, state: &MnkState<W>) -> [i32; 4] {
        mnk_tictactoe_features::count(self, &self.places, state)
    }

    fn largest_feature(&self) -> u32 {
        self.grid.lines.max(self.shape.size())
    }
}

impl<const W: usize> Configurable for Mnk<W> {
    const KIND: &'static str = "mnk";
    const SUMMARY: &'static str = "m,n,k: stones on m columns and n rows, k in a row wins";
    const SIDES: &'static [[&'static str; 2]] = &[["x", "o"], ["black", "white"]];
    const OPENING_PLIES: u32 = 4;

    type Params = MnkParams;

    /// Each type is used for boards too large for the next smaller type.
    fn fits(params: &MnkParams) -> bool {
        Shape::of(params).words() as usize <= W
    }

    fn from_params(params: MnkParams) -> Result<Self, ParamError> {
        params.check()?;
        check_length("k", params.k, params.m, params.n)?;
        let shape = Shape::of(&params);
        if shape.words() as usize > W {
            let message = format!("this board takes {} words, not {W}", shape.words());
            return Err(ParamError::new(message, "a type with more words"));
        }
        Ok(Mnk::new(shape))
    }

    fn engine_facts(&self) -> EngineFacts {
        let Shape { columns, rows, length, exact } = self.shape;
        let five = FiveInARow { size: columns as usize, exact };
        let gomocup = (columns == rows && length == 5).then_some(five);
        EngineFacts { gomocup, ..EngineFacts::default() }
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        vec![self.named_segments(), NamedEvaluator::linear()]
    }
}
