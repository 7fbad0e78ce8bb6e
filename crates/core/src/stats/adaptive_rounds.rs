//! Which pairs of players play next, so that the best player or the whole order is found with few
//! games and a bounded error.
//!
//! The evidence are e-processes: the capital of a gambler who bets that a hypothesis is wrong. If
//! the hypothesis is true, the capital ever reaches `c` with probability at most `1/c` (Ville's
//! inequality). This holds for any choice of the next pair that depends on earlier results only.
//! So games may go where they decide most, and the run may stop at any time.
//!
//! - *Best*: the leader plays every other survivor. The capital against "no player beats `j` on
//!   average" bets on the leader in each game of `j` against the leader of that round. The leader
//!   is chosen before the round, so each bet is fair for any leader. Half of the capital is bet in
//!   shares that follow the ratings of the rounds before. At `1/alpha` player `j` is eliminated.
//! - *Ranking*: undecided neighbours in the current order play. "`i` scores at most half of the
//!   points against `j`" is rejected at `2u/alpha`, with `u` undecided pairs. This is sequential
//!   rejection (Goeman and Solari, 2010): only undecided pairs share the error. Decisions are closed
//!   under transitivity. At the end, each player plays the next but one in the order, so that a
//!   cycle of three neighbours is seen.
//! - *Against one player*: as a ranking, but only of pairs with this player.

pub use super::adaptive_design::{AdaptiveDesign, AdaptiveQuestion, Proof};
pub use super::adaptive_evidence::PairState;
pub use super::betting_e_value::ln_e_value;
use super::betting_e_value::{ln_capital, ln_mean_exp};
use super::elo;
use super::ratings_so_far::RatingsSoFar;
use crate::util::collect_with_less_code::Gather;
use crate::util::sort_with_less_code;
use crate::util::sorted_map::SortedMap;

/// A decision between two players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Decision {
    /// The round, from 1.
    pub round: u64,
    /// All games up to the end of this round.
    pub games: u64,
    /// The better player, or one of two close ones. When a player is eliminated: the leader.
    pub better: usize,
    /// The other player.
    pub worse: usize,
    /// Why.
    pub proof: Proof,
}

/// The next round: these pairings, by index, play this many opening pairs each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextRound {
    /// Indices of the pairings, ascending.
    pub pairings: Vec<u32>,
    /// Opening pairs of each.
    pub pairs: u64,
}

/// The evidence after a round.
#[derive(Debug, Clone, PartialEq)]
pub struct RoundEvidence {
    /// All games up to the end of this round.
    pub games: u64,
    /// Undecided pairs of a ranking.
    pub undecided: u32,
    /// The natural logarithm of the e-value about each player that was compared with one other: with
    /// the leaders, or with the player of [`AdaptiveQuestion::Against`]. Empty for a whole ranking.
    pub evidence: Vec<(u32, f32)>,
}

/// The smallest number of opening pairs that a pairing plays in a round.
const LEAST_PAIRS: u64 = 4;

/// The state of a procedure between two rounds.
///
/// ```
/// # use agon_core as agon;
/// use agon::stats::adaptive_rounds::{Adaptive, AdaptiveDesign, PairState, AdaptiveQuestion};
/// use agon::stats::Counts;
///
/// let design = AdaptiveDesign {
///     question: AdaptiveQuestion::Best,
///     alpha: 0.05,
///     epsilon_elo: None,
///     max_games: 10_000,
///     adjusted: false,
/// };
/// let pairings = vec![(0, 1), (0, 2), (1, 2)];
/// let mut best = Adaptive::new(design, 3, pairings.clone());
/// // In this example the player with the smaller number wins both games of every pair.
/// let (mut games, mut pairs) = (0, [0; 3]);
/// loop {
///     let seen = |pairing: u32| {
///         let pairs = Counts([0, 0, 0, 0, pairs[pairing as usize]]);
///         PairState { pairs, ..PairState::default() }
///     };
///     let Some(round) = best.step(games, &seen) else { break };
///     for &pairing in &round.pairings {
///         pairs[pairing as usize] += round.pairs;
///         games += 2 * round.pairs;
///     }
/// }
/// assert!(best.is_decided());
/// assert_eq!(best.survivors(), [0]);
/// ```
#[derive(Debug, Clone)]
pub struct Adaptive {
    design: AdaptiveDesign,
    /// The players of each pairing, the smaller index first, in ascending order.
    pairings: Vec<(usize, usize)>,
    players: usize,
    /// The evidence about each pairing that has played.
    seen: SortedMap<u32, PairState>,
    /// The results of the leaders against each player, in the rounds that they led.
    by_leaders: Vec<PairState>,
    /// For each player, the logarithm of the capital of the bets on the leaders that follow ratings.
    rated_capital: Vec<f64>,
    survives: Vec<bool>,
    leader: usize,
    /// For each player the players that it is better than, one bit each.
    better: Vec<Vec<u64>>,
    /// Whether each pair of the ranking is undecided, and how many are.
    open: Vec<bool>,
    open_pairs: usize,
    /// The pairings of the planned round, and the share of the capital that is bet on the leader.
    planned: Vec<(u32, f64)>,
    rounds: u64,
    decisions: Vec<Decision>,
    history: Vec<RoundEvidence>,
}

