//! The expected games, time, resolution and power of a run, before it is played.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::arena::{Calibration, Demand, Pairing};
use crate::figures::run_results::Heading;
use crate::stats::sprt::{Design, EloModel, Expected, SprtSettings, Unit};
use crate::stats::{Confidence, Trinomial, games_for_precision};
use crate::terminal_progress::duration;
use crate::text::number_format::{
    NONE, counted, fixed, grouped, percent, percentage, trimmed, uncertain,
};
use crate::text::text_table::{Document, TextTable};

/// Elo differences for which the power is shown.
const DIFFERENCES: [f64; 4] = [10.0, 20.0, 50.0, 100.0];
/// Maximum number of rows in a text table.
const SHOWN: usize = 40;
/// With more pairings than this, those with equal figures share a row.
const NAMED: usize = 6;

/// The agents of the pairings in a row, and their opponents.
fn names(pairings: &[&Planned]) -> [String; 2] {
    let (first, n) = (pairings[0], pairings.len());
    if n == 1 {
        let against = if first.is_self() { "itself" } else { &first.b };
        return [first.a.clone(), against.to_owned()];
    }
    let has =
        |agent: &String| pairings.iter().all(|pairing| [&pairing.a, &pairing.b].contains(&agent));
    let agents: BTreeSet<&str> =
        pairings.iter().flat_map(|pairing| [pairing.a.as_str(), &pairing.b]).collect();
    let of_agents = format!("{} agents", agents.len());
    match [&first.a, &first.b].into_iter().find(|agent| has(agent)) {
        Some(agent) => [agent.clone(), format!("{n} opponents")],
        None if pairings.iter().all(|pairing| pairing.is_self()) => {
            [of_agents, "themselves".to_owned()]
        }
        None if n == agents.len() * (agents.len() - 1) / 2 => [of_agents, "each other".to_owned()],
        None => [format!("{n} pairings"), format!("such as {}–{}", first.a, first.b)],
    }
}

/// The figures of a planned run.
#[derive(Debug, Clone)]
pub struct Plan {
    pub heading: Heading,
    /// Games per pairing.
    pub games: u64,
    pub openings: Available,
    /// The memory that tables and trees may use, if known.
    pub memory: Option<Demand>,
    /// Whether the run would be refused because games would only repeat others.
    pub refused: bool,
    pub jobs: usize,
    /// Duration of the games in seconds; `None` if no game could be played.
    pub seconds: Option<f64>,
    pub calibration: u64,
    /// The estimated cost of the run, and the cost of the calibration; `None` if no engine reports
    /// costs.
    pub cost: Option<[f64; 2]>,
    /// The assumed share of draws: the lower end of its interval.
    pub draw_ratio: f64,
    /// The assumed correlation between the two games of a pair.
    pub correlation: f64,
    /// Drawn games and all games of the calibration, distinct games only.
    pub drawn: (u64, u64),
    pub pairings: Vec<Planned>,
    /// The sequential test, and whether the config requests it.
    pub test: Option<(Design, bool)>,
}

/// The openings of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Available {
    /// Openings that are played.
    pub played: u64,
    /// Whether the openings are listed one by one: then a finite set is played, not a sample.
    pub finite: bool,
    /// Openings that exist; `None` if there are too many to count.
    pub exist: Option<u64>,
}

impl Available {
    fn text(self) -> String {
        let played = grouped(self.played);
        match self.exist {
            _ if self.finite => played,
            Some(exist) => format!("{played} of {} available, chosen at random", grouped(exist)),
            None => format!("{played} of many thousands available, chosen at random"),
        }
    }
}

