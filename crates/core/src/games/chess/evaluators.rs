//! The evaluators of chess: material, and material with piece-square tables.

use std::sync::Arc;

use cozy_chess::{Color, Piece};

use super::piece_square_tables::tables;
use super::state::{Chess, ChessState};
use crate::games::evaluator_weights::resolve;
use crate::games::material_evaluator::{CountedPieces, Material, largest};
use crate::games::{Evaluator, EvaluatorInfo, NamedEvaluator, Weights};
use crate::params::ParamError;

/// The pieces with a value, in the order of their weights.
const PIECES: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
/// The other weights of `pst`: bishop pair, scale of the tables in per cent, side to move.
const MORE: [(&str, i64); 3] = [("pair", 30), ("squares", 100), ("turn", 10)];
const LARGEST_SQUARE: i64 = 150;

impl CountedPieces<5> for Chess {
    const KINDS: [(&'static str, i64); 5] =
        [("pawn", 100), ("knight", 320), ("bishop", 330), ("rook", 500), ("queen", 950)];
    const SUMMARY: &'static str = "material of White minus material of Black";
    /// Besides the king.
    const MOST: i32 = 15;

    #[inline]
    fn pieces(state: &ChessState) -> [[i32; 5]; 2] {
        let count = |color, piece| state.board.colored_pieces(color, piece).len() as i32;
        [Color::White, Color::Black].map(|color| PIECES.map(|piece| count(color, piece)))
    }
}

/// Material and piece-square tables, interpolated between middle game and endgame by the remaining
/// pieces (a tapered evaluation). The module `tables` documents the tables.
#[derive(Debug, Clone)]
pub struct Squares {
    /// By colour, piece and square. The upper half is the endgame value, the lower half the
    /// middle-game value, so one sum adds both. Black's values are negative.
    values: Arc<[[[i64; 64]; 6]; 2]>,
    pair: i32,
    turn: i32,
}

/// The weight of each piece in the game phase; the starting position sums to `ALL_PIECES`.
const PHASE: [u32; 6] = [0, 1, 1, 2, 4, 0];
const ALL_PIECES: i64 = 24;

impl Squares {
    fn info() -> EvaluatorInfo {
        let summary = "material and piece-square tables, tapered from middle game to endgame";
        let mut features = Chess::KINDS.to_vec();
        features.extend(MORE);
        EvaluatorInfo::new("pst", summary, &features)
    }

    pub(super) fn new(given: &Weights) -> Result<Self, ParamError> {
        let bound = |weights: &[i64]| {
            let square = LARGEST_SQUARE * weights[6].abs() / 100 + 1;
            let piece = largest(&weights[..5]) + square;
            i64::from(Chess::MOST + 1) * piece + weights[5].abs() + weights[7].abs()
        };
        let weights = resolve(&Self::info(), given, &bound)?;
        let mut values = Box::new([[[0; 64]; 6]; 2]);
        for piece in Piece::ALL {
            let worth = weights[..5].get(piece as usize).map_or(0, |&weight| i64::from(weight));
            let scaled = |value: i32| i64::from(value) * i64::from(weights[6]) / 100 + worth;
            let [middle, end] = tables(piece);
            for square in 0..64 {
                let packed = scaled(middle[square]) + (scaled(end[square]) << 32);
                values[0][piece as usize][square] = packed;
                values[1][piece as usize][square ^ 56] = -packed;
            }
        }
        Ok(Squares { values: values.into(), pair: weights[5], turn: weights[7] })
    }
}

impl Evaluator<Chess> for Squares {
    #[inline]
    fn evaluate(&self, _game: &Chess, state: &ChessState) -> i32 {
        let board = &state.board;
        let (mut sum, mut phase) = (0, 0);
        for color in Color::ALL {
            for piece in Piece::ALL {
                let squares = board.colored_pieces(color, piece);
                phase += PHASE[piece as usize] * squares.len();
                for square in squares {
                    sum += self.values[color as usize][piece as usize][square as usize];
                }
            }
        }
        let (middle, end) = (i64::from(sum as i32), (sum + (1 << 31)) >> 32);
        let phase = i64::from(phase).min(ALL_PIECES);
        let tapered = (middle * phase + end * (ALL_PIECES - phase)) / ALL_PIECES;
        let pair = |color| i32::from(board.colored_pieces(color, Piece::Bishop).len() > 1);
        let turn = if board.side_to_move() == Color::White { self.turn } else { -self.turn };
        tapered as i32 + self.pair * (pair(Color::White) - pair(Color::Black)) + turn
    }
}

pub(super) fn own() -> Vec<NamedEvaluator<Chess>> {
    let squares =
        NamedEvaluator::new(Squares::info(), |_, given| Ok(Arc::new(Squares::new(given)?)));
    vec![squares, Material::named()]
}
