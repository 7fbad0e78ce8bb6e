//! Every faulty engine under every limit, on the first move and on a later one. Each test expects
//! the right fault and the right winner, in bounded time and memory, with no process left.

use std::collections::VecDeque;
use std::fmt::Write;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use agon::play::{GameRecord, MoveTexts, Outcome};

use crate::engines::{ROGUE, game, lineup, megabytes, processes_left};

/// The limit of the engine, and the fault if it is late.
const LIMITS: [(&str, &str); 3] =
    [("nodes", "stall"), ("movetime", "timeout"), ("clock", "timeout")];

/// Behaviour of the engine, expected fault and detail; `late` means the fault of the limit.
const ROGUES: [(&str, &str, &str); 18] = [
    ("instant", "", ""),
    ("exit", "crash", "exit status 3"),
    ("abort", "crash", "signal 6, SIGABRT"),
    ("segfault", "crash", "signal 11, SIGSEGV"),
    ("illegal", "illegal move", "it answered `z9z9`"),
    ("none", "illegal move", "it answered `(none)`"),
    ("garbage", "late", "there was no answer in time"),
    ("long-line", "late", "there was no answer in time"),
    ("flood", "late", "there was no answer in time"),
    ("drip", "late", "there was no answer in time"),
    ("sleep", "late", "there was no answer in time"),
    ("spin", "late", "there was no answer in time"),
    ("close-stdout", "disconnected", "it has closed its output"),
    ("ignore-term", "late", "there was no answer in time"),
    ("late", "late", "there was no answer in time"),
    ("fork", "crash", "exit status 0"),
    ("freeze", "late", "there was no answer in time"),
    ("no-handshake", "handshake failure", "there was no answer in time"),
];

/// Time budgets in ms. A wrong outcome is tried again with the next one, because other programs may
/// use the processor.
const BUDGETS: [u64; 3] = [300, 1_500, 6_000];

#[derive(Debug, Clone, Copy)]
struct Case {
    rogue: &'static str,
    fault: &'static str,
    detail: &'static str,
    limit: &'static str,
    after: u64,
    gtp: bool,
}

impl Case {
    fn mark(&self) -> String {
        format!("AGON_MATRIX={}-{}-{}-{}", self.rogue, self.limit, self.after, self.gtp)
    }

