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
use super::opening_book::OpeningBook;
use crate::agents::Agent;
use crate::engine::EngineContext;
use crate::games::picture_for_html::Picture;
use crate::games::{
    Drawing, EngineFacts, EvaluatorInfo, ExactSolver, Game, Notation, PgnHeader, Player,
    Repetition, Scoring, SearchHints, Shortcuts, Symmetry, SyzygyTables, Turn, Weights,
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

/// The position as its concrete type.
///
/// # Panics
/// If the position belongs to another game.
pub(super) fn typed<G: Game>(state: &AnyState) -> &G::State {
    state.downcast().expect("a position of this game")
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

    /// The evaluator that agents of the game have by default.
    ///
    /// # Errors
    /// A game without evaluators.
    pub fn first_evaluator(&self) -> Result<Box<DynEvaluator>, ParamError> {
        let name = self.evaluators().first().map_or("zero", |evaluator| evaluator.name);
        Arc::clone(&self.0).evaluator(name, &Weights::new())
    }

    /// Whether a program plays the whole game, so that it has no positions and no moves.
    pub fn is_refereed(&self) -> bool {
        self.0.attributes_of_results().is_some()
    }

    /// Checks that the game has positions and moves.
    ///
    /// # Errors
    /// A game by a referee.
    pub fn check_has_moves(&self) -> Result<(), ParamError> {
        if !self.is_refereed() {
            return Ok(());
        }
        let message = "a game by a referee has no positions and no moves for agon";
        let help = "`agon run` and `agon match` play it; the results folder has its result";
        Err(ParamError::new(message, help))
    }

    /// The attributes of a game by a referee that are columns of `games.csv`.
    pub fn attributes(&self) -> Vec<String> {
        self.0.attributes_of_results().unwrap_or_default().to_vec()
    }
}

/// An object-safe game: the rules, and what the registry knows of a game.
pub trait DynGame: DynRules {
    fn game(&self) -> &dyn Any;
    fn kind(&self) -> &'static str;
    /// The game's parameters, in order.
    fn params(&self) -> Vec<Param>;
    /// The available evaluators, the default first.
    fn evaluators(&self) -> Vec<EvaluatorInfo>;
    /// Warnings about probable mistakes in the game's parameters, in sentences for people.
    fn warnings(&self) -> Vec<String>;
    /// Builds an agent for the game.
    fn agent(self: Arc<Self>, spec: &Spec) -> Result<Box<dyn DynAgent>, ParamError>;
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
        settings: &RefereeSettings<'_>,
    ) -> Box<dyn DynReferee>;

    /// The attributes of the results that are columns of `games.csv`; `None` unless the game is played
    /// by a referee that is a program.
    fn attributes_of_results(&self) -> Option<&[String]>;

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
}

/// A type-erased evaluator: the value of a position for the first player.
pub type DynEvaluator = dyn Fn(&AnyState) -> i32 + Send;

/// A type-erased agent.
pub trait DynAgent: Agent<AnyGame> {
    /// The agent for its own type of game: a `Box<dyn Agent<G>>`.
    fn typed(&mut self) -> &mut dyn Any;
}

impl dyn DynAgent + '_ {
    /// The agent as an agent of its own type of game.
    ///
    /// # Panics
    /// If the agent belongs to another game.
    pub(super) fn for_game<G: Game>(&mut self) -> &mut dyn Agent<G> {
        let agent = self.typed().downcast_mut::<Box<dyn Agent<G>>>();
        &mut **agent.expect("an agent of this game")
    }
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
pub struct RefereeSettings<'a> {
    pub seed: u64,
    /// The number of plies after which a game is adjudicated a draw.
    pub max_plies: u32,
    pub adjudication: Adjudication,
    pub tables: &'a Option<Arc<SyzygyTables>>,
    /// The specs of the agents, by number.
    pub agents: &'a [Spec],
    pub engine_context: &'a Arc<EngineContext>,
}

