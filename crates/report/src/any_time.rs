//! What holds at any stopping time for rows with any number of seats: the scores of pairs, and a
//! sequential test of two players.

use serde_json::{Value, json};

use crate::figures::figure_list::FigureFormat::{Count, EValue, PValue, Percent, Text};
use crate::figures::figure_list::FigureList;
use crate::figures::figure_list::FigureValue::Ends;
use crate::stats::ranked::PairScore;
use crate::stats::sprt::{BettingTest, SprtVerdict};
use crate::stats::{Confidence, Interval};
use crate::text::data_table::DataTable;
use crate::text::number_format::{counted, e_value, trimmed};
use crate::text::text_table::TextTable;

/// A sequential test of two players.
pub struct TestOfTwo {
    pub players: [String; 2],
    /// The hypotheses in Elo.
    pub elo: [f64; 2],
    /// Whether a sample is a group of rows.
    pub is_grouped: bool,
    pub test: BettingTest,
}

impl TestOfTwo {
    fn verdict(&self) -> SprtVerdict {
        self.test.verdict().unwrap_or(SprtVerdict::Undecided)
    }

    /// The verdict with its e-values and its number of samples.
    pub fn sentences(&self) -> String {
        let [a, b] = &self.players;
        let [elo0, elo1] = self.elo.map(|elo| trimmed(elo, 2));
        let [against_h0, against_h1] = self.test.e_values().map(|e| e_value(Some(e)));
        let says = match self.verdict() {
            SprtVerdict::AcceptH1 => {
                format!("{a} is better than {b} by more than {elo0} Elo.")
            }
            SprtVerdict::AcceptH0 => format!("{a} is not better than {b} by {elo1} Elo."),
            SprtVerdict::Undecided => {
                format!("It is undecided whether {a} is better than {b}.")
            }
        };
        let [samples, after] = self.test.samples();
        let unit = if self.is_grouped { "group" } else { "game" };
        let after = match after {
            0 => String::new(),
            after => format!("; {} after the decision not counted", counted(after, unit)),
        };
        format!(
            "{says} Test of {elo0} and {elo1} Elo: {} after {} (e-values {against_h0} against H0, \
             {against_h1} against H1{after}).",
            self.verdict().words(),
            counted(samples, unit),
        )
    }

    /// The test as JSON.
    pub fn json(&self) -> Value {
        let [against_h0, against_h1] = self.test.e_values();
        let [samples, after] = self.test.samples();
        json!({
            "e_value_h0": against_h0,
            "e_value_h1": against_h1,
            "elo0": self.elo[0],
            "elo1": self.elo[1],
            "of": self.players,
            "samples": samples,
            "samples_after": after,
            "verdict": self.verdict().word(),
        })
    }
}

/// The scores of all pairs of players who met.
pub struct PairScores<'a> {
    pub players: &'a [String],
    pub pairs: &'a [PairScore],
}

/// The most pairs in the text; files and JSON have all.
const SHOWN: usize = 40;

impl PairScores<'_> {
    /// The e-value that proves a difference at 5 %, corrected for the number of pairs.
    pub fn bound(&self) -> f64 {
        20.0 * self.pairs.len() as f64
    }

    /// Whether the first player is proven to score more than half of the points against the second.
    pub fn proves(&self, better: usize, worse: usize) -> bool {
        let pair = self
            .pairs
            .iter()
            .find(|pair| pair.players == [better, worse] || pair.players == [worse, better]);
        pair.is_some_and(|pair| {
            let score = pair.samples.mean().unwrap_or(0.5);
            let is_ahead = if pair.players[0] == better { score > 0.5 } else { score < 0.5 };
            is_ahead && pair.samples.e_value().is_some_and(|e| e >= self.bound())
        })
    }

    /// The pairs as text, those with the largest e-values first.
    pub fn table(&self) -> TextTable {
        const HEADS: [&str; 6] = ["player", "against", "games", "score", "anytime_low", "e_value"];
        let figures = pair_figures();
        let mut table = figures.heads(TextTable::new("Who beats whom?"), &HEADS);
        let e = |pair: &PairScore| pair.samples.e_value().unwrap_or(1.0);
        let mut pairs: Vec<&PairScore> = self.pairs.iter().collect();
        pairs.sort_by(|a, b| e(b).total_cmp(&e(a)));
        for pair in pairs.iter().take(SHOWN) {
            // The player with more points is named first.
            let is_turned = pair.samples.mean().is_some_and(|score| score < 0.5);
            let row = PairRow { players: self.players, pair, is_turned };
            table.row(HEADS.map(|name| figures.show(name, &row)));
        }
        if pairs.len() > SHOWN {
            let others = (pairs.len() - SHOWN) as u64;
            table
                .note(format!("{} more: `--format json`, or `--out DIR`", counted(others, "pair")));
        }
        table.note(format!(
            "significant at any time (5 %): from e-value {}",
            e_value(Some(self.bound()))
        ));
        table
    }

    /// The pairs for programs.
    pub fn data(&self) -> DataTable<'_> {
        let figures = pair_figures();
        DataTable::new(&figures.header(), move |push| {
            for pair in self.pairs {
                let row = PairRow { players: self.players, pair, is_turned: false };
                push(figures.cells(&row));
            }
        })
    }
}

/// The scores of two players against each other.
struct PairRow<'a> {
    players: &'a [String],
    pair: &'a PairScore,
    /// Whether the second player is named first.
    is_turned: bool,
}

impl PairRow<'_> {
    fn name(&self, place: usize) -> &str {
        &self.players[self.pair.players[if self.is_turned { 1 - place } else { place }]]
    }

    /// The score of the player who is named first.
    fn score(&self) -> Option<f64> {
        self.pair.samples.mean().map(|score| if self.is_turned { 1.0 - score } else { score })
    }

    fn turned(&self, interval: Option<Interval>) -> Option<Interval> {
        let turn = |of: Interval| Interval { lo: 1.0 - of.hi, hi: 1.0 - of.lo };
        if self.is_turned { interval.map(turn) } else { interval }
    }

    fn interval(&self) -> Option<Interval> {
        self.turned(self.pair.samples.interval(Confidence::P95))
    }

    fn anytime(&self) -> Option<Interval> {
        self.turned(self.pair.samples.anytime_interval(Confidence::P95))
    }
}

/// The figures of a pair, in the order of the table for programs.
fn pair_figures<'a>() -> FigureList<PairRow<'a>> {
    FigureList::<PairRow<'a>>::new()
        .with("player", "player", Text, |row| row.name(0).into())
        .with("against", "against", Text, |row| row.name(1).into())
        .with("games", "games", Count, |row| row.pair.rows.into())
        .with("samples", "", Count, |row| row.pair.samples.n.into())
        .with("score", "score %", Percent, |row| row.score().into())
        .with("score_low, score_high", "", Percent, |row| Ends(row.interval()))
        .with("p_value", "", PValue, |row| row.pair.samples.p_value().into())
        .with("anytime_low, anytime_high", "95 % at any time", Percent, |row| Ends(row.anytime()))
        .with("e_value", "e-value", EValue, |row| row.pair.samples.e_value().into())
}
