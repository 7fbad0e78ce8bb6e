//! Does the first or the second player win more?

use super::context::Context;
use super::numbers::{counted, e_value, grouped, p_value, percent, percents};
use super::table::Table;
use super::verdict::{Judged, Terms, Verdict};
use crate::arena::{PairingTally, Tally};
use crate::stats::{Trinomial, binomial};

/// One line of `seats.csv`: how the first player fared in some of the games.
#[derive(Debug, Clone, PartialEq)]
pub struct Seats {
    /// Which games.
    pub scope: String,
    /// Whether these are the games of an agent against itself.
    pub is_self: bool,
    /// Whether score, intervals and p-value rest on all the distinct games: not so where
    /// some have no partner.
    pub covers_all: bool,
    /// Games that count, duplicates included.
    pub games: u64,
    /// Distinct games.
    pub distinct: u64,
    /// Results of the first player, duplicates included.
    pub results: Trinomial,
    /// The first player's mean score and what can be said of it.
    pub judged: Judged,
    /// Of "first and second player win as often".
    pub p_value: Option<f64>,
}

impl Seats {
    /// The p-value, unless the result is exact and no test has anything to say.
    pub fn tested(&self) -> Option<f64> {
        self.p_value.filter(|_| self.judged.verdict != Verdict::Exact)
    }
}

/// All games, each agent against all others, each agent against itself, each pairing.
pub fn seats(tally: &Tally, context: &Context) -> Vec<Seats> {
    let mut rows = Vec::new();
    for (pairing, results) in tally.pairings.iter().filter(|(_, r)| r.games() > 0) {
        let name = |agent: usize| &tally.names[agent];
        let terms = context.terms(results);
        rows.push(if pairing.is_self() {
            alone(format!("{} vs itself", name(pairing.a)), true, results, terms)
        } else if pairing.fixed {
            // The seats are part of who plays: say who sits where.
            let scope = format!("{} (first) vs {} (second)", name(pairing.a), name(pairing.b));
            alone(scope, false, results, terms)
        } else {
            of_pairing(format!("{} vs {}", name(pairing.a), name(pairing.b)), results, terms)
        });
    }
    let agents = (0..tally.names.len()).filter_map(|agent| of_agent(tally, agent, context));
    rows.splice(0..0, agents);
    let all = match &rows[..] {
        // All games are these games: the same is said of them, in the same words.
        [only] if only.covers_all => {
            Seats { scope: ALL.to_owned(), is_self: false, ..only.clone() }
        }
        _ => overall(tally, context.overall(tally)),
    };
    rows.insert(0, all);
    rows
}

/// The scope of the first row.
const ALL: &str = "all games";

/// Openings are shared by all pairings, so each opening's games have one vote together.
fn overall(tally: &Tally, terms: Terms) -> Seats {
    let mut results = Trinomial::default();
    for (_, pairing) in &tally.pairings {
        results.merge(&pairing.all.first_mover_games());
    }
    let clusters = tally.clusters();
    Seats {
        scope: ALL.to_owned(),
        is_self: false,
        covers_all: true,
        games: tally.games(),
        distinct: tally.distinct_games(),
        results,
        judged: Judged::clusters(&clusters, terms),
        p_value: clusters.p_value(),
    }
}

/// An agent's games against others, from both sides: its and their strength cancels over
/// each opening, which has one vote. `None` unless it met at least two others so: against
/// one only, the pairing says the same.
fn of_agent(tally: &Tally, agent: usize, context: &Context) -> Option<Seats> {
    let of = (tally.pairings.iter()).filter(|(pairing, results)| {
        (pairing.a == agent || pairing.b == agent) && pairing.has_pairs() && results.games() > 0
    });
    let (mut all, mut games, mut distinct, mut met) = (Trinomial::default(), 0, 0, 0);
    let mut exhausted = true;
    for (_, results) in of {
        all.merge(&results.all.first_mover_games());
        games += results.games();
        distinct += results.distinct_games;
        met += 1;
        exhausted &= context.terms(results).exhausted;
    }
    let terms = Terms { exhausted, ..context.overall(tally) };
    let clusters = tally.clusters_of(agent);
    (met > 1).then(|| Seats {
        scope: format!("{} vs all others", tally.names[agent]),
        is_self: false,
        covers_all: true,
        games,
        distinct,
        results: all,
        judged: Judged::clusters(&clusters, terms),
        p_value: clusters.p_value(),
    })
}

