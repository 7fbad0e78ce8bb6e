//! Counts rows in game order, in memory that does not grow with the number of games.

#![deny(missing_docs)]

use super::duplicate_games::Duplicates;
use super::forfeit_limits::ForfeitLimits;
use super::grade_counts::Grades;
use super::highlights::LuckiestRows;
use super::opening_clusters::{OpeningClusters, OpeningResults, SeatSamples};
use super::repeated_openings::{OpeningPairs, RepeatedOpenings};
use super::time_histogram::TimeHistogram;
use crate::agents::{AnswerCounts, FaultKind};
use crate::config::Pairing;
use crate::engine::AnswerCost;
use crate::games::Player;
use crate::play::Outcome;
use crate::rows::games_csv_columns::{cost_columns, illegal_columns};
use crate::rows::games_csv_rows::{GameRow, of_first};
use crate::rows::moves_csv_rows;
use crate::stats::ratings::{OpeningResult, ResultsByOpening};
use crate::stats::sprt::{Design, Sprt, SprtVerdict, Unit};
use crate::stats::{ClusterRatio, Clusters, Evidence, GameScore, LuckAdjusted, Trinomial};
use std::collections::BTreeMap;

/// The results and costs of an agent over all its games.
#[derive(Debug, Clone, Default)]
pub struct AgentTally {
    /// Results against others, moving first.
    pub moving_first: Trinomial,
    /// Results against others, moving second.
    pub moving_second: Trinomial,
    /// Number of moves.
    pub moves: u64,
    /// Positions searched.
    pub nodes: u64,
    /// Sum over moves of the completed depth.
    pub depth: u64,
    /// Time spent, in nanoseconds.
    pub time_ns: u64,
    /// The slowest move, in nanoseconds.
    pub slowest_ns: u64,
    /// Time per move; each game is one sample.
    pub times: TimeHistogram,
    /// Requests for a move, and those of them without an illegal answer; each game is a cluster.
    pub legal: ClusterRatio,
    /// Repeated requests after an illegal answer.
    pub retries: u64,
    /// What its program has paid.
    pub cost: AnswerCost,
    /// Rows of its games, including void games.
    pub rows: u64,
    /// Games lost by a fault, by reason.
    pub forfeits: BTreeMap<&'static str, u64>,
    /// The first game that was lost by a fault.
    pub first_forfeit: Option<u64>,
}

impl AgentTally {
    /// Games lost by a fault.
    pub fn faults(&self) -> u64 {
        self.forfeits.values().sum()
    }
}

/// The results of two agents against each other.
#[derive(Debug, Clone, Default)]
pub struct PairingTally {
    /// Distinct pairs and games only: the evidence.
    pub distinct: Evidence,
    rare: Option<Box<RareResults>>,
    /// Distinct games.
    pub distinct_games: u64,
    /// Whether an agent or the dice used a random number in some game.
    pub is_random: bool,
    /// Whether an agent may play other moves when a game is played again: see
    /// [`Pairing::may_vary`].
    pub may_vary: bool,
    /// Whether one opening with the same seats led to different games without random numbers.
    pub varied: bool,
    /// Sum of the plies of games that count.
    pub plies: u64,
}

/// Counts that most runs do not need. They are boxed, because a thousand agents have half a million
/// pairings.
#[derive(Debug, Clone, Default)]
struct RareResults {
    /// Duplicate pairs and games.
    repeats: Evidence,
    luck: Option<LuckAdjusted>,
    cost: u64,
}

impl PairingTally {
    /// Games that count, including duplicates.
    pub fn games(&self) -> u64 {
        self.all().games().n()
    }

    /// Every game, including duplicates.
    pub fn all(&self) -> Evidence {
        let mut all = self.distinct;
        self.rare.iter().for_each(|rare| all.merge(&rare.repeats));
        all
    }

    /// The first agent's scores with and without luck, by distinct pair, or by game if the seats
    /// are fixed. `None` if luck was not measured.
    pub fn luck(&self) -> Option<&LuckAdjusted> {
        self.rare.as_ref()?.luck.as_ref()
    }

    /// What all answers in its games have cost, in billionths.
    pub fn cost(&self) -> u64 {
        self.rare.as_ref().map_or(0, |rare| rare.cost)
    }

    fn rare(&mut self) -> &mut RareResults {
        self.rare.get_or_insert_default()
    }

