//! `mcts`: Monte Carlo tree search within a budget.

use rand::Rng;

use super::agent::{Agent, AgentInfo, Fault, Ply};
use super::budget::{self, MAX_MB};
use super::settings::{self, Ties};
use crate::games::{AnyEvaluator, Configurable, Game, Player, SearchHints};
use crate::params::{Param, ParamError, Values};
use crate::search::{Limits, Mcts, MctsOptions, Stop, tree_fits};

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    let simulations = "simulations for one move";
    let mut params = vec![
        Param::int("simulations", 1, 1_000_000_000, 1, simulations).optional(),
        budget::nodes_param("positions that it may enter for one move, those of playouts too"),
        budget::movetime_param("milliseconds for one move; games then vary"),
        Param::float(
            "exploration",
            0.0,
            100.0,
            MctsOptions::default().exploration,
            "weight of what was tried little against what did well, means being from 0 to 1",
        ),
        Param::int(
            "tree_mb",
            1,
            MAX_MB,
            MctsOptions::default().tree_mb as i64,
            "megabytes of the tree",
        ),
        Param::bool(
            "reuse",
            MctsOptions::default().reuse,
            "begin with what is left of the tree of the move before; half the memory is for that",
        ),
        Param::int(
            "playout_plies",
            0,
            1_000_000,
            1000,
            "plies after which the evaluator decides a playout; 1000 in games that might not end, \
             else never",
        )
        .optional(),
    ];
    // Ends of games are counted as they are.
    params.extend(settings::searching().into_iter().filter(|param| param.key != "terminal"));
    AgentInfo {
        kind: "mcts",
        summary: "Plays the game out at random from where its tree ends, and lets the tree grow \
                  where that went well",
        params,
        example: "kind = \"mcts\"\nsimulations = 10000",
    }
}

/// Builds the agent.
pub(super) fn build<G: Configurable>(
    game: &G,
    values: &Values,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    let simulations = settings::unsigned(values, "simulations");
    let limits = budget::shallow(values);
    if simulations.is_none() && limits == Limits::default() {
        return Err(ParamError::at(
            "simulations",
            "`mcts` needs to know when to stop",
            "give `simulations`, `nodes` or `movetime`, or several of them",
        ));
    }
    let plies = settings::unsigned(values, "playout_plies");
    if plies.is_none() && game.hints().max_plies().is_some() {
        let idle = ["evaluator", "weights"].into_iter().find(|key| values.get(key).is_some());
        if let Some(key) = idle {
            return Err(ParamError::at(
                key,
                format!("`{key}` means nothing to `mcts` where every playout comes to its end"),
                format!("set `playout_plies`, after which it decides, or leave `{key}` out"),
            ));
        }
    }
    let tree_mb = settings::given(settings::unsigned(values, "tree_mb")) as usize;
    if !tree_fits::<G>(tree_mb) {
        return Err(ParamError::at(
            "tree_mb",
            format!("there is no memory for a tree of {tree_mb} MB"),
            "each worker has a tree of its own; take a smaller one",
        ));
    }
    let reuse = settings::given(values.bool("reuse"));
    if reuse && tree_mb < 2 {
        return Err(ParamError::at(
            "tree_mb",
            "half of the tree's memory is for its reuse, and 1 MB is too little for that",
            "give it 2 MB or more",
        ));
    }
    let options = MctsOptions {
        exploration: settings::given(values.float("exploration")),
        tree_mb,
        playout_plies: plies.map(|plies| plies as u32),
        reuse,
    };
    // Few simulations end with an evaluation: it need not be compiled into the search.
    let search = Mcts::new(settings::evaluator(game, values)?, options);
    let own = (simulations, limits);
    Ok(Box::new(Searcher { search, own, simulations, limits, ties: Ties::of(values) }))
}

struct Searcher<G: Game> {
    search: Mcts<G, AnyEvaluator<G>>,
    own: (Option<u64>, Limits),
    simulations: Option<u64>,
    limits: Limits,
    ties: Ties,
}

impl<G: Game> Agent<G> for Searcher<G> {
    fn new_game(&mut self, _game: &G, _player: Player) {
        self.search.new_game();
    }

    /// A limit on the depth alone says nothing to it.
    fn think_within(&mut self, limits: Option<&Limits>, stop: Option<Stop>) {
        let known = |limits: &&Limits| limits.depth.is_none() || limits.interrupts();
        let (simulations, limits) = limits.filter(known).map_or(self.own, |limits| (None, *limits));
        self.simulations = simulations;
        self.limits = Limits { depth: None, stop, ..limits };
    }

    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        let mut moves = Vec::new();
        ply.game.moves(ply.state, &mut moves);
        // Where there is nothing to choose nothing is drawn: the record tells games with
        // chance by the words drawn.
        let seed = if moves.len() > 1 { ply.rng.next_u64() } else { 0 };
        let answer = self.search.search(
            ply.game,
            ply.state,
            ply.history,
            self.simulations,
            &self.limits,
            seed,
        );
        ply.report(answer.stats, answer.value);
        Ok(self.ties.choose(&answer.best, ply.rng))
    }
}
