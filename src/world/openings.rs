//! Where games begin: the start, a list, or distinct random positions.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};

use rand::Rng;

use super::streams::{Role, stream};
use crate::games::{Game, Notation, SearchHints, Shortcuts, Symmetry, Turn, below, random_outcome};

/// Where the openings come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Openings {
    /// Every game from the start.
    Start,
    /// Distinct positions after so many random plies, never decided.
    Random {
        /// Plies of players before the agents take over.
        plies: u32,
    },
    /// Lines of moves or positions, in this order, over and over.
    List(Vec<String>),
}

impl std::fmt::Display for Openings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Openings::Start => f.write_str("from the start"),
            Openings::Random { plies: 1 } => f.write_str("random openings of 1 ply"),
            Openings::Random { plies } => write!(f, "random openings of {plies} plies"),
            Openings::List(lines) if lines.len() == 1 => f.write_str("one opening"),
            Openings::List(lines) => write!(f, "{} openings", lines.len()),
        }
    }
}

/// Why openings cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpeningsError {
    /// The game has fewer positions than the experiment needs.
    #[error(
        "only {available} distinct undecided openings of {plies} plies {} (up to symmetry), {wanted} are needed",
        if *counted { "exist" } else { "were found" }
    )]
    TooFew {
        /// Openings that exist, or were found.
        available: u64,
        /// Whether there are no others; else there were too many positions to count.
        counted: bool,
        /// Openings asked for.
        wanted: u64,
        /// Length of the openings.
        plies: u32,
    },
    /// A line of the list is no opening of the game.
    #[error("opening {number} `{line}`: {message}")]
    Line {
        /// Number in the list, from 1.
        number: usize,
        /// The line itself.
        line: String,
        /// What is wrong with it.
        message: String,
    },
}

/// A position with the moves that lead to it.
#[derive(Debug, Clone)]
pub struct Opening<G: Game> {
    /// The moves and chance outcomes from the start; empty where a position was given.
    pub moves: Vec<G::Move>,
    /// Where they lead.
    pub state: G::State,
    /// The text of the position where it was given as one.
    pub position: Option<String>,
}

impl<G: Game> Opening<G> {
    /// The moves as the game writes them, or the position.
    pub fn text(&self, game: &G) -> String {
        if self.position.is_some() {
            return format!("position {}", game.write_position(&self.state));
        }
        let (mut state, mut text) = (game.start(), String::new());
        for &mv in &self.moves {
            if !text.is_empty() {
                text.push(' ');
            }
            game.write_move(&state, mv, &mut text);
            game.play(&mut state, mv);
        }
        text
    }
}

/// Openings made ready for a run: index to opening in constant time.
pub enum Book<G: Game> {
    /// Given one by one; used over and over.
    Given(Vec<Opening<G>>),
    /// Random lines, all in one row: `ends[i]` is where line `i` ends.
    Lines {
        /// All moves.
        moves: Vec<G::Move>,
        /// End of each line in `moves`.
        ends: Vec<u32>,
    },
}

type Seen = HashSet<u64, BuildHasherDefault<DefaultHasher>>;

/// Lines in a row that must fail before the game is asked how many openings there are.
const PATIENCE: u32 = 20_000;
/// Positions to enumerate at the most when the game is asked so.
const ENUMERATE: usize = 4_000_000;

impl<G: Game> Book<G> {
    /// Makes `wanted` openings ready. Lists and the start are used over and over, so
    /// they may be fewer; random ones are distinct up to symmetry.
    pub fn prepare(
        game: &G,
        source: &Openings,
        wanted: u64,
        seed: u64,
    ) -> Result<Self, OpeningsError> {
        match source {
            Openings::Start => Ok(Book::Given(vec![Opening {
                moves: Vec::new(),
                state: game.start(),
                position: None,
            }])),
            Openings::List(lines) => lines
                .iter()
                .enumerate()
                .map(|(i, line)| {
                    read(game, line).map_err(|message| OpeningsError::Line {
                        number: i + 1,
                        line: line.clone(),
                        message,
                    })
                })
                .collect::<Result<_, _>>()
                .map(Book::Given),
            &Openings::Random { plies } => random(game, plies, wanted, seed),
        }
    }

    /// Number of different openings.
    pub fn len(&self) -> u64 {
        match self {
            Book::Given(list) => list.len() as u64,
            Book::Lines { ends, .. } => ends.len() as u64,
        }
    }

    /// Puts the opening of that number (from 1) into `moves` and returns its position.
    pub fn open(
        &self,
        game: &G,
        number: u64,
        moves: &mut Vec<G::Move>,
    ) -> (G::State, Option<&str>) {
        let i = (number - 1) as usize;
        moves.clear();
        match self {
            Book::Given(list) => {
                moves.extend_from_slice(&list[i].moves);
                (list[i].state.clone(), list[i].position.as_deref())
            }
            Book::Lines { moves: all, ends } => {
                let begin = if i == 0 { 0 } else { ends[i - 1] as usize };
                moves.extend_from_slice(&all[begin..ends[i] as usize]);
                let mut state = game.start();
                for &mv in moves.iter() {
                    game.play(&mut state, mv);
                }
                (state, None)
            }
        }
    }
}

