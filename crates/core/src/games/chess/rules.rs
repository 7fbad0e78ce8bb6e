//! The rules of chess: the implementation of `Game`.

use cozy_chess::{BitBoard, Color, Piece, Square};
use rand::Rng;

use super::chess_move::{ChessMove, side};
use super::evaluators;
use super::game_end::End;
use super::move_sets::{LAST_RANKS, MoveSets};
use super::quiet_moves::QuietMoves;
use super::state::{BoardStyle, Chess, ChessState, Variant};
use super::{en_passant, fen, perft};
use crate::games::engine_facts::EngineFacts;
use crate::games::game::capabilities;
use crate::games::key_hash::fold;
use crate::games::material_evaluator::Material;
use crate::games::syzygy::SyzygyTables;
use crate::games::{
    Configurable, Drawing, Evaluator, EvaluatorVisitor, Game, NamedEvaluator, Notation, Player,
    Repetition, Scoring, SearchHints, Shortcuts, Turn, UciOption, Weights, below,
};
use crate::params::ParamError;

/// From this half-move clock on, a search result is valid only for the same clock, because the
/// fifty-move draw is near.
const NEAR_THE_END: u8 = 60;

const PIECE_VALUES: [i32; 6] = [1, 3, 3, 5, 9, 20];

impl Game for Chess {
    type State = ChessState;
    type Move = ChessMove;

    fn start(&self) -> ChessState {
        self.start.clone()
    }

    #[inline]
    fn turn(&self, state: &ChessState) -> Turn {
        match state.end {
            End::No => Turn::Player(side(state.board.side_to_move())),
            _ => Turn::Over,
        }
    }

    /// Order: pawns, knights, bishops, rooks, queens, king. Within a kind, unpinned pieces come
    /// before pinned ones, each from a1 to h8, and targets from a1 to h8. A pawn promotes to
    /// knight, bishop, rook, queen in this order.
    #[inline]
    fn moves(&self, state: &ChessState, out: &mut Vec<ChessMove>) {
        let mut sets = MoveSets::NONE;
        sets.fill(&state.board);
        out.extend(sets.moves().map(ChessMove::from));
    }

    #[inline]
    fn play(&self, state: &mut ChessState, mv: ChessMove) {
        state.board.play_unchecked(mv.generated());
        state.end = End::of(&state.board);
    }

    #[inline]
    fn payoff(&self, state: &ChessState) -> i32 {
        match state.end {
            End::Checkmate => -side(state.board.side_to_move()).sign(),
            _ => 0,
        }
    }

    /// Independent of the counters, because repetitions are found by key.
    #[inline]
    fn key(&self, state: &ChessState) -> u64 {
        let board = &state.board;
        let key =
            if en_passant::is_impossible(board) { board.hash_without_ep() } else { board.hash() };
        if state.end == End::FiftyMoves { !key } else { key }
    }

