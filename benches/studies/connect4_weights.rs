//! Finds the move-ordering weights for the solver of Connect Four.
//!
//! ```text
//! cargo bench --bench studies -- connect4_weights [STEPS POSITIONS SEED STONES]... [on]
//! ```
//!
//! The weights in `crates/core/src/solve/connect4/ordering_weights.rs` are the output of three consecutive climbs, the
//! last of them on positions of eight stones:
//!
//! ```text
//! cargo bench --bench studies -- connect4_weights 1500 40 1 12 1000 40 2 12 230 6 4 8
//! ```
//!
//! Positions of STONES stones come from games in which half of the moves are random and half are
//! perfect. So they resemble the positions in a search of the whole game. Positions are kept only
//! if they need neither too few nor too many nodes to solve: for twelve stones 20 000 to 150 000,
//! and twice as many for every stone less.
//!
//! Each climb is a hill climbing. A step changes some weights of one of the four sets at random.
//! The change is kept if the solver needs fewer nodes for all positions together, each relative to
//! its first count. Four numbers describe one climb. The next four continue from its result on
//! other positions, so that the weights do not overfit a few positions.
//!
//! Late positions are fast to solve and give a direction. Early positions come last because they
//! are closer to the whole game, whose nodes are printed after each climb. To choose among several
//! last climbs with different seeds, take the one with the fewest of these nodes. With `on` the
//! first climb starts from the current weights of the solver, otherwise from simple default
//! weights.
//!
//! The cost is the number of nodes, not time, so the same numbers give the same weights on every
//! machine.

use agon::games::connect4::Connect4State;
use agon::games::{Configurable, Connect4Standard, Game, Turn, below};
use agon::params::Values;
use agon::solve::connect4::{FEATURES, Solver, WEIGHTS, WeightSets};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// Simple default weights: usable wins count most, the middle a little.
const START: [i32; FEATURES] =
    [256, 64, 64, 64, 32, 32, -128, -64, 0, 0, 0, 0, 0, 0, 8, 0, 1 << 20];

struct Trainer {
    game: Connect4Standard,
    solver: Solver,
    random: ChaCha8Rng,
}

impl Trainer {
    /// Nodes to solve a position with an empty table.
    fn nodes(&mut self, state: &Connect4State, weights: &WeightSets) -> u64 {
        self.solver.clear();
        self.solver.set_weights(*weights);
        self.solver.solve(state).nodes
    }

    fn below(&mut self, end: usize) -> usize {
        below(&mut self.random, end as u32) as usize
    }

    /// A position with `stones` stones in which no player can win immediately.
    fn position(&mut self, stones: u32) -> Option<Connect4State> {
        let mut state = self.game.start();
        let mut moves = Vec::new();
        while state.plies() < stones {
            moves.clear();
            if self.game.turn(&state) == Turn::Over {
                return None;
            }
            self.game.moves(&state, &mut moves);
            if state.plies() > 6 && self.below(2) == 0 {
                let results = self.solver.move_results(&state);
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

/// One climb: its number of steps, its positions, its seed and its stones.
struct Climb {
    steps: u64,
    positions: usize,
    seed: u64,
    stones: u32,
}

/// Number of stones in the positions of the first climb.
const LATE: u32 = 12;

/// The climbs that produced the weights of the solver.
const COMMITTED: [u64; 12] = [1500, 40, 1, 12, 1000, 40, 2, 12, 230, 6, 4, 8];

/// Allowed numbers of stones.
const STONES: std::ops::RangeInclusive<u64> = 6..=16;

/// The requested climbs, and whether to start from the solver's weights.
fn climbs(arguments: &[String]) -> Result<(Vec<Climb>, bool), String> {
    let mut numbers = Vec::new();
    let mut on = false;
    for text in arguments {
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

pub fn run(arguments: &[String]) {
    let (climbs, on) = match climbs(arguments) {
        Ok(climbs) => climbs,
        Err(error) => return eprintln!("{error}"),
    };
    let mut weights: WeightSets = if on { WEIGHTS } else { [[START; 2]; 2] };
    for climb in climbs {
        weights = climbed(&climb, weights);
        for (upper, sets) in weights.iter().enumerate() {
            for (attacks, weights) in sets.iter().enumerate() {
                println!("upper {upper}, attacks {attacks}: {weights:?}");
            }
        }
        println!("empty board: {} nodes", whole_game(&weights));
    }
}

/// Nodes for the exact score of the empty board, counted as in the benchmark.
fn whole_game(weights: &WeightSets) -> u64 {
    let game = Connect4Standard::build(&Values::default()).expect("the standard board");
    let mut solver = Solver::new(&game, 64, 1);
    solver.set_weights(*weights);
    solver.solve(&game.start()).nodes
}

/// The weights after a climb.
fn climbed(climb: &Climb, mut weights: WeightSets) -> WeightSets {
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

    // The sum over positions of nodes relative to the first count. It stops when it reaches the
    // best sum.
    let cost = |trainer: &mut Trainer, weights: &WeightSets, best: f64| {
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
