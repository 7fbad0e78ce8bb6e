//! Keys and exact values of positions.

use std::cmp::Ordering;
use std::collections::HashSet;

use agon::games::key_hash::{fold, mix};
use agon::games::{Exact, Player};

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

#[test]
fn small_words_and_their_orders_have_different_hashes() {
    let mut seen = HashSet::new();
    for a in 0..64 {
        for b in 0..64 {
            assert!(seen.insert(fold(fold(0, a), b)));
            assert!(seen.insert(mix(a << 32 | b)));
        }
    }
}
