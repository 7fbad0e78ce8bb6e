//! Wraps a solver of a concrete game as a solver of [`AnyGame`].

use std::sync::Arc;

use crate::games::{Exact, ExactSolver, Game, InStones, Unsolved};
use crate::play::any_game::{AnyGame, AnyMove, AnyState};
use crate::play::moves_of_any_game::{Erased, typed};

/// The one type that wraps solvers, for every game.
pub(crate) struct ErasedSolver<G: Game> {
    pub inner: Box<dyn ExactSolver<G>>,
    pub game: Arc<Erased<G>>,
}

impl<G: Game> ExactSolver<AnyGame> for ErasedSolver<G> {
    fn value(&mut self, _game: &AnyGame, state: &AnyState) -> Exact {
        self.inner.value(&self.game.game, typed::<G>(state))
    }

    fn nodes(&self) -> u64 {
        self.inner.nodes()
    }

    fn move_values(&mut self, _: &AnyGame, state: &AnyState, out: &mut Vec<(AnyMove, Exact)>) {
        let mut values = Vec::new();
        self.inner.move_values(&self.game.game, typed::<G>(state), &mut values);
        out.clear();
        for &(mv, value) in &values {
            out.push((self.game.number(mv), value));
        }
    }

    fn best_moves(&mut self, _: &AnyGame, state: &AnyState, out: &mut Vec<AnyMove>) {
        let mut best = Vec::new();
        self.inner.best_moves(&self.game.game, typed::<G>(state), &mut best);
        out.clear();
        for &mv in &best {
            out.push(self.game.number(mv));
        }
    }

    fn line_move(&mut self, _: &AnyGame, state: &AnyState) -> Option<AnyMove> {
        let mv = self.inner.line_move(&self.game.game, typed::<G>(state))?;
        Some(self.game.number(mv))
    }

    fn in_stones(&self, _: &AnyGame, state: &AnyState, value: Exact) -> Option<InStones> {
        self.inner.in_stones(&self.game.game, typed::<G>(state), value)
    }

    fn set_threads(&mut self, threads: usize) -> bool {
        self.inner.set_threads(threads)
    }

    fn takes_long(&self, _: &AnyGame, state: &AnyState, all: bool) -> Option<String> {
        self.inner.takes_long(&self.game.game, typed::<G>(state), all)
    }

    fn refuses(&self, _: &AnyGame, state: &AnyState) -> Option<Unsolved> {
        self.inner.refuses(&self.game.game, typed::<G>(state))
    }

    fn set_table_mb(&mut self, table_mb: usize) -> bool {
        self.inner.set_table_mb(table_mb)
    }

    fn read_book(&mut self, _: &AnyGame, book: &str) -> Result<(), String> {
        self.inner.read_book(&self.game.game, book)
    }

    fn forget_book(&mut self) -> bool {
        self.inner.forget_book()
    }

    fn make_book(&mut self, _: &AnyGame, plies: u32) -> Result<String, String> {
        self.inner.make_book(&self.game.game, plies)
    }
}
