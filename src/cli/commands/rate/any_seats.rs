//! Rates rows of any number of seats, with ranks, ties, teams, groups and anchors.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::Write;
use std::path::Path;

use super::named_players::{anchors, test_of_two};
use super::notes_of_tables;
use super::output_folders::{folder_of_list, make_folder};
use super::rate_args::RateArgs;
use crate::arena::{ResultRow, ResultRows};
use crate::cli::command_entry::CommandContext;
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::print_run_results::{print_text, terminal_width, unless_closed};
use crate::report::{PlacingPlan, RankedList, TableFormat, TestOfTwo, ranked_page};
use crate::stats::ranked::{
    NoRankedFit, RankedOptions, RankedRatings, RankedSamples, RankedSide, score_in_row,
};
use crate::stats::sprt::{BettingTest, Design, Unit};

/// Prints the ratings of each list.
pub(super) fn print(
    rows: &ResultRows,
    args: &RateArgs,
    context: &CommandContext<'_>,
) -> Result<u8, Failure> {
    let test = test_of_two(rows, args, Unit::Games)?;
    let options = RankedOptions {
        ties: args.ties.into(),
        teams: args.teams.into(),
        seat_effects: true,
        anchors: anchors(rows, args)?,
        ..RankedOptions::default()
    };
    let mut code = exit_codes::DONE;
    for list in 0..rows.lists.len().max(1) as u32 {
        let title =
            args.split_by.as_ref().map(|column| format!("{column} = {}", rows.lists.text(list)));
        let name = rows.files.join(", ");
        let name = title.as_ref().map_or(name.clone(), |title| format!("{name}, {title}"));
        let is_rated = |of| of == list;
        let mut ranked = ranked_list(rows, &is_rated, &options, &name)?;
        ranked.conditions = notes_of_tables::differing_conditions(rows, args.split_by.as_deref());
        ranked.any_time = args.any_time || test.is_some();
        if ranked.any_time || args.out.is_some() {
            ranked.pair_scores = samples(rows, &is_rated)?.pair_scores();
        }
        if let Some((design, players)) = test {
            ranked.test = Some(play_test(rows, &is_rated, design, players)?);
            code = code.max(exit_codes::of_decision(ranked.decision()));
        }
        if let Some(newcomer) = &args.place {
            let samples = samples(rows, &is_rated)?;
            let within = args.within.unwrap_or(PLACED_WITHIN);
            ranked.placing = Some(plan(newcomer, within, &samples, &ranked, &options.anchors)?);
        } else {
            ranked.within = args.within;
        }
        if let Some(out) = &args.out {
            write_files(&folder_of_list(out, rows, list), &ranked)?;
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
    Ok(code)
}

/// The half width of the interval of a newcomer, in Elo, if none is given.
const PLACED_WITHIN: f64 = 30.0;

/// Writes the tables and the page of a list.
fn write_files(folder: &Path, list: &RankedList) -> Result<(), Failure> {
    make_folder(folder)?;
    let write = |name: &str, content: &[u8]| {
        let file = folder.join(name);
        fs::write(&file, content).map_err(|error| {
            let message = format!("cannot write {}: {error}", file.display());
            Failure::usage(message, "name another folder with `--out`")
        })
    };
    for (name, csv) in list.tables() {
        write(name, &csv)?;
    }
    write("summary.txt", list.render(false, None).as_bytes())?;
    write("report.html", ranked_page(list).as_bytes())
}

/// The sequential test of two players over the rows in which each is a side of its own. A sample is a
/// group in the order of first rows, or a row without groups.
fn play_test(
    rows: &ResultRows,
    is_rated: &dyn Fn(u32) -> bool,
    design: Design,
    players: [u32; 2],
) -> Result<TestOfTwo, Failure> {
    let mut samples: Vec<(f64, u64)> = Vec::new();
    let mut place_of_group: HashMap<u32, usize> = HashMap::new();
    for row in counted_rows(rows, is_rated) {
        let score = score_in_row(&sides_of(&row), players.map(|player| player as usize));
        let Some(score) = score else { continue };
        let next = samples.len();
        let place = match row.facts.group {
            0 => next,
            group => *place_of_group.entry(group).or_insert(next),
        };
        if place == next {
            samples.push((0.0, 0));
        }
        samples[place] = (samples[place].0 + score, samples[place].1 + 1);
    }
    let players = players.map(|player| rows.names.text(player).to_owned());
    if samples.is_empty() {
        let [a, b] = &players;
        let message = format!("no row has `{a}` against `{b}`, each as a side of its own");
        return Err(Failure::usage(message, "name two players of the same rows with `--of A,B`"));
    }
    let mut test = BettingTest::new(design);
    samples.into_iter().for_each(|(sum, rows)| test.add(sum / rows as f64));
    let elo = [design.settings().elo0, design.settings().elo1];
    Ok(TestOfTwo { players, elo, is_grouped: !place_of_group.is_empty(), test })
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
        conditions: notes_of_tables::differing_conditions(rows, None),
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
