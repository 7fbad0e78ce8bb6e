//! The trait at the centre: the rules of one game, and what a game may add to them.

mod drawing;
mod hints;
mod notation;
mod repetition;
mod scoring;
mod shortcuts;
mod symmetry;

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Deref;

pub use super::player::{Player, Turn};
pub use drawing::Drawing;
pub use hints::SearchHints;
pub use notation::{Notation, PgnHeader};
pub use repetition::{Repetition, last_occurrence, repeats};
pub use scoring::{Scoring, material_unit};
pub use shortcuts::{Shortcuts, below};
pub use symmetry::Symmetry;

/// The rules of one game instance; its parameters (board size, goal, …) live in `self`.
///
/// Values are in the **first player's frame**: the first maximises, the second
/// minimises, chance averages.
///
/// ```
/// use agon::games::{Game, Notation, Player, TicTacToe, Turn};
///
/// let (game, mut state) = (TicTacToe, TicTacToe.start());
/// for text in ["b2", "a1", "c3", "c1", "a3"] {
///     let mv = game.notation().read_move(&state, text).unwrap();
///     game.play(&mut state, mv);
/// }
/// assert_eq!(game.turn(&state), Turn::Player(Player::Second));
/// assert_eq!(game.write_position(&state), "x.x/.x./o.o");
/// let mut moves = Vec::new();
/// game.moves(&state, &mut moves);
/// assert_eq!(moves.len(), 4);
/// ```
pub trait Game: Sized + Send + Sync + 'static {
    /// A position: flat, `Copy` where it can be, under 256 bytes; no generator, no history.
    type State: Clone + Eq + Debug + Send + Sync;
    /// A player's move or an outcome of chance: at most 8 bytes.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;

    /// The position that the game starts from.
    fn start(&self) -> Self::State;

    /// Who acts.
    fn turn(&self, state: &Self::State) -> Turn;

    /// Appends the legal moves of the player to act, in a fixed documented order,
    /// without duplicates. Called only where `turn` is a player's.
    fn moves(&self, state: &Self::State, out: &mut Vec<Self::Move>);

    /// Appends the outcomes of chance with positive integer weights, equal outcomes
    /// merged. Called only where `turn` is `Chance`.
    fn outcomes(&self, _state: &Self::State, _out: &mut Vec<(Self::Move, u32)>) {}

    /// Whether `turn` can ever be `Chance`.
    fn has_chance(&self) -> bool {
        false
    }

    /// Plays a legal move or outcome: the only mutator.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// The first player's payoff of a finished game (zero-sum): its sign says who won, unless
    /// [`Scoring::winner`] says otherwise.
    /// Called only where `turn` is `Over`.
    fn payoff(&self, state: &Self::State) -> i32;

    /// Why the game ended, in the words of the `reason` column (`line`, `board full`, …), where
    /// there is more to say than that it has ended. Called only where `turn` is `Over`.
    fn reason(&self, _state: &Self::State) -> &'static str {
        "end"
    }

    /// A hash of the position, the side to move included: equal states, equal keys.
    fn key(&self, state: &Self::State) -> u64;

    /// Appends the move's text: strict, the same for every reader.
    fn write_move(&self, state: &Self::State, mv: Self::Move, out: &mut String);

    /// The position as one line that `read_position` takes.
    fn write_position(&self, state: &Self::State) -> String;

    /// Reads a position from one line: lenient.
    ///
    /// # Errors
    /// A sentence for people.
    fn read_position(&self, text: &str) -> Result<Self::State, String>;

    /// What searches may know beyond the rules: an order of moves, noisy moves, threats.
    #[inline]
    fn hints(&self) -> impl SearchHints<Self> {
        Plain(self)
    }

    /// Faster ways to what follows from the rules, such as a random move.
    #[inline]
    fn shortcuts(&self) -> impl Shortcuts<Self> {
        Plain(self)
    }

    /// Scores that are more than won, drawn or lost, and material.
    #[inline]
    fn scoring(&self) -> impl Scoring<Self> {
        Plain(self)
    }

    /// What holds where positions come back.
    #[inline]
    fn repetition(&self) -> impl Repetition<Self> {
        Plain(self)
    }

    /// Symmetries of the board.
    #[inline]
    fn symmetry(&self) -> impl Symmetry<Self> {
        Plain(self)
    }

    /// Moves as people write and read them.
    fn notation(&self) -> impl Notation<Self> {
        Plain(self)
    }

    /// How positions look, where there is more to see than their text.
    fn drawing(&self) -> impl Drawing<Self> {
        Plain(self)
    }
}

/// A game that adds nothing to its rules: every capability with its defaults.
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

/// In the rules of a game: the accessors of the traits that it implements for `&Self`.
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
