//! A recorded game once more, position by position, for people to look at.

use super::openings::read;
use crate::games::picture::Picture;
use crate::games::{Drawing, Game, Notation, Player, Turn};

/// A position of a recorded game and the move that led to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The move that led here, as people write it; `None` where the record begins.
    pub text: Option<String>,
    /// Who made it; `None` of what chance decided.
    pub mover: Option<Player>,
    /// Moves of both players so far, the opening's included.
    pub ply: u32,
    /// Whether the move belongs to the opening.
    pub opening: bool,
    /// Who is to act here.
    pub turn: Turn,
    /// The position as one line that the game reads.
    pub position: String,
    /// The board for the terminal.
    pub board: String,
    /// The position as shapes.
    pub picture: Picture,
}

/// Plays both texts of `games.csv` once more and shows every position, the first one before
/// any move. `see` says whether to go on.
///
/// # Errors
/// Texts that are no game, in a sentence for people.
pub(crate) fn replay<G: Game>(
    game: &G,
    opening: &str,
    moves: &str,
    see: &mut dyn FnMut(Frame) -> bool,
) -> Result<(), String> {
    let start = match opening.strip_prefix("position ") {
        Some(position) => game.read_position(position)?,
        None => game.start(),
    };
    let line = if opening.starts_with("position ") { "" } else { opening };
    if !line.is_empty() {
        read(game, line)?;
    }
    let mut show = Show { game, state: start, ply: 0 };
    if !see(show.frame(None, None, true)) {
        return Ok(());
    }
    for (text, in_opening) in [(line, true), (moves, false)] {
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let frame = show.play(word, in_opening)?;
            if !see(frame) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// A game that is being shown.
struct Show<'a, G: Game> {
    game: &'a G,
    state: G::State,
    ply: u32,
}

impl<G: Game> Show<'_, G> {
    fn play(&mut self, word: &str, opening: bool) -> Result<Frame, String> {
        let mover = match self.game.turn(&self.state) {
            Turn::Over => return Err(format!("the game is over before `{word}`")),
            Turn::Player(player) => Some(player),
            Turn::Chance => None,
        };
        let mv = self.game.notation().read_move(&self.state, word)?;
        let text = self.game.notation().san(&self.state, mv);
        self.game.play(&mut self.state, mv);
        self.ply += u32::from(mover.is_some());
        Ok(self.frame(Some(text), mover, opening))
    }

    fn frame(&self, text: Option<String>, mover: Option<Player>, opening: bool) -> Frame {
        Frame {
            text,
            mover,
            ply: self.ply,
            opening,
            turn: self.game.turn(&self.state),
            position: self.game.write_position(&self.state),
            board: self.game.drawing().text(&self.state),
            picture: self.game.drawing().picture(&self.state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Configurable, Pig, TicTacToe};
    use crate::params::Values;

    fn frames<G: Game>(game: &G, opening: &str, moves: &str) -> Result<Vec<Frame>, String> {
        let mut frames = Vec::new();
        replay(game, opening, moves, &mut |frame| {
            frames.push(frame);
            true
        })?;
        Ok(frames)
    }

    #[test]
    fn every_position_is_shown_with_the_move_that_led_to_it() {
        let frames = frames(&TicTacToe, "0 1", "4 8 6").expect("a game");
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
        let rolled = frames(&pig, "", "roll d6 roll d5 hold").expect("a game");
        assert_eq!(rolled.iter().map(|f| f.ply).collect::<Vec<_>>(), [0, 1, 1, 2, 2, 3]);
        assert_eq!((rolled[2].mover, rolled[5].turn), (None, Turn::Over));
        let later = frames(&TicTacToe, "position xx./oo./...", "2").expect("a game");
        assert_eq!((later.len(), later[1].ply, later[1].turn), (2, 1, Turn::Over));
    }

    #[test]
    fn moves_are_shown_as_people_write_them() {
        let chess = Chess::build(&Values::default()).expect("the usual position");
        let all = frames(&chess, "e2e4 e7e5", "g1f3 b8c6").expect("a game");
        let moves: Vec<&str> = all.iter().filter_map(|frame| frame.text.as_deref()).collect();
        assert_eq!(moves, ["e4", "e5", "Nf3", "Nc6"]);
    }

    #[test]
    fn texts_that_are_no_game_are_refused_and_nobody_need_see_all() {
        for (opening, moves) in
            [("", "1 1"), ("", "0 1 2 3 4 5 6 7"), ("position x", ""), ("9", "")]
        {
            assert!(frames(&TicTacToe, opening, moves).is_err(), "{opening} {moves}");
        }
        let mut seen = 0;
        let result = replay(&TicTacToe, "", "0 1 2 9", &mut |_| {
            seen += 1;
            seen < 3
        });
        assert_eq!((result, seen), (Ok(()), 3));
    }
}
