//! The agents of several runs, with the runs that differ only in their seeds as one row: a mean with
//! its interval.

use std::collections::BTreeMap;
use std::io;

use super::csv_tables::parameter_column;
use super::stacked_runs::{Stack, StackedRun, shown};
use crate::arena::plain;
use crate::figures::agent_figures::agent_figures;
use crate::params::Value;
use crate::stats::{Confidence, MeanOfRuns};
use crate::text::data_table::{DataCell, DataTable};
use crate::text::number_format::{elo, elo_plus_minus, percent, short, time};
use crate::text::text_table::{TableFormat, TextTable};

/// A figure of the rows.
pub struct SweptFigure {
    /// The word of its charts, such as `elo` in `elo-by-depth`.
    pub word: &'static str,
    pub name: &'static str,
    /// The column of `agents.csv`, and the columns of its interval, if there are any.
    column: &'static str,
    ends: Option<[&'static str; 2]>,
    /// Whether its scale is logarithmic. Its means are then geometric.
    pub is_log: bool,
    is_share: bool,
    pub text: fn(f64) -> String,
}

pub const ELO: SweptFigure = SweptFigure {
    word: "elo",
    name: "Elo",
    column: "elo",
    ends: Some(["elo_low", "elo_high"]),
    is_log: false,
    is_share: false,
    text: elo,
};
pub const SCORE: SweptFigure = SweptFigure {
    word: "score",
    name: "Score",
    column: "score",
    ends: None,
    is_log: false,
    is_share: true,
    text: |score| format!("{} %", percent(Some(score))),
};
pub const NODES: SweptFigure = SweptFigure {
    word: "nodes",
    name: "Nodes per move",
    column: "nodes_per_move",
    ends: None,
    is_log: true,
    is_share: false,
    text: |nodes| short(Some(nodes)),
};
pub const TIME: SweptFigure = SweptFigure {
    word: "time",
    name: "Time per move",
    column: "time_per_move_ns_mean",
    ends: None,
    is_log: true,
    is_share: false,
    text: |ns| time(Some(ns)),
};

/// An agent in all runs that differ only in their seeds.
pub struct PooledRow<'a> {
    /// The values of the keys in which runs differ.
    pub settings: Vec<Option<Value>>,
    pub agent: &'a str,
    pub kind: &'a str,
    /// The values of the parameters in which agents differ.
    pub parameters: Vec<Option<Value>>,
    /// The fields of `agents.csv`, one for each seed.
    seeds: Vec<&'a BTreeMap<String, String>>,
    /// Whether the same agents have ratings in all these runs. Ratings are relative to the mean of
    /// these agents.
    is_one_scale: bool,
}

impl PooledRow<'_> {
    /// The number of seeds.
    pub fn seeds(&self) -> usize {
        self.seeds.len()
    }

    /// The mean over the seeds. The interval of a single run is its own. `None` if a run has no
    /// value: a mean of the others would leave out runs in which all games were lost or won. `None`
    /// for ratings on several scales.
    pub fn mean(&self, figure: &SweptFigure) -> Option<MeanOfRuns> {
        let number = |fields: &BTreeMap<String, String>, column: &str| -> Option<f64> {
            fields.get(column)?.parse().ok()
        };
        if let [fields] = self.seeds[..] {
            let ends = figure.ends.map(|ends| ends.map(|column| number(fields, column)));
            let ends = ends.and_then(|[low, high]| Some([low?, high?]));
            return Some(MeanOfRuns { mean: number(fields, figure.column)?, ends });
        }
        if figure.ends.is_some() && !self.is_one_scale {
            return None;
        }
        let values = self.seeds.iter().map(|fields| number(fields, figure.column));
        let values: Vec<f64> = values.collect::<Option<_>>()?;
        if !figure.is_log {
            let MeanOfRuns { mean, ends } = MeanOfRuns::of(&values, Confidence::P95)?;
            // No mean of scores is outside the range of scores.
            let within = |end: f64| if figure.is_share { end.clamp(0.0, 1.0) } else { end };
            return Some(MeanOfRuns { mean, ends: ends.map(|ends| ends.map(within)) });
        }
        let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let MeanOfRuns { mean, ends } = MeanOfRuns::of(&logarithms, Confidence::P95)?;
        Some(MeanOfRuns { mean: mean.exp(), ends: ends.map(|ends| ends.map(f64::exp)) })
    }
}

/// The agents of several runs, pooled over seeds.
pub struct PooledRows<'a> {
    pub rows: Vec<PooledRow<'a>>,
    /// The keys in which runs differ.
    pub settings: Vec<String>,
    /// The parameters in which agents differ.
    pub parameters: Vec<String>,
}

