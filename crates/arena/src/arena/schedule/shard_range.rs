//! A part of an experiment for one machine of many: a contiguous range of its pairs.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::game_schedule::Schedule;

/// One of `count` parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    pub count: u64,
    /// The index of this part, from 1.
    pub index: u64,
}

/// Suffix of the folder name of an unfinished shard.
pub(crate) const PART: &str = ".part";

impl Shard {
    /// The maximum number of shards: more than any batch system runs.
    pub const MOST: u64 = 10_000_000;

    /// Shard `index` (from 1) of `count`, if there is one.
    pub fn new(index: u64, count: u64) -> Option<Self> {
        ((1..=Self::MOST).contains(&count) && (1..=count).contains(&index))
            .then_some(Shard { count, index })
    }

    /// The units of the schedule's last round in this shard; none if there are more shards than
    /// units.
    pub fn units(&self, schedule: &Schedule) -> Range<u64> {
        let round = schedule.last_round();
        let units = u128::from(round.end - round.start);
        let at = |index: u64| {
            let place = units * u128::from(index) / u128::from(self.count);
            round.start + u64::try_from(place).expect("no more than there are units")
        };
        at(self.index - 1)..at(self.index)
    }

    /// The folder name of the shard; names sort in the order of the shards.
    pub fn name(&self) -> String {
        let digits = self.count.to_string().len();
        format!("shard-{:0digits$}-of-{}", self.index, self.count)
    }

    /// The shard with this folder name, and whether the name is the final one.
    pub(crate) fn of_name(name: &str) -> Option<(Self, bool)> {
        let whole = name.strip_suffix(PART);
        let (index, count) = whole.unwrap_or(name).strip_prefix("shard-")?.split_once("-of-")?;
        let shard = Shard::new(index.parse().ok()?, count.parse().ok()?)?;
        (shard.name() == whole.unwrap_or(name)).then_some((shard, whole.is_none()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {} of {}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        (text.split_once('/'))
            .and_then(|(index, count)| Shard::new(index.parse().ok()?, count.parse().ok()?))
            .ok_or_else(|| "not `K/N` with K from 1 to N".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::schedule::game_schedule::tests::schedule;
    use crate::config::ScheduleFormat;

    #[test]
    fn every_unit_belongs_to_one_shard() {
        for games in [2, 10, 200] {
            let schedule = schedule(ScheduleFormat::ROUND_ROBIN, 3, false, games);
            for count in [1, 2, 7, 16, 1000] {
                let mut next = 0;
                for index in 1..=count {
                    let units = Shard::new(index, count).expect("a shard").units(&schedule);
                    assert_eq!(units.start, next);
                    assert!(units.end - units.start <= schedule.units().div_ceil(count));
                    next = units.end;
                }
                assert_eq!(next, schedule.units());
            }
        }
    }

    #[test]
    fn names_and_options_are_read_back() {
        for (index, count) in [(1, 1), (7, 10), (1000, 1000), (3, Shard::MOST)] {
            let shard = Shard::new(index, count).expect("a shard");
            assert_eq!(Shard::of_name(&shard.name()), Some((shard, true)));
            assert_eq!(Shard::of_name(&(shard.name() + PART)), Some((shard, false)));
            assert_eq!(format!("{index}/{count}").parse(), Ok(shard));
        }
        for wrong in ["0/3", "4/3", "1", "1/", "/3", "-1/3", "1/0", "1/3/3", "a/b", "1/99999999"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
        for wrong in ["shard-1-of-10", "shard-01-of-10.old", "shards", "shard-11-of-10"] {
            assert_eq!(Shard::of_name(wrong), None, "{wrong}");
        }
    }
}
