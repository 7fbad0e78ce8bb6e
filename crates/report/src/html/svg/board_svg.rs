//! Draws positions as SVG, from the shapes in which games describe them.
//!
//! A board consists of a ground, drawn once, and of pieces, each in its own square. So a page can
//! move pieces without knowing what they are.

use maud::{Markup, html};

use super::svg_elements::{fit, line, px, rect, text, width};
use crate::games::Player;
use crate::games::picture_for_html::{Bar, Board, Body, Graph, Ground, Ink, Picture, Piece, Shape};

pub const CELL: f64 = 30.0;
/// The height of a cell with a triangle.
const POINT: f64 = 155.0;
/// The distance of checkers in a column, and the number of those that are drawn.
const STACKED: f64 = 25.0;
const MOST_STACKED: u8 = 5;
/// Minimum space for names beside a board.
const EDGE: f64 = 18.0;

fn class(owner: Option<Player>) -> &'static str {
    match owner {
        Some(Player::First) => "first",
        Some(Player::Second) => "second",
        None => "neutral",
    }
}

/// The owner and the kind of a piece, for tooltips.
pub fn name(piece: Piece) -> String {
    let thing = match piece.shape {
        Shape::Empty => return "empty".to_owned(),
        Shape::Mark | Shape::Disc => "stone".to_owned(),
        Shape::King => "king".to_owned(),
        Shape::Number(number) => format!("stone {number}"),
        Shape::Stack { count, .. } => format!("checkers ({count})"),
        Shape::Die(face) => format!("die {face}"),
        Shape::Symbol(symbol) => symbol.to_string(),
        Shape::Wall => "wall".to_owned(),
        Shape::Dot => "food".to_owned(),
        Shape::Ball => "capsule".to_owned(),
        Shape::Own(own) => own.name.to_owned(),
    };
    match piece.owner {
        Some(owner) => format!("{thing} of the {} player", class(Some(owner))),
        None => thing,
    }
}

/// A piece in the square from (0, 0) to (30, 30).
pub fn piece(piece: Piece) -> Markup {
    let first = piece.owner == Some(Player::First);
    let shape = match piece.shape {
        Shape::Empty => html! {},
        Shape::Mark if first => html! {
            path class="stroke" d="M8 8L22 22M22 8L8 22" {}
        },
        Shape::Mark => html! { circle class="stroke" cx="15" cy="15" r="7.5" {} },
        Shape::Disc => html! {
            circle class="fill" cx="15" cy="15" r="12" {}
            // The second player's piece contains a ring, so colour is not needed to distinguish it.
            @if !first { circle class="carved" cx="15" cy="15" r="5.5" {} }
        },
        Shape::King => html! {
            circle class="fill" cx="15" cy="15" r="12" {}
            path class="crown" d="M8 20.5V10L11.5 14L15 8L18.5 14L22 10V20.5Z" {}
            @if !first { circle class="fill" cx="15" cy="16.5" r="2.2" {} }
        },
        Shape::Number(number) => html! {
            @if first {
                rect class="fill" x="4" y="4" width="22" height="22" rx="3" {}
            } @else {
                circle class="fill" cx="15" cy="15" r="12" {}
            }
            text class="on middle" x="15" y="20" { (number) }
        },
        Shape::Stack { count, up } => html! {
            @for i in 0..count.min(MOST_STACKED) {
                @let from_edge = 14.0 + STACKED * f64::from(i);
                @let y = if up { POINT - from_edge } else { from_edge };
                circle class="fill" cx="15" cy=(px(y)) r="12" {}
                @if i + 1 == MOST_STACKED && count > MOST_STACKED {
                    text class="on middle" x="15" y=(px(y + 5.0)) { (count) }
                } @else if !first {
                    circle class="carved" cx="15" cy=(px(y)) r="5.5" {}
                }
            }
        },
        Shape::Die(face) => html! {
            rect class="die" x="2" y="2" width="26" height="26" rx="5" {}
            @if face > 6 { text class="face middle" x="15" y="20" { (face) } }
            @for [x, y] in pips(face) {
                circle class="pip" cx=(7 + 8 * x) cy=(7 + 8 * y) r="2.7" {}
            }
        },
        Shape::Symbol(symbol) => html! {
            // The character after the symbol requests a letter instead of an emoji.
            text class="symbol middle" x="15" y="24" { (symbol) "\u{fe0e}" }
        },
        Shape::Wall => html! { rect class="wall" x="-0.5" y="-0.5" width="31" height="31" {} },
        Shape::Dot => html! { circle class="food" cx="15" cy="15" r="3" {} },
        Shape::Ball => html! { circle class="food" cx="15" cy="15" r="7" {} },
        Shape::Own(own) => html! {
            @for &(ink, path) in own.paths {
                path class=(match ink {
                    Ink::Fill => "fill",
                    Ink::Line => "stroke thin",
                    Ink::Hole => "hole",
                    Ink::Strike => "struck",
                }) d=(path) {}
            }
        },
    };
    html! { g class=(class(piece.owner)) { (shape) } }
}

