//! How people write moves and games down, beside the text that agon itself writes.

use std::ops::Deref;

use super::{Game, Plain, Turn};

/// Reading moves as people write them, and the notation of score sheets.
///
/// A game that has more than `write_move` implements this trait for `&Self` and returns itself
/// from [`Game::notation`].
pub trait Notation<G: Game>: Copy + Deref<Target = G> {
    /// Reads a move: lenient; only legal moves (or outcomes) are returned. Unless the game
    /// knows better, what is written as one of them, in small or capital letters.
    ///
    /// # Errors
    /// A sentence for people that says what is legal.
    fn read_move(self, state: &G::State, text: &str) -> Result<G::Move, String> {
        let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
        match self.turn(state) {
            Turn::Player(_) => self.moves(state, &mut moves),
            Turn::Chance => {
                self.outcomes(state, &mut outcomes);
                moves.extend(outcomes.iter().map(|&(mv, _)| mv));
            }
            Turn::Over => return Err("the game is over, no move is legal".to_owned()),
        }
        let mut legal = Vec::new();
        for mv in moves {
            let mut written = String::new();
            self.write_move(state, mv, &mut written);
            if written.to_lowercase() == text.trim().to_lowercase() {
                return Ok(mv);
            }
            legal.push(written);
        }
        Err(format!("`{}` is not legal here: {}", text.trim(), legal.join(", ")))
    }

    /// The move as people write it on score sheets (chess: standard algebraic notation).
    fn san(self, state: &G::State, mv: G::Move) -> String {
        let mut text = String::new();
        self.write_move(state, mv, &mut text);
        text
    }

    /// The header of a PGN of a game that begins in this position, in games that have PGN.
    fn pgn_header(self, _state: &G::State) -> Option<PgnHeader> {
        None
    }
}

impl<G: Game> Notation<G> for Plain<'_, G> {}

/// What the header of a PGN says about the position that a game begins with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PgnHeader {
    /// The position, where it is not the one that games usually start from.
    pub start: Option<String>,
    /// Number of the first move.
    pub number: u32,
}
