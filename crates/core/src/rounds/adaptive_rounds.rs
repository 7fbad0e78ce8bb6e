//! Which pairs of players play next, so that the best player or the whole order is found with few
//! games and a bounded error.
//!
//! The evidence are e-processes: the capital of a gambler who bets that a hypothesis is wrong. If
//! the hypothesis is true, the capital ever reaches `c` with probability at most `1/c` (Ville's
//! inequality). This holds for any choice of the next pair that depends on earlier results only.
//! So games may go where they decide most, and the run may stop at any time.
//!
//! - *Best*: the leader plays every other survivor until one survives. Then this
//!   player meets each player that it has not yet proved to beat.
//! - *Ranking*: undecided neighbours in the current order play. Decisions imply
//!   others, and then all implied pairs play, so that a cycle does not count as an order.
//! - *Against one player*: as a ranking, but only of pairs with this player.
//!
//! No statement assumes that the players have an order: a cycle is named, or the question stays
//! undecided.

pub use super::adaptive_design::{AdaptiveDesign, AdaptiveQuestion, AdaptiveWeight, Proof};
pub use super::adaptive_evidence::PairState;
pub use super::ratings_so_far::EarlierRating;
use super::ratings_so_far::RatingsSoFar;
use crate::stats::betting_e_value::ln_capital;
pub use crate::stats::betting_e_value::ln_e_value;
use crate::stats::elo;
use std::collections::BTreeMap;

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
/// use agon::rounds::adaptive_rounds::{
///     Adaptive, AdaptiveDesign, AdaptiveQuestion, AdaptiveWeight, PairState,
/// };
/// use agon::stats::Counts;
///
/// let design = AdaptiveDesign {
///     question: AdaptiveQuestion::Best,
///     alpha: 0.05,
///     epsilon_elo: None,
///     max_games: 10_000,
///     adjusted: false,
///     weight: AdaptiveWeight::Games,
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
    pub(crate) design: AdaptiveDesign,
    /// The players of each pairing, the smaller index first, in ascending order.
    pub(crate) pairings: Vec<(usize, usize)>,
    pub(crate) players: usize,
    /// What was known of each player before the first round.
    earlier: Vec<EarlierRating>,
    /// The evidence about each pairing that has played.
    pub(crate) seen: BTreeMap<u32, PairState>,
    /// For each pairing, the logarithms of the capital of bets on its first and on its second player
    /// that follow the ratings.
    pub(crate) rated: BTreeMap<u32, [f64; 2]>,
    /// The results of the leaders against each player, in the rounds that they led.
    pub(crate) by_leaders: Vec<PairState>,
    /// For each player, the logarithm of the capital of the bets on the leaders that follow ratings.
    pub(crate) rated_by_leaders: Vec<f64>,
    pub(crate) survives: Vec<bool>,
    pub(crate) leader: usize,
    /// For each player the players that it is better than, one bit each, if proofs imply others.
    pub(crate) better: Vec<Vec<u64>>,
    /// Whether each pair of the ranking is undecided, and how many are.
    pub(crate) open: Vec<bool>,
    pub(crate) open_pairs: usize,
    /// The undecided pairs whose order follows from other decisions.
    pub(crate) implied: BTreeMap<u32, Implied>,
    /// The pairings of the planned round, each with a bet that follows the ratings.
    planned: Vec<(u32, RatedBet)>,
    pub(crate) rounds: u64,
    pub(crate) decisions: Vec<Decision>,
    history: Vec<RoundEvidence>,
}

