//! Tournaments of matches: the results of a round decide who meets in the next one. What is common to
//! all of them is here; who meets whom is in a file for each kind of tournament.

use std::fmt;

use super::adaptive_rounds::{NextRound, ln_e_value};
use crate::stats::score_counts::{Pentanomial, Trinomial};
use std::collections::BTreeMap;

/// How the places follow from the matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placing {
    /// By the points of the matches; matches may be drawn.
    Points,
    /// The loser of a match is out. The winners of neighbouring matches meet in the next round.
    Bracket,
}

/// A match of the next round: the player with the higher rank or seed, and its opponent. `None`: the
/// player has none.
pub type Meeting = (usize, Option<usize>);

/// The rules of one kind of tournament.
pub trait TournamentRules: fmt::Debug + Send + Sync {
    /// The name in a sentence, such as `Swiss tournament`.
    fn name(&self) -> &'static str;

    /// How the places follow from the matches.
    fn placing(&self) -> Placing;

    /// The number of rounds of a tournament with this number of players.
    fn rounds(&self, players: usize) -> u64;

    /// The largest number of rounds with this number of players, if users may choose the number.
    fn most_rounds(&self, _players: usize) -> Option<u64> {
        None
    }

    /// The number of matches of all rounds, without byes.
    fn matches(&self, players: usize, rounds: u64) -> u64;

    /// Who meets in the next round. The matches of all rounds before are over.
    fn next_round(&self, tournament: &Tournament) -> Vec<Meeting>;
}

impl PartialEq for dyn TournamentRules {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// A tournament as the config states it.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentDesign {
    /// Who meets.
    pub rules: &'static dyn TournamentRules,
    pub rounds: u64,
    /// A match of a bracket ends before its last game if its winner is the better player, with this
    /// probability of an error, in (0, 1).
    pub alpha: Option<f64>,
    /// Games of a match, even; at most, if a match can end before.
    pub games: u64,
    /// The players, the strongest first.
    pub seeds: Vec<usize>,
}

impl TournamentDesign {
    /// A tournament with as many rounds as its number of players needs, in which all matches have the
    /// same number of games.
    pub fn new(rules: &'static dyn TournamentRules, games: u64, seeds: Vec<usize>) -> Self {
        TournamentDesign { rules, rounds: rules.rounds(seeds.len()), alpha: None, games, seeds }
    }

    /// Whether losers are out.
    pub fn is_bracket(&self) -> bool {
        self.rules.placing() == Placing::Bracket
    }

    /// The number of games, or the largest number if a match can end early, without the extra games
    /// of drawn matches.
    pub fn all_games(&self) -> u64 {
        self.rules.matches(self.seeds.len(), self.rounds).saturating_mul(self.games)
    }
}

/// Opening pairs after the games of a match of a bracket, if it is drawn.
pub const EXTRA_PAIRS: u64 = 10;

/// The smallest number of opening pairs between two looks at a match that can end early.
const LEAST_PAIRS: u64 = 4;

/// What a pairing has played, from the side of its first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Played {
    /// All games that count.
    pub all: Trinomial,
    pub distinct: Trinomial,
    /// Distinct opening pairs.
    pub pairs: Pentanomial,
    /// More games would only repeat these.
    pub exhausted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// It goes on.
    Open,
    /// The player has no opponent.
    Bye,
    /// All its games are played.
    Score,
    /// The natural logarithm of the e-value that decided before the last game.
    EValue(f64),
    /// Opening pairs after a drawn match.
    ExtraPairs,
    /// The match stayed drawn, so the higher seed won.
    Seed,
    /// More games would only repeat these. If they are drawn, the higher seed won.
    Repeats,
}

/// A match of a round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Match {
    /// The round, from 1.
    pub round: u64,
    /// The player with the higher rank or seed.
    pub a: usize,
    /// The opponent; `None`: a bye.
    pub b: Option<usize>,
    /// The games, from the side of `a`.
    pub score: Trinomial,
    /// Who won; `None` if the match is drawn or goes on.
    pub winner: Option<usize>,
    pub ending: Ending,
}

impl Match {
    pub fn is_over(&self) -> bool {
        self.ending != Ending::Open
    }

    /// The points of a player for the match, in half points: 2, 1 or 0. A bye is a win.
    pub fn half_points(&self, player: usize) -> u64 {
        match self.winner {
            Some(winner) => 2 * u64::from(winner == player),
            None => u64::from(self.is_over()),
        }
    }

