//! `alphabeta`: the same moves as minimax with far fewer nodes, within a budget.

use super::agent_trait::{Agent, AgentInfo, BuildInner, MoveRequest};
use super::budget_params::{self, Deepening, MAX_MB};
use super::search_agent::{Searcher, agent};
use super::search_params::{self, AgentLimits, GameFacts, Knowledge, Searching, Ties};
use super::utility_params::UtilityParams;
use crate::games::{Configurable, Evaluator, EvaluatorVisitor, Game, MAX_VALUE};
use crate::params::{ParamError, Params, Values, megabytes};
use crate::search::{AlphaBeta, AlphaBetaOptions, Limits, Ordering, StopSwitch, Terminal, Utility};

pub(super) const KIND: &str = "alphabeta";

crate::params! {
    pub(super) struct AlphaBetaParams {
        /// How long it may think.
        budget: Deepening = Deepening::default(),
        /// move ordering: none, by the game's hint, or full: by table, killers, history
        /// and hint
        ordering: Ordering = Ordering::default(),
        /// with full ordering: killer moves, two per ply (default: yes)
        killers: Option<bool> = None,
        /// with full ordering: history heuristic (default: yes)
        history: Option<bool> = None,
        /// megabytes of the transposition table; 0: no table
        table_mb: usize [megabytes(0..=MAX_MB)] = 16,
        /// detect immediate wins and forced replies without search (default: with full
        /// ordering)
        forced_moves: Option<bool> = None,
        /// principal variation search (default: with full ordering)
        pvs: Option<bool> = None,
        /// half width of the aspiration window around the value of the previous depth;
        /// 0: full window
        aspiration: i32 [0..=i64::from(MAX_VALUE)] = 0,
        /// late move reductions; may change values
        lmr: bool = false,
        /// quiescence search: follow noisy moves beyond the horizon
        quiescence: bool = false,
        /// null-move pruning; may change values
        null_move: bool = false,
        /// How it searches.
        searching: Searching = Searching::default(),
        /// What values are worth to it.
        utility: UtilityParams = UtilityParams::default(),
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<AlphaBetaParams>(
        KIND,
        "Alpha-beta: the moves of minimax with far fewer nodes",
        "kind = \"alphabeta\"\ndepth = 8",
    )
}

/// The checked parameters: the evaluator, and the rest.
pub(super) type Plan = (Knowledge, Visitor);

/// # Errors
/// Parameters that do not work together, or that do not suit the game.
pub(super) fn plan(values: &Values, game: &GameFacts) -> Result<Plan, ParamError> {
    let params = AlphaBetaParams::read(values)?;
    game.needs_no_averages(KIND)?;
    let limits = params.budget.limits(game.plies_per_round, KIND)?;
    params.check(game)?;
    let options = params.options();
    let Searching { knowledge, choosing, .. } = params.searching;
    let utility = params.utility.utility()?;
    Ok((knowledge, Visitor { limits, options, ties: choosing.ties, utility }))
}

pub(super) fn build<G: Configurable>(
    game: &G,
    (knowledge, visitor): &Plan,
    _: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    if G::ALWAYS_CHANCE {
        unreachable!("a plan for a game without chance");
    }
    knowledge.visit(game, visitor)
}

impl AlphaBetaParams {
    /// # Errors
    /// A setting without effect, or a table without memory.
    fn check(&self, facts: &GameFacts) -> Result<(), ParamError> {
        let game = facts.kind;
        budget_params::check_table(self.table_mb)?;
        let refuse = |key: &str, message: String| {
            Err(ParamError::at(key, message, format!("leave `{key}` out")))
        };
        if self.quiescence && !facts.has_noisy {
            return refuse("quiescence", format!("{game} names no noisy moves to follow"));
        }
        if self.null_move && !facts.has_pass {
            return refuse("null_move", format!("{game} offers no passes to prune with"));
        }
        for (key, value) in [("killers", self.killers), ("history", self.history)] {
            if self.ordering != Ordering::Full && value == Some(true) {
                let message = format!("`{key}` has no effect unless `ordering = \"full\"`");
                return refuse(key, message);
            }
        }
        if self.ordering == Ordering::None && self.lmr {
            let message = "`lmr` looks less deeply at moves that are ordered late, and \
                           `ordering = \"none\"` orders none";
            return refuse("lmr", message.to_owned());
        }
        if self.searching.terminal != Terminal::Outcome && self.forced_moves == Some(true) {
            let message = "`forced_moves` knows what wins at once are worth only by their outcome";
            return refuse("forced_moves", message.to_owned());
        }
        if !facts.has_threats && self.forced_moves == Some(true) {
            return refuse("forced_moves", format!("{game} does not tell of wins at once"));
        }
        Ok(())
    }

    /// The options of the search. Full ordering switches more of them on.
    fn options(&self) -> AlphaBetaOptions {
        let full = self.ordering == Ordering::Full;
        let on = |switch: Option<bool>| switch.unwrap_or(full);
        let terminal = self.searching.terminal;
        AlphaBetaOptions {
            terminal,
            ordering: self.ordering,
            killers: full && on(self.killers),
            history: full && on(self.history),
            forced_moves: terminal == Terminal::Outcome && on(self.forced_moves),
            pvs: on(self.pvs),
            null_move: self.null_move,
            aspiration: self.aspiration,
            lmr: self.lmr,
            table_mb: self.table_mb,
            quiescence: self.quiescence,
        }
    }
}

pub(super) struct Visitor {
    limits: Limits,
    options: AlphaBetaOptions,
    ties: Ties,
    utility: Utility,
}

impl<G: Game> EvaluatorVisitor<G> for &Visitor {
    type Out = Box<dyn Agent<G>>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        let search = AlphaBeta::new(evaluator, self.options);
        let (limits, utility) = (AgentLimits::new(self.limits), self.utility.clone());
        let values = Vec::new();
        agent(Box::new(AlphaBetaSearcher { search, limits, utility, values }), self.ties)
    }
}

struct AlphaBetaSearcher<G: Game, E> {
    search: AlphaBeta<G, E>,
    limits: AgentLimits,
    /// Increasing, so the agent applies it only to the result of the search.
    utility: Utility,
    values: Vec<(G::Move, i32)>,
}

impl<G: Game, E: Evaluator<G>> Searcher<G> for AlphaBetaSearcher<G, E> {
    fn new_game(&mut self) {
        self.search.new_game();
    }

    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        self.limits.set(limits, stop);
    }

    fn is_timed(&self) -> bool {
        self.limits.own.movetime.is_some()
    }

    fn search(&mut self, request: &mut MoveRequest<'_, G>, ties: bool) -> Vec<G::Move> {
        self.search.remember(request.history);
        let answer = self.search.search(request.game, request.state, &self.limits.now, ties);
        request.report(answer.stats, self.utility.apply(answer.value, request.player));
        answer.best
    }

    fn values(&mut self, request: &mut MoveRequest<'_, G>, out: &mut Vec<(G::Move, f64)>) {
        self.search.remember(request.history);
        let limits = &self.limits.now;
        let stats = self.search.values(request.game, request.state, limits, &mut self.values);
        search_params::report_utilities(request, stats, &self.values, &self.utility, out);
    }
}
