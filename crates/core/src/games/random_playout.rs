//! Playouts: games of uniformly random moves, for Monte-Carlo search and benchmarks.

#![deny(missing_docs)]

use rand::Rng;

use super::game::{Game, Shortcuts, Turn};

/// Scratch space of [`playout`], reused between games.
#[derive(Debug, Clone)]
pub struct Buffer<M> {
    moves: Vec<M>,
    outcomes: Vec<(M, u32)>,
}

impl<M> Default for Buffer<M> {
    fn default() -> Self {
        Buffer { moves: Vec::new(), outcomes: Vec::new() }
    }
}

/// Plays uniformly random moves, and chance outcomes by weight, until the game is over.
///
/// Returns the first player's payoff and the number of player moves. A game without
/// `SearchHints::max_plies` may take long.
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{Game, PlayoutBuffer, TicTacToe, playout};
/// use rand::{SeedableRng, rngs::ChaCha8Rng};
///
/// let mut rng = ChaCha8Rng::seed_from_u64(1);
/// let mut buffer = PlayoutBuffer::default();
/// let (payoff, plies) = playout(&TicTacToe, TicTacToe.start(), &mut rng, &mut buffer);
/// assert!((-1..=1).contains(&payoff) && (5..=9).contains(&plies));
/// ```
#[inline]
pub fn playout<G: Game, R: Rng>(
    game: &G,
    mut state: G::State,
    rng: &mut R,
    buffer: &mut Buffer<G::Move>,
) -> (i32, u32) {
    let mut plies = 0;
    loop {
        match game.turn(&state) {
            Turn::Over => return (game.payoff(&state), plies),
            Turn::Player(_) => {
                let mv = game.shortcuts().random_move(&state, rng, &mut buffer.moves);
                game.play(&mut state, mv);
                plies += 1;
            }
            Turn::Chance => {
                let outcome = random_outcome(game, &state, rng, &mut buffer.outcomes);
                game.play(&mut state, outcome);
            }
        }
    }
}

/// One random outcome of chance, by weight; `buffer` is scratch space.
///
/// The turn must be `Chance`.
#[inline]
pub fn random_outcome<G: Game, R: Rng>(
    game: &G,
    state: &G::State,
    rng: &mut R,
    buffer: &mut Vec<(G::Move, u32)>,
) -> G::Move {
    game.shortcuts().random_outcome(state, rng, buffer)
}
