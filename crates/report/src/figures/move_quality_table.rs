//! The quality of the agents' moves, measured by exact values.

use super::figure_list::FigureFormat::{Count, Decimals, Percent};
use super::figure_list::FigureList;
use super::run_facts_for_tables::RunContext;
use crate::arena::{Grades, SideGrades, Tally};
use crate::play::GradeScale;
use crate::stats::Confidence;
use crate::text::data_table::DataCell;
use crate::text::number_format::{NONE, counted, grouped, percent, percents};
use crate::text::text_table::TextTable;

/// The grades of an agent in one seat or in both.
struct GradedMoves {
    grades: SideGrades,
    /// Whether the values of wins and draws differ from other values.
    has_results: bool,
}

impl GradedMoves {
    fn of(grades: &SideGrades, context: &RunContext) -> Self {
        let has_results = context.scale == Some(GradeScale::Results);
        GradedMoves { grades: grades.clone(), has_results }
    }

    /// A count that only games with wins and draws have.
    fn count(&self, count: u64) -> Option<u64> {
        self.has_results.then_some(count)
    }
}

/// The figures of the grades, in the order of `agents.csv`.
fn figures() -> FigureList<GradedMoves> {
    FigureList::<GradedMoves>::new()
        .with("graded_games", "games", Count, |of| of.grades.games().into())
        .with("graded_moves", "moves", Count, |of| of.grades.moves().into())
        .with("optimal_share", "optimal %", Percent, |of| of.grades.optimal.ratio().into())
        .with("best_share", "best %", Percent, |of| of.grades.best_share().into())
        .with("regret_per_game", "regret/game", Decimals(3), |of| {
            of.grades.regret_per_game().into()
        })
        .with("first_mistake_ply_median", "first mistake", Count, |of| {
            of.grades.first_mistake().map(u64::from).into()
        })
        .with("flawless_games", "", Count, |of| of.grades.flawless().into())
        .with("won_positions", "", Count, |of| of.count(of.grades.won).into())
        .with("wins_missed", "wins missed", Count, |of| of.count(of.grades.wins_missed).into())
        .with("drawn_positions", "", Count, |of| of.count(of.grades.drawn).into())
        .with("draws_missed", "draws missed", Count, |of| of.count(of.grades.draws_missed).into())
}

/// The columns of `agents.csv` if moves were graded: all seats with the interval of the optimal moves,
/// then each seat.
pub(crate) fn columns() -> Vec<String> {
    let of_seat = |seat: &str| -> Vec<String> {
        figures().columns().map(|column| format!("{column}{seat}")).collect()
    };
    let ends = ["optimal_low", "optimal_high"].map(str::to_owned).to_vec();
    [of_seat(""), ends, of_seat("_first"), of_seat("_second")].concat()
}

/// Both seats of an agent together.
pub(crate) fn both(seats: &[SideGrades; 2]) -> SideGrades {
    let mut both = seats[0].clone();
    both.merge(&seats[1]);
    both
}

/// The cells of an agent under [`columns`].
pub(crate) fn cells(grades: &Grades, agent: usize, context: &RunContext) -> Vec<DataCell> {
    let (figures, seats) = (figures(), &grades.agents[agent]);
    let all = both(seats);
    let mut cells = figures.cells(&GradedMoves::of(&all, context));
    cells.extend(DataCell::ends(all.optimal.interval(Confidence::P95)));
    cells.extend(seats.iter().flat_map(|seat| figures.cells(&GradedMoves::of(seat, context))));
    cells
}

/// The share of optimal moves of an agent.
pub(crate) fn optimal_share(grades: &Grades, agent: usize, context: &RunContext) -> String {
    figures().show("optimal_share", &GradedMoves::of(&both(&grades.agents[agent]), context))
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
    let (grades, figures) = (tally.grades.as_ref()?, figures());
    let mut table = TextTable::new("How good are the moves?")
        .text(["agent"])
        .figures(["games", "moves", "optimal %", "95 %", "as first", "as second", "best %"])
        .figures(["regret/game", "first mistake", "wins missed", "draws missed"]);
    for (name, seats) in tally.names.iter().zip(&grades.agents) {
        let all = both(seats);
        let graded = GradedMoves::of(&all, context);
        let show = |name| figures.show(name, &graded);
        let of = |missed: u64, chances: u64| match graded.has_results && all.moves() > 0 {
            true => format!("{} of {}", grouped(missed), grouped(chances)),
            false => NONE.to_owned(),
        };
        let ply = all.first_mistake().map_or(NONE.to_owned(), |ply| format!("ply {ply}"));
        table.row([
            name.clone(),
            show("graded_games"),
            show("graded_moves"),
            show("optimal_share"),
            percents(all.optimal.interval(Confidence::P95)),
            percent(seats[0].optimal.ratio()),
            percent(seats[1].optimal.ratio()),
            show("best_share"),
            show("regret_per_game"),
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