/// The places of the pips on a face, in three columns and rows.
fn pips(face: u8) -> Vec<[u8; 2]> {
    let places = [[1, 1], [0, 0], [2, 2], [2, 0], [0, 2], [0, 1], [2, 1]];
    match face {
        1..=6 => places[usize::from(1 - face % 2)..usize::from(face + 1 - face % 2)].to_vec(),
        _ => Vec::new(),
    }
}

/// Width and height of a picture; `None` for text.
pub fn size(picture: &Picture) -> Option<[f64; 2]> {
    let [width, height] = body_size(&picture.body)?;
    let beside = dice_corners(picture).last().map_or(0.0, |[x, _]| x + CELL + 2.0);
    Some([width.max(beside), height])
}

/// The top left corner of each die: between the rows of points, or else to the right.
pub fn dice_corners(picture: &Picture) -> Vec<[f64; 2]> {
    let (count, right) = (picture.dice.len(), body_size(&picture.body).map_or(0.0, |[x, _]| x));
    let corner = |i: usize| match &picture.body {
        Body::Board(board @ Board { ground: Ground::Points { bar, off }, .. }) => {
            let [left, top, _] = edge(board);
            let middle = left + CELL * (bar + 1 + off) as f64 / 2.0;
            let first = middle - 18.0 * count as f64;
            [first + 36.0 * i as f64 + 3.0, top + 1.0 + POINT - CELL / 2.0]
        }
        _ => [right + 8.0, 16.0 + 36.0 * i as f64],
    };
    (0..count).map(corner).collect()
}

fn body_size(body: &Body) -> Option<[f64; 2]> {
    Some(match body {
        Body::Board(board) => {
            let ([left, above, below], [wide, high]) = (edge(board), cell_size(board));
            let size = |cells: usize, of_cell: f64| of_cell * cells as f64 + 2.0;
            [size(board.columns, wide) + left, size(board.rows, high) + above + below]
        }
        Body::Bars(bars) => [360.0, 44.0 * bars.len() as f64 + 8.0],
        Body::Graph(graph) => {
            let [across, down] = extent(graph);
            [(across + 1.0) * spacing(graph), (down + 1.0) * HIGH]
        }
        Body::Text(_) => return None,
    })
}

/// Maximum width of a picture on a wide page.
pub fn most(picture: &Picture, width: f64) -> f64 {
    match &picture.body {
        Body::Board(_) => (1.8 * width).clamp(240.0, 560.0),
        _ => (1.3 * width).clamp(240.0, 640.0),
    }
}

/// Space for names at the left, at the top and at the bottom.
fn edge(board: &Board) -> [f64; 3] {
    let widest = board.row_names.iter().map(|name| width(name) + 5.0).reduce(f64::max);
    let [above, below] = [&board.names_above, &board.column_names]
        .map(|names| if names.is_empty() { 0.0 } else { EDGE });
    [widest.map_or(0.0, |wide| wide.max(EDGE)), above, below]
}

/// Width and height of a cell.
pub fn cell_size(board: &Board) -> [f64; 2] {
    [CELL, if matches!(board.ground, Ground::Points { .. }) { POINT } else { CELL }]
}

/// The top left corner of a cell.
pub fn corner(board: &Board, cell: usize) -> [f64; 2] {
    let (row, column) = (cell / board.columns, cell % board.columns);
    let ([left, above, _], [wide, high]) = (edge(board), cell_size(board));
    [left + 1.0 + wide * column as f64, above + 1.0 + high * row as f64]
}

