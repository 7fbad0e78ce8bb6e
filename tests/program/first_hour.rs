//! Mistakes of a first hour: each is answered with what is wrong, where, and what to do, and the
//! exit code is 2.
//!
//! Other tests have more: `config_errors` (each mistake of a config with its whole message),
//! `match_agents`, `extend`, `examples`, `check_engine`, `class` and `damage`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::{agon, stderr, stdout, write};

const OK: &str = "game = { kind = \"tictactoe\" }\nschedule = { games = 4 }\n\
                  agents = [{ kind = \"random\", name = \"a\" }, { kind = \"random\", name = \"b\" }]\n";

fn within(folder: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_agon");
    Command::new(program).args(arguments).current_dir(folder).output().expect("the program runs")
}

/// Checks that the answer has all words, with help, and that the exit code is 2.
#[track_caller]
fn answered(output: &Output, about: &str, words: &[&str]) {
    let said = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{about}: {said}{}", stdout(output));
    let has_help = ["help: ", "did you mean", "possible values"];
    assert!(has_help.iter().any(|help| said.contains(help)), "{about}: no help: {said}");
    for word in words {
        assert!(said.contains(word), "{about}: `{word}` is not in: {said}");
    }
}

/// A folder with a config, and the results of its run in `out`.
fn workplace() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "ok.toml", OK);
    let output = within(dir.path(), &["run", "ok.toml", "--out", "out", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    dir
}

#[test]
fn wrong_command_lines_are_answered() {
    let dir = workplace();
    write(dir.path(), "bot.py", "");
    fs::create_dir(dir.path().join("empty")).expect("a folder");
    for (line, words) in [
        // Words that are no command.
        ("c4_depth", &["no command and no file `c4_depth`", "`agon example c4_depth`"][..]),
        ("tic-tac-toe", &["`tic-tac-toe`", "`agon play tictactoe`"]),
        ("halp", &["`halp`", "`agon help`"]),
        ("run configs.toml ok.toml", &["'ok.toml'", "the form is `agon run"]),
        ("list agnets", &["`agnets`", "did you mean `agents`?"]),
        ("help dpeth", &["no term, key, game or agent `dpeth`", "did you mean `depth`?"]),
        ("explain zzzq", &["`zzzq`", "`agon explain` lists the terms"]),
        ("list dpeth", &["`dpeth`", "did you mean `depth`?"]),
        ("solve tictactoe", &["'tictactoe'", "write `agon solve --game tictactoe`"]),
        (
            "check-engine ok.toml",
            &["`ok.toml` is a config", "`agon check-engine --config ok.toml`"],
        ),
        ("init tictactoe", &["'tictactoe'", "possible values: connect4"]),
        ("solve --gme nim", &["'--gme'", "did you mean `--game`? the form is `agon solve"]),
        ("match a b --gamez 4", &["'--gamez'", "did you mean `--game`? the form is"]),
        // What is missing.
        ("report", &["<DIR>", "the form is `agon report", "`agon report --help`"]),
        ("compare out", &["<CANDIDATE>", "the form is `agon compare"]),
        ("replay out", &["<GAME>", "the form is `agon replay"]),
        ("solve", &["--game <SPEC>", "the form is `agon solve"]),
        ("watch", &["there is no config", "`agon init`"]),
        ("sprt", &["there is no config"]),
        // A file in the place of a folder, and the reverse.
        ("report ok.toml", &["ok.toml is not a folder", "results/NAME"]),
        ("report out/report.html", &["out/report.html is not a folder"]),
        ("report empty", &["there is no empty/games.csv", "results/NAME"]),
        ("report empty --luck exact", &["there is no empty/config.toml", "has the game"]),
        ("solve --game kalah", &["`seeds` from 1 to 3, or fewer pits"]),
        ("report nowhere", &["nowhere does not exist"]),
        ("replay ok.toml 1", &["ok.toml is not a folder"]),
        ("grade ok.toml", &["ok.toml is not a folder"]),
        ("compare out nowhere", &["nowhere does not exist"]),
        ("watch out", &["out is a results folder", "out/config.toml"]),
        ("run .", &["`.`: it is a folder", "name a file inside it"]),
        ("run ok.toml --out ok.toml", &["ok.toml is a file", "--out DIR"]),
        ("merge out", &["no shards", "shard-"]),
        // Values of options.
        ("run ok.toml --seed abc", &["'abc' for '--seed", "write a whole number"]),
        ("run ok.toml --games ten", &["'ten' for '--games", "`agon run --help`"]),
        ("run ok.toml --games 0", &["--games 0", "0 is too small"]),
        ("run ok.toml --games 3", &["must be even", "use 2 or 4"]),
        ("run ok.toml --games 2 --out out", &["4 games per pairing", "`--out DIR`"]),
        ("run ok.toml -j many", &["'many' for '--jobs", "whole number"]),
        ("run ok.toml --format xml", &["'xml'", "possible values: text"]),
        (
            "match random random random --format best",
            &["'best'", "`agon match A B C --schedule best`"],
        ),
        ("run ok.toml --shard 3/2", &["'3/2'", "K from 1 to N"]),
        ("run ok.toml --set depth", &["no `=`", "KEY=VALUE"]),
        ("run ok.toml --set agents.c.depth=3", &["no agent `c`", "use one of `a` or `b`"]),
        ("replay out abc", &["'abc'", "whole number"]),
        ("replay out 99", &["no game 99", "it has 4 games"]),
        ("run ok.toml -q -v", &["--quiet", "--verbose", "leave one of them out"]),
        ("run ok.toml --games -1", &["'-1' for '--games", "1 or greater"]),
        ("play connect4 --level hard", &["'hard' for '--level", "from 1 to 10"]),
        ("play reversi", &["did you mean `othello`?"]),
        ("play go --side whit", &["`go` has no side `whit`", "did you mean `white`?"]),
        ("play pig --side white", &["`first`, `second` or `random`"]),
        ("play mancala", &["did you mean `kalah`?"]),
        ("play", &["`agon play connect4`: ", "othello"]),
        // Options of other programs.
        ("match random random -resign movecount=3 score=600", &["moves=3", "resign_value=600"]),
        ("-tc 8+0.08 ok.toml", &["`--clock 8+0.08`"]),
        ("run ok.toml -rounds 5", &["`--games N`"]),
        ("match random random --st 1", &["`--movetime MS`"]),
        ("match random random --proto uci", &["UCI for chess"]),
        ("match random random --book x.bin", &["`--openings FILE`"]),
        ("report out --agent a", &["'--agent'", "the form is `agon report"]),
        ("table out -tc 8", &["the form is `agon table"]),
        // Players.
        ("match random alphabeta,depth=3", &["write `alphabeta:depth=3`"]),
        ("match random alphabeta:depth:3", &["`depth:3` has no value", "key=value"]),
        ("match random alphabeta:depth=0", &["0 is too small", "from 1 to 200"]),
        ("match random alphabeta depth=3", &["`depth=3`", "as in `alphabeta:depth=3`"]),
        ("match random chess", &["`chess` is a game", "--game chess"]),
        ("match bot.py random", &["bot.py", "\"python3 bot.py\" in quotes"]),
        ("match ./nothing random", &["no program ./nothing", "working folder"]),
        ("match random random --clock 8", &["no agent has the key `clock`", "`movetime`"]),
        ("match random random --openings no.epd", &["`no.epd`: there is no such file"]),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        answered(&within(dir.path(), &arguments), line, words);
    }
    for (arguments, words) in [
        (&["match", "random", "alphabeta depth=3"][..], &["write `alphabeta:depth=3`"][..]),
        (&["match", "random", "alphabeta(depth=3, nodes=9)"], &["`alphabeta:depth=3,nodes=9`"]),
        (&["play", "connect 4"], &["\"connect 4\"", "did you mean `connect4`?"]),
        (&["run", ""], &[]),
    ] {
        answered(&within(dir.path(), arguments), &arguments.join(" "), words);
    }
    assert!(dir.path().join("out/games.csv").is_file(), "nothing is lost");
}

#[test]
fn words_of_the_tables_and_of_configs_are_explained() {
    let dir = workplace();
    for (line, words) in [
        ("explain LOS", &["Likelihood of superiority", "`LOS next` in the ranking"][..]),
        ("explain p next", &["Holm"]),
        ("explain duplicate", &["repeat"]),
        ("explain nElo", &["Elo divided by"]),
        ("explain knockout", &["is out", "[schedule]"]),
        ("help swiss", &["[schedule]", "format"]),
        ("list swiss", &["[schedule]", "format"]),
        ("explain", &["Buchholz", "`agon explain TERM`"]),
        ("help depth", &["How many plies ahead", "minimax", "alphabeta, expectimax", "[luck]"]),
        ("list depth", &["minimax", "plies from 1 to 200"]),
        ("help alphabeta", &["AGENTS", "Alpha-beta"]),
        ("--format json explain depth", &["\"places\"", "\"term\": \"depth\""]),
    ] {
        let mut arguments: Vec<&str> = line.split(' ').collect();
        if arguments[0] == "--format" {
            arguments.rotate_left(2);
        }
        let output = within(dir.path(), &arguments);
        let text = String::from_utf8(output.stdout).expect("text");
        assert_eq!(output.status.code(), Some(0), "{line}: {text}");
        assert!(words.iter().all(|word| text.contains(word)), "{line}: {text}");
    }
}

/// The heads of columns in the source of the tables: the texts in `.figures([…])` and `.text([…])`, and the
/// second text of a figure, `.with("column", "head", …)`.
fn heads_of_tables(source: &str) -> Vec<String> {
    let calls = source.split(".figures([").skip(1).chain(source.split(".text([").skip(1));
    let lists = calls.map(|rest| rest.split_once(']').map_or("", |(list, _)| list));
    let figures = source.split(".with(").skip(1).filter_map(|rest| {
        let texts: Vec<&str> = rest.splitn(5, '"').collect();
        texts.get(3).filter(|_| texts[0].trim().is_empty() && texts[2].trim() == ",").copied()
    });
    (lists.flat_map(|list| list.split('"').skip(1).step_by(2)).chain(figures))
        .map(str::to_owned)
        .filter(|head| head.contains(char::is_alphabetic) && !head.contains('{'))
        .collect()
}

#[test]
fn every_column_of_the_tables_and_files_is_explained() {
    let mut heads: BTreeSet<String> = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/report/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let source = fs::read_to_string(&path).expect("text");
                // Tables of unit tests are no tables of agon.
                let source = source.split("#[cfg(test)]").next().unwrap_or_default();
                heads.extend(heads_of_tables(source));
            }
        }
    }
    assert!(heads.len() > 60, "{heads:?}");
    let dir = workplace();
    write(dir.path(), "ok.toml", OK);
    assert!(within(dir.path(), &["run", "ok.toml", "--out", "out", "-q"]).status.success());
    for name in ["agents", "pairings", "seats", "games"] {
        let path = dir.path().join(format!("out/{name}.csv"));
        let text = fs::read_to_string(path).expect("a file of the run");
        heads.extend(text.lines().next().expect("a header").split(',').map(str::to_owned));
    }
    // Words that say no more than in a dictionary.
    heads.retain(|head| !["figure", "detail", "run"].contains(&head.as_str()));
    let unknown: Vec<String> =
        (heads.into_iter()).filter(|head| !agon(&["explain", head]).status.success()).collect();
    assert_eq!(unknown, [""; 0]);
}

