//! The rules of Pig: the implementation of `Game`.

use rand::Rng;

use super::evaluators::LEAD;
use super::{exact_values, picture, text};
use crate::games::configurable::Configurable;
use crate::games::evaluator::{AnyEvaluator, EvaluatorInfo, Weights};
use crate::games::exact_values::Exactness;
use crate::games::game::{Drawing, Game, Notation, Player, Shortcuts, Turn, below, capabilities};
use crate::games::hash::mix;
use crate::games::picture::Picture;
use crate::params::{ParamError, Params};

/// Pig with a goal and a die.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pig {
    goal: u16,
    faces: u8,
}

/// A position: the scores, the turn sum, the side to move and the phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PigState {
    pub(super) scores: [u16; 2],
    pub(super) total: u16,
    pub(super) side: Player,
    pub(super) phase: Phase,
}

/// What happens next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The player rolls or holds.
    Choose,
    /// The die is rolled.
    Roll,
    /// The game is over: `side` has won.
    Over,
}

/// A player's action, or the outcome of a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PigMove {
    /// Roll the die.
    Roll,
    /// Bank the turn sum and pass the turn.
    Hold,
    /// The die shows this face.
    Face(u8),
}

impl PigState {
    /// The banked score of a player.
    #[inline]
    pub fn score(&self, player: Player) -> u32 {
        u32::from(self.scores[player.index()])
    }

    /// The turn sum so far.
    #[inline]
    pub fn total(&self) -> u32 {
        u32::from(self.total)
    }

    /// The side to move; in a finished game, the winner.
    #[inline]
    pub fn side(&self) -> Player {
        self.side
    }
}

impl Pig {
    /// Pig with a goal from 1 to 10 000 and a die with 2 to 100 faces.
    ///
    /// # Errors
    /// Numbers outside these ranges.
    pub fn new(goal: u32, die: u32) -> Result<Self, ParamError> {
        Pig::from_params(PigParams { goal, die })
    }

    /// The score that wins.
    #[inline]
    pub fn goal(&self) -> u32 {
        u32::from(self.goal)
    }

    /// Faces of the die.
    #[inline]
    pub fn die(&self) -> u32 {
        u32::from(self.faces)
    }

    /// Whether the turn sum is enough to win.
    #[inline]
    pub(super) fn suffices(&self, state: &PigState) -> bool {
        state.scores[state.side.index()] + state.total >= self.goal
    }
}

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

impl Notation<Pig> for &Pig {
    fn read_move(self, state: &PigState, text: &str) -> Result<PigMove, String> {
        text::read_move(self, state, text)
    }
}

impl Shortcuts<Pig> for &Pig {
    #[inline]
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

impl Drawing<Pig> for &Pig {
    fn text(self, state: &PigState) -> String {
        text::draw(self, state)
    }

    fn picture(self, state: &PigState) -> Picture {
        picture::picture(self, state)
    }
}

crate::params! {
    /// What Pig takes.
    #[derive(Debug, Clone)]
    pub struct PigParams {
        /// the score that wins
        goal: u32 [1..=10_000] = 100,
        /// faces of the die
        die: u32 [2..=100] = 6,
    }
}

impl Configurable for Pig {
    const KIND: &'static str = "pig";
    const SUMMARY: &'static str =
        "Pig: roll a die as often as you dare, a 1 loses the turn's sum, first to the goal wins";
    const ALWAYS_CHANCE: bool = true;

    type Params = PigParams;

    fn from_params(params: PigParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Pig { goal: params.goal as u16, faces: params.die as u8 })
    }

    fn exactness(&self) -> Exactness<Self> {
        exact_values::exactness(self)
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        LEAD.list::<3, Pig>()
    }

    fn evaluator(&self, name: &str, weights: &Weights) -> Result<AnyEvaluator<Self>, ParamError> {
        LEAD.named(self, name, weights)
    }
}
