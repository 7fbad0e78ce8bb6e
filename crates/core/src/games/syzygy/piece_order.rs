//! The index of a position in a part of a file.
//!
//! The board is turned and mirrored until the leading piece is in a corner of the board. The
//! leading group is both kings, three different pieces, or pawns of one colour. The places of the
//! other groups of equal pieces follow as combinations of the free squares.

use std::sync::LazyLock;

use super::file_reader::Damage;
use super::material::Material;

/// The order of the pieces of one part, and the weights of their places.
pub(super) struct PieceOrder {
    /// Codes of the pieces, as in [`Material::of_codes`].
    pub codes: Vec<u8>,
    /// Sizes of the groups and what a step of each adds to the index.
    groups: Vec<(usize, u64)>,
    /// The number of positions.
    pub positions: u64,
}

impl PieceOrder {
    /// `order` has the places of the leading group and of the other side's pawns among the groups.
    /// `file` is the file of the leading pawn, from 0 to 3.
    pub fn new(
        codes: Vec<u8>,
        material: Material,
        order: [u8; 2],
        file: usize,
    ) -> Result<Self, Damage> {
        let found = Material::of_codes(&codes).ok_or(Damage)?;
        if found != material && found != material.swapped() {
            return Err(Damage);
        }
        let is_pawn = |code: u8| code & 7 == 1;
        let run = |from: usize| codes[from..].iter().take_while(|&&c| c == codes[from]).count();
        let pawns = found.pawns();
        let has_pawns = pawns != [0, 0];
        let (leading, places) = match has_pawns {
            true => (run(0), PAWNS.places[run(0).min(6)][file]),
            false if material.has_third_single() => (3, THREE_PLACES),
            false => (2, KING_PLACES),
        };
        let mut sizes = vec![leading];
        let mut at = leading;
        while at < codes.len() {
            sizes.push(run(at));
            at += sizes[sizes.len() - 1];
        }
        let both = pawns[0] > 0 && pawns[1] > 0;
        let count = |code: u8| codes.iter().filter(|&&other| other == code).count();
        let leads = &codes[..leading];
        let right = match (has_pawns, leading) {
            (true, _) => is_pawn(codes[0]) && (!both || is_pawn(codes[leading])),
            (false, 2) => leads.iter().all(|code| code & 7 == 6),
            (false, _) => leads.iter().all(|&code| count(code) == 1),
        };
        let whole = sizes[1..].iter().scan(leading, |at, size| {
            *at += size;
            Some(count(codes[*at - size]) == *size)
        });
        if !right || has_pawns && count(codes[0]) != leading || !whole.into_iter().all(|it| it) {
            return Err(Damage);
        }
        let fixed = 1 + usize::from(both);
        let mut groups: Vec<(usize, u64)> = sizes.iter().map(|&size| (size, 0)).collect();
        let mut free = 64 - sizes[..fixed].iter().sum::<usize>();
        let (mut next, mut positions) = (fixed, 1_u64);
        for place in 0..16 {
            let (group, count) = if place == order[0] {
                (0, places)
            } else if both && place == order[1] {
                (1, binomial(sizes[1], 48 - leading))
            } else if next < sizes.len() {
                free -= sizes[next];
                next += 1;
                (next - 1, binomial(sizes[next - 1], free + sizes[next - 1]))
            } else {
                continue;
            };
            groups[group].1 = positions;
            positions = positions.checked_mul(count).ok_or(Damage)?;
        }
        if groups.iter().any(|&(_, step)| step == 0) {
            return Err(Damage);
        }
        Ok(PieceOrder { codes, groups, positions })
    }

    /// The index of a position. `squares` has the squares of the pieces in this order.
    pub fn index(&self, mut squares: Vec<usize>) -> u64 {
        let leading = self.groups[0].0;
        let has_pawns = self.codes[0] & 7 == 1;
        if has_pawns {
            lead_with_edge_pawn(&mut squares[..leading]);
        }
        if squares[0] & 4 != 0 {
            squares.iter_mut().for_each(|square| *square ^= 7);
        }
        let first = match (has_pawns, leading) {
            (true, _) => pawn_index(&mut squares[..leading]),
            (false, leading) => {
                normalise(&mut squares, leading);
                if leading == 2 { king_index(&squares) } else { three_index(&squares) }
            }
        };
        let mut index = first * self.groups[0].1;
        let mut at = leading;
        for (number, &(size, step)) in self.groups.iter().enumerate().skip(1) {
            let (before, group) = squares.split_at_mut(at);
            group[..size].sort_unstable();
            // Pawns are not on the first rank.
            let pawns = if number == 1 && self.codes[at] & 7 == 1 { 8 } else { 0 };
            for (i, &square) in group[..size].iter().enumerate() {
                let taken = before.iter().filter(|&&other| other < square).count();
                index += step * binomial(i + 1, square - taken - pawns);
            }
            at += size;
        }
        index
    }

    /// The file from 0 to 3 of the pawn that leads, of these squares of the leading pawns.
    pub fn file_of(squares: &mut [usize]) -> usize {
        lead_with_edge_pawn(squares);
        edge_distance(squares[0])
    }
}

/// `n` over `k`.
fn binomial(k: usize, n: usize) -> u64 {
    if k > n {
        return 0;
    }
    (0..k as u64).fold(1, |product, i| product * (n as u64 - i) / (i + 1))
}

