//! The ratings of rows with any number of seats: as text, Markdown, CSV and JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::any_time::{PairScores, TestOfTwo};
use crate::figures::figure_list::FigureFormat::{Count, Decimals, Percent, Text};
use crate::figures::figure_list::FigureList;
use crate::kinds::RunDecision;
use crate::placing_plan::PlacingPlan;
use crate::stats::Confidence;
use crate::stats::ranked::{
    JointTest, PairScore, RankedComparison, RankedRatings, SeatEffect, TestMethod,
};
use crate::stats::ratings::Rating;
use crate::text::data_table::{DataCell, DataTable};
use crate::text::number_format::{are, counted, elo, elo_ends, elo_plus_minus, fixed, p_value};
use crate::text::text_table::{TextTable, wrapped};

/// A list of ratings, with all that its outputs need.
pub struct RankedList {
    /// The names of the files.
    pub name: String,
    /// The names of the players by number.
    pub players: Vec<String>,
    /// The mean share of the opponents that a player beat; a tie is half of one.
    pub scores: Vec<Option<f64>>,
    pub rows: u64,
    /// The most seats of a row.
    pub seats: usize,
    /// The number of samples, if rows have groups.
    pub groups: Option<usize>,
    pub ratings: RankedRatings,
    /// The conditions in which rows differ.
    pub conditions: Vec<String>,
    /// Notes about the tables.
    pub notes: Vec<String>,
    /// All differences between players with ratings.
    pub comparisons: Vec<RankedComparison>,
    /// The scores of all pairs who met.
    pub pair_scores: Vec<PairScore>,
    /// Whether only what holds at any stopping time is shown.
    pub any_time: bool,
    /// The sequential test of two players, if it was asked for.
    pub test: Option<TestOfTwo>,
    /// The half width in Elo for which the number of missing games is asked.
    pub within: Option<f64>,
    /// The next games of a newcomer, if they were asked for.
    pub placing: Option<PlacingPlan>,
}

/// The confidence level of all intervals.
const LEVEL: Confidence = Confidence::P95;

impl RankedList {
    /// The list of players `players` from these ratings.
    pub fn new(name: String, players: Vec<String>, ratings: RankedRatings) -> Self {
        let comparisons = ratings.comparisons(LEVEL.z());
        let scores = vec![None; players.len()];
        RankedList {
            name,
            players,
            scores,
            rows: 0,
            seats: 0,
            groups: None,
            ratings,
            conditions: Vec::new(),
            notes: Vec::new(),
            comparisons,
            pair_scores: Vec::new(),
            any_time: false,
            test: None,
            within: None,
            placing: None,
        }
    }

    /// The players of some row, the best first. Players without a rating are at the end.
    pub fn order(&self) -> Vec<usize> {
        let key = |player: usize| match self.ratings.ratings()[player] {
            Rating::AtLeast(bound) => (0, -bound),
            Rating::Estimate { elo, .. } => (1, -elo),
            Rating::Reference => (1, 0.0),
            Rating::AtMost(bound) => (2, -bound),
            Rating::Unknown => (3, 0.0),
        };
        let mut order: Vec<usize> =
            (0..self.players.len()).filter(|&player| self.ratings.rows_of(player) > 0).collect();
        let place = |player: usize| (self.component(player), key(player).0);
        order.sort_by(|&a, &b| place(a).cmp(&place(b)).then(key(a).1.total_cmp(&key(b).1)));
        order
    }

    /// The set of comparable players that a player belongs to. A player with a bound belongs to the first.
    fn component(&self, player: usize) -> usize {
        let rated = self.ratings.components().iter().filter(|members| members.len() > 1);
        rated.into_iter().position(|members| members.contains(&player)).unwrap_or(0)
    }

    fn rated_components(&self) -> usize {
        self.ratings.components().iter().filter(|members| members.len() > 1).count()
    }

