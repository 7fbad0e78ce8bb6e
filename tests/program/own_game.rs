//! Tests of games whose rules are a program behind a pipe.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::engines::{AGON, Example};
use crate::support::{agon, games_without_times, ok, play, rows, stderr, stdout};

/// Serves a game of agon by the pipe: `tests/support/game_program.rs`.
const RULES: Example = Example("game_program");

/// The games of two agents that use no knowledge of the game, without times.
fn games(dir: &Path, game: &str, agents: &str, rest: &str, more: &[&str]) -> String {
    let config = format!("name = \"t\"\n[game]\n{game}\n{agents}\n{rest}");
    ok(play(dir, &config, more));
    games_without_times(&dir.join("out"))
}

/// Checks that a game by the pipe has the same rows as the game itself.
fn check_same(game: &str, keys: &str, agents: &str, rest: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let own = format!("kind = \"{game}\"\n{keys}");
    let spec = if keys.is_empty() { game.to_owned() } else { format!("{game}:{keys}") };
    let piped = format!("command = \"{RULES} {}\"", spec.replace(' ', ""));
    let [own, piped] = [own, piped].map(|game| games(dir.path(), &game, agents, rest, &[]));
    assert_eq!(own.lines().count(), piped.lines().count());
    for (one, other) in own.lines().zip(piped.lines()) {
        assert_eq!(one, other, "{game}");
    }
}

fn agent(kind: &str, keys: &str) -> String {
    format!("[[agents]]\nkind = \"{kind}\"\n{keys}\n")
}

const START: &str = "[openings]\nkind = \"start\"\n";
const TIES: &str = "ties = \"random\"\nevaluator = \"zero\"\n";

#[test]
fn plain_minimax_visits_the_nodes_of_the_built_in_tic_tac_toe() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = agent("minimax", "depth = 9") + &agent("random", "");
    let rest = "[schedule]\ngames = 2\n[openings]\nkind = \"start\"\n[output]\nmoves = true\n";
    let game = format!("command = \"{RULES} tictactoe\"");
    games(dir.path(), &game, &agents, rest, &[]);
    let moves = rows(&dir.path().join("out/moves.csv"));
    // Without the position itself, as in every textbook: 549 945 + 1.
    assert!(moves.iter().any(|row| row["nodes"] == "549946"), "{moves:?}");
    check_same("tictactoe", "", &agents, rest);
}

#[test]
fn positions_with_equal_keys_are_searched_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents =
        agent("alphabeta", "depth = 9\ntable_mb = 1\nevaluator = \"zero\"") + &agent("random", "");
    let rest = "[schedule]\ngames = 2\n[openings]\nkind = \"start\"\n[output]\nmoves = true\n";
    let nodes = |more: &str| {
        let game = format!("command = \"{RULES} tictactoe {more}\"");
        games(dir.path(), &game, &agents, rest, &[]);
        let moves = rows(&dir.path().join("out/moves.csv"));
        moves.iter().filter_map(|row| row["nodes"].parse().ok()).max().unwrap_or(0u64)
    };
    let (with_keys, without) = (nodes("--keys"), nodes(""));
    assert!(0 < with_keys && 2 * with_keys < without, "{with_keys} {without}");
    let count = dir.path().join("count");
    let questions = |more: &str| {
        let game = format!("{RULES} tictactoe {more} --count {}", count.display());
        let solved = stdout(&ok(agon(&["solve", "--game", &game])));
        assert!(solved.contains("draw"), "{solved}");
        let count = std::fs::read_to_string(&count).expect("a number");
        count.parse::<u64>().expect("a number")
    };
    let (with_keys, without) = (questions("--keys"), questions(""));
    // Of 765 positions up to symmetry, 627 are not the last of their games. Counting and solving may
    // ask for different images.
    assert!(with_keys < 2 * 700 && 4000 < without, "{with_keys} {without}");
}

#[test]
fn openings_with_equal_keys_are_played_once() {
    let agents = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    let rest = "[schedule]\ngames = 20\n[openings]\nkind = \"random\"\nplies = 2\n";
    let dir = tempfile::tempdir().expect("a folder");
    let keys = format!("command = \"{RULES} tictactoe --keys\"");
    let piped = games(dir.path(), &keys, &agents, rest, &[]);
    assert_eq!(piped, games(dir.path(), "kind = \"tictactoe\"", &agents, rest, &[]));
}

