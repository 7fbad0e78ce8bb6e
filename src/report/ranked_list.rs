//! The ratings of rows with any number of seats: as text, Markdown, CSV and JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::report::placing_plan::PlacingPlan;
use crate::report::text::data_table::{DataCell, DataTable};
use crate::report::text::number_format::{
    NONE, are, counted, elo, elo_ends, elo_plus_minus, fixed, p_value, percent,
};
use crate::report::text::text_table::{TextTable, wrapped};
use crate::stats::Confidence;
use crate::stats::ranked::{JointTest, RankedComparison, RankedRatings, TestMethod};
use crate::stats::ratings::Rating;

/// A list of ratings, with all that its outputs need.
pub(crate) struct RankedList {
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
    /// Notes about the tables.
    pub notes: Vec<String>,
    /// All differences between players with ratings.
    pub comparisons: Vec<RankedComparison>,
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
            notes: Vec::new(),
            comparisons,
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
            Rating::Estimate { elo, lo, hi, .. } => [Some(elo), finite(lo), finite(hi)],
            Rating::AtLeast(bound) => [None, Some(bound), None],
            Rating::AtMost(bound) => [None, None, Some(bound)],
            Rating::Reference | Rating::Unknown => [None; 3],
        }
    }

    /// Who is the best, and how many differences are significant.
    pub fn verdict(&self) -> String {
        let order = self.order();
        let Some((&best, others)) = order.split_first() else { return String::new() };
        let name = &self.players[best];
        let rated = |player: usize| self.ratings.ratings()[player].estimate().is_some();
        if !rated(best) || self.rated_components() != 1 || self.comparisons.is_empty() {
            return match self.rated_components() {
                0 | 1 => format!("{name} is first; the differences have no test."),
                sets => format!("The ratings of {sets} sets of players cannot be compared."),
            };
        }
        let of_best: Vec<&RankedComparison> =
            self.comparisons.iter().filter(|it| it.players.contains(&best)).collect();
        let differs = |other: usize| {
            let found = of_best.iter().find(|it| it.players.contains(&other));
            found.is_none_or(|it| it.p_holm < 0.05)
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
        let significant = self.comparisons.iter().filter(|it| it.p_holm < 0.05).count();
        let all = self.comparisons.len();
        format!(
            "{leads} {significant} of {all} differences {} significant (5 %).",
            are(significant)
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
            remarks.extend(shift.test.map(|test| {
                let agree = if test.p < 0.05 { "disagree" } else { "agree" };
                format!("the anchors {agree} with the results (p = {})", p_value(Some(test.p)))
            }));
        }
        for (size, weight) in ratings.tie_weights() {
            remarks.push(format!("weight of a tie of {size} players: {}", fixed(*weight, 3)));
        }
        remarks.extend(self.notes.iter().cloned());
        remarks
    }

    /// What was read: `200 games of 4 players in 50 groups`.
    fn headline(&self) -> String {
        let players =
            if self.seats == 2 { String::new() } else { format!(" of up to {} sides", self.seats) };
        let groups = self.groups.map(|groups| format!(" in {}", counted(groups as u64, "group")));
        format!("{}{players}{}", counted(self.rows, "game"), groups.unwrap_or_default())
    }

    pub fn table(&self) -> TextTable {
        let grouped = self.rated_components() > 1;
        let mut table = TextTable::new("Who is stronger?")
            .figures(["#"])
            .text(["player"])
            .figures(grouped.then_some("set"))
            .figures(["games", "score %", "Elo ±", "95 %"]);
        for (rank, player) in (1..).zip(self.order()) {
            let numbers = self.numbers(player);
            let mut cells = vec![rank.to_string(), self.players[player].clone()];
            cells.extend(grouped.then(|| (self.component(player) + 1).to_string()));
            cells.extend([
                self.ratings.rows_of(player).to_string(),
                percent(self.scores[player]),
                elo_plus_minus(numbers),
                elo_ends([numbers[1], numbers[2]]),
            ]);
            table.row(cells);
        }
        table
    }

    /// The effects of the seats, if they are known.
    pub fn seat_table(&self) -> Option<TextTable> {
        let effects = self.ratings.seat_effects()?;
        let mut table = TextTable::new("Does the seat matter?").figures(["seat", "Elo", "95 %"]);
        for (seat, effect) in (1..).zip(&effects.seats) {
            let ends = effect.interval.map_or([None; 2], |ends| ends.map(Some));
            table.row([seat.to_string(), elo(effect.elo), elo_ends(ends)]);
        }
        let test = effects.test.as_ref();
        let verdict = match test {
            Some(test) if test.p < 0.05 => "the seats differ",
            Some(_) => "no difference shown",
            None => "no test",
        };
        table.note(format!(
            "{verdict} (p = {})",
            test.map_or(NONE.to_owned(), |test| p_value(Some(test.p)))
        ));
        Some(table)
    }

    /// The list as text or Markdown.
    pub fn render(&self, markdown: bool, width: Option<usize>) -> String {
        let fold = |text: &str| wrapped(text, width.filter(|_| !markdown), "", "  ");
        let gap = if markdown { "\n" } else { "" };
        let mut out = if markdown { format!("## {}\n\n", self.name) } else { String::new() };
        out.push_str(&fold(&self.headline()));
        out.push_str(gap);
        out.push_str(&fold(&self.verdict()));
        for table in [Some(self.table()), self.seat_table()].into_iter().flatten() {
            out.push('\n');
            out.push_str(&table.render(markdown, false, width));
        }
        if let Some(plan) = &self.placing {
            out.push('\n');
            out.push_str(&plan.table().render(markdown, false, width));
        }
        out.push('\n');
        let mark = if markdown { "> " } else { "note: " };
        for remark in self.remarks() {
            out.push_str(&fold(&format!("{mark}{remark}")));
            out.push_str(gap);
        }
        out
    }

    fn players_table(&self) -> DataTable<'_> {
        DataTable::new("player, games, score, elo, elo_low, elo_high, set", move |push| {
            for player in self.order() {
                let [value, low, high] = self.numbers(player).map(DataCell::from);
                push(vec![
                    self.players[player].as_str().into(),
                    self.ratings.rows_of(player).into(),
                    self.scores[player].into(),
                    value,
                    low,
                    high,
                    (self.component(player) as u64 + 1).into(),
                ]);
            }
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

    /// Everything as a JSON document.
    pub fn json(&self) -> Value {
        let effects = self.ratings.seat_effects();
        let seats: Vec<Value> = (effects.iter().flat_map(|effects| &effects.seats).zip(1..))
            .map(|(effect, seat)| {
                let [low, high] = effect.interval.map_or([None; 2], |ends| ends.map(Some));
                json!({ "seat": seat, "elo": effect.elo, "elo_low": low, "elo_high": high })
            })
            .collect();
        let comparisons: Vec<Value> = (self.comparisons.iter())
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
            "anchor_test": shift.and_then(|shift| shift.test.as_ref()).map(test_as_json),
            "comparisons": comparisons,
            "games": self.rows,
            "groups": self.groups,
            "log_likelihood": self.ratings.log_likelihood(),
            "name": self.name,
            "notes": self.remarks(),
            "placing": self.placing.as_ref().map(PlacingPlan::json),
            "players": self.players_table().json(),
            "seat_test": effects.and_then(|effects| effects.test.as_ref()).map(test_as_json),
            "seats": seats,
            "tie_weights": self.ratings.tie_weights(),
            "verdict": self.verdict(),
        })
    }
}

fn test_as_json(test: &JointTest) -> Value {
    let method = match test.method {
        TestMethod::LikelihoodRatio => "likelihood ratio",
        TestMethod::Wald => "wald",
        TestMethod::Permutation => "permutation",
    };
    json!({ "method": method, "statistic": test.statistic, "df": test.df, "p_value": test.p })
}