    /// A rating and the known ends of its interval.
    pub fn numbers(&self, player: usize) -> [Option<f64>; 3] {
        let finite = |end: f64| Some(end).filter(|end| end.is_finite());
        match self.ratings.ratings()[player] {
            Rating::Estimate { elo, .. } if self.any_time => [Some(elo), None, None],
            Rating::AtLeast(_) | Rating::AtMost(_) if self.any_time => [None; 3],
            Rating::Estimate { elo, lo, hi, .. } => [Some(elo), finite(lo), finite(hi)],
            Rating::AtLeast(bound) => [None, Some(bound), None],
            Rating::AtMost(bound) => [None, None, Some(bound)],
            Rating::Reference | Rating::Unknown => [None; 3],
        }
    }

    /// What the test of two players decided; it determines the exit code.
    pub fn decision(&self) -> RunDecision {
        let of_test = |of: &TestOfTwo| RunDecision::of_test(of.test.verdict());
        self.test.as_ref().map_or(RunDecision::NoTest, of_test)
    }

    /// Who is the best, and how many differences are significant.
    pub fn verdict(&self) -> String {
        let order = self.order();
        let Some((&best, others)) = order.split_first() else { return String::new() };
        let name = &self.players[best];
        match self.rated_components() {
            0 => return self.without_ratings().to_owned(),
            1 => {}
            sets => return format!("The ratings of {sets} sets of players cannot be compared."),
        }
        if self.any_time {
            let pairs = self.pairs();
            let proven = others.iter().filter(|&&other| pairs.proves(best, other)).count();
            return format!(
                "{name} leads. Its games prove at any stopping time that it beats {proven} of {} (5 %).",
                counted(others.len() as u64, "other player")
            );
        }
        let rated = |player: usize| self.ratings.ratings()[player].estimate().is_some();
        if !rated(best) {
            return self.above_all_ratings(&order);
        }
        if self.comparisons.is_empty() {
            return format!("{name} has the highest rating; the differences have no test.");
        }
        let of_best: Vec<&RankedComparison> =
            self.comparisons.iter().filter(|it| it.players.contains(&best)).collect();
        let differs = |other: usize| {
            let found = of_best.iter().find(|it| it.players.contains(&other));
            found.is_none_or(|it| LEVEL.is_significant(it.p_holm))
        };
        let close: Vec<&str> = (others.iter().filter(|&&other| rated(other) && !differs(other)))
            .map(|&other| self.players[other].as_str())
            .collect();
        let elo = |player: usize| self.ratings.ratings()[player].estimate();
        let is_equal = |&&other: &&usize| {
            elo(best).zip(elo(other)).is_some_and(|(best, other)| (best - other).abs() < 1e-6)
        };
        let equal = others.iter().find(is_equal);
        let leads = match (equal, &close[..]) {
            (Some(&other), _) => {
                format!("{name} and {} have the same rating.", self.players[other])
            }
            (None, []) if others.iter().any(|&other| self.is_unknown(other)) => {
                format!("{name} is the strongest of the players with ratings.")
            }
            (None, []) => format!("{name} is the strongest."),
            (None, [one]) => format!("{name} leads, but its lead over {one} is not significant."),
            (None, [one, two]) => {
                format!("{name} leads, but its lead over {one} and {two} is not significant.")
            }
            (None, [one, others @ ..]) => format!(
                "{name} leads, but its lead over {one} and {} other players is not significant.",
                others.len()
            ),
        };
        let significant =
            self.comparisons.iter().filter(|it| LEVEL.is_significant(it.p_holm)).count();
        let all = self.comparisons.len();
        format!(
            "{leads} {significant} of {all} differences {} significant (5 %).",
            are(significant)
        )
    }

    fn is_unknown(&self, player: usize) -> bool {
        self.ratings.ratings()[player] == Rating::Unknown
    }

