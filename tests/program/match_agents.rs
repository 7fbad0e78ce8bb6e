//! Tests of `agon match`, `agon run` and `[each]`: playing without a config file, and configs from
//! the standard input.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::engines::AGON;
use crate::engines::ROGUE;
use crate::support::{agon, games_without_times, rows, stderr, stdout, write};

/// Runs the program in a folder.
fn within(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_agon");
    Command::new(program).args(arguments).current_dir(folder).output().expect("the program runs")
}

/// The command of a mock engine.
fn mock(kind: &str) -> String {
    format!("{ROGUE} --game chess {kind}")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("text")
}

#[test]
fn a_match_is_the_run_of_the_config_that_it_prints() {
    let dir = tempfile::tempdir().expect("a folder");
    let command = [
        "match",
        "alphabeta:depth=2",
        "noisy:agent=(alphabeta:depth=2),epsilon=0.2",
        "mcts",
        "--each",
        "simulations=20",
        "--game",
        "mnk:m=4,n=4,k=3",
        "--openings",
        "random:2",
        "--games",
        "4",
        "--seed",
        "7",
    ];
    let printed = within(dir.path(), &[&command[..], &["--print-config"]].concat());
    assert_eq!(printed.status.code(), Some(0), "{}", stderr(&printed));
    assert!(!dir.path().join("results").exists());
    let config = write(dir.path(), "c.toml", &stdout(&printed));
    let played = within(dir.path(), &[&command[..], &["-q", "--out", "a"]].concat());
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
    let run = within(dir.path(), &["run", &config, "-q", "--out", "b"]);
    assert_eq!(run.status.code(), Some(0), "{}", stderr(&run));
    let [a, b] = ["a", "b"].map(|name| dir.path().join(name));
    assert_eq!(games_without_times(&a), games_without_times(&b));
    assert_eq!(rows(&a.join("games.csv")).len(), 12);
}

#[test]
fn engines_play_chess_by_their_commands() {
    let dir = tempfile::tempdir().expect("a folder");
    let (a, b) = (mock("instant"), mock("random"));
    let command = ["match", &a, &b, "--nodes", "5", "--games", "4"];
    let printed = within(dir.path(), &[&command[..], &["--print-config"]].concat());
    let config = stdout(&printed);
    assert!(config.contains("kind = \"chess\"") && config.contains("nodes = 5"), "{config}");
    assert!(
        config.contains("name = \"rogue instant\"") && config.contains("\"rogue random\""),
        "{config}"
    );
    let played = within(dir.path(), &[&command[..], &["--out", "out"]].concat());
    let games = rows(&dir.path().join("out/games.csv"));
    assert_eq!(games.len(), 4);
    assert_eq!(played.status.code(), Some(0), "{}: {games:?}", stderr(&played));
    // Engines play chess unless another game is given, and a clock in milliseconds is noticed.
    let dry = within(dir.path(), &["match", &a, &b, "--clock", "8000+80", "--dry-run"]);
    let said = stderr(&dry);
    assert!(said.contains("default game of engines: chess"), "{said}");
    assert!(said.contains("`--clock 8000+80` is in seconds: 133 minutes"), "{said}");
    // An engine and an agent play Connect Four, where engines speak UGI.
    let printed = within(dir.path(), &["match", &a, "random", "--nodes", "5", "--print-config"]);
    let config = stdout(&printed);
    assert!(config.contains("\"connect4\"") && config.contains("\"ugi\""), "{config}");
}

