//! `expectimax`: plays its best against an opponent who errs, and against chance.

use super::agent::{Agent, AgentInfo, Fault, Ply};
use super::settings::{self, Ties};
use super::{budget, worth};
use crate::games::{Configurable, Evaluator, EvaluatorVisitor, Game, Player};
use crate::params::{Param, ParamError, Type, Values};
use crate::search::{Leaves, Limits, Opponent, Pruning, StarExpectimax, StarOptions, Stop};

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    let mut params = budget::deepening().to_vec();
    params.extend([
        Param::choice(
            "opponent",
            Opponent::WORDS,
            "uniform",
            "the opponent plays any move, errs with `epsilon`, by softmax of values, or never",
        ),
        settings::epsilon_param("with opponent = \"epsilon\": how often he plays any move"),
        settings::temperature_param(
            "with opponent = \"softmax\": a move worse by this is e times less likely",
        ),
        Param::of(
            "pruning",
            Type::Choice(Pruning::WORDS),
            "what cannot matter by bounds is left out; if not given, \"star2\" where game and \
             evaluator state bounds that tell something, else \"none\"",
        ),
        Param {
            help: "megabytes of transposition table; none if not given",
            ..budget::table_param().optional()
        },
    ]);
    params.extend(settings::searching());
    params.extend(worth::params());
    AgentInfo {
        kind: "expectimax",
        summary: "Plays its best against chance and an opponent who is not perfect",
        params,
        example: "kind = \"expectimax\"\ndepth = 3\nopponent = \"epsilon\"\nepsilon = 0.2",
    }
}

/// Builds the agent.
pub(super) fn build<G: Configurable>(
    game: &G,
    values: &Values,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    let limits = budget::limits(game, values, "expectimax")?;
    let opponent = opponent(values)?;
    if values.get("pruning").is_some()
        && matches!(opponent, Opponent::Softmax(_))
        && !game.has_chance()
    {
        return Err(ParamError::at(
            "pruning",
            "`pruning` means nothing with opponent = \"softmax\" where chance has no say",
            "leave `pruning` out, or choose another model of the opponent",
        ));
    }
    let visitor = Visitor {
        game,
        limits,
        options: StarOptions {
            terminal: settings::terminal(values),
            opponent,
            utility: worth::utility(values)?,
            pruning: Pruning::None,
            table_mb: budget::table_mb(values)?,
        },
        pruning: values.text("pruning").map(Pruning::from_word),
        ties: Ties::of(values),
    };
    settings::with_evaluator(game, values, visitor)
}

/// The model of the opponent; a parameter of another model is a mistake.
fn opponent(values: &Values) -> Result<Opponent, ParamError> {
    let word = values.text("opponent").unwrap_or("uniform");
    let given = |key: &str| values.float(key);
    for (key, model) in [("epsilon", "epsilon"), ("temperature", "softmax")] {
        if given(key).is_some() && word != model {
            return Err(ParamError::at(
                key,
                format!("`{key}` means nothing with opponent = \"{word}\""),
                format!("set opponent = \"{model}\" or leave `{key}` out"),
            ));
        }
        if given(key).is_none() && word == model {
            return Err(ParamError::at(
                "opponent",
                format!("opponent = \"{word}\" needs `{key}`"),
                format!("for example `{key} = {}`", if key == "epsilon" { "0.2" } else { "50" }),
            ));
        }
    }
    Ok(match (given("epsilon"), given("temperature")) {
        (Some(epsilon), _) => Opponent::Epsilon(epsilon),
        (_, Some(temperature)) => Opponent::Softmax(temperature),
        _ if word == "perfect" => Opponent::Perfect,
        _ => Opponent::Uniform,
    })
}

struct Visitor<'a, G> {
    game: &'a G,
    limits: Limits,
    options: StarOptions,
    /// As the config says; if it says nothing, as fits.
    pruning: Option<Pruning>,
    ties: Ties,
}

impl<G: Game> EvaluatorVisitor<G> for Visitor<'_, G> {
    type Out = Box<dyn Agent<G>>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        let Visitor { game, limits, mut options, pruning, ties } = self;
        let leaves = Leaves { evaluator, terminal: options.terminal };
        options.pruning = pruning.unwrap_or_else(|| Pruning::fit(game, &leaves, options.opponent));
        let search = StarExpectimax::new(leaves.evaluator, options);
        Box::new(Searcher { search, own: limits, limits, ties })
    }
}

struct Searcher<G: Game, E> {
    search: StarExpectimax<G, E>,
    own: Limits,
    limits: Limits,
    ties: Ties,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Searcher<G, E> {
    fn new_game(&mut self, _game: &G, _player: Player) {
        self.search.new_game();
    }

    fn think_within(&mut self, limits: Option<&Limits>, stop: Option<Stop>) {
        self.limits = Limits { stop, ..*limits.unwrap_or(&self.own) };
    }

    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        let ties = self.ties == Ties::Random;
        let answer = self.search.search(ply.game, ply.state, &self.limits, ties);
        ply.report(answer.stats, answer.value);
        Ok(self.ties.choose(&answer.best, ply.rng))
    }

    fn has_move_values(&self) -> bool {
        true
    }

    fn move_values(
        &mut self,
        ply: &mut Ply<'_, G>,
        out: &mut Vec<(G::Move, f64)>,
    ) -> Result<(), Box<Fault>> {
        let stats = self.search.values(ply.game, ply.state, &self.limits, out);
        settings::report_values(ply, stats, out);
        Ok(())
    }
}
