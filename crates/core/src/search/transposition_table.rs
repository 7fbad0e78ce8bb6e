//! The transposition table: stored results of searched positions.
//!
//! Several move orders lead to the same position. The table stores its value, its search depth and
//! its best move (Greenblatt, Eastlake and Crocker 1967, "The Greenblatt chess program"). Four
//! entries share one cache line. Keys are compared in full.

/// Entries in a bucket: one cache line of 64 bytes.
const WAYS: usize = 4;
/// Words of a bucket: a key and a data word for each entry.
const WORDS: usize = 2 * WAYS;
/// The initial number of buckets in a game: 256 KB.
const FIRST: usize = 1 << 12;
/// The growth factor of the number of buckets.
const GROWTH: usize = 4;
/// The number of generations that fit an entry; then the table is cleared.
const GENERATIONS: u64 = 1 << 12;
/// The maximum number of generations in a game; later searches share the last.
const SEARCHES: u64 = 256;

/// No move is known.
pub(super) const NO_MOVE: u32 = (1 << 9) - 1;

/// The relation of a stored value to the true value, from the first player's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is exact.
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// The stored result of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value; wins count their distance from this position, not from the root.
    pub value: i32,
    /// The search depth in plies, at most 255.
    pub depth: u32,
    /// The best move's index in the game's order, or [`NO_MOVE`].
    pub mv: u32,
    pub bound: Bound,
    /// Whether no line of the proof ended at the horizon. Then the value is valid for every greater
    /// depth too.
    pub complete: bool,
}

impl Entry {
    fn pack(self, generation: u64) -> u64 {
        u64::from(self.value as u32)
            | u64::from(self.depth) << 32
            | u64::from(self.mv) << 40
            | (self.bound as u64) << 49
            | u64::from(self.complete) << 51
            | generation << 52
    }

    #[inline]
    fn unpack(data: u64) -> Self {
        Entry {
            value: data as u32 as i32,
            depth: (data >> 32) as u32 & 0xFF,
            mv: (data >> 40) as u32 & 0x1FF,
            bound: match data >> 49 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            complete: data >> 51 & 1 == 1,
        }
    }
}

#[inline]
fn generation(data: u64) -> u64 {
    data >> 52
}

#[inline]
fn depth(data: u64) -> u64 {
    data >> 32 & 0xFF
}

/// A table that allocates memory as needed.
///
/// A game starts with 256 KB, which fit the CPU cache. Whenever the table is half full, it grows to
/// four times its size. Allocated memory is kept for the next game.
///
/// Every search has a generation. Entries older than the game's first generation are invisible, so
/// a new game costs nothing and cannot see entries of other games.
#[derive(Debug, Clone)]
pub(super) struct TranspositionTable {
    words: Vec<u64>,
    /// The index of the first word at the start of a cache line.
    start: usize,
    /// Buckets in use, and the maximum.
    buckets: usize,
    most: usize,
    /// The number of entries of this game.
    filled: usize,
    /// The first generation of this game, at least 1 (0 marks an empty entry).
    oldest: u64,
    /// The generation of this search.
    now: u64,
}

/// The number of buckets in a table of this many megabytes, and the number of words, alignment
/// padding included.
fn size(megabytes: usize) -> Option<(usize, usize)> {
    let bytes = megabytes.checked_mul(1 << 20)?;
    Some((bytes / (8 * WORDS), bytes / 8 + WORDS))
}

impl TranspositionTable {
    /// A table of this many megabytes (2^20 bytes); 0 for no table.
    pub(super) fn new(megabytes: usize) -> Self {
        TranspositionTable {
            words: Vec::new(),
            start: 0,
            buckets: 0,
            most: size(megabytes).map_or(0, |(buckets, _)| buckets),
            filled: 0,
            oldest: 1,
            now: 1,
        }
    }

    /// Whether there is a table at all.
    pub(super) fn exists(&self) -> bool {
        self.most > 0
    }

    /// Whether the system can allocate this much memory.
    pub(super) fn fits(megabytes: usize) -> bool {
        size(megabytes).is_some_and(|(_, words)| Vec::<u64>::new().try_reserve_exact(words).is_ok())
    }

