//! One task in one program: `peers PROGRAM TASK` prints the units of work, the time in seconds, and
//! a figure that shows that the work was the same.

use std::hint::black_box;
use std::marker::PhantomData;
use std::sync::LazyLock;
use std::time::Instant;

use agon::games::{
    Chess, Configurable, Connect4Standard, Evaluator, EvaluatorVisitor, Game, Go, Othello,
    PlayoutBuffer, Turn, Weights, playout,
};
use agon::params::Values;
use agon::search::{AlphaBeta, AlphaBetaOptions, Limits, Mcts, MctsOptions};
use agon::solve::connect4::Solver;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Units of work, and the figure that identifies the work.
type Done = (u64, String);
/// Work to be timed. What a program allocates before its first move is made before the clock starts, and
/// freed after it stops.
type Work = Box<dyn FnMut() -> Done>;

const GAMES: u64 = 1_000_000;
const SIMULATIONS: u64 = 300_000;
const GO_SIMULATIONS: u64 = 20_000;
/// Number of consecutive searches, as for the moves of a game.
const SEARCHES: u64 = 5;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, task, rest @ ..] = arguments.as_slice() else {
        panic!("peers PROGRAM TASK [POSITIONS…]")
    };
    let mut work: Work = match (program.as_str(), task.as_str()) {
        ("agon", "games") => Box::new(agon_games),
        ("agon", "search") => searched::<Connect4Standard, _>(AgonSearch),
        ("agon", "chess") => searched::<Chess, _>(AgonSearch),
        ("agon", "othello") => searched::<Othello, _>(AgonSearch),
        ("agon", "shallow") => Box::new(agon_shallow),
        ("agon", "mcts") => agon_mcts(),
        ("agon", "go") => agon_go(),
        ("agon", "positions") => return println!("{}", positions(rest).join(" ")),
        ("agon", "solve") => Box::new(agon_solve(rest)),
        ("agon", _) => Box::new(agon_set(rest)),
        ("board-game", "games") => Box::new(board_game_games),
        ("board-game", "mcts") => Box::new(board_game_mcts),
        ("minimax", "search") => searched::<Connect4Standard, _>(MinimaxSearch),
        ("minimax", "chess") => searched::<Chess, _>(MinimaxSearch),
        ("minimax", "othello") => searched::<Othello, _>(MinimaxSearch),
        ("minimax", "mcts") => minimax_mcts(),
        ("connect-four-ai", _) => Box::new(connect_four_ai_set(rest)),
        other => panic!("{other:?} is no work that is known"),
    };
    let clock = Instant::now();
    let (units, result) = work();
    println!("{units} {:.6} {result}", clock.elapsed().as_secs_f64());
}

/// A game that agon and `minimax` search with agon's rules and one of agon's evaluators.
trait Searched: Configurable {
    const EVALUATOR: &'static str;
    const DEPTH: u32;

    /// The game, built once: peers ask for it at every move of agon's rules.
    fn game() -> &'static Self;
}

macro_rules! searched {
    ($game:ty, $evaluator:literal, $depth:literal) => {
        impl Searched for $game {
            const EVALUATOR: &'static str = $evaluator;
            const DEPTH: u32 = $depth;

            fn game() -> &'static Self {
                static GAME: LazyLock<$game> =
                    LazyLock::new(|| Configurable::build(&Values::default()).expect("the board"));
                &GAME
            }
        }
    };
}

searched!(Connect4Standard, "segments", 12);
searched!(Chess, "material", 7);
searched!(Othello, "mobility", 9);

fn game() -> &'static Connect4Standard {
    Connect4Standard::game()
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

/// A search of the start position with the game's evaluator.
fn searched<G: Searched, V: EvaluatorVisitor<G, Out = Work>>(visitor: V) -> Work {
    G::game().with_evaluator(G::EVALUATOR, &Weights::new(), visitor).ok().expect("the evaluator")
}

struct AgonSearch;

