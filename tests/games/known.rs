//! Tests of the rules against known results: move sequences, positions, random play.

use std::collections::{HashMap, HashSet};

use crate::support::games::{build, numbers, table};
use crate::support::visit::{Visit, with_game};
use agon::games::connect4::Base;
use agon::games::{
    Configurable, Connect4, Connect4Standard, Evaluator, EvaluatorVisitor, Game, Mnk, Player,
    PlayoutBuffer, Symmetry, TicTacToe, Turn, Weights, perft, playout,
};
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

/// The positions after each legal move.
fn children<G: Game>(game: &G, state: &G::State) -> impl Iterator<Item = (G::Move, G::State)> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(|mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        (mv, next)
    })
}

struct Perft(Vec<u64>);

impl Visit for Perft {
    fn visit<G: Configurable>(&mut self, game: &G) {
        for (depth, &count) in (1..).zip(&self.0) {
            assert_eq!(perft(game, &game.start(), depth), count, "{} at depth {depth}", G::KIND);
        }
    }
}

#[test]
fn move_sequences() {
    for row in table(include_str!("../data/games/perft.txt")) {
        with_game(row[0], Perft(numbers(row[1])));
    }
}

#[test]
fn types_of_one_kind_count_alike() {
    Perft(vec![7, 49, 343, 2_401, 16_807, 117_649]).visit(&build::<Connect4>("connect4"));
    let wide = vec![12, 132, 1_320, 11_880, 95_040];
    Perft(wide.clone()).visit(&build::<Mnk<4>>("mnk:m=4,n=3,k=3"));
    Perft(wide).visit(&build::<Mnk<4>>("mnk:m=4,n=3,k=3"));
}

/// The number of positions by ply.
struct Positions(Vec<u64>);

impl Visit for Positions {
    fn visit<G: Configurable>(&mut self, game: &G) {
        let mut layer = HashMap::from([(game.key(&game.start()), game.start())]);
        for (ply, &count) in self.0.iter().enumerate() {
            assert_eq!(layer.len() as u64, count, "{} after {ply} plies", G::KIND);
            let open = layer.values().filter(|state| game.turn(state) != Turn::Over);
            let next = open.flat_map(|state| children(game, state));
            layer = next.map(|(_, state)| (game.key(&state), state)).collect();
        }
    }
}

#[test]
fn different_positions() {
    for row in table(include_str!("../data/games/positions.txt")) {
        with_game(row[0], Positions(numbers(row[1])));
    }
}

#[test]
fn tictactoe_has_5478_positions_and_765_up_to_symmetry() {
    let (mut all, mut canonical) = (HashSet::new(), HashSet::new());
    let mut open = vec![TicTacToe.start()];
    while let Some(state) = open.pop() {
        if all.insert(TicTacToe.key(&state)) {
            canonical.insert(TicTacToe.symmetry().canonical_key(&state));
            if TicTacToe.turn(&state) != Turn::Over {
                open.extend(children(&TicTacToe, &state).map(|(_, next)| next));
            }
        }
    }
    assert_eq!((all.len(), canonical.len()), (5_478, 765));
}

/// The number of finished games by result: first wins, draws, second wins.
fn results<G: Game>(game: &G, state: &G::State) -> [u64; 3] {
    if game.turn(state) == Turn::Over {
        let mut one = [0; 3];
        one[(1 - game.payoff(state)) as usize] = 1;
        return one;
    }
    children(game, state).fold([0; 3], |sum, (_, next)| {
        let more = results(game, &next);
        std::array::from_fn(|i| sum[i] + more[i])
    })
}

#[test]
fn tictactoe_has_255168_games() {
    let games = results(&TicTacToe, &TicTacToe.start());
    assert_eq!(games, [131_184, 46_080, 77_904]);
    assert_eq!(games.iter().sum::<u64>(), 255_168);
    let mnk = build::<Mnk<1>>("mnk:m=3,n=3,k=3");
    assert_eq!(results(&mnk, &mnk.start()), games);
}

/// Probabilities of the results under uniformly random play.
fn odds<G: Game>(game: &G, state: &G::State) -> [f64; 3] {
    if game.turn(state) == Turn::Over {
        let mut one = [0.0; 3];
        one[(1 - game.payoff(state)) as usize] = 1.0;
        return one;
    }
    let next: Vec<_> = children(game, state).map(|(_, next)| odds(game, &next)).collect();
    std::array::from_fn(|i| next.iter().map(|odds| odds[i]).sum::<f64>() / next.len() as f64)
}

