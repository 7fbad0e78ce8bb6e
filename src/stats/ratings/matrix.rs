//! Small symmetric matrices: just what a Newton step and a sandwich need.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Matrix {
    pub n: usize,
    pub cells: Vec<f64>,
}

impl Matrix {
    pub fn zero(n: usize) -> Self {
        Self { n, cells: vec![0.0; n * n] }
    }

    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.n + j]
    }

    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.n + j] += value;
    }

    /// Adds `weight * v vᵀ` for a vector given by its few non-zero entries.
    pub fn add_outer(&mut self, v: &[(usize, f64)], weight: f64) {
        for &(i, x) in v {
            for &(j, y) in v {
                self.add(i, j, weight * x * y);
            }
        }
    }

    /// The inverse of a positive definite matrix; `None` if it is not.
    ///
    /// Cholesky's factor, its inverse, and the product of that with itself.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.n;
        let mut factor = Self::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = (0..j).map(|k| factor.at(i, k) * factor.at(j, k)).sum();
                let rest = self.at(i, j) - sum;
                let value = if i == j {
                    (rest > 1e-13 * self.at(i, i) && rest.is_finite()).then(|| rest.sqrt())?
                } else {
                    rest / factor.at(j, j)
                };
                factor.cells[i * n + j] = value;
            }
        }
        let mut lower = Self::zero(n);
        for j in 0..n {
            lower.cells[j * n + j] = 1.0 / factor.at(j, j);
            for i in j + 1..n {
                let sum: f64 = (j..i).map(|k| factor.at(i, k) * lower.at(k, j)).sum();
                lower.cells[i * n + j] = -sum / factor.at(i, i);
            }
        }
        let mut inverse = Self::zero(n);
        for i in 0..n {
            for j in 0..=i {
                let value = (i..n).map(|k| lower.at(k, i) * lower.at(k, j)).sum();
                inverse.cells[i * n + j] = value;
                inverse.cells[j * n + i] = value;
            }
        }
        Some(inverse)
    }

    /// The inverse without one row and column, which are zero in it; `None` if there is none.
    pub fn inverse_without(&self, left_out: usize) -> Option<Self> {
        let kept: Vec<usize> = (0..self.n).filter(|&i| i != left_out).collect();
        let mut reduced = Self::zero(kept.len());
        for (i, &from_i) in kept.iter().enumerate() {
            for (j, &from_j) in kept.iter().enumerate() {
                reduced.add(i, j, self.at(from_i, from_j));
            }
        }
        let reduced = reduced.inverse()?;
        let mut inverse = Self::zero(self.n);
        for (i, &to_i) in kept.iter().enumerate() {
            for (j, &to_j) in kept.iter().enumerate() {
                inverse.add(to_i, to_j, reduced.at(i, j));
            }
        }
        Some(inverse)
    }

    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        self.cells.chunks(self.n).map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
    }

    /// `self * middle * self` for symmetric matrices.
    pub fn sandwich(&self, middle: &Self) -> Self {
        let n = self.n;
        let product = |a: &Self, b: &Self| {
            let mut c = Self::zero(n);
            for i in 0..n {
                for k in 0..n {
                    let x = a.at(i, k);
                    for j in 0..n {
                        c.cells[i * n + j] += x * b.at(k, j);
                    }
                }
            }
            c
        };
        product(&product(self, middle), self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_a_small_matrix() {
        let m = Matrix { n: 2, cells: vec![4.0, 2.0, 2.0, 3.0] };
        let inverse = m.inverse().unwrap();
        for (got, want) in inverse.cells.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((got - want).abs() < 1e-15);
        }
        assert_eq!(m.times(&[1.0, 1.0]), [6.0, 5.0]);
    }

    #[test]
    fn an_indefinite_matrix_has_none() {
        let m = Matrix { n: 2, cells: vec![1.0, 1.0, 1.0, 1.0] };
        assert_eq!(m.inverse(), None);
        assert_eq!(Matrix::zero(1).inverse(), None);
    }
}
