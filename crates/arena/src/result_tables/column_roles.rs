//! What a column of a table of results means, guessed from its name.

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnRole {
    /// The player or team in a seat, from 0.
    Seat(usize),
    /// The rank of the player in a seat: from 1 or from 0, the best first.
    Rank(usize),
    /// The points of the player in a seat; more is better.
    Score(usize),
    /// A list of all players in the order of their seats; a list in it is a team.
    Players,
    /// A list of their ranks.
    Ranks,
    /// A list of their points.
    Scores,
    /// The result from the side of the first player.
    Result,
    /// The winner: a name, a seat, or a draw.
    Winner,
    /// The position, map or task from which the game began.
    Opening,
    /// The seed of the game.
    Seed,
    /// Rows with the same value are one sample.
    Group,
    /// The identity of the game: a value that each game has once.
    Id,
    /// A condition of the game, such as its time control.
    Condition,
}

use ColumnRole::{
    Condition, Group, Id, Opening, Players, Rank, Ranks, Result, Score, Scores, Seat, Seed, Winner,
};

/// The names of columns that are guessed. `N` is a number from 1 or a letter from `a`.
pub const GUESSED_COLUMNS: &[(ColumnRole, &str, &[&str])] = &[
    (
        Seat(0),
        "the player who moves first",
        &["first", "white", "home", "player", "a", "candidate"],
    ),
    (
        Seat(1),
        "the player who moves second",
        &["second", "black", "away", "opponent", "b", "baseline"],
    ),
    (
        Players,
        "a list of all players, in the order of their seats",
        &["players", "agents", "teams"],
    ),
    (Ranks, "a list of their ranks, from 1 or from 0", &["ranks", "places", "ranking"]),
    (Scores, "a list of their points", &["scores", "returns", "rewards", "points"]),
    (Result, "the result of the first player", &["result", "outcome", "score"]),
    (Winner, "the winner, or `draw`", &["winner", "won_by", "preferred", "preference"]),
    (
        Opening,
        "where the game began",
        &["opening", "opening_id", "fen", "map", "start_position", "initial_position"],
    ),
    (Seed, "the seed of the game", &["seed", "random_seed"]),
    (Group, "rows with the same value are one sample", &["group"]),
    (Id, "a value that each game has once", &["id", "game_id", "match_id", "uuid"]),
    (
        Condition,
        "a condition of the game",
        &["game", "variant", "time_control", "timecontrol", "tc", "version", "ruleset", "book"],
    ),
];

/// Words that, with `N`, name the player in a seat: `player1`, `model_a`.
pub const SEAT_WORDS: &[&str] = &[
    "player",
    "agent",
    "bot",
    "engine",
    "model",
    "team",
    "seat",
    "name",
    "side",
    "competitor",
    "p",
];
/// Words that, with `N` or with the name of a seat, are a rank: `rank_1`, `white_rank`.
pub const RANK_WORDS: &[&str] = &["rank", "place", "position"];
/// Words that, with `N` or with the name of a seat, are points: `score2`, `home_goals`.
pub const SCORE_WORDS: &[&str] = &["score", "points", "return", "reward", "goals"];

/// The meaning of a column with this name, if the name is known.
pub fn guess(name: &str) -> Option<ColumnRole> {
    let name = normal(name);
    let exact = GUESSED_COLUMNS.iter().find(|(_, _, names)| names.contains(&name.as_str()));
    if let Some((role, _, _)) = exact {
        return Some(*role);
    }
    if let Some(seat) = seat(&name) {
        return Some(Seat(seat));
    }
    let of = |words: &[&str]| words.iter().find_map(|word| with_seat(&name, word));
    of(RANK_WORDS).map(Rank).or_else(|| of(SCORE_WORDS).map(Score))
}

/// The meaning that a word of `--columns` names.
pub fn named(word: &str) -> Option<ColumnRole> {
    let word = normal(word);
    let exact = GUESSED_COLUMNS.iter().find(|(_, _, names)| names[0] == word);
    exact.map(|(role, _, _)| *role).or_else(|| guess(&word))
}

/// The word of a meaning, as `--columns` takes it.
pub fn word(role: ColumnRole) -> String {
    match role {
        Rank(seat) => format!("rank{}", seat + 1),
        Score(seat) => format!("score{}", seat + 1),
        Seat(seat) if seat > 1 => format!("player{}", seat + 1),
        role => {
            let of = GUESSED_COLUMNS.iter().find(|(of, _, _)| *of == role);
            of.map_or(String::new(), |(_, _, names)| names[0].to_owned())
        }
    }
}

/// Small letters, with one `_` for everything that is neither a letter nor a digit.
fn normal(name: &str) -> String {
    let mut out = String::new();
    for c in name.trim().chars() {
        match c.is_alphanumeric() {
            true => out.extend(c.to_lowercase()),
            false if !out.ends_with('_') => out.push('_'),
            false => {}
        }
    }
    out.trim_matches('_').to_owned()
}

/// The seat that `player1`, `p_2` or `model_b` names.
fn seat(name: &str) -> Option<usize> {
    SEAT_WORDS.iter().find_map(|word| number(name.strip_prefix(word)?))
}

/// A number from 1 or a letter from `a`, perhaps after `_`, as an index.
fn number(text: &str) -> Option<usize> {
    let text = text.strip_prefix('_').unwrap_or(text);
    if let Ok(number) = text.parse::<usize>() {
        return (1..=MOST_SEATS).contains(&number).then(|| number - 1);
    }
    match text.as_bytes() {
        [letter @ b'a'..=b'h'] => Some(usize::from(letter - b'a')),
        _ => None,
    }
}

/// The highest number of a seat in the name of a column.
const MOST_SEATS: usize = 64;

/// The seat in `rank_1`, `rank_white` or `white_rank`.
fn with_seat(name: &str, word: &str) -> Option<usize> {
    let of = |rest: &str| {
        let rest = rest.trim_matches('_');
        let exact = [0, 1].into_iter().find(|&seat| {
            let named = GUESSED_COLUMNS.iter().filter(|(role, _, _)| *role == Seat(seat));
            named.flat_map(|(_, _, names)| names.iter()).any(|name| *name == rest)
        });
        exact.or_else(|| seat(rest)).or_else(|| number(rest))
    };
    let before = name.strip_suffix(word).filter(|rest| rest.ends_with('_'));
    name.strip_prefix(word).and_then(of).or_else(|| before.and_then(of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_names_are_known() {
        for (name, role) in [
            ("White", Seat(0)),
            ("Player 2", Seat(1)),
            ("model_b", Seat(1)),
            ("p4", Seat(3)),
            ("rank_3", Rank(2)),
            ("white_score", Score(0)),
            ("Score2", Score(1)),
            ("home_goals", Score(0)),
            ("score", Result),
            ("returns", Scores),
            ("Game ID", Id),
        ] {
            assert_eq!(guess(name), Some(role), "{name}");
        }
        for name in ["", "date", "playername", "ranked", "player_0", "elo_white"] {
            assert_eq!(guess(name), None, "{name}");
        }
    }

    #[test]
    fn every_word_of_a_meaning_names_it() {
        let seats = [Seat(5), Rank(0), Score(3)];
        for role in GUESSED_COLUMNS.iter().map(|(role, _, _)| *role).chain(seats) {
            assert_eq!(named(&word(role)), Some(role));
        }
    }
}
