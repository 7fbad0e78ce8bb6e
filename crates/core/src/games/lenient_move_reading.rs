//! Lenient reading of moves: a legal move may be written in several forms.

use crate::util::collect_with_less_code::Gather;

/// The legal moves that an error lists at most.
const SHOWN: usize = 12;

/// The number of the legal move that a text means. `forms` has the forms of each legal move, in
/// small letters, its canonical text first. A form that several moves share names none of them.
///
/// # Errors
/// Readable message with legal moves: the text is no form of any move, or of several.
pub fn meant(text: &str, forms: &[Vec<String>]) -> Result<usize, String> {
    let fits = |number: &usize| forms[*number].iter().any(|form| form == text);
    let found: Vec<usize> = (0..forms.len()).filter(fits).gather();
    let (problem, listed) = match found[..] {
        [number] => return Ok(number),
        [] => ("not a legal move; legal", (0..forms.len()).gather()),
        _ => ("not clear; it may be", found),
    };
    let mut shown: Vec<&str> =
        listed.iter().take(SHOWN).map(|number: &usize| forms[*number][0].as_str()).gather();
    if listed.len() > SHOWN {
        shown.push("…");
    }
    Err(format!("`{text}` is {problem}: {}", shown.join(", ")))
}
