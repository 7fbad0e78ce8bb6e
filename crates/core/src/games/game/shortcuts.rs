//! Faster versions of functions that follow from the rules.

use std::ops::Deref;

use rand::Rng;

use super::{Game, Plain, Turn};

/// Functions that follow from the rules; a game may override them with faster versions.
///
/// A game with such versions implements this trait for `&Self` and returns itself from
/// [`Game::shortcuts`].
pub trait Shortcuts<G: Game>: Copy + Deref<Target = G> {
    /// Whether a move is legal in a position where a player is to move; `None` if the moves must be
    /// listed to tell. [`GameExt::is_legal`](super::GameExt::is_legal) then lists them.
    #[inline]
    fn legality(self, _state: &G::State, _mv: G::Move) -> Option<bool> {
        None
    }

    /// Plays a legal move that does not win according to [`threat`](super::SearchHints::threat), if
    /// that is cheaper than [`play`](Game::play).
    #[inline]
    fn play_on(self, state: &mut G::State, mv: G::Move) {
        self.play(state, mv);
    }

    /// One uniformly random legal move; `buffer` is scratch space. The use of random numbers must
    /// not change, because it is part of the reproducible record.
    #[inline]
    fn random_move<R: Rng>(
        self,
        state: &G::State,
        rng: &mut R,
        buffer: &mut Vec<G::Move>,
    ) -> G::Move {
        buffer.clear();
        self.moves(state, buffer);
        buffer[below(rng, buffer.len() as u32) as usize]
    }

    /// One random outcome of chance, by weight; `buffer` is scratch space. The use of random
    /// numbers must not change, because it is part of the reproducible record.
    #[inline]
    fn random_outcome<R: Rng>(
        self,
        state: &G::State,
        rng: &mut R,
        buffer: &mut Vec<(G::Move, u32)>,
    ) -> G::Move {
        buffer.clear();
        self.outcomes(state, buffer);
        let mut all = 0;
        for &(_, weight) in buffer.iter() {
            all += weight;
        }
        let mut ticket = below(rng, all);
        for &(outcome, weight) in buffer.iter() {
            match ticket.checked_sub(weight) {
                Some(rest) => ticket = rest,
                None => return outcome,
            }
        }
        unreachable!("the ticket is less than the sum of the weights")
    }

    /// Plays at most `most` random moves and outcomes at once, if that is faster than one by one.
    /// Each of them uses one of `numbers`, as [`random_move`](Self::random_move) and
    /// [`random_outcome`](Self::random_outcome) do. Returns how many moves and how many outcomes were
    /// played. It may stop at any position, and does before a number that [`below`] rejects.
    #[inline]
    fn random_plies(
        self,
        _state: &mut G::State,
        _numbers: &mut dyn FnMut() -> u32,
        _most: u32,
    ) -> [u32; 2] {
        [0; 2]
    }

    /// The number of sequences of `depth` player moves; [`perft`](crate::games::perft) calls this
    /// function.
    fn perft(self, state: &G::State, depth: u32) -> u64 {
        count(&*self, state, depth, &mut Vec::new())
    }
}

impl<G: Game> Shortcuts<G> for Plain<'_, G> {}

/// Perft, the standard first test of a move generator: the number of sequences of `depth` player
/// moves from a position.
///
/// Sequences that end the game earlier do not count. A chance outcome branches but does not use up
/// depth; each distinct outcome counts once, whatever its weight.
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{Game, TicTacToe, perft};
///
/// assert_eq!(perft(&TicTacToe, &TicTacToe.start(), 3), 504);
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    game.shortcuts().perft(state, depth)
}

/// `moves` holds the moves of the positions above, and is as before at the end.
fn count<G: Game>(game: &G, state: &G::State, depth: u32, moves: &mut Vec<G::Move>) -> u64 {
    if depth == 0 {
        return 1;
    }
    let begin = moves.len();
    let mut left = depth;
    match game.turn(state) {
        Turn::Over => {}
        Turn::Player(_) => {
            game.moves(state, moves);
            left -= 1;
        }
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            moves.extend(outcomes.iter().map(|&(outcome, _)| outcome));
        }
    }
    let mut sum = 0;
    for place in begin..moves.len() {
        let mut next = state.clone();
        game.play(&mut next, moves[place]);
        sum += count(game, &next, left, moves);
    }
    moves.truncate(begin);
    sum
}

/// A uniformly random number below `n` (at least 1) from 32 random bits:
/// multiply-shift with rejection, exact (Lemire 2019, "Fast random integer
/// generation in an interval").
#[inline]
pub fn below<R: Rng>(rng: &mut R, n: u32) -> u32 {
    let mut product = u64::from(rng.next_u32()) * u64::from(n);
    if (product as u32) < n {
        let threshold = n.wrapping_neg() % n;
        while (product as u32) < threshold {
            product = u64::from(rng.next_u32()) * u64::from(n);
        }
    }
    (product >> 32) as u32
}
