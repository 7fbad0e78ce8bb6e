//! The rules of EinStein würfelt nicht: the implementation of `Game`.

use rand::Rng;

use super::evaluators::Race;
use super::movable_stones_by_die::{MOVABLE, NAMED};
use super::starting_arrangement::{self, Shape};
use super::state::{Einstein, EinsteinMove, EinsteinState, Phase, WAYS};
use super::stones_of_one_side::Stones;
use super::{position_text, text};
use crate::games::game::capabilities;
use crate::games::grid::bitboard::Bitboard;
use crate::games::key_hash::{fold, mix};
use crate::games::{
    Configurable, Drawing, FullSearch, Game, NamedEvaluator, Notation, Offer, Player, SearchHints,
    Shortcuts, Symmetry, Turn, Unsolved, below,
};
use crate::params::{ParamError, Params};

impl Game for Einstein {
    type State = EinsteinState;
    type Move = EinsteinMove;

    fn start(&self) -> EinsteinState {
        let (stones, phase) = match self.fixed {
            Some(stones) => (stones, Phase::Roll),
            None => ([Stones::NONE; 2], Phase::Arrange),
        };
        EinsteinState { stones, side: Player::First, phase, movable: 0 }
    }

    #[inline]
    fn turn(&self, state: &EinsteinState) -> Turn {
        match state.phase {
            Phase::Arrange | Phase::Roll => Turn::Chance,
            Phase::Move => Turn::Player(state.side),
            Phase::Over => Turn::Over,
        }
    }

    /// The lower stone first; along the row, then the column, then the diagonal.
    #[inline]
    fn moves(&self, state: &EinsteinState, out: &mut Vec<EinsteinMove>) {
        let own = state.stones(state.side);
        for stone in u64::from(state.movable).cells() {
            let stone = stone as u8;
            let cell = own.cell(stone);
            let steps = 0..self.steps(cell);
            out.extend(steps.map(|n| EinsteinMove::Step { stone, way: self.step(cell, n) }));
        }
    }

    /// Arrangements in the order of their texts. Faces from 1; faces that allow the same stones are
    /// merged.
    fn outcomes(&self, state: &EinsteinState, out: &mut Vec<(EinsteinMove, u32)>) {
        if state.phase == Phase::Arrange {
            out.extend((0..self.arrangements.len()).map(|i| (EinsteinMove::Arrange(i as u16), 1)));
            return;
        }
        let named = &NAMED[usize::from(state.stones(state.side).alive())];
        let mut weights = [0; 6];
        for face in 0..self.shape.stones {
            weights[usize::from(named[usize::from(face)])] += 1;
        }
        let faces = (1..).zip(weights).filter(|(_, weight)| *weight > 0);
        out.extend(faces.map(|(face, weight)| (EinsteinMove::Die(face), weight)));
    }

    #[inline]
    fn play(&self, state: &mut EinsteinState, mv: EinsteinMove) {
        let (side, other) = (state.side.index(), state.side.other().index());
        match mv {
            EinsteinMove::Step { stone, way } => {
                let cell = state.stones[side].cell(stone) + WAYS[usize::from(way)];
                state.stones[side].capture(cell);
                state.stones[other].capture(self.turned(cell));
                state.stones[side].put(stone, cell);
                state.movable = 0;
                if cell == self.goal() || state.stones[other] == Stones::NONE {
                    state.phase = Phase::Over;
                } else {
                    state.side = state.side.other();
                    state.phase = Phase::Roll;
                }
            }
            EinsteinMove::Die(face) => {
                let alive = usize::from(state.stones[side].alive());
                state.movable = MOVABLE[alive][usize::from(face - 1)];
                state.phase = Phase::Move;
            }
            EinsteinMove::Arrange(number) => {
                state.stones[side] = self.arrangements[usize::from(number)];
                state.side = state.side.other();
                if state.side == Player::First {
                    state.phase = Phase::Roll;
                }
            }
        }
    }

    #[inline]
    fn payoff(&self, state: &EinsteinState) -> i32 {
        state.side.sign()
    }

    #[inline]
    fn key(&self, state: &EinsteinState) -> u64 {
        let acts = state.phase as u64 * 2 + state.side.index() as u64;
        let rest = mix(acts << 8 | u64::from(state.movable));
        fold(fold(rest, state.stones[0].word()), state.stones[1].word())
    }

    fn reason(&self, state: &EinsteinState) -> &'static str {
        let losers = state.stones(state.side.other());
        if losers == Stones::NONE { "no stones left" } else { "corner" }
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn write_move(&self, state: &EinsteinState, mv: EinsteinMove, out: &mut String) {
        text::write_move(self, state, mv, out);
    }

    fn write_position(&self, state: &EinsteinState) -> String {
        position_text::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<EinsteinState, String> {
        position_text::read_position(self, text)
    }

    capabilities!(
        hints: SearchHints,
        shortcuts: Shortcuts,
        symmetry: Symmetry,
        notation: Notation,
        drawing: Drawing,
    );
}

impl Symmetry<Einstein> for &Einstein {
    fn symmetries(self) -> usize {
        2
    }

