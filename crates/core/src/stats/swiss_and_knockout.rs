//! Tournaments of matches: a Swiss tournament or a knockout. The results of a round decide who meets
//! in the next one.

use super::adaptive_rounds::{NextRound, ln_e_value};
use super::dutch_pairing::{Entrant, Float, pair_round};
use super::score_counts::{Pentanomial, Trinomial};
use crate::util::collect_with_less_code::Gather;
use crate::util::sort_with_less_code;
use crate::util::sorted_map::SortedMap;

/// Who meets in the next round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TournamentKind {
    /// Players with equal scores, in this number of rounds.
    Swiss {
        /// The number of rounds.
        rounds: u64,
    },
    /// The winners of the round before, by a fixed plan; losers are out.
    Knockout {
        /// A match ends before its last game if its winner is the better player, with this
        /// probability of an error, in (0, 1).
        alpha: Option<f64>,
    },
}

/// A tournament as the config states it.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentDesign {
    /// Who meets.
    pub kind: TournamentKind,
    /// Games of a match, even; at most, if a match can end before.
    pub games: u64,
    /// The players, the strongest first.
    pub seeds: Vec<usize>,
}

impl TournamentDesign {
    /// Whether results decide how many games a match has, apart from drawn matches.
    pub fn can_end_early(&self) -> bool {
        matches!(self.kind, TournamentKind::Knockout { alpha: Some(_) })
    }

    /// The number of games, or the largest number if a match can end early, without the extra games
    /// of drawn matches.
    pub fn all_games(&self) -> u64 {
        let players = self.seeds.len() as u64;
        let matches = match self.kind {
            TournamentKind::Swiss { rounds } => rounds.saturating_mul(players / 2),
            TournamentKind::Knockout { .. } => players.saturating_sub(1),
        };
        matches.saturating_mul(self.games)
    }
}

/// Opening pairs after the games of a knockout match, if it is drawn.
pub const EXTRA_PAIRS: u64 = 10;

/// The smallest number of opening pairs between two looks at a match that can end early.
const LEAST_PAIRS: u64 = 4;

/// What a pairing has played, from the side of its first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Played {
    /// All games that count.
    pub all: Trinomial,
    /// Distinct games.
    pub distinct: Trinomial,
    /// Distinct opening pairs.
    pub pairs: Pentanomial,
    /// More games would only repeat these.
    pub exhausted: bool,
}

/// Why a match ended.
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
    /// Why it ended.
    pub ending: Ending,
}

impl Match {
    /// Whether the match is over.
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

    fn has(&self, player: usize) -> bool {
        self.a == player || self.b == Some(player)
    }
}

/// A player's place in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TournamentStanding {
    /// The player.
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
    /// Its games.
    pub games: Trinomial,
    /// The last round in which it had a match or a bye.
    pub last_round: u64,
    /// Whether it lost a match in a knockout.
    pub is_out: bool,
}

/// The state of a tournament between two rounds.
#[derive(Debug, Clone)]
pub struct Tournament {
    design: TournamentDesign,
    /// The players of each pairing, the smaller index first, in ascending order.
    pairings: Vec<(usize, usize)>,
    /// The place of each player among the seeds, from 0.
    seed_of: Vec<usize>,
    matches: Vec<Match>,
    /// What a pairing had played before its current match.
    before: SortedMap<u32, Played>,
    /// Opening pairs of each open match so far.
    pairs: u64,
}

impl Tournament {
    /// A tournament before its first game. `pairings` are all pairs of different players in
    /// ascending order, the smaller index first.
    pub fn new(design: TournamentDesign, pairings: Vec<(usize, usize)>) -> Self {
        let mut seed_of = vec![0; design.seeds.len()];
        design.seeds.iter().enumerate().for_each(|(seed, &player)| seed_of[player] = seed);
        let (matches, before) = (Vec::new(), SortedMap::new());
        Tournament { design, pairings, seed_of, matches, before, pairs: 0 }
    }

    /// The design.
    pub fn design(&self) -> &TournamentDesign {
        &self.design
    }

    /// All matches that are known, round by round; each round in the order of its boards.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The number of rounds that the tournament has.
    pub fn rounds(&self) -> u64 {
        match self.design.kind {
            TournamentKind::Swiss { rounds } => rounds,
            TournamentKind::Knockout { .. } => self.size().ilog2().into(),
        }
    }

    /// The current round, from 1; 0 before the first.
    pub fn round(&self) -> u64 {
        self.matches.last().map_or(0, |last| last.round)
    }

