//! Tests of the m,n,k solver against published values and full search.

use std::collections::HashMap;

use crate::support::search::mix;
use agon::games::mnk::MnkParams;
use agon::games::{
    Configurable, Exact, ExactSolver, FullSearch, Game, Mnk, Player, SearchHints, Symmetry, Turn,
    best_of,
};
use agon::solve::exact_solver;
use agon::solve::mnk::LineSolver;

const DRAW: Exact = Exact { mean: 0.0, plies: None };

fn first_wins(plies: u32) -> Exact {
    Exact { mean: 1.0, plies: Some(plies) }
}

fn board<const W: usize>(m: u32, n: u32, k: u32, exact: bool) -> Mnk<W> {
    Mnk::from_params(MnkParams { m, n, k, exact }).expect("a board")
}

fn solver<const W: usize>(game: &Mnk<W>) -> LineSolver {
    LineSolver::new(game).expect("a board of few cells")
}

fn start_value<const W: usize>(game: &Mnk<W>) -> Exact {
    solver(game).value(game, &game.start())
}

/// Draws and wins: Uiterwijk and van den Herik 2000, "The advantage of the initiative".
/// Lengths of wins on boards of up to 16 cells: full search.
#[test]
fn empty_boards_have_their_published_values() {
    for (m, n, k, expected) in [
        (3, 3, 3, DRAW),
        (4, 3, 4, DRAW),
        (5, 3, 4, DRAW),
        (4, 4, 4, DRAW),
        (5, 4, 4, DRAW),
        (6, 4, 4, DRAW),
        (5, 5, 4, DRAW),
        (5, 5, 5, DRAW),
        (6, 6, 5, DRAW),
        (6, 6, 6, DRAW),
        (2, 2, 2, first_wins(3)),
        (4, 3, 3, first_wins(7)),
        (3, 4, 3, first_wins(7)),
        (4, 4, 3, first_wins(5)),
    ] {
        assert_eq!(start_value(&board::<1>(m, n, k, false)), expected, "({m},{n},{k})");
    }
    for (m, n, k) in [(5, 3, 3), (5, 5, 3), (6, 5, 4), (5, 6, 4), (6, 6, 4), (7, 6, 4)] {
        assert_eq!(start_value(&board::<1>(m, n, k, false)).mean, 1.0, "({m},{n},{k})");
    }
}

#[test]
#[ignore = "half a minute; `cargo test --release --test search solver_mnk -- --ignored`"]
fn larger_boards_have_their_published_values() {
    for (m, n, k) in [(7, 4, 4), (7, 6, 5), (7, 7, 5)] {
        assert_eq!(start_value(&board::<1>(m, n, k, false)), DRAW, "({m},{n},{k})");
    }
}

/// The value of the empty board, and the number of nodes.
fn counted<const W: usize>(game: &Mnk<W>) -> (Exact, u64) {
    let mut solver = solver(game);
    let value = solver.value(game, &game.start());
    (value, ExactSolver::<Mnk<W>>::nodes(&solver))
}

/// Compares the table of `docs/solver.md` with the solver's results, for boards with a number
/// of nodes in the range; prints them with their times.
fn figures(range: std::ops::Range<u64>) -> usize {
    let page = std::fs::read_to_string("../../docs/solver.md").expect("the page");
    let rows = page.split("| columns, rows, in a row |").nth(1).expect("the table").lines().skip(2);
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in rows.take_while(|row| row.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let shown: u64 = cells[2].replace(' ', "").parse().expect("nodes");
        if !range.contains(&shown) {
            continue;
        }
        let sizes: Vec<u32> = cells[0].split(", ").map(|size| size.parse().unwrap()).collect();
        let begun = std::time::Instant::now();
        let (value, nodes) = match sizes[..] {
            [m @ 8, n @ 8, k] => counted(&board::<2>(m, n, k, false)),
            [m, n, k] => counted(&board::<1>(m, n, k, false)),
            _ => panic!("three sizes: {row}"),
        };
        let time = begun.elapsed();
        let words = match value {
            DRAW => "draw".to_owned(),
            Exact { mean: 1.0, plies: Some(plies) } => format!("first player, {plies} plies"),
            other => format!("{other:?}"),
        };
        println!("{}: {words}, {nodes} nodes, {time:?}", cells[0]);
        if (words.as_str(), nodes) != (cells[1], shown) {
            wrong.push(format!("{row}: it is {words}, {nodes} nodes"));
        }
        compared += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    compared
}

#[test]
fn figures_of_the_page_are_what_is_counted() {
    assert_eq!(figures(0..500_000), 9);
}

#[test]
#[ignore = "seconds; `cargo test --release --test search solver_mnk::figures -- --include-ignored`"]
fn figures_of_the_page_are_what_is_counted_on_larger_boards() {
    assert_eq!(figures(500_000..u64::MAX), 1);
}

/// A position after this many random moves that do not end the game.
fn position<const W: usize>(
    game: &Mnk<W>,
    seed: u64,
    plies: u64,
) -> Option<<Mnk<W> as Game>::State> {
    let mut state = game.start();
    let mut moves = Vec::new();
    for ply in 0..plies {
        moves.clear();
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[(mix(&[seed, ply]) % moves.len() as u64) as usize]);
        if game.turn(&state) == Turn::Over {
            return None;
        }
    }
    Some(state)
}

