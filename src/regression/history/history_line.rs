//! A line of the history: what a gate compared, its verdict and its figures.

use crate::arena::guarded;
use crate::regression::compare::{Change, Comparison, Metric};
use crate::report::add_field;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GateSideName {
    /// As on the command line.
    pub name: String,
    /// What changes with each version: the revision of a build, the hash of a config or of an engine's
    /// program. Empty if unknown.
    pub revision: String,
}

impl GateSideName {
    /// The revision, or the name if there is none.
    pub fn key(&self) -> &str {
        if self.revision.is_empty() { &self.name } else { &self.revision }
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct HistoryLine {
    /// The end of the gate.
    pub date: String,
    pub old: GateSideName,
    pub new: GateSideName,
    /// The judged agents.
    pub agents: String,
    /// The change of each of the [`FIGURES`](HistoryLine::FIGURES).
    pub figures: [Change; 5],
    pub verdict: String,
    pub exit_code: u8,
}

impl HistoryLine {
    pub const FIGURES: [Metric; 5] =
        [Metric::Strength, Metric::Work, Metric::Time, Metric::Instructions, Metric::Memory];

    /// The line of a comparison.
    pub fn new(date: String, sides: [GateSideName; 2], of: &Comparison, exit_code: u8) -> Self {
        let [old, new] = sides;
        HistoryLine {
            date,
            old,
            new,
            agents: of.judged_agents().join("; "),
            figures: Self::FIGURES.map(|metric| of.mean_change(metric)),
            verdict: of.verdict().word().to_owned(),
            exit_code,
        }
    }

    /// The names of all columns. The exit code is last: a line with it is complete.
    pub fn columns() -> Vec<String> {
        let mut names = ["date", "old", "old_revision", "new", "new_revision", "agents"]
            .map(str::to_owned)
            .to_vec();
        for figure in Self::FIGURES.map(Metric::word) {
            names.extend([figure.to_owned(), format!("{figure}_low"), format!("{figure}_high")]);
        }
        names.extend(["verdict", "exit_code"].map(str::to_owned));
        names
    }

    /// The fields in the order of the columns.
    pub fn fields(&self) -> Vec<String> {
        // A line of the file is a gate, so a text has no line ends.
        let text = |text: &str| guarded(&text.replace(char::is_control, " ")).into_owned();
        let number = |value: Option<f64>| {
            let mut field = String::new();
            add_field(&mut field, value);
            field
        };
        let texts = [&self.date, &self.old.name, &self.old.revision, &self.new.name];
        let texts = texts.into_iter().chain([&self.new.revision, &self.agents]);
        let figures = self.figures.iter().flat_map(|of| [of.value, of.low, of.high]);
        let end = [self.verdict.clone(), self.exit_code.to_string()];
        texts.map(|field| text(field)).chain(figures.map(number)).chain(end).collect()
    }

    /// Reads a line from the fields with these names.
    ///
    /// # Errors
    /// The name of the first field without a valid value.
    pub fn read(field: &dyn Fn(&str) -> String) -> Result<HistoryLine, String> {
        let number = |name: &str, is_factor: bool| -> Result<Option<f64>, String> {
            let text = field(name);
            let is_valid = |value: &f64| value.is_finite() && (!is_factor || *value > 0.0);
            match text.parse().ok().filter(is_valid) {
                None if !text.is_empty() => Err(name.to_owned()),
                value => Ok(value),
            }
        };
        let mut line = HistoryLine {
            date: field("date"),
            old: GateSideName { name: field("old"), revision: field("old_revision") },
            new: GateSideName { name: field("new"), revision: field("new_revision") },
            agents: field("agents"),
            verdict: field("verdict"),
            exit_code: field("exit_code").parse().map_err(|_| "exit_code".to_owned())?,
            ..HistoryLine::default()
        };
        for (change, metric) in line.figures.iter_mut().zip(Self::FIGURES) {
            let (name, is_factor) = (metric.word(), metric != Metric::Strength);
            change.value = number(name, is_factor)?;
            change.low = number(&format!("{name}_low"), is_factor)?;
            change.high = number(&format!("{name}_high"), is_factor)?;
        }
        Ok(line)
    }
}
