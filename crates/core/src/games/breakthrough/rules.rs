//! The rules of Breakthrough: the implementation of `Game`.

use rand::Rng;

use super::evaluators::Pieces;
use super::state::{Breakthrough, BreakthroughMove, BreakthroughState, WAYS, Way};
use super::text;
use crate::games::engine_facts::EngineFacts;
use crate::games::game::capabilities;
use crate::games::grid::bitboard::{Bitboard, nth_bit_of};
use crate::games::key_hash::{fold, mix};
use crate::games::{
    Configurable, Drawing, Game, NamedEvaluator, Notation, Player, SearchHints, Shortcuts,
    Symmetry, Threat, Turn, UCI_VARIANT, UciOption, below,
};
use crate::params::{ParamError, Params};

/// The largest board on which every position has a key of its own: two bits for each cell and one
/// for the side.
const DISTINCT: u32 = 31;

impl Game for Breakthrough {
    type State = BreakthroughState;
    type Move = BreakthroughMove;

    fn start(&self) -> BreakthroughState {
        let both = |player| self.row(player, 0) | self.row(player, 1);
        let pieces = Player::BOTH.map(both);
        BreakthroughState { pieces, side: Player::First }
    }

    #[inline]
    fn turn(&self, state: &BreakthroughState) -> Turn {
        // Only the side that moved last can have won.
        if self.has_won(state, state.side.other()) { Turn::Over } else { Turn::Player(state.side) }
    }

    /// Steps to the left, straight steps, steps to the right; each by target, from `a1`.
    #[inline]
    fn moves(&self, state: &BreakthroughState, out: &mut Vec<BreakthroughMove>) {
        self.each_move(state, |mv| out.push(mv));
    }

    #[inline]
    fn play(&self, state: &mut BreakthroughState, mv: BreakthroughMove) {
        let (own, other) = (state.side.index(), state.side.other().index());
        state.pieces[own] ^= 1 << mv.from | 1 << mv.to;
        state.pieces[other] &= !(1 << mv.to);
        state.side = state.side.other();
    }

    #[inline]
    fn payoff(&self, state: &BreakthroughState) -> i32 {
        state.side.other().sign()
    }

    #[inline]
    fn key(&self, state: &BreakthroughState) -> u64 {
        let ([first, second], side) = (state.pieces, state.side.index() as u64);
        if self.cells() <= DISTINCT {
            return mix(first | second << DISTINCT | side << 63);
        }
        fold(mix(first ^ side.wrapping_neg()), second)
    }

