//! Small symmetric matrices, for Newton steps and sandwich covariances.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
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

    /// Adds `weight * v vᵀ` for a sparse vector given by its non-zero entries.
    pub fn add_outer(&mut self, v: &[(usize, f64)], weight: f64) {
        for &(i, x) in v {
            for &(j, y) in v {
                self.add(i, j, weight * x * y);
            }
        }
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.cells[i * self.n..(i + 1) * self.n]
    }

    /// The lower triangular Cholesky factor. `None` if the matrix is not positive definite.
    fn factor(&self) -> Option<Self> {
        let n = self.n;
        let mut factor = Self::zero(n);
        // Several rows at once, column by column, so that their sums are independent.
        let mut block = vec![[0.0; BLOCK]; n];
        for begin in (0..n).step_by(BLOCK) {
            let end = (begin + BLOCK).min(n);
            for j in 0..end {
                let mut sums = [0.0; BLOCK];
                for (known, with) in block.iter().zip(&factor.row(j)[..j]) {
                    sums.iter_mut().zip(known).for_each(|(sum, known)| *sum += known * with);
                }
                for i in begin.max(j)..end {
                    let rest = self.at(i, j) - sums[i - begin];
                    let value = match i == j {
                        true => (rest > 1e-13 * self.at(i, i) && rest.is_finite())
                            .then(|| rest.sqrt())?,
                        false => rest / factor.at(j, j),
                    };
                    factor.cells[i * n + j] = value;
                    block[j][i - begin] = value;
                }
            }
        }
        Some(factor)
    }

    /// The inverse. `None` if the matrix is not positive definite.
    ///
    /// It is computed from the Cholesky factor, the inverse of the factor, and the product of that
    /// with itself. All sums run along rows, which is the memory order.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.n;
        let factor = self.factor()?;
        let mut lower = Self::zero(n);
        for i in 0..n {
            let (above, row) = lower.cells.split_at_mut(i * n);
            for (k, above) in above.chunks(n).enumerate() {
                add(&mut row[..=k], factor.at(i, k), above);
            }
            row[..i].iter_mut().for_each(|sum| *sum = -*sum / factor.at(i, i));
            row[i] = 1.0 / factor.at(i, i);
        }
        drop(factor);
        let mut inverse = Self::zero(n);
        for i in 0..n {
            let row = &mut inverse.cells[i * n..=i * n + i];
            (i..n).for_each(|k| add(row, lower.at(k, i), lower.row(k)));
            (0..i).for_each(|j| inverse.cells[j * n + i] = inverse.cells[i * n + j]);
        }
        Some(inverse)
    }

    /// The solution `x` of `self * x = v` with the entry `left_out` equal to 0. It is
    /// [`Self::inverse_without`] times `v`, in a third of the time. `None` if there is no
    /// solution.
    pub fn solve_without(&self, left_out: usize, v: &[f64]) -> Option<Vec<f64>> {
        let factor = self.without(left_out).factor()?;
        let mut x: Vec<f64> = v.to_vec();
        x.remove(left_out);
        for i in 0..x.len() {
            let sum: f64 = factor.row(i)[..i].iter().zip(&x).map(|(f, x)| f * x).sum();
            x[i] = (x[i] - sum) / factor.at(i, i);
        }
        for i in (0..x.len()).rev() {
            x[i] /= factor.at(i, i);
            let (before, known) = x.split_at_mut(i);
            add(before, -known[0], factor.row(i));
        }
        x.insert(left_out, 0.0);
        Some(x)
    }

    fn without(&self, left_out: usize) -> Self {
        let kept = || (0..self.n).filter(|&i| i != left_out);
        let cells = kept().flat_map(|i| kept().map(move |j| self.at(i, j))).collect();
        Self { n: self.n - 1, cells }
    }

    /// The inverse without one row and column, which are zero in the result. `None` if there is
    /// none.
    pub fn inverse_without(&self, left_out: usize) -> Option<Self> {
        let reduced = self.without(left_out).inverse()?;
        let mut inverse = Self::zero(self.n);
        let kept = || (0..self.n).filter(|&i| i != left_out).enumerate();
        for (i, to_i) in kept() {
            for (j, to_j) in kept() {
                inverse.add(to_i, to_j, reduced.at(i, j));
            }
        }
        Some(inverse)
    }

    pub fn times(&self, v: &[f64]) -> Vec<f64> {
        self.cells.chunks(self.n).map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
    }

    /// `self * middle * self` for symmetric matrices, in the memory of `middle`.
    pub fn sandwich(&self, middle: Self) -> Self {
        let n = self.n;
        let mut left = Self::zero(n);
        self.multiply(&middle, &mut left, |_| n);
        let mut sandwich = middle;
        sandwich.cells.fill(0.0);
        // The product is symmetric, so the half up to the diagonal is sufficient.
        left.multiply(self, &mut sandwich, |i| i + 1);
        for i in 0..n {
            (0..i).for_each(|j| sandwich.cells[j * n + i] = sandwich.cells[i * n + j]);
        }
        sandwich
    }

    /// Adds `self * other` to `product`: of each row, the columns before `end`.
    fn multiply(&self, other: &Self, product: &mut Self, end: impl Fn(usize) -> usize) {
        let n = self.n;
        // Groups of columns one after another, so that the columns of `other` stay in the cache.
        for begin in (0..n).step_by(PANEL) {
            for i in 0..n {
                let columns = begin..(begin + PANEL).min(end(i)).max(begin);
                let row = &mut product.cells[i * n..][columns.clone()];
                let factors = &self.cells[i * n..][..n];
                let part = |k: usize| &other.row(k)[columns.clone()];
                let (fours, rest) = factors.as_chunks::<4>();
                for (k, &four) in (0..n).step_by(4).zip(fours) {
                    add_four(row, four, [k, k + 1, k + 2, k + 3].map(part));
                }
                (n - rest.len()..n).zip(rest).for_each(|(k, &times)| add(row, times, part(k)));
            }
        }
    }
}

