//! The rules of checkers: the implementation of `Game`.

use rand::Rng;

use super::endings_solver::EndingsSolver;
use super::pdn_text;
use super::state::{Checkers, CheckersMove, CheckersState, End, HOME, WAYS, Way};
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{Bitboard, nth_bit_of};
use crate::games::key_hash::{fold, mix};
use crate::games::material_evaluator::Material;
use crate::games::{
    Configurable, Drawing, Evaluator, Game, NamedEvaluator, Notation, Offer, Player, Repetition,
    Scoring, SearchHints, Shortcuts, Turn, below,
};
use crate::params::{ParamError, Params};

/// From this number of plies before a draw without progress, a search result is valid only for the
/// same number.
const NEAR_THE_END: u8 = 40;

impl Game for Checkers {
    type State = CheckersState;
    type Move = CheckersMove;

    fn start(&self) -> CheckersState {
        self.position([0x0000_0FFF, 0xFFF0_0000], 0, Player::First, 0)
    }

    #[inline]
    fn turn(&self, state: &CheckersState) -> Turn {
        if state.end == End::No { Turn::Player(state.side) } else { Turn::Over }
    }

    /// Captures, if there are any: by the square of the piece, then by the directions of the jumps.
    /// Else steps: by direction, then by the square of the piece. Directions are down left, down
    /// right, up left, up right.
    #[inline]
    fn moves(&self, state: &CheckersState, out: &mut Vec<CheckersMove>) {
        let jumpers = state.jumpers();
        if jumpers != 0 {
            return state.captures(jumpers, out);
        }
        for way in WAYS {
            out.extend(state.steppers(way).cells().map(|from| step(way, from)));
        }
    }

    #[inline]
    fn play(&self, state: &mut CheckersState, mv: CheckersMove) {
        let (own, other) = (state.side.index(), state.side.other().index());
        let (from, to) = (1 << mv.from, 1 << mv.to);
        let is_king = state.kings & from != 0;
        let mut pieces = state.pieces;
        pieces[own] = pieces[own] & !from | to;
        pieces[other] &= !mv.captured;
        let crowned = if is_king { to } else { to & HOME[other] };
        let kings = state.kings & !(from | mv.captured) | crowned;
        let quiet = if is_king && mv.captured == 0 { state.quiet + 1 } else { 0 };
        *state = self.position(pieces, kings, state.side.other(), quiet);
    }

    #[inline]
    fn payoff(&self, state: &CheckersState) -> i32 {
        if state.end == End::NoProgress { 0 } else { state.side.other().sign() }
    }

    /// Independent of the plies without progress, because repetitions are found by key.
    #[inline]
    fn key(&self, state: &CheckersState) -> u64 {
        let [first, second] = state.pieces.map(u64::from);
        let (kings, side) = (u64::from(state.kings), state.side.index() as u64);
        let key = fold(mix(first | second << 32), kings | side << 32);
        if state.end == End::NoProgress { !key } else { key }
    }

    fn reason(&self, state: &CheckersState) -> &'static str {
        match state.end {
            End::NoProgress => "no progress",
            _ if state.pieces(state.side) == 0 => "no pieces left",
            _ => "no moves",
        }
    }

    fn write_move(&self, state: &CheckersState, mv: CheckersMove, out: &mut String) {
        pdn_text::write_move(state, mv, out);
    }

    fn write_position(&self, state: &CheckersState) -> String {
        pdn_text::write_position(state)
    }

    fn read_position(&self, text: &str) -> Result<CheckersState, String> {
        pdn_text::read_position(self, text)
    }

    capabilities!(
        hints: SearchHints,
        shortcuts: Shortcuts,
        scoring: Scoring,
        repetition: Repetition,
        notation: Notation,
        drawing: Drawing,
    );
}

impl Checkers {
    /// The position with these pieces.
    #[inline]
    pub(super) fn position(
        &self,
        pieces: [u32; 2],
        kings: u32,
        side: Player,
        quiet: u8,
    ) -> CheckersState {
        let state = CheckersState { pieces, kings, side, quiet, end: End::No };
        let end = match state.can_move() {
            false => End::Stuck,
            true if quiet >= self.quiet_plies => End::NoProgress,
            true => End::No,
        };
        CheckersState { end, ..state }
    }
}

