//! The log-likelihood of an order with ties as the mean over all orders of the tied sides.
//!
//! In the orders of `k` tied sides, the sides that are left after some places are each subset of
//! their size equally often. The mean is therefore a sum over all subsets of the tied sides. Each has
//! the logarithm of the strength that is left, divided by the number of subsets of this size. With
//! two sides it is half a win and half a loss.

use super::row_point::RowPoint;

/// Evaluates a row from the log-strengths of its sides, best first, and the number of sides of each
/// rank.
pub(super) fn evaluate(strengths: &[f64], tied: &[usize], point: &mut RowPoint) {
    point.clear(strengths.len());
    let largest = strengths.iter().fold(f64::NEG_INFINITY, |m, s| m.max(*s));
    let alpha: Vec<f64> = strengths.iter().map(|s| (s - largest).exp()).collect();
    let mut left: Vec<usize> = Vec::with_capacity(strengths.len());
    let mut first = 0;
    for &size in tied {
        let sides = first..first + size;
        point.ln += strengths[sides.clone()].iter().map(|s| s - largest).sum::<f64>();
        point.gradient[sides].iter_mut().for_each(|slope| *slope += 1.0);
        let below = first + size..strengths.len();
        for subset in 1_u32..1 << size {
            left.clear();
            left.extend((0..size).filter(|i| subset >> i & 1 == 1).map(|i| first + i));
            let weight = 1.0 / binomial(size, left.len());
            left.extend(below.clone());
            choose_among(&left, &alpha, weight, point);
        }
        first += size;
    }
}

/// Adds `weight` times the log-probability of a choice among these sides, without the strength of
/// the chosen side.
fn choose_among(left: &[usize], alpha: &[f64], weight: f64, point: &mut RowPoint) {
    let sum: f64 = left.iter().map(|&side| alpha[side]).sum();
    point.ln -= weight * sum.ln();
    let sides = alpha.len();
    for &i in left {
        let share = weight * alpha[i] / sum;
        point.gradient[i] -= share;
        point.information[i * sides + i] += share;
        for &j in left {
            point.information[i * sides + j] -= share * alpha[j] / sum;
        }
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}
