//! The transposition table of solvers: two bounds on the value of a position, and its best move.
//!
//! Four entries of 128 bits make a bucket. Codes are stored completely, so an entry never matches
//! another position. A full bucket replaces the entry with the least work.

/// Numbers of at most 127. Each solver gives them its own meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBounds {
    pub lower: u8,
    pub upper: u8,
    /// The best move as a number below 127; 127 means no move.
    pub best: u8,
}

const WAYS: usize = 4;
/// Bits of an entry below the code: three numbers of seven bits, and four bits for the work.
const DATA: u32 = 25;

/// The first number of buckets of a growing table: 256 KB.
const FIRST: usize = 1 << 12;
/// The growth factor of the number of buckets.
const GROWTH: usize = 4;

type Bucket = [u128; WAYS];

/// A table that allocates its memory at the first use: all of it, or more and more as it fills.
pub struct BoundTable {
    /// The number of buckets at first, and the maximum.
    first: usize,
    most: usize,
    /// The number of entries in use.
    filled: usize,
    /// Empty entries are zero, because codes are stored plus one.
    buckets: Vec<Bucket>,
}

impl BoundTable {
    /// The largest number of bits in a code. The code with all bits set is not used.
    pub const CODE_BITS: u32 = u128::BITS - DATA;

    /// A table of this size in kilobytes (2^10 bytes), at least one bucket.
    pub fn new(kilobytes: usize) -> Self {
        let most = ((kilobytes << 10) / size_of::<Bucket>()).max(1);
        BoundTable { first: most, most, filled: 0, buckets: Vec::new() }
    }

    /// A table that grows up to this size in megabytes (2^20 bytes). While it grows, it needs up to
    /// one and a half times as much.
    pub fn growing(megabytes: usize) -> Self {
        let table = Self::new(megabytes << 10);
        BoundTable { first: table.most.min(FIRST), ..table }
    }

    #[inline]
    fn bucket(&self, code: u128) -> usize {
        let (low, high) = (code as u64, (code >> 64) as u64);
        let mixed = (low ^ high.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd134_2543_de82_ef95);
        ((u128::from(mixed) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    pub fn get(&self, code: u128) -> Option<StoredBounds> {
        let bucket = self.buckets.get(self.bucket(code))?;
        let entry = bucket.iter().find(|&entry| entry >> DATA == code + 1)?;
        let seven = |shift: u32| (entry >> shift) as u8 & 127;
        Some(StoredBounds { lower: seven(18), upper: seven(11), best: seven(4) })
    }

    /// Stores bounds and the number of nodes that they took.
    #[inline]
    pub fn put(&mut self, code: u128, found: StoredBounds, nodes: u64) {
        let entries = self.buckets.len() * WAYS;
        if 2 * self.filled >= entries && self.buckets.len() < self.most {
            self.grow();
        }
        let work = u128::from((nodes.max(1).ilog2() / 2 + 1).min(15));
        let StoredBounds { lower, upper, best } = found;
        let numbers = [lower, upper, best].into_iter();
        let numbers = numbers.fold(0, |all, number| all << 7 | u128::from(number & 127));
        self.insert(((code + 1) << DATA) | (numbers << 4) | work);
    }

    #[cold]
    fn grow(&mut self) {
        let count = (GROWTH * self.buckets.len()).clamp(self.first, self.most);
        let old = std::mem::replace(&mut self.buckets, vec![[0; WAYS]; count]);
        self.filled = 0;
        old.iter().flatten().filter(|&&entry| entry != 0).for_each(|&entry| self.insert(entry));
    }

    #[inline]
    fn insert(&mut self, new: u128) {
        let bucket = self.bucket((new >> DATA) - 1);
        let entries = &mut self.buckets[bucket];
        let (mut victim, mut least) = (0, u128::MAX);
        for (i, entry) in entries.iter().enumerate() {
            if entry >> DATA == new >> DATA {
                victim = i;
                break;
            }
            // The work of an empty entry is zero, and that of any other entry is positive.
            let worth = entry & 15;
            if worth < least {
                (victim, least) = (i, worth);
            }
        }
        self.filled += usize::from(entries[victim] == 0);
        entries[victim] = new;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(code: u128) -> StoredBounds {
        StoredBounds { lower: (code % 50) as u8, upper: (code % 77) as u8, best: (code % 5) as u8 }
    }

    #[test]
    fn an_entry_that_answers_is_the_positions_own() {
        let mut table = BoundTable::new(4);
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
        let mut table = BoundTable::new(0);
        for (code, nodes) in [(0, 900), (1, 1), (2, 70), (3, 500), (4, 9), (0, 3)] {
            table.put(code, found(code), nodes);
        }
        assert_eq!(table.get(1), None);
        assert!([0, 2, 3, 4].iter().all(|&code| table.get(code).is_some()));
    }

    #[test]
    fn a_growing_table_keeps_its_entries() {
        let mut table = BoundTable::growing(8);
        let codes = (0..100_000u128).map(|i| (i * 0x9e37_79b9_7f4a_7c15) << 20);
        codes.clone().for_each(|code| table.put(code, found(code), 1));
        assert_eq!(table.buckets.len(), 4 * 4 * FIRST);
        let kept = codes.filter(|&code| table.get(code) == Some(found(code))).count();
        assert!(kept > 95_000, "{kept}");
    }
}
