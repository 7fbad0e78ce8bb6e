//! Counts rows in game order, in memory that does not grow with the number of games. Only the
//! duplicate check remembers games, and only up to a fixed number.

use super::cluster_mean::ClusterMean;
use super::duplicates::Duplicates;
use super::games_csv::GameRow;
use super::grade_counts::Grades;
use super::histogram::TimeHistogram;
use super::moves_csv;
use super::repeated_openings::{OpeningPairs, RepeatedOpenings};
use super::schedule::Pairing;
use crate::agents::FaultKind;
use crate::games::Player;
use crate::gather::Gather;
use crate::play::Outcome;
use crate::sorted_map::SortedMap;
use crate::stats::sprt::{Design, Sprt, Unit};
use crate::stats::{Clusters, Evidence, GameScore as Result3, Trinomial};

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
    /// Games lost by a fault.
    pub faults: u64,
    /// The first mover's score in the agent's games against others who change sides with it; each
    /// opening counts once.
    openings: ClusterMean,
    /// The agent's own score against others, moving first and moving second; each opening counts
    /// once.
    seats: [ClusterMean; 2],
}

/// The results of two agents against each other.
#[derive(Debug, Clone, Default)]
pub struct PairingTally {
    /// Distinct pairs and games only: the evidence.
    pub distinct: Evidence,
    /// Duplicate pairs and games. A thousand agents have half a million pairings, and most of them
    /// have no duplicates.
    repeats: Option<Box<Evidence>>,
    /// Distinct games.
    pub distinct_games: u64,
    /// Games in which an agent or the dice used a random number.
    pub random_games: u64,
    /// Whether an agent may play other moves when a game is played again: see
    /// [`Pairing::may_vary`].
    pub may_vary: bool,
    /// Whether one opening with the same seats led to different games without random numbers.
    pub varied: bool,
    /// Rows that do not count.
    pub voids: u64,
    /// Sum of the plies of games that count.
    pub plies: u64,
}

impl PairingTally {
    /// Games that count, including duplicates.
    pub fn games(&self) -> u64 {
        self.all().games().n()
    }

    /// Every game, including duplicates.
    pub fn all(&self) -> Evidence {
        let mut all = self.distinct;
        self.repeats.iter().for_each(|repeats| all.merge(repeats));
        all
    }

    fn counted(&mut self, distinct: bool) -> &mut Evidence {
        match distinct {
            true => &mut self.distinct,
            false => self.repeats.get_or_insert_default(),
        }
    }
}

/// The data for all tables.
#[derive(Debug, Clone)]
pub struct Tally {
    /// Names of the agents by index.
    pub names: Vec<String>,
    /// By agent index.
    pub agents: Vec<AgentTally>,
    /// By pairing number, from 1.
    pub pairings: Vec<(Pairing, PairingTally)>,
    /// How often each reason ended a game.
    pub reasons: SortedMap<&'static str, u64>,
    /// Rows counted, including void games.
    pub rows: u64,
    /// Games lost by a fault before the first move.
    pub moveless: u64,
    /// Whether no pairing plays an opening twice from the same side. Then no game can repeat an
    /// earlier one, and no game is remembered.
    pub distinct_openings: bool,
    /// The sequential test of the run, if there is one.
    pub sprt: Option<Sprt>,
    /// The agent whose consecutive forfeits ended the run.
    pub gave_up: Option<usize>,
    /// The grades of the moves, if they were graded; not counted from rows of games.
    pub grades: Option<Grades>,
    duplicates: Duplicates,
    waiting: Option<Waiting>,
    /// The first player's score by opening, from the games of all pairings in a round.
    openings: ClusterMean,
    /// The pairing of the latest game of the round.
    last_pairing: u32,
    again: OpeningPairs,
    patience: Vec<FaultLimit>,
}

