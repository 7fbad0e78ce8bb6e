//! The advantage of moving first: does the first or the second player win more?

use super::figure_list::FigureFormat::{Count, EValue, PValue, Percent, Text};
use super::figure_list::FigureList;
use super::figure_list::FigureValue::Ends;
use super::multiple_comparisons::{Correction, tested};
use super::run_facts_for_tables::RunContext;
use super::verdict_phrases::{Judged, Memo, Sampling};
use crate::arena::Tally;
use crate::stats::Trinomial;
use crate::text::number_format::{NOT_INFORMATIVE, counted, informative};
use crate::text::text_table::TextTable;

/// One line of `seats.csv`: the first player's results in some of the games.
#[derive(Debug, Clone, PartialEq)]
pub struct FirstMoveTable {
    pub scope: String,
    /// Whether these are the games of an agent against itself.
    pub is_self: bool,
    /// Whether score, intervals and p-value use all the distinct games. They do not if some games
    /// have no partner.
    pub covers_all: bool,
    /// Games that count, including duplicates.
    pub games: u64,
    pub distinct: u64,
    /// Results of the first player, including duplicates.
    pub results: Trinomial,
    /// The first player's mean score and its verdict, corrected for the number of rows.
    pub judged: Judged,
    /// The p-value with this correction.
    pub p_holm: Option<f64>,
}

/// All rows of `seats.csv`. Only requested rows are computed, because a thousand agents have half a
/// million rows.
pub struct SeatRows<'a> {
    tally: &'a Tally,
    context: &'a RunContext,
    /// Terms of all games together.
    sampling: Sampling,
    /// All games first, then each agent against all others, then each pairing.
    scopes: Vec<Scope>,
    agents: Vec<AgainstOthers>,
    /// The multiple-comparison correction of all rows except the first. The first row answers the
    /// main question of the table, which was asked before the games.
    correction: Correction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    All,
    /// An agent's games against other agents with alternating seats, by index of the agent.
    Agent(u32),
    /// The games of a pairing, by index of the pairing.
    Pairing(u32),
}

/// An agent's games against other agents with alternating seats, and against all others.
#[derive(Debug, Clone, Copy)]
struct AgainstOthers {
    results: Trinomial,
    games: u64,
    distinct: u64,
    met: u32,
    exhausted: bool,
    /// As `exhausted`, including games with fixed seats.
    all_exhausted: bool,
}

impl<'a> SeatRows<'a> {
    /// Collects the rows in one pass over the pairings.
    pub fn new(tally: &'a Tally, context: &'a RunContext) -> Self {
        let none = AgainstOthers {
            results: Trinomial::default(),
            games: 0,
            distinct: 0,
            met: 0,
            exhausted: true,
            all_exhausted: true,
        };
        let mut agents = vec![none; tally.names.len()];
        let mut pairings = Vec::new();
        for (i, (pairing, results)) in tally.pairings.iter().enumerate() {
            if results.games() == 0 {
                continue;
            }
            pairings.push(Scope::Pairing(i as u32));
            if pairing.is_self() {
                continue;
            }
            let exhausted = context.sampling(results).exhausted;
            for agent in [pairing.a, pairing.b] {
                let of = &mut agents[agent];
                of.all_exhausted &= exhausted;
                if pairing.has_pairs() {
                    of.results.merge(&results.all().first_mover_games());
                    of.games += results.games();
                    of.distinct += results.distinct_games;
                    of.met += 1;
                    of.exhausted &= exhausted;
                }
            }
        }
        let several = agents.iter().enumerate().filter(|(_, of)| of.met > 1);
        let scopes = std::iter::once(Scope::All)
            .chain(several.map(|(agent, _)| Scope::Agent(agent as u32)))
            .chain(pairings)
            .collect();
        let (sampling, correction) = (context.overall(tally), Correction::default());
        let mut rows = SeatRows { tally, context, sampling, scopes, agents, correction };
        let p_values = rows.scopes.iter().filter_map(|&scope| rows.p_value(scope)).collect();
        rows.correction = Correction::new(p_values, sampling.fixed_length);
        rows
    }

