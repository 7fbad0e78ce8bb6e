//! Reads a config from its text into a checked experiment.

use std::path::Path;

use toml::de::DeTable;

use super::agents_section::AgentEntry;
use super::build_experiment;
use super::build_experiment::Origin;
use super::command_line_overrides;
use super::command_line_overrides::Overrides;
use super::diagnostics::{ConfigError, Diagnostic, Problems};
use super::each_section;
use super::experiment::Experiment;
use super::renamed_keys;
use super::section_definitions::Definitions;
use super::toml_syntax_errors;
use super::toml_tree::{self, TomlTable};
use super::value_source::{Span, ValueSource, read_text};
use crate::play::Registry;
use crate::util::sort_lists;
use crate::util::toml_nesting_depth;

const LARGEST: u64 = 16 << 20;

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
    /// One warning for each key that was given by its old name.
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

/// Reads a config file and keeps its text.
///
/// # Errors
/// All mistakes of the file and of the overrides.
pub fn read(
    path: &Path,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<LoadedConfig, ConfigError> {
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
    read_from(&text, &name, overrides, registry)
}

/// Reads a config from a text and keeps it.
///
/// # Errors
/// All mistakes of the text and of the overrides.
pub fn read_from(
    text: &str,
    file_name: &str,
    overrides: &Overrides,
    registry: &Registry,
) -> Result<LoadedConfig, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut sources = vec![ValueSource::file(file_name, text)];
    let mut problems = Problems::default();
    let definitions = Definitions::new(registry);
    let mut tree = document(&sources[0], &mut problems);
    command_line_overrides::apply(&mut tree, overrides, &definitions, &mut sources, &mut problems);
    renamed_keys::rename(&mut tree, &definitions, &mut problems);
    each_section::spread(&mut tree, definitions.kinds("agents"), &mut problems);
    let path = Path::new(file_name);
    let origin = Origin {
        stem: path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default(),
        folder: path.parent().unwrap_or(Path::new("")),
    };
    let built = build_experiment::experiment(
        &tree,
        &definitions,
        registry,
        &origin,
        &mut sources,
        &mut problems,
    );
    match built {
        Some((experiment, agents)) if problems.is_empty() => {
            let (text, warnings) = (text.to_owned(), problems.warnings(&sources));
            Ok(LoadedConfig { experiment, text, warnings, sources, tree, agents })
        }
        _ => Err(problems.into_error(sources)),
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
    sort_lists::by_key(&mut errors, |error| error.span().map_or(0, |span| span.start));
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
