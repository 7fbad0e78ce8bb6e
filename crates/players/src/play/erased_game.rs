//! A game of known type behind an [`AnyGame`], with its agents and its solvers.

use std::any::Any;
use std::sync::{Arc, PoisonError, RwLock};

use rand::Rng;
use rand::rngs::ChaCha8Rng;

use super::any_game::{
    AnyGame, AnyMove, AnyState, DynAgent, DynEvaluator, DynGame, DynReferee, DynRules,
    RefereeSettings, game_methods, typed,
};
use super::move_numbers::MoveNumbers;
use super::opening_book::{OpeningBook, random_line};
use super::referee::Referee;
use super::refereed::{ProgramReferee, RefereedGame};
use crate::agents::{Agent, CustomAgents, ExternalAgent, Fault, MoveRequest, PLAYER_COMMAND};
use crate::games::picture_for_html::Picture;
use crate::games::{
    Configurable, Drawing, EngineFacts, Evaluator, EvaluatorInfo, Exact, ExactSolver, Game,
    GameExt, InStones, Notation, PgnHeader, Player, Repetition, Scoring, SearchHints, Shortcuts,
    Symmetry, Turn, Weights, perft, random_outcome, repeats,
};
use crate::params::{Param, ParamError, Spec};
use crate::search::{Limits, StopSwitch};
use crate::solve::{Unsolved, exact_solver};

impl AnyGame {
    /// The game, with the built-in agents.
    pub fn of<G: Configurable>(game: G) -> Self {
        AnyGame::with_agents(game, Arc::default())
    }

    /// The game, with these registered agents in addition.
    pub(super) fn with_agents<G: Configurable>(game: G, agents: Arc<CustomAgents>) -> Self {
        AnyGame(Arc::new(ErasedGame::new(game, agents)))
    }
}

/// A game of known type, and the registered agents that may play it.
pub(super) struct ErasedGame<G: Game> {
    game: Arc<G>,
    agents: Arc<CustomAgents>,
    moves: RwLock<MoveNumbers<G::Move>>,
}

impl<G: Game> ErasedGame<G> {
    fn new(game: G, agents: Arc<CustomAgents>) -> Self {
        ErasedGame { game: Arc::new(game), agents, moves: RwLock::new(MoveNumbers::new()) }
    }

    /// The number of a move.
    fn number(&self, mv: G::Move) -> AnyMove {
        let known = self.moves.read().unwrap_or_else(PoisonError::into_inner).find(mv);
        AnyMove(match known {
            Some(number) => number,
            None => self.moves.write().unwrap_or_else(PoisonError::into_inner).add(mv),
        })
    }

    /// The move of a number.
    fn numbered(&self, mv: AnyMove) -> G::Move {
        self.moves.read().unwrap_or_else(PoisonError::into_inner).moves[mv.0 as usize]
    }
}

macro_rules! call_typed_game {
    ($($addition:ident $($accessor:ident)? {
        $(const $constant:ident: $constant_ty:ty = $value:expr;)?
        $(fn $name:ident(&$this:ident $(, $arg:ident: $ty:ty)*) $(-> $out:ty)? $body:block)*
    })*) => {
        impl<G: Configurable> DynRules for ErasedGame<G> {
            $($(fn $name(&$this $(, $arg: $ty)*) $(-> $out)? $body)*)*
        }
    };
}

game_methods! { call_typed_game }

impl<G: Configurable> DynGame for ErasedGame<G> {
    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        self.game.evaluators()
    }

    fn warnings(&self) -> Vec<String> {
        self.game.warnings()
    }

    fn engine_facts(&self) -> EngineFacts {
        self.game.engine_facts()
    }

    fn game(&self) -> &dyn Any {
        &*self.game
    }

    fn kind(&self) -> &'static str {
        G::KIND
    }

    fn params(&self) -> Vec<Param> {
        <G::Params as crate::params::Params>::list()
    }

    fn agent(self: Arc<Self>, spec: &Spec) -> Result<Box<dyn DynAgent>, ParamError> {
        if self.attributes_of_results().is_some() && spec.kind != PLAYER_COMMAND {
            let message = format!("`{}` cannot play a game by a referee", spec.kind);
            let help = "the referee starts the players: use `kind = \"command\"` and `command = \
                        \"./bot\"`";
            return Err(ParamError::at("kind", message, help));
        }
        let inner = self.agents.build(&*self.game, spec)?;
        Ok(Box::new(ErasedAgent { inner, game: self, values: Vec::new() }))
    }

    fn solver(self: Arc<Self>) -> Result<Box<dyn ExactSolver<AnyGame>>, Unsolved> {
        let inner = exact_solver(&*self.game)?;
        Ok(Box::new(ErasedSolver { inner, game: self }))
    }

    fn evaluator(
        self: Arc<Self>,
        name: &str,
        weights: &Weights,
    ) -> Result<Box<DynEvaluator>, ParamError> {
        let evaluator = self.game.evaluator(name, weights)?;
        Ok(Box::new(move |state| evaluator.evaluate(&self.game, typed::<G>(state))))
    }

    fn attributes_of_results(&self) -> Option<&[String]> {
        let refereed: Option<&RefereedGame> = (&*self.game as &dyn Any).downcast_ref();
        Some(&refereed?.attributes)
    }

    fn referee(
        &self,
        book: &Arc<OpeningBook<AnyGame>>,
        settings: &RefereeSettings<'_>,
    ) -> Box<dyn DynReferee> {
        if let Ok(game) = (Arc::clone(&self.game) as Arc<dyn Any + Send + Sync>).downcast() {
            return Box::new(ProgramReferee::new(&game, settings));
        }
        let known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        Box::new(Referee::new(&self.game, known.moves.clone(), book, settings))
    }

    fn random_starts(&self) -> Vec<AnyState> {
        self.game.random_starts().into_iter().map(AnyState::new).collect()
    }

    fn random_line(
        &self,
        plies: u32,
        rng: &mut ChaCha8Rng,
        take: &mut dyn FnMut(u64) -> bool,
        out: &mut Vec<AnyMove>,
    ) -> bool {
        let mut line = Vec::new();
        let mut state = self.game.start();
        let key = random_line(&*self.game, &mut state, plies, rng, &mut line);
        let taken = key.is_some_and(take);
        if taken {
            out.extend(line.iter().map(|&mv| self.number(mv)));
        }
        taken
    }

    fn name_of(&self, mv: AnyMove) -> String {
        format!("{:?}", self.numbered(mv))
    }
}

