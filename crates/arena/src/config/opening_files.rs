//! Reads openings from large files (text, EPD or PGN) in one pass and keeps only those that are played.
//! In random order, openings are sorted by a hash of their text and the seed. So with more games, the
//! openings stay the same and new ones are added.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use crate::games::key_hash::{fold, mix};
use crate::play::{AnyGame, PgnReader};
use crate::util::collect_with_less_code::Gather;
use crate::util::sort_with_less_code;

#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub most: u64,
    /// Plies of each opening. `None`: a whole line, or [`PGN_PLIES`] of a game.
    pub plies: Option<u32>,
    /// The seed of the random order. `None`: the order of the file.
    pub seed: Option<u64>,
}

impl Choice {
    /// The plies that are taken from each game of a PGN file.
    pub fn pgn_plies(self) -> u32 {
        self.plies.unwrap_or(PGN_PLIES)
    }
}

/// The default number of plies that are taken from the games of a PGN file.
pub(super) const PGN_PLIES: u32 = 8;

#[derive(Debug)]
pub(super) enum BookError {
    Disk(io::Error),
    /// A line is no opening of the game: its number and the reason.
    Line(u64, String),
}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> Self {
        BookError::Disk(error)
    }
}

pub(super) fn is_pgn(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

/// The distinct openings of a file, in their order.
pub(super) fn read(
    path: &Path,
    choice: Choice,
    any_game: Option<&AnyGame>,
) -> Result<Vec<String>, BookError> {
    let input = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut shelf = Shelf::new(choice);
    if is_pgn(path) {
        games(input, choice, any_game, &mut shelf)?;
    } else {
        lines(input, choice, &mut shelf)?;
    }
    shelf.finish(any_game, is_pgn(path))
}

/// Fewer openings are not sorted before the end.
const SMALL: usize = 1000;

struct Shelf {
    choice: Choice,
    /// The hashes of the openings that were taken.
    seen: HashSet<u64>,
    /// The openings with their hashes and the numbers of their lines.
    list: Vec<(u64, u64, String)>,
    /// In random order: larger hashes are not needed.
    last: u64,
}

impl Shelf {
    fn new(choice: Choice) -> Self {
        Shelf { choice, seen: HashSet::new(), list: Vec::new(), last: u64::MAX }
    }

    /// Takes an opening if it is needed. Returns whether more openings may be needed.
    fn take(&mut self, line: u64, text: &str) -> bool {
        let place = place(self.choice.seed.unwrap_or(0), text);
        let most = self.choice.most as usize;
        if place <= self.last && self.seen.insert(place) {
            self.list.push((place, line, text.to_owned()));
        }
        if self.choice.seed.is_none() {
            return self.list.len() < most;
        }
        // The smallest hashes are sorted out now and then, so memory is bounded.
        if self.list.len() >= 2 * most.max(SMALL) {
            self.keep_smallest();
        }
        true
    }

    fn keep_smallest(&mut self) {
        sort_with_less_code::by_key(&mut self.list, |(place, ..)| *place);
        self.list.truncate(self.choice.most as usize);
        self.last = self.list.last().map_or(0, |(place, ..)| *place);
    }

    /// Checks the openings against the game, unless they are `checked`, and returns them.
    fn finish(
        mut self,
        any_game: Option<&AnyGame>,
        checked: bool,
    ) -> Result<Vec<String>, BookError> {
        if self.choice.seed.is_some() {
            self.keep_smallest();
        }
        let (mut openings, mut seen) = (Vec::new(), HashSet::new());
        for (_, line, text) in self.list {
            if let Some(any_game) = any_game.filter(|_| !checked) {
                let same =
                    any_game.check_opening(&text).map_err(|why| BookError::Line(line, why))?;
                // EPD lines of the same position can differ in names and comments.
                if !seen.insert(same) {
                    continue;
                }
            }
            openings.push(text);
        }
        Ok(openings)
    }
}

/// The position of an opening in the random order of a seed.
fn place(seed: u64, text: &str) -> u64 {
    let words = text
        .as_bytes()
        .chunks(8)
        .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    fold(words.fold(mix(seed), fold), text.len() as u64)
}

/// Reads one opening per line. Skips blank lines and lines with #.
fn lines(mut input: impl BufRead, choice: Choice, shelf: &mut Shelf) -> Result<(), BookError> {
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
        let line = std::str::from_utf8(&bytes)
            .map_err(|_| BookError::Line(number, "it is not text in UTF-8".to_owned()))?
            .trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let text = match choice.plies {
            // A position has no moves to cut off.
            Some(plies) if !line.contains('/') => {
                let words = line.split_whitespace().take(plies as usize);
                &words.gather::<Vec<_>>().join(" ")
            }
            _ => line,
        };
        if !shelf.take(number, text) {
            break;
        }
    }
    Ok(())
}

