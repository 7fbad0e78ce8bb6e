//! Text of checkers, as in the Portable Draughts Notation (PDN).
//!
//! A step is `11-15`, a capture `22x15`. If several captures have the same first and last square,
//! they are written with all squares: `22x15x8`. A position is a PDN FEN, the player to move and
//! both sides' squares: `B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29`. If the last moves were
//! kings' moves without a capture, their number follows: `:H6`.

use std::fmt::Write;

use super::state::{Checkers, CheckersMove, CheckersState, HOME};
use crate::games::game::{GameExt, Notation, Player};
use crate::games::grid::bitboard::Bitboard;
use crate::games::lenient_move_reading::meant;
use crate::games::read_number::whole_number;

pub(super) const NAMES: [&str; 2] = ["Black", "White"];
const PIECES: u32 = 12;

fn join(squares: &[u8], sign: &str) -> String {
    let numbers = squares.iter().map(|square| (square + 1).to_string());
    numbers.collect::<Vec<_>>().join(sign)
}

/// Whether another legal capture has the same first and last square.
fn is_ambiguous(state: &CheckersState, mv: CheckersMove) -> bool {
    let mut all = Vec::new();
    state.captures(1 << mv.from, &mut all);
    all.iter().filter(|other| other.to == mv.to).count() > 1
}

pub(super) fn write_move(state: &CheckersState, mv: CheckersMove, out: &mut String) {
    // All squares of a single jump are the first and the last.
    if mv.captured.count_ones() > 1 && is_ambiguous(state, mv) {
        out.push_str(&join(&state.routes(mv)[0], "x"));
        return;
    }
    let mut number = itoa::Buffer::new();
    out.push_str(number.format(mv.from + 1));
    out.push(if mv.captured == 0 { '-' } else { 'x' });
    out.push_str(number.format(mv.to + 1));
}

/// The forms of a move with its first and last square, as written first.
fn short_forms(state: &CheckersState, mv: CheckersMove) -> Vec<String> {
    let mut written = String::new();
    write_move(state, mv, &mut written);
    let ends = [mv.from, mv.to];
    vec![written, join(&ends, "x"), join(&ends, "-")]
}

impl Notation<Checkers> for &Checkers {
    /// Reads the first and the last square, or all squares of a capture, with `-`, `x` or `:`
    /// between them.
    fn read_move(self, state: &CheckersState, text: &str) -> Result<CheckersMove, String> {
        let legal = self.legal_moves(state);
        let word = text.trim().to_lowercase().replace(':', "x");
        let is_route = |route: &Vec<u8>| ["x", "-"].iter().any(|sign| join(route, sign) == word);
        // A single jump has no other form, so all squares of a capture come first.
        let whole =
            |mv: &&CheckersMove| mv.captured != 0 && state.routes(**mv).iter().any(is_route);
        if let Some(mv) = legal.iter().find(whole) {
            return Ok(*mv);
        }
        let forms: Vec<Vec<String>> = legal.iter().map(|mv| short_forms(state, *mv)).collect();
        meant(&word, &forms).map(|number| legal[number])
    }
}

pub(super) fn write_position(state: &CheckersState) -> String {
    let mut out = NAMES[state.side.index()][..1].to_owned();
    for side in [Player::Second, Player::First] {
        let _ = write!(out, ":{}", &NAMES[side.index()][..1]);
        let own = state.pieces(side);
        for (set, mark) in [(own & !state.kings, ""), (own & state.kings, "K")] {
            for square in set.cells() {
                let comma = if out.ends_with(['B', 'W']) { "" } else { "," };
                let _ = write!(out, "{comma}{mark}{}", square + 1);
            }
        }
    }
    if state.quiet > 0 {
        let _ = write!(out, ":H{}", state.quiet);
    }
    out
}

/// The side of a letter, in capitals.
fn side_of(letter: &str) -> Option<Player> {
    match letter {
        "B" => Some(Player::First),
        "W" => Some(Player::Second),
        _ => None,
    }
}

