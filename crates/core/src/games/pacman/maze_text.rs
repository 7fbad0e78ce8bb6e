//! Mazes as text: `%` wall, `.` food, `o` capsule, `P` Pacman, `G` ghost.

use std::path::Path;

use super::maze::Maze;
use super::state::{MAX_GHOSTS, MAX_PELLETS};
use crate::params::ParamError;

/// The built-in layouts, by name; the default first.
const BUILTIN: [(&str, &str); 2] =
    [("chase", include_str!("chase.txt")), ("dead_end", include_str!("dead_end.txt"))];

const MAX_SIDE: usize = 64;
const MAX_CELLS: usize = 1024;
const NO_PELLET: u16 = u16::MAX;

/// A maze with its contents at the start.
#[derive(Debug, Clone)]
pub(super) struct MazeText {
    pub maze: Maze,
    /// The number of the food or capsule on each cell; `NO_PELLET` for none.
    pellets: Vec<u16>,
    /// The cell of each food, then of each capsule.
    pub pellet_cells: Vec<(u8, u8)>,
    pub food: usize,
    pub pacman: (u8, u8),
    /// Ordered by column, then by row.
    pub ghosts: Vec<(u8, u8)>,
}

/// The text of a layout: a built-in name, the maze itself, or a path relative to `folder`.
///
/// # Errors
/// A file that cannot be read.
pub(super) fn text_of(layout: &str, folder: &Path) -> Result<String, ParamError> {
    if let Some((_, text)) = BUILTIN.iter().find(|(name, _)| *name == layout) {
        return Ok((*text).to_owned());
    }
    if !is_path(layout) {
        let rows =
            if layout.contains('\n') { layout.to_owned() } else { layout.replace('/', "\n") };
        return Ok(rows);
    }
    let path = folder.join(layout);
    let read = std::fs::read_to_string(&path);
    // Some editors begin a file with a byte order mark.
    let plain = |text: String| text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    read.map(plain).map_err(|error| {
        let message = format!("the layout `{}` cannot be read: {error}", path.display());
        let names = BUILTIN.map(|(name, _)| format!("`{name}`")).join(", ");
        let help = format!(
            "{names}, the path of a text file as seen from the folder of the config, or the maze \
             itself"
        );
        fault(message, help)
    })
}

/// Whether a layout is neither a built-in name nor the maze itself.
pub(super) fn is_path(layout: &str) -> bool {
    !layout.contains(['\n', '%']) && BUILTIN.iter().all(|(name, _)| *name != layout)
}

fn fault(message: impl Into<String>, help: impl Into<String>) -> ParamError {
    ParamError::at("layout", message, help)
}

/// The rows of a text from the top, without comments or surrounding blank lines.
fn rows(text: &str) -> Vec<(usize, Vec<char>)> {
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(number, line)| (number, line.trim_end_matches('\r')));
    let mut rows: Vec<(usize, Vec<char>)> = lines
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(number, line)| (number, line.chars().collect()))
        .collect();
    let blank = |row: &(usize, Vec<char>)| row.1.iter().all(|c| c.is_whitespace());
    while rows.last().is_some_and(blank) {
        rows.pop();
    }
    let first = rows.iter().position(|row| !blank(row)).unwrap_or(0);
    rows.split_off(first)
}

fn check_size(rows: &[(usize, Vec<char>)], width: usize) -> Result<(), ParamError> {
    let height = rows.len();
    if width == 0 {
        return Err(fault("the layout is empty", "draw it with `%`, `P`, `G`, `.` and `o`"));
    }
    if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != width) {
        let message = format!(
            "line {line} of the layout has {} cells, but the first row has {width}",
            row.len()
        );
        return Err(fault(message, "fill the shorter rows with `%`"));
    }
    if width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_CELLS {
        let message = format!("a layout of {width} by {height} cells is too large");
        let help = format!("at most {MAX_SIDE} by {MAX_SIDE} and {MAX_CELLS} cells in all");
        return Err(fault(message, help));
    }
    Ok(())
}

/// The cells of a layout by their letters.
#[derive(Default)]
struct Drawn {
    /// Whether each cell is no wall.
    open: Vec<bool>,
    food: Vec<(u8, u8)>,
    capsules: Vec<(u8, u8)>,
    pacman: Option<(u8, u8)>,
    ghosts: Vec<(u8, u8)>,
}