    fn counted(&mut self, distinct: bool) -> &mut Evidence {
        match distinct {
            true => &mut self.distinct,
            false => &mut self.rare().repeats,
        }
    }
}

/// Why a run ended by itself before its last game, each in a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EarlyEnd {
    /// The provider of an engine stayed unavailable.
    Outage(String),
    /// The next game would exceed `max_cost`.
    Cost(String),
}

/// The data for all tables: counts of games by agent and by pairing.
///
/// [`count`](crate::arena::count) reads them from the files of a results folder:
///
/// ```
/// # use agon_arena as agon;
/// use agon::arena::{Folder, Tally, count};
///
/// # std::env::set_current_dir("../..").expect("the root of the repository");
/// let folder = Folder::new("results/reference");
/// let (tally, _history) = count(&folder, Tally::new(Vec::new(), &[]), None)?;
/// assert_eq!((tally.names.len(), tally.games()), (10, 11000));
/// let random = tally.names.iter().position(|name| name == "random").unwrap();
/// let (first, second) = (tally.agents[random].moving_first, tally.agents[random].moving_second);
/// assert_eq!((first.wins() + second.wins(), first.draws() + second.draws()), (16, 0));
/// # Ok::<(), agon::arena::FolderError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Names of the agents by index.
    pub names: Vec<String>,
    /// The columns of `games.csv` that not every run has: the attributes of games by a referee, or
    /// those about the answers of agents.
    pub added_columns: Vec<String>,
    /// By agent index.
    pub agents: Vec<AgentTally>,
    /// By pairing number, from 1.
    pub pairings: Vec<(Pairing, PairingTally)>,
    /// How often each reason ended a game.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Rows counted, including void games.
    pub rows: u64,
    /// Games lost by a fault before the first move.
    pub moveless: u64,
    /// Whether no pairing plays an opening twice from the same side. Then no game can repeat an
    /// earlier one, and no game is remembered.
    pub distinct_openings: bool,
    /// Which games are a round, for samples of the seats.
    pub rounds: SeatSamples,
    /// The sequential test of the run, if there is one.
    pub sprt: Option<Sprt>,
    /// The agent whose consecutive forfeits ended the run.
    pub gave_up: Option<usize>,
    /// Why the run ended before its last game, if it ended by itself.
    pub early_end: Option<EarlyEnd>,
    /// What attempts of games have cost that are no rows, because they were played again, in
    /// billionths.
    pub void_cost: u64,
    /// The grades of the moves, if they were graded; not counted from rows of games.
    pub grades: Option<Grades>,
    pub(crate) luckiest: LuckiestRows,
    voids: u64,
    duplicates: Duplicates,
    waiting: Option<Waiting>,
    clusters: OpeningClusters,
    by_opening: OpeningResults,
    opening_pairs: OpeningPairs,
    forfeit_limits: ForfeitLimits,
}

/// The first game of a pair, until the second game comes.
#[derive(Debug, Clone, Copy)]
struct Waiting {
    row: GameRow,
    fresh: bool,
}

impl Tally {
    /// The maximum number of games and openings that the duplicate check remembers.
    pub const REMEMBERED: usize = Duplicates::REMEMBERED;

    /// An empty tally; rows may add agents and pairings.
    pub fn new(names: Vec<String>, pairings: &[Pairing]) -> Self {
        Tally {
            agents: vec![AgentTally::default(); names.len()],
            names,
            pairings: (pairings.iter())
                .map(|&p| (p, PairingTally { may_vary: p.may_vary, ..PairingTally::default() }))
                .collect(),
            ..Tally::default()
        }
    }

    /// A tally of the same run before its first game, without sequential test.
    pub(crate) fn without_games(&self) -> Self {
        let pairings: Vec<Pairing> = self.pairings.iter().map(|(pairing, _)| *pairing).collect();
        let mut tally = Tally::new(self.names.clone(), &pairings);
        tally.distinct_openings = self.distinct_openings;
        tally.added_columns.clone_from(&self.added_columns);
        tally
    }

    /// Takes what `measured` says about luck; both have counted the same games.
    pub(crate) fn set_luck(&mut self, measured: Tally) {
        self.luckiest = measured.luckiest;
        for ((_, to), (_, from)) in self.pairings.iter_mut().zip(measured.pairings) {
            if to.luck() != from.luck() {
                to.rare().luck = from.luck().copied();
            }
        }
    }

