//! The textbook's program for Connect Four: a fixed game by plain minimax over `segments`.

use agon::games::connect4::Base;
use agon::games::{
    Configurable, Connect4, Connect4Standard, Evaluator, EvaluatorVisitor, Game, Player, Turn,
    Weights,
};
use agon::params::Values;

const GAME: &str =
    "2 0 3 4 3 2 3 3 2 2 2 3 0 0 0 0 2 3 6 6 4 4 4 0 6 6 6 6 1 1 1 1 1 1 5 5 4 4 5 5 5 5";

fn minimax<G: Game>(game: &G, e: &impl Evaluator<G>, state: &G::State, depth: u32) -> i32 {
    let Turn::Player(player) = game.turn(state) else { return e.evaluate(game, state) };
    if depth == 0 {
        return e.evaluate(game, state);
    }
    let values = children(game, state).map(|(_, next)| minimax(game, e, &next, depth - 1));
    if player == Player::First { values.max().unwrap() } else { values.min().unwrap() }
}

fn children<G: Game>(game: &G, state: &G::State) -> impl Iterator<Item = (G::Move, G::State)> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves.into_iter().map(|mv| {
        let mut next = state.clone();
        game.play(&mut next, mv);
        (mv, next)
    })
}

/// Plays the best move by minimax, the first of equal ones, until the game is over.
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
                if best.is_none_or(|(b, _)| value > b) {
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

fn textbook<G: Configurable<Move = u8>>(read: impl Fn(&G) -> Vec<u8>) {
    let game = G::build(&Values::default()).unwrap();
    let (played, end) = game.with_evaluator("segments", &Weights::new(), SelfPlay(&game)).unwrap();
    assert_eq!(played, read(&game));
    assert_eq!(game.payoff(&end), -1);
}

#[test]
fn minimax_over_segments_plays_the_textbooks_game() {
    textbook::<Connect4Standard>(|game| game.read_moves(&game.start(), GAME, Base::Zero).unwrap());
    textbook::<Connect4>(|game| game.read_moves(&game.start(), GAME, Base::Zero).unwrap());
}
