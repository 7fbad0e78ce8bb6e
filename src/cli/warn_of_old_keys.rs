//! Warnings about old names of keys on stderr, and `SPEC`s with these warnings.

use std::collections::HashSet;
use std::sync::Mutex;

use super::print_run_results::note;
use crate::config::{self, ConfigError};
use crate::params::Spec;
use crate::play::{AnyGame, Registry};
use crate::util::locks::lock;

/// Prints each warning once in a process, because some commands read a config several times.
pub(super) fn warn(warnings: &[String]) {
    static PRINTED: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let mut printed = lock(&PRINTED);
    for warning in warnings {
        if printed.get_or_insert_default().insert(warning.clone()) {
            note(format!("warning: {warning}"));
        }
    }
}

/// The game of a `SPEC`.
///
/// # Errors
/// All mistakes of the `SPEC`, shown in it.
pub(super) fn game_spec(
    text: &str,
    option: &str,
    registry: &Registry,
) -> Result<(Spec, AnyGame), ConfigError> {
    let game = config::parse_game_spec(text, option, registry)?;
    warn(&config::old_keys_of_spec(text, option, registry));
    Ok(game)
}

/// The agent of a `SPEC`, for the game.
///
/// # Errors
/// All mistakes of the `SPEC`, shown in it.
pub(super) fn agent_spec(
    text: &str,
    option: &str,
    game: &AnyGame,
    registry: &Registry,
) -> Result<Spec, ConfigError> {
    let agent = config::parse_agent_spec(text, option, game, registry)?;
    warn(&config::old_keys_of_spec(text, option, registry));
    Ok(agent)
}
