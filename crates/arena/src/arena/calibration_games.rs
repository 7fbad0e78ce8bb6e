//! Test games that are not recorded: they show how long games take and how much results vary.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::game_schedule::Schedule;
use super::games_csv_rows::GameRow;
use super::tally::Tally;
use crate::play::{Lineup, MoveTexts};
use crate::util::collect_with_less_code::Gather;

/// The result of a short calibration.
#[derive(Debug, Clone)]
pub struct Calibration {
    /// The games, counted by pairing. They are too few for a ranking.
    pub tally: Tally,
    /// Mean time of a game in seconds, by pairing; `None` if no game was played.
    pub seconds: Vec<Option<f64>>,
}

impl Calibration {
    /// Estimated seconds that one thread needs for the whole schedule. A pairing without games
    /// counts as the mean of the others. `None` if no game was played.
    pub fn total_seconds(&self, games_per_pairing: u64) -> Option<f64> {
        Some(self.mean_seconds()? * self.seconds.len() as f64 * games_per_pairing as f64)
    }

    /// The mean over the pairings of the time of a game in seconds. `None` if no game was played.
    pub fn mean_seconds(&self) -> Option<f64> {
        let known: Vec<f64> = self.seconds.iter().copied().flatten().gather();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    }
}

/// Plays games in this thread for about `budget`. The last game is always finished, and at least
/// one game is played. Each pairing plays once before any pairing plays twice.
pub fn calibrate(
    field: Arc<Lineup>,
    schedule: &Schedule,
    names: Vec<String>,
    budget: Duration,
) -> Calibration {
    let pairings = schedule.pairings().len();
    let mut tally = Tally::new(names, schedule.pairings());
    let mut spent = vec![(0.0, 0u32); pairings];
    let mut table = field.worker();
    let mut texts = MoveTexts::default();
    let begin = Instant::now();
    let cycle = schedule.cycle();
    let stride = stride(cycle);
    let order = (0..schedule.units()).map(|i| {
        // Neighbors in the schedule are similar, so the pairings are taken from all over it.
        let (begin, place) = (i / cycle * cycle, i % cycle);
        begin + (u128::from(place) * u128::from(stride) % u128::from(cycle)) as u64
    });
    'all: for unit in order {
        for spec in schedule.unit(unit) {
            if tally.rows > 0 && begin.elapsed() >= budget {
                break 'all;
            }
            let clock = Instant::now();
            let record = table.play(&spec, &mut texts);
            let spent = &mut spent[spec.pairing as usize - 1];
            *spent = (spent.0 + clock.elapsed().as_secs_f64(), spent.1 + 1);
            tally.push(&GameRow::of(&record, &texts));
        }
    }
    tally.count_lone_game();
    let seconds = spent.iter().map(|&(time, n)| (n > 0).then(|| time / f64::from(n))).gather();
    Calibration { tally, seconds }
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
