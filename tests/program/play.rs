//! Tests of `agon play` and `agon watch` with scripted input.

use std::fs;
use std::path::Path;

use crate::support::{agon, ok, played, rows, stderr, stdout, write};

/// The output for these input lines; the program must succeed.
fn said(arguments: &[&str], input: &str) -> String {
    let output = ok(played(arguments, input));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

#[test]
fn two_people_play_to_the_end() {
    let text = said(&["--game", "tictactoe", "--agent", "human"], "0\n3\n1\n4\na3\n2\nsave\n");
    assert!(text.contains("first> a3\ncell 0 is taken; legal: 2, 5, 6, 7, 8\n"), "{text}");
    assert!(text.contains("The first player wins (line)."), "{text}");
    assert!(text.contains("line      0 3 1 4 2"), "{text}");
    assert!(text.ends_with("over (undo, save, quit)> \n"), "{text}");
}

#[test]
fn mistakes_are_explained_and_asked_again() {
    let text = said(
        &["--game", "connect4", "--agent", "human"],
        "9\nfoo bar\n\n  4  \nHINT absent\nhint mcts:depth=3\nmoves\nundo\nundo\n",
    );
    assert!(text.contains("`9` is not a column"), "{text}");
    assert!(text.contains("`foo bar` is not a column"), "{text}");
    assert!(text.contains("there is no agent of kind \"absent\""), "{text}");
    assert!(text.contains("unknown key `depth`"), "{text}");
    assert!(text.contains("second> moves\n1, 2, 3, 4, 5, 6, 7\n"), "{text}");
    assert!(text.contains("1 move is taken back."), "{text}");
    assert!(text.contains("You have no move to take back."), "{text}");
    assert!(text.contains("The input has ended"), "{text}");
}

/// A turn of backgammon contains spaces, so a space does not end it.
#[test]
fn each_turn_that_is_listed_can_be_played() {
    let position = "-b----E-C---eE---c-e----B- first 64";
    let start = ["backgammon", "--agent", "human", "--position", position];
    let text = said(&start, "moves\n");
    let listed = text.split_once("> moves\n").expect("a list").1.split_once("\nfirst>").unwrap().0;
    let turns: Vec<&str> =
        listed.lines().flat_map(|line| line.trim_end_matches(',').split(", ")).collect();
    assert!(turns.len() > 10 && turns.contains(&"8/2 6/2"), "{text}");
    for turn in turns {
        let text = said(&start, &format!("{turn}\n"));
        assert!(text.contains(&format!("first> {turn}\nchance: ")), "{text}");
    }
}

/// The human player is in the list of opponents.
#[test]
fn an_opponent_that_does_not_exist_is_named_with_those_that_do() {
    for (word, help) in [
        ("humann", "did you mean `human`?"),
        ("zzz", "`command`; `human` lets two people"),
        ("alfabeta", "did you mean `alphabeta`?\n"),
    ] {
        let output = agon(&["play", "--game", "tictactoe", "--agent", word]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(help), "{}", stderr(&output));
    }
    // An existing agent that cannot play this game gives a different error.
    let output = agon(&["play", "--game", "tictactoe", "--agent", "hold"]);
    assert!(!stderr(&output).contains("human"), "{}", stderr(&output));
}

/// A seat in a config has the same words.
#[test]
fn seats_have_the_words_of_the_game() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = |game: &str, seats: [&str; 2]| {
        let agent =
            |seat| format!("[[agents]]\nname = \"{seat}\"\nkind = \"random\"\nseat = \"{seat}\"\n");
        let agents = seats.map(agent).concat();
        let text = format!("[game]\nkind = \"{game}\"\n{agents}[schedule]\ngames = 2\n");
        write(dir.path(), "c.toml", &text)
    };
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    for (game, seats) in
        [("chess", ["white", "black"]), ("checkers", ["white", "black"]), ("tictactoe", ["o", "x"])]
    {
        let path = config(game, seats);
        ok(agon(&["run", &path, "--out", out, "-q", "--fresh", "--set", "limits.max_plies=4"]));
        let first = if game == "chess" { seats[0] } else { seats[1] };
        assert!(rows(&Path::new(out).join("games.csv")).iter().all(|row| row["first"] == first));
        let resolved = fs::read_to_string(Path::new(out).join("resolved.toml")).expect("a config");
        assert!(resolved.contains("seat = \"first\"") && resolved.contains("seat = \"second\""));
    }
    let path = config("tictactoe", ["white", "x"]);
    let output = agon(&["run", &path, "--dry-run"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("`tictactoe` has no side `white`"), "{text}");
    assert!(text.contains("`both`, `first`, `second`, `x` or `o`"), "{text}");
}

#[test]
fn every_game_is_played_against_the_usual_opponent() {
    let tree = format!(
        "tree:file={}",
        Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/trees/minimax.toml").display()
    );
    let games = [
        ("tictactoe", "5\nhint\nmoves\n"),
        ("mnk:m=7,n=7,k=4", "a1\nhint\nu\nb2\n"),
        ("connect4", "4\nhint\n4\nmoves\n"),
        ("breakthrough:columns=5,rows=5", "moves\nhint\n"),
        ("kalah", "3\nhint\nmoves\n"),
        ("othello:size=6", "hint\nmoves\n"),
        ("checkers", "11-15\nhint\nmoves\n"),
        ("go", "E5\nhint\nmoves\n"),
        ("pig", "roll\nhint\nhold\nroll\nhold\n"),
        ("einstein", "hint\nmoves\n"),
        ("backgammon", "hint\nmoves\n"),
        ("pacman", "hint\neast\nmoves\n"),
        (tree.as_str(), "hint\n2\n"),
    ];
    for (game, input) in games {
        for side in ["first", "second"] {
            let text = said(&["--game", game, "--side", side, "--seed", "1"], input);
            assert!(text.contains(&format!("You play {side}, ")), "{game}: {text}");
            assert!(text.contains(" suggests "), "{game}: {text}");
            assert!(text.contains("Positive: good for the first player."), "{game}: {text}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{game}: {text}");
        }
    }
}

#[test]
fn a_side_has_the_name_that_its_game_uses() {
    for (game, side, seat) in [
        ("chess", "white", "first"),
        ("chess", "Black", "second"),
        ("go", "black", "first"),
        ("checkers", "white", "second"),
        ("connect4", "o", "second"),
        ("pacman", "ghosts", "second"),
    ] {
        let text = said(&["--game", game, "--side", side, "--seed", "1"], "quit\n");
        assert!(text.contains(&format!("You play {seat}, ")), "{game}: {text}");
    }
    let text = said(&["--game", "go", "--seed", "1", "--side", "black"], "new White 2\nquit\n");
    assert!(text.contains("You play second, level 2"), "{text}");
    let text = said(&["--game", "pig", "--seed", "1"], "new white\nquit\n");
    assert!(text.contains("`pig` has no side `white`"), "{text}");
}

#[test]
fn a_seed_fixes_the_lot_the_dice_and_the_agent() {
    let play = |seed| {
        said(&["--game", "pig:goal=20", "--agent", "random", "--seed", seed], "roll\nhold\nroll\n")
    };
    let without_times = |text: String| {
        text.lines()
            .map(|line| line.split("   ").next().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(without_times(play("5")), without_times(play("5")));
    let seeds = ["1", "2", "3", "4", "5", "6", "7", "8"];
    let seats: Vec<bool> =
        seeds.iter().map(|seed| play(seed).contains("You play first (random)")).collect();
    assert!(seats.contains(&true) && seats.contains(&false), "{seats:?}");
}

#[test]
fn games_are_saved_and_taken_up_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("openings.txt");
    let path = file.to_str().expect("text");
    let input = format!("4\n4\nsave line {path}\n3\nsave position {path}\nsave /\n");
    let text = said(&["--game", "connect4", "--agent", "human"], &input);
    assert!(text.contains("cannot be written"), "{text}");
    let saved = fs::read_to_string(&file).expect("saved");
    let lines: Vec<&str> = saved.lines().collect();
    assert_eq!(lines[0], "4 4");
    let text = said(&["--game", "connect4", "--agent", "human", "--position", lines[1]], "save\n");
    assert!(text.contains(&format!("position  {}", lines[1])), "{text}");
    // The output shows how to start a tournament.
    let config = write(
        dir.path(),
        "c.toml",
        "[game]\nkind = \"connect4\"\n[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"r\"\n\
         kind = \"random\"\n[schedule]\ngames = 4\n[openings]\nkind = \"file\"\nfile = \"openings.txt\"\n",
    );
    let out = dir.path().join("out");
    ok(agon(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]));
    assert_eq!(rows(&out.join("games.csv"))[0]["opening_moves"], "4 4");
}

#[test]
fn who_resigns_loses_and_who_leaves_may() {
    let game = ["--game", "tictactoe", "--side", "second", "--agent", "random"];
    let text = said(&game, "resign\n4\n");
    assert!(text.ends_with("The second player resigns: the first player wins.\n"), "{text}");
    assert!(said(&game, "quit\n").ends_with("second> quit\n"));
    assert!(said(&game, "").contains("Continue it with `--position`"));
    // Invalid UTF-8.
    let input = String::from_utf8_lossy(&[0xff, 0xfe, b'\n', 0, b'\n']).into_owned();
    assert!(said(&game, &input).contains("is not a cell"));
    let text = said(&game, &format!("{}\nmoves\n", "x".repeat(20_000)));
    assert_eq!(text.matches("This line is too long").count(), 1, "{text}");
    // The random opponent has taken one of the nine cells.
    let (_, moves) = text.split_once("moves\n").expect("the legal moves");
    let moves: Vec<&str> = moves.lines().next().expect("a line").split(", ").collect();
    assert_eq!(moves.len(), 8, "{text}");
}

#[test]
fn what_cannot_be_played_is_refused_with_help() {
    for (arguments, message) in [
        (&["--game", "chequers"][..], "there is no game of kind \"chequers\""),
        (&["--game", "pig", "--agent", "minimax:depth=2"], "use `expectimax`"),
        (&["--game", "tictactoe", "--position", "0 0"], "`--position`: "),
        (&["--game", "checkers", "--position", "B:W33:B1"], "`33` of White is not a square"),
        (
            &["--game", "backgammon", "--position", "-b----E-C---eE---c-e----B first 31"],
            "25 letters for the board",
        ),
        (&["--game", "checkers:quiet_moves=0"], "quiet_moves"),
        (&["--game", "go:size=1"], "size"),
        (&["--game", "go:komi=0.25"], "whole or half points"),
        (&["--game", "go:size=2", "--position", "xx/xx"], "the stone on A1 has no liberty"),
        (
            &["--game", "pacman", "--agent", "directional", "--side", "second"],
            "`directional` can only play second",
        ),
    ] {
        let output = played(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    // A human player in an experiment.
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(
        dir.path(),
        "c.toml",
        "[game]\nkind = \"pig\"\n[[agents]]\nkind = \"human\"\n[[agents]]\nkind = \"random\"\n",
    );
    let output = agon(&["--config", &config, "--dry-run"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("`agon play --game SPEC --agent SPEC`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_game_that_is_watched_is_that_of_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let config = write(
        dir.path(),
        "c.toml",
        "seed = 3\n[game]\nkind = \"pig\"\ngoal = 15\n[[agents]]\nkind = \"random\"\n[[agents]]\n\
         kind = \"expectimax\"\ndepth = 1\nties = \"random\"\n[schedule]\ngames = 3\n\
         format = \"self-play\"\n[openings]\nkind = \"random\"\nplies = 2\n",
    );
    let out = dir.path().join("out");
    ok(agon(&["--config", &config, "--out", out.to_str().expect("text"), "-q"]));
    for row in rows(&out.join("games.csv")) {
        let output = ok(agon(&["watch", "--config", &config, "--game", &row["game"]]));
        let text = stdout(&output);
        let moves: Vec<&str> = (text.lines())
            .filter_map(|line| {
                let thrown = line.strip_prefix("chance: ");
                thrown.or_else(|| line.split_once(" plays ")?.1.split("   ").next())
            })
            .filter(|text| !text.contains("first"))
            .collect();
        assert_eq!(moves.join(" "), row["moves"], "{text}");
        let opening = format!("opening {} · {}", row["opening"], row["opening_moves"]);
        assert!(text.contains(&opening), "{text}");
        let winner = &row[&row["result"]];
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with(winner) && last.contains(&row["reason"]), "{last}");
        assert!(last.ends_with(&format!("after {} plies", row["plies"])), "{last}");
    }
    let output = agon(&["watch", "--config", &config, "--game", "7"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("a number from 1 to 6"), "{}", stderr(&output));
}
