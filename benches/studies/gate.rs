//! How often the time of `agon gate` is judged wrongly, on machines of several kinds: the tables of
//! `docs/ci.md`.
//!
//! `cargo bench --bench studies -- gate` simulates machines. `cargo bench --bench studies -- gate trials
//! RUNS BUDGET LOADS SHARES` plays real gates of this build against itself, and against one that is slowed
//! down, such as `gate trials 20 60 0,2,6,20 0,3,5`: 20 gates of 60 s of processor time in each row, beside
//! 0, 2, 6 and 20 busy processes, with 0 %, 3 % and 5 % more work.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command};

use agon::stats::Confidence;
use agon::stats::timing::block_ratio;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde_json::Value;

const RUNS: u64 = 400;

/// Blocks of a run, and the number of blocks between two looks.
const BLOCKS: usize = 160;
const LOOK: usize = 8;

/// The default limit of the time.
const LIMIT: f64 = 1.01;

/// The system changes between both sides after some milliseconds: the turns of each side in a block.
const TURNS: usize = 20;

/// The state of a machine: it multiplies the time of a turn.
struct Machine {
    rng: ChaCha8Rng,
    kind: &'static str,
    /// Turns so far.
    turn: usize,
    /// A noise that remembers its value, and a frequency that changes at times.
    memory: f64,
    fast: bool,
}

const KINDS: [&str; 7] = [
    "independent noise of 2 %",
    "drift by 30 %",
    "two frequencies, a change every 20 slices",
    "a neighbour begins in the middle",
    "noise of 10 % that lasts for 10 slices",
    "pauses: 2 % of turns take ten times as long",
    "the process that starts first needs 3 % more",
];