    /// Whether all rounds are played.
    pub fn is_over(&self) -> bool {
        self.round() == self.rounds() && self.matches.iter().all(Match::is_over)
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
            if self.round() == self.rounds() {
                return None;
            }
            self.pairs = 0;
            self.begin_round();
        }
        let open = self.matches.iter().filter(|game| !game.is_over());
        let mut pairings: Vec<u32> =
            open.filter_map(|game| Some(self.pairing(game.a, game.b?))).gather();
        sort_with_less_code::by(&mut pairings, u32::cmp);
        let all = self.design.games / 2;
        let pairs = match self.design.kind {
            _ if self.pairs >= all => 1,
            TournamentKind::Knockout { alpha: Some(_) } => {
                (self.pairs / 10).max(LEAST_PAIRS).min(all - self.pairs)
            }
            _ => all,
        };
        self.pairs += pairs;
        Some(NextRound { pairings, pairs })
    }

    /// Decides an open match if its games decide it.
    fn count(&self, game: &mut Match, played: Played) {
        let swiss = matches!(self.design.kind, TournamentKind::Swiss { .. });
        game.score = if swiss { played.all } else { played.distinct };
        let b = game.b.unwrap_or(game.a);
        let leader = match game.score.wins().cmp(&game.score.losses()) {
            std::cmp::Ordering::Greater => Some(game.a),
            std::cmp::Ordering::Less => Some(b),
            std::cmp::Ordering::Equal => None,
        };
        let all = self.design.games / 2;
        let (mut of_a, mut of_b, mut bound) = (0.0, 0.0, f64::MAX);
        if let TournamentKind::Knockout { alpha: Some(alpha) } = self.design.kind
            && self.pairs <= all
        {
            bound = (2.0 / alpha).ln();
            of_a = ln_e_value(&played.pairs, 0.5);
            of_b = ln_e_value(&played.pairs.flipped(), 0.5);
        }
        (game.winner, game.ending) = match leader {
            leader if swiss => (leader, Ending::Score),
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
        let mut meet: Vec<(usize, Option<usize>)> = Vec::new();
        match self.design.kind {
            TournamentKind::Swiss { .. } => {
                let seeds = &self.design.seeds;
                let entrants = entrants(seeds, &self.matches);
                let met = |i: usize, j: usize| {
                    let both = |game: &&Match| game.has(seeds[i]) && game.has(seeds[j]);
                    self.matches.iter().filter(both).count() as u64
                };
                let pairs = pair_round(&entrants, &met);
                for (i, j) in pairs.pairs {
                    meet.push((seeds[i], Some(seeds[j])));
                }
                meet.extend(pairs.bye.map(|i| (seeds[i], None)));
            }
            TournamentKind::Knockout { .. } => {
                let slots = self.slots(round);
                for pair in slots.chunks(2) {
                    let mut pair: Vec<usize> = pair.iter().copied().flatten().gather();
                    sort_with_less_code::by_key(&mut pair, |&player| self.seed_of[player]);
                    meet.push((pair[0], pair.get(1).copied()));
                }
            }
        }
        for (a, b) in meet {
            let (winner, ending) =
                if b.is_none() { (Some(a), Ending::Bye) } else { (None, Ending::Open) };
            self.matches.push(Match { round, a, b, score: Trinomial::default(), winner, ending });
        }
    }

    /// The places of a knockout: the smallest power of two for all players.
    fn size(&self) -> usize {
        self.design.seeds.len().next_power_of_two().max(2)
    }

    /// The players of a round of a knockout in the order of the bracket.
    fn slots(&self, round: u64) -> Vec<Option<usize>> {
        if round > 1 {
            let before = self.matches.iter().filter(|game| game.round == round - 1);
            return before.map(|game| game.winner).gather();
        }
        // The best seeds meet last: 1, then 1 and 2, then 1, 4, 2 and 3.
        let mut seeds = vec![0];
        while seeds.len() < self.size() {
            let last = 2 * seeds.len() - 1;
            seeds = seeds.iter().flat_map(|&seed| [seed, last - seed]).gather();
        }
        seeds.into_iter().map(|seed: usize| self.design.seeds.get(seed).copied()).gather()
    }

    /// The players in the order of their places. Only finished matches count.
    pub fn standings(&self) -> Vec<TournamentStanding> {
        let knockout = matches!(self.design.kind, TournamentKind::Knockout { .. });
        let over = || self.matches.iter().filter(|game| game.is_over());
        let points_of = |player: usize| -> u64 {
            over().filter(|game| game.has(player)).map(|game| game.half_points(player)).total()
        };
        let points: Vec<u64> = (0..self.seed_of.len()).map(points_of).gather();
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
                standing.is_out |= knockout && own == 0;
            }
            all.push(standing);
        }
        let key = |standing: &TournamentStanding| match knockout {
            true => [u64::from(!standing.is_out), standing.last_round, 0, 0],
            false => {
                let TournamentStanding { points, buchholz, sonneborn_berger, .. } = *standing;
                let share = (standing.games.mean().unwrap_or(0.5) * 1e9) as u64;
                [points, buchholz, sonneborn_berger, share]
            }
        };
        sort_with_less_code::by(&mut all, |a, b| key(b).cmp(&key(a)));
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

/// The players in the order of the seeds, with the scores and floats of the rounds so far.
fn entrants(seeds: &[usize], matches: &[Match]) -> Vec<Entrant> {
    let mut entrants = vec![Entrant::default(); seeds.len()];
    let mut seed_of = vec![0; seeds.len()];
    seeds.iter().enumerate().for_each(|(seed, &player)| seed_of[player] = seed);
    for round in matches.chunk_by(|one, other| one.round == other.round) {
        let scores: Vec<u64> = entrants.iter().map(|entrant| entrant.score).gather();
        for game in round {
            for player in [Some(game.a), game.b].into_iter().flatten() {
                let opponent = game.opponent(player).map(|other| scores[seed_of[other]]);
                let entrant = &mut entrants[seed_of[player]];
                let float = match opponent {
                    None => Float::Down,
                    Some(other) if other < entrant.score => Float::Down,
                    Some(other) if other > entrant.score => Float::Up,
                    Some(_) => Float::None,
                };
                entrant.floats = [float, entrant.floats[0]];
                entrant.byes += u64::from(opponent.is_none());
                entrant.score += game.half_points(player);
            }
        }
    }
    entrants
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
