//! Finds rows that stand twice in a file: they look like more evidence than there is.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::result_rows::SeatedPlayer;

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

    /// Adds a game of two players as one of them saw it.
    pub fn add_view(&mut self, players: &[SeatedPlayer], start: u64) {
        let [a, b] = [players[0], players[1]];
        let is_first = a.player < b.player;
        let (low, high) = if is_first { (a, b) } else { (b, a) };
        let key = hash_of((low.player, high.player, low.rank, high.rank, start));
        self.views.push((key, is_first));
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
