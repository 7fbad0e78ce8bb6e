//! The numbers of endings: a number for each position with at most four pieces.
//!
//! The side to move is Black here; other positions are rotated with the colours exchanged. The men of
//! both sides and the numbers of the kings make a *slice* of numbers in a row. In it, only the kings
//! differ. A set of squares has its rank among the sets of its size.

use super::state::{Checkers, CheckersState};
use crate::games::grid::bitboard::{Bitboard, nth_bit};
use crate::games::player::Player;

/// The most pieces of a solved position, of both sides together.
pub(super) const MOST_PIECES: u32 = 4;

/// The squares of a man: all but its last row.
const MAN_SQUARES: u32 = 28;
const SQUARES: u32 = 32;

/// `CHOOSE[k][n]` is the number of sets of k squares among n.
const CHOOSE: [[u32; SQUARES as usize + 1]; MOST_PIECES as usize + 1] = {
    let mut table = [[1; SQUARES as usize + 1]; MOST_PIECES as usize + 1];
    let mut k = 1;
    while k < table.len() {
        table[k][0] = 0;
        let mut n = 1;
        while n < table[k].len() {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            n += 1;
        }
        k += 1;
    }
    table
};

const fn choose(k: u32, n: u32) -> u32 {
    CHOOSE[k as usize][n as usize]
}

/// The rank of a set among the sets of its size. The squares in `taken` do not count.
#[inline]
fn rank(set: u32, taken: u32) -> u32 {
    let mut rank = 0;
    for (square, k) in set.cells().zip(1..) {
        rank += choose(k, square - (taken & ((1 << square) - 1)).count_ones());
    }
    rank
}

/// The set of `k` squares with this rank.
fn unrank(mut rank: u32, k: u32, taken: u32) -> u32 {
    let mut set = 0;
    let mut above = SQUARES;
    for k in (1..=k).rev() {
        above = (0..above).rfind(|&n| choose(k, n) <= rank).unwrap_or(0);
        rank -= choose(k, above);
        set |= 1 << nth_bit(u64::from(!taken), above);
    }
    set
}

/// Number of pieces: the men and the kings of the side to move, then those of the other side.
type Material = [u32; 4];

/// The first number of each material, and the number of all numbers.
pub(super) struct Numbers {
    first: [u32; 625],
    pub(super) all: usize,
}

fn place([a, b, c, d]: Material) -> usize {
    (((a * 5 + b) * 5 + c) * 5 + d) as usize
}

impl Numbers {
    pub(super) fn new() -> Self {
        let (mut first, mut all) = ([0; 625], 0);
        for code in 0..625 {
            let material = [code / 125, code / 25 % 5, code / 5 % 5, code % 5];
            let [men, kings, other_men, other_kings] = material;
            if (1..=MOST_PIECES).contains(&material.iter().sum()) {
                first[place(material)] = all;
                let men = choose(men, MAN_SQUARES) * choose(other_men, MAN_SQUARES);
                all += men * positions(material[0] + material[2], kings, other_kings);
            }
        }
        Numbers { first, all: all as usize }
    }
}

/// The number of positions of the kings of both sides.
fn positions(men: u32, kings: u32, other_kings: u32) -> u32 {
    choose(kings, SQUARES - men) * choose(other_kings, SQUARES - men - kings)
}

/// The positions with the same men and the same number of kings of each side. Only moves of kings
/// lead from one to another, and to those of the [`opposite`](Self::opposite) slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slice {
    /// The men of the side to move and of the other side.
    men: [u32; 2],
    /// The number of kings of both sides.
    kings: [u32; 2],
    /// The number of its first position.
    pub first: u32,
}

impl Slice {
    /// The slice of a position with Black to move.
    #[inline]
    pub(super) fn of(numbers: &Numbers, state: &CheckersState) -> Slice {
        let men = state.pieces.map(|own| own & !state.kings);
        Slice::new(numbers, men, state.pieces.map(|own| (own & state.kings).count_ones()))
    }

