//! A position of a program of rules: the program's answer in the form that searches need.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::games::key_hash::fold;
use crate::games::{MAX_VALUE, Player, Turn};
use crate::util::locks::lock;

/// A move of a program of rules: the hash of its text. Its text is in the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ProgramMove(u64);

impl ProgramMove {
    pub(super) fn of(text: &str) -> Self {
        ProgramMove(hash(text.as_bytes()))
    }
}

/// What a program can do besides the rules, as it says in its greeting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Abilities {
    /// Its game has chance.
    pub chance: bool,
    /// Its results are points, of which more are better.
    pub points: bool,
    /// Its answers have values of unfinished positions.
    pub evaluate: bool,
    /// Its answers have keys: positions with equal keys are worth the same.
    pub key: bool,
    /// It plays random plies by the numbers of a question.
    pub playout: bool,
    /// It draws boards as text.
    pub draw: bool,
    /// It describes boards as rows of cells.
    pub picture: bool,
}

impl Abilities {
    /// Reads the words of a greeting.
    pub(super) fn read(words: &str) -> Result<Self, String> {
        let mut abilities = Abilities::default();
        for word in words.split_ascii_whitespace() {
            match word {
                "chance" => abilities.chance = true,
                "points" => abilities.points = true,
                "evaluate" => abilities.evaluate = true,
                "key" => abilities.key = true,
                "playout" => abilities.playout = true,
                "draw" => abilities.draw = true,
                "picture" => abilities.picture = true,
                _ => {
                    return Err(format!(
                        "it greets with the unknown word `{word}`; the words are chance, points, \
                         evaluate, key, playout, draw and picture"
                    ));
                }
            }
        }
        Ok(abilities)
    }
}

/// A position: one answer of the program. Copies share it.
#[derive(Clone)]
pub struct ProgramState(Arc<Answer>);

#[derive(Debug)]
struct Answer {
    /// The state; the program reads it again.
    text: Box<str>,
    text_hash: u64,
    /// The program's key; empty if its answers have no keys.
    key: Box<str>,
    key_hash: u64,
    turn: Turn,
    /// The first player's result of a finished game.
    payoff: i32,
    reason: &'static str,
    moves: Box<[ProgramMove]>,
    /// The texts of the moves, separated by tabs.
    move_texts: Box<str>,
    /// The weights of the outcomes of chance, in the order of the moves.
    weights: Box<[u32]>,
    /// The program's value of an unfinished position.
    value: i32,
    /// Whether the caller wants to see all moves. Then all of them are asked in one question.
    expanded: AtomicBool,
}

/// The longest text of a state, in bytes.
const LONGEST_STATE: usize = 16 << 10;
/// The longest text of a move, in bytes.
const LONGEST_MOVE: usize = 64;
/// Moves from this number on are compared in a sorted list.
const FEW: usize = 16;

impl ProgramState {
    /// Reads an answer: `STATE<TAB>TURN` and a field for each move.
    ///
    /// # Errors
    /// What is wrong with it, in words for people.
    pub(super) fn read(line: &str, abilities: Abilities) -> Result<Self, String> {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let Some((text, rest)) = line.split_once('\t') else {
            return Err(
                "the answer has no tab; an answer is `STATE<TAB>TURN<TAB>MOVES`, and debug \
                        text belongs on standard error"
                    .to_owned(),
            );
        };
        check_state(text)?;
        let (key, rest) = match abilities.key {
            true => rest.split_once('\t').ok_or("the answer has no key, or nothing follows it")?,
            false => ("", rest),
        };
        if abilities.key {
            check_key(key)?;
        }
        let (turn, fields) = match rest.split_once('\t') {
            Some((turn, fields)) => (turn, Some(fields)),
            None => (rest, None),
        };
        let text_hash = hash(text.as_bytes());
        let mut answer = Answer {
            text: text.into(),
            text_hash,
            key: key.into(),
            key_hash: if abilities.key { hash(key.as_bytes()) } else { text_hash },
            turn: Turn::Over,
            payoff: 0,
            reason: "end",
            moves: [].into(),
            move_texts: fields.unwrap_or_default().into(),
            weights: [].into(),
            value: 0,
            expanded: AtomicBool::new(false),
        };
        answer.read_turn(turn, abilities)?;
        answer.read_moves(fields)?;
        Ok(ProgramState(Arc::new(answer)))
    }

    pub(super) fn text(&self) -> &str {
        &self.0.text
    }

    pub(super) fn text_hash(&self) -> u64 {
        self.0.text_hash
    }

    /// The hash of the program's key; without keys, that of the text.
    pub(super) fn key_hash(&self) -> u64 {
        self.0.key_hash
    }

