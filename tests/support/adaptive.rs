//! Simulated tournaments whose formats look back: players with known strengths, and the rounds of
//! `agon::stats::adaptive_rounds`.

use agon::stats::adaptive_rounds::{Adaptive, AdaptiveDesign, PairState, Question};
use agon::stats::{Pentanomial, elo};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

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
const DRAWS: f64 = 0.3;

/// A tournament that has ended.
pub struct Ended {
    pub games: u64,
    pub rounds: u64,
    pub decided: bool,
    /// Whether a statement was wrong: the best player was eliminated, or a worse player called
    /// better.
    pub wrong: bool,
}

/// Plays one tournament. The order of the players is random.
pub fn tournament(question: Question, strengths: &[f64], max_games: u64, seed: u64) -> Ended {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut players = strengths.to_vec();
    for last in (1..players.len()).rev() {
        players.swap(last, rng.random_range(0..=last));
    }
    let pairings: Vec<(usize, usize)> =
        (0..players.len()).flat_map(|a| (a + 1..players.len()).map(move |b| (a, b))).collect();
    let design = AdaptiveDesign { question, alpha: 0.05, epsilon_elo: None, max_games };
    let mut adaptive = Adaptive::new(design, players.len(), pairings.clone());
    let mut pairs = vec![Pentanomial::default(); pairings.len()];
    let mut games = 0;
    while let Some(round) = adaptive
        .step(games, &|pairing| PairState { pairs: pairs[pairing as usize], exhausted: false })
    {
        for &pairing in &round.pairings {
            let (a, b) = pairings[pairing as usize];
            let score = elo::to_score(players[a] - players[b]);
            for _ in 0..round.pairs {
                let points = game(&mut rng, score) + game(&mut rng, score);
                pairs[pairing as usize].0[points] += 1;
                games += 2;
            }
        }
    }
    let wrong = adaptive.decisions().iter().any(|decision| {
        let (better, worse) = (players[decision.better], players[decision.worse]);
        match question {
            Question::Best => players.iter().all(|&player| player <= worse),
            _ => better <= worse,
        }
    });
    Ended { games, rounds: adaptive.rounds(), decided: adaptive.is_decided(), wrong }
}

/// The points, 0 to 2 halves, of a game with this expected score.
fn game(rng: &mut ChaCha8Rng, score: f64) -> usize {
    let draw = DRAWS * 4.0 * score * (1.0 - score);
    let lot: f64 = rng.random();
    match lot {
        lot if lot < score - draw / 2.0 => 2,
        lot if lot < score + draw / 2.0 => 1,
        _ => 0,
    }
}
