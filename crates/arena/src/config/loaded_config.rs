//! Reads a config from its text into a checked experiment.

#![deny(missing_docs)]

use std::path::Path;

use toml::de::DeTable;

use super::build_context::Origin;
use super::build_experiment;
use super::command_line_overrides;
use super::command_line_overrides::Overrides;
use super::each_section;
use super::experiment::Experiment;
use super::section_definitions::Definitions;
use super::sweep_section;
use super::sweep_section::{SweepRun, SweptTree};
use crate::config::sections::agent_names::check_folder;
use crate::config::sections::agents_section::AgentEntry;
use crate::config::tree::diagnostics::{ConfigError, Diagnostic, Problems};
use crate::config::tree::implied_kind;
use crate::config::tree::source_of_each_value::{Span, ValueSource, read_text};
use crate::config::tree::toml_syntax_errors;
use crate::config::tree::toml_tree::{self, Raw, TomlTable};
use crate::play::Registry;
use crate::util::toml_nesting_depth;

const LARGEST: u64 = 16 << 20;

/// The first line of a config in a results folder whose paths start from another folder.
const PATHS_START: &str = "# agon: relative paths start from ";

/// The first line of `resolved.toml`. Its list of openings is used as it is, because the games beside it
/// were played with it.
pub(super) const RESOLVED_START: &str = "# Every default filled in, every sweep expanded.";

/// The maximum number of syntax errors that are examined. A text with more is no config.
const MOST_SYNTAX: usize = 200;

/// An experiment with the text that it was read from. The text is needed to report later mistakes
/// at their place.
#[derive(Debug, Clone)]
pub struct LoadedConfig {
    /// The checked experiment.
    pub experiment: Experiment,
    /// The config file as it was read.
    pub text: String,
    /// The run of a sweep, if the config has a `[sweep]`.
    pub sweep: Option<SweepRun>,
    /// Notes on the openings.
    pub warnings: Vec<String>,
    pub(super) sources: Vec<ValueSource>,
    pub(super) tree: TomlTable,
    pub(super) agents: Vec<AgentEntry>,
}

