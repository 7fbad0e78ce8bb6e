//! Checks of rules and solvers: random games, positions after some plies, and plain alpha-beta.

use agon::games::{AnyEvaluator, Configurable, ExactSolver, Game, PlayoutBuffer, perft, playout};
use agon::solve::{AlphaBetaSolver, exact_solver};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// Means of random games from the start, from the first player's point of view.
pub struct RandomGames {
    pub wins: f64,
    pub draws: f64,
    pub payoff: f64,
    pub plies: f64,
}

/// Plays this number of random games from a fixed seed.
pub fn random_games<G: Game>(game: &G, games: u32) -> RandomGames {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut buffer = PlayoutBuffer::default();
    let mut sums = [0; 4];
    for _ in 0..games {
        let (payoff, plies) = playout(game, game.start(), &mut rng, &mut buffer);
        let of_game = [i32::from(payoff > 0), i32::from(payoff == 0), payoff, plies as i32];
        sums.iter_mut().zip(of_game).for_each(|(sum, value)| *sum += value);
    }
    let [wins, draws, payoff, plies] = sums.map(|sum| f64::from(sum) / f64::from(games));
    RandomGames { wins, draws, payoff, plies }
}

/// Compares the numbers of positions after 1, 2, … plies, as far as they are at most `most`.
pub fn check_counts<G: Game>(game: &G, position: &str, counts: &[u64], most: u64) {
    let state = game.read_position(position).expect("a position");
    for (depth, &count) in (1..).zip(counts).filter(|(_, count)| **count <= most) {
        assert_eq!(perft(game, &state, depth), count, "{position} to {depth}");
    }
}

/// Compares a game's solver with plain alpha-beta: values, values of moves, and best moves.
pub fn check_solver<G: Configurable>(game: &G, order: AnyEvaluator<G>, positions: &[G::State]) {
    let mut solver = exact_solver(game).map_err(|no| no.why).expect("a solver");
    let mut plain = AlphaBetaSolver::<G>::new(order);
    solver.set_table_mb(1);
    plain.set_table_mb(1);
    let (mut moves, mut expected, mut best) = (Vec::new(), Vec::new(), Vec::new());
    for state in positions {
        let (text, value) = (game.write_position(state), plain.value(game, state));
        assert_eq!(solver.value(game, state).mean, value.mean, "{text}");
        solver.move_values(game, state, &mut moves);
        plain.move_values(game, state, &mut expected);
        let means = |values: &[(G::Move, agon::games::Exact)]| {
            values.iter().map(|(mv, value)| (*mv, value.mean)).collect::<Vec<_>>()
        };
        assert_eq!(means(&moves), means(&expected), "{text}");
        solver.best_moves(game, state, &mut best);
        expected.retain(|(_, found)| found.mean == value.mean);
        assert!(expected.iter().map(|&(mv, _)| mv).eq(best.iter().copied()), "{text}");
        let line_move = solver.line_move(game, state);
        assert!(line_move.map_or(best.is_empty(), |mv| best.contains(&mv)), "{text}");
    }
}
