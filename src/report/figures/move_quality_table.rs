//! The quality of the agents' moves, measured by exact values.

use super::run_facts_for_tables::RunContext;
use crate::arena::{Grades, SideGrades, Tally};
use crate::play::GradeScale;
use crate::report::text::data_table::DataCell;
use crate::report::text::number_format::{NONE, counted, fixed, grouped, percent, percents};
use crate::report::text::text_table::TextTable;
use crate::stats::Confidence;

/// Additional columns of `agents.csv` if moves were graded: all seats, then each seat.
pub(crate) const COLUMNS: &str = "graded_games, graded_moves, optimal_share, best_share, \
    regret_per_game, first_mistake_ply_median, flawless_games, won_positions, wins_missed, \
    drawn_positions, draws_missed, optimal_low, optimal_high, \
    graded_games_first, graded_moves_first, optimal_share_first, best_share_first, \
    regret_per_game_first, first_mistake_ply_median_first, flawless_games_first, \
    won_positions_first, wins_missed_first, drawn_positions_first, draws_missed_first, \
    graded_games_second, graded_moves_second, optimal_share_second, best_share_second, \
    regret_per_game_second, first_mistake_ply_median_second, flawless_games_second, \
    won_positions_second, wins_missed_second, drawn_positions_second, draws_missed_second";

/// Both seats of an agent together.
pub(crate) fn both(seats: &[SideGrades; 2]) -> SideGrades {
    let mut both = seats[0].clone();
    both.merge(&seats[1]);
    both
}

/// Whether the values of wins and draws differ from other values.
fn has_results(context: &RunContext) -> bool {
    context.scale == Some(GradeScale::Results)
}

/// The cells of an agent under [`COLUMNS`].
pub(crate) fn cells(grades: &Grades, agent: usize, context: &RunContext) -> Vec<DataCell> {
    let seats = &grades.agents[agent];
    let all = both(seats);
    let mut cells = of_seat(&all, context);
    cells.extend(DataCell::ends(all.optimal.interval(Confidence::P95)));
    cells.extend(seats.iter().flat_map(|seat| of_seat(seat, context)));
    cells
}

fn of_seat(grades: &SideGrades, context: &RunContext) -> Vec<DataCell> {
    let count = |count: u64| DataCell::from(has_results(context).then_some(count));
    vec![
        grades.games().into(),
        grades.moves().into(),
        grades.optimal.ratio().into(),
        grades.best_share().into(),
        grades.regret_per_game().into(),
        grades.first_mistake().map(u64::from).into(),
        grades.flawless().into(),
        count(grades.won),
        count(grades.wins_missed),
        count(grades.drawn),
        count(grades.draws_missed),
    ]
}

/// How many games were graded, in words.
pub(crate) fn sample(grades: &Grades, tally: &Tally) -> String {
    let all = tally.rows - tally.voids();
    let some = all - tally.moveless;
    if grades.games < some {
        let (graded, all) = (grouped(grades.games), counted(all, "game"));
        format!("{graded} of {all}, a random sample from every pairing")
    } else if some < all {
        format!("all {} that have a move", counted(some, "game"))
    } else {
        format!("all {}", counted(all, "game"))
    }
}

/// The table of the quality of each agent's moves, if some were graded.
pub fn table(tally: &Tally, context: &RunContext) -> Option<TextTable> {
    let grades = tally.grades.as_ref()?;
    let mut table = TextTable::new("How good are the moves?")
        .text(["agent"])
        .figures(["games", "moves", "optimal %", "95 %", "as first", "as second", "best %"])
        .figures(["regret/game", "first mistake", "wins missed", "draws missed"]);
    for (name, seats) in tally.names.iter().zip(&grades.agents) {
        let all = both(seats);
        let of = |missed: u64, chances: u64| match has_results(context) && all.moves() > 0 {
            true => format!("{} of {}", grouped(missed), grouped(chances)),
            false => NONE.to_owned(),
        };
        let ply = all.first_mistake().map_or(NONE.to_owned(), |ply| format!("ply {ply}"));
        table.row([
            name.clone(),
            grouped(all.games()),
            grouped(all.moves()),
            percent(all.optimal.ratio()),
            percents(all.optimal.interval(Confidence::P95)),
            percent(seats[0].optimal.ratio()),
            percent(seats[1].optimal.ratio()),
            percent(all.best_share()),
            all.regret_per_game().map_or(NONE.to_owned(), |regret| fixed(regret, 3)),
            ply,
            of(all.wins_missed, all.won),
            of(all.draws_missed, all.drawn),
        ]);
    }
    let regret = match context.scale {
        Some(GradeScale::Scores) => "mean payoff that mistakes cost per game",
        _ => "mean points that mistakes cost per game (win 1, draw ½)",
    };
    table.notes = vec![
        format!("graded with exact values: {}", sample(grades, tally)),
        format!(
            "optimal: keeps the exact value; best: also wins soonest or loses latest; regret: {regret}"
        ),
        "first mistake: half of the games have a mistake by this ply; —: most games have none"
            .to_owned(),
    ];
    Some(table)
}
