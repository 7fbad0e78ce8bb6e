//! Positions of EinStein würfelt nicht as one line.
//!
//! The rows from the top, `x3` for the first player's stone 3 and `o3` for the second's, then the
//! side to move and the die if it was rolled: `x1x2x3../x4x5.../x6...o6/...o5o4/..o3o2o1 first d3`.
//! The word `arrange` comes after the side while chance has yet to set up that side's stones.

use super::movable_stones_by_die::{MOVABLE, name};
use super::state::{Einstein, EinsteinState, Phase};
use super::stones_of_one_side::Stones;
use super::text::read_face;
use crate::games::game::Player;

pub(super) fn write_position(game: &Einstein, state: &EinsteinState) -> String {
    let size = game.shape.size;
    let cell = |cell| game.at(state, cell).unwrap_or_else(|| ".".to_owned());
    let row = |row| (0..size).map(|column| cell(8 * row + column)).collect::<String>();
    let rows: Vec<String> = (0..size).map(row).collect();
    let side = state.side.name();
    let rest = match state.phase {
        Phase::Arrange => " arrange".to_owned(),
        Phase::Move => format!(" d{}", 1 + name(state.movable)),
        Phase::Roll | Phase::Over => String::new(),
    };
    format!("{} {side}{rest}", rows.join("/"))
}

pub(super) fn read_position(game: &Einstein, text: &str) -> Result<EinsteinState, String> {
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split_ascii_whitespace();
    let board = words.next().ok_or("a position begins with the rows of the board")?;
    let stones = read_board(game, board)?;
    let (mut side, mut face, mut arrange) = (None, None, false);
    for word in words {
        match word {
            "first" | "x" if side.is_none() => side = Some(Player::First),
            "second" | "o" if side.is_none() => side = Some(Player::Second),
            "first" | "x" | "second" | "o" => return Err("two sides to move: write one".to_owned()),
            "arrange" => arrange = true,
            _ if face.is_some() => return Err(format!("`{word}` is a second face: write one")),
            _ => face = Some(read_face(game, word)?),
        }
    }
    let side = side.unwrap_or(Player::First);
    let state = EinsteinState { stones, side, phase: Phase::Roll, movable: 0 };
    match (arrange, face) {
        (false, _) => set_up(game, state, face),
        (true, None) => not_set_up(game, state),
        (true, Some(_)) => Err("the die is not rolled before the stones are set up".to_owned()),
    }
}

fn read_board(game: &Einstein, board: &str) -> Result<[Stones; 2], String> {
    let size = usize::from(game.shape.size);
    let mut stones = [Stones::NONE; 2];
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != size {
        return Err(format!("{} rows between `/`, but the board has {size}", rows.len()));
    }
    for (row, text) in rows.into_iter().enumerate() {
        let mut letters = text.chars();
        let mut column = 0;
        while let Some(letter) = letters.next() {
            let player = match letter {
                '.' | '_' | '-' => None,
                'x' => Some(Player::First),
                'o' => Some(Player::Second),
                _ => return Err(format!("`{letter}` is not a cell: use `x1`, `o1` and `.`")),
            };
            if let Some(player) = player.filter(|_| column < size) {
                let cell = game.absolute(player, (8 * row + column) as u8);
                put(game, &mut stones[player.index()], letter, letters.next(), cell)?;
            }
            column += 1;
        }
        if column != size {
            return Err(format!("row {} from the top does not have {size} cells", row + 1));
        }
    }
    Ok(stones)
}

/// Places the stone whose number follows its letter.
fn put(
    game: &Einstein,
    stones: &mut Stones,
    letter: char,
    number: Option<char>,
    cell: u8,
) -> Result<(), String> {
    let most = u32::from(game.shape.stones);
    let number = number.and_then(|digit| digit.to_digit(10)).filter(|n| (1..=most).contains(n));
    let number = number
        .ok_or_else(|| format!("`{letter}` must be followed by a number from 1 to {most}"))?;
    let stone = number as u8 - 1;
    if stones.cell(stone) != Stones::GONE {
        return Err(format!("`{letter}{number}` is on two cells"));
    }
    stones.put(stone, cell);
    Ok(())
}

/// The position in which chance sets up the stones of `state.side`.
fn not_set_up(game: &Einstein, state: EinsteinState) -> Result<EinsteinState, String> {
    if !game.arranges() {
        return Err("the arrangement is fixed in this game".to_owned());
    }
    let [first, second] = state.stones;
    let before = match state.side {
        Player::First => first == Stones::NONE,
        Player::Second => game.arrangements.contains(&first),
    };
    if !before || second != Stones::NONE {
        return Err("the first player's stones are set up, then the second's".to_owned());
    }
    Ok(EinsteinState { phase: Phase::Arrange, ..state })
}

fn set_up(
    game: &Einstein,
    state: EinsteinState,
    face: Option<u8>,
) -> Result<EinsteinState, String> {
    let arrived = |player: &Player| state.stones(*player).on(game.goal()).is_some();
    let gone = |player: Player| state.stones(player) == Stones::NONE;
    let won = |player: &Player| arrived(player) || gone(player.other());
    let winners: Vec<Player> = Player::BOTH.into_iter().filter(won).collect();
    match winners[..] {
        [] => {
            let alive = usize::from(state.stones(state.side).alive());
            let movable = face.map(|face| MOVABLE[alive][usize::from(face - 1)]);
            let phase = if face.is_some() { Phase::Move } else { Phase::Roll };
            Ok(EinsteinState { phase, movable: movable.unwrap_or(0), ..state })
        }
        [side] if face.is_none() => Ok(EinsteinState { side, phase: Phase::Over, ..state }),
        [side] => Err(format!("the {} player has won, so the die is not rolled", side.name())),
        _ => Err("both sides have won, but the game ends with the first".to_owned()),
    }
}
