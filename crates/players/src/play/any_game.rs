//! `AnyGame`, a type-erased game. Code for `AnyGame` is compiled once; use it if speed matters
//! little.

use std::any::Any;
use std::fmt::{self, Debug};
use std::ops::Deref;
use std::sync::Arc;

use rand::Rng;
use rand::rngs::ChaCha8Rng;

use super::adjudication::Adjudication;
use super::game_record::{GameRecord, GameSpec};
use super::moves_as_text::MoveTexts;
use super::opening_of_each_game::OpeningBook;
use crate::agents::Agent;
use crate::games::picture_for_html::Picture;
use crate::games::{
    Drawing, EngineFacts, EvaluatorInfo, ExactSolver, Game, Notation, PgnHeader, Player,
    Repetition, Scoring, SearchHints, Shortcuts, Symmetry, Turn, Weights,
};
use crate::params::{Param, ParamError, Spec};
use crate::solve::Unsolved;

/// A game of any type. `AnyGame` implements [`Game`], but each position costs a virtual call and an
/// allocation. Code that plays millions of games uses the concrete game type instead.
///
/// ```
/// # use agon_players as agon;
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
    /// The concrete game, if it has this type.
    pub(super) fn downcast<G: Game>(&self) -> Option<&G> {
        self.0.game().downcast_ref()
    }
}

/// An object-safe game. Methods with the name of a method of [`Game`] do the same.
pub trait DynGame: Send + Sync {
    /// The concrete game.
    fn game(&self) -> &dyn Any;
    /// The registered kind.
    fn kind(&self) -> &'static str;
    /// The game's parameters, in order.
    fn params(&self) -> Vec<Param>;
    /// The available evaluators, the default first.
    fn evaluators(&self) -> Vec<EvaluatorInfo>;
    /// Warnings about probable mistakes in the game's parameters, in sentences for people.
    fn warnings(&self) -> Vec<String>;
    /// Builds an agent for the game.
    fn agent(self: Arc<Self>, spec: &Spec) -> Result<Box<dyn DynAgent>, ParamError>;
    /// Builds an exact solver.
    fn solver(self: Arc<Self>) -> Result<Box<dyn ExactSolver<AnyGame>>, Unsolved>;
    /// Builds an evaluator: see [`Configurable::evaluator`](crate::games::Configurable::evaluator).
    fn evaluator(
        self: Arc<Self>,
        name: &str,
        weights: &Weights,
    ) -> Result<Box<DynEvaluator>, ParamError>;
    /// Builds a referee for games from these openings. A referee makes virtual calls only to the
    /// agents.
    fn referee(
        &self,
        book: &Arc<OpeningBook<AnyGame>>,
        settings: &RefereeSettings,
    ) -> Box<dyn DynReferee>;

    /// The starts of random openings: see
    /// [`Configurable::random_starts`](crate::games::Configurable::random_starts).
    fn random_starts(&self) -> Vec<AnyState>;
    /// See [`Configurable::engine_facts`](crate::games::Configurable::engine_facts).
    fn engine_facts(&self) -> EngineFacts;

    /// Plays a random line of this number of plies and passes the key of its last position, up to
    /// symmetry, to `take`. If `take` accepts, adds the moves to `out` and returns true. Returns
    /// false if the game ended earlier.
    fn random_line(
        &self,
        plies: u32,
        rng: &mut ChaCha8Rng,
        take: &mut dyn FnMut(u64) -> bool,
        out: &mut Vec<AnyMove>,
    ) -> bool;
    /// The debug text of a move. A move that is not legal may have no other text.
    fn name_of(&self, mv: AnyMove) -> String;

    fn start(&self) -> AnyState;
    fn turn(&self, state: &AnyState) -> Turn;
    fn moves(&self, state: &AnyState, out: &mut Vec<AnyMove>);
    fn outcomes(&self, state: &AnyState, out: &mut Vec<(AnyMove, u32)>);
    fn play(&self, state: &mut AnyState, mv: AnyMove);
    fn payoff(&self, state: &AnyState) -> i32;
    fn key(&self, state: &AnyState) -> u64;
    fn ended_by_history(&self, state: &AnyState, history: &[u64]) -> Option<&'static str>;
    fn reason(&self, state: &AnyState) -> &'static str;
    fn max_plies(&self) -> Option<u32>;
    fn plies_per_round(&self) -> u32;
    fn numeric_score(&self) -> bool;
    fn has_chance(&self) -> bool;
    fn winner(&self, state: &AnyState) -> Option<Player>;
    fn cannot_win(&self, state: &AnyState) -> Option<Player>;
    fn reversible_plies(&self, state: &AnyState) -> usize;
    fn canonical_key(&self, state: &AnyState) -> u64;
    fn is_legal(&self, state: &AnyState, mv: AnyMove) -> bool;
    fn random_move(&self, state: &AnyState, rng: &mut dyn Rng) -> AnyMove;
    fn random_outcome(&self, state: &AnyState, rng: &mut dyn Rng) -> AnyMove;
    fn perft(&self, state: &AnyState, depth: u32) -> u64;
    fn write_move(&self, state: &AnyState, mv: AnyMove, out: &mut String);
    fn san(&self, state: &AnyState, mv: AnyMove) -> String;
    fn plies_before(&self, state: &AnyState) -> u32;
    fn pgn_header(&self, state: &AnyState) -> Option<PgnHeader>;
    fn read_move(&self, state: &AnyState, text: &str) -> Result<AnyMove, String>;
    fn write_position(&self, state: &AnyState) -> String;
    fn read_position(&self, text: &str) -> Result<AnyState, String>;
    fn draw(&self, state: &AnyState) -> String;
    fn picture(&self, state: &AnyState) -> Picture;
    fn cells(&self, state: &AnyState, mv: AnyMove) -> Vec<usize>;
}

/// A type-erased evaluator: the value of a position for the first player.
pub type DynEvaluator = dyn Fn(&AnyState) -> i32 + Send;

/// A type-erased agent.
pub trait DynAgent: Agent<AnyGame> {
    /// The agent itself, an `ErasedAgent`.
    fn any(&mut self) -> &mut dyn Any;
}

/// A type-erased referee.
pub trait DynReferee {
    /// Plays one game and appends the moves to `texts`.
    fn play(
        &mut self,
        spec: &GameSpec,
        agents: [&mut dyn DynAgent; 2],
        texts: &mut MoveTexts,
    ) -> GameRecord;
}

/// The settings that all referees of a run share.
#[derive(Debug, Clone, Copy)]
pub struct RefereeSettings {
    /// The experiment's seed.
    pub seed: u64,
    /// The number of plies after which a game is adjudicated a draw.
    pub max_plies: u32,
    /// The adjudication rules.
    pub adjudication: Adjudication,
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
        fn cannot_win(state: &AnyState) -> Option<Player>;
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
        fn plies_before(state: &AnyState) -> u32;
        fn pgn_header(state: &AnyState) -> Option<PgnHeader>;
    }
}

impl Drawing<AnyGame> for &AnyGame {
    fn text(self, state: &AnyState) -> String {
        self.0.draw(state)
    }

    forward! { self:
        fn picture(state: &AnyState) -> Picture;
        fn cells(state: &AnyState, mv: AnyMove) -> Vec<usize>;
    }
}
