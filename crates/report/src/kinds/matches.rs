//! The standings and the matches of a tournament of matches: who won, how each match ended,
//! and what such a format cannot show.

use super::{KindPlan, KindReport, PlannedGames};
use crate::arena::{DerivedFile, RunState, Schedule};
use crate::figures::figure_list::FigureFormat::{Count, Decimals, Percent, Points, Text};
use crate::figures::figure_list::FigureList;
use crate::figures::run_results::Results;
use crate::rounds::tournament::{Ending, Match, Tournament, TournamentDesign, TournamentStanding};
use crate::stats::{Confidence, Trinomial};
use crate::text::data_table::{DataCell, DataTable};
use crate::text::number_format::{NONE, counted, fixed, grouped, half_points, p_value};
use crate::text::text_table::TextTable;

/// What places and ratings mean.
fn meaning(results: &Results) -> String {
    let places = "Few matches decide the places, so they have no interval.";
    match results.ranking.any_interval() {
        true => format!("{places} Ratings (Elo) come from the games, and have one."),
        false => places.to_owned(),
    }
}

impl KindPlan for TournamentDesign {
    fn planned_games(&self, schedule: &Schedule) -> PlannedGames {
        // Only the pairings of the first round are known.
        let known = (0..schedule.pairings().len()).filter(|&i| schedule.games_of(i) > 0);
        let games = counted(self.all_games(), "game");
        let each = counted(self.games, "game");
        let words = if self.alpha.is_some() {
            format!("at most {games}, and extra games of drawn matches")
        } else if self.is_bracket() {
            format!("{games} and extra games of drawn matches: {each} each match")
        } else {
            let rounds = counted(self.rounds, "round");
            format!(
                "{games}: {rounds} of {}, {each} each",
                counted(known.count() as u64, "pairing")
            )
        };
        PlannedGames {
            each: Some(self.games),
            all: Some(self.all_games()),
            first_round: true,
            words,
            ..PlannedGames::default()
        }
    }
}

impl KindReport for Tournament {
    fn answer(&self, results: &Results) -> Option<String> {
        answer(results, self)
    }

    fn tables(&self, results: &Results) -> Vec<TextTable> {
        standings(results, self).into_iter().chain([matches(results, self)]).collect()
    }

    fn first_screen(&self, results: &Results, agents: TextTable) -> Vec<(TextTable, Vec<String>)> {
        let places = standings(results, self).unwrap_or_else(|| matches(results, self));
        let notes = relaxed_rules(results, self).into_iter().chain([meaning(results)]);
        vec![(places, notes.collect()), (agents, Vec::new())]
    }

    fn data<'a>(&'a self, results: &'a Results) -> Vec<(DerivedFile, DataTable<'a>)> {
        vec![
            (DerivedFile::Matches, matches_data(results, self)),
            (DerivedFile::Standings, standings_data(results, self)),
        ]
    }
}

/// The main result as one or two sentences; `None` without two agents.
fn answer(results: &Results, tournament: &Tournament) -> Option<String> {
    let standings = tournament.standings();
    let [first, second, ..] = standings[..] else { return None };
    let name = |player: usize| results.tally.names[player].as_str();
    let agents = counted(standings.len() as u64, "agent");
    let winner = name(first.player);
    let design = tournament.design();
    let (kind, bracket) = (design.rules.name(), design.is_bracket());
    if !tournament.is_over() {
        let left = standings.iter().filter(|standing| !standing.is_out).count();
        let round = format!("Round {} of {}", tournament.round(), tournament.design().rounds);
        return Some(match bracket {
            true => format!("{round}: {left} of {agents} are left."),
            false => format!("{round}: {winner} leads with {}.", points_of(&first)),
        });
    }
    let mut text = if !bracket {
        let tied: Vec<&str> = (standings.iter())
            .filter(|other| other.points == first.points)
            .map(|other| name(other.player))
            .collect();
        let all = fixed(tournament.design().rounds as f64, 0);
        let points = format!("{} of {all} points", half_points(first.points));
        match tied.len() {
            1 => format!("{winner} wins the {kind} of {agents} with {points}."),
            _ if second.place == 1 => {
                let first: Vec<&str> = (standings.iter())
                    .filter(|other| other.place == 1)
                    .map(|other| name(other.player))
                    .collect();
                format!(
                    "{} share the first place of the {kind} of {agents} with {points}.",
                    first.join(" and ")
                )
            }
            number => {
                let by = tie_break(&first, &second);
                format!(
                    "{winner} wins the {kind} of {agents} on {by}: {number} agents have \
                     {points}."
                )
            }
        }
    } else {
        let last = tournament.matches().last()?;
        let loser = name(last.opponent(first.player)?);
        let end = match last.ending {
            Ending::Seed | Ending::Repeats if last.score.wins() == last.score.losses() => {
                format!("the final against {loser} is drawn, and the higher seed wins")
            }
            _ => format!("it beats {loser} by {} in the final", score(last, first.player)),
        };
        format!("{winner} wins the {kind} of {agents}: {end}.")
    };
    if let Some(lead) = results.ranking.compared(first.player, second.player) {
        let is = if Confidence::P95.is_significant(lead.p_holm) { "is" } else { "is not" };
        text.push_str(&format!(
            " The rating difference to {} {is} significant (5 %).",
            name(second.player)
        ));
    }
    Some(text)
}