#[test]
fn random_games_and_searches_are_those_of_the_built_in_game() {
    let random = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    check_same("kalah", "", &random, &format!("[schedule]\ngames = 400\n{START}"));
    let depths = agent("minimax", &format!("name = \"mm{{depth}}\"\ndepth = [1, 2, 3]\n{TIES}"));
    check_same(
        "connect4",
        "",
        &depths,
        "[schedule]\ngames = 12\n[openings]\nkind = \"random\"\nplies = 4\n",
    );
    let mcts = agent("mcts", "simulations = 100") + &agent("random", "");
    check_same("breakthrough", "", &mcts, &format!("[schedule]\ngames = 4\n{START}"));
}

#[test]
fn playouts_in_one_question_are_those_of_single_plies() {
    for (game, plies) in [("connect4", ""), ("einstein", ""), ("pig:goal=30", "playout_plies = 9")]
    {
        let mcts = agent("mcts", &format!("simulations = 20\nevaluator = \"zero\"\n{plies}"));
        let agents = mcts + &agent("random", "");
        let rest = format!("[schedule]\ngames = 2\n{START}[output]\nmoves = true\n");
        let dir = tempfile::tempdir().expect("a folder");
        let count = dir.path().join("count");
        let played = |more: &str| {
            let counts = format!("--count {}", count.display());
            let command = format!("command = \"{RULES} {game} {counts} {more}\"");
            let games = games(dir.path(), &command, &agents, &rest, &["-j", "1"]);
            let nodes: Vec<String> = rows(&dir.path().join("out/moves.csv"))
                .iter()
                .map(|row| row["nodes"].clone())
                .collect();
            let questions = std::fs::read_to_string(&count).expect("a number");
            ((games, nodes), questions.parse::<u64>().expect("a number"))
        };
        let ((one_by_one, many), (at_once, few)) = (played(""), played("--playouts"));
        assert_eq!(one_by_one, at_once, "{game}");
        assert!(few < many, "{game}: {few} {many}");
    }
}

#[test]
fn games_with_dice_are_those_of_the_built_in_game() {
    let searches = agent("expectimax", &format!("depth = 2\n{TIES}")) + &agent("random", "");
    check_same("einstein", "", &searches, "[schedule]\ngames = 20\n");
}

#[test]
fn threads_do_not_change_the_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = agent("minimax", &format!("depth = 2\n{TIES}")) + &agent("random", "");
    let game = format!("command = [\"{RULES}\", \"connect4\"]");
    let played =
        |jobs: &str| games(dir.path(), &game, &agents, "[schedule]\ngames = 40\n", &["-j", jobs]);
    let one = played("1");
    assert!(one == played("2") && one == played("16"));
}

#[test]
fn rules_that_fail_void_the_games_and_end_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    for (fault, words) in [
        ("exit", "exit status 3"),
        ("sleep", "there was no answer in time"),
        ("debug", "standard error"),
        ("latin1", "is not UTF-8; the answer is `\\xE9"),
        ("long-line", "longer than 64 KiB"),
        ("blank", "`a move` has a blank"),
        ("no-moves", "no moves and no result"),
        ("zero-weight", "the word `chance`"),
        ("third-player", "two players"),
        ("refuses-moves", "it refuses its own move `"),
        ("shuffled", "another answer for the same question"),
        ("twice", "answer"),
        ("move-twice", "`a` is there twice"),
    ] {
        let game =
            format!("command = \"{RULES} connect4 --after 9 --fault {fault}\"\ntimeout = 0.5");
        let config = format!(
            "name = \"t\"\n[game]\n{game}\n{agents}[schedule]\ngames = 20\n[openings]\nkind = \"start\"\n"
        );
        let output = play(dir.path(), &config, &["-j", "1"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{fault}: {said}");
        assert!(said.contains("games in a row are void"), "{fault}: {said}");
        assert!(said.contains(words), "{fault}: {said}");
        let rows = rows(&dir.path().join("out/games.csv"));
        assert!(rows.iter().all(|row| row["result"] == "void" && row["reason"] == "rules failure"));
    }
}

#[test]
fn processes_with_different_answers_end_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    let game = format!("command = \"{RULES} connect4 --after 1 --fault set-order\"");
    let config = format!("name = \"t\"\n[game]\n{game}\n{agents}[schedule]\ngames = 20\n{START}");
    let output = play(dir.path(), &config, &["-j", "1"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("another answer for the same question: an earlier process"), "{said}");
}

#[test]
fn the_error_names_how_many_moves_of_a_question_were_answered() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = agent("minimax", "depth = 1") + &agent("random", "");
    let said = |fault: &str| {
        let game =
            format!("command = \"{RULES} tictactoe --after 3 --fault {fault}\"\ntimeout = 0.5");
        let config =
            format!("name = \"t\"\n[game]\n{game}\n{agents}[schedule]\ngames = 20\n{START}");
        stderr(&play(dir.path(), &config, &["-j", "1"]))
    };
    let fewer = said("fewer");
    assert!(fewer.contains("it has answered 6 of 7 moves; there was no answer in time"), "{fewer}");
    let debug = said("debug");
    assert!(debug.contains("the question `play <TAB>"), "{debug}");
}

