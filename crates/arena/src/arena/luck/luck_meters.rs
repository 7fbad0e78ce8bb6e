//! The meters of luck for all games of a folder: one, or two that are fitted to each other's games.

use crate::arena::folder::results_folder::Folder;
use crate::config::Experiment;
use crate::params::ParamError;
use crate::play::{ChoiceReader, LuckMeter, LuckSettings, Roll, ValueReader};
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::rows::results_folder_errors::FolderError;
use crate::stats::{LogisticFit, LogisticMap};
use std::collections::BTreeMap;

/// Measures the luck in the games of a folder.
///
/// A map that is fitted to the games that it adjusts would remove more than luck. So the games are
/// in two halves: odd and even pairs of each pairing of agents. The map of each half is fitted to
/// the other half.
pub struct LuckMeters {
    /// One for all games, or one for each half.
    meters: Vec<LuckMeter>,
    /// The fitted maps: for odd pairs, and for even pairs.
    pub maps: Option<[LogisticMap; 2]>,
    choices: ChoiceReader,
    /// The experiment's number of each agent of the rows.
    agents: Vec<usize>,
}

/// Which half of the games a row belongs to. Rows must come in game order.
#[derive(Debug, Default)]
pub(crate) struct Halves(BTreeMap<u32, u64>);

impl Halves {
    /// 0 for odd pairs, 1 for even pairs of its pairing.
    pub fn next(&mut self, row: &GameRow) -> usize {
        let rows = self.0.entry(row.pairing).or_default();
        *rows += 1;
        usize::from((*rows - 1) % 4 >= 2)
    }
}

impl LuckMeters {
    /// Meters by these settings, which the game must support. Fitted settings read the games of the
    /// folder. `names` are those of the rows' agents.
    ///
    /// # Errors
    /// An unreadable `games.csv`, or moves that are not a legal game.
    pub fn new(
        folder: &Folder,
        names: &[String],
        experiment: &Experiment,
        settings: &LuckSettings,
    ) -> Result<Self, FolderError> {
        let any_game = &experiment.any_game;
        let known = |name: &String| experiment.agents.iter().position(|agent| agent.name == *name);
        let agents: Vec<usize> = names.iter().map(|name| known(name).unwrap_or_default()).collect();
        let specs = experiment.agents.iter().map(|agent| agent.spec.clone()).collect();
        let tuned = experiment.kind.changing_agents();
        let choices = ChoiceReader::new(any_game, specs, tuned, experiment.seed);
        let unfit = |error: ParamError| FolderError::unfit(error.message, error.help);
        let Some(reader) = ValueReader::new(any_game, settings).map_err(unfit)? else {
            let meter = any_game.luck_meter(settings).map_err(unfit)?;
            return Ok(LuckMeters { meters: vec![meter], maps: None, choices, agents });
        };
        let path = folder.file("games.csv");
        let mut rows = GameRows::open(&path, names)?;
        let mut halves = Halves::default();
        let mut fits = [LogisticFit::default(), LogisticFit::default()];
        while let Some(row) = rows.next_row().map_err(FolderError::rows(&path))? {
            let fit = &mut fits[halves.next(&row)];
            let (opening, moves) = rows.owned_texts();
            let sides = choices.sides([row.first, row.second].map(|agent| agents[agent]));
            let added = reader.add((&opening, &moves), row.outcome, sides, fit);
            added.map_err(|why| FolderError::no_game(&path, row.game, &why))?;
        }
        // A half without games takes nothing from the other half's scores.
        let flat = LogisticMap { scale: 1e9, offset: 0.0 };
        let [odd, even] = fits.map(|fit| fit.map().unwrap_or(flat));
        let maps = [even, odd];
        let meters = maps.into_iter().map(|map| any_game.luck_meter(&settings.with_map(map)));
        let meters = meters.collect::<Result<_, _>>().map_err(unfit)?;
        Ok(LuckMeters { meters, maps: Some(maps), choices, agents })
    }

    /// The first player's luck in a game of a half, in points; each part is passed to `observe`.
    ///
    /// # Errors
    /// Moves that are not a legal game, or choices that agents do not repeat, for people.
    pub(crate) fn luck(
        &mut self,
        half: usize,
        row: &GameRow,
        (opening, moves): (&str, &str),
        observe: &mut dyn FnMut(&Roll),
    ) -> Result<f64, String> {
        let agents = [row.first, row.second].map(|agent| self.agents[agent]);
        let choices = self.choices.choices(row.game, agents, (opening, moves))?;
        let last = self.meters.len() - 1;
        self.meters[half.min(last)].luck(opening, moves, &choices, observe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_each_pairing_alternate_between_the_halves() {
        let mut halves = Halves::default();
        let mut half = |pairing| halves.next(&GameRow { pairing, ..GameRow::default() });
        let found = [1, 1, 2, 2, 1, 1, 2, 2, 1, 1].map(&mut half);
        assert_eq!(found, [0, 0, 0, 0, 1, 1, 1, 1, 0, 0]);
    }
}
