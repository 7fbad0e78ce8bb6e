//! SIMD words: one or four 64-bit words with the same operations.
//!
//! Each child of a position has one lane. The search code is written once, over [`Word`]. A
//! machine without wide registers runs it with one lane, one child after another.

use std::ops::{BitAnd, BitOr, BitXor};

use super::simd_level::Level;

/// Words in parallel lanes. Shifts, sums and counts are per lane; sums wrap around.
pub trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + 'static
{
    const LANES: usize;
    const LEVEL: Level;

    fn all(word: u64) -> Self;
    /// Takes the lowest bits out of a set, one for each lane. Lanes without a bit are zero.
    fn take(set: &mut u64) -> Self;
    /// The words. Words after the last lane are zero.
    fn words(self) -> [u64; 4];
    fn without(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    /// The product of the lower halves.
    fn times(self, factor: u32) -> Self;
    /// Shift towards the high bits, by less than 64.
    fn left(self, by: u32) -> Self;
    /// Shift towards the low bits, by less than 64.
    fn right(self, by: u32) -> Self;
    fn count(self) -> Self;
    fn swap_bytes(self) -> Self;
    /// All bits if the lane is zero, otherwise none.
    fn is_zero(self) -> Self;
    /// All bits if the lane is less than the other, both unsigned.
    fn less(self, other: Self) -> Self;

    /// `yes` where the mask has all bits set, `no` where it has none.
    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        (yes & self) | no.without(self)
    }

    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::all(0).minus(self)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct One(pub u64);

macro_rules! operator {
    ($type:ident, $operator:ident, $method:ident, |$a:ident, $b:ident| $body:expr) => {
        impl $operator for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $body
            }
        }
    };
}

operator!(One, BitAnd, bitand, |a, b| One(a.0 & b.0));
operator!(One, BitOr, bitor, |a, b| One(a.0 | b.0));
operator!(One, BitXor, bitxor, |a, b| One(a.0 ^ b.0));

#[inline(always)]
fn take_lowest(set: &mut u64) -> u64 {
    let lowest = *set & set.wrapping_neg();
    *set ^= lowest;
    lowest
}

#[inline(always)]
fn mask(holds: bool) -> u64 {
    0u64.wrapping_sub(u64::from(holds))
}

impl Word for One {
    const LANES: usize = 1;
    const LEVEL: Level = Level::One;

    #[inline(always)]
    fn all(word: u64) -> Self {
        One(word)
    }

    #[inline(always)]
    fn take(set: &mut u64) -> Self {
        One(take_lowest(set))
    }

    #[inline(always)]
    fn words(self) -> [u64; 4] {
        [self.0, 0, 0, 0]
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        One(self.0 & !other.0)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        One(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        One(self.0.wrapping_sub(other.0))
    }

    #[inline(always)]
    fn times(self, factor: u32) -> Self {
        One((self.0 & 0xffff_ffff).wrapping_mul(u64::from(factor)))
    }

    #[inline(always)]
    fn left(self, by: u32) -> Self {
        One(self.0.wrapping_shl(by))
    }

    #[inline(always)]
    fn right(self, by: u32) -> Self {
        One(self.0.wrapping_shr(by))
    }

    #[inline(always)]
    fn count(self) -> Self {
        One(u64::from(self.0.count_ones()))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        One(self.0.swap_bytes())
    }

    #[inline(always)]
    fn is_zero(self) -> Self {
        One(mask(self.0 == 0))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self {
        One(mask(self.0 < other.0))
    }
}

#[cfg(target_arch = "x86_64")]
pub use wide::{Counting, Four};

/// Four lanes for x86-64.
///
/// Only functions compiled for AVX2 or AVX-512 call these methods, and the methods are inlined
/// into them. The program calls those functions only after it has detected the instructions (see
/// [`super::simd_detection`]).
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor};

    use super::{Level, Word, take_lowest};

    #[derive(Clone, Copy, Debug)]
    pub struct Four(__m256i);

    /// Four words with AVX-512, which counts bits in all lanes and combines three words at once.
    /// The registers have half the width, because few positions have more than four non-losing
    /// moves.
    #[derive(Clone, Copy, Debug)]
    pub struct Counting(__m256i);