    /// Whether the program gives both positions the same key. Without keys, they are the same state.
    pub(super) fn has_key_of(&self, other: &Self) -> bool {
        match self.0.key.is_empty() {
            true => self == other,
            false => self.0.key == other.0.key,
        }
    }

    /// Whether the program said the same of the same state.
    pub(super) fn is_same_answer(&self, other: &Self) -> bool {
        let (one, other) = (&*self.0, &*other.0);
        std::ptr::eq(one, other)
            || (&one.text, &one.key) == (&other.text, &other.key)
                && (one.turn, one.payoff, one.reason, one.value)
                    == (other.turn, other.payoff, other.reason, other.value)
                && one.move_texts == other.move_texts
                && one.weights == other.weights
    }

    /// The answer as the program wrote it.
    pub(super) fn line(&self) -> String {
        let turn = match self.turn() {
            Turn::Player(player) => player.name().to_owned(),
            Turn::Chance => "chance".to_owned(),
            Turn::Over => format!("end {} {}", self.payoff(), self.reason()),
        };
        let value = if self.value() == 0 { String::new() } else { format!(" {}", self.value()) };
        let key = if self.0.key.is_empty() { String::new() } else { format!("\t{}", self.0.key) };
        let mut line = format!("{}{key}\t{turn}{value}", self.text());
        for (index, mv) in self.move_texts().take(self.moves().len()).enumerate() {
            line.push('\t');
            line.push_str(mv);
            if let Some(weight) = self.weights().get(index) {
                line += &format!(" {weight}");
            }
        }
        line
    }

    pub(super) fn turn(&self) -> Turn {
        self.0.turn
    }

    pub(super) fn payoff(&self) -> i32 {
        self.0.payoff
    }

    pub(super) fn reason(&self) -> &'static str {
        self.0.reason
    }

    pub(super) fn value(&self) -> i32 {
        self.0.value
    }

    pub(super) fn moves(&self) -> &[ProgramMove] {
        &self.0.moves
    }

    pub(super) fn weights(&self) -> &[u32] {
        &self.0.weights
    }

    /// The texts of the moves, in their order.
    pub(super) fn move_texts(&self) -> impl Iterator<Item = &str> {
        self.0.move_texts.split('\t')
    }

    pub(super) fn index_of(&self, mv: ProgramMove) -> Option<usize> {
        self.0.moves.iter().position(|&known| known == mv)
    }

    /// The index of the move or outcome that this random number draws; `None` if
    /// [`below`](crate::games::below) rejects the number, or may do so.
    pub(super) fn drawn(&self, number: u32) -> Option<usize> {
        let all = match self.turn() {
            Turn::Over => return None,
            Turn::Player(_) => self.moves().len() as u32,
            Turn::Chance => self.weights().iter().sum(),
        };
        let product = u64::from(number) * u64::from(all);
        let drawn = (product >> 32) as u32;
        (product as u32 >= all).then(|| match self.turn() {
            Turn::Chance => self.outcome_of(drawn),
            _ => drawn as usize,
        })
    }

    /// The index of the outcome with this ticket, a number less than the sum of the weights.
    pub(super) fn outcome_of(&self, mut ticket: u32) -> usize {
        let drawn = self.weights().iter().position(|&weight| match ticket.checked_sub(weight) {
            Some(rest) => {
                ticket = rest;
                false
            }
            None => true,
        });
        drawn.expect("the ticket is less than the sum of the weights")
    }

    /// From now on the positions after all moves are asked together.
    pub(super) fn expand(&self) {
        self.0.expanded.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.0.expanded.load(Ordering::Relaxed)
    }

    /// About the memory that the position uses.
    pub(super) fn bytes(&self) -> usize {
        let Answer { text, key, moves, move_texts, weights, .. } = &*self.0;
        size_of::<Answer>()
            + 64
            + text.len()
            + key.len()
            + move_texts.len()
            + 8 * moves.len()
            + 4 * weights.len()
    }
}

impl Answer {
    fn read_turn(&mut self, field: &str, abilities: Abilities) -> Result<(), String> {
        let (word, rest) = field.split_once(' ').unwrap_or((field, ""));
        self.turn = match word {
            "first" => Turn::Player(Player::First),
            "second" => Turn::Player(Player::Second),
            "chance" if !abilities.chance => {
                return Err(
                    "it has chance, but its greeting does not have the word `chance`".into()
                );
            }
            "chance" => Turn::Chance,
            "end" => return self.read_end(rest),
            _ => {
                return Err(format!(
                    "`{}` is to move: agon's games have two players, `first` and `second`; the other \
                     words are `chance` and `end`",
                    shortened(word)
                ));
            }
        };
        if abilities.evaluate {
            self.value = whole_number(rest, "value")?;
        } else if !rest.is_empty() {
            return Err(format!(
                "`{}` follows the side to move, but its greeting does not have the word `evaluate`",
                shortened(rest)
            ));
        }
        Ok(())
    }