impl Adaptive {
    /// A procedure before its first game. `pairings` are all pairs of different players in
    /// ascending order, the smaller index first.
    pub fn new(design: AdaptiveDesign, players: usize, pairings: Vec<(usize, usize)>) -> Self {
        let is_asked = |&(a, b): &(usize, usize)| match design.question {
            AdaptiveQuestion::Best => false,
            AdaptiveQuestion::Ranking => true,
            AdaptiveQuestion::Against(one) => a == one || b == one,
        };
        let open: Vec<bool> = pairings.iter().map(is_asked).gather();
        let open_pairs = open.iter().filter(|open| **open).count();
        let words = if open_pairs == 0 { 0 } else { players.div_ceil(64) };
        Adaptive {
            design,
            players,
            seen: SortedMap::new(),
            by_leaders: vec![PairState::default(); players],
            rated_capital: vec![0.0; players],
            survives: vec![true; players],
            leader: 0,
            better: vec![vec![0; words]; players],
            open,
            open_pairs,
            planned: Vec::new(),
            rounds: 0,
            decisions: Vec::new(),
            history: Vec::new(),
            pairings,
        }
    }

    /// The procedure.
    pub fn design(&self) -> &AdaptiveDesign {
        &self.design
    }

    /// All decisions, in order.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The evidence after each round.
    pub fn history(&self) -> &[RoundEvidence] {
        &self.history
    }

    /// The number of rounds that were counted.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The players that are not eliminated. All players, unless the question is the best one.
    pub fn survivors(&self) -> Vec<usize> {
        (0..self.players).filter(|&player| self.survives[player]).gather()
    }

    /// The survivor with the highest estimate.
    pub fn leader(&self) -> usize {
        self.leader
    }

    /// The pairs of players that are not decided, for a ranking.
    pub fn undecided(&self) -> Vec<(usize, usize)> {
        let open = self.pairings.iter().zip(&self.open).filter(|(_, open)| **open);
        open.map(|(pair, _)| *pair).gather()
    }

    /// Cycles of three players that their games prove, each in the order in which they beat each
    /// other. A ranking cannot order them.
    pub fn cycles(&self) -> Vec<[usize; 3]> {
        let mut cycles = Vec::new();
        for (pairing, state) in &self.seen {
            let (a, b) = self.pairings[*pairing as usize];
            let (winner, loser) = if self.beats(state, true) {
                (a, b)
            } else if self.beats(state, false) {
                (b, a)
            } else {
                continue;
            };
            let between =
                |&middle: &usize| self.is_better(loser, middle) && self.is_better(middle, winner);
            let others = (0..self.players).filter(|&other| other != winner && other != loser);
            if let Some(middle) = others.into_iter().find(between) {
                let cycle = [winner, loser, middle];
                let same = |known: &[usize; 3]| known.iter().all(|player| cycle.contains(player));
                if !cycles.iter().any(same) {
                    cycles.push(cycle);
                }
            }
        }
        cycles
    }

    /// An eliminated player that beats the winner, with the same error as an elimination by `1/alpha`
    /// for each other player.
    pub fn beaten_by(&self, winner: usize) -> Option<usize> {
        let bound = ((self.players - 1) as f64 / self.design.alpha).ln();
        (0..self.players).filter(|&other| other != winner).find(|&other| {
            let state = self.seen.get(&self.pairing(winner, other)).copied().unwrap_or_default();
            let of_other = if other < winner { state } else { state.flipped() };
            of_other.ln_e_above(&self.design, 0.5) >= bound
        })
    }

