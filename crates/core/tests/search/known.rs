//! Tests of known results: node counts of the literature, values of small boards, the textbook's
//! game.

use crate::support::search::build;
use agon::games::{
    Configurable, Connect4Standard, Evaluator, EvaluatorVisitor, Game, Mnk, Player, TicTacToe,
    Turn, Weights, Zero,
};
use agon::search::{AlphaBeta, AlphaBetaOptions, Limits, Minimax, Ordering, Terminal, WIN, is_win};

const PLAIN: AlphaBetaOptions = AlphaBetaOptions::PLAIN;

#[test]
fn tic_tac_toe_by_minimax() {
    let answer = Minimax::new(Zero, Terminal::Outcome).search(&TicTacToe, &TicTacToe.start(), 9);
    assert_eq!(answer.stats.nodes, 549_946);
    assert_eq!(answer.stats.leaves, 255_168);
    assert_eq!((answer.value, answer.best.len()), (0, 9));
}

/// Values a finished game only by its result, so all wins are equal.
#[derive(Clone)]
struct Result;

impl<G: Game> Evaluator<G> for Result {
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        if game.turn(state) == Turn::Over { game.payoff(state) } else { 0 }
    }
}

#[test]
fn tic_tac_toe_by_alpha_beta_in_board_order() {
    let state = TicTacToe.start();
    let limits = Limits::depth(9);
    let options = AlphaBetaOptions { terminal: Terminal::Evaluator, ..PLAIN };
    let answer = AlphaBeta::new(Result, options).search(&TicTacToe, &state, &limits, false);
    assert_eq!(answer.stats.nodes, 18_297);
    assert_eq!((answer.value, answer.best), (0, vec![0]));
    // If earlier wins are better, one win does not cut off the search for another.
    let answer = AlphaBeta::new(Zero, PLAIN).search(&TicTacToe, &state, &limits, false);
    assert_eq!(answer.stats.nodes, 20_866);
    assert_eq!((answer.value, answer.best), (0, vec![0]));
}

/// A budget that is not used up must not change the counts.
#[test]
fn both_loops_enter_the_same_positions() {
    let game = build::<Connect4Standard>(&[]);
    let state = game.read_position("4453").unwrap();
    for quiescence in [false, true] {
        let mut search = AlphaBeta::new(Zero, AlphaBetaOptions { quiescence, ..PLAIN });
        let mut deepened = 0;
        for depth in 1..=8 {
            let plain = search.search(&game, &state, &Limits::depth(depth), false);
            deepened += plain.stats.nodes;
            let budget = Limits { nodes: Some(1 << 40), ..Limits::depth(depth) };
            let watched = search.search(&game, &state, &budget, false);
            assert_eq!(watched.stats.nodes, deepened, "depth {depth}, {quiescence}");
            assert_eq!((watched.value, watched.best), (plain.value, plain.best));
            assert_eq!(plain.stats.depth, depth);
            assert!(plain.stats.selective_depth >= depth);
            assert!(plain.stats.first_cutoffs <= plain.stats.cutoffs);
        }
    }
}

#[test]
fn perfect_tic_tac_toe_is_a_draw() {
    for options in [PLAIN, AlphaBetaOptions { table_mb: 1, ordering: Ordering::Full, ..PLAIN }] {
        let mut search = AlphaBeta::new(Zero, options);
        let mut state = TicTacToe.start();
        while TicTacToe.turn(&state) != Turn::Over {
            let answer = search.search(&TicTacToe, &state, &Limits::depth(9), false);
            assert_eq!(answer.value, 0);
            TicTacToe.play(&mut state, answer.best[0]);
        }
        assert_eq!(TicTacToe.payoff(&state), 0);
    }
}

