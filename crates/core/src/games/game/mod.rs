//! The `Game` trait: the rules of one game, and its optional capabilities.

#![deny(missing_docs)]

mod drawing;
mod game_ext;
mod move_notation;
mod repetition;
mod scoring;
mod search_hints;
mod shortcuts;
mod symmetry;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Deref;

pub use super::player::{Player, Turn};
pub use drawing::Drawing;
pub use game_ext::GameExt;
pub use move_notation::{Notation, PgnHeader};
pub use repetition::{Repetition, SHORTEST_REPETITION, last_occurrence, repeats};
pub use scoring::{Scoring, has_tables, material_unit};
pub use search_hints::{SearchHints, has_noisy, has_pass};
pub use shortcuts::{Shortcuts, below, perft};
pub use symmetry::Symmetry;

/// The rules of one game instance; its parameters (board size, goal, …) are in `self`.
///
/// Values are from the **first player's** point of view: the first player maximises, the second
/// minimises, chance averages.
///
/// ```
/// # use agon_core as agon;
/// use agon::games::{Game, GameExt, Notation, Player, TicTacToe, Turn};
///
/// let (game, mut state) = (TicTacToe, TicTacToe.start());
/// for text in ["b2", "a1", "c3", "c1", "a3"] {
///     let mv = game.notation().read_move(&state, text).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(game.turn(&state), Turn::Player(Player::Second));
/// assert_eq!(game.write_position(&state), "x.x/.x./o.o");
/// assert_eq!(game.legal_moves(&state).len(), 4);
/// ```
pub trait Game: Sized + Send + Sync + 'static {
    /// A position: flat, `Copy` if possible, under 256 bytes, without generator or history.
    type State: Clone + Eq + Debug + Send + Sync;
    /// A player's move or an outcome of chance: at most 8 bytes.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The starting position of the game.
    fn start(&self) -> Self::State;

    /// The side to act.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal moves of the player to move, in a fixed documented order, without
    /// duplicates. The turn must be a player's.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Appends the outcomes of chance with positive integer weights, equal outcomes merged. The
    /// turn must be `Chance`.
    fn outcomes(&self, _state: &Self::State, _out: &mut Vec<(Self::Move, u32)>) {}

    /// Whether `turn` can ever be `Chance`.
    fn has_chance(&self) -> bool {
        false
    }

    /// Plays a legal move or outcome; the only method that changes a position.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// The first player's payoff in a finished game (zero-sum). Its sign gives the winner, unless
    /// [`Scoring::winner`] is overridden. The turn must be `Over`.
    fn payoff(&self, state: &Self::State) -> i32;

    /// Why the game ended, as in the `reason` column (`line`, `board full`, …), if there is a
    /// specific reason. The turn must be `Over`.
    fn reason(&self, _state: &Self::State) -> &'static str {
        "end"
    }

    /// A hash of the position, side to move included: equal states have equal keys.
    fn key(&self, state: &Self::State) -> u64;

    /// Appends the move's text in its canonical form.
    fn write_move(&self, state: &Self::State, mv: Self::Move, out: &mut String);

    /// The position as one line that `read_position` accepts.
    fn write_position(&self, state: &Self::State) -> String;

    /// Reads a position from one line, leniently.
    ///
    /// # Errors
    /// Readable message.
    fn read_position(&self, text: &str) -> Result<Self::State, String>;

    /// Knowledge for searches beyond the rules: move order, noisy moves, forced moves.
    #[inline]
    fn hints(&self) -> impl SearchHints<Self> {
        Plain(self)
    }

    /// Faster versions of functions that follow from the rules, such as a random move.
    #[inline]
    fn shortcuts(&self) -> impl Shortcuts<Self> {
        Plain(self)
    }

    /// Numeric scores beyond win, draw and loss, and material.
    #[inline]
    fn scoring(&self) -> impl Scoring<Self> {
        Plain(self)
    }

    /// The rules for repeated positions.
    #[inline]
    fn repetition(&self) -> impl Repetition<Self> {
        Plain(self)
    }

    /// Symmetries of the board.
    #[inline]
    fn symmetry(&self) -> impl Symmetry<Self> {
        Plain(self)
    }

    /// Human notation of moves.
    fn notation(&self) -> impl Notation<Self> {
        Plain(self)
    }

    /// The display of positions, if it is more than their text.
    fn drawing(&self) -> impl Drawing<Self> {
        Plain(self)
    }
}

/// A game without optional capabilities: every capability has its defaults.
#[derive(Debug)]
pub struct Plain<'a, G>(&'a G);

impl<G> Clone for Plain<'_, G> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Plain<'_, G> {}

impl<G> Deref for Plain<'_, G> {
    type Target = G;

    #[inline]
    fn deref(&self) -> &G {
        self.0
    }
}

/// For the `Game` implementation: the accessors of the traits that the game implements for `&Self`.
macro_rules! capabilities {
    ($($accessor:ident: $Trait:ident),+ $(,)?) => {
        $(
            #[inline]
            fn $accessor(&self) -> impl $Trait<Self> {
                self
            }
        )+
    };
}
pub(crate) use capabilities;