/// Reads one opening: moves from the start separated by blanks, else a position, before which
/// the word `position` may stand as in records.
pub fn read<G: Game>(game: &G, line: &str) -> Result<Opening<G>, String> {
    let line = line.trim();
    let line = line.strip_prefix("position ").unwrap_or(line).trim();
    let mut opening = Opening { moves: Vec::new(), state: game.start(), position: None };
    let mut words = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
    let as_moves = words.try_for_each(|word| {
        if game.turn(&opening.state) == Turn::Over {
            return Err(format!("the game is over before `{word}`"));
        }
        let mv = game.notation().read_move(&opening.state, word)?;
        game.play(&mut opening.state, mv);
        opening.moves.push(mv);
        Ok(())
    });
    if let Err(message) = as_moves {
        let state = game.read_position(line).map_err(|as_position| {
            // A line of several words was meant as moves, a single word as a position, and so was
            // what shows the rows of a board.
            let moves = line.contains([' ', ',']) && !line.contains('/');
            if moves { message } else { as_position }
        })?;
        // Engines are told it as the game writes it, not with what else stood in the line.
        let position = Some(game.write_position(&state));
        opening = Opening { moves: Vec::new(), state, position };
    }
    if game.turn(&opening.state) == Turn::Over {
        return Err("the game is already over there".to_owned());
    }
    Ok(opening)
}

/// The opening that moves make, from a position or from the start, as [`read`] takes it: the
/// moves, or where they lead. `None` where the game is over there.
///
/// # Errors
/// The number of the move that is none, from 0, and why; that of the last for the position.
pub fn opening_of<G: Game>(
    game: &G,
    position: Option<&str>,
    moves: &[&str],
) -> Result<Option<String>, (usize, String)> {
    let mut state = match position {
        Some(text) => game.read_position(text).map_err(|why| (moves.len(), why))?,
        None => game.start(),
    };
    let mut text = String::new();
    for (number, word) in moves.iter().enumerate() {
        if game.turn(&state) == Turn::Over {
            return Ok(None);
        }
        let mv = game.notation().read_move(&state, word).map_err(|why| (number, why))?;
        if number > 0 {
            text.push(' ');
        }
        game.write_move(&state, mv, &mut text);
        game.play(&mut state, mv);
    }
    if game.turn(&state) == Turn::Over {
        return Ok(None);
    }
    Ok(Some(if position.is_some() { game.write_position(&state) } else { text }))
}