/// The one type that implements [`DynAgent`], for every game.
struct ErasedAgent<G: Game> {
    inner: Box<dyn Agent<G>>,
    game: Arc<ErasedGame<G>>,
    values: Vec<(G::Move, f64)>,
}

impl<G: Configurable> DynAgent for ErasedAgent<G> {
    fn typed(&mut self) -> &mut dyn Any {
        &mut self.inner
    }
}

/// Converts the request for a move to the concrete game type.
fn typed_request<'a, G: Game>(
    game: &'a ErasedGame<G>,
    request: &'a mut MoveRequest<'_, AnyGame>,
) -> MoveRequest<'a, G> {
    MoveRequest {
        game: &game.game,
        state: typed::<G>(request.state),
        player: request.player,
        history: request.history,
        rng: request.rng,
        search_info: request.search_info,
        game_so_far: request.game_so_far,
    }
}

impl<G: Configurable> Agent<AnyGame> for ErasedAgent<G> {
    fn external(&mut self) -> Option<&mut dyn ExternalAgent> {
        self.inner.external()
    }

    fn new_game(&mut self, _game: &AnyGame, player: Player) {
        self.inner.new_game(&self.game.game, player);
    }

    fn choose(&mut self, request: &mut MoveRequest<'_, AnyGame>) -> Result<AnyMove, Box<Fault>> {
        let mv = self.inner.choose(&mut typed_request(&self.game, request))?;
        Ok(self.game.number(mv))
    }

    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        self.inner.set_limits(limits, stop);
    }

    fn has_move_values(&self) -> bool {
        self.inner.has_move_values()
    }

    fn move_values(
        &mut self,
        request: &mut MoveRequest<'_, AnyGame>,
        out: &mut Vec<(AnyMove, f64)>,
    ) -> Result<(), Box<Fault>> {
        self.inner.move_values(&mut typed_request(&self.game, request), &mut self.values)?;
        out.clear();
        out.extend(self.values.iter().map(|&(mv, value)| (self.game.number(mv), value)));
        Ok(())
    }

    fn has_move_probabilities(&self) -> bool {
        self.inner.has_move_probabilities()
    }

    fn move_probabilities(&mut self, _game: &AnyGame, state: &AnyState, out: &mut Vec<f64>) {
        self.inner.move_probabilities(&self.game.game, typed::<G>(state), out);
    }
}

/// The one type that wraps solvers, for every game.
struct ErasedSolver<G: Game> {
    inner: Box<dyn ExactSolver<G>>,
    game: Arc<ErasedGame<G>>,
}

impl<G: Game> ExactSolver<AnyGame> for ErasedSolver<G> {
    fn value(&mut self, _game: &AnyGame, state: &AnyState) -> Exact {
        self.inner.value(&self.game.game, typed::<G>(state))
    }

    fn nodes(&self) -> u64 {
        self.inner.nodes()
    }

    fn move_values(&mut self, _: &AnyGame, state: &AnyState, out: &mut Vec<(AnyMove, Exact)>) {
        let mut values = Vec::new();
        self.inner.move_values(&self.game.game, typed::<G>(state), &mut values);
        out.clear();
        out.extend(values.iter().map(|&(mv, value)| (self.game.number(mv), value)));
    }

    fn best_moves(&mut self, _: &AnyGame, state: &AnyState, out: &mut Vec<AnyMove>) {
        let mut best = Vec::new();
        self.inner.best_moves(&self.game.game, typed::<G>(state), &mut best);
        out.clear();
        out.extend(best.iter().map(|&mv| self.game.number(mv)));
    }

    fn line_move(&mut self, _: &AnyGame, state: &AnyState) -> Option<AnyMove> {
        let mv = self.inner.line_move(&self.game.game, typed::<G>(state))?;
        Some(self.game.number(mv))
    }

    fn in_stones(&self, _: &AnyGame, state: &AnyState, value: Exact) -> Option<InStones> {
        self.inner.in_stones(&self.game.game, typed::<G>(state), value)
    }

    fn set_threads(&mut self, threads: usize) -> bool {
        self.inner.set_threads(threads)
    }

    fn takes_long(&self, _: &AnyGame, state: &AnyState, all: bool) -> Option<String> {
        self.inner.takes_long(&self.game.game, typed::<G>(state), all)
    }

    fn refuses(&self, _: &AnyGame, state: &AnyState) -> Option<Unsolved> {
        self.inner.refuses(&self.game.game, typed::<G>(state))
    }

    fn set_table_mb(&mut self, table_mb: usize) -> bool {
        self.inner.set_table_mb(table_mb)
    }

    fn read_book(&mut self, _: &AnyGame, book: &str) -> Result<(), String> {
        self.inner.read_book(&self.game.game, book)
    }

    fn forget_book(&mut self) -> bool {
        self.inner.forget_book()
    }

    fn make_book(&mut self, _: &AnyGame, plies: u32) -> Result<String, String> {
        self.inner.make_book(&self.game.game, plies)
    }
}