/// Compares the solver with full search on random positions with at most this many empty cells:
/// equal values and distances, on every symmetric image and with every table size. Returns the
/// number of won positions, and the number of those won in more than three plies.
fn agree(boards: &[(u32, u32, u32)], positions: u64, empty: u64) -> (u32, u32) {
    let (mut won, mut deep) = (0, 0);
    for (number, &(m, n, k)) in boards.iter().enumerate() {
        for exact in [false, true] {
            let game = board::<1>(m, n, k, exact);
            let cells = u64::from(m * n);
            let mut full = FullSearch::default();
            let mut large = solver(&game);
            let mut tiny = LineSolver::with_table(&game, 1).expect("a board of few cells");
            for i in 0..positions {
                let seed = mix(&[number as u64, i]);
                let least = cells.saturating_sub(empty);
                let Some(state) = position(&game, seed, least + seed % (cells - least)) else {
                    continue;
                };
                let expected = full.value(&game, &state);
                let mirrored = game
                    .symmetry()
                    .map_state(1 + seed as usize % (game.symmetry().symmetries() - 1), &state);
                let values = [
                    large.value(&game, &state),
                    tiny.value(&game, &mirrored),
                    solver(&game).value(&game, &mirrored),
                ];
                let text = game.write_position(&state);
                assert_eq!(values, [expected; 3], "({m},{n},{k}) {exact} {text}");
                let (mut best, mut known, mut values) = (Vec::new(), Vec::new(), Vec::new());
                large.best_moves(&game, &state, &mut best);
                full.move_values(&game, &state, &mut values);
                let Turn::Player(mover) = game.turn(&state) else { unreachable!("not over") };
                best_of(&values, mover, &mut known);
                assert_eq!(best, known, "({m},{n},{k}) {exact} {text}");
                assert_eq!(large.line_move(&game, &state), known.first().copied());
                won += u32::from(expected.plies.is_some());
                deep += u32::from(expected.plies.is_some_and(|plies| plies > 3));
            }
        }
    }
    (won, deep)
}

#[test]
fn random_positions_agree_with_full_search() {
    let boards = [
        (3, 3, 3),
        (4, 3, 3),
        (4, 4, 3),
        (7, 2, 3),
        (4, 4, 4),
        (5, 4, 4),
        (6, 3, 4),
        (5, 5, 4),
        (6, 5, 4),
        (6, 6, 5),
        (4, 2, 2),
    ];
    let (won, deep) = agree(&boards, 120, 9);
    assert!(won > 700 && deep > 100, "{won} won, {deep} of them late");
}

#[test]
#[ignore = "minutes; `cargo test --release --test search solver_mnk -- --ignored`"]
fn random_positions_with_more_empty_cells_agree_with_full_search() {
    let boards = [(4, 3, 3), (4, 4, 3), (4, 4, 4), (5, 4, 4), (5, 5, 4), (6, 5, 4), (6, 4, 5)];
    let (won, deep) = agree(&boards, 600, 12);
    assert!(won > 2_000 && deep > 500, "{won} won, {deep} of them late");
}

#[test]
#[ignore = "a minute; `cargo test --release --test search solver_mnk -- --ignored`"]
fn empty_boards_agree_with_full_search() {
    for (m, n, k) in [(4, 4, 3), (5, 3, 3), (4, 4, 4), (7, 2, 3)] {
        for exact in [false, true] {
            let game = board::<1>(m, n, k, exact);
            let expected = FullSearch::default().value(&game, &game.start());
            assert_eq!(start_value(&game), expected, "({m},{n},{k}) {exact}");
        }
    }
}

