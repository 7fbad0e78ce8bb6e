//! `agents.csv`, `pairings.csv` and `seats.csv`: full precision, empty where there is no
//! answer, columns only ever appended.

use super::context::Context;
use super::cost::Cost;
use super::numbers::field;
use super::ranking::{judge, ratings, results};
use super::seats::{rates, seats};
use crate::arena::Tally;
use crate::stats::ratings::Rating;
use crate::stats::{EloRange, Interval, elo};

/// Writes rows as CSV.
fn csv(head: &str, rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let result = writer
        .write_record(head.split(", "))
        .and_then(|()| rows.into_iter().try_for_each(|row| writer.write_record(&row)));
    result.expect("memory takes rows of one length");
    writer.into_inner().expect("memory takes everything")
}

/// Both ends of an interval as fields.
fn ends(interval: Option<Interval>) -> [String; 2] {
    [field(interval.map(|i| i.lo)), field(interval.map(|i| i.hi))]
}

/// Both ends of an Elo range as fields, an open end empty.
fn elo_ends(range: Option<EloRange>) -> [String; 2] {
    let (lo, hi) = match range {
        Some(EloRange::Between { lo, hi }) => (Some(lo), Some(hi)),
        Some(EloRange::AtLeast(lo)) => (Some(lo), None),
        Some(EloRange::AtMost(hi)) => (None, Some(hi)),
        Some(EloRange::Unbounded) | None => (None, None),
    };
    [field(lo), field(hi)]
}

/// A rating and its ends as fields, what is not known empty.
fn rating_fields(rating: Option<Rating>) -> [String; 3] {
    let (rating, lo, hi) = match rating {
        Some(Rating::Estimate { elo, lo, hi, .. }) => (Some(elo), Some(lo), Some(hi)),
        Some(Rating::Reference) => (Some(0.0), None, None),
        Some(Rating::AtLeast(bound)) => (None, Some(bound), None),
        Some(Rating::AtMost(bound)) => (None, None, Some(bound)),
        Some(Rating::Unknown) | None => (None, None, None),
    };
    [field(rating), field(lo), field(hi)]
}

/// `agents.csv`, in the config's order. Results are those against others; what moves
/// cost is counted over all games. Elo is the
/// rating of the list in the terminal.
pub fn agents_csv(tally: &Tally, context: &Context) -> Vec<u8> {
    let list = ratings(tally, context);
    let rows = (0..tally.names.len()).map(|i| {
        let agent = &tally.agents[i];
        let standing = list.standings.iter().find(|s| s.player == i && s.games > 0);
        let results = results(tally, i);
        let [elo, elo_low, elo_high] = rating_fields(standing.map(|s| s.rating));
        let cost = Cost::of(agent);
        let whole = |v: Option<u64>| v.map(|v| v.to_string()).unwrap_or_default();
        vec![
            tally.names[i].clone(),
            context.kinds.get(i).cloned().unwrap_or_default(),
            results.n().to_string(),
            results.wins().to_string(),
            results.draws().to_string(),
            results.losses().to_string(),
            field(standing.and_then(|s| s.score)),
            elo,
            elo_low,
            elo_high,
            agent.moves.to_string(),
            agent.nodes.to_string(),
            field(cost.nodes_per_move),
            field(cost.mean_ns),
            whole(cost.p50_ns),
            whole(cost.p99_ns),
            whole(cost.max_ns),
            field(cost.nodes_per_second),
            field(cost.mean_depth),
            field(cost.branching_factor),
            agent.faults.to_string(),
        ]
    });
    csv(
        "agent, kind, games, wins, draws, losses, score, elo, elo_low, elo_high, moves, nodes, \
         nodes_per_move, time_per_move_ns_mean, time_per_move_ns_p50, time_per_move_ns_p99, \
         time_per_move_ns_max, nodes_per_second, mean_depth, branching_factor, faults",
        rows,
    )
}

/// `pairings.csv`: two agents a row, in the schedule's order. Results count every game;
/// `pairs`, `pair_…`, scores and Elo count distinct pairs.
pub fn pairings_csv(tally: &Tally, context: &Context) -> Vec<u8> {
    let rows = tally.pairings.iter().filter(|(p, r)| !p.is_self() && r.games() > 0).map(
        |(pairing, results)| {
            let all = results.all.games();
            let (first, second) = (results.all.moving_first(), results.all.moving_second());
            let judged = judge(&results.distinct, context.terms(results));
            let mut row = vec![tally.names[pairing.a].clone(), tally.names[pairing.b].clone()];
            row.extend(
                [
                    results.games(),
                    results.distinct_games,
                    results.distinct.pairs.n(),
                    all.wins(),
                    all.draws(),
                    all.losses(),
                    first.wins(),
                    first.draws(),
                    first.losses(),
                    second.wins(),
                    second.draws(),
                    second.losses(),
                ]
                .map(|count| count.to_string()),
            );
            row.extend(results.distinct.pairs.strength().0.map(|count| count.to_string()));
            row.push(field(judged.score));
            row.extend(ends(judged.interval));
            row.push(field(judged.score.and_then(elo::from_score)));
            row.extend(elo_ends(judged.interval.map(Interval::elo)));
            row.push(judged.verdict.of_agents().to_owned());
            row.extend(ends(judged.anytime));
            row
        },
    );
    csv(
        "agent_a, agent_b, games, distinct_games, pairs, a_wins, draws, b_wins, a_first_wins, \
         a_first_draws, a_first_losses, a_second_wins, a_second_draws, a_second_losses, pair_0, \
         pair_half, pair_1, pair_1half, pair_2, a_score, score_low, score_high, elo, elo_low, \
         elo_high, verdict, anytime_low, anytime_high",
        rows,
    )
}

/// `seats.csv`: one row for all games, one per agent against itself, one per pairing.
pub fn seats_csv(tally: &Tally, context: &Context) -> Vec<u8> {
    let rows = seats(tally, context).into_iter().map(|row| {
        let [first, draw, second] = rates(&row.results);
        let [low, high] = ends(row.judged.interval);
        vec![
            row.scope.clone(),
            row.games.to_string(),
            row.distinct.to_string(),
            row.results.wins().to_string(),
            row.results.draws().to_string(),
            row.results.losses().to_string(),
            field(first),
            field(draw),
            field(second),
            field(row.judged.score),
            low,
            high,
            field(row.tested()),
            row.judged.verdict.of_seats().to_owned(),
        ]
    });
    csv(
        "scope, games, distinct_games, first_wins, draws, second_wins, first_win_rate, draw_rate, \
         second_win_rate, first_score, score_low, score_high, p_value, verdict",
        rows,
    )
}
