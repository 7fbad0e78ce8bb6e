//! The board of a game in progress: one SVG for each position, with places to click.

use maud::html;

use super::board_svg::{CELL, bars, cell_size, corner, dice, graph, ground, most, piece, size};
use super::svg_elements::{px, rect};
use crate::games::picture_for_html::{Board, Body, Ground, Picture, Shape};

/// The position as an SVG; cells that differ from the picture before are marked, and so are those
/// of the `line` that ended the game. Each cell of a
/// board has the id `cell` with its number, if `clicked` has it, and each node of a graph has the
/// id `node`. `None` for text.
pub fn live_board(
    picture: &Picture,
    before: Option<&Picture>,
    clicked: &[usize],
    line: &[usize],
) -> Option<String> {
    let [width, height] = size(picture)?;
    let before = match before.map(|before| &before.body) {
        Some(Body::Board(board)) => Some(board),
        _ => None,
    };
    let drawing = html! {
        // The style of the page would not allow a `style` attribute.
        svg class="position" viewBox={ "0 0 " (px(width)) " " (px(height)) }
            width=(px(1.25 * most(picture, width))) role="img" aria-label="the position" {
            @match &picture.body {
                Body::Board(board) => {
                    (ground(board))
                    @for (cell, here) in board.cells.iter().enumerate() {
                        @let [x, y] = corner(board, cell);
                        @if before.is_some_and(|before| before.cells.get(cell) != Some(here)) {
                            (rect("changed", [x, y], cell_size(board)))
                        }
                        @if here.shape != Shape::Empty {
                            g transform=(format!("translate({} {})", px(x), px(y))) { (piece(*here)) }
                        }
                    }
                    @for &cell in line {
                        (rect("won", corner(board, cell), cell_size(board)))
                    }
                    @for &cell in clicked {
                        @let ([x, y], high) = place(board, cell);
                        rect id={ "cell" (cell) } class="target" x=(px(x)) y=(px(y))
                            width=(px(CELL)) height=(px(high)) {}
                    }
                },
                Body::Bars(all) => (bars(all, false)),
                Body::Graph(all) => (graph(all, true)),
                Body::Text(_) => {},
            }
            (dice(picture))
        }
    };
    Some(drawing.into_string())
}

/// Where to click: the cell, or the whole column if stones fall.
fn place(board: &Board, cell: usize) -> ([f64; 2], f64) {
    match board.ground {
        Ground::Holes => (corner(board, cell % board.columns), CELL * board.rows as f64),
        _ => (corner(board, cell), cell_size(board)[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Player;
    use crate::games::picture_for_html::Piece;

    #[test]
    fn a_column_of_holes_is_one_target_and_the_last_stone_is_marked() {
        let disc = Piece::of(Player::First, Shape::Disc);
        let with = |here: usize| {
            let piece = |column, row| if 7 * row + column == here { disc } else { Piece::NONE };
            Picture::of(Body::Board(Board::new(Ground::Holes, (7, 6), piece)))
        };
        let svg = live_board(&with(38), Some(&with(99)), &[31, 35], &[38]).expect("a board");
        assert_eq!(svg.matches("class=\"changed\"").count(), 1);
        assert_eq!(svg.matches("class=\"target\"").count(), 2);
        assert_eq!(svg.matches("class=\"won\"").count(), 1);
        assert!(svg.contains("height=\"180\""), "{svg}");
        assert_eq!(live_board(&Picture::text("x".into()), None, &[], &[]), None);
    }
}
