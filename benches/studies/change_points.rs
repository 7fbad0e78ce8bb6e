//! How often the change points of `agon plot history` are false, and how often a change is found: the
//! table of `docs/ci.md`.

use agon::stats::timing::change_points;
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

pub fn run(_: &[String]) {
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