    #[inline]
    fn new(numbers: &Numbers, men: [u32; 2], kings: [u32; 2]) -> Slice {
        let [own, other] = men.map(u32::count_ones);
        let number = rank(men[0], 0) * choose(other, MAN_SQUARES) + rank(men[1].reverse_bits(), 0);
        let first = numbers.first[place([own, kings[0], other, kings[1]])]
            + number * positions(own + other, kings[0], kings[1]);
        Slice { men, kings, first }
    }

    /// The same pieces with the other side to move.
    pub(super) fn opposite(&self, numbers: &Numbers) -> Slice {
        let [own, other] = self.men.map(u32::reverse_bits);
        Slice::new(numbers, [other, own], [self.kings[1], self.kings[0]])
    }

    /// How many positions it has.
    pub(super) fn len(&self) -> u32 {
        let men = (self.men[0] | self.men[1]).count_ones();
        positions(men, self.kings[0], self.kings[1])
    }

    /// The number of a position of this slice.
    #[inline]
    pub(super) fn number(&self, state: &CheckersState) -> u32 {
        let men = self.men[0] | self.men[1];
        let [own, other] = state.pieces.map(|own| own & state.kings);
        let free = SQUARES - (men | own).count_ones();
        self.first + rank(own, men) * choose(self.kings[1], free) + rank(other, men | own)
    }

    /// The position with this number; Black is to move.
    pub(super) fn position(&self, game: &Checkers, number: u32) -> CheckersState {
        let men = self.men[0] | self.men[1];
        let free = SQUARES - men.count_ones() - self.kings[0];
        let others = choose(self.kings[1], free);
        let number = number - self.first;
        let own = unrank(number / others, self.kings[0], men);
        let other = unrank(number % others, self.kings[1], men | own);
        let pieces = [self.men[0] | own, self.men[1] | other];
        game.position(pieces, own | other, Player::First, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls a function with all slices with this number of pieces, of both sides together.
    fn for_slices(numbers: &Numbers, pieces: u32, mut call: impl FnMut(Slice)) {
        for code in 0..625 {
            let [men, kings, other_men, other_kings] =
                [code / 125, code / 25 % 5, code / 5 % 5, code % 5];
            if men + kings + other_men + other_kings != pieces {
                continue;
            }
            for own in 0..choose(men, MAN_SQUARES) {
                let own = unrank(own, men, 0);
                for other in 0..choose(other_men, MAN_SQUARES) {
                    let other = unrank(other, other_men, 0).reverse_bits();
                    if own & other == 0 {
                        call(Slice::new(numbers, [own, other], [kings, other_kings]));
                    }
                }
            }
        }
    }

    /// The numbers of positions that the Chinook project (J. Schaeffer and others) published.
    #[test]
    fn there_are_as_many_positions_as_published() {
        let numbers = Numbers::new();
        for (pieces, published) in [(1, 120), (2, 6_972), (3, 261_224), (4, 7_092_774)] {
            let mut count = 0;
            for_slices(&numbers, pieces, |slice| count += slice.len());
            assert_eq!(count, published, "{pieces}");
        }
    }

    #[test]
    fn each_position_has_its_own_number() {
        let (game, numbers) = (Checkers { quiet_plies: 80 }, Numbers::new());
        let mut seen = vec![false; numbers.all];
        for pieces in 1..=3 {
            for_slices(&numbers, pieces, |slice| {
                for number in slice.first..slice.first + slice.len() {
                    let state = slice.position(&game, number);
                    assert_eq!(state.pieces[0] & state.pieces[1], 0);
                    assert_eq!(Slice::of(&numbers, &state), slice);
                    assert_eq!(slice.number(&state), number);
                    assert!(!std::mem::replace(&mut seen[number as usize], true));
                }
            });
        }
    }
}