/// Distinct undecided positions after so many random plies.
fn random<G: Game>(game: &G, plies: u32, wanted: u64, seed: u64) -> Result<Book<G>, OpeningsError> {
    // No game is undecided after as many plies as it can have.
    if game.hints().max_plies().is_some_and(|most| plies >= most) {
        return Err(OpeningsError::TooFew { available: 0, counted: true, wanted, plies });
    }
    let mut rng = stream(seed, Role::Openings, 0);
    let (mut moves, mut ends) = (Vec::new(), Vec::new());
    let (mut line, mut buffer, mut dice) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = Seen::default();
    let mut failures = 0;
    while (ends.len() as u64) < wanted {
        let state = random_line(game, plies, &mut rng, &mut line, &mut buffer, &mut dice);
        if state.is_some_and(|state| seen.insert(game.symmetry().canonical_key(&state))) {
            failures = 0;
            moves.extend_from_slice(&line);
            ends.push(moves.len() as u32);
            continue;
        }
        failures += 1;
        if failures == PATIENCE {
            // What is left is rare or nothing: list all there is and take from there.
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
    Ok(Book::Lines { moves, ends })
}

/// Plays `plies` random plies (and the chance between them); `None` if the game ended.
fn random_line<G: Game, R: Rng>(
    game: &G,
    plies: u32,
    rng: &mut R,
    line: &mut Vec<G::Move>,
    buffer: &mut Vec<G::Move>,
    dice: &mut Vec<(G::Move, u32)>,
) -> Option<G::State> {
    line.clear();
    let mut state = game.start();
    let mut played = 0;
    loop {
        let mv = match game.turn(&state) {
            Turn::Over => return None,
            Turn::Player(_) if played == plies => return Some(state),
            Turn::Player(_) => {
                played += 1;
                game.shortcuts().random_move(&state, rng, buffer)
            }
            // Chance after the last ply stays with the game's own dice.
            Turn::Chance if played == plies => return Some(state),
            Turn::Chance => random_outcome(game, &state, rng, dice),
        };
        game.play(&mut state, mv);
        line.push(mv);
    }
}

/// The key of a position up to symmetry with the moves that lead to it.
type Line<G> = (u64, Vec<<G as Game>::Move>);

/// All undecided positions after so many plies, one line each, up to symmetry, in the
/// order of the game's moves; at most [`ENUMERATE`] of them on the way, and whether these
/// were all.
fn enumerate<G: Game>(game: &G, plies: u32) -> (Vec<Line<G>>, bool) {
    let mut all = true;
    let mut layer: Vec<(G::State, Vec<G::Move>)> = vec![(game.start(), Vec::new())];
    let (mut buffer, mut dice) = (Vec::new(), Vec::new());
    let (mut played, mut made) = (0, 0);
    loop {
        if layer.is_empty() {
            // Every game has ended before.
            return (Vec::new(), all);
        }
        if made > ENUMERATE {
            // However many there are, looking for them takes too long.
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
                    let key = game.symmetry().canonical_key(&state);
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
                if next.len() >= ENUMERATE {
                    all = false;
                } else if seen.insert(game.symmetry().canonical_key(&child)) {
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
    use super::*;
    use crate::games::{Configurable, Connect4};
    use crate::params::{Value, Values};

    fn connect4() -> Connect4 {
        let mut values = Values::default();
        for (key, value) in [("columns", 7), ("rows", 6), ("connect", 4)] {
            values.set(key, Value::Int(value));
        }
        Connect4::build(&values).expect("the standard board")
    }

    #[test]
    fn openings_as_long_as_a_game_are_refused_at_once() {
        for plies in [42, 43, 1000] {
            let error = Book::prepare(&connect4(), &Openings::Random { plies }, 1, 0).err();
            let none = OpeningsError::TooFew { available: 0, counted: true, wanted: 1, plies };
            assert_eq!(error, Some(none));
        }
        // Nobody rolls on for so long, and no rule says so.
        let pig = crate::games::Pig::build(&Values::default()).expect("the usual goal");
        let error = Book::prepare(&pig, &Openings::Random { plies: 900 }, 1, 0).err();
        assert!(matches!(error, Some(OpeningsError::TooFew { available: 0, .. })), "{error:?}");
    }

    #[test]
    fn random_openings_are_distinct_up_to_symmetry_and_undecided() {
        let game = connect4();
        let book = Book::prepare(&game, &Openings::Random { plies: 4 }, 500, 1).expect("enough");
        let mut seen = HashSet::new();
        let mut moves = Vec::new();
        for number in 1..=500 {
            let (state, _) = book.open(&game, number, &mut moves);
            assert_eq!(moves.len(), 4);
            assert_ne!(game.turn(&state), Turn::Over);
            assert!(seen.insert(game.symmetry().canonical_key(&state)));
        }
    }

    #[test]
    fn more_than_there_are_is_refused_with_the_number() {
        let game = connect4();
        // 49 positions after two plies; those that equal their mirror image: 44 and none else.
        let all = Book::prepare(&game, &Openings::Random { plies: 2 }, 25, 1).expect("all");
        assert_eq!(all.len(), 25);
        let more = Book::prepare(&game, &Openings::Random { plies: 2 }, 26, 1);
        assert_eq!(
            more.err(),
            Some(OpeningsError::TooFew { available: 25, counted: true, wanted: 26, plies: 2 })
        );
    }

    #[test]
    fn seeds_choose_other_openings() {
        let game = connect4();
        let lines = |seed| {
            let book = Book::prepare(&game, &Openings::Random { plies: 6 }, 20, seed).expect("ok");
            let mut moves = Vec::new();
            (1..=20)
                .map(|n| {
                    book.open(&game, n, &mut moves);
                    moves.clone()
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(1), lines(1));
        assert_ne!(lines(1), lines(2));
    }

    #[test]
    fn positions_are_kept_as_the_game_writes_them() {
        let chess = crate::games::Chess::build(&crate::params::Values::default()).expect("chess");
        let fen = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1";
        for line in ["4k3/8/8/8/8/8/3R4/4K3 w - - bm Rd8; id \"x\";", &format!("position {fen}")] {
            let opening = read(&chess, line).expect(line);
            assert_eq!(opening.position.as_deref(), Some(fen));
        }
        let wrong = |line| read(&chess, line).expect_err(line);
        assert!(wrong("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1").contains("no rights to castle"));
        assert!(wrong("e2e5 e7e5").contains("`e2e5` is not legal"));
    }

    #[test]
    fn lists_report_the_line_at_fault() {
        let game = connect4();
        let list = Openings::List(vec!["4 4".into(), "4 9".into()]);
        match Book::prepare(&game, &list, 2, 0) {
            Err(OpeningsError::Line { number: 2, line, .. }) => assert_eq!(line, "4 9"),
            other => panic!("expected an error in line 2, got {:?}", other.err()),
        }
    }
}
