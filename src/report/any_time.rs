//! What holds at any stopping time for rows with any number of seats: the scores of pairs, and a
//! sequential test of two players.

use serde_json::{Value, json};

use crate::report::text::data_table::{DataCell, DataTable};
use crate::report::text::number_format::{counted, e_value, percent, percents, trimmed};
use crate::report::text::text_table::TextTable;
use crate::stats::ranked::PairScore;
use crate::stats::sprt::{BettingTest, SprtVerdict};
use crate::stats::{Confidence, Interval};

/// A sequential test of two players.
pub(crate) struct TestOfTwo {
    pub players: [String; 2],
    /// The hypotheses in Elo.
    pub elo: [f64; 2],
    /// Whether a sample is a group of rows.
    pub is_grouped: bool,
    pub test: BettingTest,
}

impl TestOfTwo {
    fn verdict_word(&self) -> &'static str {
        match self.test.verdict() {
            Some(SprtVerdict::AcceptH1) => "H1 accepted",
            Some(SprtVerdict::AcceptH0) => "H0 accepted",
            Some(SprtVerdict::Undecided) | None => "undecided",
        }
    }

    /// The verdict with its e-values and its number of samples.
    pub fn sentences(&self) -> String {
        let [a, b] = &self.players;
        let [elo0, elo1] = self.elo.map(|elo| trimmed(elo, 2));
        let [against_h0, against_h1] = self.test.e_values().map(|e| e_value(Some(e)));
        let says = match self.test.verdict() {
            Some(SprtVerdict::AcceptH1) => {
                format!("{a} is better than {b} by more than {elo0} Elo.")
            }
            Some(SprtVerdict::AcceptH0) => format!("{a} is not better than {b} by {elo1} Elo."),
            Some(SprtVerdict::Undecided) | None => {
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
            self.verdict_word(),
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
            "verdict": self.verdict_word(),
        })
    }
}

/// The scores of all pairs of players who met.
pub(crate) struct PairScores<'a> {
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
        let mut table = TextTable::new("Who beats whom?").text(["player", "against"]).figures([
            "games",
            "score %",
            "95 % at any time",
            "e-value",
        ]);
        let e = |pair: &PairScore| pair.samples.e_value().unwrap_or(1.0);
        let mut pairs: Vec<&PairScore> = self.pairs.iter().collect();
        pairs.sort_by(|a, b| e(b).total_cmp(&e(a)));
        for pair in pairs.iter().take(SHOWN) {
            // The player with more points is named first.
            let score = pair.samples.mean();
            let is_turned = score.is_some_and(|score| score < 0.5);
            let [a, b] = pair.players.map(|player| self.players[player].clone());
            let (a, b) = if is_turned { (b, a) } else { (a, b) };
            let turned = |of: Interval| Interval { lo: 1.0 - of.hi, hi: 1.0 - of.lo };
            let interval = pair.samples.anytime_interval(Confidence::P95);
            let interval = if is_turned { interval.map(turned) } else { interval };
            let score = score.map(|score| score.max(1.0 - score));
            let rows = pair.rows.to_string();
            table.row([a, b, rows, percent(score), percents(interval), e_value(Some(e(pair)))]);
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
        let columns = "player, against, games, samples, score, score_low, score_high, p_value, \
                       anytime_low, anytime_high, e_value";
        DataTable::new(columns, move |push| {
            for PairScore { players, rows, samples } in self.pairs {
                let [low, high] = DataCell::ends(samples.interval(Confidence::P95));
                let [any_low, any_high] = DataCell::ends(samples.anytime_interval(Confidence::P95));
                push(vec![
                    self.players[players[0]].as_str().into(),
                    self.players[players[1]].as_str().into(),
                    (*rows).into(),
                    samples.n.into(),
                    samples.mean().into(),
                    low,
                    high,
                    samples.p_value().into(),
                    any_low,
                    any_high,
                    samples.e_value().into(),
                ]);
            }
        })
    }
}
