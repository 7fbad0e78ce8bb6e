//! The book that gives each game its opening, for a game of any type.

use rand::rngs::ChaCha8Rng;

use crate::games::{Game, Shortcuts, Symmetry, Turn};

/// The openings of a run, with access by index in constant time.
pub struct OpeningBook<G: Game> {
    /// The moves and outcomes of chance of all openings, one opening after another.
    pub moves: Vec<G::Move>,
    /// The end of each opening in `moves`.
    pub ends: Vec<u32>,
    /// The first position of each opening with its text; `None` is the game's start. Empty if all
    /// openings begin there.
    pub positions: Vec<Option<(G::State, String)>>,
}

impl<G: Game> OpeningBook<G> {
    /// Number of different openings.
    pub fn len(&self) -> u64 {
        self.ends.len() as u64
    }

    /// The moves of the opening with this number, from 1.
    #[inline]
    pub fn moves(&self, number: u64) -> &[G::Move] {
        let i = (number - 1) as usize;
        let begin = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        &self.moves[begin..self.ends[i] as usize]
    }

    /// The first position of the opening with this number, with its text; `None` is the start.
    #[inline]
    pub fn first_position(&self, number: u64) -> Option<&(G::State, String)> {
        self.positions.get((number - 1) as usize)?.as_ref()
    }
}

/// Plays `plies` random plies and the outcomes of chance between them. Returns the key of the last
/// position up to symmetry, or `None` if the game ended. Uses the concrete game type for speed,
/// because most lines lead to positions that are already known.
pub(super) fn random_line<G: Game>(
    game: &G,
    state: &mut G::State,
    plies: u32,
    rng: &mut ChaCha8Rng,
    line: &mut Vec<G::Move>,
) -> Option<u64> {
    let mut played = 0;
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    loop {
        let mv = match game.turn(state) {
            Turn::Over => return None,
            // Outcomes of chance after the last ply come from the game's own dice.
            Turn::Player(_) | Turn::Chance if played == plies => {
                return Some(game.symmetry().canonical_key(state));
            }
            Turn::Player(_) => {
                played += 1;
                game.shortcuts().random_move(state, rng, &mut moves)
            }
            Turn::Chance => game.shortcuts().random_outcome(state, rng, &mut outcomes),
        };
        game.play(state, mv);
        line.push(mv);
    }
}
