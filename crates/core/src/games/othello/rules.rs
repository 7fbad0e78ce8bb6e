//! The rules of Othello: the implementation of `Game`.

use rand::Rng;

use super::evaluators::Mobility;
use super::state::{Othello, OthelloMove, OthelloState};
use super::text;
use crate::games::engine_facts::{EngineFacts, GtpGame};
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{Bitboard, nth_bit};
use crate::games::key_hash::{fold, mix};
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Player, Scoring, SearchHints, Shortcuts,
    Symmetry, Turn, below,
};
use crate::params::{ParamError, Params};

impl Game for Othello {
    type State = OthelloState;
    type Move = OthelloMove;

    fn start(&self) -> OthelloState {
        // The first player has the top right and the bottom left of the four cells.
        let (middle, near) = (self.middle(), self.size / 2 - 1);
        let first = 1 << (9 * near + 1) | 1 << (9 * near + 8);
        self.position([first, middle & !first], Player::First)
    }

    #[inline]
    fn turn(&self, state: &OthelloState) -> Turn {
        if state.over { Turn::Over } else { Turn::Player(state.side) }
    }

    /// Cells row by row from `a1`, the top left; a pass if there is none.
    #[inline]
    fn moves(&self, state: &OthelloState, out: &mut Vec<OthelloMove>) {
        if state.moves == 0 {
            out.push(OthelloMove::PASS);
        }
        out.extend(state.moves.cells().map(|cell| OthelloMove(cell as u8)));
    }

    #[inline]
    fn play(&self, state: &mut OthelloState, mv: OthelloMove) {
        let mut discs = state.discs;
        if mv != OthelloMove::PASS {
            let (own, other) = (state.side.index(), state.side.other().index());
            let turned = self.turned(discs[own], discs[other], mv.0);
            discs[own] |= turned | 1 << mv.0;
            discs[other] ^= turned;
        }
        *state = self.position(discs, state.side.other());
    }

    #[inline]
    fn payoff(&self, state: &OthelloState) -> i32 {
        state.lead()
    }

    #[inline]
    fn key(&self, state: &OthelloState) -> u64 {
        let [first, second] = state.discs;
        fold(mix(first ^ (state.side.index() as u64).wrapping_neg()), second)
    }

    fn reason(&self, state: &OthelloState) -> &'static str {
        let [first, second] = state.discs;
        if first | second == self.board { "board full" } else { "no moves" }
    }

    fn write_move(&self, _state: &OthelloState, mv: OthelloMove, out: &mut String) {
        text::write_move(mv, out);
    }

    fn write_position(&self, state: &OthelloState) -> String {
        text::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<OthelloState, String> {
        text::read_position(self, text)
    }

    capabilities!(
        hints: SearchHints,
        shortcuts: Shortcuts,
        scoring: Scoring,
        symmetry: Symmetry,
        notation: Notation,
        drawing: Drawing,
    );
}

impl Scoring<Othello> for &Othello {
    fn numeric_score(self) -> bool {
        true
    }

    fn payoff_range(self) -> Option<(i32, i32)> {
        let cells = i32::from(self.size) * i32::from(self.size);
        Some((-cells, cells))
    }
}

impl Symmetry<Othello> for &Othello {
    fn symmetries(self) -> usize {
        8
    }

    fn map_state(self, s: usize, state: &OthelloState) -> OthelloState {
        let discs = state.discs.map(|discs| self.image(s, discs));
        OthelloState { discs, moves: self.image(s, state.moves), ..*state }
    }

    fn map_move(self, s: usize, mv: OthelloMove) -> OthelloMove {
        match mv {
            OthelloMove::PASS => mv,
            OthelloMove(cell) => OthelloMove(self.image(s, 1 << cell).trailing_zeros() as u8),
        }
    }
}

impl Shortcuts<Othello> for &Othello {
    #[inline]
    fn legality(self, state: &OthelloState, mv: OthelloMove) -> Option<bool> {
        Some(match mv {
            OthelloMove::PASS => state.moves == 0,
            OthelloMove(cell) => state.moves.has(u32::from(cell)),
        })
    }

    #[inline]
    fn random_move<R: Rng>(
        self,
        state: &OthelloState,
        rng: &mut R,
        _buffer: &mut Vec<OthelloMove>,
    ) -> OthelloMove {
        match state.moves.count_ones() {
            0 => OthelloMove::PASS,
            count => OthelloMove(nth_bit(state.moves, below(rng, count)) as u8),
        }
    }
}

impl SearchHints<Othello> for &Othello {
    fn amaf_moves(self) -> usize {
        65
    }

    #[inline]
    fn amaf_number(self, mv: OthelloMove) -> usize {
        usize::from(mv.0)
    }

    /// A disc for each empty cell, and at most one pass before it.
    fn max_plies(self) -> Option<u32> {
        Some(2 * (u32::from(self.size) * u32::from(self.size) - 4))
    }

    /// Corners first, then edges; cells diagonally next to a corner last.
    #[inline]
    fn order_hint(self, _state: &OthelloState, mv: OthelloMove) -> i32 {
        let OthelloMove(cell) = mv;
        let on = |set: u64| mv != OthelloMove::PASS && set.has(u32::from(cell));
        2 * i32::from(on(self.corners)) + i32::from(on(self.edges)) - i32::from(on(self.x_cells))
    }
}

crate::params! {
    /// What Othello takes.
    #[derive(Debug, Clone)]
    pub struct OthelloParams {
        /// rows and columns of the board: 4, 6 or 8
        size: u32 [4..=8] = 8,
    }
}

impl Configurable for Othello {
    const KIND: &'static str = "othello";
    const SUMMARY: &'static str =
        "Othello (Reversi): enclose discs to turn them over; more discs win";
    const SIDES: &'static [[&'static str; 2]] = &[["black", "white"], ["x", "o"]];
    const OPENING_PLIES: u32 = 4;

    type Params = OthelloParams;

    fn from_params(params: OthelloParams) -> Result<Self, ParamError> {
        params.check()?;
        if params.size % 2 == 1 {
            let message =
                format!("a board of {} rows has no four cells in the middle", params.size);
            return Err(ParamError::at("size", message, "4, 6 or 8"));
        }
        Ok(Othello::new(params.size as u8))
    }

    fn engine_facts(&self) -> EngineFacts {
        let gtp = Some(GtpGame { size: u32::from(self.size), komi: None, suicide: false });
        EngineFacts { gtp, ..EngineFacts::default() }
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "8 for each corner and 1 for each move: the own minus the opponent's";
        vec![NamedEvaluator::plain::<Mobility>("mobility", summary), NamedEvaluator::linear()]
    }
}
