//! Rates rows of any number of seats, with ranks, ties, teams, groups and anchors.

use std::collections::HashSet;
use std::io::Write;

use super::notes_of_tables;
use super::rate_args::RateArgs;
use crate::arena::{ResultRow, ResultRows};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{print_text, terminal_width, unless_closed};
use crate::report::{PlacingPlan, RankedList, TableFormat};
use crate::stats::ranked::{NoRankedFit, RankedOptions, RankedRatings, RankedSamples, RankedSide};
use crate::util::did_you_mean::did_you_mean_or;

/// Prints the ratings of each list.
pub(super) fn print(
    rows: &ResultRows,
    args: &RateArgs,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    refuse_options_of_two_seats(args)?;
    let known: Vec<&str> = rows.names.iter().collect();
    let anchors = (args.anchor.iter())
        .map(|(name, elo)| {
            let all = || format!("the players are {}", known.join(", "));
            let player = known.iter().position(|known| known == name).ok_or_else(|| {
                let help = did_you_mean_or(name, &known, all);
                Failure::usage(format!("there is no player `{name}`"), help)
            })?;
            Ok((player, *elo))
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let options = RankedOptions {
        ties: args.ties.into(),
        teams: args.teams.into(),
        seat_effects: true,
        anchors,
        ..RankedOptions::default()
    };
    for list in 0..rows.lists.len().max(1) as u32 {
        let title =
            args.split_by.as_ref().map(|column| format!("{column} = {}", rows.lists.text(list)));
        let name = rows.files.join(", ");
        let name = title.as_ref().map_or(name.clone(), |title| format!("{name}, {title}"));
        let is_rated = |of| of == list;
        let mut ranked = ranked_list(rows, &is_rated, &options, &name)?;
        if let Some(newcomer) = &args.place {
            let samples = samples(rows, &is_rated)?;
            ranked.placing =
                Some(plan(newcomer, args.within, &samples, &ranked, &options.anchors)?);
        }
        match context.format {
            TableFormat::Json => print_text(&format!("{:#}\n", ranked.json()))?,
            TableFormat::Csv => {
                let mut out = anstream::stdout();
                unless_closed(ranked.write_csv(&mut out).and_then(|()| out.flush()))?;
            }
            format => {
                let space = if list == 0 { "" } else { "\n" };
                let title = title.filter(|_| format == TableFormat::Text);
                let title = title.map_or(String::new(), |title| format!("{space}{title}\n"));
                let text = ranked.render(format == TableFormat::Markdown, terminal_width());
                print_text(&(title + &text))?;
            }
        }
    }
    Ok(exit_codes::DONE)
}

fn refuse_options_of_two_seats(args: &RateArgs) -> Result<(), Failure> {
    let given = [
        ("--sprt", args.sprt.is_some()),
        ("--out", args.out.is_some()),
        ("--any-time", args.any_time),
    ];
    let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else {
        return Ok(());
    };
    Err(Failure::usage(
        format!("`{option}` is for rows of two players, without groups and anchors"),
        format!("leave `{option}` out"),
    ))
}

/// The next games of a newcomer.
fn plan(
    newcomer: &str,
    within: f64,
    samples: &RankedSamples,
    ranked: &RankedList,
    anchors: &[(usize, f64)],
) -> Result<PlacingPlan, Failure> {
    if !samples.is_two_single_sides() {
        let help = "leave out rows with teams and rows with more players";
        return Err(Failure::usage("`--place` is for games of two players", help));
    }
    if samples.groups().is_some() {
        let help = "rate the rows without groups, or leave `--place` out";
        return Err(Failure::usage("`--place` counts games, and these rows have groups", help));
    }
    let player = ranked.players.iter().position(|name| name == newcomer);
    let player = player.filter(|&player| ranked.ratings.rows_of(player) > 0);
    let placing = ranked.ratings.placing(samples, anchors, player, within);
    let placing = placing.ok_or_else(|| {
        let help = "give more results of the other players";
        Failure::usage(
            format!("no player has a rating against which `{newcomer}` can be placed"),
            help,
        )
    })?;
    let of = |&player: &usize| (ranked.players[player].clone(), ranked.numbers(player)[0]);
    let opponents = placing.opponents.iter().map(of).collect();
    Ok(PlacingPlan { newcomer: newcomer.to_owned(), within, placing, opponents })
}

/// The ratings of the rows in these lists.
pub fn ranked_list(
    rows: &ResultRows,
    is_rated: &dyn Fn(u32) -> bool,
    options: &RankedOptions,
    name: &str,
) -> Result<RankedList, Failure> {
    let samples = samples(rows, is_rated)?;
    let mut scores = vec![(0.0, 0_u64); rows.names.len()];
    counted_rows(rows, is_rated).for_each(|row| add_scores(&sides_of(&row), &mut scores));
    let ratings = RankedRatings::fit(&samples, options).map_err(|error| {
        if let NoRankedFit::AlwaysTogether { players: [a, b] } = error {
            let [a, b] = [a, b].map(|player| rows.names.text(player as u32));
            let message = format!("{name}: `{a}` and `{b}` are always in the same team");
            return Failure::usage(
                message,
                "give the team one name, or results in which they are apart",
            );
        }
        Failure::usage(format!("{name}: {error}"), "give results that connect the players")
    })?;
    let players = rows.names.iter().map(str::to_owned).collect();
    let mean = |(sum, rows): (f64, u64)| (rows > 0).then(|| sum / rows as f64);
    Ok(RankedList {
        scores: scores.into_iter().map(mean).collect(),
        rows: samples.rows(),
        seats: samples.seats(),
        groups: samples.groups(),
        notes: notes_of_tables::notes(rows),
        ..RankedList::new(name.to_owned(), players, ratings)
    })
}

/// The rows in these lists, without the duplicates that agon recorded.
fn counted_rows<'a>(
    rows: &'a ResultRows,
    is_rated: &'a dyn Fn(u32) -> bool,
) -> impl Iterator<Item = ResultRow<'a>> {
    let mut seen = HashSet::new();
    let in_lists = rows.iter().filter(|row| is_rated(row.facts.list));
    in_lists.filter(move |row| row.facts.identity.is_none_or(|game| seen.insert(game)))
}

