//! The transposition table of expectimax: bounds on the values of positions.
//!
//! Unlike in alpha-beta, values are floating-point numbers. A position can have a lower and an upper
//! bound at once (Veness and Blair 2007, "Effective use of transposition tables in stochastic
//! game tree search").

/// Entries in a bucket: one cache line of 64 bytes.
const WAYS: usize = 2;
/// Words of an entry: key, lower bound, upper bound, and the rest.
const WORDS: usize = 4;
/// The number of distinct searches in a game; later ones share the last number.
const SEARCHES: u64 = 1 << 12;
/// The number of distinct games; then the table is cleared.
const GAMES: u64 = 1 << 32;

/// No move is known.
pub(super) const NO_MOVE: u32 = (1 << 9) - 1;

/// The stored bounds of a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Entry {
    /// The value is at least this.
    pub lower: f64,
    /// The value is at most this.
    pub upper: f64,
    /// The search depth in plies, at most 255.
    pub depth: u32,
    /// The best move's index in the game's order, or [`NO_MOVE`].
    pub mv: u32,
    /// Whether no line of the proof ended at the horizon. Then the bounds are valid for every
    /// greater depth too.
    pub complete: bool,
}

impl Entry {
    fn pack(self, game: u64, search: u64) -> u64 {
        u64::from(self.depth)
            | u64::from(self.mv) << 8
            | u64::from(self.complete) << 17
            | search << 20
            | game << 32
    }
}

#[inline]
fn game(data: u64) -> u64 {
    data >> 32
}

#[inline]
fn search(data: u64) -> u64 {
    data >> 20 & (SEARCHES - 1)
}

/// A table of a fixed size, allocated on first use. A new game costs nothing and cannot see entries
/// of other games.
#[derive(Debug, Clone)]
pub(super) struct BoundsTable {
    megabytes: usize,
    buckets: Vec<[[u64; WORDS]; WAYS]>,
    /// The number of this game, from 1.
    game: u64,
    /// The number of this search in the game.
    search: u64,
}

impl BoundsTable {
    /// A table of this many megabytes (2^20 bytes); 0 for no table.
    pub(super) fn new(megabytes: usize) -> Self {
        BoundsTable { megabytes, buckets: Vec::new(), game: 1, search: 0 }
    }

    /// Whether there is a table at all.
    #[inline]
    pub(super) fn exists(&self) -> bool {
        self.megabytes > 0
    }

    /// Starts a new game; older entries become invisible.
    pub(super) fn new_game(&mut self) {
        self.reserve();
        (self.game, self.search) = (self.game + 1, 0);
        if self.game == GAMES {
            self.buckets.fill([[0; WORDS]; WAYS]);
            self.game = 1;
        }
    }

    /// Starts a new search in the same game.
    pub(super) fn new_search(&mut self) {
        self.reserve();
        self.search = (self.search + 1).min(SEARCHES - 1);
    }

    /// Allocates the memory and touches every page at once, so that no timed search pays for it.
    fn reserve(&mut self) {
        if self.exists() && self.buckets.is_empty() {
            let count = (self.megabytes << 20) / size_of::<[[u64; WORDS]; WAYS]>();
            if self.buckets.try_reserve_exact(count).is_err() {
                panic!("there is no memory for a table of {} MB", self.megabytes);
            }
            self.buckets.resize(count, [[1; WORDS]; WAYS]);
            self.buckets.fill([[0; WORDS]; WAYS]);
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The entry of the position with this key, whose bits must be well mixed.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.bucket(key))?;
        let &[_, lower, upper, data] =
            bucket.iter().find(|words| words[0] == key && game(words[3]) == self.game)?;
        Some(Entry {
            lower: f64::from_bits(lower),
            upper: f64::from_bits(upper),
            depth: data as u32 & 0xFF,
            mv: (data >> 8) as u32 & NO_MOVE,
            complete: data >> 17 & 1 == 1,
        })
    }

    /// Stores an entry: replaces the entry of the same position, else takes a free entry, else
    /// replaces the shallowest. Each later search reduces an old entry's effective depth.
    #[inline]
    pub(super) fn store(&mut self, key: u64, entry: Entry) {
        let at = self.bucket(key);
        let (game_now, search_now) = (self.game, self.search);
        let Some(bucket) = self.buckets.get_mut(at) else { return };
        let worth = |words: &[u64; WORDS]| {
            let data = words[3];
            match game(data) == game_now {
                true if words[0] == key => 0,
                true => 2 + (data & 0xFF) + SEARCHES - (search_now - search(data)),
                false => 1,
            }
        };
        let victim = usize::from(worth(&bucket[1]) < worth(&bucket[0]));
        let data = entry.pack(game_now, search_now);
        bucket[victim] = [key, entry.lower.to_bits(), entry.upper.to_bits(), data];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: f64, depth: u32) -> Entry {
        Entry { lower: value, upper: f64::INFINITY, depth, mv: 361, complete: true }
    }

    #[test]
    fn entries_come_back_until_the_next_game() {
        let mut table = BoundsTable::new(1);
        for round in 0..3 {
            table.new_game();
            table.new_search();
            for (key, value) in [(0, -0.5), (1, 1e300), (u64::MAX, f64::NEG_INFINITY)] {
                assert_eq!(table.probe(key), None);
                table.store(key, entry(value, 200 + round));
                assert_eq!(table.probe(key), Some(entry(value, 200 + round)));
            }
        }
    }

    #[test]
    fn a_full_bucket_gives_up_the_shallowest() {
        let mut table = BoundsTable::new(1);
        table.new_search();
        for (key, depth) in [(1, 5), (2, 3), (3, 4)] {
            table.store(key, entry(0.0, depth));
        }
        assert_eq!([1, 2, 3].map(|key| table.probe(key).is_some()), [true, false, true]);
        // After many searches, depth counts less.
        (0..6).for_each(|_| table.new_search());
        table.store(4, entry(0.0, 1));
        table.store(5, entry(0.0, 1));
        assert_eq!([1, 3, 4, 5].map(|key| table.probe(key).is_some()), [false, false, true, true]);
    }

    #[test]
    fn no_table_knows_nothing() {
        let mut table = BoundsTable::new(0);
        table.new_game();
        table.new_search();
        table.store(3, entry(0.0, 1));
        assert_eq!(table.probe(3), None);
    }
}
