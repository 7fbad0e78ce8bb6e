//! The schedule is a pure function of the game number, so every thread, shard or resumed run plays the
//! same games. Games come in *units*: one opening from both sides, or two openings if sides are not
//! swapped. Units cycle through the pairings, so an interrupted run has compared all agents equally.

use crate::config::Experiment;
pub use crate::config::Pairing;
use crate::play::GameSpec;

/// The schedule of an experiment; each game is computed on request.
#[derive(Debug, Clone)]
pub struct Schedule {
    pairings: Vec<Pairing>,
    games: u64,
    openings: u64,
    shared_dice: bool,
}

impl Schedule {
    /// The schedule of an experiment with `openings` different openings.
    pub fn new(experiment: &Experiment, openings: u64) -> Self {
        let schedule = &experiment.schedule;
        Schedule {
            pairings: experiment.pairings(),
            games: schedule.games,
            openings,
            shared_dice: schedule.shared_dice,
        }
    }

    /// The pairings, in order.
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// The number of instances of each agent in a thread: one, two if it plays itself, none if it
    /// has no games.
    pub fn instances(&self, agents: usize) -> Vec<u64> {
        let mut instances = vec![0; agents];
        for pairing in &self.pairings {
            let needed = 1 + u64::from(pairing.is_self());
            for agent in [pairing.a, pairing.b] {
                instances[agent] = needed.max(instances[agent]);
            }
        }
        instances
    }

    /// How many of `jobs` threads have something to play.
    pub fn workers(&self, jobs: usize) -> u64 {
        self.units().clamp(1, jobs.max(1) as u64)
    }

    /// Whether a pairing plays an opening more than once.
    pub fn repeats_openings(&self) -> bool {
        (0..self.pairings.len()).any(|pairing| self.distinct_games(pairing) < self.games)
    }

    /// Number of games of each pairing.
    pub fn games_each(&self) -> u64 {
        self.games
    }

    /// The number of games of a pairing (from 0) that can differ without random numbers: each
    /// opening from both sides, or once if an agent plays itself or seats are fixed.
    pub fn distinct_games(&self, pairing: usize) -> u64 {
        let sides = if self.pairings[pairing].has_pairs() { 2 } else { 1 };
        self.games.min(self.openings.saturating_mul(sides))
    }

    /// Total number of games.
    pub fn games(&self) -> u64 {
        self.games * self.pairings.len() as u64
    }

    /// Total number of units.
    pub fn units(&self) -> u64 {
        self.games.div_ceil(2) * self.pairings.len() as u64
    }

    /// Number (from 1) of the first game of a unit (from 0).
    pub fn first_game(&self, unit: u64) -> u64 {
        let pairings = self.pairings.len() as u64;
        let (round, pairing) = (unit / pairings, unit % pairings);
        round * 2 * pairings + pairing * self.games_in_round(round) + 1
    }

    /// Number of games before a unit (from 0), or of all games if `unit` is after the last unit.
    pub fn games_before(&self, unit: u64) -> u64 {
        if unit < self.units() { self.first_game(unit) - 1 } else { self.games() }
    }

    /// The unit (from 0) of a game (from 1); `None` if there is no such game.
    pub fn unit_of(&self, game: u64) -> Option<u64> {
        if game == 0 || game > self.games() {
            return None;
        }
        let (game, pairings) = (game - 1, self.pairings.len() as u64);
        // Games before the round in which each pairing has only one game.
        let whole = 2 * pairings * (self.games / 2);
        Some(if game < whole { game / 2 } else { whole / 2 + game - whole })
    }

    /// The games of a unit (from 0): two, or one in the last round of an odd number of games.
    pub fn unit(&self, unit: u64) -> impl Iterator<Item = GameSpec> + use<> {
        let pairings = self.pairings.len() as u64;
        let (round, index) = (unit / pairings, unit % pairings);
        let pairing = self.pairings[index as usize];
        let first_game = self.first_game(unit);
        let (openings, shared_dice) = (self.openings, self.shared_dice);
        let rounds = self.games.div_ceil(2);
        (0..self.games_in_round(round)).map(move |i| {
            let game = first_game + i;
            // The games of a pair share the opening and, if requested, the dice. Other games are
            // independent. The second game of such a unit uses an opening after those of the pairs,
            // so that each opening belongs to one round.
            let slot = if pairing.has_pairs() { round } else { round + i * rounds };
            let dice = if pairing.has_pairs() && shared_dice { first_game } else { game };
            let swapped = i == 1 && !pairing.fixed;
            let (first, second) =
                if swapped { (pairing.b, pairing.a) } else { (pairing.a, pairing.b) };
            GameSpec {
                game,
                pairing: index as u32 + 1,
                opening: slot % openings + 1,
                first,
                second,
                dice,
            }
        })
    }

    /// The game with this number (from 1), if there is one.
    pub fn game(&self, number: u64) -> Option<GameSpec> {
        self.unit(self.unit_of(number)?).find(|spec| spec.game == number)
    }

