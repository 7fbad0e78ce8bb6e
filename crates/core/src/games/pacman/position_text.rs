//! Positions of Pacman as one line.
//!
//! The maze from the top with the remaining food, the capsules and Pacman, with `/` between rows
//! and `_` for an empty cell. Then the score, the side to move (0 is Pacman) and each ghost: column
//! and row of its cell from the bottom left, its last direction (`-` at its start) and the number
//! of moves for which it stays scared:
//!
//! ```text
//! %%%%%/%P_.%/%___%/%%%%% score=-2 mover=0 ghost1=2.5:1:west:7
//! ```
//!
//! `end=lost` marks a position in which Pacman was caught. Also accepted: a maze with `G` for
//! ghosts, a maze without ghosts (all at their start), and positions without the fields that have
//! their initial values.

use std::fmt::Write;

use super::pacman_game::Pacman;
use super::state::{End, Ghost, PacmanMove, PacmanState, SCARED_MOVES};
use super::text::word;
use crate::games::game::Game;
use crate::games::read_number::whole_number;

/// Larger scores cannot occur in a game.
const MOST: i32 = 1_000_000_000;

pub(super) fn write(game: &Pacman, state: &PacmanState) -> String {
    let (width, height) = game.size();
    let mut out = String::new();
    for y in (0..height as u8).rev() {
        out.extend((0..width as u8).map(|x| letter(game, state, (x, y))));
        out.push(if y > 0 { '/' } else { ' ' });
    }
    let _ = write!(out, "score={} mover={}", state.score, state.mover);
    for (number, ghost) in (1..).zip(&state.ghosts[..game.ghosts()]) {
        let [x, y] = [ghost.x, ghost.y].map(halves);
        let facing = if ghost.facing == PacmanMove::Stop { "-" } else { word(ghost.facing) };
        let _ = write!(out, " ghost{number}={x}:{y}:{facing}:{}", ghost.scared);
    }
    if state.end == End::Lost {
        out.push_str(" end=lost");
    }
    out
}

fn letter(game: &Pacman, state: &PacmanState, cell: (u8, u8)) -> char {
    let pellet = game.layout.pellet(cell).filter(|&number| state.has_pellet(number));
    match pellet {
        _ if !game.layout.maze.is_open(cell) => '%',
        _ if state.pacman == cell => 'P',
        Some(number) if number < game.layout.food => '.',
        Some(_) => 'o',
        None => '_',
    }
}

/// A number of half cells, as text in cells.
fn halves(number: u8) -> String {
    format!("{}{}", number / 2, if number % 2 == 1 { ".5" } else { "" })
}

fn read_halves(text: &str) -> Option<u8> {
    let (text, half) = match text.strip_suffix(".5") {
        Some(text) => (text, 1),
        None => (text, 0),
    };
    whole_number::<u8>(text)?.checked_mul(2)?.checked_add(half)
}

pub(super) fn read(game: &Pacman, text: &str) -> Result<PacmanState, String> {
    let mut words = text.split_ascii_whitespace();
    let maze = words.next().ok_or("a position begins with the rows of the maze")?;
    let mut state = read_maze(game, maze)?;
    let (mut lost, mut keys) = (false, Vec::new());
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        if keys.contains(&key) {
            return Err(format!("`{key}` comes twice: write it once"));
        }
        keys.push(key);
        let known = match key {
            "end" => (value == "lost").then(|| lost = true),
            _ => set(game, &mut state, key, value),
        };
        known.ok_or_else(|| format!("`{word}` is not part of a position of this layout"))?;
    }
    let caught = |ghost: &Ghost| ghost.scared == 0 && ghost.half_steps(state.pacman) <= 1;
    state.end = match lost {
        _ if state.food == 0 && game.layout.food > 0 => End::Won,
        true if !state.ghosts[..game.ghosts()].iter().any(caught) => {
            return Err("no ghost is near enough to catch Pacman".to_owned());
        }
        true => End::Lost,
        false => End::Open,
    };
    Ok(state)
}

