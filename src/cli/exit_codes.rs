//! The exit codes, and the code of a run's results.

use crate::report::{Results, RunDecision, decision};

pub const DONE: u8 = 0;
/// The system refused something: disk space, a file, a thread. The same command may work later.
pub const FAILED: u8 = 1;
pub const USAGE: u8 = 2;
/// The answer is no: the candidate of a comparison is worse, or a sequential test accepts H0.
pub const REJECTED: u8 = 3;
/// There is no decision yet: undecided intervals, or a test at its maximum number of games.
pub const UNDECIDED: u8 = 4;
/// Games were forfeited because of faults, and there is no verdict to tell.
pub const FAULTS: u8 = 5;
/// The searches do other work than the committed counts say, or than in the pass before.
pub const WORK_DIFFERS: u8 = 6;
/// An engine under test fails.
pub const ENGINE_FAILS: u8 = 7;
/// Shards are missing, so nothing is merged.
pub const SHARDS_MISSING: u8 = 8;
/// `report --verify` has found damage.
pub const DAMAGED: u8 = 9;
/// A run has stopped because its next game would exceed `max_cost`.
pub const TOO_COSTLY: u8 = 10;
/// A run has stopped because a provider of an engine stays unavailable: `EX_TEMPFAIL` of
/// `sysexits.h`.
pub const UNAVAILABLE: u8 = 75;
/// A bug in agon. Panics of Rust have this code.
pub const BUG: u8 = 101;

/// The exit codes, as `--help` shows them.
pub const HELP: &str = "\
Exit codes:
    0  done; `compare`, `gate`: not worse; sequential test: H1 accepted, the first agent is
       better than elo0; shard: complete, or not needed
    1  the system refused disk space, a file or a thread; the same command may work later
    2  wrong usage or config
    3  the answer is no: `compare`, `gate`: worse; sequential test: H0 accepted, the first
       agent is not better by elo1
    4  `compare`, `gate`: undecided; sequential test, `best`, `ranking`: undecided at the
       maximum number of games
    5  games were forfeited (crashes, time-outs, illegal moves) or are void, and the run
       has no verdict of a sequential test, `best`, `ranking` or `gate`
    6  `bench`: the counts of nodes differ from the file, or between two passes
    7  `check-engine`: a step fails
    8  `merge`: shards are missing; stdout has their numbers
    9  `report --verify`: files are damaged; the message lists the damage
   10  stopped, because the next game would exceed `max_cost`: finished games are saved, and the
       same command with a larger `max_cost` resumes
   75  stopped, because the provider of an engine stays unavailable: finished games are saved, and
       the same command resumes
  101  a bug in agon
  129  stopped by SIGHUP, a closed terminal: finished games are saved, and the same command
       resumes
  130  stopped by Ctrl-C: the same
  143  stopped by SIGTERM: the same";

/// The exit code of the results: the verdict of a sequential test or of a format in rounds. Without
/// one, or if an agent forfeited too many games in a row, forfeited and void games have a code.
pub fn of_results(results: &Results) -> u8 {
    let (tally, decision) = (&results.tally, decision(results));
    let no_verdict = decision == RunDecision::NoTest || tally.gave_up.is_some();
    if tally.faults() + tally.voids() > 0 && no_verdict {
        return FAULTS;
    }
    of_decision(decision)
}

/// The exit code of what a test or a format in rounds decided.
pub fn of_decision(decision: RunDecision) -> u8 {
    match decision {
        RunDecision::NoTest | RunDecision::Yes => DONE,
        RunDecision::No => REJECTED,
        RunDecision::Undecided => UNDECIDED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_one_meaning_and_a_line_in_the_help_and_on_the_page() {
        let codes = [
            DONE,
            FAILED,
            USAGE,
            REJECTED,
            UNDECIDED,
            FAULTS,
            WORK_DIFFERS,
            ENGINE_FAILS,
            SHARDS_MISSING,
            DAMAGED,
            TOO_COSTLY,
        ];
        let page = include_str!("../../docs/problems.md");
        for (number, code) in codes.into_iter().enumerate() {
            assert_eq!(usize::from(code), number, "no two meanings have the same code");
        }
        for code in codes.into_iter().chain([UNAVAILABLE, BUG, 129, 130, 143]) {
            let lines = |text: &str, begin: String| {
                text.lines().filter(|line| line.starts_with(&begin)).count()
            };
            assert_eq!(lines(HELP, format!("{code:5}  ")), 1, "{code}");
            assert_eq!(lines(page, format!("| {code} | ")), 1, "{code}");
        }
    }
}
