//! The units that are still to be played, in the order in which workers get them. An agent with a limit
//! (`parallel`) plays in at most this number of games at once: its units wait, and later units of other
//! agents are played before them. Rows do not depend on this order.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::game_schedule::Schedule;

/// Units of a run that no worker has got yet.
#[derive(Debug)]
pub(crate) struct UnitQueue {
    /// The units that have not been looked at.
    fresh: Range<u64>,
    /// By the two agents: earlier units that wait until both have room.
    waiting: BTreeMap<[usize; 2], VecDeque<u64>>,
    waiting_units: usize,
    /// By agent: its running games, and their largest number. Empty without limits.
    running: Vec<(u64, Option<u64>)>,
}

/// The largest number of waiting units. It bounds memory and the time of a search for a unit.
const MOST_WAITING: usize = 1 << 16;

impl UnitQueue {
    pub fn new(units: Range<u64>, schedule: &Schedule) -> Self {
        let running = schedule.parallel().iter().map(|&limit| (0, limit)).collect();
        UnitQueue { fresh: units, waiting: BTreeMap::new(), waiting_units: 0, running }
    }

    pub fn has_limits(&self) -> bool {
        !self.running.is_empty()
    }

    /// Whether no unit is left.
    pub fn is_empty(&self) -> bool {
        self.fresh.is_empty() && self.waiting.is_empty()
    }

    /// Adds the units of a new round.
    pub fn extend_to(&mut self, end: u64) {
        self.fresh.end = end;
    }

    /// The next units to play, if their agents have room. At most `most` units, and fewer near the
    /// end of a round, so that all threads end together. With limits, it is one unit. `ahead` is
    /// whether units that have not been looked at may be played.
    pub fn take(
        &mut self,
        most: u64,
        jobs: usize,
        ahead: bool,
        schedule: &Schedule,
    ) -> Option<Range<u64>> {
        if self.has_limits() {
            return self.take_one(ahead, schedule).map(|unit| unit..unit + 1);
        }
        let begin = self.fresh.start;
        let share = (self.fresh.end - begin) / (4 * jobs as u64);
        self.fresh.start = self.fresh.end.min(begin + most.min(share).max(1));
        (begin < self.fresh.start).then_some(begin..self.fresh.start)
    }

    fn take_one(&mut self, ahead: bool, schedule: &Schedule) -> Option<u64> {
        let ready = self.waiting.iter().filter(|(agents, _)| self.have_room(**agents));
        let first = ready.filter_map(|(agents, units)| Some((*units.front()?, *agents))).min();
        if let Some((unit, agents)) = first {
            let units = self.waiting.get_mut(&agents).expect("units of these agents");
            units.pop_front();
            if units.is_empty() {
                self.waiting.remove(&agents);
            }
            self.waiting_units -= 1;
            self.count(agents, true);
            return Some(unit);
        }
        while ahead && self.waiting_units < MOST_WAITING {
            let unit = self.fresh.next()?;
            let agents = schedule.agents_of(unit);
            if self.have_room(agents) {
                self.count(agents, true);
                return Some(unit);
            }
            self.waiting.entry(agents).or_default().push_back(unit);
            self.waiting_units += 1;
        }
        None
    }

    /// Says that a unit has been played.
    pub fn end(&mut self, unit: u64, schedule: &Schedule) {
        if self.has_limits() {
            self.count(schedule.agents_of(unit), false);
        }
    }

    fn have_room(&self, agents: [usize; 2]) -> bool {
        agents.iter().all(|&agent| {
            let (running, limit) = self.running[agent];
            limit.is_none_or(|limit| running < limit)
        })
    }

    /// Counts a unit of these agents that begins or ends. A game of an agent with itself is one game.
    fn count(&mut self, [one, other]: [usize; 2], begins: bool) {
        let distinct = if one == other { &[one][..] } else { &[one, other] };
        for &agent in distinct {
            let running = &mut self.running[agent].0;
            *running = if begins { *running + 1 } else { running.saturating_sub(1) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::schedule::game_schedule::tests::schedule;
    use crate::config::ScheduleFormat;

    fn limited(agents: usize, parallel: &[(usize, u64)]) -> Schedule {
        let schedule = schedule(ScheduleFormat::ROUND_ROBIN, agents, true, 4);
        let mut limits = vec![None; agents];
        parallel.iter().for_each(|&(agent, limit)| limits[agent] = Some(limit));
        schedule.with_parallel(limits)
    }

    /// Plays all units with 8 workers, each time ending the unit that `ends` chooses. Checks that a
    /// worker is idle only if every unit that is left has an agent without room.
    fn play(schedule: &Schedule, ends: impl Fn(usize) -> usize) -> Vec<u64> {
        let mut queue = UnitQueue::new(0..schedule.units(), schedule);
        let (mut running, mut order) = (Vec::new(), Vec::new());
        while order.len() < schedule.units() as usize || !running.is_empty() {
            while running.len() < 8
                && let Some(units) = queue.take(256, 8, true, schedule)
            {
                running.push(units.start);
                order.push(units.start);
            }
            for agent in 0..schedule.parallel().len() {
                let games = running.iter().filter(|&&u| schedule.agents_of(u).contains(&agent));
                let limit = schedule.parallel()[agent];
                assert!(limit.is_none_or(|limit| games.count() as u64 <= limit));
            }
            let left = (0..schedule.units()).filter(|unit| !order.contains(unit));
            let playable = left.filter(|&unit| queue.have_room(schedule.agents_of(unit))).count();
            assert!(running.len() == 8 || playable == 0, "{playable} units could be played");
            assert!(!running.is_empty(), "a deadlock");
            let ended = running.swap_remove(ends(running.len()));
            queue.end(ended, schedule);
        }
        assert!(queue.is_empty());
        order
    }

    #[test]
    fn all_units_are_played_whatever_ends_first() {
        for parallel in [&[(0, 1)][..], &[(0, 2), (3, 1)], &[(0, 1), (1, 1), (2, 1), (3, 1)]] {
            let schedule = limited(5, parallel);
            for ends in [|_| 0, |length: usize| length - 1, |length| length / 2] {
                let mut order = play(&schedule, ends);
                order.sort_unstable();
                assert_eq!(order, (0..schedule.units()).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn without_room_for_the_first_unit_a_later_one_is_played() {
        let schedule = limited(3, &[(0, 1)]);
        let mut queue = UnitQueue::new(0..schedule.units(), &schedule);
        let mut agents = |ahead| {
            let taken = queue.take(256, 2, ahead, &schedule);
            taken.map(|units| schedule.agents_of(units.start))
        };
        assert!(agents(true).is_some_and(|agents| agents.contains(&0)));
        assert_eq!(agents(false), None, "only units that wait already");
        assert!(agents(true).is_some_and(|agents| !agents.contains(&0)));
    }
}