    /// Two, or one in the last round of an odd number of games.
    fn games_in_round(&self, round: u64) -> u64 {
        (self.games - 2 * round).min(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{self, FixedSeat, ScheduleFormat};

    fn seated(
        format: ScheduleFormat,
        seats: &[FixedSeat],
        include_self: bool,
        games: u64,
    ) -> Schedule {
        let config = config::ScheduleConfig { format, games, include_self, ..Default::default() };
        let pairings = config.pairings(seats);
        Schedule { pairings, games, openings: 50, shared_dice: config.shared_dice }
    }

    fn schedule(format: ScheduleFormat, agents: usize, include_self: bool, games: u64) -> Schedule {
        seated(format, &vec![FixedSeat::Both; agents], include_self, games)
    }

    #[test]
    fn games_are_numbered_without_gaps() {
        for (format, include_self, games) in [
            (ScheduleFormat::RoundRobin, true, 6),
            (ScheduleFormat::RoundRobin, false, 2),
            (ScheduleFormat::SelfPlay, true, 7),
            (ScheduleFormat::SelfPlay, true, 1),
            (ScheduleFormat::Gauntlet, false, 4),
        ] {
            let schedule = schedule(format, 4, include_self, games);
            let numbers: Vec<u64> =
                (0..schedule.units()).flat_map(|u| schedule.unit(u)).map(|g| g.game).collect();
            assert_eq!(numbers, (1..=schedule.games()).collect::<Vec<_>>());
            for unit in 0..schedule.units() {
                for game in schedule.unit(unit) {
                    assert_eq!(schedule.game(game.game), Some(game));
                    assert_eq!(schedule.unit_of(game.game), Some(unit));
                }
            }
            assert_eq!(schedule.unit_of(0), None);
            assert_eq!(schedule.unit_of(schedule.games() + 1), None);
            assert_eq!([0, schedule.games() + 1].map(|n| schedule.game(n)), [None; 2]);
            let mut before = 0;
            for unit in 0..=schedule.units() {
                assert_eq!(schedule.games_before(unit), before);
                before +=
                    if unit < schedule.units() { schedule.unit(unit).count() as u64 } else { 0 };
            }
        }
    }

    #[test]
    fn every_opening_is_played_from_both_sides_by_every_pairing() {
        let schedule = schedule(ScheduleFormat::RoundRobin, 3, false, 10);
        for unit in 0..schedule.units() {
            let games: Vec<_> = schedule.unit(unit).collect();
            assert_eq!(games.len(), 2);
            assert_eq!(games[0].opening, games[1].opening);
            assert_eq!((games[0].first, games[0].second), (games[1].second, games[1].first));
            assert_eq!(games[0].opening, unit / 3 + 1);
            assert_eq!(games[0].dice, games[1].dice);
        }
    }

    #[test]
    fn an_agent_against_itself_takes_an_opening_per_game() {
        let schedule = schedule(ScheduleFormat::SelfPlay, 1, true, 5);
        let openings: Vec<u64> =
            (0..schedule.units()).flat_map(|u| schedule.unit(u)).map(|g| g.opening).collect();
        assert_eq!(openings, [1, 4, 2, 5, 3]);
    }

    #[test]
    fn a_gauntlet_is_the_first_agent_against_the_others() {
        let schedule = schedule(ScheduleFormat::Gauntlet, 4, false, 2);
        assert_eq!(schedule.pairings(), [1, 2, 3].map(|b| Pairing::of(0, b)));
    }

    #[test]
    fn dice_are_shared_by_a_pair_or_not_at_all() {
        let dice = |shared_dice| {
            let schedule = Schedule { shared_dice, ..schedule(ScheduleFormat::Match, 2, false, 6) };
            let games = (0..schedule.units()).flat_map(|unit| schedule.unit(unit));
            games.map(|game| game.dice).collect::<Vec<_>>()
        };
        assert_eq!(dice(true), [1, 1, 3, 3, 5, 5]);
        assert_eq!(dice(false), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn fixed_seats_take_an_opening_and_dice_per_game() {
        let seats = [FixedSeat::Second, FixedSeat::First, FixedSeat::First];
        let schedule = seated(ScheduleFormat::RoundRobin, &seats, false, 3);
        let meets: Vec<_> = schedule.pairings().iter().map(|p| (p.a, p.b, p.fixed)).collect();
        assert_eq!(meets, [(1, 0, true), (2, 0, true)]);
        let games: Vec<_> = (0..schedule.units()).flat_map(|unit| schedule.unit(unit)).collect();
        assert_eq!(games.iter().map(|g| g.game).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert!(games.iter().all(|game| game.second == 0 && game.dice == game.game));
        let openings: Vec<u64> = games.iter().map(|game| game.opening).collect();
        assert_eq!(openings, [1, 3, 1, 3, 2, 2]);
    }
}
