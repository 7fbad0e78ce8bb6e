//! Tests of `agon serve`: the answers that a host receives.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::support::{agon, stderr};

/// A served agent.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start(game: &str, agent: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(["serve", "--game", game, "--agent", agent])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let text = |line: std::io::Result<String>| sender.send(line.expect("text"));
            let _ = output.lines().try_for_each(text);
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("an open pipe");
        input.write_all(format!("{text}\n").as_bytes()).expect("a reader");
    }

    /// The lines up to the first line with this prefix.
    fn until(&mut self, word: &str) -> Vec<String> {
        let mut heard = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_secs(20)) {
                Ok(line) => heard.push(line),
                Err(error) => panic!("no `{word}` after {heard:?}: {error}"),
            }
            if heard.last().is_some_and(|line| line.starts_with(word)) {
                return heard;
            }
        }
    }

    /// Sends a line and reads the answer up to the first line with this prefix.
    fn ask(&mut self, text: &str, word: &str) -> Vec<String> {
        self.say(text);
        self.until(word)
    }

    /// Waits for the exit code.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().expect("a child");
        panic!("it does not end");
    }
}

/// The move of the last line.
fn best(lines: &[String]) -> &str {
    lines.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move")
}

/// The number after a word of the line before the last.
fn info_value(lines: &[String], word: &str) -> u64 {
    let line = &lines[lines.len() - 2];
    let mut words = line.split(' ').skip_while(|&other| other != word);
    words.nth(1).and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{word}: {line}"))
}