/// The first tie-break that differs.
fn tie_break(first: &TournamentStanding, second: &TournamentStanding) -> &'static str {
    if first.buchholz != second.buchholz {
        "Buchholz"
    } else if first.sonneborn_berger != second.sonneborn_berger {
        "Sonneborn-Berger"
    } else {
        "the score of its games"
    }
}

fn points_of(standing: &TournamentStanding) -> String {
    let noun = if standing.points <= 2 && standing.points > 0 { "point" } else { "points" };
    format!("{} {noun}", half_points(standing.points))
}

/// The games of a match from the side of a player: `5½ : 4½`.
fn score(of: &Match, player: usize) -> String {
    let games = if player == of.a { of.score } else { of.score.flipped() };
    let [own, theirs] = [games, games.flipped()].map(|games| 2 * games.wins() + games.draws());
    format!("{} : {}", half_points(own), half_points(theirs))
}

/// `final`, `semi-final`, or how many agents are in the round.
fn round_name(tournament: &Tournament, round: u64) -> String {
    let design = tournament.design();
    let left = design.rounds.saturating_sub(round);
    let matches = tournament.matches().iter().filter(|game| game.round == round).count();
    match left {
        // Only a round in which half of the agents go out has such a name.
        _ if !design.is_bracket() || 1_usize.checked_shl(left as u32) != Some(matches) => {
            round.to_string()
        }
        0 => "final".to_owned(),
        1 => "semi-final".to_owned(),
        2 => "quarter-final".to_owned(),
        left => format!("last {}", 2_u64 << left),
    }
}

/// The standings of a tournament with points, place by place; `None` for a knockout.
fn standings(results: &Results, tournament: &Tournament) -> Option<TextTable> {
    (!tournament.design().is_bracket()).then_some(())?;
    const SHOWN: [&str; 10] = [
        "place",
        "agent",
        "points",
        "buchholz",
        "sonneborn_berger",
        "score",
        "won",
        "drawn",
        "lost",
        "byes",
    ];
    let figures = standing_figures();
    let mut table = figures.heads(TextTable::new("Who is where in the tournament?"), &SHOWN);
    for row in rows_of_standings(results, tournament) {
        table.row(SHOWN.map(|name| match name {
            "byes" if row.standing.byes == 0 => NONE.to_owned(),
            name => figures.show(name, &row),
        }));
    }
    table.note(format!(
        "{}: a won match is 1 point, a drawn match ½; a bye is a won match",
        counted(tournament.design().rounds, "round")
    ));
    table.note("order: points, Buchholz (points of the opponents), S-B (Sonneborn-Berger: points of beaten \
         opponents, half of drawn ones), score; a bye counts as a win against an agent of equal points");
    relaxed_rules(results, tournament).into_iter().for_each(|note| table.note(note));
    table.note(meaning(results));
    Some(table)
}

/// The rule of Swiss tournaments that a match breaks: the two players have met before, or the player
/// had a bye. Such a match is played if no pairing of the round keeps the rules.
fn relaxed_rule(matches: &[Match], number: usize) -> Option<&'static str> {
    let players = |of: &Match| (Some(of.a.min(of.b.unwrap_or(of.a))), of.b.map(|b| b.max(of.a)));
    let of = &matches[number];
    let is_repeated = matches[..number].iter().any(|earlier| players(earlier) == players(of));
    is_repeated.then_some(if of.b.is_some() { "rematch" } else { "another bye" })
}

