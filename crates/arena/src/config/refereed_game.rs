//! Refuses the keys that a game by a referee cannot have.

use super::build_context::Origin;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::toml_tree::{Raw, TomlTable};

/// Sections about positions and moves.
const SECTIONS: [&str; 6] = ["openings", "limits", "adjudication", "luck", "grading", "tune"];

/// Reports all keys that a game by a referee cannot have.
pub(super) fn check(tree: &TomlTable, origin: &Origin<'_>, problems: &mut Problems) {
    let why = "a game by a referee has no positions and no moves for agon";
    let refuse = |path: &str, help: String, problems: &mut Problems| {
        let message = format!("`{path}` does not fit `[game] referee`: {why}");
        problems.wrong(tree.locate(path).unwrap_or(tree.span), path, message, help);
    };
    // A resolved config has sections with the default values.
    let given = |name: &&str| !origin.is_resolved && tree.get(name).is_some();
    for name in SECTIONS.into_iter().filter(given) {
        let help = match name {
            "limits" => "delete the section; `timeout` in `[game]` limits the time of a game",
            "openings" => "delete the section; the referee may choose the start by `{seed}`",
            _ => "delete the section",
        };
        refuse(name, help.to_owned(), problems);
    }
    let output = tree.table("output").and_then(|output| output.get("moves"));
    if output.is_some_and(|entry| entry.node.raw == Raw::Bool(true)) {
        let help = "delete the key; `{log}` in the command is the path of a file for each game";
        refuse("output.moves", help.to_owned(), problems);
    }
}
