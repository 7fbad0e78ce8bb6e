//! The agents of several runs as one table, read from their `agents.csv`.

use std::io;

use super::csv_tables::{REFERENCE_COLUMN, fixed_columns, parameter_column};
use crate::arena::plain;
use crate::config::{Experiment, hash_of_text};
use crate::figures::agent_figures::agent_figures;
use crate::figures::agent_parameter_columns::{ParameterColumn, ParameterRow, differing};
use crate::params::Value;
use crate::text::data_table::{DataCell, DataTable};
use crate::text::number_format::{NONE, elo_plus_minus};
use crate::text::text_table::{TableFormat, TextTable};
use std::collections::BTreeMap;

/// A run with the rows of its `agents.csv`.
#[derive(Debug)]
pub struct StackedRun {
    place: String,
    /// What was played, if known.
    pub(super) experiment: Option<Experiment>,
    /// The file of the openings in the config, if they are from a file.
    book: Option<String>,
    /// The fields of each agent by column.
    agents: Vec<BTreeMap<String, String>>,
}

impl StackedRun {
    /// Reads the text of `agents.csv`. Columns are found by their names.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(
        place: String,
        experiment: Option<Experiment>,
        book: Option<String>,
        text: &[u8],
    ) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(text);
        let wrong = |error: csv::Error| error.to_string();
        let head = reader.headers().map_err(wrong)?.clone();
        if !head.iter().any(|column| column == "agent") {
            return Err("there is no column `agent`".to_owned());
        }
        let mut agents = Vec::new();
        for row in reader.records() {
            let row = row.map_err(wrong)?;
            let cells = head.iter().zip(row.iter());
            agents.push(cells.map(|(h, v)| (h.to_owned(), v.to_owned())).collect());
        }
        Ok(StackedRun { place, experiment, book, agents })
    }

    /// The folder as it is shown.
    pub fn place(&self) -> &str {
        &self.place
    }
}

/// The table of these runs for people.
pub(super) fn stacked_text(runs: &[StackedRun]) -> TextTable {
    Stack::new(runs).text(false)
}

/// A row of the stacked table: its run and its agent.
pub(super) type Row<'a> = (usize, &'a BTreeMap<String, String>);

/// The table before it is written.
pub(super) struct Stack<'a> {
    pub(super) runs: &'a [StackedRun],
    pub(super) rows: Vec<Row<'a>>,
    /// The keys in which runs differ, with a value for each run. The seed is not one of them.
    pub(super) settings: Vec<ParameterColumn>,
    /// The parameters in which agents differ, with a value for each row.
    pub(super) parameters: Vec<ParameterColumn>,
}

/// Writes the table of these runs.
///
/// # Errors
/// If writing to `out` fails.
pub fn stacked(
    runs: &[StackedRun],
    format: TableFormat,
    width: Option<usize>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let stack = Stack::new(runs);
    match format {
        TableFormat::Csv => stack.data().write_csv(out),
        TableFormat::Json => writeln!(out, "{:#}", stack.data().json()),
        format => {
            let markdown = format == TableFormat::Markdown;
            out.write_all(stack.text(markdown).lines(markdown, width).as_bytes())
        }
    }
}

impl<'a> Stack<'a> {
    pub(super) fn new(runs: &'a [StackedRun]) -> Self {
        let mut rows: Vec<Row<'a>> = Vec::new();
        let (mut of_runs, mut of_agents): (Vec<ParameterRow>, Vec<ParameterRow>) =
            Default::default();
        for (i, run) in runs.iter().enumerate() {
            let experiment = run.experiment.as_ref();
            of_runs.push((String::new(), settings(run)));
            for row in &run.agents {
                let name = row.get("agent").map_or("", |name| plain(name));
                let agents = experiment.map_or(&[][..], |played| &played.agents);
                let agent = agents.iter().find(|agent| agent.name == name);
                rows.push((i, row));
                of_agents.push(agent.map_or_else(Default::default, |agent| {
                    let parameters = agent.parameters().into_iter();
                    let parameters = parameters.map(|(key, value)| (key, short_value(value, None)));
                    (agent.spec.kind.clone(), parameters.collect())
                }));
            }
        }
        let mut settings = differing(&of_runs);
        // The seed has a column of its own.
        settings.retain(|(key, _)| key != "seed");
        Stack { runs, rows, settings, parameters: differing(&of_agents) }
    }

