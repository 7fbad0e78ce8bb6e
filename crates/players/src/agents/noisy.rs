//! `noisy`: wraps another agent and adds random mistakes.

use std::sync::Arc;

use super::agent_trait::{
    Agent, AgentInfo, AnswerCounts, BuildInner, ExternalAgent, Fault, GameSoFar, MoveRequest,
};
use super::engine;
use super::search_params::GameFacts;
use super::softmax_choice;
use crate::engine::{EngineContext, TimeControl, TranscriptLine};
use crate::games::{Configurable, Game, Player, Shortcuts};
use crate::params::{ParamError, Params, Spec, Value, Values};
use crate::search::{Limits, StopSwitch};

pub(super) const KIND: &str = "noisy";

crate::params! {
    pub(super) struct NoisyParams {
        /// the wrapped agent, a table with its own kind
        agent: Box<Spec>,
        /// probability of a random legal move instead of the agent's move
        epsilon: Option<f64> [0.0..=1.0] = None,
        /// softmax of the agent's values: a move that is worse by this value is e times
        /// less likely
        temperature: Option<f64> [1e-6..=1e12] = None,
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<NoisyParams>(
        KIND,
        "Wraps another agent and adds random mistakes: at a fixed rate, or by softmax of the values",
        "kind = \"noisy\"\nagent = { kind = \"alphabeta\", depth = 6 }\nepsilon = 0.1",
    )
}

pub(super) type Plan = NoisyParams;

pub(super) fn plan(values: &Values, _: &GameFacts) -> Result<Plan, ParamError> {
    Plan::read(values)
}

pub(super) fn build<G: Configurable>(
    _: &G,
    params: &Plan,
    inner: BuildInner<G>,
) -> Result<Box<dyn Agent<G>>, ParamError> {
    let inner = inner(&params.agent).map_err(inside)?;
    let noise = params.noise(inner.has_move_values())?;
    Ok(Box::new(Noisy {
        inner,
        noise,
        knows_probabilities: !may_vary(&params.agent),
        moves: Vec::new(),
        values: Vec::new(),
        weights: Vec::new(),
        proposal: None,
    }))
}

impl NoisyParams {
    fn noise(&self, has_move_values: bool) -> Result<Noise, ParamError> {
        match (self.epsilon, self.temperature) {
            (Some(epsilon), None) => Ok(Noise::Epsilon(epsilon)),
            (None, Some(_)) if !has_move_values => Err(ParamError::at(
                "temperature",
                format!("`{}` has no values of moves to choose by", self.agent.kind),
                "use `epsilon`, or an agent that values every move",
            )),
            (None, Some(temperature)) => Ok(Noise::Softmax(temperature)),
            (None, None) => Err(ParamError::at(
                "agent",
                "`noisy` needs to know how to err",
                "give `epsilon` or `temperature`",
            )),
            (Some(_), Some(_)) => Err(ParamError::at(
                "temperature",
                "`noisy` errs by `epsilon` or by `temperature`, not by both",
                "leave one of them out",
            )),
        }
    }
}

/// Whether the agent may answer differently when it is asked again: an engine or a time limit.
fn may_vary(Spec { kind, values }: &Spec) -> bool {
    let inside = |value: Option<&Value>| matches!(value, Some(Value::Spec(spec)) if may_vary(spec));
    kind == engine::KIND || values.get("movetime").is_some() || inside(values.get("agent"))
}

/// Moves an error of the inner agent to the key of that agent.
fn inside(error: ParamError) -> ParamError {
    let key = error.key.map(|key| format!("`{key}`: ")).unwrap_or_default();
    ParamError::at("agent", format!("{key}{}", error.message), error.help)
}

enum Noise {
    Epsilon(f64),
    Softmax(f64),
}

struct Noisy<G: Game> {
    inner: Box<dyn Agent<G>>,
    noise: Noise,
    /// False if the inner agent may answer differently when it is asked again.
    knows_probabilities: bool,
    moves: Vec<G::Move>,
    values: Vec<(G::Move, f64)>,
    /// The weights of the last softmax; empty before a single move.
    weights: Vec<f64>,
    /// The inner agent's move before the noise, if there was a choice.
    proposal: Option<G::Move>,
}

impl<G: Game> Agent<G> for Noisy<G> {
    fn external(&mut self) -> Option<&mut dyn ExternalAgent> {
        self.inner.external()?;
        Some(self)
    }

    fn game_over(&mut self, game_so_far: GameSoFar<'_>, payoff: i32) {
        self.inner.game_over(game_so_far, payoff);
    }

    fn new_game(&mut self, game: &G, player: Player) {
        self.inner.new_game(game, player);
    }

    fn set_limits(&mut self, limits: Option<&Limits>, stop: Option<StopSwitch>) {
        self.inner.set_limits(limits, stop);
    }

    fn choose(&mut self, request: &mut MoveRequest<'_, G>) -> Result<G::Move, Box<Fault>> {
        self.moves.clear();
        request.game.moves(request.state, &mut self.moves);
        self.proposal = None;
        self.weights.clear();
        if self.moves.len() == 1 {
            // A single move needs no random number. A record shows games with chance by the number
            // of words drawn.
            return self.inner.choose(request);
        }
        match self.noise {
            Noise::Epsilon(epsilon) => {
                let mut noise = None;
                if epsilon > 0.0 && softmax_choice::unit(request.rng) < epsilon {
                    let (rng, moves) = (&mut *request.rng, &mut self.moves);
                    noise = Some(request.game.shortcuts().random_move(request.state, rng, moves));
                }
                if let Some(mv) = noise
                    && !self.knows_probabilities
                {
                    return Ok(mv);
                }
                // The probability of every move depends on the inner agent's move, also of a random
                // move. The inner agent may learn from each question, so it is always asked.
                let proposal = self.inner.choose(request)?;
                self.proposal = Some(proposal);
                Ok(noise.unwrap_or(proposal))
            }
            Noise::Softmax(temperature) => {
                self.inner.move_values(request, &mut self.values)?;
                let (player, rng) = (request.player, &mut *request.rng);
                Ok(softmax_choice::softmax(
                    &self.values,
                    player,
                    temperature,
                    rng,
                    &mut self.weights,
                ))
            }
        }
    }

    fn has_move_probabilities(&self) -> bool {
        self.knows_probabilities
    }

    fn move_probabilities(&mut self, game: &G, state: &G::State, out: &mut Vec<f64>) {
        out.clear();
        match self.noise {
            Noise::Epsilon(epsilon) => {
                let Some(proposal) = self.proposal else {
                    return self.inner.move_probabilities(game, state, out);
                };
                self.inner.move_probabilities(game, state, out);
                if out.is_empty() {
                    softmax_choice::uniform_among(game, state, &|mv| *mv == proposal, out);
                }
                add_noise(out, epsilon);
            }
            Noise::Softmax(_) => {
                out.clone_from(&self.weights);
                softmax_choice::normalise(out);
            }
        }
    }
}

impl<G: Game> Noisy<G> {
    fn program(&mut self) -> &mut dyn ExternalAgent {
        self.inner.external().expect("an agent with a program")
    }
}

/// The program is that of the inner agent.
impl<G: Game> ExternalAgent for Noisy<G> {
    fn attach(&mut self, engine_context: &Arc<EngineContext>, name: &str) {
        self.program().attach(engine_context, name);
    }

    fn start_for_check(&mut self) {
        self.program().start_for_check();
    }

    fn prepare(&mut self) {
        self.program().prepare();
    }

    fn announce_game(&mut self) {
        self.program().announce_game();
    }

    fn is_starting(&mut self) -> bool {
        self.program().is_starting()
    }

    fn await_ready(&mut self) {
        self.program().await_ready();
    }

    fn check(&mut self) -> Result<(), ParamError> {
        self.program().check().map_err(inside)
    }

    fn answer_counts(&mut self) -> AnswerCounts {
        self.program().answer_counts()
    }

    fn time_control(&mut self) -> Option<TimeControl> {
        self.program().time_control()
    }

    fn take_transcript(&mut self) -> Vec<TranscriptLine> {
        self.program().take_transcript()
    }

    fn shutdown(&mut self) {
        self.program().shutdown();
    }
}

/// Mixes probabilities with a random move, which has the probability `epsilon`.
fn add_noise(probabilities: &mut [f64], epsilon: f64) {
    let any = epsilon / probabilities.len() as f64;
    probabilities.iter_mut().for_each(|chosen| *chosen = any + (1.0 - epsilon) * *chosen);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TicTacToe;

    /// Keeps the payoff that it was told.
    struct Told(std::sync::mpsc::Sender<i32>);

    impl Agent<TicTacToe> for Told {
        fn game_over(&mut self, _: GameSoFar<'_>, payoff: i32) {
            self.0.send(payoff).expect("the test waits");
        }

        fn choose(&mut self, _: &mut MoveRequest<'_, TicTacToe>) -> Result<u8, Box<Fault>> {
            Ok(0)
        }
    }

    /// Final scores of an engine inside `noisy` were never compared.
    #[test]
    fn the_inner_agent_is_told_the_end_of_the_game() {
        let (sender, told) = std::sync::mpsc::channel();
        let mut noisy = Noisy {
            inner: Box::new(Told(sender)),
            noise: Noise::Epsilon(0.5),
            knows_probabilities: false,
            moves: Vec::new(),
            values: Vec::new(),
            weights: Vec::new(),
            proposal: None,
        };
        noisy.game_over(GameSoFar::nothing(), -1);
        assert_eq!(told.try_recv(), Ok(-1));
    }
}