    macro_rules! four_lanes {
        ($type:ident, |$word:ident| $count:expr) => {
            // SAFETY, for all blocks here: see the module. No operation reads memory, and the one
            // that writes has room for four words.
            operator!($type, BitAnd, bitand, |a, b| $type(unsafe { _mm256_and_si256(a.0, b.0) }));
            operator!($type, BitOr, bitor, |a, b| $type(unsafe { _mm256_or_si256(a.0, b.0) }));
            operator!($type, BitXor, bitxor, |a, b| $type(unsafe { _mm256_xor_si256(a.0, b.0) }));

            impl Word for $type {
                const LANES: usize = 4;
                const LEVEL: Level = Level::$type;

                #[inline(always)]
                fn all(word: u64) -> Self {
                    $type(unsafe { _mm256_set1_epi64x(word as i64) })
                }

                #[inline(always)]
                fn take(set: &mut u64) -> Self {
                    let (a, b) = (take_lowest(set), take_lowest(set));
                    let (c, d) = (take_lowest(set), take_lowest(set));
                    $type(unsafe { _mm256_set_epi64x(d as i64, c as i64, b as i64, a as i64) })
                }

                #[inline(always)]
                fn words(self) -> [u64; 4] {
                    let mut words = [0u64; 4];
                    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
                    words
                }

                #[inline(always)]
                fn without(self, other: Self) -> Self {
                    $type(unsafe { _mm256_andnot_si256(other.0, self.0) })
                }

                #[inline(always)]
                fn plus(self, other: Self) -> Self {
                    $type(unsafe { _mm256_add_epi64(self.0, other.0) })
                }

                #[inline(always)]
                fn minus(self, other: Self) -> Self {
                    $type(unsafe { _mm256_sub_epi64(self.0, other.0) })
                }

                #[inline(always)]
                fn times(self, factor: u32) -> Self {
                    let factor = i64::from(factor);
                    $type(unsafe { _mm256_mul_epu32(self.0, _mm256_set1_epi64x(factor)) })
                }

                #[inline(always)]
                fn left(self, by: u32) -> Self {
                    $type(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
                }

                #[inline(always)]
                fn right(self, by: u32) -> Self {
                    $type(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
                }

                #[inline(always)]
                fn count(self) -> Self {
                    let $word = self.0;
                    $type($count)
                }

                #[inline(always)]
                fn swap_bytes(self) -> Self {
                    $type(unsafe {
                        let order = _mm256_setr_epi8(
                            7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2,
                            1, 0, 15, 14, 13, 12, 11, 10, 9, 8,
                        );
                        _mm256_shuffle_epi8(self.0, order)
                    })
                }

                #[inline(always)]
                fn is_zero(self) -> Self {
                    $type(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()) })
                }

                #[inline(always)]
                fn less(self, other: Self) -> Self {
                    $type(unsafe {
                        let sign = _mm256_set1_epi64x(i64::MIN);
                        let (a, b) = (self.0, other.0);
                        _mm256_cmpgt_epi64(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign))
                    })
                }
            }
        };
    }

    four_lanes!(Four, |word| unsafe {
        let nibbles = _mm256_set1_epi8(15);
        let ones = _mm256_setr_epi8(
            0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2,
            3, 3, 4,
        );
        let low = _mm256_shuffle_epi8(ones, _mm256_and_si256(word, nibbles));
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(word), nibbles);
        let high = _mm256_shuffle_epi8(ones, high);
        _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
    });
    four_lanes!(Counting, |word| unsafe { _mm256_popcnt_epi64(word) });
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// The results of all methods. Each lane depends only on its own words.
    #[inline(always)]
    fn results_of<W: Word>(x: W, y: W, z: W) -> [[u64; 4]; 16] {
        let all = [
            x,
            x & z,
            x | y,
            (x | z) ^ y,
            z.without(x),
            z.plus(x),
            z.minus(x),
            (z ^ x).times(77),
            z.minus(x).left(9),
            z.minus(x).right(7),
            z.minus(x).count(),
            z.plus(x).swap_bytes(),
            (x & z).is_zero(),
            x.less(y),
            x.less(z).choose(y, z),
            z.minus(x).lowest(),
        ];
        all.map(W::words)
    }

    #[inline(always)]
    fn results<W: Word>(a: u64, b: u64) -> [[u64; 4]; 16] {
        let (mut set, mut rest) = (a, a ^ b);
        results_of(W::take(&mut set), W::take(&mut rest), W::all(b))
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn results_four(a: u64, b: u64) -> [[u64; 4]; 16] {
        results::<Four>(a, b)
    }

    #[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn results_counting(a: u64, b: u64) -> [[u64; 4]; 16] {
        results::<Counting>(a, b)
    }

    #[test]
    fn wide_words_and_single_words_agree() {
        let mut word = 1u64;
        for _ in 0..500 {
            let mut next = || {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                word ^ word >> 29
            };
            let (a, b) = (next(), next());
            // Each lane gets the sets without the bits that earlier lanes took.
            let (mut set, mut rest) = (a, a ^ b);
            let mut expected = [[0; 4]; 16];
            for lane in 0..4 {
                let single = results_of(One(set).lowest(), One(rest).lowest(), One(b));
                for (all, [word, ..]) in expected.iter_mut().zip(single) {
                    all[lane] = word;
                }
                set &= set.wrapping_sub(1);
                rest &= rest.wrapping_sub(1);
            }
            if Level::Four.is_there() {
                // SAFETY: the processor supports the instructions.
                assert_eq!(unsafe { results_four(a, b) }, expected);
            }
            if Level::Counting.is_there() {
                // SAFETY: the processor supports the instructions.
                assert_eq!(unsafe { results_counting(a, b) }, expected);
            }
        }
    }
}
