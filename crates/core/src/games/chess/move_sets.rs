//! The legal moves of a position as sets: one set of targets for each piece.
//!
//! The move generator is compiled again for each closure that it gets. Here it gets one closure.
//! Each crate that inlines the generator has its tables (0.8 MB), so functions of this crate that
//! call it are not inlined.

use cozy_chess::{BitBoard, Board, Piece, PieceMoves, Square};

/// At most sixteen pieces of a side, and two more sets for en passant captures.
const MOST: usize = 18;

/// The sets, in the order of the generator.
pub(super) struct MoveSets {
    sets: [PieceMoves; MOST],
    count: usize,
}

impl MoveSets {
    pub(super) fn of(board: &Board) -> Self {
        let none = PieceMoves { piece: Piece::King, from: Square::A1, to: BitBoard::EMPTY };
        let mut all = MoveSets { sets: [none; MOST], count: 0 };
        board.generate_moves(|moves| {
            all.sets[all.count] = moves;
            all.count += 1;
            false
        });
        all
    }

    #[inline]
    pub(super) fn list(&self) -> &[PieceMoves] {
        &self.sets[..self.count]
    }

    #[inline]
    pub(super) fn total(&self) -> u32 {
        self.list().iter().map(|moves| moves.len() as u32).sum()
    }
}
