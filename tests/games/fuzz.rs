//! Fuzz tests of the readers of games, results and protocols: bounded time and memory, never a
//! panic. `AGON_FUZZ` is the number of inputs for each target.
//!
//! The config reader is tested in `tests/library/config_fuzz.rs`.

use std::fs::File;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::support::chance::build;
use crate::support::fuzz::Target;
use agon::arena::{Folder, GameRows, count_grades, header, moves_header, read_wal};
use agon::engine::{
    Connection, Details, EngineAnswer, EngineContext, EngineOption, EngineSettings, Gomocup, Gtp,
    GtpAnswer, Info, Launch, Line, MoveLimits, OptionType, Protocol, Question, UCI, UGI, Uci,
    check_option,
};
use agon::games::{
    Backgammon, Breakthrough, Checkers, Chess, Configurable, Connect4, Connect4Standard, Einstein,
    Game, GameTree, Go, Kalah, Mnk, Notation, Othello, Pacman, Pig, Player, TicTacToe, Turn,
    conformance,
};
use agon::params::{Value, Values};
use proptest::prelude::*;

/// The number of inputs for each target.
fn config() -> ProptestConfig {
    crate::support::fuzz::config(300)
}

/// Changes of a text: position, kind, and inserted piece.
type Edits = Vec<(u16, u8, u8)>;

fn edits() -> impl Strategy<Value = Edits> {
    prop::collection::vec(any::<(u16, u8, u8)>(), 0..12)
}

/// Pieces of text that may be difficult for readers.
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

/// The text with pieces inserted, removed, doubled and exchanged.
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

/// Reads a changed position, and a changed move in a valid position.
fn read<G: Game>(
    target: &Target,
    (game, seeds): (&G, &[(G::State, String)]),
    pick: u8,
    edits: &Edits,
    raw: &str,
) {
    let (state, text) = &seeds[usize::from(pick) % seeds.len()];
    for text in [edited(text, edits), raw.to_owned()] {
        if let Ok(read) = target.feed(text.len(), || game.read_position(&text)) {
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
        if let Ok(mv) = target.feed(text.len(), || game.notation().read_move(state, &text)) {
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
                let (seeds, target) = (seeds(&game), Target::new(stringify!($name)));
                proptest!(config(), |(pick: u8, edits in edits(), raw in "\\PC{0,12}|.{0,8}")| {
                    read(&target, (&game, &seeds), pick, &edits, &raw);
                });
            }
        )*
    };
}

fuzzed! {
    texts_of_tictactoe: crate::support::games::build::<TicTacToe>("tictactoe");
    texts_of_connect4: crate::support::games::build::<Connect4Standard>("connect4");
    texts_of_connect4_on_other_boards: crate::support::games::build::<Connect4>("connect4:columns=9,rows=5");
    texts_of_mnk: crate::support::games::build::<Mnk<1>>("mnk:m=4,n=3,k=3");
    texts_of_larger_boards: crate::support::games::build::<Mnk<4>>("mnk:m=9,n=9,k=5");
    texts_of_chess: crate::support::games::build::<Chess>("chess");
    texts_of_chess960: crate::support::games::build::<Chess>("chess:variant=960");
    texts_of_gomoku: crate::support::games::build::<Mnk<4>>("mnk:m=15,n=15,k=5");
    texts_of_breakthrough: crate::support::games::build::<Breakthrough>("breakthrough:columns=5,rows=6");
    texts_of_kalah: crate::support::games::build::<Kalah>("kalah");
    texts_of_othello: crate::support::games::build::<Othello>("othello:size=6");
    texts_of_checkers: build::<Checkers>(&[], &[]);
    texts_of_go: build::<Go>(&[("size", 4)], &[]);
    texts_of_pig: build::<Pig>(&[], &[]);
    texts_of_einstein: build::<Einstein>(&[], &[]);
    texts_of_backgammon: build::<Backgammon>(&[], &[]);
    texts_of_pacman: build::<Pacman>(&[], &[]);
    texts_of_trees: build::<GameTree>(&[], &[("file", "configs/trees/chance.toml")]);
}