#[test]
fn wrong_configs_are_answered() {
    let dir = tempfile::tempdir().expect("a folder");
    write(dir.path(), "bot.py", "");
    let game = "[game]\nkind = \"connect4\"\n";
    let two = "[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"b\"\nkind = \"random\"\n";
    let engine = "[[agents]]\nname = \"e\"\nkind = \"engine\"\nprotocol = \"ugi\"\nmovetime = 9\n";
    for (config, words) in [
        ("[game]\nkind = “connect4”\n".to_owned(), &["in quotes", "write `\"connect4\"`"][..]),
        ("[game]\nkind: \"connect4\"\n".to_owned(), &["c.toml:2:5", "not TOML", "`[game]`"]),
        ("{\"game\": {}}\n".to_owned(), &["not TOML", "kind = "]),
        (format!("games = 4\n{game}{two}"), &["c.toml:1:1", "it belongs in `[schedule]`"]),
        (format!("{game}{two}[[agents]]\nkind = \"human\"\n"), &["\"human\"", "`agon play"]),
        (format!("{game}{two}{engine}command = \"./no\"\n"), &["no program ./no", "`dir`"]),
        (format!("{game}{two}{engine}command = \"./bot.py\"\n"), &["may not be run", "chmod +x"]),
        (
            format!("{game}{two}{engine}command = \"bin/e\"\n"),
            &["no program bin/e", "no folder bin"],
        ),
        (
            format!("{game}{two}[openings]\nkind = \"file\"\nfile = \"no.pgn\"\n"),
            &["no.pgn", "folder"],
        ),
        (
            format!("{game}{two}[scheduel]\ngames = 2\n"),
            &["`scheduel`", "did you mean `schedule`?"],
        ),
    ] {
        write(dir.path(), "c.toml", &config);
        answered(&within(dir.path(), &["run", "c.toml"]), &config, words);
    }
}

