//! `AnyGame`, a type-erased game. Code for `AnyGame` is compiled once; use it if speed matters
//! little.

use std::any::Any;
use std::fmt::{self, Debug};
use std::ops::Deref;
use std::sync::Arc;

use rand::Rng;

use super::erased::{DynGame, Erased};
use crate::agents::CustomAgents;
use crate::games::picture::Picture;
use crate::games::{
    Configurable, Drawing, Game, Notation, PgnHeader, Player, Repetition, Scoring, SearchHints,
    Shortcuts, Symmetry, Turn,
};

/// A game of any type. `AnyGame` implements [`Game`], but each position costs a virtual call and an
/// allocation. Code that plays millions of games uses the concrete game type instead.
///
/// ```
/// use agon::games::{Game, Notation, TicTacToe};
/// use agon::play::AnyGame;
///
/// let game = AnyGame::of(TicTacToe);
/// let mut state = game.start();
/// let centre = game.notation().read_move(&state, "b2").unwrap();
/// game.play(&mut state, centre);
/// assert_eq!(game.write_position(&state), ".../.x./...");
/// ```
#[derive(Clone)]
pub struct AnyGame(pub(super) Arc<dyn DynGame>);

/// A position of an [`AnyGame`].
pub struct AnyState(Box<dyn DynState>);

/// A move of an [`AnyGame`]: a number that stands for the move of the concrete type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AnyMove(pub(super) u32);

/// A type-erased position.
trait DynState: Any + Debug + Send + Sync {
    fn copy(&self) -> Box<dyn DynState>;
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<S: Clone + Eq + Debug + Send + Sync + 'static> DynState for S {
    fn copy(&self) -> Box<dyn DynState> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }
}

impl AnyState {
    pub(super) fn new<S: Clone + Eq + Debug + Send + Sync + 'static>(state: S) -> Self {
        AnyState(Box::new(state))
    }

    /// The concrete position, if it has this type.
    pub(super) fn downcast<S: 'static>(&self) -> Option<&S> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    pub(super) fn downcast_mut<S: 'static>(&mut self) -> Option<&mut S> {
        (&mut *self.0 as &mut dyn Any).downcast_mut()
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        AnyState((*self.0).copy())
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).equals(&*other.0)
    }
}

impl Eq for AnyState {}

impl Debug for AnyState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (*self.0).fmt(f)
    }
}

impl AnyGame {
    /// The game, with the built-in agents.
    pub fn of<G: Configurable>(game: G) -> Self {
        AnyGame::with_agents(game, Arc::default())
    }

    /// The game, with these registered agents in addition.
    pub(super) fn with_agents<G: Configurable>(game: G, agents: Arc<CustomAgents>) -> Self {
        AnyGame(Arc::new(Erased::new(game, agents)))
    }

    /// The concrete game, if it has this type.
    pub(super) fn downcast<G: Game>(&self) -> Option<&G> {
        self.0.game().downcast_ref()
    }
}

impl Deref for AnyGame {
    type Target = dyn DynGame;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// Forwards methods to the methods of the same name of the concrete game.
macro_rules! forward {
    (&self: $(fn $name:ident($($arg:ident: $ty:ty),*) $(-> $out:ty)?;)+) => {
        $(fn $name(&self, $($arg: $ty),*) $(-> $out)? {
            self.0.$name($($arg),*)
        })+
    };
    (self: $(fn $name:ident($($arg:ident: $ty:ty),*) $(-> $out:ty)?;)+) => {
        $(fn $name(self, $($arg: $ty),*) $(-> $out)? {
            self.0.$name($($arg),*)
        })+
    };
}

impl Game for AnyGame {
    type State = AnyState;
    type Move = AnyMove;

    forward! { &self:
        fn start() -> AnyState;
        fn turn(state: &AnyState) -> Turn;
        fn moves(state: &AnyState, out: &mut Vec<AnyMove>);
        fn outcomes(state: &AnyState, out: &mut Vec<(AnyMove, u32)>);
        fn has_chance() -> bool;
        fn play(state: &mut AnyState, mv: AnyMove);
        fn payoff(state: &AnyState) -> i32;
        fn reason(state: &AnyState) -> &'static str;
        fn key(state: &AnyState) -> u64;
        fn write_move(state: &AnyState, mv: AnyMove, out: &mut String);
        fn write_position(state: &AnyState) -> String;
        fn read_position(text: &str) -> Result<AnyState, String>;
    }

    fn hints(&self) -> impl SearchHints<Self> {
        self
    }

    fn shortcuts(&self) -> impl Shortcuts<Self> {
        self
    }

    fn scoring(&self) -> impl Scoring<Self> {
        self
    }

    fn repetition(&self) -> impl Repetition<Self> {
        self
    }

    fn symmetry(&self) -> impl Symmetry<Self> {
        self
    }

    fn notation(&self) -> impl Notation<Self> {
        self
    }

    fn drawing(&self) -> impl Drawing<Self> {
        self
    }
}

impl SearchHints<AnyGame> for &AnyGame {
    forward! { self:
        fn max_plies() -> Option<u32>;
        fn plies_per_round() -> u32;
    }
}

impl Shortcuts<AnyGame> for &AnyGame {
    fn is_legal(self, state: &AnyState, mv: AnyMove, _: &mut Vec<AnyMove>) -> bool {
        self.0.is_legal(state, mv)
    }

    fn random_move<R: Rng>(self, state: &AnyState, rng: &mut R, _: &mut Vec<AnyMove>) -> AnyMove {
        self.0.random_move(state, rng)
    }

    fn random_outcome<R: Rng>(
        self,
        state: &AnyState,
        rng: &mut R,
        _: &mut Vec<(AnyMove, u32)>,
    ) -> AnyMove {
        self.0.random_outcome(state, rng)
    }

    forward! { self: fn perft(state: &AnyState, depth: u32) -> u64; }
}

impl Scoring<AnyGame> for &AnyGame {
    forward! { self:
        fn numeric_score() -> bool;
        fn winner(state: &AnyState) -> Option<Player>;
    }
}

impl Repetition<AnyGame> for &AnyGame {
    // Always true here; each concrete game decides at run time.
    const REPEATS: bool = true;

    forward! { self:
        fn reversible_plies(state: &AnyState) -> usize;
        fn ended_by_history(state: &AnyState, history: &[u64]) -> Option<&'static str>;
    }
}

impl Symmetry<AnyGame> for &AnyGame {
    forward! { self: fn canonical_key(state: &AnyState) -> u64; }
}

impl Notation<AnyGame> for &AnyGame {
    forward! { self:
        fn read_move(state: &AnyState, text: &str) -> Result<AnyMove, String>;
        fn san(state: &AnyState, mv: AnyMove) -> String;
        fn pgn_header(state: &AnyState) -> Option<PgnHeader>;
    }
}

impl Drawing<AnyGame> for &AnyGame {
    fn text(self, state: &AnyState) -> String {
        self.0.draw(state)
    }

    forward! { self: fn picture(state: &AnyState) -> Picture; }
}
