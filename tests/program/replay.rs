//! Tests of `agon replay`: a recorded game, move by move.

use std::process::{Command, Stdio};

use crate::support::{agon, ok, play, resealed, rows, stderr, stdout};

const CONFIG: &str = "name = \"r\"\nseed = 3\n[game]\nkind = \"tictactoe\"\n[[agents]]\n\
    name = \"mm2\"\nkind = \"minimax\"\ndepth = 2\nties = \"random\"\n[[agents]]\n\
    kind = \"random\"\n[schedule]\ngames = 6\n[openings]\nkind = \"random\"\nplies = 1\n\
    [output]\nmoves = true\n[grading]\n";

#[test]
fn every_move_is_shown_with_what_it_cost() {
    let dir = tempfile::tempdir().expect("a folder");
    // There are only three openings of one ply, without symmetric duplicates.
    ok(play(dir.path(), CONFIG, &[]));
    let out = dir.path().join("out");
    let row = &rows(&out.join("games.csv"))[2];
    let output = ok(agon(&["replay", out.to_str().expect("text"), "3"]));
    let text = stdout(&output);
    let title = format!(
        "game 3 of r: {} (first) against {} (second), opening 2\n\nbefore the first move\n 0 . . .\n",
        row["first"], row["second"]
    );
    assert!(text.starts_with(&title), "{text}");
    let plies: usize = row["plies"].parse().expect("a number");
    assert_eq!(text.matches("  0 1 2\n").count(), plies + 1, "a board after every move");
    let costs = text.lines().filter(|line| line.contains(" (second): ") && line.contains('['));
    assert!(costs.clone().count() > 0);
    let searched = |line: &&str| line.contains("mm2") && line.contains(" nodes, depth ");
    let minimax = text.lines().filter(|line| line.contains("mm2") && line.contains('['));
    assert_eq!(minimax.clone().filter(searched).count(), minimax.count());
    let graded = ["optimal, exact ", "mistake: regret "].map(|word| text.matches(word).count());
    assert_eq!(graded.iter().sum::<usize>(), plies - 1, "every move after the opening: {text}");
    assert!(text.contains(" (opening)\n"), "{text}");
    assert!(text.trim_end().ends_with(&format!("after {plies} plies")), "{text}");
}

#[test]
fn pictures_are_one_svg_and_other_forms_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    play(dir.path(), CONFIG, &[]);
    let out = dir.path().join("out");
    let out = out.to_str().expect("text");
    let svg = stdout(&agon(&["replay", out, "1", "--to", "svg"]));
    assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
    assert!(svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("http").count(), 1);
    let output = agon(&["replay", out, "1", "--to", "pgn"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()));
    assert!(stderr(&output).contains("PGN supports only chess"), "{}", stderr(&output));
    for wrong in ["0", "7"] {
        let output = agon(&["replay", out, wrong]);
        assert_eq!(output.status.code(), Some(2));
        let error = stderr(&output);
        assert!(error.contains(&format!("has no game {wrong}; it has 6 games")), "{error}");
        assert_eq!(error.matches("error").count(), 1, "{error}");
    }
    for wrong in [&["replay", out, "x"][..], &["replay", out], &["replay", "/nowhere", "1"]] {
        assert_eq!(agon(wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_record_that_is_no_game_is_one_error() {
    let dir = tempfile::tempdir().expect("a folder");
    play(dir.path(), CONFIG, &[]);
    let path = dir.path().join("out/games.csv");
    let text = std::fs::read_to_string(&path).expect("games");
    let moves = &rows(&path)[0]["moves"];
    let wrong = resealed(&text.replacen(moves.as_str(), "0 0 0 0", 1));
    std::fs::write(&path, &wrong).expect("written");
    let out = dir.path().join("out");
    let output = agon(&["replay", out.to_str().expect("text"), "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("game 1 has invalid moves for tictactoe"));
    // For a command that only reads, the help must not suggest deleting games.
    std::fs::write(&path, text.replacen("game,", "gam,", 1)).expect("written");
    let said = stderr(&agon(&["replay", out.to_str().expect("text"), "1"]));
    assert!(
        said.contains("line 1 is damaged") && said.contains("plays damaged games again"),
        "{said}"
    );
    std::fs::write(&path, wrong).expect("written");
    // The report leaves this game out, and it is still written.
    assert_eq!(agon(&["report", out.to_str().expect("text"), "-q"]).status.code(), Some(0));
}

#[test]
fn a_reader_may_stop_before_the_end() {
    let dir = tempfile::tempdir().expect("a folder");
    play(dir.path(), CONFIG, &[]);
    let out = dir.path().join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["replay", out.to_str().expect("text"), "1"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}