#[test]
fn a_line_without_a_question_is_shown_with_its_tabs() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    let game = format!("command = \"{RULES} connect4 --after 9 --fault twice\"");
    let config = format!("name = \"t\"\n[game]\n{game}\n{agents}[schedule]\ngames = 20\n{START}");
    let said = stderr(&play(dir.path(), &config, &["-j", "1"]));
    let line = said.split("it writes `").nth(1).and_then(|rest| rest.split('`').next());
    let line = line.expect("the line that it writes");
    assert!(line.contains(" <TAB> first <TAB> 1 <TAB> 2 <TAB> 3"), "{said}");
    assert!(!said.contains(['\t', '\u{FFFD}']), "{said}");
}

#[test]
fn a_shortage_when_the_rules_start_is_not_their_fault() {
    let dir = tempfile::tempdir().expect("a folder");
    let game = format!("command = \"{RULES} tictactoe\"");
    let agents = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    let config = format!("name = \"t\"\n[game]\n{game}\n{agents}[schedule]\ngames = 20\n{START}");
    let path = dir.path().join("t.toml");
    std::fs::write(&path, config).expect("a config");
    let mut shell = Command::new("sh");
    let line = "ulimit -n 8 && exec \"$@\"";
    shell.args(["-c", line, "sh", AGON, "--config"]).arg(path).arg("--out");
    let output = shell.arg(dir.path().join("out")).output().expect("a shell");
    let said = stderr(&output);
    assert!(said.contains("agon lacks descriptors, processes or memory"), "{said}");
    assert!(!said.contains("docs/your-own-game.md"), "{said}");
}

