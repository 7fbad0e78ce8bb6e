//! Random streams: one per game and role, all derived from the experiment's seed.
//!
//! Streams have numbers; no stream is drawn from another. So game `i` gets the same numbers in
//! every thread and in every order of the games.

use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// The user of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamRole {
    /// The agent that moves first; the stream has the game's number.
    First,
    /// The agent that moves second; the stream has the game's number.
    Second,
    /// The game's dice; both games of a pair may share a stream.
    Dice,
    /// The choice of openings; one stream per experiment.
    Openings,
    /// The choice of games to grade; the stream has the number of the place in the sample.
    Grading,
    /// The random choice of the first player in interactive games.
    FirstPlayer,
}

/// The generator of an experiment, from which all streams are derived.
pub fn root(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Sets a generator to the beginning of a stream. The role is the top byte of the stream's number,
/// and `number` the other 56 bits.
pub fn rewind(rng: &mut ChaCha8Rng, role: StreamRole, number: u64) {
    rng.set_stream((role as u64) << 56 | number & ((1 << 56) - 1));
}

/// A generator at the beginning of a stream.
pub fn stream(seed: u64, role: StreamRole, number: u64) -> ChaCha8Rng {
    let mut rng = root(seed);
    rewind(&mut rng, role, number);
    rng
}

/// The first 64 bits of a stream. A crate that draws them itself compiles the generator again.
pub fn first_bits(seed: u64, role: StreamRole, number: u64) -> u64 {
    stream(seed, role, number).next_u64()
}

/// The random streams of one game.
pub(super) struct Streams {
    /// By player.
    pub players: [ChaCha8Rng; 2],
    pub dice: ChaCha8Rng,
}

impl Streams {
    /// The streams of the experiment with this seed, before any game.
    pub fn new(seed: u64) -> Self {
        Streams::from_root(root(seed).get_seed())
    }

    /// The streams derived from this generator.
    pub fn from_root(seed: [u8; 32]) -> Self {
        let rng = || ChaCha8Rng::from_seed(seed);
        Streams { players: [rng(), rng()], dice: rng() }
    }

    /// Goes to the beginning of the streams of a game, and of dice that several games may share.
    pub fn rewind(&mut self, game: u64, dice: u64) {
        rewind(&mut self.players[0], StreamRole::First, game);
        rewind(&mut self.players[1], StreamRole::Second, game);
        rewind(&mut self.dice, StreamRole::Dice, dice);
    }

    /// The number of random words drawn so far: by the first player, the second player, and the
    /// dice.
    pub fn words(&self) -> [u128; 3] {
        let [first, second] = &self.players;
        [first, second, &self.dice].map(ChaCha8Rng::get_word_pos)
    }

    /// The number of all random words drawn so far.
    pub fn drawn(&self) -> u64 {
        self.words().iter().sum::<u128>() as u64
    }

    /// Sets the streams to the positions after these numbers of words.
    pub fn set_words(&mut self, words: [u128; 3]) {
        let [first, second] = &mut self.players;
        for (rng, words) in [first, second, &mut self.dice].into_iter().zip(words) {
            rng.set_word_pos(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn streams_differ_by_seed_role_and_number() {
        let mut seen = HashSet::new();
        for seed in 0..4 {
            for role in [
                StreamRole::First,
                StreamRole::Second,
                StreamRole::Dice,
                StreamRole::Openings,
                StreamRole::Grading,
                StreamRole::FirstPlayer,
            ] {
                for number in [0, 1, 2, 1 << 40] {
                    let bits = first_bits(seed, role, number);
                    assert_eq!(bits as u32, stream(seed, role, number).next_u32());
                    assert!(seen.insert(bits));
                }
            }
        }
    }

    #[test]
    fn a_stream_is_the_same_after_others_were_used() {
        let mut rng = root(7);
        rewind(&mut rng, StreamRole::First, 3);
        let fresh: Vec<u32> = (0..100).map(|_| rng.next_u32()).collect();
        rewind(&mut rng, StreamRole::Second, 3);
        rng.next_u64();
        rewind(&mut rng, StreamRole::First, 3);
        assert_eq!(rng.get_word_pos(), 0);
        assert_eq!(fresh, (0..100).map(|_| rng.next_u32()).collect::<Vec<_>>());
        assert_eq!(rng.get_word_pos(), 100);
    }
}
