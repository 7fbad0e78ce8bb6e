//! Lenient reading of moves: a legal move may be written in several forms.

use super::game::{Game, GameExt};

/// The legal moves that an error lists at most.
const SHOWN: usize = 12;

/// The number of the legal move that a text means. `forms` has the forms of each legal move, in
/// small letters, its canonical text first. A form that several moves share names none of them.
///
/// # Errors
/// Readable message with legal moves: the text is no form of any move, or of several. Or the game is
/// over.
pub fn meant(text: &str, forms: &[Vec<String>]) -> Result<usize, String> {
    let fits = |number: &usize| forms[*number].iter().any(|form| form == text);
    let found: Vec<usize> = (0..forms.len()).filter(fits).collect();
    let (problem, listed) = match found[..] {
        [number] => return Ok(number),
        [] if forms.is_empty() => return Err("the game is over, no move is legal".to_owned()),
        [] => ("not a legal move; legal", (0..forms.len()).collect()),
        _ => ("not clear; it may be", found),
    };
    let mut shown: Vec<&str> =
        listed.iter().take(SHOWN).map(|number: &usize| forms[*number][0].as_str()).collect();
    if listed.len() > SHOWN {
        shown.push("…");
    }
    Err(format!("`{text}` is {problem}: {}", shown.join(", ")))
}

/// The legal move that a text means; `forms` has the forms of a move, as for [`meant`].
///
/// # Errors
/// As [`meant`].
pub fn read_form<G: Game>(
    game: &G,
    state: &G::State,
    text: &str,
    forms: impl Fn(G::Move) -> Vec<String>,
) -> Result<G::Move, String> {
    let legal = game.legal_moves(state);
    let forms: Vec<Vec<String>> = legal.iter().map(|mv| forms(*mv)).collect();
    meant(text, &forms).map(|number| legal[number])
}
