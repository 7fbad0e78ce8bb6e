//! The history of a run in bounded memory: evidence, game lengths, reasons and interesting games.

use super::highlights::Highlights;
use super::tally::Tally;
use crate::play::Outcome;
use crate::rows::games_csv_rows::{GameRow, GameRows};
use crate::stats::{Clusters, Evidence};
use std::collections::BTreeMap;

/// The evidence after a number of games.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryPoint {
    pub games: u64,
    /// Distinct evidence on the only pair of agents; `None` if there is not exactly one pair.
    pub head_to_head: Option<Evidence>,
    /// The first player's score so far; each opening counts once.
    pub first: Clusters,
    /// The log-likelihood ratio of the sequential test with its bounds: ratio, lower, upper.
    pub llr: Option<[f64; 3]>,
}

#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lengths {
    pub width: u32,
    /// First player's wins, draws, second player's wins: `counts[i]` is for lengths from `i ×
    /// width`.
    pub counts: Vec<[u64; 3]>,
}

/// The history that is recorded from the rows in game order.
pub struct RunHistory {
    /// Growth of the evidence: evenly spaced samples, the last one at the end.
    pub samples: Vec<HistoryPoint>,
    pub lengths: Lengths,
    /// Games by reason: first player's wins, draws, second player's wins, void.
    pub reasons: BTreeMap<&'static str, [u64; 4]>,
    pub highlights: Highlights,
    step: u64,
    /// Reads the lines of rows that were just written.
    lines: Option<GameRows<'static>>,
}

impl Default for RunHistory {
    fn default() -> Self {
        RunHistory {
            samples: Vec::new(),
            lengths: Lengths { width: 1, counts: Vec::new() },
            reasons: BTreeMap::default(),
            highlights: Highlights::default(),
            // A pair is evidence, half a pair is not.
            step: 2,
            lines: None,
        }
    }
}

impl RunHistory {
    pub const POINTS: usize = 256;

    /// Records a row after the tally has counted it; `texts` returns its opening and moves as in
    /// `games.csv`.
    pub fn record(
        &mut self,
        row: &GameRow,
        texts: impl FnOnce() -> (String, String),
        tally: &Tally,
    ) {
        if row.outcome != Outcome::Void {
            self.lengths.add(row.plies, row.outcome);
        }
        self.reasons.entry(row.reason).or_default()[row.outcome as usize] += 1;
        self.highlights.record(row, texts);
        if tally.rows.is_multiple_of(self.step) {
            self.samples.push(HistoryPoint::of(tally));
            if self.samples.len() == 2 * Self::POINTS {
                self.step *= 2;
                let step = self.step;
                self.samples.retain(|point| point.games.is_multiple_of(step));
            }
        }
    }

    /// Records a row that was just written; `line` is its line in `games.csv`.
    pub fn record_line(&mut self, row: &GameRow, line: &[u8], tally: &Tally) {
        let open = || GameRows::of_lines(Vec::new(), &tally.added_columns);
        let mut lines = self.lines.take().unwrap_or_else(open);
        self.record(row, || lines.texts_of(line), tally);
        self.lines = Some(lines);
    }

    /// Records the state of the tally after the last row.
    pub fn end(&mut self, tally: &Tally) {
        if tally.rows > 0 && self.samples.last().is_none_or(|last| last.games != tally.rows) {
            self.samples.push(HistoryPoint::of(tally));
        }
    }
}

impl HistoryPoint {
    fn of(tally: &Tally) -> HistoryPoint {
        let mut met = tally.pairings.iter().filter(|(pairing, _)| !pairing.is_self());
        let head_to_head = met.next().filter(|_| met.next().is_none());
        HistoryPoint {
            games: tally.rows,
            head_to_head: head_to_head.map(|(_, results)| results.distinct),
            first: tally.clusters(),
            llr: tally.sprt.as_ref().map(|sprt| [sprt.llr(), sprt.lower(), sprt.upper()]),
        }
    }
}

impl Lengths {
    const MOST: usize = 512;

    fn add(&mut self, plies: u32, outcome: Outcome) {
        while (plies / self.width) as usize >= Self::MOST {
            let pairs = self.counts.chunks(2);
            self.counts = pairs.map(|pair| sum(pair.iter())).collect();
            self.width = self.width.saturating_mul(2);
        }
        let place = (plies / self.width) as usize;
        if self.counts.len() <= place {
            self.counts.resize(place + 1, [0; 3]);
        }
        self.counts[place][outcome as usize] += 1;
    }

    /// The same lengths in at most `most` bins.
    pub fn in_columns(&self, most: usize) -> Lengths {
        let first = self.counts.iter().position(|count| *count != [0; 3]).unwrap_or(0);
        let used = self.counts.len() - first;
        let join = used.div_ceil(most.max(1)).max(1);
        let counts = self.counts.chunks(join).map(|chunk| sum(chunk.iter())).collect();
        Lengths { width: self.width * join as u32, counts }
    }
}

fn sum<'a>(counts: impl Iterator<Item = &'a [u64; 3]>) -> [u64; 3] {
    counts.fold([0; 3], |[a, b, c], [x, y, z]| [a + x, b + y, c + z])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Pairing;

    fn row(game: u64) -> GameRow {
        let swapped = game.is_multiple_of(2);
        GameRow {
            game,
            pairing: 1,
            opening: game.div_ceil(2),
            first: usize::from(swapped),
            second: usize::from(!swapped),
            outcome: if game.is_multiple_of(3) { Outcome::Draw } else { Outcome::First },
            reason: "line",
            plies: game as u32,
            rng_draws: 1,
            luck: None,
            identity: game,
            ..GameRow::default()
        }
    }

    fn history(games: u64) -> RunHistory {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let mut tally = Tally::new(names, &[Pairing::of(0, 1)]);
        let mut history = RunHistory::default();
        for game in 1..=games {
            tally.push(&row(game));
            history.record(&row(game), Default::default, &tally);
        }
        history.end(&tally);
        history
    }

    #[test]
    fn the_course_is_thinned_evenly_and_ends_at_the_end() {
        let short = history(7);
        assert_eq!(short.samples.iter().map(|p| p.games).collect::<Vec<_>>(), [2, 4, 6, 7]);
        let long = history(10_001);
        assert!(long.samples.len() <= 2 * RunHistory::POINTS + 1);
        let games: Vec<u64> = long.samples.iter().map(|p| p.games).collect();
        let step = games[0];
        let even = games[..games.len() - 1].iter().zip(1..).all(|(g, i)| *g == i * step);
        assert!(even && games.last() == Some(&10_001), "{games:?}");
        let last = long.samples.last().and_then(|p| p.head_to_head).expect("two agents");
        assert_eq!(last.pairs.n(), 5_000);
    }

    #[test]
    fn every_length_is_counted_whatever_the_width() {
        let history = history(3_000);
        let all: u64 = history.lengths.counts.iter().flatten().sum();
        assert_eq!((all, history.lengths.width), (3_000, 8));
        let columns = history.lengths.in_columns(40);
        assert!(columns.counts.len() <= 41, "{}", columns.counts.len());
        assert_eq!(columns.counts.iter().flatten().sum::<u64>(), 3_000);
        assert_eq!(history.reasons[&"line"], [2_000, 1_000, 0, 0]);
    }
}
