//! The schedule is a pure function of the game number, so every thread, shard or resumed run plays the
//! same games. Games come in *units*: one opening from both sides, or two openings if sides are not
//! swapped. Units cycle through the pairings, so an interrupted run has compared all agents equally.
//! A schedule is a list of *rounds*, and the state of the run may add rounds from the results of those before.

use std::ops::Range;
use std::sync::Arc;

use super::run_state::{Round, RunState};
use crate::arena::count::run_events::RoundState;
use crate::arena::count::tally::Tally;
pub use crate::config::Pairing;
use crate::config::{Experiment, ScheduleConfig, Stage};
use crate::play::GameSpec;
use crate::stats::tuning::Sides;

/// The schedule of an experiment; each game is computed on request.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    pairings: Vec<Pairing>,
    rounds: Vec<PlacedRound>,
    /// By pairing: the games of all rounds, and the openings that they use.
    games_of: Vec<u64>,
    used: Vec<u64>,
    openings: u64,
    shared_dice: bool,
    /// By agent: the largest number of its games at once. Empty if no agent has a limit.
    parallel: Vec<Option<u64>>,
    state: RunState,
}

#[derive(Debug, Clone)]
struct PlacedRound {
    /// Each pairing with the number of openings that it used before.
    pairings: Vec<(u32, u64)>,
    /// Games of each pairing.
    games: u64,
    units_before: u64,
    games_before: u64,
    sides: Option<Arc<Sides>>,
}

impl Schedule {
    /// The schedule of an experiment with `openings` different openings.
    pub fn new(experiment: &Experiment, openings: u64) -> Self {
        let state = RunState::new(experiment, &experiment.pairings());
        Schedule::planned(experiment, openings, state)
    }

    /// The first round of a schedule in this state.
    pub(crate) fn planned(experiment: &Experiment, openings: u64, state: RunState) -> Self {
        let shared_dice = experiment.schedule.shared_dice;
        let pairings = experiment.pairings();
        let nothing = Tally::new(experiment.agent_names(), &pairings);
        let schedule = Schedule { pairings, openings, shared_dice, state, ..Schedule::default() };
        let limits = experiment.agents.iter().map(|agent| agent.parallel).collect();
        let mut schedule = schedule.with_parallel(limits);
        if !schedule.grow(&nothing) {
            schedule.push_stages(&experiment.schedule, experiment.agents.len());
        }
        schedule
    }

    /// The same schedule with these limits of the agents' games at once.
    pub(crate) fn with_parallel(mut self, limits: Vec<Option<u64>>) -> Self {
        self.parallel = if limits.iter().any(Option::is_some) { limits } else { Vec::new() };
        self
    }

    /// By agent: the largest number of its games at once, in all threads of a process together. Empty
    /// if no agent has a limit.
    pub(crate) fn parallel(&self) -> &[Option<u64>] {
        &self.parallel
    }

    /// The tally of its experiment before the first game.
    pub fn empty_tally(&self, experiment: &Experiment) -> Tally {
        let tally = Tally::new(experiment.agent_names(), &self.pairings);
        let mut tally = tally.testing(experiment.kind.sequential_test());
        tally.distinct_openings = !self.repeats_openings();
        tally.added_columns = experiment.added_columns();
        tally
    }

    /// Adds one round of all pairings. If the run was extended, adds for each stage a round of the
    /// pairings that have games already, then a round of the others.
    fn push_stages(&mut self, config: &ScheduleConfig, agents: usize) {
        let mut known = 0;
        let mut games_before = 0;
        for stage in config.stages().into_iter().chain([Stage { agents, games: config.games }]) {
            let belongs = |pairing: &&Pairing| pairing.a.max(pairing.b) < stage.agents;
            let all = self.pairings.iter().filter(belongs).count() as u32;
            let more = stage.games - games_before;
            for (pairings, games) in [(0..known, more), (known..all, stage.games)] {
                if games > 0 && !pairings.is_empty() {
                    self.push(Round { pairings: pairings.collect(), games, sides: None });
                }
            }
            (known, games_before) = (all, stage.games);
        }
    }

