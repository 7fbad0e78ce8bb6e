//! Who is stronger: the rating list and the cross table of scores.

use super::context::Context;
use super::numbers::{NONE, elo, fixed, grouped, p_value, percent};
use super::table::Table;
use super::verdict::{Judged, Terms};
use crate::arena::Tally;
use crate::stats::ratings::{
    Comparison, ListOptions, Pairing, Rating, RatingList, Standing, shortest_cycle,
};
use crate::stats::{Confidence, Evidence, Trinomial};

/// Judges two agents by distinct pairs, or by lone games where there are no pairs.
pub fn judge(evidence: &Evidence, terms: Terms) -> Judged {
    let pairs = evidence.pairs.strength();
    if pairs.is_empty() {
        Judged::counts(&evidence.games(), terms)
    } else {
        Judged::counts(&pairs, terms)
    }
}

/// Ratings of all agents that met another: half-point Bradley-Terry with a worth of the
/// first move where the games tell it.
pub fn ratings(tally: &Tally, context: &Context) -> RatingList {
    let options = ListOptions {
        first_mover: true,
        reference: context.reference,
        confidence: Confidence::P95,
        ..ListOptions::default()
    };
    RatingList::new(tally.names.len(), &met(tally), options)
}

/// The distinct evidence of everybody who met another.
fn met(tally: &Tally) -> Vec<Pairing> {
    (tally.pairings.iter())
        .filter(|(pairing, results)| !pairing.is_self() && !results.distinct.is_empty())
        .map(|(pairing, results)| Pairing {
            a: pairing.a,
            b: pairing.b,
            evidence: results.distinct,
        })
        .collect()
}

/// An agent's results against others, repeated games included.
pub fn results(tally: &Tally, agent: usize) -> Trinomial {
    let mut results = tally.agents[agent].moving_first;
    results.merge(&tally.agents[agent].moving_second);
    results
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

/// A rating in words: the estimate and its interval.
fn rating_cells(rating: Rating) -> [String; 2] {
    match rating {
        Rating::Estimate { elo: rating, lo, hi, .. } => {
            [elo(rating), format!("[{}, {}]", elo(lo), elo(hi))]
        }
        Rating::Reference => ["0".to_owned(), NONE.to_owned()],
        Rating::AtLeast(bound) => [NONE.to_owned(), format!("≥ {}", elo(bound))],
        Rating::AtMost(bound) => [NONE.to_owned(), format!("≤ {}", elo(bound))],
        Rating::Unknown => [NONE.to_owned(), NONE.to_owned()],
    }
}

/// The rating list as a table; `None` where nobody met anybody.
pub fn table(tally: &Tally, context: &Context) -> Option<Table> {
    let list = ratings(tally, context);
    let comparisons = list.comparisons();
    let standings: Vec<&Standing> = list.standings.iter().filter(|s| s.games > 0).collect();
    if standings.is_empty() {
        return None;
    }
    let mut table = Table::new(
        "Who is stronger?",
        [
            "#", "<agent", "games", "wins", "draws", "losses", "score %", "Elo", "95 %",
            "LOS next", "p next",
        ],
    );
    for (place, standing) in standings.iter().enumerate() {
        let results = results(tally, standing.player);
        let [rating, range] = rating_cells(standing.rating);
        let next = standings
            .get(place + 1)
            .and_then(|next| find(&comparisons, standing.player, next.player));
        // The comparison may have the two the other way round.
        let los = next.map(|c| if c.a == standing.player { c.los } else { 1.0 - c.los });
        table.row([
            (place + 1).to_string(),
            tally.names[standing.player].clone(),
            grouped(results.n()),
            grouped(results.wins()),
            grouped(results.draws()),
            grouped(results.losses()),
            percent(standing.score),
            rating,
            range,
            percent(los),
            p_value(next.map(|comparison| comparison.p_holm)),
        ]);
    }
    table.notes = notes(tally, context, &list, &comparisons);
    Some(table)
}

fn find(comparisons: &[Comparison], a: usize, b: usize) -> Option<&Comparison> {
    comparisons.iter().find(|c| (c.a, c.b) == (a, b) || (c.a, c.b) == (b, a))
}

/// What the ratings mean, and what they do not say.
fn notes(
    tally: &Tally,
    context: &Context,
    list: &RatingList,
    comparisons: &[Comparison],
) -> Vec<String> {
    use crate::stats::ratings::Reference;
    let mut notes = Vec::new();
    let name = |agent: usize| tally.names[agent].as_str();
    let zero = match context.reference {
        Reference::Mean => "the mean of the agents".to_owned(),
        Reference::Player(agent) => name(agent).to_owned(),
    };
    notes.push(format!(
        "Elo: Bradley-Terry, relative to {zero}; intervals by opening pairs; LOS and p against the next, p with Holm's correction"
    ));
    if tally.pairings.iter().any(|(pairing, _)| pairing.fixed) {
        let note = "seats are fixed: the worth of a seat is part of the ratings, so compare agents \
                    that take the same seat";
        notes.push(note.to_owned());
    }
    if let Some(fit) = list.groups.first().and_then(|group| group.fit.as_ref().ok())
        && let Some(worth) = fit.first_mover
    {
        let range = fit.first_mover_se().map(|se| {
            let half = Confidence::P95.z() * se;
            format!(" [{}, {}]", elo(worth - half), elo(worth + half))
        });
        notes.push(format!(
            "moving first is worth {} Elo{}",
            elo(worth),
            range.unwrap_or_default()
        ));
    }
    if comparisons.len() > 1 {
        let told = comparisons.iter().filter(|c| c.p_holm < 0.05).count();
        notes.push(format!(
            "{told} of {} pairs of agents can be told apart at 5 %",
            comparisons.len()
        ));
    }
    if list.groups.iter().filter(|group| group.players.len() > 1).count() > 1 {
        notes.push("groups of agents that no chain of results connects are rated apart".to_owned());
    }
    if let Some(cycle) = shortest_cycle(tally.names.len(), &met(tally), Confidence::P95) {
        let chain: Vec<&str> = cycle.iter().chain(cycle.first()).map(|&a| name(a)).collect();
        notes.push(format!("cyclic: {} - no single rating explains this", chain.join(" beats ")));
    }
    notes
}

/// The most agents whose cross table is shown.
const MOST: usize = 24;

/// Scores of the row's agent against the column's in percent; `None` for fewer than
/// three agents, where the ranking says it all, or too many to read.
pub fn cross_table(tally: &Tally, context: &Context) -> Option<Table> {
    let standings: Vec<usize> = (ratings(tally, context).standings.iter())
        .filter(|standing| standing.games > 0)
        .map(|standing| standing.player)
        .collect();
    if !(3..=MOST).contains(&standings.len()) {
        return None;
    }
    let heads = ["#".to_owned(), "<score % against".to_owned()];
    let mut table = Table::new(
        "Cross table",
        heads.into_iter().chain((1..=standings.len()).map(|place| place.to_string())),
    );
    for (place, &row) in standings.iter().enumerate() {
        let mut cells = vec![(place + 1).to_string(), tally.names[row].clone()];
        cells.extend(standings.iter().map(|&column| {
            let met = if row == column { None } else { between(tally, row, column) };
            match met.and_then(|evidence| judge(&evidence, context.overall(tally)).score) {
                Some(score) => fixed(100.0 * score, 0),
                None if row == column => "·".to_owned(),
                None => NONE.to_owned(),
            }
        }));
        table.row(cells);
    }
    Some(table)
}