/// The lines of a board whose pieces stand on crossings, with star points on squares.
fn crossings(board: &Board) -> Markup {
    let [columns, rows] = [board.columns, board.rows];
    let middle =
        |column: usize, row: usize| corner(board, row * columns + column).map(|at| at + CELL / 2.0);
    let ends = (0..columns).map(|column| [(column, 0), (column, rows - 1)]);
    let lines = ends.chain((0..rows).map(|row| [(0, row), (columns - 1, row)]));
    let from_edge = if columns < 13 { 2 } else { 3 };
    let mut stars = Vec::new();
    if columns >= 9 {
        stars.extend([from_edge, columns - 1 - from_edge]);
    }
    if columns % 2 == 1 {
        stars.push(columns / 2);
    }
    let is_star = |[column, row]: &[usize; 2]| {
        columns == rows && (columns >= 19 || (2 * column + 1 == columns) == (2 * row + 1 == rows))
    };
    let places = stars.iter().flat_map(|&column| stars.iter().map(move |&row| [column, row]));
    html! {
        @for [from, to] in lines { (line("crossing", middle(from.0, from.1), middle(to.0, to.1))) }
        @for [column, row] in places.filter(is_star) {
            @let [x, y] = middle(column, row);
            circle class="star" cx=(px(x)) cy=(px(y)) r="3" {}
        }
    }
}

/// The triangle of a cell, from the edge towards the middle of the board.
fn triangle(board: &Board, cell: usize) -> Markup {
    let ([x, y], below) = (corner(board, cell), cell >= board.columns);
    let [base, tip] = if below { [y + POINT, y + 25.0] } else { [y, y + POINT - 25.0] };
    let light = (cell / board.columns + cell % board.columns).is_multiple_of(2);
    let points = [[x + 1.0, base], [x + CELL - 1.0, base], [x + CELL / 2.0, tip]];
    let points = points.map(|[x, y]| format!("{},{}", px(x), px(y))).join(" ");
    html! { polygon class=(if light { "pale" } else { "dark" }) points=(points) {} }
}

/// The part of the drawing that is the same in every position.
pub fn ground(board: &Board) -> Markup {
    let ([left, above, _], [wide, high]) = (edge(board), cell_size(board));
    let all = [wide * board.columns as f64, high * board.rows as f64];
    let hidden = match board.ground {
        Ground::Grid | Ground::Crossings | Ground::Points { .. } => "board",
        Ground::Squares => "board light",
        Ground::Holes => "board frame",
        Ground::Maze => "board floor",
    };
    html! {
        (rect(hidden, [left + 1.0, above + 1.0], all))
        @if board.ground == Ground::Crossings { (crossings(board)) }
        @for cell in 0..board.cells.len() {
            @let [x, y] = corner(board, cell);
            @match board.ground {
                Ground::Grid => (rect("cell", [x, y], [CELL, CELL])),
                Ground::Squares => {
                    @if (cell / board.columns + cell % board.columns) % 2 == 1 {
                        (rect("dark", [x, y], [CELL, CELL]))
                    }
                },
                Ground::Holes => circle class="hole" cx=(px(x + 15.0)) cy=(px(y + 15.0)) r="12" {},
                Ground::Points { bar, off } => {
                    @if [bar, off].contains(&(cell % board.columns)) {
                        (rect("bar", [x, y], [CELL, POINT]))
                    } @else {
                        (triangle(board, cell))
                    }
                },
                Ground::Crossings | Ground::Maze => {},
            }
        }
        @for (row, name) in board.row_names.iter().enumerate() {
            (text("edge middle", [left / 2.0 - 1.0, CELL * (row as f64 + 0.5) + 5.0], name))
        }
        @for (column, name) in board.column_names.iter().enumerate() {
            (text("edge middle", [left + 1.0 + CELL * (column as f64 + 0.5), above + all[1] + 15.0],
                name))
        }
        @for (column, name) in board.names_above.iter().enumerate() {
            (text("edge middle", [left + 1.0 + CELL * (column as f64 + 0.5), above - 5.0], name))
        }
    }
}

/// The width of a goal.
pub const GOAL: f64 = 300.0;