/// Whether the first player completes a line within this many plies, by plain search: takes wins,
/// answers threats, tries all other moves.
fn plain(
    game: &Mnk<1>,
    state: &<Mnk<1> as Game>::State,
    plies: u32,
    memory: &mut HashMap<(u64, u32), bool>,
) -> bool {
    let player = match game.turn(state) {
        Turn::Player(player) => player,
        _ => return game.payoff(state) > 0,
    };
    if plies == 0 {
        return false;
    }
    let key = (game.key(state), plies);
    if let Some(&known) = memory.get(&key) {
        return known;
    }
    let mut moves = Vec::new();
    game.hints().noisy(state, &mut moves);
    if moves.is_empty() && plies >= 3 {
        game.moves(state, &mut moves);
    }
    moves.sort_by_key(|&mv| std::cmp::Reverse(game.hints().order_hint(state, mv)));
    let attacks = player == Player::First;
    let mut won = !attacks && !moves.is_empty();
    for mv in moves {
        let mut child = *state;
        game.play(&mut child, mv);
        if plain(game, &child, plies - 1, memory) == attacks {
            won = attacks;
            break;
        }
    }
    memory.insert(key, won);
    won
}

#[test]
#[ignore = "minutes; `cargo test --release --test search solver_mnk -- --ignored`"]
fn the_win_with_four_stones_takes_as_long_as_plain_search_says() {
    let game = board::<1>(6, 5, 4, false);
    assert_eq!(start_value(&game), first_wins(11));
    let mut memory = HashMap::new();
    assert!(!plain(&game, &game.start(), 9, &mut memory));
    // The solver's first move is sufficient; another move might not be.
    let moves = 0..30u16;
    let after = |mv| {
        let mut child = game.start();
        game.play(&mut child, mv);
        child
    };
    let mut solver = solver(&game);
    let best = moves.map(after).find(|child| solver.value(&game, child) == first_wins(10));
    assert!(plain(&game, &best.expect("a move that wins"), 10, &mut memory));
}

/// Each value is the best of the values after its moves, one ply later.
#[test]
fn values_agree_with_the_moves_below_them() {
    // The last number is that of the fewest stones: the first moves of large boards take seconds.
    for (m, n, k, exact, least) in [(5, 4, 4, false, 0), (5, 5, 4, true, 3), (6, 5, 4, false, 3)] {
        let game = board::<1>(m, n, k, exact);
        let mut solver = solver(&game);
        for i in least..6 {
            let Some(state) = position(&game, mix(&[77, i]), i) else { continue };
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let player = if i % 2 == 0 { Player::First } else { Player::Second };
            let best = moves.iter().map(|&mv| {
                let mut child = state;
                game.play(&mut child, mv);
                solver.value(&game, &child).later()
            });
            let best = best.max_by(|a, b| a.compare(*b, player)).expect("a move");
            let text = game.write_position(&state);
            assert_eq!(solver.value(&game, &state), best, "({m},{n},{k}) {exact} {text}");
        }
    }
}

#[test]
fn boards_of_several_words_are_the_same_boards() {
    let (small, large) = (board::<1>(6, 5, 4, false), board::<2>(6, 5, 4, false));
    assert_eq!(start_value(&small), start_value(&large));
    // An 8 × 8 board takes two words; the registered type has four.
    let game = board::<4>(8, 8, 6, false);
    let mut solver = exact_solver(&game).map_err(|unsolved| unsolved.why).expect("a solver");
    assert_eq!(solver.value(&game, &game.start()), DRAW);
    assert!(solver.nodes() > 0);
}

#[test]
fn what_is_too_large_is_refused_with_help() {
    let refused = exact_solver(&board::<4>(15, 15, 5, false)).err().expect("no solver");
    assert!(refused.why.contains("15 by 15"), "{}", refused.why);
    assert!(!refused.help.is_empty());
    // Some of the long boards are solved.
    assert!(exact_solver(&board::<4>(16, 4, 5, false)).is_ok());
    assert!(exact_solver(&board::<4>(16, 4, 4, false)).is_err());
    assert!(LineSolver::new(&board::<2>(13, 5, 5, false)).is_none());
}
