//! `expectimax`: plays its best against an opponent who errs, and against chance.

use super::agent::{Agent, Fault, Ply};
use super::catalogue::AgentInfo;
use super::settings::{self, Ties};
use crate::games::{Configurable, Evaluator, EvaluatorVisitor, Game};
use crate::params::{Param, ParamError, Values};
use crate::search::{Expectimax, Opponent, Terminal};

/// What the catalogue says.
pub(super) fn info() -> AgentInfo {
    let mut params = vec![
        settings::depth_param().required(),
        Param::choice(
            "opponent",
            Opponent::WORDS,
            "uniform",
            "the opponent plays any move, errs with `epsilon`, or by softmax of values",
        ),
        settings::epsilon_param("with opponent = \"epsilon\": how often he plays any move"),
        settings::temperature_param(
            "with opponent = \"softmax\": a move worse by this is e times less likely",
        ),
    ];
    params.extend(settings::searching());
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
    let visitor = Visitor {
        depth: settings::depth(game, values)?,
        opponent: opponent(values)?,
        terminal: settings::terminal(values),
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
        _ => Opponent::Uniform,
    })
}

struct Visitor {
    depth: u32,
    opponent: Opponent,
    terminal: Terminal,
    ties: Ties,
}

impl<G: Game> EvaluatorVisitor<G> for Visitor {
    type Out = Box<dyn Agent<G>>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        Box::new(Searcher {
            search: Expectimax::new(evaluator, self.terminal, self.opponent),
            depth: self.depth,
            ties: self.ties,
        })
    }
}

struct Searcher<G: Game, E> {
    search: Expectimax<G, E>,
    depth: u32,
    ties: Ties,
}

impl<G: Game, E: Evaluator<G>> Agent<G> for Searcher<G, E> {
    fn choose(&mut self, ply: &mut Ply<'_, G>) -> Result<G::Move, Box<Fault>> {
        let answer = self.search.search(ply.game, ply.state, self.depth);
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
        let stats = self.search.values(ply.game, ply.state, self.depth, out);
        settings::report_values(ply, stats, out);
        Ok(())
    }
}