    fn reason(&self, state: &BreakthroughState) -> &'static str {
        if state.pieces(state.side) == 0 { "no pieces left" } else { "last row" }
    }

    fn write_move(&self, _state: &BreakthroughState, mv: BreakthroughMove, out: &mut String) {
        text::write_move(self, mv, out);
    }

    fn write_position(&self, state: &BreakthroughState) -> String {
        text::write_position(self, state)
    }

    fn read_position(&self, text: &str) -> Result<BreakthroughState, String> {
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

impl Symmetry<Breakthrough> for &Breakthrough {
    fn symmetries(self) -> usize {
        2
    }

    /// The board with left and right exchanged.
    fn map_state(self, s: usize, state: &BreakthroughState) -> BreakthroughState {
        if s == 0 { *state } else { self.mirror_image(state) }
    }

    fn map_move(self, s: usize, mv: BreakthroughMove) -> BreakthroughMove {
        let map = |cell| if s == 0 { cell } else { self.mirrored_cell(cell) };
        BreakthroughMove { from: map(mv.from), to: map(mv.to) }
    }
}

impl Shortcuts<Breakthrough> for &Breakthrough {
    #[inline]
    fn legality(self, state: &BreakthroughState, mv: BreakthroughMove) -> Option<bool> {
        let to = u32::from(mv.to);
        let is_step =
            |way| self.targets(state, way).has(to) && self.step(state.side, way, to) == mv;
        Some(WAYS.into_iter().any(is_step))
    }

    #[inline(always)]
    fn random_move<R: Rng>(
        self,
        state: &BreakthroughState,
        rng: &mut R,
        _buffer: &mut Vec<BreakthroughMove>,
    ) -> BreakthroughMove {
        let targets = WAYS.map(|way| self.targets(state, way));
        let chosen = below(rng, targets.iter().map(|set| set.count_ones()).sum());
        let (way, to) = nth_bit_of(targets, chosen);
        self.step(state.side, WAYS[way], to)
    }
}

impl SearchHints<Breakthrough> for &Breakthrough {
    /// Every move brings a piece one row forward, and only the last move reaches the last row.
    fn max_plies(self) -> Option<u32> {
        let (columns, rows) = (u32::from(self.columns), u32::from(self.rows));
        Some(2 * columns * (2 * rows - 5) + 1)
    }

    /// Moves to the last row, then captures, those nearest to the own home row first, then the
    /// moves of the foremost pieces.
    #[inline]
    fn order_hint(self, state: &BreakthroughState, mv: BreakthroughMove) -> i32 {
        let (to, other) = (u32::from(mv.to), state.side.other());
        let progress = self.progress(state.side, mv.to);
        if self.home(other).has(to) {
            1000
        } else if state.pieces(other).has(to) {
            100 - progress
        } else {
            progress
        }
    }

    const HAS_NOISY: bool = true;

    /// Captures and moves to the last row.
    #[inline]
    fn noisy(self, state: &BreakthroughState, out: &mut Vec<BreakthroughMove>) {
        let other = state.side.other();
        let noisy = self.home(other) | state.pieces(other);
        for way in WAYS {
            let targets = (self.targets(state, way) & noisy).cells();
            out.extend(targets.map(|to| self.step(state.side, way, to)));
        }
    }

    #[inline]
    fn threat(self, state: &BreakthroughState) -> Threat<BreakthroughMove> {
        let (side, other) = (state.side, state.side.other());
        let (own, enemy) = (state.pieces(side), state.pieces(other));
        // The last piece of a side may be captured, too.
        if own.count_ones() == 1 || enemy.count_ones() == 1 {
            return Threat::Unknown;
        }
        // A piece on the row before the last always has a diagonal step: there are no own pieces
        // on the last row.
        if own & self.row(side, self.rows - 2) != 0 {
            for way in WAYS {
                if let Some(to) = (self.targets(state, way) & self.home(other)).lowest() {
                    return Threat::Win(self.step(side, way, to));
                }
            }
        }
        let threats = enemy & self.row(other, self.rows - 2);
        let Some(to) = threats.lowest() else { return Threat::None };
        if threats.count_ones() > 1 {
            return Threat::Lost;
        }
        let captures = [Way::Left, Way::Right]
            .map(|way| self.targets(state, way).has(to).then(|| self.step(side, way, to)));
        match captures {
            [None, None] => Threat::Lost,
            [Some(mv), None] | [None, Some(mv)] => Threat::Reply(mv),
            [Some(_), Some(_)] => Threat::Unknown,
        }
    }
}

crate::params! {
    /// What Breakthrough takes.
    #[derive(Debug, Clone)]
    pub struct BreakthroughParams {
        /// columns of the board
        columns: u32 [2..=8] = 8,
        /// rows of the board; each side fills the two rows nearest to it
        rows: u32 [4..=8] = 8,
    }
}

impl Configurable for Breakthrough {
    const KIND: &'static str = "breakthrough";
    const SUMMARY: &'static str =
        "Breakthrough: pieces step forward and capture diagonally; the last row wins";
    const SIDES: &'static [[&'static str; 2]] = &[["white", "black"], ["x", "o"]];
    const OPENING_PLIES: u32 = 4;

    type Params = BreakthroughParams;

    fn from_params(params: BreakthroughParams) -> Result<Self, ParamError> {
        params.check()?;
        Ok(Breakthrough::new(params.columns as u8, params.rows as u8))
    }

    /// Other programs play on this board only.
    fn engine_facts(&self) -> EngineFacts {
        let uci_option = (self.size() == (8, 8)).then_some(UciOption {
            name: UCI_VARIANT,
            value: "breakthrough",
            help: "use an engine that plays Breakthrough, such as Fairy-Stockfish",
        });
        EngineFacts { uci_option, ..EngineFacts::default() }
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        let summary = "pieces: the own minus the opponent's";
        vec![NamedEvaluator::plain::<Pieces>("pieces", summary), NamedEvaluator::linear()]
    }
}
