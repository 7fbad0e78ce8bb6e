//! Makes the openings of a run: the start, a list, or distinct random positions.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};

use super::read_openings::read_opening;
use crate::games::{Game, Turn, below};
use crate::play::any_game::{AnyGame, AnyMove, AnyState};
use crate::play::game_in_progress::Opening;
use crate::play::opening_book::{OpeningBook, random_line};
use crate::play::random_streams::{StreamRole, stream};

/// The source of the openings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Openings {
    /// Every game begins at the start.
    Start,
    /// Distinct undecided positions after this number of random plies, from the start or from
    /// random starts.
    Random {
        /// Plies of both players before the agents take over.
        plies: u32,
    },
    /// Lines of moves or positions, used in this order and repeated.
    List(Vec<String>),
}

impl std::fmt::Display for Openings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Openings::Start => f.write_str("from the start"),
            Openings::Random { plies: 0 } => f.write_str("random starts"),
            Openings::Random { plies: 1 } => f.write_str("random openings of 1 ply"),
            Openings::Random { plies } => write!(f, "random openings of {plies} plies"),
            Openings::List(lines) => {
                match lines.len() {
                    1 => f.write_str("one opening")?,
                    count => write!(f, "{count} openings")?,
                }
                match plies_of(lines) {
                    None | Some(0) => Ok(()),
                    Some(1) => f.write_str(" of 1 ply"),
                    Some(plies) => write!(f, " of {plies} plies"),
                }
            }
        }
    }
}

/// The number of moves of every line; `None` if it differs, or if lines are positions.
fn plies_of(lines: &[String]) -> Option<usize> {
    let plies =
        |line: &String| Some(line.split_whitespace().count()).filter(|_| !line.contains('/'));
    let first = plies(lines.first()?)?;
    lines.iter().all(|line| plies(line) == Some(first)).then_some(first)
}

/// Why the openings cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// The game has fewer positions than the experiment needs.
    #[error(
        "only {available} distinct undecided openings of {plies} plies {} (up to symmetry), {wanted} are needed",
        if *counted { "exist" } else { "were found" }
    )]
    TooFew {
        /// The number of openings found.
        available: u64,
        /// Whether all positions were counted; false if there were too many.
        counted: bool,
        /// The number of openings needed.
        wanted: u64,
        /// The length of the openings, in plies.
        plies: u32,
    },
    /// A line of the list is not an opening of the game.
    #[error("opening {number} `{line}`: {message}")]
    Line {
        /// Number in the list, from 1.
        number: usize,
        line: String,
        message: String,
    },
}

impl Opening {
    /// The opening of a recorded game, in the format of `games.csv`.
    ///
    /// # Errors
    /// A text that is not an opening.
    pub fn of_record(game: &AnyGame, text: &str) -> Result<Self, String> {
        if let Some(position) = text.strip_prefix("position ") {
            return Ok(Opening::of_position(game.read_position(position)?, position.to_owned()));
        }
        if text.trim().is_empty() {
            return Ok(Opening::start(game));
        }
        read_opening(game, text)
    }
}

type Seen = HashSet<u64, BuildHasherDefault<DefaultHasher>>;

/// Consecutive failed random lines before all openings are enumerated.
const MAX_FAILURES: u32 = 20_000;
/// The limit for positions during the enumeration.
const MAX_POSITIONS: usize = 4_000_000;

impl OpeningBook<AnyGame> {
    /// A book of these openings.
    fn of_list(openings: Vec<Opening>) -> Self {
        let mut book = OpeningBook { moves: Vec::new(), ends: Vec::new(), positions: Vec::new() };
        for Opening { moves, state, position } in openings {
            book.moves.extend_from_slice(&moves);
            book.ends.push(book.moves.len() as u32);
            book.positions.push(position.map(|text| (state, text)));
        }
        book
    }

    /// Prepares `wanted` openings. Lists and the start are repeated, so they may have fewer
    /// openings. Random openings are distinct up to symmetry.
    pub fn prepare(
        game: &AnyGame,
        source: &Openings,
        wanted: u64,
        seed: u64,
    ) -> Result<Self, OpeningsError> {
        match source {
            Openings::Start => Ok(OpeningBook::of_list(vec![Opening::start(game)])),
            Openings::List(lines) => lines
                .iter()
                .enumerate()
                .map(|(i, line)| {
                    read_opening(game, line).map_err(|message| OpeningsError::Line {
                        number: i + 1,
                        line: line.clone(),
                        message,
                    })
                })
                .collect::<Result<_, _>>()
                .map(OpeningBook::of_list),
            &Openings::Random { plies } => match game.random_starts() {
                starts if starts.is_empty() => random_book(game, plies, wanted, seed),
                starts => book_of_starts(game, starts, plies, wanted, seed),
            },
        }
    }
}

