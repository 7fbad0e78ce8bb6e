//! One task in one program: `peers PROGRAM TASK` prints the units of work, the time in seconds, and
//! a figure that shows that the work was the same.

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::Instant;

use agon::games::{
    Configurable, Connect4Standard, Evaluator, EvaluatorVisitor, Game, Player, PlayoutBuffer, Turn,
    Weights, playout,
};
use agon::params::Values;
use agon::search::{AlphaBeta, AlphaBetaOptions, Limits, Mcts, MctsOptions};
use agon::solve::connect4::Solver;
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// Units of work, and the figure that identifies the work.
type Done = (u64, String);

const GAMES: u64 = 1_000_000;
const DEPTH: u32 = 12;
const SIMULATIONS: u64 = 300_000;
/// Number of consecutive searches, as for the moves of a game; all of them share one set-up.
const SEARCHES: u64 = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, task, rest @ ..] = arguments.as_slice() else {
        panic!("peers PROGRAM TASK [POSITIONS…]")
    };
    let clock = Instant::now();
    let (units, result) = match (program.as_str(), task.as_str()) {
        ("agon", "games") => agon_games(),
        ("agon", "search") => with_segments(AgonSearch),
        ("agon", "shallow") => agon_shallow(),
        ("agon", "mcts") => agon_mcts(),
        ("agon", "solve") => agon_solve(rest),
        ("board-game", "games") => board_game_games(),
        ("board-game", "mcts") => board_game_mcts(),
        ("minimax", "search") => with_segments(MinimaxSearch),
        ("minimax", "mcts") => minimax_mcts(),
        other => panic!("{other:?} is no work that is known"),
    };
    println!("{units} {:.6} {result}", clock.elapsed().as_secs_f64());
}

/// The standard board, built once: peers ask for it at every move of agon's rules.
fn game() -> &'static Connect4Standard {
    static GAME: LazyLock<Connect4Standard> =
        LazyLock::new(|| Connect4Standard::build(&Values::default()).expect("the standard board"));
    &GAME
}

/// Random games from the empty board, in memory.
fn agon_games() -> Done {
    let game = game();
    let mut rng = <agon_rng::Rng as agon_rng::Seeded>::seed_from_u64(1);
    let mut buffer = PlayoutBuffer::default();
    let mut plies = 0;
    for _ in 0..GAMES {
        plies += u64::from(playout(game, game.start(), &mut rng, &mut buffer).1);
    }
    (GAMES, format!("{:.2} plies", plies as f64 / GAMES as f64))
}

/// agon uses a different version of `rand`.
mod agon_rng {
    pub use rand10::SeedableRng as Seeded;
    pub use rand10::rngs::ChaCha8Rng as Rng;
}

fn board_game_games() -> Done {
    use board_game::board::Board;
    let mut rng = SmallRng::seed_from_u64(1);
    let mut plies = 0;
    for _ in 0..GAMES {
        let mut board = board_game::games::connect4::Connect4::default();
        while let Ok(mv) = board.random_available_move(&mut rng) {
            board.play(mv).expect("a legal move");
            plies += 1;
        }
    }
    (GAMES, format!("{:.2} plies", plies as f64 / GAMES as f64))
}

fn with_segments<V>(visitor: V) -> Done
where
    V: EvaluatorVisitor<Connect4Standard, Out = Done>,
{
    game().with_evaluator("segments", &Weights::new(), visitor).ok().expect("the evaluator")
}

struct AgonSearch;

impl EvaluatorVisitor<Connect4Standard> for AgonSearch {
    type Out = Done;

    fn visit<E: Evaluator<Connect4Standard>>(self, evaluator: E) -> Done {
        let game = game();
        let options = AlphaBetaOptions { table_mb: 16, ..AlphaBetaOptions::FULL };
        let mut search = AlphaBeta::new(evaluator, options);
        search.new_game();
        let answer = search.search(game, &game.start(), &Limits::depth(DEPTH), false);
        (1, format!("value {} of column {}", answer.value, answer.best[0] + 1))
    }
}