/// A share of the capital that is bet on the better player of a pairing.
#[derive(Debug, Clone, Copy)]
struct RatedBet {
    /// Whether the bet is on the player with the smaller index.
    on_first: bool,
    share: f64,
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
        let open: Vec<bool> = pairings.iter().map(is_asked).collect();
        let open_pairs = open.iter().filter(|open| **open).count();
        let words = if open_pairs == 0 { 0 } else { players.div_ceil(64) };
        Adaptive {
            design,
            players,
            earlier: vec![EarlierRating::default(); players],
            seen: BTreeMap::new(),
            rated: BTreeMap::new(),
            by_leaders: vec![PairState::default(); players],
            rated_by_leaders: vec![0.0; players],
            survives: vec![true; players],
            leader: 0,
            better: vec![vec![0; words]; players],
            open,
            open_pairs,
            implied: BTreeMap::new(),
            planned: Vec::new(),
            rounds: 0,
            decisions: Vec::new(),
            history: Vec::new(),
            pairings,
        }
    }

    /// The same procedure with ratings from earlier results, one for each player. They choose games and
    /// the sizes of bets, and are no evidence. So statements stay valid if no game of the procedure is
    /// among the earlier results.
    pub fn after(self, earlier: Vec<EarlierRating>) -> Self {
        Adaptive { earlier, ..self }
    }

    pub fn design(&self) -> &AdaptiveDesign {
        &self.design
    }

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
        (0..self.players).filter(|&player| self.survives[player]).collect()
    }

    /// The survivor with the highest estimate.
    pub fn leader(&self) -> usize {
        self.leader
    }

    /// The pairs of players that are not decided, for a ranking.
    pub fn undecided(&self) -> Vec<(usize, usize)> {
        let open = self.pairings.iter().zip(&self.open).filter(|(_, open)| **open);
        open.map(|(pair, _)| *pair).collect()
    }

    /// Whether the question is answered, with or without close players.
    pub fn is_decided(&self) -> bool {
        match self.design.question {
            AdaptiveQuestion::Best => self.best_answer() != BestAnswer::Undecided,
            AdaptiveQuestion::Ranking | AdaptiveQuestion::Against(_) => self.open_pairs == 0,
        }
    }

    /// Counts the games of the planned round, decides what can be decided, and plans the next round.
    /// `games` is the number of all games so far; `state` is the evidence about a pairing, by index.
    /// `None` if the question is answered or the maximum number of games is reached.
    pub fn step(&mut self, games: u64, state: &dyn Fn(u32) -> PairState) -> Option<NextRound> {
        if !self.planned.is_empty() {
            self.rounds += 1;
            for (pairing, bet) in std::mem::take(&mut self.planned) {
                self.count(pairing, bet, state(pairing));
            }
            let evidence = match self.design.question {
                AdaptiveQuestion::Best => self.eliminate(games),
                AdaptiveQuestion::Ranking | AdaptiveQuestion::Against(_) => self.decide(games),
            };
            let undecided = self.open_pairs as u32;
            self.history.push(RoundEvidence { games, undecided, evidence });
        }
        let ratings = RatingsSoFar::new(&self.earlier, &self.games());
        let strengths = &ratings.strengths;
        self.leader = (self.survivors().into_iter())
            .reduce(|best, next| if strengths[next] > strengths[best] { next } else { best })?;
        if self.is_decided() {
            return None;
        }
        let mut pairings = match self.design.question {
            AdaptiveQuestion::Best => self.pairings_of_leader(),
            AdaptiveQuestion::Ranking => self.neighbours(strengths),
            AdaptiveQuestion::Against(_) => {
                (0..).zip(&self.open).filter(|(_, open)| **open).map(|(i, _)| i).collect()
            }
        };
        pairings.retain(|pairing| !self.seen.get(pairing).is_some_and(|state| state.exhausted));
        if self.design.weight == AdaptiveWeight::Cost {
            self.retain_cheap(&ratings, &mut pairings);
        }
        pairings.sort();
        let number = pairings.len() as u64;
        let left = self.design.max_games.saturating_sub(games) / 2;
        let wanted = match self.design.weight {
            AdaptiveWeight::Games => (games / 20).div_ceil(number.max(1)),
            AdaptiveWeight::Cost => self.pairs_for_cost(games, &pairings),
        };
        let pairs = wanted.max(LEAST_PAIRS).min(left.checked_div(number)?);
        if pairs == 0 {
            return None;
        }
        self.planned = pairings.iter().map(|&it| (it, self.rated_bet(&ratings, it))).collect();
        Some(NextRound { pairings, pairs })
    }

    /// Keeps the pairings whose expected evidence for its cost is at least half of the largest. The
    /// evidence of each pairing counts at least half of the largest, so close players play, too.
    fn retain_cheap(&self, ratings: &RatingsSoFar, pairings: &mut Vec<u32>) {
        let growth = |&pairing: &u32| {
            let (a, b) = self.pairings[pairing as usize];
            ratings.growth(a, b)
        };
        let least = pairings.iter().map(growth).fold(0.0, f64::max) / 2.0;
        let costs = self.costs(pairings);
        let values = pairings.iter().zip(costs).map(|(it, cost)| growth(it).max(least) / cost);
        let values: Vec<f64> = values.collect();
        let least = values.iter().copied().fold(0.0, f64::max) / 2.0;
        let mut values = values.into_iter();
        pairings.retain(|_| values.next().is_some_and(|value| value >= least));
    }

    /// Opening pairs for a round of these pairings that costs a tenth of all games so far.
    fn pairs_for_cost(&self, games: u64, pairings: &[u32]) -> u64 {
        let spent: f64 = self.seen.values().map(|state| state.cost).sum();
        let spent = if spent > 0.0 { spent } else { games as f64 / 2.0 };
        (spent / 10.0 / self.costs(pairings).iter().sum::<f64>()).ceil() as u64
    }

    /// The cost of an opening pair of each of these pairings: the mean of the pairing, or else the
    /// larger mean of its players, as far as they are known.
    fn costs(&self, pairings: &[u32]) -> Vec<f64> {
        let mean = |(cost, pairs): (f64, u64)| (pairs > 0).then(|| cost / pairs as f64);
        let mut of_players = vec![(0.0, 0); self.players];
        let mut of_all = (0.0, 0);
        for (&pairing, state) in &self.seen {
            let (a, b) = self.pairings[pairing as usize];
            let [one, other] = of_players.get_disjoint_mut([a, b]).expect("two players");
            for sum in [one, other, &mut of_all] {
                *sum = (sum.0 + state.cost, sum.1 + state.pairs.n());
            }
        }
        let Some(all) = mean(of_all).filter(|mean| *mean > 0.0) else {
            return vec![1.0; pairings.len()];
        };
        let cost = |pairing: &u32| {
            let (a, b) = self.pairings[*pairing as usize];
            let own = self.seen.get(pairing).and_then(|it| mean((it.cost, it.pairs.n())));
            let players = [a, b].map(|player| mean(of_players[player]).unwrap_or(all));
            // Free games cost little, but not nothing.
            own.unwrap_or(players[0].max(players[1])).max(all / 1000.0)
        };
        pairings.iter().map(cost).collect()
    }

    /// The bet on the leader, or on the player that is better in an implied order.
    fn rated_bet(&self, ratings: &RatingsSoFar, pairing: u32) -> RatedBet {
        let (a, b) = self.pairings[pairing as usize];
        let on_first = match (self.design.question, self.implied.get(&pairing)) {
            (AdaptiveQuestion::Best, _) => self.leader == a,
            (_, Some(implied)) => implied.first_is_better,
            _ => return RatedBet { on_first: true, share: 0.0 },
        };
        let share = if on_first { ratings.bet(a, b) } else { ratings.bet(b, a) };
        RatedBet { on_first, share }
    }

    /// Adds the new games of a pairing.
    fn count(&mut self, pairing: u32, bet: RatedBet, state: PairState) {
        let (a, b) = self.pairings[pairing as usize];
        let new = state.since(&self.seen.insert(pairing, state).unwrap_or_default());
        let new = if bet.on_first { new } else { new.flipped() };
        let gain = ln_capital(&new.pairs, bet.share, 0.5);
        self.rated.entry(pairing).or_default()[usize::from(!bet.on_first)] += gain;
        let (better, other) = if bet.on_first { (a, b) } else { (b, a) };
        if self.design.question == AdaptiveQuestion::Best && better == self.leader {
            self.by_leaders[other].merge(&new);
            self.rated_by_leaders[other] += gain;
        }
    }

    /// The evidence about two players from the point of view of the first, if they have met.
    pub(crate) fn state(&self, first: usize, second: usize) -> PairState {
        let state = self.seen.get(&self.pairing(first, second)).copied().unwrap_or_default();
        if first < second { state } else { state.flipped() }
    }

    /// The proof of their own games that `first` beats `second`. Half of the capital is bet in shares
    /// that follow the ratings.
    pub(crate) fn own_proof(&self, first: usize, second: usize) -> Proof {
        let rated = self.rated.get(&self.pairing(first, second)).copied().unwrap_or_default();
        let rated = rated[usize::from(first > second)];
        self.state(first, second).proof_with_rated_bets(&self.design, rated)
    }

    pub(crate) fn note(&mut self, games: u64, better: usize, worse: usize, proof: Proof) {
        self.decisions.push(Decision { round: self.rounds, games, better, worse, proof });
    }

    /// The two players of each pairing that has played, its opening pairs, and the points in pairs of
    /// its first player.
    fn games(&self) -> Vec<(usize, usize, f64, f64)> {
        let of_pairing = |(pairing, state): (&u32, &PairState)| {
            let (a, b) = self.pairings[*pairing as usize];
            let n = state.pairs.n() as f64;
            (a, b, n, n * state.score(&self.design).unwrap_or(0.5))
        };
        self.seen.iter().map(of_pairing).collect()
    }

    /// The index of the pairing of two different players.
    pub(crate) fn pairing(&self, a: usize, b: usize) -> u32 {
        let pair = (a.min(b), a.max(b));
        self.pairings.binary_search(&pair).expect("all pairs are there") as u32
    }
}