impl Drawn {
    fn of(rows: &[(usize, Vec<char>)], width: usize) -> Result<Self, ParamError> {
        let mut drawn = Drawn { open: vec![false; width * rows.len()], ..Drawn::default() };
        for (y, (line, row)) in (0..rows.len()).rev().zip(rows) {
            for (x, &letter) in row.iter().enumerate() {
                let cell = (x as u8, y as u8);
                let place = || format!("in line {line}, column {}", x + 1);
                match letter {
                    '%' => continue,
                    '.' => drawn.food.push(cell),
                    'o' => drawn.capsules.push(cell),
                    'G' => drawn.ghosts.push(cell),
                    'P' if drawn.pacman.replace(cell).is_some() => {
                        let message = format!("a second Pacman is {}", place());
                        return Err(fault(message, "keep one `P`"));
                    }
                    'P' | ' ' | '_' => {}
                    other => {
                        let message =
                            format!("`{}` is not a cell, {}", other.escape_debug(), place());
                        let help = "`%` wall, `.` food, `o` capsule, `P` Pacman, `G` ghost, \
                                      space or `_` nothing";
                        return Err(fault(message, help));
                    }
                }
                drawn.open[y * width + x] = true;
            }
        }
        Ok(drawn)
    }
}

impl MazeText {
    /// Reads a maze.
    ///
    /// # Errors
    /// The error, with its line and column.
    pub fn read(text: &str) -> Result<MazeText, ParamError> {
        let rows = rows(text);
        let height = rows.len();
        let width = rows.first().map_or(0, |(_, row)| row.len());
        check_size(&rows, width)?;
        let Drawn { open, food, capsules, pacman, mut ghosts } = Drawn::of(&rows, width)?;
        let pacman = pacman.ok_or_else(|| fault("the layout has no Pacman", "put a `P`"))?;
        if ghosts.len() > MAX_GHOSTS {
            let message = format!("{} ghosts are too many", ghosts.len());
            return Err(fault(message, format!("at most {MAX_GHOSTS}")));
        }
        if food.len() + capsules.len() > MAX_PELLETS {
            let message = format!("{} food and capsules are too many", food.len() + capsules.len());
            return Err(fault(message, format!("at most {MAX_PELLETS}")));
        }
        ghosts.sort();
        let maze = Maze::new(width, open);
        if let Some(&(x, y)) = ghosts.iter().find(|&&cell| maze.ways(cell).next().is_none()) {
            let (line, _) = rows[height - 1 - usize::from(y)];
            let message = format!("the ghost in line {line}, column {} is walled in", x + 1);
            return Err(fault(message, "open a way, or take the ghost out"));
        }
        let mut pellets = vec![NO_PELLET; width * height];
        let pellet_cells = [&food[..], &capsules].concat();
        for (number, &cell) in (0..).zip(&pellet_cells) {
            pellets[maze.index(cell)] = number;
        }
        Ok(MazeText { maze, pellets, pellet_cells, food: food.len(), pacman, ghosts })
    }

    /// The number of the food or capsule on this cell at the start.
    #[inline]
    pub fn pellet(&self, cell: (u8, u8)) -> Option<usize> {
        let number = self.pellets[self.maze.index(cell)];
        (number != NO_PELLET).then_some(usize::from(number))
    }

    /// Why the game can never be won, if it cannot.
    pub fn warnings(&self) -> Vec<String> {
        if self.food == 0 {
            return vec!["the layout has no food: Pacman can never win".to_owned()];
        }
        let out_of_reach = |cell: &&(u8, u8)| self.maze.distance(self.pacman, **cell).is_none();
        let mut cut_off = self.pellet_cells[..self.food].iter().filter(out_of_reach);
        match (cut_off.next(), cut_off.count()) {
            (None, _) => Vec::new(),
            (Some((x, y)), more) => {
                let row = self.maze.height() - usize::from(*y);
                let place = format!("in row {row} from the top, column {}", x + 1);
                let others = match more {
                    0 => String::new(),
                    _ => format!(" (and {more} more)"),
                };
                vec![format!(
                    "Pacman cannot reach the food {place}{others}, so he can never win: open a way \
                     to it"
                )]
            }
        }
    }
}
