//! `mcts`: Monte Carlo tree search within a budget.

use rand::Rng;

use super::agent_trait::{Agent, AgentInfo, BuildInner, MoveRequest};
use super::budget_params::{self, MAX_MB, MAX_MOVETIME, MAX_NODES};
use super::search_agent::{Searcher, agent};
use super::search_params::{Choosing, GameFacts, Knowledge, Ties};
use crate::games::{AnyEvaluator, Configurable, Game, GameExt};
use crate::params::{ParamError, Params, Values, megabytes, milliseconds, work};
use crate::search::{Limits, Mcts, MctsOptions, StopSwitch};

pub(super) const KIND: &str = "mcts";

crate::params! {
    pub(super) struct MctsParams {
        /// number of simulations for one move
        simulations: Option<u64> [work(1..=1_000_000_000)] = None,
        /// maximum number of nodes for one move, including those of playouts
        nodes: Option<u64> [work(1..=MAX_NODES)] = None,
        /// milliseconds for one move; games then vary
        movetime: Option<u64> [milliseconds(0..=MAX_MOVETIME)] = None,
        /// UCT exploration constant for means from 0 to 1; larger explores more
        exploration: f64 [0.0..=100.0] = MctsOptions::default().exploration,
        /// simulations of a move after which its mean counts as much as that of all games with this
        /// move later (RAVE); 0: plain UCT
        rave: f64 [0.0..=1e9] = MctsOptions::default().rave,
        /// megabytes of the tree
        tree_mb: usize [megabytes(1..=MAX_MB)] = MctsOptions::default().tree_mb,
        /// reuse the tree of the previous move; this takes half of the memory
        reuse: bool = MctsOptions::default().reuse,
        /// plies after which the evaluator decides a playout; default: 1000 in games
        /// that might not end, else no limit
        playout_plies: Option<u32> [0..=1_000_000] = None,
        /// What it knows; ends of games are counted as they are.
        knowledge: Knowledge = Knowledge::default(),
        /// How it chooses.
        choosing: Choosing = Choosing::default(),
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<MctsParams>(
        KIND,
        "Monte Carlo tree search (UCT) with random playouts",
        "kind = \"mcts\"\nsimulations = 10000",
    )
}

pub(super) struct Plan {
    simulations: Option<u64>,
    limits: Limits,
    options: MctsOptions,
    ties: Ties,
    knowledge: Knowledge,
}

/// # Errors
/// Parameters that do not work together, or that do not suit the game.
pub(super) fn plan(values: &Values, game: &GameFacts) -> Result<Plan, ParamError> {
    let params = MctsParams::read(values)?;
    params.check(game)?;
    let limits = budget_params::limits(params.nodes, params.movetime);
    let MctsParams { simulations, exploration, rave, tree_mb, playout_plies, reuse, .. } = params;
    let options = MctsOptions { exploration, rave, tree_mb, playout_plies, reuse };
    let (knowledge, ties) = (params.knowledge, params.choosing.ties);
    Ok(Plan { simulations, limits, options, ties, knowledge })
}

pub(super) fn build<G: Configurable>(
    game: &G,
    plan: &Plan,
    _: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    // Few simulations end with an evaluation, so a virtual call is fast enough.
    let search = Mcts::new(plan.knowledge.evaluator(game)?, plan.options);
    let budget = MctsBudget::new(plan.simulations, plan.limits);
    Ok(agent(Box::new(MctsSearcher { search, budget }), plan.ties))
}

impl MctsParams {
    /// # Errors
    /// Parameters that do not work together, or that need more memory than the machine has.
    fn check(&self, facts: &GameFacts) -> Result<(), ParamError> {
        let game = facts.kind;
        if self.rave > 0.0 && !facts.has_amaf {
            let message =
                format!("`{game}` has no moves that are worth about the same early and late");
            let help = "leave `rave` out; it is for games where stones are placed";
            return Err(ParamError::at("rave", message, help));
        }
        if self.simulations.is_none() && self.nodes.is_none() && self.movetime.is_none() {
            return Err(ParamError::at(
                "simulations",
                "`mcts` needs to know when to stop",
                "give `simulations`, `nodes` or `movetime`, or several of them",
            ));
        }
        let Knowledge { evaluator, weights } = &self.knowledge;
        let given = [("evaluator", evaluator.is_some()), ("weights", weights.is_some())];
        let idle = given.into_iter().find(|(_, is_given)| *is_given);
        if let Some((key, _)) = idle.filter(|_| self.playout_plies.is_none() && facts.ends) {
            return Err(ParamError::at(
                key,
                format!(
                    "`{key}` has no effect: every playout of `mcts` reaches the end of the game"
                ),
                format!("set `playout_plies`, after which it decides, or leave `{key}` out"),
            ));
        }
        if !(facts.tree_fits)(self.tree_mb) {
            return Err(ParamError::at(
                "tree_mb",
                format!("not enough memory for a tree of {} MB", self.tree_mb),
                "each worker has a tree of its own; take a smaller one",
            ));
        }
        if self.reuse && self.tree_mb < 2 {
            return Err(ParamError::at(
                "tree_mb",
                "half of the tree's memory is for its reuse, and 1 MB is too little for that",
                "give it 2 MB or more",
            ));
        }
        Ok(())
    }
}

/// The agent's own simulations and limits, and those of the next moves.
struct MctsBudget {
    own: (Option<u64>, Limits),
    simulations: Option<u64>,
    limits: Limits,
}

impl MctsBudget {
    fn new(simulations: Option<u64>, limits: Limits) -> Self {
        MctsBudget { own: (simulations, limits), simulations, limits }
    }

    /// Ignores a limit on the depth.
    fn set(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        let (simulations, own) = self.own;
        let known = |limits: &&Limits| limits.depth.is_none() || limits.interrupts();
        let (simulations, limits) = match limits.filter(known) {
            None => (simulations, own),
            Some(host) if host.is_only_time() => (simulations, host.with_own(&own)),
            Some(host) => (None, *host),
        };
        self.simulations = simulations;
        self.limits = Limits { depth: None, stop, ..limits };
    }
}

struct MctsSearcher<G: Game> {
    search: Mcts<G, AnyEvaluator<G>>,
    budget: MctsBudget,
}

impl<G: Game> Searcher<G> for MctsSearcher<G> {
    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        self.budget.set(limits, stop);
    }

    fn is_timed(&self) -> bool {
        self.budget.own.1.movetime.is_some()
    }

    fn search(&mut self, request: &mut MoveRequest<'_, G>, _ties: bool) -> Vec<G::Move> {
        let moves = request.game.legal_moves(request.state);
        // A single move needs no random number. A record shows games with chance by the number of
        // words drawn.
        let seed = if moves.len() > 1 { request.rng.next_u64() } else { 0 };
        let answer = self.search.search(
            request.game,
            request.state,
            request.history,
            self.budget.simulations,
            &self.budget.limits,
            seed,
        );
        request.report(answer.stats, answer.value);
        answer.best
    }

    fn has_values(&self) -> bool {
        false
    }

    fn values(&mut self, _: &mut MoveRequest<'_, G>, out: &mut Vec<(G::Move, f64)>) {
        out.clear();
    }
}