// The best of many players: the steps of [`Adaptive`] for this question.
//
// First players are eliminated. The leader plays every other survivor. The capital against "no
// player beats `j` on average" bets on the leader in each game of `j` against the leader of that
// round. The leader is chosen before the round, so each bet is fair for any leader. At `2/alpha`
// player `j` is eliminated.
//
// Then the last survivor must prove to beat each other player in their own games, with an e-value of
// `3/alpha + 1`. It meets the players whose games do not prove that yet. If another player proves to
// beat it, with an e-value of `2(K - 1)/alpha` for `K` players, no player is the best.
//
// The answer is wrong with probability at most `alpha`, whatever the chances of the players against
// each other are: the module `adaptive_design` has the proof.
//
// With `epsilon_elo`, "no player is better than this one by more" is another answer, and both share
// the error.

/// What is known about the best player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BestAnswer {
    /// This player beats every other player. The score against some may be exactly level.
    Best(usize),
    /// No other player is better than this one by more than `epsilon_elo`.
    Close(usize),
    /// These survivors have exactly level scores with this player.
    Level(usize),
    /// No player is the best: the last survivor does not beat all others.
    NoBest {
        /// The player that was not eliminated.
        last: usize,
        /// A player that beats it.
        beaten_by: usize,
    },
    Undecided,
}

