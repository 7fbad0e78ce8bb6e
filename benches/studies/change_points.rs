//! How often the change points and the steps of `agon plot history` are false, and how often a change is
//! found: the tables of `docs/ci.md`.

use std::fmt::Write;
use std::process::Command;

use agon::stats::Confidence;
use agon::stats::timing::{block_ratio, change_points};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

const SERIES: u64 = 2000;

const LENGTHS: [usize; 3] = [20, 50, 200];

/// The noise of a figure, with its standard deviation where there is one.
const NOISES: [&str; 3] = ["normal", "Student's t with 3 degrees of freedom", "mostly 0"];

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (a, b): (f64, f64) = (rng.random(), rng.random());
    (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

/// A value with the standard deviation 1.
fn noise(kind: &str, rng: &mut ChaCha8Rng) -> f64 {
    match kind {
        "normal" => normal(rng),
        "mostly 0" => f64::from(u8::from(rng.random_bool(0.2))) * 5.0_f64.sqrt() * normal(rng),
        _ => {
            let squares: f64 = (0..3).map(|_| normal(rng).powi(2)).sum();
            // The standard deviation of this distribution is √3.
            normal(rng) / (squares / 3.0).sqrt() / 3.0_f64.sqrt()
        }
    }
}

/// The change points of a series whose level changes by `shift` at a place.
fn found(kind: &str, length: usize, place: usize, shift: f64, seed: u64) -> Vec<usize> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let level = |i: usize| if i < place { 0.0 } else { shift };
    let values: Vec<f64> = (0..length).map(|i| level(i) + noise(kind, &mut rng)).collect();
    change_points(&values)
}

fn percent(count: usize) -> String {
    format!("{:.1} %", 100.0 * count as f64 / SERIES as f64)
}

/// Charts without a change, and the gates of one chart.
const CHARTS: u64 = 500;
const GATES: [usize; 2] = [20, 100];

/// Blocks of a gate, and the noise of one block.
const BLOCKS: usize = 40;
const BLOCK_NOISE: f64 = 0.015;

/// The lines of gates that have changed nothing: strength with a normal interval of 95 %, and the time with
/// that of a gate. `is_chain`: the old side is the new one of the gate before.
fn unchanged(gates: usize, is_chain: bool, seed: u64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut text = "date,old,old_revision,new,new_revision,agents".to_owned();
    for figure in ["strength", "work", "time", "instructions", "memory"] {
        write!(text, ",{figure},{figure}_low,{figure}_high").expect("a text");
    }
    text += ",verdict,exit_code\n";
    for gate in 1..=gates {
        let old = if is_chain { gate - 1 } else { 0 };
        let elo = 10.0 * normal(&mut rng);
        let (low, high) = (elo - 19.6, elo + 19.6);
        let heavy = NOISES[1];
        let logs: Vec<f64> = (0..BLOCKS).map(|_| BLOCK_NOISE * noise(heavy, &mut rng)).collect();
        let time = block_ratio(&logs, Confidence::P99).expect("blocks");
        let [fast, slow] = time.interval.expect("enough blocks");
        writeln!(
            text,
            "d,a,r{old},a,r{gate},a,{elo},{low},{high},,,,{},{fast},{slow},,,,,,,undecided,4",
            time.ratio
        )
        .expect("a text");
    }
    text
}

/// How many charts of each figure have a step, although nothing changes.
fn steps() {
    println!("\n| old side | gates | strength: charts with a step | time |");
    println!("| --- | ---: | ---: | ---: |");
    let dir = tempfile::tempdir().expect("a folder");
    let [history, chart] = ["history.csv", "history.svg"].map(|name| dir.path().join(name));
    for (is_chain, name) in [(false, "always the same"), (true, "the new side before")] {
        for gates in GATES {
            let mut with_step = [0; 2];
            for seed in 0..CHARTS {
                std::fs::write(&history, unchanged(gates, is_chain, seed)).expect("a file");
                let agon = Command::new(env!("CARGO_BIN_EXE_agon"))
                    .args(["plot", "history"])
                    .arg(&history)
                    .arg("--out")
                    .arg(&chart)
                    .output()
                    .expect("agon runs");
                assert!(agon.status.success(), "{}", String::from_utf8_lossy(&agon.stderr));
                let text = std::fs::read_to_string(&chart).expect("a chart");
                let notes = text
                    .split("; ")
                    .filter(|note| note.starts_with("no step") || note.starts_with("step ("));
                for (count, note) in with_step.iter_mut().zip(notes) {
                    *count += usize::from(note.starts_with("step ("));
                }
            }
            let [strength, time] =
                with_step.map(|count| format!("{:.1} %", 100.0 * count as f64 / CHARTS as f64));
            println!("| {name} | {gates} | {strength} | {time} |");
        }
    }
}

pub fn run(args: &[String]) {
    if args.first().is_some_and(|word| word == "steps") {
        return steps();
    }
    println!(
        "| noise | gates | no change: false alarm | 1 σ in the middle | 2 σ | 3 σ | 3 σ, five gates before the end |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for kind in NOISES {
        for length in LENGTHS {
            let false_alarms =
                (0..SERIES).filter(|&seed| !found(kind, length, 0, 0.0, seed).is_empty()).count();
            // A change point counts as found if it is at most two gates from the change.
            let power = |place: usize, shift: f64| {
                let is_found = |&seed: &u64| {
                    let all = found(kind, length, place, shift, seed);
                    all.iter().any(|at| at.abs_diff(place) <= 2)
                };
                percent((0..SERIES).filter(is_found).count())
            };
            let middle = length / 2;
            println!(
                "| {kind} | {length} | {} | {} | {} | {} | {} |",
                percent(false_alarms),
                power(middle, 1.0),
                power(middle, 2.0),
                power(middle, 3.0),
                power(length - 5, 3.0)
            );
        }
    }
}