    /// Whether some game has measured luck.
    pub fn has_luck(&self) -> bool {
        !self.luckiest.0.is_empty()
    }

    /// Whether the rows have the numbers of illegal moves.
    pub fn counts_illegal_moves(&self) -> bool {
        let first = illegal_columns().next();
        first.is_some_and(|column| self.added_columns.contains(&column))
    }

    /// Whether the rows have the costs of the agents.
    pub fn counts_costs(&self) -> bool {
        let first = cost_columns().next();
        first.is_some_and(|column| self.added_columns.contains(&column))
    }

    /// What all agents have paid, in billionths.
    pub fn cost(&self) -> u64 {
        let cost = |all: u64, agent: &AgentTally| all.saturating_add(agent.cost.billionths);
        self.agents.iter().fold(0, cost)
    }

    /// Adds a sequential test, which gets the distinct evidence in game order.
    pub fn testing(mut self, design: Option<Design>) -> Self {
        self.sprt = design.map(Sprt::new);
        self
    }

    /// Whether the sequential test is decided, so that no more games are needed. A run can only end
    /// at the end of a unit, because half a pair is no evidence.
    pub fn is_decided(&self) -> bool {
        self.rows.is_multiple_of(2) && self.verdict().is_some()
    }

    /// The verdict of the sequential test, if there is one and it is decided.
    pub fn verdict(&self) -> Option<SprtVerdict> {
        self.sprt.as_ref().and_then(Sprt::verdict)
    }

    /// Sets, for each agent, how many consecutive games lost by faults end the run; 0: no limit.
    pub fn max_consecutive_failures(mut self, most: Vec<u64>) -> Self {
        self.forfeit_limits = ForfeitLimits::new(most);
        self
    }

    /// Whether no more games are needed: the run is decided or was given up.
    pub fn is_over(&self) -> bool {
        self.is_decided() || (self.rows.is_multiple_of(2) && self.gave_up.is_some())
    }

    /// Games that count, including duplicates.
    pub fn games(&self) -> u64 {
        self.pairings.iter().map(|(_, p)| p.games()).sum()
    }

    /// Distinct games.
    pub fn distinct_games(&self) -> u64 {
        self.pairings.iter().map(|(_, p)| p.distinct_games).sum()
    }

    /// Rows that do not count.
    pub fn voids(&self) -> u64 {
        self.voids
    }

    /// Games lost by a fault.
    pub fn faults(&self) -> u64 {
        self.agents.iter().map(AgentTally::faults).sum()
    }

    /// The first player's scores clustered by opening, including the current opening.
    pub fn clusters(&self) -> Clusters {
        self.clusters.first_player()
    }

    /// The same clusters without self-play and fixed seats.
    pub fn clusters_between_agents(&self) -> Clusters {
        self.clusters.between_agents()
    }

    /// The same clusters for an agent's games against others who change sides with it.
    pub fn clusters_of(&self, agent: usize) -> Clusters {
        self.clusters.of(agent)
    }

    /// An agent's own score against others by its seat, over distinct games; each opening counts
    /// once.
    pub fn seats_of(&self, agent: usize) -> [Clusters; 2] {
        self.clusters.seats_of(agent)
    }

    /// The distinct results of all pairings between different agents by opening.
    pub fn results_by_opening(&self) -> &ResultsByOpening {
        &self.by_opening.results
    }

    /// The distinct pairs of a pairing (from 0) by opening, if openings are repeated.
    pub fn repeated(&self, pairing: usize) -> Option<RepeatedOpenings> {
        self.opening_pairs.repeated(pairing as u32 + 1)
    }

    /// Whether the duplicate check left games out because of its memory limit.
    pub fn is_saturated(&self) -> bool {
        self.duplicates.is_saturated()
    }

    /// Kish's effective sample size of all games: the number of independent games with the same
    /// weight. A duplicate adds weight to the game that it repeats. `None` without games.
    pub fn effective_games(&self) -> Option<f64> {
        self.duplicates.effective(self.games())
    }

