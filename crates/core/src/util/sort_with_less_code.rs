//! Sorting of lists that are not on a hot path.
//!
//! The compiler generates the sorts of the standard library again for each type and each order, 1
//! 500 to 2 000 lines of machine-independent code each. Here a function called through a pointer
//! sorts indices. Only the exchange of elements is compiled for each type.

use std::cmp::Ordering;

use crate::util::collect_with_less_code::Gather;

/// Sorts a list; equal elements keep their order.
pub fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let order = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    for place in 0..order.len() {
        // If the element was exchanged before, `order` has its new place.
        let mut from = order[place];
        while from < place {
            from = order[from];
        }
        items.swap(place, from);
    }
}

/// Sorts a list by a key; elements with equal keys keep their order.
pub fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |a, b| key(a).cmp(&key(b)));
}

/// The indices of a list in the order of its elements; equal elements keep their order.
pub fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).gather();
    order.sort_by(|&a, &b| compare(a, b));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        for count in [0, 1, 2, 3, 10, 100, 1000] {
            let mut word = 1_u64;
            let mut items: Vec<(u64, usize)> = (0..count)
                .map(|i| {
                    word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (word >> 60, i)
                })
                .collect();
            let mut known = items.clone();
            known.sort_by_key(|&(key, _)| key);
            by_key(&mut items, |&(key, _)| key);
            assert_eq!(items, known);
            by(&mut items, |a, b| b.cmp(a));
            known.sort_by(|a, b| b.cmp(a));
            assert_eq!(items, known);
        }
    }
}
