//! `report.html`, written from what stands in the results folder.

use super::exit::Failure;
use super::tables::Results;
use crate::arena::{Folder, MoveStats, RunHistory};
use crate::config::Experiment;
use crate::report::Page;

/// The page beside the tables.
pub const NAME: &str = "report.html";

/// Writes the page of results; what is known of the experiment is shown as well.
///
/// # Errors
/// A `moves.csv` that cannot be read, or a disk that refuses.
pub fn write(
    folder: &Folder,
    results: &Results,
    history: &RunHistory,
    experiment: Option<&Experiment>,
) -> Result<(), Failure> {
    let looked = MoveStats::of(folder, &history.highlights.games(), &results.tally.names)?;
    let manifest = folder.manifest();
    let faults = history.highlights.faults.iter().map(|kept| {
        let names = &results.tally.names;
        let agents = [kept.row.first, kept.row.second].map(|agent| names[agent].as_str());
        (kept.row.game, folder.logs(kept.row.game, agents))
    });
    let page = Page {
        heading: &results.heading,
        tally: &results.tally,
        context: &results.context,
        ranking: &results.ranking,
        history,
        manifest: manifest.as_ref(),
        world: experiment.map(|experiment| &experiment.world),
        agents: experiment.map_or(&[], |experiment| &experiment.agents),
        looked: &looked,
        logs: faults.collect(),
    };
    Ok(folder.replace(NAME, page.render().as_bytes())?)
}
