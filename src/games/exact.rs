//! Exact values: what a position is worth if both sides play their best.

use std::cmp::Ordering;

use super::game::{Game, Player, Scoring, Turn};

/// What a position is worth with best play on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exact {
    /// The first player's expected payoff: where the payoff is no score, the probability
    /// that the first player wins less the probability that the second does.
    pub mean: f64,
    /// Plies to the end where one side wins whatever the dice show: the winner hurries, the
    /// loser delays. `None` in scored games and where nothing is certain.
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

    /// The same, one ply further from the end.
    pub fn later(self) -> Exact {
        Exact { plies: self.plies.map(|plies| plies + 1), ..self }
    }

    /// Which of two values the player likes more (`Greater`: this one). Equal means within
    /// rounding go by the plies: wins the sooner, losses the later the better.
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

/// Means that differ by less, in proportion, differ by rounding only.
const ROUNDING: f64 = 1e-12;

/// A value as players of games with stones tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InStones {
    /// The number of the stone that wins, counted from the empty board; `None` for a draw.
    pub last: Option<u32>,
    /// For the player to move: +n who wins with the n-th last of the own stones, −n who
    /// loses to the other's n-th last, 0 for a draw.
    pub score: i32,
}

/// Finds exact values of a game's positions, and may remember them.
pub trait ExactSolver<G: Game>: Send {
    /// The exact value of a position, whoever acts there.
    fn value(&mut self, game: &G, state: &G::State) -> Exact;

    /// Positions looked at since the solver was made, repeated looks included.
    fn nodes(&self) -> u64;

    /// The exact values of a player's moves, in the game's order, seen from the position in
    /// which they are made: the move is one of the plies. Nothing where no player acts.
    fn move_values(&mut self, game: &G, state: &G::State, out: &mut Vec<(G::Move, Exact)>) {
        let mut moves = Vec::new();
        out.clear();
        if !matches!(game.turn(state), Turn::Player(_)) {
            return;
        }
        game.moves(state, &mut moves);
        for mv in moves {
            let mut child = state.clone();
            game.play(&mut child, mv);
            let value = match game.turn(&child) {
                Turn::Over => Exact::of_end(game, &child),
                _ => self.value(game, &child),
            };
            out.push((mv, value.later()));
        }
    }

    /// The moves of a player that no other move is better than, in the game's order. A solver
    /// that can do with less than all values does.
    fn best_moves(&mut self, game: &G, state: &G::State, out: &mut Vec<G::Move>) {
        let mut values = Vec::new();
        self.move_values(game, state, &mut values);
        out.clear();
        if let Turn::Player(player) = game.turn(state) {
            best_of(&values, player, out);
        }
    }

    /// A move that no other is better than and that continues best play, for a line shown to
    /// people: the first of [`best_moves`](Self::best_moves) unless the solver finds another
    /// sooner. `None` where no player acts.
    fn line_move(&mut self, game: &G, state: &G::State) -> Option<G::Move> {
        let mut best = Vec::new();
        self.best_moves(game, state, &mut best);
        best.first().copied()
    }

    /// The value of a position as it is told in stones; `None` where the game has none or
    /// tells values otherwise.
    fn in_stones(&self, _game: &G, _state: &G::State, _value: Exact) -> Option<InStones> {
        None
    }

    /// Works on so many threads from now on; false where the solver has use for one only.
    /// Values do not depend on it.
    fn set_threads(&mut self, _threads: usize) -> bool {
        false
    }

    /// Why the value of this position and its best moves, or the values of `all` its moves, may
    /// take hours, in a sentence for people; `None` where they do not.
    fn takes_long(&self, _game: &G, _state: &G::State, _all: bool) -> Option<String> {
        None
    }

    /// Takes about so many megabytes for a table from now on and forgets what it knows; false
    /// where the solver has no table of a chosen size. Values do not depend on it.
    fn set_table_mb(&mut self, _table_mb: usize) -> bool {
        false
    }

    /// Reads values from a book that an earlier program wrote.
    ///
    /// # Errors
    /// A book of another game or a damaged one, or a solver that takes none, in a sentence
    /// without a full stop.
    fn read_book(&mut self, _game: &G, _book: &str) -> Result<(), String> {
        Err("this game's solver takes no book".to_owned())
    }

    /// Forgets every book, one that comes along with the solver too; false where the solver
    /// has none.
    fn forget_book(&mut self) -> bool {
        false
    }

    /// A book of the positions after at most so many plies.
    ///
    /// # Errors
    /// A solver that makes none, or too many plies, in a sentence without a full stop.
    fn make_book(&mut self, _game: &G, _plies: u32) -> Result<String, String> {
        Err("this game's solver makes no book".to_owned())
    }
}

/// Adds the moves that no other is better than, in their order.
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

/// How the exact values of a game can be had.
pub enum Exactness<G: Game> {
    /// By looking at every position: there are few enough, and every game ends.
    Search,
    /// By a solver of the game's own.
    Solver(Box<dyn ExactSolver<G>>),
    /// Not at all: why, and what to do instead.
    None {
        /// In a sentence without a full stop.
        why: String,
        /// May be empty.
        remedy: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        let value = |mean, plies| Exact { mean, plies };
        let order = |a, b| Exact::compare(a, b, Player::First);
        assert_eq!(order(value(1.0, Some(1)), value(1.0, Some(3))), Ordering::Greater);
        assert_eq!(order(value(-1.0, Some(2)), value(-1.0, Some(4))), Ordering::Less);
        assert_eq!(order(value(0.25, None), value(0.25 + 1e-15, None)), Ordering::Equal);
        assert_eq!(order(value(0.2, None), value(0.1, None)), Ordering::Greater);
        let second = |a, b| Exact::compare(a, b, Player::Second);
        assert_eq!(second(value(0.2, None), value(0.1, None)), Ordering::Less);
        assert_eq!(second(value(-1.0, Some(1)), value(-1.0, Some(3))), Ordering::Greater);
        assert_eq!(second(value(1.0, Some(1)), value(1.0, Some(3))), Ordering::Less);
    }
}
