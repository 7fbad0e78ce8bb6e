//! The rules of m,n,k: the implementation of `Game`.

use rand::Rng;

use super::board_shape::{MnkParams, Shape};
use crate::games::cell_game;
use crate::games::cell_game::CellGame;
use crate::games::engine_facts::{EngineFacts, FiveInARow};
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{Bitboard, Wide, cell_image, nth_bit_of};
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
    /// The bit of each cell and the cell of each bit.
    bits: Vec<u16>,
    cells: Vec<u16>,
    maps: Vec<Vec<u16>>,
    places: Places<Wide<W>>,
    hints: Vec<i32>,
}

/// A position: the stones of both sides and whether the game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MnkState<const W: usize> {
    stones: [Wide<W>; 2],
    plies: u16,
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
        let bit = |cell: u32| cell + cell / shape.columns;
        let bits: Vec<u16> = (0..shape.size()).map(|cell| bit(cell) as u16).collect();
        let mut cells = vec![0; (shape.stride() * shape.rows) as usize];
        for (cell, &bit) in bits.iter().enumerate() {
            cells[usize::from(bit)] = cell as u16;
        }
        let through = |bit: &u16| grid.lines_through(u32::from(*bit)) as i32;
        let hints = bits.iter().map(through).collect();
        let places = Places::new(shape.columns, shape.rows, bit);
        Mnk { shape, grid, bits, cells, maps: symmetries(shape), places, hints }
    }

    #[inline]
    fn empty(&self, state: &MnkState<W>) -> Wide<W> {
        self.grid.cells & !(state.stones[0] | state.stones[1])
    }

    #[inline]
    fn cell(&self, bit: u32) -> u16 {
        self.cells[bit as usize]
    }
}

impl<const W: usize> Game for Mnk<W> {
    type State = MnkState<W>;
    /// The cell, row by row from the top left, starting at 0.
    type Move = u16;

    fn start(&self) -> MnkState<W> {
        MnkState { stones: [Wide::NONE; 2], plies: 0, line: false }
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
            out.extend(word.cells().map(|bit| self.cell(base + bit)));
        }
    }

    #[inline]
    fn play(&self, state: &mut MnkState<W>, mv: u16) {
        let bit = u32::from(self.bits[usize::from(mv)]);
        let own = &mut state.stones[usize::from(state.plies & 1)];
        own.0[(bit / 64) as usize] |= 1 << (bit % 64);
        state.line = self.grid.line_through(own, bit);
        state.plies += 1;
    }

    #[inline]
    fn payoff(&self, state: &MnkState<W>) -> i32 {
        if state.line { state.side().other().sign() } else { 0 }
    }

    #[inline]
    fn key(&self, state: &MnkState<W>) -> u64 {
        hash(&state.stones[0].0, &state.stones[1].0)
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
            let image = |bit| self.bits[usize::from(self.map_move(s, self.cell(bit)))];
            stones.cells().fold(Wide::NONE, |all, bit| all | Wide::bit(u32::from(image(bit))))
        };
        MnkState { stones: state.stones.map(map), ..*state }
    }

    #[inline]
    fn map_move(self, s: usize, mv: u16) -> u16 {
        self.maps[s][usize::from(mv)]
    }
}

impl<const W: usize> Shortcuts<Mnk<W>> for &Mnk<W> {
    #[inline]
    fn play_on(self, state: &mut MnkState<W>, mv: u16) {
        let bit = u32::from(self.bits[usize::from(mv)]);
        state.stones[usize::from(state.plies & 1)].0[(bit / 64) as usize] |= 1 << (bit % 64);
        state.plies += 1;
    }

    #[inline]
    fn is_legal(self, state: &MnkState<W>, mv: u16, _buffer: &mut Vec<u16>) -> bool {
        let empty = |&bit: &u16| self.empty(state).has(u32::from(bit));
        self.bits.get(usize::from(mv)).is_some_and(empty)
    }

    #[inline(always)]
    fn random_move<R: Rng>(self, state: &MnkState<W>, rng: &mut R, _buffer: &mut Vec<u16>) -> u16 {
        let chosen = below(rng, self.shape.size() - u32::from(state.plies));
        let (word, bit) = nth_bit_of(self.empty(state).0, chosen);
        self.cell(64 * word as u32 + bit)
    }
}

/// For each symmetry, of the rectangle (4) or of the square (8), the target of each cell; the
/// identity comes first.
fn symmetries(shape: Shape) -> Vec<Vec<u16>> {
    let Shape { columns, rows, .. } = shape;
    let image = |s: usize, cell: u32| {
        let [column, row] = cell_image(s, [cell % columns, cell / columns], [columns, rows]);
        (row * columns + column) as u16
    };
    let images = |s| (0..shape.size()).map(|cell| image(s, cell)).collect();
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
        state.stones
    }
}

impl<const W: usize> CellGame for Mnk<W> {
    fn size(&self) -> (u32, u32) {
        (self.shape.columns, self.shape.rows)
    }

    fn move_to(&self, cell: u32) -> u16 {
        cell as u16
    }

    #[inline]
    fn on_bit(&self, bit: u32) -> u16 {
        self.cell(bit)
    }

    #[inline]
    fn lines_through(&self, mv: u16) -> i32 {
        self.hints[usize::from(mv)]
    }

    #[inline]
    fn mover(&self, state: &MnkState<W>) -> usize {
        state.side().index()
    }

    fn cell_of(&self, mv: u16) -> u32 {
        u32::from(mv)
    }

    fn bit_of(&self, cell: u32) -> u32 {
        u32::from(self.bits[cell as usize])
    }

    fn position(&self, stones: [Wide<W>; 2]) -> MnkState<W> {
        let line = stones.iter().any(|&side| self.grid.has_line(side));
        MnkState { stones, plies: (stones[0] | stones[1]).count() as u16, line }
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
