//! The list of exporters, which write the files derived from `games.csv`.

use super::csv_tables::{AGENTS, KindTable, PAIRINGS, SEATS};
use super::exporter_trait::{ExportSource, Exporter};
use super::html::ReportPage;
use super::pgn_exporter::PgnExporter;
use super::summary_text::SummaryText;
use crate::arena::{DerivedFile, FolderError};

/// The exporters of every run; add a new format here.
pub const TABLES: &[&dyn Exporter] = &[
    &AGENTS,
    &PAIRINGS,
    &SEATS,
    &KindTable(DerivedFile::Decisions),
    &KindTable(DerivedFile::Standings),
    &KindTable(DerivedFile::Matches),
    &KindTable(DerivedFile::Tune),
    &SummaryText,
];
/// Games of chess in PGN; this exporter takes longer.
pub const PGN: &dyn Exporter = &PgnExporter;
/// The HTML page; it needs the run's history.
pub const PAGE: &dyn Exporter = &ReportPage;

/// Writes the files of these exporters, unless an exporter does not want its file.
///
/// # Errors
/// As [`Exporter::write`].
pub fn export(source: &ExportSource<'_>, exporters: &[&dyn Exporter]) -> Result<(), FolderError> {
    for exporter in exporters.iter().filter(|exporter| exporter.is_wanted(source)) {
        let mut out = source.folder.replacement(exporter.file().word())?;
        exporter.write(source, &mut out)?;
        out.keep()?;
    }
    Ok(())
}
