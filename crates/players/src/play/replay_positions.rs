//! Replays a recorded game position by position, for display.

use std::sync::Arc;

use super::any_game::{AnyGame, AnyMove, AnyState};
use super::game_in_progress::{GameInProgress, Opening, words};
use crate::games::picture_for_html::Picture;
use crate::games::{Game, Player, Turn};

/// A position of a recorded game, and the move that led to the position.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The move before this position, in the notation for people; `None` for the first position.
    pub text: Option<String>,
    /// The player who moved; `None` for an outcome of chance.
    pub mover: Option<Player>,
    /// Moves of both players so far, the opening's moves included.
    pub ply: u32,
    /// Whether the move belongs to the opening.
    pub opening: bool,
    /// Who acts in this position.
    pub turn: Turn,
    /// The position.
    pub state: AnyState,
    pub picture: Picture,
}

impl AnyGame {
    /// Replays both texts of `games.csv` and passes every position to `see`, starting with the
    /// position before the first move. `see` returns whether to continue.
    ///
    /// # Errors
    /// Texts that are not a legal game, in a sentence for people.
    pub fn replay(
        &self,
        opening: &str,
        moves: &str,
        see: &mut dyn FnMut(Frame) -> bool,
    ) -> Result<(), String> {
        let opening = Opening::of_record(self, opening)?;
        let mut played = GameInProgress::for_replay(&Arc::new(self.clone()));
        played.restart(opening.first_position(self));
        let mut dice = Vec::new();
        let mut see = |mut frame: Frame, rolled: Vec<u8>| {
            if !rolled.is_empty() {
                dice = rolled;
            }
            frame.picture = frame.picture.with_last_roll(&dice);
            see(frame)
        };
        if !see(frame(&played, None, None, true), Vec::new()) {
            return Ok(());
        }
        for mv in opening.moves {
            if !see(step(&mut played, mv, true), self.dice(mv)) {
                return Ok(());
            }
        }
        for word in words(moves) {
            let mv = played.read(word)?;
            if !see(step(&mut played, mv, false), self.dice(mv)) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Plays a move and returns the new position.
fn step(played: &mut GameInProgress<AnyGame>, mv: AnyMove, opening: bool) -> Frame {
    let text = played.san(mv);
    let mover = match played.play(mv) {
        Turn::Player(player) => Some(player),
        _ => None,
    };
    frame(played, Some(text), mover, opening)
}

fn frame(
    played: &GameInProgress<AnyGame>,
    text: Option<String>,
    mover: Option<Player>,
    opening: bool,
) -> Frame {
    let (game, state) = (&*played.game, &played.state);
    Frame {
        text,
        mover,
        ply: played.plies,
        opening,
        turn: game.turn(state),
        state: state.clone(),
        picture: game.picture(state),
    }
}
