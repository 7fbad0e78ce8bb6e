//! The solver of Kalah.
//!
//! The stores do not change what can still be won. The table therefore has only the pits as seen
//! by the player to move, and bounds on the stones that this player still gains. All positions with
//! the same pits share an entry, whatever is in the stores (Irving, Donkers and Uiterwijk 2000,
//! "Solving Kalah").

use super::bound_table::{BoundTable, StoredBounds};
use super::margin_solver::{MarginSearch, MarginSolver, TABLE_MB};
use crate::games::kalah::KalahState;
use crate::games::{Game, Kalah, Offer, Unsolved};

/// The most seeds for each number of pits with which the start is solved in about ten seconds, all
/// moves included.
const MOST_SEEDS: [u32; 7] = [10, 10, 10, 7, 4, 3, 2];

/// The solver of Kalah.
///
/// # Errors
/// The game would take too long.
pub(super) fn offer(game: &Kalah) -> Offer<Kalah> {
    let (pits, seeds) = game.size();
    let most = MOST_SEEDS[pits as usize - 1];
    if seeds > most {
        let why = format!("{pits} pits with {seeds} seeds each take too long to solve");
        let help = format!("`seeds` from 1 to {most}, or fewer pits");
        return Err(Unsolved { why, help });
    }
    let table = BoundTable::growing(TABLE_MB);
    let search = KalahSearch { game: *game, table, nodes: 0 };
    Ok(Box::new(MarginSolver { search, most: game.total(), guess: 0 }))
}

struct KalahSearch {
    game: Kalah,
    table: BoundTable,
    nodes: u64,
}

const NO_MOVE: u8 = 127;

impl KalahSearch {
    /// The pits of both sides as one number, those of the player to move first.
    #[inline]
    fn code(&self, state: &KalahState) -> u128 {
        let (pits, _) = self.game.size();
        let bits = self.game.total().ilog2() + 1;
        let sides = [state.side(), state.side().other()];
        let stones = sides.into_iter().flat_map(|side| {
            let stones = self.game.pits(state, side);
            (0..pits).map(move |pit| stones >> (8 * pit) & 0xFF)
        });
        stones.fold(0, |code, stones| code << bits | u128::from(stones))
    }

    /// The lead of the player to move, and the stones that are in no store.
    #[inline]
    fn lead_and_rest(&self, state: &KalahState) -> (i32, i32) {
        let rest = [state.side(), state.side().other()]
            .map(|side| self.game.count(self.game.pits(state, side)) as i32);
        (state.side().sign() * self.game.lead(state), rest[0] + rest[1])
    }

    fn search(&mut self, state: &KalahState, bound: i32) -> i32 {
        let (lead, rest) = self.lead_and_rest(state);
        // Finished games end here, too: they have no rest.
        if bound > lead + rest {
            return lead + rest;
        }
        if bound <= lead - rest {
            return lead - rest;
        }
        self.nodes += 1;
        let before = self.nodes;
        let code = self.code(state);
        let (mut lower, mut upper, mut best) = (lead - rest, lead + rest, NO_MOVE);
        if let Some(found) = self.table.get(code) {
            lower += 2 * i32::from(found.lower);
            upper -= 2 * i32::from(found.upper);
            if lower >= bound {
                return lower;
            }
            if upper < bound {
                return upper;
            }
            best = found.best;
        }
        // The table's move first, then moves after which the player moves again, those nearest to
        // the store first, then captures.
        let mut children = [(0, 0, *state); 7];
        let mut count = 0;
        for pit in self.game.playable(state) {
            let mut child = *state;
            self.game.play(&mut child, pit);
            let again = child.side() == state.side();
            let (lead, rest) = self.lead_and_rest(&child);
            let gain = if again { lead } else { -lead };
            if gain - rest >= bound {
                return gain - rest;
            }
            let order = match again {
                _ if pit == best => i32::MAX,
                true => 1000 + i32::from(pit),
                false => 8 * gain + i32::from(pit),
            };
            children[count] = (order, pit, child);
            count += 1;
        }
        let children = &mut children[..count];
        children.sort_unstable_by_key(|&(order, ..)| std::cmp::Reverse(order));
        let mut value = i32::MIN;
        for (_, pit, child) in children {
            let found = if child.side() == state.side() {
                self.search(child, bound)
            } else {
                -self.search(child, 1 - bound)
            };
            value = value.max(found);
            if found >= bound {
                best = *pit;
                break;
            }
        }
        if value >= bound {
            lower = value;
        } else {
            upper = value;
        }
        // The number of all stones decides whether a lead is even, so half of the numbers suffice.
        let half = |stones: i32| (stones / 2) as u8;
        let (lower, upper) = (half(lower - (lead - rest)), half(lead + rest - upper));
        self.table.put(code, StoredBounds { lower, upper, best }, self.nodes - before + 1);
        value
    }
}

impl MarginSearch<Kalah> for KalahSearch {
    fn at_least(&mut self, state: &KalahState, bound: i32) -> i32 {
        self.search(state, bound)
    }

    fn hint(&self, state: &KalahState) -> Option<u8> {
        self.table.get(self.code(state)).map(|found| found.best).filter(|&best| best != NO_MOVE)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn set_table_mb(&mut self, table_mb: usize) {
        self.table = BoundTable::growing(table_mb);
    }
}
