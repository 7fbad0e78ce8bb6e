//! Search information from engines: `info` lines.

use std::fmt;

/// An engine's value of a position, from the view of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineScore {
    /// Hundredths of a pawn, or the engine's own unit.
    Centipawns(i64),
    /// The side to move wins in this number of its moves. If the number is negative, that side
    /// loses. Never 0: a side that has a move has not lost yet.
    Mate(i64),
    /// The same, counted in plies of both sides.
    MateInPlies(i64),
}

impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineScore::Centipawns(score) => write!(f, "cp {score}"),
            EngineScore::Mate(count) | EngineScore::MateInPlies(count) => write!(f, "mate {count}"),
        }
    }
}

/// The engine's last search information; `None` for a value that the engine did not send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Info {
    /// Completed depth in plies: the depth of the score, if there is one.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// The score of the best move; scores that are only bounds are ignored.
    pub score: Option<EngineScore>,
}

impl Info {
    /// Reads a line without the word `info`. Values that are missing, unknown or not numbers are
    /// ignored. Only the number of positions is read of a variation that is not the best, and of an
    /// iteration that is not complete: its line has a bound, the move that is searched, or no score
    /// although other lines have one.
    pub fn read(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        let (mut depth, mut score, mut best, mut is_complete) = (None, None, true, true);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = number(&mut words),
                "nodes" => self.nodes = number(&mut words).or(self.nodes),
                "multipv" => best = number::<u32>(&mut words).is_none_or(|number| number == 1),
                "cp" => score = number(&mut words).map(EngineScore::Centipawns).or(score),
                "mate" => match number(&mut words) {
                    Some(0) => is_complete = false,
                    moves => score = moves.map(EngineScore::Mate).or(score),
                },
                "lowerbound" | "upperbound" | "currmove" => is_complete = false,
                // Moves and free text continue to the end of the line.
                "pv" | "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        if best && is_complete && (score.is_some() || self.score.is_none()) {
            self.depth = depth.or(self.depth);
            self.score = score.or(self.score);
        }
    }
}

/// Additional information from agon's own engines: `details words 12 value 0.25`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Details {
    /// Random words that the engine has drawn in this game.
    pub words: Option<u64>,
    /// The value of the position from the first player's view, with all digits.
    pub value: Option<f64>,
}

impl Details {
    /// Reads the text after the word `details`.
    pub fn parse(line: &str) -> Self {
        let mut details = Details::default();
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "words" => details.words = number(&mut words),
                "value" => {
                    details.value = number(&mut words).filter(|value: &f64| value.is_finite())
                }
                _ => {}
            }
        }
        details
    }
}

impl fmt::Display for Details {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.words.map_or(Ok(()), |words| write!(f, " words {words}"))?;
        self.value.map_or(Ok(()), |value| write!(f, " value {value:?}"))
    }
}

/// What an engine has paid for its answers: `cost 0.0021 tokens_in 310 tokens_out 25`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnswerCost {
    /// The cost in billionths of the engine's unit, such as a dollar.
    pub billionths: u64,
    /// Tokens that a language model has read.
    pub tokens_in: u64,
    /// Tokens that a language model has written.
    pub tokens_out: u64,
}

impl AnswerCost {
    /// The largest cost of one line.
    pub const MOST: f64 = 1e6;

    /// Reads the text after the word `cost`; `None` if it has another form, or a number that is
    /// negative or too large.
    pub fn parse(line: &str) -> Option<Self> {
        const MOST_TOKENS: u64 = 1_000_000_000_000;
        let mut words = line.split_ascii_whitespace();
        let cost: f64 = words.next()?.parse().ok()?;
        if !(0.0..=AnswerCost::MOST).contains(&cost) {
            return None;
        }
        let mut all =
            AnswerCost { billionths: (cost * 1e9).round() as u64, ..AnswerCost::default() };
        while let Some(word) = words.next() {
            let tokens = words.next()?.parse().ok().filter(|&tokens| tokens <= MOST_TOKENS)?;
            match word {
                "tokens_in" => all.tokens_in = tokens,
                "tokens_out" => all.tokens_out = tokens,
                _ => return None,
            }
        }
        Some(all)
    }

