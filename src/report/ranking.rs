//! Who is stronger: the ranking and the cross table of scores.

use super::numbers::{NONE, elo, elo_range, fixed, grouped, percent, percents};
use super::table::Table;
use super::verdict::Verdict;
use crate::arena::Tally;
use crate::stats::{Confidence, EloRange, Evidence, Interval, Trinomial};

/// How somebody scored, with the evidence that stands behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Score {
    /// Mean score over distinct pairs (over lone games where there are no pairs).
    pub score: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
    /// Distinct pairs (or lone games).
    pub samples: u64,
}

impl Score {
    /// From distinct pairs and games.
    pub fn of(evidence: &Evidence) -> Score {
        let pairs = evidence.pairs.strength();
        if !pairs.is_empty() {
            let interval = pairs.interval(Confidence::P95);
            return Score { score: pairs.mean(), interval, samples: pairs.n() };
        }
        let games = evidence.games();
        let interval = games.interval(Confidence::P95);
        Score { score: games.mean(), interval, samples: games.n() }
    }

    /// The Elo difference that the score means; `None` for 0 and 100 %.
    pub fn elo(&self) -> Option<f64> {
        self.score.and_then(crate::stats::elo::from_score)
    }

    /// The range of Elo differences.
    pub fn elo_range(&self) -> Option<EloRange> {
        self.interval.map(Interval::elo)
    }

    /// What may be said.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.interval, self.samples)
    }
}

/// An agent in the ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Rank {
    /// The agent's index.
    pub agent: usize,
    /// Results against others, duplicates included.
    pub results: Trinomial,
    /// Score against all others.
    pub score: Score,
}

/// Every agent that met another, best first; equal scores in the config's order.
pub fn ranking(tally: &Tally) -> Vec<Rank> {
    let mut ranks: Vec<Rank> = (0..tally.names.len())
        .map(|agent| {
            let mut results = tally.agents[agent].moving_first;
            results.merge(&tally.agents[agent].moving_second);
            Rank { agent, results, score: Score::of(&against_all(tally, agent)) }
        })
        .filter(|rank| !rank.results.is_empty())
        .collect();
    let key = |rank: &Rank| rank.score.score.unwrap_or(-1.0);
    ranks.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.agent.cmp(&b.agent)));
    ranks
}

/// The distinct evidence of an agent against all others together, from its side.
fn against_all(tally: &Tally, agent: usize) -> Evidence {
    let mut evidence = Evidence::default();
    for (pairing, results) in tally.pairings.iter().filter(|(p, _)| !p.is_self()) {
        if pairing.a == agent {
            evidence.merge(&results.distinct);
        } else if pairing.b == agent {
            evidence.merge(&results.distinct.flipped());
        }
    }
    evidence
}

/// The distinct evidence of one agent against another, from its side.
fn between(tally: &Tally, a: usize, b: usize) -> Option<Evidence> {
    tally.pairings.iter().find_map(|(pairing, results)| {
        if (pairing.a, pairing.b) == (a, b) {
            Some(results.distinct)
        } else if (pairing.a, pairing.b) == (b, a) {
            Some(results.distinct.flipped())
        } else {
            None
        }
    })
}

/// The ranking as a table; `None` where nobody met anybody.
pub fn table(tally: &Tally) -> Option<Table> {
    let ranks = ranking(tally);
    let mut table = Table::new(
        "Who is stronger?",
        [
            "#", "<agent", "games", "wins", "draws", "losses", "score %", "95 %", "Elo", "95 % Elo",
        ],
    );
    for (place, rank) in ranks.iter().enumerate() {
        table.row([
            (place + 1).to_string(),
            tally.names[rank.agent].clone(),
            grouped(rank.results.n()),
            grouped(rank.results.wins()),
            grouped(rank.results.draws()),
            grouped(rank.results.losses()),
            percent(rank.score.score),
            percents(rank.score.interval),
            rank.score.elo().map_or(NONE.to_owned(), elo),
            elo_range(rank.score.elo_range()),
        ]);
    }
    if ranks.is_empty() {
        return None;
    }
    table.notes.push("score and Elo: against the other agents together, distinct pairs only".into());
    Some(table)
}

/// The most agents whose cross table is shown.
const MOST: usize = 24;

/// Scores of the row's agent against the column's in percent; `None` for fewer than
/// three agents, where the ranking says it all, or too many to read.
pub fn cross_table(tally: &Tally) -> Option<Table> {
    let ranks = ranking(tally);
    if !(3..=MOST).contains(&ranks.len()) {
        return None;
    }
    let heads = ["#".to_owned(), "<score % against".to_owned()];
    let mut table = Table::new(
        "Cross table",
        heads.into_iter().chain((1..=ranks.len()).map(|place| place.to_string())),
    );
    for (place, row) in ranks.iter().enumerate() {
        let mut cells = vec![(place + 1).to_string(), tally.names[row.agent].clone()];
        cells.extend(ranks.iter().map(|column| {
            let met = (row.agent != column.agent)
                .then(|| between(tally, row.agent, column.agent))
                .flatten();
            match met.and_then(|evidence| Score::of(&evidence).score) {
                Some(score) => fixed(100.0 * score, 0),
                None if row.agent == column.agent => "·".to_owned(),
                None => NONE.to_owned(),
            }
        }));
        table.row(cells);
    }
    Some(table)
}