#[test]
fn files_of_trees() {
    let target = Target::new("files of trees");
    let seeds = ["chance", "trap"].map(|name| {
        let path = format!("{}/configs/trees/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect(name)
    });
    proptest!(config(), |(pick: bool, edits in edits(), raw in "\\PC{0,12}|.{0,8}")| {
        for text in [edited(&seeds[usize::from(pick)], &edits), raw] {
            let mut values = Values::default();
            values.set("text", Value::Text(text.clone()));
            match target.feed(text.len(), || GameTree::build(&values)) {
                Ok(tree) => drop(tree.write_position(&tree.start())),
                Err(error) => assert!(!error.to_string().is_empty(), "{text:?}"),
            }
        }
    });
}

/// A `games.csv` with three games. Columns that are newer than these rows are empty.
fn games() -> String {
    let old = header().replace(",checksum", "");
    let newer = ",".repeat(old.split(',').count() - 23);
    let rows = [
        "1,1,1,a,\"b, c\",first,line,9,,1 2 3 4 5 6 7 8 9,10,20,100,200,5,4,9,9,50,60,0,,",
        "2,1,1,\"b, c\",a,draw,board full,9,1 2,3 4 5 6 7 8 9,10,20,100,200,5,4,9,9,50,60,17,0.25,-0.5",
        "3,1,2,a,\"b, c\",void,crash,0,,,0,0,0,0,0,0,0,0,0,0,0,,",
    ];
    rows.iter().fold(old, |text, row| format!("{text}{row}{newer}\n"))
}

#[test]
fn rows_of_games() {
    let names = || vec!["a".to_owned(), "b, c".to_owned()];
    let target = Target::new("games.csv");
    proptest!(config(), |(edits in edits(), raw: Vec<u8>, known: bool)| {
        for text in [edited(&games(), &edits).into_bytes(), raw.clone(), [games().as_bytes(), &raw].concat()] {
            let names = if known { names() } else { Vec::new() };
            let Ok(mut rows) = GameRows::new(&text[..], names) else { continue };
            target.feed(text.len(), || {
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
}

#[test]
fn rows_of_moves() {
    let target = Target::new("moves.csv");
    let dir = tempfile::tempdir().expect("a folder");
    let folder = Folder::new(dir.path());
    let head = moves_header().trim_end().replace(",checksum", "");
    let whole =
        format!("{head}\n1,1,first,a,1,2,3,4,5,1,2,3,4,5,6\n1,2,second,\"b, c\",2,2,3,4,5,,,,,,\n");
    let names = ["a".to_owned(), "b, c".to_owned()];
    proptest!(config(), |(edits in edits(), raw: Vec<u8>)| {
        for text in [edited(&whole, &edits).into_bytes(), raw] {
            std::fs::write(folder.file("moves.csv"), &text).expect("writable");
            if let Err(error) = target.feed(text.len(), || count_grades(&folder, &names)) {
                assert!(error.to_string().contains("moves.csv"), "{error}");
            }
        }
    });
}

#[test]
fn side_journals() {
    let names = ["a".to_owned(), "b, c".to_owned()];
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("games.ahead");
    let whole = {
        use agon::arena::WriteAheadLog;
        let mut wal = WriteAheadLog::create(path.clone(), &Default::default()).expect("a file");
        for line in games().lines().skip(1) {
            let game = line.split(',').next().and_then(|n| n.parse().ok()).expect("a number");
            // The checksum is the CRC-32 of the header and the row.
            let sum = crc32fast::hash(format!("{}{line},", header()).as_bytes());
            let line = format!("{line},{sum:08x}\n");
            wal.note(game, game, line.into_bytes()).expect("written");
        }
        std::fs::read_to_string(&path).expect("readable")
    };
    let sound = read_wal(&path, &names, &[]).expect("readable");
    assert_eq!(sound.len(), 3);
    let target = Target::new("games.ahead");
    proptest!(config(), |(edits in edits(), raw: Vec<u8>)| {
        for text in [edited(&whole, &edits).into_bytes(), raw] {
            std::fs::write(&path, &text).expect("writable");
            for game in target.feed(text.len(), || read_wal(&path, &names, &[])).expect("readable") {
                assert!(sound.contains(&game), "a damaged row was taken for a sound one");
            }
        }
    });
}

/// The number of inputs for one process.
const TOGETHER: u32 = 20;

/// The number of processes for all inputs.
fn processes() -> ProptestConfig {
    let config = config();
    ProptestConfig { cases: (config.cases / TOGETHER).max(1), max_shrink_iters: 50, ..config }
}

/// Changed lines, and random bytes, on lines of their own.
type Noise = Vec<(Edits, Vec<u8>)>;

fn noise() -> impl Strategy<Value = Noise> {
    let bytes = prop::collection::vec(any::<u8>(), 0..40);
    prop::collection::vec((edits(), bytes), TOGETHER as usize)
}

/// The text with changes, once for each of them, separated by the bytes; with `long`, also a line
/// of two megabytes.
fn noisy(text: &str, noise: &Noise, long: bool) -> Vec<u8> {
    let mut all = Vec::new();
    for (i, (edits, bytes)) in noise.iter().enumerate() {
        all.extend_from_slice(edited(text, edits).as_bytes());
        all.push(b'\n');
        if long && i == noise.len() / 2 {
            all.extend(std::iter::repeat_n(b'x', 2 << 20));
        }
        all.extend_from_slice(bytes);
        all.push(b'\n');
    }
    all
}

/// Possible engine output: the first word of a line, and the input of its parser.
const SAID: [(&str, &str); 12] = [
    ("option", "name Hash type spin default 16 min 1 max 1024"),
    ("option", "name Analysis Contempt type combo default Both var Off var White  Side var Both"),
    ("option", "name Ponder type check default false"),
    ("option", "name Clear Hash type button"),
    ("info", "depth 2 seldepth 3 multipv 1 score cp -7 nodes 90 nps 9000 hashfull 0 pv d2d4 e7e5"),
    ("info", "depth 6 score mate -3 upperbound nodes 200 string depth 9"),
    ("info", "string details words 12 value -0.25"),
    ("bestmove", "e2e4 ponder e7e5"),
    ("OK", "- ready"),
    ("=1", "2\n"),
    ("=3", "boardsize\nclear_board\nplay\ngenmove\nfinal_score\n"),
    ("?4", "unacceptable size\n"),
];

#[test]
fn lines_of_engines() {
    let options: Vec<EngineOption> =
        SAID[..4].iter().filter_map(|(_, line)| EngineOption::parse(line)).collect();
    let target = Target::new("what engines say, line by line");
    proptest!(config(), |(pick: u8, edits in edits(), raw in "\\PC{0,12}|.{0,8}", name in "\\PC{0,9}")| {
        let (_, line) = SAID[usize::from(pick) % SAID.len()];
        for text in [edited(line, &edits), raw] {
            target.feed(text.len(), || {
                let mut info = Info::default();
                info.read(&text);
                let details = Details::parse(&text);
                let (mut answer, lines) = (GtpAnswer::default(), text.split('\n'));
                let ended = lines.filter(|line| matches!(answer.add(line), Line::End(()))).count();
                assert!(ended <= 1 + text.len() / 2 && answer.text.len() <= text.len() + 1);
                assert!(details.value.is_none_or(f64::is_finite), "{text:?}");
                if let Some(option) = EngineOption::parse(&text) {
                    assert!(!option.name.is_empty() && option.name.len() <= text.len());
                    let known = [option];
                    // An existing option is found, whatever its name.
                    let found = check_option(&known, &known[0].name, &name);
                    assert!(found.is_ok() || known[0].ty != OptionType::Text, "{text:?}");
                }
                for option in &options {
                    if let Ok((found, _)) = check_option(&options, &option.name, &text) {
                        assert_eq!(found, option);
                    }
                }
                if let Err(error) = check_option(&options, &name, &text) {
                    assert!(!error.detail.is_empty());
                }
            });
        }
    });
}

#[test]
fn conversations_with_engines() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("said");
    // The process waits for the first word, writes all its output, and exits.
    let args = ["-c", "read -r line; exec cat \"$0\"", path.to_str().expect("text")];
    let launch = Launch {
        program: "/bin/sh".into(),
        args: args.map(str::to_owned).to_vec(),
        dir: None,
        env: Default::default(),
        sandbox: None,
    };
    let facts = [
        build::<Mnk<4>>(&[("m", 15), ("n", 15), ("k", 5)], &[]).engine_facts(),
        build::<Go>(&[], &[]).engine_facts(),
    ];
    let contexts = facts.map(|facts| {
        let mut engine_context = EngineContext::default();
        engine_context.facts = facts;
        Arc::new(engine_context)
    });
    let said: String = SAID.iter().map(|(word, rest)| format!("{word} {rest}\n")).collect();
    let target = Target::new("what engines say, conversations of 20 inputs");
    proptest!(processes(), |(noise in noise(), which in 0..4_usize, opens: bool, long: bool)| {
        let last: &[u8] = [&b"uciok\nreadyok\nreadyok\n"[..], b"ugiok\nreadyok\nreadyok\n", b"OK\n7,7\n",
            b"=1 2\n\n=2 e\n\n=3 boardsize\nclear_board\nplay\ngenmove\n\n=4\n\n=5\n\n=6\n\n=7 A1\n\n"][which];
        let engine_context = &contexts[usize::from(which == 3)];
        let all = [noisy(&said, &noise, long), last.to_vec(), b"bestmove 17\n".to_vec()].concat();
        std::fs::write(&path, &all).expect("writable");
        let mut link = Connection::spawn(&launch).expect("a shell");
        let mut protocol: Box<dyn Protocol> = match which {
            0 => Box::new(Uci::new(UCI)),
            1 => Box::new(Uci::new(UGI)),
            2 => Box::new(Gomocup::default()),
            _ => Box::new(Gtp::default()),
        };
        target.feed(all.len(), || {
            let deadline = Instant::now() + Duration::from_secs(8);
            if opens || which >= 2 {
                let _ = protocol.open(&mut link, EngineSettings { engine_context, options: &[] }, deadline);
            }
            let (player, go) = (Player::First, MoveLimits::default());
            let budget = Duration::from_secs(8);
            let seed = None;
            let question =
                Question { position: None, opening: "", moves: "", player, limits: go, seed, budget };
            let mut answer = EngineAnswer::default();
            if protocol.ask(&mut link, &question, &mut answer).is_ok() {
                // Words end at ASCII blanks, as UCI requires. The game rejects the rest, and whole
                // lines of Gomocup and GTP.
                let blank = |c: char| c.is_ascii_whitespace();
                assert!(which >= 2 || !answer.text.contains(blank), "{:?}", answer.text);
            }
            let _ = protocol.final_score(&mut link, &question, 15);
        });
        assert!(link.conversation_log().text().len() < 4 << 20);
        link.quit("quit\n");
    });
}

/// Sends the input to `agon serve` with a memory limit of two gigabytes; returns its output.
fn served(target: &Target, arguments: &[&str], input: &[u8]) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let [from, to] = ["in", "out"].map(|name| dir.path().join(name));
    std::fs::write(&from, input).expect("writable");
    let output = target.feed(input.len(), || {
        Command::new("sh")
            .args(["-c", "ulimit -v 2000000; exec \"$0\" serve \"$@\"", env!("CARGO_BIN_EXE_agon")])
            .args(arguments)
            .stdin(File::open(&from).expect("readable"))
            .stdout(File::create(&to).expect("writable"))
            .output()
            .expect("the program runs")
    });
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && complaint.is_empty(), "{:?}: {complaint}", output.status);
    let said = std::fs::read_to_string(&to).expect("text");
    assert!(said.len() < 4 << 20, "{} bytes", said.len());
    said
}

#[test]
fn commands_of_hosts() {
    let script = "ugi\nuci\nisready\nsetoption name Hash value 17\nsetoption name Move Overhead value 5\n\
        setoption name Game value tictactoe\nuginewgame\nposition startpos moves 4 0\n\
        go wtime 300 btime 300 winc 0 movestogo 3\nposition fen x../.o./... moves 8\ngo depth 2\n\
        stop\nquery p1turn\nd\nsetoption name Seed value 12\ngo infinite\nstop\n";
    let target = Target::new("what UGI hosts say, conversations of 20 inputs");
    proptest!(processes(), |(noise in noise(), long: bool)| {
        let mut input = noisy(script, &noise, long);
        input.extend_from_slice(b"\nstop\nquery gameover\n");
        let said = served(&target, &["--game", "tictactoe", "--agent", "random"], &input);
        // Whatever came before, the last command is answered.
        let last = said.lines().last().unwrap_or_default();
        assert!(last == "response true" || last == "response false", "{last}");
    });
}

#[test]
fn commands_of_managers() {
    let script = "START 15\nINFO timeout_turn 100\nINFO rule 1\nBEGIN\nTURN 7,7\nTURN 7,7\nSTART 18446744073709551615\nBEGIN\nSTART 15\nBOARD\n1,1,1\n\
        2,2,2\n3,3,1\n4,4,2\nDONE\nTAKEBACK 3,3\nABOUT\nRECTSTART 9,8\nRESTART\nTURN 0,0\n";
    let target = Target::new("what Gomocup hosts say, conversations of 20 inputs");
    proptest!(processes(), |(noise in noise(), long: bool)| {
        let mut input = noisy(script, &noise, long);
        input.extend_from_slice(b"\nDONE\nABOUT\n");
        let game = ["--protocol", "gomocup", "--game", "mnk:m=15,n=15,k=5", "--agent", "random"];
        let said = served(&target, &game, &input);
        assert!(said.lines().last().is_some_and(|last| last.contains("name=")), "{said}");
    });
}

#[test]
fn commands_of_go_hosts() {
    let script = "1 protocol_version\nboardsize 9\nkomi 6.5\nclear_board\nplay b D4\nplay w pass\n\
        time_settings 0 5 1\ntime_left b 3 1\n7 genmove w\nundo\nshowboard\nfinal_score\n\
        known_command play\nlist_commands\nboardsize 19\nplay b Q16 # a comment\nname\n";
    let target = Target::new("what GTP hosts say, conversations of 20 inputs");
    proptest!(processes(), |(noise in noise(), long: bool)| {
        let mut input = noisy(script, &noise, long);
        input.extend_from_slice(b"\n77 protocol_version\n");
        let game = ["--protocol", "gtp", "--game", "go:size=9", "--agent", "random"];
        let said = served(&target, &game, &input);
        assert!(said.ends_with("=77 2\n\n"), "{said}");
    });
}
