//! Finds pairings without random numbers that would only repeat the same games: such games narrow the
//! intervals but show nothing new. External programs and agents with a clock are not checked, unless the
//! config says `deterministic = true`.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::agents::FaultKind;
use crate::arena::schedule::game_schedule::Schedule;
use crate::play::{GameSpec, Lineup, LineupWorker, MoveTexts};
use crate::rows::games_csv_rows::GameRow;

/// A pairing that repeats itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeats {
    /// Its index in the schedule, from 0.
    pub pairing: usize,
    pub distinct: u64,
    pub games: u64,
}

/// If the schedule reuses its openings, plays the first pair of each pairing twice, the second time
/// with other random streams. No game is recorded; `stop` ends the check early.
pub fn probe(
    lineup: &Arc<Lineup>,
    schedule: &Schedule,
    jobs: usize,
    stop: &AtomicBool,
) -> Vec<Repeats> {
    let repeating: Vec<usize> = (0..schedule.pairings().len())
        .filter(|&pairing| schedule.distinct_games(pairing) < schedule.games_of(pairing))
        .filter(|&pairing| !schedule.pairings()[pairing].may_vary)
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut worker = lineup.worker();
        let mut found = Vec::new();
        while let Some(&pairing) = repeating.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            if repeats(&mut worker, schedule, pairing) {
                let distinct = schedule.distinct_games(pairing);
                let games = schedule.games_of(pairing);
                found.push(Repeats { pairing, distinct, games });
            }
        }
        found
    };
    let mut found: Vec<Repeats> = std::thread::scope(|scope| {
        // With fewer threads, the answer is the same.
        let start = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..jobs.min(repeating.len())).filter_map(start).collect();
        let mut found = work();
        for other in others {
            found.extend(other.join().unwrap_or_default());
        }
        found
    });
    found.sort_by_key(|repeats| repeats.pairing);
    found
}

/// Whether the first pair of a pairing gives the same games twice, without random numbers.
fn repeats(worker: &mut LineupWorker, schedule: &Schedule, pairing: usize) -> bool {
    let mut texts = MoveTexts::default();
    let mut seen = HashSet::new();
    let mut games = 0;
    for spec in schedule.first_games(pairing) {
        // Another number gives another random stream.
        let other = schedule.games();
        let again = GameSpec { game: spec.game + other, dice: spec.dice + other, ..spec };
        for spec in [spec, again] {
            let record = worker.play(&spec, &mut texts);
            let void = record.rng_draws > 0 || record.voided_by().is_some();
            if void || FaultKind::is_reason(record.reason) {
                return false;
            }
            seen.insert(GameRow::of(&record, &texts).identity);
            games += 1;
        }
    }
    2 * seen.len() <= games
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Overrides, parse};
    use crate::play::Registry;

    fn repeating(agents: &str, games: u64) -> Vec<Repeats> {
        let text = format!(
            "name = \"t\"\n[game]\nkind = \"tictactoe\"\n{agents}\n[schedule]\ngames = {games}\n\
             [openings]\nkind = \"list\"\nlist = [\"5\", \"1\"]\n"
        );
        let registry = Registry::builtin();
        let experiment = parse(&text, "t.toml", &Overrides::default(), &registry)
            .unwrap_or_else(|e| panic!("{}", e.render(false)));
        let lineup = experiment.any_game.lineup(experiment.setup()).expect("a lineup");
        let schedule = Schedule::new(&experiment, lineup.openings());
        probe(&lineup, &schedule, 2, &AtomicBool::new(false))
    }

    const AGENTS: &str = "[[agents]]\nname = \"m{depth}\"\nkind = \"minimax\"\n\
        depth = [1, 2]\n[[agents]]\nkind = \"random\"\n";

    #[test]
    fn only_agents_without_random_numbers_repeat_themselves() {
        let found = repeating(AGENTS, 10);
        assert_eq!(found, [Repeats { pairing: 0, distinct: 4, games: 10 }]);
    }

    #[test]
    fn agents_with_a_clock_are_checked_only_if_the_config_says_deterministic() {
        // One ply is always searched, whatever the time limit, so these agents play the same moves.
        let agents = |more: &str| {
            format!(
                "[[agents]]\nname = \"m\"\nkind = \"minimax\"\ndepth = 1\n[[agents]]\nname = \"t\"\n\
                 kind = \"alphabeta\"\ndepth = 1\nmovetime = 60000\n{more}"
            )
        };
        assert_eq!(repeating(&agents(""), 10), []);
        let found = repeating(&agents("deterministic = true\n"), 10);
        assert_eq!(found, [Repeats { pairing: 0, distinct: 4, games: 10 }]);
    }

    #[test]
    fn an_opening_set_that_is_large_enough_is_not_probed() {
        assert_eq!(repeating(AGENTS, 4), []);
    }
}