/// The plan for two agents.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    pub a: String,
    /// The second agent; the same as the first if an agent plays itself.
    pub b: String,
    /// Calibration used no random numbers, and no agent may vary without them: the same opening
    /// gives the same game.
    pub repeats: bool,
    /// Number of games that can be distinct.
    pub distinct: u64,
    /// A finite set of openings is played completely without random numbers: the result is a fact
    /// about this set, not a sample.
    pub exact: bool,
    /// Half the width of the 95 % interval in Elo, near equality.
    pub resolution: Option<f64>,
    /// The power for each of [`DIFFERENCES`].
    pub power: [Option<f64>; 4],
}

impl Planned {
    fn has_figures_of(&self, other: &Planned) -> bool {
        let same = Planned { a: other.a.clone(), b: other.b.clone(), ..self.clone() };
        same == *other && self.is_self() == other.is_self()
    }

    pub fn is_self(&self) -> bool {
        self.a == self.b
    }
}

/// The smallest variance of a game's score that this number of games supports. With this variance
/// the interval is as wide as if all pairs were level (or all single games were drawn).
fn least_variance(games: u64, per_sample: u64) -> f64 {
    let level = Trinomial::of(0, games / per_sample, 0);
    let half = level.interval(Confidence::P95).map_or(0.0, |interval| interval.hi - 0.5);
    (games as f64 * (half / Confidence::P95.z()).powi(2)).min(0.25)
}

/// The variance of a game's score, near equality: twice the variance of a pair's mean score.
fn variance(draw_ratio: f64, correlation: f64) -> f64 {
    let alone = games_for_precision::variance_per_game(0.5, draw_ratio).unwrap_or(0.25);
    alone * (1.0 + correlation)
}

/// The assumed correlation as a line of a plan, if there is one.
pub(crate) fn correlation_words(correlation: f64) -> Option<String> {
    (correlation >= 0.005).then(|| {
        format!(
            "assumed correlation of the two games of a pair: {} (they share dice or an opening, so \
             pairs vary more)",
            fixed(correlation, 2)
        )
    })
}

impl Plan {
    /// Computes from the calibration what this number of games can show.
    pub fn new(
        heading: Heading,
        games: u64,
        openings: Available,
        jobs: usize,
        calibration: &Calibration,
        shared_dice: bool,
        test: Option<(Design, bool)>,
    ) -> Self {
        let tally = &calibration.tally;
        let mut games_played = Trinomial::default();
        for (_, results) in tally.pairings.iter().filter(|(pairing, _)| !pairing.is_self()) {
            games_played.merge(&results.distinct.games());
        }
        // Draws reduce the variance. The plan assumes no more draws than the calibration supports,
        // so a few games that were all drawn do not promise much.
        let draw_ratio = games_played.least_draw_ratio(Confidence::P95).unwrap_or(0.0);
        let correlation = calibration.pair_correlation(shared_dice);
        let variance = variance(draw_ratio, correlation);
        let planned = |(pairing, results): &(Pairing, crate::arena::PairingTally)| {
            let is_self = pairing.is_self();
            let repeats = !results.is_random && !results.may_vary && results.games() > 0;
            let per_opening = if pairing.has_pairs() { 2 } else { 1 };
            let possible = openings.played.saturating_mul(per_opening);
            let distinct = if repeats { games.min(possible) } else { games };
            let exact = repeats && openings.finite && games >= possible;
            let sampled = !is_self && !exact;
            let variance = least_variance(distinct, per_opening).max(variance);
            let of = |elo| games_for_precision::power(elo, variance, Confidence::P95, distinct);
            Planned {
                a: tally.names[pairing.a].clone(),
                b: tally.names[pairing.b].clone(),
                repeats,
                distinct,
                exact,
                resolution: sampled
                    .then(|| games_for_precision::half_width(distinct, variance, Confidence::P95))
                    .flatten(),
                power: DIFFERENCES.map(|elo| if sampled { of(elo) } else { None }),
            }
        };
        Plan {
            heading,
            games,
            openings,
            memory: None,
            refused: false,
            jobs,
            seconds: calibration.total_seconds(games).map(|all| all / jobs.max(1) as f64),
            calibration: tally.rows,
            cost: calibration.total_cost(games).map(|all| [all, tally.cost() as f64 / 1e9]),
            draw_ratio,
            correlation,
            drawn: (games_played.draws(), games_played.n()),
            pairings: tally.pairings.iter().map(planned).collect(),
            test,
        }
    }