    /// Plays a game; returns its record and its time.
    fn play(&self, ms: u64, logs: &Path) -> (GameRecord, Duration) {
        // If agon itself is later than this, the machine is overloaded, and the game says nothing.
        let (seconds, margin) = (ms as f64 / 1e3, ms / 6);
        let limit = match self.limit {
            "nodes" => format!("nodes = 1000\nhang_timeout = {seconds}"),
            "movetime" => format!("movetime = {}\ntime_margin = {margin}", ms - margin),
            _ => format!("clock = \"{}\"\ntime_margin = {margin}", seconds - margin as f64 / 1e3),
        };
        let Case { rogue, after, .. } = self;
        let (protocol, game_spec) =
            if self.gtp { ("gtp", "go:size=5") } else { ("ugi", "connect4") };
        let startup = if *rogue == "no-handshake" { seconds } else { 20.0 };
        let (name, value) =
            self.mark().split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned())).expect("a mark");
        let agents = format!(
            "[[agents]]\nname = \"rogue\"\nkind = \"engine\"\nprotocol = \"{protocol}\"\n\
             command = [\"{ROGUE}\", \"{rogue}\", \"--after\", \"{after}\", \
                        \"--game\", \"{game_spec}\"]\n\
             env = {{ {name} = \"{value}\" }}\n{limit}\nstartup_timeout = {startup}\n\
             [[agents]]\nkind = \"random\""
        );
        let kind = if self.gtp { "go\"\nsize = 5 #" } else { "connect4" };
        let lineup = lineup(kind, &agents, "", logs);
        let mut worker = lineup.worker();
        let mut texts = MoveTexts::default();
        let begin = Instant::now();
        let record = worker.play(&game(1), &mut texts);
        let took = begin.elapsed();
        drop(worker);
        (record, took)
    }

    /// Checks the outcome of a game; an error describes what is wrong.
    fn judge(&self, ms: u64) -> Result<String, String> {
        let logs = tempfile::tempdir().expect("a folder");
        let (record, took) = self.play(ms, logs.path());
        let log = std::fs::read_to_string(logs.path().join("engine-rogue-game-1.log"));
        let left = processes_left(&self.mark());
        let (kind, outcome) = (record.reason, record.outcome);
        let described = format!("{kind} after {} plies in {} ms", record.plies, took.as_millis());
        let is = |right: bool, what: &str| {
            if right { Ok(()) } else { Err(format!("{self:?}, {ms} ms: {what}: {described}")) }
        };
        is(left.is_empty(), "processes are left")?;
        if self.rogue == "instant" {
            is(matches!(kind, "line" | "board full" | "two passes"), "no end of the rules")?;
            is(log.is_err(), "there is a log")?;
            return Ok(described);
        }
        is(kind == self.fault, "another fault")?;
        is(outcome == Outcome::Second, "the wrong winner")?;
        let plies = if self.rogue == "no-handshake" { 0 } else { 2 * self.after };
        is(u64::from(record.plies) == plies, "at another move")?;
        is(took < Duration::from_millis(ms + 2_000), "too slow")?;
        let log = log.unwrap_or_default();
        is(log.starts_with(&format!("# {kind} of `rogue` in game 1: ")), "no log")?;
        is(log.contains(self.detail), "another detail")?;
        if self.rogue != "no-handshake" {
            let position =
                if self.after == 0 { "position startpos\n" } else { "startpos moves 1 " };
            let shown = match (self.gtp, self.after) {
                (false, _) => log.contains("paste:\nugi\n") && log.contains(position),
                (true, 0) => log.contains("paste:\nboardsize 5\n"),
                (true, _) => log.contains("play b a1\n"),
            };
            is(shown, "no reproducer")?;
        }
        Ok(described)
    }
}

fn cases() -> VecDeque<Case> {
    let mut cases = VecDeque::new();
    for (rogue, fault, detail) in ROGUES {
        for (limit, late) in LIMITS {
            let fault = if fault == "late" { late } else { fault };
            let afters: &[u64] =
                if rogue == "instant" || rogue == "no-handshake" { &[0] } else { &[0, 1] };
            let case = |&after| Case { rogue, fault, detail, limit, after, gtp: false };
            cases.extend(afters.iter().map(case));
            // GTP has no limit on nodes.
            if limit != "nodes" {
                cases.extend(afters.iter().map(|after| Case { gtp: true, ..case(after) }));
            }
        }
    }
    // Programs that use a whole processor do not run at the same time.
    cases.make_contiguous().sort_by_key(|case| (case.limit, case.after, case.gtp));
    cases
}

#[test]
fn every_rogue_costs_itself_the_game_and_nothing_else() {
    let cases = Mutex::new(cases());
    let results = Mutex::new(Vec::new());
    let before = megabytes("VmRSS");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    let case = cases.lock().expect("no panic").pop_front();
                    let Some(case) = case else { return };
                    let mut judged = Err(String::new());
                    for ms in BUDGETS {
                        judged = case.judge(ms);
                        if judged.is_ok() {
                            break;
                        }
                    }
                    results.lock().expect("no panic").push((case, judged));
                }
            });
        }
    });
    let mut table = String::new();
    let mut wrong = Vec::new();
    for (case, judged) in results.into_inner().expect("no panic") {
        let Case { rogue, limit, after, gtp, .. } = case;
        let protocol = if gtp { "gtp" } else { "ugi" };
        let described = judged.as_ref().unwrap_or_else(|why| why);
        let _ = writeln!(table, "{protocol} {rogue:13} {limit:9} move {}  {described}", after + 1);
        wrong.extend(judged.err());
    }
    println!("{table}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let grown = megabytes("VmHWM").saturating_sub(before);
    assert!(grown < 100, "memory grew by {grown} MB");
}
