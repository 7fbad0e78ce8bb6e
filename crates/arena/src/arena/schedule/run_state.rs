//! Rounds: a schedule is played round by round, and results of earlier rounds may decide the next one.
//! The next round depends only on the config and on the counts of the rounds before. So threads, kills
//! and resumed runs do not change it, and it is computed again from `games.csv`.

use std::sync::Arc;

use crate::arena::count::run_events::RoundState;
use crate::arena::count::tally::Tally;
use crate::config::{Experiment, Pairing, RunKind};
use crate::rounds::adaptive_rounds::{Adaptive, AdaptiveQuestion, PairState};
use crate::rounds::tournament::{Played, Tournament};
use crate::stats::tuning::{Sides, Tuning};

/// A part of a schedule: each of its pairings plays the same number of games.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Round {
    /// Indices of pairings of the schedule, in the order in which they play.
    pub pairings: Vec<u32>,
    /// Games of each pairing.
    pub games: u64,
    /// The values of both sides of a tune in this round.
    pub sides: Option<Arc<Sides>>,
}

/// What the results of a run have decided so far, by its kind. It decides the next round.
#[derive(Debug, Clone, Default)]
pub enum RunState {
    /// There is one round with all pairings.
    #[default]
    Fixed,
    /// Evidence decides which pairings need more games.
    Rounds(Box<Adaptive>),
    /// The results of matches decide who meets.
    Matches(Box<Tournament>),
    /// Results move the parameters that the next round is played with.
    Tune(Box<Tuning>),
    #[cfg(test)]
    /// A rule of a test.
    Test(fn(&[Pairing], &Tally) -> Option<Round>),
}

/// Whether results decide how many rounds the experiment has.
pub fn has_rounds(experiment: &Experiment) -> bool {
    RunState::new(experiment, &[]).grows()
}

impl RunState {
    /// The state of an experiment before its first game.
    pub fn new(experiment: &Experiment, pairings: &[Pairing]) -> Self {
        let pairs = pairings.iter().map(|pairing| (pairing.a, pairing.b)).collect();
        match &experiment.kind {
            RunKind::Fixed | RunKind::Sequential(_) => RunState::Fixed,
            RunKind::Rounds(design) => {
                let mut adaptive = Adaptive::new(*design, experiment.agents.len(), pairs);
                if let Some(ratings) = experiment.schedule.earlier_ratings() {
                    adaptive = adaptive.after(ratings);
                }
                RunState::Rounds(Box::new(adaptive))
            }
            RunKind::Matches(design) => {
                RunState::Matches(Box::new(Tournament::new(design.clone(), pairs)))
            }
            RunKind::Tune(design) => RunState::Tune(Box::new(Tuning::new(design.clone()))),
        }
    }

    /// The next round. `tally` has all games of the rounds before. `used_up` says whether a pairing
    /// has played all openings. `None`: there is no further round.
    pub fn next_round(
        &mut self,
        pairings: &[Pairing],
        tally: &Tally,
        used_up: &dyn Fn(u32) -> bool,
    ) -> Option<Round> {
        let results = |pairing: u32| {
            let results = &tally.pairings[pairing as usize].1;
            let random = results.is_random || results.may_vary || results.varied;
            (results, used_up(pairing) && !random)
        };
        let next = match self {
            RunState::Fixed => None,
            RunState::Rounds(adaptive) => adaptive.step(tally.rows, &|pairing| {
                let (results, exhausted) = results(pairing);
                let luck = results.luck().copied().unwrap_or_default();
                let (pairs, cost) = (results.distinct.pairs.strength(), results.cost() as f64);
                PairState { pairs, luck, exhausted, cost }
            }),
            RunState::Matches(tournament) => tournament.step(&|pairing| {
                let (results, exhausted) = results(pairing);
                Played {
                    all: results.all().games(),
                    distinct: results.distinct.games(),
                    pairs: results.distinct.pairs.strength(),
                    exhausted,
                }
            }),
            RunState::Tune(tuning) => {
                let sides = tuning.next_round(plus_balance(pairings, tally));
                let games = 2 * tuning.design().pairs_of_round();
                let all = (0..pairings.len() as u32).collect();
                return sides.map(|sides| Round { pairings: all, games, sides: Some(sides) });
            }
            #[cfg(test)]
            RunState::Test(next) => return next(pairings, tally),
        };
        let round = next.map(|next| {
            let games = 2 * next.pairs;
            Round { pairings: next.pairings, games, sides: None }
        });
        round.filter(|round| round.games > 0 && !round.pairings.is_empty())
    }

