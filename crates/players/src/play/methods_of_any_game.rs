//! Implements the virtual calls of [`AnyGame`] once for all games.

use std::any::Any;
use std::sync::{Arc, PoisonError};

use rand::Rng;
use rand::rngs::ChaCha8Rng;

use super::agent_of_any_game::ErasedAgent;
use super::any_game::{
    AnyGame, AnyMove, AnyState, DynAgent, DynEvaluator, DynGame, DynReferee, RefereeSettings,
};
use super::moves_of_any_game::{Erased, typed};
use super::opening_of_each_game::{OpeningBook, random_line};
use super::referee::Referee;
use crate::agents::CustomAgents;
use crate::games::picture_for_html::Picture;
use crate::games::{
    Configurable, Drawing, EngineFacts, Evaluator, EvaluatorInfo, ExactSolver, GameExt, Notation,
    PgnHeader, Player, Repetition, Scoring, SearchHints, Shortcuts, Symmetry, Turn, Weights, perft,
    random_outcome, repeats,
};
use crate::params::{Param, ParamError, Spec};
use crate::play::exact::solver_of_any_game::ErasedSolver;
use crate::solve::{Unsolved, exact_solver};

impl AnyGame {
    /// The game, with the built-in agents.
    pub fn of<G: Configurable>(game: G) -> Self {
        AnyGame::with_agents(game, Arc::default())
    }

    /// The game, with these registered agents in addition.
    pub(super) fn with_agents<G: Configurable>(game: G, agents: Arc<CustomAgents>) -> Self {
        AnyGame(Arc::new(Erased::new(game, agents)))
    }
}

/// Forwards methods to the methods of the same name of the concrete game, or of one of its additions.
macro_rules! forward {
    ($(fn $name:ident($($state:ident $(, $mv:ident)?)?) -> $out:ty $(: $addition:ident)?;)+) => {
        $(fn $name(&self $(, $state: &AnyState $(, $mv: AnyMove)?)?) -> $out {
            self.game $(.$addition())? .$name($(typed::<G>($state) $(, self.numbered($mv))?)?)
        })+
    };
}

impl<G: Configurable> DynGame for Erased<G> {
    forward! {
        fn evaluators() -> Vec<EvaluatorInfo>;
        fn warnings() -> Vec<String>;
        fn engine_facts() -> EngineFacts;
        fn has_chance() -> bool;
        fn turn(state) -> Turn;
        fn payoff(state) -> i32;
        fn key(state) -> u64;
        fn reason(state) -> &'static str;
        fn write_position(state) -> String;
        fn max_plies() -> Option<u32>: hints;
        fn plies_per_round() -> u32: hints;
        fn numeric_score() -> bool: scoring;
        fn winner(state) -> Option<Player>: scoring;
        fn cannot_win(state) -> Option<Player>: scoring;
        fn reversible_plies(state) -> usize: repetition;
        fn canonical_key(state) -> u64: symmetry;
        fn san(state, mv) -> String: notation;
        fn plies_before(state) -> u32: notation;
        fn pgn_header(state) -> Option<PgnHeader>: notation;
        fn picture(state) -> Picture: drawing;
        fn cells(state, mv) -> Vec<usize>: drawing;
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
        let inner = self.agents.build(&*self.game, spec)?;
        Ok(Box::new(ErasedAgent::new(inner, self)))
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

    fn referee(
        &self,
        book: &Arc<OpeningBook<AnyGame>>,
        settings: &RefereeSettings,
    ) -> Box<dyn DynReferee> {
        let known = self.moves.read().unwrap_or_else(PoisonError::into_inner);
        Box::new(Referee::new(&self.game, known.moves.clone(), book, settings))
    }

    fn random_starts(&self) -> Vec<AnyState> {
        let mut starts = Vec::new();
        for start in &self.game.random_starts() {
            starts.push(AnyState::new(start.clone()));
        }
        starts
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
            for &mv in &line {
                out.push(self.number(mv));
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

    fn moves(&self, state: &AnyState, out: &mut Vec<AnyMove>) {
        let moves = self.game.legal_moves(typed::<G>(state));
        for &mv in &moves {
            out.push(self.number(mv));
        }
    }

    fn outcomes(&self, state: &AnyState, out: &mut Vec<(AnyMove, u32)>) {
        let mut outcomes = Vec::new();
        self.game.outcomes(typed::<G>(state), &mut outcomes);
        for &(mv, weight) in &outcomes {
            out.push((self.number(mv), weight));
        }
    }

    fn play(&self, state: &mut AnyState, mv: AnyMove) {
        let state = state.downcast_mut().expect("a position of this game");
        self.game.play(state, self.numbered(mv));
    }

    fn ended_by_history(&self, state: &AnyState, history: &[u64]) -> Option<&'static str> {
        if !repeats::<G>() {
            return None;
        }
        self.game.repetition().ended_by_history(typed::<G>(state), history)
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

    fn read_move(&self, state: &AnyState, text: &str) -> Result<AnyMove, String> {
        Ok(self.number(self.game.notation().read_move(typed::<G>(state), text)?))
    }

    fn read_position(&self, text: &str) -> Result<AnyState, String> {
        Ok(AnyState::new(self.game.read_position(text)?))
    }

    fn draw(&self, state: &AnyState) -> String {
        self.game.drawing().text(typed::<G>(state))
    }
}