    /// Reads `POINTS REASON`.
    fn read_end(&mut self, rest: &str) -> Result<(), String> {
        let (points, reason) = rest.split_once(' ').unwrap_or((rest, ""));
        self.payoff = whole_number(points, "result")?;
        if !reason.is_empty() {
            self.reason = interned(reason)?;
        }
        Ok(())
    }

    fn read_moves(&mut self, fields: Option<&str>) -> Result<(), String> {
        let Some(fields) = fields else {
            return match self.turn {
                Turn::Over => Ok(()),
                Turn::Player(_) => Err("there are no moves and no result".into()),
                Turn::Chance => Err("chance is to move, but there are no outcomes".into()),
            };
        };
        match self.turn {
            Turn::Over => return Err("there are moves after the end of the game".into()),
            Turn::Player(_) => {
                self.moves = fields.split('\t').map(checked_move).collect::<Result<_, _>>()?;
            }
            Turn::Chance => self.read_outcomes(fields)?,
        }
        match duplicate(&self.moves) {
            Some(index) => {
                let twice = self.move_texts.split('\t').nth(index).unwrap_or_default();
                Err(format!("the move `{}` is there twice", shortened(twice)))
            }
            None => Ok(()),
        }
    }

    /// Reads a field `OUTCOME WEIGHT` for each outcome.
    fn read_outcomes(&mut self, fields: &str) -> Result<(), String> {
        let (mut moves, mut weights, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for field in fields.split('\t') {
            let (text, weight) = field.rsplit_once(' ').ok_or_else(|| {
                format!("the outcome `{}` has no weight: `OUTCOME WEIGHT`", shortened(field))
            })?;
            let weight =
                weight.parse().ok().filter(|&weight: &u32| weight > 0).ok_or_else(|| {
                    format!(
                        "the weight `{}` of the outcome `{}` is not a whole number from 1",
                        shortened(weight),
                        shortened(text)
                    )
                })?;
            moves.push(checked_move(text)?);
            weights.push(weight);
            texts.push(text);
        }
        if weights.iter().try_fold(0u32, |sum, &weight| sum.checked_add(weight)).is_none() {
            return Err(format!("the sum of the weights is larger than {}", u32::MAX));
        }
        self.move_texts = texts.join("\t").into();
        (self.moves, self.weights) = (moves.into(), weights.into());
        Ok(())
    }
}

impl PartialEq for ProgramState {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || self.text_hash() == other.text_hash() && self.text() == other.text()
    }
}

impl Eq for ProgramState {}

impl fmt::Debug for ProgramState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Checks that a text can be a state: one line without a tab, and without blanks at its ends.
pub(super) fn check_state(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("the state is empty".to_owned());
    }
    if text.len() > LONGEST_STATE {
        return Err(format!("the state is longer than {} KiB", LONGEST_STATE >> 10));
    }
    if text.trim() != text || text.chars().any(char::is_control) {
        let shown = shortened(text);
        return Err(format!("the state `{shown}` begins or ends with a blank, or has a tab"));
    }
    Ok(())
}

fn check_key(key: &str) -> Result<(), String> {
    if key.is_empty() {
        return Err("the key is empty".to_owned());
    }
    if key.len() > LONGEST_STATE || key.chars().any(char::is_control) {
        let shown = shortened(key);
        let longest = LONGEST_STATE >> 10;
        return Err(format!("the key `{shown}` is not one line of text up to {longest} KiB"));
    }
    Ok(())
}

fn checked_move(text: &str) -> Result<ProgramMove, String> {
    if text.is_empty() {
        return Err("a move is empty".to_owned());
    }
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        let shown = shortened(text);
        return Err(format!("the move `{shown}` has a blank; write it as one word"));
    }
    if text.len() > LONGEST_MOVE {
        let shown = shortened(text);
        return Err(format!("the move `{shown}` is longer than {LONGEST_MOVE} bytes"));
    }
    Ok(ProgramMove::of(text))
}

/// The index of a move that is there twice.
fn duplicate(moves: &[ProgramMove]) -> Option<usize> {
    if moves.len() < FEW {
        return (1..moves.len()).find(|&index| moves[..index].contains(&moves[index]));
    }
    let mut sorted: Vec<(u64, usize)> = moves.iter().zip(0..).map(|(mv, i)| (mv.0, i)).collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1)
}

fn whole_number(text: &str, what: &str) -> Result<i32, String> {
    let number = text.parse().ok().filter(|number| (-MAX_VALUE..=MAX_VALUE).contains(number));
    number.ok_or_else(|| {
        format!("the {what} `{}` is not a whole number up to {MAX_VALUE}", shortened(text))
    })
}

