//! Ratings of the agents from earlier results, for the first games of a run in rounds: `pool` in
//! `[schedule]`.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::path::Path;

use super::agents_section::AgentEntry;
use super::schedule_section::ScheduleConfig;
use crate::config::build_context::BuildContext;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::source_of_each_value::{Unreadable, open_file};
use crate::result_tables::read_result_tables::read_result_tables;
use crate::result_tables::result_rows::SeatedPlayer;
use crate::result_tables::table_options::TableOptions;
use crate::rounds::adaptive_rounds::{AdaptiveQuestion, EarlierRating};
use crate::util::did_you_mean::did_you_mean_or;

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
/// each two of them, and teams are not used.
fn read(path: &Path, agents: &[&str]) -> Result<Vec<(f64, f64)>, Unreadable> {
    // A file that is not there is named with those that are.
    open_file(path)?;
    let rows = read_result_tables(&[path], &TableOptions::default()).map_err(|fault| {
        let line = (fault.line > 0).then(|| format!("line {}: ", fault.line));
        Unreadable {
            reason: line.unwrap_or_default() + &fault.message,
            help: "`agon rate FILE --pool POOL` makes a pool from results".to_owned(),
        }
    })?;
    let mut games: BTreeMap<(usize, usize), (f64, f64)> = BTreeMap::new();
    for row in rows.iter() {
        let sides = row.players.chunk_by(|a, b| a.seat == b.seat);
        let seats: Vec<&SeatedPlayer> =
            sides.filter(|side| side.len() == 1).map(|side| &side[0]).collect();
        for (place, a) in seats.iter().enumerate() {
            for b in &seats[place + 1..] {
                let won = match a.rank.cmp(&b.rank) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.5,
                    Ordering::Greater => 0.0,
                };
                let [a, b] = [a.player as usize, b.player as usize];
                let (key, won) = if a < b { ((a, b), won) } else { ((b, a), 1.0 - won) };
                let (n, points) = games.entry(key).or_default();
                (*n, *points) = (*n + 1.0, *points + won);
            }
        }
    }
    if rows.is_empty() {
        return Err(Unreadable {
            reason: "it has no results".to_owned(),
            help: "`agon rate FILE --pool POOL` adds results to a pool".to_owned(),
        });
    }
    let names: Vec<&str> = rows.names.iter().collect();
    let number = |agent: &str| names.iter().position(|name| *name == agent);
    if !agents.iter().any(|agent| number(agent).is_some()) {
        let wanted = agents.first().copied().unwrap_or_default();
        return Err(Unreadable {
            reason: "it has no game of these agents".to_owned(),
            help: did_you_mean_or(wanted, &names, || {
                format!("its players are {}", names.join(", "))
            }),
        });
    }
    let games: Vec<_> = games.into_iter().map(|((a, b), (n, won))| (a, b, n, won)).collect();
    let all = EarlierRating::of_games(names.len(), &games);
    let of = |agent: &&str| {
        let rating = number(agent).map(|number| all[number]).unwrap_or_default();
        // Whole numbers have the same text in every config.
        (rating.elo.round(), rating.games.round())
    };
    Ok(agents.iter().map(of).collect())
}
