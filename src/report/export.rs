//! The files that are derived from `games.csv`: the list of their exporters.

use super::csv_files::{Agents, Pairings, Seats};
use super::exporter::{Exporter, Source};
use super::html::Page;
use super::pgn::Pgn;
use super::summary::SummaryText;
use crate::arena::FolderError;

/// What every run writes: a new format is a line here.
pub const TABLES: [&dyn Exporter; 4] = [&Agents, &Pairings, &Seats, &SummaryText];
/// The games of chess; it takes longer.
pub const PGN: &dyn Exporter = &Pgn;
/// The page; it needs the run's history.
pub const PAGE: &dyn Exporter = &Page;

/// Writes the files of these exporters, those that are wanted.
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
