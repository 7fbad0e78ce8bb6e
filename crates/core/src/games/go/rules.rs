//! The rules of Go: the implementation of `Game`.

use rand::Rng;

use super::chains::Placed;
use super::evaluators::Area;
use super::state::{Go, GoMove, GoState, NO_POINT, Points, insert};
use super::{solver, text};
use crate::games::engine_facts::{EngineFacts, GtpGame};
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{Bitboard, nth_bit_of};
use crate::games::key_hash::mix;
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Offer, Player, Scoring, SearchHints,
    Shortcuts, Symmetry, Turn, below,
};
use crate::params::{ParamError, Params};

impl Game for Go {
    type State = GoState;
    type Move = GoMove;

    fn start(&self) -> GoState {
        GoState::new([Points::NONE; 2], Player::First)
    }

    #[inline]
    fn turn(&self, state: &GoState) -> Turn {
        if state.passes >= 2 { Turn::Over } else { Turn::Player(state.side) }
    }

    /// Points row by row from `A1`, the bottom left, and then a pass.
    fn moves(&self, state: &GoState, out: &mut Vec<GoMove>) {
        for point in self.empty(state).cells() {
            let point = point as u16;
            if self.place_legally(state, point).is_some() {
                out.push(GoMove(point));
            }
        }
        out.push(GoMove::PASS);
    }

    #[inline]
    fn play(&self, state: &mut GoState, mv: GoMove) {
        if mv == GoMove::PASS {
            (state.passes, state.ko) = (state.passes + 1, NO_POINT);
        } else if let Some(placed) = self.place(state, mv.0) {
            self.put(state, mv.0, &placed);
        }
        state.side = state.side.other();
    }

    #[inline]
    fn payoff(&self, state: &GoState) -> i32 {
        2 * self.area(state) - self.komi
    }

    #[inline]
    fn key(&self, state: &GoState) -> u64 {
        let rest = u64::from(state.ko) << 8 | u64::from(state.passes) << 1;
        state.hash ^ mix((rest | state.side.index() as u64) << 16)
    }

