//! The transposition table of Connect Four: bounds on the scores of positions.
//!
//! A bucket is one cache line with eight entries of one word each. A one-to-one map scrambles the
//! code of a position. The high bits choose the bucket, and the entry stores the rest. So an entry
//! never matches another position. Words are read and written atomically: threads share the table
//! without locks and never read half an entry.
//!
//! A full bucket replaces the entry with the least work. Entries of earlier searches are replaced
//! first.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::util::prefetch::prefetch;
use crate::util::unix;

/// Eight entries: one cache line.
#[repr(align(64))]
struct Bucket([AtomicU64; 8]);

/// Bits of an entry below the tag: six for each of the two bounds, five for the work.
const NEEDED: u32 = 17;
/// The same with the best column and the generation, three bits each, if there is room.
const WHOLE: u32 = 23;
const BIAS: i32 = 32;

/// The place of a position: its bucket and the tag of its entry.
#[derive(Clone, Copy, Debug, Default)]
pub struct TableSlot {
    bucket: usize,
    tag: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBounds {
    pub lower: i32,
    pub upper: i32,
    /// The best column in the stored image of the position. Columns from the eighth on are not
    /// stored.
    pub column: Option<u32>,
}

pub struct ScoreTable {
    buckets: Vec<Bucket>,
    code_bits: u32,
    bucket_bits: u32,
    data_bits: u32,
    generation: u64,
}

impl ScoreTable {
    /// A table of about `megabytes` for codes of `code_bits` bits. It is larger, up to eight
    /// megabytes, if the codes would not be unique otherwise.
    pub fn new(megabytes: usize, code_bits: u32) -> Self {
        let buckets = (megabytes.clamp(1, 1 << 20) << 20) / size_of::<Bucket>();
        let least = code_bits.saturating_sub(64 - NEEDED);
        let bucket_bits = buckets.ilog2().clamp(least, code_bits.max(least));
        let whole = code_bits - bucket_bits <= 64 - WHOLE;
        let data_bits = if whole { WHOLE } else { NEEDED };
        let buckets = zeroed(1 << bucket_bits);
        ScoreTable { buckets, code_bits, bucket_bits, data_bits, generation: 0 }
    }

    pub fn next_generation(&mut self) {
        self.generation = (self.generation + 1) & 7;
    }

    pub fn clear(&mut self) {
        for Bucket(entries) in &mut self.buckets {
            entries.iter_mut().for_each(|entry| *entry.get_mut() = 0);
        }
        // The generation decides which entries are replaced and so affects later node counts.
        self.generation = 0;
    }

    /// The place of a code.
    #[inline(always)]
    pub fn place(&self, code: u64) -> TableSlot {
        let mask = u64::MAX >> (64 - self.code_bits);
        // The multiplication by an odd factor and the xor with a shift are invertible, so codes
        // never collide.
        let mixed =
            (code ^ code >> (self.code_bits / 2)).wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        let tag_bits = self.code_bits - self.bucket_bits;
        let bucket = (mixed >> tag_bits) as usize;
        TableSlot { bucket, tag: mixed & ((1 << tag_bits) - 1) }
    }

    #[inline(always)]
    pub fn prefetch(&self, place: TableSlot) {
        prefetch(&self.buckets, place.bucket);
    }

    #[inline(always)]
    pub fn get(&self, place: TableSlot) -> Option<KnownBounds> {
        let Bucket(entries) = &self.buckets[place.bucket];
        for entry in entries {
            let word = entry.load(Ordering::Relaxed);
            if word >> self.data_bits == place.tag && word != 0 {
                let column = (word >> NEEDED & 7) as u32;
                return Some(KnownBounds {
                    lower: (word & 63) as i32 - BIAS,
                    upper: (word >> 6 & 63) as i32 - BIAS,
                    column: (self.data_bits == WHOLE && column < 7).then_some(column),
                });
            }
        }
        None
    }

    /// Stores bounds and the number of nodes that they took.
    #[inline(always)]
    pub fn put(&self, place: TableSlot, known: KnownBounds, nodes: u64) {
        let work = u64::from(nodes.max(1).ilog2() + 1).min(31);
        let mut word = place.tag << self.data_bits
            | work << 12
            | ((known.upper + BIAS) as u64 & 63) << 6
            | (known.lower + BIAS) as u64 & 63;
        let whole = self.data_bits == WHOLE;
        if whole {
            let column = u64::from(known.column.map_or(7, |c| c.min(7)));
            word |= self.generation << 20 | column << NEEDED;
        }
        let Bucket(entries) = &self.buckets[place.bucket];
        let (mut victim, mut least) = (0, u64::MAX);
        for (i, entry) in entries.iter().enumerate() {
            let old = entry.load(Ordering::Relaxed);
            if old >> self.data_bits == place.tag {
                victim = i;
                break;
            }
            let current = whole && old >> 20 & 7 == self.generation;
            let worth = (old >> 12 & 31) | u64::from(current) << 5;
            if worth < least {
                (victim, least) = (i, worth);
            }
        }
        entries[victim].store(word, Ordering::Relaxed);
    }
}

/// Allocates empty buckets, on huge pages where the system has them. Most accesses miss the cache;
/// with small pages each of them would also miss the TLB.
fn zeroed(buckets: usize) -> Vec<Bucket> {
    let mut table: Vec<Bucket> = Vec::with_capacity(buckets);
    unix::advise_huge_pages(table.spare_capacity_mut());
    table.resize_with(buckets, || Bucket([const { AtomicU64::new(0) }; 8]));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_answers_is_the_positions_own() {
        for code_bits in [16, 40, 56, 64] {
            let table = ScoreTable::new(1, code_bits);
            let mask = u64::MAX >> (64 - code_bits);
            let codes: Vec<u64> =
                (1..20_000u64).map(|i| i.wrapping_mul(0x0123_4567_89ab_cdef) & mask).collect();
            let known = |code: u64| KnownBounds {
                lower: -((code % 20) as i32),
                upper: (code % 13) as i32,
                column: (table.data_bits == WHOLE).then_some((code % 7) as u32),
            };
            for &code in &codes {
                table.put(table.place(code), known(code), code % 1000 + 1);
                assert_eq!(table.get(table.place(code)), Some(known(code)));
            }
            for &code in &codes {
                let found = table.get(table.place(code));
                assert!(found.is_none_or(|found| found == known(code)));
            }
        }
    }

    #[test]
    fn the_least_work_makes_room() {
        let mut table = ScoreTable::new(1, 56);
        let bits = table.bucket_bits;
        // More codes than entries, all in one bucket.
        let bucket = table.place(1).bucket;
        let codes: Vec<u64> =
            (1..).filter(|&code| table.place(code).bucket == bucket).take(10).collect();
        assert_eq!(1 << bits, table.buckets.len());
        let known = KnownBounds { lower: 0, upper: 1, column: None };
        for (&code, nodes) in codes.iter().zip([900, 800, 1, 700, 600, 500, 400, 300, 200, 9]) {
            table.put(table.place(code), known, nodes);
        }
        let kept = |table: &ScoreTable, i: usize| table.get(table.place(codes[i])).is_some();
        assert!(!kept(&table, 2) && kept(&table, 0) && kept(&table, 7) && kept(&table, 9));
        table.clear();
        assert!((0..10).all(|i| !kept(&table, i)));
    }
}
