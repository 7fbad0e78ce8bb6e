//! The moves of a recorded game in the notation for people, for PGN.

use std::sync::Arc;

use crate::games::{Game, Player, Turn};
use crate::play::any_game::AnyGame;
use crate::play::game_in_progress::{GameInProgress, Opening, words};

/// The moves of a game in the notation for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnMoves {
    /// The name of the variant, if the game is not standard chess.
    pub variant: Option<&'static str>,
    /// The first position, if it is not the game's usual start.
    pub start: Option<String>,
    /// Number of the first move.
    pub number: u32,
    /// Whether the second player made the first move.
    pub second_begins: bool,
    /// Number of moves of the opening, which no agent chose.
    pub opening: usize,
    /// All moves, the opening's moves included.
    pub moves: Vec<String>,
}

impl AnyGame {
    /// A recorded game in the notation for people. Both texts are in the format of `games.csv`.
    /// `None` if there is no such notation for the game.
    ///
    /// # Errors
    /// Texts that are not a legal game, in a sentence for people.
    pub fn transcribe(&self, opening: &str, moves: &str) -> Option<Result<PgnMoves, String>> {
        self.pgn_header(&self.start())?;
        Some(transcribe_moves(self, opening, moves))
    }
}

fn transcribe_moves(game: &AnyGame, opening: &str, moves: &str) -> Result<PgnMoves, String> {
    let opening = Opening::of_record(game, opening)?;
    let mut played = GameInProgress::for_replay(&Arc::new(game.clone()));
    played.restart(opening.first_position(game));
    let sheet = game.pgn_header(&played.state).unwrap_or_default();
    let mut transcript = PgnMoves {
        variant: sheet.variant,
        start: sheet.start,
        number: sheet.number,
        second_begins: game.turn(&played.state) == Turn::Player(Player::Second),
        opening: opening.moves.len(),
        moves: Vec::new(),
    };
    for mv in opening.moves {
        transcript.moves.push(played.san(mv));
        played.play(mv);
    }
    for word in words(moves) {
        let mv = played.read(word)?;
        transcript.moves.push(played.san(mv));
        played.play(mv);
    }
    Ok(transcript)
}
