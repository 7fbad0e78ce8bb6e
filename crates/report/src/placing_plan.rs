//! The next games of a newcomer to a list of ratings: as text, CSV and JSON.

use serde_json::{Value, json};

use crate::stats::ranked::{PlacingGames, PlacingStage};
use crate::text::data_table::DataTable;
use crate::text::number_format::{NONE, counted, elo, fixed, grouped};
use crate::text::text_table::TextTable;

/// What a newcomer has to play.
pub struct PlacingPlan {
    pub newcomer: String,
    /// The asked half width of the interval, in Elo.
    pub within: f64,
    pub placing: PlacingGames,
    /// The names and the ratings of the next opponents.
    pub opponents: Vec<(String, Option<f64>)>,
}

impl PlacingPlan {
    /// The opponents of the next games.
    pub fn table(&self) -> TextTable {
        let title =
            format!("How is {} placed within ± {} Elo?", self.newcomer, fixed(self.within, 0));
        let mut table = TextTable::new(&title).text(["opponent"]).figures(["Elo", "games"]);
        for (name, rating) in &self.opponents {
            let rating = rating.map_or(NONE.to_owned(), elo);
            let games = self.placing.games_each.to_string();
            table.row([name.clone(), rating, games]);
        }
        self.sentences().into_iter().for_each(|sentence| table.note(sentence));
        table
    }

    fn sentences(&self) -> Vec<String> {
        let PlacingGames {
            stage,
            known: [mean, deviation],
            opponents,
            games_each,
            games,
            hopeless,
            gauntlet,
        } = &self.placing;
        let name = &self.newcomer;
        let next = opponents.len() as u64 * games_each;
        let assumed =
            format!("its rating is assumed to be {} ± {}", elo(*mean), fixed(*deviation, 0));
        let mut sentences = match stage {
            PlacingStage::Search => {
                let after = games.unwrap_or(next).saturating_sub(next);
                let mut sentences = vec![
                    format!("{assumed} (standard deviation), so the first {} search for it", counted(next, "game")),
                    format!("about {} more against near opponents follow", grouped(after)),
                ];
                sentences.extend((*hopeless > 0.0).then(|| {
                    format!(
                        "for about {} % of its likely ratings, no sensible number of games is enough, \
                         because the ratings of the opponents there are too uncertain; the search shows it",
                        fixed(100.0 * hopeless, 0)
                    )
                }));
                sentences
            }
            PlacingStage::Measure => {
                let all = games.unwrap_or(next);
                let enough = match all > next {
                    true => format!("about {} more follow", grouped(all - next)),
                    false => "they are probably enough".to_owned(),
                };
                vec![format!("{assumed} (standard deviation), {}: {enough}", counted(next, "game"))]
            }
            PlacingStage::Placed => vec![format!("{name} is placed: no more games are necessary")],
            PlacingStage::Impossible => vec![
                "no sensible number of games is enough, because the ratings of the opponents are too uncertain: \
                 play more games between them, or ask for a larger `--within`"
                    .to_owned(),
            ],
        };
        if matches!(stage, PlacingStage::Search | PlacingStage::Measure) {
            sentences.push(
                "play half of the games with each seat, then run this command with their results"
                    .to_owned(),
            );
        }
        sentences.extend(gauntlet.map(|games| {
            format!("equally many games against everybody: {} from the start", grouped(games))
        }));
        sentences
    }

    /// The opponents of the next games for programs.
    pub fn opponents_table(&self) -> DataTable<'_> {
        DataTable::new("player, elo, games", move |push| {
            for (name, rating) in &self.opponents {
                let games = self.placing.games_each;
                push(vec![name.as_str().into(), (*rating).into(), games.into()]);
            }
        })
    }

    /// The plan as JSON.
    pub fn json(&self) -> Value {
        let PlacingGames { stage, known: [mean, deviation], games, hopeless, gauntlet, .. } =
            &self.placing;
        let stage = match stage {
            PlacingStage::Search => "search",
            PlacingStage::Measure => "measure",
            PlacingStage::Placed => "placed",
            PlacingStage::Impossible => "impossible",
        };
        json!({
            "assumed_elo": mean,
            "assumed_se": deviation,
            "games": games,
            "gauntlet_games": gauntlet,
            "hopeless": hopeless,
            "opponents": self.opponents_table().json(),
            "player": self.newcomer,
            "stage": stage,
            "within": self.within,
        })
    }
}
