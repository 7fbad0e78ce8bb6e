//! Which games repeat an earlier one and are no further evidence.
//!
//! A game counts on its own if an agent or the dice drew a random number in it. A game without
//! random numbers that repeats an earlier game move for move counts once, because players that
//! always play the same moves would make any number of such games. agon cannot see what a program
//! from outside draws, nor what a clock changes. So the games themselves decide: as soon as a
//! pairing has played two different games from one opening with the same seats, it is known to
//! vary, and from then on all of its games count.
//!
//! It keeps eight bytes for each game and each opening of the games without random numbers, at
//! most [`Duplicates::REMEMBERED`] of both together, which take 72 MB with their counts.

use std::collections::HashMap;

use super::row::Row;
use crate::agents::FaultKind;
use crate::stats::duplicates::effective_sample_size;

/// What the check for repeated games remembers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Duplicates {
    /// How often each game without random numbers was played; 0 for an opening with its seats.
    seen: HashMap<u64, u32>,
    /// Whether a pairing is known to vary, by its number.
    varied: Vec<bool>,
    saturated: bool,
}

impl Duplicates {
    /// The most games and openings that are remembered. Where there are more, those that are not
    /// known are no evidence: the check errs on the side of saying less.
    pub const REMEMBERED: usize = 7 << 18;

    /// Whether a game is no repetition of an earlier one. Rows come in game order; a void game is
    /// none.
    pub fn is_new(&mut self, row: &Row) -> bool {
        if row.random_words > 0 || self.varied(row.pairing) {
            return true;
        }
        if let Some(times) = self.seen.get_mut(&row.identity) {
            *times = times.saturating_add(1);
            return false;
        }
        // A program that crashes once need not play other moves the next time.
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

    /// Whether a pairing (from 1) has played different games from one opening, though no agent
    /// drew a random number that agon knows of.
    pub fn varied(&self, pairing: u32) -> bool {
        self.varied.get(pairing as usize) == Some(&true)
    }

    /// Whether games had to be left out.
    pub fn is_saturated(&self) -> bool {
        self.saturated
    }

    /// Kish's effective sample size of all games, repetitions included.
    pub fn effective(&self, games: u64) -> Option<f64> {
        let times = self.seen.values().map(|&times| u64::from(times)).filter(|&times| times > 0);
        let once = games.saturating_sub(times.clone().sum());
        effective_sample_size(times.map(|times| (times, 1)).chain([(1, once)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Outcome, SideRecord};

    /// A game of that pairing from that opening, which of them, and how it ended.
    fn row(pairing: u32, opening: u64, identity: u64, reason: &'static str) -> Row {
        Row {
            game: 1,
            pairing,
            opening,
            first: 0,
            second: 1,
            outcome: Outcome::First,
            reason,
            plies: 9,
            random_words: 0,
            sides: [SideRecord::default(); 2],
            identity,
        }
    }

    #[test]
    fn a_pairing_that_plays_different_games_from_one_opening_varies() {
        let mut games = Duplicates::default();
        let mut is_new =
            |pairing, opening, game| games.is_new(&row(pairing, opening, game, "line"));
        // Two openings, each again, in two pairings that play the same moves.
        assert_eq!([(1, 10), (2, 20)].map(|(o, g)| is_new(1, o, g)), [true, true]);
        assert_eq!([(1, 10), (2, 20)].map(|(o, g)| is_new(1, o, g)), [false, false]);
        assert_eq!([(1, 30), (1, 30)].map(|(o, g)| is_new(2, o, g)), [true, false]);
        // The first opening leads to another game: from here on every game counts.
        assert_eq!([(1, 11), (1, 10), (2, 20)].map(|(o, g)| is_new(1, o, g)), [true; 3]);
        assert!(!is_new(2, 1, 30));
        assert_eq!([1, 2].map(|pairing| games.varied(pairing)), [true, false]);
        // Ten games: two of them twice, one three times, three once.
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
