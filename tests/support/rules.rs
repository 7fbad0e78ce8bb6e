//! Checks of rules: random games, and positions after some plies.

use agon::games::{Game, PlayoutBuffer, perft, playout};
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
