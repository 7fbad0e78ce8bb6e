//! The legal moves of a position as sets: one set of targets for each piece.
//!
//! These functions are faster than the generator of the library: pawns step by a shift, the squares
//! that the king must not enter are computed once for all its moves, and sets are kept in two short
//! arrays. Castling and captures en passant are rare. They are left to the library's test of one
//! move. Each crate that inlines the look-ups has their tables (0.8 MB), so no other crate inlines
//! `fill`.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_between_rays,
    get_bishop_moves, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_rook_moves,
};

use super::en_passant;
use crate::games::grid::bitboard::nth_bit;

/// At most sixteen pieces of a side, and two more sets for en passant captures.
const MOST: usize = 18;

pub(super) const LAST_RANKS: BitBoard =
    BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

/// Whether the side to move has a move. Usually a pawn can step forward.
#[inline]
pub(super) fn has_move(board: &Board) -> bool {
    let color = board.side_to_move();
    let pawns = board.colored_pieces(color, Piece::Pawn) & !board.pinned();
    let steps = forward(pawns, color) & !board.occupied();
    board.checkers().is_empty() && !steps.is_empty() || {
        let mut sets = MoveSets::NONE;
        sets.fill(board);
        sets.count > 0
    }
}

/// The squares in front of these pawns.
#[inline]
pub(super) fn forward(pawns: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(pawns.0 << 8),
        Color::Black => BitBoard(pawns.0 >> 8),
    }
}

/// The sets: pawns, knights, bishops, rooks, queens, king. Within a kind, unpinned pieces come
/// before pinned ones, each from a1 to h8. Captures en passant follow the other moves of pawns.
pub(super) struct MoveSets {
    from: [Square; MOST],
    to: [BitBoard; MOST],
    count: usize,
    /// Number of sets of pawns.
    pawns: usize,
}

impl MoveSets {
    pub(super) const NONE: Self =
        MoveSets { from: [Square::A1; MOST], to: [BitBoard::EMPTY; MOST], count: 0, pawns: 0 };

    /// Adds the moves of a position to `NONE`. As a return value, the arrays would be copied.
    #[inline(never)]
    pub(super) fn fill(&mut self, board: &Board) {
        if board.checkers().len() <= 1 {
            self.add_pieces(board);
        }
        self.add_king(board);
    }

    /// The moves of all pieces but the king. At most one piece gives check.
    #[inline]
    fn add_pieces(&mut self, board: &Board) {
        let color = board.side_to_move();
        let (enemy, occupied) = (board.colors(!color), board.occupied());
        let third = Rank::Third.relative_to(color).bitboard();
        self.add(board, Piece::Pawn, |from| {
            let one = forward(from.bitboard(), color) & !occupied;
            let two = forward(one & third, color) & !occupied;
            one | two | get_pawn_attacks(from, color) & enemy
        });
        self.add_en_passant(board);
        self.pawns = self.count;
        self.add(board, Piece::Knight, get_knight_moves);
        self.add(board, Piece::Bishop, |from| get_bishop_moves(from, occupied));
        self.add(board, Piece::Rook, |from| get_rook_moves(from, occupied));
        self.add(board, Piece::Queen, |from| {
            get_bishop_moves(from, occupied) | get_rook_moves(from, occupied)
        });
    }

    /// The moves of the pieces of a kind. In check, they end on the line of the piece that gives it,
    /// and pinned pieces have none. Otherwise pinned pieces stay on the line to the king.
    #[inline(always)]
    fn add(&mut self, board: &Board, piece: Piece, targets: impl Fn(Square) -> BitBoard) {
        let color = board.side_to_move();
        let king = board.king(color);
        let checker = board.checkers().next_square();
        let helps = |from: Square| get_between_rays(from, king) | from.bitboard();
        let reachable = !board.colors(color) & checker.map_or(BitBoard::FULL, helps);
        let pieces = board.colored_pieces(color, piece);
        for from in pieces & !board.pinned() {
            self.push(from, targets(from) & reachable);
        }
        if checker.is_none() {
            for from in pieces & board.pinned() {
                self.push(from, targets(from) & reachable & get_line_rays(king, from));
            }
        }
    }

    #[inline]
    fn add_en_passant(&mut self, board: &Board) {
        if let Some(to) = en_passant::square(board) {
            for from in en_passant::pawns(board, to) {
                self.push(from, to.bitboard());
            }
        }
    }