    /// The p-value of a row that shares the error probability with others. It skips the intervals,
    /// which are most of the work on a row.
    fn p_value(&self, scope: Scope) -> Option<f64> {
        match scope {
            Scope::All => None,
            Scope::Agent(agent) => {
                let clusters = self.tally.clusters_of(agent as usize);
                let sampling = self.sampling_of(agent as usize);
                tested(clusters.p_value(), clusters.n, sampling)
            }
            Scope::Pairing(pairing) => {
                let (pairing, results) = &self.tally.pairings[pairing as usize];
                let sampling = self.context.sampling(results);
                let pairs = results.distinct.pairs.first_mover();
                if pairing.has_pairs() && !pairs.is_empty() {
                    tested(pairs.p_value(), pairs.n(), sampling)
                } else {
                    let games = results.distinct.first_mover_games();
                    tested(games.p_value(), games.n(), sampling)
                }
            }
        }
    }

    /// How the number of an agent's games with alternating seats was determined.
    fn sampling_of(&self, agent: usize) -> Sampling {
        Sampling { exhausted: self.agents[agent].exhausted, ..self.sampling }
    }

    pub fn len(&self) -> usize {
        self.scopes.len()
    }

    /// All rows, each computed on demand.
    pub fn iter(&self) -> impl Iterator<Item = FirstMoveTable> {
        let mut memo = Memo::default();
        self.scopes.iter().map(move |&scope| self.row(scope, &mut memo))
    }

    pub fn all(&self) -> FirstMoveTable {
        self.row(Scope::All, &mut Memo::default())
    }

    /// The first rows, at most `most`: all games, then each agent against itself. If no agent plays
    /// itself, any row may follow.
    pub fn first(&self, most: usize) -> Vec<FirstMoveTable> {
        let any_self = self.scopes.iter().any(|&scope| self.is_self(scope));
        self.some(most, |scope| !any_self || self.is_self(scope))
    }

    /// The first rows of a chart, at most `most`: all games, then each agent against itself, or
    /// otherwise against all others. Without rows by agent, the pairings follow.
    pub fn chart(&self, most: usize) -> Vec<FirstMoveTable> {
        let is_agent = |scope: Scope| matches!(scope, Scope::Agent(_));
        if self.scopes.iter().any(|&scope| self.is_self(scope)) {
            self.some(most, |scope| self.is_self(scope))
        } else if self.scopes.iter().any(|&scope| is_agent(scope)) {
            self.some(most, is_agent)
        } else {
            // With a single pairing the row of all games is sufficient.
            self.some(if self.len() == 2 { 1 } else { most }, |_| true)
        }
    }

    /// All games, and the first of the other rows that are wanted.
    fn some(&self, most: usize, wanted: impl Fn(Scope) -> bool) -> Vec<FirstMoveTable> {
        let mut memo = Memo::default();
        let wanted = self.scopes.iter().filter(|&&scope| scope == Scope::All || wanted(scope));
        wanted.take(most).map(|&scope| self.row(scope, &mut memo)).collect()
    }

    fn is_self(&self, scope: Scope) -> bool {
        matches!(scope, Scope::Pairing(i) if self.tally.pairings[i as usize].0.is_self())
    }

    fn row(&self, scope: Scope, memo: &mut Memo) -> FirstMoveTable {
        let mut row = self.uncorrected(scope, memo);
        let p = tested(row.judged.p_value, row.judged.samples, self.sampling);
        if scope == Scope::All {
            return FirstMoveTable { p_holm: p, ..row };
        }
        row.judged.verdict = self.correction.verdict(&row.judged, p);
        FirstMoveTable { p_holm: p.and_then(|p| self.correction.p_holm(p)), ..row }
    }

    /// A row without correction for the others.
    fn uncorrected(&self, scope: Scope, memo: &mut Memo) -> FirstMoveTable {
        match scope {
            Scope::All => match self.scopes[1..] {
                // All games are the games of this one row, so both get the same verdict and the
                // same words.
                [only] => match self.uncorrected(only, memo) {
                    only if only.covers_all => {
                        FirstMoveTable { scope: ALL.to_owned(), is_self: false, ..only }
                    }
                    _ => overall(self.tally, self.sampling),
                },
                _ => overall(self.tally, self.sampling),
            },
            Scope::Agent(agent) => self.of_agent(agent as usize),
            Scope::Pairing(pairing) => self.of_pairing(pairing as usize, memo),
        }
    }

