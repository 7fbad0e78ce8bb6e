//! The line that ended a game, found in its pictures.

use crate::games::picture_for_html::{Board, Piece};

/// The longest rows of equal pieces through the piece that the last move has added, or those of the
/// `exact` length. Games whose reason of the end is `line` end with such a row.
pub fn winning_line(before: &Board, now: &Board, exact: Option<usize>) -> Vec<Vec<usize>> {
    let cells = before.cells.iter().zip(&now.cells);
    let Some(last) = cells.enumerate().find(|(_, (was, is))| was != is).map(|(cell, _)| cell)
    else {
        return Vec::new();
    };
    let piece = now.cells[last];
    if piece == Piece::NONE {
        return Vec::new();
    }
    let rows = [(1, 0), (0, 1), (1, 1), (1, -1)].map(|direction| row(now, last, direction));
    let length = exact.or(rows.iter().map(Vec::len).max()).unwrap_or(0);
    rows.into_iter().filter(|row| row.len() == length && length > 1).collect()
}

/// The row of equal pieces through a cell, in order.
fn row(board: &Board, cell: usize, (across, down): (isize, isize)) -> Vec<usize> {
    let piece = board.cells[cell];
    let next = |cell: usize, way: isize| {
        let column = (cell % board.columns).checked_add_signed(way * across)?;
        let row = (cell / board.columns).checked_add_signed(way * down)?;
        let there = row * board.columns + column;
        let inside = column < board.columns && row < board.rows;
        (inside && board.cells[there] == piece).then_some(there)
    };
    let mut all: Vec<usize> = std::iter::successors(Some(cell), |&cell| next(cell, -1)).collect();
    all.reverse();
    all.extend(std::iter::successors(next(cell, 1), |&cell| next(cell, 1)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Player;
    use crate::games::picture_for_html::{Ground, Shape};

    fn board(rows: [&str; 4]) -> Board {
        Board::new(Ground::Holes, (5, 4), |column, row| match rows[row].as_bytes()[column] {
            b'x' => Piece::of(Player::First, Shape::Disc),
            b'o' => Piece::of(Player::Second, Shape::Disc),
            _ => Piece::NONE,
        })
    }

    #[test]
    fn the_longest_rows_through_the_last_piece_are_found() {
        let before = board([".....", "x....", "xox..", "xoox."]);
        let now = board(["x....", "x....", "xox..", "xoox."]);
        assert_eq!(winning_line(&before, &now, None), [[0, 5, 10, 15]]);
        assert!(winning_line(&before, &now, Some(3)).is_empty());
        let now = board([".....", "xx...", "xox..", "xoox."]);
        assert_eq!(winning_line(&before, &now, None), [[6, 12, 18]]);
        // Rows do not go on at the other edge.
        let before = board([".....", "....x", "x....", "....."]);
        let now = board([".....", "....x", "xx...", "....."]);
        assert_eq!(winning_line(&before, &now, None), [[10, 11]]);
        assert!(winning_line(&now, &now, None).is_empty());
    }
}