/// What the games of the leader and another player prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Beats,
    Beaten,
    /// The score of exact games is one half.
    Level,
    Close,
    Open,
}

impl Adaptive {
    /// What the rounds so far say about the best player.
    pub fn best_answer(&self) -> BestAnswer {
        let leader = self.leader;
        let others = |is: &dyn Fn(usize) -> bool| -> Vec<usize> {
            (0..self.players).filter(|&player| player != leader && is(player)).collect()
        };
        let all = others(&|_| true);
        let is = |player: &usize, wanted: &[Comparison]| wanted.contains(&self.comparison(*player));
        let survivors = others(&|player| self.survives[player]);
        if survivors.is_empty() {
            let beaten_by = all.iter().find(|player| is(player, &[Comparison::Beaten]));
            return match beaten_by {
                Some(&beaten_by) => BestAnswer::NoBest { last: leader, beaten_by },
                None if all.iter().all(|it| is(it, &[Comparison::Beats, Comparison::Level])) => {
                    BestAnswer::Best(leader)
                }
                None => self.close_answer(&all),
            };
        }
        if survivors.iter().all(|player| is(player, &[Comparison::Level]))
            && all.iter().all(|player| is(player, &[Comparison::Beats, Comparison::Level]))
        {
            return BestAnswer::Level(leader);
        }
        self.close_answer(&all)
    }

    fn close_answer(&self, others: &[usize]) -> BestAnswer {
        let settled = [Comparison::Beats, Comparison::Level, Comparison::Close];
        let is_close = self.design.epsilon_elo.is_some()
            && others.iter().all(|&player| settled.contains(&self.comparison(player)));
        if is_close { BestAnswer::Close(self.leader) } else { BestAnswer::Undecided }
    }

