//! The features of `linear` for m,n,k and tic-tac-toe.

use super::cell_game::CellGame;
use super::linear_evaluator::difference;
use crate::games::grid::bitboard::Bitboard;

#[derive(Debug, Clone, Copy)]
pub struct Places<B> {
    /// The middle cell, or the two or four middle cells if a side is even.
    pub centre: B,
    pub corners: B,
}

impl<B: Bitboard> Places<B> {
    pub fn new(columns: u32, rows: u32, bit_of: impl Fn(u32) -> u32) -> Self {
        let set = |columns_in: [u32; 2], rows_in: [u32; 2]| {
            let cells = rows_in.map(|r| columns_in.map(|c| B::bit(bit_of(r * columns + c))));
            cells.into_iter().flatten().fold(B::NONE, |all, cell| all | cell)
        };
        let middle = |n: u32| [(n - 1) / 2, n / 2];
        Places {
            centre: set(middle(columns), middle(rows)),
            corners: set([0, columns - 1], [0, rows - 1]),
        }
    }
}

/// `centre`: stones on the middle cells; `corners`: stones in the corners; `lines`: lines that the
/// opponent has not blocked; `threats`: empty cells that would complete a line.
pub const FEATURES: [(&str, i64); 4] =
    [("centre", 3), ("corners", 1), ("lines", 1), ("threats", 10)];

#[inline]
pub fn count<G: CellGame>(game: &G, places: &Places<G::Board>, state: &G::State) -> [i32; 4] {
    let stones = game.stones(state);
    let empty = !(stones[0] | stones[1]);
    let side = |own: G::Board, enemy: G::Board| {
        [
            (own & places.centre).count(),
            (own & places.corners).count(),
            game.grid().count_open(own, enemy),
            (game.grid().completions(own) & empty).count(),
        ]
    };
    let (first, second) = (side(stones[0], stones[1]), side(stones[1], stones[0]));
    difference(first.map(|count| count as i32), second.map(|count| count as i32))
}
