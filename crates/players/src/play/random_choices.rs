//! The agents' own random choices in a game, with their probabilities.

use crate::agents::Agent;
use crate::games::Game;

/// The probabilities with which agents drew their moves in a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RandomChoices {
    /// By side: whether the agent reports its probabilities.
    pub sides: [bool; 2],
    /// For each move of these sides after the opening: the probabilities of the legal moves, in the
    /// game's order. Empty if the agent drew nothing.
    pub moves: Vec<Vec<f64>>,
}

impl RandomChoices {
    /// Adds the choice of an agent that reports its probabilities.
    pub(super) fn add<G: Game>(&mut self, agent: &mut dyn Agent<G>, game: &G, state: &G::State) {
        let mut probabilities = Vec::new();
        agent.move_probabilities(game, state, &mut probabilities);
        self.moves.push(probabilities);
    }
}
