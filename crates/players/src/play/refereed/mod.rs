//! Games by a referee: a program plays one whole game between two commands and prints the result. For
//! agon they are games without positions. The page `docs/your-own-game.md` has the forms of the result.

mod command_agent;
mod game_result;
mod placeholders;
mod program_referee;
mod refereed_game;

pub(super) use command_agent::{build, info};
pub(super) use program_referee::ProgramReferee;
pub use program_referee::REFEREE_LOG;
pub(super) use refereed_game::RefereedGame;