    pub fn total(&self) -> u64 {
        self.games.saturating_mul(self.pairings.len() as u64)
    }

    pub fn variance(&self) -> f64 {
        variance(self.draw_ratio, self.correlation)
    }

    /// The expected course of the sequential test at H0, halfway and at H1.
    pub fn expected(&self) -> Option<[Expected; 3]> {
        let (design, _) = self.test.as_ref()?;
        // Hypotheses in normalized Elo have the standard deviation of the pairs as their unit.
        let SprtSettings { model, unit, .. } = design.settings();
        let is_longer = *unit == Unit::Pairs && *model != EloModel::Normalized;
        let longer = if is_longer { 1.0 + self.correlation } else { 1.0 };
        let lengths = design.expected_lengths(self.draw_ratio)?;
        Some(lengths.map(|of| Expected { games: of.games * longer, ..of }))
    }

    /// The rows of the table: pairings with equal figures, with the index of the first.
    fn rows(&self) -> Vec<(usize, Vec<&Planned>)> {
        let mut rows: Vec<(usize, Vec<&Planned>)> = Vec::new();
        for (i, planned) in self.pairings.iter().enumerate() {
            let same = |row: &&mut (usize, Vec<&Planned>)| row.1[0].has_figures_of(planned);
            match rows.iter_mut().find(same).filter(|_| self.pairings.len() > NAMED) {
                Some((_, pairings)) => pairings.push(planned),
                None => rows.push((i, vec![planned])),
            }
        }
        rows
    }

    fn table(&self) -> TextTable {
        let mut table = TextTable::new("What the games can show")
            .figures(["#"])
            .text(["agent", "against"])
            .figures(["games", "distinct", "± Elo"])
            .figures(DIFFERENCES.map(|elo| format!("{elo} Elo %")));
        let rows = self.rows();
        for (i, pairings) in rows.iter().take(SHOWN) {
            let planned = pairings[0];
            let number = if pairings.len() == 1 { (i + 1).to_string() } else { NONE.to_owned() };
            let [agent, against] = names(pairings);
            let distinct =
                format!("{}{}", if planned.repeats { "≤ " } else { "" }, grouped(planned.distinct));
            let resolution = planned.resolution.map_or(NONE.to_owned(), |elo| fixed(elo, 0));
            let head = [number, agent, against, grouped(self.games), distinct, resolution];
            let power =
                planned.power.map(|p| p.map_or(NONE.to_owned(), |p| percentage(uncertain(p), 0)));
            table.row(head.into_iter().chain(power));
        }
        let left_out: u64 =
            rows.iter().skip(SHOWN).map(|(_, pairings)| pairings.len() as u64).sum();
        if left_out > 0 {
            table.note(format!("and {left_out} more pairings"));
        }
        if self.pairings.iter().any(|planned| planned.exact && !planned.is_self()) {
            table.note(
                "± Elo —: exact over the opening set: the agents use no random numbers and play \
                 every opening, so there is no sampling error",
            );
        }
        table.note(
            "± Elo: half of the 95 % interval for equal agents; last columns: power, the \
             probability that this true difference is significant",
        );
        table
    }

