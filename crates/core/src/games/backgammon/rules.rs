//! The rules of backgammon: the implementation of `Game`.

use rand::Rng;

use super::bear_off_solver::BearOffSolver;
use super::checkers_of_one_side::{BAR, Side};
use super::evaluators::Pips;
use super::legal_moves::Mover;
use super::state::{Backgammon, BackgammonMove, BackgammonState, CheckerStep, Phase};
use super::{position_text, text};
use crate::games::game::capabilities;
use crate::games::grid::bitboard::Bitboard;
use crate::games::key_hash::{fold, mix};
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Offer, Player, Scoring, SearchHints,
    Shortcuts, Turn, below,
};
use crate::params::{ParamError, Params};

impl Game for Backgammon {
    type State = BackgammonState;
    type Move = BackgammonMove;

    fn start(&self) -> BackgammonState {
        let sides = [Side::start(); 2];
        BackgammonState { sides, side: Player::First, phase: Phase::FirstRoll, dice: [0; 2] }
    }

    #[inline]
    fn turn(&self, state: &BackgammonState) -> Turn {
        match state.phase {
            Phase::FirstRoll | Phase::Roll => Turn::Chance,
            Phase::Move => Turn::Player(state.side),
            Phase::Over => Turn::Over,
        }
    }

    /// By the point of the larger die's step, then of the smaller die's; doubles by their steps, from
    /// the highest point each. Lower points come first.
    #[inline]
    fn moves(&self, state: &BackgammonState, out: &mut Vec<BackgammonMove>) {
        let mover = Mover::of(state);
        if mover.is_double() {
            return mover.doubles(out);
        }
        let before = out.len();
        mover.pairs().each(mover.dice, |mv| out.push(mv));
        if out.len() == before {
            mover.single(|mv| out.push(mv));
        }
    }

    /// By the larger die, then the smaller. At the first roll, by the first player's die.
    fn outcomes(&self, state: &BackgammonState, out: &mut Vec<(BackgammonMove, u32)>) {
        let first = state.phase == Phase::FirstRoll;
        for a in 1..=6 {
            for b in 1..=6 {
                if first && a != b || !first && a >= b {
                    out.push((BackgammonMove::Roll(a, b), 1 + u32::from(!first && a != b)));
                }
            }
        }
    }

    #[inline]
    fn play(&self, state: &mut BackgammonState, mv: BackgammonMove) {
        let steps = match mv {
            BackgammonMove::Roll(a, b) => {
                if state.phase == Phase::FirstRoll && a < b {
                    state.side = Player::Second;
                }
                state.phase = Phase::Move;
                state.dice = [a.max(b), a.min(b)];
                return;
            }
            BackgammonMove::Turn(steps) => steps,
        };
        let (own, enemy) = (state.side.index(), state.side.other().index());
        let blots = Mover::of(state).blots;
        for step in steps {
            if step.is_none() {
                break;
            }
            state.sides[own].remove(step.from());
            let to = step.to();
            if to > 0 {
                state.sides[own].add(to);
                if blots.has(to) && state.sides[enemy].at(25 - to) > 0 {
                    state.sides[enemy].remove(25 - to);
                    state.sides[enemy].add(BAR);
                }
            }
        }
        state.dice = [0; 2];
        if state.sides[own].points() == 0 {
            state.phase = Phase::Over;
        } else {
            state.side = state.side.other();
            state.phase = Phase::Roll;
        }
    }

    #[inline]
    fn payoff(&self, state: &BackgammonState) -> i32 {
        let points = if self.gammons { state.points() } else { 1 };
        points * state.side.sign()
    }

    #[inline]
    fn key(&self, state: &BackgammonState) -> u64 {
        let [large, small] = state.dice.map(u64::from);
        let acts = state.phase as u64 * 2 + state.side.index() as u64;
        let mut key = mix(acts << 6 | large << 3 | small);
        for side in state.sides {
            let [a, b, c, d] = side.0.map(u64::from);
            key = fold(fold(key, a | b << 32), c | d << 32);
        }
        key
    }

