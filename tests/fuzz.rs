//! Whatever is fed to the readers of games and results: an answer in bounded time and memory,
//! never a panic. `AGON_FUZZ` is the number of inputs for each target.
//!
//! The config reader has a program of its own, `config_fuzz`.

mod chance_support;
mod games_support;

use std::time::{Duration, Instant};

use agon::arena::{Rows, header, read_ahead};
use agon::games::{
    Connect4, Connect4Standard, Einstein, Game, Mnk, Pacman, Pig, TicTacToe, Tree, Turn,
    conformance,
};
use chance_support::build;
use proptest::prelude::*;

/// How many inputs a target gets.
fn config() -> ProptestConfig {
    let given = std::env::var("AGON_FUZZ").ok().and_then(|cases| cases.parse().ok());
    let cases = given.unwrap_or(300);
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 500, ..Default::default() }
}

/// Changes of a text: where, what, and with what.
type Edits = Vec<(u16, u8, u8)>;

fn edits() -> impl Strategy<Value = Edits> {
    prop::collection::vec(any::<(u16, u8, u8)>(), 0..12)
}

/// Pieces that readers may stumble over.
const PIECES: [&str; 24] = [
    "",
    " ",
    "\n",
    "\r\n",
    "\t",
    ",",
    "\"",
    "/",
    ":",
    "-",
    "0",
    "1",
    "9",
    "18446744073709551616",
    "-1",
    "1e9",
    "nan",
    "x",
    "é",
    "日本",
    "\u{0}",
    "\u{feff}",
    "first",
    "....................",
];

/// The text with pieces put in, taken out, doubled and exchanged.
fn edited(text: &str, edits: &Edits) -> String {
    let mut bytes: Vec<char> = text.chars().collect();
    for &(place, kind, piece) in edits {
        let at = usize::from(place) % (bytes.len() + 1);
        let end = (at + 1 + usize::from(piece) % 7).min(bytes.len());
        match kind % 6 {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let again: Vec<char> = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            2 if bytes.len() > 1 => {
                let other = usize::from(piece) % bytes.len();
                let at = at.min(bytes.len() - 1);
                bytes.swap(at, other);
            }
            3 => bytes.splice(at..at, char::from_u32(u32::from(piece))).for_each(drop),
            4 => bytes.truncate(at.max(1)),
            _ => {
                let piece = PIECES[usize::from(piece) % PIECES.len()];
                bytes.splice(at..at, piece.chars()).for_each(drop);
            }
        }
    }
    bytes.into_iter().collect()
}

/// Runs something that must not take long.
fn timed<T>(what: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = what();
    assert!(begin.elapsed() < Duration::from_secs(10), "it took {:?}", begin.elapsed());
    result
}

/// The process has not grown beyond measure, where the system tells.
fn small() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    assert!(kilobytes.unwrap_or(0) < 2_000_000_u64, "{kilobytes:?} kB");
}

/// Reads a position, and a move in a position that is right.
fn read<G: Game>(game: &G, seeds: &[(G::State, String)], pick: u8, edits: &Edits, raw: &str) {
    let (state, text) = &seeds[usize::from(pick) % seeds.len()];
    for text in [edited(text, edits), raw.to_owned()] {
        if let Ok(read) = timed(|| game.read_position(&text)) {
            let written = game.write_position(&read);
            assert_eq!(game.read_position(&written).as_ref(), Ok(&read), "{text:?}: {written:?}");
        }
    }
    let mut moves = Vec::new();
    match game.turn(state) {
        Turn::Over => return,
        Turn::Player(_) => game.moves(state, &mut moves),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(state, &mut outcomes);
            moves.extend(outcomes.iter().map(|(mv, _)| *mv));
        }
    }
    let mut text = String::new();
    game.write_move(state, moves[usize::from(pick) % moves.len()], &mut text);
    for text in [edited(&text, edits), raw.to_owned()] {
        if let Ok(mv) = timed(|| game.read_move(state, &text)) {
            assert!(moves.contains(&mv), "{text:?} is read as a move that is not legal");
        }
    }
}