/// Six plies without table, ordering or evaluation, as in small packages.
fn agon_shallow() -> Done {
    let game = game();
    let mut search = AlphaBeta::new(agon::games::Zero, AlphaBetaOptions::PLAIN);
    let answer = search.search(game, &game.start(), &Limits::depth(6), false);
    (1, format!("depth 6, column {}", answer.best[0] + 1))
}

/// agon's rules and agon's evaluator with the search of the crate `minimax`.
struct MinimaxSearch;

struct Rules;

impl minimax::Game for Rules {
    type S = <Connect4Standard as Game>::State;
    type M = u8;

    fn generate_moves(state: &Self::S, moves: &mut Vec<u8>) {
        game().moves(state, moves);
    }

    fn apply(state: &mut Self::S, mv: u8) -> Option<Self::S> {
        let mut next = *state;
        game().play(&mut next, mv);
        Some(next)
    }

    fn get_winner(state: &Self::S) -> Option<minimax::Winner> {
        let game = game();
        match game.turn(state) {
            Turn::Over if game.payoff(state) == 0 => Some(minimax::Winner::Draw),
            Turn::Over => Some(minimax::Winner::PlayerJustMoved),
            _ => None,
        }
    }

    fn zobrist_hash(state: &Self::S) -> u64 {
        game().key(state)
    }
}

struct Segments<E>(E, Connect4Standard);

impl<E: Evaluator<Connect4Standard>> minimax::Evaluator for Segments<E> {
    type G = Rules;

    fn evaluate(&self, state: &<Rules as minimax::Game>::S) -> minimax::Evaluation {
        let value = self.0.evaluate(&self.1, state);
        let first = self.1.turn(state) == Turn::Player(Player::First);
        (if first { value } else { -value }) as minimax::Evaluation
    }
}

impl EvaluatorVisitor<Connect4Standard> for MinimaxSearch {
    type Out = Done;

    fn visit<E: Evaluator<Connect4Standard>>(self, evaluator: E) -> Done {
        use minimax::Strategy;
        let options = minimax::IterativeOptions::new().with_table_byte_size(16 << 20);
        let mut search =
            minimax::IterativeSearch::new(Segments(evaluator, game().clone()), options);
        search.set_max_depth(DEPTH as u8);
        let best = search.choose_move(&game().start()).expect("a move");
        (1, format!("value {} of column {}", search.root_value(), best + 1))
    }
}

fn agon_mcts() -> Done {
    let game = game();
    let mut search = Mcts::new(agon::games::Zero, MctsOptions::default());
    search.new_game();
    let limits = Limits::default();
    searches(|seed| {
        let best = search.search(game, &game.start(), &[], Some(SIMULATIONS), &limits, seed).best;
        usize::from(best[0])
    })
}

/// Tree searches of the empty board, one per seed; each returns its column from 0.
fn searches(mut search: impl FnMut(u64) -> usize) -> Done {
    let columns: Vec<String> = (1..=SEARCHES).map(|seed| (search(seed) + 1).to_string()).collect();
    (SEARCHES * SIMULATIONS, format!("columns {}", columns.join(" ")))
}

fn board_game_mcts() -> Done {
    let board = board_game::games::connect4::Connect4::default();
    searches(|seed| {
        let mut rng = SmallRng::seed_from_u64(seed);
        let tree = board_game::ai::mcts::mcts_build_tree(&board, SIMULATIONS, 1.4, &mut rng);
        usize::from(tree.best_move())
    })
}

fn minimax_mcts() -> Done {
    use minimax::Strategy;
    let options = minimax::MCTSOptions::default().with_num_threads(1);
    let mut search = minimax::MonteCarloTreeSearch::<Rules>::new(options);
    search.set_max_rollouts(SIMULATIONS as u32);
    searches(|_| usize::from(search.choose_move(&game().start()).expect("a move")))
}

/// The scores of all moves in each position; a position is a sequence of columns from 1.
fn agon_solve(positions: &[String]) -> Done {
    let game = game();
    let mut solver = Solver::new(game, 64, 1);
    let mut sum = 0;
    for text in positions {
        let state = game.read_position(text).expect("a position");
        let moves = black_box(solver.moves(&state));
        sum += moves.iter().map(|mv| i64::from(mv.score)).sum::<i64>();
    }
    (positions.len() as u64, format!("sum of scores {sum}"))
}
