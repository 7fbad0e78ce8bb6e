//! Asks agents again in recorded games, for the probabilities of their random choices.

use std::sync::Arc;

use crate::agents::{GameSoFar, SearchInfo};
use crate::games::{Game, Player, Turn};
use crate::params::Spec;
use crate::play::any_game::{AnyGame, DynAgent};
use crate::play::game_in_progress::{GameInProgress, Opening, words};
use crate::play::random_choices::RandomChoices;
use crate::play::random_streams::Streams;

impl AnyGame {
    /// Whether an agent reports the probabilities of its own random choices.
    pub fn reports_choices(&self, spec: &Spec) -> bool {
        self.agent(spec).is_ok_and(|agent| agent.has_move_probabilities())
    }
}

/// Finds the probabilities of choices in recorded games: asks the agents again, with the random
/// numbers of the game.
pub struct ChoiceReader {
    agents: Vec<Spec>,
    reports: Vec<bool>,
    /// By agent: instances for both sides.
    built: Vec<Vec<Box<dyn DynAgent>>>,
    played: GameInProgress<AnyGame>,
}

impl ChoiceReader {
    /// A reader for games of these agents in an experiment with this seed. `tuned` is the number of
    /// agents, from the first one, whose parameters change during the run: their choices cannot be
    /// found again.
    pub fn new(game: &AnyGame, agents: Vec<Spec>, tuned: usize, seed: u64) -> Self {
        ChoiceReader {
            reports: reporting(game, &agents, tuned),
            built: agents.iter().map(|_| Vec::new()).collect(),
            agents,
            played: GameInProgress::new(Arc::new(game.clone()), Streams::new(seed)),
        }
    }

    /// The agents that report their probabilities, of the first and the second side.
    pub fn sides(&self, agents: [usize; 2]) -> [bool; 2] {
        agents.map(|agent| self.reports[agent])
    }

    /// The choices in a game with this number. Both texts are in the format of `games.csv`.
    ///
    /// # Errors
    /// Texts that are not a legal game, or an agent that does not choose the recorded move, in a
    /// sentence for people.
    pub fn choices(
        &mut self,
        game: u64,
        agents: [usize; 2],
        (opening, moves): (&str, &str),
    ) -> Result<RandomChoices, String> {
        let mut choices = RandomChoices { sides: self.sides(agents), moves: Vec::new() };
        if choices.sides == [false; 2] {
            return Ok(choices);
        }
        let ChoiceReader { agents: specs, built, played, .. } = self;
        let rules = Arc::clone(&played.game);
        let mut sides: [Option<Box<dyn DynAgent>>; 2] = [None, None];
        for player in [Player::First, Player::Second] {
            let side = player.index();
            if choices.sides[side] {
                let index = agents[side];
                let mut agent = built[index].pop().map_or_else(|| rules.agent(&specs[index]), Ok);
                let agent_ref = agent.as_mut().map_err(|error| error.to_string())?;
                agent_ref.new_game(&rules, player);
                sides[side] = agent.ok();
            }
        }
        played.streams.rewind(game, game);
        played.play_opening(&Opening::of_record(&rules, opening)?);
        for word in words(moves) {
            let mv = played.read(word)?;
            if let Turn::Player(player) = rules.turn(&played.state)
                && let Some(agent) = &mut sides[player.index()]
            {
                let agent: &mut dyn DynAgent = &mut **agent;
                let mut search_info = SearchInfo::default();
                let answer = played.ask(agent, player, &mut search_info, GameSoFar::nothing());
                let kind = &specs[agents[player.index()]].kind;
                let answer = answer.map_err(|fault| format!("`{kind}` failed: {fault}"))?;
                if answer != mv {
                    return Err(format!(
                        "after ply {} `{kind}` chooses `{}` now and chose `{word}` in the run, so \
                         the probabilities of its choices are not known",
                        played.plies,
                        played.text(answer),
                    ));
                }
                choices.add(agent, &rules, &played.state);
            }
            played.play(mv);
        }
        for (side, agent) in sides.into_iter().enumerate() {
            built[agents[side]].extend(agent);
        }
        Ok(choices)
    }
}

/// Which agents report the probabilities of their choices, if the first `tuned` agents change.
pub(crate) fn reporting(game: &AnyGame, agents: &[Spec], tuned: usize) -> Vec<bool> {
    let agents = agents.iter().enumerate();
    agents.map(|(index, spec)| index >= tuned && game.reports_choices(spec)).collect()
}