impl Deref for AnyGame {
    type Target = dyn DynGame;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

/// The methods of [`Game`] and of its additions, each with its call of a game of known type. This
/// is the one list for [`DynRules`] and [`AnyGame`], which are below, and for
/// [`ErasedGame`](super::erased_game::ErasedGame).
macro_rules! game_methods {
    ($use_list:ident) => {
        $use_list! {
            Game {
                fn start(&self) -> AnyState { AnyState::new(self.game.start()) }
                fn turn(&self, state: &AnyState) -> Turn { self.game.turn(typed::<G>(state)) }
                fn moves(&self, state: &AnyState, out: &mut Vec<AnyMove>) {
                    let moves = self.game.legal_moves(typed::<G>(state));
                    out.extend(moves.iter().map(|&mv| self.number(mv)));
                }
                fn outcomes(&self, state: &AnyState, out: &mut Vec<(AnyMove, u32)>) {
                    let mut outcomes = Vec::new();
                    self.game.outcomes(typed::<G>(state), &mut outcomes);
                    out.extend(outcomes.iter().map(|&(mv, weight)| (self.number(mv), weight)));
                }
                fn has_chance(&self) -> bool { self.game.has_chance() }
                fn play(&self, state: &mut AnyState, mv: AnyMove) {
                    let state = state.downcast_mut().expect("a position of this game");
                    self.game.play(state, self.numbered(mv));
                }
                fn payoff(&self, state: &AnyState) -> i32 { self.game.payoff(typed::<G>(state)) }
                fn reason(&self, state: &AnyState) -> &'static str {
                    self.game.reason(typed::<G>(state))
                }
                fn key(&self, state: &AnyState) -> u64 { self.game.key(typed::<G>(state)) }
                fn write_move(&self, state: &AnyState, mv: AnyMove, out: &mut String) {
                    self.game.write_move(typed::<G>(state), self.numbered(mv), out);
                }
                fn write_position(&self, state: &AnyState) -> String {
                    self.game.write_position(typed::<G>(state))
                }
                fn read_position(&self, text: &str) -> Result<AnyState, String> {
                    self.game.read_position(text).map(AnyState::new)
                }
            }
            Shortcuts {
                fn legality(&self, state: &AnyState, mv: AnyMove) -> Option<bool> {
                    self.game.shortcuts().legality(typed::<G>(state), self.numbered(mv))
                }
                fn random_move(&self, state: &AnyState, rng: &mut dyn Rng) -> AnyMove {
                    let (state, mut rng) = (typed::<G>(state), rng);
                    self.number(self.game.shortcuts().random_move(state, &mut rng, &mut Vec::new()))
                }
                fn random_outcome(&self, state: &AnyState, rng: &mut dyn Rng) -> AnyMove {
                    let (state, mut rng) = (typed::<G>(state), rng);
                    self.number(random_outcome(&*self.game, state, &mut rng, &mut Vec::new()))
                }
                fn random_plies(
                    &self, state: &mut AnyState, numbers: &mut dyn FnMut() -> u32, most: u32
                ) -> [u32; 2] {
                    let state = state.downcast_mut().expect("a position of this game");
                    self.game.shortcuts().random_plies(state, numbers, most)
                }
                fn perft(&self, state: &AnyState, depth: u32) -> u64 {
                    perft(&*self.game, typed::<G>(state), depth)
                }
            }
            SearchHints hints {
                fn max_plies(&self) -> Option<u32> { self.game.hints().max_plies() }
                fn plies_per_round(&self) -> u32 { self.game.hints().plies_per_round() }
            }
            Scoring scoring {
                fn numeric_score(&self) -> bool { self.game.scoring().numeric_score() }
                fn winner(&self, state: &AnyState) -> Option<Player> {
                    self.game.scoring().winner(typed::<G>(state))
                }
                fn cannot_win(&self, state: &AnyState) -> Option<Player> {
                    self.game.scoring().cannot_win(typed::<G>(state))
                }
            }
            Repetition repetition {
                // Always true for an `AnyGame`; each concrete game decides at run time.
                const REPEATS: bool = true;
                fn reversible_plies(&self, state: &AnyState) -> usize {
                    self.game.repetition().reversible_plies(typed::<G>(state))
                }
                fn ended_by_history(
                    &self, state: &AnyState, history: &[u64]
                ) -> Option<&'static str> {
                    if !repeats::<G>() {
                        return None;
                    }
                    self.game.repetition().ended_by_history(typed::<G>(state), history)
                }
            }
            Symmetry symmetry {
                fn canonical_key(&self, state: &AnyState) -> u64 {
                    self.game.symmetry().canonical_key(typed::<G>(state))
                }
            }
            Notation notation {
                fn read_move(&self, state: &AnyState, text: &str) -> Result<AnyMove, String> {
                    Ok(self.number(self.game.notation().read_move(typed::<G>(state), text)?))
                }
                fn san(&self, state: &AnyState, mv: AnyMove) -> String {
                    self.game.notation().san(typed::<G>(state), self.numbered(mv))
                }
                fn plies_before(&self, state: &AnyState) -> u32 {
                    self.game.notation().plies_before(typed::<G>(state))
                }
                fn pgn_header(&self, state: &AnyState) -> Option<PgnHeader> {
                    self.game.notation().pgn_header(typed::<G>(state))
                }
            }
            Drawing drawing {
                fn text(&self, state: &AnyState) -> String {
                    self.game.drawing().text(typed::<G>(state))
                }
                fn picture(&self, state: &AnyState) -> Picture {
                    self.game.drawing().picture(typed::<G>(state))
                }
                fn cells(&self, state: &AnyState, mv: AnyMove) -> Vec<usize> {
                    self.game.drawing().cells(typed::<G>(state), self.numbered(mv))
                }
                fn click_orders(&self, state: &AnyState, mv: AnyMove) -> Vec<Vec<usize>> {
                    self.game.drawing().click_orders(typed::<G>(state), self.numbered(mv))
                }
                fn dice(&self, mv: AnyMove) -> Vec<u8> {
                    self.game.drawing().dice(self.numbered(mv))
                }
                fn exact_line(&self) -> Option<usize> {
                    self.game.drawing().exact_line()
                }
            }
        }
    };
}