#[inline]
fn step(way: Way, from: u32) -> CheckersMove {
    let to = way.step(1 << from).trailing_zeros();
    CheckersMove { captured: 0, from: from as u8, to: to as u8 }
}

impl Repetition<Checkers> for &Checkers {
    const REPEATS: bool = true;
    const LAST_OCCURRENCE: Option<u32> = Some(3);

    #[inline]
    fn reversible_plies(self, state: &CheckersState) -> usize {
        usize::from(state.quiet)
    }
}

impl Scoring<Checkers> for &Checkers {
    const MATERIAL: Option<&'static str> = Some("hundredths of a man");

    /// As in the evaluator `material` with its default weights.
    #[inline]
    fn material(self, state: &CheckersState) -> i32 {
        const { Material::standard::<Checkers>() }.evaluate(self, state)
    }
}

impl Shortcuts<Checkers> for &Checkers {
    #[inline(always)]
    fn random_move<R: Rng>(
        self,
        state: &CheckersState,
        rng: &mut R,
        buffer: &mut Vec<CheckersMove>,
    ) -> CheckersMove {
        let jumpers = state.jumpers();
        if jumpers != 0 {
            buffer.clear();
            state.captures(jumpers, buffer);
            return buffer[below(rng, buffer.len() as u32) as usize];
        }
        let steppers = WAYS.map(|way| state.steppers(way));
        let chosen = below(rng, steppers.iter().map(|set| set.count_ones()).sum());
        let (way, from) = nth_bit_of(steppers.map(u64::from), chosen);
        step(WAYS[way], from)
    }
}

impl SearchHints<Checkers> for &Checkers {
    /// Near a draw without progress, its plies are part of the key.
    #[inline]
    fn table_key(self, state: &CheckersState) -> u64 {
        let (key, quiet) = (self.key(state), state.quiet);
        if quiet.saturating_add(NEAR_THE_END) < self.quiet_plies {
            key
        } else {
            fold(key, u64::from(quiet))
        }
    }

    /// The captures of most pieces first, kings before men; then steps that crown a man.
    #[inline]
    fn order_hint(self, state: &CheckersState, mv: CheckersMove) -> i32 {
        let men = mv.captured & !state.kings;
        let crowns = state.kings >> mv.from & 1 == 0 && (HOME[0] | HOME[1]) >> mv.to & 1 == 1;
        let value = 2 * men.count_ones() + 3 * (mv.captured & state.kings).count_ones();
        value as i32 + i32::from(crowns)
    }

    const HAS_NOISY: bool = true;

    /// Captures.
    #[inline]
    fn noisy(self, state: &CheckersState, out: &mut Vec<CheckersMove>) {
        state.captures(state.jumpers(), out);
    }

    /// A player who can capture must.
    #[inline]
    fn stand_pat(self, state: &CheckersState) -> bool {
        state.jumpers() == 0
    }
}

crate::params! {
    /// What checkers takes.
    #[derive(Debug, Clone)]
    pub struct CheckersParams {
        /// moves of each side without a capture or a man's move after which the game is drawn
        quiet_moves: u32 [1..=120] = 40,
    }
}

impl Configurable for Checkers {
    const KIND: &'static str = "checkers";
    const SUMMARY: &'static str =
        "Checkers (English draughts): forced captures; a player without a move loses";
    const SIDES: &'static [[&'static str; 2]] = &[["black", "white"]];
    const OPENING_PLIES: u32 = 4;

    type Params = CheckersParams;

    fn from_params(params: CheckersParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Checkers { quiet_plies: 2 * params.quiet_moves as u8 })
    }

    fn exact_solver(&self) -> Offer<Self> {
        Ok(Box::new(EndingsSolver::new()))
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        vec![NamedEvaluator::linear(), Material::named()]
    }
}