/// Three positions, X to move: X wins, X blocks, X wins in two.
#[test]
fn three_tic_tac_toe_positions() {
    let cases =
        [("XOXX_O__O", 6, Some(WIN - 1)), ("X____O_XO", 2, None), ("X____OOX_", 1, Some(WIN - 3))];
    for (text, best, value) in cases {
        let state = TicTacToe.read_position(text).unwrap();
        assert_eq!(TicTacToe.turn(&state), Turn::Player(Player::First), "{text}");
        let answer = Minimax::new(Zero, Terminal::Outcome).search(&TicTacToe, &state, 9);
        assert_eq!(answer.best[0], best, "{text}");
        assert!(value.is_none_or(|value| value == answer.value), "{text}: {}", answer.value);
        for ordering in [Ordering::None, Ordering::Static, Ordering::Full] {
            for table_mb in [0, 1] {
                let mut search =
                    AlphaBeta::new(Zero, AlphaBetaOptions { ordering, table_mb, ..PLAIN });
                let again = search.search(&TicTacToe, &state, &Limits::depth(9), true);
                assert_eq!((again.value, again.best), (answer.value, answer.best.clone()));
            }
        }
    }
}

#[test]
fn values_of_small_boards() {
    let cases = [
        ((3, 3, 3), 0),
        ((4, 3, 3), 1),
        ((3, 4, 3), 1),
        ((4, 4, 3), 1),
        ((4, 3, 4), 0),
        ((5, 3, 4), 0),
        ((4, 4, 4), 0),
    ];
    for ((m, n, k), expected) in cases {
        let game = build::<Mnk<1>>(&[("m", m), ("n", n), ("k", k)]);
        let mut search =
            AlphaBeta::new(Zero, AlphaBetaOptions { table_mb: 16, ..AlphaBetaOptions::default() });
        let limits = Limits::depth((m * n) as u32);
        let answer = search.search(&game, &game.start(), &limits, false);
        assert_eq!(answer.value.signum(), expected, "({m},{n},{k})");
        assert_eq!(is_win(answer.value), expected != 0, "({m},{n},{k})");
    }
}

/// The self-play game of the textbook's program, depth 4, columns from 0.
const TEXTBOOK: &str =
    "2 0 3 4 3 2 3 3 2 2 2 3 0 0 0 0 2 3 6 6 4 4 4 0 6 6 6 6 1 1 1 1 1 1 5 5 4 4 5 5 5 5";

struct SelfPlay<'a> {
    game: &'a Connect4Standard,
    options: Option<AlphaBetaOptions>,
}

impl EvaluatorVisitor<Connect4Standard> for SelfPlay<'_> {
    type Out = (String, i32);

    fn visit<E: Evaluator<Connect4Standard> + Clone>(self, evaluator: E) -> Self::Out {
        let game = self.game;
        let mut minimax = Minimax::new(evaluator.clone(), Terminal::Evaluator);
        let mut search = AlphaBeta::new(evaluator, self.options.unwrap_or_default());
        let mut state = game.start();
        let mut columns = Vec::new();
        while game.turn(&state) != Turn::Over {
            let answer = match self.options {
                None => minimax.search(game, &state, 4),
                Some(_) => search.search(game, &state, &Limits::depth(4), false),
            };
            columns.push(answer.best[0].to_string());
            game.play(&mut state, answer.best[0]);
        }
        (columns.join(" "), game.payoff(&state))
    }
}

#[test]
fn the_textbooks_program_plays_its_game() {
    let game = build::<Connect4Standard>(&[]);
    let mut ways = vec![None];
    for ordering in [Ordering::None, Ordering::Static, Ordering::Full] {
        for table_mb in [0, 1] {
            let terminal = Terminal::Evaluator;
            ways.push(Some(AlphaBetaOptions {
                terminal,
                ordering,
                table_mb,
                ..AlphaBetaOptions::FULL
            }));
        }
    }
    for options in ways {
        let visitor = SelfPlay { game: &game, options };
        let (columns, payoff) = game.with_evaluator("segments", &Weights::new(), visitor).unwrap();
        assert_eq!((columns.as_str(), payoff), (TEXTBOOK, -1), "{options:?}");
    }
}
