//! Rules by a program of any language, behind a pipe: one more game, which no other layer knows.
//!
//! The program answers questions, each of them one line. Its answer for a position has all that agon
//! needs: the state as text, who is to move and the moves, or the result. The page
//! `docs/your-own-game.md` has the words of the protocol.

mod known_positions;
mod position;
mod program_game;
mod program_solver;
mod rules_failure;
mod rules_process;
mod trial_game;

pub use program_game::ProgramGame;
pub use rules_failure::RulesFailure;
