//! Simulated tournaments in rounds between players of known strength: how many games they take, and
//! how often their answer is wrong.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::adaptive_rounds::{
    Adaptive, AdaptiveDesign, AdaptiveQuestion, BestAnswer, EarlierRating, NextRound, PairState,
    Proof,
};
use super::tournament::{Ending, Played, Tournament, TournamentDesign};
use crate::stats::elo;
use crate::stats::score_counts::{Pentanomial, Trinomial};

/// The truth of a simulation.
#[derive(Debug, Clone)]
pub struct Strengths {
    /// The strength of each player in Elo.
    pub strengths: Vec<f64>,
    /// The share of draws between equal players, in [0, 1].
    pub draws: f64,
    /// The correlation between a player's scores in the two games of a pair, in [0, 1].
    pub correlation: f64,
    /// The games of each pair of players before a tournament in rounds, which choose its first games.
    pub earlier_games: u64,
}

/// A simulated tournament that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Simulated {
    pub games: u64,
    pub rounds: u64,
    /// Whether there was an answer within the maximum number of games.
    pub decided: bool,
    /// Whether the answer names close players instead of the better one.
    pub close: bool,
    /// Whether a statement was wrong: the best player was eliminated, a worse player called better,
    /// or a cycle named.
    pub wrong: bool,
}

/// A simulated tournament of matches that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulatedMatches {
    pub games: u64,
    /// Whether no player is better than the winner.
    pub best_wins: bool,
    /// Whether players share the first place, or a seed decides the drawn final of a knockout.
    pub tied: bool,
}

/// Counts a round and plans the next one: [`Adaptive::step`].
pub type Step<'a> =
    &'a mut dyn FnMut(&mut Adaptive, u64, &dyn Fn(u32) -> PairState) -> Option<NextRound>;

impl Strengths {
    /// Simulates one tournament. The order of the players is random.
    pub fn simulate(&self, design: AdaptiveDesign, seed: u64) -> Simulated {
        self.simulate_with(design, seed, &mut |adaptive, games, state| adaptive.step(games, state))
    }

    /// The same with another way to take a step, such as one that measures its time.
    pub fn simulate_with(&self, design: AdaptiveDesign, seed: u64, step: Step<'_>) -> Simulated {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let count = self.strengths.len();
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, rng.random_range(0..=last));
        }
        let players: Vec<f64> = order.iter().map(|&player| self.strengths[player]).collect();
        let question = match design.question {
            AdaptiveQuestion::Against(one) => AdaptiveQuestion::Against(
                order.iter().position(|&player| player == one).unwrap_or(0),
            ),
            question => question,
        };
        let score = |a: usize, b: usize| elo::to_score(players[a] - players[b]);
        let design = AdaptiveDesign { question, ..design };
        let earlier = self.earlier(&score, &mut rng);
        let truth = (count, &score as &dyn Fn(usize, usize) -> f64, self.games());
        let (adaptive, games) = play_rounds(truth, design, earlier, &mut rng, step);
        let is_wrong = |better: f64, worse: f64| match question {
            AdaptiveQuestion::Best => players.iter().all(|&player| player <= worse),
            _ => better <= worse,
        };
        let decisions = adaptive.decisions();
        let decided = adaptive.is_decided();
        let close = match question {
            AdaptiveQuestion::Best => matches!(adaptive.best_answer(), BestAnswer::Close(_)),
            _ => decided && decisions.iter().any(|decision| decision.proof == Proof::Close),
        };
        let no_best = question == AdaptiveQuestion::Best
            && matches!(adaptive.best_answer(), BestAnswer::NoBest { .. });
        let cycle = question == AdaptiveQuestion::Ranking && !adaptive.cycles().is_empty();
        let wrong = no_best
            || cycle
            || decisions.iter().any(|decision| {
                decision.proof != Proof::Close
                    && is_wrong(players[decision.better], players[decision.worse])
            });
        Simulated { games, rounds: adaptive.rounds(), decided, close, wrong }
    }

    /// Simulates a tournament of matches with seeds in random order; without a design, a round robin.
    /// The design is for this number of players. `games` is even: the games of a match.
    pub fn simulate_matches(
        &self,
        design: Option<&TournamentDesign>,
        games: u64,
        seed: u64,
    ) -> SimulatedMatches {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut players = self.strengths.clone();
        let count = players.len();
        for last in (1..count).rev() {
            players.swap(last, rng.random_range(0..=last));
        }
        let mut pairings = Vec::with_capacity(count * count.saturating_sub(1) / 2);
        (0..count).for_each(|a| pairings.extend((a + 1..count).map(|b| (a, b))));
        let mut played = vec![Played::default(); pairings.len()];
        let mut play = |played: &mut Played, (a, b): (usize, usize), pairs: u64| {
            let score = elo::to_score(players[a] - players[b]);
            for _ in 0..pairs {
                let halves = self.games().pair(&mut rng, score);
                played.pairs.0[halves[0] + halves[1]] += 1;
                for half in halves {
                    played.all.0[half] += 1;
                    played.distinct.0[half] += 1;
                }
            }
        };
        let (winner, tied) = if let Some(design) = design {
            let design = TournamentDesign { games, seeds: (0..count).collect(), ..design.clone() };
            let bracket = design.is_bracket();
            let mut tournament = Tournament::new(design, pairings.clone());
            while let Some(next) = tournament.step(&|pairing| played[pairing as usize]) {
                for pairing in next.pairings {
                    let pairing = pairing as usize;
                    play(&mut played[pairing], pairings[pairing], next.pairs);
                }
            }
            let standings = tournament.standings();
            let by_seed = tournament.matches().last().is_some_and(|of| of.ending == Ending::Seed);
            let shared = standings.get(1).is_some_and(|second| second.place == 1);
            (standings[0].player, shared || bracket && by_seed)
        } else {
            let mut points = vec![0; count];
            for (played, &(a, b)) in played.iter_mut().zip(&pairings) {
                play(played, (a, b), games / 2);
                points[a] += 2 * played.all.wins() + played.all.draws();
                points[b] += 2 * played.all.losses() + played.all.draws();
            }
            let winner = (0..count).max_by_key(|&player| points[player]).unwrap_or(0);
            let first = points.iter().filter(|&&own| own == points[winner]).count();
            (winner, first > 1)
        };
        let mut all = Trinomial::default();
        played.iter().for_each(|played| all.merge(&played.all));
        let best_wins = players.iter().all(|&player| player <= players[winner]);
        SimulatedMatches { games: all.n(), best_wins, tied }
    }

    /// The ratings from games before the tournament.
    fn earlier(
        &self,
        score: &dyn Fn(usize, usize) -> f64,
        rng: &mut ChaCha8Rng,
    ) -> Vec<EarlierRating> {
        let (count, pairs) = (self.strengths.len(), self.earlier_games / 2);
        let mut games = Vec::new();
        for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
            let halves =
                (0..pairs).map(|_| self.games().pair(rng, score(a, b)).iter().sum::<usize>());
            games.push((a, b, 2.0 * pairs as f64, halves.sum::<usize>() as f64 / 2.0));
        }
        EarlierRating::of_games(count, &games)
    }

    fn games(&self) -> Games {
        Games { draws: self.draws, correlation: self.correlation }
    }
}

