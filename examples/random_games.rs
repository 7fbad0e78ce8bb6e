//! Prints random games for comparison with other programs: `random_games SPEC GAMES`.
//!
//! A line for each position: the position, the legal moves (for chance, nothing), and what is played.
//! The last line of a game has its payoff. Columns are separated by tabs.

use agon::config::parse_game_spec;
use agon::games::{Game, Turn, below, random_outcome};
use agon::play::Registry;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, spec, games] = &args[..] else { panic!("usage: random_games SPEC GAMES") };
    let opened = parse_game_spec(spec, "--game", &Registry::builtin());
    let (_, game) = opened.unwrap_or_else(|error| panic!("{}", error.render(false)));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..games.parse::<u32>().expect("a number of games") {
        let mut state = game.start();
        loop {
            let mut moves = Vec::new();
            let played = match game.turn(&state) {
                Turn::Over => break,
                Turn::Chance => random_outcome(&game, &state, &mut rng, &mut Vec::new()),
                Turn::Player(_) => {
                    game.moves(&state, &mut moves);
                    moves[below(&mut rng, moves.len() as u32) as usize]
                }
            };
            let text = |mv| {
                let mut text = String::new();
                game.write_move(&state, mv, &mut text);
                text
            };
            let legal: Vec<String> = moves.into_iter().map(text).collect();
            println!("{}\t{}\t{}", game.write_position(&state), legal.join(" "), text(played));
            game.play(&mut state, played);
        }
        println!("{}\tover\t{}", game.write_position(&state), game.payoff(&state));
    }
}
