//! The index of a position in a part of a file.
//!
//! The board is turned and mirrored until the leading piece is in a corner of the board. The
//! leading group is both kings, three different pieces, or pawns of one colour. The places of the
//! other groups of equal pieces follow as combinations of the free squares.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The order of the pieces of one part, and the weights of their places.
#[derive(Debug)]
pub(super) struct PieceOrder {
    /// Codes of the pieces, as in [`piece_codes`](super::table_names::piece_codes).
    pub codes: Vec<u8>,
    /// Sizes of the groups and what a step of each adds to the index.
    groups: Vec<(usize, u64)>,
    /// The number of positions.
    pub positions: u64,
}

impl PieceOrder {
    /// `pieces` has the codes of the table's pieces. `places` has the place of the leading group among
    /// the groups, and if both sides have pawns, the place of the other side's pawns. `file` is the
    /// file of the leading pawn, from 0 to 3. `None` if the codes are of other pieces, if equal pieces
    /// are apart, or if the first pieces cannot lead.
    pub fn new(codes: Vec<u8>, pieces: &[u8], places: &[u8], file: usize) -> Option<Self> {
        let kinds: Vec<&[u8]> = codes.chunk_by(|a, b| a == b).collect();
        let singles = kinds.iter().filter(|kind| kind.len() == 1).count();
        let has_pawns = pieces.iter().any(|&code| is_pawn(code));
        let leading_kinds = if has_pawns { 1 } else { singles.min(3) };
        let mut sorted = codes.clone();
        sorted.sort_unstable();
        let is_right = sorted == pieces
            && sorted.chunk_by(|a, b| a == b).count() == kinds.len()
            && match has_pawns {
                true => kinds.iter().take(places.len()).all(|kind| is_pawn(kind[0])),
                false => kinds.iter().take(leading_kinds).all(|kind| kind.len() == 1),
            };
        if !is_right {
            return None;
        }
        let leading = kinds[..leading_kinds].iter().map(|kind| kind.len()).sum();
        let others = kinds[leading_kinds..].iter().map(|kind| kind.len());
        let sizes: Vec<usize> = std::iter::once(leading).chain(others).collect();

        let mut sequence: Vec<usize> = (places.len()..sizes.len()).collect();
        let mut placed: Vec<_> = places.iter().map(|&place| usize::from(place)).zip(0..).collect();
        placed.sort_unstable();
        for (place, group) in placed {
            sequence.insert(place.min(sequence.len()), group);
        }
        let mut steps = vec![0; sizes.len()];
        let mut free = 64 - sizes[..places.len()].iter().sum::<usize>();
        let mut positions = 1;
        for group in sequence {
            let size = sizes[group];
            steps[group] = positions;
            positions *= match group {
                0 if has_pawns => led_by_pawn(leading, file, 7),
                0 => leading_numbers(leading).len() as u64,
                1 if places.len() == 2 => binomial(48 - leading, size),
                _ => {
                    free -= size;
                    binomial(free + size, size)
                }
            };
        }
        let groups = sizes.into_iter().zip(steps).collect();
        Some(PieceOrder { codes, groups, positions })
    }

    /// The index of a position. `squares` has the squares of the pieces in this order.
    pub fn index(&self, mut squares: Vec<usize>) -> Option<u64> {
        let leading = self.groups[0].0;
        let first = if is_pawn(self.codes[0]) {
            pawn_index(&mut squares, leading)
        } else {
            turn(&mut squares, leading);
            *leading_numbers(leading).get(&squares[..leading])?
        };
        let mut index = first * self.groups[0].1;
        let mut at = leading;
        for (number, &(size, step)) in self.groups.iter().enumerate().skip(1) {
            let (before, group) = squares.split_at_mut(at);
            group[..size].sort_unstable();
            // Pawns are not on the first rank.
            let pawns = if number == 1 && is_pawn(self.codes[at]) { 8 } else { 0 };
            for (i, &square) in group[..size].iter().enumerate() {
                let taken = before.iter().filter(|&&other| other < square).count();
                index += step * binomial(square - taken - pawns, i + 1);
            }
            at += size;
        }
        Some(index)
    }
}

pub(super) fn is_pawn(code: u8) -> bool {
    code & 7 == 1
}

/// `n` over `k`.
fn binomial(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |product, i| product * (n as u64).saturating_sub(i) / (i + 1))
}

