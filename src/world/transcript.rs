//! A recorded game as people write it down: the moves behind one another in the game's own
//! notation, for PGN.

use std::sync::Arc;

use super::any_game::AnyGame;
use super::game_match::{Match, words};
use super::openings::Opening;
use crate::games::{Game, Player, Turn};

/// A game's moves as people write them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The position that the game began from, where it was not the usual one.
    pub start: Option<String>,
    /// Number of the first move.
    pub number: u32,
    /// Whether the second player made the first move.
    pub second_begins: bool,
    /// Moves of the opening, which no agent chose.
    pub opening: usize,
    /// All moves, the opening's included.
    pub moves: Vec<String>,
}

impl AnyGame {
    /// A recorded game as people write it down; both texts as `games.csv` has them. `None` for
    /// games that people do not write down like this.
    ///
    /// # Errors
    /// Texts that are no game, in a sentence for people.
    pub fn transcribe(&self, opening: &str, moves: &str) -> Option<Result<Transcript, String>> {
        self.pgn_header(&self.start())?;
        Some(written(self, opening, moves))
    }
}

fn written(game: &AnyGame, opening: &str, moves: &str) -> Result<Transcript, String> {
    let opening = Opening::of_record(game, opening)?;
    let mut played = Match::again(&Arc::new(game.clone()));
    played.restart(opening.begin(game));
    let sheet = game.pgn_header(&played.state).unwrap_or_default();
    let mut transcript = Transcript {
        start: sheet.start,
        number: sheet.number,
        second_begins: game.turn(&played.state) == Turn::Player(Player::Second),
        opening: opening.moves.len(),
        moves: Vec::new(),
    };
    for mv in opening.moves {
        transcript.moves.push(played.shown(mv));
        played.play(mv);
    }
    for word in words(moves) {
        let mv = played.read(word)?;
        transcript.moves.push(played.shown(mv));
        played.play(mv);
    }
    Ok(transcript)
}