/// A sentence for each match that breaks a rule of Swiss tournaments.
fn relaxed_rules(results: &Results, tournament: &Tournament) -> Vec<String> {
    let matches = tournament.matches();
    let name = |player: usize| &results.tally.names[player];
    let broken = (0..matches.len()).filter(|&number| relaxed_rule(matches, number).is_some());
    let sentence = |of: &Match| {
        let what = match of.b {
            Some(b) => format!("{} and {} meet again", name(of.a), name(b)),
            None => format!("{} has another bye", name(of.a)),
        };
        format!("round {}: {what}, because every other pairing breaks a rule", of.round)
    };
    broken.map(|number| sentence(&matches[number])).collect()
}

/// The matches, round by round: a bracket from its first round.
fn matches(results: &Results, tournament: &Tournament) -> TextTable {
    let (bracket, can_end_early) =
        (tournament.design().is_bracket(), tournament.design().alpha.is_some());
    let title = if bracket { "Who beat whom?" } else { "Who met in which round?" };
    let mut table = TextTable::new(title)
        .text(["round", if bracket { "winner" } else { "agent" }])
        .figures(["score"])
        .text(["against"])
        .figures(["games"])
        .text(["decided by"]);
    if can_end_early {
        table = table.figures(["error"]);
    }
    let name = |player: usize| results.tally.names[player].clone();
    for game in tournament.matches() {
        let shown = game.winner.unwrap_or(game.a);
        let against = game.opponent(shown);
        let is_bye = against.is_none();
        let mut row = vec![
            round_name(tournament, game.round),
            name(shown),
            if is_bye { NONE.to_owned() } else { score(game, shown) },
            against.map_or("bye".to_owned(), name),
            if is_bye { NONE.to_owned() } else { grouped(game.score.n()) },
            words(game.ending).to_owned(),
        ];
        if can_end_early {
            row.push(p_value(e_value(game.ending).map(|e| 1.0 / e)));
        }
        table.row(row);
    }
    if bracket {
        table.note(
            "seed: the match stayed drawn, and the higher seed goes on; repeats: more games would \
             only repeat these",
        );
        table.note(meaning(results));
    }
    table
}

/// A match of a bracket: two agents with their points, or one with a bye.
pub(crate) struct BracketMatch {
    pub sides: [(String, String); 2],
    /// The index of the winner, if the match is over.
    pub winner: Option<usize>,
    pub decided_by: &'static str,
}

/// The rounds of a bracket so far, each with its name and its matches from top to bottom. The
/// winners of two neighbours meet in the next round. `None` for other formats.
pub(crate) fn bracket(results: &Results) -> Option<Vec<(String, Vec<BracketMatch>)>> {
    let RunState::Matches(tournament) = &results.context.state else { return None };
    tournament.design().is_bracket().then_some(())?;
    let name = |player: usize| results.tally.names[player].clone();
    let drawn = |game: &Match| {
        let points = |games: Trinomial| half_points(2 * games.wins() + games.draws());
        let second = match game.b {
            Some(b) => (name(b), points(game.score.flipped())),
            None => ("bye".to_owned(), String::new()),
        };
        let first = if game.b.is_some() { points(game.score) } else { String::new() };
        BracketMatch {
            sides: [(name(game.a), first), second],
            winner: game.winner.map(|winner| usize::from(winner != game.a)),
            decided_by: words(game.ending),
        }
    };
    let round = |round: u64| {
        let own = tournament.matches().iter().filter(|game| game.round == round);
        (round_name(tournament, round), own.map(drawn).collect())
    };
    Some((1..=tournament.round()).map(round).collect())
}

fn words(ending: Ending) -> &'static str {
    match ending {
        Ending::Open => "goes on",
        Ending::Bye => "bye",
        Ending::Score => "games",
        Ending::EValue(_) => "e-value",
        Ending::ExtraPairs => "extra games",
        Ending::Seed => "seed",
        Ending::Repeats => "repeats",
    }
}

fn e_value(ending: Ending) -> Option<f64> {
    match ending {
        Ending::EValue(ln_e) => Some(ln_e.exp().min(f64::MAX)),
        _ => None,
    }
}