/// Score bars. With `ids`, the changing elements have ids such as `value0` and `risked0`, numbered
/// by side.
pub fn bars(bars: &[Bar], ids: bool) -> Markup {
    html! {
        @for (i, bar) in bars.iter().enumerate() {
            @let y = 44.0 * i as f64 + 4.0;
            @let share = |points: u32| GOAL * f64::from(points.min(bar.goal)) / f64::from(bar.goal);
            @let (value, end) = (share(bar.value), share(bar.value + bar.risked));
            @let id = |name: &str| ids.then(|| format!("{name}{i}"));
            g class=(class(Some(bar.owner))) {
                (text("name", [0.0, y + 11.0],
                    &format!("{} player, goal {}", class(Some(bar.owner)), bar.goal)))
                (rect("board", [0.0, y + 16.0], [GOAL, 16.0]))
                rect id=[id("risked")] class="risked" x="0" y=(px(y + 16.0)) width=(px(end))
                    height="16" {}
                rect id=[id("value")] class="fill" x="0" y=(px(y + 16.0)) width=(px(value))
                    height="16" {}
                text id=[id("score")] class="name" x=(px(GOAL + 8.0)) y=(px(y + 29.0)) {
                    (bar.value) @if bar.risked > 0 { " + " (bar.risked) }
                }
            }
        }
    }
}

const HIGH: f64 = 62.0;
/// The relative position of a name along its link: near the lower end siblings are further apart.
const NAMED_AT: f64 = 0.62;

/// The distance between leaves, large enough for the names of adjacent links.
fn spacing(graph: &Graph) -> f64 {
    let widest = graph.links.iter().map(|(_, _, name)| width(name)).fold(0.0, f64::max);
    ((widest + 6.0) / NAMED_AT).clamp(46.0, 120.0)
}

fn extent(graph: &Graph) -> [f64; 2] {
    let across = graph.nodes.iter().map(|node| node.x).fold(0.0, f64::max);
    let down = graph.nodes.iter().map(|node| f64::from(node.y)).fold(0.0, f64::max);
    [across, down]
}

/// A graph in which nodes and links on the path are marked. With `ids` a page can mark others: the
/// ids `node` and `link` contain the number of the node or of the link's target.
pub fn graph(graph: &Graph, ids: bool) -> Markup {
    let wide = spacing(graph);
    let place = |node: u32| {
        let node = &graph.nodes[node as usize];
        [(node.x + 0.5) * wide, (f64::from(node.y) + 0.5) * HIGH]
    };
    let on = |node: u32| match graph.path.iter().position(|other| *other == node) {
        Some(place) if place + 1 == graph.path.len() => " on at",
        Some(_) => " on",
        None => "",
    };
    html! {
        @for (from, to, label) in &graph.links {
            @let ([x1, y1], [x2, y2]) = (place(*from), place(*to));
            g id=[ids.then(|| format!("link{to}"))] class={ "link" (on(*to)) } {
                (line("way", [x1, y1], [x2, y2]))
                @let at = |from: f64, to: f64| from + NAMED_AT * (to - from);
                (text("edge middle", [at(x1, x2), at(y1, y2) + 2.0],
                    &fit(label, NAMED_AT * wide)))
            }
        }
        @for (number, node) in graph.nodes.iter().enumerate() {
            @let [x, y] = place(number as u32);
            g id=[ids.then(|| format!("node{number}"))]
                class={ "node " (class(node.owner)) (on(number as u32)) } {
                @if node.owner.is_none() && !node.chance {
                    (rect("body", [x - 14.0, y - 12.0], [28.0, 24.0]))
                } @else {
                    (node_body(node.owner, [x, y]))
                }
                // A name that is too wide for the shape is drawn below it.
                @let below = if width(&node.label) > 26.0 { 27.0 } else { 5.0 };
                (text("name middle", [x, y + below], &fit(&node.label, wide - 4.0)))
            }
        }
    }
}

/// The shape of an inner node of a tree: a triangle for a player, and a circle for chance.
pub fn node_body(owner: Option<Player>, [x, y]: [f64; 2]) -> Markup {
    let triangle = |up: f64| {
        let [tip, base] = [y - up * 15.0, y + up * 12.0].map(px);
        let [left, middle, right] = [x - 16.0, x, x + 16.0].map(px);
        html! {
            polygon class="body" points={ (middle) "," (tip) " " (right) "," (base) " " (left) "," (base) } {}
        }
    };
    match owner {
        Some(Player::First) => triangle(1.0),
        Some(Player::Second) => triangle(-1.0),
        None => html! { circle class="body" cx=(px(x)) cy=(px(y)) r="14" {} },
    }
}

/// The dice on the table.
pub fn dice(picture: &Picture) -> Markup {
    html! {
        @for (&face, [x, y]) in picture.dice.iter().zip(dice_corners(picture)) {
            g transform=(format!("translate({} {})", px(x), px(y))) {
                (piece(Piece::thing(Shape::Die(face))))
            }
        }
    }
}

