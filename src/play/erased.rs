//! The object-safe trait of [`AnyGame`](super::AnyGame), and the one type that implements the trait
//! for every game.

use std::any::Any;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use rand::Rng;
use rand::rngs::ChaCha8Rng;

use super::any_game::{AnyGame, AnyMove, AnyState};
use super::erased_agent::{DynAgent, ErasedAgent};
use super::erased_solver::ErasedSolver;
use super::lineup::Setup;
use super::openings::{OpeningBook, random_line};
use super::referee::{NewReferee, referees};
use crate::agents::CustomAgents;
use crate::games::hash::fold;
use crate::games::picture::Picture;
use crate::games::{
    Configurable, Drawing, EvaluatorInfo, ExactSolver, Game, Notation, PgnHeader, Player,
    Repetition, Scoring, SearchHints, Shortcuts, Symmetry, Turn, perft, random_outcome, repeats,
};
use crate::params::{Param, ParamError, Spec};
use crate::solve::{Unsolved, exact_solver};

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
    /// Builds referees for games from these openings. A referee makes virtual calls only to the
    /// agents.
    fn referees(self: Arc<Self>, book: &OpeningBook<AnyGame>, setup: &Setup) -> Box<NewReferee>;

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
    fn reversible_plies(&self, state: &AnyState) -> usize;
    fn canonical_key(&self, state: &AnyState) -> u64;
    fn is_legal(&self, state: &AnyState, mv: AnyMove) -> bool;
    fn random_move(&self, state: &AnyState, rng: &mut dyn Rng) -> AnyMove;
    fn random_outcome(&self, state: &AnyState, rng: &mut dyn Rng) -> AnyMove;
    fn perft(&self, state: &AnyState, depth: u32) -> u64;
    fn write_move(&self, state: &AnyState, mv: AnyMove, out: &mut String);
    fn san(&self, state: &AnyState, mv: AnyMove) -> String;
    fn pgn_header(&self, state: &AnyState) -> Option<PgnHeader>;
    fn read_move(&self, state: &AnyState, text: &str) -> Result<AnyMove, String>;
    fn write_position(&self, state: &AnyState) -> String;
    fn read_position(&self, text: &str) -> Result<AnyState, String>;
    fn draw(&self, state: &AnyState) -> String;
    fn picture(&self, state: &AnyState) -> Picture;
}

/// A game of known type, to be used through [`DynGame`], and the registered agents that may play
/// it.
pub(super) struct Erased<G: Game> {
    pub game: Arc<G>,
    agents: Arc<CustomAgents>,
    moves: RwLock<Numbers<G::Move>>,
}

/// Moves by number, and numbers by move. A game has few different moves.
#[derive(Default)]
struct Numbers<M> {
    moves: Vec<M>,
    numbers: HashMap<M, u32, BuildHasherDefault<MoveHasher>>,
}

/// A fast hash. Moves have few bytes, and collisions are no security risk.
#[derive(Default)]
struct MoveHasher(u64);

impl Hasher for MoveHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = fold(self.0, byte.into());
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.0 = fold(self.0, word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.0 = fold(self.0, word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = fold(self.0, word);
    }
}

impl<M: Copy + Eq + Hash> Numbers<M> {
    fn add(&mut self, mv: M) -> u32 {
        *self.numbers.entry(mv).or_insert_with(|| {
            self.moves.push(mv);
            self.moves.len() as u32 - 1
        })
    }
}

/// The position as its concrete type.
///
/// # Panics
/// If the position belongs to another game.
pub(super) fn typed<G: Game>(state: &AnyState) -> &G::State {
    state.downcast().expect("a position of this game")
}

impl<G: Game> Erased<G> {
    pub fn new(game: G, agents: Arc<CustomAgents>) -> Self {
        let moves = Numbers { moves: Vec::new(), numbers: HashMap::default() };
        Erased { game: Arc::new(game), agents, moves: RwLock::new(moves) }
    }

    /// The number of a move.
    pub fn number(&self, mv: G::Move) -> AnyMove {
        let known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = known.numbers.get(&mv) {
            return AnyMove(number);
        }
        drop(known);
        AnyMove(self.moves.write().unwrap_or_else(PoisonError::into_inner).add(mv))
    }

    /// The move of a number.
    pub fn numbered(&self, mv: AnyMove) -> G::Move {
        self.moves.read().unwrap_or_else(PoisonError::into_inner).moves[mv.0 as usize]
    }
}

impl<G: Configurable> DynGame for Erased<G> {
    fn game(&self) -> &dyn Any {
        &*self.game
    }

