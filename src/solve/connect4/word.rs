//! One, four or eight words of 64 bits on which the same is done.
//!
//! The children of a position lie side by side, one in each lane. The code above is
//! written once, over [`Word`]; a machine without wide registers runs it with one lane,
//! child after child.

use std::ops::{BitAnd, BitOr, BitXor};

/// Words side by side. Shifts, sums and counts are per lane; sums wrap around.
pub trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + 'static
{
    /// How many words.
    const LANES: usize;

    /// The same word in every lane.
    fn all(word: u64) -> Self;
    /// The first words of a list of eight.
    fn load(words: &[u64; 8], from: usize) -> Self;
    /// The words, into a list of eight.
    fn store(self, words: &mut [u64; 8], from: usize);
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Per lane, wrapping.
    fn plus(self, other: Self) -> Self;
    /// Per lane, wrapping.
    fn minus(self, other: Self) -> Self;
    /// The product of the lower halves.
    fn times(self, factor: u32) -> Self;
    /// Towards the high bits, by less than 64.
    fn left(self, by: u32) -> Self;
    /// Towards the low bits, by less than 64.
    fn right(self, by: u32) -> Self;
    /// How many bits are set.
    fn count(self) -> Self;
    /// The bytes in reverse order.
    fn swap_bytes(self) -> Self;
    /// All bits where the lane is zero, none elsewhere.
    fn is_zero(self) -> Self;
    /// All bits where the lane is less than the other, both taken without a sign.
    fn less(self, other: Self) -> Self;

    /// `yes` where the mask has all bits, `no` where it has none.
    #[inline(always)]
    fn choose(self, yes: Self, no: Self) -> Self {
        (yes & self) | no.without(self)
    }

    /// The lowest bit of each lane.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::all(0).minus(self)
    }
}

/// One word: for every machine.
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

/// All bits if it holds, none if not.
#[inline(always)]
fn mask(holds: bool) -> u64 {
    0u64.wrapping_sub(u64::from(holds))
}

impl Word for One {
    const LANES: usize = 1;

    #[inline(always)]
    fn all(word: u64) -> Self {
        One(word)
    }

    #[inline(always)]
    fn load(words: &[u64; 8], from: usize) -> Self {
        One(words[from & 7])
    }