    /// Whether the games of a pair alone prove that its first player, or its second, is better.
    fn beats(&self, state: &PairState, first: bool) -> bool {
        let state = if first { *state } else { state.flipped() };
        let tests = (self.players * (self.players - 1)) as f64;
        match state.exhausted {
            true => state.score(&self.design).is_some_and(|score| score > 0.5),
            false => state.ln_e_above(&self.design, 0.5) >= (tests / self.design.alpha).ln(),
        }
    }

    /// The players of a ranking by the number of players that they are better than, most first.
    pub fn order(&self) -> Vec<usize> {
        let better = |player: usize| self.better[player].iter().map(|word| word.count_ones());
        let mut order: Vec<usize> = (0..self.players).gather();
        sort_with_less_code::by(&mut order, |&a, &b| {
            better(b).sum::<u32>().cmp(&better(a).sum()).then(b.cmp(&a))
        });
        order
    }

    /// Pairs of a complete order that must still play, so that a cycle of neighbours is seen: the
    /// player who is better because of a third one must also do better in a few games of their own.
    /// Also the number of opening pairs, if it is fixed.
    fn unchecked(&self) -> (Vec<u32>, Option<u64>) {
        let order = self.order();
        let (mut fresh, mut doubtful) = (Vec::new(), Vec::new());
        for three in order.windows(3) {
            let (a, b) = (three[0], three[2]);
            let pairing = self.pairing(a, b);
            let state = self.seen.get(&pairing).copied().unwrap_or_default();
            if state.exhausted || !self.is_better(a, b) || self.is_better(b, a) {
                continue;
            }
            let score = state.score(&self.design).unwrap_or(0.5);
            let doubt = if a < b { score < 0.5 } else { score > 0.5 };
            if state.pairs.n() < LEAST_PAIRS {
                fresh.push(pairing);
            } else if doubt && !self.beats(&state, a > b) {
                doubtful.push(pairing);
            }
        }
        if fresh.is_empty() { (doubtful, None) } else { (fresh, Some(LEAST_PAIRS)) }
    }

    /// Whether the question is answered, with or without close players.
    pub fn is_decided(&self) -> bool {
        match self.design.question {
            AdaptiveQuestion::Best => self.survivors().len() <= 1 || self.is_close(),
            AdaptiveQuestion::Ranking | AdaptiveQuestion::Against(_) => self.open_pairs == 0,
        }
    }

    /// Counts the games of the planned round, decides what can be decided, and plans the next round.
    /// `games` is the number of all games so far; `state` is the evidence about a pairing, by index.
    /// `None` if the question is answered or the maximum number of games is reached.
    pub fn step(&mut self, games: u64, state: &dyn Fn(u32) -> PairState) -> Option<NextRound> {
        if !self.planned.is_empty() {
            self.rounds += 1;
            let mut evidence = Vec::new();
            for (pairing, bet) in std::mem::take(&mut self.planned) {
                let state = state(pairing);
                self.count(pairing, bet, state);
                if let AdaptiveQuestion::Against(one) = self.design.question {
                    let (a, b) = self.pairings[pairing as usize];
                    let both = [state, state.flipped()];
                    let most = both.iter().map(|state| state.ln_e_above(&self.design, 0.5));
                    let most = most.fold(f64::MIN, f64::max);
                    evidence.push((if a == one { b } else { a } as u32, most as f32));
                }
            }
            match self.design.question {
                AdaptiveQuestion::Best => evidence = self.eliminate(games),
                AdaptiveQuestion::Ranking | AdaptiveQuestion::Against(_) => self.decide(games),
            }
            let undecided = self.open_pairs as u32;
            self.history.push(RoundEvidence { games, undecided, evidence });
        }
        let ratings = RatingsSoFar::new(self.players, &self.games());
        let strengths = &ratings.strengths;
        let survivors = self.survivors();
        self.leader = (survivors.iter().copied())
            .reduce(|best, next| if strengths[next] > strengths[best] { next } else { best })?;
        let left = self.design.max_games.saturating_sub(games) / 2;
        let (unchecked, fixed) = match self.design.question {
            AdaptiveQuestion::Ranking if self.is_decided() => self.unchecked(),
            _ => (Vec::new(), None),
        };
        if self.is_decided() && unchecked.is_empty() {
            return None;
        }
        let mut pairings = match self.design.question {
            _ if !unchecked.is_empty() => unchecked,
            AdaptiveQuestion::Best => (survivors.iter())
                .filter(|&&other| other != self.leader)
                .map(|&other| self.pairing(self.leader, other))
                .gather(),
            AdaptiveQuestion::Ranking => self.neighbours(strengths),
            AdaptiveQuestion::Against(_) => {
                (0..).zip(&self.open).filter(|(_, open)| **open).map(|(i, _)| i).gather()
            }
        };
        pairings.retain(|pairing| !self.seen.get(pairing).is_some_and(|state| state.exhausted));
        sort_with_less_code::by(&mut pairings, u32::cmp);
        let number = pairings.len() as u64;
        let wanted = (games / 20).div_ceil(number.max(1)).max(LEAST_PAIRS);
        let pairs = fixed.unwrap_or(wanted).min(left.checked_div(number)?);
        if pairs == 0 {
            return None;
        }
        let bet = |&pairing: &u32| {
            let (a, b) = self.pairings[pairing as usize];
            let other = if a == self.leader { b } else { a };
            (pairing, ratings.bet(self.leader, other))
        };
        self.planned = pairings.iter().map(bet).gather();
        Some(NextRound { pairings, pairs })
    }