/// A whole position; empty for text.
pub fn picture(picture: &Picture) -> Markup {
    let body = match &picture.body {
        Body::Board(board) => html! {
            (ground(board))
            @for (cell, here) in board.cells.iter().enumerate() {
                @if here.shape != Shape::Empty {
                    @let [x, y] = corner(board, cell);
                    g transform=(format!("translate({} {})", px(x), px(y))) { (piece(*here)) }
                }
            }
        },
        Body::Bars(all) => bars(all, false),
        Body::Graph(all) => graph(all, false),
        Body::Text(_) => html! {},
    };
    html! { (body) (dice(picture)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Drawing;

    #[test]
    fn pieces_of_both_sides_differ_in_shape() {
        let shapes = [Shape::Mark, Shape::Disc, Shape::Number(3)];
        for shape in shapes {
            let [first, second] = [Player::First, Player::Second].map(|owner| {
                let drawn = piece(Piece::of(owner, shape)).into_string();
                drawn.replace("class=\"first\"", "").replace("class=\"second\"", "")
            });
            assert_ne!(first, second, "{shape:?}");
        }
    }

    #[test]
    fn every_cell_is_inside_the_picture() {
        let board = Board::new(Ground::Holes, (7, 6), |_, _| Piece::NONE);
        let picture = Picture::of(Body::Board(board.clone()));
        let [width, height] = size(&picture).expect("a board");
        let [x, y] = corner(&board, 41);
        assert!(x + CELL <= width && y + CELL <= height);
        assert_eq!(ground(&board).into_string().matches("class=\"hole\"").count(), 42);
        assert_eq!(size(&Picture::text("x".into())), None);
        // Three digits need more space than one letter.
        let wide = Board { row_names: vec!["210".into(); 6], ..board.clone() };
        assert!(corner(&wide, 0)[0] > corner(&board, 0)[0]);
    }

    #[test]
    fn dice_have_pips_and_high_stacks_a_number() {
        let thing = |shape| piece(Piece::of(Player::First, shape)).into_string();
        for face in 0..=6 {
            let pips = thing(Shape::Die(face)).matches("class=\"pip\"").count();
            assert_eq!(pips, usize::from(face));
        }
        assert!(thing(Shape::Die(12)).contains(">12</text>"));
        let [five, seven] = [5, 7].map(|count| thing(Shape::Stack { count, up: true }));
        assert_eq!(five.matches("<circle").count(), 5);
        assert_eq!((five.contains("<text"), seven.contains(">7</text>")), (false, true));
        assert_eq!(seven.matches("<circle").count(), 5);
    }

    #[test]
    fn crossings_have_lines_and_star_points() {
        for (size, stars) in [(5, 1), (8, 0), (9, 5), (13, 5), (15, 5), (19, 9), (20, 4)] {
            let board = Board::new(Ground::Crossings, (size, size), |_, _| Piece::NONE);
            let svg = ground(&board).into_string();
            assert_eq!(svg.matches("class=\"crossing\"").count(), 2 * size);
            assert_eq!(svg.matches("class=\"star\"").count(), stars, "{size}");
        }
    }

    #[test]
    fn points_are_triangles_and_dice_lie_between_them() {
        let points = Ground::Points { bar: 6, off: 13 };
        let board = Board::new(points, (14, 2), |_, _| Piece::NONE);
        assert_eq!(ground(&board).into_string().matches("<polygon").count(), 24);
        let picture = Picture { dice: vec![3, 1], ..Picture::of(Body::Board(board.clone())) };
        let [[left, above], [right, _]] = dice_corners(&picture)[..] else { panic!("two dice") };
        assert!(corner(&board, 7)[0] < left && right + CELL < corner(&board, 13)[0]);
        assert!(above < corner(&board, 14)[1] && corner(&board, 14)[1] < above + CELL);
        assert_eq!(size(&picture), size(&Picture::of(Body::Board(board))));
    }

    #[test]
    fn the_way_through_a_graph_is_marked() {
        use crate::games::{Configurable, Game, GameTree};
        use crate::params::Values;
        let tree = GameTree::build(&Values::default()).expect("the textbook's tree");
        let mut state = tree.start();
        tree.play(&mut state, 0);
        let svg = self::picture(&tree.drawing().picture(&state)).into_string();
        assert_eq!(svg.matches(" on at").count(), 2, "the node and the link to it");
        assert_eq!(svg.matches("class=\"body\"").count(), tree.len());
    }
}