/// An agent's own score against others, moving first and moving second: distinct games, all of
/// an opening with one vote.
pub fn by_seat(tally: &Tally, agent: usize, context: &Context) -> [Judged; 2] {
    let mut of = (tally.pairings.iter()).filter(|(pairing, results)| {
        (pairing.a == agent || pairing.b == agent) && !pairing.is_self() && results.games() > 0
    });
    let exhausted = of.all(|(_, results)| context.terms(results).exhausted);
    let terms = Terms { exhausted, ..context.overall(tally) };
    tally.seats_of(agent).map(|clusters| Judged::clusters(&clusters, terms))
}

/// Independent games, one per opening.
fn alone(scope: String, is_self: bool, results: &PairingTally, terms: Terms) -> Seats {
    let games = results.distinct.first_mover_games();
    Seats {
        scope,
        is_self,
        covers_all: true,
        games: results.games(),
        distinct: results.distinct_games,
        results: results.all.first_mover_games(),
        judged: Judged::counts(&games, terms),
        p_value: (!games.is_empty()).then(|| binomial::sign_test(games.wins(), games.losses())),
    }
}

/// Pairs: the agents' strength cancels, because each of them moved first once.
fn of_pairing(scope: String, results: &PairingTally, terms: Terms) -> Seats {
    let pairs = results.distinct.pairs.first_mover();
    if pairs.is_empty() {
        // Lone games speak where there is nothing else.
        return alone(scope, false, results, terms);
    }
    let [second_both, second, _, first, first_both] = pairs.0;
    Seats {
        scope,
        is_self: false,
        covers_all: results.distinct.lone_first.is_empty()
            && results.distinct.lone_second.is_empty(),
        games: results.games(),
        distinct: results.distinct_games,
        results: results.all.first_mover_games(),
        judged: Judged::counts(&pairs, terms),
        p_value: Some(binomial::sign_test(first + first_both, second + second_both)),
    }
}

/// The share of each result among the games: first player's wins, draws, second's wins.
pub fn rates(results: &Trinomial) -> [Option<f64>; 3] {
    let n = results.n();
    [results.wins(), results.draws(), results.losses()]
        .map(|count| (n > 0).then(|| count as f64 / n as f64))
}

/// Rows to show below the first.
const MOST: usize = 12;

/// The table: all games, and each agent against itself, or else against all others and each
/// pairing.
pub fn table(tally: &Tally, context: &Context) -> Table {
    let all = seats(tally, context);
    let any_self = all.iter().any(|row| row.is_self);
    let mut table = Table::new(
        "Does the first or the second player win more?",
        [
            "<games",
            "n",
            "distinct",
            "first %",
            "draw %",
            "second %",
            "first's score",
            "95 %",
            "at any time",
            "e-value",
            "p",
            "<verdict",
        ],
    );
    let shown = (all.iter().enumerate())
        .filter(|(i, row)| *i == 0 || !any_self || row.is_self)
        .take(1 + MOST);
    for (_, row) in shown {
        let [first, draw, second] = rates(&row.results);
        table.row([
            row.scope.clone(),
            grouped(row.games),
            grouped(row.distinct),
            percent(first),
            percent(draw),
            percent(second),
            percent(row.judged.score),
            percents(row.judged.interval),
            percents(row.judged.anytime),
            e_value(row.judged.e_value),
            p_value(row.tested()),
            row.judged.verdict.of_seats().to_owned(),
        ]);
    }
    if tally.distinct_games() < tally.games() {
        let note = "first, draw, second %: of all games; score, interval and p: of distinct ones";
        table.notes.push(note.to_owned());
    }
    if tally.pairings.iter().any(|(pairing, _)| pairing.fixed) {
        let note = "agents with a fixed seat do not change sides: these figures are about agents \
                    and seats together";
        table.notes.push(note.to_owned());
    }
    let rest = all.len() - table.rows.len();
    if rest > 0 {
        table.notes.push(format!("more in seats.csv: {}", counted(rest as u64, "row")));
    }
    table
}
