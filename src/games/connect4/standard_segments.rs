//! The evaluator `segments` on the standard board, where it is counted most.
//!
//! Lines of one side only are counted in all places and for both sides at once: a line
//! is two pairs of cells, and the bits of its number of stones come from the bits of the
//! two pairs by one full adder. Lines are named by their first cells. Rising and falling
//! diagonals start in different cells, rows can be moved to the columns on the right, so
//! three directions share a word.

use super::pair::Pair;

/// For each side the lines in one direction that hold two or three of its stones and none
/// of the other's, and those among them that hold an odd number, three.
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

/// The weighted number of lines with two and with three stones of one side only, the
/// first side's minus the second's, where no line is complete.
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

/// How many bits the first side's two words have more than the second's: bits are added
/// up within bytes, then the bytes of the sides subtracted and summed.
#[inline(always)]
fn difference(a: Pair, b: Pair) -> i32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let nibbles = fours(a) + fours(b);
    let low = Pair::both(0x0F0F_0F0F_0F0F_0F0F);
    let [first, second] = ((nibbles & low) + (nibbles.right::<4>() & low)).words();
    // 16 a byte keeps the differences positive; at most 69 lines cannot fill the sum.
    let biased = first + 16 * ONES - second;
    (biased.wrapping_mul(ONES) >> 56) as i32 - 128
}

/// How many bits are set in each group of four.
#[inline(always)]
fn fours(x: Pair) -> Pair {
    let pairs = Pair::both(0x3333_3333_3333_3333);
    let twos = x - (x.right::<1>() & Pair::both(0x5555_5555_5555_5555));
    (twos & pairs) + (twos.right::<2>() & pairs)
}
