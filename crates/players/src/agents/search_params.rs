//! Parameters that search agents share, and the choice between equal moves.

use rand::rngs::ChaCha8Rng;

use super::agent_trait::MoveRequest;
use super::softmax_choice;
use crate::games::{
    AnyEvaluator, Configurable, EvaluatorInfo, EvaluatorVisitor, Game, SearchHints, Threat, Turn,
    Weights, below, has_noisy, has_pass,
};
use crate::params::ParamError;
use crate::search::{Limits, SearchStats, StopSwitch, Terminal, Utility, tree_fits};

crate::choice! {
    /// How an agent chooses among moves that tie for best.
    pub(super) enum Ties {
        /// The first in the game's order.
        First = "first",
        /// Any of them, equally likely.
        Random = "random",
    }
}

crate::params! {
    /// How an agent chooses.
    pub(super) struct Choosing {
        /// choice between equal moves: the first in the game's order, or a random one
        /// (seeded)
        ties: Ties = Ties::First,
    }
}

crate::params! {
    /// What an agent knows of positions.
    pub(super) struct Knowledge {
        /// evaluator of positions at the horizon; default: the game's first evaluator
        evaluator: Option<String> = None,
        /// weights of the evaluator's features; unnamed features keep their defaults
        weights: Option<Weights> = None,
    }
}

crate::params! {
    /// What every search to a horizon takes.
    pub(super) struct Searching {
        /// What it knows.
        knowledge: Knowledge = Knowledge::default(),
        /// value of finished positions: by the outcome (earlier wins are better) or by
        /// the evaluator
        terminal: Terminal = Terminal::default(),
        /// How it chooses.
        choosing: Choosing = Choosing::default(),
    }
}

impl Ties {
    /// Chooses the index of one of so many moves. A single move needs no random number.
    pub(super) fn choose(self, count: usize, rng: &mut ChaCha8Rng) -> usize {
        if self == Ties::First || count == 1 { 0 } else { below(rng, count as u32) as usize }
    }

    /// The probabilities of this choice, for [`Agent::move_probabilities`](super::Agent::move_probabilities).
    pub(super) fn probabilities<G: Game>(
        self,
        best: &[G::Move],
        game: &G,
        state: &G::State,
        out: &mut Vec<f64>,
    ) {
        out.clear();
        if self == Ties::Random && best.len() > 1 {
            softmax_choice::uniform_among(game, state, &|mv| best.contains(mv), out);
        }
    }
}

static NO_WEIGHTS: Weights = Weights::new();

impl Knowledge {
    /// The evaluator of the config, or the game's first evaluator.
    pub(super) fn evaluator<G: Configurable>(
        &self,
        game: &G,
    ) -> Result<AnyEvaluator<G>, ParamError> {
        game.evaluator(self.name(&game.evaluators()), self.weights())
    }

    /// Calls the visitor with the evaluator of the config, or with the game's first evaluator.
    pub(super) fn visit<G: Configurable, V: EvaluatorVisitor<G>>(
        &self,
        game: &G,
        visitor: V,
    ) -> Result<V::Out, ParamError> {
        game.with_evaluator(self.name(&game.evaluators()), self.weights(), visitor)
    }

    fn name(&self, all: &[EvaluatorInfo]) -> &str {
        let first = || all.first().map_or("zero", |info| info.name);
        self.evaluator.as_deref().unwrap_or_else(first)
    }

    fn weights(&self) -> &Weights {
        self.weights.as_ref().unwrap_or(&NO_WEIGHTS)
    }
}

/// A parameter that belongs to one value of another parameter. That value also requires the
/// parameter.
pub(super) struct Belongs {
    pub key: &'static str,
    pub is_given: bool,
    /// The value of the other parameter.
    pub word: &'static str,
    pub example: &'static str,
}

impl Belongs {
    /// # Errors
    /// A parameter that belongs to a different value, or a value without its parameter.
    pub fn check(all: &[Belongs], setting: &str, word: &str) -> Result<(), ParamError> {
        for &Belongs { key, is_given, word: own, example } in all {
            if is_given && word != own {
                let message = format!("`{key}` has no effect with {setting} = \"{word}\"");
                let help = format!("set {setting} = \"{own}\" or leave `{key}` out");
                return Err(ParamError::at(key, message, help));
            }
            if !is_given && word == own {
                let message = format!("{setting} = \"{word}\" needs `{key}`");
                return Err(ParamError::at(setting, message, format!("for example `{example}`")));
            }
        }
        Ok(())
    }
}

/// Reports a search that valued all moves. The value of the position is that of the best move.
pub(super) fn report_values<G: Game>(
    request: &mut MoveRequest<'_, G>,
    stats: SearchStats,
    values: &[(G::Move, f64)],
) {
    let sign = f64::from(request.player.sign());
    let mut best = f64::NEG_INFINITY;
    for &(_, value) in values {
        best = best.max(sign * value);
    }
    request.report(stats, sign * best);
}

/// The same for values of a search without averages; `out` receives their utilities.
pub(super) fn report_utilities<G: Game>(
    request: &mut MoveRequest<'_, G>,
    stats: SearchStats,
    values: &[(G::Move, i32)],
    utility: &Utility,
    out: &mut Vec<(G::Move, f64)>,
) {
    out.clear();
    for &(mv, value) in values {
        out.push((mv, utility.apply(value, request.player)));
    }
    report_values(request, stats, out);
}

/// The agent's own limits, and those of the next moves.
pub(super) struct AgentLimits {
    pub own: Limits,
    pub now: Limits,
}

impl AgentLimits {
    pub fn new(own: Limits) -> Self {
        AgentLimits { own, now: own }
    }

    /// See [`Agent::set_limits`](super::Agent::set_limits).
    pub fn set(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        let limits = limits.map_or(self.own, |limits| limits.with_own(&self.own));
        self.now = Limits { stop, ..limits };
    }
}

/// What the parameters of agents depend on in a game.
pub(super) struct GameFacts {
    pub kind: &'static str,
    pub has_chance: bool,
    pub plies_per_round: u32,
    pub has_noisy: bool,
    pub has_pass: bool,
    /// Whether the game tells of immediate wins without search.
    pub has_threats: bool,
    /// Whether there is memory for a tree of this size in megabytes.
    pub tree_fits: fn(usize) -> bool,
    /// Whether the number of plies is bounded.
    pub ends: bool,
    /// Whether moves have numbers for RAVE.
    pub has_amaf: bool,
}

impl GameFacts {
    pub fn of<G: Configurable>(game: &G) -> Self {
        let hints = game.hints();
        let has_chance = G::ALWAYS_CHANCE || game.has_chance();
        let start = game.start();
        let is_silent = !has_chance
            && matches!(game.turn(&start), Turn::Player(_))
            && hints.threat(&start) == Threat::Unknown;
        GameFacts {
            kind: G::KIND,
            has_chance,
            plies_per_round: hints.plies_per_round(),
            has_noisy: has_noisy::<G>(),
            has_pass: has_pass::<G>(),
            has_threats: !is_silent,
            tree_fits: tree_fits::<G>,
            ends: hints.max_plies().is_some(),
            has_amaf: hints.amaf_moves() > 0,
        }
    }

    /// # Errors
    /// The game has chance, so that a search must average.
    pub fn needs_no_averages(&self, agent: &str) -> Result<(), ParamError> {
        if !self.has_chance {
            return Ok(());
        }
        let message = format!("`{agent}` does not support games with chance (`{}`)", self.kind);
        Err(ParamError::at("kind", message, "use `expectimax`"))
    }
}