impl AnyGame {
    /// Checks that these openings can be made.
    ///
    /// # Errors
    /// The reason why they cannot be made.
    pub fn check_openings(
        &self,
        source: &Openings,
        wanted: u64,
        seed: u64,
    ) -> Result<(), OpeningsError> {
        OpeningBook::prepare(self, source, wanted, seed).map(drop)
    }
}

/// Distinct undecided positions after this number of random plies.
fn random_book(
    game: &AnyGame,
    plies: u32,
    wanted: u64,
    seed: u64,
) -> Result<OpeningBook<AnyGame>, OpeningsError> {
    // After the maximum number of plies, every game is decided.
    if game.max_plies().is_some_and(|most| plies >= most) {
        return Err(OpeningsError::TooFew { available: 0, counted: true, wanted, plies });
    }
    let mut rng = stream(seed, StreamRole::Openings, 0);
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    let mut seen = Seen::default();
    let mut failures = 0;
    while (ends.len() as u64) < wanted {
        if game.random_line(plies, &mut rng, &mut |key| seen.insert(key), &mut moves) {
            failures = 0;
            ends.push(moves.len() as u32);
            continue;
        }
        failures += 1;
        if failures == MAX_FAILURES {
            // The remaining openings are rare, or there are none: enumerate all, and choose from
            // the rest.
            let (all, counted) = enumerate(game, plies);
            let mut rest: Vec<_> = all.into_iter().filter(|(key, _)| !seen.contains(key)).collect();
            let missing = (wanted - ends.len() as u64) as usize;
            if rest.len() < missing {
                let available = (ends.len() + rest.len()) as u64;
                return Err(OpeningsError::TooFew { available, counted, wanted, plies });
            }
            for taken in 0..missing {
                let pick = taken + below(&mut rng, (rest.len() - taken) as u32) as usize;
                rest.swap(taken, pick);
                moves.extend_from_slice(&rest[taken].1);
                ends.push(moves.len() as u32);
            }
        }
    }
    Ok(OpeningBook { moves, ends, positions: Vec::new() })
}

/// Distinct undecided positions after this number of random plies from random starts. Each start is
/// drawn once before a start is drawn again.
fn book_of_starts(
    game: &AnyGame,
    mut starts: Vec<AnyState>,
    plies: u32,
    wanted: u64,
    seed: u64,
) -> Result<OpeningBook<AnyGame>, OpeningsError> {
    let mut rng = stream(seed, StreamRole::Openings, 0);
    let (mut seen, mut openings, mut line) = (Seen::default(), Vec::new(), Vec::new());
    let (count, mut drawn, mut failures) = (starts.len(), 0, 0);
    while (openings.len() as u64) < wanted {
        if failures == MAX_FAILURES || plies == 0 && drawn == count {
            let (available, counted) = (openings.len() as u64, plies == 0);
            return Err(OpeningsError::TooFew { available, counted, wanted, plies });
        }
        let place = drawn % count;
        starts.swap(place, place + below(&mut rng, (count - place) as u32) as usize);
        drawn += 1;
        let mut state = starts[place].clone();
        line.clear();
        let key = random_line(game, &mut state, plies, &mut rng, &mut line);
        if key.is_some_and(|key| seen.insert(key)) {
            failures = 0;
            let text = game.write_position(&state);
            openings.push(Opening::of_position(state, text));
        } else {
            failures += 1;
        }
    }
    Ok(OpeningBook::of_list(openings))
}

/// The key of a position up to symmetry, and the moves that lead to the position.
type Line = (u64, Vec<AnyMove>);