    fn test_table(&self) -> Option<TextTable> {
        let (design, asked) = self.test?;
        let settings = design.settings();
        let title = format!(
            "Expected length of SPRT({}, {}){}",
            settings.elo0,
            settings.elo1,
            if asked { "" } else { ", if you add a sequential test" }
        );
        let mut table =
            TextTable::new(&title).text(["true difference"]).figures(["games", "H1 accepted %"]);
        let expected = self.expected();
        for (i, truth) in ["H0", "halfway", "H1"].into_iter().enumerate() {
            let at = expected.as_ref().map(|all| all[i]);
            table.row([
                truth.to_owned(),
                at.map_or(NONE.to_owned(), |at| grouped(at.games.ceil() as u64)),
                at.map_or(NONE.to_owned(), |at| percentage(uncertain(at.accept_h1), 0)),
            ]);
        }
        table.note(match expected {
            Some(_) => "distinct games, without a maximum".to_owned(),
            None if design.settings().adjusted => {
                "no values: the variance of scores without luck is not known before the run".into()
            }
            None => format!(
                "no values: with {} % draws, no score is halfway between the hypotheses",
                percent(Some(self.draw_ratio))
            ),
        });
        Some(table)
    }
}

impl Document for Plan {
    fn text(&self, markdown: bool, width: Option<usize>) -> String {
        let mut lines = self.heading.first_lines();
        let (total, each) = (grouped(self.total()), grouped(self.games));
        let cap = if self.test.is_some_and(|(_, asked)| asked) { "at most " } else { "" };
        lines.push(match self.pairings.len() {
            1 => format!("{cap}{total} games of one pairing"),
            pairings => format!("{total} games: {pairings} pairings of {each} games each"),
        });
        lines.push(format!("distinct openings: {}", self.openings.text()));
        if let Some(seconds) = self.seconds {
            lines.push(format!(
                "estimated time: {cap}{} on {} threads (from {} calibration games, not recorded)",
                if seconds < 1.0 { "under 1 s".to_owned() } else { duration(seconds) },
                self.jobs,
                grouped(self.calibration)
            ));
        }
        if let Some([cost, spent]) = self.cost {
            lines.push(format!(
                "estimated cost: {cap}{} (the {} cost {})",
                trimmed(cost, 4),
                counted(self.calibration, "calibration game"),
                trimmed(spent, 4)
            ));
        }
        lines.extend(self.memory.as_ref().and_then(Demand::words));
        let (drawn, of) = self.drawn;
        lines.push(format!(
            "assumed draws: {} % (lower end of the interval for {} in {})",
            percent(Some(self.draw_ratio)),
            counted(drawn, "draw"),
            counted(of, "distinct game"),
        ));
        lines.extend(correlation_words(self.correlation));
        let warnings = warnings(self);
        lines.extend(warnings.iter().map(|warning| format!("warning: {warning}")));
        let mut out = self.table().below(&lines, markdown, width);
        if let Some(table) = self.test_table() {
            out.push('\n');
            out.push_str(&table.render(markdown, !markdown, width));
        }
        out
    }

    fn json(&self) -> Json {
        let pairings: Vec<Json> = (self.pairings.iter())
            .map(|planned| {
                let power: serde_json::Map<String, Json> = DIFFERENCES
                    .iter()
                    .zip(planned.power)
                    .map(|(elo, power)| (elo.to_string(), json!(power)))
                    .collect();
                json!({
                    "agent_a": planned.a,
                    "agent_b": planned.b,
                    "games": self.games,
                    "distinct_games": planned.distinct,
                    "repeats": planned.repeats,
                    "exact": planned.exact,
                    "resolution_elo": planned.resolution,
                    "power": power,
                })
            })
            .collect();
        let test = self.test.map(|(design, asked)| {
            let settings = design.settings();
            let [h0, halfway, h1] = match self.expected() {
                Some(all) => all.map(|expected| Some(expected.games)),
                None => [None; 3],
            };
            json!({
                "configured": asked,
                "elo0": settings.elo0,
                "elo1": settings.elo1,
                "alpha": settings.alpha,
                "beta": settings.beta,
                "expected_games": { "h0": h0, "halfway": halfway, "h1": h1 },
            })
        });
        json!({
            "name": self.heading.name,
            "question": self.heading.question,
            "game": self.heading.game,
            "openings": self.heading.openings,
            "seed": self.heading.seed,
            "games": self.total(),
            "distinct_openings": self.openings.played,
            "available_openings": self.openings.exist,
            "memory_bytes": self.memory.map(|memory| memory.total),
            "refused": self.refused,
            "jobs": self.jobs,
            "seconds": self.seconds,
            "calibration_games": self.calibration,
            "cost": self.cost.map(|[cost, _]| cost),
            "calibration_cost": self.cost.map(|[_, spent]| spent),
            "draw_ratio": self.draw_ratio,
            "pair_correlation": self.correlation,
            "warnings": warnings(self),
            "pairings": pairings,
            "sprt": test,
        })
    }
}