#[test]
fn it_greets_in_both_dialects() {
    let mut engine = Engine::start("connect4", "alphabeta:depth=2,table_mb=3");
    let ugi = engine.ask("ugi", "ugiok");
    assert_eq!(
        ugi[0],
        format!("id name agon {} {}", env!("CARGO_PKG_VERSION"), "alphabeta:depth=2,table_mb=3")
    );
    assert!(ugi[1].starts_with("id author "));
    assert!(ugi.contains(&"option name Game type string default connect4".to_owned()));
    assert!(ugi.contains(&"option name Params type string default <empty>".to_owned()));
    assert!(ugi.contains(&"option name Hash type spin default 3 min 1 max 65536".to_owned()));
    let mut uci = engine.ask("uci", "uciok");
    uci.pop();
    assert_eq!(uci, ugi[..ugi.len() - 1]);
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn limits_of_the_host_hold_where_the_agent_knows_their_kind() {
    let mut engine = Engine::start("connect4", "alphabeta:depth=2");
    assert_eq!(info_value(&engine.ask("go", "bestmove"), "depth"), 2);
    assert_eq!(info_value(&engine.ask("go depth 5", "bestmove"), "depth"), 5);
    assert_eq!(info_value(&engine.ask("go nodes 777", "bestmove"), "nodes"), 777);
    assert_eq!(info_value(&engine.ask("go", "bestmove"), "depth"), 2);
    assert_eq!(info_value(&engine.ask("go movetime 60000", "bestmove"), "depth"), 2);
    engine.say("setoption name Agent value alphabeta:movetime=60000");
    let search_info = info_value(&engine.ask("go movetime 120", "bestmove"), "time");
    assert!((50..=10_000).contains(&search_info), "{search_info} ms");
    engine.say("setoption name Agent value minimax:depth=3");
    assert_eq!(
        info_value(&engine.ask("go nodes 5", "bestmove"), "depth"),
        3,
        "no limit that it knows"
    );
    assert_eq!(info_value(&engine.ask("go depth 4", "bestmove"), "depth"), 4);
    engine.say("setoption name Agent value mcts:simulations=50");
    let own = info_value(&engine.ask("go depth 9", "bestmove"), "nodes");
    let more = info_value(&engine.ask("go nodes 60000", "bestmove"), "nodes");
    assert!(own < 5000 && more >= 60_000, "{own} {more}");
    let own = info_value(&engine.ask("go movetime 60000", "bestmove"), "nodes");
    assert!(own < 5000, "the own simulations are also a limit: {own}");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn searches_can_be_stopped_and_answer_in_the_meantime() {
    for agent in [
        "alphabeta:depth=2",
        "minimax:depth=60",
        "alphabeta:depth=60,ordering=none,table_mb=0",
        "mcts:simulations=5",
        "expectimax:depth=60,opponent=perfect",
    ] {
        let mut engine = Engine::start("connect4:columns=8,rows=7", agent);
        engine.say("go infinite");
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(engine.ask("isready", "readyok"), ["readyok"], "{agent}");
        assert!(engine.lines.try_recv().is_err(), "{agent} answers before the host said stop");
        let begin = Instant::now();
        engine.ask("stop", "bestmove");
        assert!(begin.elapsed() < Duration::from_secs(10), "{agent}: {:?}", begin.elapsed());
        // One stop arrives with the search command, and one arrives too late.
        let lines = engine.ask("go infinite\nstop", "bestmove");
        assert!(!best(&lines).is_empty());
        assert_eq!(engine.ask("stop\nisready", "readyok"), ["readyok"], "{agent}");
        assert_eq!(info_value(&engine.ask("go depth 1 nodes 400", "bestmove"), "nodes").min(1), 1);
        // A host that disconnects.
        engine.say("go infinite");
        let begin = Instant::now();
        assert_eq!(engine.end(), Some(0), "{agent}");
        assert!(begin.elapsed() < Duration::from_secs(10), "{agent}: {:?}", begin.elapsed());
    }
}

#[test]
fn a_move_with_limits_is_still_answered_when_the_input_ends() {
    let mut engine = Engine::start("tictactoe", "alphabeta:depth=9");
    engine.say("position startpos moves a1 c3\ngo depth 9");
    drop(engine.input.take());
    engine.until("bestmove");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn rules_can_be_asked_for_and_wrong_positions_are_told() {
    let mut engine = Engine::start("tictactoe", "random");
    let mut query = |position: &str| {
        engine.say(position);
        ["p1turn", "gameover", "result"].map(|what| {
            let lines = engine.ask(&format!("query {what}"), "response");
            lines.last().expect("a line").split(' ').nth(1).expect("a word").to_owned()
        })
    };
    assert_eq!(query("position startpos"), ["true", "false", "none"]);
    assert_eq!(query("position startpos moves 4"), ["false", "false", "none"]);
    assert_eq!(query("position startpos moves a1 a2 b1 b2 c1"), ["false", "true", "p1win"]);
    assert_eq!(query("position fen xox/oxx/oxo"), ["false", "true", "draw"]);
    assert_eq!(query("position fen oo./xx./..x moves c3"), ["false", "true", "p2win"]);
    assert_eq!(query("position startpos moves a1 a1"), ["false", "false", "none"]);
    let moves = |engine: &mut Engine| engine.ask("query moves", "response").pop();
    assert_eq!(moves(&mut engine).as_deref(), Some("response none"), "there is no position");
    let lines = engine.ask("go", "bestmove");
    assert!(lines[0].starts_with("info string there is no position"), "{lines:?}");
    engine.say("position startpos moves a1 a2 b1 b2 a3");
    assert_eq!(moves(&mut engine).as_deref(), Some("response 1 2 5 8"));
    engine.say("position startpos moves a1 a2 b1 b2 c1");
    assert_eq!(moves(&mut engine).as_deref(), Some("response none"), "the game is over");
    let facts = |engine: &mut Engine| engine.ask("query position", "response").pop();
    let expected = r#"response {"board":[[".",".","."],["o","o","."],["x","x","x"]],"moves":[],"outcomes":[],"points":1,"position":".../oo./xxx","turn":null,"winner":"first"}"#;
    assert_eq!(facts(&mut engine).as_deref(), Some(expected));
    assert_eq!(best(&lines), "(none)");
    let lines = engine.ask("position startpos moves a1 a2 b1 b2 c1\ngo", "bestmove");
    assert_eq!((best(&lines), lines[0].as_str()), ("(none)", "info string the game is over"));
    assert_eq!(engine.end(), Some(0));
}

/// Hosts of chess turn Chess960 on and off.
#[test]
fn chess960_is_an_option_of_chess() {
    let mut engine = Engine::start("chess", "alphabeta:depth=1");
    let option = |on| format!("option name UCI_Chess960 type check default {on}");
    assert!(engine.ask("uci", "uciok").contains(&option(false)));
    // White has two moves, and castling is better than none.
    let position = "position fen k7/8/8/8/8/5ppp/8/5K1R w K - 0 1 moves f1h1";
    let after = |lines: Vec<String>| lines.into_iter().find(|line| line.contains("position "));
    let lines = engine.ask(&format!("{position}\nd\nisready"), "readyok");
    assert!(lines[0].contains("variant = \"960\""), "{lines:?}");
    engine.say("setoption name UCI_Chess960 value true");
    let lines = engine.ask(&format!("{position}\nd\nisready"), "readyok");
    let shown = after(lines).expect("a position");
    assert!(shown.ends_with("k7/8/8/8/8/5ppp/8/5RK1 b - - 1 1"), "{shown}");
    assert!(engine.ask("uci", "uciok").contains(&option(true)));
    engine.say("setoption name UCI_Chess960 value false");
    assert!(engine.ask("uci", "uciok").contains(&option(false)));
    engine.say("setoption name Params value variant=960,position=0");
    let shown = after(engine.ask("position startpos\nd\nisready", "readyok"));
    assert!(shown.expect("a position").contains("bbqnnrkr/pppppppp"));
    let lines = engine.ask("setoption name UCI_Chess960 value maybe\nisready", "readyok");
    assert!(lines[0].contains("wants `true` or `false`"), "{lines:?}");
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
    let mut engine = Engine::start("tictactoe", "random");
    assert!(!engine.ask("ugi", "ugiok").concat().contains("UCI_Chess960"));
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn the_variant_of_breakthrough_is_an_option() {
    let mut engine = Engine::start("breakthrough", "random");
    let option = "option name UCI_Variant type combo default breakthrough var breakthrough";
    assert!(engine.ask("uci", "uciok").iter().any(|line| line == option));
    let lines = engine.ask("setoption name UCI_Variant value Breakthrough\nisready", "readyok");
    assert_eq!(lines, ["readyok"]);
    let lines = engine.ask("setoption name UCI_Variant value chess\nisready", "readyok");
    assert!(lines[0].contains("wants `breakthrough`, not `chess`"), "{lines:?}");
    engine.say("quit");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn one_process_plays_every_game() {
    let mut engine = Engine::start("tictactoe", "random");
    for (game, params, moves) in [
        ("mnk", "m=7,n=6,k=4", "41"),
        ("connect4", "columns=9", "9"),
        ("breakthrough", "columns=6,rows=6", "a2a3"),
        ("kalah", "pits=4,seeds=3", "1 1"),
        ("othello", "size=6", "c2"),
        ("checkers", "quiet_moves=30", "11-15 22-18 15x22"),
        ("go", "size=9", "E5 D4 pass"),
        ("pig", "", "roll 4"),
        ("einstein", "", "123456 216345 d3"),
        ("backgammon", "gammons=true", "31 8/5+6/5 64"),
        ("chess", "", "e2e4"),
        ("pacman", "", ""),
        ("tree", "file=configs/trees/minimax.toml", ""),
        ("tictactoe", "", "8"),
    ] {
        engine.say(&format!("setoption name Game value {game}"));
        engine.say(&format!("setoption name Params value {params}"));
        assert_eq!(engine.ask("uginewgame\nisready", "readyok"), ["readyok"], "{game}");
        engine.say(&format!("position startpos moves {moves}"));
        assert_ne!(best(&engine.ask("go", "bestmove")), "(none)", "{game}");
    }
    let lines = engine.ask("setoption name Game value ches\nisready", "readyok");
    assert!(lines[0].contains("did you mean `chess`?"), "{lines:?}");
    assert_eq!(best(&engine.ask("go", "bestmove")), "(none)");
    engine.say("setoption name Game value chess");
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn games_are_repeated_by_seed_and_number() {
    let mut engine = Engine::start("connect4", "random");
    let mut game = |settings: &str| {
        engine.say(settings);
        engine.say("uginewgame");
        let mut moves = String::new();
        for _ in 0..6 {
            let lines = engine.ask(&format!("position startpos moves{moves}\ngo"), "bestmove");
            moves = format!("{moves} {}", best(&lines));
        }
        moves
    };
    let first = game("");
    let second = game("");
    assert_ne!(first, second, "games count up");
    assert_eq!(game("setoption name GameNumber value 1"), first);
    assert_eq!(game(""), second);
    let other = game("setoption name Seed value 17\nsetoption name GameNumber value 1");
    assert!(other != first && other != second);
    assert_eq!(game("setoption name Seed value 0\nsetoption name GameNumber value 2"), second);
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn garbage_is_answered_and_survived() {
    let mut engine = Engine::start("connect4", "alphabeta:depth=1");
    for (line, about) in [
        ("hello", "unknown command `hello`"),
        ("position", "write `position startpos`"),
        ("position startpos moves 9", "move 1 `9`"),
        ("setoption", "set an option with"),
        ("setoption name Colour value blue", "there is no option `Colour`"),
        ("setoption name Hash value much", "option `Hash` wants megabytes"),
        ("setoption name Seed value -1", "option `Seed` wants a whole number"),
        ("setoption name Details value perhaps", "option `Details` wants"),
        ("query weather", "unknown query `weather`"),
        (&"x".repeat(2_000_000), "too long"),
        ("\u{1}\u{2}\t\u{7f}", "unknown command"),
    ] {
        let lines = engine.ask(&format!("{line}\nisready"), "readyok");
        assert!(lines.len() == 2 && lines[0].contains(about), "{about}: {lines:?}");
    }
    let lines = engine.ask("position startpos\ngo depth two nodes 50 searchmoves 3", "bestmove");
    assert!(lines[0].contains("ignored `depth two searchmoves 3`"), "{lines:?}");
    engine
        .input
        .as_mut()
        .expect("a pipe")
        .write_all(b"\xff\xfe\x00\n\n\r\ngo\r\n")
        .expect("a reader");
    engine.until("bestmove");
    assert_eq!(engine.end(), Some(0));
}

#[test]
fn a_game_or_agent_that_does_not_exist_is_told_before_anything_else() {
    for (game, agent, about) in [
        ("connect5", "random", "did you mean `connect4`?"),
        ("connect4", "alfabeta", "did you mean `alphabeta`?"),
        ("connect4", "alphabeta", "`alphabeta` needs to know when to stop"),
        ("pig", "alphabeta:depth=2", "use `expectimax`"),
    ] {
        let output = agon(&["serve", "--game", game, "--agent", agent]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(about), "{}", stderr(&output));
    }
}

/// No system grants a thread a stack of this size.
const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "70368744177664");

#[test]
fn a_thread_that_cannot_start_is_an_error() {
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(args).env(NO_THREADS.0, NO_THREADS.1).stdin(Stdio::null());
        let output = command.output().expect("agon");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = run(&["serve", "--game", "tictactoe", "--agent", "random"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.starts_with("error: cannot start a thread: ") && said.contains("help: "),
        "{said}"
    );
    let dir = tempfile::tempdir().expect("a folder");
    let config = "[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"random\"\n[schedule]\n\
                  format = \"self-play\"\n";
    let config = crate::support::write(dir.path(), "c.toml", config);
    let (code, said) = run(&["--config", &config, "--out", &dir.path().display().to_string()]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.starts_with("error: cannot wait for signals: "), "{said}");
}

/// A host once read `cp 0` in a position that `perfect` or `mcts` knew to be won.
#[test]
fn won_positions_have_a_score_that_says_so() {
    for (game, agent, moves, score) in [
        ("tictactoe", "perfect", "0 1 3 2", " score mate 1 "),
        ("tictactoe", "perfect", "0 1 3", " score mate -4 "),
        ("tictactoe", "perfect", "", " score cp 0 "),
        ("tictactoe", "mcts:simulations=500", "0 1 3 2", " score cp 12780 "),
        ("connect4", "perfect", "1 7 1 7 1 6", " score mate 1 "),
    ] {
        let mut engine = Engine::start(game, agent);
        engine.ask("ugi", "ugiok");
        let heard = engine.ask(&format!("position startpos moves {moves}\ngo"), "bestmove");
        assert!(heard.iter().any(|line| line.contains(score)), "{agent}: {score}: {heard:?}");
    }
    let mut engine = Engine::start("pig:goal=20", "perfect");
    engine.ask("ugi", "ugiok");
    let heard = engine.ask("position startpos\ngo", "bestmove");
    let score = heard.iter().find_map(|line| line.split(" score cp ").nth(1)).expect("a score");
    let score: i64 = score.split(' ').next().expect("a number").parse().expect("a number");
    assert!((5..100).contains(&score), "{heard:?}");
}
