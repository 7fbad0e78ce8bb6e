//! The evaluator `segments`, optimized for the standard board.
//!
//! Counts the lines of one side only, at all places and for both sides at once. A line is two pairs
//! of cells; one full adder computes the bits of its number of stones from the bits of the two
//! pairs. Lines are identified by their first cells. Rising and falling diagonals start in
//! different cells, and rows can be moved to the columns on the right, so three directions share a
//! word.

use super::both_sides_bitboards::Pair;

/// For each side, the lines in one direction with two or three of its stones and none of the
/// opponent's. The second result contains only the lines with three.
#[inline(always)]
fn lines<const STEP: i32, const TWICE: i32>(stones: Pair, firsts: u64) -> (Pair, Pair) {
    let next = stones.right::<STEP>();
    let (both, one, any) = (stones & next, stones ^ next, stones | next);
    let far = one.right::<TWICE>();
    let odd = one ^ far;
    let two = (both ^ both.right::<TWICE>()) | (one & far);
    let any = any | any.right::<TWICE>();
    let few = (two & Pair::both(firsts)).without(any.swapped());
    (few, few & odd)
}

/// The weighted number of lines with two and with three stones of one side only, first side minus
/// second, for positions without a complete line.
#[inline(always)]
pub(super) fn twos_and_threes(stones: [u64; 2], two: i32, three: i32) -> i32 {
    const BOTTOMS: u64 = 0x0000_0408_1020_4081;
    const LEFT: u64 = 0x0020_4081;
    let stones = Pair::new(stones);
    let (columns, columns_odd) = lines::<1, 2>(stones, BOTTOMS * 0b111);
    let (rows, rows_odd) = lines::<7, 14>(stones, LEFT * 0b11_1111);
    let (falling, falling_odd) = lines::<6, 12>(stones, LEFT * 0b11_1000);
    let (rising, rising_odd) = lines::<8, 16>(stones, LEFT * 0b111);
    let few = difference(columns, rows.left::<28>() | falling | rising);
    let odd = difference(columns_odd, rows_odd.left::<28>() | falling_odd | rising_odd);
    two * few + (three - two) * odd
}

/// The number of bits in the first side's two words minus the number in the second's. Adds bits
/// within bytes, then subtracts and sums the bytes of the sides.
#[inline(always)]
fn difference(a: Pair, b: Pair) -> i32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let nibbles = fours(a) + fours(b);
    let low = Pair::both(0x0F0F_0F0F_0F0F_0F0F);
    let [first, second] = ((nibbles & low) + (nibbles.right::<4>() & low)).words();
    // Adding 16 to each byte keeps the differences positive; at most 69 lines cannot overflow the
    // sum.
    let biased = first + 16 * ONES - second;
    (biased.wrapping_mul(ONES) >> 56) as i32 - 128
}

/// The number of set bits in each group of four.
#[inline(always)]
fn fours(x: Pair) -> Pair {
    let pairs = Pair::both(0x3333_3333_3333_3333);
    let twos = x - (x.right::<1>() & Pair::both(0x5555_5555_5555_5555));
    (twos & pairs) + (twos.right::<2>() & pairs)
}