/// The rank above the diagonal from a1 to h8; negative below.
fn above_diagonal(square: usize) -> i32 {
    (square >> 3) as i32 - (square & 7) as i32
}

/// Turns the board so that the first piece is in the triangle a1, d1, d4, and the first leading
/// piece that is not on the diagonal is below it.
fn turn(squares: &mut [usize], leading: usize) {
    let first = squares[0];
    let mirror = if first & 4 != 0 { 7 } else { 0 } | if first & 32 != 0 { 56 } else { 0 };
    squares.iter_mut().for_each(|square| *square ^= mirror);
    let side = squares[..leading].iter().map(|&square| above_diagonal(square)).find(|&up| up != 0);
    if side.is_some_and(|up| up > 0) {
        squares.iter_mut().for_each(|square| *square = *square >> 3 | (*square & 7) << 3);
    }
}

/// The squares of the triangle a1, d1, d4: those below the diagonal, then the diagonal.
const TRIANGLE: [usize; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// By the squares of both kings, or of three different pieces, on a turned board: their number.
type LeadingNumbers = HashMap<Vec<usize>, u64>;

fn leading_numbers(pieces: usize) -> &'static LeadingNumbers {
    static KINGS: LazyLock<LeadingNumbers> = LazyLock::new(|| {
        let apart = |a: usize, b: usize| (a >> 3).abs_diff(b >> 3).max((a & 7).abs_diff(b & 7));
        let pairs = TRIANGLE.iter().flat_map(|&a| (0..64).map(move |b| vec![a, b]));
        numbered(pairs.filter(|pair| apart(pair[0], pair[1]) > 1).collect())
    });
    static THREE: LazyLock<LeadingNumbers> = LazyLock::new(|| {
        let pairs = TRIANGLE.iter().flat_map(|&a| (0..64).map(move |b| (a, b)));
        let threes = pairs.flat_map(|(a, b)| (0..64).map(move |c| vec![a, b, c]));
        numbered(threes.filter(|it| it[0] != it[1] && it[0] != it[2] && it[1] != it[2]).collect())
    });
    if pieces == 2 { &KINGS } else { &THREE }
}

/// Numbers the placements of turned boards: first those whose first piece is off the diagonal, then
/// those whose second piece is the first off it, and so on.
fn numbered(mut placements: Vec<Vec<usize>>) -> LeadingNumbers {
    let on_diagonal = |placement: &Vec<usize>| {
        placement.iter().take_while(|&&square| above_diagonal(square) == 0).count()
    };
    placements.retain(|it| it.get(on_diagonal(it)).is_none_or(|&next| above_diagonal(next) < 0));
    placements.sort_by_key(on_diagonal);
    placements.into_iter().zip(0..).collect()
}

/// From the d- and e-file to the edge and from the seventh rank to the second: 0 to 47.
fn pawn_number(square: usize) -> usize {
    let to_edge = (square & 7).min(7 - (square & 7));
    12 * (3 - to_edge) + 2 * (6 - (square >> 3)) + usize::from(square & 4 == 0)
}

/// The file from 0 to 3 of the pawn that leads.
pub(super) fn leading_file(pawns: impl Iterator<Item = usize>) -> usize {
    3 - pawns.map(pawn_number).max().unwrap_or(0) / 12
}

/// The number of placements of pawns with the leading pawn on this file, below this rank.
fn led_by_pawn(pawns: usize, file: usize, rank: usize) -> u64 {
    (1..rank).map(|rank| binomial(pawn_number(8 * rank + file), pawns - 1)).sum()
}

/// Mirrors the board so that the leading pawn, which has the highest number, is on the files a to d.
/// Returns the number of the placement of the leading pawns.
fn pawn_index(squares: &mut [usize], pawns: usize) -> u64 {
    let highest_first = |squares: &mut [usize]| {
        squares[..pawns].sort_unstable_by_key(|&square| Reverse(pawn_number(square)));
    };
    highest_first(squares);
    if squares[0] & 4 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 7);
        highest_first(squares);
    }
    let others = squares[1..pawns].iter().enumerate();
    let numbers = others.map(|(i, &square)| binomial(pawn_number(square), pawns - 1 - i));
    led_by_pawn(pawns, squares[0] & 7, squares[0] >> 3) + numbers.sum::<u64>()
}
