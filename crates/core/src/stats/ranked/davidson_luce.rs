//! The model of Davidson and Luce: ties are results of their own, with a weight for each size.
//!
//! A set of `k` sides is the next in the order with a weight of `δ_k` times the geometric mean of
//! their strengths, where `δ_1` is 1: D. Firth, I. Kosmidis and H. Turner, "Davidson-Luce model for
//! multi-item choice with ties" (2019). With two sides it is the model of R. Davidson (1970).

use super::row_point::RowPoint;

/// The sizes of ties that occur, and the logarithms of their weights.
pub(super) struct Ties<'a> {
    pub sizes: &'a [usize],
    pub weights: &'a [f64],
}

/// A set of sides that may be next: its variables, each with its derivative, and its log-weight.
struct Choice {
    slopes: Vec<(usize, f64)>,
    ln: f64,
}

/// Evaluates a row from the log-strengths of its sides, best first, and the number of sides of each
/// rank. The weights of ties are the variables after the sides.
pub(super) fn evaluate(strengths: &[f64], tied: &[usize], ties: &Ties<'_>, point: &mut RowPoint) {
    point.clear(strengths.len() + ties.sizes.len());
    let mut first = 0;
    for &size in tied {
        let left = strengths.len() - first;
        if left > 1 {
            let all = (1_u32..1 << left).filter_map(|set| choice(set, first, strengths, ties));
            let chosen = choice((1 << size) - 1, first, strengths, ties);
            add_stage(&all.collect::<Vec<_>>(), chosen, point);
        }
        first += size;
    }
}

/// The choice of a set of the sides from `first` on; `None` if no tie has its size.
fn choice(set: u32, first: usize, strengths: &[f64], ties: &Ties<'_>) -> Option<Choice> {
    let size = set.count_ones() as usize;
    let weight = ties.sizes.iter().position(|&tie| tie == size);
    if size > 1 && weight.is_none() {
        return None;
    }
    let sides = (first..strengths.len()).filter(|side| set >> (side - first) & 1 == 1);
    let mut slopes: Vec<(usize, f64)> = sides.map(|side| (side, 1.0 / size as f64)).collect();
    let mut ln = slopes.iter().map(|&(side, share)| share * strengths[side]).sum();
    if let Some(weight) = weight {
        slopes.push((strengths.len() + weight, 1.0));
        ln += ties.weights[weight];
    }
    Some(Choice { slopes, ln })
}

/// Adds the log-probability of the chosen set among all sets.
fn add_stage(all: &[Choice], chosen: Option<Choice>, point: &mut RowPoint) {
    let largest = all.iter().fold(f64::NEG_INFINITY, |m, choice| m.max(choice.ln));
    let sum: f64 = all.iter().map(|choice| (choice.ln - largest).exp()).sum();
    let variables = point.gradient.len();
    let mut mean = vec![0.0; variables];
    for choice in all {
        let probability = (choice.ln - largest).exp() / sum;
        for &(i, x) in &choice.slopes {
            mean[i] += probability * x;
            for &(j, y) in &choice.slopes {
                point.information[i * variables + j] += probability * x * y;
            }
        }
    }
    for i in 0..variables {
        point.gradient[i] -= mean[i];
        (0..variables).for_each(|j| point.information[i * variables + j] -= mean[i] * mean[j]);
    }
    if let Some(chosen) = chosen {
        point.ln += chosen.ln - largest - sum.ln();
        chosen.slopes.iter().for_each(|&(i, x)| point.gradient[i] += x);
    }
}