    /// Adds a round. Each of its pairings continues with the opening after those that it used.
    pub fn push(&mut self, round: Round) {
        let Round { pairings, games, sides } = round;
        let (units_before, games_before) = (self.units(), self.games());
        self.games_of.resize(self.pairings.len(), 0);
        self.used.resize(self.pairings.len(), 0);
        let mut placed = Vec::with_capacity(pairings.len());
        for index in pairings {
            let pairing = index as usize;
            placed.push((index, self.used[pairing]));
            self.games_of[pairing] += games;
            let pairs = self.pairings[pairing].has_pairs();
            self.used[pairing] += if pairs { games.div_ceil(2) } else { games };
        }
        let pairings = placed;
        self.rounds.push(PlacedRound { pairings, games, units_before, games_before, sides });
    }

    /// Adds the next round if there is one. `tally` has the games of all rounds so far; with another
    /// number of games, nothing happens.
    pub fn grow(&mut self, tally: &Tally) -> bool {
        if tally.rows != self.games() || tally.is_decided() {
            return false;
        }
        let (used, openings) = (&self.used, self.openings);
        let used_up = |pairing: u32| used.get(pairing as usize).is_some_and(|&n| n >= openings);
        let round = self.state.next_round(&self.pairings, tally, &used_up);
        round.map(|round| self.push(round)).is_some()
    }

    /// What the rounds that were counted have decided.
    pub fn state(&self) -> &RunState {
        &self.state
    }

    /// The values of both sides of a tune in a unit (from 0).
    pub(crate) fn sides(&self, unit: u64) -> Option<&Arc<Sides>> {
        self.round_of(unit).sides.as_ref()
    }

    /// The current round of a run in rounds, with this number of agents.
    pub(crate) fn round_state(&self, agents: usize) -> Option<RoundState> {
        self.state.round(self.rounds(), agents)
    }

    /// Whether results decide how many rounds there are.
    pub fn grows(&self) -> bool {
        self.state.grows()
    }

    /// The number of rounds so far.
    pub fn rounds(&self) -> u64 {
        self.rounds.len() as u64
    }

    /// The units of the last round so far.
    pub fn last_round(&self) -> Range<u64> {
        self.rounds.last().map_or(0, |round| round.units_before)..self.units()
    }

    /// Whether all games were counted and no further round follows from them, or the sequential test is
    /// decided.
    pub fn is_over(&self, tally: &Tally) -> bool {
        tally.rows == self.games() || tally.is_decided()
    }