    /// An agent's games against others from both seats. The strengths of both players cancel over
    /// each opening, and each opening has equal weight. It needs at least two such opponents: with
    /// one, the row equals the row of the pairing.
    fn of_agent(&self, agent: usize) -> FirstMoveTable {
        let of = &self.agents[agent];
        let clusters = self.tally.clusters_of(agent);
        FirstMoveTable {
            scope: format!("{} vs all others", self.tally.names[agent]),
            is_self: false,
            covers_all: true,
            games: of.games,
            distinct: of.distinct,
            results: of.results,
            judged: Judged::clusters(&clusters, self.sampling_of(agent)),
            p_holm: None,
        }
    }

    fn of_pairing(&self, pairing: usize, memo: &mut Memo) -> FirstMoveTable {
        let (pairing, results) = &self.tally.pairings[pairing];
        let [a, b] = [pairing.a, pairing.b].map(|agent| &self.tally.names[agent]);
        let scope = match (pairing.is_self(), pairing.fixed) {
            (true, _) => format!("{a} vs itself"),
            // With fixed seats, name the agent in each seat.
            (_, true) => format!("{a} (first) vs {b} (second)"),
            _ => format!("{a} vs {b}"),
        };
        let (evidence, sampling) = (&results.distinct, self.context.sampling(results));
        // In pairs the strengths of the agents cancel, because each agent moved first once. Without
        // pairs, single games are the evidence, one per opening.
        let pairs = evidence.pairs.first_mover();
        let (judged, covers_all) = match pairing.has_pairs() && !pairs.is_empty() {
            true => {
                let no_others = evidence.lone_first.is_empty() && evidence.lone_second.is_empty();
                (memo.counts(&pairs, sampling), no_others)
            }
            false => (memo.counts(&evidence.first_mover_games(), sampling), true),
        };
        FirstMoveTable {
            scope,
            is_self: pairing.is_self(),
            covers_all,
            games: results.games(),
            distinct: results.distinct_games,
            results: results.all().first_mover_games(),
            judged,
            p_holm: None,
        }
    }

    /// Whether an agent has games against others from both seats.
    pub fn has_both_seats(&self, agent: usize) -> bool {
        self.tally.seats_of(agent).iter().all(|clusters| clusters.n > 0)
    }

    /// An agent's own score against others, moving first and moving second. It counts distinct
    /// games and gives each opening equal weight.
    pub fn by_seat(&self, agent: usize) -> [Judged; 2] {
        let sampling = Sampling { exhausted: self.agents[agent].all_exhausted, ..self.sampling };
        self.tally.seats_of(agent).map(|clusters| Judged::clusters(&clusters, sampling))
    }
}

/// The scope of the first row.
const ALL: &str = "all games";

/// All pairings share the openings, so each opening's games together have equal weight.
fn overall(tally: &Tally, sampling: Sampling) -> FirstMoveTable {
    let mut results = Trinomial::default();
    for (_, pairing) in &tally.pairings {
        results.merge(&pairing.all().first_mover_games());
    }
    let clusters = tally.clusters();
    FirstMoveTable {
        scope: ALL.to_owned(),
        is_self: false,
        covers_all: true,
        games: tally.games(),
        distinct: tally.distinct_games(),
        results,
        judged: Judged::clusters(&clusters, sampling),
        p_holm: None,
    }
}

/// The share of each result: first player's wins, draws, second player's wins.
pub fn rates(results: &Trinomial) -> [Option<f64>; 3] {
    let n = results.n();
    [results.wins(), results.draws(), results.losses()]
        .map(|count| (n > 0).then(|| count as f64 / n as f64))
}

/// The figures of a row, in the order of `seats.csv`.
pub fn seat_figures() -> FigureList<FirstMoveTable> {
    FigureList::<FirstMoveTable>::new()
        .with("scope", "games", Text, |row| row.scope.as_str().into())
        .with("games", "n", Count, |row| row.games.into())
        .with("distinct_games", "distinct", Count, |row| row.distinct.into())
        .with("first_wins", "", Count, |row| row.results.wins().into())
        .with("draws", "", Count, |row| row.results.draws().into())
        .with("second_wins", "", Count, |row| row.results.losses().into())
        .with("first_win_rate", "first %", Percent, |row| rates(&row.results)[0].into())
        .with("draw_rate", "draw %", Percent, |row| rates(&row.results)[1].into())
        .with("second_win_rate", "second %", Percent, |row| rates(&row.results)[2].into())
        .with("first_score", "first's score", Percent, |row| row.judged.score.into())
        .with("score_low, score_high", "95 %", Percent, |row| Ends(row.judged.interval))
        .with("p_value", "p", PValue, |row| row.judged.p_value.into())
        .with("verdict", "verdict", Text, |row| row.judged.verdict.of_seats().into())
        .with("anytime_low, anytime_high", "at any time", Percent, |row| Ends(row.judged.anytime))
        .with("e_value", "e-value", EValue, |row| row.judged.e_value.into())
        .with("p_holm", "", PValue, |row| row.p_holm.into())
}

