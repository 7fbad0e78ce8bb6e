//! Exact payoffs by yes-no questions: does the player to move get at least this much?

use crate::games::{Exact, ExactSolver, Game, GameExt, Turn, Unsolved};

/// A game's own search, for games without chance.
pub(super) trait MarginSearch<G: Game>: Send {
    /// Whether the player to move of an unfinished position gets at least `bound`. If so, the answer
    /// is a number from `bound` to the value; otherwise it is a number from the value to `bound` − 1.
    fn at_least(&mut self, state: &G::State, bound: i32) -> i32;

    /// A promising move, for example the one in the table.
    fn hint(&self, state: &G::State) -> Option<G::Move>;

    /// The number of positions visited since the search was created.
    fn nodes(&self) -> u64;

    /// Replaces the table by an empty one that grows up to this size.
    fn set_table_mb(&mut self, table_mb: usize);

    /// See [`ExactSolver::refuses`].
    fn refuses(&self, _state: &G::State) -> Option<Unsolved> {
        None
    }

    /// See [`ExactSolver::takes_long`].
    fn takes_long(&self, _state: &G::State) -> Option<String> {
        None
    }
}

/// Asks for values next to a guess, until both bounds meet (Plaat, Schaeffer, Pijls and de Bruin
/// 1996, "Best-first fixed-depth minimax algorithms": MTD(f)).
pub(super) struct MarginSolver<S> {
    pub search: S,
    /// The largest possible payoff.
    pub most: i32,
    /// The first question, in the first player's frame: the latest value.
    pub guess: i32,
}

/// The size of a table in megabytes, unless it is set.
pub(super) const TABLE_MB: usize = 512;

impl<S> MarginSolver<S> {
    /// The value of an unfinished position for the player to move.
    fn margin<G: Game>(&mut self, game: &G, state: &G::State) -> i32
    where
        S: MarginSearch<G>,
    {
        let Turn::Player(mover) = game.turn(state) else { return 0 };
        let (mut low, mut high) = (-self.most, self.most);
        let mut bound = (mover.sign() * self.guess).clamp(low + 1, high);
        while low < high {
            let found = self.search.at_least(state, bound);
            if found >= bound {
                (low, bound) = (found, found + 1);
            } else {
                (high, bound) = (found, found);
            }
        }
        self.guess = mover.sign() * low;
        low
    }

    /// Whether a move gives its player at least `bound`.
    fn keeps<G: Game>(&mut self, game: &G, state: &G::State, mv: G::Move, bound: i32) -> bool
    where
        S: MarginSearch<G>,
    {
        let Turn::Player(mover) = game.turn(state) else { return false };
        let child = game.after(state, mv);
        match game.turn(&child) {
            Turn::Player(player) if player == mover => self.search.at_least(&child, bound) >= bound,
            Turn::Player(_) => self.search.at_least(&child, 1 - bound) <= -bound,
            _ => mover.sign() * game.payoff(&child) >= bound,
        }
    }
}

impl<G: Game, S: MarginSearch<G>> ExactSolver<G> for MarginSolver<S> {
    fn value(&mut self, game: &G, state: &G::State) -> Exact {
        let Turn::Player(mover) = game.turn(state) else { return Exact::of_end(game, state) };
        Exact { mean: f64::from(mover.sign() * self.margin(game, state)), plies: None }
    }

    fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    fn best_moves(&mut self, game: &G, state: &G::State, out: &mut Vec<G::Move>) {
        let value = self.margin(game, state);
        *out = game.legal_moves(state);
        out.retain(|&mv| self.keeps(game, state, mv, value));
    }

    fn line_move(&mut self, game: &G, state: &G::State) -> Option<G::Move> {
        let value = self.margin(game, state);
        let mut moves = game.legal_moves(state);
        if let Some(hint) = self.search.hint(state) {
            moves.insert(0, hint);
        }
        moves.iter().copied().find(|&mv| self.keeps(game, state, mv, value))
    }

    fn takes_long(&self, _game: &G, state: &G::State, _all: bool) -> Option<String> {
        self.search.takes_long(state)
    }

    fn refuses(&self, _game: &G, state: &G::State) -> Option<Unsolved> {
        self.search.refuses(state)
    }

    fn set_table_mb(&mut self, table_mb: usize) -> bool {
        self.search.set_table_mb(table_mb.max(1));
        true
    }
}
