//! The covariance of the parameters from the observed variance of independent groups of rows.
//!
//! It is the jackknife over groups, with one Newton step instead of a new fit without each group:
//! D. Cox and D. Snell, "Residuals" (1968); R. Bell and D. McCaffrey, "Bias reduction in standard
//! errors" (2002). Without groups, each row is a group.

use std::collections::BTreeSet;

use super::design::{Design, Row};
use super::likelihood::Maximum;
use super::row_point::RowPoint;
use crate::stats::numerics::symmetric_matrix::Matrix;

pub(super) struct GroupCovariance {
    pub covariance: Matrix,
    /// The number of independent groups.
    pub groups: f64,
    /// The number of rows.
    pub rows: f64,
    /// The number of groups with each parameter.
    pub groups_of: Vec<f64>,
    /// The number of other ratings in the rows of each rating.
    pub opponents: Vec<usize>,
}

/// The derivatives of the rows of one group, by parameter.
#[derive(Default)]
struct Group {
    scores: Vec<(usize, f64)>,
    information: Vec<(usize, usize, f64)>,
}

impl Group {
    fn add(&mut self, row: &Row, point: &RowPoint, count: f64) {
        let variables = point.gradient.len();
        for i in 0..variables {
            for &(p, slope) in row.slopes(i) {
                self.scores.push((p, count * slope * point.gradient[i]));
                for j in 0..variables {
                    let cell = count * slope * point.information[i * variables + j];
                    let cells = row.slopes(j).iter().map(|&(q, other)| (p, q, other * cell));
                    self.information.extend(cells);
                }
            }
        }
    }

    /// The scores after the correction for the influence of the group on the fit: the parameters
    /// without the group differ by the inverse times these scores.
    fn corrected(&self, inverse: &Matrix) -> Vec<(usize, f64)> {
        let parameters: BTreeSet<usize> = self.scores.iter().map(|(p, _)| *p).collect();
        let parameters: Vec<usize> = parameters.into_iter().collect();
        let n = parameters.len();
        let place = |p: usize| parameters.partition_point(|&other| other < p);
        let mut scores = vec![0.0; n];
        self.scores.iter().for_each(|&(p, score)| scores[place(p)] += score);
        let mut information = vec![0.0; n * n];
        for &(p, q, cell) in &self.information {
            information[place(p) * n + place(q)] += cell;
        }
        let mut left = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..n {
                let product = (0..n)
                    .map(|k| information[i * n + k] * inverse.at(parameters[k], parameters[j]));
                left[i][j] = f64::from(u8::from(i == j)) - product.sum::<f64>();
            }
        }
        let corrected = solve(left, scores.clone()).unwrap_or(scores);
        parameters.into_iter().zip(corrected).collect()
    }
}

impl GroupCovariance {
    pub fn new(design: &Design, maximum: &Maximum) -> Self {
        let mut found = Self {
            covariance: Matrix::zero(design.size),
            groups: 0.0,
            rows: 0.0,
            groups_of: vec![0.0; design.size],
            opponents: Vec::new(),
        };
        let mut opponents = vec![BTreeSet::<usize>::new(); design.players()];
        let (mut current, mut group) = (None, Group::default());
        design.for_each_row(&maximum.point.at, |row, point| {
            found.rows += row.count;
            let sides = 0..row.seats.len();
            let all = sides.flat_map(|side| row.slopes(side)).map(|(p, _)| *p);
            let players: BTreeSet<usize> = all.filter(|p| *p < design.players()).collect();
            players.iter().for_each(|&p| opponents[p].extend(&players));
            if row.group.is_none() {
                group.add(row, point, 1.0);
                found.add(&std::mem::take(&mut group), row.count, &maximum.inverse);
                return;
            }
            if row.group != current && current.is_some() {
                found.add(&std::mem::take(&mut group), 1.0, &maximum.inverse);
            }
            current = row.group;
            group.add(row, point, row.count);
        });
        if current.is_some() {
            found.add(&group, 1.0, &maximum.inverse);
        }
        let scale = (found.groups - 1.0).max(1.0) / found.groups;
        found.covariance.cells.iter_mut().for_each(|cell| *cell *= scale);
        found.covariance = maximum.inverse.sandwich(found.covariance);
        found.opponents = opponents.iter().map(|met| met.len().saturating_sub(1)).collect();
        found
    }

    fn add(&mut self, group: &Group, count: f64, inverse: &Matrix) {
        let scores = group.corrected(inverse);
        self.groups += count;
        scores.iter().for_each(|&(p, _)| self.groups_of[p] += count);
        self.covariance.add_outer(&scores, count);
    }
}

/// Solves a system of linear equations by Gaussian elimination. `None` if it is nearly singular.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .filter(|&row| rows[row][column].abs() > 1e-9)?;
        rows.swap(column, pivot);
        right.swap(column, pivot);
        let (done, rest) = rows.split_at_mut(column + 1);
        let from = &done[column];
        for (row, below) in rest.iter_mut().zip(column + 1..) {
            let factor = row[column] / from[column];
            (column..n).for_each(|j| row[j] -= factor * from[j]);
            right[below] -= factor * right[column];
        }
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * right[j]).sum();
        right[i] = (right[i] - known) / rows[i][i];
    }
    Some(right)
}
