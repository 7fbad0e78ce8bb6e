//! Parameters that search agents share, and the choice between equal moves.

use rand::rngs::ChaCha8Rng;

use super::agent_trait::MoveRequest;
use super::softmax_choice;
use crate::games::{AnyEvaluator, Configurable, EvaluatorVisitor, Game, Weights, below};
use crate::params::ParamError;
use crate::search::{SearchStats, Terminal};

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
    /// Chooses a move. A single move needs no random number.
    pub(super) fn choose<M: Copy>(self, best: &[M], rng: &mut ChaCha8Rng) -> M {
        if self == Ties::First || best.len() == 1 {
            best[0]
        } else {
            best[below(rng, best.len() as u32) as usize]
        }
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

impl Knowledge {
    /// The evaluator of the config, or the game's first evaluator.
    pub(super) fn evaluator<G: Configurable>(
        self,
        game: &G,
    ) -> Result<AnyEvaluator<G>, ParamError> {
        let (name, weights) = self.named(game);
        game.evaluator(&name, &weights)
    }

    /// Calls the visitor with the evaluator of the config, or with the game's first evaluator.
    pub(super) fn visit<G: Configurable, V: EvaluatorVisitor<G>>(
        self,
        game: &G,
        visitor: V,
    ) -> Result<V::Out, ParamError> {
        let (name, weights) = self.named(game);
        game.with_evaluator(&name, &weights, visitor)
    }

    fn named<G: Configurable>(self, game: &G) -> (String, Weights) {
        let first = || game.evaluators().first().map_or("zero", |info| info.name).to_owned();
        (self.evaluator.unwrap_or_else(first), self.weights.unwrap_or_default())
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
                let message = format!("`{key}` means nothing with {setting} = \"{word}\"");
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

/// The error of a search without averages for a game with chance.
pub(super) fn needs_averages(agent: &str, game: &str) -> ParamError {
    let message = format!("`{agent}` does not support games with chance (`{game}`)");
    ParamError::at("kind", message, "use `expectimax`")
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
