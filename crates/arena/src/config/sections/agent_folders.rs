//! `dir = "class/*"`: one agent of each folder that matches, with the name of the folder.

use std::path::Path;

use super::agent_names::default_template;
use crate::config::tree::diagnostics::Problems;
use crate::config::tree::sweep::Sweep;
use crate::config::tree::toml_tree::{Raw, TomlNode, TomlTable};
use crate::engine::expand_home;

/// The sign in `dir` that stands for any part of a name.
const ANY: char = '*';

/// Replaces each engine whose `dir` is a pattern by one engine of each folder that matches. An
/// engine without `name` gets the name of its folder, an engine without `unavailable_wait` does not
/// wait, and an engine without `sandbox` gets one. Returns false after a mistake.
pub(crate) fn expand(sweep: &mut Sweep, path: &str, problems: &mut Problems) -> bool {
    let mut tables: Vec<TomlTable> = Vec::new();
    let mut is_pattern = false;
    for table in std::mem::take(&mut sweep.tables) {
        let dir = table.get("dir").filter(|_| table.text("kind") == Some("engine"));
        let Some((dir, pattern)) = dir.and_then(|dir| Some((dir, dir.node.text()?))) else {
            tables.push(table);
            continue;
        };
        if !pattern.contains(ANY) {
            tables.push(table);
            continue;
        }
        let folders = match matching(pattern) {
            Ok(folders) => folders,
            Err((message, help)) => {
                let key = format!("{path}.dir");
                problems.wrong(dir.node.span, key, message, help);
                return false;
            }
        };
        let (before, after) = around(pattern);
        for folder in folders {
            let mut one = table.clone();
            let mut put = |key: &str, text: String| {
                one.set(key, dir.at, TomlNode::new(Raw::Text(text), dir.node.span));
            };
            put("dir", format!("{before}{folder}{after}"));
            if table.get("name").is_none() {
                put("name", default_template(&folder, &sweep.keys));
            }
            // A program that is not trusted must not gain time.
            if table.get("unavailable_wait").is_none() {
                let none = TomlNode::new(Raw::Int(0), dir.node.span);
                one.set("unavailable_wait", dir.at, none);
            }
            if table.get("sandbox").is_none() {
                let yes = TomlNode::new(Raw::Text("true".to_owned()), dir.node.span);
                one.set("sandbox", dir.at, yes);
            }
            tables.push(one);
        }
        is_pattern = true;
    }
    sweep.tables = tables;
    if is_pattern {
        sweep.keys.push("dir".to_owned());
    }
    true
}

/// The pattern before and after the part that has the sign.
fn around(pattern: &str) -> (&str, &str) {
    let at = pattern.find(ANY).unwrap_or_default();
    let begin = pattern[..at].rfind('/').map_or(0, |slash| slash + 1);
    let end = pattern[at..].find('/').map_or(pattern.len(), |slash| at + slash);
    (&pattern[..begin], &pattern[end..])
}

/// The names that the part with the sign may have, sorted. As in a shell, the sign does not match
/// the dot of a hidden folder. A cache that Python writes is no program.
fn matching(pattern: &str) -> Result<Vec<String>, (String, String)> {
    let (before, after) = around(pattern);
    let part = &pattern[before.len()..pattern.len() - after.len()];
    let (prefix, suffix) = part.split_once(ANY).unwrap_or((part, ""));
    if suffix.contains(ANY) || after.contains(ANY) {
        let message = format!("`{pattern}` has more than one `{ANY}`");
        return Err((message, "keep one, as in `dir = \"class/*\"`".to_owned()));
    }
    let folder = expand_home(if before.is_empty() { "." } else { before });
    let shown = std::path::absolute(&folder).unwrap_or_else(|_| folder.clone());
    let shown = shown.display().to_string();
    let shown = shown.trim_end_matches('/');
    let relative = "a relative path begins in the folder in which agon is started";
    let entries = std::fs::read_dir(&folder).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => (format!("there is no folder {shown}"), relative.into()),
        _ => (format!("cannot read the folder {shown}: {error}"), String::new()),
    })?;
    let mut names = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().into_string().map_err(|name| {
            let message = format!("the name of {} is not UTF-8", Path::new(&name).display());
            (format!("{message} (in {shown})"), "rename this folder".to_owned())
        })?;
        let is_long = name.len() >= prefix.len() + suffix.len();
        let is_hidden = name == "__pycache__" || name.starts_with('.') && prefix.is_empty();
        if is_long
            && !is_hidden
            && name.starts_with(prefix)
            && name.ends_with(suffix)
            && folder.join(format!("{name}{after}")).is_dir()
        {
            names.push(name);
        }
    }
    if names.is_empty() {
        let message = format!("no folder matches `{pattern}` in {shown}");
        return Err((message, format!("each program needs a folder of its own; {relative}")));
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_folders() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in [
            "class/bob",
            "class/al b/src",
            "class/.git",
            "class/__pycache__",
            "class/team_1",
            "empty",
        ] {
            std::fs::create_dir_all(dir.path().join(name)).expect("a folder");
        }
        std::fs::write(dir.path().join("class/notes.txt"), "").expect("a file");
        let names = |pattern: &str| {
            let pattern = dir.path().join(pattern).display().to_string();
            matching(&pattern).map_err(|(message, _)| message)
        };
        assert_eq!(names("class/*"), Ok(vec!["al b".into(), "bob".into(), "team_1".into()]));
        assert_eq!(names("class/*/"), names("class/*"));
        assert_eq!(names("class/*/src"), Ok(vec!["al b".into()]));
        assert_eq!(names("class/team*1"), Ok(vec!["team_1".into()]));
        assert!(names("class/bob*bob").expect_err("too short").starts_with("no folder matches"));
        assert!(names("empty/*").expect_err("empty").contains("empty"));
        assert!(names("none/*").expect_err("missing").starts_with("there is no folder /"));
        assert!(names("*/*").expect_err("two").contains("more than one"));
    }
}