#[test]
fn players_without_a_limit_get_one_that_is_named() {
    let dir = tempfile::tempdir().expect("a folder");
    let command = ["match", "alphabeta", "mcts", "minimax", "random", "--game", "tictactoe"];
    let output = within(dir.path(), &[&command[..], &["--games", "2", "--out", "a"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = "default limits: alphabeta nodes = 10000, mcts nodes = 10000, minimax depth = 3";
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    let again = within(dir.path(), &[&command[..], &["--games", "2", "--out", "b"]].concat());
    assert_eq!(again.status.code(), Some(0));
    let [a, b] = ["a", "b"].map(|name| games_without_times(&dir.path().join(name)));
    assert_eq!(a, b, "the games can be repeated");
    let config = |arguments: &[&str]| {
        let command = [&["match"], arguments, &["--print-config"]].concat();
        let output = within(dir.path(), &command);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let given = config(&["alphabeta", "mcts:simulations=5", "--depth", "2"]);
    assert!(!given.contains("default limit"), "{given}");
    let part = config(&["alphabeta", "mcts", "--depth", "2"]);
    assert_eq!(part.matches("nodes = 10000 # the default limit").count(), 1, "{part}");
    let engine = mock("instant");
    for (command, limits) in [
        (&[&*engine, &*engine][..], 2),
        (&[&*engine, "alphabeta", "--clock", "8+0.08"], 1),
        (&[&*engine, "alphabeta:depth=2", "mcts"], 2),
        (&[&*engine, &*engine, "--nodes", "5"], 0),
    ] {
        let text = config(command);
        assert_eq!(text.matches("movetime = 100 #").count(), limits, "{text}");
    }
    let played = within(dir.path(), &["match", &engine, &engine, "--games", "2"]);
    assert_eq!(played.status.code(), Some(0), "{}", stderr(&played));
}

#[test]
fn an_engine_by_its_spec_plays_chess_with_its_name_and_options() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = mock("instant");
    let spec = format!("engine:command={engine},name=weak,options.Skill Level=0,env.MODE=a b");
    let command = ["match", &spec, &engine, "--nodes", "5", "--print-config"];
    let printed = within(dir.path(), &command);
    let config = stdout(&printed);
    assert_eq!(printed.status.code(), Some(0), "{}", stderr(&printed));
    for line in [
        "kind = \"chess\"",
        "name = \"weak\"",
        "protocol = \"uci\"",
        "options = { \"Skill Level\" = 0 }",
        "env = { MODE = \"a b\" }",
    ] {
        assert!(config.contains(line), "{line}: {config}");
    }
    // A limit is text, whatever was typed; a key with a blank needs no quotes.
    for (option, line) in [
        (["--clock", "60"], "clock = \"60\""),
        (["--clock", "8"], "clock = \"8\""),
        (["--each", "clock=8.5"], "clock = \"8.5\""),
        (["--each", "options.Skill Level=3"], "options.\"Skill Level\" = 3"),
        (["--each", "options.\"Skill Level\"=3"], "options.\"Skill Level\" = 3"),
        (["--each", "options.Path=a=b"], "options.Path = \"a=b\""),
    ] {
        let limit = if line.starts_with("clock") { &[][..] } else { &["--nodes", "5"] };
        let command = ["match", &engine, &engine, "--print-config"];
        let printed = within(dir.path(), &[&command[..], &option, limit].concat());
        let config = stdout(&printed);
        assert_eq!(printed.status.code(), Some(0), "{option:?}: {}", stderr(&printed));
        assert!(config.contains(line), "{line}: {config}");
    }
    let spec = format!("engine:command={engine},name=7,clock=60");
    let printed = within(dir.path(), &["match", &spec, &spec.replace("7", "8"), "--print-config"]);
    assert!(stdout(&printed).contains("clock = \"60\""), "{}", stderr(&printed));
}

#[test]
fn mistakes_of_one_kind_are_counted() {
    let dir = tempfile::tempdir().expect("a folder");
    let book = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let lines: String = (0..40).map(|_| book).collect();
    write(dir.path(), "book.epd", &lines);
    let output = within(dir.path(), &["match", "random", "mcts", "--openings", "book.epd"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.matches("is not a column").count() <= 3, "{said}");
    assert!(said.contains("more like this"), "{said}");
    // A limit that is wrong is the only mistake.
    let engine = mock("instant");
    let output = within(dir.path(), &["match", &engine, &engine, "--clock", "abc"]);
    let said = stderr(&output);
    assert!(said.contains("`abc` is not a time control"), "{said}");
    assert!(!said.contains("needs to know"), "{said}");
}

#[test]
fn each_match_has_a_folder_and_finds_it_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let play = |more: &[&str]| {
        let command = ["match", "random", "alphabeta:depth=1", "--game", "tictactoe"];
        let output = within(dir.path(), &[&command[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stderr(&output)
    };
    play(&["--games", "2"]);
    assert!(play(&["--games", "2"]).contains("is complete"));
    assert!(play(&["--games", "6"]).contains("only the rest is played"));
    play(&["--games", "2", "--seed", "9"]);
    let folders = || std::fs::read_dir(dir.path().join("results")).expect("results").count();
    assert_eq!(folders(), 2);
    // Another experiment has another folder; a length and the output are no other experiment.
    play(&[
        "--games",
        "2",
        "--set",
        "openings.kind=start",
        "--set",
        "schedule.allow_duplicates=true",
    ]);
    assert_eq!(folders(), 3);
    play(&["--set", "schedule.games=6", "--set", "output.report=false"]);
    assert_eq!(folders(), 3);
}

#[test]
fn engines_that_are_called_alike_get_names_by_which_they_differ() {
    let dir = tempfile::tempdir().expect("a folder");
    for folder in ["m/patch", "m/master"] {
        let folder = dir.path().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::copy("/bin/true", folder.join("tiny")).expect("a program");
        std::fs::write(folder.join("agent.py"), "").expect("a file");
    }
    for (players, names) in [
        (["m/patch/tiny", "m/master/tiny"], ["patch", "master"]),
        (["sh m/patch/agent.py", "sh m/master/agent.py"], ["patch", "master"]),
        (["m/patch/tiny --slow", "m/patch/tiny --fast 2"], ["tiny --slow", "tiny --fast 2"]),
        (["m/patch/tiny", "m/patch/tiny --fast"], ["tiny", "tiny --fast"]),
        (["m/patch/tiny", "m/patch/tiny"], ["tiny", "tiny 2"]),
        (
            [
                "engine:command=m/patch/tiny,options.Skill Level=0,options.Hash=1",
                "engine:command=m/patch/tiny,options.Skill Level=3,options.Hash=1",
            ],
            ["tiny Skill Level=0, Hash=1", "tiny Skill Level=3, Hash=1"],
        ),
        (["engine:command=m/patch/tiny,options.Hash=1", "m/patch/tiny"], ["tiny Hash=1", "tiny"]),
        (["alphabeta", "alphabeta:reference=true"], ["alphabeta", "alphabeta 2"]),
    ] {
        let command = ["match", players[0], players[1], "--nodes", "5", "--print-config"];
        let output = within(dir.path(), &command);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{players:?}: {}", stderr(&output));
        let agents: Vec<&str> = text.split("[[agents]]").skip(1).collect();
        for (agent, name) in agents.iter().zip(names) {
            assert!(agent.contains(&format!("name = \"{name}\"\n")), "{players:?}: {text}");
        }
    }
}

#[test]
fn a_sequential_test_is_two_numbers() {
    let players = ["match", "alphabeta:depth=3", "random", "--sprt"];
    let output = agon(&[&players[..], &["-5,40", "--print-config"]].concat());
    assert!(stdout(&output).contains("[sprt]\nelo0 = -5.0\nelo1 = 40.0\n"), "{}", stdout(&output));
    for wrong in ["5", "0;5", "a,b", "0,5,10", "nan,1"] {
        let output = agon(&[&players[..], &[wrong]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains("is not of the form ELO0,ELO1"), "{}", stderr(&output));
    }
    let output = agon(&["match", "random", "random", "random", "--sprt", "0,5"]);
    assert!(stderr(&output).contains("exactly one pairing"), "{}", stderr(&output));
}

#[test]
fn mistakes_of_a_match_are_answered() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::write(dir.path().join("bot.py"), "print()\n").expect("a file");
    let program = dir.path().join("random");
    std::fs::copy("/bin/true", &program).expect("a program");
    std::fs::copy("/bin/true", dir.path().join("new-version")).expect("a program");
    for (arguments, message) in [
        (&["random:"][..], "a match needs two players"),
        (&["alphbeta:depth=3", "mcts"], "did you mean `alphabeta`?"),
        (&["c.toml", "mcts"], "`agon run c.toml` plays it"),
        (&["bot.py", "mcts"], "\"python3 bot.py\" in quotes"),
        (&["hold=25", "hold=20", "--game", "pig"], "write `hold:at=25`"),
        (&["alphabeta=5", "mcts"], "write `alphabeta:depth=5`"),
        (&["mcts=500", "mcts"], "write `mcts:simulations=500`"),
        (&["random:", "mcts", "at=20"], "as in `hold:at=20`"),
        (&["random:", "mcts", "foo=20"], "`agon list agents`"),
        (&["random:", "mcts", "tc=8+0.08"], "`--clock 8+0.08` is a clock"),
        (&["random:", "mcts", "name=new"], "`\"engine:command=./new,name=new,"),
        (&["random:", "mcts", "order=random"], "`--set openings.order=random`"),
        (&["random:", "mcts", "option.Hash=16"], "`--each options.Hash=16`"),
        (&["random:", "mcts", "--openings", "b.epd", "format=epd"], "`--openings FILE` reads EPD"),
        (
            &["alphabeta:depth=[1,2]", "random:"],
            "write `\"alphabeta:depth=[1,2],name=alphabeta{depth}\"`",
        ),
        (&["human", "mcts"], "`agon play GAME --agent SPEC`"),
        (&["./no-such-engine", "mcts"], "there is no program ./no-such-engine"),
        (&["./random:", "mcts"], "command=./random,options.NAME=VALUE"),
        (&["./random:nodes=9,options.Hash=1", "mcts"], "command=./random,nodes=9,options.Hash=1"),
        (
            &["./random:Skill Level=5,Hash=1", "mcts"],
            "command=./random,options.Skill Level=5,options.Hash=1",
        ),
        (&["random", "mcts:simulations=5"], "is an agent of agon and also the program ./random"),
        (&["'random", "mcts"], "a quote or a backslash has no end"),
        (&["random:", "random:", "--each", "depht=3"], "did you mean `depth`?"),
        (&["random:", "random:", "--each", "depth=3"], "it is a key of other agents"),
        (&["alphabeta", "random:", "--clock", "5"], "limit agents of agon by `movetime`"),
        (&["alphabeta:clock=5", "random:"], "limit agents of agon by `movetime`"),
        (&["random:", "random:", "--each", "depth"], "is not of the form KEY=VALUE"),
        (&["random:", "random:", "--each", "x=1", "--each", "x=2"], "given twice"),
        (&["random:", "random:", "--game", "chees"], "did you mean `chess`?"),
        (&["random:", "random:", "--openings", "no.epd"], "no.epd"),
        (&["random:", "random:", "--openings", "random:x"], "`openings.plies` must be"),
        (&["random:", "random:", "--rounds", "4"], "`--games N` counts"),
        (&["random:", "random:", "-tc", "8+0.08"], "`--clock 8+0.08`"),
        (&["random:", "random:", "-games", "4"], "two dashes: `--games`"),
        (&["random:", "random:", "-rounds", "4"], "there is no option `-rounds`"),
        (&["random:", "random:", "-pgnout", "x"], "--set output.pgn=comments"),
        (&["random:", "random:", "-resign", "movecount=4"], "adjudication.resign_value=500"),
        (&["random:", "random:", "-log", "file=x"], "there is no option `-log`"),
        (&["random:", "random:", "-event", "x"], "--set question=TEXT"),
        (&["random:", "random:", "-use-affinity"], "`--pin`"),
        (&["random:", "random:", "-ratinginterval", "5"], "leave it out"),
        (&["random:", "random:", "-sprt", "elo0=0"], "`--sprt 0,5`"),
        (&["random:", "random:", "--sprt", "0", "5"], "write `--sprt 0,5`"),
        (&["random:", "random:", "--sprt", "elo0=0", "elo1=5"], "write `--sprt 0,5`"),
        (
            &["random:", "random:", "mcts:", "--schedule", "best", "--set", "max_games=40"],
            "it belongs in `[sprt]` or `[adaptive]`",
        ),
        (&["random:", "random:", "-openings", "file=b.epd"], "`--openings book.epd`"),
        (&["random:", "random:", "--openings", "file=b.epd"], "write `--openings b.epd`"),
        (&["new-version", "random:"], "write `./new-version`"),
        (&["-engine", "cmd=x"], "`agon match ./new ./old`"),
        (&["random:", "random:", "--print-config", "--dry-run"], "cannot be used with"),
        (&["alphabeta:tc=3", "mcts:simulations=5"], "clock = \"8+0.08\""),
        (&["engine:command=/bin/true,option.Hash=1", "mcts:"], "write `options.Hash`"),
        (&["random:", "random:", "--each", "option.Hash=1"], "write `options.Hash`"),
    ] {
        let output = within(dir.path(), &[&["match"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!dir.path().join("results").exists());
    // The name that the help gives works.
    let spec = "alphabeta:depth=[1,2],name=alphabeta{depth}";
    let output = within(dir.path(), &["match", spec, "mcts", "--print-config"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn the_last_words_of_an_engine_that_ends_at_once_are_shown() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    for (end, script) in [("a line", "echo Hello world"), ("no end", "printf 'Hello world'")] {
        write(dir.path(), "hello", &format!("#!/bin/sh\n{script}\n"));
        let rights = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(dir.path().join("hello"), rights).expect("a program");
        // The engine may end before agon greets it, or after.
        for _ in 0..5 {
            let output = within(dir.path(), &["match", "./hello", "./hello", "--nodes", "5"]);
            let said = stderr(&output);
            assert!(said.contains("its last line was `Hello world`"), "{end}: {said}");
        }
    }
}

const CONFIG: &str = "[game]\nkind = \"tictactoe\"\n[each]\ndepth = 2\n[[agents]]\n\
                      kind = \"alphabeta\"\n[[agents]]\nname = \"deep\"\nkind = \"alphabeta\"\n\
                      depth = 3\n[[agents]]\nkind = \"random\"\n[schedule]\ngames = 2\n";

#[test]
fn shared_keys_reach_the_agents_that_know_them() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", CONFIG);
    let out = dir.path().join("out");
    let output = agon(&["run", &config, "-q", "--out", text(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let resolved = std::fs::read_to_string(out.join("resolved.toml")).expect("the config");
    let depths: Vec<&str> = resolved.lines().filter(|line| line.starts_with("depth = ")).collect();
    assert_eq!(depths, ["depth = 2", "depth = 3"], "{resolved}");
    let list =
        |key: &str, value: &str| CONFIG.replace("depth = 2\n", &format!("{key} = {value}\n"));
    for (config, message) in [
        (list("dept", "2"), "no agent has the key `dept`"),
        (list("name", "\"x\""), "agents cannot share a `name`"),
        (list("movetime", "\"x\""), "`agents.alphabeta.movetime` must be"),
        (list("st", "5"), "`movetime = 100`"),
        (CONFIG.replace("[each]\ndepth = 2\n", "each = 3\n"), ""),
    ] {
        let config = write(dir.path(), "wrong.toml", &config);
        let output = agon(&["run", &config, "--dry-run"]);
        assert_eq!(output.status.code(), Some(2), "{config}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn a_config_is_a_file_or_the_standard_input() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", CONFIG);
    for arguments in [&["run", &config][..], &[&config], &["--config", &config], &["plan", &config]]
    {
        let dry = if arguments[0] == "plan" { &[][..] } else { &["--dry-run"] };
        let output = agon(&[arguments, dry].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    for arguments in [["run", "-"].as_slice(), &["--config", "-"], &["-"]] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_agon"))
            .args(arguments)
            .arg("--dry-run")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        run.stdin.take().expect("a pipe").write_all(CONFIG.as_bytes()).expect("written");
        let output = run.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("results/stdin"), "{}", stdout(&output));
    }
}

#[test]
fn words_in_the_place_of_a_config_are_answered() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(dir.path(), "c.toml", CONFIG);
    let output = within(dir.path(), &["run", &config, "-q", "--out", "done"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for (arguments, message) in [
        (&["run"][..], "there is no config"),
        (&["run", "done"], "`agon report done` shows its results"),
        (&["done"], "`agon report done` shows its results"),
        (&["done/games.csv"], "`agon report DIR` shows"),
        (&["run", "c.tml"], "did you mean `c.toml`?"),
        (&["run", "c"], "did you mean `c.toml`?"),
        (&["run", &config, "--config", &config], "cannot be used with"),
        (&["connect4"], "`agon play connect4`"),
        (&["mcts:simulations=5"], "`agon match mcts:simulations=5 B`"),
        (&["mtach", "random", "mcts"], "did you mean `agon match`?"),
        (&["mtach"], "did you mean `agon match`?"),
        (&["--format", "json", "list"], "write the command before the options: `agon list …`"),
        (&["random", "mcts"], "`agon match A B`"),
        (&["-j", "2"], "`agon run FILE`"),
        (&["-c", "x"], "`agon run FILE`"),
    ] {
        let output = within(dir.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
    }
}

#[test]
fn the_help_fits_a_screen() {
    for flag in ["--help", "-h"] {
        let help = stdout(&agon(&[flag]));
        assert!(help.lines().count() <= 45, "{}", help.lines().count());
        assert!(help.contains("agon match") && help.contains("agon play connect4"));
        for group in ["Play:\n  run", "Measure:\n  plan", "Look:\n  report", "Build:\n  init"] {
            assert!(help.contains(group), "{help}");
        }
    }
    assert!(stdout(&agon(&["run", "--help"])).contains("Exit codes:"));
}

#[test]
fn keys_of_other_programs_are_answered() {
    let dir = tempfile::tempdir().expect("a folder");
    let engine = |line: &str| {
        format!(
            "[game]\nkind = \"chess\"\n[[agents]]\nkind = \"engine\"\ncommand = \"x\"\n{line}\n"
        )
    };
    for (config, answer) in [
        (engine("tc = \"8+0.08\""), "clock = \"8+0.08\""),
        (engine("st = 1"), "movetime = 100"),
        (engine("cmd = \"x\""), "command = \"./engine\""),
        (engine("proto = \"uci\""), "`protocol` is"),
        (engine("nodes = 1\n[schedule]\nrepeat = true"), "games = 2"),
        (format!("concurrency = 4\n{}", engine("nodes = 1")), "`-j N`"),
        (engine("nodes = 1\n[openings]\nkind = \"start\"\nbook = \"x\""), "kind = \"file\""),
        (format!("{}[book]\nfile = \"x\"\n", engine("nodes = 1")), "kind = \"file\""),
    ] {
        let path = write(dir.path(), "c.toml", &config);
        let output = agon(&["run", &path, "--dry-run"]);
        assert_eq!(output.status.code(), Some(2), "{config}");
        assert!(stderr(&output).contains(answer), "{config}: {}", stderr(&output));
    }
}

#[test]
fn all_programs_that_do_not_exist_are_named_with_their_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["match", "./nothere", "./neither"])
        .current_dir(dir.path())
        .output()
        .expect("the program runs");
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let folder = dir.path().canonicalize().expect("a path");
    for part in ["there is no program ./nothere\n", "there is no program ./neither\n"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains(&format!("working folder, which is {}", folder.display())), "{said}");
}

/// Quotes kept the path whole, and yet `./eng` was played.
#[test]
fn a_path_with_a_blank_is_the_program_of_this_name() {
    let dir = tempfile::tempdir().expect("a folder");
    let script = |name: &str| {
        let path = dir.path().join(name);
        let engine = format!("#!/bin/sh\nexec {ROGUE} instant --game chess\n");
        std::fs::write(&path, engine).expect("a script");
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("a program");
    };
    script("eng new");
    let play = |player: &str, more: &[&str]| {
        Command::new(AGON)
            .args(["match", player, "random", "--game", "chess", "--games", "2", "--nodes", "1"])
            .args(["--set", "limits.max_plies=10", "--set", "output.report=false", "-q"])
            .args(more)
            .current_dir(dir.path())
            .output()
            .expect("the program runs")
    };
    let spec = r#"engine:command="./eng new",name=x"#;
    let output = play(spec, &["--out", "one"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    script("eng");
    for player in [spec, "./eng new"] {
        let output = play(player, &["--out", "two"]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("`./eng new` is a program, and `./eng` is another"), "{said}");
    }
    let ran = |folder: &str| {
        let text = std::fs::read_to_string(dir.path().join(folder).join("manifest.json"));
        text.expect("a manifest")
    };
    let output = play(r#"engine:command=["./eng new"],name=x"#, &["--out", "three"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(ran("three").contains("/eng new\""), "{}", ran("three"));
    let output = play(r#"engine:command=["./eng", "new"],name=x"#, &["--out", "four"]);
    // The script ignores its argument.
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(ran("four").contains("/eng\""), "{}", ran("four"));
}

/// The help named a command that failed: `file=F,plies=N` of fastchess is two options of agon.
#[test]
fn the_help_for_openings_of_fastchess_can_be_pasted() {
    let output = agon(&["match", "random", "random", "--openings", "file=a.pgn,plies=4"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("write `--openings a.pgn --set openings.plies=4`"), "{text}");
}
