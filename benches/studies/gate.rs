//! How often the time of `agon gate` is judged wrongly, on machines of several kinds: the tables of
//! `docs/ci.md`.
//!
//! `cargo bench --bench studies -- gate` simulates machines. `cargo bench --bench studies -- gate trials
//! RUNS` plays real gates of this build against itself, and against one that is slowed down.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

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

/// The state of a machine: it multiplies the time of a slice.
struct Machine {
    rng: ChaCha8Rng,
    kind: &'static str,
    /// Slices so far.
    slice: usize,
    /// A noise that remembers its value, and a frequency that changes at times.
    memory: f64,
    fast: bool,
}

const KINDS: [&str; 6] = [
    "independent noise of 2 %",
    "drift by 30 %",
    "two frequencies, a change every 20 slices",
    "a neighbour begins in the middle",
    "noise of 10 % that lasts for 10 slices",
    "pauses: 2 % of slices take three times as long",
];

impl Machine {
    fn normal(&mut self) -> f64 {
        let (a, b): (f64, f64) = (self.rng.random(), self.rng.random());
        (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    /// The logarithm of the time of the next slice.
    fn next(&mut self) -> f64 {
        let share = self.slice as f64 / (4 * BLOCKS) as f64;
        self.slice += 1;
        // Each process has its own places in memory.
        let own = 0.02 * self.normal();
        own + match self.kind {
            "independent noise of 2 %" => 0.0,
            "drift by 30 %" => 0.3 * share,
            "two frequencies, a change every 20 slices" => {
                self.fast ^= self.rng.random_bool(0.05);
                if self.fast { 0.0 } else { 0.25 }
            }
            "a neighbour begins in the middle" if share < 0.5 => 0.0,
            "a neighbour begins in the middle" => 0.4 + 0.1 * self.normal(),
            "noise of 10 % that lasts for 10 slices" => {
                self.memory = 0.9 * self.memory + 0.1 * (1.0_f64 - 0.81).sqrt() * self.normal();
                self.memory
            }
            _ => {
                if self.rng.random_bool(0.02) {
                    3.0_f64.ln()
                } else {
                    0.0
                }
            }
        }
    }
}

/// The logarithms of the ratios of a run.
fn blocks(kind: &'static str, seed: u64, truth: f64) -> Vec<f64> {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut machine = Machine { rng, kind, slice: 0, memory: 0.0, fast: true };
    let mut coin = ChaCha8Rng::seed_from_u64(!seed);
    (0..BLOCKS)
        .map(|_| {
            let first = coin.random_bool(0.5);
            let mut times = [0.0; 2];
            for side in [first, !first, !first, first] {
                let factor = if side { truth } else { 1.0 };
                times[usize::from(side)] += factor * machine.next().exp();
            }
            (times[1] / times[0]).ln()
        })
        .collect()
}

/// Two runs one after the other, with Student's t interval of 95 %: does it contain the truth?
fn one_after_the_other(kind: &'static str, seed: u64) -> bool {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut machine = Machine { rng, kind, slice: 0, memory: 0.0, fast: true };
    let mut mean_and_error = || {
        let times: Vec<f64> = (0..2 * BLOCKS).map(|_| machine.next()).collect();
        let n = times.len() as f64;
        let mean = times.iter().sum::<f64>() / n;
        let squares = times.iter().map(|time| (time - mean).powi(2)).sum::<f64>();
        (mean, squares / (n - 1.0) / n)
    };
    let (old, new) = (mean_and_error(), mean_and_error());
    (new.0 - old.0).abs() <= 1.968 * (old.1 + new.1).sqrt()
}

fn percent(count: usize, of: u64) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of as f64)
}

pub fn run(args: &[String]) {
    if args.first().is_some_and(|word| word == "slowed") {
        slowed(&args[1..]);
    }
    if args.first().is_some_and(|word| word == "trials") {
        let runs = args.get(1).and_then(|word| word.parse().ok()).unwrap_or(20);
        return trials(runs);
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
    [schedule]\ngames = 2000\n[openings]\nkind = \"random\"\nplies = 6\n";

/// Real gates: this build against itself, and against itself with some work more.
fn trials(runs: u64) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).display().to_string();
    let (agon, config, slow, out) =
        (env!("CARGO_BIN_EXE_agon"), path("gate.toml"), path("slow"), path("out"));
    let own = std::env::current_exe().expect("a path");
    println!(
        "| new side | gates | contains the truth | worse | not worse | undecided | half width |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for share in [0.0, 0.03, 0.05] {
        let script = format!("#!/bin/sh\nexec {} gate slowed {share} \"$@\"\n", own.display());
        std::fs::write(&slow, script).expect("a script");
        std::fs::set_permissions(&slow, Permissions::from_mode(0o755)).expect("a program");
        let (mut covered, mut verdicts, mut width) = (0, [0; 3], 0.0);
        for seed in 1..=runs {
            std::fs::write(&config, format!("seed = {seed}\n{CONFIG}")).expect("a config");
            let new = if share > 0.0 { &slow } else { agon };
            let words = ["gate", agon, new, &config, "--out", &out, "--fresh", "-q"];
            let output = Command::new(agon).args(words).args(["--format", "json"]).output();
            let output = output.expect("agon runs");
            let json: Value = serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&output.stderr)));
            let gates = json["gates"].as_array().expect("gates");
            let time = gates.iter().find(|gate| gate["metric"] == "time").expect("a time");
            let [low, high] = ["low", "high"].map(|key| time[key].as_f64().unwrap_or(f64::NAN));
            covered += usize::from(low <= 1.0 + share && 1.0 + share <= high);
            width += 50.0 * (high - low) / runs as f64;
            let words = ["worse", "not worse", "undecided"];
            if let Some(at) = words.iter().position(|word| time["verdict"] == *word) {
                verdicts[at] += 1;
            }
        }
        let what = match share {
            0.0 => "the same build".to_owned(),
            share => format!("{:.0} % more work", 100.0 * share),
        };
        let [worse, fine, open] = verdicts;
        println!("| {what} | {runs} | {covered} | {worse} | {fine} | {open} | {width:.1} % |");
    }
}
