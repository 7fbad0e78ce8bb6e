//! Fields of players with known strengths for simulated tournaments in rounds.

use agon::rounds::adaptive_rounds::{Adaptive, AdaptiveDesign, AdaptiveQuestion, AdaptiveWeight};
use agon::rounds::simulated_rounds::{Simulated, Strengths, simulate_chances};

/// Players by their strength in Elo.
pub const FIELDS: [(&str, &[f64]); 6] = [
    (
        "10 agents, 40 Elo apart",
        &[0.0, -40.0, -80.0, -120.0, -160.0, -200.0, -240.0, -280.0, -320.0, -360.0],
    ),
    (
        "10: two rivals 40 apart, the rest 190 and more below",
        &[0.0, -40.0, -190.0, -200.0, -210.0, -220.0, -230.0, -240.0, -250.0, -260.0],
    ),
    (
        "10: one 40 above nine equals",
        &[0.0, -40.0, -40.0, -40.0, -40.0, -40.0, -40.0, -40.0, -40.0, -40.0],
    ),
    (
        "10: 0 −15 −120 −260 −300 −430 −560 −580 −700 −900",
        &[0.0, -15.0, -120.0, -260.0, -300.0, -430.0, -560.0, -580.0, -700.0, -900.0],
    ),
    (
        "20 agents, 40 Elo apart",
        &[
            0.0, -40.0, -80.0, -120.0, -160.0, -200.0, -240.0, -280.0, -320.0, -360.0, -400.0,
            -440.0, -480.0, -520.0, -560.0, -600.0, -640.0, -680.0, -720.0, -760.0,
        ],
    ),
    ("10: one 1 above nine equals", &[0.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]),
];

/// The share of draws between equal players.
pub const DRAWS: f64 = 0.3;

/// Plays one tournament. The order of the players is random.
pub fn tournament(
    question: AdaptiveQuestion,
    strengths: &[f64],
    max_games: u64,
    seed: u64,
) -> Simulated {
    tournament_after(0, question, strengths, max_games, seed)
}

/// The same with ratings from this number of earlier games of each pair of players.
pub fn tournament_after(
    earlier_games: u64,
    question: AdaptiveQuestion,
    strengths: &[f64],
    max_games: u64,
    seed: u64,
) -> Simulated {
    let strengths = strengths.to_vec();
    let field = Strengths { strengths, draws: DRAWS, correlation: 0.0, earlier_games };
    field.simulate(design(question, max_games), seed)
}

fn design(question: AdaptiveQuestion, max_games: u64) -> AdaptiveDesign {
    let weight = AdaptiveWeight::Games;
    AdaptiveDesign { question, alpha: 0.05, epsilon_elo: None, max_games, adjusted: false, weight }
}

/// The mean score of a player against another in a cycle: each scores `chance` against the next one.
/// Of two others, the one with the smaller number scores `far`.
pub fn score_in_cycle(players: usize, chance: f64, far: f64, a: usize, b: usize) -> f64 {
    match (b + players - a) % players {
        1 => chance,
        ahead if ahead == players - 1 => 1.0 - chance,
        _ if a < b => far,
        _ => 1.0 - far,
    }
}

/// Plays one tournament of players in a cycle. Returns the state at its end, and the games.
pub fn cycle(
    question: AdaptiveQuestion,
    players: usize,
    chance: f64,
    far: f64,
    max_games: u64,
    seed: u64,
) -> (Adaptive, u64) {
    let score = |a, b| score_in_cycle(players, chance, far, a, b);
    simulate_chances(players, &score, DRAWS, design(question, max_games), seed)
}
