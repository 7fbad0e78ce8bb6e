//! Where games begin: the start, a list, or distinct random positions.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use rand::rngs::ChaCha8Rng;

use super::any_game::{AnyGame, AnyMove, AnyState};
use super::game_match::Match;
use super::streams::{Role, stream};
use crate::games::{Game, Shortcuts, Symmetry, Turn, below};

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

impl Opening<AnyGame> {
    /// The opening of a recorded game, as `games.csv` has it.
    ///
    /// # Errors
    /// A text that is none.
    pub fn of_record(game: &AnyGame, text: &str) -> Result<Self, String> {
        if let Some(position) = text.strip_prefix("position ") {
            let (state, position) = (game.read_position(position)?, Some(position.to_owned()));
            return Ok(Opening { moves: Vec::new(), state, position });
        }
        if text.trim().is_empty() {
            return Ok(Opening { moves: Vec::new(), state: game.start(), position: None });
        }
        read(game, text)
    }
}

impl<G: Game> Opening<G> {
    /// The position that it begins from.
    pub fn begin(&self, game: &G) -> G::State {
        if self.position.is_some() { self.state.clone() } else { game.start() }
    }

    /// The moves as the game writes them, or the position.
    pub fn text(&self, game: &G) -> String {
        if self.position.is_some() {
            return format!("position {}", game.write_position(&self.state));
        }
        let (mut state, mut text) = (self.begin(game), String::new());
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

impl Book<AnyGame> {
    /// Makes `wanted` openings ready. Lists and the start are used over and over, so
    /// they may be fewer; random ones are distinct up to symmetry.
    pub fn prepare(
        game: &AnyGame,
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
}

impl<G: Game> Book<G> {
    /// Number of different openings.
    pub fn len(&self) -> u64 {
        match self {
            Book::Given(list) => list.len() as u64,
            Book::Lines { ends, .. } => ends.len() as u64,
        }
    }

    /// The opening of that number (from 1).
    #[inline]
    pub fn opening(&self, number: u64) -> Listed<'_, G> {
        let i = (number - 1) as usize;
        match self {
            Book::Given(list) => {
                let Opening { moves, state, position } = &list[i];
                Listed { moves, position: position.as_deref().map(|text| (state, text)) }
            }
            Book::Lines { moves, ends } => {
                let begin = if i == 0 { 0 } else { ends[i - 1] as usize };
                Listed { moves: &moves[begin..ends[i] as usize], position: None }
            }
        }
    }

    /// The same for the game as another type knows it.
    pub fn map<H: Game>(
        &self,
        mv: &dyn Fn(G::Move) -> H::Move,
        state: &dyn Fn(&G::State) -> H::State,
    ) -> Book<H> {
        let all = |moves: &[G::Move]| moves.iter().map(|&each| mv(each)).collect();
        match self {
            Book::Lines { moves, ends } => Book::Lines { moves: all(moves), ends: ends.clone() },
            Book::Given(list) => {
                let opening = |opening: &Opening<G>| Opening {
                    moves: all(&opening.moves),
                    state: state(&opening.state),
                    position: opening.position.clone(),
                };
                Book::Given(list.iter().map(opening).collect())
            }
        }
    }
}

/// An opening of a book.
pub struct Listed<'a, G: Game> {
    /// The moves and chance outcomes from where it begins.
    pub moves: &'a [G::Move],
    /// The position that it begins from, with its text, where that is not the start.
    pub position: Option<(&'a G::State, &'a str)>,
}

/// Reads one opening: moves from the start separated by blanks, else a position, before which
/// the word `position` may stand as in records.
pub(super) fn read(game: &AnyGame, line: &str) -> Result<Opening<AnyGame>, String> {
    let line = line.trim();
    let line = line.strip_prefix("position ").unwrap_or(line).trim();
    let mut opening = Opening { moves: Vec::new(), state: game.start(), position: None };
    let mut words = line.split([' ', ',', '\t']).filter(|word| !word.is_empty());
    let as_moves = words.try_for_each(|word| {
        if game.turn(&opening.state) == Turn::Over {
            return Err(format!("the game is over before `{word}`"));
        }
        let mv = game.read_move(&opening.state, word)?;
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

impl AnyGame {
    /// An opening of this game as the game writes it, so that the same opening is recognized
    /// however it was typed.
    ///
    /// # Errors
    /// What is wrong with the line, for people.
    pub fn check_opening(&self, line: &str) -> Result<String, String> {
        Ok(read(self, line)?.text(self))
    }

    /// Whether these openings can be had.
    ///
    /// # Errors
    /// Why not.
    pub fn check_openings(
        &self,
        source: &Openings,
        wanted: u64,
        seed: u64,
    ) -> Result<(), OpeningsError> {
        Book::prepare(self, source, wanted, seed).map(drop)
    }

    /// The opening that these moves make, from a position or from the start, as it stands in a
    /// list: the moves, or where they lead. `None` where the game is over there.
    ///
    /// # Errors
    /// The number of the move that is none, from 0, and why; that of the last for the position.
    pub fn opening_of(
        &self,
        position: Option<&str>,
        moves: &[&str],
    ) -> Result<Option<String>, (usize, String)> {
        let mut played = self.play_from(position).map_err(|why| (moves.len(), why))?;
        let mut text = String::new();
        for (number, word) in moves.iter().enumerate() {
            if self.turn(&played.state) == Turn::Over {
                return Ok(None);
            }
            let mv = self.read_move(&played.state, word).map_err(|why| (number, why))?;
            if number > 0 {
                text.push(' ');
            }
            self.write_move(&played.state, mv, &mut text);
            played.play(mv);
        }
        let state = &played.state;
        if self.turn(state) == Turn::Over {
            return Ok(None);
        }
        Ok(Some(if position.is_some() { self.write_position(state) } else { text }))
    }

    /// A legal move after these moves from the position (the start if not given); `None` where no
    /// player is to move. `pick` is its number in the game's order, from 0 and round and round.
    ///
    /// # Errors
    /// What is no position or no legal move, in a sentence for people.
    pub fn legal_move(
        &self,
        position: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
        pick: usize,
    ) -> Result<Option<String>, String> {
        let mut played = self.play_from(position)?;
        for word in moves {
            let mv = self.read_move(&played.state, word)?;
            played.play(mv);
        }
        let Turn::Player(_) = self.turn(&played.state) else { return Ok(None) };
        let mut legal = Vec::new();
        self.moves(&played.state, &mut legal);
        Ok(Some(played.text(legal[pick % legal.len()])))
    }

    /// A game from a position, or from the start.
    fn play_from(&self, position: Option<&str>) -> Result<Match<AnyGame>, String> {
        let mut played = Match::again(&Arc::new(self.clone()));
        if let Some(text) = position {
            played.restart(self.read_position(text)?);
        }
        Ok(played)
    }
}

/// Distinct undecided positions after so many random plies.
fn random(
    game: &AnyGame,
    plies: u32,
    wanted: u64,
    seed: u64,
) -> Result<Book<AnyGame>, OpeningsError> {
    // No game is undecided after as many plies as it can have.
    if game.max_plies().is_some_and(|most| plies >= most) {
        return Err(OpeningsError::TooFew { available: 0, counted: true, wanted, plies });
    }
    let mut rng = stream(seed, Role::Openings, 0);
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

/// Plays `plies` random plies (and the chance between them): the key of the position up to
/// symmetry, or `None` if the game ended. For the game's own type, since most lines that are
/// played lead to positions that are there already.
pub(super) fn random_line<G: Game>(
    game: &G,
    plies: u32,
    rng: &mut ChaCha8Rng,
    line: &mut Vec<G::Move>,
) -> Option<u64> {
    let (mut state, mut played) = (game.start(), 0);
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    loop {
        let mv = match game.turn(&state) {
            Turn::Over => return None,
            // Chance after the last ply stays with the game's own dice.
            Turn::Player(_) | Turn::Chance if played == plies => {
                return Some(game.symmetry().canonical_key(&state));
            }
            Turn::Player(_) => {
                played += 1;
                game.shortcuts().random_move(&state, rng, &mut moves)
            }
            Turn::Chance => game.shortcuts().random_outcome(&state, rng, &mut outcomes),
        };
        game.play(&mut state, mv);
        line.push(mv);
    }
}

/// The key of a position up to symmetry with the moves that lead to it.
type Line = (u64, Vec<AnyMove>);

/// All undecided positions after so many plies, one line each, up to symmetry, in the
/// order of the game's moves; at most [`ENUMERATE`] of them on the way, and whether these
/// were all.
fn enumerate(game: &AnyGame, plies: u32) -> (Vec<Line>, bool) {
    let mut all = true;
    let mut layer: Vec<(AnyState, Vec<AnyMove>)> = vec![(game.start(), Vec::new())];
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
                if next.len() >= ENUMERATE {
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
    use super::*;
    use crate::games::{Configurable, Connect4};

    fn connect4() -> AnyGame {
        AnyGame::of(Connect4::from_params(Default::default()).expect("the standard board"))
    }

    #[test]
    fn openings_as_long_as_a_game_are_refused_at_once() {
        for plies in [42, 43, 1000] {
            let error = Book::prepare(&connect4(), &Openings::Random { plies }, 1, 0).err();
            let none = OpeningsError::TooFew { available: 0, counted: true, wanted: 1, plies };
            assert_eq!(error, Some(none));
        }
        // Nobody rolls on for so long, and no rule says so.
        let pig = crate::games::Pig::from_params(Default::default()).expect("the usual goal");
        let pig = AnyGame::of(pig);
        let error = Book::prepare(&pig, &Openings::Random { plies: 900 }, 1, 0).err();
        assert!(matches!(error, Some(OpeningsError::TooFew { available: 0, .. })), "{error:?}");
    }

    #[test]
    fn random_openings_are_distinct_up_to_symmetry_and_undecided() {
        let game = connect4();
        let book = Book::prepare(&game, &Openings::Random { plies: 4 }, 500, 1).expect("enough");
        let mut seen = HashSet::new();
        let mut played = Match::again(&Arc::new(game.clone()));
        for number in 1..=500 {
            played.restart(game.start());
            for &mv in book.opening(number).moves {
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
            (1..=20).map(|n| book.opening(n).moves.to_vec()).collect::<Vec<_>>()
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
            let opening = read(&chess, line).expect(line);
            assert_eq!(opening.position.as_deref(), Some(fen));
        }
        let wrong = |line| read(&chess, line).err().expect(line);
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
