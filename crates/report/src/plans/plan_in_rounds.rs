//! The plan of a format in rounds: the games that it needs if the agents differ as guessed, beside
//! other formats.

use serde_json::{Value as Json, json};

use super::plan_estimates::correlation_words;
use crate::config::{Experiment, RunKind};
use crate::figures::run_results::Heading;
use crate::rounds::adaptive_rounds::{AdaptiveDesign, AdaptiveQuestion};
use crate::rounds::simulated_rounds::Strengths;
use crate::rounds::tournament::TournamentDesign;
use crate::stats::games_for_precision as planning;
use crate::terminal_progress::duration;
use crate::text::number_format::{NONE, counted, grouped, percent};
use crate::text::text_table::{Document, TextTable};

/// The figures of a planned run in rounds.
pub struct PlanInRounds {
    pub heading: Heading,
    /// `None`: a tournament of matches.
    pub design: Option<AdaptiveDesign>,
    pub names: Vec<String>,
    /// The share of draws between equal agents, and the games in which it was measured.
    pub draws: f64,
    /// The assumed correlation between the two games of a pair.
    pub correlation: f64,
    pub calibration: u64,
    /// Seconds of a game on one thread, if games could be played.
    pub seconds: Option<f64>,
    pub jobs: usize,
    /// The games of each two agents before the run; 0 without a pool.
    pub earlier_games: u64,
    pub rows: Vec<PlannedFormat>,
}

/// The games of a format, if the agents differ as guessed.
pub struct PlannedFormat {
    /// How the agents differ.
    pub field: String,
    pub format: String,
    /// The mean number of games, with the range of 90 % of the runs.
    pub games: Option<(f64, [u64; 2])>,
    /// The shares of runs that end without an answer, and with close agents.
    pub undecided: Option<f64>,
    pub close: Option<f64>,
    /// Of a tournament of matches: the shares of runs that the best agent wins, and with a tie for
    /// the first place.
    pub matches: Option<[f64; 2]>,
}

/// The number of simulated tournaments for this number of agents: fewer for many agents, because
/// each takes longer.
fn simulations(agents: usize) -> u64 {
    (2_000 / agents.max(1) as u64).clamp(10, 200)
}

/// The same for a tournament of matches: the pairs of a Swiss round take longer with many agents.
fn tournament_simulations(agents: usize) -> u64 {
    let agents = agents.max(1) as u64;
    simulations(agents as usize).min((100_000 / (agents * agents)).max(4))
}

/// From this number of agents on, only the format of the config is simulated.
const MANY: usize = 100;

/// Simulated runs in rounds of agents that differ as guessed, beside other formats.
pub fn simulated_formats(experiment: &Experiment, guess: (&str, &Strengths)) -> Vec<PlannedFormat> {
    match &experiment.kind {
        RunKind::Rounds(design) => {
            planned_formats(guess, *design, &experiment.agent_names(), experiment.seed)
        }
        RunKind::Matches(design) => {
            let own = (experiment.schedule.format.word, design);
            planned_tournament(guess, own, experiment.seed)
        }
        _ => Vec::new(),
    }
}

/// The rows of all formats for one guess. `seed` decides all simulated results.
fn planned_formats(
    (label, field): (&str, &Strengths),
    design: AdaptiveDesign,
    names: &[String],
    seed: u64,
) -> Vec<PlannedFormat> {
    let all = match design.question {
        AdaptiveQuestion::Best => [AdaptiveQuestion::Best, AdaptiveQuestion::Ranking],
        question => [question, AdaptiveQuestion::Best],
    };
    let shown = if names.len() > MANY { &all[..1] } else { &all[..] };
    let runs = simulations(names.len());
    let mut rows: Vec<PlannedFormat> = (shown.iter())
        .map(|&question| {
            // The variance of scores without luck is not known, so raw scores are simulated.
            let design = AdaptiveDesign { question, adjusted: false, ..design };
            let (games, [undecided, close]) = summary(runs, seed, &|seed| {
                let run = field.simulate(design, seed);
                (run.games, [!run.decided, run.close])
            });
            PlannedFormat {
                field: label.to_owned(),
                format: word(question, names),
                games: Some(games),
                undecided: Some(undecided),
                close: Some(close),
                matches: None,
            }
        })
        .collect();
    let mut strengths = field.strengths.clone();
    strengths.sort_by(|a, b| b.total_cmp(a));
    let gaps: Vec<f64> = strengths.windows(2).map(|two| two[0] - two[1]).collect();
    let smallest = gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let variance = planning::variance_per_game(0.5, field.draws).unwrap_or(0.25);
    let variance = variance * (1.0 + field.correlation);
    let mut fixed = vec![("round robin, order", smallest)];
    if let Some(&first) = gaps.first()
        && first != smallest
    {
        fixed.insert(0, ("round robin, best", first));
    }
    rows.extend(fixed.into_iter().map(|(format, gap)| {
        PlannedFormat {
            field: label.to_owned(),
            format: format.to_owned(),
            games: planning::round_robin(gap, variance, names.len() as u64)
                .map(|games| (games as f64, [games; 2])),
            undecided: None,
            close: None,
            matches: None,
        }
    }));
    rows
}

