//! Quiet moves: what they do to the game is known before they are played.

use cozy_chess::{
    BitBoard, Board, Piece, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use super::chess_move::ChessMove;
use super::move_sets::{LAST_RANKS, forward};
use crate::games::SHORTEST_REPETITION;

/// If the opponent has this number of pawns that can step forward, one can still do so after a quiet
/// move. The move blocks at most one pawn, pins one, and uncovers a pin of one.
const ENOUGH_PAWNS: u32 = 4;

/// Recognises quiet moves: no capture, promotion, castling, check or repetition, and the opponent has
/// a move.
pub(super) struct QuietMoves {
    occupied: BitBoard,
    /// The pieces that alone stand between a piece of the side to move and the opponent's king.
    shields: BitBoard,
    pawns: BitBoard,
    /// The squares from which a pawn would give check.
    pawn_checks: BitBoard,
    /// Knights, pieces that move diagonally, pieces that move straight, with the squares from which
    /// they would give check.
    pieces: [(BitBoard, BitBoard); 3],
    /// Whether a position may occur again after a move of another piece than a pawn.
    repeats: bool,
}

impl QuietMoves {
    /// `None` if the opponent might have no move.
    #[inline]
    pub(super) fn of(board: &Board) -> Option<QuietMoves> {
        let (own, other) = (board.side_to_move(), !board.side_to_move());
        let (occupied, king) = (board.occupied(), board.king(other));
        let [knights, bishops, rooks, queens] =
            [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen]
                .map(|piece| board.colored_pieces(own, piece));
        let (diagonal, straight) = (bishops | queens, rooks | queens);
        let mut shields = BitBoard::EMPTY;
        for from in diagonal & get_bishop_rays(king) | straight & get_rook_rays(king) {
            let between = get_between_rays(from, king) & occupied;
            if between.len() == 1 {
                shields |= between;
            }
        }
        let free = board.colored_pieces(other, Piece::Pawn) & !shields;
        let steps = forward(free, other) & !occupied;
        (steps.len() >= ENOUGH_PAWNS).then(|| QuietMoves {
            occupied,
            shields,
            pawns: board.colored_pieces(own, Piece::Pawn),
            pawn_checks: get_pawn_attacks(king, other),
            pieces: [
                (knights, get_knight_moves(king)),
                (diagonal, get_bishop_moves(king, occupied)),
                (straight, get_rook_moves(king, occupied)),
            ],
            repeats: usize::from(board.halfmove_clock()) + 1 >= SHORTEST_REPETITION,
        })
    }

    /// Whether a legal move is quiet; false for some quiet moves as well.
    #[inline]
    pub(super) fn has(&self, mv: ChessMove) -> bool {
        let (from, to) = (mv.origin(), mv.target());
        if self.occupied.has(to) || self.shields.has(from) {
            return false;
        }
        if self.pawns.has(from) {
            return from.file() == to.file() && !(LAST_RANKS | self.pawn_checks).has(to);
        }
        let checks =
            self.pieces.iter().any(|(pieces, squares)| pieces.has(from) && squares.has(to));
        !self.repeats && !checks
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::{BoardBuilder, Color};
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::games::below;
    use crate::games::chess::game_end::End;
    use crate::games::chess::move_sets::MoveSets;

    /// Checks the moves of a position; returns how many there are and how many are quiet.
    fn checked(board: &Board) -> [usize; 2] {
        let mut sets = MoveSets::NONE;
        sets.fill(board);
        let moves: Vec<_> = sets.moves().collect();
        let Some(quiet) = QuietMoves::of(board) else { return [moves.len(), 0] };
        let quiet: Vec<_> = moves.iter().filter(|mv| quiet.has(ChessMove::from(**mv))).collect();
        for &&mv in &quiet {
            let mut after = board.clone();
            after.play_unchecked(mv);
            assert_eq!(End::of(&after), End::No, "{board} {mv}");
            assert!(after.checkers().is_empty(), "{board} {mv}");
            assert!(after.halfmove_clock() < 4, "{board} {mv}");
            for piece in Piece::ALL {
                let count = |board: &Board| {
                    Color::ALL.map(|color| board.colored_pieces(color, piece).len())
                };
                assert_eq!(count(board), count(&after), "{board} {mv}");
            }
        }
        [moves.len(), quiet.len()]
    }

    /// In random games, at least a third of the moves is recognised.
    #[test]
    fn quiet_moves_of_games_change_little() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let [mut all, mut recognised] = [0; 2];
        for number in 0..400 {
            let mut board = Board::chess960_startpos(number);
            for _ in 0..40 {
                let [moves, quiet] = checked(&board);
                if moves == 0 {
                    break;
                }
                (all, recognised) = (all + moves, recognised + quiet);
                let mut sets = MoveSets::NONE;
                sets.fill(&board);
                board.play_unchecked(sets.one(|total| below(&mut rng, total)));
            }
        }
        assert!(recognised * 3 > all, "{recognised} of {all}");
    }

    /// A cornered king behind up to five pawns, against pieces that block and pin them.
    #[test]
    fn quiet_moves_leave_a_move() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut recognised = 0;
        for _ in 0..400_000 {
            let mut builder = BoardBuilder::empty();
            let mut place = |color, piece, squares: BitBoard| {
                let square = squares.iter().nth(below(&mut rng, squares.len()) as usize);
                *builder.square_mut(square.expect("a square")) = Some((piece, color));
            };
            for _ in 0..5 {
                place(Color::Black, Piece::Pawn, BitBoard::FULL);
            }
            for piece in [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight] {
                place(Color::White, piece, BitBoard::FULL);
            }
            place(Color::White, Piece::King, BitBoard(0x0007_0707_0000_0000));
            place(Color::Black, Piece::King, BitBoard(0x0303_0000_0000_0000));
            if let Ok(board) = builder.build() {
                recognised += checked(&board)[1];
            }
        }
        assert!(recognised > 1_000, "{recognised}");
    }

    /// The rook blocks the pawn d7, pins c6, and uncovers the bishop that pins b5.
    #[test]
    fn a_move_can_take_the_moves_of_three_pawns() {
        let board = |fen: &str| fen.parse::<Board>().expect("a position");
        let three = board("2KQ4/3p4/k1p5/1p6/8/3R4/8/5BB1 w - - 0 1");
        let mv = "d3d6".parse().expect("a move");
        let mut after = three.clone();
        after.play_unchecked(mv);
        assert_eq!(End::of(&after), End::Stalemate);
        assert!(QuietMoves::of(&three).is_none());
        let four = board("2KQ4/3p3p/k1p5/1p6/8/3R4/8/5BB1 w - - 0 1");
        assert!(QuietMoves::of(&four).is_some_and(|quiet| quiet.has(ChessMove::from(mv))));
        assert!(checked(&four)[1] > 0);
    }
}
