//! `expectimax`: search that averages over chance and over a model of a fallible opponent.

use super::agent_trait::{Agent, AgentInfo, BuildInner, MoveRequest};
use super::budget_params::{self, Deepening, MAX_MB};
use super::search_agent::{Searcher, agent};
use super::search_params::{self, AgentLimits, Belongs, GameFacts, Knowledge, Searching, Ties};
use super::utility_params::UtilityParams;
use crate::games::{AnyEvaluator, Configurable, Game};
use crate::params::{ParamError, Params, Values, megabytes};
use crate::search::{Leaves, Limits, Opponent, Pruning, StarExpectimax, StarOptions, StopSwitch};

pub(super) const KIND: &str = "expectimax";

crate::choice! {
    /// How the opponent plays.
    pub(super) enum Model {
        /// Any move.
        Uniform = "uniform",
        /// His best move, now and then any.
        Epsilon = "epsilon",
        /// Better moves more often.
        Softmax = "softmax",
        /// His best move.
        Perfect = "perfect",
    }
}

crate::params! {
    pub(super) struct ExpectimaxParams {
        /// How long it may think.
        budget: Deepening = Deepening::default(),
        /// model of the opponent: random moves, random with probability `epsilon`,
        /// softmax of values, or optimal
        opponent: Model = Model::Uniform,
        /// with opponent = "epsilon": probability of a random move
        epsilon: Option<f64> [0.0..=1.0] = None,
        /// with opponent = "softmax": a move that is worse by this value is e times
        /// less likely
        temperature: Option<f64> [1e-6..=1e12] = None,
        /// pruning at chance nodes; default: "star2" if the game and the evaluator have
        /// useful bounds, else "none"
        pruning: Option<Pruning> = None,
        /// megabytes of the transposition table; default: no table
        table_mb: Option<usize> [megabytes(0..=MAX_MB)] = None,
        /// How it searches.
        searching: Searching = Searching::default(),
        /// What values are worth to it.
        utility: UtilityParams = UtilityParams::default(),
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<ExpectimaxParams>(
        KIND,
        "Expectimax: averages over chance and over a model of a fallible opponent",
        "kind = \"expectimax\"\ndepth = 3\nopponent = \"epsilon\"\nepsilon = 0.2",
    )
}

pub(super) struct Plan {
    limits: Limits,
    options: StarOptions,
    pruning: Option<Pruning>,
    ties: Ties,
    knowledge: Knowledge,
}

impl Plan {
    fn options_with(&self, pruning: Pruning) -> StarOptions {
        StarOptions { pruning, ..self.options.clone() }
    }
}

/// # Errors
/// Parameters that do not work together, or that do not suit the game.
pub(super) fn plan(values: &Values, game: &GameFacts) -> Result<Plan, ParamError> {
    let params = ExpectimaxParams::read(values)?;
    let limits = params.budget.limits(game.plies_per_round, KIND)?;
    let (opponent, table_mb) = params.checked(game.has_chance)?;
    let (pruning, utility) = (params.pruning, params.utility.utility()?);
    let Searching { knowledge, terminal, choosing } = params.searching;
    let options = StarOptions { terminal, opponent, utility, pruning: Pruning::None, table_mb };
    Ok(Plan { limits, options, pruning, ties: choosing.ties, knowledge })
}

pub(super) fn build<G: Configurable>(
    game: &G,
    plan: &Plan,
    _: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    let StarOptions { terminal, opponent, .. } = plan.options;
    let leaves = Leaves { evaluator: plan.knowledge.evaluator(game)?, terminal };
    let pruning = match plan.pruning {
        Some(pruning) => pruning,
        None => Pruning::fit(game, &leaves, opponent),
    };
    let search = StarExpectimax::new(leaves.evaluator, plan.options_with(pruning));
    let limits = AgentLimits::new(plan.limits);
    Ok(agent(Box::new(ExpectimaxSearcher { search, limits }), plan.ties))
}

impl ExpectimaxParams {
    /// The model of the opponent and the megabytes of the table, if they fit together.
    fn checked(&self, has_chance: bool) -> Result<(Opponent, usize), ParamError> {
        let opponent = self.opponent()?;
        if self.pruning.is_some() && matches!(opponent, Opponent::Softmax(_)) && !has_chance {
            return Err(ParamError::at(
                "pruning",
                "`pruning` has no effect with opponent = \"softmax\" in a game without chance",
                "leave `pruning` out, or choose another model of the opponent",
            ));
        }
        let table_mb = self.table_mb.unwrap_or(0);
        budget_params::check_table(table_mb)?;
        Ok((opponent, table_mb))
    }

    /// The model of the opponent. A parameter of a different model is an error.
    fn opponent(&self) -> Result<Opponent, ParamError> {
        let belongs = |key, is_given, word, example| Belongs { key, is_given, word, example };
        let owned = [
            belongs("epsilon", self.epsilon.is_some(), "epsilon", "epsilon = 0.2"),
            belongs("temperature", self.temperature.is_some(), "softmax", "temperature = 50"),
        ];
        Belongs::check(&owned, "opponent", self.opponent.word())?;
        Ok(match (self.epsilon, self.temperature) {
            (Some(epsilon), _) => Opponent::Epsilon(epsilon),
            (_, Some(temperature)) => Opponent::Softmax(temperature),
            _ if self.opponent == Model::Perfect => Opponent::Perfect,
            _ => Opponent::Uniform,
        })
    }
}

struct ExpectimaxSearcher<G: Game> {
    search: StarExpectimax<G, AnyEvaluator<G>>,
    limits: AgentLimits,
}

impl<G: Game> Searcher<G> for ExpectimaxSearcher<G> {
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
        let answer = self.search.search(request.game, request.state, &self.limits.now, ties);
        request.report(answer.stats, answer.value);
        answer.best
    }

    fn values(&mut self, request: &mut MoveRequest<'_, G>, out: &mut Vec<(G::Move, f64)>) {
        let stats = self.search.values(request.game, request.state, &self.limits.now, out);
        search_params::report_values(request, stats, out);
    }
}