/// Intervals wider than this many Elo to either side are too coarse for most comparisons.
const COARSE: f64 = 100.0;

/// The warnings of a plan, each with advice.
fn warnings(plan: &Plan) -> Vec<String> {
    [repetition(plan), resolution(plan), cap(plan)].into_iter().flatten().collect()
}

/// Agents without random choices repeat their games after all openings were used.
fn repetition(plan: &Plan) -> Option<String> {
    let short = |planned: &&Planned| planned.repeats && planned.distinct < plan.games;
    let mut all = plan.pairings.iter().filter(short);
    let first = all.next()?;
    let others = match all.count() {
        0 => String::new(),
        1 => " (and one more pairing)".to_owned(),
        more => format!(" (and {more} more pairings)"),
    };
    let who = match first.is_self() {
        true => format!("{} always plays the same moves", first.a),
        false => format!("{} and {} always play the same moves", first.a, first.b),
    };
    let openings = match plan.openings.played {
        1 => "one opening".to_owned(),
        openings => format!("{} distinct openings", grouped(openings)),
    };
    let refused = match plan.refused {
        true => " agon refuses this run unless you set `allow_duplicates = true` in [schedule].",
        false => "",
    };
    let exact = match plan.openings.finite {
        true => " The result is exact over these openings and says nothing about others.",
        false => "",
    };
    Some(format!(
        "{who}{others}, so at most {} of {} games from {openings} are distinct.{exact}{refused} \
         Use more openings, such as `kind = \"random\"`, or agents with `ties = \"random\"`.",
        grouped(first.distinct),
        grouped(plan.games),
    ))
}

/// Too few games: only very large differences would be significant.
fn resolution(plan: &Plan) -> Option<String> {
    let (coarsest, repeats) = (plan.pairings.iter())
        .filter_map(|planned| Some((planned.resolution?, planned.repeats)))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(elo, _)| *elo > COARSE)?;
    // Without random numbers each opening gives its games only once, so more games need more
    // openings.
    let each = if repeats { ", each from a new opening" } else { "" };
    let games =
        |elo| games_for_precision::games_for_half_width(elo, plan.variance(), Confidence::P95);
    Some(format!(
        "the distinct games of a pairing give an interval of only ±{} Elo. ±100 Elo needs about {} \
         games, ±20 Elo about {}{each}.",
        fixed(coarsest, 0),
        grouped(games(COARSE)?),
        grouped(games(20.0)?),
    ))
}

/// A sequential test that will probably reach its maximum number of games.
fn cap(plan: &Plan) -> Option<String> {
    let (_, asked) = plan.test?;
    let distinct = plan.pairings.first()?.distinct;
    let [h0, halfway, h1] = plan.expected()?.map(|expected| expected.games);
    if !asked || distinct as f64 >= halfway {
        return None;
    }
    let likely = if (distinct as f64) < h0.min(h1) { "probably" } else { "perhaps" };
    Some(format!(
        "the sequential test {likely} stays undecided: it needs {} games on average, {} if the \
         difference is halfway between elo0 and elo1. Only {} distinct games are planned. Plan \
         more games, add openings, or increase the distance between elo0 and elo1.",
        grouped(h0.max(h1).ceil() as u64),
        grouped(halfway.ceil() as u64),
        grouped(distinct),
    ))
}