/// Positions of a game with their texts.
fn seeds<G: Game>(game: &G) -> Vec<(G::State, String)> {
    let positions = conformance::positions(game, 10, 4);
    positions.into_iter().map(|state| (state.clone(), game.write_position(&state))).collect()
}

macro_rules! fuzzed {
    ($($name:ident: $game:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let game = $game;
                let seeds = seeds(&game);
                proptest!(config(), |(pick: u8, edits in edits(), raw in "\\PC{0,12}|.{0,8}")| {
                    read(&game, &seeds, pick, &edits, &raw);
                });
                small();
            }
        )*
    };
}

fuzzed! {
    texts_of_tictactoe: games_support::build::<TicTacToe>("tictactoe");
    texts_of_connect4: games_support::build::<Connect4Standard>("connect4");
    texts_of_connect4_on_other_boards: games_support::build::<Connect4>("connect4:columns=9,rows=5");
    texts_of_mnk: games_support::build::<Mnk<1>>("mnk:m=4,n=3,k=3");
    texts_of_gomoku: games_support::build::<Mnk<6>>("mnk:m=15,n=15,k=5");
    texts_of_pig: build::<Pig>(&[], &[]);
    texts_of_einstein: build::<Einstein>(&[], &[]);
    texts_of_pacman: build::<Pacman>(&[], &[]);
    texts_of_trees: build::<Tree>(&[], &[("file", "configs/trees/chance.toml")]);
}

/// A `games.csv` with three games.
fn games() -> String {
    header()
        + "1,1,1,a,\"b, c\",first,line,9,,1 2 3 4 5 6 7 8 9,10,20,100,200,5,4,9,9,50,60,0\n\
           2,1,1,\"b, c\",a,draw,board full,9,1 2,3 4 5 6 7 8 9,10,20,100,200,5,4,9,9,50,60,17\n\
           3,1,2,a,\"b, c\",void,crash,0,,,0,0,0,0,0,0,0,0,0,0,0\n"
}

#[test]
fn rows_of_games() {
    let names = || vec!["a".to_owned(), "b, c".to_owned()];
    proptest!(config(), |(edits in edits(), raw: Vec<u8>, known: bool)| {
        for text in [edited(&games(), &edits).into_bytes(), raw.clone(), [games().as_bytes(), &raw].concat()] {
            let names = if known { names() } else { Vec::new() };
            let Ok(mut rows) = Rows::new(&text[..], names) else { continue };
            timed(|| {
                for _ in 0..1000 {
                    match rows.next_row() {
                        Ok(Some(row)) => assert!(row.first.max(row.second) < rows.names().len()),
                        Ok(None) => break,
                        Err(error) => assert!(!error.to_string().is_empty()),
                    }
                }
            });
            assert!(rows.offset() <= text.len() as u64);
        }
    });
    small();
}

#[test]
fn side_journals() {
    let names = ["a".to_owned(), "b, c".to_owned()];
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("games.ahead");
    let whole = {
        use agon::arena::Ahead;
        let mut ahead = Ahead::create(path.clone(), &Default::default()).expect("a file");
        for line in games().lines().skip(1) {
            let game = line.split(',').next().and_then(|n| n.parse().ok()).expect("a number");
            ahead.note(game, game, format!("{line}\n").as_bytes(), b"").expect("written");
        }
        std::fs::read_to_string(&path).expect("readable")
    };
    let sound = read_ahead(&path, &names).expect("readable");
    assert_eq!(sound.len(), 3);
    proptest!(config(), |(edits in edits(), raw: Vec<u8>)| {
        for text in [edited(&whole, &edits).into_bytes(), raw] {
            std::fs::write(&path, &text).expect("writable");
            for game in timed(|| read_ahead(&path, &names)).expect("readable") {
                assert!(sound.contains(&game), "a damaged frame was taken for a sound one");
            }
        }
    });
    small();
}
