//! Reads and writes the books of a game's solver.

use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::cli::failure::Failure;
use crate::play::PositionSolver;
use crate::util::unix;

/// Reads the book. If `plies` is given, creates the book first.
pub fn open(path: &Path, plies: Option<u32>, solver: &mut PositionSolver) -> Result<(), Failure> {
    let shown = path.display();
    let fail =
        |message: String, help: &str| Failure::usage(format!("`--book`: {shown}: {message}"), help);
    let unwritable = |error: io::Error| {
        fail(format!("cannot be written: {error}"), "name a file in a folder that you can write to")
    };
    let text = match plies {
        Some(_) if path.exists() => {
            return Err(fail(
                "this file exists already".to_owned(),
                "leave `--book-plies` out to read it, or name another file",
            ));
        }
        Some(plies) => {
            // A write error is found before hours of work. If the work is interrupted, no file is
            // left.
            beside(path).map_err(unwritable)?;
            let made = solver.make_book(plies);
            let text = made.map_err(|why| fail(why, "use fewer plies, or leave `--book` out"))?;
            write(path, &text).map_err(unwritable)?;
            text
        }
        None => std::fs::read_to_string(path).map_err(|error| {
            fail(format!("cannot be read: {error}"), "`--book-plies N` creates a book")
        })?,
    };
    solver.read_book(&text).map_err(|why| {
        fail(why, "name a book that was created for this game, or leave `--book` out")
    })
}

/// Writes a new file atomically.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(text.as_bytes())?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// An empty temporary file in the folder of another file. It is deleted unless it takes that name.
/// It has the usual permissions of new files.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    tempfile::Builder::new().permissions(unix::permissions(0o666)).tempfile_in(folder)
}
