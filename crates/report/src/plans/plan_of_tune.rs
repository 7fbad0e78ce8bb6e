//! The plan of a tune: its games, its time, and the loss that is expected to be left.

use serde_json::{Value as Json, json};

use crate::figures::run_results::Heading;
use crate::kinds::tune;
use crate::stats::tuning::TuneDesign;
use crate::terminal_progress::duration;
use crate::text::number_format::{counted, fixed, grouped, percentage};
use crate::text::text_table::{Document, TextTable};

/// The figures of a planned tune.
pub struct PlanOfTune<'a> {
    pub heading: Heading,
    pub design: &'a TuneDesign,
    /// Seconds of a game on one thread, if games could be played.
    pub seconds: Option<f64>,
    pub jobs: usize,
}

/// The distances of the starts from their optimum, in half ranges.
const DISTANCES: [f64; 4] = [0.0, 0.25, 0.5, 1.0];

impl PlanOfTune<'_> {
    /// Seconds of this number of games.
    fn time(&self, games: u64) -> Option<f64> {
        Some(self.seconds? * games as f64 / self.jobs.max(1) as f64)
    }

    fn table(&self) -> TextTable {
        let mut table = TextTable::new("How many Elo are left on average?").figures([
            "start off by",
            "Elo at start",
            "at the end",
            "of the answer",
        ]);
        for distance in DISTANCES {
            let regret = self.design.expected_regret(distance);
            let losses = [regret.start, regret.end, regret.mean].map(|loss| fixed(loss, 2));
            let distance = format!("{} %", grouped((100.0 * distance) as u64));
            table.row([distance].into_iter().chain(losses));
        }
        table.notes.extend(tune::too_short(self.design));
        table.note(
            "start off by: distance of each start from its optimum, in half ranges; of the answer: \
             of the mean over the second half; see docs/tune.md",
        );
        table
    }
}

impl Document for PlanOfTune<'_> {
    fn text(&self, markdown: bool, width: Option<usize>) -> String {
        let Heading { name, game, openings, .. } = &self.heading;
        let TuneDesign { agent, parameters, precision_elo, confidence, test_games, .. } =
            self.design;
        let with_time = |games: u64| {
            let time = self.time(games).map(|time| match time < 1.0 {
                true => ", under 1 s".to_owned(),
                false => format!(", about {}", duration(time)),
            });
            let threads = counted(self.jobs as u64, "thread");
            let time = time.map_or(String::new(), |time| format!("{time} on {threads}"));
            format!("{}{time}", counted(games, "game"))
        };
        let lines = [
            format!("{name} · {game} · {openings}"),
            format!(
                "tune of {}: {}; {} of {} each",
                agent,
                with_time(self.design.games()),
                counted(self.design.rounds(), "round"),
                counted(self.design.pairs_of_round(), "opening pair"),
            ),
            format!("then a test against the start: at most {}", with_time(*test_games)),
            format!(
                "{} % of tunes end within {} Elo of the optimum, if each parameter loses {} Elo at half \
                 its range",
                percentage(confidence.level(), 0),
                fixed(*precision_elo, 2),
                fixed(parameters.first().map_or(0.0, |(_, range)| range.elo), 1),
            ),
        ];
        self.table().below(&lines, markdown, width)
    }

    fn json(&self) -> Json {
        let design = self.design;
        let losses: Vec<Json> = (DISTANCES.iter())
            .map(|&distance| {
                let regret = design.expected_regret(distance);
                json!({
                    "distance": distance,
                    "start_elo": regret.start,
                    "end_elo": regret.end,
                    "answer_elo": regret.mean,
                })
            })
            .collect();
        json!({
            "name": self.heading.name,
            "game": self.heading.game,
            "openings": self.heading.openings,
            "games": design.games(),
            "rounds": design.rounds(),
            "pairs_of_round": design.pairs_of_round(),
            "gain": design.spsa().gain,
            "precision_elo": design.precision_elo,
            "confidence": design.confidence.level(),
            "max_test_games": design.test_games,
            "seconds": self.time(design.games()),
            "jobs": self.jobs,
            "expected_loss": losses,
        })
    }
}