#[test]
fn a_file_without_checksums_is_noted_once() {
    let dir = workplace();
    let path = dir.path().join("out/games.csv");
    let good = fs::read_to_string(&path).expect("games");
    let bare = |line: &str| line.rsplit_once(',').expect("a checksum").0.to_owned() + "\n";
    for arguments in [&["report", "out"][..], &["run", "ok.toml", "--out", "out"]] {
        fs::write(&path, good.lines().map(bare).collect::<String>()).expect("written");
        let said = stderr(&within(dir.path(), arguments));
        assert_eq!(said.matches("out/games.csv has no checksums").count(), 1, "{said}");
    }
}

#[test]
fn a_file_that_a_spreadsheet_has_changed_is_kept() {
    let dir = workplace();
    let path = dir.path().join("out/games.csv");
    let good = fs::read_to_string(&path).expect("games");
    let quoted = |line: &str| format!("\"{}\"\n", line.replace(',', "\",\""));
    for (change, text) in [
        ("`;` between the columns", good.replace(',', ";")),
        ("tabs between the columns", good.replace(',', "\t")),
        ("a byte-order mark", format!("\u{feff}{good}")),
        ("line ends of Windows", good.replace('\n', "\r\n")),
        ("quotes", good.lines().map(quoted).collect()),
    ] {
        fs::write(&path, &text).expect("written");
        for arguments in [&["report", "out"][..], &["run", "ok.toml", "--out", "out"]] {
            let words = ["games.csv", "a spreadsheet has changed this file", change, "restore"];
            answered(&within(dir.path(), arguments), change, &words);
        }
        assert_eq!(fs::read_to_string(&path).expect("games"), text, "nothing is lost");
    }
}