    /// Adds another cost. The sums stop at the largest number.
    pub fn add(&mut self, other: AnswerCost) {
        self.billionths = self.billionths.saturating_add(other.billionths);
        self.tokens_in = self.tokens_in.saturating_add(other.tokens_in);
        self.tokens_out = self.tokens_out.saturating_add(other.tokens_out);
    }
}

/// The next word, if it is a number; any other word remains for the caller.
fn number<'a, T: std::str::FromStr>(
    words: &mut (impl Iterator<Item = &'a str> + Clone),
) -> Option<T> {
    let value = words.clone().next()?.parse().ok()?;
    words.next();
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Info {
        let mut info = Info::default();
        lines.iter().for_each(|line| info.read(line));
        info
    }

    fn is(depth: u32, nodes: u64, score: EngineScore) -> Info {
        Info { depth: Some(depth), nodes: Some(nodes), score: Some(score) }
    }

    #[test]
    fn details_are_words_and_value() {
        let read = Details::parse;
        assert_eq!(read("words 12 value -0.25"), Details { words: Some(12), value: Some(-0.25) });
        assert_eq!(read("words 3"), Details { words: Some(3), value: None });
        assert_eq!(read("value nan words x more"), Details::default());
    }

    #[test]
    fn costs_are_not_negative_and_not_absurd() {
        let cost = |billionths, tokens_in, tokens_out| {
            Some(AnswerCost { billionths, tokens_in, tokens_out })
        };
        let read = AnswerCost::parse;
        assert_eq!(read("0.0021 tokens_in 310 tokens_out 25"), cost(2_100_000, 310, 25));
        assert_eq!(read("1e-05"), cost(10_000, 0, 0));
        assert_eq!(read("0 tokens_out 7"), cost(0, 0, 7));
        for wrong in [
            "",
            "x",
            "-0.1",
            "nan",
            "inf",
            "1e7",
            "1 tokens_in",
            "1 tokens_in -3",
            "1 tokens_in 1.5",
            "1 tokens_in 99999999999999",
            "1 token 3",
            "$1",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_last_line_counts() {
        let found = read(&[
            "depth 1 seldepth 2 multipv 1 score cp 13 nodes 20 nps 20000 time 1 pv e2e4",
            "depth 2 seldepth 3 multipv 1 score cp -7 nodes 90 hashfull 0 time 2 pv d2d4 depth 9",
        ]);
        assert_eq!(found, is(2, 90, EngineScore::Centipawns(-7)));
    }

    #[test]
    fn bounds_other_variations_and_free_text_do_not_count() {
        let found = read(&[
            "depth 5 score cp 20 nodes 100",
            "depth 6 score cp 90 lowerbound nodes 200",
            "depth 6 multipv 2 score mate 1 nodes 250",
            "string depth 99 nodes 1 score cp 1",
            "currmove e2e4 currmovenumber 1",
            "depth 6 currmove d2d4 currmovenumber 2",
            "depth 6 nodes 300",
            "depth 6 score mate 0 nodes 400",
        ]);
        assert_eq!(found, is(5, 400, EngineScore::Centipawns(20)));
        assert_eq!(read(&["depth 3 score cp 5 upperbound"]), Info::default());
        let found = read(&["depth 1", "depth 2 nodes 7", "depth 3 currmove a1"]);
        assert_eq!(found, Info { depth: Some(2), nodes: Some(7), score: None });
    }

    #[test]
    fn white_space_is_of_any_kind() {
        let found = read(&["depth\t5\tscore\tcp  20 \tnodes\t100"]);
        assert_eq!(found, is(5, 100, EngineScore::Centipawns(20)));
    }

    #[test]
    fn what_is_missing_or_broken_is_passed_over() {
        assert_eq!(
            read(&["", "depth", "nodes x", "score", "score cp", "depth nodes 5"]).depth,
            None
        );
        assert_eq!(read(&["depth nodes 5"]).nodes, Some(5));
        assert_eq!(read(&["nodes 99999999999999999999999"]).nodes, None);
        assert_eq!(read(&["score mate -3"]).score, Some(EngineScore::Mate(-3)));
    }
}
