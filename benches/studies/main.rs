//! Simulations behind the figures of the pages: one file for each study.
//!
//! `cargo bench --bench studies` lists the studies, `cargo bench --bench studies -- NAME` runs one.

use std::process::ExitCode;

#[path = "../../tests/support/adaptive.rs"]
mod adaptive_support;
#[path = "../../tests/support/coverage.rs"]
mod coverage_support;
#[path = "../../tests/support/tune.rs"]
mod tune_support;

mod adaptive;
mod change_points;
mod compare;
mod connect4_weights;
mod coverage;
mod cycles;
mod first_move;
mod formats;
mod gate;
mod joint_likelihood;
mod luck;
mod placing;
mod plan;
mod ranked;
mod ratings;
mod tune;

/// A study prints its table; the arguments are those after its name.
type Study = fn(&[String]);

const STUDIES: [(&str, Study); 16] = [
    ("adaptive", adaptive::run),
    ("change_points", change_points::run),
    ("compare", compare::run),
    ("connect4_weights", connect4_weights::run),
    ("coverage", coverage::run),
    ("cycles", cycles::run),
    ("first_move", first_move::run),
    ("formats", formats::run),
    ("gate", gate::run),
    ("joint_likelihood", joint_likelihood::run),
    ("luck", luck::run),
    ("placing", placing::run),
    ("plan", plan::run),
    ("ranked", ranked::run),
    ("ratings", ratings::run),
    ("tune", tune::run),
];

fn main() -> ExitCode {
    // `cargo bench` adds `--bench` to the arguments.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let Some((name, rest)) = args.split_first() else {
        for (name, _) in STUDIES {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, study)) = STUDIES.iter().find(|(known, _)| known == name) else {
        eprintln!("there is no study `{name}`; without a name, all studies are listed");
        return ExitCode::from(2);
    };
    study(rest);
    ExitCode::SUCCESS
}
