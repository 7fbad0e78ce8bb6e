//! The folders of `--out`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::arena::ResultRows;
use crate::cli::failure::Failure;

/// The folder of `--out` for a list; each list of `--split-by` has a folder of its own.
pub(super) fn folder_of_list(out: &Path, rows: &ResultRows, list: u32) -> PathBuf {
    match rows.lists.is_empty() {
        true => out.to_owned(),
        false => out.join(file_name(rows.lists.text(list))),
    }
}

/// The value of a list as the name of a folder.
fn file_name(value: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "._-+".contains(c) { c } else { '_' };
    let name: String = value.chars().map(safe).collect();
    if name.trim_matches('.').is_empty() { format!("_{name}") } else { name }
}

pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot make the folder {}: {error}", folder.display());
        Failure::usage(message, "name another folder with `--out`")
    })
}