    fn reason(&self, _state: &GoState) -> &'static str {
        "two passes"
    }

    fn write_move(&self, _state: &GoState, mv: GoMove, out: &mut String) {
        text::write_move(self, mv, out);
    }

    fn write_position(&self, state: &GoState) -> String {
        text::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<GoState, String> {
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

impl Go {
    /// Puts a stone on the board and removes stones.
    #[inline]
    fn put(&self, state: &mut GoState, point: u16, placed: &Placed) {
        let side = state.side.index();
        let ko = self.ko_after(state, point, placed);
        state.remember(state.hash);
        insert(&mut state.stones[side], point);
        if placed.removed_count > 0 {
            state.removed = true;
            let from = if placed.suicide { side } else { 1 - side };
            state.stones[from] = state.stones[from] & !placed.removed;
        }
        (state.hash, state.ko, state.passes) = (placed.hash, ko, 0);
    }

    /// The smallest and the largest payoff.
    pub(super) fn payoffs(&self) -> (i32, i32) {
        let most = 2 * i32::from(self.points());
        (-most - self.komi, most - self.komi)
    }

    /// The point of a set with this number, counted from 0; the set must have it.
    #[inline]
    fn nth_point(&self, among: &Points, number: u32) -> u16 {
        let (word, bit) = nth_bit_of(among.0[..self.words()].iter().copied(), number);
        64 * word as u16 + bit as u16
    }
}

impl Scoring<Go> for &Go {
    fn numeric_score(self) -> bool {
        self.margin
    }

    fn payoff_range(self) -> Option<(i32, i32)> {
        Some(self.payoffs())
    }
}

impl Symmetry<Go> for &Go {
    fn symmetries(self) -> usize {
        8
    }

    /// Of the earlier positions, the image has those that forbid a move now.
    fn map_state(self, s: usize, state: &GoState) -> GoState {
        if s == 0 {
            return state.clone();
        }
        let mut image = GoState {
            passes: state.passes,
            ko: self.image(s, state.ko),
            ..GoState::new(state.stones.map(|set| self.image_of_set(s, set)), state.side)
        };
        for point in self.forbidden_by_superko(state) {
            self.forbid(&mut image, self.image(s, point));
        }
        image
    }

    fn map_move(self, s: usize, mv: GoMove) -> GoMove {
        GoMove(self.image(s, mv.0))
    }

    fn canonical_key(self, state: &GoState) -> u64 {
        let key = |s| {
            let stones = state.stones.map(|set| self.image_of_set(s, set));
            let ko = self.image(s, state.ko);
            self.key(&GoState { passes: state.passes, ko, ..GoState::new(stones, state.side) })
        };
        (0..8).map(key).fold(u64::MAX, u64::min)
    }
}

impl Go {
    /// The position with the colours exchanged and without earlier positions: without komi, the
    /// same game with negated values.
    pub fn exchanged(&self, state: &GoState) -> GoState {
        let [first, second] = state.stones;
        let GoState { passes, ko, .. } = *state;
        GoState { passes, ko, ..GoState::new([second, first], state.side.other()) }
    }

    fn image_of_set(&self, s: usize, set: Points) -> Points {
        let mut image = Points::NONE;
        set.cells().for_each(|point| insert(&mut image, self.image(s, point as u16)));
        image
    }
}

impl Shortcuts<Go> for &Go {
    #[inline]
    fn legality(self, state: &GoState, mv: GoMove) -> Option<bool> {
        let on_board = mv.0 < self.points() && state.at(mv.0).is_none();
        Some(mv == GoMove::PASS || on_board && self.place_legally(state, mv.0).is_some())
    }

    /// Draws again until the move is legal.
    #[inline]
    fn random_move<R: Rng>(
        self,
        state: &GoState,
        rng: &mut R,
        _buffer: &mut Vec<GoMove>,
    ) -> GoMove {
        let mut points = self.empty(state);
        let mut count = points.count();
        loop {
            // The last number is the pass.
            let number = below(rng, count + 1);
            if number == count {
                return GoMove::PASS;
            }
            let point = self.nth_point(&points, number);
            if self.place_legally(state, point).is_some() {
                return GoMove(point);
            }
            points.0[usize::from(point / 64)] &= !(1 << (point % 64));
            count -= 1;
        }
    }
}

impl SearchHints<Go> for &Go {
    /// Any point but the player's own eyes; a pass if there is none. What the stone does is computed
    /// once, for the test whether it is legal and for the move.
    #[inline]
    fn playout_ply<R: Rng>(
        self,
        state: &mut GoState,
        rng: &mut R,
        _buffer: &mut Vec<GoMove>,
    ) -> GoMove {
        let mut points = self.empty(state);
        for count in (1..=points.count()).rev() {
            let point = self.nth_point(&points, below(rng, count));
            if !self.is_eye(state, point, state.side)
                && let Some(placed) = self.place_legally(state, point)
            {
                self.put(state, point, &placed);
                state.side = state.side.other();
                return GoMove(point);
            }
            points.0[usize::from(point / 64)] &= !(1 << (point % 64));
        }
        self.play(state, GoMove::PASS);
        GoMove::PASS
    }

    fn amaf_moves(self) -> usize {
        usize::from(self.points()) + 1
    }

    #[inline]
    fn amaf_number(self, mv: GoMove) -> usize {
        usize::from(mv.0.min(self.points()))
    }

    /// Next to stones first; on the first line, and a pass, last.
    fn order_hint(self, state: &GoState, mv: GoMove) -> i32 {
        if mv == GoMove::PASS {
            return -1;
        }
        let (mut all, mut stones) = (0, 0);
        for next in self.neighbours(mv.0) {
            all += 1;
            stones += i32::from(state.at(next).is_some());
        }
        all + 2 * stones
    }

    const HAS_NOISY: bool = true;

    /// Captures.
    fn noisy(self, state: &GoState, out: &mut Vec<GoMove>) {
        for point in self.empty(state).cells() {
            let point = point as u16;
            let placed = self.place_legally(state, point);
            if placed.is_some_and(|placed| placed.removed_count > 0 && !placed.suicide) {
                out.push(GoMove(point));
            }
        }
    }
}

crate::params! {
    /// What Go takes.
    #[derive(Debug, Clone)]
    pub struct GoParams {
        /// rows and columns of the board
        size: u32 [2..=19] = 9,
        /// points for the second player, whole or half
        komi: f64 [-361.0..=361.0] = 7.5,
        /// whether a player may remove own stones by suicide
        suicide: bool = false,
        /// whether players maximise their score instead of the chance to win
        margin: bool = false,
    }
}

impl Configurable for Go {
    const KIND: &'static str = "go";
    const SUMMARY: &'static str =
        "Go by the rules of Tromp and Taylor: area counts, no position recurs";
    const SIDES: &'static [[&'static str; 2]] = &[["black", "white"], ["x", "o"]];
    const OPENING_PLIES: u32 = 4;

    type Params = GoParams;

    fn from_params(params: GoParams) -> Result<Self, ParamError> {
        params.check()?;
        let komi = 2.0 * params.komi;
        if komi.fract() != 0.0 {
            let message = format!("a komi of {} has quarters of points", params.komi);
            return Err(ParamError::at("komi", message, "whole or half points, such as 7 or 7.5"));
        }
        Ok(Go::new(params.size as u16, komi as i32, params.suicide, params.margin))
    }

    fn engine_facts(&self) -> EngineFacts {
        let komi = Some(f64::from(self.komi) / 2.0);
        let gtp = Some(GtpGame { size: u32::from(self.size), komi, suicide: self.suicide });
        EngineFacts { gtp, ..EngineFacts::default() }
    }

    fn warnings(&self) -> Vec<String> {
        let points = i32::from(self.points());
        if self.komi.abs() < 2 * points {
            return Vec::new();
        }
        let winner = if self.komi > 0 { "second" } else { "first" };
        let komi = f64::from(self.komi) / 2.0;
        vec![format!("with a komi of {komi} on {points} points the {winner} player cannot lose")]
    }

    fn exact_solver(&self) -> Offer<Self> {
        solver::offer(self)
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "the result in half points as if the game ended now";
        vec![NamedEvaluator::plain::<Area>("area", summary), NamedEvaluator::linear()]
    }
}
