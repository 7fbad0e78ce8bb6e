//! Property tests: no table of results leads to a value that is not finite.

use proptest::prelude::*;

use super::*;
use crate::gather::Gather;
use crate::stats::{Confidence, Counts, PairTable};

fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => Just(0u64),
        3 => 1u64..5,
        1 => 1u64..5_000_000_000,
        1 => Just(u64::MAX)
    ]
}

fn pairing(players: usize) -> impl Strategy<Value = PairingScore> {
    let cells = prop::collection::vec(count(), 15);
    (0..players, 0..players, cells).prop_map(|(a, b, c)| {
        let evidence = Evidence {
            pairs: PairTable(std::array::from_fn(|i| std::array::from_fn(|j| c[3 * i + j]))),
            lone_first: Counts([c[9], c[10], c[11]]),
            lone_second: Counts([c[12], c[13], c[14]]),
        };
        PairingScore { a, b, evidence }
    })
}

proptest! {
    #[test]
    fn every_list_is_finite_and_complete(
        pairings in prop::collection::vec(pairing(5), 0..8),
        first_mover in any::<bool>(),
        seed in prop::option::of(0usize..5),
    ) {
        let reference = seed.map_or(Reference::Mean, Reference::Player);
        let options = ListOptions { first_mover, reference, confidence: Confidence::P95 };
        let list = RatingList::new(5, &pairings, options);
        let mut players: Vec<usize> = list.standings.iter().map(|s| s.player).gather();
        players.sort_unstable();
        prop_assert_eq!(players, [0, 1, 2, 3, 4]);
        for standing in &list.standings {
            match standing.rating {
                Rating::Estimate { elo, lo, hi, se } => {
                    prop_assert!(elo.is_finite() && lo <= elo && elo <= hi);
                    prop_assert!(se > 0.0 && se.is_finite(), "{:?}", standing);
                }
                Rating::AtLeast(elo) | Rating::AtMost(elo) => prop_assert!(elo.is_finite()),
                Rating::Reference | Rating::Unknown => {}
            }
        }
        for c in list.comparisons() {
            prop_assert!([c.p, c.p_holm, c.los].iter().all(|p| (0.0..=1.0).contains(p)));
        }
        let cycle = shortest_cycle(5, &pairings, Confidence::P95);
        prop_assert!(cycle.is_none_or(|c| c.len() > 2));
    }
}