#[test]
fn a_program_that_cannot_begin_is_one_error() {
    for (more, words) in [
        ("--after 0 --fault debug", "must begin with `agon-game 1`"),
        ("--after 1 --fault third-player", "two players"),
        ("--after 1 --fault exit", "exit status 3"),
    ] {
        let game = format!("{RULES} connect4 {more}");
        let output = agon(&["match", "random", "random", "--game", &game]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
        assert!(stderr(&output).contains(" > agon-game 1\n"), "{}", stderr(&output));
        let output = agon(&["check-game", &game]);
        assert!(stderr(&output).contains(" > agon-game 1\n"), "{}", stderr(&output));
    }
}

#[test]
fn the_error_begins_with_the_last_words_of_a_program_that_ends() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("game");
    for (script, words) in [
        (
            "#!/bin/sh\necho 'File 3' >&2\necho 'ImportError: no agon_game' >&2\nexit 1\n",
            "fails: it wrote `ImportError: no agon_game` and ended with exit status 1 before its greeting\n",
        ),
        (
            "#!/bin/sh\necho 'usage: hex SIZE' >&2\necho >&2\necho 'plays hex' >&2\nexit 2\n",
            "fails: it wrote `usage: hex SIZE` and ended with exit status 2 before its greeting\n",
        ),
        (
            "#!/bin/sh\nprintf 'no size'\nexit 2\n",
            "fails: it wrote `no size` and ended with exit status 2 before its greeting\n",
        ),
        (
            "#!/bin/sh\n",
            "fails: it ended with exit status 0 before its greeting; it must answer each line of \
             its input",
        ),
        (
            "#!/bin/sh\nkill -SEGV $$\n",
            "fails: it ended with signal 11, SIGSEGV before its greeting",
        ),
        (
            "#!/bin/sh\nread a\necho agon-game 1\nread b\necho bad >&2\nexit 4\n",
            "fails: it wrote `bad` and ended with exit status 4 before it answered `start`\n",
        ),
        (
            "#!/bin/sh\nread a\necho agon-game 1\nread b\nprintf 'error\\tno size\\n'\nread c\n",
            "fails: it cannot answer `start`: no size\n",
        ),
        (
            "#!/bin/sh\nread a\nprintf 'agon-game 1'\nread b\n",
            "fails: there was no answer in time before its greeting; it wrote `agon-game 1` \
             without a line end\n",
        ),
        (
            "#!/bin/sh\nread a\nread b\n",
            "fails: there was no answer in time before its greeting; does it flush",
        ),
        ("#!/usr/bin/env no-python\n", "No such file or directory` and ended with exit status 127"),
        ("#!/no/python\n", "its interpreter `/no/python` does not exist"),
        ("#!/usr/bin/env sh\r\necho\r\n", "its first line ends with a carriage return; save it"),
        ("import nothing_at_all\n", "its first line names no interpreter, so the shell ran it"),
    ] {
        std::fs::write(&path, script).expect("a script");
        let rights = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&path, rights).expect("a program");
        let game = format!("program:command=\"{}\",timeout=0.5", path.display());
        let output = agon(&["check-game", &game]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{script}: {said}");
        assert!(said.contains(words), "{script}: {said}");
        assert!(!said.contains("it said nothing") && !said.contains(";\n"), "{script}: {said}");
    }
}

#[test]
fn check_game_shows_the_conversation_of_a_fault() {
    for (fault, words) in [
        ("latin1", "is not UTF-8; the answer is `\\xE9"),
        ("refuses-moves", "it refuses its own move `"),
        ("move-twice", "`a` is there twice"),
        ("shuffled", "another answer for the same question"),
        ("twice", "without a question"),
        ("no-states", "it does not read its own state `"),
        ("fewer", "moves; there was no answer in time"),
    ] {
        let game =
            format!("program:command=\"{RULES} connect4 --after 4 --fault {fault}\",timeout=0.5");
        let output = agon(&["check-game", &game]);
        let said = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(output.status.code(), Some(7), "{fault}: {said}");
        assert!(said.contains(words), "{fault}: {said}");
        assert!(said.contains(" > start\n"), "{fault}: {said}");
    }
    let output = agon(&["check-game", &format!("{RULES} connect4 --keys --fault one-key")]);
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    assert!(stdout(&output).contains("have the same key, but not the same"), "{}", stdout(&output));
    for game in ["connect4", "einstein"] {
        let checked =
            |more: &str| agon(&["check-game", &format!("{RULES} {game} --playouts {more}")]);
        ok(checked(""));
        for fault in ["other-playout", "unfair-playout"] {
            let output = checked(&format!("--fault {fault}"));
            let said = stdout(&output);
            assert_eq!(output.status.code(), Some(7), "{fault}: {said}");
            assert!(said.contains("is not that of its numbers: "), "{fault}: {said}");
        }
    }
}

#[test]
fn a_game_before_the_run_finds_faults() {
    let dir = tempfile::tempdir().expect("a folder");
    let agents = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    for (more, words) in [
        ("--after 4 --fault no-states", "it does not read its own state `"),
        ("--after 0 --fault one-sided", "the first player never moves in a random game"),
    ] {
        let game = format!("command = \"{RULES} connect4 {more}\"");
        let config =
            format!("name = \"t\"\n[game]\n{game}\n{agents}[schedule]\ngames = 4\n{START}");
        let said = stderr(&play(dir.path(), &config, &["-j", "1"]));
        assert!(said.contains("warning: ") && said.contains(words), "{more}: {said}");
    }
}

