//! Selects interesting games with their moves while rows are read, in bounded memory.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use crate::play::Outcome;
use crate::rows::games_csv_rows::GameRow;
use crate::rows::moves_csv_rows::is_fault;
use std::collections::BTreeMap;

#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGame {
    pub row: GameRow,
    pub opening: String,
    pub moves: String,
}

/// Why a game was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It ended by a fault.
    Fault,
    Upset,
    /// It is one of the games with the most luck.
    Luckiest,
    /// It is one of the longest games.
    Longest,
    /// It is one of the shortest games.
    Shortest,
    Drawn,
}

impl Reason {
    pub fn word(self) -> &'static str {
        ["fault", "upset", "luckiest", "longest", "shortest", "drawn"][self as usize]
    }
}

/// Interesting games, and the games of the first openings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Highlights {
    pub faults: Vec<StoredGame>,
    longest: Vec<StoredGame>,
    shortest: Vec<StoredGame>,
    drawn: Vec<StoredGame>,
    /// The first win of each agent against each other agent, by winner and loser.
    wins: HashMap<(usize, usize), StoredGame>,
    first: Vec<StoredGame>,
    first_bytes: usize,
    first_full: bool,
}

const EACH: usize = 3;
const WINS: usize = 1024;
/// The memory for the first games in bytes, texts and rows together.
const FIRST_BYTES: usize = 1 << 20;
const LONG: usize = 1 << 16;

impl Highlights {
    pub const FAULTS: usize = 20;

    /// Considers a game. Its texts are only read if the game may be stored, which is rare after the
    /// first few thousand games.
    pub(crate) fn record(&mut self, row: &GameRow, texts: impl FnOnce() -> (String, String)) {
        let stored = LazyCell::new(|| {
            let (opening, moves) = texts();
            StoredGame { row: *row, opening, moves }
        });
        let keep = || StoredGame::clone(&stored);
        if row.outcome == Outcome::Void || is_fault(row.reason) {
            if self.faults.len() < Self::FAULTS {
                self.faults.push(keep());
            }
            if row.outcome == Outcome::Void {
                return;
            }
        } else {
            insert(&mut self.shortest, row, keep, |a, b| a < b);
        }
        insert(&mut self.longest, row, keep, |a, b| a > b);
        if row.outcome == Outcome::Draw && self.drawn.len() < EACH {
            self.drawn.push(keep());
        }
        let won = match row.outcome {
            Outcome::First => Some((row.first, row.second)),
            Outcome::Second => Some((row.second, row.first)),
            Outcome::Draw | Outcome::Void => None,
        };
        if let Some(won) = won.filter(|(a, b)| a != b && !self.wins.contains_key(&(*a, *b)))
            && self.wins.len() < WINS
        {
            self.wins.insert(won, keep());
        }
        if self.first_full {
            return;
        }
        let kept = keep();
        let bytes = std::mem::size_of::<StoredGame>() + kept.opening.len() + kept.moves.len();
        if kept.moves.len() < LONG {
            self.first_full = self.first_bytes + bytes > FIRST_BYTES;
            if !self.first_full {
                self.first_bytes += bytes;
                self.first.push(kept);
            }
        }
    }

    /// The interesting games with the reasons, most interesting first, and the luckiest games among
    /// them; `score` is the score of an agent against the others.
    pub fn of_interest<'a>(
        &'a self,
        score: &dyn Fn(usize) -> Option<f64>,
        luckiest: &mut dyn Iterator<Item = &'a StoredGame>,
    ) -> Vec<(&'a StoredGame, Vec<Reason>)> {
        let gap = |(winner, loser): (usize, usize)| Some(score(loser)? - score(winner)?);
        let mut upsets: Vec<(f64, &StoredGame)> = (self.wins.iter())
            .filter_map(|(&pair, kept)| Some((gap(pair).filter(|gap| *gap > 0.0)?, kept)))
            .collect();
        upsets.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.row.game.cmp(&b.1.row.game)));
        let mut games: Vec<(&StoredGame, Vec<Reason>)> = Vec::new();
        let mut add = |kept: &'a StoredGame, why: Reason| match games
            .iter_mut()
            .find(|(there, _)| there.row.game == kept.row.game)
        {
            Some((_, reasons)) => reasons.push(why),
            None => games.push((kept, vec![why])),
        };
        self.faults.iter().take(EACH).for_each(|kept| add(kept, Reason::Fault));
        upsets.iter().take(EACH).for_each(|(_, kept)| add(kept, Reason::Upset));
        luckiest.for_each(|kept| add(kept, Reason::Luckiest));
        self.longest.iter().for_each(|kept| add(kept, Reason::Longest));
        self.shortest.iter().for_each(|kept| add(kept, Reason::Shortest));
        self.drawn.iter().for_each(|kept| add(kept, Reason::Drawn));
        games
    }

    /// The first games, ordered by the number of their opening, and whether these are all games.
    pub fn by_opening(&self) -> (BTreeMap<u64, Vec<&StoredGame>>, bool) {
        let mut openings: BTreeMap<u64, Vec<&StoredGame>> = BTreeMap::default();
        for kept in &self.first {
            openings.entry(kept.row.opening).or_default().push(kept);
        }
        (openings, !self.first_full)
    }

    pub fn games(&self) -> HashSet<u64> {
        let some = [&self.faults, &self.longest, &self.shortest, &self.drawn, &self.first];
        let some = some.into_iter().flatten();
        some.chain(self.wins.values()).map(|kept| kept.row.game).collect()
    }
}

