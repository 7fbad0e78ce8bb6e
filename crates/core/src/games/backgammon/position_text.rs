//! Positions of backgammon as one line.
//!
//! The board is written as in XGID: the second player's bar, the points from 1 to 24 in the first
//! player's numbers, and the first player's bar. `A` to `O` are one to fifteen checkers of the first
//! player, `a` to `o` of the second, `-` is empty. The side to move and its roll follow:
//! `-b----E-C---eE---c-e----B- first 31`. Without a roll, the side rolls; `begin` is the first roll.
//! A whole XGID is read, too; its cube and its score are not used.

use super::checkers_of_one_side::{BAR, CHECKERS, Side};
use super::state::{BackgammonState, Phase};
use super::text::read_dice;
use crate::games::player::Player;

/// The point of the first player and of the second at a place of the text, from 0.
fn points_at(place: u32) -> [Option<u32>; 2] {
    match place {
        0 => [None, Some(BAR)],
        BAR => [Some(BAR), None],
        _ => [Some(place), Some(25 - place)],
    }
}

pub(super) fn write_position(state: &BackgammonState) -> String {
    let mut out = String::new();
    for place in 0..=BAR {
        let mut letter = '-';
        for ((side, point), none) in state.sides.iter().zip(points_at(place)).zip([b'A', b'a']) {
            let count = point.map_or(0, |point| side.at(point));
            if count > 0 {
                letter = char::from(none - 1 + count as u8);
            }
        }
        out.push(letter);
    }
    out.push(' ');
    out.push_str(match state.phase {
        Phase::FirstRoll => "begin",
        _ => state.side.name(),
    });
    if state.phase == Phase::Move {
        out.push(' ');
        state.dice.iter().for_each(|die| out.push(char::from(b'0' + die)));
    }
    out
}

const EXAMPLE: &str = "write 26 letters, the side and its roll, such as \
                       `-b----E-C---eE---c-e----B- first 31`";

pub(super) fn read_position(text: &str) -> Result<BackgammonState, String> {
    let words: Vec<&str> = match text.trim().split_once('=') {
        // XGID=board:cube:owner of the cube:turn:dice:…
        Some((_, id)) => {
            let fields: Vec<&str> = id.split(':').collect();
            let [board, _, _, turn, dice, ..] = fields[..] else {
                return Err(format!("an XGID has ten fields with `:` between them: {EXAMPLE}"));
            };
            let side = match turn {
                "1" => "first",
                "-1" => "second",
                _ => return Err(format!("`{turn}` is not a side of an XGID: `1` or `-1`")),
            };
            if dice == "00" { vec![board, side] } else { vec![board, side, dice] }
        }
        None => text.split_whitespace().collect(),
    };
    let (&board, words) = words.split_first().ok_or(EXAMPLE)?;
    let sides = read_board(board)?;
    let (mut side, mut begins, mut dice) = (None, false, None);
    for word in words {
        match word.to_ascii_lowercase().as_str() {
            "first" | "x" if side.is_none() => side = Some(Player::First),
            "second" | "o" if side.is_none() => side = Some(Player::Second),
            "begin" => begins = true,
            word if dice.is_none() => {
                let read = read_dice(word);
                dice = Some(read.ok_or_else(|| format!("`{word}` is not a roll such as `31`"))?);
            }
            word => return Err(format!("`{word}` is too much: {EXAMPLE}")),
        }
    }
    let state = BackgammonState {
        sides,
        side: side.unwrap_or(Player::First),
        phase: Phase::Roll,
        dice: [0; 2],
    };
    match (begins, dice) {
        (true, None) if side.is_none() && sides == [Side::start(); 2] => {
            Ok(BackgammonState { phase: Phase::FirstRoll, ..state })
        }
        (true, _) => Err("the first roll is at the start, so no side and no roll is known".into()),
        (false, _) => with_dice(state, dice),
    }
}

fn read_board(board: &str) -> Result<[Side; 2], String> {
    let (mut sides, mut counts) = ([Side::default(); 2], [0; 2]);
    let letters: Vec<char> = board.chars().collect();
    if letters.len() != 26 {
        return Err(format!("{} letters for the board: {EXAMPLE}", letters.len()));
    }
    for (place, &letter) in (0..).zip(&letters) {
        let (owner, none) = match letter {
            '-' | '.' => continue,
            'A'..='O' => (0, 'A'),
            'a'..='o' => (1, 'a'),
            _ => {
                return Err(format!(
                    "`{letter}` is not a number of checkers: `A` to `O`, `a` to `o`, or `-`"
                ));
            }
        };
        let point = points_at(place)[owner].ok_or_else(|| {
            let name = Player::BOTH[owner].name();
            format!("`{letter}` is the {name} player's, but that bar is the other player's")
        })?;
        let count = letter as u32 - none as u32 + 1;
        (0..count).for_each(|_| sides[owner].add(point));
        counts[owner] += count;
    }
    match counts.map(|count| count > CHECKERS) {
        [false, false] => Ok(sides),
        [first, _] => {
            let owner = usize::from(!first);
            let (name, count) = (Player::BOTH[owner].name(), counts[owner]);
            Err(format!("{count} checkers of the {name} player: a side has at most {CHECKERS}"))
        }
    }
}

/// The position after the roll, or before it, or at the end of the game.
fn with_dice(state: BackgammonState, dice: Option<[u8; 2]>) -> Result<BackgammonState, String> {
    let gone = state.sides.map(|side| side.points() == 0);
    let winner = match gone {
        [true, true] => return Err("a board without checkers: one side is left".to_owned()),
        [true, false] => Some(Player::First),
        [false, true] => Some(Player::Second),
        [false, false] => None,
    };
    match (winner, dice) {
        (Some(_), Some(_)) => Err("the game is over, so the dice are not rolled".to_owned()),
        (Some(side), None) => Ok(BackgammonState { side, phase: Phase::Over, ..state }),
        (None, None) => Ok(state),
        (None, Some([a, b])) => {
            Ok(BackgammonState { phase: Phase::Move, dice: [a.max(b), a.min(b)], ..state })
        }
    }
}
