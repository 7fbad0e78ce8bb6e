//! Pictures: all that an HTML page or a window needs to draw a position without the rules.
//!
//! A game describes its position in shapes that every game shares, or in its own. If shapes are
//! not enough, the game uses text.

#![deny(missing_docs)]

use std::fmt::{self, Write};

use serde::{Serialize, Serializer};

use super::player::Player;
use super::stone_board_text::letter;

/// A position to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The content.
    pub body: Body,
    /// The faces of the dice on the table, 0 for a die that was not rolled yet. A game always has
    /// the same number of dice.
    pub dice: Vec<u8>,
    /// Sentences below the picture, such as the face of a die.
    pub captions: Vec<String>,
}

/// The content of a picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Pieces on cells.
    Board(Board),
    /// Scores and their goal.
    Bars(Vec<Bar>),
    /// Nodes, the links between them, and the current position.
    Graph(Graph),
    /// Lines of text in a monospaced font.
    Text(String),
}

/// Pieces on a rectangle of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// The look of the cells.
    pub ground: Ground,
    /// Cells per row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// Row by row from the top left: `columns × rows` of them.
    pub cells: Vec<Piece>,
    /// The column names from the left: none, or one for each column.
    pub column_names: Vec<String>,
    /// Other column names above the board: none, or one for each column.
    pub names_above: Vec<String>,
    /// The row names from the top: none, or one for each row.
    pub row_names: Vec<String>,
}

/// The look of a board's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ground {
    /// Cells between lines.
    Grid,
    /// Light and dark squares, alternating.
    Squares,
    /// Lines; pieces stand on their crossings.
    Crossings,
    /// Two rows of long triangles. The columns between and beside them have no triangles.
    Points {
        /// The column of the bar.
        bar: usize,
        /// The column of pieces that have left the board.
        off: usize,
    },
    /// Round holes in a frame.
    Holes,
    /// A maze: cells without lines between them.
    Maze,
}

/// The piece on a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Piece {
    /// Its shape.
    pub shape: Shape,
    /// Its owner, if it has one.
    pub owner: Option<Player>,
}

/// The shape of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shape {
    /// Nothing.
    #[default]
    Empty,
    /// A cross for the first player, a ring for the second.
    Mark,
    /// A disc.
    Disc,
    /// A disc with a crown.
    King,
    /// A square with a number on it.
    Number(u8),
    /// Discs in a column, on a board of points.
    Stack {
        /// Their number: at least 1.
        count: u8,
        /// Whether the column grows from the bottom.
        up: bool,
    },
    /// A die with this face, 0 for a die that was not rolled yet.
    Die(u8),
    /// A letter or a symbol, such as `♞`.
    Symbol(char),
    /// A wall.
    Wall,
    /// A small dot to be eaten.
    Dot,
    /// A large dot to be eaten.
    Ball,
    /// A shape that only one game has.
    Own(&'static OwnShape),
}

/// A shape that only one game has.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct OwnShape {
    /// Its name, for tooltips.
    pub name: &'static str,
    /// SVG paths in the square from (0, 0) to (30, 30), the lowest first.
    pub paths: &'static [(Ink, &'static str)],
}

/// How a path is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Filled with the colour of the owner.
    Fill,
    /// A thin line in the colour of the owner.
    Line,
    /// Filled with the colour of the page.
    Hole,
    /// A thick line in the colour of text.
    Strike,
}

impl Piece {
    /// An empty cell.
    pub const NONE: Piece = Piece { shape: Shape::Empty, owner: None };

    /// A player's piece.
    pub fn of(owner: Player, shape: Shape) -> Piece {
        Piece { shape, owner: Some(owner) }
    }

    /// A thing without an owner.
    pub fn thing(shape: Shape) -> Piece {
        Piece { shape, owner: None }
    }
}

/// The cell as text for programs: `x` and `o` for stones of the first and second player, in
/// capitals for kings; a letter for a piece of chess, in capitals for White; `.` for an empty
/// cell, `#` for a wall.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = letter(self.owner);
        match self.shape {
            Shape::Empty => f.write_str("."),
            Shape::Mark | Shape::Disc => f.write_char(letter),
            Shape::King => f.write_char(letter.to_ascii_uppercase()),
            Shape::Number(number) if self.owner.is_none() => write!(f, "{number}"),
            Shape::Number(number) => write!(f, "{letter}{number}"),
            Shape::Stack { count, .. } => write!(f, "{letter}{count}"),
            Shape::Die(face) => write!(f, "{face}"),
            Shape::Symbol(figure @ '♚'..='♟') => {
                let name = ['k', 'q', 'r', 'b', 'n', 'p'][figure as usize - '♚' as usize];
                let is_white = self.owner == Some(Player::First);
                f.write_char(if is_white { name.to_ascii_uppercase() } else { name })
            }
            Shape::Symbol(symbol) => f.write_char(symbol),
            Shape::Wall => f.write_str("#"),
            Shape::Dot => f.write_str("·"),
            Shape::Ball => f.write_str("●"),
            Shape::Own(shape) => f.write_str(shape.name),
        }
    }
}

impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// A score and its goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// Its owner.
    pub owner: Player,
    /// The safe points.
    pub value: u32,
    /// The points at risk, in addition.
    pub risked: u32,
    /// The goal: at least 1.
    pub goal: u32,
}

/// Nodes and links, with positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Spot>,
    /// Start node, end node, and the name of the link.
    pub links: Vec<(u32, u32, String)>,
    /// The nodes from the root to the current position, which is the last.
    pub path: Vec<u32>,
}

/// A node of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// The distance from the left, in widths of a leaf.
    pub x: f64,
    /// Rows from the top.
    pub y: u32,
    /// The text in the node.
    pub label: String,
    /// The player who decides in the node, if any.
    pub owner: Option<Player>,
    /// Whether the node is a chance node.
    pub chance: bool,
}

impl Picture {
    /// The cells, row by row from the top; empty if there are none.
    pub fn rows(&self) -> Vec<&[Piece]> {
        match &self.body {
            Body::Board(board) => board.cells.chunks(board.columns).collect(),
            _ => Vec::new(),
        }
    }

    /// A picture without dice and captions.
    pub fn of(body: Body) -> Picture {
        Picture { body, dice: Vec::new(), captions: Vec::new() }
    }

    /// The same picture with the dice of the last roll, where the position does not have them.
    pub fn with_last_roll(mut self, faces: &[u8]) -> Picture {
        for (die, face) in self.dice.iter_mut().zip(faces).filter(|(die, _)| **die == 0) {
            *die = *face;
        }
        self
    }

    /// The same picture with one more caption.
    pub fn with(mut self, caption: impl Into<String>) -> Picture {
        self.captions.push(caption.into());
        self
    }

    /// A picture made of text.
    pub fn text(text: String) -> Picture {
        Picture::of(Body::Text(text))
    }
}

impl Board {
    /// Creates a board by calling a function for each cell, with the column from the left and the
    /// row from the top. Letters name the columns; numbers from the bottom name the rows.
    pub fn new(
        ground: Ground,
        (columns, rows): (usize, usize),
        at: impl Fn(usize, usize) -> Piece,
    ) -> Board {
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        Board {
            ground,
            columns,
            rows,
            cells: cells.map(|(column, row)| at(column, row)).collect(),
            column_names: (0..columns).map(letters).collect(),
            names_above: Vec::new(),
            row_names: (1..=rows).rev().map(|row| row.to_string()).collect(),
        }
    }

    /// A board with a piece of this shape on each cell that a player has.
    pub(crate) fn of_stones(
        ground: Ground,
        (columns, rows): (u32, u32),
        shape: Shape,
        owner: impl Fn(u32, u32) -> Option<Player>,
    ) -> Board {
        Board::new(ground, (columns as usize, rows as usize), |column, row| {
            let owner = owner(column as u32, row as u32);
            owner.map_or(Piece::NONE, |player| Piece::of(player, shape))
        })
    }

    /// The board for the terminal, with the names at its edges; a cell has this many characters.
    pub(crate) fn text(&self, width: usize) -> String {
        let margin = self.row_names.iter().map(|name| 1 + name.len()).max().unwrap_or(0);
        let mut out = String::new();
        for (row, cells) in self.cells.chunks(self.columns).enumerate() {
            let name = self.row_names.get(row).map_or("", String::as_str);
            let _ = write!(out, "{name:>margin$}");
            for &Piece { shape, owner } in cells {
                let mut cell = letter(owner).to_string();
                if let Shape::Number(number) = shape {
                    let _ = write!(cell, "{number}");
                }
                let _ = write!(out, "{cell:>width$}");
            }
            out.push('\n');
        }
        let _ = write!(out, "{:margin$}", "");
        for name in &self.column_names {
            let _ = write!(out, "{name:>width$}");
        }
        out.push('\n');
        out
    }

    /// The same board without row and column names.
    pub fn unnamed(self) -> Board {
        Board { column_names: Vec::new(), row_names: Vec::new(), ..self }
    }
}

/// The name of a column: `a` to `z`, then `aa`.
fn letters(column: usize) -> String {
    let letter = char::from(b'a' + (column % 26) as u8);
    match column / 26 {
        0 => letter.to_string(),
        more => letters(more - 1) + &letter.to_string(),
    }
}