/// Maximum number of rows below the first.
const MOST: usize = 12;

/// The table: all games, and each agent against itself, or otherwise against all others and each
/// pairing.
pub fn table(tally: &Tally, all: &SeatRows<'_>) -> TextTable {
    const SHOWN: [&str; 12] = [
        "scope",
        "games",
        "distinct_games",
        "first_win_rate",
        "draw_rate",
        "second_win_rate",
        "first_score",
        "score_low",
        "anytime_low",
        "e_value",
        "p_value",
        "verdict",
    ];
    let figures = seat_figures();
    let title = TextTable::new("Does the first or the second player win more?");
    let mut table = figures.heads(title, &SHOWN);
    let rows = all.first(1 + MOST);
    for row in &rows {
        table.row(SHOWN.map(|name| figures.show(name, row)));
    }
    let shown = |row: &FirstMoveTable| informative(row.judged.anytime).is_some();
    if !rows.iter().all(shown) {
        table.note(NOT_INFORMATIVE);
    }
    if tally.distinct_games() < tally.games() {
        table.note(
            "first %, draw % and second % count all games; score, intervals and p count \
                    distinct games",
        );
    }
    if tally.pairings.iter().any(|(pairing, _)| pairing.fixed) {
        table.note("seats are fixed: these figures measure the agent and its seat together");
    }
    if all.correction.len() > 1 {
        let n = all.correction.len();
        let note =
            format!("p is not corrected; verdicts below `all games` are corrected for {n} rows");
        table.note(note);
    }
    let rest = all.len() - table.rows.len();
    if rest > 0 {
        table.note(format!("seats.csv has {}", counted(rest as u64, "more row")));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Pairing;
    use crate::figures::run_facts_for_tables::RunEnd;
    use crate::figures::verdict_phrases::PairVerdict;

    /// The rows of agents that played only themselves, from losses and wins of the first player.
    fn rows(results: &[(u64, u64)]) -> Vec<FirstMoveTable> {
        let names = (0..results.len()).map(|agent| agent.to_string()).collect();
        let pairings: Vec<Pairing> = (0..results.len()).map(|i| Pairing::of(i, i)).collect();
        let mut tally = Tally::new(names, &pairings);
        for ((_, of), &(losses, wins)) in tally.pairings.iter_mut().zip(results) {
            of.distinct.lone_first = Trinomial::of(losses, 0, wins);
            of.is_random = losses + wins > 0;
        }
        let context =
            RunContext { ending: RunEnd::Complete, length_fixed: true, ..RunContext::default() };
        SeatRows::new(&tally, &context).iter().collect()
    }

    #[test]
    fn verdicts_on_several_rows_are_corrected_for_their_number() {
        // 39 : 61 has p = 0.03; 20 : 80 has an e-value of millions.
        let one = rows(&[(39, 61)]);
        assert_eq!(one.len(), 2);
        for row in one {
            assert_eq!(row.judged.verdict, PairVerdict::StrongerFixed);
            assert_eq!(row.p_holm, row.judged.p_value);
        }
        // Four games are not a test and do not affect the correction of the others.
        let four = rows(&[(39, 61), (20, 80), (50, 50), (0, 4)]);
        let holm = four[1..].iter().map(|row| Some(row.p_holm? / row.judged.p_value?));
        assert_eq!(holm.collect::<Vec<_>>(), [Some(2.0), Some(3.0), Some(1.0), None]);
        let verdicts: Vec<PairVerdict> = four[1..].iter().map(|row| row.judged.verdict).collect();
        let none = PairVerdict::NoDifference;
        assert_eq!(verdicts, [none, PairVerdict::Stronger, none, PairVerdict::TooFew]);
        assert!(four[1].judged.p_value.is_some_and(|p| p < 0.05));
    }
}
