//! Names of tables, such as `KQvKR`: the pieces of both sides, with the stronger side first.

use cozy_chess::{Board, Color, Piece};

/// The pieces in the order of names, as letters and in chess.
const LETTERS: &str = "KQRBNP";
const PIECES: [Piece; 6] =
    [Piece::King, Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// One side of the name for a position.
pub(super) fn side_of(board: &Board, color: Color) -> String {
    let letters = LETTERS.chars().zip(PIECES).flat_map(|(letter, piece)| {
        std::iter::repeat_n(letter, board.colored_pieces(color, piece).len() as usize)
    });
    letters.collect()
}

/// The codes of all pieces of a name, in order: 1 to 6 are the first side's pawn, knight, bishop, rook,
/// queen and king, 9 to 14 the second side's.
pub(super) fn piece_codes(name: &str) -> Vec<u8> {
    let mut codes = Vec::new();
    for (color, side) in [0, 8].into_iter().zip(name.split('v')) {
        let code = |letter| color + 6 - LETTERS.find(letter).expect("a letter of a piece") as u8;
        codes.extend(side.chars().map(code));
    }
    codes.sort_unstable();
    codes
}

/// The names of all tables with this number of pieces, kings included.
pub(super) fn table_names(pieces: usize) -> Vec<String> {
    let mut names = Vec::new();
    for fewer in (0..=(pieces - 2) / 2).rev() {
        let more = pieces - 2 - fewer;
        for (i, first) in sides(more).iter().enumerate() {
            // Of sides with the same number of pieces, the stronger one is earlier in the list.
            let start = if more == fewer { i } else { 0 };
            names.extend(sides(fewer)[start..].iter().map(|second| format!("{first}v{second}")));
        }
    }
    names
}

/// All sides with a king and this number of other pieces, the strongest first.
fn sides(others: usize) -> Vec<String> {
    let mut all = vec!["K".to_owned()];
    for _ in 0..others {
        // The next piece is of the last kind of the side, or of a later one.
        let longer = all.iter().flat_map(|side: &String| {
            let last = LETTERS.find(&side[side.len() - 1..]).unwrap_or(0);
            LETTERS[last.max(1)..].chars().map(move |letter| format!("{side}{letter}"))
        });
        all = longer.collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_known_sets() {
        // The numbers of files that are distributed, by pieces.
        for (pieces, tables) in [(3, 5), (4, 30), (5, 110), (6, 365), (7, 1001)] {
            assert_eq!(table_names(pieces).len(), tables, "{pieces} pieces");
        }
        assert_eq!(table_names(3), ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
        let four = table_names(4);
        for name in ["KQvKQ", "KQvKP", "KNvKP", "KQNvK", "KPPvK"] {
            assert!(four.iter().any(|other| other == name), "{name}");
        }
        assert_eq!(piece_codes("KQPvKR"), [1, 5, 6, 12, 14]);
    }
}