#[test]
fn changed_rules_do_not_continue_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let rules = dir.path().join("rules.sh");
    let write = |comment: &str| {
        std::fs::write(&rules, format!("# {comment}\nexec {RULES} tictactoe\n")).expect("a script");
    };
    let agents = agent("random", "name = \"a\"") + &agent("random", "name = \"b\"");
    let config = format!(
        "name = \"t\"\n[game]\ncommand = \"sh {}\"\n{agents}[schedule]\ngames = 4\n{START}",
        rules.display()
    );
    let path = dir.path().join("c.toml");
    std::fs::write(&path, config).expect("a config");
    let run = || {
        let [path, out] = [path.clone(), dir.path().join("out")];
        agon(&["--config", path.to_str().expect("text"), "--out", out.to_str().expect("text")])
    };
    write("1");
    ok(run());
    ok(run());
    write("2");
    let output = run();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("games of another program of `[game]`"), "{said}");
    assert!(said.contains("rules.sh: now "), "{said}");
}

#[test]
fn a_drawing_that_fails_is_an_error_at_the_start() {
    let output = agon(&["solve", "--game", &format!("{RULES} tictactoe --fault no-drawing")]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("it cannot answer `draw`"), "{}", stderr(&output));
}

#[test]
fn serve_and_watch_say_why_the_rules_fail() {
    let game = format!("{RULES} tictactoe --after 5 --fault refuses-moves");
    let lines = "ugi\nisready\nposition startpos\ngo nodes 50\n";
    let mut child = Command::new(AGON)
        .args(["serve", "--game", &game, "--agent", "minimax:depth=3"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("agon");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(lines.as_bytes()).expect("an open pipe");
    let mut said = String::new();
    for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
        said = said + &line.expect("text") + "\n";
        if said.contains("bestmove") {
            break;
        }
    }
    drop(input);
    child.wait().expect("an end");
    assert!(said.contains("it refuses its own move `") && !said.contains("panicked"), "{said}");
    let dir = tempfile::tempdir().expect("a folder");
    let config = dir.path().join("t.toml");
    let agents = agent("minimax", "depth = 2") + &agent("random", "");
    let game = format!("command = \"{game}\"");
    let text = format!("name = \"t\"\n[game]\n{game}\n{agents}[schedule]\ngames = 2\n{START}");
    std::fs::write(&config, text).expect("a config");
    let watched = agon(&["watch", config.to_str().expect("text")]);
    let said = stdout(&watched).replace('\n', " ");
    assert!(said.contains("the game is void (rules failure): the program `"), "{said}");
}

#[test]
fn solve_warns_of_a_game_with_many_positions() {
    let mut child = Command::new(AGON)
        .args(["solve", "--game", &format!("{RULES} connect4")])
        .stderr(Stdio::piped())
        .spawn()
        .expect("agon");
    let mut warning = String::new();
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe"));
    lines.read_line(&mut warning).expect("a warning");
    child.kill().expect("a running search");
    child.wait().expect("an end");
    assert!(warning.contains(" positions can follow, and a full search visits each"), "{warning}");
}

#[test]
fn a_game_that_need_not_end_has_no_exact_value() {
    let dir = tempfile::tempdir().expect("a folder");
    let game = format!("{RULES} pig:goal=2");
    let said = stderr(&agon(&["solve", "--game", &game]));
    let expected = "a game can come back to the position `";
    assert!(said.starts_with("error: the program `") && said.contains(expected), "{said}");
    let rest = "[schedule]\ngames = 8\n";
    let agents = agent("perfect", "ties = \"random\"") + &agent("random", "");
    let config = format!("name = \"t\"\n[game]\ncommand = \"{game}\"\n{agents}{rest}");
    let run = play(dir.path(), &config, &["-j", "1"]);
    let said = stderr(&run);
    assert!(run.status.code() == Some(1) && said.contains(expected), "{said}");
}

#[test]
fn commands_accept_a_command_as_the_game() {
    let game = format!("{RULES} tictactoe");
    let solved = stdout(&ok(agon(&["solve", "--game", &game, "--position", "xox/x.o/..o"])));
    assert!(solved.contains("first wins in 1"), "{solved}");
}
