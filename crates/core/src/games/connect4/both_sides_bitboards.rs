//! One set operation on the cells of both sides at once.
//!
//! Two words fill one 128-bit register, which every x86-64 CPU has. With single words, the
//! evaluator takes twice as long, and the compiler does not vectorize it. On other CPUs a pair is
//! two separate words.

#[cfg(target_arch = "x86_64")]
pub(super) use register::Pair;
#[cfg(not(target_arch = "x86_64"))]
pub(super) use words::Pair;

impl Pair {
    #[inline(always)]
    pub fn both(word: u64) -> Self {
        Self::new([word, word])
    }

    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        self & (other ^ Self::both(u64::MAX))
    }
}

#[cfg(target_arch = "x86_64")]
mod register {
    use std::arch::x86_64 as sse2;
    use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

    /// One word for each side.
    ///
    /// The `unsafe` blocks are sound: SSE2 is part of x86-64, and no operation reads memory.
    #[derive(Clone, Copy)]
    pub struct Pair(sse2::__m128i);

    macro_rules! operator {
        ($operator:ident, $method:ident, $instruction:ident) => {
            impl $operator for Pair {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: see `Pair`.
                    Pair(unsafe { sse2::$instruction(self.0, other.0) })
                }
            }
        };
    }

    operator!(BitAnd, bitand, _mm_and_si128);
    operator!(BitOr, bitor, _mm_or_si128);
    operator!(BitXor, bitxor, _mm_xor_si128);
    operator!(Add, add, _mm_add_epi64);
    operator!(Sub, sub, _mm_sub_epi64);

    impl Pair {
        #[inline(always)]
        pub fn new([a, b]: [u64; 2]) -> Self {
            // SAFETY: see `Pair`.
            Pair(unsafe { sse2::_mm_set_epi64x(b as i64, a as i64) })
        }

        #[inline(always)]
        pub fn words(self) -> [u64; 2] {
            // SAFETY: see `Pair`.
            unsafe {
                let high = sse2::_mm_unpackhi_epi64(self.0, self.0);
                [sse2::_mm_cvtsi128_si64(self.0) as u64, sse2::_mm_cvtsi128_si64(high) as u64]
            }
        }

        #[inline(always)]
        pub fn swapped(self) -> Self {
            // SAFETY: see `Pair`.
            Pair(unsafe { sse2::_mm_shuffle_epi32::<0b01_00_11_10>(self.0) })
        }

        #[inline(always)]
        pub fn right<const BY: i32>(self) -> Self {
            // SAFETY: see `Pair`.
            Pair(unsafe { sse2::_mm_srli_epi64::<BY>(self.0) })
        }

        #[inline(always)]
        pub fn left<const BY: i32>(self) -> Self {
            // SAFETY: see `Pair`.
            Pair(unsafe { sse2::_mm_slli_epi64::<BY>(self.0) })
        }
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
mod words {
    use std::ops::{Add, BitAnd, BitOr, BitXor, Sub};

    /// One word for each side.
    #[derive(Clone, Copy)]
    pub struct Pair([u64; 2]);

    macro_rules! operator {
        ($operator:ident, $method:ident, $word:expr) => {
            impl $operator for Pair {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    Pair(std::array::from_fn(|i| $word(self.0[i], other.0[i])))
                }
            }
        };
    }

    operator!(BitAnd, bitand, |a, b| a & b);
    operator!(BitOr, bitor, |a, b| a | b);
    operator!(BitXor, bitxor, |a, b| a ^ b);
    operator!(Add, add, u64::wrapping_add);
    operator!(Sub, sub, u64::wrapping_sub);

    impl Pair {
        #[inline(always)]
        pub fn new(words: [u64; 2]) -> Self {
            Pair(words)
        }

        #[inline(always)]
        pub fn words(self) -> [u64; 2] {
            self.0
        }

        #[inline(always)]
        pub fn swapped(self) -> Self {
            Pair([self.0[1], self.0[0]])
        }

        #[inline(always)]
        pub fn right<const BY: i32>(self) -> Self {
            Pair([self.0[0] >> BY, self.0[1] >> BY])
        }

        #[inline(always)]
        pub fn left<const BY: i32>(self) -> Self {
            Pair([self.0[0] << BY, self.0[1] << BY])
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use proptest::prelude::*;

    use super::{register, words};

    proptest! {
        #[test]
        fn registers_and_words_agree(a: [u64; 2], b: [u64; 2]) {
            let (r, s) = (register::Pair::new(a), register::Pair::new(b));
            let (v, w) = (words::Pair::new(a), words::Pair::new(b));
            prop_assert_eq!((r & s).words(), (v & w).words());
            prop_assert_eq!((r | s).words(), (v | w).words());
            prop_assert_eq!((r ^ s).words(), (v ^ w).words());
            prop_assert_eq!((r + s).words(), (v + w).words());
            prop_assert_eq!((r - s).words(), (v - w).words());
            prop_assert_eq!(r.swapped().words(), v.swapped().words());
            prop_assert_eq!(r.right::<7>().words(), v.right::<7>().words());
            prop_assert_eq!(r.left::<28>().words(), v.left::<28>().words());
        }
    }
}
