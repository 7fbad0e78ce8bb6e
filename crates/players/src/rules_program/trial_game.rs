//! A random game before a run, which finds the common faults of a program of rules.

use std::time::{Duration, Instant};

use super::position::ProgramState;
use super::rules_failure::RulesFailure;
use super::rules_process::RulesProcess;
use crate::games::key_hash::mix;
use crate::games::{Player, Turn};

/// The longest time for questions of the trial game.
const LONGEST: Duration = Duration::from_secs(1);
/// The largest number of plies of the trial game.
const MOST_PLIES: u64 = 10_000;

/// Plays a random game in which each state is also read again. Returns probable mistakes, as
/// sentences.
pub(super) fn warnings_of_trial_game(
    process: &mut RulesProcess,
    start: &ProgramState,
) -> Result<Vec<String>, RulesFailure> {
    let (begin, mut state, mut turns) = (Instant::now(), start.clone(), [0; 2]);
    for ply in 0..MOST_PLIES {
        process.confirm(&state)?;
        match state.turn() {
            Turn::Over => return Ok(one_sided(turns).into_iter().collect()),
            Turn::Player(player) => turns[player.index()] += 1,
            Turn::Chance => {}
        }
        if begin.elapsed() > LONGEST {
            return Ok(Vec::new());
        }
        let index = mix(ply) % state.moves().len() as u64;
        state = process.after(&state, index as usize)?;
    }
    Ok(vec![format!(
        "a random game has not ended after {MOST_PLIES} plies; `agon check-game` checks the rules"
    )])
}

fn one_sided(turns: [u32; 2]) -> Option<String> {
    let idle = Player::BOTH.into_iter().find(|player| turns[player.index()] == 0)?;
    let other = turns[idle.other().index()];
    // In a game of one or two moves, both players need not move.
    (other > 2).then(|| {
        format!(
            "the {} player never moves in a random game of {other} moves; `agon check-game` checks the \
             rules",
            idle.name()
        )
    })
}
