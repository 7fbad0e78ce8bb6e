//! Tests of searches in chess: equal to minimax, find mates, handle repetition.

use crate::support::games::{build, table};
use agon::games::chess::ChessState;
use agon::games::{
    Chess, Configurable, Evaluator, EvaluatorVisitor, Game, Notation, Player, SearchHints, Turn,
    Weights,
};
use agon::search::{
    AlphaBeta, AlphaBetaOptions, Expectimax, Limits, Mcts, MctsOptions, Minimax, Opponent,
    Ordering, StarExpectimax, StarOptions, Terminal, WIN,
};

fn chess() -> Chess {
    build::<Chess>("chess")
}

fn after(game: &Chess, state: &ChessState, mv: <Chess as Game>::Move) -> ChessState {
    let mut child = state.clone();
    game.play(&mut child, mv);
    child
}

fn moves(game: &Chess, state: &ChessState) -> Vec<<Chess as Game>::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

/// Whether this move forces mate in at most `n` moves.
fn mates(game: &Chess, state: &ChessState, mv: <Chess as Game>::Move, n: u32) -> bool {
    let child = after(game, state, mv);
    match game.turn(&child) {
        Turn::Over => game.reason(&child) == "checkmate",
        _ if n == 1 => false,
        _ => moves(game, &child).into_iter().all(|reply| {
            let next = after(game, &child, reply);
            game.turn(&next) != Turn::Over && some_move_mates(game, &next, n - 1)
        }),
    }
}

fn some_move_mates(game: &Chess, state: &ChessState, n: u32) -> bool {
    moves(game, state).into_iter().any(|mv| mates(game, state, mv, n))
}

/// The number of moves until mate, the first move, and the position.
fn suite() -> Vec<(u32, &'static str, &'static str)> {
    let rows = table(include_str!("../../../../tests/data/games/chess_mates.txt"));
    rows.map(|row| (row[0].parse().unwrap(), row[1], row[2])).collect()
}

#[test]
fn mates_are_as_long_as_they_are_said_to_be() {
    let game = chess();
    let suite = suite();
    assert_eq!(suite.len(), 20);
    for (n, key, fen) in suite {
        let state = game.read_position(fen).unwrap();
        let key = game.notation().read_move(&state, key).unwrap();
        assert!(!(n > 1 && some_move_mates(&game, &state, n - 1)), "{fen}: sooner than {n}");
        // For longer mates, checks only that the key mates, not that no other move does.
        for mv in moves(&game, &state).into_iter().filter(|&mv| mv == key || n < 3) {
            assert_eq!(mates(&game, &state, mv, n), mv == key, "{fen}: {mv:?} in {n}");
        }
    }
}

/// Calls a function with the default evaluator.
struct With<F>(F);

impl<F: FnOnce(&dyn Fn(AlphaBetaOptions) -> Answered)> EvaluatorVisitor<Chess> for With<F> {
    type Out = ();

    fn visit<E: Evaluator<Chess> + Clone>(self, evaluator: E) {
        self.0(&|options| {
            let mut search = AlphaBeta::new(evaluator.clone(), options);
            Box::new(move |game, state, limits| {
                search.new_game();
                let answer = search.search(game, state, limits, false);
                (answer.value, answer.best[0])
            })
        });
    }
}

type Answered = Box<dyn FnMut(&Chess, &ChessState, &Limits) -> (i32, <Chess as Game>::Move)>;

#[test]
fn alpha_beta_solves_the_suite() {
    let game = chess();
    let full = AlphaBetaOptions { table_mb: 1, ..AlphaBetaOptions::FULL };
    let all = [full, AlphaBetaOptions { quiescence: true, null_move: true, lmr: true, ..full }];
    let run = |search: &dyn Fn(AlphaBetaOptions) -> Answered| {
        for options in all {
            let mut search = search(options);
            // Null-move pruning may miss a mate that depends on zugzwang.
            for (n, key, fen) in suite().into_iter().filter(|(n, ..)| !options.null_move || *n < 3)
            {
                let state = game.read_position(fen).unwrap();
                let key = game.notation().read_move(&state, key).unwrap();
                let (value, best) = search(&game, &state, &Limits::depth(2 * n - 1));
                let sign = if game.turn(&state) == Turn::Player(Player::First) { 1 } else { -1 };
                assert_eq!((sign * value, best), (WIN - (2 * n - 1) as i32, key), "{fen}");
            }
        }
    };
    game.with_evaluator("pst", &Weights::new(), With(run)).unwrap();
}

