//! The list of exporters, which write the files derived from `games.csv`.

use super::csv_files::{Agents, Pairings, Seats};
use super::exporter::{Exporter, Source};
use super::html::Page;
use super::pgn::Pgn;
use super::summary::SummaryText;
use crate::arena::FolderError;

/// The exporters of every run; add a new format here.
pub const TABLES: [&dyn Exporter; 4] = [&Agents, &Pairings, &Seats, &SummaryText];
/// Games of chess in PGN; this exporter takes longer.
pub const PGN: &dyn Exporter = &Pgn;
/// The HTML page; it needs the run's history.
pub const PAGE: &dyn Exporter = &Page;

/// Writes the files of these exporters, unless an exporter does not want its file.
///
/// # Errors
/// As [`Exporter::write`].
pub fn export(source: &Source<'_>, exporters: &[&dyn Exporter]) -> Result<(), FolderError> {
    for exporter in exporters.iter().filter(|exporter| exporter.is_wanted(source)) {
        let mut out = source.folder.replacement(exporter.file())?;
        exporter.write(source, &mut out)?;
        out.keep()?;
    }
    Ok(())
}