/// How games are simulated.
#[derive(Debug, Clone, Copy)]
struct Games {
    draws: f64,
    correlation: f64,
}

impl Games {
    /// The points, 0 to 2 halves, of a player with this expected score in the two games of a pair.
    fn pair(self, rng: &mut ChaCha8Rng, score: f64) -> [usize; 2] {
        let first = self.game(rng, score);
        let is_same = self.correlation > 0.0 && rng.random::<f64>() < self.correlation;
        [first, if is_same { first } else { self.game(rng, score) }]
    }

    fn game(self, rng: &mut ChaCha8Rng, score: f64) -> usize {
        let draw = self.draws * 4.0 * score * (1.0 - score);
        match rng.random::<f64>() {
            random if random < score - draw / 2.0 => 2,
            random if random < score + draw / 2.0 => 1,
            _ => 0,
        }
    }
}

/// Simulates a tournament between players with any chances against each other. `score` is the mean
/// score of a player against another. Returns the state at the end, and the number of games.
pub fn simulate_chances(
    players: usize,
    score: &dyn Fn(usize, usize) -> f64,
    draws: f64,
    design: AdaptiveDesign,
    seed: u64,
) -> (Adaptive, u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let games = Games { draws, correlation: 0.0 };
    let earlier = vec![EarlierRating::default(); players];
    let step: Step<'_> = &mut |adaptive, games, state| adaptive.step(games, state);
    play_rounds((players, score, games), design, earlier, &mut rng, step)
}

/// Plays rounds until there are no more. The truth: the number of players, the mean score of one
/// against another, and how games vary.
fn play_rounds(
    (count, score, of): (usize, &dyn Fn(usize, usize) -> f64, Games),
    design: AdaptiveDesign,
    earlier: Vec<EarlierRating>,
    rng: &mut ChaCha8Rng,
    step: Step<'_>,
) -> (Adaptive, u64) {
    let mut pairings = Vec::with_capacity(count * count.saturating_sub(1) / 2);
    (0..count).for_each(|a| pairings.extend((a + 1..count).map(|b| (a, b))));
    let mut pairs = vec![Pentanomial::default(); pairings.len()];
    let mut adaptive = Adaptive::new(design, count, pairings.clone()).after(earlier);
    let mut games = 0;
    while let Some(round) = step(&mut adaptive, games, &|pairing: u32| PairState {
        pairs: pairs[pairing as usize],
        ..PairState::default()
    }) {
        for &pairing in &round.pairings {
            let (a, b) = pairings[pairing as usize];
            let score = score(a, b);
            for _ in 0..round.pairs {
                let [first, second] = of.pair(rng, score);
                pairs[pairing as usize].0[first + second] += 1;
                games += 2;
            }
        }
    }
    (adaptive, games)
}