/// The number of games of simulated runs: their mean, and the range of 90 % of the runs. Also returns
/// the shares of runs with two properties. `simulate` plays the run of a seed.
fn summary(
    runs: u64,
    seed: u64,
    simulate: &dyn Fn(u64) -> (u64, [bool; 2]),
) -> ((f64, [u64; 2]), [f64; 2]) {
    let mut ended: Vec<(u64, [bool; 2])> =
        (0..runs).map(|run| simulate(seed.wrapping_add(run))).collect();
    ended.sort_by_key(|(games, _)| *games);
    let n = ended.len();
    let mean = ended.iter().map(|(games, _)| *games as f64).sum::<f64>() / n as f64;
    let range = [ended[n / 20].0, ended[n - 1 - n / 20].0];
    let share = |i: usize| ended.iter().filter(|(_, is)| is[i]).count() as f64 / n as f64;
    ((mean, range), [share(0), share(1)])
}

/// A tournament of matches and a round robin with matches of the same length, for one guess.
fn planned_tournament(
    (label, field): (&str, &Strengths),
    (own, design): (&str, &TournamentDesign),
    seed: u64,
) -> Vec<PlannedFormat> {
    let runs = tournament_simulations(field.strengths.len());
    let rows = [(own, Some(design)), ("round robin", None)];
    let rows = rows.into_iter().map(|(format, played)| {
        let (games, shares) = summary(runs, seed, &|seed| {
            let run = field.simulate_matches(played, design.games, seed);
            (run.games, [run.best_wins, run.tied])
        });
        PlannedFormat {
            field: label.to_owned(),
            format: format.to_owned(),
            games: Some(games),
            undecided: Some(0.0),
            close: None,
            matches: Some(shares),
        }
    });
    rows.collect()
}

fn word(question: AdaptiveQuestion, names: &[String]) -> String {
    match question {
        AdaptiveQuestion::Best => "best".to_owned(),
        AdaptiveQuestion::Ranking => "ranking".to_owned(),
        AdaptiveQuestion::Against(agent) => format!("against {}", names[agent]),
    }
}

impl PlanInRounds {
    /// Simulated runs in a row of the table.
    fn runs(&self) -> u64 {
        match self.design {
            Some(_) => simulations(self.names.len()),
            None => tournament_simulations(self.names.len()),
        }
    }

    fn time(&self, games: f64) -> Option<f64> {
        Some(self.seconds? * games / self.jobs.max(1) as f64)
    }

    fn table(&self) -> TextTable {
        let has_close = self.design.is_some_and(|design| design.epsilon_elo.is_some());
        let (title, shares): (_, &[&str]) = match self.design {
            Some(_) => ("How many games does the answer need?", &["open %"]),
            None => ("How often does the best agent win?", &["best wins %", "tied %"]),
        };
        let mut table = TextTable::new(title)
            .text(["Elo", "format"])
            .figures(["games", "90 % of runs"])
            .figures(shares.iter().copied())
            .figures(has_close.then_some("close %"))
            .figures(self.seconds.map(|_| "time"));
        let mut last = "";
        for row in &self.rows {
            let shown = if row.field == last { "" } else { &row.field };
            last = &row.field;
            table.row(self.cells(row, shown, has_close));
        }
        self.add_notes(&mut table);
        table
    }