/// Sets the field with this key; `None` for an invalid key or value.
fn set(game: &Pacman, state: &mut PacmanState, key: &str, value: &str) -> Option<()> {
    match key {
        "score" => {
            let (sign, digits) = value.strip_prefix('-').map_or((1, value), |digits| (-1, digits));
            state.score = sign * whole_number(digits).filter(|score: &i32| *score <= MOST)?;
        }
        "mover" => {
            state.mover =
                whole_number(value).filter(|&mover: &u8| usize::from(mover) <= game.ghosts())?;
        }
        _ => {
            let number: usize = whole_number(key.strip_prefix("ghost")?)?;
            let ghosts = &mut state.ghosts[..game.ghosts()];
            *ghosts.get_mut(number.checked_sub(1)?)? = read_ghost(game, value)?;
        }
    }
    Some(())
}

/// Reads food, capsules, Pacman and ghosts from the drawing; the rest as at the start.
fn read_maze(game: &Pacman, text: &str) -> Result<PacmanState, String> {
    let (width, height) = game.size();
    let rows: Vec<Vec<char>> = text.split('/').map(|row| row.chars().collect()).collect();
    if rows.len() != height {
        return Err(format!("{} rows between `/`, but the maze has {height}", rows.len()));
    }
    let mut state = game.start();
    state.pellets = [0; 4];
    state.food = 0;
    let (mut pacman, mut ghosts) = (None, Vec::new());
    for (y, row) in (0..height as u8).rev().zip(&rows) {
        if row.len() != width {
            return Err(format!("a row of {} cells, but the maze has {width}", row.len()));
        }
        for (x, &letter) in (0..).zip(row) {
            let cell = (x, y);
            let pellet = game.layout.pellet(cell);
            let fits = match letter {
                '%' => !game.layout.maze.is_open(cell),
                _ if !game.layout.maze.is_open(cell) => false,
                '.' => pellet.is_some_and(|number| number < game.layout.food),
                'o' => pellet.is_some_and(|number| number >= game.layout.food),
                'P' => pacman.replace(cell).is_none(),
                'G' => {
                    ghosts.push(cell);
                    true
                }
                '_' => true,
                _ => false,
            };
            if !fits {
                return Err(format!("`{letter}` cannot be in column {x}, row {y} of this layout"));
            }
            if let (Some(number), '.' | 'o') = (pellet, letter) {
                state.set_pellet(number, true);
                state.food += u16::from(letter == '.');
            }
        }
    }
    state.pacman = pacman.ok_or("the maze has no Pacman")?;
    ghosts.sort();
    if !ghosts.is_empty() && ghosts.len() != game.ghosts() {
        return Err(format!("{} ghosts, but the layout has {}", ghosts.len(), game.ghosts()));
    }
    for (ghost, cell) in state.ghosts.iter_mut().zip(ghosts) {
        *ghost = Ghost::at(cell);
    }
    Ok(state)
}

/// `column:row:facing:scared`.
fn read_ghost(game: &Pacman, text: &str) -> Option<Ghost> {
    let mut parts = text.split(':');
    let (x, y) = (read_halves(parts.next()?)?, read_halves(parts.next()?)?);
    let way = parts.next()?;
    let known = PacmanMove::DIRECTIONS.into_iter().find(|&direction| word(direction) == way);
    let facing = known.or((way == "-").then_some(PacmanMove::Stop))?;
    let scared = whole_number(parts.next()?).filter(|&scared| scared <= SCARED_MOVES)?;
    let ghost = Ghost { x, y, facing, scared };
    // Between cells a ghost is scared, on the line between two open cells.
    let lower = (x / 2, y / 2);
    let on_its_way = match (x % 2, y % 2, facing) {
        (0, 0, _) => true,
        (1, 0, PacmanMove::East | PacmanMove::West)
        | (0, 1, PacmanMove::North | PacmanMove::South) => scared > 0,
        _ => false,
    };
    let maze = &game.layout.maze;
    let open = maze.is_open(lower) && maze.is_open(ghost.cell());
    let can_move = || maze.ways(lower).next().is_some();
    (on_its_way && open && can_move() && parts.next().is_none()).then_some(ghost)
}