    /// Starts a new game; older entries become invisible.
    pub(super) fn new_game(&mut self) {
        self.reserve();
        self.now += 1;
        // Never in the middle of a game: the results of a game must not depend on the number of
        // earlier games.
        if self.now + SEARCHES > GENERATIONS {
            self.words.fill(0);
            self.now = 1;
        }
        self.oldest = self.now;
        self.buckets = self.most.min(FIRST);
        self.filled = 0;
    }

    /// Starts a new search in the same game.
    pub(super) fn new_search(&mut self) {
        self.reserve();
        if self.now + 1 < self.oldest + SEARCHES {
            self.now += 1;
        }
    }

    /// Allocates the first buckets on first use.
    fn reserve(&mut self) {
        if self.exists() && self.words.is_empty() {
            let first = self.most.min(FIRST);
            self.allocate(first);
            self.buckets = first;
        }
    }

    /// Allocates memory for this number of buckets and keeps those in use.
    fn allocate(&mut self, buckets: usize) {
        let wanted = (buckets + 1) * WORDS;
        if self.words.len() < wanted {
            let words = vec![0; wanted];
            let before = self.start..self.start + self.buckets * WORDS;
            let old = std::mem::replace(&mut self.words, words);
            self.start = self.words.as_ptr().align_offset(64) % WORDS;
            let kept = &old[before];
            self.words[self.start..self.start + kept.len()].copy_from_slice(kept);
        }
    }