fn samples(rows: &ResultRows, is_rated: &dyn Fn(u32) -> bool) -> Result<RankedSamples, Failure> {
    let mut samples = RankedSamples::new(rows.names.len());
    for row in counted_rows(rows, is_rated) {
        let group = Some(row.facts.group as usize).filter(|group| *group > 0);
        samples.add(sides_of(&row), group, 1).map_err(|error| {
            let place = format!("{}, line {}", rows.files[row.facts.file as usize], row.facts.line);
            let help = "correct the row, or rate its file separately";
            Failure::usage(format!("{place}: {error}"), help)
        })?;
    }
    Ok(samples)
}

/// The sides of a row in the order of the seats.
pub fn sides_of(row: &ResultRow<'_>) -> Vec<RankedSide> {
    let seats = row.players.chunk_by(|a, b| a.seat == b.seat);
    let side = |team: &[crate::arena::SeatedPlayer]| RankedSide {
        members: team.iter().map(|it| it.player as usize).collect(),
        rank: u32::from(team[0].rank),
    };
    seats.map(side).collect()
}

/// Adds the share of the opponents that each player beat.
fn add_scores(sides: &[RankedSide], scores: &mut [(f64, u64)]) {
    for side in sides {
        let worse = sides.iter().filter(|other| other.rank > side.rank).count() as f64;
        let tied = sides.iter().filter(|other| other.rank == side.rank).count() as f64 - 1.0;
        let score = (worse + tied / 2.0) / (sides.len() as f64 - 1.0);
        for &player in &side.members {
            scores[player].0 += score;
            scores[player].1 += 1;
        }
    }
}
