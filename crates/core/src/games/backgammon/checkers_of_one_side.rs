//! The checkers of one side, by point.

/// The point of checkers that were hit.
pub(super) const BAR: u32 = 25;
/// The checkers of a side at the start.
pub(super) const CHECKERS: u32 = 15;
/// The own home points.
pub(super) const HOME: u32 = 0b111_1110;

/// The number of a side's checkers on each point, in this side's coordinates: 1 to 24, and 25 is the
/// bar. Checkers that are on no point were borne off.
///
/// Word `i` has bit `i` of each point's number, so sets of points need no loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Side(pub(super) [u32; 4]);

impl Side {
    /// The usual start.
    pub(super) fn start() -> Side {
        let mut side = Side::default();
        for (point, count) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            (0..count).for_each(|_| side.add(point));
        }
        side
    }

    /// The number of checkers on a point.
    #[inline]
    pub fn at(self, point: u32) -> u32 {
        let [a, b, c, d] = self.0;
        let bit = |word: u32| word >> point & 1;
        bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3
    }

    /// The number of checkers on the board, the bar included.
    #[inline]
    pub fn on_board(self) -> u32 {
        let [a, b, c, d] = self.0.map(u32::count_ones);
        a + 2 * b + 4 * c + 8 * d
    }

    /// The steps that the checkers have to go, summed.
    #[inline]
    pub fn pips(self) -> u32 {
        const TENS: [u32; 5] = [0x2AA_AAAA, 0xCC_CCCC, 0x0F0_F0F0, 0x300_FF00, 0x3FF_0000];
        let points = |word: u32| {
            let bits = TENS.iter().zip(0..).map(|(set, bit)| (word & set).count_ones() << bit);
            bits.sum::<u32>()
        };
        let [a, b, c, d] = self.0;
        points(a) + 2 * points(b) + 4 * points(c) + 8 * points(d)
    }

    /// The points with checkers.
    #[inline]
    pub(super) fn points(self) -> u32 {
        let [a, b, c, d] = self.0;
        a | b | c | d
    }

    /// The points with at least two checkers.
    #[inline]
    pub(super) fn made(self) -> u32 {
        let [_, b, c, d] = self.0;
        b | c | d
    }

    /// The points with one checker.
    #[inline]
    pub(super) fn blots(self) -> u32 {
        self.0[0] & !self.made()
    }

    /// One more checker. A point with fifteen has none afterwards.
    #[inline]
    pub(super) fn add(&mut self, point: u32) {
        let mut carry = 1 << point;
        for word in &mut self.0 {
            let next = *word & carry;
            *word ^= carry;
            carry = next;
        }
    }

    /// The opposite of [`add`](Self::add), for any number of checkers.
    #[inline]
    pub(super) fn remove(&mut self, point: u32) {
        let mut borrow = 1 << point;
        for word in &mut self.0 {
            let next = !*word & borrow;
            *word ^= borrow;
            borrow = next;
        }
    }
}

/// A set of points on the board in the other side's coordinates, without the bar.
#[inline]
pub(super) fn turned(points: u32) -> u32 {
    // Point 24 of one side is point 1 of the other.
    (points & 0x1FF_FFFE).reverse_bits() >> 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_167_pips() {
        let side = Side::start();
        assert_eq!((side.on_board(), side.pips()), (15, 167));
        assert_eq!(side.points(), side.made());
        assert_eq!([24, 13, 8, 6, 5].map(|point| side.at(point)), [2, 5, 3, 5, 0]);
    }

    #[test]
    fn checkers_are_added_and_removed() {
        for point in 1..=BAR {
            let mut side = Side::default();
            for count in 1..=15 {
                side.add(point);
                assert_eq!((side.at(point), side.on_board()), (count, count));
                assert_eq!(side.pips(), point * count);
                assert_eq!(side.blots() != 0, count == 1);
                assert_eq!(side.made() != 0, count > 1);
            }
            (0..15).for_each(|_| side.remove(point));
            assert_eq!(side, Side::default());
        }
    }

    #[test]
    fn points_are_turned() {
        for point in 1..=24 {
            assert_eq!(turned(1 << point), 1 << (25 - point));
        }
        assert_eq!(turned(1 | 1 << BAR), 0);
    }
}
