//! Ratings of the agents from earlier results, for the first games of a run in rounds: `pool` in
//! `[schedule]`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use super::agents_section::AgentEntry;
use super::schedule_section::ScheduleConfig;
use crate::config::build_context::BuildContext;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::source_of_each_value::{Unreadable, open_file};
use crate::rounds::adaptive_rounds::{AdaptiveQuestion, EarlierRating};
use crate::util::did_you_mean::did_you_mean_or;

/// A row of a pool.
#[derive(Deserialize)]
struct PoolRow {
    players: Vec<Vec<String>>,
    ranks: Vec<u32>,
}

/// Sets the ratings of the schedule from its pool, and checks them. `question`: what the run is to find
/// out; `None` if its format has no use for ratings.
pub(crate) fn resolve(
    question: Option<AdaptiveQuestion>,
    schedule: &mut ScheduleConfig,
    agents: &[AgentEntry],
    context: &BuildContext<'_>,
    problems: &mut Problems,
) {
    let key = if schedule.pool.is_some() { "pool" } else { "ratings" };
    let Some(place) = context.tree.place("schedule", key) else { return };
    let key = format!("schedule.{key}");
    if !matches!(question, Some(AdaptiveQuestion::Best | AdaptiveQuestion::Ranking)) {
        let message = match question {
            Some(_) => "with `against`, all agents play one agent, so ratings choose no games",
            None => "only `best` and `ranking` choose games by ratings",
        };
        problems.wrong(place, key, message, "remove the key, or use `format = \"best\"`");
        return;
    }
    let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
    let Some(path) = schedule.pool.take() else {
        if schedule.ratings.as_ref().is_some_and(|ratings| ratings.len() != agents.len()) {
            let message = "`schedule.ratings` does not have one pair of numbers for each agent";
            problems.wrong(place, key, message, "remove it: agon writes it itself");
        }
        return;
    };
    match read(&context.origin.folder.join(&path), &names) {
        Ok(ratings) => schedule.ratings = Some(ratings),
        Err(Unreadable { reason, help }) => {
            let message = format!("cannot use the pool `{path}`: {reason}");
            problems.wrong(place, key, message, help);
        }
    }
}

/// The rating and the number of games of each agent. A row with more than two players is a game of
/// each two of them, and rows of teams are not used.
fn read(path: &Path, agents: &[&str]) -> Result<Vec<(f64, f64)>, Unreadable> {
    let mut names: Vec<String> = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut games: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for (line, text) in BufReader::new(open_file(path)?).lines().enumerate() {
        let row = text.map_err(|error| error.to_string());
        let row = row.and_then(|text| {
            serde_json::from_str::<PoolRow>(&text).map_err(|error| error.to_string())
        });
        let row = row.ok().filter(|row| row.ranks.len() == row.players.len());
        let PoolRow { players, ranks } = row.ok_or_else(|| Unreadable {
            reason: format!("line {} is not a row of a pool", line + 1),
            help: "`agon rate FILE --pool POOL` makes a pool from results".to_owned(),
        })?;
        let mut seats = Vec::with_capacity(players.len());
        for (mut team, rank) in players.into_iter().zip(ranks) {
            let (Some(name), true) = (team.pop(), team.is_empty()) else { continue };
            let player = *numbers.entry(name).or_insert_with_key(|name| {
                names.push(name.clone());
                names.len() - 1
            });
            seats.push((player, rank));
        }
        for (place, &(a, rank)) in seats.iter().enumerate() {
            for &(b, other) in &seats[place + 1..] {
                let won = match rank.cmp(&other) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                let (key, won) = if a < b { ((a, b), won) } else { ((b, a), 1.0 - won) };
                let (n, points) = games.entry(key).or_default();
                (*n, *points) = (*n + 1.0, *points + won);
            }
        }
    }
    if !agents.iter().any(|agent| numbers.contains_key(*agent)) {
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let wanted = agents.first().copied().unwrap_or_default();
        return Err(Unreadable {
            reason: "it has no game of these agents".to_owned(),
            help: did_you_mean_or(wanted, &known, || {
                format!("its players are {}", known.join(", "))
            }),
        });
    }
    let games: Vec<_> = games.into_iter().map(|((a, b), (n, won))| (a, b, n, won)).collect();
    let all = EarlierRating::of_games(names.len(), &games);
    let of = |agent: &&str| {
        let rating = numbers.get(*agent).map(|&number| all[number]).unwrap_or_default();
        // Whole numbers have the same text in every config.
        (rating.elo.round(), rating.games.round())
    };
    Ok(agents.iter().map(of).collect())
}