    /// Why no player has a rating.
    fn without_ratings(&self) -> &'static str {
        match self.ratings.unconnected() {
            [_] => "No player has a rating: some players always ranked above the others.",
            _ => "No player has a rating, and not all players met, so no player is the best.",
        }
    }

    /// The players who always ranked above all players with ratings, the first ones of the list.
    fn above_all_ratings(&self, order: &[usize]) -> String {
        let is_above =
            |player: &&usize| matches!(self.ratings.ratings()[**player], Rating::AtLeast(_));
        let above = order.iter().take_while(is_above);
        let names: Vec<&str> = above.map(|&player| self.players[player].as_str()).collect();
        format!(
            "{} always ranked above all players with ratings, so {} has only a lower bound.",
            names.join(" and "),
            if names.len() == 1 { "its rating" } else { "each of their ratings" }
        )
    }

    /// What limits the ratings.
    pub fn remarks(&self) -> Vec<String> {
        let ratings = &self.ratings;
        let mut remarks = Vec::new();
        if let [first, others @ ..] = ratings.unconnected()
            && !others.is_empty()
        {
            let names = |set: &Vec<usize>| {
                set.iter()
                    .map(|&player| self.players[player].as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let sets: Vec<String> = others.iter().map(names).collect();
            remarks.push(format!(
                "these players never met the others, directly or through others, so their ratings \
                 cannot be compared: {} | {}",
                names(first),
                sets.join(" | ")
            ));
        }
        if ratings.intervals_missing() {
            remarks.push("there are fewer than 8 groups, so ratings have no intervals".to_owned());
        }
        if ratings.seats_missing() {
            remarks.push("the results do not separate the seats from the players".to_owned());
        }
        if let Some(shift) = ratings.anchor_shift() {
            remarks.push(format!("the anchors shift the scale by {} Elo", elo(shift.elo)));
            remarks.extend(shift.test.filter(|_| !self.any_time).map(|test| {
                let agree = if LEVEL.is_significant(test.p) { "disagree" } else { "agree" };
                format!("the anchors {agree} with the results (p = {})", p_value(Some(test.p)))
            }));
        }
        for (size, weight) in ratings.tie_weights() {
            remarks.push(format!("weight of a tie of {size} players: {}", fixed(*weight, 3)));
        }
        remarks.extend(self.notes.iter().cloned());
        remarks
    }

    /// The answers: of the test, of the list, and how many games are missing.
    pub fn answers(&self) -> Vec<String> {
        let test = self.test.as_ref().map(TestOfTwo::sentences);
        [test, Some(self.verdict()), self.missing_games()].into_iter().flatten().collect()
    }

    pub fn pairs(&self) -> PairScores<'_> {
        PairScores { players: &self.players, pairs: &self.pair_scores }
    }

    /// How many more games like these give each rating an interval of ± `within` Elo. Errors fall with
    /// the square root of the number of games. `None` if it is not asked for or there are no intervals.
    fn more_games(&self) -> Option<u64> {
        let of = |rating: &Rating| match rating {
            Rating::Estimate { lo, hi, .. } => Some((hi - lo) / 2.0),
            _ => None,
        };
        let widths = self.ratings.ratings().iter().filter_map(of);
        let widest = widths.fold(0.0, f64::max);
        let ratio = (widest / self.within?).powi(2);
        let more = (self.rows as f64 * (ratio - 1.0)).max(0.0).ceil();
        (widest > 0.0 && more.is_finite()).then_some(more as u64)
    }

    /// The same as a sentence.
    fn missing_games(&self) -> Option<String> {
        let within = fixed(self.within?, 0);
        Some(match self.more_games() {
            Some(0) => format!("All ratings are known within ± {within} Elo."),
            Some(more) => {
                let groups = self.groups.map_or(String::new(), |groups| {
                    let groups = (more as f64 * groups as f64 / self.rows as f64).ceil() as u64;
                    format!(" in {}", counted(groups, "new group"))
                });
                let more = counted(more, "more game");
                format!("Ratings within ± {within} Elo need about {more}{groups}.")
            }
            None => "The number of missing games is unknown, because ratings have no intervals."
                .to_owned(),
        })
    }

    /// What was read: `200 games of 4 players in 50 groups`.
    pub fn headline(&self) -> String {
        let players =
            if self.seats == 2 { String::new() } else { format!(" of up to {} sides", self.seats) };
        let groups = self.groups.map(|groups| format!(" in {}", counted(groups as u64, "group")));
        format!("{}{players}{}", counted(self.rows, "game"), groups.unwrap_or_default())
    }

    pub fn table(&self) -> TextTable {
        let grouped = self.rated_components() > 1;
        let shown: Vec<&str> = ["player", "set", "games", "score"]
            .into_iter()
            .filter(|name| grouped || *name != "set")
            .collect();
        let figures = player_figures();
        let table = TextTable::new("Who is stronger?").figures(["#"]);
        let mut table = figures.heads(table, &shown).figures(["Elo ±", "95 %"]);
        for (rank, player) in (1..).zip(self.order()) {
            let row = PlayerRow { list: self, player };
            let numbers = self.numbers(player);
            let mut cells = vec![rank.to_string()];
            cells.extend(shown.iter().map(|name| figures.show(name, &row)));
            cells.extend([elo_plus_minus(numbers), elo_ends([numbers[1], numbers[2]])]);
            table.row(cells);
        }
        table
    }

    /// The ends of the interval of a seat, if it is shown.
    fn ends(&self, effect: &SeatEffect) -> [Option<f64>; 2] {
        let interval = effect.interval.filter(|_| !self.any_time);
        interval.map_or([None; 2], |ends| ends.map(Some))
    }

    /// The effects of the seats, if they are known.
    pub fn seat_table(&self) -> Option<TextTable> {
        let effects = self.ratings.seat_effects()?;
        let mut table = TextTable::new("Does the seat matter?").figures(["seat", "Elo", "95 %"]);
        for (seat, effect) in (1..).zip(&effects.seats) {
            table.row([seat.to_string(), elo(effect.elo), elo_ends(self.ends(effect))]);
        }
        let test = effects.test.as_ref().filter(|_| !self.any_time);
        table.note(match test {
            Some(test) => {
                let verdict = if LEVEL.is_significant(test.p) {
                    "the seats differ"
                } else {
                    "no difference shown"
                };
                format!("{verdict} (p = {})", p_value(Some(test.p)))
            }
            None if self.any_time => "there is no test that holds at any stopping time".to_owned(),
            None => "no test".to_owned(),
        });
        Some(table)
    }

    /// The list as text or Markdown.
    pub fn render(&self, markdown: bool, width: Option<usize>) -> String {
        let fold = |text: &str| wrapped(text, width.filter(|_| !markdown), "", "  ");
        let gap = if markdown { "\n" } else { "" };
        let mut out = if markdown { format!("## {}\n\n", self.name) } else { String::new() };
        let mark = if markdown { "> " } else { "note: " };
        for condition in &self.conditions {
            out.push_str(&fold(&format!("{mark}{condition}")));
            out.push_str(gap);
        }
        out.push_str(&fold(&self.headline()));
        out.push_str(gap);
        self.answers().iter().for_each(|answer| out.push_str(&fold(answer)));
        let pairs = self.any_time.then(|| self.pairs().table());
        for table in [Some(self.table()), pairs, self.seat_table()].into_iter().flatten() {
            out.push('\n');
            out.push_str(&table.render(markdown, false, width));
        }
        if let Some(plan) = &self.placing {
            out.push('\n');
            out.push_str(&plan.table().render(markdown, false, width));
        }
        out.push('\n');
        for remark in self.remarks() {
            out.push_str(&fold(&format!("{mark}{remark}")));
            out.push_str(gap);
        }
        out
    }

    fn players_table(&self) -> DataTable<'_> {
        let figures = player_figures();
        DataTable::new(&figures.header(), move |push| {
            let rows = self.order().into_iter().map(|player| PlayerRow { list: self, player });
            rows.for_each(|row| push(figures.cells(&row)));
        })
    }

    /// Writes the table of players as CSV, or that of the opponents of a newcomer.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.placing {
            Some(plan) => plan.opponents_table().write_csv(out),
            None => self.players_table().write_csv(out),
        }
    }

    fn seats_table(&self) -> DataTable<'_> {
        DataTable::new("seat, elo, elo_low, elo_high", move |push| {
            let effects = self.ratings.seat_effects();
            let seats = effects.iter().flat_map(|effects| &effects.seats);
            for (effect, seat) in seats.zip(1_u64..) {
                let [low, high] = self.ends(effect).map(DataCell::from);
                push(vec![seat.into(), Some(effect.elo).into(), low, high]);
            }
        })
    }

    /// The tables of a folder: their names, and their content as CSV.
    pub fn tables(&self) -> Vec<(&'static str, Vec<u8>)> {
        let pairs = self.pairs();
        let tables = [
            ("agents.csv", self.players_table()),
            ("pairings.csv", pairs.data()),
            ("seats.csv", self.seats_table()),
        ];
        let as_csv = |(name, table): (&'static str, DataTable<'_>)| {
            let mut bytes = Vec::new();
            table.write_csv(&mut bytes).expect("memory takes everything");
            (name, bytes)
        };
        tables.into_iter().map(as_csv).collect()
    }

    /// Everything as a JSON document.
    pub fn json(&self) -> Value {
        let effects = self.ratings.seat_effects().filter(|_| !self.any_time);
        let shown = if self.any_time { &[][..] } else { &self.comparisons };
        let comparisons: Vec<Value> = (shown.iter())
            .map(|it| {
                let [a, b] = it.players.map(|player| &self.players[player]);
                let [low, high] = it.interval;
                json!({ "player": a, "against": b, "elo": it.elo, "elo_low": low, "elo_high": high,
                    "p_holm": it.p_holm })
            })
            .collect();
        let shift = self.ratings.anchor_shift();
        json!({
            "anchor_shift": shift.map(|shift| shift.elo),
            "anchor_test": shift.filter(|_| !self.any_time).and_then(|shift| shift.test.as_ref()).map(test_as_json),
            "comparisons": comparisons,
            "decision": self.decision().word(),
            "games": self.rows,
            "groups": self.groups,
            "log_likelihood": self.ratings.log_likelihood(),
            "more_games": self.more_games(),
            "name": self.name,
            "notes": self.conditions.iter().cloned().chain(self.remarks()).collect::<Vec<_>>(),
            "pairings": self.pairs().data().json(),
            "placing": self.placing.as_ref().map(PlacingPlan::json),
            "players": self.players_table().json(),
            "seat_test": effects.and_then(|effects| effects.test.as_ref()).map(test_as_json),
            "seats": self.seats_table().json(),
            "sprt": self.test.as_ref().map(TestOfTwo::json),
            "tie_weights": self.ratings.tie_weights(),
            "verdict": self.verdict(),
        })
    }
}

/// A player of a list.
struct PlayerRow<'a> {
    list: &'a RankedList,
    player: usize,
}

/// The figures of a player, in the order of the table for programs.
fn player_figures<'a>() -> FigureList<PlayerRow<'a>> {
    FigureList::<PlayerRow<'a>>::new()
        .with("player", "player", Text, |row| row.list.players[row.player].as_str().into())
        .with("games", "games", Count, |row| row.list.ratings.rows_of(row.player).into())
        .with("score", "score %", Percent, |row| row.list.scores[row.player].into())
        .with("elo", "", Decimals(0), |row| row.list.numbers(row.player)[0].into())
        .with("elo_low", "", Decimals(0), |row| row.list.numbers(row.player)[1].into())
        .with("elo_high", "", Decimals(0), |row| row.list.numbers(row.player)[2].into())
        .with("set", "set", Count, |row| (row.list.component(row.player) as u64 + 1).into())
}

fn test_as_json(test: &JointTest) -> Value {
    let method = match test.method {
        TestMethod::LikelihoodRatio => "likelihood ratio",
        TestMethod::Wald => "wald",
        TestMethod::Permutation => "permutation",
    };
    json!({ "method": method, "statistic": test.statistic, "df": test.df, "p_value": test.p })
}
