//! `games.pgn`: games of chess for other programs.

use super::exporter::{ExportSource, Exporter};
use crate::arena::{FolderError, Replacement, write_pgn};
use crate::config::PgnOutput as Wanted;

/// `games.pgn`, for games that have such a record format.
pub struct PgnExporter;

impl Exporter for PgnExporter {
    fn file(&self) -> &'static str {
        "games.pgn"
    }

    fn is_wanted(&self, source: &ExportSource<'_>) -> bool {
        source.experiment.is_some_and(|experiment| {
            experiment.output.pgn != Wanted::None && experiment.world.transcribe("", "").is_some()
        })
    }

    fn write(&self, source: &ExportSource<'_>, out: &mut Replacement) -> Result<(), FolderError> {
        let Some(experiment) = source.experiment else { return Ok(()) };
        let comments = experiment.output.pgn == Wanted::Comments && experiment.output.moves;
        let (world, refused) = (&experiment.world, out.refused());
        let names = &source.results.tally.names;
        write_pgn(source.folder, (world, &experiment.name), names, comments, out, &refused)
    }
}