/// Reads a config file.
///
/// # Errors
/// All mistakes of the file and of the overrides.
pub fn load(
    path: &Path,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<Experiment, ConfigError> {
    read(path, overrides, registry).map(|reading| reading.experiment)
}

/// Reads a config from a text. `file_name` is its name in messages and gives the experiment its
/// default name. Relative paths start from its folder.
///
/// ```
/// # use agon_arena as agon;
/// use agon::config::{Overrides, parse};
/// use agon::play::Registry;
///
/// let text = r#"
/// [game]
/// kind = "connect4"
/// [[agents]]
/// name = "ab{depth}"
/// kind = "alphabeta"
/// depth = [2, 4, 6]
/// "#;
/// let overrides = Overrides { games: Some(10), ..Overrides::default() };
/// let experiment = parse(text, "depth.toml", &overrides, &Registry::builtin()).unwrap();
/// assert_eq!(experiment.name, "depth");
/// assert_eq!(experiment.agents[2].name, "ab6");
/// assert_eq!((experiment.pairings().len(), experiment.schedule.games), (3, 10));
/// ```
///
/// # Errors
/// All mistakes of the text and of the overrides.
pub fn parse(
    text: &str,
    file_name: &str,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<Experiment, ConfigError> {
    read_from(text, file_name, overrides, registry).map(|reading| reading.experiment)
}

/// Reads a config file of one run and keeps its text.
///
/// # Errors
/// All mistakes of the file and of the overrides, and a sweep of several runs.
pub fn read(
    path: &Path,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<LoadedConfig, ConfigError> {
    single(read_runs(path, overrides, registry)?)
}

/// Reads the config of one run from a text and keeps it.
///
/// # Errors
/// All mistakes of the text and of the overrides, and a sweep of several runs.
pub fn read_from(
    text: &str,
    file_name: &str,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<LoadedConfig, ConfigError> {
    single(read_runs_from(text, file_name, overrides, registry)?)
}

/// Reads a config file with all its runs: several if it has a `[sweep]`.
///
/// # Errors
/// All mistakes of the file and of the overrides.
pub fn read_runs(
    path: &Path,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<Vec<LoadedConfig>, ConfigError> {
    let name = path.display().to_string();
    let text = read_text(path, LARGEST).map_err(|error| {
        let message = format!("cannot read the config `{name}`: {}", error.reason);
        let source = ValueSource::file(name.as_str(), "");
        let help = match error.help.as_str() {
            "" => "`--config FILE` names a config; `configs/` holds examples",
            help => help,
        };
        ConfigError::one(vec![source], Diagnostic::new(message).help(help))
    })?;
    read_runs_from(&text, &name, overrides, registry)
}

/// Reads a config with all its runs from a text.
///
/// # Errors
/// All mistakes of the text and of the overrides.
pub fn read_runs_from(
    text: &str,
    file_name: &str,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<Vec<LoadedConfig>, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut sources = vec![ValueSource::file(file_name, text)];
    let mut problems = Problems::default();
    let definitions = Definitions::new(registry);
    let mut tree = document(&sources[0], &mut problems);
    command_line_overrides::apply(&mut tree, overrides, &definitions, &mut sources, &mut problems);
    let game = tree.entries.iter_mut().find(|entry| entry.key == implied_kind::SECTION);
    if let Some(Raw::Table(game)) = game.map(|entry| &mut entry.node.raw) {
        implied_kind::add(game, definitions.kinds(implied_kind::SECTION));
    }
    each_section::spread(&mut tree, definitions.kinds("agents"), &mut problems);
    let swept = sweep_section::expand(&mut tree, &definitions, &mut problems);
    let runs = swept.len();
    let mut trees: Vec<(Option<SweepRun>, TomlTable)> = Vec::new();
    for SweptTree { values, options, at, tree } in swept {
        let sweep = String::new();
        trees.push((Some(SweepRun { values, sweep, options, runs, at }), tree));
    }
    if trees.is_empty() {
        trees.push((None, tree));
    }
    let path = Path::new(file_name);
    let moved = text.lines().next().and_then(|line| line.strip_prefix(PATHS_START)).map(Path::new);
    let origin = Origin {
        is_resolved: text.starts_with(RESOLVED_START),
        stem: path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default(),
        folder: match moved.filter(|folder| folder.is_dir()) {
            Some(folder) => folder,
            None => path.parent().unwrap_or(Path::new("")),
        },
    };
    let mut all = Vec::new();
    for (sweep, tree) in trees {
        let mut more = sources.clone();
        let built = build_experiment::experiment(
            &tree,
            &definitions,
            registry,
            &origin,
            &mut more,
            &mut problems,
        );
        match built {
            Some((experiment, agents)) if problems.is_empty() => {
                let (text, warnings) = (text.to_owned(), problems.notes().to_vec());
                let sources = more;
                let mut one =
                    LoadedConfig { experiment, text, sweep, warnings, sources, tree, agents };
                one.name_run();
                all.push(one);
            }
            // The next run would report the mistakes of a file of openings again.
            _ if more.len() > sources.len() => return Err(problems.into_error(more)),
            _ => {}
        }
    }
    if problems.is_empty() { Ok(all) } else { Err(problems.into_error(sources)) }
}

/// The only run of a config.
///
/// # Errors
/// There are several runs.
pub fn single(mut runs: Vec<LoadedConfig>) -> Result<LoadedConfig, ConfigError> {
    let first = runs.swap_remove(0);
    match &first.sweep {
        Some(sweep) if sweep.runs > 1 => {
            let message = format!("this needs one run, and the sweep has {}", sweep.runs);
            let help = format!(
                "choose one value of each list, such as `{}`; `agon run` plays all runs",
                sweep.options
            );
            let wrong = Diagnostic::at(sweep.at, "sweep", message).help(help);
            Err(ConfigError::one(first.sources, wrong))
        }
        _ => Ok(first),
    }
}

impl LoadedConfig {
    /// The text for the results folder, where it can be played again: if it names files by relative
    /// paths, its first line says where these start.
    pub fn text_for_results(&self) -> String {
        let names_file = |section: &str| {
            let file = self.tree.table(section).and_then(|section| section.text("file"));
            file.is_some_and(|file| Path::new(file).is_relative())
        };
        let source = self.sources.first().map_or("", |source| source.name.as_str());
        let folder = Path::new(".").join(Path::new(source).parent().unwrap_or(Path::new("")));
        match std::path::absolute(folder) {
            Ok(folder)
                if (names_file("openings") || names_file("game"))
                    && !self.text.starts_with(PATHS_START) =>
            {
                format!("{PATHS_START}{}\n{}", folder.display(), self.text)
            }
            _ => self.text.clone(),
        }
    }

    /// Names the run of a sweep after the sweep and its values.
    fn name_run(&mut self) {
        let Some(run) = &mut self.sweep else { return };
        run.sweep = self.experiment.name.clone();
        let name = format!("{},{}", run.sweep, run.values);
        if check_folder(&name).is_ok() {
            self.experiment.name = name;
        }
    }
}

/// Parses the text. Reports every syntax error and returns the part that can be read.
fn document(source: &ValueSource, problems: &mut Problems) -> TomlTable {
    if let Some(at) = toml_nesting_depth::too_deep(&source.text) {
        let place = Span::new(0, at..at + 1);
        problems.syntax(source, toml_syntax_errors::too_deep(place));
        return TomlTable::empty(Span::new(0, 0..0));
    }
    let (table, mut errors) = DeTable::parse_recoverable(&source.text);
    errors.sort_by_key(|error| error.span().map_or(0, |span| span.start));
    for error in errors.into_iter().take(MOST_SYNTAX) {
        let place = Span::new(0, error.span().unwrap_or(0..0));
        // After a list that is not closed, each further line is a new error.
        if let Some(unclosed) = toml_syntax_errors::unclosed(error.message(), place, source) {
            problems.syntax(source, unclosed);
            break;
        }
        problems.syntax(source, toml_syntax_errors::explain(error.message(), place, source));
    }
    toml_tree::document(0, table.get_ref())
}
