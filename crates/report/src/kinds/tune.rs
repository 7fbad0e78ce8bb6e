//! The parameters of a tune: where they are now, with intervals, and their path.

use super::{KindPlan, KindReport, PlannedGames};
use crate::arena::{DerivedFile, Schedule};
use crate::figures::run_results::Results;
use crate::stats::spsa::TunedRange;
use crate::stats::tuning::{TuneDesign, Tuning};
use crate::text::data_table::{DataCell, DataTable};
use crate::text::number_format::{counted, fixed, grouped, percentage};
use crate::text::text_table::TextTable;

/// The number of rounds in the table of the path, besides the start.
const MOST_ROUNDS: u64 = 200;

impl KindPlan for TuneDesign {
    fn planned_games(&self, schedule: &Schedule) -> PlannedGames {
        let each = 2 * self.rounds() * self.pairs_of_round();
        PlannedGames::of_each(self.games(), schedule, each)
    }
}

impl KindReport for Tuning {
    fn answer(&self, results: &Results) -> Option<String> {
        Some(answer(results, self))
    }

    fn tables(&self, _: &Results) -> Vec<TextTable> {
        vec![table(self)]
    }

    fn first_screen(&self, _: &Results, _: TextTable) -> Vec<(TextTable, Vec<String>)> {
        vec![(table(self), Vec::new())]
    }

    fn data<'a>(&'a self, _: &'a Results) -> Vec<(DerivedFile, DataTable<'a>)> {
        vec![(DerivedFile::Tune, data(self))]
    }
}

/// The main result as a sentence.
fn answer(results: &Results, tuning: &Tuning) -> String {
    let design = tuning.design();
    let (agent, games) = (&design.agent, counted(results.tally.games(), "game"));
    let rounds = counted(design.rounds(), "round");
    let left = |loss: f64| format!("{} Elo", fixed(loss, 1));
    if !tuning.is_over() {
        let round = grouped(tuning.rounds());
        return format!("The tune of {agent} has played {round} of {rounds}, {games}.");
    }
    let regret = design.expected_regret(1.0);
    format!(
        "{agent} is tuned after {games} in {rounds}. Mean loss against the optimum: {} or less, \
         if each parameter loses {} at half its range.",
        left(regret.mean),
        left(design.parameters.first().map_or(0.0, |(_, range)| range.elo)),
    )
}

fn table(tuning: &Tuning) -> TextTable {
    let design = tuning.design();
    let level = percentage(design.confidence.level(), 0);
    let interval = format!("{level} % interval");
    let mut table = TextTable::new("Which values are the best?")
        .text(["parameter"])
        .figures(["start", "tuned", &interval, "range"]);
    let mean = tuning.mean_until(tuning.rounds());
    let tuned = tuning.tuned_values();
    for (j, (key, range)) in design.parameters.iter().enumerate() {
        let of = |value: f64| number(range, value);
        table.row([
            key.clone(),
            of(range.start),
            of(tuned[j]),
            format!("[{}, {}]", of(mean.low[j]), of(mean.high[j])),
            format!("{} … {}", of(range.min), of(range.max)),
        ]);
    }
    table.notes.extend(too_short(design));
    let ends: Vec<&str> = (design.parameters.iter().enumerate())
        .filter(|(j, (_, range))| mean.low[*j] <= range.min || mean.high[*j] >= range.max)
        .map(|(_, (key, _))| key.as_str())
        .collect();
    if tuning.is_over() && !ends.is_empty() {
        table.note(format!(
            "the interval of {} reaches the end of its range: a wider range or more games may gain more",
            ends.join(" and of ")
        ));
    }
    table.note(
        "tuned: the mean over the second half of the games; its interval assumes a quadratic loss; \
         see docs/tune.md",
    );
    table
}

/// That a tune has too few games, if it has.
pub(crate) fn too_short(design: &TuneDesign) -> Option<String> {
    let least = counted(design.least_games()?, "game");
    Some(format!("the tune is too short to find anything: it needs at least {least}"))
}

/// A value of a parameter, with decimals that fit its range.
pub(crate) fn number(range: &TunedRange, value: f64) -> String {
    let digits = if range.integer { 0.0 } else { 3.0 - (range.max - range.min).log10().ceil() };
    fixed(value, digits.clamp(0.0, 9.0) as usize)
}

/// A round of the path.
pub(crate) struct PathPoint {
    /// The number of the round; 0: the start.
    pub round: u64,
    /// Games of all pairings until its end.
    pub games: u64,
    /// By parameter: its value after the round, the mean of the second half until then, and the ends
    /// of its interval.
    pub values: Vec<[f64; 4]>,
}

/// The path at equal distances, with the start and the end.
pub(crate) fn path(tuning: &Tuning) -> Vec<PathPoint> {
    let (design, rounds) = (tuning.design(), tuning.rounds());
    let games = design.games() / design.rounds();
    let points = rounds.min(MOST_ROUNDS);
    let round_of = |point: u64| (rounds * point).checked_div(points).unwrap_or(0);
    (0..=points)
        .map(|point| {
            let round = round_of(point);
            let (values, mean) = (&tuning.path()[round as usize], tuning.mean_until(round));
            let of = |j: usize| [values[j], mean.mean[j], mean.low[j], mean.high[j]];
            let values = (0..values.len()).map(of).collect();
            PathPoint { round, games: round * games, values }
        })
        .collect()
}

/// `tune.csv`: one row for each parameter and each of up to 200 rounds. The rows of the last round
/// are the answer.
fn data(tuning: &Tuning) -> DataTable<'_> {
    DataTable::new("round, games, parameter, value, mean, low, high", move |add| {
        for PathPoint { round, games, values } in path(tuning) {
            for ((key, _), four) in tuning.design().parameters.iter().zip(values) {
                let [value, mean, low, high] = four.map(|value| DataCell::from(Some(value)));
                add(vec![round.into(), games.into(), key.as_str().into(), value, mean, low, high]);
            }
        }
    })
}