pub(super) use game_methods;

/// The signatures of methods.
macro_rules! declare {
    ($(fn $name:ident(&$this:ident $(, $arg:ident: $ty:ty)*) $(-> $out:ty)? $body:block)*) => {
        $(fn $name(&$this $(, $arg: $ty)*) $(-> $out)?;)*
    };
}

/// Methods of an `AnyGame`, or of a reference to one, which call the methods of [`DynRules`].
macro_rules! forward {
    (Game: $(fn $name:ident(&$this:ident $(, $arg:ident: $ty:ty)*) $(-> $out:ty)? $body:block)*) => {
        $(fn $name(&$this $(, $arg: $ty)*) $(-> $out)? { $this.0.$name($($arg),*) })*
    };
    ($addition:ident: $(const $constant:ident: $constant_ty:ty = $value:expr;)?
        $(fn $name:ident(&$this:ident $(, $arg:ident: $ty:ty)*) $(-> $out:ty)? $body:block)*) => {
        $(const $constant: $constant_ty = $value;)?
        $(fn $name($this $(, $arg: $ty)*) $(-> $out)? { $this.0.$name($($arg),*) })*
    };
}

macro_rules! any_game {
    (
        Game { $($game:tt)* }
        Shortcuts { $($shortcuts:tt)* }
        $($addition:ident $accessor:ident {
            $(const $constant:ident: $constant_ty:ty = $value:expr;)?
            $(fn $name:ident $args:tt $(-> $out:ty)? $body:block)*
        })*
    ) => {
        /// The methods of [`Game`] and of its additions, object-safe.
        pub trait DynRules: Send + Sync {
            declare! { $($game)* $($shortcuts)* $($(fn $name $args $(-> $out)? $body)*)* }
        }

        impl Game for AnyGame {
            type State = AnyState;
            type Move = AnyMove;

            forward! { Game: $($game)* }

            fn shortcuts(&self) -> impl Shortcuts<Self> {
                self
            }

            $(fn $accessor(&self) -> impl $addition<Self> {
                self
            })*
        }

        $(impl $addition<AnyGame> for &AnyGame {
            forward! { $addition:
                $(const $constant: $constant_ty = $value;)?
                $(fn $name $args $(-> $out)? $body)*
            }
        })*
    };
}

game_methods! { any_game }

impl Shortcuts<AnyGame> for &AnyGame {
    fn legality(self, state: &AnyState, mv: AnyMove) -> Option<bool> {
        self.0.legality(state, mv)
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

    fn random_plies(
        self,
        state: &mut AnyState,
        numbers: &mut dyn FnMut() -> u32,
        most: u32,
    ) -> [u32; 2] {
        self.0.random_plies(state, numbers, most)
    }

    fn perft(self, state: &AnyState, depth: u32) -> u64 {
        self.0.perft(state, depth)
    }
}