impl<'a> PooledRows<'a> {
    pub fn new(runs: &'a [StackedRun]) -> Self {
        let Stack { rows, settings, parameters, .. } = Stack::new(runs);
        let mut rated: Vec<Vec<&str>> = vec![Vec::new(); runs.len()];
        for (run, fields) in &rows {
            if fields.get(ELO.column).is_some_and(|elo| !elo.is_empty()) {
                rated[*run].push(fields.get("agent").map_or("", String::as_str));
            }
        }
        let mut pooled: Vec<PooledRow<'a>> = Vec::new();
        let mut first_run: Vec<usize> = Vec::new();
        let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for (place, (run, fields)) in rows.into_iter().enumerate() {
            let row = PooledRow {
                settings: settings.iter().map(|(_, values)| values[run].clone()).collect(),
                agent: fields.get("agent").map_or("", |name| plain(name)),
                kind: fields.get("kind").map_or("", String::as_str),
                parameters: parameters.iter().map(|(_, values)| values[place].clone()).collect(),
                seeds: vec![fields],
                is_one_scale: true,
            };
            let mut key: Vec<String> =
                row.settings.iter().chain(&row.parameters).map(shown).collect();
            key.push(row.agent.to_owned());
            match places.get(&key) {
                Some(&there) => {
                    pooled[there].seeds.push(fields);
                    pooled[there].is_one_scale &= rated[run] == rated[first_run[there]];
                }
                None => {
                    places.insert(key, pooled.len());
                    pooled.push(row);
                    first_run.push(run);
                }
            }
        }
        let names = |columns: Vec<(String, _)>| columns.into_iter().map(|(key, _)| key).collect();
        PooledRows { rows: pooled, settings: names(settings), parameters: names(parameters) }
    }

    /// The smallest and the largest number of seeds of a row.
    pub fn seeds(&self) -> [usize; 2] {
        let counts = || self.rows.iter().map(PooledRow::seeds);
        [counts().min().unwrap_or(0), counts().max().unwrap_or(0)]
    }

    /// Writes the table of the means.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write(
        &self,
        format: TableFormat,
        width: Option<usize>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        match format {
            TableFormat::Csv => self.data().write_csv(out),
            TableFormat::Json => writeln!(out, "{:#}", self.data().json()),
            format => {
                let markdown = format == TableFormat::Markdown;
                out.write_all(self.text().lines(markdown, width).as_bytes())
            }
        }
    }

    /// The table for programs: each mean with the ends of its interval.
    fn data(&self) -> DataTable<'_> {
        const FIGURES: [&SweptFigure; 4] = [&SCORE, &ELO, &NODES, &TIME];
        let mut table = DataTable::new("agent, kind", |add| {
            for row in &self.rows {
                let mut cells: Vec<DataCell> = vec![row.agent.into(), row.kind.into()];
                let values = row.settings.iter().chain(&row.parameters);
                cells.extend(values.map(|value| DataCell::from(value.clone())));
                cells.push((row.seeds() as u64).into());
                for mean in FIGURES.map(|figure| row.mean(figure)) {
                    let ends = mean.and_then(|mean| mean.ends);
                    cells.push(mean.map(|mean| mean.mean).into());
                    cells.extend([0, 1].map(|end| DataCell::from(ends.map(|ends| ends[end]))));
                }
                add(cells);
            }
        });
        table.append(self.settings.iter().map(String::as_str));
        table.append(self.parameters.iter().map(|key| parameter_column(key)));
        table.append(["seeds"]);
        for figure in FIGURES {
            table.append(["", "_low", "_high"].map(|end| format!("{}{end}", figure.column)));
        }
        table
    }

    /// The table for people.
    pub fn text(&self) -> TextTable {
        let figures = agent_figures();
        let mut table = TextTable::new("").figures(self.settings.iter().map(String::as_str));
        table = table.text(["agent"]);
        table = table.figures(self.parameters.iter().map(|key| parameter_column(key)));
        table = table.figures(["seeds"]);
        table = figures.heads(table, &[SCORE.column]).figures(["Elo ±"]);
        table = figures.heads(table, &[NODES.column, TIME.column]);
        for row in &self.rows {
            let mut cells: Vec<String> = row.settings.iter().map(shown).collect();
            cells.push(row.agent.to_owned());
            cells.extend(row.parameters.iter().map(shown));
            cells.push(row.seeds().to_string());
            let show = |figure: &SweptFigure| {
                figures.show_number(figure.column, row.mean(figure).map(|mean| mean.mean))
            };
            cells.push(show(&SCORE));
            let elo = row.mean(&ELO);
            let ends = elo.and_then(|elo| elo.ends);
            let end = |end: usize| ends.map(|ends| ends[end]);
            cells.push(elo_plus_minus([elo.map(|elo| elo.mean), end(0), end(1)]));
            cells.extend([&NODES, &TIME].map(show));
            table.row(cells);
        }
        table
    }
}