/// Number of rows that are summed together.
const BLOCK: usize = 8;
/// Number of columns that are multiplied together.
const PANEL: usize = 128;

/// Adds a multiple of a row to the sum. The sum may be shorter than the row.
fn add(sum: &mut [f64], times: f64, row: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(row) {
        *sum += times * value;
    }
}

/// Adds multiples of four rows to the sum: the same sums as one row after another, with fewer accesses to
/// memory.
fn add_four(sum: &mut [f64], times: [f64; 4], rows: [&[f64]; 4]) {
    let [a, b, c, d] = rows.map(|row| &row[..sum.len()]);
    for (i, sum) in sum.iter_mut().enumerate() {
        *sum = *sum + times[0] * a[i] + times[1] * b[i] + times[2] * c[i] + times[3] * d[i];
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
    fn a_larger_matrix_is_inverted_multiplied_and_solved() {
        // More than one block of rows and more than one panel of columns.
        let n = PANEL + 11;
        let mut m = Matrix::zero(n);
        for i in 0..n {
            m.add(i, i, 3.0 + i as f64 / 7.0);
            for j in 0..n {
                m.add(i, j, 1.0 / (1.0 + i.abs_diff(j) as f64));
            }
        }
        // The inverse times the matrix times the inverse is the inverse again.
        let inverse = m.inverse().expect("positive definite");
        let sandwich = inverse.sandwich(m.clone());
        assert!(sandwich.cells.iter().zip(&inverse.cells).all(|(a, b)| (a - b).abs() < 1e-12));
        let v: Vec<f64> = (0..n).map(|i| (i % 5) as f64).collect();
        for left_out in [0, 70, n - 1] {
            let want = m.inverse_without(left_out).expect("positive definite").times(&v);
            let got = m.solve_without(left_out, &v).expect("positive definite");
            assert!(got.iter().zip(&want).all(|(got, want)| (got - want).abs() < 1e-12));
        }
    }

    #[test]
    fn an_indefinite_matrix_has_none() {
        let m = Matrix { n: 2, cells: vec![1.0, 1.0, 1.0, 1.0] };
        assert_eq!(m.inverse(), None);
        assert_eq!(Matrix::zero(1).inverse(), None);
    }
}
