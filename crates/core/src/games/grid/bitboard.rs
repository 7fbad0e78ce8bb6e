//! Bitboards: sets of cells as bits, in one word for small boards and several for large ones.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A set of cells, one bit each, that can be shifted onto itself.
///
/// Bits shifted over either end are lost. A shift must be smaller than [`Bitboard::SIZE`].
pub trait Bitboard:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    const NONE: Self;
    const SIZE: u32;

    /// The set of one cell; `index` is below [`SIZE`](Self::SIZE).
    fn bit(index: u32) -> Self;

    fn count(self) -> u32;

    /// The cell with the lowest index; `None` when the set is empty.
    fn lowest(self) -> Option<u32>;

    #[inline]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    #[inline]
    fn has(self, index: u32) -> bool {
        !(self & Self::bit(index)).is_empty()
    }

    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

/// The cells of a set in increasing order of index.
#[derive(Debug, Clone)]
pub struct Cells<B>(B);

impl<B: Bitboard> Iterator for Cells<B> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let index = self.0.lowest()?;
        self.0 = self.0 ^ B::bit(index);
        Some(index)
    }
}

macro_rules! word {
    ($word:ty) => {
        impl Bitboard for $word {
            const NONE: Self = 0;
            const SIZE: u32 = <$word>::BITS;

            #[inline]
            fn bit(index: u32) -> Self {
                1 << index
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn lowest(self) -> Option<u32> {
                (self != 0).then(|| self.trailing_zeros())
            }
        }
    };
}

word!(u16);
word!(u32);
word!(u64);

/// A set of up to 64 × `W` cells; word 0 holds the lowest indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wide<const W: usize>(pub [u64; W]);

impl<const W: usize> Wide<W> {
    #[inline]
    fn zip(mut self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for i in 0..W {
            self.0[i] = f(self.0[i], other.0[i]);
        }
        self
    }
}

impl<const W: usize> BitAnd for Wide<W> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for Wide<W> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const W: usize> BitXor for Wide<W> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const W: usize> Not for Wide<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        self.zip(self, |word, _| !word)
    }
}

// Shifts whole words first, then bits within words. Bits that cross to the next word are shifted in
// two steps, so a shift by 0 bits needs no branch.
impl<const W: usize> Shr<u32> for Wide<W> {
    type Output = Self;
    #[inline]
    fn shr(mut self, mut by: u32) -> Self {
        if W == 1 {
            return self.zip(self, |a, _| a >> by);
        }
        while by >= 64 {
            self.0.copy_within(1.., 0);
            self.0[W - 1] = 0;
            by -= 64;
        }
        for i in 0..W {
            let above = if i + 1 < W { self.0[i + 1] } else { 0 };
            self.0[i] = self.0[i] >> by | above << 1 << (63 - by);
        }
        self
    }
}

impl<const W: usize> Shl<u32> for Wide<W> {
    type Output = Self;
    #[inline]
    fn shl(mut self, mut by: u32) -> Self {
        if W == 1 {
            return self.zip(self, |a, _| a << by);
        }
        while by >= 64 {
            self.0.copy_within(..W - 1, 1);
            self.0[0] = 0;
            by -= 64;
        }
        for i in (0..W).rev() {
            let below = if i > 0 { self.0[i - 1] } else { 0 };
            self.0[i] = self.0[i] << by | below >> 1 >> (63 - by);
        }
        self
    }
}

impl<const W: usize> Bitboard for Wide<W> {
    const NONE: Self = Wide([0; W]);
    const SIZE: u32 = 64 * W as u32;

    #[inline]
    fn bit(index: u32) -> Self {
        if W == 1 {
            return Wide([1 << index; W]);
        }
        // A write to one word would delay the next read of all words.
        let in_word = |word: u32| if word == index / 64 { 1 << (index % 64) } else { 0 };
        Wide(std::array::from_fn(|word| in_word(word as u32)))
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn lowest(self) -> Option<u32> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(64 * word as u32 + self.0[word].trailing_zeros())
    }

    #[inline]
    fn has(self, index: u32) -> bool {
        self.0[(index / 64) as usize] >> (index % 64) & 1 != 0
    }
}