/// An agent in the standings.
struct StandingRow<'a> {
    agent: &'a str,
    standing: TournamentStanding,
    /// Whether places come from points.
    has_points: bool,
}

impl StandingRow<'_> {
    fn points(&self, value: u64, parts: f64) -> Option<f64> {
        self.has_points.then_some(value as f64 / parts)
    }
}

/// The figures of an agent in the standings, in the order of `standings.csv`.
fn standing_figures<'a>() -> FigureList<StandingRow<'a>> {
    FigureList::<StandingRow<'a>>::new()
        .with("place", "#", Count, |row| (row.standing.place as u64).into())
        .with("agent", "agent", Text, |row| row.agent.into())
        .with("seed", "", Count, |row| (row.standing.seed as u64).into())
        .with("won", "won", Count, |row| row.standing.matches[0].into())
        .with("drawn", "drawn", Count, |row| row.standing.matches[1].into())
        .with("lost", "lost", Count, |row| row.standing.matches[2].into())
        .with("byes", "bye", Count, |row| row.standing.byes.into())
        .with("points", "points", Points, |row| row.points(row.standing.points, 2.0).into())
        .with("buchholz", "Buchholz", Points, |row| row.points(row.standing.buchholz, 2.0).into())
        .with("sonneborn_berger", "S-B", Decimals(2), |row| {
            row.points(row.standing.sonneborn_berger, 4.0).into()
        })
        .with("games", "", Count, |row| row.standing.games.n().into())
        .with("score", "score %", Percent, |row| row.standing.games.mean().into())
        .with("last_round", "", Count, |row| row.standing.last_round.into())
}

/// The agents, place by place.
fn rows_of_standings<'a>(
    results: &'a Results,
    tournament: &Tournament,
) -> impl Iterator<Item = StandingRow<'a>> {
    let has_points = !tournament.design().is_bracket();
    tournament.standings().into_iter().map(move |standing| {
        let agent = results.tally.names[standing.player].as_str();
        StandingRow { agent, standing, has_points }
    })
}

/// `standings.csv`: one row for each agent, place by place.
fn standings_data<'a>(results: &'a Results, tournament: &'a Tournament) -> DataTable<'a> {
    let figures = standing_figures();
    DataTable::new(&figures.header(), move |add| {
        rows_of_standings(results, tournament).for_each(|row| add(figures.cells(&row)));
    })
}

/// `matches.csv`: one row for each match and bye, round by round.
fn matches_data<'a>(results: &'a Results, tournament: &'a Tournament) -> DataTable<'a> {
    let columns = "round, agent_a, agent_b, games, a_points, b_points, winner, decided_by, e_value, \
                   relaxed_rule";
    DataTable::new(columns, |add| {
        let name = |player: Option<usize>| {
            DataCell::from(player.map_or("", |player| results.tally.names[player].as_str()))
        };
        let matches = tournament.matches();
        for (number, game) in matches.iter().enumerate() {
            let points = |games: &Trinomial| games.wins() as f64 + games.draws() as f64 / 2.0;
            let [a, b] = [game.score, game.score.flipped()].map(|games| points(&games));
            let met = |value: f64| DataCell::from(game.b.map(|_| value));
            add(vec![
                DataCell::from(game.round),
                name(Some(game.a)),
                name(game.b),
                DataCell::from(game.score.n()),
                met(a),
                met(b),
                name(game.winner),
                DataCell::from(words(game.ending)),
                DataCell::from(e_value(game.ending)),
                DataCell::from(relaxed_rule(matches, number).unwrap_or_default()),
            ]);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rematches_and_second_byes_are_named() {
        let game = |round, a, b| Match {
            round,
            a,
            b,
            score: Trinomial::default(),
            winner: Some(a),
            ending: if b.is_some() { Ending::Score } else { Ending::Bye },
        };
        let matches = [
            game(1, 0, Some(1)),
            game(1, 2, None),
            game(2, 0, Some(2)),
            game(2, 1, None),
            game(3, 1, Some(0)),
            game(3, 2, None),
        ];
        let rules: Vec<_> = (0..6).map(|number| relaxed_rule(&matches, number)).collect();
        assert_eq!(rules, [None, None, None, None, Some("rematch"), Some("another bye")]);
    }
}
