//! Exact values of positions under optimal play by both sides.

use std::cmp::Ordering;

use super::game::{Game, GameExt, Player, Scoring, Turn};

/// The value of a position under optimal play by both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exact {
    /// The first player's expected payoff. In games without scores: the probability that the first
    /// player wins minus the probability that the second player wins.
    pub mean: f64,
    /// Plies to the end if one side wins for every chance outcome. The winner plays for the
    /// shortest win and the loser for the longest. `None` in scored games, if no win is certain, and if
    /// the solver finds only who wins.
    pub plies: Option<u32>,
}

impl Exact {
    /// The value of a finished game.
    pub fn of_end<G: Game>(game: &G, state: &G::State) -> Exact {
        let payoff = game.payoff(state);
        if game.scoring().numeric_score() {
            return Exact { mean: f64::from(payoff), plies: None };
        }
        Exact { mean: f64::from(payoff.signum()), plies: (payoff != 0).then_some(0) }
    }

    /// The same value, one ply further from the end.
    pub fn later(self) -> Exact {
        Exact { plies: self.plies.map(|plies| plies + 1), ..self }
    }

    /// Compares two values for the player (`Greater`: this one is better). If the means are equal
    /// within rounding, plies decide: earlier wins and later losses are better.
    pub fn compare(self, other: Exact, player: Player) -> Ordering {
        let scale = self.mean.abs().max(other.mean.abs()).max(1.0);
        let sign = f64::from(player.sign());
        if (self.mean - other.mean).abs() > ROUNDING * scale {
            return (sign * self.mean).total_cmp(&(sign * other.mean));
        }
        match (self.plies, other.plies) {
            (Some(own), Some(others)) if sign * self.mean > 0.0 => others.cmp(&own),
            (Some(own), Some(others)) => own.cmp(&others),
            _ => Ordering::Equal,
        }
    }
}

/// Relative differences between means below this are rounding errors.
const ROUNDING: f64 = 1e-12;

/// A value in stones, as usual for Connect Four and similar games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InStones {
    /// The number of the stone that wins, counted from the empty board; `None` for a draw.
    pub last: Option<u32>,
    /// For the side to move: +n wins with its n-th last stone, −n loses to the opponent's n-th last
    /// stone, 0 is a draw.
    pub score: i32,
}

/// Computes exact values of a game's positions; may cache them.
pub trait ExactSolver<G: Game>: Send {
    /// The exact value of a position, for any side to move or chance.
    fn value(&mut self, game: &G, state: &G::State) -> Exact;

    /// The number of positions visited since the solver was created, repeated visits included.
    fn nodes(&self) -> u64;

    /// The exact values of a player's moves, in the game's order. Plies count from the position
    /// before the move, so the move is one of them. Appends nothing if no player is to move.
    fn move_values(&mut self, game: &G, state: &G::State, out: &mut Vec<(G::Move, Exact)>) {
        values_of_moves(game, state, &mut |child| self.value(game, child), out);
    }

    /// The player's best moves, in the game's order. A solver may compute them without all values.
    fn best_moves(&mut self, game: &G, state: &G::State, out: &mut Vec<G::Move>) {
        let mut values = Vec::new();
        self.move_values(game, state, &mut values);
        out.clear();
        if let Turn::Player(player) = game.turn(state) {
            best_of(&values, player, out);
        }
    }

    /// One best move that makes progress, for a displayed line of best play: the first of
    /// [`best_moves`](Self::best_moves) unless the solver finds another sooner. `None` if no player
    /// is to move.
    fn line_move(&mut self, game: &G, state: &G::State) -> Option<G::Move> {
        let mut best = Vec::new();
        self.best_moves(game, state, &mut best);
        best.first().copied()
    }

    /// The value of a position in stones; `None` if the game has no such value or expresses values
    /// differently.
    fn in_stones(&self, _game: &G, _state: &G::State, _value: Exact) -> Option<InStones> {
        None
    }

    /// Sets the number of threads; returns false if the solver uses only one. Values do not depend
    /// on it.
    fn set_threads(&mut self, _threads: usize) -> bool {
        false
    }

    /// Why the value of this position and its best moves may take hours; with `all`, the values of
    /// all its moves. A readable sentence; `None` if they are fast.
    fn takes_long(&self, _game: &G, _state: &G::State, _all: bool) -> Option<String> {
        None
    }

    /// Why this position cannot be solved, if the solver is for some positions of the game only.
    fn refuses(&self, _game: &G, _state: &G::State) -> Option<Unsolved> {
        None
    }

    /// Sets the size of the table in megabytes, about, and clears the solver's memory. Returns
    /// false if the solver has no table of configurable size. Values do not depend on it.
    fn set_table_mb(&mut self, _table_mb: usize) -> bool {
        false
    }

    /// Reads values from a book file written earlier.
    ///
    /// # Errors
    /// A book of another game, a damaged book, or a solver without books, in a sentence without a
    /// full stop.
    fn read_book(&mut self, _game: &G, _book: &str) -> Result<(), String> {
        cannot("this game's solver cannot read a book")
    }

    /// Removes every book, also a built-in one; returns false if the solver has none.
    fn forget_book(&mut self) -> bool {
        false
    }

    /// Creates a book of the positions after at most this many plies.
    ///
    /// # Errors
    /// A solver without books, or too many plies, in a sentence without a full stop.
    fn make_book(&mut self, _game: &G, _plies: u32) -> Result<String, String> {
        cannot("this game's solver cannot make a book")
    }
}

fn values_of_moves<G: Game>(
    game: &G,
    state: &G::State,
    value: &mut dyn FnMut(&G::State) -> Exact,
    out: &mut Vec<(G::Move, Exact)>,
) {
    out.clear();
    for &mv in &game.legal_moves(state) {
        let child = game.after(state, mv);
        let value = match game.turn(&child) {
            Turn::Over => Exact::of_end(game, &child),
            _ => value(&child),
        };
        out.push((mv, value.later()));
    }
}

fn cannot<T>(why: &str) -> Result<T, String> {
    Err(why.to_owned())
}

/// Appends the best moves, in their order.
pub fn best_of<M: Copy>(values: &[(M, Exact)], player: Player, out: &mut Vec<M>) {
    let Some(&(_, mut best)) = values.first() else { return };
    for &(_, value) in values {
        if value.compare(best, player).is_gt() {
            best = value;
        }
    }
    let equal = |value: Exact| value.compare(best, player) == Ordering::Equal;
    out.extend(values.iter().filter(|(_, value)| equal(*value)).map(|&(mv, _)| mv));
}

/// The reason why there are no exact values of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsolved {
    /// The reason, as a sentence without a full stop.
    pub why: String,
    /// A hint what to do instead; may be empty.
    pub help: String,
}

/// The solver, if it solves all positions of the game and not endings only.
///
/// # Errors
/// A solver that refuses the start, and its reason.
pub fn for_whole_games<G: Game>(game: &G, solver: Box<dyn ExactSolver<G>>) -> Offer<G> {
    match solver.refuses(game, &game.start()) {
        Some(Unsolved { why, .. }) => Err(Unsolved { why, help: String::new() }),
        None => Ok(solver),
    }
}

/// A solver, or the reason why there is none.
pub type Offer<G> = Result<Box<dyn ExactSolver<G>>, Unsolved>;