    fn reason(&self, state: &ChessState) -> &'static str {
        match state.end {
            End::Checkmate => "checkmate",
            End::Stalemate => "stalemate",
            End::FiftyMoves => "fifty moves",
            End::Insufficient | End::No => "insufficient material",
        }
    }

    #[inline]
    fn write_move(&self, state: &ChessState, mv: ChessMove, out: &mut String) {
        mv.write(&state.board, self.variant, out);
    }

    fn write_position(&self, state: &ChessState) -> String {
        fen::write(state, self.variant)
    }

    fn read_position(&self, text: &str) -> Result<ChessState, String> {
        fen::read(text, self.variant)
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

impl Repetition<Chess> for &Chess {
    const REPEATS: bool = true;
    const LAST_OCCURRENCE: Option<u32> = Some(3);

    #[inline]
    fn reversible_plies(self, state: &ChessState) -> usize {
        usize::from(state.board.halfmove_clock())
    }

    /// With the same side to move, so only every second position can match.
    fn occurrences(self, state: &ChessState, history: &[u64]) -> usize {
        let key = self.key(state);
        let plies = self.reversible_plies(state);
        let before = &history[history.len().saturating_sub(plies)..];
        1 + before.iter().rev().skip(1).step_by(2).filter(|&&past| past == key).count()
    }
}

impl Scoring<Chess> for &Chess {
    const MATERIAL: Option<&'static str> = Some("centipawns");
    const HAS_TABLES: bool = true;

    /// The side with a bare king: FIDE Laws of Chess 6.9 (time) and 7.5.5 (illegal moves).
    fn cannot_win(self, state: &ChessState) -> Option<Player> {
        let is_bare = |color: &Color| state.board.colors(*color).len() == 1;
        [Color::White, Color::Black].into_iter().find(is_bare).map(side)
    }

    /// As in the evaluator `material` with its default weights.
    #[inline]
    fn material(self, state: &ChessState) -> i32 {
        const { Material::standard::<Chess>() }.evaluate(self, state)
    }

    /// Values of 1 and -1 are draws by the fifty-move rule.
    fn by_tables(self, state: &ChessState, tables: &SyzygyTables) -> Result<Option<i32>, String> {
        let board = &state.board;
        if board.halfmove_clock() > 0 {
            return Ok(None);
        }
        let sign = side(board.side_to_move()).sign();
        Ok(tables.value(board)?.map(|value| i32::from(value / 2) * sign))
    }
}

impl Shortcuts<Chess> for &Chess {
    fn legality(self, state: &ChessState, mv: ChessMove) -> Option<bool> {
        Some(state.board.is_legal(mv.generated()))
    }

    /// Counts the moves by the sizes of their sets and picks one.
    #[inline]
    fn random_move<R: Rng>(
        self,
        state: &ChessState,
        rng: &mut R,
        _buffer: &mut Vec<ChessMove>,
    ) -> ChessMove {
        let mut sets = MoveSets::NONE;
        sets.fill(&state.board);
        ChessMove::from(sets.one(|total| below(rng, total)))
    }

    fn perft(self, state: &ChessState, depth: u32) -> u64 {
        match depth {
            0 => 1,
            _ => perft::sequences(&state.board, depth),
        }
    }
}

impl SearchHints<Chess> for &Chess {
    /// Near the fifty-move draw, the clock is part of the key.
    #[inline]
    fn table_key(self, state: &ChessState) -> u64 {
        let (key, clock) = (self.key(state), state.board.halfmove_clock());
        if clock < NEAR_THE_END { key } else { fold(key, u64::from(clock)) }
    }

    /// The captures that gain most first, by the cheapest piece; a promotion counts as a capture of
    /// the new piece.
    #[inline]
    fn order_hint(self, state: &ChessState, mv: ChessMove) -> i32 {
        let board = &state.board;
        let promotion = mv.promotion().map_or(0, |piece| 16 * PIECE_VALUES[piece as usize]);
        if !mv.captures(board) {
            return promotion;
        }
        let value = |square| board.piece_on(square).map_or(1, |piece| PIECE_VALUES[piece as usize]);
        64 + 32 * value(mv.target()) - value(mv.origin()) + promotion
    }

    #[inline]
    fn mvv_lva(self) -> bool {
        true
    }

    const HAS_NOISY: bool = true;
    const HAS_PASS: bool = true;

    /// Captures and promotions to a queen; in check every move.
    fn noisy(self, state: &ChessState, out: &mut Vec<ChessMove>) {
        let board = &state.board;
        if !board.checkers().is_empty() {
            return self.moves(state, out);
        }
        let enemy = board.colors(!board.side_to_move());
        let passed = en_passant::square(board).map_or(BitBoard::EMPTY, Square::bitboard);
        let pawns = enemy | LAST_RANKS | passed;
        let mut sets = MoveSets::NONE;
        sets.fill(board);
        let queens = |mv: &cozy_chess::Move| matches!(mv.promotion, None | Some(Piece::Queen));
        out.extend(sets.moves_onto(pawns, enemy).filter(queens).map(ChessMove::from));
    }

    #[inline]
    fn quiet(self, state: &ChessState) -> Option<impl Fn(ChessMove) -> bool> {
        QuietMoves::of(&state.board).map(|quiet| move |mv| quiet.has(mv))
    }

    #[inline]
    fn stand_pat(self, state: &ChessState) -> bool {
        state.board.checkers().is_empty()
    }

    /// Only if the side to move is not in check and has more than king and pawns, because then
    /// having to move is hardly ever a disadvantage.
    #[inline]
    fn pass(self, state: &ChessState) -> Option<ChessState> {
        let board = &state.board;
        let pawns_and_king = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        if (board.colors(board.side_to_move()) & !pawns_and_king).is_empty() {
            return None;
        }
        let passed = ChessState::of(board.null_move()?);
        (passed.end == End::No).then_some(passed)
    }
}

crate::params! {
    /// What chess takes.
    #[derive(Debug, Clone)]
    pub struct ChessParams {
        /// rules: standard chess, or 960 for Chess960 (Fischer random chess)
        variant: Variant = Variant::Standard,
        /// number of the start of Chess960; without it, games begin at 518, the usual start, and
        /// random openings at any start
        position: Option<u32> [0..=959] = None,
        /// first position of all games, in FEN; the first player is White, even if
        /// Black is to move
        fen: String = "startpos".to_owned(),
        /// boards with letters or figures
        board_style: BoardStyle = BoardStyle::Ascii,
    }
}

impl Configurable for Chess {
    const KIND: &'static str = "chess";
    const SUMMARY: &'static str =
        "Chess by the rules of FIDE, from the usual or any other position; Chess960";
    const SIDES: &'static [[&'static str; 2]] = &[["white", "black"]];
    const OPENING_PLIES: u32 = 4;

    type Params = ChessParams;

    fn from_params(params: ChessParams) -> Result<Self, ParamError> {
        let ChessParams { variant, position, fen, board_style } = params;
        let is_usual = fen.trim() == "startpos";
        let mut start = fen::read(&fen, variant).map_err(|why| {
            let help = "`startpos`, or a position such as `8/8/8/8/8/4k3/4p3/4K3 w - - 0 1`";
            ParamError::at("fen", format!("`{fen}` is not a position: {why}"), help)
        })?;
        if let Some(number) = position {
            if variant != Variant::Chess960 {
                let message = "`position` is the number of a start of Chess960";
                let help = "add `variant = \"960\"`, or leave `position` out";
                return Err(ParamError::at("position", message, help));
            }
            if !is_usual {
                let message = "`position` and `fen` are two first positions";
                return Err(ParamError::at("position", message, "leave one of them out"));
            }
            start = ChessState::numbered(number);
        }
        let random_starts = variant == Variant::Chess960 && is_usual && position.is_none();
        let game = Chess { start, board_style, variant, random_starts };
        if game.start.end != End::No {
            let message = format!("the game is over in `{fen}`: {}", game.reason(&game.start));
            return Err(ParamError::at("fen", message, "take a position with a legal move"));
        }
        Ok(game)
    }

    fn random_starts(&self) -> Vec<ChessState> {
        let starts = if self.random_starts { 960 } else { 0 };
        (0..starts).map(ChessState::numbered).collect()
    }

    fn engine_facts(&self) -> EngineFacts {
        let uci_option = (self.variant == Variant::Chess960).then_some(UciOption {
            name: "UCI_Chess960",
            value: "true",
            help: "use an engine that plays Chess960, or remove `variant` from `[game]`",
        });
        EngineFacts { uci_option, ..EngineFacts::default() }
    }

    fn own_evaluators(&self) -> Vec<NamedEvaluator<Self>> {
        evaluators::own()
    }

    fn with_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        weights: &Weights,
        visitor: V,
    ) -> Result<V::Out, ParamError> {
        match name {
            "pst" => Ok(visitor.visit(evaluators::Squares::new(weights)?)),
            _ => Ok(visitor.visit(self.evaluator(name, weights)?)),
        }
    }
}