/// All undecided positions after this number of plies: one line each, up to symmetry, in the order
/// of the game's moves. Stops after [`MAX_POSITIONS`] positions; the second result says whether the
/// list is complete.
fn enumerate(game: &AnyGame, plies: u32) -> (Vec<Line>, bool) {
    let mut all = true;
    let mut layer: Vec<(AnyState, Vec<AnyMove>)> = vec![(game.start(), Vec::new())];
    let (mut buffer, mut dice) = (Vec::new(), Vec::new());
    let (mut played, mut made) = (0, 0);
    loop {
        if layer.is_empty() {
            // Every game has ended before this ply.
            return (Vec::new(), all);
        }
        if made > MAX_POSITIONS {
            // The enumeration would take too long.
            return (Vec::new(), false);
        }
        let at_end = played == plies;
        let mut seen = Seen::default();
        let mut next = Vec::new();
        let mut found = Vec::new();
        let mut moved = false;
        for (state, line) in layer {
            buffer.clear();
            match game.turn(&state) {
                Turn::Over => continue,
                _ if at_end => {
                    let key = game.canonical_key(&state);
                    if seen.insert(key) {
                        found.push((key, line));
                    }
                    continue;
                }
                Turn::Player(_) => {
                    moved = true;
                    game.moves(&state, &mut buffer);
                }
                Turn::Chance => {
                    dice.clear();
                    game.outcomes(&state, &mut dice);
                    buffer.extend(dice.iter().map(|&(mv, _)| mv));
                }
            }
            for &mv in &buffer {
                let mut child = state.clone();
                game.play(&mut child, mv);
                made += 1;
                if next.len() >= MAX_POSITIONS {
                    all = false;
                } else if seen.insert(game.canonical_key(&child)) {
                    let mut longer = line.clone();
                    longer.push(mv);
                    next.push((child, longer));
                }
            }
        }
        if at_end {
            return (found, all);
        }
        played += u32::from(moved);
        layer = next;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::games::{Configurable, Connect4};
    use crate::play::game_in_progress::GameInProgress;

    fn connect4() -> AnyGame {
        AnyGame::of(Connect4::from_params(Default::default()).expect("the standard board"))
    }

    #[test]
    fn openings_as_long_as_a_game_are_refused_at_once() {
        for plies in [42, 43, 1000] {
            let error = OpeningBook::prepare(&connect4(), &Openings::Random { plies }, 1, 0).err();
            let none = OpeningsError::TooFew { available: 0, counted: true, wanted: 1, plies };
            assert_eq!(error, Some(none));
        }
        // No pig game is this long, but no rule limits its length.
        let pig = crate::games::Pig::from_params(Default::default()).expect("the usual goal");
        let pig = AnyGame::of(pig);
        let error = OpeningBook::prepare(&pig, &Openings::Random { plies: 900 }, 1, 0).err();
        assert!(matches!(error, Some(OpeningsError::TooFew { available: 0, .. })), "{error:?}");
    }

    #[test]
    fn random_openings_are_distinct_up_to_symmetry_and_undecided() {
        let game = connect4();
        let book =
            OpeningBook::prepare(&game, &Openings::Random { plies: 4 }, 500, 1).expect("enough");
        let mut seen = HashSet::new();
        let mut played = GameInProgress::for_replay(&Arc::new(game.clone()));
        for number in 1..=500 {
            played.restart(game.start());
            for &mv in book.moves(number) {
                played.play(mv);
            }
            let state = &played.state;
            assert_eq!(played.plies, 4);
            assert_ne!(game.turn(state), Turn::Over);
            assert!(seen.insert(game.canonical_key(state)));
        }
    }

    #[test]
    fn more_than_there_are_is_refused_with_the_number() {
        let game = connect4();
        // 49 positions after two plies; only the position after `4 4` equals its mirror image.
        let all = OpeningBook::prepare(&game, &Openings::Random { plies: 2 }, 25, 1).expect("all");
        assert_eq!(all.len(), 25);
        let more = OpeningBook::prepare(&game, &Openings::Random { plies: 2 }, 26, 1);
        assert_eq!(
            more.err(),
            Some(OpeningsError::TooFew { available: 25, counted: true, wanted: 26, plies: 2 })
        );
    }

    #[test]
    fn seeds_choose_other_openings() {
        let game = connect4();
        let lines = |seed| {
            let book =
                OpeningBook::prepare(&game, &Openings::Random { plies: 6 }, 20, seed).expect("ok");
            (1..=20).map(|n| book.moves(n).to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(lines(1), lines(1));
        assert_ne!(lines(1), lines(2));
    }

    #[test]
    fn positions_are_kept_as_the_game_writes_them() {
        let chess =
            AnyGame::of(crate::games::Chess::from_params(Default::default()).expect("chess"));
        let fen = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1";
        for line in ["4k3/8/8/8/8/8/3R4/4K3 w - - bm Rd8; id \"x\";", &format!("position {fen}")] {
            let opening = read_opening(&chess, line).expect(line);
            assert_eq!(opening.position.as_deref(), Some(fen));
        }
        let wrong = |line| read_opening(&chess, line).expect_err(line);
        assert!(wrong("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1").contains("does not fit the position"));
        assert!(wrong("e2e5 e7e5").contains("`e2e5` is not a legal move"));
    }

    #[test]
    fn lists_report_the_line_at_fault() {
        let game = connect4();
        let list = Openings::List(vec!["4 4".into(), "4 9".into()]);
        match OpeningBook::prepare(&game, &list, 2, 0) {
            Err(OpeningsError::Line { number: 2, line, .. }) => assert_eq!(line, "4 9"),
            other => panic!("expected an error in line 2, got {:?}", other.err()),
        }
    }
}
