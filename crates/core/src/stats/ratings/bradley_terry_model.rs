//! The half-point Bradley-Terry model: the likelihood of ratings, given the games.
//!
//! A draw is half a win and half a loss, as in Ordo. For two players the model gives the Elo of
//! the match score. `x` is the difference of the ratings plus the first-move advantage, in nats:
//! Elo times `ln 10 / 400`. The expected score is `L(x) = 1 / (1 + e^-x)`.

use crate::stats::numerics::symmetric_matrix::Matrix;

/// The largest number of players for profile likelihoods: the effort grows with the fifth power of
/// this number.
pub(super) const MOST_PLAYERS: usize = 40;

/// The games of two players with the same first mover. The type is small because a large field has
/// a million of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seat {
    pub first: u32,
    pub second: u32,
    pub games: f64,
    /// The points of the first mover.
    pub points: f64,
}

/// The likelihood of all ratings and, if it is fitted, the first-move advantage after them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Likelihood {
    pub players: usize,
    pub first_mover: bool,
    seats: Vec<Seat>,
}

/// The likelihood at one set of parameters.
pub(super) struct Point {
    pub at: Vec<f64>,
    pub ln: f64,
    pub gradient: Vec<f64>,
    pub information: Matrix,
}

impl Likelihood {
    pub fn new(players: usize, first_mover: bool, mut seats: Vec<Seat>) -> Self {
        seats.sort_by_key(|seat| (seat.first, seat.second));
        seats.dedup_by(|next, kept| {
            let same = (next.first, next.second) == (kept.first, kept.second);
            if same {
                kept.games += next.games;
                kept.points += next.points;
            }
            same
        });
        Likelihood { players, first_mover, seats }
    }

    /// The number of parameters.
    pub fn size(&self) -> usize {
        self.players + usize::from(self.first_mover)
    }

    /// The first-move advantage, or 0 if it is not a parameter.
    pub fn first_move_of(&self, parameters: &[f64]) -> f64 {
        parameters.get(self.players).copied().unwrap_or(0.0)
    }

    pub fn x(&self, at: &[f64], first: usize, second: usize) -> f64 {
        at[first] - at[second] + self.first_move_of(at)
    }

    /// The derivatives of a game's `x` in the parameters.
    pub fn slopes(&self, first: usize, second: usize) -> [(usize, f64); 3] {
        match self.first_mover {
            true => [(first, 1.0), (second, -1.0), (self.players, 1.0)],
            false => [(first, 1.0), (second, -1.0), (first, 0.0)],
        }
    }

    pub fn point(&self, at: Vec<f64>) -> Point {
        let (mut ln, mut gradient) = (0.0, vec![0.0; at.len()]);
        let mut information = Matrix::zero(at.len());
        for &Seat { first, second, games, points } in &self.seats {
            let (first, second) = (first as usize, second as usize);
            let x = self.x(&at, first, second);
            // ln L(x) for the nearer side; the other one is smaller by |x|.
            let (won, lost) = (points, games - points);
            let other = if x < 0.0 { won } else { lost };
            ln -= games * (-x.abs()).exp().ln_1p() + other * x.abs();
            let residual = won * logistic(-x) - lost * logistic(x);
            let slopes = self.slopes(first, second);
            for (i, slope) in slopes {
                gradient[i] += slope * residual;
            }
            information.add_outer(&slopes, games * logistic(x) * logistic(-x));
        }
        Point { at, ln, gradient, information }
    }

    /// Frees the games: [`Self::point`] is of no more use.
    pub fn forget_games(&mut self) {
        self.seats = Vec::new();
    }

    /// The player whose rating is fixed: ratings are determined only up to a constant. The choice
    /// of the player with the most information loses the fewest digits.
    pub fn reference_player(&self, information: &Matrix) -> usize {
        (1..self.players).fold(0, |best, i| {
            if information.at(i, i) > information.at(best, best) { i } else { best }
        })
    }
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_agree_with_differences() {
        let h = 1e-5;
        for x in [0.3, -2.0, 4.0] {
            for points in [0.0, 0.5, 1.0] {
                let seat = Seat { first: 0, second: 1, games: 1.0, points };
                let model = Likelihood::new(2, false, vec![seat]);
                let at = |x: f64| model.point(vec![x, 0.0]);
                let slopes = [
                    (at(x).gradient[0], (at(x + h).ln - at(x - h).ln) / (2.0 * h)),
                    (
                        -at(x).information.at(0, 0),
                        (at(x + h).gradient[0] - at(x - h).gradient[0]) / (2.0 * h),
                    ),
                ];
                for (got, want) in slopes {
                    assert!((got - want).abs() < 1e-8 * (1.0 + want.abs()), "{x} {points}");
                }
            }
        }
    }
}
