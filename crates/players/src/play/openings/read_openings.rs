//! Reads one opening of a file or a list: one rule for all formats.

use std::sync::Arc;

use crate::games::{Game, Notation};
use crate::play::adjudication::{Adjudication, Judge};
use crate::play::any_game::{AnyGame, AnyMove};
use crate::play::game_in_progress::{GameInProgress, Opening};

/// A longer first word, in bytes, is probably a board and not a move.
const LONGEST_MOVE: usize = 20;

/// What a run asks of its openings.
#[derive(Debug, Clone, Copy)]
pub struct OpeningRule {
    /// The number of plies after which a line of moves is cut; `None`: whole lines.
    pub plies: Option<u32>,
    /// The number of plies after which a game is a draw.
    pub max_plies: u32,
    pub adjudication: Adjudication,
}

impl Default for OpeningRule {
    /// Whole lines, and the rules of the game only.
    fn default() -> Self {
        OpeningRule { plies: None, max_plies: u32::MAX, adjudication: Adjudication::default() }
    }
}

/// An opening as it is written.
#[derive(Debug, Clone, Copy)]
pub enum OpeningSource<'a> {
    /// Moves from the start, or a position.
    Line(&'a str),
    /// The first moves of a game, from a position or from the start.
    Game {
        /// The first position, if it is not the game's start.
        position: Option<&'a str>,
        moves: &'a [&'a str],
    },
}

/// An opening that has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadOpening {
    /// An agent moves after it.
    Playable {
        /// The opening as an entry of a list.
        text: String,
        /// The key of its last position. Counters of moves do not influence it.
        key: u64,
        /// Whether it has fewer plies than were asked for.
        is_short: bool,
    },
    /// The game is over before an agent moves; the reason.
    Over(&'static str),
}

/// Why a text is not an opening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningError {
    /// The number of the word at fault, from 0, if one word of the moves is at fault.
    pub word: Option<usize>,
    /// The reason, in a sentence for people.
    pub message: String,
}

/// The moves of an opening that have been played.
struct PlayedOpening {
    played: GameInProgress<AnyGame>,
    moves: Vec<AnyMove>,
    /// The number of words that were read.
    words: usize,
    /// The reason, if the game ended before or after a move.
    over: Option<&'static str>,
}

impl AnyGame {
    /// Reads an opening. It has 0 or more plies. A game that is over at any place in the opening, by
    /// the position or by the moves before it, is no game for agents.
    ///
    /// # Errors
    /// A text that is neither legal moves nor a position.
    pub fn read_opening(
        &self,
        source: OpeningSource<'_>,
        rule: &OpeningRule,
    ) -> Result<ReadOpening, OpeningError> {
        match source {
            OpeningSource::Line(line) => self.read_line(line, rule),
            OpeningSource::Game { position, moves } => {
                let end = self.play_words(position, moves, rule)?;
                let text = match position {
                    Some(_) => self.write_position(&end.played.state),
                    None => self.moves_text(&end.moves),
                };
                Ok(end.judged(text, rule, false))
            }
        }
    }

    fn read_line(&self, line: &str, rule: &OpeningRule) -> Result<ReadOpening, OpeningError> {
        let (end, is_position) = self.play_line(line, rule)?;
        let words: Vec<&str> = words_of_line(line).collect();
        let is_cut = !is_position && (end.words < words.len() || line.contains('.'));
        let text = if is_cut { words[..end.words].join(" ") } else { line.to_owned() };
        Ok(end.judged(text, rule, is_position))
    }

    /// Plays the moves of a line from the start, or goes to its position. The second result says
    /// whether it is a position.
    fn play_line(
        &self,
        line: &str,
        rule: &OpeningRule,
    ) -> Result<(PlayedOpening, bool), OpeningError> {
        let words: Vec<&str> = words_of_line(line).collect();
        let position = line.strip_prefix("position ").unwrap_or(line).trim();
        let has_rows = words.first().is_some_and(|word| word.matches('/').count() > 1);
        if has_rows && let Ok(end) = self.play_words(Some(position), &[], rule) {
            return Ok((end, true));
        }
        let as_moves = match self.play_words(None, &words, rule) {
            Ok(end) => return Ok((end, false)),
            Err(error) => error,
        };
        match self.play_words(Some(position), &[], rule) {
            Ok(end) => Ok((end, true)),
            // Several words were probably meant as moves. These were probably meant as a position: a
            // single word, rows of a board, lists of pieces of a PDN FEN, a long first word.
            Err(as_position) => {
                let is_board = line.contains(['/', ':']) || words[0].len() > LONGEST_MOVE;
                let is_moves = words.len() > 1 && !(is_board && as_moves.word == Some(0));
                Err(if is_moves { as_moves } else { as_position })
            }
        }
    }