    #[inline(always)]
    fn store(self, words: &mut [u64; 8], from: usize) {
        words[from & 7] = self.0;
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
pub use wide::{Eight, Four};

/// Four and eight lanes for x86-64.
///
/// The methods are called only from functions compiled for AVX2 or AVX-512, into which
/// they are inlined, and those only after the processor was asked for the instructions
/// (see [`super::level`]). No operation here reads memory but `load`, whose source is as
/// long as what is read.
#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;
    use std::ops::{BitAnd, BitOr, BitXor};

    use super::Word;

    /// Four words: AVX2.
    #[derive(Clone, Copy, Debug)]
    pub struct Four(__m256i);

    /// Eight words: AVX-512.
    #[derive(Clone, Copy, Debug)]
    pub struct Eight(__m512i);

    // SAFETY, for all blocks below: see the module.
    operator!(Four, BitAnd, bitand, |a, b| Four(unsafe { _mm256_and_si256(a.0, b.0) }));
    operator!(Four, BitOr, bitor, |a, b| Four(unsafe { _mm256_or_si256(a.0, b.0) }));
    operator!(Four, BitXor, bitxor, |a, b| Four(unsafe { _mm256_xor_si256(a.0, b.0) }));
    operator!(Eight, BitAnd, bitand, |a, b| Eight(unsafe { _mm512_and_si512(a.0, b.0) }));
    operator!(Eight, BitOr, bitor, |a, b| Eight(unsafe { _mm512_or_si512(a.0, b.0) }));
    operator!(Eight, BitXor, bitxor, |a, b| Eight(unsafe { _mm512_xor_si512(a.0, b.0) }));

    impl Word for Four {
        const LANES: usize = 4;

        #[inline(always)]
        fn all(word: u64) -> Self {
            Four(unsafe { _mm256_set1_epi64x(word as i64) })
        }

        #[inline(always)]
        fn load(words: &[u64; 8], from: usize) -> Self {
            let words: &[u64; 4] = words[from & 4..][..4].try_into().expect("four of eight");
            Four(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, words: &mut [u64; 8], from: usize) {
            let words: &mut [u64; 4] =
                (&mut words[from & 4..][..4]).try_into().expect("four of eight");
            unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Four(unsafe { _mm256_andnot_si256(other.0, self.0) })
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Four(unsafe { _mm256_add_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Four(unsafe { _mm256_sub_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, factor: u32) -> Self {
            Four(unsafe { _mm256_mul_epu32(self.0, _mm256_set1_epi64x(i64::from(factor))) })
        }

        #[inline(always)]
        fn left(self, by: u32) -> Self {
            Four(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
        }

        #[inline(always)]
        fn right(self, by: u32) -> Self {
            Four(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
        }

        #[inline(always)]
        fn count(self) -> Self {
            Four(unsafe {
                let nibbles = _mm256_set1_epi8(15);
                let ones = _mm256_setr_epi8(
                    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2,
                    3, 2, 3, 3, 4,
                );
                let low = _mm256_shuffle_epi8(ones, _mm256_and_si256(self.0, nibbles));
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), nibbles);
                let high = _mm256_shuffle_epi8(ones, high);
                _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256())
            })
        }

        #[inline(always)]
        fn swap_bytes(self) -> Self {
            Four(unsafe {
                let order = _mm256_setr_epi8(
                    7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
                    15, 14, 13, 12, 11, 10, 9, 8,
                );
                _mm256_shuffle_epi8(self.0, order)
            })
        }

        #[inline(always)]
        fn is_zero(self) -> Self {
            Four(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()) })
        }

        #[inline(always)]
        fn less(self, other: Self) -> Self {
            Four(unsafe {
                let sign = _mm256_set1_epi64x(i64::MIN);
                _mm256_cmpgt_epi64(_mm256_xor_si256(other.0, sign), _mm256_xor_si256(self.0, sign))
            })
        }
    }

    impl Word for Eight {
        const LANES: usize = 8;

        #[inline(always)]
        fn all(word: u64) -> Self {
            Eight(unsafe { _mm512_set1_epi64(word as i64) })
        }

        #[inline(always)]
        fn load(words: &[u64; 8], _from: usize) -> Self {
            Eight(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, words: &mut [u64; 8], _from: usize) {
            unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), self.0) }
        }

        #[inline(always)]
        fn without(self, other: Self) -> Self {
            Eight(unsafe { _mm512_andnot_si512(other.0, self.0) })
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Eight(unsafe { _mm512_add_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            Eight(unsafe { _mm512_sub_epi64(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, factor: u32) -> Self {
            Eight(unsafe { _mm512_mul_epu32(self.0, _mm512_set1_epi64(i64::from(factor))) })
        }

        #[inline(always)]
        fn left(self, by: u32) -> Self {
            Eight(unsafe { _mm512_sll_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
        }

        #[inline(always)]
        fn right(self, by: u32) -> Self {
            Eight(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
        }

        #[inline(always)]
        fn count(self) -> Self {
            Eight(unsafe { _mm512_popcnt_epi64(self.0) })
        }

        #[inline(always)]
        fn swap_bytes(self) -> Self {
            Eight(unsafe {
                let order = _mm512_set4_epi32(0x0809_0a0b, 0x0c0d_0e0f, 0x0001_0203, 0x0405_0607);
                _mm512_shuffle_epi8(self.0, order)
            })
        }

        #[inline(always)]
        fn is_zero(self) -> Self {
            Eight(unsafe {
                let zero = _mm512_testn_epi64_mask(self.0, self.0);
                _mm512_maskz_set1_epi64(zero, -1)
            })
        }

        #[inline(always)]
        fn less(self, other: Self) -> Self {
            Eight(unsafe {
                let less = _mm512_cmplt_epu64_mask(self.0, other.0);
                _mm512_maskz_set1_epi64(less, -1)
            })
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// What every method makes of two lists, lane after lane.
    #[inline(always)]
    fn results<W: Word>(a: &[u64; 8], b: &[u64; 8]) -> Vec<[u64; 8]> {
        let mut out = vec![[0; 8]; 16];
        for from in (0..8).step_by(W::LANES) {
            let (x, y) = (W::load(a, from), W::load(b, from));
            let all = [
                x & y,
                x | y,
                x ^ y,
                x.without(y),
                x.plus(y),
                x.minus(y),
                x.times(77),
                x.left(9),
                x.right(7),
                x.count(),
                x.swap_bytes(),
                x.is_zero(),
                x.less(y),
                x.less(y).choose(x, y),
                x.lowest(),
                W::all(5),
            ];
            for (words, word) in out.iter_mut().zip(all) {
                word.store(words, from);
            }
        }
        out
    }

    #[target_feature(enable = "avx2")]
    fn results_four(a: &[u64; 8], b: &[u64; 8]) -> Vec<[u64; 8]> {
        results::<Four>(a, b)
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
    fn results_eight(a: &[u64; 8], b: &[u64; 8]) -> Vec<[u64; 8]> {
        results::<Eight>(a, b)
    }

    #[test]
    fn wide_words_and_single_words_agree() {
        let word = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (i << 40);
        for round in 0..100 {
            let a = std::array::from_fn(|i| if i == 3 { 0 } else { word(8 * round + i as u64) });
            let b = std::array::from_fn(|i| word(8 * round + i as u64 + 1_000_000));
            let expected = results::<One>(&a, &b);
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has the instructions.
                assert_eq!(unsafe { results_four(&a, &b) }, expected);
            }
            if super::super::level::Level::Eight.is_there() {
                // SAFETY: the processor has the instructions.
                assert_eq!(unsafe { results_eight(&a, &b) }, expected);
            }
        }
    }
}
