//! Exact values of m,n,k positions.

use super::board_lines::LineBoard;
use super::line_scan::SideStones;
use super::mnk_search::{AttackNode, MnkSearch, NEVER};
use super::symmetric_key::{Codes, Images, MOST};
use crate::games::cell_game::CellGame;
use crate::games::grid::bitboard::Bitboard;
use crate::games::{Exact, ExactSolver, GameExt, Offer, Symmetry, Turn, Unsolved};
use crate::solve::bound_table::BoundTable;

/// Solves games in which players put stones on cells and the first line wins.
pub struct LineSolver {
    board: LineBoard,
    images: Images,
    table: BoundTable,
    nodes: u64,
}

/// Wins within this number of plies are searched ply by ply.
const EARLY: i32 = 11;

/// With this number of free cells, the solver finds the values of all moves in seconds. It is the
/// number of cells of the 6, 5, 4 game.
const EASY: u32 = 30;

const TABLE: usize = 64 << 10;

// An entry has room for a code and the attacker.
const _: () = assert!(Images::BITS < BoundTable::CODE_BITS);

impl LineSolver {
    /// A solver with a table of 64 megabytes, allocated at the first use. `None` if the board has
    /// more than 64 cells.
    pub fn new<G: CellGame>(game: &G) -> Option<Self> {
        Self::with_table(game, TABLE)
    }

    /// A solver with a table of this size in kilobytes.
    pub fn with_table<G: CellGame>(game: &G, kilobytes: usize) -> Option<Self> {
        let (columns, rows) = game.size();
        let cells = columns * rows;
        if cells > Images::MOST_CELLS || game.symmetry().symmetries() > MOST {
            return None;
        }
        let map = |s, cell| game.cell_of(game.symmetry().map_move(s, game.move_to(cell)));
        let images = Images::new(cells, game.symmetry().symmetries(), map);
        let (board, table) = (LineBoard::of(game), BoundTable::new(kilobytes));
        Some(LineSolver { board, images, table, nodes: 0 })
    }

    /// Plies until the board is full. A search never uses more plies, because [`NEVER`] in the
    /// table means that no win is known.
    fn left(&self, sides: [u64; 2]) -> i32 {
        (self.board.cells - (sides[0] | sides[1]).count_ones()) as i32
    }

    fn attack_bound(&mut self, sides: [u64; 2], attacker: usize, plies: i32) -> i32 {
        let mut codes: Codes = [0; MOST];
        for (player, side) in sides.iter().enumerate() {
            for cell in side.cells() {
                codes = self.images.with(codes, cell, player);
            }
        }
        let stones = SideStones { attacker: sides[attacker], defender: sides[1 - attacker] };
        let mover = (sides[0] | sides[1]).count_ones() as usize & 1;
        let node = AttackNode { stones, codes };
        let LineSolver { board, images, table, .. } = self;
        let mut search = MnkSearch { board, images, table, nodes: 0, attacker };
        let answer = if mover == attacker {
            search.attack(&node, plies)
        } else {
            search.defend(&node, plies)
        };
        self.nodes += search.nodes;
        answer
    }

    /// The winner of an unfinished position and the number of plies to the win. The winner plays
    /// the shortest win, and the loser delays it. `None` for a draw.
    fn solve(&mut self, sides: [u64; 2]) -> Option<(usize, u32)> {
        let mover = (sides[0] | sides[1]).count_ones() as usize & 1;
        let left = self.left(sides);
        let mut never = [false; 2];
        // First search for short wins ply by ply: the first success is the answer.
        for plies in 1..=left.min(EARLY) {
            let player = if plies & 1 == 1 { mover } else { 1 - mover };
            if never[player] {
                continue;
            }
            let answer = self.attack_bound(sides, player, plies);
            if answer > 0 {
                return Some((player, answer as u32));
            }
            never[player] = answer == -NEVER;
        }
        // Then search for any win, and then for the shortest one.
        for (player, first) in [(mover, 1), (1 - mover, 2)] {
            if never[player] {
                continue;
            }
            let mut upper = self.attack_bound(sides, player, left);
            if upper <= 0 {
                continue;
            }
            let mut plies = first;
            while plies < upper {
                if plies > EARLY {
                    let answer = self.attack_bound(sides, player, plies);
                    if answer > 0 {
                        upper = answer;
                    }
                }
                plies += 2;
            }
            return Some((player, upper as u32));
        }
        None
    }
}

