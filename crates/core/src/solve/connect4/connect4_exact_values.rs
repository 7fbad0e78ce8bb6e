//! Exact values of Connect Four from its own solver.

use super::{BoardSize, BoardStones, MOST_PLIES, ScoreBook, Solver};
use crate::games::connect4::{BoardLayout, Connect4State, ConnectFour};
use crate::games::{Exact, ExactSolver, InStones, Offer, Player};

const TABLE_MB: usize = 64;

/// Free cells with which the solver takes only seconds: those of the standard board.
const EASY: u32 = 42;

impl<L: BoardLayout> From<&ConnectFour<L>> for BoardSize {
    fn from(game: &ConnectFour<L>) -> BoardSize {
        let board = game.layout();
        BoardSize { columns: board.columns(), rows: board.rows(), connect: board.connect() }
    }
}

impl From<&Connect4State> for BoardStones {
    fn from(state: &Connect4State) -> BoardStones {
        let mover = state.mover_stones();
        BoardStones { mover, other: state.occupied() ^ mover, line: state.has_line() }
    }
}

pub(in crate::solve) fn solver_or_reason<L: BoardLayout>(
    _game: &ConnectFour<L>,
) -> Offer<ConnectFour<L>> {
    let values = Values { solver: None, table_mb: TABLE_MB, threads: 1, book: None };
    Ok(Box::new(values))
}

/// The solver, created at its first use: until then it takes no memory.
struct Values {
    solver: Option<Solver>,
    table_mb: usize,
    threads: usize,
    book: Option<ScoreBook>,
}

impl Values {
    fn use_book(&mut self, book: ScoreBook) {
        if let Some(solver) = &mut self.solver {
            solver.set_book(book.clone());
        }
        self.book = Some(book);
    }

    fn solver(&mut self, shape: BoardSize) -> &mut Solver {
        let Values { solver, table_mb, threads, book } = self;
        solver.get_or_insert_with(|| {
            let mut solver = Solver::new(shape, *table_mb, *threads);
            solver.set_book(book.clone().unwrap_or_else(|| ScoreBook::first_moves(shape)));
            solver
        })
    }
}

fn exact(solver: &Solver, state: &Connect4State, score: i32) -> Exact {
    let mean = f64::from(score.signum() * state.side().sign());
    let plies = solver.ending(&state.into(), score) - state.plies();
    Exact { mean, plies: (score != 0).then_some(plies) }
}

impl<L: BoardLayout> ExactSolver<ConnectFour<L>> for Values {
    fn value(&mut self, game: &ConnectFour<L>, state: &Connect4State) -> Exact {
        let solver = self.solver(game.into());
        let score = solver.solve(state).score;
        exact(solver, state, score)
    }

    fn nodes(&self) -> u64 {
        self.solver.as_ref().map_or(0, Solver::nodes)
    }

    fn move_values(
        &mut self,
        game: &ConnectFour<L>,
        state: &Connect4State,
        out: &mut Vec<(u8, Exact)>,
    ) {
        let solver = self.solver(game.into());
        let moves = solver.moves(state);
        out.clear();
        out.extend(moves.iter().map(|mv| (mv.column as u8, exact(solver, state, mv.score))));
    }

    fn best_moves(&mut self, game: &ConnectFour<L>, state: &Connect4State, out: &mut Vec<u8>) {
        let best = self.solver(game.into()).best_moves(state);
        out.clear();
        out.extend(best.iter().map(|&column| column as u8));
    }

    fn line_move(&mut self, game: &ConnectFour<L>, state: &Connect4State) -> Option<u8> {
        self.solver(game.into()).best_move(state).map(|column| column as u8)
    }

    fn in_stones(
        &self,
        game: &ConnectFour<L>,
        state: &Connect4State,
        value: Exact,
    ) -> Option<InStones> {
        let Some(plies) = value.plies else { return Some(InStones { last: None, score: 0 }) };
        let last = state.plies() + plies;
        // Stones that the winner has left, including the winning stone.
        let score = ((game.layout().size() + 2 - last) / 2) as i32;
        let winner = if value.mean > 0.0 { Player::First } else { Player::Second };
        let sign = if winner == state.side() { 1 } else { -1 };
        Some(InStones { last: Some(last), score: sign * score })
    }

    fn takes_long(
        &self,
        game: &ConnectFour<L>,
        state: &Connect4State,
        _all: bool,
    ) -> Option<String> {
        let free = game.layout().size() - state.plies();
        // Boards with three columns are easy at any height.
        let long = free > EASY && game.layout().columns() > 3 && !state.has_line();
        long.then(|| {
            format!(
                "{free} cells are free; with more than {EASY}, as many as the usual board has, \
                 this may take hours"
            )
        })
    }

    fn set_threads(&mut self, threads: usize) -> bool {
        self.threads = threads;
        if let Some(solver) = &mut self.solver {
            solver.set_threads(threads);
        }
        true
    }

    fn set_table_mb(&mut self, table_mb: usize) -> bool {
        (self.table_mb, self.solver) = (table_mb, None);
        true
    }

    fn read_book(&mut self, game: &ConnectFour<L>, book: &str) -> Result<(), String> {
        self.use_book(ScoreBook::read(game.into(), book)?);
        Ok(())
    }

    fn forget_book(&mut self) -> bool {
        self.use_book(ScoreBook::default());
        true
    }

    fn make_book(&mut self, game: &ConnectFour<L>, plies: u32) -> Result<String, String> {
        if plies > MOST_PLIES {
            return Err(format!("a book of {plies} plies takes too long; at most {MOST_PLIES}"));
        }
        // The solver makes a book without using another book.
        self.use_book(ScoreBook::default());
        let shape: BoardSize = game.into();
        let book = self.solver(shape).make_book(plies);
        Ok(book.write(shape))
    }
}