    /// The same rounds, without further rounds.
    pub fn without_more_rounds(self) -> Self {
        Schedule { state: RunState::Fixed, ..self }
    }

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
        let most = jobs.max(1) as u64;
        if self.grows() { most } else { self.units().clamp(1, most) }
    }

    /// Whether a pairing may play an opening more than once.
    pub fn repeats_openings(&self) -> bool {
        self.grows()
            || (0..self.pairings.len())
                .any(|pairing| self.distinct_games(pairing) < self.games_of(pairing))
    }

    /// Number of games of a pairing (from 0).
    pub fn games_of(&self, pairing: usize) -> u64 {
        self.games_of[pairing]
    }

    /// The number of games of a pairing (from 0) that can differ without random numbers: each
    /// opening from both sides, or once if an agent plays itself or seats are fixed.
    pub fn distinct_games(&self, pairing: usize) -> u64 {
        let sides = if self.pairings[pairing].has_pairs() { 2 } else { 1 };
        self.games_of(pairing).min(self.openings.saturating_mul(sides))
    }

    /// The number of games that are planned: of the rounds so far, or of all rounds of a tune.
    pub fn planned_games(&self) -> u64 {
        self.state.planned_games(self.games())
    }

    /// The number of games of all rounds so far.
    pub fn games(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.games_before + round.all_games())
    }

    pub fn units(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.units_before + round.units())
    }

    /// Number of units in which each pairing of the first round plays once, if there is only one
    /// round; else 1.
    pub fn cycle(&self) -> u64 {
        match &self.rounds[..] {
            [round] => round.pairings.len() as u64,
            _ => 1,
        }
    }

    /// The round of a unit (from 0).
    fn round_of(&self, unit: u64) -> &PlacedRound {
        let next = self.rounds.partition_point(|round| round.units_before <= unit);
        &self.rounds[next - 1]
    }

    /// Number (from 1) of the first game of a unit (from 0).
    pub fn first_game(&self, unit: u64) -> u64 {
        let round = self.round_of(unit);
        round.first_game(round.cycle_and_place(unit))
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
        let game = game - 1;
        let next = self.rounds.partition_point(|round| round.games_before <= game);
        let round = &self.rounds[next - 1];
        let (game, pairings) = (game - round.games_before, round.pairings.len() as u64);
        // Games before the cycle in which each pairing has only one game.
        let whole = 2 * pairings * (round.games / 2);
        Some(round.units_before + if game < whole { game / 2 } else { whole / 2 + game - whole })
    }

    /// The games of a unit (from 0): two, or one in the last cycle of an odd number of games.
    pub fn unit(&self, unit: u64) -> impl Iterator<Item = GameSpec> + use<> {
        let round = self.round_of(unit);
        let (cycle, place) = round.cycle_and_place(unit);
        let (index, used) = round.pairings[place];
        // The second game of a unit without pairs uses an opening after those of the first games, so
        // that each opening belongs to one cycle.
        let slots = [used + cycle, used + cycle + round.cycles()];
        self.specs(index, round.first_game((cycle, place)), slots)
            .take(round.games_in_cycle(cycle) as usize)
    }

    /// The agents of a unit (from 0).
    pub(crate) fn agents_of(&self, unit: u64) -> [usize; 2] {
        let round = self.round_of(unit);
        let (_, place) = round.cycle_and_place(unit);
        let Pairing { a, b, .. } = self.pairings[round.pairings[place].0 as usize];
        [a, b]
    }

    /// The number of games of its pairing before a unit (from 0).
    pub(crate) fn games_of_pairing_before(&self, unit: u64) -> u64 {
        let round = self.round_of(unit);
        let (cycle, place) = round.cycle_and_place(unit);
        let (index, used) = round.pairings[place];
        let games = if self.pairings[index as usize].has_pairs() { 2 * used } else { used };
        games + 2 * cycle
    }

    /// The first games of a pairing (from 0) with its first openings, in whatever round they are.
    pub fn first_games(&self, pairing: usize) -> impl Iterator<Item = GameSpec> + use<> {
        let games = self.games_of(pairing);
        self.specs(pairing as u32, 2 * pairing as u64 + 1, [0, games.div_ceil(2)])
            .take(games.min(2) as usize)
    }

    /// Two games of a pairing (from 0), with the openings in these places.
    fn specs(
        &self,
        index: u32,
        first_game: u64,
        slots: [u64; 2],
    ) -> impl Iterator<Item = GameSpec> + use<> {
        let pairing = self.pairings[index as usize];
        let (openings, shared_dice) = (self.openings, self.shared_dice);
        (0..2).map(move |i| {
            let game = first_game + i;
            // The games of a pair share the opening and, if requested, the dice. Other games are
            // independent.
            let slot = if pairing.has_pairs() { slots[0] } else { slots[i as usize] };
            let dice = if pairing.has_pairs() && shared_dice { first_game } else { game };
            let swapped = i == 1 && !pairing.fixed;
            let (first, second) =
                if swapped { (pairing.b, pairing.a) } else { (pairing.a, pairing.b) };
            let opening = slot % openings + 1;
            GameSpec { game, pairing: index + 1, opening, first, second, dice }
        })
    }

    /// The game with this number (from 1), if there is one.
    pub fn game(&self, number: u64) -> Option<GameSpec> {
        self.unit(self.unit_of(number)?).find(|spec| spec.game == number)
    }

    /// Whether a game with this number may be in a round that is not known yet.
    pub(crate) fn may_come(&self, number: u64) -> bool {
        self.grows() && number > self.games()
    }
}

impl PlacedRound {
    /// How often the units go through the pairings.
    fn cycles(&self) -> u64 {
        self.games.div_ceil(2)
    }

    fn units(&self) -> u64 {
        self.cycles() * self.pairings.len() as u64
    }

    fn all_games(&self) -> u64 {
        self.games * self.pairings.len() as u64
    }

