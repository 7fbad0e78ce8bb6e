//! Counts rows of two seats as a run counts its games.

use std::collections::{HashMap, VecDeque};

use super::opening_clusters::SeatSamples;
use super::tally::Tally;
use crate::config::Pairing;
use crate::play::Outcome;
use crate::result_tables::result_rows::{ResultRow, ResultRows, RowFacts, SeatedPlayer};
use crate::rows::games_csv_rows::GameRow;
use crate::stats::sprt::Design;

/// Counts the rows of one list, each with two seats. Rows from the same opening are one sample of the
/// seats, and two of them with changed seats are a pair. A sequential test of two players gets their
/// rows in the order of the files, and a pair when its second game is there; the rows of other players
/// are then left out.
pub fn tally_of_rows(rows: &ResultRows, list: u32, test: Option<(Design, [u32; 2])>) -> Tally {
    let is_counted = |&index: &u32| {
        let row = rows.row(index as usize);
        let is_tested = |it: &SeatedPlayer| test.is_none_or(|(_, two)| two.contains(&it.player));
        row.facts.list == list && row.players.iter().all(is_tested)
    };
    let mut order: Vec<u32> = (0..rows.len() as u32).filter(is_counted).collect();
    if !rows.has_openings() {
        return count(rows, &order, SeatSamples::OfGames, test);
    }
    let sprt = test.and_then(|_| {
        let order = partners_together(rows, &order);
        count(rows, &order, SeatSamples::OfOpenings, test).sprt
    });
    order_by_opening(rows, &mut order);
    let two = test.map(|(_, two)| two);
    let mut tally = CountedRows::new(rows, two).count_all(&order, SeatSamples::OfOpenings);
    tally.sprt = sprt;
    if test.is_none() {
        dissolve_rare_pairs(&mut tally);
    }
    tally
}

/// Scores count pairs only, if there are any. If most games of a pairing have no partner, its pairs are too
/// few to stand for it.
fn dissolve_rare_pairs(tally: &mut Tally) {
    for (_, played) in &mut tally.pairings {
        if played.distinct.lone_games() > 2 * played.distinct.pairs.n() {
            played.distinct = played.distinct.without_pairs();
        }
    }
}

/// Counts rows in this order, and tests them.
fn count(
    rows: &ResultRows,
    order: &[u32],
    seats: SeatSamples,
    test: Option<(Design, [u32; 2])>,
) -> Tally {
    let mut counted = CountedRows::new(rows, test.map(|(_, two)| two));
    counted.tally = counted.tally.testing(test.map(|(design, _)| design));
    counted.count_all(order, seats)
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

    fn count_all(mut self, order: &[u32], seats: SeatSamples) -> Tally {
        self.tally.rounds = seats;
        order.iter().zip(1..).for_each(|(&index, game)| self.count(index, game));
        self.tally.count_lone_game();
        self.tally
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

/// The rows of two players in the order in which they complete pairs: each second game of a pair, with
/// changed seats from the same opening, is behind its first one. Games without a partner are at the end.
fn partners_together(rows: &ResultRows, order: &[u32]) -> Vec<u32> {
    let mut waiting: HashMap<(u64, u32), VecDeque<u32>> = HashMap::new();
    let mut together = Vec::with_capacity(order.len());
    for &index in order {
        let row = rows.row(index as usize);
        let [first, second] = [row.players[0].player, row.players[1].player];
        let opening = opening(row.facts, index);
        match waiting.get_mut(&(opening, second)).and_then(VecDeque::pop_front) {
            Some(partner) => together.extend([partner, index]),
            None => waiting.entry((opening, first)).or_default().push_back(index),
        }
    }
    let mut alone: Vec<u32> = waiting.into_values().flatten().collect();
    alone.sort_unstable();
    together.extend(alone);
    together
}
