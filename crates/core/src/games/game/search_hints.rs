//! Optional knowledge about a game for searches.

use std::ops::Deref;

use rand::Rng;

use super::{Game, Plain, Shortcuts};
use crate::games::grid::immediate_threats::Threat;

/// Knowledge that makes searches faster or deeper; the rules do not depend on it.
///
/// A game with such knowledge implements this trait for `&Self` and returns itself from
/// [`Game::hints`]:
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{Game, Player, SearchHints, Turn};
///
/// /// Take one, two or three from a heap; the player who takes the last wins.
/// struct Nim;
///
/// impl Game for Nim {
///     // The nine functions of every game, and:
///     fn hints(&self) -> impl SearchHints<Self> {
///         self
///     }
/// #   type State = (u32, Player);
/// #   type Move = u32;
/// #   fn start(&self) -> (u32, Player) { (21, Player::First) }
/// #   fn turn(&self, s: &(u32, Player)) -> Turn {
/// #       if s.0 == 0 { Turn::Over } else { Turn::Player(s.1) }
/// #   }
/// #   fn moves(&self, s: &(u32, Player), out: &mut Vec<u32>) { out.extend(1..=s.0.min(3)) }
/// #   fn play(&self, s: &mut (u32, Player), mv: u32) { *s = (s.0 - mv, s.1.other()) }
/// #   fn payoff(&self, s: &(u32, Player)) -> i32 { -s.1.sign() }
/// #   fn key(&self, s: &(u32, Player)) -> u64 { u64::from(2 * s.0) + s.1.index() as u64 }
/// #   fn write_move(&self, _: &(u32, Player), mv: u32, out: &mut String) {
/// #       out.push_str(&mv.to_string());
/// #   }
/// #   fn write_position(&self, s: &(u32, Player)) -> String { format!("{s:?}") }
/// #   fn read_position(&self, _: &str) -> Result<(u32, Player), String> { Err(String::new()) }
/// }
///
/// impl SearchHints<Nim> for &Nim {
///     fn order_hint(self, _: &(u32, Player), taken: u32) -> i32 {
///         taken as i32
///     }
/// }
///
/// assert_eq!(Nim.hints().order_hint(&Nim.start(), 3), 3);
/// ```
pub trait SearchHints<G: Game>: Copy + Deref<Target = G> {
    /// Whether the game defines [`noisy`](Self::noisy) moves; otherwise quiescence search has no
    /// effect and is not compiled for the game.
    const HAS_NOISY: bool = false;

    /// Whether null-move pruning can use [`pass`](Self::pass); otherwise it is not compiled for the
    /// game.
    const HAS_PASS: bool = false;

    /// How promising a move looks without search; larger values are tried earlier.
    #[inline]
    fn order_hint(self, _state: &G::State, _mv: G::Move) -> i32 {
        0
    }

    /// Whether quiescence search should sort noisy moves by [`order_hint`](Self::order_hint),
    /// because their values differ widely: most valuable victim, least valuable attacker.
    #[inline]
    fn mvv_lva(self) -> bool {
        false
    }

    /// Appends the noisy moves (immediate threats, captures) for quiescence search, in the order of
    /// `moves`; none in a quiet position.
    #[inline]
    fn noisy(self, _state: &G::State, _out: &mut Vec<G::Move>) {}

    /// Recognises some legal moves after which the opponent is to move, both sides have the pieces
    /// that they had, and the position has not occurred before.
    #[inline]
    fn quiet(self, _state: &G::State) -> Option<impl Fn(G::Move) -> bool> {
        None::<fn(G::Move) -> bool>
    }

    /// Whether quiescence search may stop with the static value here. False if the player must
    /// answer a threat (a check); [`noisy`](Self::noisy) then lists all legal moves.
    #[inline]
    fn stand_pat(self, _state: &G::State) -> bool {
        true
    }

    /// The position after a pass, for null-move pruning. Return `Some` only if having to move is
    /// hardly ever a disadvantage, so a pass gives a lower bound of the value. The pass need not be
    /// legal.
    #[inline]
    fn pass(self, _state: &G::State) -> Option<G::State> {
        None
    }

    /// The forced move of a position, if the game can compute it faster than a search. Searches
    /// rely on it without checking. The turn must be a player's.
    #[inline]
    fn threat(self, _state: &G::State) -> Threat<G::Move> {
        Threat::Unknown
    }

    /// Plays one random move of a playout and returns it: a game whose random games are senseless can
    /// leave out moves that hardly ever make sense. `buffer` is scratch space.
    #[inline]
    fn playout_ply<R: Rng>(
        self,
        state: &mut G::State,
        rng: &mut R,
        buffer: &mut Vec<G::Move>,
    ) -> G::Move {
        let mv = self.shortcuts().random_move(state, rng, buffer);
        self.play(state, mv);
        mv
    }

    /// How many different moves the game has, if a move has about the same value early and late in
    /// a game, as in most games where stones are placed; else 0. At most 65 535.
    #[inline]
    fn amaf_moves(self) -> usize {
        0
    }

    /// The number of a move, less than [`amaf_moves`](Self::amaf_moves).
    #[inline]
    fn amaf_number(self, _mv: G::Move) -> usize {
        0
    }

    /// The key for a search's transposition table: the same as [`key`](Game::key), unless something
    /// outside the position, such as a clock, will soon matter.
    #[inline]
    fn table_key(self, state: &G::State) -> u64 {
        self.key(state)
    }

    /// An upper bound on the number of player moves in a game, if there is one.
    fn max_plies(self) -> Option<u32> {
        None
    }

    /// The number of plies in a round, for search depths in rounds; in most games, one ply for each
    /// side.
    fn plies_per_round(self) -> u32 {
        2
    }
}

impl<G: Game> SearchHints<G> for Plain<'_, G> {}

/// [`SearchHints::HAS_NOISY`] of a game type.
pub fn has_noisy<G: Game>() -> bool {
    fn of<'a, G: Game, H: SearchHints<G>>(_: impl FnOnce(&'a G) -> H) -> bool {
        H::HAS_NOISY
    }
    of(G::hints)
}

/// [`SearchHints::HAS_PASS`] of a game type.
pub fn has_pass<G: Game>() -> bool {
    fn of<'a, G: Game, H: SearchHints<G>>(_: impl FnOnce(&'a G) -> H) -> bool {
        H::HAS_PASS
    }
    of(G::hints)
}
