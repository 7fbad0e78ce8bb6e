//! `max_cost`: ends a run before the game that would exceed it. A game is expected to cost the mean of
//! the games so far, and so is each game that is being played. If these games may cost less, the next
//! game waits for them.

use std::sync::Mutex;

use crate::arena::count::tally::Tally;
use crate::arena::storage::remaining_games::Remaining;
use crate::play::SideRecord;
use crate::rows::games_csv_rows::points_of;
use crate::util::locks::lock;

pub(crate) struct CostLimit {
    /// In billionths, as all costs; `None`: no limit.
    max: Option<u64>,
    spent: Mutex<Spent>,
}

/// Whether the next game may begin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NextGame {
    Begins,
    /// The cost of the games that are being played decides.
    Waits,
    /// It would exceed the limit, as this sentence for people says.
    Exceeds(String),
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Spent {
    cost: u64,
    /// Finished games.
    games: u64,
    /// Games that are being played.
    running: u64,
    /// The cost of attempts that are played again, or were given up.
    void: u64,
}

impl CostLimit {
    /// The limit of a run that has these games already.
    pub fn new(max: Option<f64>, tally: &Tally, remaining: &Remaining) -> Self {
        let max = max.map(|max| (max * 1e9) as u64);
        let cost = tally.cost().saturating_add(tally.void_cost);
        let mut spent = Spent { cost, games: tally.rows, ..Spent::default() };
        for finished in remaining.finished.values() {
            spent.cost = spent.cost.saturating_add(cost_of(&finished.row.sides));
            spent.games += 1;
        }
        CostLimit { max, spent: Mutex::new(spent) }
    }

    /// Begins a game, if it may begin now.
    pub fn begin(&self) -> NextGame {
        let Some(max) = self.max else { return NextGame::Begins };
        let mut spent = lock(&self.spent);
        let mean = spent.cost.checked_div(spent.games).unwrap_or(0);
        let expected = mean.saturating_mul(spent.running + 1).saturating_add(spent.cost);
        if expected <= max {
            spent.running += 1;
            return NextGame::Begins;
        }
        if spent.running > 0 {
            return NextGame::Waits;
        }
        NextGame::Exceeds(format!(
            "the next game would exceed `max_cost` = {}: the games so far cost {}, {} each",
            points_of(max),
            points_of(spent.cost),
            points_of(mean)
        ))
    }

    /// Adds what a game has cost. A game that is played again counts each time.
    pub fn spend(&self, sides: &[SideRecord; 2]) {
        if self.max.is_some() {
            let mut spent = lock(&self.spent);
            spent.cost = spent.cost.saturating_add(cost_of(sides));
        }
    }

    /// Counts the cost of an attempt that is no row of the results.
    pub fn add_void(&self, sides: &[SideRecord; 2]) {
        let cost = cost_of(sides);
        if cost > 0 {
            let mut spent = lock(&self.spent);
            spent.void = spent.void.saturating_add(cost);
        }
    }

    /// The cost of all attempts that are no rows.
    pub fn void(&self) -> u64 {
        lock(&self.spent).void
    }

    /// Ends a game that began.
    pub fn end(&self) {
        if self.max.is_some() {
            let mut spent = lock(&self.spent);
            (spent.games, spent.running) = (spent.games + 1, spent.running - 1);
        }
    }
}

fn cost_of(sides: &[SideRecord; 2]) -> u64 {
    let [first, second] = sides.map(|side| side.answers.cost.billionths);
    first.saturating_add(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AnswerCounts;
    use crate::engine::AnswerCost;

    fn limit(max: f64) -> CostLimit {
        CostLimit { max: Some((max * 1e9) as u64), spent: Mutex::default() }
    }

    fn play(limit: &CostLimit, billionths: u64) -> bool {
        let cost = AnswerCost { billionths, ..AnswerCost::default() };
        let side = SideRecord {
            answers: AnswerCounts { cost, ..AnswerCounts::default() },
            ..SideRecord::default()
        };
        let begins = limit.begin() == NextGame::Begins;
        if begins {
            limit.spend(&[side, SideRecord::default()]);
            limit.end();
        }
        begins
    }

    #[test]
    fn no_game_begins_that_would_exceed_the_limit() {
        let limit = limit(1.0);
        let games = (0..100).filter(|_| play(&limit, 300_000_000)).count();
        assert_eq!((games, lock(&limit.spent).cost), (3, 900_000_000));
    }

    #[test]
    fn games_that_are_being_played_count_with_the_mean() {
        let limit = limit(1.0);
        assert!(play(&limit, 300_000_000));
        assert_eq!([limit.begin(), limit.begin()], [NextGame::Begins, NextGame::Begins]);
        // Four games would cost 1.2.
        assert_eq!(limit.begin(), NextGame::Waits);
        limit.end();
        // That game has cost nothing, so the mean is 0.15.
        assert_eq!(limit.begin(), NextGame::Begins);
    }

    #[test]
    fn the_reason_names_the_costs() {
        let limit = limit(0.5);
        assert!(play(&limit, 300_000_000));
        let why =
            "the next game would exceed `max_cost` = 0.5: the games so far cost 0.3, 0.3 each";
        assert_eq!(limit.begin(), NextGame::Exceeds(why.to_owned()));
    }

    #[test]
    fn without_a_limit_all_games_begin() {
        let limit = CostLimit { max: None, spent: Mutex::default() };
        assert!(play(&limit, u64::MAX) && play(&limit, u64::MAX));
    }
}
