//! Numbers for the moves of a game.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::games::key_hash::fold;

/// Moves by number, and numbers by move. A game has few different moves.
pub(super) struct MoveNumbers<M> {
    pub moves: Vec<M>,
    index: HashIndex,
}

/// Numbers by the hash of their moves; compiled once for all types of moves.
#[derive(Default)]
struct HashIndex {
    /// The newest number of each hash.
    heads: HashMap<u64, u32, BuildHasherDefault<MoveHasher>>,
    /// For each number, the previous one with the same hash; itself if there is none.
    previous: Vec<u32>,
}

impl HashIndex {
    /// The first of the numbers with this hash that `is_it` accepts.
    fn find(&self, hash: u64, is_it: &dyn Fn(u32) -> bool) -> Option<u32> {
        let mut number = *self.heads.get(&hash)?;
        while !is_it(number) {
            let previous = self.previous[number as usize];
            if previous == number {
                return None;
            }
            number = previous;
        }
        Some(number)
    }

    /// Adds the next number.
    fn add(&mut self, hash: u64) -> u32 {
        let number = self.previous.len() as u32;
        self.previous.push(self.heads.insert(hash, number).unwrap_or(number));
        number
    }
}

/// A fast hash. Moves have few bytes, and collisions are no security risk.
#[derive(Default)]
struct MoveHasher(u64);

impl Hasher for MoveHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = fold(self.0, byte.into());
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.0 = fold(self.0, word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.0 = fold(self.0, word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = fold(self.0, word);
    }
}

impl<M: Copy + Eq + Hash> MoveNumbers<M> {
    pub fn new() -> Self {
        MoveNumbers { moves: Vec::new(), index: HashIndex::default() }
    }

    fn hash(mv: M) -> u64 {
        let mut hasher = MoveHasher::default();
        mv.hash(&mut hasher);
        hasher.0
    }

    pub fn find(&self, mv: M) -> Option<u32> {
        self.index.find(Self::hash(mv), &|number| self.moves[number as usize] == mv)
    }

    pub fn add(&mut self, mv: M) -> u32 {
        self.find(mv).unwrap_or_else(|| {
            self.moves.push(mv);
            self.index.add(Self::hash(mv))
        })
    }
}