/// The rows of the luckiest games: the largest luck first, earlier games first if it is equal.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct LuckiestRows(pub Vec<GameRow>);

impl LuckiestRows {
    pub fn record(&mut self, row: &GameRow) {
        let luck = |row: &GameRow| row.luck.map(i64::abs);
        if row.luck.is_none() || row.first == row.second || row.outcome == Outcome::Void {
            return;
        }
        let place = self.0.iter().position(|known| luck(row) > luck(known));
        let place = place.unwrap_or(self.0.len());
        if place < EACH {
            self.0.insert(place, *row);
            self.0.truncate(EACH);
        }
    }
}

/// Inserts a game into the short list of extreme lengths; of equal lengths, earlier games come
/// first.
fn insert(
    few: &mut Vec<StoredGame>,
    row: &GameRow,
    keep: impl Fn() -> StoredGame,
    ahead: impl Fn(u32, u32) -> bool,
) {
    let place = few.iter().position(|kept| ahead(row.plies, kept.row.plies));
    let place = place.unwrap_or(few.len());
    if place < EACH {
        few.insert(place, keep());
        few.truncate(EACH);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(game: u64, outcome: Outcome, plies: u32, reason: &'static str) -> GameRow {
        GameRow {
            game,
            pairing: 1,
            opening: game.div_ceil(2),
            first: 0,
            second: 1,
            outcome,
            reason,
            plies,
            identity: game,
            ..GameRow::default()
        }
    }

    #[test]
    fn games_are_picked_for_what_they_are() {
        let mut highlights = Highlights::default();
        for (game, outcome, plies, reason) in [
            (1, Outcome::First, 9, "line"),
            (2, Outcome::Draw, 5, "board full"),
            (3, Outcome::Second, 7, "line"),
            (4, Outcome::Second, 1, "crash"),
            (5, Outcome::Void, 0, "panic"),
            (6, Outcome::First, 5, "line"),
            (7, Outcome::First, 30, "line"),
        ] {
            highlights
                .record(&row(game, outcome, plies, reason), || (String::new(), "1 2".to_owned()));
        }
        let found =
            highlights.of_interest(&|agent| Some([0.7, 0.3][agent]), &mut std::iter::empty());
        let of = |why| -> Vec<u64> {
            let with = found.iter().filter(|(_, all)| all.contains(&why));
            with.map(|(kept, _)| kept.row.game).collect()
        };
        assert_eq!(of(Reason::Fault), [4, 5]);
        assert_eq!(of(Reason::Upset), [3]);
        assert_eq!(of(Reason::Drawn), [2]);
        // In the order of selection: game 3 as an upset.
        assert_eq!(of(Reason::Longest), [3, 7, 1]);
        assert_eq!(of(Reason::Shortest), [3, 2, 6]);
        let (openings, all) = highlights.by_opening();
        assert_eq!((openings.len(), all), (4, true));
        assert!(!openings[&3].iter().any(|kept| kept.row.game == 5), "void games have no moves");
        assert_eq!(highlights.games().len(), 7);
    }

    #[test]
    fn the_largest_luck_of_either_side_comes_first() {
        let mut rows = LuckiestRows::default();
        for (game, luck, second, outcome) in [
            (1, Some(3), 1, Outcome::First),
            (2, Some(-5), 1, Outcome::Second),
            (3, Some(9), 0, Outcome::First),
            (4, None, 1, Outcome::First),
            (5, Some(8), 1, Outcome::Void),
            (6, Some(5), 1, Outcome::Draw),
            (7, Some(-4), 1, Outcome::First),
        ] {
            rows.record(&GameRow { game, luck, second, outcome, ..GameRow::default() });
        }
        let games: Vec<u64> = rows.0.iter().map(|row| row.game).collect();
        assert_eq!(games, [2, 6, 7], "not of one agent, not void, and measured");
    }

    #[test]
    fn memory_is_bounded_and_openings_are_whole_games() {
        let mut highlights = Highlights::default();
        let moves = "1 ".repeat(500);
        for game in 1..20_000 {
            let texts = || (String::new(), moves.clone());
            highlights.record(&row(game, Outcome::Draw, game as u32, "crash"), texts);
        }
        let (openings, all) = highlights.by_opening();
        let kept: usize = openings.values().map(|games| games.len()).sum();
        assert!(!all && kept > 500 && kept < 1_100, "{kept}");
        assert_eq!(highlights.faults.len(), Highlights::FAULTS);
    }
}
