//! The end of a tune: writes the tuned agent into a config, and tests it against the start.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::arena::{Folder, Schedule};
use crate::cli::exit_codes;
use crate::cli::failure::Failure;
use crate::cli::options_of_several_commands::RunArgs;
use crate::cli::print_run_results::note;
use crate::config::{self, Experiment, LoadedConfig, Overrides};
use crate::play::Registry;

/// The config of the test: the tuned agent and the start.
const CONFIG: &str = "tuned.toml";

/// The folder of the test, in that of the tune.
const TEST: &str = "test";

/// The test with its folder, if the tune is complete; its verdict is the exit code. Otherwise the
/// exit code, which is `code` of the tune itself if there is more to play.
pub(super) fn prepare(
    folder: &Path,
    experiment: &Experiment,
    schedule: &Schedule,
    code: u8,
    args: &RunArgs,
    registry: &Registry,
) -> Result<ControlFlow<u8, (PathBuf, LoadedConfig)>, Failure> {
    let Some(test) = schedule.state().test_at_end(experiment) else {
        return Ok(ControlFlow::Break(code));
    };
    let [tuned, start] = &test.agents[..] else { return Ok(ControlFlow::Break(code)) };
    if tuned.spec == start.spec {
        note(format!("the tuned values are those of {}: there is nothing to test", start.name));
        return Ok(ControlFlow::Break(exit_codes::REJECTED));
    }
    let folder = Folder::new(folder);
    let text = test.to_toml();
    let shown = folder.file(CONFIG).display().to_string();
    if std::fs::read_to_string(folder.file(CONFIG)).ok().as_ref() != Some(&text) {
        folder.replace(CONFIG, text.as_bytes())?;
    }
    if !args.quiet {
        note(format!("test of {} against {}; {shown} is its config", tuned.name, start.name));
    }
    let loaded = config::read_from(&text, &shown, &Overrides::default(), registry)?;
    Folder::new(folder.file(TEST)).check_no_link()?;
    Ok(ControlFlow::Continue((folder.file(TEST), loaded)))
}
