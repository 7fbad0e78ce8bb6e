//! Finds games that repeat an earlier game move for move without random numbers: they are no new
//! evidence.
//!
//! agon does not see the random numbers of programs or the effects of clocks. A pairing that plays two
//! different games from one opening and the same seats varies. All its later games count.

use std::collections::HashMap;

use crate::agents::FaultKind;
use crate::rows::games_csv_rows::GameRow;
use crate::stats::effective_games::effective_sample_size;

#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct Duplicates {
    /// How often each game without random numbers was played; 0 for an opening with its seats.
    seen: HashMap<u64, u32>,
    /// Whether a pairing varies, by its number.
    varied: Vec<bool>,
    saturated: bool,
}

impl Duplicates {
    /// The maximum number of games and openings in memory. Above this limit, unknown games do not
    /// count as evidence: the check is conservative.
    pub const REMEMBERED: usize = 7 << 18;

    /// Whether a game does not repeat an earlier one; false for a void game. Rows must come in game
    /// order.
    pub fn is_new(&mut self, row: &GameRow) -> bool {
        if row.rng_draws > 0 || self.varied(row.pairing) {
            return true;
        }
        if let Some(times) = self.seen.get_mut(&row.identity) {
            *times = times.saturating_add(1);
            return false;
        }
        // If a program crashes once, it may still play the same moves the next time.
        let begins = (!FaultKind::is_reason(row.reason)).then(|| row.begins());
        if begins.is_some_and(|begins| self.seen.contains_key(&begins)) {
            let place = row.pairing as usize;
            self.varied.resize(self.varied.len().max(place + 1), false);
            self.varied[place] = true;
            return true;
        }
        self.saturated |= self.seen.len() >= Self::REMEMBERED;
        if !self.saturated {
            self.seen.insert(row.identity, 1);
            self.seen.extend(begins.map(|begins| (begins, 0)));
        }
        !self.saturated
    }

    /// Whether a pairing (from 1) has played different games from one opening without a random
    /// number that agon knows of.
    pub fn varied(&self, pairing: u32) -> bool {
        self.varied.get(pairing as usize) == Some(&true)
    }

    pub fn is_saturated(&self) -> bool {
        self.saturated
    }

    /// Kish's effective sample size of all games, including duplicates.
    pub fn effective(&self, games: u64) -> Option<f64> {
        let times = self.seen.values().map(|&times| u64::from(times)).filter(|&times| times > 0);
        let once = games.saturating_sub(times.clone().sum());
        effective_sample_size(times.map(|times| (times, 1)).chain([(1, once)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Outcome;

    /// A game of a pairing from an opening; equal games have the same `identity`.
    fn row(pairing: u32, opening: u64, identity: u64, reason: &'static str) -> GameRow {
        GameRow {
            game: 1,
            pairing,
            opening,
            first: 0,
            second: 1,
            outcome: Outcome::First,
            reason,
            plies: 9,
            identity,
            ..GameRow::default()
        }
    }

    #[test]
    fn a_pairing_that_plays_different_games_from_one_opening_varies() {
        let mut games = Duplicates::default();
        let mut is_new =
            |pairing, opening, game| games.is_new(&row(pairing, opening, game, "line"));
        // Two openings, each played twice, in two pairings that play the same moves.
        assert_eq!([(1, 10), (2, 20)].map(|(o, g)| is_new(1, o, g)), [true, true]);
        assert_eq!([(1, 10), (2, 20)].map(|(o, g)| is_new(1, o, g)), [false, false]);
        assert_eq!([(1, 30), (1, 30)].map(|(o, g)| is_new(2, o, g)), [true, false]);
        // The first opening leads to a different game: from now on, every game counts.
        assert_eq!([(1, 11), (1, 10), (2, 20)].map(|(o, g)| is_new(1, o, g)), [true; 3]);
        assert!(!is_new(2, 1, 30));
        assert_eq!([1, 2].map(|pairing| games.varied(pairing)), [true, false]);
        // Ten games: two games were played twice, one three times, three once.
        assert_eq!(games.effective(10), Some(100.0 / (4.0 + 4.0 + 9.0 + 3.0)));
    }

    #[test]
    fn a_crash_does_not_show_that_a_pairing_varies() {
        for reasons in [["crash", "line"], ["line", "timeout"]] {
            let mut games = Duplicates::default();
            for (game, reason) in (1..).zip(reasons) {
                assert!(games.is_new(&row(1, 1, game, reason)));
            }
            assert!(!games.varied(1));
        }
    }
}