    /// What the own games of the leader and `player` prove.
    fn comparison(&self, player: usize) -> Comparison {
        let state = self.state(self.leader, player);
        if state.exhausted {
            return match state.score(&self.design).unwrap_or(0.5) {
                score if score > 0.5 => Comparison::Beats,
                score if score < 0.5 => Comparison::Beaten,
                _ => Comparison::Level,
            };
        }
        let reaches = |proof: Proof, bound: f64| proof.ln_e().is_some_and(|ln_e| ln_e >= bound);
        let bound = match self.design.epsilon_elo {
            None => (3.0 / self.design.alpha + 1.0).ln(),
            // "Beats" or "is close" may be wrong about one player for each of K players, in each of
            // two answers.
            Some(_) => (4.0 * self.players as f64 / self.design.alpha).ln(),
        };
        if reaches(self.own_proof(self.leader, player), bound) {
            return Comparison::Beats;
        }
        let margin = self.design.epsilon_elo.map(elo::to_score);
        if margin.is_some_and(|margin| state.flipped().ln_e_below(&self.design, margin) >= bound) {
            return Comparison::Close;
        }
        let bound = (2.0 * self.answers() * (self.players - 1) as f64 / self.design.alpha).ln();
        match reaches(self.own_proof(player, self.leader), bound) {
            true => Comparison::Beaten,
            false => Comparison::Open,
        }
    }

    /// The players whose games with the leader do not yet prove that it beats them.
    pub fn unproven(&self) -> Vec<usize> {
        let is_open =
            |&player: &usize| player != self.leader && self.comparison(player) == Comparison::Open;
        (0..self.players).filter(is_open).collect()
    }

    /// The number of answers that share the error: "the best", and "close to the best".
    fn answers(&self) -> f64 {
        if self.design.epsilon_elo.is_some() { 2.0 } else { 1.0 }
    }

    /// The natural logarithm of the e-value at which a player is eliminated.
    pub fn elimination_bound(&self) -> f64 {
        (2.0 * self.answers() / self.design.alpha).ln()
    }

    /// The pairings of the leader with the survivors that need more games. If there are none, with
    /// the eliminated players that it does not yet prove to beat.
    pub(crate) fn pairings_of_leader(&self) -> Vec<u32> {
        let settled = [Comparison::Level, Comparison::Close];
        for survives in [true, false] {
            let is_needed = |&player: &usize| {
                let same = self.survives[player] == survives && player != self.leader;
                let comparison = if same { self.comparison(player) } else { Comparison::Level };
                !settled.contains(&comparison) && (survives || comparison == Comparison::Open)
            };
            let needed: Vec<u32> = (0..self.players)
                .filter(is_needed)
                .map(|player| self.pairing(self.leader, player))
                .collect();
            if !needed.is_empty() {
                return needed;
            }
        }
        Vec::new()
    }

    /// The proof against "no player beats this one on average".
    fn proof_of_leaders(&self, player: usize) -> Proof {
        let rated = self.rated_by_leaders[player];
        self.by_leaders[player].proof_with_rated_bets(&self.design, rated)
    }

    /// Eliminates players that the leaders beat, and the leader if another player beats it. Returns
    /// the evidence of the leaders against each other survivor.
    pub(crate) fn eliminate(&mut self, games: u64) -> Vec<(u32, f32)> {
        let mut evidence = Vec::new();
        let bound = self.elimination_bound();
        let leader = self.leader;
        for player in (0..self.players).filter(|&player| player != leader) {
            let proof = self.proof_of_leaders(player);
            let ln_e = proof.ln_e().unwrap_or(0.0);
            if self.survives[player] {
                evidence.push((player as u32, ln_e as f32));
            }
            let exact = self.state(leader, player).exhausted;
            let (better, worse, proof) = match self.comparison(player) {
                Comparison::Beaten if exact => (player, leader, Proof::Exact),
                Comparison::Beaten => (player, leader, self.own_proof(player, leader)),
                Comparison::Beats if exact => (leader, player, Proof::Exact),
                _ if ln_e >= bound => (leader, player, proof),
                _ => continue,
            };
            // The last survivor stays, also if a player beats it.
            if self.survives[worse] && self.survivors().len() > 1 {
                self.survives[worse] = false;
                self.note(games, better, worse, proof);
            }
        }
        evidence
    }
}

