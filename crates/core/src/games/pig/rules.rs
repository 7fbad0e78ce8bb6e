//! The rules of Pig: the implementation of `Game`.

use rand::Rng;

use super::evaluators::Lead;
use super::state::{Phase, Pig, PigMove, PigParams, PigState};
use super::{pig_solver, text};
use crate::games::game::capabilities;
use crate::games::key_hash::mix;
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Offer, Player, Shortcuts, Turn, below,
};
use crate::params::{ParamError, Params};

impl Game for Pig {
    type State = PigState;
    type Move = PigMove;

    fn start(&self) -> PigState {
        PigState { scores: [0; 2], total: 0, side: Player::First, phase: Phase::Choose }
    }

    #[inline]
    fn turn(&self, state: &PigState) -> Turn {
        match state.phase {
            Phase::Choose => Turn::Player(state.side),
            Phase::Roll => Turn::Chance,
            Phase::Over => Turn::Over,
        }
    }

    /// Roll, then hold.
    #[inline]
    fn moves(&self, state: &PigState, out: &mut Vec<PigMove>) {
        if !self.suffices(state) {
            out.push(PigMove::Roll);
        }
        out.push(PigMove::Hold);
    }

    /// Faces in increasing order, from 1.
    #[inline]
    fn outcomes(&self, _state: &PigState, out: &mut Vec<(PigMove, u32)>) {
        out.extend((1..=self.faces).map(|face| (PigMove::Face(face), 1)));
    }

    #[inline]
    fn play(&self, state: &mut PigState, mv: PigMove) {
        match mv {
            PigMove::Roll => state.phase = Phase::Roll,
            PigMove::Hold => {
                let score = &mut state.scores[state.side.index()];
                *score += state.total;
                state.total = 0;
                if *score >= self.goal {
                    state.phase = Phase::Over;
                } else {
                    state.side = state.side.other();
                }
            }
            PigMove::Face(face) => {
                state.phase = Phase::Choose;
                if face == 1 {
                    state.total = 0;
                    state.side = state.side.other();
                } else {
                    state.total += u16::from(face);
                }
            }
        }
    }

    #[inline]
    fn payoff(&self, state: &PigState) -> i32 {
        state.side.sign()
    }

    /// All positions have different keys: a position fits 51 bits and the mixing is invertible.
    #[inline]
    fn key(&self, state: &PigState) -> u64 {
        let [first, second] = state.scores.map(u64::from);
        let acts = state.phase as u64 * 2 + state.side.index() as u64;
        mix(first | second << 16 | u64::from(state.total) << 32 | acts << 48)
    }

    fn reason(&self, _state: &PigState) -> &'static str {
        "goal"
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn write_move(&self, _state: &PigState, mv: PigMove, out: &mut String) {
        text::write_move(mv, out);
    }

    fn write_position(&self, state: &PigState) -> String {
        text::write_position(state)
    }

    fn read_position(&self, text: &str) -> Result<PigState, String> {
        text::read_position(self, text)
    }

    capabilities!(shortcuts: Shortcuts, notation: Notation, drawing: Drawing);
}

impl Shortcuts<Pig> for &Pig {
    #[inline(always)]
    fn random_move<R: Rng>(
        self,
        state: &PigState,
        rng: &mut R,
        _buffer: &mut Vec<PigMove>,
    ) -> PigMove {
        if self.suffices(state) || below(rng, 2) == 1 { PigMove::Hold } else { PigMove::Roll }
    }

    #[inline]
    fn random_outcome<R: Rng>(
        self,
        _state: &PigState,
        rng: &mut R,
        _buffer: &mut Vec<(PigMove, u32)>,
    ) -> PigMove {
        PigMove::Face(1 + below(rng, self.die()) as u8)
    }
}

impl Configurable for Pig {
    const KIND: &'static str = "pig";
    const SUMMARY: &'static str =
        "Pig: roll a die as often as you like; a 1 loses the turn's sum; the goal wins";
    const ALWAYS_CHANCE: bool = true;

    type Params = PigParams;

    fn from_params(params: PigParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Pig { goal: params.goal as u16, faces: params.die as u8 })
    }

    fn exact_solver(&self) -> Offer<Self> {
        pig_solver::offer(self)
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "lead in points: banked score plus the turn's sum";
        vec![NamedEvaluator::plain::<Lead>("lead", summary), NamedEvaluator::linear()]
    }
}
