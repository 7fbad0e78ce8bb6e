//! Text of boards with stones: one line to type, several lines to display.

use super::game::Player;
use crate::games::grid::bitboard::Bitboard;
use crate::games::grid::lines_on_grid::Grid;

pub type Cell = Option<Player>;

/// The letter of a cell in position text: `x` for the first player, `o` for the second.
pub fn letter(cell: Cell) -> char {
    match cell {
        Some(Player::First) => 'x',
        Some(Player::Second) => 'o',
        None => '.',
    }
}

/// Writes the rows from the top, separated by `/`. Calls `at` with the column from the left and the
/// row from the top.
pub fn write_rows(columns: u32, rows: u32, at: impl Fn(u32, u32) -> Cell) -> String {
    let row = |r| (0..columns).map(|c| letter(at(c, r))).collect::<String>();
    (0..rows).map(row).collect::<Vec<_>>().join("/")
}

/// Writes the rows as [`write_rows`], and then the side to move.
pub fn write_rows_and_side(
    (columns, rows): (u32, u32),
    side: Player,
    at: impl Fn(u32, u32) -> Cell,
) -> String {
    format!("{} {}", write_rows(columns, rows, at), side.name())
}

/// Splits a position into its board and, if a word for it comes last, the side to move: `first` or
/// `x`, `second` or `o`.
pub fn split_side(text: &str) -> (&str, Option<Player>) {
    let text = text.trim();
    let (before, last) = text.rsplit_once(char::is_whitespace).unwrap_or((text, ""));
    match last.to_ascii_lowercase().as_str() {
        "first" | "x" => (before, Some(Player::First)),
        "second" | "o" => (before, Some(Player::Second)),
        _ => (text, None),
    }
}

/// Reads the rows of a board as [`read_rows`], and the side to move as [`split_side`].
///
/// # Errors
/// As [`read_rows`].
pub fn read_rows_and_side(
    text: &str,
    columns: u32,
    rows: u32,
) -> Result<(Vec<Cell>, Option<Player>), String> {
    let (board, side) = split_side(text);
    Ok((read_rows(board, columns, rows)?, side))
}

/// The sets of both sides' cells, read row by row. `bit` is the bit of a cell in a column from the
/// left and a row from the top.
pub fn stones_of<B: Bitboard>(
    cells: &[Cell],
    columns: u32,
    bit: impl Fn(u32, u32) -> u32,
) -> [B; 2] {
    let mut stones = [B::NONE; 2];
    for (number, cell) in (0..).zip(cells) {
        if let Some(player) = cell {
            let own = &mut stones[player.index()];
            *own = *own | B::bit(bit(number % columns, number / columns));
        }
    }
    stones
}

/// Appends the name of a cell: the column as a letter and the row as a number, both counted from 0.
pub fn write_cell(column: u8, row: u8, out: &mut String) {
    out.push(char::from(b'a' + column));
    out.push_str(itoa::Buffer::new().format(row + 1));
}

/// Whether a text looks like the rows of a board rather than a list of moves.
pub fn looks_like_rows(text: &str) -> bool {
    !text.contains(|c: char| c.is_ascii_digit()) && text.contains(|c: char| "xXoO._/".contains(c))
}

/// Reads the cells row by row from the top left. `x` and `o` in either case are stones; `.`, `_`
/// and `-` are empty cells. Rows may be separated by `/`, `|`, commas or spaces, or by nothing.
///
/// # Errors
/// Readable message: unknown letter, or wrong number of rows or cells.
pub fn read_rows(text: &str, columns: u32, rows: u32) -> Result<Vec<Cell>, String> {
    let mut cells = Vec::new();
    let mut lengths = Vec::new();
    for row in text.split('/') {
        let before = cells.len();
        for c in row.chars() {
            match c {
                'x' | 'X' => cells.push(Some(Player::First)),
                'o' | 'O' => cells.push(Some(Player::Second)),
                '.' | '_' | '-' => cells.push(None),
                c if c == '|' || c == ',' || c.is_whitespace() => {}
                c => return Err(format!("`{c}` is not a cell: use `x`, `o` and `.`")),
            }
        }
        lengths.push(cells.len() - before);
    }
    let shape = format!("the board has {rows} rows of {columns} cells");
    if lengths.len() > 1 {
        if lengths.len() != rows as usize {
            return Err(format!("{} rows between `/`, but {shape}", lengths.len()));
        }
        if let Some(wrong) = lengths.iter().position(|&n| n != columns as usize) {
            let found = lengths[wrong];
            return Err(format!("row {} from the top has {found} cells, but {shape}", wrong + 1));
        }
    } else if cells.len() != (columns * rows) as usize {
        return Err(format!("{} cells, but {shape}", cells.len()));
    }
    Ok(cells)
}

/// Rejects stones whose counts or lines cannot occur in a game. `last` are the stones that can have
/// been placed last.
///
/// # Errors
/// Readable message that names the contradiction.
pub fn check_stones<B: Bitboard>(grid: &Grid<B>, stones: [B; 2], last: B) -> Result<(), String> {
    let [x, o] = stones.map(B::count);
    if x != o && x != o + 1 {
        return Err(format!(
            "{x} `x` and {o} `o` cannot be: the sides move in turn and `x` begins, so there are as \
             many of both or one `x` more"
        ));
    }
    let lines = stones.map(|side| grid.has_line(side));
    if lines == [true, true] {
        return Err("both sides have a line, but the game ends with the first".to_owned());
    }
    let mover = usize::from(x == o);
    if lines[1 - mover] {
        let [loser, winner] = [letter_of(mover), letter_of(1 - mover)];
        return Err(format!("`{loser}` moved last although `{winner}` already had a line"));
    }
    if lines[mover] {
        let completes = |i| !grid.has_line(stones[mover] ^ B::bit(i));
        if !(stones[mover] & last).cells().any(completes) {
            return Err(format!(
                "no last move of `{}` completes its lines: the game would have ended earlier",
                letter_of(mover)
            ));
        }
    }
    Ok(())
}

fn letter_of(side: usize) -> char {
    ['x', 'o'][side]
}
