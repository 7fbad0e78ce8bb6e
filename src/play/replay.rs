//! Replays a recorded game position by position, for display.

use std::sync::Arc;

use super::any_game::{AnyGame, AnyMove};
use super::game_match::{Match, words};
use super::opening_book::Opening;
use crate::games::picture::Picture;
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
    /// The position as text on one line.
    pub position: String,
    /// The board as text for the terminal.
    pub board: String,
    /// The position as a picture.
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
        let mut played = Match::for_replay(&Arc::new(self.clone()));
        played.restart(opening.first_position(self));
        if !see(frame(&played, None, None, true)) {
            return Ok(());
        }
        for mv in opening.moves {
            if !see(step(&mut played, mv, true)) {
                return Ok(());
            }
        }
        for word in words(moves) {
            let mv = played.read(word)?;
            if !see(step(&mut played, mv, false)) {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Plays a move and returns the new position.
fn step(played: &mut Match<AnyGame>, mv: AnyMove, opening: bool) -> Frame {
    let text = played.san(mv);
    let mover = match played.play(mv) {
        Turn::Player(player) => Some(player),
        _ => None,
    };
    frame(played, Some(text), mover, opening)
}

fn frame(
    played: &Match<AnyGame>,
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
        position: game.write_position(state),
        board: game.draw(state),
        picture: game.picture(state),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Configurable, Pig, TicTacToe};
    use crate::params::Values;

    fn frames<G: Configurable>(game: G, opening: &str, moves: &str) -> Result<Vec<Frame>, String> {
        let mut frames = Vec::new();
        AnyGame::of(game).replay(opening, moves, &mut |frame| {
            frames.push(frame);
            true
        })?;
        Ok(frames)
    }

    #[test]
    fn every_position_is_shown_with_the_move_that_led_to_it() {
        let frames = frames(TicTacToe, "0 1", "4 8 6").expect("a game");
        let short: Vec<_> = frames.iter().map(|f| (f.ply, f.opening, f.mover)).collect();
        let (first, second) = (Some(Player::First), Some(Player::Second));
        assert_eq!(short[..3], [(0, true, None), (1, true, first), (2, true, second)]);
        assert_eq!(short[3..], [(3, false, first), (4, false, second), (5, false, first)]);
        assert_eq!(frames[5].position, "xo./.x./x.o");
        assert_eq!(frames[5].text.as_deref(), Some("6"));
    }

    #[test]
    fn dice_are_nobodys_moves_and_positions_can_begin_a_game() {
        let pig = Pig::new(10, 6).expect("a goal");
        let rolled = frames(pig, "", "roll d6 roll d5 hold").expect("a game");
        assert_eq!(rolled.iter().map(|f| f.ply).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 3]);
        assert_eq!((rolled[2].mover, rolled[5].turn), (None, Turn::Over));
        let later = frames(TicTacToe, "position xx./oo./...", "2").expect("a game");
        assert_eq!((later.len(), later[1].ply, later[1].turn), (2, 1, Turn::Over));
    }

    #[test]
    fn moves_are_shown_as_people_write_them() {
        let chess = Chess::build(&Values::default()).expect("the usual position");
        let all = frames(chess, "e2e4 e7e5", "g1f3 b8c6").expect("a game");
        let moves: Vec<&str> = all.iter().filter_map(|frame| frame.text.as_deref()).collect();
        assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6"]);
    }

    #[test]
    fn texts_that_are_no_game_are_refused_and_nobody_need_see_all() {
        for (opening, moves) in
            [("", "1 1"), ("", "0 1 2 3 4 5 6 7"), ("position x", ""), ("9", "")]
        {
            assert!(frames(TicTacToe, opening, moves).is_err(), "{opening} {moves}");
        }
        let mut seen = 0;
        let result = AnyGame::of(TicTacToe).replay("", "0 1 2 9", &mut |_| {
            seen += 1;
            seen < 3
        });
        assert_eq!((result, seen), (Ok(()), 3));
    }
}