/// Takes the first plies of games. Skips shorter games and decided positions.
fn games(
    input: impl BufRead,
    choice: Choice,
    any_game: Option<&AnyGame>,
    shelf: &mut Shelf,
) -> Result<(), BookError> {
    let plies = choice.pgn_plies() as usize;
    let mut reader = PgnReader::new(input);
    let header = any_game.and_then(|game| game.pgn_header(&game.start()));
    let variant = header.and_then(|header| header.variant);
    while let Some(game) = reader.next_game(plies)? {
        if let Some((named, line)) = &game.variant {
            check_variant(named, variant).map_err(|why| BookError::Line(*line, why))?;
        }
        let Some(any_game) = any_game.filter(|_| game.moves.len() == plies) else { continue };
        let words: Vec<&str> = game.moves.iter().map(|(word, _)| word.as_str()).gather();
        let opening = any_game.opening_of(game.position.as_deref(), &words);
        let opening = opening.map_err(|(at, why)| {
            BookError::Line(game.moves.get(at).map_or(game.position_line, |(_, line)| *line), why)
        })?;
        if let Some(text) = opening
            && !shelf.take(game.line, &text)
        {
            break;
        }
    }
    Ok(())
}

/// Checks the tag `Variant` of a game against the variant that is played; `None` is standard chess.
///
/// Other programs write the tag in many ways, and also for standard chess. Every game of standard
/// chess is one of Chess960.
fn check_variant(named: &str, played: Option<&str>) -> Result<(), String> {
    let word: String = named.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let random_start =
        ["960", "chess960", "fischerandom", "fischerrandom"].contains(&word.as_str());
    match played {
        _ if ["", "chess", "fromposition", "normal", "standard"].contains(&word.as_str()) => Ok(()),
        Some(_) if random_start => Ok(()),
        None if random_start => {
            Err(format!("a game of `{named}`: set `variant = \"960\"` in `[game]`"))
        }
        _ => Err(format!("a game of `{named}`, not of standard chess or Chess960")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, choice: Choice) -> Vec<String> {
        let mut shelf = Shelf::new(choice);
        lines(text.as_bytes(), choice, &mut shelf).expect("text");
        shelf.finish(None, true).expect("unchecked")
    }

    #[test]
    fn random_orders_grow_with_what_is_asked_for() {
        let text: String = (0..5000).map(|i| format!("{i}\n")).collect();
        let order = |most, seed| all(&text, Choice { most, plies: None, seed: Some(seed) });
        let few = order(20, 1);
        assert_eq!(few, order(300, 1)[..20]);
        assert_ne!(few, order(20, 2));
        // Openings from the whole file, not only from its beginning.
        let late =
            order(300, 1).iter().filter(|line| line.parse::<u32>().expect("i") >= 2500).count();
        assert!((110..190).contains(&late), "{late} of 300");
    }

    #[test]
    fn what_is_cut_to_the_same_is_the_same() {
        let choice = Choice { most: 10, plies: Some(2), seed: None };
        assert_eq!(all("# x\na b c\n\na b d\nc d\n", choice), ["a b", "c d"]);
        assert_eq!(all("8/8 w KQ x y;\na b c\n", choice), ["8/8 w KQ x y;", "a b"]);
        assert_eq!(all("a b c\na b d\nc d\ne f", Choice { seed: Some(3), ..choice }).len(), 3);
        assert_eq!(all("a\nb\nc\n", Choice { most: 2, plies: None, seed: None }), ["a", "b"]);
    }
}