#[test]
fn random_play_of_tictactoe_exactly() {
    let [first, draw, second] = odds(&TicTacToe, &TicTacToe.start());
    assert!((first - 737.0 / 1260.0).abs() < 1e-12, "{first}");
    assert!((draw - 8.0 / 63.0).abs() < 1e-12, "{draw}");
    assert!((second - 121.0 / 420.0).abs() < 1e-12, "{second}");
}

/// Within four standard errors of the shares that independent programs found.
#[test]
fn random_play_of_connect4() {
    let game = build::<Connect4Standard>("connect4");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut buffer = PlayoutBuffer::default();
    let games = 400_000;
    let (mut counts, mut length) = ([0_u32; 3], 0_u64);
    for _ in 0..games {
        let (payoff, plies) = playout(&game, game.start(), &mut rng, &mut buffer);
        counts[(1 - payoff) as usize] += 1;
        length += u64::from(plies);
    }
    let shares = counts.map(|count| f64::from(count) / f64::from(games));
    for (share, (known, error)) in
        shares.into_iter().zip([(0.5556, 0.0032), (0.0026, 0.0004), (0.4418, 0.0032)])
    {
        assert!((share - known).abs() < error, "{share} instead of {known}");
    }
    let plies = length as f64 / f64::from(games);
    assert!((plies - 21.31).abs() < 0.055, "{plies} plies");
}

fn minimax<G: Game>(game: &G, e: &impl Evaluator<G>, state: &G::State, depth: u32) -> i32 {
    match game.turn(state) {
        Turn::Player(player) if depth > 0 => {
            let next = children(game, state).map(|(_, next)| minimax(game, e, &next, depth - 1));
            if player == Player::First { next.max().unwrap() } else { next.min().unwrap() }
        }
        _ => e.evaluate(game, state),
    }
}

/// Plays the best move by minimax of four plies, the first of equal moves, to the end.
struct SelfPlay<'a, G>(&'a G);

impl<G: Game> EvaluatorVisitor<G> for SelfPlay<'_, G> {
    type Out = (Vec<G::Move>, G::State);

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Out {
        let game = self.0;
        let mut state = game.start();
        let mut played = Vec::new();
        while let Turn::Player(player) = game.turn(&state) {
            let mut best: Option<(i32, G::Move)> = None;
            for (mv, next) in children(game, &state) {
                let value = player.sign() * minimax(game, &evaluator, &next, 3);
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, mv));
                }
            }
            let (_, mv) = best.unwrap();
            game.play(&mut state, mv);
            played.push(mv);
        }
        (played, state)
    }
}

#[test]
fn minimax_over_segments_plays_the_textbooks_game() {
    let rows: Vec<_> = table(include_str!("../data/games/textbook.txt")).collect();
    let game = build::<Connect4Standard>("connect4");
    let known = game.read_moves(&game.start(), rows[0][0], Base::Zero).unwrap();
    let (played, end) = game.with_evaluator("segments", &Weights::new(), SelfPlay(&game)).unwrap();
    assert_eq!(played, known);
    assert_eq!((known.len(), game.payoff(&end), game.reason(&end)), (42, -1, "line"));
    let any = build::<Connect4>("connect4");
    let (again, _) = any.with_evaluator("segments", &Weights::new(), SelfPlay(&any)).unwrap();
    assert_eq!(again, played);
}

/// The value of a position, +1, 0 or -1 for the first player, by visiting all positions.
fn value<G: Game>(game: &G, state: &G::State, known: &mut HashMap<u64, i32>) -> i32 {
    let Turn::Player(player) = game.turn(state) else { return game.payoff(state) };
    let key = game.symmetry().canonical_key(state);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mut best = -1;
    for (_, next) in children(game, state) {
        best = best.max(player.sign() * value(game, &next, known));
        if best == 1 {
            break;
        }
    }
    known.insert(key, player.sign() * best);
    player.sign() * best
}

struct Value(i32);

impl Visit for Value {
    fn visit<G: Configurable>(&mut self, game: &G) {
        assert_eq!(value(game, &game.start(), &mut HashMap::new()), self.0);
    }
}

#[test]
fn values_of_small_boards() {
    for row in table(include_str!("../data/games/values.txt")) {
        with_game(row[0], Value(row[1].parse().unwrap()));
    }
}