// The order of many players: the steps of [`Adaptive`] for this question.
//
// Undecided neighbours in the current order play until one proves to be better. Proofs imply others:
// if `a` is better than `b`, and `b` better than `c`, then `a` should be better than `c`. At last all
// implied pairs play, and their later games decide: they confirm the implied order, or they prove
// the reverse. So an order needs evidence about every pair, and a cycle does not count as an order.
//
// The order is wrong with probability at most `alpha`, whatever the chances of the players against
// each other are: the module `adaptive_design` has the proof. If proofs contradict each other, their
// pairs play on until the e-value of each is `K(K - 1)/(0.1 alpha)` for `K` players. Then the cycle is
// named.

/// A pair whose order follows from other decisions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Implied {
    pub(crate) first_is_better: bool,
    /// The evidence when the order was implied: only later games may confirm it.
    before: PairState,
}

impl Adaptive {
    /// Cycles of players that their games prove, each in the order in which they beat each other: the
    /// shortest one of each group of players that has no order.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let mut beaten = vec![Vec::new(); self.players];
        for decision in &self.decisions {
            if !matches!(decision.proof, Proof::Transitive(_) | Proof::Close) {
                beaten[decision.better].push(decision.worse);
            }
        }
        let mut cycles: Vec<Vec<usize>> = Vec::new();
        for (winner, losers) in beaten.iter().enumerate() {
            for &loser in losers.iter().filter(|&&loser| self.is_better(loser, winner)) {
                let Some(path) = shortest_path(&beaten, loser, winner) else { continue };
                // Players of one group are better than each other.
                let same = |known: &&mut Vec<usize>| {
                    self.is_better(known[0], winner) && self.is_better(winner, known[0])
                        || known[0] == winner
                };
                match cycles.iter_mut().find(same) {
                    Some(known) if known.len() > path.len() => *known = path,
                    Some(_) => {}
                    None => cycles.push(path),
                }
            }
        }
        cycles
    }

    /// The players of a ranking by the number of players that they are better than, most first.
    pub fn order(&self) -> Vec<usize> {
        let better = |player: usize| self.better[player].iter().map(|word| word.count_ones());
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by(|&a, &b| better(b).sum::<u32>().cmp(&better(a).sum()).then(b.cmp(&a)));
        order
    }

    /// The natural logarithm of the e-value that proves who is better.
    pub fn proof_bound(&self) -> f64 {
        let AdaptiveDesign { alpha, epsilon_elo, .. } = self.design;
        let (players, others) = (self.players as f64, (self.players - 1) as f64);
        let bound = match (self.design.question, epsilon_elo) {
            (AdaptiveQuestion::Against(_), _) => 2.0 * others / alpha,
            (_, None) => (1.0 + alpha) / (1.0 - alpha) * players / (0.7 * alpha),
            // Nothing follows from "close", so each pair has its share of the error.
            (_, Some(_)) => players * others / (0.7 * alpha),
        };
        bound.ln()
    }

    /// The same for an implied order, by games that came after it was implied.
    pub fn confirmation_bound(&self) -> f64 {
        (1.0 / (0.2 * self.design.alpha)).ln()
    }

    /// The same for players of a cycle.
    fn cycle_bound(&self) -> f64 {
        let pairs = self.players * (self.players - 1);
        (pairs as f64 / (0.1 * self.design.alpha)).ln()
    }

    /// Whether the proofs say of both players that they are better.
    fn in_cycle(&self, pairing: u32) -> bool {
        let (a, b) = self.pairings[pairing as usize];
        self.is_better(a, b) && self.is_better(b, a)
    }

    /// Decides pairs of the ranking. Returns the evidence about each player that met the one of
    /// [`AdaptiveQuestion::Against`].
    pub(crate) fn decide(&mut self, games: u64) -> Vec<(u32, f32)> {
        let [bound, in_cycle] = [self.proof_bound(), self.cycle_bound()];
        let mut evidence = Vec::new();
        let mut proven = Vec::new();
        for (pairing, state) in self.seen.clone() {
            if !self.open[pairing as usize] {
                continue;
            }
            let (a, b) = self.pairings[pairing as usize];
            if let AdaptiveQuestion::Against(one) = self.design.question {
                let both = [state, state.flipped()];
                let most = both.iter().map(|state| state.ln_e_above(&self.design, 0.5));
                let other = if a == one { b } else { a };
                evidence.push((other as u32, most.fold(f64::MIN, f64::max) as f32));
            }
            let bound = if self.in_cycle(pairing) { in_cycle } else { bound };
            let proof = state.proof(&self.design, bound).or_else(|| self.confirmed(pairing, state));
            let Some((is_a, proof)) = proof else { continue };
            let (better, worse) = if is_a { (a, b) } else { (b, a) };
            self.settle(pairing, games, better, worse, proof);
            if !matches!(proof, Proof::Close | Proof::Transitive(_)) {
                proven.push((better, worse));
            }
        }
        if self.design.question == AdaptiveQuestion::Ranking {
            self.imply(&proven);
            self.reopen(in_cycle);
        }
        evidence
    }

    /// Opens pairs in a cycle again if their proof is too weak for a statement about a cycle.
    fn reopen(&mut self, bound: f64) {
        let mut kept = Vec::new();
        for decision in std::mem::take(&mut self.decisions) {
            let pairing = self.pairing(decision.better, decision.worse);
            let is_weak = match decision.proof {
                Proof::Transitive(_) => true,
                proof => proof.ln_e().is_some_and(|ln_e| ln_e < bound),
            };
            if is_weak && self.in_cycle(pairing) {
                self.open[pairing as usize] = true;
                self.open_pairs += 1;
            } else {
                kept.push(decision);
            }
        }
        self.decisions = kept;
    }

    /// The proof of an implied order by games that came after it was implied.
    fn confirmed(&self, pairing: u32, state: PairState) -> Option<(bool, Proof)> {
        let implied = self.implied.get(&pairing)?;
        let later = state.since(&implied.before);
        let is_first = implied.first_is_better;
        let rated = self.rated.get(&pairing).copied().unwrap_or_default();
        let later = if is_first { later } else { later.flipped() };
        let proof = later.proof_with_rated_bets(&self.design, rated[usize::from(!is_first)]);
        let ln_e = proof.ln_e().filter(|ln_e| *ln_e >= self.confirmation_bound())?;
        // Players of a cycle are better than each other, so nothing follows for them.
        (!self.in_cycle(pairing)).then_some((is_first, Proof::Transitive(ln_e)))
    }

    /// Notes the pairs that follow from others: `a` is better than `b`, who is better than `c`.
    /// `proven` are the pairs, the better player first, whose consequences are not known yet.
    fn imply(&mut self, proven: &[(usize, usize)]) {
        let mut new: Vec<(u32, bool)> = Vec::new();
        for &(better, worse) in proven {
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
                            new.push((self.pairing(player, other), player < other));
                        }
                    }
                }
            }
        }
        for (pairing, first_is_better) in new {
            if self.open[pairing as usize] && !self.implied.contains_key(&pairing) {
                let before = self.seen.get(&pairing).copied().unwrap_or_default();
                self.implied.insert(pairing, Implied { first_is_better, before });
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

    /// Undecided pairs that are nearest in the current order. Implied pairs are last.
    pub(crate) fn neighbours(&self, strengths: &[f64]) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.players).collect();
        order.sort_by(|&a, &b| strengths[b].total_cmp(&strengths[a]));
        for distance in 1..self.players {
            let ends = order.iter().zip(&order[distance..]);
            let found: Vec<u32> = (ends.map(|(&a, &b)| self.pairing(a, b)))
                .filter(|pairing| self.open[*pairing as usize])
                .filter(|pairing| !self.implied.contains_key(pairing))
                .filter(|pairing| !self.seen.get(pairing).is_some_and(|state| state.exhausted))
                .collect();
            if !found.is_empty() {
                return found;
            }
        }
        self.implied.keys().copied().filter(|&pairing| self.open[pairing as usize]).collect()
    }
}

/// The shortest path from a player to another by wins, with both ends.
fn shortest_path(beaten: &[Vec<usize>], from: usize, to: usize) -> Option<Vec<usize>> {
    let mut before = vec![None; beaten.len()];
    let mut reached = vec![from];
    let mut next = 0;
    while let Some(&player) = reached.get(next) {
        if player == to {
            let steps = std::iter::successors(Some(to), |&player| before[player]);
            let mut path: Vec<usize> = steps.collect();
            path.reverse();
            return Some(path);
        }
        for &other in &beaten[player] {
            if other != from && before[other].is_none() {
                before[other] = Some(player);
                reached.push(other);
            }
        }
        next += 1;
    }
    None
}
