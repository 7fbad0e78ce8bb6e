//! Piece-square tables, computed from a few simple rules.
//!
//! Every value is a sum of terms of the square's file and rank, in hundredths of a pawn. There are
//! two sums: one for the middle game, one for the endgame. `near` measures the distance of a file or rank to the
//! middle of the board: 0 at the edge, 3 in the middle.

use cozy_chess::Piece;

/// Values of one piece on all squares from White's side, a1 first.
pub(super) type PieceSquare = [i32; 64];

/// How near one of the eight files or ranks is to the middle of the board, from 0 to 3.
fn near(line: i32) -> i32 {
    line.min(7 - line)
}

pub(super) fn tables(piece: Piece) -> [PieceSquare; 2] {
    let rule = match piece {
        Piece::Pawn => pawn,
        Piece::Knight => knight,
        Piece::Bishop => bishop,
        Piece::Rook => rook,
        Piece::Queen => queen,
        Piece::King => king,
    };
    let [mut first, mut second] = [[0; 64]; 2];
    for (square, (first, second)) in first.iter_mut().zip(&mut second).enumerate() {
        (*first, *second) = rule(square as i32 % 8, square as i32 / 8);
    }
    [first, second]
}

/// Middle game: central pawns belong in the centre, wing pawns stay at home in front of the king.
/// Endgame: advanced pawns count.
fn pawn(file: i32, rank: i32) -> (i32, i32) {
    let steps = rank - 1;
    let centre =
        if near(file) == 3 { [-12, 0, 16, 22, 26, 30][steps.clamp(0, 5) as usize] } else { 0 };
    let wing = if near(file) < 3 { [6, 2, 0, 2, 8, 16][steps.clamp(0, 5) as usize] } else { 0 };
    let far = steps.max(0) * steps.max(0);
    (centre + wing, 4 * far)
}

/// Knights have more moves in the middle and few at the edge.
fn knight(file: i32, rank: i32) -> (i32, i32) {
    let middle = near(file) + near(rank);
    let edge = i32::from(near(file) == 0) + i32::from(near(rank) == 0);
    let outpost = if (3..=5).contains(&rank) && near(file) >= 2 { 6 } else { 0 };
    (7 * middle - 8 * edge - 18 + outpost, 5 * middle - 6 * edge - 14)
}

/// Bishops should be developed and prefer long diagonals.
fn bishop(file: i32, rank: i32) -> (i32, i32) {
    let diagonal = if file == rank || file + rank == 7 { 8 } else { 0 };
    let home = if rank == 0 { -12 } else { 0 };
    (3 * (near(file) + near(rank)) - 8 + diagonal + home, 2 * (near(file) + near(rank)) - 6)
}

/// Rooks prefer the seventh rank and, on the first rank, the central files.
fn rook(file: i32, rank: i32) -> (i32, i32) {
    let seventh = if rank == 6 { 20 } else { 0 };
    let home = if rank == 0 { 4 * near(file) - 4 } else { 0 };
    (seventh + home, seventh / 2)
}

/// Queens should not come out early; later they have more moves in the middle.
fn queen(file: i32, rank: i32) -> (i32, i32) {
    let middle = near(file) + near(rank);
    let early = if rank > 1 { -4 } else { 0 };
    (middle + early, 4 * middle - 12)
}

/// The king stays behind its pawns in the middle game and goes to the centre in the endgame.
fn king(file: i32, rank: i32) -> (i32, i32) {
    let shelter = match near(file) {
        0 => 24,
        1 => 32,
        2 => 6,
        _ => 0,
    };
    let castled = if rank == 0 { shelter } else { 0 };
    (castled - 18 * rank.min(4), 9 * (near(file) + near(rank)) - 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a1 is 0, h1 7, e4 28.
    #[test]
    fn pieces_stand_where_the_rules_say() {
        let [middle, end] = tables(Piece::Knight);
        assert!(middle[28] > middle[18] && middle[18] > middle[1] && middle[1] > middle[0]);
        assert!(end[28] > end[0]);
        let [middle, end] = tables(Piece::King);
        assert!(middle[6] > middle[4] && middle[4] > middle[28] && end[28] > end[6]);
        let [middle, end] = tables(Piece::Pawn);
        assert!(middle[28] > middle[12] && middle[8] > middle[16]);
        assert!((8..48).all(|square| end[square + 8] > end[square]));
        let [middle, _] = tables(Piece::Rook);
        assert!(middle[48] > middle[40] && middle[3] > middle[0]);
    }

    #[test]
    fn tables_are_the_same_on_both_wings() {
        for piece in Piece::ALL {
            for table in tables(piece) {
                assert!((0..64).all(|square| table[square] == table[square ^ 7]), "{piece}");
                assert!(table.iter().all(|value| value.abs() <= 150), "{piece}");
            }
        }
    }
}