impl Machine {
    fn normal(&mut self) -> f64 {
        let (a, b): (f64, f64) = (self.rng.random(), self.rng.random());
        (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    /// The logarithm of the time of the next turn.
    fn next(&mut self) -> f64 {
        let share = self.turn as f64 / (2 * TURNS * BLOCKS) as f64;
        self.turn += 1;
        let per_slice = |chance: f64| chance / TURNS as f64;
        match self.kind {
            "drift by 30 %" => 0.3 * share,
            "two frequencies, a change every 20 slices" => {
                self.fast ^= self.rng.random_bool(per_slice(0.05));
                if self.fast { 0.0 } else { 0.25 }
            }
            "a neighbour begins in the middle" if share < 0.5 => 0.0,
            "a neighbour begins in the middle" => 0.4 + 0.1 * self.normal(),
            "noise of 10 % that lasts for 10 slices" => {
                let kept = 1.0 - per_slice(0.1);
                self.memory = kept * self.memory + 0.1 * (1.0 - kept * kept).sqrt() * self.normal();
                self.memory
            }
            "pauses: 2 % of turns take ten times as long" if self.rng.random_bool(0.02) => {
                10.0_f64.ln()
            }
            _ => 0.0,
        }
    }

    /// The noise of a process: its places in memory.
    fn process(&mut self, starts_first: bool) -> f64 {
        let first = self.kind == "the process that starts first needs 3 % more" && starts_first;
        0.02 * self.normal() + if first { 0.03 } else { 0.0 }
    }
}

/// The logarithms of the ratios of a run.
fn blocks(kind: &'static str, seed: u64, truth: f64) -> Vec<f64> {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut machine = Machine { rng, kind, turn: 0, memory: 0.0, fast: true };
    let mut coin = ChaCha8Rng::seed_from_u64(!seed);
    (0..BLOCKS)
        .map(|_| {
            let new_first = coin.random_bool(0.5);
            let own = [machine.process(!new_first), machine.process(new_first)];
            let mut times = [0.0; 2];
            for _ in 0..TURNS {
                for is_new in [new_first, !new_first] {
                    let side = usize::from(is_new);
                    times[side] += (machine.next() + own[side]).exp();
                }
            }
            (truth * times[1] / times[0]).ln()
        })
        .collect()
}

/// Two runs one after the other, with Student's t interval of 95 %: does it contain the truth?
fn one_after_the_other(kind: &'static str, seed: u64) -> bool {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut machine = Machine { rng, kind, turn: 0, memory: 0.0, fast: true };
    let mut mean_and_error = || {
        let mut slice = || {
            let own = machine.process(false);
            (0..TURNS).map(|_| (machine.next() + own).exp()).sum::<f64>().ln()
        };
        let times: Vec<f64> = (0..BLOCKS).map(|_| slice()).collect();
        let n = times.len() as f64;
        let mean = times.iter().sum::<f64>() / n;
        let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
        (mean, squares / (n - 1.0) / n)
    };
    let (old, new) = (mean_and_error(), mean_and_error());
    (new.0 - old.0).abs() <= 1.967 * (old.1 + new.1).sqrt()
}

fn percent(count: usize, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of as f64)
}

pub fn run(args: &[String]) {
    match args.first().map(String::as_str) {
        Some("slowed") => slowed(&args[1..]),
        Some("busy") => busy(),
        Some("trials") => return trials(&args[1..]),
        _ => {}
    }
    println!(
        "| machine | equal: interval without 1, at any look | equal: \"worse\" at limit 1.00 | one after the \
         other, 95 %: without 1 | 3 % slower: \"worse\" | half width at the end |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for kind in KINDS {
        let (mut missed, mut alarms, mut apart, mut found, mut width) = (0, 0, 0, 0, 0.0);
        for seed in 0..RUNS {
            let looks = |truth: f64| {
                let logs = blocks(kind, 7_000_000 + seed, truth);
                let looks: Vec<[f64; 2]> = (LOOK..=BLOCKS)
                    .step_by(LOOK)
                    .filter_map(|n| block_ratio(&logs[..n], Confidence::P99)?.interval)
                    .collect();
                looks
            };
            let equal = looks(1.0);
            missed += usize::from(equal.iter().any(|[low, high]| *low > 1.0 || *high < 1.0));
            alarms += usize::from(equal.iter().any(|[low, _]| *low > 1.0));
            width += equal.last().map_or(f64::NAN, |[low, high]| 50.0 * (high - low)) / RUNS as f64;
            apart += usize::from(!one_after_the_other(kind, 9_000_000 + seed));
            found += usize::from(looks(1.03).iter().any(|[low, _]| *low > LIMIT));
        }
        let [missed, alarms, apart, found] =
            [missed, alarms, apart, found].map(|n| percent(n, RUNS));
        println!("| {kind} | {missed} | {alarms} | {apart} | {found} | {width:.1} % |");
    }
}

/// Runs agon with these arguments, and then works for a share of its processor time.
fn slowed(args: &[String]) -> ! {
    let share: f64 = args[0].parse().expect("a share");
    let agon = env!("CARGO_BIN_EXE_agon");
    let status = Command::new(agon).args(&args[1..]).status().expect("agon runs");
    let time = |who| {
        let usage = getrusage(who).expect("the system counts time");
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        micros as f64
    };
    let until = time(UsageWho::RUSAGE_SELF) + share * time(UsageWho::RUSAGE_CHILDREN);
    while time(UsageWho::RUSAGE_SELF) < until {
        std::hint::black_box((0..10_000_u64).sum::<u64>());
    }
    std::process::exit(status.code().unwrap_or(1))
}

const CONFIG: &str = "[game]\nkind = \"connect4\"\n[[agents]]\nname = \"ab8\"\nkind = \"alphabeta\"\n\
    depth = 8\n[[agents]]\nname = \"ab6\"\nkind = \"alphabeta\"\ndepth = 6\n\
    [schedule]\ngames = 200\n[openings]\nkind = \"random\"\nplies = 6\n";

/// Keeps a processor and its caches busy, until the parent has ended.
fn busy() -> ! {
    let parent = std::os::unix::process::parent_id();
    let memory = vec![1_u64; 1 << 20];
    while std::os::unix::process::parent_id() == parent {
        std::hint::black_box(memory.iter().sum::<u64>());
    }
    std::process::exit(0)
}

/// Busy processes, until dropped.
struct Load(Vec<Child>);

impl Load {
    fn start(processes: usize) -> Load {
        let own = std::env::current_exe().expect("a path");
        let start = |_| Command::new(&own).args(["gate", "busy"]).spawn().expect("a process");
        Load((0..processes).map(start).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What the gates of a row said about the time.
#[derive(Default)]
struct Trials {
    gates: usize,
    /// Gates whose interval contains the true ratio.
    covered: usize,
    /// Verdicts: worse, not worse, undecided.
    verdicts: [usize; 3],
    half_widths: Vec<f64>,
}

impl Trials {
    fn add(&mut self, gate: &Value, truth: f64) {
        let [low, high] = ["low", "high"].map(|key| gate[key].as_f64().unwrap_or(f64::NAN));
        self.gates += 1;
        // Without an interval nothing is left out.
        self.covered += usize::from(!(low > truth || high < truth));
        self.half_widths.extend(Some(50.0 * (high - low)).filter(|width| width.is_finite()));
        let words = ["worse", "not worse", "undecided"];
        let said = words.iter().position(|word| gate["verdict"] == *word).expect("a verdict");
        self.verdicts[said] += 1;
        eprintln!("{} [{low:.4}, {high:.4}] {}", self.gates, words[said]);
    }

    fn row(mut self, load: usize, share: f64) -> String {
        self.half_widths.sort_by(f64::total_cmp);
        let middle = self.half_widths.get(self.half_widths.len() / 2);
        let width = middle.map_or("—".to_owned(), |width| format!("{width:.1} %"));
        let what = match share {
            0.0 => "the same build".to_owned(),
            share => format!("{:.0} % more work", 100.0 * share),
        };
        let ([worse, fine, open], covered) = (self.verdicts, self.covered);
        let gates = self.gates;
        format!("| {load} | {what} | {gates} | {covered} | {worse} | {fine} | {open} | {width} |")
    }
}

/// Real gates: this build against itself, and against itself with some work more. Both sides run in the
/// same script, so that its start is no difference.
fn trials(args: &[String]) {
    let list = |at: usize, default: &str| -> Vec<f64> {
        let words = args.get(at).map_or(default, String::as_str);
        words.split(',').map(|word| word.parse().expect("numbers")).collect()
    };
    let (runs, budget) = (list(0, "20")[0] as u64, list(1, "60")[0]);
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let [config, old, new, out] = ["gate.toml", "old", "new", "out"].map(path);
    let own = std::env::current_exe().expect("a path").display().to_string();
    let script = |file: &str, share: f64| {
        let text = format!("#!/bin/sh\nexec {own} gate slowed {share} \"$@\"\n");
        std::fs::write(file, text).expect("a script");
        std::fs::set_permissions(file, Permissions::from_mode(0o755)).expect("a program");
    };
    script(&old, 0.0);
    println!(
        "| busy processes | new side | gates | contains the truth | worse | not worse | undecided | \
         median half width |"
    );
    println!("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for load in list(2, "0,2,6,20") {
        for share in list(3, "0,3,5").into_iter().map(|percent| percent / 100.0) {
            let _load = Load::start(load as usize);
            script(&new, share);
            let mut trials = Trials::default();
            for seed in 1..=runs {
                std::fs::write(&config, format!("seed = {seed}\n{CONFIG}")).expect("a config");
                let output = Command::new(env!("CARGO_BIN_EXE_agon"))
                    .args(["gate", &old, &new, &config, "--out", &out, "--fresh", "-q"])
                    .args(["--budget", &format!("{budget}s"), "--format", "json"])
                    .output()
                    .expect("agon runs");
                let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
                    panic!("no JSON: {}", String::from_utf8_lossy(&output.stderr))
                });
                let gates = json["gates"].as_array().expect("gates");
                let time = gates.iter().find(|gate| gate["metric"] == "time").expect("a time");
                trials.add(time, 1.0 + share);
            }
            println!("{}", trials.row(load as usize, share));
        }
    }
}
