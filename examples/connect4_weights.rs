//! Finds the weights by which the solver of Connect Four orders moves.
//!
//! ```text
//! cargo run --release --example connect4_weights -- [STEPS POSITIONS SEED STONES]... [on]
//! ```
//!
//! The weights in `src/solve/connect4/weights.rs` are the output of three climbs in a row, the
//! last of them on positions of eight stones:
//!
//! ```text
//! cargo run --release --example connect4_weights -- 1500 40 1 12 1000 40 2 12 230 6 4 8
//! ```
//!
//! Positions of so many stones are made by play that is at random half of the time and
//! perfect the other half, so that they resemble what a search of the whole game meets;
//! those are kept that take neither too few nor too many nodes to solve: for twelve stones
//! 20 000 to 150 000, for every stone less twice as many. Then the weights
//! climb: some weights of one of the four sets change at random, and stay changed if all
//! positions together are solved with fewer nodes, each measured in what it took at first.
//! Four numbers are one climb; the next four go on from there on other positions, so that
//! the weights do not come to suit a few positions only. Late positions are solved soon and
//! show the way; early ones, last, are nearer to the whole game, whose nodes are printed
//! after each climb. Of several last climbs that differ in their seed the best one is taken
//! by these. With `on` the first climb goes on
//! from the weights that the solver has, otherwise it starts from what anybody would say.
//!
//! Nodes are counted, not time, so that the same numbers give the same weights on every
//! machine.

use agon::games::connect4::State;
use agon::games::{Configurable, Connect4Standard, Game, Turn, below};
use agon::params::Values;
use agon::solve::connect4::{FEATURES, Settings, Solver, Weights};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// What anybody would say: wins that can be used count most, the middle a little.
const START: Weights = [256, 64, 64, 64, 32, 32, -128, -64, 0, 0, 0, 0, 0, 0, 8, 0, 1 << 20];

type Sets = [[Weights; 2]; 2];

struct Trainer {
    game: Connect4Standard,
    solver: Solver,
    random: ChaCha8Rng,
}

impl Trainer {
    /// Nodes to solve a position with an empty table.
    fn nodes(&mut self, state: &State, weights: &Sets) -> u64 {
        self.solver.clear();
        self.solver.set_settings(Settings { weights: *weights, ..Settings::default() });
        self.solver.solve(state).map_or(u64::MAX, |solved| solved.nodes)
    }

    fn below(&mut self, end: usize) -> usize {
        below(&mut self.random, end as u32) as usize
    }

    /// A position of so many stones in which nobody can win at once.
    fn position(&mut self, stones: u32) -> Option<State> {
        let mut state = self.game.start();
        let mut moves = Vec::new();
        while state.plies() < stones {
            moves.clear();
            if self.game.turn(&state) == Turn::Over {
                return None;
            }
            self.game.moves(&state, &mut moves);
            if state.plies() > 6 && self.below(2) == 0 {
                let results = self.solver.move_results(&state).ok()?;
                let best = results.iter().map(|mv| mv.score).max()?;
                let best: Vec<_> = results.iter().filter(|mv| mv.score == best).collect();
                moves = best.iter().map(|mv| mv.column as u8).collect();
            }
            let mv = moves[self.below(moves.len())];
            self.game.play(&mut state, mv);
        }
        let open = self.game.turn(&state) != Turn::Over && self.game.urgent(&state) == 0;
        open.then_some(state)
    }
}

/// One climb: so many steps on so many positions.
struct Climb {
    steps: u64,
    positions: usize,
    seed: u64,
    stones: u32,
}

/// Stones of the positions with which weights begin to climb.
const LATE: u32 = 12;

/// The climbs that led to the weights of the solver.
const COMMITTED: [u64; 12] = [1500, 40, 1, 12, 1000, 40, 2, 12, 230, 6, 4, 8];

/// Stones that positions may have.
const STONES: std::ops::RangeInclusive<u64> = 6..=16;