    /// The opponent of a player of this match.
    pub fn opponent(&self, player: usize) -> Option<usize> {
        if player == self.a { self.b } else { Some(self.a) }
    }

    /// Whether this player has this match or bye.
    pub fn has(&self, player: usize) -> bool {
        self.a == player || self.b == Some(player)
    }
}

/// A player's place in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TournamentStanding {
    pub player: usize,
    /// Its seed, from 1.
    pub seed: usize,
    /// Its place, from 1.
    pub place: usize,
    /// Half points of its matches and byes.
    pub points: u64,
    /// Half points of its opponents; its own for a bye.
    pub buchholz: u64,
    /// Quarter points: those of each opponent times its own result; its own for a bye.
    pub sonneborn_berger: u64,
    /// Matches won, drawn and lost.
    pub matches: [u64; 3],
    /// Rounds without an opponent.
    pub byes: u64,
    pub games: Trinomial,
    /// The last round in which it had a match or a bye.
    pub last_round: u64,
    /// Whether it lost a match of a bracket.
    pub is_out: bool,
}

/// The state of a tournament between two rounds.
#[derive(Debug, Clone)]
pub struct Tournament {
    design: TournamentDesign,
    /// The players of each pairing, the smaller index first, in ascending order.
    pairings: Vec<(usize, usize)>,
    matches: Vec<Match>,
    /// What a pairing had played before its current match.
    before: BTreeMap<u32, Played>,
    /// Opening pairs of each open match so far.
    pairs: u64,
}

impl Tournament {
    /// A tournament before its first game. `pairings` are all pairs of different players in
    /// ascending order, the smaller index first.
    pub fn new(design: TournamentDesign, pairings: Vec<(usize, usize)>) -> Self {
        Tournament { design, pairings, matches: Vec::new(), before: BTreeMap::new(), pairs: 0 }
    }

    pub fn design(&self) -> &TournamentDesign {
        &self.design
    }

    /// All matches that are known, round by round; each round in the order of its boards.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The current round, from 1; 0 before the first.
    pub fn round(&self) -> u64 {
        self.matches.last().map_or(0, |last| last.round)
    }

    /// Whether all rounds are played.
    pub fn is_over(&self) -> bool {
        self.round() == self.design.rounds && self.matches.iter().all(Match::is_over)
    }

    /// Counts the games of the planned round and plans the next one. `played` says what a pairing, by
    /// index, has played. `None`: the tournament is over.
    pub fn step(&mut self, played: &dyn Fn(u32) -> Played) -> Option<NextRound> {
        for i in 0..self.matches.len() {
            let mut game = self.matches[i];
            let Some(b) = game.b.filter(|_| !game.is_over()) else { continue };
            let pairing = self.pairing(game.a, b);
            let now = since(played(pairing), self.before.get(&pairing).copied());
            let of_a = if game.a < b { now } else { flipped(now) };
            self.count(&mut game, of_a);
            self.matches[i] = game;
            if game.is_over() {
                self.before.insert(pairing, played(pairing));
            }
        }
        if self.matches.iter().all(Match::is_over) {
            if self.round() == self.design.rounds {
                return None;
            }
            self.pairs = 0;
            self.begin_round();
        }
        let open = self.matches.iter().filter(|game| !game.is_over());
        let mut pairings: Vec<u32> =
            open.filter_map(|game| Some(self.pairing(game.a, game.b?))).collect();
        pairings.sort();
        let all = self.design.games / 2;
        let pairs = match self.design.alpha {
            _ if self.pairs >= all => 1,
            Some(_) => (self.pairs / 10).max(LEAST_PAIRS).min(all - self.pairs),
            None => all,
        };
        self.pairs += pairs;
        Some(NextRound { pairings, pairs })
    }

