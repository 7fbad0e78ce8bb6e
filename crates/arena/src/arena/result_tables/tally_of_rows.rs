//! Counts rows of two seats as a run counts its games.

use std::collections::HashMap;

use super::result_rows::{ResultRow, ResultRows, RowFacts, SeatedPlayer};
use crate::arena::count::opening_clusters::SeatSamples;
use crate::arena::count::tally::Tally;
use crate::arena::rows::games_csv_rows::GameRow;
use crate::config::Pairing;
use crate::play::Outcome;
use crate::stats::sprt::Design;

/// Counts the rows of one list, each with two seats. Rows from the same opening are one sample of the
/// seats, and two of them with changed seats are a pair. A sequential test of two players gets their
/// rows in the order of the files; the rows of other players are then left out.
pub fn tally_of_rows(rows: &ResultRows, list: u32, test: Option<(Design, [u32; 2])>) -> Tally {
    let rounds = if rows.has_openings() { SeatSamples::OfOpenings } else { SeatSamples::OfGames };
    let mut counted = CountedRows::new(rows, test.map(|(_, players)| players));
    let is_counted = |&index: &u32| {
        let row = rows.row(index as usize);
        let is_tested = |it: &SeatedPlayer| test.is_none_or(|(_, two)| two.contains(&it.player));
        row.facts.list == list && row.players.iter().all(is_tested)
    };
    let mut order: Vec<u32> = (0..rows.len() as u32).filter(is_counted).collect();
    if rounds == SeatSamples::OfOpenings && test.is_none() {
        order_by_opening(rows, &mut order);
    }
    counted.tally = counted.tally.testing(test.map(|(design, _)| design));
    counted.tally.rounds = rounds;
    for (index, game) in order.into_iter().zip(1..) {
        counted.count(index, game);
    }
    counted.tally.count_lone_game();
    counted.tally
}

/// The rows that are counted, and the numbers of their players and pairings in the tally.
struct CountedRows<'a> {
    rows: &'a ResultRows,
    tally: Tally,
    /// The number of each player in the tally, by the number in the tables.
    agents: Vec<Option<usize>>,
    pairings: HashMap<(usize, usize), u32>,
}

impl<'a> CountedRows<'a> {
    /// No rows yet; the first of `two` players is the first agent of their pairing.
    fn new(rows: &'a ResultRows, two: Option<[u32; 2]>) -> Self {
        let names = two.iter().flatten().map(|&player| rows.names.text(player).to_owned());
        let pairing = two.map(|_| Pairing::of(0, 1));
        let tally = Tally::new(names.collect(), pairing.as_slice());
        let mut agents = vec![None; rows.names.len()];
        for (agent, player) in two.into_iter().flatten().enumerate() {
            agents[player as usize] = Some(agent);
        }
        let pairings = two.map(|_| ((0, 1), 1)).into_iter().collect();
        CountedRows { rows, tally, agents, pairings }
    }

    fn agent(&mut self, player: u32) -> usize {
        let next = self.tally.names.len();
        let agent = *self.agents[player as usize].get_or_insert(next);
        if agent == next {
            self.tally.names.push(self.rows.names.text(player).to_owned());
        }
        agent
    }

    fn count(&mut self, index: u32, game: u64) {
        let row = self.rows.row(index as usize);
        let [a, b] = [row.players[0], row.players[1]];
        let [first, second] = [self.agent(a.player), self.agent(b.player)];
        let next = self.pairings.len() as u32 + 1;
        let key = (first.min(second), first.max(second));
        let pairing = *self.pairings.entry(key).or_insert(next);
        self.tally.push(&GameRow {
            game,
            pairing,
            opening: opening(row.facts, index),
            first,
            second,
            outcome: match a.rank.cmp(&b.rank) {
                std::cmp::Ordering::Less => Outcome::First,
                std::cmp::Ordering::Equal => Outcome::Draw,
                std::cmp::Ordering::Greater => Outcome::Second,
            },
            // A row of another program says nothing about its random numbers, so it counts.
            rng_draws: u64::from(row.facts.identity.is_none()),
            identity: row.facts.identity.unwrap_or_default(),
            ..GameRow::default()
        });
    }
}

/// The number of the opening of a row. A row without one has an opening of its own.
fn opening(facts: &RowFacts, index: u32) -> u64 {
    match facts.opening {
        0 => (1 << 32) + u64::from(index),
        opening => u64::from(opening),
    }
}

/// The two players, the smaller number first.
fn seats(row: &ResultRow<'_>) -> (u32, u32) {
    let [a, b] = [row.players[0].player, row.players[1].player];
    (a.min(b), a.max(b))
}

/// Sorts rows by opening and pairing. The games of a pairing from one opening change seats in turn, so
/// that pairs are next to each other.
fn order_by_opening(rows: &ResultRows, order: &mut [u32]) {
    let mut times: HashMap<(u32, u32, u32), u32> = HashMap::new();
    let mut keys = vec![(0, (0, 0), 0, 0); rows.len()];
    for &index in order.iter() {
        let row = rows.row(index as usize);
        let [first, second] = [row.players[0].player, row.players[1].player];
        let earlier = times.entry((row.facts.opening, first, second)).or_default();
        keys[index as usize] = (opening(row.facts, index), seats(&row), *earlier, first);
        *earlier += 1;
    }
    order.sort_by_key(|&index| keys[index as usize]);
}