#[derive(Debug, Clone, Copy)]
struct FaultLimit {
    /// The number that ends the run; 0: no limit.
    most: u64,
    in_a_row: u64,
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
                .gather(),
            reasons: SortedMap::default(),
            rows: 0,
            moveless: 0,
            distinct_openings: false,
            sprt: None,
            gave_up: None,
            grades: None,
            duplicates: Duplicates::default(),
            waiting: None,
            openings: ClusterMean::default(),
            last_pairing: 0,
            again: OpeningPairs::default(),
            patience: Vec::new(),
        }
    }

    /// Adds a sequential test, which gets the distinct evidence in game order.
    pub fn testing(mut self, design: Option<Design>) -> Self {
        self.sprt = design.map(Sprt::new);
        self
    }

    /// Whether the sequential test is decided, so that no more games are needed. A run can only end
    /// at the end of a unit, because half a pair is no evidence.
    pub fn is_decided(&self) -> bool {
        self.rows.is_multiple_of(2) && self.sprt.as_ref().is_some_and(|t| t.verdict().is_some())
    }

    /// Sets, for each agent, how many consecutive games lost by faults end the run; 0: no limit.
    pub fn max_consecutive_failures(mut self, most: impl IntoIterator<Item = u64>) -> Self {
        self.patience = most.into_iter().map(|most| FaultLimit { most, in_a_row: 0 }).gather();
        self
    }

    /// Whether no more games are needed: the run is decided or was given up.
    pub fn is_over(&self) -> bool {
        self.is_decided() || (self.rows.is_multiple_of(2) && self.gave_up.is_some())
    }

    /// Counts the consecutive faults of both sides.
    fn bear(&mut self, row: &GameRow) {
        let loser = loser_by_fault(row);
        for (agent, player) in [(row.first, Player::First), (row.second, Player::Second)] {
            let Some(patience) = self.patience.get_mut(agent) else { continue };
            if loser == Some(player) {
                patience.in_a_row += 1;
                if patience.in_a_row == patience.most {
                    self.gave_up.get_or_insert(agent);
                }
            } else if row.first != row.second || loser.is_none() {
                patience.in_a_row = 0;
            }
        }
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
        self.pairings.iter().map(|(_, p)| p.voids).sum()
    }

    /// Games lost by a fault.
    pub fn faults(&self) -> u64 {
        self.agents.iter().map(|a| a.faults).sum()
    }

    /// The first player's scores clustered by opening, including the current opening.
    pub fn clusters(&self) -> Clusters {
        self.openings.all()
    }

    /// The same clusters for an agent's games against others who change sides with it.
    pub fn clusters_of(&self, agent: usize) -> Clusters {
        self.agents[agent].openings.all()
    }

    /// An agent's own score against others by its seat, over distinct games; each opening counts
    /// once.
    pub fn seats_of(&self, agent: usize) -> [Clusters; 2] {
        self.agents[agent].seats.map(|votes| votes.all())
    }

    /// The distinct pairs of a pairing (from 0) by opening, if openings are repeated.
    pub fn repeated(&self, pairing: usize) -> Option<RepeatedOpenings> {
        self.again.repeated(pairing as u32 + 1)
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
        self.make_room(row);
        self.spend(row);
        self.bear(row);
        let place = row.pairing as usize - 1;
        let pairing = self.pairings[place].0;
        *self.reasons.entry(row.reason) += 1;
        if row.outcome == Outcome::Void {
            self.pairings[place].1.voids += 1;
            self.settle();
            return;
        }
        self.moveless += u64::from(moves_csv::expected(row) == 0);
        let fresh = self.distinct_openings || self.duplicates.is_new(row);
        self.cluster(row, fresh);
        let tally = &mut self.pairings[place].1;
        tally.plies += u64::from(row.plies);
        tally.distinct_games += u64::from(fresh);
        tally.random_games += u64::from(row.random_words > 0);
        tally.varied = self.duplicates.varied(row.pairing);
        if !pairing.is_self() {
            self.score(row);
        }
        if pairing.has_pairs() {
            let partner = self.waiting.filter(|w| is_pair(&w.row, row));
            match partner {
                Some(first) => {
                    self.waiting = None;
                    self.pair(first, Waiting { row: *row, fresh });
                }
                None => {
                    self.settle();
                    self.waiting = Some(Waiting { row: *row, fresh });
                }
            }
        } else {
            self.settle();
            let result = of_first(row.outcome);
            count(&mut self.pairings[place].1.counted(fresh).lone_first, result);
        }
    }

    /// Counts a game alone if its partner is missing.
    pub fn settle(&mut self) {
        let Some(Waiting { row, fresh }) = self.waiting.take() else { return };
        let (pairing, tally) = &mut self.pairings[row.pairing as usize - 1];
        let a_first = row.first == pairing.a;
        let result = if a_first { of_first(row.outcome) } else { of_first(row.outcome).flipped() };
        let evidence = tally.counted(fresh);
        count(if a_first { &mut evidence.lone_first } else { &mut evidence.lone_second }, result);
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
        if fresh && !self.distinct_openings {
            let points = f64::from(moving_first as u8 + moving_second as u8);
            self.again.add(one.row.pairing, one.row.opening, points / 4.0);
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
            _ if one.fresh || two.fresh => {
                sprt.push_pair(moving_first, moving_second);
            }
            _ => {}
        }
    }

    fn score(&mut self, row: &GameRow) {
        let result = of_first(row.outcome);
        count(&mut self.agents[row.first].moving_first, result);
        count(&mut self.agents[row.second].moving_second, result.flipped());
        if let Some(loser) = loser_by_fault(row) {
            let agent = [row.first, row.second][loser.index()];
            self.agents[agent].faults += 1;
        }
    }

    fn spend(&mut self, row: &GameRow) {
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
        }
    }

    /// Adds the game to its round. Within a round, the pairing numbers increase, and a unit begins
    /// with an odd game.
    fn cluster(&mut self, row: &GameRow, fresh: bool) {
        let last = self.last_pairing;
        // With one pairing and no pairs, each game has its own opening.
        let lone = self.pairings.len() == 1 && !self.pairings[0].0.has_pairs();
        if lone || row.pairing < last || (row.pairing == last && row.game % 2 == 1) {
            self.openings.close();
            for agent in &mut self.agents {
                agent.openings.close();
                agent.seats.iter_mut().for_each(ClusterMean::close);
            }
        }
        self.last_pairing = row.pairing;
        if fresh {
            let score = f64::from(of_first(row.outcome) as u8) / 2.0;
            self.openings.count(score);
            let pairing = self.pairings[row.pairing as usize - 1].0;
            if pairing.has_pairs() {
                self.agents[row.first].openings.count(score);
                self.agents[row.second].openings.count(score);
            }
            if !pairing.is_self() {
                self.agents[row.first].seats[0].count(score);
                self.agents[row.second].seats[1].count(1.0 - score);
            }
        }
    }

    fn make_room(&mut self, row: &GameRow) {
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

fn count(counts: &mut Trinomial, result: Result3) {
    counts.0[result as usize] += 1;
}

fn is_pair(one: &GameRow, two: &GameRow) -> bool {
    one.pairing == two.pairing
        && one.opening == two.opening
        && (one.first, one.second) == (two.second, two.first)
        && one.game + 1 == two.game
}

/// The result from the first player's point of view.
fn of_first(outcome: Outcome) -> Result3 {
    match outcome {
        Outcome::First => Result3::Win,
        Outcome::Second => Result3::Loss,
        Outcome::Draw | Outcome::Void => Result3::Draw,
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::SideRecord;
    use crate::stats::sprt::SprtSettings;

    fn row(
        game: u64,
        seats: (usize, usize),
        outcome: Outcome,
        random: u64,
        identity: u64,
    ) -> GameRow {
        GameRow {
            game,
            pairing: 1,
            opening: game.div_ceil(2),
            first: seats.0,
            second: seats.1,
            outcome,
            reason: "line",
            plies: 10,
            random_words: random,
            sides: [SideRecord { moves: 5, nodes: 50, depth: 10, time_ns: 500, slowest_ns: 200 };
                2],
            identity,
        }
    }

    fn tally(rows: &[GameRow]) -> Tally {
        let mut tally = Tally::new(vec!["a".into(), "b".into()], &[]);
        rows.iter().for_each(|row| tally.push(row));
        tally.settle();
        tally
    }

    #[test]
    fn pairs_are_found_and_lone_games_kept_apart() {
        let tally = tally(&[
            row(1, (0, 1), Outcome::First, 1, 1),
            row(2, (1, 0), Outcome::Draw, 1, 2),
            row(3, (0, 1), Outcome::Second, 1, 3),
        ]);
        let evidence = &tally.pairings[0].1.distinct;
        assert_eq!(evidence.pairs.0[2][1], 1);
        assert_eq!(evidence.pairs.n(), 1);
        assert_eq!(evidence.lone_first, Trinomial::of(1, 0, 0));
        assert_eq!(tally.agents[1].moving_first, Trinomial::of(0, 1, 0));
        assert_eq!(tally.agents[1].moving_second, Trinomial::of(1, 0, 1));
    }

    #[test]
    fn the_same_game_counts_once_unless_a_random_number_was_drawn() {
        let games = |random| {
            tally(&[
                row(1, (0, 1), Outcome::First, random, 1),
                row(2, (1, 0), Outcome::Draw, random, 2),
                row(3, (0, 1), Outcome::First, random, 1),
                row(4, (1, 0), Outcome::Draw, random, 2),
            ])
        };
        assert_eq!(games(0).distinct_games(), 2);
        assert_eq!(games(0).pairings[0].1.distinct.pairs.n(), 1);
        assert_eq!(games(0).pairings[0].1.all().pairs.n(), 2);
        assert_eq!(games(5).distinct_games(), 4);
        assert_eq!(games(5).pairings[0].1.distinct.pairs.n(), 2);
    }

    #[test]
    fn spending_that_no_number_holds_stops_at_the_largest() {
        let mut much = row(1, (0, 1), Outcome::First, 1, 1);
        much.sides[0].time_ns = u64::MAX;
        much.sides[0].nodes = u64::MAX;
        much.sides[0].depth = u64::MAX;
        let tally = tally(&[much, GameRow { game: 2, ..much }]);
        let agent = &tally.agents[0];
        assert_eq!([agent.time_ns, agent.nodes, agent.depth], [u64::MAX; 3]);
    }

    #[test]
    fn voids_and_faults_are_counted_apart() {
        let mut crash = row(2, (1, 0), Outcome::First, 1, 2);
        crash.reason = "crash";
        let tally = tally(&[row(1, (0, 1), Outcome::Void, 1, 1), crash]);
        assert_eq!((tally.voids(), tally.faults(), tally.games()), (1, 1, 1));
        assert_eq!(tally.agents[0].faults, 1);
    }

    #[test]
    fn a_sequential_test_sees_distinct_pairs_only_and_ends_with_a_unit() {
        let settings = SprtSettings { elo1: 400.0, unit: Unit::Games, ..SprtSettings::default() };
        for (unit, random, decided) in
            [(Unit::Pairs, 0, false), (Unit::Pairs, 1, true), (Unit::Games, 1, true)]
        {
            let design = SprtSettings { unit, ..settings }.check().expect("a design");
            let mut tally = Tally::new(vec!["a".into(), "b".into()], &[]).testing(Some(design));
            for game in 1..=400 {
                // The first agent wins every game in both seats.
                let (seats, outcome) = match game % 2 {
                    1 => ((0, 1), Outcome::First),
                    _ => ((1, 0), Outcome::Second),
                };
                tally.push(&row(game, seats, outcome, random, game % 2));
                assert!(!tally.is_decided() || game % 2 == 0);
            }
            assert_eq!(tally.is_decided(), decided, "{unit:?} {random}");
        }
    }

    #[test]
    fn each_opening_is_one_cluster() {
        let tally = tally(&[
            row(1, (0, 1), Outcome::First, 1, 1),
            row(2, (1, 0), Outcome::First, 1, 2),
            row(3, (0, 1), Outcome::First, 1, 3),
            row(4, (1, 0), Outcome::Second, 1, 4),
        ]);
        let clusters = tally.clusters();
        assert_eq!((clusters.n, clusters.sum), (2, 1.5));
        // The first agent: won and lost moving first, lost and won moving second.
        let seats = [0, 1].map(|agent| tally.seats_of(agent).map(|votes| (votes.n, votes.sum)));
        assert_eq!(seats, [[(2, 2.0), (2, 1.0)], [(2, 1.0), (2, 0.0)]]);
    }
}
