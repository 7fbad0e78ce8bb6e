//! The picture of Pig: both scores and the goal.

use super::rules::{Phase, Pig, PigState};
use crate::games::game::Player;
use crate::games::picture::{Bar, Body, Picture};
use crate::gather::Each;

/// Both scores, with the turn sum at the end of the mover's bar.
pub(super) fn picture(game: &Pig, state: &PigState) -> Picture {
    let bar = |owner: Player| Bar {
        owner,
        value: state.score(owner),
        risked: if owner == state.side { state.total() } else { 0 },
        goal: game.goal(),
    };
    let bars = [Player::First, Player::Second].each(bar).to_vec();
    let picture = Picture::of(Body::Bars(bars));
    if state.phase == Phase::Roll { picture.with("the die is in the air") } else { picture }
}