/// The reasons of all programs. They live as long as agon, so their number is limited.
static REASONS: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
const MOST_REASONS: usize = 64;
const LONGEST_REASON: usize = 40;

fn interned(reason: &str) -> Result<&'static str, String> {
    let mut reasons = lock(&REASONS);
    if let Some(known) = reasons.iter().find(|known| **known == reason) {
        return Ok(known);
    }
    let is_plain = reason.chars().all(|c| c.is_alphanumeric() || " -_'".contains(c));
    if !is_plain || reason.len() > LONGEST_REASON || reason.trim() != reason {
        let shown = shortened(reason);
        return Err(format!(
            "the reason `{shown}` is not a few words of letters and digits, up to {LONGEST_REASON} \
             bytes"
        ));
    }
    if reasons.len() == MOST_REASONS {
        return Err(format!("its games end for more than {MOST_REASONS} different reasons"));
    }
    reasons.push(String::leak(reason.to_owned()));
    Ok(reasons[reasons.len() - 1])
}

fn shortened(text: &str) -> String {
    crate::engine::shorten(text)
}

pub(super) fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |h, w| fold(h, u64::from_le_bytes(*w)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(hash, u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANCE: Abilities = Abilities {
        chance: true,
        points: false,
        evaluate: false,
        key: false,
        playout: false,
        draw: false,
        picture: false,
    };

    fn read(line: &str) -> Result<ProgramState, String> {
        ProgramState::read(line, CHANCE)
    }

    #[test]
    fn an_answer_is_state_turn_and_moves() {
        let state = read("21 first\tfirst\t1\t2\t3\r").expect("an answer");
        assert_eq!((state.text(), state.turn()), ("21 first", Turn::Player(Player::First)));
        assert_eq!(state.move_texts().collect::<Vec<_>>(), ["1", "2", "3"]);
        assert_eq!(state.index_of(ProgramMove::of("3")), Some(2));
        let end = read("0 second\tend -1 line of three").expect("an end");
        assert_eq!((end.turn(), end.payoff(), end.reason()), (Turn::Over, -1, "line of three"));
        let dice = read("a\tchance\tone 1\ttwo 35").expect("chance");
        assert_eq!((dice.weights(), dice.move_texts().count()), (&[1, 35][..], 2));
    }

    #[test]
    fn a_key_follows_the_state() {
        let read = |line| ProgramState::read(line, Abilities { key: true, ..CHANCE });
        let left = read("l first\tk\tfirst\ta").expect("an answer");
        let right = read("r first\tk\tfirst\tb").expect("an answer");
        assert!(left != right && left.has_key_of(&right) && left.key_hash() == right.key_hash());
        assert_eq!(left.line(), "l first\tk\tfirst\ta");
        assert!(read("l first\tfirst").expect_err("no key").contains("has no key"));
        assert!(read("l\t\tfirst\ta").expect_err("no key").contains("the key is empty"));
    }

    #[test]
    fn a_mistake_is_named() {
        let many: String = (0..40).map(|i| format!("\tm{}", i % 39)).collect();
        let many = format!("s\tfirst{many}");
        let long = format!("s\tfirst\t{}", "m".repeat(65));
        for (line, words) in [
            ("Debug: 3", "standard error"),
            ("\tfirst\ta", "the state is empty"),
            (" s\tfirst\ta", "begins or ends with a blank"),
            ("s\tthird\ta", "two players"),
            ("s\tfirst", "no moves and no result"),
            ("s\tchance", "no outcomes"),
            ("s\tend 1\ta", "after the end"),
            ("s\tend 0.5", "the result `0.5` is not a whole number"),
            ("s\tend 1 a,b", "the reason `a,b`"),
            ("s\tfirst\ta\t\tb", "a move is empty"),
            ("s\tfirst\tto b", "has a blank"),
            ("s\tfirst\ta\tb\ta", "`a` is there twice"),
            ("s\tfirst 3\ta", "the word `evaluate`"),
            ("s\tchance\ta 0\tb 1", "the weight `0` of the outcome `a`"),
            ("s\tchance\ta -1\tb 1", "the weight `-1`"),
            ("s\tchance\ta\tb 1", "has no weight"),
            ("s\tchance\ta 4294967295\tb 1", "the sum of the weights"),
            (&many, "`m0` is there twice"),
            (&long, "is longer than 64 bytes"),
        ] {
            let error = read(line).expect_err(line);
            assert!(error.contains(words), "{line}: {error}");
        }
        let silent = Abilities { chance: false, ..CHANCE };
        let error = ProgramState::read("s\tchance\ta 1", silent).expect_err("no chance");
        assert!(error.contains("the word `chance`"), "{error}");
    }
}