    /// The cells of a row; `field` is empty below the first row of a field.
    fn cells(&self, row: &PlannedFormat, field: &str, has_close: bool) -> Vec<String> {
        let (games, range) = match row.games {
            Some((mean, [low, high])) if row.undecided.is_some() => {
                (grouped(mean.round() as u64), format!("{} to {}", grouped(low), grouped(high)))
            }
            Some((games, _)) => (format!("≈ {}", grouped(games as u64)), NONE.to_owned()),
            None => (NONE.to_owned(), NONE.to_owned()),
        };
        let share = |share: Option<f64>| match share {
            Some(share) => percent(Some(share)).trim_end_matches(".0").to_owned(),
            None => NONE.to_owned(),
        };
        let time = row.games.and_then(|(mean, _)| self.time(mean));
        let time = time.map_or(NONE.to_owned(), |time| match time < 1.0 {
            true => "under 1 s".to_owned(),
            false => duration(time),
        });
        let mut cells = vec![field.to_owned(), row.format.clone(), games, range];
        match row.matches {
            Some(shares) => cells.extend(shares.map(|of| share(Some(of)))),
            None => cells.push(share(row.undecided)),
        }
        cells.extend(has_close.then(|| share(row.close)));
        cells.extend(self.seconds.map(|_| time));
        cells
    }

    fn add_notes(&self, table: &mut TextTable) {
        table.note(format!(
            "{} per row; Elo: the differences that are assumed{}{}",
            counted(self.runs(), "simulated run"),
            match self.design {
                Some(_) => "; open: no answer at `max_games`",
                None => "; seeds in random order",
            },
            match self.seconds {
                Some(_) => format!("; time: on {}", counted(self.jobs as u64, "thread")),
                None => String::new(),
            }
        ));
        if self.design.is_none() {
            table.note(
                "round robin: all pairs, with matches of the same length; tied: a shared first \
                 place, or a drawn final that a seed decides",
            );
            return;
        }
        if self.design.is_some_and(|design| design.adjusted) {
            table.note("simulated with raw scores: scores without luck need fewer games");
        }
        if self.earlier_games > 0 {
            table.note(format!(
                "each simulated run begins with ratings from {} of each two agents, as many as the pool \
                 has",
                counted(self.earlier_games, "earlier game")
            ));
        }
        table.note(
            "round robin: its length is fixed in advance; the smallest difference is significant \
             with a power of 80 %",
        );
    }
}

impl Document for PlanInRounds {
    fn text(&self, markdown: bool, width: Option<usize>) -> String {
        let mut lines = self.heading.first_lines();
        let mut agents = counted(self.names.len() as u64, "agent");
        if let Some(design) = self.design {
            let alpha = percent(Some(design.alpha));
            agents.push_str(&format!(
                ", error at most {} %, at most {}",
                alpha.trim_end_matches(".0"),
                counted(design.max_games, "game")
            ));
        }
        lines.push(agents);
        let draws = percent(Some(self.draws));
        lines.push(match self.calibration {
            0 => format!("assumed draws: {draws} %"),
            games => format!(
                "assumed draws: {draws} % (lower end of the interval for {}, not recorded)",
                counted(games, "calibration game")
            ),
        });
        lines.extend(correlation_words(self.correlation));
        self.table().below(&lines, markdown, width)
    }

    fn json(&self) -> Json {
        let rows: Vec<Json> = (self.rows.iter())
            .map(|row| {
                let range = row.games.filter(|_| row.undecided.is_some());
                json!({
                    "field": row.field,
                    "format": row.format,
                    "games": row.games.map(|(mean, _)| mean),
                    "games_5_percent": range.map(|(_, [low, _])| low),
                    "games_95_percent": range.map(|(_, [_, high])| high),
                    "undecided": row.undecided,
                    "close": row.close,
                    "best_wins": row.matches.map(|[won, _]| won),
                    "tied": row.matches.map(|[_, tied]| tied),
                    "seconds": row.games.and_then(|(mean, _)| self.time(mean)),
                })
            })
            .collect();
        json!({
            "name": self.heading.name,
            "question": self.heading.question,
            "game": self.heading.game,
            "openings": self.heading.openings,
            "seed": self.heading.seed,
            "agents": self.names,
            "alpha": self.design.map(|design| design.alpha),
            "epsilon_elo": self.design.and_then(|design| design.epsilon_elo),
            "max_games": self.design.map(|design| design.max_games),
            "draw_ratio": self.draws,
            "pair_correlation": self.correlation,
            "calibration_games": self.calibration,
            "earlier_games": self.earlier_games,
            "jobs": self.jobs,
            "simulated_runs": self.runs(),
            "formats": rows,
        })
    }
}
