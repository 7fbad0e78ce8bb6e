//! The rules of Connect Four: the implementation of `Game`.

use rand::Rng;

use super::board_layout::{BoardLayout, ConnectFourParams};
use super::state::{Connect4State, ConnectFour, End};
use super::text;
use crate::games::game::capabilities;
use crate::games::grid::bitboard::Bitboard;
use crate::games::segments_evaluator::{LineGame, Segments};
use crate::games::{
    Configurable, Drawing, EvaluatorVisitor, Game, NamedEvaluator, Notation, SearchHints,
    Shortcuts, Symmetry, Threat, Turn, Weights, below,
};
use crate::params::{ParamError, Params};

const COLUMNS: [u8; 32] = {
    let mut columns = [0; 32];
    let mut column = 0;
    while column < 32 {
        columns[column] = column as u8;
        column += 1;
    }
    columns
};

impl<L: BoardLayout> Game for ConnectFour<L> {
    type State = Connect4State;
    /// The column from the left, starting at 0.
    type Move = u8;

    fn start(&self) -> Connect4State {
        Connect4State::EMPTY
    }

    #[inline]
    fn turn(&self, state: &Connect4State) -> Turn {
        state.turn()
    }

    /// Columns from the left.
    #[inline(always)]
    fn moves(&self, state: &Connect4State, out: &mut Vec<u8>) {
        let room = !state.all & self.layout.tops();
        // During most of a game, no column is full.
        if room == self.layout.tops() {
            return out.extend_from_slice(&COLUMNS[..self.layout.columns() as usize]);
        }
        self.open_columns(room, out);
    }

    #[inline]
    fn play(&self, state: &mut Connect4State, mv: u8) {
        self.drop_stone(state, mv);
        state.end = self.end(state);
    }

    #[inline]
    fn payoff(&self, state: &Connect4State) -> i32 {
        if state.end == End::Line { state.side().other().sign() } else { 0 }
    }

    /// All positions of a board have different keys. `mover + all` is unique: each column of h
    /// stones adds 2^h − 1 to a number below 2^h, so sums of different heights do not overlap. The
    /// mixing is invertible.
    #[inline]
    fn key(&self, state: &Connect4State) -> u64 {
        let x = (state.mover + state.all).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        x ^ x >> 32
    }

    fn reason(&self, state: &Connect4State) -> &'static str {
        if state.end == End::Line { "line" } else { "board full" }
    }

    #[inline]
    fn write_move(&self, _state: &Connect4State, mv: u8, out: &mut String) {
        text::write_move(&self.layout, mv, out);
    }

    fn write_position(&self, state: &Connect4State) -> String {
        text::write_position(&self.layout, state)
    }

    fn read_position(&self, text: &str) -> Result<Connect4State, String> {
        text::read_position(self, text)
    }

    capabilities!(
        hints: SearchHints,
        shortcuts: Shortcuts,
        symmetry: Symmetry,
        notation: Notation,
        drawing: Drawing,
    );
}

impl<L: BoardLayout> Symmetry<ConnectFour<L>> for &ConnectFour<L> {
    fn symmetries(self) -> usize {
        2
    }

    #[inline]
    fn map_state(self, s: usize, state: &Connect4State) -> Connect4State {
        if s == 0 {
            return *state;
        }
        let [mover, all] = [state.mover, state.all].map(|cells| self.layout.mirror(cells));
        Connect4State { mover, all, ..*state }
    }

    #[inline]
    fn map_move(self, s: usize, mv: u8) -> u8 {
        if s == 0 { mv } else { self.layout.columns() as u8 - 1 - mv }
    }
}

impl<L: BoardLayout> Shortcuts<ConnectFour<L>> for &ConnectFour<L> {
    #[inline]
    fn play_on(self, state: &mut Connect4State, mv: u8) {
        self.drop_stone(state, mv);
        if state.plies() == self.layout.size() {
            state.end = End::Full;
        }
    }

    #[inline]
    fn legality(self, state: &Connect4State, mv: u8) -> Option<bool> {
        let column = u32::from(mv);
        Some(column < self.layout.columns() && !state.all & self.top(column) != 0)
    }

    #[inline(always)]
    fn random_move<R: Rng>(self, state: &Connect4State, rng: &mut R, _buffer: &mut Vec<u8>) -> u8 {
        let room = !state.all & self.layout.tops();
        // While no column is full, which is most of a game, move numbers equal columns.
        if room == self.layout.tops() {
            return below(rng, self.layout.columns()) as u8;
        }
        let chosen = below(rng, room.count_ones());
        self.layout.nth_column(room, chosen) as u8
    }
}

impl<L: BoardLayout> SearchHints<ConnectFour<L>> for &ConnectFour<L> {
    fn max_plies(self) -> Option<u32> {
        Some(self.layout.size())
    }

    /// Columns near the centre first, because more lines cross them.
    #[inline]
    fn order_hint(self, _state: &Connect4State, mv: u8) -> i32 {
        -(2 * i32::from(mv) + 1 - self.layout.columns() as i32).abs()
    }

    const HAS_NOISY: bool = true;

    /// All immediate wins. Without any, all moves onto a cell where the opponent would complete a
    /// line at once. Otherwise none.
    #[inline]
    fn noisy(self, state: &Connect4State, out: &mut Vec<u8>) {
        let stride = self.layout.stride();
        out.extend(self.urgent(state).cells().map(|cell| (cell / stride) as u8));
    }

    #[inline]
    fn threat(self, state: &Connect4State) -> Threat<u8> {
        let playable = self.playable(state);
        let sides = [state.mover, state.mover ^ state.all];
        let [wins, threats] = self.layout.completions_of_both(sides).map(|cells| cells & playable);
        let stride = self.layout.stride();
        Threat::of_cells(wins, threats, |cell| (cell / stride) as u8)
    }
}

impl<L: BoardLayout> Configurable for ConnectFour<L> {
    const KIND: &'static str = "connect4";
    const SUMMARY: &'static str = "Connect Four: drop stones into columns, a line of four wins";
    const SIDES: &'static [[&'static str; 2]] = &[["x", "o"]];
    const OPENING_PLIES: u32 = 4;

    type Params = ConnectFourParams;

    fn fits(params: &ConnectFourParams) -> bool {
        L::serves(params.columns, params.rows, params.connect)
    }

    fn from_params(params: ConnectFourParams) -> Result<Self, ParamError> {
        params.check()?;
        params.check_board()?;
        let ConnectFourParams { columns, rows, connect } = params;
        if !L::serves(columns, rows, connect) {
            let message = "this board needs the type that serves all sizes";
            return Err(ParamError::new(message, "`Connect4` instead of `Connect4Standard`"));
        }
        Ok(ConnectFour { layout: L::new(columns, rows, connect) })
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        vec![self.named_segments(), NamedEvaluator::linear()]
    }

    fn with_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        weights: &Weights,
        visitor: V,
    ) -> Result<V::Out, ParamError> {
        match name {
            "segments" if L::FLAGSHIP => Ok(visitor.visit(Segments::new(self.grid(), weights)?)),
            _ => Ok(visitor.visit(self.evaluator(name, weights)?)),
        }
    }
}