    /// Plays words as moves, until there are enough plies or the game is over.
    fn play_words(
        &self,
        position: Option<&str>,
        words: &[&str],
        rule: &OpeningRule,
    ) -> Result<PlayedOpening, OpeningError> {
        let mut played = GameInProgress::for_replay(&Arc::new(self.clone()));
        if let Some(text) = position {
            let state = self.read_position(text);
            played.restart(state.map_err(|message| OpeningError { word: None, message })?);
        }
        let plies = rule.plies.unwrap_or(u32::MAX);
        let mut end = PlayedOpening { played, moves: Vec::new(), words: 0, over: None };
        loop {
            end.over = end.reason();
            let word = words.get(end.words).filter(|_| end.over.is_none());
            let Some(word) = word.filter(|_| end.played.plies < plies) else { return Ok(end) };
            let mv = self.read_move(&end.played.state, word);
            let mv = mv.map_err(|message| OpeningError { word: Some(end.words), message })?;
            end.played.play(mv);
            end.moves.push(mv);
            end.words += 1;
        }
    }

    /// The moves from the start in the game's notation.
    fn moves_text(&self, moves: &[AnyMove]) -> String {
        let (mut state, mut text) = (self.start(), String::new());
        for &mv in moves {
            if !text.is_empty() {
                text.push(' ');
            }
            self.write_move(&state, mv, &mut text);
            self.play(&mut state, mv);
        }
        text
    }
}

impl PlayedOpening {
    /// The reason, if the game is over by its position or by its earlier positions.
    fn reason(&self) -> Option<&'static str> {
        let turn = self.played.game.turn(&self.played.state);
        self.played.end(turn, u32::MAX).map(|(_, reason)| reason)
    }

    /// The opening, if an agent moves after it.
    fn judged(mut self, text: String, rule: &OpeningRule, is_position: bool) -> ReadOpening {
        let (game, plies) = (Arc::clone(&self.played.game), self.played.plies);
        self.played.judge = Judge::new(rule.adjudication);
        let turn = game.turn(&self.played.state);
        let over = self.over.or_else(|| match self.played.end(turn, rule.max_plies) {
            Some((_, reason)) => Some(reason),
            None if plies >= rule.max_plies => Some("max plies"),
            None => None,
        });
        if let Some(reason) = over {
            return ReadOpening::Over(reason);
        }
        let is_short = !is_position && rule.plies.is_some_and(|asked| plies < asked);
        ReadOpening::Playable { text, key: game.key(&self.played.state), is_short }
    }
}

/// The words of a line of moves, without the numbers of moves (`1.` and `1.e4`).
fn words_of_line(line: &str) -> impl Iterator<Item = &str> {
    let without_number = |word: &str| -> usize {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = digits.trim_start_matches('.');
        if rest.len() < digits.len() && digits.len() < word.len() {
            word.len() - rest.len()
        } else {
            0
        }
    };
    let words = line.split([' ', ',', '\t']).map(move |word| &word[without_number(word)..]);
    words.filter(|word| !word.is_empty())
}

/// Reads one opening: moves from the start separated by spaces, or a position. The word `position`
/// may come first, as in records.
pub(crate) fn read_opening(game: &AnyGame, line: &str) -> Result<Opening, String> {
    let line = line.trim();
    let (end, is_position) =
        game.play_line(line, &OpeningRule::default()).map_err(|error| error.message)?;
    if let Some(reason) = end.over {
        return Err(match words_of_line(line).nth(end.words).filter(|_| !is_position) {
            Some(word) => format!("the game is over before `{word}` ({reason})"),
            None => format!("the game is already over there ({reason})"),
        });
    }
    let PlayedOpening { played, moves, .. } = end;
    Ok(match is_position {
        // Engines get the position as the game writes it, without additional text of the line.
        true => {
            let text = game.write_position(&played.state);
            Opening::of_position(played.state, text)
        }
        false => Opening { moves, state: played.state, position: None },
    })
}