    /// Counts a row. Rows must come in game order.
    pub fn push(&mut self, row: &GameRow) {
        self.rows += 1;
        self.add_unknown(row);
        self.add_costs(row);
        self.luckiest.record(row);
        let loser = loser_by_fault(row);
        let gave_up = self.forfeit_limits.record(row, loser);
        self.gave_up = self.gave_up.or(gave_up);
        let place = row.pairing as usize - 1;
        let pairing = self.pairings[place].0;
        for cost in row.sides.map(|side| side.answers.cost.billionths) {
            if cost > 0 {
                let sum = &mut self.pairings[place].1.rare().cost;
                *sum = sum.saturating_add(cost);
            }
        }
        *self.reasons.entry(row.reason).or_default() += 1;
        if row.outcome == Outcome::Void {
            self.voids += 1;
            self.count_lone_game();
            return;
        }
        self.moveless += u64::from(moves_csv_rows::expected(row) == 0);
        let fresh = self.distinct_openings || self.duplicates.is_new(row);
        // With one pairing and no pairs, each game has its own opening.
        let alone = self.pairings.len() == 1 && !pairing.has_pairs();
        self.clusters.begin_game(row, alone, self.rounds);
        if fresh {
            self.clusters.record(row, pairing, f64::from(of_first(row.outcome) as u8) / 2.0);
        }
        let tally = &mut self.pairings[place].1;
        tally.plies += u64::from(row.plies);
        tally.distinct_games += u64::from(fresh);
        tally.is_random |= row.rng_draws > 0;
        tally.varied = self.duplicates.varied(row.pairing);
        if !pairing.is_self() {
            self.add_results(row, loser);
        }
        if pairing.has_pairs() {
            self.push_to_pair(Waiting { row: *row, fresh });
        } else {
            self.count_lone_game();
            self.push_without_pair(row, fresh);
        }
    }

    /// Counts a game with its partner, or lets it wait for the partner.
    fn push_to_pair(&mut self, game: Waiting) {
        match self.waiting.filter(|first| is_pair(&first.row, &game.row)) {
            Some(first) => {
                self.waiting = None;
                self.pair(first, game);
            }
            None => {
                self.count_lone_game();
                if self.rounds != SeatSamples::OfGames {
                    self.by_opening.begin(&game.row);
                }
                self.waiting = Some(game);
            }
        }
    }

    /// Counts a game of a pairing without pairs.
    fn push_without_pair(&mut self, row: &GameRow, fresh: bool) {
        let result = of_first(row.outcome);
        let (pairing, tally) = &mut self.pairings[row.pairing as usize - 1];
        count(&mut tally.counted(fresh).lone_first, result);
        if fresh && !pairing.is_self() {
            self.by_opening.begin(row);
            let agents = [pairing.a, pairing.b];
            self.by_opening.add(row.pairing, agents, OpeningResult::First(result));
        }
        if let (true, Some(luck)) = (fresh, row.luck) {
            let score = f64::from(result as u8) / 2.0;
            tally.rare().luck.get_or_insert_default().add(score, points(luck));
        }
    }

    /// Counts a game alone if its partner is missing.
    pub fn count_lone_game(&mut self) {
        let Some(Waiting { row, fresh }) = self.waiting.take() else { return };
        let (pairing, tally) = &mut self.pairings[row.pairing as usize - 1];
        let a_first = row.first == pairing.a;
        let result = if a_first { of_first(row.outcome) } else { of_first(row.outcome).flipped() };
        let evidence = tally.counted(fresh);
        count(if a_first { &mut evidence.lone_first } else { &mut evidence.lone_second }, result);
        if fresh && self.rounds != SeatSamples::OfGames {
            let result =
                if a_first { OpeningResult::First(result) } else { OpeningResult::Second(result) };
            self.by_opening.add(row.pairing, [pairing.a, pairing.b], result);
        }
        if let (Some(sprt), true) = (&mut self.sprt, fresh) {
            sprt.push_game(result, a_first);
        }
    }