    /// The board with rows and columns exchanged.
    fn map_state(self, s: usize, state: &EinsteinState) -> EinsteinState {
        let map = |stones: Stones| if s == 0 { stones } else { stones.transposed() };
        EinsteinState { stones: state.stones.map(map), ..*state }
    }

    fn map_move(self, s: usize, mv: EinsteinMove) -> EinsteinMove {
        match mv {
            _ if s == 0 => mv,
            EinsteinMove::Arrange(number) => {
                EinsteinMove::Arrange(self.transposed[usize::from(number)])
            }
            EinsteinMove::Die(_) => mv,
            EinsteinMove::Step { stone, way } => {
                EinsteinMove::Step { stone, way: [1, 0, 2][usize::from(way)] }
            }
        }
    }
}

impl Shortcuts<Einstein> for &Einstein {
    #[inline(always)]
    fn random_move<R: Rng>(
        self,
        state: &EinsteinState,
        rng: &mut R,
        _buffer: &mut Vec<EinsteinMove>,
    ) -> EinsteinMove {
        let own = state.stones(state.side);
        // One or two stones: with one, both ends of the set are the same.
        let low = state.movable.trailing_zeros() as u8;
        let high = 7 - state.movable.leading_zeros() as u8;
        let few = self.steps(own.cell(low));
        let more = if high == low { 0 } else { self.steps(own.cell(high)) };
        let n = below(rng, few + more);
        let (stone, n) = if n < few { (low, n) } else { (high, n - few) };
        EinsteinMove::Step { stone, way: self.step(own.cell(stone), n) }
    }

    #[inline]
    fn random_outcome<R: Rng>(
        self,
        state: &EinsteinState,
        rng: &mut R,
        _buffer: &mut Vec<(EinsteinMove, u32)>,
    ) -> EinsteinMove {
        if state.phase == Phase::Arrange {
            return EinsteinMove::Arrange(below(rng, self.arrangements.len() as u32) as u16);
        }
        let face = below(rng, u32::from(self.shape.stones)) as usize;
        let alive = usize::from(state.stones(state.side).alive());
        EinsteinMove::Die(1 + NAMED[alive][face])
    }
}

impl SearchHints<Einstein> for &Einstein {
    /// Every move brings a stone one step nearer to its corner.
    fn max_plies(self) -> Option<u32> {
        let steps = |cell: u8| u32::from(2 * (self.shape.size - 1) - cell / 8 - cell % 8);
        Some(2 * self.shape.triangle().into_iter().map(steps).sum::<u32>())
    }

    /// Moves into the corner, then captures of enemy stones, then diagonal moves.
    #[inline]
    fn order_hint(self, state: &EinsteinState, mv: EinsteinMove) -> i32 {
        let EinsteinMove::Step { stone, way } = mv else { return 0 };
        let cell = state.stones(state.side).cell(stone) + WAYS[usize::from(way)];
        if cell == self.goal() {
            return 100;
        }
        let enemy = state.stones(state.side.other());
        let mut left = enemy;
        left.capture(self.turned(cell));
        10 * i32::from(left != enemy) + i32::from(way == 2)
    }
}

crate::params! {
    /// What EinStein würfelt nicht takes.
    #[derive(Debug, Clone)]
    pub struct EinsteinParams {
        /// rows and columns of the board
        size: u32 [2..=8] = 5,
        /// stones of each side: 1, 3 or 6; 6 from size 5, 3 on 3 and 4, 1 on 2
        stones: Option<u32> [1..=6] = None,
        /// `random`, or the stones row by row from each side's corner, such as
        /// `123456`; `123456/654321` for first and second
        arrangement: String = "random".to_owned(),
    }
}

impl Configurable for Einstein {
    const KIND: &'static str = "einstein";
    const SUMMARY: &'static str =
        "EinStein würfelt nicht: a die selects the stone that moves towards the opposite corner";
    const SIDES: &'static [[&'static str; 2]] = &[["x", "o"]];
    const ALWAYS_CHANCE: bool = true;

    type Params = EinsteinParams;

    fn from_params(params: EinsteinParams) -> Result<Self, ParamError> {
        params.check()?;
        let shape = Shape::of(params.size, params.stones)?;
        let fixed = starting_arrangement::fixed(shape, params.arrangement.trim())?;
        let arrangements = shape.all();
        let number = |stones: &Stones| arrangements.iter().position(|a| *a == stones.transposed());
        let transposed = arrangements.iter().map(|a| number(a).unwrap_or(0) as u16).collect();
        Ok(Einstein { shape, arrangements, transposed, fixed })
    }

    /// Up to three stones of each side on 4 × 4, or one on any board.
    fn exact_solver(&self) -> Offer<Self> {
        let Shape { size, stones } = self.shape;
        if stones == 1 || (stones == 3 && size <= 4) {
            return Ok(Box::new(FullSearch::default()));
        }
        let why = format!("{stones} stones of each side on {size}x{size} are too many to solve");
        let help = "`size = 3` or `size = 4` with `stones = 3`".to_owned();
        Err(Unsolved { why, help })
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary =
            "steps to the corner of each face's nearest stone: the opponent's minus the own";
        vec![NamedEvaluator::plain::<Race>("race", summary), NamedEvaluator::linear()]
    }
}