/// The largest boards whose empty position is solved in about ten seconds, in words, and whether
/// this board is within the limit. It was measured for all boards of up to 64 cells.
///
/// Lines of four win soon if both sides of the board are longer than four. With four rows the
/// defender can prevent them, but the proof grows with every column. Lines of five can nearly
/// always be prevented, and the proof grows with the board. Pairings block longer lines.
fn limit(columns: u32, rows: u32, length: u32) -> (&'static str, bool) {
    let (cells, shorter) = (columns * rows, columns.min(rows));
    let small = cells <= Images::MOST_CELLS;
    match length {
        4 if shorter == 4 => ("a board of at most 32 cells, or of five rows and more", cells <= 32),
        5 if shorter >= 5 => ("a board of at most 49 cells", cells <= 49),
        _ => ("a board of at most 64 cells", small),
    }
}

/// The solver of a game, if its board is not too large.
///
/// # Errors
/// The board would take too long.
pub fn offer<G: CellGame>(game: &G) -> Offer<G> {
    let ((columns, rows), length) = (game.size(), game.grid().length);
    let (help, fits) = limit(columns, rows, length);
    match LineSolver::new(game) {
        Some(solver) if fits => Ok(Box::new(solver)),
        _ => {
            let why = format!(
                "{length} in a row on a board of {columns} by {rows} takes too long to solve"
            );
            Err(Unsolved { why, help: help.to_owned() })
        }
    }
}

impl LineSolver {
    fn sides<G: CellGame>(&self, game: &G, state: &G::State) -> [u64; 2] {
        game.stones(state).map(|stones| {
            let cells = (0..self.board.cells).filter(|&cell| stones.has(game.bit_of(cell)));
            cells.fold(0, |all, cell| all | 1 << cell)
        })
    }

    /// At most `most` of the best moves of a player, in the order of the game. One search per move
    /// is sufficient: does the move keep the value of the position?
    fn best_moves_up_to<G: CellGame>(
        &mut self,
        game: &G,
        state: &G::State,
        most: usize,
        out: &mut Vec<G::Move>,
    ) {
        out.clear();
        let Turn::Player(mover) = game.turn(state) else { return };
        let value = self.value(game, state);
        let moves = game.legal_moves(state);
        let keeps = |&mv: &G::Move| {
            let child = game.after(state, mv);
            if game.turn(&child) == Turn::Over {
                return Exact::of_end(game, &child).later() == value;
            }
            let sides = self.sides(game, &child);
            let left = self.left(sides);
            let (own, other) = (mover.index(), mover.other().index());
            let mut wins =
                |player, plies| (1..=plies).contains(&self.attack_bound(sides, player, plies));
            match value.plies.map(|plies| plies as i32) {
                None => !wins(other, left),
                Some(plies) if f64::from(mover.sign()) == value.mean => wins(own, plies - 1),
                Some(plies) => !wins(other, plies - 2),
            }
        };
        out.extend(moves.into_iter().filter(keeps).take(most));
    }
}

impl<G: CellGame> ExactSolver<G> for LineSolver {
    fn value(&mut self, game: &G, state: &G::State) -> Exact {
        if game.turn(state) == Turn::Over {
            self.nodes += 1;
            return Exact::of_end(game, state);
        }
        match self.solve(self.sides(game, state)) {
            None => Exact { mean: 0.0, plies: None },
            Some((winner, plies)) => {
                let mean = if winner == 0 { 1.0 } else { -1.0 };
                Exact { mean, plies: Some(plies) }
            }
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn best_moves(&mut self, game: &G, state: &G::State, out: &mut Vec<G::Move>) {
        self.best_moves_up_to(game, state, usize::MAX, out);
    }

    fn line_move(&mut self, game: &G, state: &G::State) -> Option<G::Move> {
        let mut best = Vec::new();
        self.best_moves_up_to(game, state, 1, &mut best);
        best.first().copied()
    }

    fn takes_long(&self, game: &G, state: &G::State, all: bool) -> Option<String> {
        let free =
            self.board.cells - game.stones(state).map(|side| side.count()).iter().sum::<u32>();
        let long = free > EASY && game.grid().length > 3 && game.turn(state) != Turn::Over;
        let what = match all {
            true => "the values of all moves",
            // The solver is not offered for boards whose empty position takes long.
            false if free == self.board.cells => return None,
            false => "a position in which a player has erred",
        };
        long.then(|| {
            format!(
                "{free} cells are free; with more than {EASY} {what} may take hours, since the \
                 solver finds the shortest win against each error"
            )
        })
    }
}