/// The climbs that the arguments ask for, and whether to go on from the solver's weights.
fn arguments() -> Result<(Vec<Climb>, bool), String> {
    let mut numbers = Vec::new();
    let mut on = false;
    for text in std::env::args().skip(1) {
        match text.parse::<u64>() {
            Ok(number) => numbers.push(number),
            Err(_) if text == "on" => on = true,
            Err(_) => return Err(format!("`{text}` is neither a number nor `on`")),
        }
    }
    if numbers.is_empty() {
        numbers = COMMITTED.to_vec();
    }
    let (climbs, rest) = numbers.as_chunks::<4>();
    if !rest.is_empty() || climbs.iter().any(|climb| climb[1] == 0 || !STONES.contains(&climb[3])) {
        let (least, most) = (STONES.start(), STONES.end());
        return Err(format!(
            "each climb takes four numbers: steps, positions, seed, stones ({least} to {most})"
        ));
    }
    let climb = |&[steps, positions, seed, stones]: &[u64; 4]| Climb {
        steps,
        positions: positions as usize,
        seed,
        stones: stones as u32,
    };
    Ok((climbs.iter().map(climb).collect(), on))
}

fn main() -> Result<(), String> {
    let (climbs, on) = arguments()?;
    let mut weights: Sets = if on { Settings::default().weights } else { [[START; 2]; 2] };
    for climb in climbs {
        weights = climbed(&climb, weights);
        for (upper, sets) in weights.iter().enumerate() {
            for (attacks, weights) in sets.iter().enumerate() {
                println!("upper {upper}, attacks {attacks}: {weights:?}");
            }
        }
        println!("empty board: {} nodes", whole_game(&weights));
    }
    Ok(())
}

/// Nodes for the exact score of the empty board, as the bench counts them.
fn whole_game(weights: &Sets) -> u64 {
    let game = Connect4Standard::build(&Values::default()).expect("the standard board");
    let mut solver = Solver::new(&game, 64, 1);
    solver.set_settings(Settings { weights: *weights, ..Settings::default() });
    solver.solve(&game.start()).map_or(u64::MAX, |solved| solved.nodes)
}

/// The weights to which a climb leads.
fn climbed(climb: &Climb, mut weights: Sets) -> Sets {
    let game = Connect4Standard::build(&Values::default()).expect("the standard board");
    let early = climb.stones < LATE;
    let solver = Solver::new(&game, if early { 8 } else { 2 }, 1);
    let mut trainer = Trainer { game, solver, random: ChaCha8Rng::seed_from_u64(climb.seed) };
    let scale = |nodes: f64| (nodes * 2f64.powi(LATE as i32 - climb.stones as i32)) as u64;
    let some = scale(20_000.0)..scale(150_000.0);
    let mut set = Vec::new();
    while set.len() < climb.positions {
        let Some(state) = trainer.position(climb.stones) else { continue };
        let nodes = trainer.nodes(&state, &weights);
        if some.contains(&nodes) {
            set.push((state, nodes));
        }
    }
    eprintln!("{} nodes at first", set.iter().map(|(_, nodes)| nodes).sum::<u64>());

    // The sum of what each position takes of its first nodes; given up above the best.
    let cost = |trainer: &mut Trainer, weights: &Sets, best: f64| {
        let mut sum = 0.0;
        for (state, first) in &set {
            sum += trainer.nodes(state, weights) as f64 / *first as f64;
            if sum >= best {
                break;
            }
        }
        sum
    };
    let mut best = set.len() as f64;
    for step in 1..=climb.steps {
        let mut changed = weights;
        let (upper, attacks) = (trainer.below(2), trainer.below(2));
        for _ in 0..1 + trainer.below(3) {
            let weight = &mut changed[upper][attacks][trainer.below(FEATURES - 1)];
            let reach = 1 + (weight.abs() / 3).max(8);
            *weight += trainer.below(2 * reach as usize + 1) as i32 - reach;
        }
        let cost = cost(&mut trainer, &changed, best);
        if cost < best {
            (best, weights) = (cost, changed);
            eprintln!("step {step}: {:.4} of the first nodes", best / set.len() as f64);
        }
    }
    weights
}