impl<G: Searched> EvaluatorVisitor<G> for AgonSearch {
    type Out = Work;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Work {
        let game = G::game();
        let options = AlphaBetaOptions { table_mb: 16, ..AlphaBetaOptions::FULL };
        let mut search = AlphaBeta::new(evaluator, options);
        search.new_game();
        let start = game.start();
        Box::new(move || {
            let answer = search.search(game, &start, &Limits::depth(G::DEPTH), false);
            (1, best::<G>(&start, answer.value, answer.best[0], answer.stats.nodes))
        })
    }
}

fn best<G: Searched>(start: &G::State, value: i32, mv: G::Move, nodes: u64) -> String {
    let mut text = String::new();
    G::game().write_move(start, mv, &mut text);
    format!("value {value} of {text}, {nodes} nodes")
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

struct Rules<G>(PhantomData<G>);

/// A position, and whether the first player is to move. In these games players alternate.
#[derive(Clone)]
struct Alternating<S>(S, bool);

impl<G: Searched> minimax::Game for Rules<G> {
    type S = Alternating<G::State>;
    type M = G::Move;

    fn generate_moves(state: &Self::S, moves: &mut Vec<G::Move>) {
        G::game().moves(&state.0, moves);
    }

    fn apply(state: &mut Self::S, mv: G::Move) -> Option<Self::S> {
        let mut next = Alternating(state.0.clone(), !state.1);
        G::game().play(&mut next.0, mv);
        Some(next)
    }

    fn get_winner(state: &Self::S) -> Option<minimax::Winner> {
        let game = G::game();
        if game.turn(&state.0) != Turn::Over {
            return None;
        }
        let payoff = game.payoff(&state.0);
        Some(match payoff {
            0 => minimax::Winner::Draw,
            _ if (payoff > 0) == state.1 => minimax::Winner::PlayerToMove,
            _ => minimax::Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &Self::S) -> u64 {
        G::game().key(&state.0)
    }
}

struct Static<G, E>(E, PhantomData<G>);

impl<G: Searched, E: Evaluator<G>> minimax::Evaluator for Static<G, E> {
    type G = Rules<G>;

    fn evaluate(&self, state: &Alternating<G::State>) -> minimax::Evaluation {
        let value = self.0.evaluate(G::game(), &state.0);
        (if state.1 { value } else { -value }) as minimax::Evaluation
    }
}

impl<G: Searched> EvaluatorVisitor<G> for MinimaxSearch {
    type Out = Work;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Work {
        use minimax::Strategy;
        let options = minimax::IterativeOptions::new().with_table_byte_size(16 << 20);
        let mut search = minimax::IterativeSearch::new(Static(evaluator, PhantomData), options);
        search.set_max_depth(G::DEPTH as u8);
        let start = Alternating(G::game().start(), true);
        Box::new(move || {
            let mv = search.choose_move(&start).expect("a move");
            let stats = search.stats(&mut start.clone());
            let nodes = stats.split("Explored ").nth(1).and_then(|rest| rest.split(' ').next());
            let nodes = nodes.and_then(|text| text.parse().ok()).expect("the number of nodes");
            (1, best::<G>(&start.0, i32::from(search.root_value()), mv, nodes))
        })
    }
}

fn agon_mcts() -> Work {
    let mut search = mcts(game(), SIMULATIONS);
    Box::new(move || searches(|seed| usize::from(search(seed))))
}

/// A search of the start position by simulations, from a seed.
fn mcts<G: Game>(game: &G, simulations: u64) -> impl FnMut(u64) -> G::Move {
    let mut search = Mcts::new(agon::games::Zero, MctsOptions::default());
    search.new_game();
    let limits = Limits::default();
    move |seed| search.search(game, &game.start(), &[], Some(simulations), &limits, seed).best[0]
}

fn agon_go() -> Work {
    let game: &Go = Box::leak(Box::new(Go::build(&Values::default()).expect("the usual board")));
    let mut search = mcts(game, GO_SIMULATIONS);
    Box::new(move || {
        let mut text = String::new();
        game.write_move(&game.start(), search(1), &mut text);
        (GO_SIMULATIONS, format!("move {text}"))
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

fn minimax_mcts() -> Work {
    use minimax::Strategy;
    let options = minimax::MCTSOptions::default().with_num_threads(1);
    let mut search = minimax::MonteCarloTreeSearch::<Rules<Connect4Standard>>::new(options);
    search.set_max_rollouts(SIMULATIONS as u32);
    let start = Alternating(game().start(), true);
    Box::new(move || searches(|_| usize::from(search.choose_move(&start).expect("a move"))))
}

/// A solver, and positions that are read; a position is a sequence of columns from 1.
fn agon_solver(positions: &[String]) -> (Solver, Vec<<Connect4Standard as Game>::State>) {
    let states = positions.iter().map(|text| game().read_position(text).expect("a position"));
    (Solver::new(game(), 64, 1), states.collect())
}

/// The scores of all moves in each position.
fn agon_solve(positions: &[String]) -> impl FnMut() -> Done + use<> {
    let (mut solver, states) = agon_solver(positions);
    move || {
        let scores = states.iter().flat_map(|state| black_box(solver.moves(state)));
        let sum: i64 = scores.map(|mv| i64::from(mv.score)).sum();
        (states.len() as u64, format!("sum of scores {sum}"))
    }
}

/// Undecided positions of random moves as in a set of P. Pons' tests: `LEVEL REST COUNT`. Level 1
/// has 8 to 14 stones, level 2 up to 28, level 3 more. Under perfect play the game ends within
/// fewer than 14 plies (rest 1), fewer than 28 (2) or later (3).
fn positions(set: &[String]) -> Vec<String> {
    let [level, rest, count] = [0, 1, 2].map(|place| set[place].parse::<u32>().expect("a number"));
    let game = game();
    let mut rng = SmallRng::seed_from_u64(u64::from(10 * level + rest));
    let mut solver = Solver::new(game, 64, 1);
    let mut search = AlphaBeta::new(agon::games::Zero, AlphaBetaOptions::FULL);
    let mut found = Vec::new();
    while found.len() < count as usize {
        let stones = rng.gen_range(8.max(14 * level - 13)..=14 * level);
        let (mut state, mut text) = (game.start(), String::new());
        let mut moves = Vec::new();
        while state.plies() < stones && game.turn(&state) != Turn::Over {
            moves.clear();
            game.moves(&state, &mut moves);
            let mv = moves[rng.gen_range(0..moves.len())];
            game.play(&mut state, mv);
            text.push(char::from(b'1' + mv));
        }
        if game.turn(&state) == Turn::Over {
            continue;
        }
        // Most openings take the solver longer than this search, which finds every early end.
        let ends_early = search.search(game, &state, &Limits::depth(13), false).value != 0;
        if ends_early != (rest == 1) && level < 3 {
            continue;
        }
        let left = solver.solve(&state).ending - stones;
        if left / 14 + 1 == rest {
            found.push(text);
        }
    }
    found
}

/// The score of each position; nothing is cleared between them.
fn agon_set(positions: &[String]) -> impl FnMut() -> Done + use<> {
    let (mut solver, states) = agon_solver(positions);
    move || {
        let sum: i64 = states.iter().map(|state| i64::from(solver.solve(state).score)).sum();
        (states.len() as u64, format!("sum of scores {sum}"))
    }
}

fn connect_four_ai_set(positions: &[String]) -> impl FnMut() -> Done + use<> {
    use connect_four_ai::{Position, Solver};
    // Without the book of openings.
    let mut solver = Solver::empty();
    let read = |text: &String| Position::from_moves(text).expect("a position");
    let positions: Vec<Position> = positions.iter().map(read).collect();
    move || {
        let sum: i64 = positions.iter().map(|position| i64::from(solver.solve(position))).sum();
        (positions.len() as u64, format!("sum of scores {sum}"))
    }
}