pub(super) fn read_position(game: &Checkers, text: &str) -> Result<CheckersState, String> {
    let text = text.trim().trim_end_matches('.').to_ascii_uppercase();
    let mut parts = text.split(':').map(str::trim);
    let first = parts.next().unwrap_or_default();
    let side = side_of(first).ok_or_else(|| {
        format!("`{first}` is not a side: begin with `B:` or `W:`, as in `W:W18,K22:B1,5`")
    })?;
    let mut lists = [None; 2];
    let (mut quiet, mut number) = (None, None);
    for part in parts {
        let (letter, rest) = part.split_at_checked(1).unwrap_or_default();
        let rest = rest.trim();
        match (side_of(letter), letter) {
            (Some(owner), _) if lists[owner.index()].is_some() => {
                return Err(format!("two lists of {}'s pieces: write one", NAMES[owner.index()]));
            }
            (Some(owner), _) => lists[owner.index()] = Some(read_pieces(rest, owner)?),
            (None, "H") if quiet.is_none() => quiet = Some(read_quiet(rest, game.quiet_plies)?),
            // The number of the move, which other programs write.
            (None, "F") if number.is_none() => {
                number = whole_number::<u32>(rest);
                number
                    .ok_or_else(|| format!("`{part}` is not a number of the move, as in `F12`"))?;
            }
            (None, "H" | "F") => return Err(format!("`{letter}` comes twice: write it once")),
            _ => {
                return Err(format!(
                    "`{part}` is not a list of pieces: it begins with `W` or `B`, as in `W18,K22`"
                ));
            }
        }
    }
    let [Some([black, black_kings]), Some([white, white_kings])] = lists else {
        let missing = usize::from(lists[0].is_some());
        let (name, letter) = (NAMES[missing], &NAMES[missing][..1]);
        return Err(format!("{name}'s pieces are missing: add `:{letter}` and their squares"));
    };
    let pieces = [black, white];
    if let Some(square) = (black & white).lowest() {
        return Err(format!("square {} has a piece of both sides: remove one", square + 1));
    }
    let moved = side.other();
    if pieces[moved.index()] == 0 {
        return Err(format!(
            "{} has no pieces but has just moved: add one, or let the other side move",
            NAMES[moved.index()]
        ));
    }
    Ok(game.position(pieces, black_kings | white_kings, side, quiet.unwrap_or(0)))
}

/// A side's pieces, and the kings among them.
fn read_pieces(text: &str, owner: Player) -> Result<[u32; 2], String> {
    let name = NAMES[owner.index()];
    let (mut pieces, mut kings) = (0_u32, 0);
    for word in text.split(',').map(str::trim).filter(|_| !text.is_empty()) {
        let (is_king, range) = match word.strip_prefix('K') {
            Some(range) => (true, range),
            None => (false, word),
        };
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let [low, high] = [low, high].map(|number| {
            let number = whole_number(number.trim()).filter(|square| (1..=32).contains(square));
            number.map(|square: u32| square - 1)
        });
        let (Some(low), Some(high)) = (low, high) else {
            return Err(format!(
                "`{word}` of {name} is not a square: squares are 1 to 32, kings such as `K22`"
            ));
        };
        if low > high {
            let king = if is_king { "K" } else { "" };
            return Err(format!(
                "`{word}` of {name} is not a range: the smaller square comes first, `{king}{}-{}`",
                high + 1,
                low + 1
            ));
        }
        for square in low..=high {
            if pieces.has(square) {
                return Err(format!("square {} of {name} comes twice: write it once", square + 1));
            }
            pieces |= 1 << square;
            kings |= u32::from(is_king) << square;
        }
    }
    let last_row = HOME[owner.other().index()];
    if let Some(square) = (pieces & !kings & last_row).lowest() {
        let square = square + 1;
        return Err(format!("a man of {name} on its last row, square {square}: write `K{square}`"));
    }
    if pieces.count_ones() > PIECES {
        let count = pieces.count_ones();
        return Err(format!("{name} has {count} pieces: a side has at most {PIECES}"));
    }
    Ok([pieces, kings])
}

fn read_quiet(text: &str, most: u8) -> Result<u8, String> {
    whole_number(text).filter(|quiet| *quiet <= most).ok_or_else(|| {
        format!(
            "`H{text}` is not a number of plies without progress: from `H0` to `H{most}`, where the \
             game is drawn"
        )
    })
}