    fn kind(&self) -> &'static str {
        G::KIND
    }

    fn params(&self) -> Vec<Param> {
        <G::Params as crate::params::Params>::list()
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        self.game.evaluators()
    }

    fn warnings(&self) -> Vec<String> {
        self.game.warnings()
    }

    fn agent(self: Arc<Self>, spec: &Spec) -> Result<Box<dyn DynAgent>, ParamError> {
        let inner = self.agents.build(&*self.game, spec)?;
        Ok(Box::new(ErasedAgent::new(inner, self)))
    }

    fn solver(self: Arc<Self>) -> Result<Box<dyn ExactSolver<AnyGame>>, Unsolved> {
        let inner = exact_solver(&*self.game)?;
        Ok(Box::new(ErasedSolver { inner, game: self }))
    }

    fn referees(self: Arc<Self>, book: &OpeningBook<AnyGame>, setup: &Setup) -> Box<NewReferee> {
        let known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        let mv = |AnyMove(number)| known.moves[number as usize];
        let book = book.map(&mv, &|state| typed::<G>(state).clone());
        referees(&self.game, book, setup)
    }

    fn random_line(
        &self,
        plies: u32,
        rng: &mut ChaCha8Rng,
        take: &mut dyn FnMut(u64) -> bool,
        out: &mut Vec<AnyMove>,
    ) -> bool {
        let mut line = Vec::new();
        let taken = random_line(&*self.game, plies, rng, &mut line).is_some_and(take);
        if taken {
            // A run may have millions of moves in its openings, but few different ones.
            let mut known = self.moves.write().unwrap_or_else(PoisonError::into_inner);
            for mv in line {
                out.push(AnyMove(known.add(mv)));
            }
        }
        taken
    }

    fn name_of(&self, mv: AnyMove) -> String {
        format!("{:?}", self.numbered(mv))
    }

    fn start(&self) -> AnyState {
        AnyState::new(self.game.start())
    }

    fn turn(&self, state: &AnyState) -> Turn {
        self.game.turn(typed::<G>(state))
    }

    fn moves(&self, state: &AnyState, out: &mut Vec<AnyMove>) {
        let mut moves = Vec::new();
        self.game.moves(typed::<G>(state), &mut moves);
        for mv in moves {
            out.push(self.number(mv));
        }
    }

    fn outcomes(&self, state: &AnyState, out: &mut Vec<(AnyMove, u32)>) {
        let mut outcomes = Vec::new();
        self.game.outcomes(typed::<G>(state), &mut outcomes);
        for (mv, weight) in outcomes {
            out.push((self.number(mv), weight));
        }
    }

    fn play(&self, state: &mut AnyState, mv: AnyMove) {
        let state = state.downcast_mut().expect("a position of this game");
        self.game.play(state, self.numbered(mv));
    }

    fn payoff(&self, state: &AnyState) -> i32 {
        self.game.payoff(typed::<G>(state))
    }

    fn key(&self, state: &AnyState) -> u64 {
        self.game.key(typed::<G>(state))
    }

    fn ended_by_history(&self, state: &AnyState, history: &[u64]) -> Option<&'static str> {
        if !repeats::<G>() {
            return None;
        }
        self.game.repetition().ended_by_history(typed::<G>(state), history)
    }

    fn reason(&self, state: &AnyState) -> &'static str {
        self.game.reason(typed::<G>(state))
    }

    fn max_plies(&self) -> Option<u32> {
        self.game.hints().max_plies()
    }

    fn plies_per_round(&self) -> u32 {
        self.game.hints().plies_per_round()
    }

    fn numeric_score(&self) -> bool {
        self.game.scoring().numeric_score()
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn winner(&self, state: &AnyState) -> Option<Player> {
        self.game.scoring().winner(typed::<G>(state))
    }

    fn reversible_plies(&self, state: &AnyState) -> usize {
        self.game.repetition().reversible_plies(typed::<G>(state))
    }

    fn canonical_key(&self, state: &AnyState) -> u64 {
        self.game.symmetry().canonical_key(typed::<G>(state))
    }

    fn is_legal(&self, state: &AnyState, mv: AnyMove) -> bool {
        self.game.shortcuts().is_legal(typed::<G>(state), self.numbered(mv), &mut Vec::new())
    }

    fn random_move(&self, state: &AnyState, mut rng: &mut dyn Rng) -> AnyMove {
        self.number(self.game.shortcuts().random_move(typed::<G>(state), &mut rng, &mut Vec::new()))
    }

    fn random_outcome(&self, state: &AnyState, mut rng: &mut dyn Rng) -> AnyMove {
        self.number(random_outcome(&*self.game, typed::<G>(state), &mut rng, &mut Vec::new()))
    }

    fn perft(&self, state: &AnyState, depth: u32) -> u64 {
        perft(&*self.game, typed::<G>(state), depth)
    }

    fn write_move(&self, state: &AnyState, mv: AnyMove, out: &mut String) {
        self.game.write_move(typed::<G>(state), self.numbered(mv), out);
    }

    fn san(&self, state: &AnyState, mv: AnyMove) -> String {
        self.game.notation().san(typed::<G>(state), self.numbered(mv))
    }

    fn pgn_header(&self, state: &AnyState) -> Option<PgnHeader> {
        self.game.notation().pgn_header(typed::<G>(state))
    }

    fn read_move(&self, state: &AnyState, text: &str) -> Result<AnyMove, String> {
        Ok(self.number(self.game.notation().read_move(typed::<G>(state), text)?))
    }

    fn write_position(&self, state: &AnyState) -> String {
        self.game.write_position(typed::<G>(state))
    }

    fn read_position(&self, text: &str) -> Result<AnyState, String> {
        Ok(AnyState::new(self.game.read_position(text)?))
    }

    fn draw(&self, state: &AnyState) -> String {
        self.game.drawing().text(typed::<G>(state))
    }

    fn picture(&self, state: &AnyState) -> Picture {
        self.game.drawing().picture(typed::<G>(state))
    }
}
