//! The rule for openings of all lists and files.
//!
//! An opening has 0 or more plies. Openings with equal positions count once, whatever their counters
//! of moves. Shorter lines are used whole. Openings after which no agent moves are left out. Notes say
//! how many openings each of these rules concerns.
//!
//! In random order, openings are sorted by a hash of their text and the seed. So with more games, the
//! openings stay the same and new ones are added.

use std::collections::{BTreeMap, HashSet};

use crate::games::key_hash::{fold, mix};
use crate::play::{AnyGame, OpeningError, OpeningRule, OpeningSource, ReadOpening};

#[derive(Debug, Clone, Copy)]
pub(crate) struct OpeningChoice {
    pub rule: OpeningRule,
    /// The number of openings that are needed.
    pub most: u64,
    /// The seed of the random order. `None`: the order of the file.
    pub seed: Option<u64>,
}

/// Fewer openings are not sorted before the end.
const SMALL: usize = 1000;

pub(crate) struct OpeningCollector {
    pub choice: OpeningChoice,
    /// What an opening is in the source: lines, games or entries.
    unit: &'static str,
    /// The openings that were read.
    count: u64,
    /// The keys of the positions that were read.
    seen: HashSet<u64>,
    /// The openings with their hashes.
    list: Vec<(u64, String)>,
    /// In random order: larger hashes are not needed.
    last: u64,
    same: u64,
    short: u64,
    /// The openings that are over, by reason.
    over: BTreeMap<&'static str, u64>,
}

impl OpeningCollector {
    pub fn new(choice: OpeningChoice, unit: &'static str) -> Self {
        OpeningCollector {
            choice,
            unit,
            count: 0,
            seen: HashSet::new(),
            list: Vec::new(),
            last: u64::MAX,
            same: 0,
            short: 0,
            over: BTreeMap::new(),
        }
    }

    /// Whether no more openings are needed. In random order, all are read.
    pub fn is_full(&self) -> bool {
        self.choice.seed.is_none() && self.list.len() as u64 >= self.choice.most
    }

    /// Reads an opening and takes it if it is needed.
    ///
    /// # Errors
    /// A text that is not an opening.
    pub fn take(
        &mut self,
        any_game: &AnyGame,
        source: OpeningSource<'_>,
    ) -> Result<(), OpeningError> {
        let opening = any_game.read_opening(source, &self.choice.rule)?;
        self.count += 1;
        let (text, key, is_short) = match opening {
            ReadOpening::Over(reason) => {
                *self.over.entry(reason).or_default() += 1;
                return Ok(());
            }
            ReadOpening::Playable { text, key, is_short } => (text, key, is_short),
        };
        if !self.seen.insert(key) {
            self.same += 1;
            return Ok(());
        }
        self.short += u64::from(is_short);
        let place = place(self.choice.seed.unwrap_or(0), &text);
        if self.choice.seed.is_none() || place <= self.last {
            self.list.push((place, text));
        }
        // The smallest hashes are sorted out now and then, so memory is bounded.
        if self.choice.seed.is_some() && self.list.len() / 2 >= SMALL.max(self.most()) {
            self.keep_smallest();
        }
        Ok(())
    }

    fn most(&self) -> usize {
        usize::try_from(self.choice.most).unwrap_or(usize::MAX)
    }

    fn keep_smallest(&mut self) {
        self.list.sort_by_key(|(place, _)| *place);
        self.list.truncate(self.most());
        self.last = self.list.last().map_or(0, |(place, _)| *place);
    }

    /// The openings in their order.
    pub fn openings(mut self) -> Vec<String> {
        if self.choice.seed.is_some() {
            self.keep_smallest();
        }
        self.list.into_iter().map(|(_, text)| text).collect()
    }

    /// Why there is no opening.
    pub fn why_empty(&self, name: &str) -> String {
        match self.over.is_empty() {
            true => format!("there is no opening in `{name}`"),
            false => format!(
                "every opening in `{name}` is left out: no agent moves after it ({})",
                self.reasons()
            ),
        }
    }

    /// What the rule left out, and what is shorter than asked, in sentences for people.
    pub fn notes(&self, name: &str) -> Vec<String> {
        let (count, unit) = (self.count, self.unit);
        let mut notes = Vec::new();
        let over: u64 = self.over.values().sum();
        if over > 0 {
            let reasons = self.reasons();
            notes.push(format!(
                "{name}: {over} of {count} {unit} left out: no agent moves after them ({reasons})"
            ));
        }
        if self.same > 0 {
            notes.push(format!(
                "{name}: {} of {count} {unit} left out: their position is there already",
                self.same
            ));
        }
        if self.short > 0 {
            let plies = match self.choice.rule.plies.unwrap_or(0) {
                1 => "1 ply".to_owned(),
                plies => format!("{plies} plies"),
            };
            notes.push(format!(
                "{name}: {} of {count} {unit} used whole: shorter than {plies}",
                self.short
            ));
        }
        notes
    }

    fn reasons(&self) -> String {
        let each = self.over.iter().map(|(reason, count)| format!("{reason}: {count}"));
        each.collect::<Vec<_>>().join(", ")
    }
}

/// The position of an opening in the random order of a seed.
fn place(seed: u64, text: &str) -> u64 {
    let words = text
        .as_bytes()
        .chunks(8)
        .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    fold(words.fold(mix(seed), fold), text.len() as u64)
}
