//! Exact values: what a position is worth if both sides play their best.

use std::cmp::Ordering;

use super::game::{Game, Player};

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
        if game.scored() {
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

/// Finds exact values of a game's positions, and may remember them.
pub trait ExactSolver<G: Game>: Send {
    /// The exact value of a position, whoever acts there.
    fn value(&mut self, game: &G, state: &G::State) -> Exact;

    /// Positions looked at since the solver was made, repeated looks included.
    fn nodes(&self) -> u64;
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

/// The most positions that a full search may have to remember.
pub const MOST_POSITIONS: f64 = 4e6;

impl<G: Game> Exactness<G> {
    /// By search, unless there may be too many positions; `what` names the game.
    pub fn by_search(what: &str, positions: f64, remedy: impl Into<String>) -> Self {
        if positions <= MOST_POSITIONS {
            return Exactness::Search;
        }
        let why = format!(
            "{what} may have {} positions, too many to look at them all",
            in_words(positions)
        );
        Exactness::None { why, remedy: remedy.into() }
    }
}

/// A large number in a form that fits a sentence.
fn in_words(number: f64) -> String {
    if number < 1e9 {
        format!("{:.0} million", number / 1e6)
    } else {
        format!("10^{:.0}", number.log10().floor())
    }
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
