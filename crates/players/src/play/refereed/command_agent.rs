//! `command`: a player that the referee of the game starts.

use super::refereed_game::RefereedGame;
use crate::agents::{
    Agent, AgentInfo, Fault, FaultKind, MoveRequest, PLAYER_COMMAND, PlayerCommand,
};
use crate::params::ParamError;

pub(in crate::play) fn info() -> AgentInfo {
    AgentInfo::of::<PlayerCommand>(
        PLAYER_COMMAND,
        "A program that the referee of the game starts; for games by a referee",
        "kind = \"command\"\ncommand = \"./bot\"",
    )
}

/// Checks the command. The referee starts it, so nothing is started here.
pub(in crate::play) fn build(
    game: &RefereedGame,
    player: PlayerCommand,
) -> Result<Box<dyn Agent<RefereedGame>>, ParamError> {
    player.check(game.dir())?;
    Ok(Box::new(CommandAgent))
}

struct CommandAgent;

impl Agent<RefereedGame> for CommandAgent {
    fn choose(&mut self, _: &mut MoveRequest<'_, RefereedGame>) -> Result<(), Box<Fault>> {
        let detail = "a referee asks this agent for its moves".to_owned();
        Err(Box::new(Fault { kind: FaultKind::Rules, detail }))
    }
}
