//! What all searching agents take, and how they choose between equal moves.

use rand::rngs::ChaCha8Rng;

use super::agent::Ply;
use crate::games::{
    AnyEvaluator, Configurable, EvaluatorInfo, EvaluatorVisitor, Game, Player, SearchHints,
    Weights, below,
};
use crate::params::{Default, Depth, Param, ParamError, Type, Values};
use crate::search::{MAX_DEPTH, SearchStats, Terminal};

/// How an agent chooses among moves that tie for best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ties {
    /// The first in the game's order.
    First,
    /// Any of them, equally likely.
    Random,
}

impl Ties {
    /// What the values of a searching agent say.
    pub(super) fn of(values: &Values) -> Self {
        if values.text("ties") == Some("random") { Ties::Random } else { Ties::First }
    }

    /// Chooses; draws nothing where there is nothing to choose.
    pub(super) fn choose<M: Copy>(self, best: &[M], rng: &mut ChaCha8Rng) -> M {
        if self == Ties::First || best.len() == 1 {
            best[0]
        } else {
            best[below(rng, best.len() as u32) as usize]
        }
    }
}

/// The value of a parameter that has a default. The catalogue fills defaults in before an agent
/// is built, so that each default is stated once: in the list of parameters.
pub(super) fn given<T>(value: Option<T>) -> T {
    value.expect("the catalogue has filled in the defaults")
}

/// What the values of a searching agent say of finished positions.
pub(super) fn terminal(values: &Values) -> Terminal {
    Terminal::from_word(given(values.text("terminal")))
}

/// The parameters that every searching agent takes.
pub(super) fn searching() -> Vec<Param> {
    vec![
        Param {
            key: "evaluator",
            ty: Type::Text,
            default: Default::Absent,
            help: "scores positions at the horizon; the game's first evaluator if not given",
        },
        Param {
            key: "weights",
            ty: Type::Weights,
            default: Default::Absent,
            help: "weights of the evaluator's features; those not named keep their defaults",
        },
        Param::choice(
            "terminal",
            Terminal::WORDS,
            "outcome",
            "score finished positions by the outcome (sooner wins better) or by the evaluator",
        ),
        Param::choice(
            "ties",
            &["first", "random"],
            "first",
            "among equal moves take the first in the game's order, or any (seeded)",
        ),
    ]
}

/// The evaluator that the values name, or the game's first.
pub(super) fn evaluator<G: Configurable>(
    game: &G,
    values: &Values,
) -> Result<AnyEvaluator<G>, ParamError> {
    let none = Weights::new();
    let name = evaluator_name(values, game.evaluators());
    game.evaluator(&name, values.weights("weights").unwrap_or(&none))
}

/// Calls the visitor with the evaluator that the values name, or the game's first.
pub(super) fn with_evaluator<G: Configurable, V: EvaluatorVisitor<G>>(
    game: &G,
    values: &Values,
    visitor: V,
) -> Result<V::Out, ParamError> {
    let none = Weights::new();
    let name = evaluator_name(values, game.evaluators());
    game.with_evaluator(&name, values.weights("weights").unwrap_or(&none), visitor)
}

fn evaluator_name(values: &Values, offered: Vec<EvaluatorInfo>) -> String {
    let default = offered.first().map_or("zero", |info| info.name);
    values.text("evaluator").unwrap_or(default).to_owned()
}

/// Refuses games with chance, for searches that do not average.
pub(super) fn without_chance<G: Configurable>(game: &G, agent: &str) -> Result<(), ParamError> {
    if game.has_chance() {
        return Err(ParamError::at(
            "kind",
            format!("`{agent}` cannot play {}, where chance has a say", G::KIND),
            "use `expectimax`",
        ));
    }
    Ok(())
}

/// The whole-number parameter of a checked spec as an unsigned number.
pub(super) fn unsigned(values: &Values, key: &str) -> Option<u64> {
    values.int(key).and_then(|v| u64::try_from(v).ok())
}

/// The depth of an agent that needs one, in plies.
///
/// # Errors
/// If it is missing or out of range.
pub(super) fn depth<G: Game>(game: &G, values: &Values) -> Result<u32, ParamError> {
    let Some(depth) = values.get("depth").and_then(Depth::of) else {
        return Err(ParamError::at(
            "depth",
            "the depth is missing",
            "for example `depth = 4` for plies, or `depth = \"2r\"` for rounds",
        ));
    };
    let (plies, remedy) = match depth {
        Depth::Plies(plies) => {
            let remedy = format!("1 to {MAX_DEPTH}; 1 looks at the positions after the own moves");
            (u64::from(plies), remedy)
        }
        Depth::Rounds(rounds) => {
            let each = game.hints().plies_per_round().max(1);
            let most = MAX_DEPTH / each;
            let remedy = format!("a round has {each} plies here: at most `\"{most}r\"`");
            (u64::from(rounds) * u64::from(each), remedy)
        }
    };
    if (1..=u64::from(MAX_DEPTH)).contains(&plies) {
        Ok(plies as u32)
    } else {
        Err(ParamError::at("depth", format!("no search looks {plies} plies ahead"), remedy))
    }
}

/// The parameter `depth`.
pub(super) fn depth_param() -> Param {
    let help = "plies of look-ahead, 1 being the own moves; or rounds, as in \"2r\", in which \
                everybody moves once";
    Param::of("depth", Type::Depth { max: MAX_DEPTH.into() }, help)
}

/// The parameter `epsilon`, a probability.
pub(super) fn epsilon_param(help: &'static str) -> Param {
    Param::float("epsilon", 0.0, 1.0, 0.0, help).optional()
}

/// The parameter `temperature`, in units of values.
pub(super) fn temperature_param(help: &'static str) -> Param {
    Param::float("temperature", 1e-6, 1e12, 1.0, help).optional()
}

/// Reports a search that valued all moves: the position is worth what the best is.
pub(super) fn report_values<G: Game>(
    ply: &mut Ply<'_, G>,
    stats: SearchStats,
    values: &[(G::Move, f64)],
) {
    let all = values.iter().map(|&(_, value)| value);
    let value = match ply.player {
        Player::First => all.fold(f64::NEG_INFINITY, f64::max),
        Player::Second => all.fold(f64::INFINITY, f64::min),
    };
    ply.report(stats, value);
}
