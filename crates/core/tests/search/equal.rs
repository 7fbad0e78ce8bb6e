//! Tests that every search returns the value of plain minimax, with all exact options.

use crate::support::search::{Graph, Opinion, build, position};
use agon::games::{Connect4, Connect4Standard, Game, Mnk, Player, TicTacToe, Turn};
use agon::search::{AlphaBeta, AlphaBetaOptions, Limits, Minimax, Ordering, Terminal};

/// All options that do not change values: every ordering without and with a table, each with none
/// and with all of the other options; and each other option alone.
fn all_options(terminal: Terminal, quiescence: bool) -> Vec<AlphaBetaOptions> {
    let plain = AlphaBetaOptions { terminal, quiescence, ..AlphaBetaOptions::PLAIN };
    let full = AlphaBetaOptions { terminal, quiescence, aspiration: 3, ..AlphaBetaOptions::FULL };
    let orderings = [Ordering::None, Ordering::Static, Ordering::Full];
    let mut all: Vec<AlphaBetaOptions> = (orderings.into_iter())
        .flat_map(|ordering| [0, 1].map(|table_mb| (ordering, table_mb)))
        .flat_map(|(ordering, table_mb)| {
            [plain, full].map(|o| AlphaBetaOptions { ordering, table_mb, ..o })
        })
        .collect();
    let base = AlphaBetaOptions { ordering: Ordering::Full, table_mb: 1, ..plain };
    all.extend([
        AlphaBetaOptions { killers: true, ..base },
        AlphaBetaOptions { history: true, ..base },
        AlphaBetaOptions { forced_moves: true, ..base },
        AlphaBetaOptions { pvs: true, ..base },
        AlphaBetaOptions { aspiration: 1, ..base },
        AlphaBetaOptions { aspiration: 1_000_000_000, ..base },
    ]);
    all
}

/// Compares alpha-beta with all options to plain minimax on one position.
fn compare<G: Game + Clone>(
    game: &G,
    state: &G::State,
    depth: u32,
    opinion: Opinion,
    searches: &mut [AlphaBeta<G, Opinion>],
    yardstick: &mut Minimax<G, Opinion>,
) {
    let Turn::Player(player) = game.turn(state) else { panic!("not a position to search") };
    let plain = yardstick.search(game, state, depth);
    let mut exact = Vec::new();
    yardstick.values(game, state, depth, &mut exact);
    let limits = [Limits::depth(depth), Limits { nodes: Some(u64::MAX), ..Limits::depth(depth) }];
    for (n, search) in searches.iter_mut().enumerate() {
        for limits in &limits {
            let what = format!("{opinion:?}, depth {depth}, search {n}, {limits:?}, {state:?}");
            let first = search.search(game, state, limits, false);
            assert_eq!(first.value, plain.value, "{what}");
            assert_eq!(first.best, plain.best[..1], "{what}");
            let all = search.search(game, state, limits, true);
            assert_eq!((all.value, &all.best), (plain.value, &plain.best), "{what}");
            let mut values = Vec::new();
            search.values(game, state, limits, &mut values);
            assert_eq!(values, exact, "{what}");
        }
    }
    let best = exact.iter().map(|&(_, value)| value);
    let best = if player == Player::First { best.max() } else { best.min() };
    assert_eq!(best, Some(plain.value));
}

/// Compares on many positions; the searches keep their memory from game to game.
fn compare_all<G: Game + Clone>(
    games: impl Fn(u64) -> G,
    rounds: u64,
    plies: u64,
    depths: std::ops::RangeInclusive<u32>,
    terminal: Terminal,
    quiescence: bool,
) {
    for round in 0..rounds {
        let game = games(round);
        let opinion = Opinion { seed: round, range: [0, 2, 1000][round as usize % 3] };
        let mut searches: Vec<_> = all_options(terminal, quiescence)
            .into_iter()
            .map(|options| AlphaBeta::new(opinion, options))
            .collect();
        let mut yardstick = Minimax::new(opinion, terminal).quiescence(quiescence);
        for depth in depths.clone() {
            let state = position(&game, round * 100 + u64::from(depth), round % (plies + 1));
            compare(&game, &state, depth, opinion, &mut searches, &mut yardstick);
            if depth % 3 == 0 {
                searches.iter_mut().for_each(AlphaBeta::new_game);
            }
        }
    }
}

#[test]
fn alpha_beta_is_minimax_on_graphs() {
    for terminal in [Terminal::Outcome, Terminal::Evaluator] {
        for quiescence in [false, true] {
            compare_all(Graph::new, 60, 3, 1..=7, terminal, quiescence);
        }
    }
}

#[test]
fn alpha_beta_is_minimax_on_graphs_with_scores() {
    let games = |seed| Graph { scored: true, ..Graph::new(seed) };
    compare_all(games, 60, 3, 1..=7, Terminal::Outcome, false);
}

#[test]
fn alpha_beta_is_minimax_on_small_worlds() {
    // Few positions, so every position repeats at every depth.
    let games = |seed| Graph { width: 3, layers: 30, ..Graph::new(seed) };
    compare_all(games, 60, 3, 1..=7, Terminal::Outcome, false);
}

#[test]
fn alpha_beta_is_minimax_in_tic_tac_toe() {
    for quiescence in [false, true] {
        compare_all(|_| TicTacToe, 12, 8, 1..=5, Terminal::Outcome, quiescence);
        compare_all(|_| TicTacToe, 12, 8, 6..=9, Terminal::Evaluator, quiescence);
    }
}

#[test]
fn alpha_beta_is_minimax_in_mnk() {
    let sizes = [[4, 3, 3], [4, 4, 3], [5, 4, 4], [3, 5, 3]];
    let games = |round: u64| {
        let [m, n, k] = sizes[round as usize % sizes.len()];
        build::<Mnk<1>>(&[("m", m), ("n", n), ("k", k)])
    };
    for quiescence in [false, true] {
        compare_all(games, 24, 11, 1..=4, Terminal::Outcome, quiescence);
    }
    let wide = |_| build::<Mnk<4>>(&[("m", 15), ("n", 15), ("k", 5)]);
    compare_all(wide, 3, 40, 1..=2, Terminal::Outcome, false);
}

#[test]
fn alpha_beta_is_minimax_in_connect_four() {
    for terminal in [Terminal::Outcome, Terminal::Evaluator] {
        for quiescence in [false, true] {
            let standard = |_| build::<Connect4Standard>(&[]);
            compare_all(standard, 24, 30, 1..=5, terminal, quiescence);
        }
    }
    let small = |round: u64| {
        let (columns, rows) = [(4, 4), (5, 4), (6, 5), (8, 7)][round as usize % 4];
        build::<Connect4>(&[("columns", columns), ("rows", rows), ("connect", 3)])
    };
    compare_all(small, 12, 8, 1..=5, Terminal::Outcome, true);
}
