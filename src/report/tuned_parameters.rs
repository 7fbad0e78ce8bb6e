//! The parameters of a tune: where they are now, with intervals, and their path.

use super::data_table::{DataCell, DataTable};
use super::number_format::{counted, fixed, grouped, percentage};
use super::run_results::Results;
use super::text_table::TextTable;
use crate::stats::spsa::TunedRange;
use crate::stats::spsa_rounds::{TuneDesign, Tuning};

/// The number of rounds in the table of the path, besides the start.
const MOST_ROUNDS: u64 = 200;

/// The main result of a tune as a sentence; `None` for other runs.
pub(super) fn answer(results: &Results) -> Option<String> {
    let tuning = results.context.tuning.as_ref()?;
    let design = tuning.design();
    let (agent, games) = (&design.agent, counted(results.tally.games(), "game"));
    let rounds = counted(design.rounds(), "round");
    let left = |loss: f64| format!("{} Elo", fixed(loss, 1));
    if !tuning.is_over() {
        let round = grouped(tuning.rounds());
        return Some(format!("The tune of {agent} has played {round} of {rounds}, {games}."));
    }
    let regret = design.expected_regret(1.0);
    Some(format!(
        "{agent} is tuned after {games} in {rounds}. Mean loss against the optimum: {} or less, \
         if each parameter loses {} at half its range.",
        left(regret.mean),
        left(design.parameters.first().map_or(0.0, |(_, range)| range.elo)),
    ))
}

/// The parameters; `None` for runs that are no tunes.
pub(super) fn table(results: &Results) -> Option<TextTable> {
    let tuning = results.context.tuning.as_ref()?;
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
    Some(table)
}

/// That a tune has too few games, if it has.
pub(super) fn too_short(design: &TuneDesign) -> Option<String> {
    let least = counted(design.least_games()?, "game");
    Some(format!("the tune is too short to find anything: it needs at least {least}"))
}

/// A value of a parameter, with decimals that fit its range.
pub(super) fn number(range: &TunedRange, value: f64) -> String {
    let digits = if range.integer { 0.0 } else { 3.0 - (range.max - range.min).log10().ceil() };
    fixed(value, digits.clamp(0.0, 9.0) as usize)
}

/// A round of the path.
pub(super) struct PathPoint {
    /// The number of the round; 0: the start.
    pub round: u64,
    /// Games of all pairings until its end.
    pub games: u64,
    /// By parameter: its value after the round, the mean of the second half until then, and the ends
    /// of its interval.
    pub values: Vec<[f64; 4]>,
}

/// The path at equal distances, with the start and the end.
pub(super) fn path(tuning: &Tuning) -> Vec<PathPoint> {
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
pub(super) fn data(results: &Results) -> DataTable<'_> {
    let tuning = results.context.tuning.as_ref();
    DataTable::new("round, games, parameter, value, mean, low, high", move |add| {
        let Some(tuning) = tuning else { return };
        for PathPoint { round, games, values } in path(tuning) {
            for ((key, _), four) in tuning.design().parameters.iter().zip(values) {
                let [value, mean, low, high] = four.map(|value| DataCell::from(Some(value)));
                add(vec![round.into(), games.into(), key.as_str().into(), value, mean, low, high]);
            }
        }
    })
}
