//! The answers of a program that are kept: positions, and the positions after their moves.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::position::{ProgramState, hash};

/// Positions by the hash of their texts; in bounded memory.
#[derive(Debug, Default)]
pub(super) struct KnownPositions {
    positions: HashMap<u64, Known, BuildHasherDefault<KeyHasher>>,
    /// About the memory that they use.
    bytes: usize,
}

#[derive(Debug)]
struct Known {
    position: ProgramState,
    /// By index of the move; empty if no move was asked.
    after: Box<[Option<ProgramState>]>,
}

/// The memory that all positions may use, about. Then the table is cleared.
const MAX_BYTES: usize = 12 << 20;
/// The memory that an entry uses in addition to its position and moves.
const ENTRY_BYTES: usize = 64;

impl KnownPositions {
    /// The answer for the state with this text.
    pub fn find(&self, text: &str) -> Option<&ProgramState> {
        let known = self.positions.get(&hash(text.as_bytes()))?;
        (known.position.text() == text).then_some(&known.position)
    }

    /// The position after the move with this index.
    pub fn after(&self, parent: &ProgramState, index: usize) -> Option<&ProgramState> {
        let known = self.positions.get(&parent.text_hash())?;
        match known.position.is_same_answer(parent) {
            true => known.after.get(index)?.as_ref(),
            false => None,
        }
    }

    /// Keeps an answer. Returns the kept one, which copies share.
    ///
    /// # Errors
    /// The earlier answer for the same state, if it was another one.
    pub fn keep(&mut self, position: ProgramState) -> Result<ProgramState, ProgramState> {
        match self.positions.get(&position.text_hash()) {
            Some(known) if known.position.is_same_answer(&position) => {
                return Ok(known.position.clone());
            }
            Some(known) if known.position == position => return Err(known.position.clone()),
            _ => {}
        }
        if self.bytes > MAX_BYTES {
            *self = KnownPositions::default();
        }
        self.bytes += position.bytes() + ENTRY_BYTES;
        let known = Known { position: position.clone(), after: [].into() };
        self.positions.insert(position.text_hash(), known);
        Ok(position)
    }

    /// Keeps the position after the move with this index. The parent must be known.
    pub fn keep_after(&mut self, parent: &ProgramState, index: usize, child: ProgramState) {
        let Some(known) = self.positions.get_mut(&parent.text_hash()) else { return };
        if known.after.is_empty() {
            let moves = parent.moves().len();
            self.bytes += moves * size_of::<Option<ProgramState>>();
            known.after = vec![None; moves].into();
        }
        if let Some(after) = known.after.get_mut(index) {
            *after = Some(child);
        }
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