/// Compares alpha-beta without a table with plain minimax.
struct Compare<'a>(&'a Chess);

impl EvaluatorVisitor<Chess> for Compare<'_> {
    type Out = ();

    fn visit<E: Evaluator<Chess> + Clone>(self, evaluator: E) {
        let game = self.0;
        let positions = [
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 2),
            ("r3k3/8/8/8/8/8/8/4K2R w K - 96 90", 2),
            ("8/8/4k3/8/2b5/8/3KP3/8 b - - 0 1", 3),
            ("4k3/2p5/8/1P1n4/2B5/8/4P3/4K3 w - - 0 1", 2),
            ("6k1/1r3ppp/p7/8/8/P7/1R3PPP/6K1 w - - 5 9", 2),
            ("6k1/1r3ppp/p7/8/8/P7/1R3PPP/6K1 b - - 5 9", 3),
        ];
        for (fen, depth) in positions {
            let state = game.read_position(fen).unwrap();
            // The history contains positions that some moves lead back to.
            let history: Vec<u64> = (moves(game, &state).into_iter().step_by(3))
                .map(|mv| game.key(&after(game, &state, mv)))
                .flat_map(|key| [key, 0])
                .collect();
            for quiescence in [false, true] {
                let mut plain =
                    Minimax::new(evaluator.clone(), Terminal::Outcome).quiescence(quiescence);
                plain.remember(&history);
                let known = plain.search(game, &state, depth);
                let orderings = [Ordering::None, Ordering::Static, Ordering::Full];
                for options in
                    orderings.map(|o| AlphaBetaOptions { ordering: o, ..AlphaBetaOptions::PLAIN })
                {
                    let pvs = options.ordering == Ordering::Full;
                    let options = AlphaBetaOptions { quiescence, pvs, killers: pvs, ..options };
                    let mut search = AlphaBeta::new(evaluator.clone(), options);
                    search.remember(&history);
                    let found = search.search(game, &state, &Limits::depth(depth), true);
                    assert_eq!((found.value, &found.best), (known.value, &known.best), "{fen}");
                }
            }
        }
    }
}

#[test]
fn alpha_beta_is_minimax() {
    let game = chess();
    for name in ["material", "pst"] {
        game.with_evaluator(name, &Weights::new(), Compare(&game)).unwrap();
    }
}

/// The values of all moves by three searches that know the history.
struct Values<'a>(&'a Chess, &'a ChessState, &'a [u64]);

impl EvaluatorVisitor<Chess> for Values<'_> {
    type Out = [Vec<(<Chess as Game>::Move, i32)>; 2];

    fn visit<E: Evaluator<Chess> + Clone>(self, evaluator: E) -> Self::Out {
        let Values(game, state, history) = self;
        let mut plain = Minimax::new(evaluator.clone(), Terminal::Outcome);
        let mut search =
            AlphaBeta::new(evaluator, AlphaBetaOptions { table_mb: 1, ..AlphaBetaOptions::FULL });
        let mut values = [Vec::new(), Vec::new()];
        plain.remember(history);
        plain.values(game, state, 2, &mut values[0]);
        search.remember(history);
        search.values(game, state, &Limits::depth(2), &mut values[1]);
        values
    }
}

