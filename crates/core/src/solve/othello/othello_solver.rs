//! Exact values of Othello.

use super::disc_search::{DiscSearch, Discs, MOST_EMPTY, NO_MOVE};
use crate::games::othello::{OthelloMove, OthelloState};
use crate::games::{GameExt, Offer, Othello, Unsolved};
use crate::solve::bound_table::BoundTable;
use crate::solve::margin_solver::{MarginSearch, MarginSolver, TABLE_MB};

/// Empty cells of a board of eight rows with which the values of all moves take seconds.
const MOST_EMPTY_OF_EIGHT_ROWS: u32 = 20;

/// With more empty cells, a position takes longer than some ten seconds.
const EASY: u32 = 24;

// The smaller boards are always solved: their start has four discs.
const _: () = assert!(MOST_EMPTY >= 6 * 6 - 4);

/// The solver of Othello.
///
/// # Errors
/// None: large boards are refused by position.
pub(in crate::solve) fn offer(game: &Othello) -> Offer<Othello> {
    let search = DiscSearch::new(*game, BoundTable::growing(TABLE_MB));
    let size = game.size() as i32;
    // Six rows: J. Feinstein, 1993. The questions next to this value prove it again.
    let guess = if size == 6 { -4 } else { 0 };
    Ok(Box::new(MarginSolver { search, most: size * size, guess }))
}

fn discs(state: &OthelloState) -> Discs {
    let side = state.side();
    Discs { own: state.discs(side), enemy: state.discs(side.other()) }
}

impl MarginSearch<Othello> for DiscSearch {
    fn at_least(&mut self, state: &OthelloState, bound: i32) -> i32 {
        self.search(discs(state), bound)
    }

    fn hint(&self, state: &OthelloState) -> Option<OthelloMove> {
        let discs = discs(state);
        let (canonical, s) = self.canonical(discs, self.empty(discs).count_ones());
        let best = self.table.get(self.code(canonical)).map(|found| found.best);
        let best = 1 << best.filter(|&best| best != NO_MOVE)?;
        let moves = self.game.legal_moves(state);
        moves.into_iter().find(|mv| mv.cell().is_some_and(|cell| self.game.image(s, cell) == best))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn set_table_mb(&mut self, table_mb: usize) {
        self.table = BoundTable::growing(table_mb);
    }

    fn refuses(&self, state: &OthelloState) -> Option<Unsolved> {
        let empty = self.empty(discs(state)).count_ones();
        if self.game.size() < 8 || empty <= MOST_EMPTY_OF_EIGHT_ROWS {
            return None;
        }
        let why = format!(
            "{empty} cells are empty; a board of 8 by 8 is solved with at most \
             {MOST_EMPTY_OF_EIGHT_ROWS}"
        );
        Some(Unsolved { why, help: "a later position, or `size = 6`".to_owned() })
    }

    fn takes_long(&self, state: &OthelloState) -> Option<String> {
        let empty = self.empty(discs(state)).count_ones();
        (empty > EASY).then(|| {
            format!(
                "{empty} cells are empty; with more than {EASY} this may take minutes, from the \
                 start of a board of 6 by 6 about two"
            )
        })
    }
}
