//! The answers of a program that are kept: the positions after the moves of a position.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::position::ProgramState;

/// The positions after moves, by the key of the position before; in bounded memory.
#[derive(Debug, Default)]
pub(super) struct KnownPositions {
    families: HashMap<u64, Box<[Option<ProgramState>]>, BuildHasherDefault<KeyHasher>>,
    /// About the memory that they use.
    bytes: usize,
}

/// The memory that all positions may use, about. Then the table is cleared.
const MAX_BYTES: usize = 12 << 20;
/// The memory that the entry of a position uses in addition to its moves.
const FAMILY_BYTES: usize = 64;

impl KnownPositions {
    /// The position after the move with this index.
    pub fn find(&self, parent: &ProgramState, index: usize) -> Option<&ProgramState> {
        self.families.get(&parent.key())?.get(index)?.as_ref()
    }

    /// Keeps the position after the move with this index.
    pub fn keep(&mut self, parent: &ProgramState, index: usize, child: ProgramState) {
        if self.bytes > MAX_BYTES {
            *self = KnownPositions::default();
        }
        let moves = parent.moves().len();
        self.bytes += child.bytes();
        let family = self.families.entry(parent.key()).or_insert_with(|| {
            self.bytes += FAMILY_BYTES + moves * size_of::<Option<ProgramState>>();
            vec![None; moves].into()
        });
        family[index] = Some(child);
    }
}

/// Keys are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are whole words")
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