#[test]
fn going_back_is_a_draw() {
    let game = chess();
    // White is a rook up. Its move goes back, or lets Black go back.
    let walks = [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 10 20", "Ke2 Ke7 Ke1 Kd6 Ke2 Ke7", "Ke1"),
        ("4k3/pppp4/8/8/8/8/PPPP4/1R2K3 w - - 0 20", "Ra1 Ke7", "Rb1"),
    ];
    for (start, words, back) in walks {
        let mut state = game.read_position(start).unwrap();
        let mut history = Vec::new();
        for word in words.split(' ') {
            history.push(game.key(&state));
            let mv = game.notation().read_move(&state, word).unwrap();
            game.play(&mut state, mv);
        }
        let back = game.notation().read_move(&state, back).unwrap();
        for (past, name) in
            [&history[..], &[]].into_iter().flat_map(|p| [(p, "material"), (p, "pst")])
        {
            let visited = game.with_evaluator(name, &Weights::new(), Values(&game, &state, past));
            for values in visited.unwrap() {
                for (mv, value) in values {
                    let repeats = mv == back && !past.is_empty();
                    assert_eq!(value == 0, repeats, "{name}: {mv:?} is worth {value}");
                }
            }
        }
    }
}

#[test]
fn tree_search_knows_repetition_too() {
    struct Visits<'a>(&'a Chess, &'a ChessState, &'a [u64]);
    impl EvaluatorVisitor<Chess> for Visits<'_> {
        type Out = f64;
        fn visit<E: Evaluator<Chess> + Clone>(self, evaluator: E) -> f64 {
            let Visits(game, state, history) = self;
            let options =
                MctsOptions { tree_mb: 1, playout_plies: Some(0), ..MctsOptions::default() };
            let mut search = Mcts::new(evaluator, options);
            search.new_game();
            search.search(game, state, history, Some(60), &Limits::default(), 1).value
        }
    }
    let game = chess();
    // Black has one move, and it repeats a position; without the history, White is simply ahead.
    let state = game.read_position("k7/8/8/8/8/8/1R6/K7 b - - 30 40").unwrap();
    let only = moves(&game, &state);
    assert_eq!(only.len(), 1);
    let there = game.key(&after(&game, &state, only[0]));
    let filler = [1, there, 2, 3];
    let value =
        |history| game.with_evaluator("material", &Weights::new(), Visits(&game, &state, history));
    assert_eq!(value(&filler[..]), Ok(0.0));
    assert!(value(&[]).is_ok_and(|value| value > 0.5));
}

/// In one search, kings move back and forth, so the same position has different clocks.
#[test]
fn tables_distinguish_counts_near_fifty_moves() {
    struct Walk<'a>(&'a Chess);
    impl EvaluatorVisitor<Chess> for Walk<'_> {
        type Out = ();
        fn visit<E: Evaluator<Chess> + Clone>(self, evaluator: E) {
            let Walk(game) = self;
            let outcome = Terminal::Outcome;
            let mut plain = Expectimax::new(evaluator.clone(), outcome, Opponent::Perfect);
            let (opponent, table_mb) = (Opponent::Perfect, 1);
            let options = StarOptions { opponent, table_mb, ..StarOptions::default() };
            let mut search = StarExpectimax::new(evaluator, options);
            let mut state = game.read_position("4k3/8/8/8/8/8/8/R3K3 w - - 93 90").unwrap();
            for word in ["Kd1", "Kd8", "Ke1", "Ke8", ""] {
                let known = plain.search(game, &state, 3);
                let found = search.search(game, &state, &Limits::depth(3), true);
                let what = game.write_position(&state);
                assert_eq!((found.value, &found.best), (known.value, &known.best), "{what}");
                if let Ok(mv) = game.notation().read_move(&state, word) {
                    game.play(&mut state, mv);
                }
            }
            assert_eq!(plain.search(game, &state, 3).value, 0.0, "the count is at 97");
        }
    }
    let game = chess();
    game.with_evaluator("material", &Weights::new(), Walk(&game)).unwrap();
}

#[test]
fn passes_are_for_those_with_pieces_and_no_check() {
    let game = chess();
    let passes = |fen| game.hints().pass(&game.read_position(fen).unwrap());
    assert_eq!(passes("4k3/p7/8/8/8/8/P7/4K3 w - - 0 1"), None);
    assert_eq!(passes("4k3/p7/8/8/8/8/P3r3/4K2R w K - 0 1"), None);
    let passed = passes("4k3/p7/8/8/8/8/P7/4K2R w K - 0 1").unwrap();
    assert_eq!(game.write_position(&passed), "4k3/p7/8/8/8/8/P7/4K2R b K - 1 1");
}