    /// Decides an open match if its games decide it.
    fn count(&self, game: &mut Match, played: Played) {
        let bracket = self.design.is_bracket();
        game.score = if bracket { played.distinct } else { played.all };
        let b = game.b.unwrap_or(game.a);
        let leader = match game.score.wins().cmp(&game.score.losses()) {
            std::cmp::Ordering::Greater => Some(game.a),
            std::cmp::Ordering::Less => Some(b),
            std::cmp::Ordering::Equal => None,
        };
        let all = self.design.games / 2;
        let (mut of_a, mut of_b, mut bound) = (0.0, 0.0, f64::MAX);
        if let Some(alpha) = self.design.alpha
            && self.pairs <= all
        {
            bound = (2.0 / alpha).ln();
            of_a = ln_e_value(&played.pairs, 0.5);
            of_b = ln_e_value(&played.pairs.flipped(), 0.5);
        }
        (game.winner, game.ending) = match leader {
            leader if !bracket => (leader, Ending::Score),
            _ if of_a >= bound => (Some(game.a), Ending::EValue(of_a)),
            _ if of_b >= bound => (Some(b), Ending::EValue(of_b)),
            Some(leader) if self.pairs == all => (Some(leader), Ending::Score),
            Some(leader) if self.pairs > all => (Some(leader), Ending::ExtraPairs),
            // `a` is the higher seed.
            leader if played.exhausted => (leader.or(Some(game.a)), Ending::Repeats),
            None if self.pairs >= all + EXTRA_PAIRS => (Some(game.a), Ending::Seed),
            _ => (None, Ending::Open),
        };
    }

    fn begin_round(&mut self) {
        let round = self.round() + 1;
        for (a, b) in self.design.rules.next_round(self) {
            let (winner, ending) =
                if b.is_none() { (Some(a), Ending::Bye) } else { (None, Ending::Open) };
            self.matches.push(Match { round, a, b, score: Trinomial::default(), winner, ending });
        }
    }

    /// The players in the order of their places. Only finished matches count.
    pub fn standings(&self) -> Vec<TournamentStanding> {
        let bracket = self.design.is_bracket();
        let over = || self.matches.iter().filter(|game| game.is_over());
        let points_of = |player: usize| -> u64 {
            over().filter(|game| game.has(player)).map(|game| game.half_points(player)).sum()
        };
        let points: Vec<u64> = (0..self.design.seeds.len()).map(points_of).collect();
        let mut all: Vec<TournamentStanding> = Vec::new();
        for (seed, &player) in self.design.seeds.iter().enumerate() {
            let mut standing = TournamentStanding {
                player,
                seed: seed + 1,
                points: points[player],
                ..TournamentStanding::default()
            };
            for game in over().filter(|game| game.has(player)) {
                let own = game.half_points(player);
                let opponent = game.opponent(player);
                let theirs = points[opponent.unwrap_or(player)];
                standing.buchholz += theirs;
                standing.sonneborn_berger += theirs * own;
                standing.last_round = game.round;
                if opponent.is_none() {
                    standing.byes += 1;
                    continue;
                }
                standing.matches[2 - own as usize] += 1;
                let games = if player == game.a { game.score } else { game.score.flipped() };
                standing.games.merge(&games);
                standing.is_out |= bracket && own == 0;
            }
            all.push(standing);
        }
        let key = |standing: &TournamentStanding| match bracket {
            true => [u64::from(!standing.is_out), standing.last_round, 0, 0],
            false => {
                let TournamentStanding { points, buchholz, sonneborn_berger, .. } = *standing;
                let share = (standing.games.mean().unwrap_or(0.5) * 1e9) as u64;
                [points, buchholz, sonneborn_berger, share]
            }
        };
        all.sort_by_key(|standing| std::cmp::Reverse(key(standing)));
        for i in 0..all.len() {
            let tied = i > 0 && key(&all[i]) == key(&all[i - 1]);
            all[i].place = if tied { all[i - 1].place } else { i + 1 };
        }
        all
    }

    /// The index of the pairing of two different players.
    fn pairing(&self, a: usize, b: usize) -> u32 {
        let pair = (a.min(b), a.max(b));
        self.pairings.binary_search(&pair).expect("all pairs are there") as u32
    }
}

/// The counts after `before`.
fn since(mut now: Played, before: Option<Played>) -> Played {
    if let Some(before) = before {
        for i in 0..3 {
            now.all.0[i] -= before.all.0[i];
            now.distinct.0[i] -= before.distinct.0[i];
        }
        for i in 0..5 {
            now.pairs.0[i] -= before.pairs.0[i];
        }
    }
    now
}

fn flipped(played: Played) -> Played {
    Played {
        all: played.all.flipped(),
        distinct: played.distinct.flipped(),
        pairs: played.pairs.flipped(),
        exhausted: played.exhausted,
    }
}