    /// The current round, which is number `round`, of a run of this number of agents.
    pub(crate) fn round(&self, round: u64, agents: usize) -> Option<RoundState> {
        let matches = RoundState { round, open: 0, all: 0, is_pairs: false, rounds: None };
        match self {
            RunState::Fixed => None,
            RunState::Matches(_) => Some(matches),
            RunState::Tune(tuning) => {
                Some(RoundState { rounds: Some(tuning.design().rounds()), ..matches })
            }
            RunState::Rounds(adaptive) => {
                let (open, all) = match adaptive.design().question {
                    AdaptiveQuestion::Best => (adaptive.survivors().len(), agents),
                    AdaptiveQuestion::Ranking => {
                        (adaptive.undecided().len(), agents * (agents - 1) / 2)
                    }
                    AdaptiveQuestion::Against(_) => (adaptive.undecided().len(), agents - 1),
                };
                let is_pairs = adaptive.design().question != AdaptiveQuestion::Best;
                Some(RoundState { round, open, all, is_pairs, rounds: None })
            }
            #[cfg(test)]
            RunState::Test(_) => None,
        }
    }

    /// The games of all rounds: those of the rounds so far, unless the number is fixed.
    pub fn planned_games(&self, so_far: u64) -> u64 {
        match self {
            RunState::Tune(tuning) => tuning.design().games(),
            _ => so_far,
        }
    }

    /// The test of a tuned agent against its start, if the tune has ended with an answer.
    pub fn test_at_end(&self, experiment: &Experiment) -> Option<Experiment> {
        match self {
            RunState::Tune(tuning) if tuning.is_over() => {
                experiment.test_of_tune(&tuning.tuned_values())
            }
            RunState::Rounds(adaptive) if adaptive.is_decided() => {
                experiment.test_of_grid(adaptive.leader())
            }
            _ => None,
        }
    }

    /// Whether ratings have notes on neighbours that do not differ significantly. The decisions of
    /// evidence say more.
    pub fn has_significance(&self) -> bool {
        !matches!(self, RunState::Rounds(_))
    }

    /// Whether results choose how many games a pairing plays, and not only who meets.
    pub fn chooses_games(&self) -> bool {
        matches!(self, RunState::Rounds(_) | RunState::Tune(_))
    }

    /// Whether the agents are rated. The values of both sides of a tune change with each round, so
    /// their results say nothing about agents.
    pub fn rates_agents(&self) -> bool {
        !matches!(self, RunState::Tune(_))
    }

    /// Whether results choose the pairings of the next round, so that ratings have no intervals.
    pub fn chooses_pairings(&self) -> bool {
        matches!(self, RunState::Rounds(_) | RunState::Matches(_))
    }

    /// Whether results decide how many rounds there are.
    pub fn grows(&self) -> bool {
        !matches!(self, RunState::Fixed)
    }
}