    /// Adds the new games of a pairing, in which the share `bet` was bet on the leader.
    fn count(&mut self, pairing: u32, bet: f64, state: PairState) {
        let (a, b) = self.pairings[pairing as usize];
        let new = state.since(&self.seen.insert(pairing, state).unwrap_or_default());
        let (player, new) = match self.leader {
            leader if leader == a => (b, new),
            leader if leader == b => (a, new.flipped()),
            _ => return,
        };
        self.by_leaders[player].merge(&new);
        self.rated_capital[player] += ln_capital(&new.pairs, bet, 0.5);
    }

    /// The e-value against "no player beats this one on average". With raw scores, half of the
    /// capital follows the ratings, and half is bet without them.
    fn proof_of_leaders(&self, player: usize) -> Proof {
        let state = &self.by_leaders[player];
        let ln_strict = ln_mean_exp(&[self.rated_capital[player], ln_e_value(&state.pairs, 0.5)]);
        match self.design.adjusted {
            true => Proof::Asymptotic { ln_e: state.ln_e_above(&self.design, 0.5), ln_strict },
            false => Proof::EValue(ln_strict),
        }
    }

    /// Eliminates players that the leaders beat, and the leader if it lost an exact comparison.
    /// Returns the evidence against each.
    fn eliminate(&mut self, games: u64) -> Vec<(u32, f32)> {
        let mut evidence = Vec::new();
        let bound = self.elimination_bound();
        let leader = self.leader;
        for player in self.survivors() {
            if player == leader {
                continue;
            }
            let proof = self.proof_of_leaders(player);
            let ln_e = proof.ln_e().unwrap_or(0.0);
            evidence.push((player as u32, ln_e as f32));
            let exact = (self.seen.get(&self.pairing(leader, player)))
                .filter(|state| state.exhausted)
                .map(|state| state.score(&self.design).unwrap_or(0.5))
                .map(|score| if leader < player { score } else { 1.0 - score });
            let (better, worse, proof) = match exact {
                Some(score) if score > 0.5 => (leader, player, Proof::Exact),
                Some(score) if score < 0.5 => (player, leader, Proof::Exact),
                _ if ln_e >= bound => (leader, player, proof),
                _ => continue,
            };
            self.survives[worse] = false;
            self.note(games, better, worse, proof);
        }
        evidence
    }

    /// The natural logarithm of the e-value at which a player is eliminated.
    pub fn elimination_bound(&self) -> f64 {
        (self.tests_of_a_player() / self.design.alpha).ln()
    }

    /// How many tests share the error about one player: "the leader is better" and, with
    /// `epsilon_elo`, "the leader is close".
    fn tests_of_a_player(&self) -> f64 {
        if self.design.epsilon_elo.is_some() { 2.0 } else { 1.0 }
    }

    /// Whether no survivor is better than the leader by more than `epsilon_elo`, and none needs more
    /// games.
    fn is_close(&self) -> bool {
        let tests = self.tests_of_a_player() * (self.players - 1) as f64;
        let bound = (tests / self.design.alpha).ln();
        self.survivors().into_iter().filter(|&player| player != self.leader).all(|player| {
            let Some(state) = self.seen.get(&self.pairing(self.leader, player)) else {
                return false;
            };
            let of_player = if player < self.leader { *state } else { state.flipped() };
            state.exhausted
                || (self.design.epsilon_elo).is_some_and(|elo| {
                    of_player.ln_e_below(&self.design, elo::to_score(elo)) >= bound
                })
        })
    }

