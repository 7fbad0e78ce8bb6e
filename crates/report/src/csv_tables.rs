//! `agents.csv`, `pairings.csv` and `seats.csv`, in full precision. A missing value is empty. New
//! columns are only appended. `--format json` shows the same data.

use std::io;

use super::exporter_trait::{ExportSource, Exporter};
use super::kinds;
use crate::arena::{DerivedFile, FolderError, Replacement};
use crate::figures::agent_figures::{AgentFigures, agent_figures};
use crate::figures::answers::{cost_table, illegal_moves_table};
use crate::figures::first_move_table::{SeatRows, seat_figures};
use crate::figures::luck_table::{self, PairingLuck, luck_figures};
use crate::figures::move_quality_table;
use crate::figures::pairing_figures::{PairingFigures, pairing_figures};
use crate::figures::run_results::Results;
use crate::params::Value;
use crate::text::data_table::{DataCell, DataTable};

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

/// Writes `agents.csv`.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_agents(results: &Results, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    agents_table(results).write_csv(out)
}

/// `agents.csv`, in the config's order. Results count games against other agents; the cost of moves
/// counts all games. Elo is the rating from the list in the terminal.
pub(super) fn agents_table(results: &Results) -> DataTable<'_> {
    let mut table = DataTable::new(&agent_figures().header(), |add| add_agents(results, add));
    if results.tally.grades.is_some() {
        table.append(move_quality_table::columns());
    }
    if results.tally.counts_illegal_moves() {
        table.append(illegal_moves_table::columns());
    }
    if results.tally.counts_costs() {
        table.append(cost_table::columns());
    }
    table.append(RUN_COLUMNS.split(", "));
    if !results.context.reference_agents.is_empty() {
        table.append([REFERENCE_COLUMN]);
    }
    table.append(results.context.parameters.iter().map(|(key, _)| parameter_column(key)));
    table
}

/// Whether the agent is a reference, if the run has such agents.
pub(super) const REFERENCE_COLUMN: &str = "reference";

/// The columns that are the same for all agents of a run.
const RUN_COLUMNS: &str = "name, seed, config_hash";

/// All columns that do not depend on the config.
pub(super) fn fixed_columns() -> Vec<String> {
    let mut all: Vec<String> = agent_figures().columns().map(str::to_owned).collect();
    all.extend(move_quality_table::columns());
    all.extend(illegal_moves_table::columns());
    all.extend(cost_table::columns());
    all.extend(RUN_COLUMNS.split(", ").map(str::to_owned));
    all.push(REFERENCE_COLUMN.to_owned());
    all
}

/// The column of a parameter: its key, unless a column of another meaning has this name.
pub(super) fn parameter_column(key: &str) -> String {
    match fixed_columns().iter().any(|column| column == key) {
        true => format!("param.{key}"),
        false => key.to_owned(),
    }
}

fn add_agents(results: &Results, add: &mut dyn FnMut(Vec<DataCell>)) {
    let Results { heading, tally, context, .. } = results;
    let figures = agent_figures();
    for i in 0..tally.names.len() {
        let mut row = figures.cells(&AgentFigures::new(results, i));
        if let Some(grades) = &tally.grades {
            row.extend(move_quality_table::cells(grades, i, context));
        }
        if tally.counts_illegal_moves() {
            row.extend(illegal_moves_table::cells(&tally.agents[i]));
        }
        if tally.counts_costs() {
            row.extend(cost_table::cells(&tally.agents[i]));
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

/// `pairings.csv`: one pairing per row, in the schedule's order.
pub(super) fn pairings_table(results: &Results) -> DataTable<'_> {
    let (figures, luck) = (pairing_figures(), luck_figures());
    let is_adjusted = luck_table::is_measured(&results.tally);
    let luck_columns: Vec<&str> = luck.columns().filter(|_| is_adjusted).collect();
    let mut table = DataTable::new(&figures.header(), move |add| {
        let tested = kinds::of(&results.tally, &results.context).verdict_word();
        for of in PairingFigures::all(results, tested) {
            let mut row = figures.cells(&of);
            if is_adjusted {
                row.extend(luck.cells(&PairingLuck::of(of.pairing, of.played)));
            }
            add(row);
        }
    });
    table.append(luck_columns);
    table
}

/// `seats.csv`: one row for all games, then one row per agent against all others and against
/// itself, then one row per pairing.
pub(super) fn seats_table<'a>(rows: &'a SeatRows<'a>) -> DataTable<'a> {
    let figures = seat_figures();
    DataTable::new(&figures.header(), move |add| {
        rows.iter().for_each(|seats| add(figures.cells(&seats)));
    })
}
