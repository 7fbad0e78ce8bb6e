//! The likelihood of all rows, and its maximum by Newton's method.

use super::design::{Design, Row, TieModel};
use super::row_point::RowPoint;
use super::{average_of_orders, davidson_luce};
use crate::stats::numerics::symmetric_matrix::Matrix;

/// The log-likelihood at some parameters, with its derivatives.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub at: Vec<f64>,
    pub ln: f64,
    pub gradient: Vec<f64>,
    pub information: Matrix,
}

/// A maximum, and the inverse of its information. For a direction that changes no likelihood, the
/// inverse assumes a parameter of no interest: contrasts do not depend on it.
#[derive(Clone, Debug)]
pub(super) struct Maximum {
    pub point: Point,
    pub inverse: Matrix,
}

/// A linear combination of the parameters with a given value.
pub(super) struct Constraint<'a> {
    pub contrast: &'a [f64],
    pub value: f64,
}

/// Parameters that differ by more than this, in nats, count as infinitely far from each other.
const FAR: f64 = 80.0;
/// Steps below this, in nats, may not improve the likelihood because of rounding errors.
const ROUNDING: f64 = 1e-6;
/// Newton's method needs about ten steps.
const MOST_STEPS: usize = 100;

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn moved(at: &[f64], share: f64, step: &[f64]) -> Vec<f64> {
    at.iter().zip(step).map(|(a, s)| a + share * s).collect()
}

impl Design {
    /// Evaluates every row.
    pub fn for_each_row(&self, at: &[f64], mut visit: impl FnMut(&Row, &RowPoint)) {
        let weights = &at[at.len() - self.tie_sizes.len()..];
        let (mut strengths, mut row_point) = (Vec::new(), RowPoint::default());
        self.visit(|row| {
            strengths.clear();
            strengths.extend((0..row.seats.len()).map(|side| row.strength(side, at)));
            match self.ties {
                TieModel::AverageOfOrders => {
                    average_of_orders::evaluate(&strengths, &row.tied, &mut row_point);
                }
                TieModel::DavidsonLuce => {
                    let ties = davidson_luce::Ties { sizes: &self.tie_sizes, weights };
                    davidson_luce::evaluate(&strengths, &row.tied, &ties, &mut row_point);
                }
            }
            visit(row, &row_point);
        });
    }

    pub fn point(&self, at: Vec<f64>) -> Point {
        let mut ln = 0.0;
        let mut gradient = vec![0.0; self.size];
        let mut information = Matrix::zero(self.size);
        self.for_each_row(&at, |row, row_point| {
            ln += row.count * row_point.ln;
            let variables = row_point.gradient.len();
            for i in 0..variables {
                for &(p, slope) in row.slopes(i) {
                    gradient[p] += row.count * slope * row_point.gradient[i];
                    let cells = &row_point.information[i * variables..][..variables];
                    for (j, cell) in cells.iter().enumerate() {
                        for &(q, other) in row.slopes(j) {
                            information.add(p, q, row.count * slope * other * cell);
                        }
                    }
                }
            }
        });
        Point { at, ln, gradient, information }
    }

    /// The inverse of the information with a little more of it along directions that change no
    /// likelihood. `None` if other directions change none either.
    fn inverse(&self, information: &Matrix) -> Option<Matrix> {
        let diagonal = (0..self.size).map(|i| information.at(i, i));
        let scale = diagonal.sum::<f64>() / self.size as f64;
        let mut fixed = information.clone();
        for free in &self.free_sums {
            let share = scale / free.len() as f64;
            for &i in free {
                free.iter().for_each(|&j| fixed.add(i, j, share));
            }
        }
        fixed.inverse()
    }

    fn try_maximum(&self, at: Vec<f64>) -> Option<Maximum> {
        let point = self.point(at);
        if !point.ln.is_finite() || point.at.iter().any(|a| a.abs() > FAR) {
            return None;
        }
        let inverse = self.inverse(&point.information)?;
        Some(Maximum { point, inverse })
    }

    /// The maximum from a nearby point, perhaps under a constraint. `None` if there is none at
    /// finite parameters.
    pub fn maximize(&self, from: Vec<f64>, constraint: Option<&Constraint<'_>>) -> Option<Maximum> {
        let mut here = self.try_maximum(from)?;
        // The error of the next step is about the square.
        let tolerance = if constraint.is_some() { 1e-4 } else { 1e-7 };
        if let Some(Constraint { contrast, value }) = constraint {
            let along = here.inverse.times(contrast);
            let missing = value - dot(contrast, &here.point.at);
            let shift = missing / dot(contrast, &along);
            here = self.try_maximum(moved(&here.point.at, shift, &along))?;
        }
        for _ in 0..MOST_STEPS {
            let Maximum { point, inverse } = &here;
            let mut step = inverse.times(&point.gradient);
            if let Some(Constraint { contrast, .. }) = constraint {
                let along = inverse.times(contrast);
                let back = dot(contrast, &step) / dot(contrast, &along);
                step = moved(&step, -back, &along);
            }
            let longest = step.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            let mut share = 1.0_f64.min(5.0 / longest);
            let next = loop {
                let next = self.try_maximum(moved(&point.at, share, &step));
                // Rounding errors may hide the last improvements.
                match next {
                    Some(next) if next.point.ln >= point.ln - 1e-13 * point.ln.abs() => break next,
                    _ if share < 1e-6 && longest > ROUNDING => return None,
                    _ if share < 1e-9 => return Some(here),
                    _ => share *= 0.5,
                }
            };
            here = next;
            // A shorter step may only mean that no inverse exists farther away.
            if longest < tolerance && (share == 1.0 || longest < ROUNDING) {
                return Some(here);
            }
        }
        None
    }
}
