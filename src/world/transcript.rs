//! A recorded game as people write it down: the moves behind one another in the game's own
//! notation, for PGN.

use super::openings::read;
use crate::games::{Game, Notation, Turn};

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

/// Writes a game down; both texts as `games.csv` has them. `None` for games that nobody writes
/// down like this.
///
/// # Errors
/// Texts that are no game, in a sentence for people.
pub(super) fn transcribe<G: Game>(
    game: &G,
    opening: &str,
    moves: &str,
) -> Option<Result<Transcript, String>> {
    game.notation().pgn_header(&game.start())?;
    Some(written(game, opening, moves))
}

fn written<G: Game>(game: &G, opening: &str, moves: &str) -> Result<Transcript, String> {
    let (mut state, opened) = opened(game, opening)?;
    let sheet = game.notation().pgn_header(&state).unwrap_or_default();
    let mut transcript = Transcript {
        start: sheet.start,
        number: sheet.number,
        second_begins: game.turn(&state) == Turn::Player(crate::games::Player::Second),
        opening: opened.len(),
        moves: Vec::new(),
    };
    for mv in opened {
        transcript.moves.push(game.notation().san(&state, mv));
        game.play(&mut state, mv);
    }
    for word in moves.split(' ').filter(|word| !word.is_empty()) {
        if game.turn(&state) == Turn::Over {
            return Err(format!("the game is over before `{word}`"));
        }
        let mv = game.notation().read_move(&state, word)?;
        transcript.moves.push(game.notation().san(&state, mv));
        game.play(&mut state, mv);
    }
    Ok(transcript)
}

/// The position in which an opening begins, and its moves.
///
/// # Errors
/// A text that is no opening.
pub(super) fn opened<G: Game>(game: &G, opening: &str) -> Result<(G::State, Vec<G::Move>), String> {
    Ok(match opening.strip_prefix("position ") {
        Some(position) => (game.read_position(position)?, Vec::new()),
        None => (game.start(), read_or_nothing(game, opening)?),
    })
}

/// The moves of an opening, which may have none.
fn read_or_nothing<G: Game>(game: &G, opening: &str) -> Result<Vec<G::Move>, String> {
    if opening.trim().is_empty() { Ok(Vec::new()) } else { Ok(read(game, opening)?.moves) }
}