    fn reason(&self, state: &BackgammonState) -> &'static str {
        ["borne off", "gammon", "backgammon"][state.points() as usize - 1]
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn write_move(&self, state: &BackgammonState, mv: BackgammonMove, out: &mut String) {
        text::write_move(state, mv, '+', out);
    }

    fn write_position(&self, state: &BackgammonState) -> String {
        position_text::write_position(state)
    }

    fn read_position(&self, text: &str) -> Result<BackgammonState, String> {
        position_text::read_position(text)
    }

    capabilities!(
        hints: SearchHints,
        shortcuts: Shortcuts,
        scoring: Scoring,
        notation: Notation,
        drawing: Drawing,
    );
}

impl Scoring<Backgammon> for &Backgammon {
    fn numeric_score(self) -> bool {
        self.gammons
    }

    fn payoff_range(self) -> Option<(i32, i32)> {
        self.gammons.then_some((-3, 3))
    }
}

impl Shortcuts<Backgammon> for &Backgammon {
    #[inline]
    fn random_move<R: Rng>(
        self,
        state: &BackgammonState,
        rng: &mut R,
        buffer: &mut Vec<BackgammonMove>,
    ) -> BackgammonMove {
        let mover = Mover::of(state);
        if !mover.is_double() {
            let pairs = mover.pairs();
            let count = pairs.count();
            if count > 0 {
                return pairs.nth(below(rng, count), mover.dice);
            }
        }
        buffer.clear();
        match mover.is_double() {
            true => mover.doubles(buffer),
            false => mover.single(|mv| buffer.push(mv)),
        }
        buffer[below(rng, buffer.len() as u32) as usize]
    }

    #[inline]
    fn random_outcome<R: Rng>(
        self,
        state: &BackgammonState,
        rng: &mut R,
        _buffer: &mut Vec<(BackgammonMove, u32)>,
    ) -> BackgammonMove {
        if state.phase == Phase::FirstRoll {
            let n = below(rng, 30) as u8;
            let (first, second) = (n / 5, n % 5);
            return BackgammonMove::Roll(1 + first, 1 + second + u8::from(second >= first));
        }
        let n = below(rng, 36) as u8;
        let (a, b) = (1 + n / 6, 1 + n % 6);
        BackgammonMove::Roll(a.max(b), a.min(b))
    }
}

impl SearchHints<Backgammon> for &Backgammon {
    /// The most hits first.
    #[inline]
    fn order_hint(self, state: &BackgammonState, mv: BackgammonMove) -> i32 {
        let BackgammonMove::Turn(steps) = mv else { return 0 };
        let blots = Mover::of(state).blots;
        let hits = |step: &&CheckerStep| !step.is_none() && blots.has(step.to());
        steps.iter().filter(hits).count() as i32
    }
}

crate::params! {
    /// What backgammon takes.
    #[derive(Debug, Clone)]
    pub struct BackgammonParams {
        /// whether a gammon counts 2 points and a backgammon 3
        gammons: bool = false,
    }
}

impl Configurable for Backgammon {
    const KIND: &'static str = "backgammon";
    const SUMMARY: &'static str = "Backgammon: a race with two dice and hits, without a cube";
    const SIDES: &'static [[&'static str; 2]] = &[["x", "o"]];
    const ALWAYS_CHANCE: bool = true;

    type Params = BackgammonParams;

    fn from_params(params: BackgammonParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Backgammon { gammons: params.gammons })
    }

    fn exact_solver(&self) -> Offer<Self> {
        Ok(Box::new(BearOffSolver::default()))
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "lead in steps to go, as hundredths of the square root of both sides' steps";
        vec![NamedEvaluator::plain::<Pips>("pips", summary), NamedEvaluator::linear()]
    }
}