    #[inline]
    fn add_king(&mut self, board: &Board) {
        let color = board.side_to_move();
        let king = board.king(color);
        let mut to = get_king_moves(king) & !board.colors(color);
        if !to.is_empty() {
            to &= !attacked(board, board.occupied() ^ king.bitboard());
        }
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            let rook = Square::new(file, king.rank());
            let is_free = (get_between_rays(king, rook) & board.occupied()).is_empty();
            if is_free && board.is_legal(Move { from: king, to: rook, promotion: None }) {
                to |= rook.bitboard();
            }
        }
        self.push(king, to);
    }

    /// Adds a set unless it is empty.
    #[inline]
    fn push(&mut self, from: Square, to: BitBoard) {
        self.from[self.count] = from;
        self.to[self.count] = to;
        self.count += usize::from(!to.is_empty());
    }

    /// The moves onto these squares, of pawns and of other pieces: each set from a1 to h8. A pawn
    /// promotes to knight, bishop, rook, queen in this order.
    #[inline]
    pub(super) fn moves_onto(
        &self,
        pawns: BitBoard,
        others: BitBoard,
    ) -> impl Iterator<Item = Move> {
        (0..self.count).flat_map(move |set| {
            let (piece, onto) =
                if set < self.pawns { (Piece::Pawn, pawns) } else { (Piece::King, others) };
            PieceMoves { piece, from: self.from[set], to: self.to[set] & onto }
        })
    }

    #[inline]
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves_onto(BitBoard::FULL, BitBoard::FULL)
    }

    /// Number of moves.
    #[inline]
    pub(super) fn total(&self) -> u32 {
        (0..self.count).map(|set| self.len(set)).sum()
    }

    #[inline]
    fn len(&self, set: usize) -> u32 {
        self.to[set].len() << (2 * u32::from(self.promotes(set)))
    }

    #[inline]
    fn promotes(&self, set: usize) -> bool {
        set < self.pawns && !(self.to[set] & LAST_RANKS).is_empty()
    }

    /// The move with a number in the order of [`moves`](Self::moves); `number` gets the total and
    /// returns less.
    #[inline]
    pub(super) fn one(&self, number: impl FnOnce(u32) -> u32) -> Move {
        let (mut lens, mut total) = ([0; MOST], 0);
        for (set, len) in lens.iter_mut().enumerate().take(self.count) {
            *len = self.len(set);
            total += *len;
        }
        let mut n = number(total);
        let mut set = 0;
        while n >= lens[set] {
            n -= lens[set];
            set += 1;
        }
        let promotes = self.promotes(set);
        let (target, promotion) = if promotes { (n / 4, 1 + n % 4) } else { (n, 0) };
        Move {
            from: self.from[set],
            to: Square::index(nth_bit(self.to[set].0, target) as usize),
            promotion: promotes.then(|| Piece::index(promotion as usize)),
        }
    }
}

/// The squares that the side not to move attacks if these squares are occupied.
#[inline]
fn attacked(board: &Board, occupied: BitBoard) -> BitBoard {
    let enemy = !board.side_to_move();
    let pieces = |piece| board.colored_pieces(enemy, piece);
    let front = forward(pieces(Piece::Pawn), enemy);
    let west = BitBoard((front & !File::A.bitboard()).0 >> 1);
    let east = BitBoard((front & !File::H.bitboard()).0 << 1);
    let mut all = west | east | get_king_moves(board.king(enemy));
    for from in pieces(Piece::Knight) {
        all |= get_knight_moves(from);
    }
    let queens = pieces(Piece::Queen);
    for from in pieces(Piece::Bishop) | queens {
        all |= get_bishop_moves(from, occupied);
    }
    for from in pieces(Piece::Rook) | queens {
        all |= get_rook_moves(from, occupied);
    }
    all
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::games::below;

    /// The sets and their moves; moves, order and number are those of the library.
    fn checked(board: &Board) -> (MoveSets, Vec<Move>) {
        let mut expected = Vec::new();
        board.generate_moves(|set| {
            expected.extend(set);
            false
        });
        let mut sets = MoveSets::NONE;
        sets.fill(board);
        assert_eq!(sets.moves().collect::<Vec<_>>(), expected, "{board}");
        assert_eq!(sets.total() as usize, expected.len(), "{board}");
        assert_eq!(has_move(board), !expected.is_empty(), "{board}");
        (sets, expected)
    }

    /// In random games from all starts of Chess960.
    #[test]
    fn moves_are_those_of_the_library() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        // Double checks, castling, captures en passant, promotions.
        let mut seen = [0; 4];
        for number in 0..960 {
            let mut board = Board::chess960_startpos(number);
            for _ in 0..150 {
                let (sets, moves) = checked(&board);
                if moves.is_empty() {
                    break;
                }
                let own = board.colors(board.side_to_move());
                let to = en_passant::square(&board);
                let captures = to.map_or(0, |to| en_passant::pawns(&board, to).count());
                let castles = moves.iter().filter(|mv| own.has(mv.to)).count();
                let promotes = moves.iter().filter(|mv| mv.promotion.is_some()).count();
                let is_double = usize::from(board.checkers().len() > 1);
                for (seen, more) in seen.iter_mut().zip([is_double, castles, captures, promotes]) {
                    *seen += more;
                }
                let chosen = below(&mut rng, moves.len() as u32);
                let mv = sets.one(|_| chosen);
                assert_eq!(mv, moves[chosen as usize], "{board}");
                board.play_unchecked(mv);
            }
        }
        assert!(seen.iter().all(|&seen| seen > 20), "{seen:?}");
    }

    /// Sixteen pieces that all move, and two pawns that capture en passant.
    #[test]
    fn the_most_sets_fit() {
        for fen in [
            "k1qR1QNR/p3npPb/1p2P2P/5pP1/Bb1pPp2/1bPP3r/1Br3P1/r1b1B1K1 b - e3 1 24",
            "1q2B3/2PB1Q1p/2P1pqq1/1P1Nprp1/qb1kpPpp/1p1P4/2QP2NB/4QrNK b - f3 97 179",
        ] {
            let (sets, _) = checked(&fen.parse().expect("a position"));
            assert_eq!(sets.count, MOST, "{fen}");
        }
    }
}
