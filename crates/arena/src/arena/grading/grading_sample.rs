//! Selects a random sample of games to grade. The units of each pairing are divided into stretches of
//! equal length, and one random unit of each stretch is selected. So the sample depends only on the
//! seed and the schedule, and it is balanced over the pairings and over the run. In a schedule of
//! several rounds, the stretches are those of all units together.

use crate::arena::schedule::game_schedule::Schedule;
use crate::play::{StreamRole, first_bits};

#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Sample {
    seed: u64,
    pairings: u64,
    /// How often the units go through the pairings.
    cycles: u64,
    /// Units in the sample, all pairings together.
    units: u64,
    games: u64,
}

impl Sample {
    /// At most `games` games of the first `units` units of a schedule, as whole units, at least one.
    pub fn new(schedule: &Schedule, units: u64, games: u64, seed: u64) -> Self {
        let pairings = schedule.cycle();
        let cycles = units.min(schedule.units()) / pairings.max(1);
        let all = cycles * pairings;
        let units = if games >= schedule.games_before(all) { all } else { (games / 2).max(1) };
        let mut sample = Sample { seed, pairings, cycles, units: units.min(all), games: 0 };
        sample.games = match sample.units == all {
            true => schedule.games_before(all),
            false => sample.count(schedule),
        };
        sample
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// Whether a unit (from 0) belongs to the sample.
    pub fn has(&self, unit: u64) -> bool {
        let (cycle, pairing) = (unit / self.pairings, unit % self.pairings);
        if cycle >= self.cycles {
            return false;
        }
        if self.units == self.cycles * self.pairings {
            return true;
        }
        let (first, share) = self.share(pairing);
        if share == 0 {
            return false;
        }
        let stretch = scaled(cycle, share, self.cycles);
        self.drawn(first, share, stretch) == cycle
    }

    /// The start of a pairing's share of the sample, and its number of units.
    fn share(&self, pairing: u64) -> (u64, u64) {
        let first = scaled(pairing, self.units, self.pairings);
        (first, scaled(pairing + 1, self.units, self.pairings) - first)
    }

    /// The cycle that is selected from a stretch.
    fn drawn(&self, first: u64, share: u64, stretch: u64) -> u64 {
        let from = |stretch: u64| {
            let product = u128::from(stretch) * u128::from(self.cycles);
            product.div_ceil(u128::from(share)) as u64
        };
        let (begin, end) = (from(stretch), from(stretch + 1));
        let lot = first_bits(self.seed, StreamRole::Grading, first + stretch);
        // Multiply and shift: the bias is less than one in 2^64 / length.
        begin + ((u128::from(lot) * u128::from(end - begin)) >> 64) as u64
    }

    /// Games of the selected units.
    fn count(&self, schedule: &Schedule) -> u64 {
        let mut games = 0;
        for pairing in 0..self.pairings {
            let (first, share) = self.share(pairing);
            for stretch in 0..share {
                let unit = self.drawn(first, share, stretch) * self.pairings + pairing;
                games += schedule.games_before(unit + 1) - schedule.games_before(unit);
            }
        }
        games
    }
}

/// `n × up / down`, rounded down.
fn scaled(n: u64, up: u64, down: u64) -> u64 {
    (u128::from(n) * u128::from(up) / u128::from(down)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::schedule::game_schedule::tests;
    use crate::config::ScheduleFormat;

    fn schedule(agents: usize, format: &'static ScheduleFormat, games: u64) -> Schedule {
        tests::schedule(format, agents, format == ScheduleFormat::SELF_PLAY, games)
    }

    fn units(sample: &Sample, schedule: &Schedule) -> Vec<u64> {
        (0..schedule.units()).filter(|&unit| sample.has(unit)).collect()
    }

    #[test]
    fn the_sample_has_its_size_and_every_pairing_its_share() {
        for (agents, format, games) in [
            (2, ScheduleFormat::ROUND_ROBIN, 40),
            (5, ScheduleFormat::ROUND_ROBIN, 100),
            (3, ScheduleFormat::SELF_PLAY, 7),
            (4, ScheduleFormat::GAUNTLET, 2),
        ] {
            let schedule = schedule(agents, format, games);
            let pairings = schedule.pairings().len() as u64;
            for wanted in [2, 3, 10, 25, 60, schedule.games(), schedule.games() + 5] {
                let sample = Sample::new(&schedule, schedule.units(), wanted, 1);
                let units = units(&sample, &schedule);
                let played: u64 = units.iter().map(|&u| schedule.unit(u).count() as u64).sum();
                assert_eq!(played, sample.games(), "{format:?} {games} {wanted}");
                assert!(played <= wanted.max(2));
                assert!(played + 2 > wanted.min(schedule.games()) || wanted < 4, "{wanted}");
                let of = |p: u64| units.iter().filter(|&&u| u % pairings == p).count();
                let shares: Vec<usize> = (0..pairings).map(of).collect();
                let (least, most) = (shares.iter().min(), shares.iter().max());
                assert!(most.expect("one") - least.expect("one") <= 1, "{shares:?}");
            }
        }
    }

    #[test]
    fn samples_are_random_by_the_seed_over_the_whole_run() {
        let schedule = schedule(2, ScheduleFormat::ROUND_ROBIN, 2000);
        let drawn = |seed| units(&Sample::new(&schedule, 1000, 200, seed), &schedule);
        assert_eq!(drawn(1), drawn(1));
        assert_ne!(drawn(1), drawn(2));
        // One random unit of every ten.
        let one = drawn(1);
        assert!(one.iter().enumerate().all(|(i, unit)| unit / 10 == i as u64));
        let digits: std::collections::BTreeSet<u64> = one.iter().map(|unit| unit % 10).collect();
        assert_eq!(digits.len(), 10);
    }

    #[test]
    fn a_run_that_ended_early_is_sampled_where_it_was_played() {
        let schedule = schedule(2, ScheduleFormat::ROUND_ROBIN, 2000);
        let sample = Sample::new(&schedule, 30, 20, 1);
        let units = units(&sample, &schedule);
        assert_eq!((units.len(), sample.games()), (10, 20));
        assert!(units.iter().all(|&unit| unit < 30));
    }
}