/// The image of a cell, as column and row: left and right exchanged for bit 0 of `s`, top and bottom
/// for bit 1, rows and columns (of a square) for bit 2.
pub fn cell_image(
    s: usize,
    [mut column, mut row]: [u32; 2],
    [columns, rows]: [u32; 2],
) -> [u32; 2] {
    if s & 1 != 0 {
        column = columns - 1 - column;
    }
    if s & 2 != 0 {
        row = rows - 1 - row;
    }
    if s & 4 != 0 { [row, column] } else { [column, row] }
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// The `n`-th set bit of a word, counted from the lowest (0). The word needs more than `n` set
/// bits. The time is the same for every word.
#[inline]
pub fn nth_bit(word: u64, n: u32) -> u32 {
    nth_bit_by_ranks(word, ranks(word), n)
}

/// For each byte of a word, the number of set bits up to its end.
///
/// Counts the bits of all bytes at once (S. Vigna, "Broadword implementation of rank/select
/// queries", 2008).
#[inline]
pub fn ranks(word: u64) -> u64 {
    const PAIRS: u64 = 0x55 * ONES;
    const NIBBLES: u64 = 0x33 * ONES;
    const BYTES: u64 = 0x0F * ONES;
    let pairs = word - ((word >> 1) & PAIRS);
    let nibbles = (pairs & NIBBLES) + ((pairs >> 2) & NIBBLES);
    ((nibbles + (nibbles >> 4)) & BYTES).wrapping_mul(ONES)
}

/// The [`ranks`] of a word from which this bit was removed.
#[inline]
pub fn ranks_without(ranks: u64, bit: u32) -> u64 {
    ranks - (ONES << (bit & !7))
}

/// The same as [`nth_bit`] for a word whose [`ranks`] are known.
#[inline]
pub fn nth_bit_by_ranks(word: u64, ranks: u64, n: u32) -> u32 {
    const HIGHS: u64 = 0x80 * ONES;
    // A high bit in each byte at whose end there are more than `n` set bits.
    let later = !(((u64::from(n) * ONES) | HIGHS) - ranks) & HIGHS;
    let begin = later.trailing_zeros() & 0x38;
    let before = ((ranks << 8) >> begin) as u32 & 0xFF;
    let byte = (word >> begin) as usize & 0xFF;
    begin + u32::from(NTH_BITS[byte][(n - before) as usize & 7])
}

/// The set bits of each byte, from the lowest.
pub static NTH_BITS: [[u8; 8]; 256] = bits_of_sets();

/// The bits of each set, from the lowest; a set has `MOST` bits at most.
pub const fn bits_of_sets<const MOST: usize, const SETS: usize>() -> [[u8; MOST]; SETS] {
    let mut all = [[0; MOST]; SETS];
    let mut set = 0;
    while set < SETS {
        let (mut rest, mut n) = (set, 0);
        while rest > 0 {
            all[set][n] = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            n += 1;
        }
        set += 1;
    }
    all
}

/// The word and the bit of the `n`-th set bit of a few words, all counted from 0. The words need
/// more than `n` set bits. Looks at all words, because the processor cannot predict which one it is.
#[inline(always)]
pub fn nth_bit_of(words: impl IntoIterator<Item = u64>, n: u32) -> (usize, u32) {
    let (mut number, mut chosen, mut before) = (0, 0, 0);
    let mut up_to = 0;
    for (at, word) in words.into_iter().enumerate() {
        if up_to <= n {
            (number, chosen, before) = (at, word, up_to);
        }
        up_to += word.count_ones();
    }
    (number, nth_bit(chosen, n - before))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slow(set: Wide<3>, by: i64) -> Wide<3> {
        set.cells()
            .map(|i| i64::from(i) + by)
            .filter(|i| (0..192).contains(i))
            .fold(Wide::NONE, |all, i| all | Wide::bit(i as u32))
    }

    proptest! {
        #[test]
        fn wide_shifts_move_every_bit(words: [u64; 3], by in 0u32..192) {
            let set = Wide(words);
            prop_assert_eq!(set >> by, slow(set, -i64::from(by)));
            prop_assert_eq!(set << by, slow(set, i64::from(by)));
            prop_assert_eq!(set.count() as usize, set.cells().count());
        }

        #[test]
        fn nth_bit_follows_the_iterator(word: u64) {
            for (n, index) in word.cells().enumerate() {
                prop_assert_eq!(nth_bit(word, n as u32), index);
                prop_assert_eq!(ranks_without(ranks(word), index), ranks(word ^ 1 << index));
            }
        }
    }
}
