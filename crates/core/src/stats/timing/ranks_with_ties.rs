//! Ranks with ties, doubled so that they are integers.

/// The doubled rank of each value: 2, 4, .. for distinct values, the mean rank for equal values.
/// Values must not be NaN.
pub(super) fn doubled_ranks(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut ranks = vec![0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let value = values[order[from]];
        let ties = order[from..].iter().take_while(|&&i| values[i] == value).count();
        for &i in &order[from..from + ties] {
            ranks[i] = 2 * from + ties + 1;
        }
        from += ties;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_places() {
        assert_eq!(doubled_ranks(&[3.0, 1.0, 2.0]), [6, 2, 4]);
        assert_eq!(doubled_ranks(&[5.0, 1.0, 5.0, 5.0]), [6, 2, 6, 6]);
        assert_eq!(doubled_ranks(&[-0.0, 0.0]), [3, 3]);
    }
}
