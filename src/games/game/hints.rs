//! What searches may know of a game beyond its rules.

use std::ops::Deref;

use super::{Game, Plain};
use crate::games::threat::Threat;

/// Knowledge that makes searches faster or deeper; without it they play the same game.
///
/// A game that has some implements this trait for `&Self` and returns itself from
/// [`Game::hints`]:
///
/// ```
/// use agon::games::{Game, Player, SearchHints, Turn};
///
/// /// Take one, two or three from a heap; whoever takes the last wins.
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
    /// How promising a move looks without search: larger is tried earlier.
    #[inline]
    fn order_hint(self, _state: &G::State, _mv: G::Move) -> i32 {
        0
    }

    /// Whether noisy moves differ so much that quiescence search should sort them by
    /// [`order_hint`](Self::order_hint): most valuable victim, least valuable attacker.
    #[inline]
    fn mvv_lva(self) -> bool {
        false
    }

    /// Whether the game names noisy moves, so that quiescence search has something to do.
    #[inline]
    fn has_noisy(self) -> bool {
        false
    }

    /// Appends the noisy moves (immediate threats, captures) that quiescence search
    /// follows, in the order of `moves`; none in a quiet position.
    #[inline]
    fn noisy(self, _state: &G::State, _out: &mut Vec<G::Move>) {}

    /// Whether quiescence search may leave it at the static value here: not where the player
    /// has to answer a threat (a check); [`noisy`](Self::noisy) then lists all possible moves.
    #[inline]
    fn stand_pat(self, _state: &G::State) -> bool {
        true
    }

    /// Whether the game offers passes at all.
    #[inline]
    fn has_pass(self) -> bool {
        false
    }

    /// The position after a pass, where having to move is hardly ever a burden, so that a pass
    /// shows what the position is worth at least: for null-move pruning. Passing need not be
    /// legal.
    #[inline]
    fn pass(self, _state: &G::State) -> Option<G::State> {
        None
    }

    /// What the position forces, where the game can tell faster than a search; searches
    /// rely on it without looking. Called only where `turn` is a player's.
    #[inline]
    fn threat(self, _state: &G::State) -> Threat<G::Move> {
        Threat::Unknown
    }

    /// The key under which a search remembers what it found out about the position: the same
    /// as [`key`](Game::key), unless something beside the position, such as a clock, is about
    /// to matter.
    #[inline]
    fn table_key(self, state: &G::State) -> u64 {
        self.key(state)
    }

    /// An upper bound on the number of moves of players in a game, if there is one.
    fn max_plies(self) -> Option<u32> {
        None
    }

    /// Plies of a round, for look-ahead that is counted in rounds: in most games both sides
    /// once.
    fn plies_per_round(self) -> u32 {
        2
    }
}

impl<G: Game> SearchHints<G> for Plain<'_, G> {}
