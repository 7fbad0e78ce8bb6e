//! Measures the effect of each technique in the solver of Connect Four: nodes and time with all
//! techniques, and without each one.
//!
//! ```text
//! cargo run --release --example connect4_techniques -- [MOVES]
//! ```
//!
//! The moves lead to the position to solve. The default is `4 4`, the middle column twice.

use agon::games::{Configurable, Connect4Standard, Game};
use agon::params::Values;
use agon::solve::connect4::{FEATURES, Level, OrderingWeights, Solver, Techniques};

fn main() {
    let text = std::env::args().nth(1).unwrap_or_else(|| "4 4".to_owned());
    let game = Connect4Standard::build(&Values::default()).expect("the standard board");
    let state = match game.read_position(&text) {
        Ok(state) => state,
        Err(error) => return eprintln!("{error}"),
    };
    let all = Techniques::default();
    let mut centre: OrderingWeights = [0; FEATURES];
    centre[FEATURES - 3] = 1;
    centre[FEATURES - 1] = 1 << 20;
    let variants = [
        ("all", all.clone()),
        ("no proofs by strategy", Techniques { strategy: false, ..all.clone() }),
        ("no lifeless positions", Techniques { lifeless: false, ..all.clone() }),
        ("colours of idle stones kept", Techniques { idle: false, ..all.clone() }),
        ("mirror images apart", Techniques { mirror: false, ..all.clone() }),
        ("children asked one by one", Techniques { siblings: false, ..all.clone() }),
        (
            "order: table's move and middle only",
            Techniques { weights: [[centre; 2]; 2], ..all.clone() },
        ),
    ];
    println!("| technique | nodes | seconds | score |");
    println!("| --- | ---: | ---: | ---: |");
    let row = |name: &str, mut solver: Solver, settings: &Techniques| {
        solver.set_settings(settings.clone());
        let solved = solver.solve(&state);
        let seconds = solved.time.as_secs_f64();
        println!("| {name} | {} | {seconds:.2} | {} |", solved.nodes, solved.score);
    };
    for (name, settings) in &variants {
        row(name, Solver::new(&game, 64, 1), settings);
    }
    for level in Level::ALL.into_iter().filter(|level| level.is_there()) {
        let name = format!("instructions: {level:?}");
        row(&name, Solver::with_level(&game, 64, 1, level), &all);
    }
    row("two threads", Solver::new(&game, 64, 2), &all);
    row("table of 1 MB", Solver::new(&game, 1, 1), &all);
    row("table of 256 MB", Solver::new(&game, 256, 1), &all);
}
