//! Human notation of moves and games, in addition to agon's own text.

use std::ops::Deref;

use super::{Game, GameExt, Plain, Turn};

/// Reads human move notation, and writes the notation of score sheets.
///
/// A game with more notation than `write_move` implements this trait for `&Self` and returns itself
/// from [`Game::notation`].
pub trait Notation<G: Game>: Copy + Deref<Target = G> {
    /// Reads a move leniently; returns only legal moves (or outcomes). By default, accepts the text
    /// of a legal move in upper or lower case.
    ///
    /// # Errors
    /// Readable message that lists the legal moves.
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
            let written = self.move_text(state, mv);
            if written.to_lowercase() == text.trim().to_lowercase() {
                return Ok(mv);
            }
            legal.push(written);
        }
        Err(format!("`{}` is not legal here: {}", text.trim(), legal.join(", ")))
    }

    /// The move as on score sheets (chess: standard algebraic notation).
    fn san(self, state: &G::State, mv: G::Move) -> String {
        self.move_text(state, mv)
    }

    /// The plies of the game before this position, as far as the position says it: by the number of
    /// its move, or by its stones. Otherwise 0.
    fn plies_before(self, _state: &G::State) -> u32 {
        0
    }

    /// The PGN header of a game that starts in this position; `None` without PGN support.
    fn pgn_header(self, _state: &G::State) -> Option<PgnHeader> {
        None
    }
}

impl<G: Game> Notation<G> for Plain<'_, G> {}

/// The starting position in a PGN header.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PgnHeader {
    /// The name of the variant, if the game is not standard chess.
    pub variant: Option<&'static str>,
    /// The position, if it is not the usual starting position.
    pub start: Option<String>,
    /// The number of the first move.
    pub number: u32,
}