    /// The table for programs.
    fn data(&self) -> DataTable<'_> {
        let run_columns = ["name", "seed", "config_hash"];
        let figures: Vec<String> = fixed_columns()
            .into_iter()
            .filter(|column| !["agent", "kind"].contains(&column.as_str()))
            .filter(|column| !run_columns.contains(&column.as_str()))
            .filter(|column| self.rows.iter().any(|(_, row)| row.contains_key(column)))
            .collect();
        let mut table = DataTable::new("run, name, seed, config_hash", {
            let figures = figures.clone();
            move |add| {
                for (i, &(run, row)) in self.rows.iter().enumerate() {
                    let mut cells = self.origin(run, row);
                    cells
                        .extend(self.settings.iter().map(|(_, values)| values[run].clone().into()));
                    cells.extend(["agent", "kind"].map(|column| cell(row, column)));
                    cells.extend(self.parameters.iter().map(|(_, all)| all[i].clone().into()));
                    cells.extend(figures.iter().map(|column| cell(row, column)));
                    add(cells);
                }
            }
        });
        table.append(self.settings.iter().map(|(key, _)| key.as_str()));
        table.append(["agent", "kind"]);
        table.append(self.parameters.iter().map(|(key, _)| parameter_column(key)));
        table.append(figures);
        table
    }

    /// The folder, name, seed and hash of the row's run. Older files do not have all of them.
    fn origin(&self, run: usize, row: &BTreeMap<String, String>) -> Vec<DataCell> {
        let StackedRun { place, experiment, .. } = &self.runs[run];
        let mut cells = vec![place.as_str().into()];
        match experiment {
            Some(played) => cells.extend([
                played.name.as_str().into(),
                DataCell::from(played.seed),
                played.hash().as_str().into(),
            ]),
            None => cells.extend(["name", "seed", "config_hash"].map(|column| cell(row, column))),
        }
        cells
    }

    /// The table for people.
    fn text(&self, markdown: bool) -> TextTable {
        let seeds: Vec<Option<u64>> = (self.runs.iter())
            .map(|run| run.experiment.as_ref().map(|played| played.seed))
            .collect();
        let several_seeds = seeds.iter().any(|seed| *seed != seeds[0]);
        let named =
            self.runs.len() > 1 && (markdown || (self.settings.is_empty() && !several_seeds));
        let mut table = TextTable::new("");
        if named {
            table = table.text(["run"]);
        }
        if several_seeds {
            table = table.figures(["seed"]);
        }
        table = table.figures(self.settings.iter().map(|(key, _)| key.as_str())).text(["agent"]);
        table = table.figures(self.parameters.iter().map(|(key, _)| parameter_column(key)));
        let (figures, costs) = (agent_figures(), ["nodes_per_move", "time_per_move_ns_mean"]);
        table = figures.heads(table, &["games", "score"]).figures(["Elo ±"]);
        table = figures.heads(table, &costs);
        for (i, &(run, row)) in self.rows.iter().enumerate() {
            let mut cells: Vec<String> = Vec::new();
            if named {
                cells.push(self.runs[run].place.clone());
            }
            if several_seeds {
                cells.push(seeds[run].map_or(NONE.to_owned(), |seed| seed.to_string()));
            }
            cells.extend(self.settings.iter().map(|(_, values)| shown(&values[run])));
            let mark = match row.get(REFERENCE_COLUMN).is_some_and(|cell| cell == "true") {
                true => " (reference)",
                false => "",
            };
            cells.push(format!("{}{mark}", row.get("agent").map_or("", |name| plain(name))));
            cells.extend(self.parameters.iter().map(|(_, values)| shown(&values[i])));
            let number = |column: &str| row.get(column)?.parse::<f64>().ok();
            let show = |name: &str| figures.show_number(name, number(name));
            cells.extend(["games", "score"].map(show));
            cells.push(elo_plus_minus(["elo", "elo_low", "elo_high"].map(number)));
            cells.extend(costs.map(show));
            table.row(cells);
        }
        table
    }
}

/// The settings of a run, with its long values in short.
fn settings(run: &StackedRun) -> Vec<(String, Value)> {
    let all = run.experiment.as_ref().map_or_else(Vec::new, Experiment::settings).into_iter();
    all.map(|(key, value)| {
        let file = run.book.as_deref().filter(|_| key == "openings.list");
        let value = short_value(value, file);
        (key, value)
    })
    .collect()
}

/// Longer values would make the other columns of a table unreadable.
const LONGEST: usize = 120;

/// The value of a cell. A list or a long text becomes its file or its beginning, and its hash.
fn short_value(value: Value, file: Option<&str>) -> Value {
    let text = value.to_string();
    let (name, hash) = match (&value, file) {
        (_, None) if text.chars().count() <= LONGEST => return value,
        (Value::Texts(lines), Some(file)) => {
            (format!("{file}: {} openings", lines.len()), hash_of_text(&text))
        }
        (Value::Texts(lines), None) => (format!("{} lines", lines.len()), hash_of_text(&text)),
        _ => {
            let beginning: String = text.chars().take(LONGEST / 2).collect();
            (format!("{beginning}\u{2026}"), hash_of_text(&text))
        }
    };
    Value::Text(format!("{name} (hash {hash})"))
}

/// A value for people: text without quotes, `—` if there is none.
pub(super) fn shown(value: &Option<Value>) -> String {
    match value {
        None => NONE.to_owned(),
        Some(Value::Text(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

/// The field of a column as a cell: a number where it is one.
fn cell(row: &BTreeMap<String, String>, column: &str) -> DataCell {
    let field = row.get(column).map_or("", String::as_str);
    if ["agent", "kind", "name", "config_hash", "elo_against"].contains(&column) {
        return plain(field).into();
    }
    match (field.parse::<u64>(), field.parse::<f64>()) {
        (Ok(count), _) => count.into(),
        (_, Ok(number)) => Some(number).into(),
        _ if field.is_empty() => DataCell::Whole(None),
        _ => plain(field).into(),
    }
}
