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
    let unwritable = |error: std::io::Error| {
        fail(format!("cannot be written: {error}"), "name a file in a folder of yours")
    };
    let text = match plies {
        Some(_) if path.exists() => {
            return fail(
                "this file is there already".to_owned(),
                "leave `--book-plies` out to read it, or name another file",
            );
        }
        Some(plies) => {
            // Whole or not at all; and whether there is room is known before the hours of work.
            let folder = match path.parent() {
                Some(parent) if parent != Path::new("") => parent,
                _ => Path::new("."),
            };
            let mut file = match tempfile::NamedTempFile::new_in(folder) {
                Ok(file) => file,
                Err(error) => return unwritable(error),
            };
            let text = match solver.make_book(plies) {
                Ok(text) => text,
                Err(message) => {
                    return fail(
                        message,
                        "fewer plies where it is a matter of plies, else no book",
                    );
                }
            };
            let written = file
                .write_all(text.as_bytes())
                .and_then(|()| file.persist_noclobber(path).map_err(|error| error.error));
            if let Err(error) = written {
                return unwritable(error);
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
