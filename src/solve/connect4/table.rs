//! What is known of positions: bounds on their scores.
//!
//! A bucket is one line of the cache, with eight entries of one word each. A position's
//! code is scrambled by a one-to-one map; the high bits choose the bucket and the rest is
//! kept in the entry, so that an entry that answers is never another position's. A word is
//! read and written at once: threads share the table without locks and never see half an
//! entry.
//!
//! A full bucket gives up the entry on which the least work was spent, those of earlier
//! questions first.

use std::sync::atomic::{AtomicU64, Ordering};

/// Eight entries: one line of the cache.
#[repr(align(64))]
struct Bucket([AtomicU64; 8]);

/// Bits of an entry below the tag: lower and upper bound six bits each, best column three,
/// work five, question three.
const DATA: u32 = 23;
/// Added to a score before it is stored.
const BIAS: i32 = 32;

/// Where a position belongs: its bucket and what the entry must say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    bucket: usize,
    tag: u64,
}

/// What an entry knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The score is at least this.
    pub lower: i32,
    /// The score is at most this.
    pub upper: i32,
    /// The column that was best, as the stored image of the position shows it; columns from
    /// the eighth on are forgotten.
    pub column: Option<u32>,
}

/// A table of bounds shared by threads.
pub struct Table {
    buckets: Vec<Bucket>,
    code_bits: u32,
    bucket_bits: u32,
    question: u64,
}

impl Table {
    /// A table of about so many megabytes for positions with codes of so many bits. It is
    /// larger where the codes could not be told apart otherwise.
    pub fn new(megabytes: usize, code_bits: u32) -> Self {
        let buckets = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let least = code_bits.saturating_sub(64 - DATA);
        let bucket_bits = buckets.ilog2().clamp(least, code_bits.max(least));
        let buckets = zeroed(1 << bucket_bits);
        Table { buckets, code_bits, bucket_bits, question: 0 }
    }

    /// Bytes taken.
    pub fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<Bucket>()
    }

    /// What is stored from now on belongs to a new question; what was stored is kept while
    /// there is room.
    pub fn next_question(&mut self) {
        self.question = (self.question + 1) & 7;
    }

    /// Where a code belongs.
    #[inline(always)]
    pub fn place(&self, code: u64) -> Place {
        let mask = u64::MAX >> (64 - self.code_bits);
        // An odd factor and a shift onto itself can be undone: no two codes share a result.
        let mixed = (code ^ code >> (self.code_bits / 2)).wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        let tag_bits = self.code_bits - self.bucket_bits;
        let bucket = (mixed >> tag_bits) as usize;
        Place { bucket, tag: mixed & ((1 << tag_bits) - 1) }
    }

    /// Asks for the line of the cache before it is needed.
    #[inline(always)]
    pub fn prefetch(&self, place: Place) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.buckets.as_ptr().wrapping_add(place.bucket);
            // SAFETY: a hint, which may name any address; SSE is a part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = place;
    }

    /// What is known of the position there.
    #[inline(always)]
    pub fn get(&self, place: Place) -> Option<Known> {
        let Bucket(entries) = &self.buckets[place.bucket];
        for entry in entries {
            let word = entry.load(Ordering::Relaxed);
            if word >> DATA == place.tag && word != 0 {
                return Some(Known {
                    lower: (word & 63) as i32 - BIAS,
                    upper: (word >> 6 & 63) as i32 - BIAS,
                    column: Some((word >> 12 & 7) as u32).filter(|&c| c < 7),
                });
            }
        }
        None
    }

    /// Stores what is known, found by visiting so many positions.
    #[inline(always)]
    pub fn put(&self, place: Place, known: Known, nodes: u64) {
        let work = u64::from((nodes | 1).ilog2() + 1).min(31);
        let word = place.tag << DATA
            | self.question << 20
            | work << 15
            | u64::from(known.column.map_or(7, |c| c.min(7))) << 12
            | ((known.upper + BIAS) as u64) << 6
            | (known.lower + BIAS) as u64;
        let Bucket(entries) = &self.buckets[place.bucket];
        let (mut victim, mut least) = (0, u64::MAX);
        for (i, entry) in entries.iter().enumerate() {
            let old = entry.load(Ordering::Relaxed);
            if old >> DATA == place.tag {
                victim = i;
                break;
            }
            let stale = u64::from(old >> 20 & 7 == self.question) << 5;
            let worth = old >> 15 & 31 | stale;
            if worth < least {
                (victim, least) = (i, worth);
            }
        }
        entries[victim].store(word, Ordering::Relaxed);
    }
}

/// So many empty buckets, on large pages where the system offers them: most accesses miss
/// the cache, and with small pages each would miss the translation of its address as well.
fn zeroed(buckets: usize) -> Vec<Bucket> {
    let mut table: Vec<Bucket> = Vec::with_capacity(buckets);
    #[cfg(target_os = "linux")]
    {
        unsafe extern "C" {
            fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
        }
        const HUGE_PAGES: i32 = 14;
        const PAGE: usize = 4096;
        let start = table.as_mut_ptr().cast::<u8>();
        let skip = start.align_offset(PAGE);
        if let Some(length) = (buckets * size_of::<Bucket>()).checked_sub(skip) {
            // SAFETY: whole pages inside the table's own memory; the advice changes how
            // they are mapped, not what they hold. A refusal changes nothing.
            unsafe { madvise(start.add(skip), length / PAGE * PAGE, HUGE_PAGES) };
        }
    }
    table.resize_with(buckets, || Bucket([const { AtomicU64::new(0) }; 8]));
    table
}
