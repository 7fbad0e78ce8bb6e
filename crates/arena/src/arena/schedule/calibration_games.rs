//! Test games that are not recorded: they show how long games take and how much results vary.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::game_schedule::Schedule;
use crate::arena::count::tally::{AgentTally, Tally};
use crate::play::{Lineup, MoveTexts};
use crate::rows::games_csv_rows::GameRow;

/// The quantile of the normal distribution for a one-sided interval of 95 %.
const ONE_SIDED_Z: f64 = 1.645;

/// The result of a short calibration.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// The games, counted by pairing. They are too few for a ranking.
    pub tally: Tally,
    /// Mean time of a game in seconds, by pairing; `None` if no game was played.
    pub seconds: Vec<Option<f64>>,
    /// The pairing of a game that did not end in time.
    pub unfinished: Option<usize>,
}

impl Calibration {
    /// Estimated seconds that one thread needs for the whole schedule. A pairing without games
    /// counts as the mean of the others. `None` as for [`mean_seconds`](Self::mean_seconds).
    pub fn total_seconds(&self, games_per_pairing: u64) -> Option<f64> {
        Some(self.mean_seconds()? * self.seconds.len() as f64 * games_per_pairing as f64)
    }

    /// The estimated cost of the whole schedule, as engines report it: an agent without games costs
    /// the mean of the others. `None` if no game had a cost.
    pub fn total_cost(&self, games_per_pairing: u64) -> Option<f64> {
        let of_agent = |agent: &AgentTally| {
            (agent.rows > 0).then(|| agent.cost.billionths as f64 / 1e9 / agent.rows as f64)
        };
        let costs: Vec<Option<f64>> = self.tally.agents.iter().map(of_agent).collect();
        let known: Vec<f64> = costs.iter().copied().flatten().collect();
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let cost = |agent: usize| costs[agent].unwrap_or(mean);
        let pairings = self.tally.pairings.iter();
        let all: f64 = pairings.map(|(pairing, _)| cost(pairing.a) + cost(pairing.b)).sum();
        (self.tally.cost() > 0).then_some(all * games_per_pairing as f64)
    }

    /// The assumed correlation, in [0, 1], between an agent's scores in the two games of a pair. With
    /// shared dice, it is the upper end of its interval: a roll that helps an agent as the first
    /// player may also help it as the second. Otherwise it is 0, unless the interval is above 0:
    /// openings that favour one side make the correlation negative, and figures cautious.
    pub fn pair_correlation(&self, shared_dice: bool) -> f64 {
        let (mut pairs, mut games, mut n) = (0.0, 0.0, 0.0);
        for (_, results) in self.tally.pairings.iter().filter(|(pairing, _)| !pairing.is_self()) {
            let table = &results.distinct.pairs;
            if let (Some(of_pairs), Some(of_games)) =
                (table.strength().variance(), table.games().variance())
            {
                pairs += table.n() as f64 * of_pairs;
                games += table.n() as f64 * of_games;
                n += table.n() as f64;
            }
        }
        if n <= 3.0 || games <= 0.0 {
            return if shared_dice { 1.0 } else { 0.0 };
        }
        // Fisher's transformation is nearly normal. The interval is one-sided.
        let found = (2.0 * pairs / games - 1.0).clamp(-0.999, 0.999);
        let margin = if shared_dice { ONE_SIDED_Z } else { -ONE_SIDED_Z };
        (found.atanh() + margin / (n - 3.0).sqrt()).tanh().max(0.0)
    }

    /// The mean over the pairings of the time of a game in seconds. `None` if no game was played, or
    /// if a game did not end: the others would give too short a time.
    pub fn mean_seconds(&self) -> Option<f64> {
        if self.unfinished.is_some() {
            return None;
        }
        let known: Vec<f64> = self.seconds.iter().copied().flatten().collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }
}

/// Plays games in one thread for about `budget`, then waits for the last one, until `limit` at most.
/// Each pairing plays once before any pairing plays twice. A game that does not end until then is left
/// to its thread, which ends with the process.
pub fn calibrate(
    lineup: Arc<Lineup>,
    schedule: Arc<Schedule>,
    names: Vec<String>,
    [budget, limit]: [Duration; 2],
) -> Calibration {
    let pairings = schedule.pairings().len();
    let mut tally = Tally::new(names, schedule.pairings());
    let mut spent = vec![(0.0, 0u32); pairings];
    let mut running = None;
    let begin = Instant::now();
    let (sender, games) = mpsc::channel();
    let play = move || play_until(&lineup, &schedule, begin + budget, &sender);
    let mut is_late = thread::Builder::new().spawn(play).is_err();
    while !is_late {
        match games.recv_timeout(limit.saturating_sub(begin.elapsed())) {
            Ok(TestGame::Begins(pairing)) => running = Some(pairing),
            Ok(TestGame::Ends(row, seconds)) => {
                if let Some(pairing) = running.take() {
                    let (time, number) = &mut spent[pairing];
                    (*time, *number) = (*time + seconds, *number + 1);
                }
                tally.push(&row);
            }
            Err(RecvTimeoutError::Timeout) => is_late = true,
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    tally.count_lone_game();
    let seconds = spent.iter().map(|&(time, n)| (n > 0).then(|| time / f64::from(n))).collect();
    Calibration { tally, seconds, unfinished: running.filter(|_| is_late) }
}

enum TestGame {
    /// A game of this pairing, from 0.
    Begins(usize),
    /// The game has ended after these seconds.
    Ends(Box<GameRow>, f64),
}

/// Plays at least one game, and more until `end`.
fn play_until(
    lineup: &Arc<Lineup>,
    schedule: &Schedule,
    end: Instant,
    games: &mpsc::Sender<TestGame>,
) {
    let mut worker = lineup.worker();
    let mut texts = MoveTexts::default();
    let cycle = schedule.cycle();
    let stride = stride(cycle);
    let order = (0..schedule.units()).map(|i| {
        // Neighbors in the schedule are similar, so the pairings are taken from all over it.
        let (begin, place) = (i / cycle * cycle, i % cycle);
        begin + (u128::from(place) * u128::from(stride) % u128::from(cycle)) as u64
    });
    let mut is_first = true;
    for unit in order {
        for spec in schedule.unit(unit) {
            if !std::mem::take(&mut is_first) && Instant::now() >= end {
                return;
            }
            let clock = Instant::now();
            // The receiver waits for no more games if it has gone.
            let _ = games.send(TestGame::Begins(spec.pairing as usize - 1));
            let record = worker.play(&spec, &mut texts);
            let row = Box::new(GameRow::of(&record, &texts));
            if games.send(TestGame::Ends(row, clock.elapsed().as_secs_f64())).is_err() {
                return;
            }
        }
    }
}

/// A step near the golden section that visits each of `n` places once.
fn stride(n: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let wanted = ((n as f64 * 0.618) as u64).max(1);
    (wanted..).find(|&step| gcd(step, n) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_is_visited() {
        for n in 1..200 {
            let mut seen: Vec<u64> = (0..n).map(|i| i * stride(n) % n).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..n).collect::<Vec<_>>());
        }
    }
}