/// Wins minus losses of the first agent, minus those of the second: the plus and the minus side of a
/// tune. A game between them counts once.
fn plus_balance(pairings: &[Pairing], tally: &Tally) -> i64 {
    let mut balance = 0;
    for (pairing, (_, results)) in pairings.iter().zip(&tally.pairings) {
        let games = results.all().games();
        let won = games.wins() as i64 - games.losses() as i64;
        balance += if pairing.a == 0 { won } else { -won };
    }
    balance
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::arena::{
        Event, Folder, GameRows, Manifest, OpenedRun, Runner, Schedule, Watchdog, resume,
    };
    use crate::config::{Experiment, Overrides, parse};
    use crate::play::Registry;

    const CONFIG: &str = "[game]\nkind = \"tictactoe\"\n[[agents]]\nname = \"a\"\nkind = \"random\"\n\
        [[agents]]\nname = \"b\"\nkind = \"random\"\n[[agents]]\nname = \"c\"\nkind = \"alphabeta\"\n\
        depth = 1\n[openings]\nkind = \"random\"\nplies = 2\n[schedule]\ngames = 20\n";

    fn experiment(text: &str) -> Experiment {
        parse(text, "t.toml", &Overrides::default(), &Registry::builtin())
            .unwrap_or_else(|error| panic!("{}", error.render(false)))
    }

    /// At least three rounds; after the first, only the agents with the most wins play on.
    fn winners(pairings: &[Pairing], tally: &Tally) -> Option<Round> {
        if tally.rows == 0 {
            let pairings = (0..pairings.len() as u32).collect();
            return Some(Round { pairings, games: 4, sides: None });
        }
        let wins = |agent: usize| {
            let agent = &tally.agents[agent];
            agent.moving_first.wins() + agent.moving_second.wins()
        };
        let most = pairings.iter().map(|pairing| wins(pairing.a)).max();
        let play_on = |&pairing: &u32| Some(wins(pairings[pairing as usize].a)) == most;
        let pairings = (0..pairings.len() as u32).filter(play_on).collect();
        (tally.rows < 26).then_some(Round { pairings, games: 4 + tally.rows % 3 * 2, sides: None })
    }

    /// Begins or resumes the run in a folder. Returns the rows without times, and the final schedule.
    fn run(dir: &Path, jobs: usize, stop_after: u64) -> (Vec<(String, String)>, Schedule) {
        let experiment = experiment(CONFIG);
        let lineup = experiment.any_game.lineup(experiment.setup()).expect("agents");
        let mut schedule =
            Schedule::planned(&experiment, lineup.openings(), RunState::Test(winners));
        let names = experiment.agent_names();
        let folder = Folder::new(dir);
        let tally = schedule.empty_tally(&experiment);
        let manifest = Manifest::begin(&experiment, jobs, &[]);
        let units = 0..schedule.units();
        let opened = OpenedRun { units, moves: false, fresh: false, manifest };
        let begin = resume(&folder, tally, &mut schedule, &opened).expect("a folder");
        assert_eq!(begin.remaining.units.end, schedule.units());
        let stop = AtomicBool::new(false);
        let observer = |event: &Event<'_>| {
            if let Event::Game { tally, .. } = event
                && tally.rows == stop_after
            {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let (stop, observer, watchdog) = (&stop, &observer, Watchdog::default());
        let runner =
            Runner { lineup, schedule: &schedule, jobs, stop, pin: false, observer, watchdog };
        let (tally, schedule) =
            runner.run(begin.outputs, &begin.remaining, begin.tally).expect("a run");
        let mut rows = GameRows::open(&folder.file("games.csv"), &names).expect("rows");
        let mut all = Vec::new();
        while let Some(mut row) = rows.next_row().expect("a row") {
            row.sides.iter_mut().for_each(|side| (side.time_ns, side.slowest_ns) = (0, 0));
            all.push((format!("{row:?}"), format!("{:?}", rows.owned_texts())));
        }
        assert_eq!(all.len() as u64, tally.rows);
        (all, schedule)
    }

    #[test]
    fn rounds_continue_numbers_and_openings() {
        let experiment =
            experiment(&CONFIG.replace("games = 20", "games = 4\ninclude_self = true"));
        let mut schedule = Schedule::new(&experiment, 1000);
        let pairings = schedule.pairings().len();
        assert_eq!(schedule.games(), 4 * pairings as u64);
        for (pairings, games) in [(vec![1], 6), (vec![4, 1, 0], 3), (vec![0, 5], 2), (vec![0], 1)] {
            schedule.push(Round { pairings, games, sides: None });
        }
        let games: Vec<_> = (0..schedule.units()).flat_map(|unit| schedule.unit(unit)).collect();
        let numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
        assert_eq!(numbers, (1..=schedule.games()).collect::<Vec<_>>());
        let mut before = 0;
        for unit in 0..schedule.units() {
            assert_eq!(schedule.games_before(unit), before);
            assert_eq!(schedule.first_game(unit), before + 1);
            for game in schedule.unit(unit) {
                assert_eq!(schedule.game(game.game), Some(game));
                assert_eq!(schedule.unit_of(game.game), Some(unit));
                before += 1;
            }
        }
        assert_eq!(schedule.games_before(schedule.units()), before);
        assert_eq!([0, before + 1].map(|game| schedule.unit_of(game)), [None; 2]);
        for pairing in 0..pairings {
            let own = || games.iter().filter(|game| game.pairing == pairing as u32 + 1);
            assert_eq!(own().count() as u64, schedule.games_of(pairing));
            let pairs = schedule.pairings()[pairing].has_pairs();
            // Each opening is played once, or once from each side, and none is left out.
            let played: BTreeSet<_> = own().map(|game| (game.opening, game.first, pairs)).collect();
            let openings: BTreeSet<u64> = own().map(|game| game.opening).collect();
            assert_eq!(played.len(), own().count());
            assert_eq!(openings.last(), Some(&(openings.len() as u64)));
        }
    }

    #[test]
    fn rounds_do_not_depend_on_the_number_of_threads() {
        let dir = tempfile::tempdir().expect("a folder");
        let played = |jobs: usize| run(&dir.path().join(jobs.to_string()), jobs, u64::MAX);
        let (one, schedule) = played(1);
        assert!(one.len() >= 26 && schedule.games() == one.len() as u64, "{}", one.len());
        let of: Vec<u64> = (0..3).map(|pairing| schedule.games_of(pairing)).collect();
        assert!(of.contains(&4), "a pairing is left out after the first round: {of:?}");
        assert_eq!(one, played(2).0);
        assert_eq!(one, played(7).0);
    }

    #[test]
    fn a_run_in_rounds_resumes_after_every_game() {
        let dir = tempfile::tempdir().expect("a folder");
        let whole = dir.path().join("whole");
        let (rows, _) = run(&whole, 2, u64::MAX);
        let text = fs::read_to_string(whole.join("games.csv")).expect("games");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        assert_eq!(lines.len(), rows.len() + 1);
        for there in 0..=rows.len() {
            let write = |name: &str, lines: &[&[&str]], torn: &str| {
                let part = dir.path().join(format!("{name}{there}"));
                fs::create_dir(&part).expect("a folder");
                let text = lines.concat().concat() + torn;
                fs::write(part.join("games.csv"), text).expect("a file");
                part
            };
            let killed = write("killed", &[&lines[..=there]], "");
            assert_eq!(run(&killed, 2, u64::MAX).0, rows, "{there}");
            if there < rows.len() {
                let torn = write("torn", &[&lines[..=there]], &lines[there + 1][..9]);
                assert_eq!(run(&torn, 1, u64::MAX).0, rows, "{there}");
                let gap = write("gap", &[&lines[..=there], &lines[there + 2..]], "");
                assert_eq!(run(&gap, 3, u64::MAX).0, rows, "{there}");
            }
        }
    }

    #[test]
    fn a_stopped_run_in_rounds_ends_and_resumes() {
        let dir = tempfile::tempdir().expect("a folder");
        let (rows, _) = run(&dir.path().join("whole"), 1, u64::MAX);
        for stop_after in 1..=rows.len() as u64 {
            let part = dir.path().join(stop_after.to_string());
            let (first, _) = run(&part, 3, stop_after);
            assert!(first.len() as u64 >= stop_after && rows.starts_with(&first));
            assert_eq!(run(&part, 3, u64::MAX).0, rows, "{stop_after}");
        }
    }

    #[test]
    fn workers_that_wait_for_the_next_round_end_with_the_run() {
        use crate::arena::storage::journal::Journal;
        use crate::arena::{Outputs, silent};
        for end in [Journal::leave, Journal::abandon, Journal::close] {
            let schedule = Schedule::planned(&experiment(CONFIG), 9, RunState::Test(winners));
            let tally = Tally::new(Vec::new(), schedule.pairings());
            let units = schedule.units();
            let out = Outputs { games: Vec::new(), moves: None, wal: None }.boxed();
            let journal = Journal::new(out, (0..units, Arc::new(schedule)), tally, 12, &silent);
            while journal.take(1, 1).expect("a unit").0.end < units {}
            std::thread::scope(|scope| {
                let wait = || journal.take(1, 1).is_none();
                let waiting: Vec<_> = (0..3).map(|_| scope.spawn(wait)).collect();
                std::thread::sleep(Duration::from_millis(20));
                assert!(waiting.iter().all(|thread| !thread.is_finished()));
                end(&journal);
                assert!(waiting.into_iter().all(|thread| thread.join().expect("no panic")));
            });
        }
    }
}
