//! The transposition table of the m,n,k solver: bounds on the plies to a win.
//!
//! Four entries of 128 bits make a bucket. Codes are stored completely, so an entry never matches
//! another position. A full bucket replaces the entry with the least work.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProvenPlies {
    /// There is no win within this number of plies, at most 127.
    pub lower: u8,
    /// There is a win within this number of plies, at most 127. If no win is known, the number is
    /// larger than the length of any game.
    pub upper: u8,
    /// The best move as a number below 127; 127 means no move.
    pub best: u8,
}

const WAYS: usize = 4;
/// Bits of an entry below the code: three numbers of seven bits, and four bits for the work.
const DATA: u32 = 25;

/// A table of a fixed size. The memory is allocated at the first use.
pub struct PlyTable {
    size: usize,
    /// Empty entries are zero, because codes are stored plus one.
    buckets: Vec<[u128; WAYS]>,
}

impl PlyTable {
    /// The largest number of bits in a code. The code with all bits set is not used.
    pub const CODE_BITS: u32 = u128::BITS - DATA;

    /// A table of this size in kilobytes (2^10 bytes), at least one bucket.
    pub fn new(kilobytes: usize) -> Self {
        let size = ((kilobytes << 10) / size_of::<[u128; WAYS]>()).max(1);
        PlyTable { size, buckets: Vec::new() }
    }

    #[inline]
    fn bucket(&self, code: u128) -> usize {
        let (low, high) = (code as u64, (code >> 64) as u64);
        let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd134_2543_de82_ef95);
        ((u128::from(mixed) * self.size as u128) >> 64) as usize
    }

    #[inline]
    pub fn get(&self, code: u128) -> Option<ProvenPlies> {
        let bucket = self.buckets.get(self.bucket(code))?;
        let entry = bucket.iter().find(|&entry| entry >> DATA == code + 1)?;
        let seven = |shift: u32| (entry >> shift) as u8 & 127;
        Some(ProvenPlies { lower: seven(18), upper: seven(11), best: seven(4) })
    }

    /// Stores bounds and the number of nodes that they took.
    #[inline]
    pub fn put(&mut self, code: u128, found: ProvenPlies, nodes: u64) {
        if self.buckets.is_empty() {
            self.buckets = vec![[0; WAYS]; self.size];
        }
        let bucket = self.bucket(code);
        let entries = &mut self.buckets[bucket];
        let (mut victim, mut least) = (0, u128::MAX);
        for (i, entry) in entries.iter().enumerate() {
            if entry >> DATA == code + 1 {
                victim = i;
                break;
            }
            // The work of an empty entry is zero, and that of any other entry is positive.
            let worth = entry & 15;
            if worth < least {
                (victim, least) = (i, worth);
            }
        }
        let work = u128::from((nodes.max(1).ilog2() / 2 + 1).min(15));
        let ProvenPlies { lower, upper, best } = found;
        let numbers = [lower, upper, best].into_iter();
        let numbers = numbers.fold(0, |all, number| all << 7 | u128::from(number & 127));
        entries[victim] = ((code + 1) << DATA) | (numbers << 4) | work;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: u128) -> ProvenPlies {
        ProvenPlies { lower: (code % 50) as u8, upper: (code % 77) as u8, best: (code % 5) as u8 }
    }

    #[test]
    fn an_entry_that_answers_is_the_positions_own() {
        let mut table = PlyTable::new(4);
        let codes = (0..5_000u128).map(|i| (i * 0x9e37_79b9_7f4a_7c15) << 25);
        let mut kept = 0;
        for code in codes.clone() {
            assert_eq!(table.get(code), None);
            table.put(code, found(code), code as u64 % 1000);
            assert_eq!(table.get(code), Some(found(code)));
        }
        for code in codes {
            let known = table.get(code);
            assert!(known.is_none_or(|known| known == found(code)));
            kept += usize::from(known.is_some());
        }
        assert!(kept > 200, "{kept} of 256");
    }

    #[test]
    fn the_least_work_makes_room() {
        let mut table = PlyTable::new(0);
        for (code, nodes) in [(0, 900), (1, 1), (2, 70), (3, 500), (4, 9), (0, 3)] {
            table.put(code, found(code), nodes);
        }
        assert_eq!(table.get(1), None);
        assert!([0, 2, 3, 4].iter().all(|&code| table.get(code).is_some()));
    }
}
