//! A small fast generator for playouts: xoshiro256++ (Blackman and Vigna 2021, "Scrambled
//! linear pseudorandom number generators"), seeded through splitmix64.
//!
//! Each search seeds it from the agent's own stream, so games stay reproducible.

use std::convert::Infallible;

use rand::TryRng;

/// The generator.
#[derive(Debug, Clone)]
pub(super) struct PlayoutRng([u64; 4]);

impl PlayoutRng {
    /// The generator with this seed.
    pub(super) fn new(seed: u64) -> Self {
        let mut state = seed;
        PlayoutRng(std::array::from_fn(|_| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        }))
    }

    #[inline]
    fn next(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let t = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= t;
        *d = d.rotate_left(45);
        result
    }
}

impl TryRng for PlayoutRng {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first words from the state 1, 2, 3, 4, as in the reference implementation.
    #[test]
    fn words_are_those_of_the_reference() {
        let mut rng = PlayoutRng([1, 2, 3, 4]);
        let words: [u64; 4] = std::array::from_fn(|_| rng.next());
        assert_eq!(words, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    /// splitmix64 with seed 0, as in its reference implementation.
    #[test]
    fn seeds_are_spread_by_splitmix() {
        assert_eq!(PlayoutRng::new(0).0[..2], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
    }
}
