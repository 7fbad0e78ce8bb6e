//! Finds rows that stand twice in a file: they look like more evidence than there is.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::result_rows::{ResultRow, ResultRows, SeatedPlayer};

/// Hashes of the rows of a file.
#[derive(Debug, Default)]
pub(super) struct RepeatedRows {
    /// The identities of games, if the file has a column of them.
    ids: Vec<u64>,
    /// The players in their seats with the opening, the seed and the moves.
    starts: Vec<u64>,
    /// Games from the side of a player: the game, and whether it is the view of the player with the
    /// smaller number.
    views: Vec<(u64, bool)>,
}

impl RepeatedRows {
    pub fn add_id(&mut self, id: u64) {
        self.ids.push(id);
    }

    pub fn add_start(&mut self, start: u64) {
        self.starts.push(start);
    }

    /// Adds a game of two players as one of them, `viewer`, saw it.
    pub fn add_view(&mut self, players: &[SeatedPlayer], viewer: u32, start: u64) {
        let [a, b] = [players[0], players[1]];
        let (low, high) = if a.player < b.player { (a, b) } else { (b, a) };
        let key = hash_of((low.player, high.player, low.rank, high.rank, start));
        self.views.push((key, viewer == low.player));
    }

    /// Why every game of the file seems to stand twice, if it does.
    pub fn each_game_twice(&self) -> Option<String> {
        if !self.ids.is_empty() && repeats(&self.ids).all(|times| times == 2) {
            return Some("each game stands twice: two rows have the same identity".to_owned());
        }
        let mut views = self.views.clone();
        views.sort_unstable();
        let is_mirrored = views
            .chunk_by(|a, b| a.0 == b.0)
            .all(|rows| 2 * rows.iter().filter(|(_, is_first)| *is_first).count() == rows.len());
        (is_mirrored && views.len() >= 4).then(|| {
            format!(
                "each game stands twice: all {} rows have a row of the opponent with the opposite result",
                views.len()
            )
        })
    }

    /// A note about rows that repeat an earlier row.
    pub fn note(&self) -> Option<String> {
        let of = |keys: &[u64], same: &str| {
            let repeated = keys.len() - repeats(keys).count();
            let help = "`--group COLUMN` makes rows that belong together one sample";
            (repeated > 0).then(|| {
                format!(
                    "{repeated} of {} rows have the same {same} as an earlier row; {help}",
                    keys.len()
                )
            })
        };
        of(&self.ids, "identity").or_else(|| of(&self.starts, "players, opening, seed and moves"))
    }
}

/// Results that are equal by chance have a probability above this number.
const BY_CHANCE: f64 = 1e-4;

/// Why every game of the file seems to stand twice, once with each player first, if it does. The file begins
/// with row `first`. Different games may look alike, such as those of a player who always wins, so the
/// results must also be varied.
pub(super) fn each_game_mirrored(rows: &ResultRows, first: usize) -> Option<String> {
    let n = rows.len() - first;
    if n < 4 || n % 2 == 1 || (first..rows.len()).any(|index| rows.row(index).players.len() != 2) {
        return None;
    }
    let are_mirrored = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|index| rows.row(first + index));
        let [x, y] = [a.players[0], a.players[1]];
        let [z, w] = [b.players[0], b.players[1]];
        (x.player, x.rank, y.player, y.rank) == (w.player, w.rank, z.player, z.rank)
            && a.facts.opening == b.facts.opening
    };
    let is_next = (0..n / 2).all(|place| are_mirrored(2 * place, 2 * place + 1));
    let is_half = is_next || (0..n / 2).all(|place| are_mirrored(place, place + n / 2));
    let all = (first..rows.len()).map(|index| rows.row(index));
    let counts = Counts::of(all.clone(), false);
    let ln_chance = match is_half {
        true => counts.ln_chance_in_order(),
        false if counts.are_mirrored() => {
            let fine = Counts::of(all, true);
            let is_fine = fine.are_mirrored();
            if !is_fine { 0.0 } else { counts.ln_chance().min(fine.ln_chance()) }
        }
        false => 0.0,
    };
    (ln_chance < BY_CHANCE.ln()).then(|| {
        format!(
            "each game stands twice: all {n} rows have a row with exchanged players and the opposite result"
        )
    })
}

/// The results of each two players, perhaps from each opening: wins of the player with the smaller
/// number, draws and losses, in rows in which it is first and in which it is second.
struct Counts(BTreeMap<(u32, u32, u32), [[u32; 3]; 2]>);

impl Counts {
    fn of<'a>(rows: impl Iterator<Item = ResultRow<'a>>, by_opening: bool) -> Self {
        let mut counts: BTreeMap<_, [[u32; 3]; 2]> = BTreeMap::new();
        for row in rows {
            let [a, b] = [row.players[0], row.players[1]];
            let (low, high) = if a.player < b.player { (a, b) } else { (b, a) };
            let opening = if by_opening { row.facts.opening } else { 0 };
            let result = (low.rank.cmp(&high.rank) as i8 + 1) as usize;
            let of = counts.entry((low.player, high.player, opening)).or_default();
            of[usize::from(a.player > b.player)][result] += 1;
        }
        Counts(counts)
    }

    fn are_mirrored(&self) -> bool {
        self.0.values().all(|[first, second]| first == second)
    }

    /// The logarithm of the chance that random seats are so equal.
    fn ln_chance(&self) -> f64 {
        let of = |[one, _]: &[[u32; 3]; 2]| {
            let each: f64 = one.iter().map(|&n| ln_halves(n)).sum();
            each - ln_halves(one.iter().sum())
        };
        self.0.values().map(of).sum()
    }

    /// The logarithm of the chance that random results of neighbours are equal.
    fn ln_chance_in_order(&self) -> f64 {
        let of = |[one, two]: &[[u32; 3]; 2]| {
            let all: Vec<f64> = one.iter().zip(two).map(|(a, b)| f64::from(a + b)).collect();
            let n: f64 = all.iter().sum();
            n / 2.0 * all.iter().map(|count| (count / n).powi(2)).sum::<f64>().ln()
        };
        self.0.values().map(of).sum()
    }
}

/// The logarithm of the number of ways to choose `half` of twice as many.
fn ln_halves(half: u32) -> f64 {
    (1..=half).map(|i| (f64::from(half) / f64::from(i)).ln_1p()).sum()
}

/// The hash of a value; the same in every run of this build.
pub(super) fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// How often each key occurs.
fn repeats(keys: &[u64]) -> impl Iterator<Item = usize> {
    let mut sorted = keys.to_vec();
    sorted.sort_unstable();
    let counts: Vec<usize> = sorted.chunk_by(|a, b| a == b).map(<[u64]>::len).collect();
    counts.into_iter()
}
