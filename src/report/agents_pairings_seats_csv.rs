//! `agents.csv`, `pairings.csv` and `seats.csv`, in full precision. A missing value is empty. New
//! columns are only appended. `--format json` shows the same data.

use std::io;

use super::exporter_trait::{ExportSource, Exporter};
use super::kinds;
use crate::arena::{DerivedFile, FolderError, Replacement};
use crate::params::Value;
use crate::report::figures::first_move_advantage;
use crate::report::figures::first_move_advantage::{SeatRows, rates};
use crate::report::figures::luck_table;
use crate::report::figures::move_cost_table::Cost;
use crate::report::figures::move_quality_table;
use crate::report::figures::multiple_comparisons::p_value;
use crate::report::figures::ranking;
use crate::report::figures::run_results::Results;
use crate::report::figures::verdict_phrases::{Memo, PairVerdict};
use crate::report::text::data_table::{DataCell, DataTable};
use crate::stats::{Interval, elo};

/// A table as a CSV file.
pub struct CsvTable {
    file: DerivedFile,
    write: fn(&Results, &mut Replacement) -> io::Result<()>,
}

const fn table(
    file: DerivedFile,
    write: fn(&Results, &mut Replacement) -> io::Result<()>,
) -> CsvTable {
    CsvTable { file, write }
}

pub const AGENTS: CsvTable =
    table(DerivedFile::Agents, |results, out| agents_table(results).write_csv(out));
pub const PAIRINGS: CsvTable =
    table(DerivedFile::Pairings, |results, out| pairings_table(results).write_csv(out));
pub const SEATS: CsvTable = table(DerivedFile::Seats, |results, out| {
    seats_table(&SeatRows::new(&results.tally, &results.context)).write_csv(out)
});

/// A table that only one kind of run has.
pub struct KindTable(pub DerivedFile);

impl Exporter for KindTable {
    fn file(&self) -> DerivedFile {
        self.0
    }

    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError> {
        let refused = out.refused();
        let tables = kinds::of(&source.results.tally, &source.results.context).data(source.results);
        match tables.iter().find(|(file, _)| *file == self.0) {
            Some((_, table)) => table.write_csv(out).map_err(refused),
            None => Ok(()),
        }
    }
}

impl Exporter for CsvTable {
    fn file(&self) -> DerivedFile {
        self.file
    }

    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError> {
        let refused = out.refused();
        (self.write)(source.results, out).map_err(refused)
    }
}

/// `agents.csv`, in the config's order. Results count games against other agents; the cost of moves
/// counts all games. Elo is the rating from the list in the terminal.
pub(super) fn agents_table(results: &Results) -> DataTable<'_> {
    let mut table = DataTable::new(AGENT_COLUMNS, |add| add_agents(results, add));
    if results.tally.grades.is_some() {
        table.append(move_quality_table::COLUMNS.split(", "));
    }
    table.append(RUN_COLUMNS.split(", "));
    if !results.context.reference_agents.is_empty() {
        table.append([REFERENCE_COLUMN]);
    }
    table.append(results.context.parameters.iter().map(|(key, _)| parameter_column(key)));
    table
}

/// The columns of every `agents.csv`, without those of its moves' grades.
const AGENT_COLUMNS: &str = "agent, kind, games, wins, draws, losses, score, elo, elo_low, \
    elo_high, moves, nodes, nodes_per_move, time_per_move_ns_mean, time_per_move_ns_p50, \
    time_per_move_ns_p99, time_per_move_ns_max, nodes_per_second, mean_depth, branching_factor, \
    faults, group, elo_against";

/// Whether the agent is a reference, if the run has such agents.
pub(super) const REFERENCE_COLUMN: &str = "reference";

/// The columns that are the same for all agents of a run.
const RUN_COLUMNS: &str = "name, seed, config_hash";

/// All columns that do not depend on the config, separated by a comma and a blank.
pub(super) fn fixed_columns() -> impl Iterator<Item = &'static str> {
    let all = [AGENT_COLUMNS, move_quality_table::COLUMNS, RUN_COLUMNS, REFERENCE_COLUMN];
    all.into_iter().flat_map(|columns| columns.split(", "))
}

/// The column of a parameter: its key, unless a column of another meaning has this name.
pub(super) fn parameter_column(key: &str) -> String {
    match fixed_columns().any(|column| column == key) {
        true => format!("param.{key}"),
        false => key.to_owned(),
    }
}

