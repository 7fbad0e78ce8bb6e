//! Random streams: one per game and role, all from the experiment's seed.
//!
//! Streams are numbered, not drawn from one another, so that game `i` gets the same
//! numbers whichever thread plays it and whatever was played before.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// Who draws from a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The agent that moves first; numbered by game.
    First,
    /// The agent that moves second; numbered by game.
    Second,
    /// The game's dice; both games of a pair may share the number.
    Dice,
    /// The choice of openings; one stream for the experiment.
    Openings,
    /// The choice of games to be graded; numbered by place in the sample.
    Grading,
    /// Who moves first where people play and leave it to a lot.
    Lot,
}

/// The generator of an experiment, from which streams are cut.
pub fn root(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Sets a generator to the beginning of a stream. The role takes the top byte, the
/// number the other 56 bits.
pub fn rewind(rng: &mut ChaCha8Rng, role: Role, number: u64) {
    rng.set_stream((role as u64) << 56 | number & ((1 << 56) - 1));
}

/// A generator at the beginning of a stream.
pub fn stream(seed: u64, role: Role, number: u64) -> ChaCha8Rng {
    let mut rng = root(seed);
    rewind(&mut rng, role, number);
    rng
}

/// The random numbers of one game.
pub(super) struct Streams {
    /// By player.
    pub players: [ChaCha8Rng; 2],
    pub dice: ChaCha8Rng,
}

impl Streams {
    /// Those of the experiment of that seed, before any game.
    pub fn new(seed: u64) -> Self {
        Streams::from_root(root(seed).get_seed())
    }

    /// Those that are cut from this generator.
    pub fn from_root(seed: [u8; 32]) -> Self {
        let rng = || ChaCha8Rng::from_seed(seed);
        Streams { players: [rng(), rng()], dice: rng() }
    }

    /// Goes to the beginning of the streams of a game, and of dice that several games may share.
    pub fn rewind(&mut self, game: u64, dice: u64) {
        rewind(&mut self.players[0], Role::First, game);
        rewind(&mut self.players[1], Role::Second, game);
        rewind(&mut self.dice, Role::Dice, dice);
    }

    /// The random words drawn so far: by the first player, the second, and the dice.
    pub fn words(&self) -> [u128; 3] {
        let [first, second] = &self.players;
        [first, second, &self.dice].map(ChaCha8Rng::get_word_pos)
    }

    /// Goes to where the streams were after so many words.
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

    use rand::Rng;

    use super::*;

    #[test]
    fn streams_differ_by_seed_role_and_number() {
        let mut seen = HashSet::new();
        for seed in 0..4 {
            for role in
                [Role::First, Role::Second, Role::Dice, Role::Openings, Role::Grading, Role::Lot]
            {
                for number in [0, 1, 2, 1 << 40] {
                    assert!(seen.insert(stream(seed, role, number).next_u64()));
                }
            }
        }
    }

    #[test]
    fn a_stream_is_the_same_after_others_were_used() {
        let mut rng = root(7);
        rewind(&mut rng, Role::First, 3);
        let fresh: Vec<u32> = (0..100).map(|_| rng.next_u32()).collect();
        rewind(&mut rng, Role::Second, 3);
        rng.next_u64();
        rewind(&mut rng, Role::First, 3);
        assert_eq!(rng.get_word_pos(), 0);
        assert_eq!(fresh, (0..100).map(|_| rng.next_u32()).collect::<Vec<_>>());
        assert_eq!(rng.get_word_pos(), 100);
    }
}