    fn pair(&mut self, one: Waiting, two: Waiting) {
        let (pairing, tally) = &mut self.pairings[one.row.pairing as usize - 1];
        let (first, second) =
            if one.row.first == pairing.a { (one.row, two.row) } else { (two.row, one.row) };
        let moving_first = of_first(first.outcome);
        let moving_second = of_first(second.outcome).flipped();
        // A pair is new evidence if either of its games is new.
        let fresh = one.fresh || two.fresh;
        tally.counted(fresh).pairs.add(moving_first, moving_second);
        if fresh {
            let result = OpeningResult::Pair(moving_first, moving_second);
            self.by_opening.add(one.row.pairing, [pairing.a, pairing.b], result);
        }
        if fresh && !self.distinct_openings {
            let points = f64::from(moving_first as u8 + moving_second as u8);
            self.opening_pairs.add(one.row.pairing, one.row.opening, points / 4.0);
        }
        let luck = first.luck.zip(second.luck).map(|(luck, back)| points(luck - back) / 2.0);
        if let (true, Some(luck)) = (fresh, luck) {
            let score = f64::from(moving_first as u8 + moving_second as u8) / 4.0;
            tally.rare().luck.get_or_insert_default().add(score, luck);
        }
        let Some(sprt) = &mut self.sprt else { return };
        match sprt.design().settings().unit {
            // If each game is a sample, a duplicate game is not a sample.
            Unit::Games if !(one.fresh && two.fresh) => {
                for game in [one, two].into_iter().filter(|game| game.fresh) {
                    let a_first = game.row.first == first.first;
                    sprt.push_game(if a_first { moving_first } else { moving_second }, a_first);
                }
            }
            _ if !fresh => {}
            _ => {
                match luck {
                    Some(luck) => sprt.push_pair_with_luck(moving_first, moving_second, luck),
                    None => sprt.push_pair(moving_first, moving_second),
                };
            }
        }
    }

    fn add_results(&mut self, row: &GameRow, loser: Option<Player>) {
        let result = of_first(row.outcome);
        count(&mut self.agents[row.first].moving_first, result);
        count(&mut self.agents[row.second].moving_second, result.flipped());
        if let Some(loser) = loser {
            let agent = [row.first, row.second][loser.index()];
            *self.agents[agent].forfeits.entry(row.reason).or_default() += 1;
            self.agents[agent].first_forfeit.get_or_insert(row.game);
        }
    }

    fn add_costs(&mut self, row: &GameRow) {
        let counts_illegal_moves = !self.added_columns.is_empty() && self.counts_illegal_moves();
        for (agent, side) in [row.first, row.second].into_iter().zip(&row.sides) {
            let tally = &mut self.agents[agent];
            // A file may contain impossible values, so the sums saturate at the largest number.
            tally.moves = tally.moves.saturating_add(u64::from(side.moves));
            tally.nodes = tally.nodes.saturating_add(side.nodes);
            tally.depth = tally.depth.saturating_add(side.depth);
            tally.time_ns = tally.time_ns.saturating_add(side.time_ns);
            tally.slowest_ns = tally.slowest_ns.max(side.slowest_ns);
            if let Some(mean) = side.time_ns.checked_div(u64::from(side.moves)) {
                tally.times.add(mean);
            }
            let AnswerCounts { illegal, retries, cost } = side.answers;
            tally.cost.add(cost);
            tally.rows += 1;
            if counts_illegal_moves {
                let requests = u64::from(side.moves) + u64::from(retries);
                tally.legal.add(requests.saturating_sub(illegal.into()), requests);
                tally.retries += u64::from(retries);
            }
        }
    }

    fn add_unknown(&mut self, row: &GameRow) {
        let agents = row.first.max(row.second) + 1;
        if self.agents.len() < agents {
            self.agents.resize(agents, AgentTally::default());
        }
        while self.pairings.len() < row.pairing as usize {
            let pairing = Pairing::of(row.first, row.second);
            self.pairings.push((pairing, PairingTally::default()));
        }
    }
}

/// Billionths of a point as points.
fn points(billionths: i64) -> f64 {
    billionths as f64 / 1e9
}

fn count(counts: &mut Trinomial, result: GameScore) {
    counts.0[result as usize] += 1;
}

fn is_pair(one: &GameRow, two: &GameRow) -> bool {
    one.pairing == two.pairing
        && one.opening == two.opening
        && (one.first, one.second) == (two.second, two.first)
        && one.game + 1 == two.game
}

fn loser_by_fault(row: &GameRow) -> Option<Player> {
    if !FaultKind::is_reason(row.reason) {
        return None;
    }
    match row.outcome {
        Outcome::First => Some(Player::Second),
        Outcome::Second => Some(Player::First),
        Outcome::Draw | Outcome::Void => None,
    }
}