    /// Decides pairs of the ranking until no more follow.
    fn decide(&mut self, games: u64) {
        loop {
            let before = self.open_pairs;
            let tests = if self.design.epsilon_elo.is_some() { 3.0 } else { 2.0 };
            let bound = (tests * before as f64 / self.design.alpha).ln();
            let mut decided = Vec::new();
            for (pairing, state) in self.seen.clone() {
                if !self.open[pairing as usize] {
                    continue;
                }
                let (a, b) = self.pairings[pairing as usize];
                if let Some((is_a, proof)) = state.proof(&self.design, bound) {
                    let (better, worse) = if is_a { (a, b) } else { (b, a) };
                    self.settle(pairing, games, better, worse, proof);
                    if !matches!(proof, Proof::Close) {
                        decided.push((better, worse));
                    }
                }
            }
            self.close_under_transitivity(games, &decided);
            if self.open_pairs == before {
                return;
            }
        }
    }

    /// Decides pairs that follow from others: `a` is better than `b`, who is better than `c`.
    /// `decided` are the pairs, the better player first, whose consequences are not known yet.
    fn close_under_transitivity(&mut self, games: u64, decided: &[(usize, usize)]) {
        let mut new: Vec<(u32, usize, usize)> = Vec::new();
        for &(better, worse) in decided {
            let mut below = self.better[worse].clone();
            below[worse / 64] |= 1 << (worse % 64);
            for player in 0..self.players {
                if player != better && !self.is_better(player, better) {
                    continue;
                }
                for (place, &word) in below.iter().enumerate() {
                    let mut added = word & !self.better[player][place];
                    self.better[player][place] |= word;
                    while added != 0 {
                        let other = 64 * place + added.trailing_zeros() as usize;
                        added &= added - 1;
                        if other != player {
                            new.push((self.pairing(player, other), player, other));
                        }
                    }
                }
            }
        }
        sort_with_less_code::by(&mut new, Ord::cmp);
        for (pairing, better, worse) in new {
            // Players of a cycle are better than each other, so nothing follows for them.
            if self.open[pairing as usize] && !self.is_better(worse, better) {
                self.settle(pairing, games, better, worse, Proof::Transitive);
            }
        }
    }

    /// Notes a decision about a pair of the ranking.
    fn settle(&mut self, pairing: u32, games: u64, better: usize, worse: usize, proof: Proof) {
        self.open[pairing as usize] = false;
        self.open_pairs -= 1;
        self.note(games, better, worse, proof);
    }

    fn is_better(&self, a: usize, b: usize) -> bool {
        self.better[a].get(b / 64).is_some_and(|word| word >> (b % 64) & 1 == 1)
    }

    fn note(&mut self, games: u64, better: usize, worse: usize, proof: Proof) {
        self.decisions.push(Decision { round: self.rounds, games, better, worse, proof });
    }

    /// Undecided pairs that are nearest in the current order.
    fn neighbours(&self, strengths: &[f64]) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.players).gather();
        sort_with_less_code::by(&mut order, |&a, &b| strengths[b].total_cmp(&strengths[a]));
        for distance in 1..self.players {
            let ends = order.iter().zip(&order[distance..]);
            let found: Vec<u32> = (ends.map(|(&a, &b)| self.pairing(a, b)))
                .filter(|pairing| self.open[*pairing as usize])
                .filter(|pairing| !self.seen.get(pairing).is_some_and(|state| state.exhausted))
                .gather();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The two players of each pairing that has played, its opening pairs, and the points in pairs of
    /// its first player.
    fn games(&self) -> Vec<(usize, usize, f64, f64)> {
        let of_pairing = |(pairing, state): &(u32, PairState)| {
            let (a, b) = self.pairings[*pairing as usize];
            let n = state.pairs.n() as f64;
            (a, b, n, n * state.score(&self.design).unwrap_or(0.5))
        };
        self.seen.iter().map(of_pairing).gather()
    }

    /// The index of the pairing of two different players.
    fn pairing(&self, a: usize, b: usize) -> u32 {
        let pair = (a.min(b), a.max(b));
        self.pairings.binary_search(&pair).expect("all pairs are there") as u32
    }
}
