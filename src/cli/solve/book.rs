//! Books of a game's solver: read, or made and written.

use std::io::Write;
use std::path::Path;

use crate::cli::exit::Failure;
use crate::world::PositionSolver;

/// Reads the book; where plies are given makes it before.
///
/// # Errors
/// A book that cannot be made, written or read, or is another game's.
pub fn open(
    path: &Path,
    plies: Option<u32>,
    solver: &mut dyn PositionSolver,
) -> Result<(), Failure> {
    let shown = path.display();
    let fail = |message: String, help: &str| {
        Err(Failure::Usage(format!("`--book`: {shown}: {message}\nhelp: {help}")))
    };
    let text = match plies {
        Some(_) if path.exists() => {
            return fail(
                "this file is there already".to_owned(),
                "leave `--book-plies` out to read it, or name another file",
            );
        }
        Some(plies) => {
            let text = match solver.make_book(plies) {
                Ok(text) => text,
                Err(message) => {
                    return fail(
                        message,
                        "fewer plies where it is a matter of plies, else no book",
                    );
                }
            };
            // Whole or not at all.
            let folder = match path.parent() {
                Some(parent) if parent != Path::new("") => parent,
                _ => Path::new("."),
            };
            let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.persist_noclobber(path).map_err(|error| error.error)
            });
            if let Err(error) = written {
                return fail(
                    format!("cannot be written: {error}"),
                    "name a file in a folder of yours",
                );
            }
            text
        }
        None => match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                return fail(format!("cannot be read: {error}"), "`--book-plies N` makes a book");
            }
        },
    };
    match solver.read_book(&text) {
        Ok(()) => Ok(()),
        Err(message) => fail(message, "a book that was made for this very game, or none"),
    }
}
