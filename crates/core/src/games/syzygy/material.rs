//! The pieces of both sides, and the names of tables.

use cozy_chess::{Board, Color, Piece};

/// Numbers of queens, rooks, bishops, knights and pawns of one side, beside its king.
type Pieces = [u8; 5];

/// The letters of the pieces, in the order of names of tables.
const LETTERS: &str = "QRBNP";

/// The pieces of both sides. In names of tables, the first side is White.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Material {
    sides: [Pieces; 2],
}

impl Material {
    pub fn of(board: &Board) -> Self {
        let pieces = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
        let side = |color| pieces.map(|piece| board.colored_pieces(color, piece).len() as u8);
        Material { sides: [side(Color::White), side(Color::Black)] }
    }

    /// The material of codes of a file: 1 to 6 are White's pawn, knight, bishop, rook, queen and
    /// king, 9 to 14 Black's. `None` if a code is none of them, or a side has not one king.
    pub fn of_codes(codes: &[u8]) -> Option<Self> {
        let (mut sides, mut kings) = ([[0; 5]; 2], [0; 2]);
        for &code in codes {
            let side = usize::from(code >> 3);
            match code & 7 {
                kind @ 1..=5 => sides[side][usize::from(5 - kind)] += 1,
                6 => kings[side] += 1,
                _ => return None,
            }
        }
        (kings == [1, 1]).then_some(Material { sides })
    }

    /// The material of a name such as `KQvKR`.
    pub fn of_name(name: &str) -> Option<Self> {
        let side = |text: &str| {
            let mut pieces = [0; 5];
            for letter in text.strip_prefix('K')?.chars() {
                pieces[LETTERS.find(letter)?] += 1;
            }
            Some(pieces)
        };
        let (first, second) = name.split_once('v').filter(|_| name.len() <= 10)?;
        Some(Material { sides: [side(first)?, side(second)?] })
    }

    pub fn name(self) -> String {
        let side = |pieces: Pieces| -> String {
            let letters = LETTERS.chars().zip(pieces);
            letters.flat_map(|(letter, count)| (0..count).map(move |_| letter)).collect()
        };
        format!("K{}vK{}", side(self.sides[0]), side(self.sides[1]))
    }

    /// The same with the colours exchanged.
    pub fn swapped(self) -> Self {
        let [first, second] = self.sides;
        Material { sides: [second, first] }
    }

    /// The number of all pieces, kings included.
    pub fn pieces(self) -> u32 {
        2 + self.sides.iter().flatten().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// The pawns of both sides.
    pub fn pawns(self) -> [u8; 2] {
        self.sides.map(|side| side[4])
    }

    /// Whether three or more pieces are the only ones of their kind and colour, kings included.
    pub fn has_third_single(self) -> bool {
        self.sides.iter().flatten().any(|&count| count == 1)
    }

    /// All material with this number of pieces, with the stronger side first, as in names of
    /// tables.
    pub fn all(pieces: u32) -> impl Iterator<Item = Self> {
        let most = pieces - 2;
        let both = move |first: u32| {
            let pairs = move |side| sides(most - first).into_iter().map(move |other| (side, other));
            sides(first).into_iter().flat_map(pairs)
        };
        let ordered = move |&(first, other): &(Pieces, Pieces)| {
            first.iter().sum::<u8>() > other.iter().sum() || first >= other
        };
        let larger = most.div_ceil(2)..=most;
        larger
            .flat_map(both)
            .filter(ordered)
            .map(|(first, other)| Material { sides: [first, other] })
    }
}

/// All sides with this number of pieces beside the king.
fn sides(count: u32) -> Vec<Pieces> {
    let mut all = vec![[0; 5]];
    for _ in 0..count {
        // The next piece is of the last kind of the side, or of a later one.
        let longer = all.iter().flat_map(|side: &Pieces| {
            let last = side.iter().rposition(|&count| count > 0).unwrap_or(0);
            (last..5).map(|kind| {
                let mut side = *side;
                side[kind] += 1;
                side
            })
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
            assert_eq!(Material::all(pieces).count(), tables, "{pieces} pieces");
        }
        for material in Material::all(5) {
            assert_eq!(Material::of_name(&material.name()), Some(material));
            assert_eq!(material.pieces(), 5);
        }
        let names: Vec<_> = Material::all(3).map(Material::name).collect();
        assert_eq!(names, ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
        for wrong in ["KQK", "QvK", "KXvK", "", "KQvKv", "KQQQQQvKQQQQQ"] {
            assert_eq!(Material::of_name(wrong), None, "{wrong}");
        }
    }
}
