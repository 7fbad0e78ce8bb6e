//! `directional`: usually plays the move that looks best without search. For Pacman's ghosts.

use super::agent_trait::{Agent, AgentInfo, Fault, MoveRequest};
use super::softmax_choice;
use crate::games::pacman::{PacmanMove, PacmanState};
use crate::games::{Game, Pacman, SearchHints, below};
use crate::params::ParamError;

pub(super) const KIND: &str = "directional";

crate::params! {
    pub(super) struct DirectionalParams {
        /// probability of such a move; otherwise the move is random
        probability: f64 [0.0..=1.0] = 0.8,
    }
}

pub(super) fn info() -> AgentInfo {
    AgentInfo::of::<DirectionalParams>(
        KIND,
        "Usually moves nearest to Pacman, or farthest while scared; for the ghosts, who move second",
        "kind = \"directional\"\nseat = \"second\"\nprobability = 0.8",
    )
}

pub(super) fn build(
    _game: &Pacman,
    DirectionalParams { probability }: DirectionalParams,
) -> Result<Box<dyn Agent<Pacman>>, ParamError> {
    Ok(Box::new(Directional { probability, moves: Vec::new() }))
}

struct Directional {
    probability: f64,
    moves: Vec<PacmanMove>,
}

impl Agent<Pacman> for Directional {
    /// Played by Pacman, who chases no ghost, the agent goes for adjacent food.
    fn choose(&mut self, request: &mut MoveRequest<'_, Pacman>) -> Result<PacmanMove, Box<Fault>> {
        let (game, state) = (request.game, request.state);
        self.moves.clear();
        game.moves(state, &mut self.moves);
        // A single move needs no random number.
        if self.moves.len() > 1 && softmax_choice::unit(request.rng) < self.probability {
            let hint = |mv: &PacmanMove| game.hints().order_hint(state, *mv);
            let best = self.moves.iter().map(hint).max();
            self.moves.retain(|mv| Some(hint(mv)) == best);
        }
        match self.moves.len() as u32 {
            1 => Ok(self.moves[0]),
            count => Ok(self.moves[below(request.rng, count) as usize]),
        }
    }

    fn has_move_probabilities(&self) -> bool {
        true
    }

    fn move_probabilities(&mut self, game: &Pacman, state: &PacmanState, out: &mut Vec<f64>) {
        let hint = |mv: &PacmanMove| game.hints().order_hint(state, *mv);
        self.moves.clear();
        game.moves(state, &mut self.moves);
        let best = self.moves.iter().map(hint).max();
        let mut all = Vec::new();
        softmax_choice::uniform(game, state, &mut all);
        softmax_choice::uniform_among(game, state, &|mv| Some(hint(mv)) == best, out);
        for (chosen, any) in out.iter_mut().zip(all) {
            *chosen = self.probability * *chosen + (1.0 - self.probability) * any;
        }
    }
}