    /// The cycle of a unit (from 0), and the place of its pairing in this round.
    fn cycle_and_place(&self, unit: u64) -> (u64, usize) {
        let unit = unit - self.units_before;
        let pairings = self.pairings.len() as u64;
        (unit / pairings, (unit % pairings) as usize)
    }

    /// Number (from 1) of the first game of a unit.
    fn first_game(&self, (cycle, place): (u64, usize)) -> u64 {
        let cycles_before = cycle * 2 * self.pairings.len() as u64;
        self.games_before + cycles_before + place as u64 * self.games_in_cycle(cycle) + 1
    }

    /// Two, or one in the last cycle of an odd number of games.
    fn games_in_cycle(&self, cycle: u64) -> u64 {
        (self.games - 2 * cycle).min(2)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::config::{self, FixedSeat, ScheduleFormat};

    fn seated(
        format: &'static ScheduleFormat,
        seats: &[FixedSeat],
        include_self: bool,
        games: u64,
    ) -> Schedule {
        let config = config::ScheduleConfig { format, games, include_self, ..Default::default() };
        let pairings = config.pairings(seats);
        let all = (0..pairings.len() as u32).collect();
        let all = Round { pairings: all, games, sides: None };
        let shared_dice = config.shared_dice;
        let mut schedule = Schedule { pairings, openings: 50, shared_dice, ..Schedule::default() };
        schedule.push(all);
        schedule
    }

    /// A schedule of agents that take both seats, with 50 openings.
    pub(in crate::arena) fn schedule(
        format: &'static ScheduleFormat,
        agents: usize,
        include_self: bool,
        games: u64,
    ) -> Schedule {
        seated(format, &vec![FixedSeat::Both; agents], include_self, games)
    }

    #[test]
    fn games_are_numbered_without_gaps() {
        for (format, include_self, games) in [
            (ScheduleFormat::ROUND_ROBIN, true, 6),
            (ScheduleFormat::ROUND_ROBIN, false, 2),
            (ScheduleFormat::SELF_PLAY, true, 7),
            (ScheduleFormat::SELF_PLAY, true, 1),
            (ScheduleFormat::GAUNTLET, false, 4),
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
        let schedule = schedule(ScheduleFormat::ROUND_ROBIN, 3, false, 10);
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
        let schedule = schedule(ScheduleFormat::SELF_PLAY, 1, true, 5);
        let openings: Vec<u64> =
            (0..schedule.units()).flat_map(|u| schedule.unit(u)).map(|g| g.opening).collect();
        assert_eq!(openings, [1, 4, 2, 5, 3]);
    }

    #[test]
    fn a_gauntlet_is_the_first_agent_against_the_others() {
        let schedule = schedule(ScheduleFormat::GAUNTLET, 4, false, 2);
        assert_eq!(schedule.pairings(), [1, 2, 3].map(|b| Pairing::of(0, b)));
    }

    #[test]
    fn dice_are_shared_by_a_pair_or_not_at_all() {
        let dice = |shared_dice| {
            let schedule = Schedule { shared_dice, ..schedule(ScheduleFormat::MATCH, 2, false, 6) };
            let games = (0..schedule.units()).flat_map(|unit| schedule.unit(unit));
            games.map(|game| game.dice).collect::<Vec<_>>()
        };
        assert_eq!(dice(true), [1, 1, 3, 3, 5, 5]);
        assert_eq!(dice(false), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn fixed_seats_take_an_opening_and_dice_per_game() {
        let seats = [FixedSeat::Second, FixedSeat::First, FixedSeat::First];
        let schedule = seated(ScheduleFormat::ROUND_ROBIN, &seats, false, 3);
        let meets: Vec<_> = schedule.pairings().iter().map(|p| (p.a, p.b, p.fixed)).collect();
        assert_eq!(meets, [(1, 0, true), (2, 0, true)]);
        let games: Vec<_> = (0..schedule.units()).flat_map(|unit| schedule.unit(unit)).collect();
        assert_eq!(games.iter().map(|g| g.game).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert!(games.iter().all(|game| game.second == 0 && game.dice == game.game));
        let openings: Vec<u64> = games.iter().map(|game| game.opening).collect();
        assert_eq!(openings, [1, 3, 1, 3, 2, 2]);
    }
}