    /// The first word of the bucket of a key. Mixes the key, because games need not spread their
    /// keys.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        let mixed = u128::from(key ^ 0x2545_F491_4F6C_DD1D) * 0x9E37_79B9_7F4A_7C15;
        let mixed = (mixed as u64) ^ (mixed >> 64) as u64;
        let bucket = (u128::from(mixed) * self.buckets as u128) >> 64;
        self.start + bucket as usize * WORDS
    }

    /// Prefetches the bucket of a key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        crate::util::prefetch::prefetch(&self.words, self.bucket(key));
    }

    /// The entry of the position with this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let at = self.bucket(key);
        let bucket = self.words.get(at..at + WORDS)?;
        for entry in bucket.chunks_exact(2) {
            if entry[0] == key && generation(entry[1]) >= self.oldest {
                return Some(Entry::unpack(entry[1]));
            }
        }
        None
    }

    /// Stores an entry: replaces the entry of the same position, else takes a free entry, else
    /// replaces the shallowest. Each later search reduces an old entry's effective depth.
    #[inline]
    pub(super) fn store(&mut self, key: u64, entry: Entry) {
        let at = self.bucket(key);
        let (oldest, now) = (self.oldest, self.now);
        let Some(bucket) = self.words.get_mut(at..at + WORDS) else { return };
        let mut victim = 0;
        let mut least = u64::MAX;
        for way in 0..WAYS {
            let data = bucket[2 * way + 1];
            let worth = if generation(data) < oldest {
                1
            } else if bucket[2 * way] == key {
                0
            } else {
                // Generations of this game are at most `now`, so this is at least 2.
                2 + depth(data) + GENERATIONS - (now - generation(data))
            };
            if worth < least {
                (victim, least) = (way, worth);
            }
        }
        bucket[2 * victim] = key;
        bucket[2 * victim + 1] = entry.pack(now);
        if least == 1 {
            self.filled += 1;
            if self.filled > self.buckets * WAYS / 2 && self.buckets < self.most {
                self.grow();
            }
        }
    }

    /// Grows the table. Buckets are ordered by key, so each bucket moves to a few consecutive new
    /// buckets, and nothing is lost.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let before = self.buckets;
        let after = (GROWTH * before).min(self.most);
        self.allocate(after);
        self.buckets = after;
        for i in (0..before).rev() {
            let at = self.start + i * WORDS;
            let mut bucket = [0; WORDS];
            bucket.copy_from_slice(&self.words[at..at + WORDS]);
            self.words[at..at + WORDS].fill(0);
            for entry in bucket.chunks_exact(2).filter(|e| generation(e[1]) >= self.oldest) {
                let at = self.bucket(entry[0]);
                let ways = self.words[at..at + WORDS].chunks_exact_mut(2);
                let free = ways.into_iter().find(|way| generation(way[1]) < self.oldest);
                if let Some(way) = free {
                    way.copy_from_slice(entry);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u32) -> Entry {
        Entry { value, depth, mv: 361, bound: Bound::Upper, complete: true }
    }

    fn table() -> TranspositionTable {
        let mut table = TranspositionTable::new(1);
        table.new_search();
        table
    }

    /// The alignment of the memory must not matter, or searches would not be reproducible.
    #[test]
    fn every_table_has_as_many_buckets() {
        let tables: Vec<TranspositionTable> = (0..50).map(|_| table()).collect();
        assert!(tables.iter().all(|table| table.most == (1 << 20) / 64));
        assert!(tables.iter().all(|table| table.start < WORDS));
    }

    #[test]
    fn entries_come_back() {
        let mut table = table();
        for (key, value) in [(0, i32::MIN), (1, -1), (u64::MAX, i32::MAX)] {
            assert_eq!(table.probe(key), None);
            table.store(key, entry(value, 200));
            assert_eq!(table.probe(key), Some(entry(value, 200)));
        }
    }

    #[test]
    fn no_game_sees_another() {
        let mut table = table();
        for game in 0..10_000 {
            table.new_game();
            table.new_search();
            assert_eq!(table.probe(7), None, "game {game}");
            table.store(7, entry(game, 1));
            for _ in 0..game % 600 {
                table.new_search();
            }
            assert_eq!(table.probe(7), Some(entry(game, 1)));
        }
    }

    #[test]
    fn a_full_bucket_gives_up_the_shallowest() {
        let mut table = table();
        let at = table.bucket(0);
        let keys: Vec<u64> = (0..).filter(|&k| table.bucket(k) == at).take(5).collect();
        for (i, &key) in keys.iter().enumerate() {
            table.store(key, entry(0, [9, 2, 7, 8, 3][i]));
        }
        assert_eq!(table.probe(keys[1]), None);
        assert!([0, 2, 3, 4].iter().all(|&i| table.probe(keys[i]).is_some()));
    }

    #[test]
    fn what_is_known_outlives_growth() {
        let mut table = table();
        let keys = |n: u64| (0..n).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        table.new_game();
        table.new_search();
        let mut sizes = vec![table.buckets];
        for (i, key) in keys(20_000).enumerate() {
            table.store(key, entry(i as i32, 3));
            if table.buckets != sizes[sizes.len() - 1] {
                let lost = keys(i as u64 + 1).filter(|&k| table.probe(k).is_none()).count();
                assert!(lost * 10 < i, "{lost} of {i} are lost");
                sizes.push(table.buckets);
            }
        }
        assert_eq!(sizes, [FIRST, 4 * FIRST]);
        table.new_game();
        table.new_search();
        assert!(keys(20_000).all(|key| table.probe(key).is_none()));
        assert_eq!(table.buckets, FIRST);
    }

    #[test]
    fn memory_is_taken_as_games_need_it() {
        let mut table = TranspositionTable::new(16);
        let kilobytes = |table: &TranspositionTable| (table.words.capacity() * 8) >> 10;
        assert_eq!(kilobytes(&table), 0);
        table.new_game();
        assert_eq!(kilobytes(&table), 256);
        for key in 0..20_000_u64 {
            table.store(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), entry(1, 3));
        }
        assert_eq!(kilobytes(&table), 1 << 10);
        // The memory is kept, and the table never exceeds the requested size.
        table.new_game();
        assert_eq!((kilobytes(&table), table.buckets), (1 << 10, FIRST));
        for key in 0..1_000_000_u64 {
            table.store(key.wrapping_mul(0x9E37_79B9_7F4A_7C15), entry(1, 3));
        }
        assert_eq!(kilobytes(&table), 16 << 10);
    }

    #[test]
    fn no_table_knows_nothing() {
        let mut table = TranspositionTable::new(0);
        table.new_game();
        table.new_search();
        table.prefetch(3);
        table.store(3, entry(0, 0));
        assert_eq!(table.probe(3), None);
    }

    #[test]
    fn absurd_sizes_do_not_fit() {
        assert!(TranspositionTable::fits(16));
        assert!(!TranspositionTable::fits(usize::MAX));
    }
}
