//! Results of any number of players in little memory: the rows of all tables.

use std::collections::HashMap;

use super::table_fault::TableFault;

/// Texts that occur often, each kept once.
#[derive(Debug, Default, Clone)]
pub struct InternedTexts {
    texts: Vec<Box<str>>,
    numbers: HashMap<Box<str>, u32>,
}

impl InternedTexts {
    /// The number of a text, from 0.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.into());
        self.numbers.insert(text.into(), number);
        number
    }

    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }
}

/// A player in a row. Members of a team have the same seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeatedPlayer {
    pub player: u32,
    /// The seat, from 0.
    pub seat: u16,
    /// The rank; less is better, and players with the same rank are tied.
    pub rank: u16,
}

/// What a row has beside its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RowFacts {
    /// The number of the opening from 1; 0 if the table has none.
    pub opening: u32,
    /// The number of the group from 1; 0 if the table has none.
    pub group: u32,
    /// The number of the list of `--split-by`, from 0.
    pub list: u32,
    /// The number of its conditions in [`ResultRows::conditions_of_rows`] from 1; 0 without.
    pub conditions: u32,
    pub file: u32,
    pub line: u32,
    /// The hash of a game that agon has recorded: equal games without random numbers are one sample.
    pub identity: Option<u64>,
}

/// One row: the players with their ranks, and the facts.
#[derive(Debug, Clone, Copy)]
pub struct ResultRow<'a> {
    /// In the order of the seats.
    pub players: &'a [SeatedPlayer],
    pub facts: &'a RowFacts,
}

/// How the values of a condition are spread over the rows, such as two time controls.
#[derive(Debug, Clone, Default)]
pub struct ConditionCounts {
    /// Each value with its number of rows, at most [`ConditionCounts::MOST`].
    pub values: Vec<(String, u64)>,
    /// Whether there are more values, so that the column is no condition.
    pub too_many: bool,
}

impl ConditionCounts {
    /// The maximum number of values.
    pub const MOST: usize = 20;

    pub(super) fn count(&mut self, value: &str) {
        if let Some((_, rows)) = self.values.iter_mut().find(|(known, _)| known == value) {
            *rows += 1;
        } else if self.values.len() < Self::MOST {
            self.values.push((value.to_owned(), 1));
        } else {
            self.too_many = true;
        }
    }
}

/// The rows of all tables.
#[derive(Debug, Default)]
pub struct ResultRows {
    /// The names of the players by number.
    pub names: InternedTexts,
    /// The names of the lists of `--split-by`; none without it.
    pub lists: InternedTexts,
    /// The files by number.
    pub files: Vec<String>,
    /// What the columns of each file were taken for.
    pub columns: Vec<String>,
    /// The conditions, by the name of their column.
    pub conditions: Vec<(String, ConditionCounts)>,
    /// The conditions of a row as a JSON object: each different one once.
    pub conditions_of_rows: InternedTexts,
    /// The first rows that were left out, and the number of all.
    pub skipped: Vec<TableFault>,
    pub skipped_rows: u64,
    /// Rows of agon without a result.
    pub voids: u64,
    /// Facts about the rows that a reader of the ratings must know.
    pub notes: Vec<String>,
    players: Vec<SeatedPlayer>,
    /// The end of each row in `players`.
    ends: Vec<u32>,
    facts: Vec<RowFacts>,
}

impl ResultRows {
    /// The maximum number of skipped rows that are kept.
    pub const SHOWN: usize = 10;

    pub(super) fn push(&mut self, players: &[SeatedPlayer], facts: RowFacts) {
        self.players.extend_from_slice(players);
        self.ends.push(self.players.len() as u32);
        self.facts.push(facts);
    }

    pub fn len(&self) -> usize {
        self.facts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    pub fn row(&self, index: usize) -> ResultRow<'_> {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let players = &self.players[begin..self.ends[index] as usize];
        ResultRow { players, facts: &self.facts[index] }
    }

    pub fn iter(&self) -> impl Iterator<Item = ResultRow<'_>> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// Makes all players of a row tied.
    pub(super) fn draw(&mut self, index: usize) {
        let begin = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.players[begin..self.ends[index] as usize].iter_mut().for_each(|it| it.rank = 1);
    }

    /// Whether every row has two players against each other, without teams.
    pub fn is_two_seats(&self) -> bool {
        self.iter().all(|row| matches!(row.players, [a, b] if a.seat != b.seat))
    }

    pub fn has_openings(&self) -> bool {
        self.facts.iter().any(|facts| facts.opening > 0)
    }

    pub fn has_groups(&self) -> bool {
        self.facts.iter().any(|facts| facts.group > 0)
    }
}
