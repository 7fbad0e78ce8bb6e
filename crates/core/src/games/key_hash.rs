//! Hashing for keys: every bit of the result depends on every bit of the input.

/// Mixes one word. Invertible, so different words have different results.
#[inline]
pub fn mix(word: u64) -> u64 {
    let x = word.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ x >> 32
}

/// Adds one more word to a hash: multiplies both to 128 bits and folds the halves together (Wang
/// Yi's wyhash).
#[inline]
pub fn fold(hash: u64, word: u64) -> u64 {
    let product =
        u128::from(hash ^ 0xA076_1D64_78BD_642F) * u128::from(word ^ 0xE703_7ED1_A0B4_28DB);
    product as u64 ^ (product >> 64) as u64
}