fn edge_distance(square: usize) -> usize {
    (square & 7).min(7 - (square & 7))
}

/// The rank above the diagonal from a1 to h8; negative below.
fn above_diagonal(square: usize) -> i32 {
    (square >> 3) as i32 - (square & 7) as i32
}

/// Turns the board so that the first piece is in the triangle a1, d1, d4, and the first leading
/// piece that is not on the diagonal is below it.
fn normalise(squares: &mut [usize], leading: usize) {
    if squares[0] & 32 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 56);
    }
    let side = squares[..leading].iter().map(|&square| above_diagonal(square)).find(|&up| up != 0);
    if side.is_some_and(|up| up > 0) {
        squares.iter_mut().for_each(|square| *square = *square >> 3 | (*square & 7) << 3);
    }
}

const KING_PLACES: u64 = 462;
const THREE_PLACES: u64 = 31332;

/// The squares of the triangle a1, d1, d4: those below the diagonal, then the diagonal.
const TRIANGLE: [usize; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

fn triangle(square: usize) -> usize {
    TRIANGLE.iter().position(|&other| other == square).expect("a square of the triangle")
}

/// By both kings: their number. Pairs with both kings on the diagonal are the last.
static KINGS: LazyLock<[[u16; 64]; 10]> = LazyLock::new(|| {
    let mut numbers = [[0; 64]; 10];
    let mut next = 0;
    for both_on_diagonal in [false, true] {
        for (row, first) in numbers.iter_mut().zip(TRIANGLE) {
            for (second, number) in row.iter_mut().enumerate() {
                let apart = |shift: u32, mask: usize| {
                    (first >> shift & mask).abs_diff(second >> shift & mask)
                };
                let is_near = apart(0, 7) <= 1 && apart(3, 7) <= 1;
                let on_diagonal = above_diagonal(first) == 0;
                let is_both = on_diagonal && above_diagonal(second) == 0;
                let is_mirrored = on_diagonal && above_diagonal(second) > 0;
                if !is_near && !is_mirrored && is_both == both_on_diagonal {
                    *number = next;
                    next += 1;
                }
            }
        }
    }
    numbers
});

fn king_index(squares: &[usize]) -> u64 {
    u64::from(KINGS[triangle(squares[0])][squares[1]])
}

/// The number of three different pieces.
fn three_index(squares: &[usize]) -> u64 {
    let [a, b, c] = [squares[0], squares[1], squares[2]];
    let (b_less, c_less) = (usize::from(b > a), usize::from(c > a) + usize::from(c > b));
    let diagonal = |square: usize| square & 7;
    // Squares below the diagonal, rank by rank.
    let below = |square: usize| {
        let (rank, file) = (square >> 3, square & 7);
        rank * (15 - rank) / 2 + file - rank - 1
    };
    let index = if above_diagonal(a) != 0 {
        triangle(a) * 63 * 62 + (b - b_less) * 62 + c - c_less
    } else if above_diagonal(b) != 0 {
        (6 * 63 + diagonal(a) * 28 + below(b)) * 62 + c - c_less
    } else if above_diagonal(c) != 0 {
        6 * 63 * 62 + 4 * 28 * 62 + (diagonal(a) * 7 + diagonal(b) - b_less) * 28 + below(c)
    } else {
        let last = (diagonal(a) * 7 + diagonal(b) - b_less) * 6 + diagonal(c) - c_less;
        6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28 + last
    };
    index as u64
}

/// From the d- and e-file to the edge and from the seventh rank to the second: 0 to 47.
fn pawn_number(square: usize) -> usize {
    12 * (3 - edge_distance(square)) + 2 * (6 - (square >> 3)) + usize::from(square & 4 == 0)
}

/// Makes the pawn with the highest number the first.
fn lead_with_edge_pawn(squares: &mut [usize]) {
    let folded = |square: usize| pawn_number(square) / 2;
    for i in 1..squares.len() {
        if folded(squares[i]) > folded(squares[0]) {
            squares.swap(0, i);
        }
    }
}

struct PawnIndexes {
    /// By the number of pawns and the square of the leading pawn: where its positions begin.
    starts: [[u64; 64]; 7],
    /// By the number of pawns and the file: the number of positions.
    places: [[u64; 4]; 7],
}

static PAWNS: LazyLock<PawnIndexes> = LazyLock::new(|| {
    let mut all = PawnIndexes { starts: [[0; 64]; 7], places: [[0; 4]; 7] };
    for pawns in 1..7 {
        for file in 0..4 {
            for rank in 1..7 {
                let square = 8 * rank + file;
                all.starts[pawns][square] = all.places[pawns][file];
                all.places[pawns][file] += binomial(pawns - 1, pawn_number(square));
            }
        }
    }
    all
});

/// The number of pawns of one colour. The first is on the files a to d.
fn pawn_index(squares: &mut [usize]) -> u64 {
    squares[1..].sort_unstable_by_key(|&square| std::cmp::Reverse(pawn_number(square)));
    let pawns = squares.len();
    let others = squares.iter().enumerate().skip(1);
    let places = others.map(|(i, &square)| binomial(pawns - i, pawn_number(square)));
    PAWNS.starts[pawns][squares[0]] + places.sum::<u64>()
}
