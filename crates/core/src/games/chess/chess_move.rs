//! A chess move in 16 bits.

use std::fmt;

use cozy_chess::{Board, Color, File, Piece, Square};

/// Origin, target and, for a promotion, the new piece. Castling is the king's move onto its own
/// rook, as in the move generator; text shows the king's target square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChessMove(u16);

impl ChessMove {
    #[inline]
    pub fn origin(self) -> Square {
        Square::index(usize::from(self.0 & 63))
    }

    /// The target square; for castling, the rook's square.
    #[inline]
    pub fn target(self) -> Square {
        Square::index(usize::from(self.0 >> 6 & 63))
    }

    /// The piece that a pawn promotes to.
    #[inline]
    pub fn promotion(self) -> Option<Piece> {
        match self.0 >> 12 {
            1 => Some(Piece::Knight),
            2 => Some(Piece::Bishop),
            3 => Some(Piece::Rook),
            4 => Some(Piece::Queen),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn generated(self) -> cozy_chess::Move {
        cozy_chess::Move { from: self.origin(), to: self.target(), promotion: self.promotion() }
    }

    /// The king's target square if the move castles.
    pub(super) fn castles_to(self, board: &Board) -> Option<Square> {
        let own = board.colors(board.side_to_move());
        let castles = own.has(self.target());
        let file = if self.origin().file() < self.target().file() { File::G } else { File::C };
        castles.then(|| Square::new(file, self.origin().rank()))
    }

    #[inline]
    pub(super) fn captures(self, board: &Board) -> bool {
        let enemy = board.colors(!board.side_to_move());
        let pawns = board.pieces(Piece::Pawn);
        enemy.has(self.target())
            || pawns.has(self.origin()) && self.origin().file() != self.target().file()
    }
}

impl From<cozy_chess::Move> for ChessMove {
    #[inline]
    fn from(mv: cozy_chess::Move) -> Self {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        ChessMove(mv.from as u16 | (mv.to as u16) << 6 | promotion << 12)
    }
}

impl fmt::Debug for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.generated())
    }
}

#[inline]
pub(super) fn side(color: Color) -> crate::games::Player {
    match color {
        Color::White => crate::games::Player::First,
        Color::Black => crate::games::Player::Second,
    }
}