fn add_agents(results: &Results, add: &mut dyn FnMut(Vec<DataCell>)) {
    let Results { heading, tally, context, ranking, .. } = results;
    for (i, (name, agent)) in tally.names.iter().zip(&tally.agents).enumerate() {
        let standing = ranking.standing(i).filter(|standing| standing.games > 0);
        let counts = ranking::results(tally, i);
        let cost = Cost::of(agent);
        let mut row: Vec<DataCell> = vec![
            name.as_str().into(),
            context.kinds.get(i).map_or("", String::as_str).into(),
            counts.n().into(),
            counts.wins().into(),
            counts.draws().into(),
            counts.losses().into(),
            standing.and_then(|s| s.score).into(),
        ];
        let numbers = standing.map_or([None; 3], |s| ranking.numbers(s));
        row.extend(numbers.map(DataCell::from));
        row.extend([
            agent.moves.into(),
            agent.nodes.into(),
            cost.nodes_per_move.into(),
            cost.mean_ns.into(),
            cost.p50_ns.into(),
            cost.p99_ns.into(),
            cost.max_ns.into(),
            cost.nodes_per_second.into(),
            cost.mean_depth.into(),
            cost.branching_factor.into(),
            agent.faults().into(),
            standing.map(|s| s.component as u64 + 1).into(),
            match standing
                .filter(|s| !ranking.exact && !ranking.withheld(s))
                .and_then(|s| s.against)
            {
                Some(opponent) => tally.names[opponent].as_str().into(),
                None => "".into(),
            },
        ]);
        if let Some(grades) = &tally.grades {
            row.extend(move_quality_table::cells(grades, i, context));
        }
        row.push(heading.name.as_str().into());
        row.push(heading.seed.into());
        row.push(heading.config_hash.as_deref().unwrap_or_default().into());
        if !context.reference_agents.is_empty() {
            row.push(Some(Value::Bool(context.is_reference(i))).into());
        }
        row.extend(context.parameters.iter().map(|(_, values)| values[i].clone().into()));
        add(row);
    }
}

/// `pairings.csv`: one pairing per row, in the schedule's order. Results count every game; `pairs`,
/// `pair_…`, scores and Elo count distinct pairs.
pub(super) fn pairings_table(results: &Results) -> DataTable<'_> {
    let mut table = DataTable::new(
        "agent_a, agent_b, games, distinct_games, pairs, a_wins, draws, b_wins, a_first_wins, \
         a_first_draws, a_first_losses, a_second_wins, a_second_draws, a_second_losses, pair_0, \
         pair_0_5, pair_1, pair_1_5, pair_2, a_score, score_low, score_high, elo, elo_low, \
         elo_high, verdict, anytime_low, anytime_high, e_value, p_holm, p_value",
        |add| add_pairings(results, add),
    );
    if luck_table::is_measured(&results.tally) {
        table.append(luck_table::COLUMNS.split(", "));
    }
    table
}

fn add_pairings(results: &Results, add: &mut dyn FnMut(Vec<DataCell>)) {
    let Results { tally, context, ranking, .. } = results;
    let (mut memo, is_adjusted) = (Memo::default(), luck_table::is_measured(tally));
    for (pairing, results) in tally.pairings.iter().filter(|(p, r)| !p.is_self() && r.games() > 0) {
        let all = results.all().games();
        let (first, second) = (results.all().moving_first(), results.all().moving_second());
        let sampling = context.sampling(results);
        let judged = memo.evidence(&results.distinct, sampling);
        let p = p_value(&results.distinct, sampling);
        let mut row: Vec<DataCell> =
            [pairing.a, pairing.b].map(|agent| tally.names[agent].as_str().into()).into();
        row.extend([results.games(), results.distinct_games].map(DataCell::from));
        row.push(results.distinct.pairs.n().into());
        for counts in [all, first, second] {
            row.extend([counts.wins(), counts.draws(), counts.losses()].map(DataCell::from));
        }
        row.extend(results.distinct.pairs.strength().0.map(DataCell::from));
        row.push(judged.score.into());
        row.extend(DataCell::ends(judged.interval));
        row.push(judged.score.and_then(elo::from_score).into());
        row.extend(DataCell::elo_ends(judged.interval.map(Interval::elo)));
        // The test was declared in advance, so its verdict is the verdict of the run.
        row.push(match kinds::of(tally, context).verdict_word() {
            Some(word) if judged.verdict != PairVerdict::Exact => (*word).into(),
            _ => ranking.correction.verdict(&judged, p).of_agents().into(),
        });
        row.extend(DataCell::ends(judged.anytime));
        row.push(judged.e_value.into());
        row.extend([p.and_then(|p| ranking.correction.p_holm(p)), p].map(DataCell::from));
        if is_adjusted {
            row.extend(luck_table::cells(pairing, results));
        }
        add(row);
    }
}

/// `seats.csv`: one row for all games, then one row per agent against all others and against
/// itself, then one row per pairing.
pub(super) fn seats_table<'a>(rows: &'a SeatRows<'a>) -> DataTable<'a> {
    DataTable::new(
        "scope, games, distinct_games, first_wins, draws, second_wins, first_win_rate, draw_rate, \
         second_win_rate, first_score, score_low, score_high, p_value, verdict, \
         anytime_low, anytime_high, e_value, p_holm",
        |add| rows.iter().for_each(|seats| add(seat_cells(&seats))),
    )
}

fn seat_cells(seats: &first_move_advantage::FirstMoveTable) -> Vec<DataCell> {
    let results = &seats.results;
    let mut row: Vec<DataCell> = vec![seats.scope.as_str().into()];
    row.extend([seats.games, seats.distinct].map(DataCell::from));
    row.extend([results.wins(), results.draws(), results.losses()].map(DataCell::from));
    row.extend(rates(results).map(DataCell::from));
    row.push(seats.judged.score.into());
    row.extend(DataCell::ends(seats.judged.interval));
    row.extend([seats.judged.p_value.into(), seats.judged.verdict.of_seats().into()]);
    row.extend(DataCell::ends(seats.judged.anytime));
    row.extend([seats.judged.e_value, seats.p_holm].map(DataCell::from));
    row
}
