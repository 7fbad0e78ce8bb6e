//! The evaluators of chess: material, and material with piece-square tables.

use std::sync::Arc;

use cozy_chess::{Board, Color, Piece};

use super::piece_square_tables::tables;
use super::state::{Chess, ChessState};
use crate::games::configurable_game_trait::Configurable;
use crate::games::evaluator_trait::{AnyEvaluator, Evaluator, EvaluatorInfo, Weights};
use crate::games::evaluator_weights::resolve;
use crate::games::zero_evaluator::Zero;
use crate::params::ParamError;
use crate::util::collect_with_less_code::{AddAll, Gather};

/// The pieces with a value, in the order of their weights.
const PIECES: [Piece; 5] = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
const NAMES: [&str; 5] = ["pawn", "knight", "bishop", "rook", "queen"];
const VALUES: [i64; 5] = [100, 320, 330, 500, 950];
/// The other weights of `pst`: bishop pair, scale of the tables in per cent, side to move.
const MORE: [(&str, i64); 3] = [("pair", 30), ("squares", 100), ("turn", 10)];
const LARGEST_SQUARE: i64 = 150;
/// The most pieces of a side besides the king.
const MOST_PIECES: i64 = 15;

/// Weighted material: White minus Black.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Material {
    weights: [i32; 5],
}

impl Material {
    pub(super) const STANDARD: Self = {
        let [pawn, knight, bishop, rook, queen] = VALUES;
        Material { weights: [pawn as i32, knight as i32, bishop as i32, rook as i32, queen as i32] }
    };

    fn info() -> EvaluatorInfo {
        EvaluatorInfo {
            name: "material",
            summary: "material of White minus material of Black",
            features: NAMES.iter().map(|&name| name.to_owned()).zip(VALUES).gather(),
        }
    }

    fn new(given: &Weights) -> Result<Self, ParamError> {
        let weights = resolve(&Self::info(), given, &|weights| MOST_PIECES * largest(weights))?;
        Ok(Material { weights: weights.try_into().expect("a weight for each piece") })
    }

    #[inline]
    fn of(&self, board: &Board, color: Color) -> i32 {
        let count = |piece| board.colored_pieces(color, piece).len() as i32;
        PIECES.iter().zip(self.weights).map(|(&piece, weight)| weight * count(piece)).sum()
    }
}

fn largest(weights: &[i64]) -> i64 {
    weights[..5].iter().map(|weight| weight.abs()).max().unwrap_or(0)
}

impl Evaluator<Chess> for Material {
    #[inline]
    fn evaluate(&self, _game: &Chess, state: &ChessState) -> i32 {
        self.of(&state.board, Color::White) - self.of(&state.board, Color::Black)
    }

    fn range(&self, _game: &Chess) -> Option<(i32, i32)> {
        let most = MOST_PIECES as i32 * self.weights.iter().map(|w| w.abs()).max().unwrap_or(0);
        Some((-most, most))
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
        let mut features = Material::info().features;
        features.add_all(MORE.iter().map(|&(name, weight)| (name.to_owned(), weight)));
        EvaluatorInfo {
            name: "pst",
            summary: "material and piece-square tables, tapered from middle game to endgame",
            features,
        }
    }

    pub(super) fn new(given: &Weights) -> Result<Self, ParamError> {
        let bound = |weights: &[i64]| {
            let square = LARGEST_SQUARE * weights[6].abs() / 100 + 1;
            (MOST_PIECES + 1) * (largest(weights) + square) + weights[5].abs() + weights[7].abs()
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

pub(super) fn list() -> Vec<EvaluatorInfo> {
    vec![Squares::info(), Material::info(), Zero::info()]
}

pub(super) fn named(name: &str, weights: &Weights) -> Result<AnyEvaluator<Chess>, ParamError> {
    Ok(match name {
        "pst" => Arc::new(Squares::new(weights)?),
        "material" => Arc::new(Material::new(weights)?),
        _ => Arc::new(Zero::named(name, weights, Chess::KIND, &list())?),
    })
}
