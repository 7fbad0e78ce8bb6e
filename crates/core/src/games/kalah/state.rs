//! The game of Kalah and its positions.

use crate::games::player::Player;

/// A byte for each pit.
const ONES: u64 = 0x0101_0101_0101_0101;
const TOP_BITS: u64 = 0x80 * ONES;

/// Kalah with at most seven pits for each side.
#[derive(Debug, Clone, Copy)]
pub struct Kalah {
    pub(super) pits: u8,
    pub(super) seeds: u8,
}

/// A position: 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KalahState {
    /// The stones of each side, a byte for each pit in the order of sowing, then one for the store.
    pub(super) stones: [u64; 2],
    pub(super) side: Player,
}

impl KalahState {
    /// The player to move; in a finished game, of no meaning.
    #[inline]
    pub fn side(&self) -> Player {
        self.side
    }

    /// The board rotated and the sides exchanged: the same game with negated values.
    pub fn exchanged(&self) -> KalahState {
        let [first, second] = self.stones;
        KalahState { stones: [second, first], side: self.side.other() }
    }

    /// The stones in a pit of a side, or in its store.
    #[inline]
    pub(super) fn at(&self, player: Player, pit: u8) -> u8 {
        (self.stones[player.index()] >> (8 * pit)) as u8
    }
}

/// The first bytes of a word, each 1.
#[inline]
fn ones(bytes: u8) -> u64 {
    ONES.checked_shr(64 - 8 * u32::from(bytes)).unwrap_or(0)
}

/// The end of a sowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// In the own store: the player moves again.
    Store,
    /// In an own pit that was empty, opposite to this number of stones (at least 1).
    Capture {
        pit: u8,
        opposite: u8,
    },
    Other,
}

impl Kalah {
    /// The number of pits of each side, and of the seeds in each at the start.
    pub fn size(&self) -> (u32, u32) {
        (u32::from(self.pits), u32::from(self.seeds))
    }

    /// All stones of the game.
    #[inline]
    pub fn total(&self) -> i32 {
        2 * i32::from(self.pits) * i32::from(self.seeds)
    }

    /// The pits of a side, a byte for each.
    #[inline]
    pub(crate) fn pits(&self, state: &KalahState, player: Player) -> u64 {
        self.in_pits(state.stones[player.index()])
    }

    /// The pits of a side without its store.
    #[inline]
    pub(super) fn in_pits(&self, stones: u64) -> u64 {
        stones & (0xFF * ones(self.pits))
    }

    /// The stones in a side's store.
    #[inline]
    pub fn store(&self, state: &KalahState, player: Player) -> i32 {
        i32::from(state.at(player, self.pits))
    }

    /// The number of stones in a side's pits.
    #[inline]
    pub(crate) fn count(&self, stones: u64) -> u64 {
        // The bytes are added in the highest byte. All stones fit one byte.
        self.in_pits(stones).wrapping_mul(ONES) >> 56
    }

    /// The highest bit of the byte of every pit that is not empty.
    #[inline]
    pub(super) fn filled(&self, stones: u64) -> u64 {
        let pits = self.in_pits(stones);
        (((pits & !TOP_BITS) + !TOP_BITS) | pits) & TOP_BITS
    }

    /// The number of a pit by a bit of its byte.
    #[inline]
    pub(super) fn pit_of(bit: u32) -> u8 {
        (bit / 8) as u8
    }

    /// Whether a side has no stones in its pits.
    #[inline]
    pub(super) fn is_empty(&self, stones: u64) -> bool {
        self.in_pits(stones) == 0
    }

    /// Sows the stones of a pit; returns the own and the other side's stones before any capture,
    /// and where the last stone fell.
    #[inline]
    pub(super) fn sow(&self, [own, other]: [u64; 2], pit: u8) -> ([u64; 2], Last) {
        let pits = self.pits;
        let ring = 2 * pits + 1;
        let count = (own >> (8 * pit)) as u8;
        let (laps, rest) = (u64::from(count / ring), count % ring);
        let mut own = own & !(0xFF << (8 * pit));
        let mut other = other;
        if laps > 0 {
            own += laps * ones(pits + 1);
            other += laps * ones(pits);
        }
        // The place of the last stone, counted along the ring from the side's first pit.
        let end = pit + rest;
        own += ones(1 + end.min(pits)) & !ones(pit + 1);
        if end > pits {
            other += ones((end - pits).min(pits));
            if end >= ring {
                own += ones(end - ring + 1);
            }
        }
        let place = end % ring;
        let last = if place == pits {
            Last::Store
        } else if place < pits && (own >> (8 * place)) as u8 == 1 {
            match (other >> (8 * (pits - 1 - place))) as u8 {
                0 => Last::Other,
                opposite => Last::Capture { pit: place, opposite },
            }
        } else {
            Last::Other
        };
        ([own, other], last)
    }
}
