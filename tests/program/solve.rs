//! Tests of `agon solve`: published values, and positions that cannot be solved.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value as Json;

use crate::support::{agon, ok, stderr, stdout};

fn json(arguments: &[&str]) -> Json {
    let output = ok(agon(&[&["solve", "--json", "--game"], arguments].concat()));
    serde_json::from_str(&stdout(&output)).expect("JSON")
}

fn score(arguments: &[&str]) -> f64 {
    json(arguments)["value"]["score"].as_f64().expect("a score")
}

#[track_caller]
fn close(seen: f64, known: f64, error: f64) {
    assert!((seen - known).abs() <= error, "{seen}, not {known}");
}

#[test]
fn pig_has_its_known_values() {
    for (game, known) in [
        ("pig", 0.530592725),
        ("pig:goal=50", 0.546150844),
        ("pig:goal=20", 0.615558550),
        ("pig:goal=10", 0.709424323),
    ] {
        close(score(&[game]), known, 1e-9);
    }
    // The value of the best move equals the value of the position, also for the second player.
    let solved = json(&["pig", "--position", "0-0 second 0"]);
    close(solved["value"]["score"].as_f64().expect("a score"), 1.0 - 0.530592725, 1e-9);
    assert_eq!(solved["line"], serde_json::json!(["roll"]));
    assert_eq!(solved["line_ends_by_chance"], true);
}

#[test]
fn small_boards_of_einstein_have_their_known_values() {
    close(score(&["einstein:size=3,stones=3"]), 0.667124, 5e-7);
    for size in 2..=6 {
        close(score(&[&format!("einstein:size={size},stones=1")]), 1.0, 0.0);
    }
    let orders = ["123", "132", "213", "231", "312", "321"];
    let mut values = Vec::new();
    for first in orders {
        for second in orders {
            let game = format!("einstein:size=3,stones=3,arrangement={first}/{second}");
            values.push(score(&[&game]));
        }
    }
    values.sort_by(f64::total_cmp);
    close(values[0], 0.588477, 5e-7);
    close(values[35], 0.699588, 5e-7);
    close(values.iter().sum::<f64>() / 36.0, 0.667124, 5e-7);
}

#[test]
fn lines_are_solved_with_their_distance() {
    for (game, value) in [
        ("tictactoe", "a draw"),
        ("mnk:m=4,n=3,k=3", "the first player wins in 7 plies"),
        ("mnk:m=4,n=3,k=4", "a draw"),
        ("connect4:columns=4,rows=4", "a draw"),
    ] {
        assert_eq!(json(&[game])["in_words"], value, "{game}");
    }
    let solved = json(&["tictactoe", "--position", "xox/x.o/..o"]);
    assert_eq!(solved["in_words"], "the first player wins in 1 ply");
    assert_eq!(solved["line"], serde_json::json!(["6"]));
    let best: Vec<&Json> = solved["moves"].as_array().expect("moves").iter().collect();
    assert_eq!(best.iter().filter(|mv| mv["best"] == true).count(), 1);
    let over = json(&["tictactoe", "--position", "xxx/oo./..."]);
    assert_eq!(
        (&over["in_words"], &over["turn"]),
        (&"the first player has won".into(), &"over".into())
    );
}

/// Compared with a separate program that visits all positions.
#[test]
fn small_boards_of_breakthrough_are_solved_with_their_distance() {
    for (columns, rows, value) in [
        (2, 4, "second player wins in 8"),
        (3, 4, "second player wins in 12"),
        (2, 5, "second player wins in 10"),
    ] {
        let game = format!("breakthrough:columns={columns},rows={rows}");
        assert_eq!(json(&[&game])["in_words"], format!("the {value} plies"));
    }
}

#[test]
fn larger_boards_of_breakthrough_are_solved_without_their_distance() {
    let position = "o...o/...../..x../...../..... first";
    let arguments = ["breakthrough:columns=5,rows=5", "--position", position];
    let solved = json(&arguments);
    assert_eq!(solved["in_words"], "the first player wins");
    assert_eq!(solved["line"].as_array().map(Vec::len), Some(3));
    let text = stdout(&ok(agon(&[&["solve", "--game"], &arguments[..]].concat())));
    assert!(text.contains("  best  c3c4   first wins") && !text.contains("mean score"), "{text}");
}

/// The values in stones of a separate program.
#[test]
fn small_games_of_kalah_are_solved_in_stones() {
    for (pits, seeds, value) in [(1, 3, 6), (2, 4, -10), (2, 6, 8), (3, 2, 4)] {
        let solved = json(&[&format!("kalah:pits={pits},seeds={seeds}")]);
        assert_eq!(solved["value"]["mean"], f64::from(value));
        assert_eq!(solved["in_words"], format!("{value} points for the first player"));
    }
}

/// A separate program, which visits all positions, found the same value.
#[test]
fn othello_on_four_rows_is_won_by_eight_discs() {
    assert_eq!(json(&["othello:size=4"])["in_words"], "-8 points for the first player");
}

/// Sixteen stones, the first player to move.
const OPEN: &str = "4444411222354355";

#[test]
fn endings_of_checkers_are_solved_with_their_distance() {
    let solved = json(&["checkers", "--position", "W:WK32:BK26"]);
    let value = &solved["value"];
    assert_eq!((value["mean"].as_f64(), value["plies"].as_u64()), (Some(-1.0), Some(9)));
    assert_eq!(solved["line"].as_array().expect("a line").len(), 9);
    assert_eq!(json(&["checkers", "--position", "W:WK32:BK26:H79"])["value"]["mean"], 0.0);
    // A drawn line ends with the third occurrence of a position.
    let drawn = json(&["checkers", "--position", "B:WK32:BK26"]);
    assert_eq!(drawn["value"]["mean"], 0.0);
    assert!(drawn["line"].as_array().expect("a line").len() < 40);
}

#[test]
fn connect_four_is_told_in_stones() {
    let output = agon(&["solve", "--game", "connect4", "--position", OPEN]);
    let text = stdout(&output);
    let solved = json(&["connect4", "--position", OPEN]);
    let one = json(&["connect4", "--position", OPEN, "--threads", "1"]);
    for key in ["value", "in_words", "moves", "line"] {
        assert_eq!(solved[key], one[key], "{key}");
    }
    let score = solved["value"]["stones"]["score"].as_i64().expect("a score");
    let moves = solved["moves"].as_array().expect("moves");
    let score_of = |mv: &Json| mv["value"]["stones"]["score"].as_i64().expect("a score");
    assert_eq!(moves.iter().map(score_of).max(), Some(score));
    for mv in moves {
        assert_eq!(mv["best"] == true, score_of(mv) == score);
    }
    // The line is as long as the value says, and its first move is one of the best moves.
    let line = solved["line"].as_array().expect("a line");
    let plies = solved["value"]["plies"].as_u64().unwrap_or(42 - OPEN.len() as u64);
    assert_eq!(line.len() as u64, plies);
    assert!(moves.iter().any(|mv| mv["best"] == true && mv["move"] == line[0]));
    let words = solved["in_words"].as_str().expect("words");
    assert!(text.contains(&format!("value     {words}\n")), "{text}");
    assert!(text.contains("for the player to move\n"), "{text}");
    // Known by counting: three stones are in the first column, and the fourth is the seventh stone.
    let soon = json(&["connect4", "--position", "121212"]);
    assert_eq!(soon["in_words"], "the first player wins with the 7th stone");
    assert_eq!(soon["value"]["stones"], serde_json::json!({ "last": 7, "score": 18 }));
    let over = json(&["connect4", "--position", "1212121"]);
    assert_eq!(over["in_words"], "the first player has won with the 7th stone");
    assert_eq!(over["value"]["stones"]["score"], -18);
    // Published: the second player wins on six columns and four rows with the last stone.
    let small = json(&["connect4:columns=6,rows=4"]);
    assert_eq!(small["in_words"], "the second player wins with the 24th stone");
}

#[test]
fn many_positions_become_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positions.txt");
    let file = file.to_str().expect("a path");
    std::fs::write(file, format!("# two of them\n{OPEN}\n\n121212\n")).expect("a file");
    let output = ok(agon(&["solve", "--game", "connect4", "--positions", file]));
    let text = stdout(&output);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "position,value,mean,score,plies,best,line,nodes,time_ns");
    let known = "121212,the first player wins with the 7th stone,1,18,1,1,1,";
    assert!(rows.len() == 3 && rows[2].starts_with(known), "{text}");
    // The same answers as for one position.
    let solved = json(&["connect4", "--position", OPEN]);
    let best: Vec<&str> = (solved["moves"].as_array().expect("moves").iter())
        .filter(|mv| mv["best"] == true)
        .map(|mv| mv["move"].as_str().expect("a move"))
        .collect();
    let cells: Vec<&str> = rows[1].split(',').collect();
    assert_eq!(cells[1], solved["in_words"].as_str().expect("words"));
    assert_eq!(cells[3], solved["value"]["stones"]["score"].to_string());
    assert_eq!(cells[5], best.join(" "));

    let documents = agon(&["solve", "--json", "--game", "connect4", "--positions", file]);
    let documents: Vec<Json> = (stdout(&documents).lines())
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(documents.len(), 2);
    assert_eq!(documents[0]["moves"], solved["moves"]);

    // Other games fill their own columns.
    std::fs::write(file, "xox/x.o/..o\n").expect("a file");
    let rows = stdout(&agon(&["solve", "--game", "tictactoe", "--positions", file]));
    assert!(rows.contains("xox/x.o/..o,the first player wins in 1 ply,1,,1,6,6,"), "{rows}");

    // Some editors write a byte order mark at the start, and end lines with two characters.
    std::fs::write(file, "\u{feff}121212\r\n1212121\r\n").expect("a file");
    let marked = stdout(&agon(&["solve", "--game", "connect4", "--positions", file]));
    assert!(marked.lines().nth(1).is_some_and(|row| row.starts_with(known)), "{marked}");

    // Errors are reported before the first position is solved.
    std::fs::write(file, "121212\n\n19\n").expect("a file");
    let output = agon(&["solve", "--game", "connect4", "--positions", file]);
    assert_eq!(output.status.code(), Some(2));
    let expected = format!("{file}:3: move 2: `9` is not a column");
    assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    assert!(stdout(&output).is_empty());
}

/// One query for each move is enough. Regression: an exact value for each move took millions of
/// nodes.
#[test]
fn many_positions_need_no_values_of_other_moves() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("positions.txt");
    std::fs::write(&file, "start\n").expect("a file");
    let file = file.to_str().expect("a path");
    for (m, n, k, value, best) in [
        (6, 5, 4, "the first player wins in 11 plies", "14 15"),
        (6, 6, 4, "the first player wins in 11 plies", "14 15 20 21"),
        (7, 5, 4, "the first player wins in 11 plies", "10 16 17 18 24"),
    ] {
        let game = format!("mnk:m={m},n={n},k={k}");
        let output = agon(&["solve", "--game", &game, "--positions", file]);
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{game}");
        let text = stdout(&output);
        let row: Vec<&str> = text.lines().nth(1).expect("a row").split(',').collect();
        assert_eq!([row[0], row[1], row[5]], ["start", value, best], "{game}");
        assert_eq!(row[6].split(' ').count(), 11, "{game}: {}", row[6]);
        let nodes: u64 = row[7].parse().expect("a number");
        assert!(nodes < 50_000, "{game}: {nodes}");
    }
    // Values of all moves are available on request and may take long.
    assert_eq!(json(&["mnk:m=4,n=4,k=4", "--position", "start"])["moves"][15]["best"], true);
    let said = stderr(&agon(&["solve", "--game", "connect4", "--position", "stort"]));
    assert!(said.contains("write the start as `start` or `......./"), "{said}");
}

#[test]
fn a_book_is_made_and_read_and_refused_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("small.book");
    let file = file.to_str().expect("a path");
    let game = "connect4:columns=5,rows=4";
    let nowhere = folder.path().join("none/c4.book");
    let nowhere = nowhere.to_str().expect("a path");
    let plain = json(&[game]);
    let made = json(&[game, "--book", file, "--book-plies", "3"]);
    let read = json(&[game, "--book", file]);
    for key in ["value", "moves", "in_words"] {
        assert_eq!(made[key], plain[key], "{key}");
        assert_eq!(read[key], plain[key], "{key}");
    }
    assert!(read["nodes"].as_u64() < plain["nodes"].as_u64(), "the book saves work");
    for (arguments, message) in [
        (&["connect4", "--book", file][..], "not of `connect4 columns=7 rows=6 connect=4`"),
        (&[game, "--book", file, "--book-plies", "2"], "exists already"),
        (&["tictactoe", "--book", file], "cannot read a book"),
        // Reported before the book is built, which would take hours.
        (&["connect4", "--book", nowhere, "--book-plies", "8"], "cannot be written"),
    ] {
        let output = agon(&[&["solve", "--game"], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    // Users who may read other files of this user may also read the book.
    {
        use std::os::unix::fs::PermissionsExt;
        let other = folder.path().join("other");
        std::fs::write(&other, "").expect("a file");
        let mode =
            |path: &std::path::Path| std::fs::metadata(path).expect("a file").permissions().mode();
        assert_eq!(mode(std::path::Path::new(file)), mode(&other));
    }
    let text = std::fs::read_to_string(file).expect("the book");
    std::fs::write(file, text.replacen(" 0\n", " 1\n", 1)).expect("a file");
    let output = agon(&["solve", "--game", game, "--book", file]);
    assert!(stderr(&output).contains("damaged"), "{}", stderr(&output));
}

/// Ctrl-C ends the long computation of a large book.
#[test]
fn a_book_that_is_given_up_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.book");
    let mut child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["solve", "--game", "connect4", "--book-plies", "8", "--book"])
        .arg(&file)
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(800));
    assert!(child.try_wait().expect("a process").is_none(), "it is at work");
    child.kill().expect("it is stopped");
    child.wait().expect("it has ended");
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn trees_show_which_leaves_are_visited() {
    let output = agon(&["solve", "--game", "tree:file=configs/trees/minimax.toml"]);
    let text = stdout(&output);
    for expected in [
        "value     3 points for the first player\n",
        "│  ├─ 2: 4   not seen by alpha-beta\n│  └─ 3: 6   not seen by alpha-beta\n",
        "  alpha-beta                               3     11       7 of 9  /2/2 /2/3\n",
        "  expectimax (any reply as likely)  7.666667     13       9 of 9\n",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let gamble = json(&["tree:file=configs/trees/chance.toml", "--position", "gamble"]);
    assert_eq!(gamble["value"]["mean"], 10.0);
    assert_eq!(gamble["turn"], "chance");
    assert_eq!(gamble["moves"][1]["probability"], 1.0 / 3.0);
    let markdown = agon(&["solve", "--format", "markdown", "--game", "tree"]);
    assert!(stdout(&markdown).contains("### Moves of the first player"));
}

/// The message comes before solving starts, and only if solving may take hours.
#[test]
fn what_may_take_hours_is_announced() {
    for (game, position) in [
        ("mnk:m=5,n=5,k=4", "x..../...../...../...../....."),
        ("mnk:m=7,n=5,k=4", "xoxoxox/oxoxoxo/xoxoxox/......./......."),
        ("connect4", "444444326555553233322676235266"),
    ] {
        let output = agon(&["solve", "--game", game, "--position", position]);
        assert_eq!(stderr(&output), "", "{game}");
    }
    // An immediate win, so the answer still comes quickly.
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("p.txt");
    std::fs::write(&file, "# a large board\n121212\n").expect("written");
    let file = file.to_str().expect("text");
    let output = agon(&["solve", "--game", "connect4:columns=8,rows=7", "--positions", file]);
    let said = stderr(&output);
    assert!(
        said.contains("p.txt:2: 50 cells are free") && said.contains("hours\nhelp: "),
        "{said}"
    );
    assert!(stdout(&output).contains("121212,the first player wins with the 7th stone"));
}

#[test]
fn what_cannot_be_solved_is_one_error_with_help() {
    for (arguments, message, help) in [
        (&["mnk:m=15,n=15,k=5"][..], "a board of 15 by 15", "a board of at most 49 cells"),
        (&["tictactoe", "--threads", "2"], "uses one thread", "leave `--threads` out"),
        (&["pig", "--json", "--format", "markdown"], "'--json' cannot be used with", "'--format"),
        (&["pig", "--format", "markdown", "--positions", "-"], "writes CSV", "markdown` out"),
        (&["pig", "--positions", "none.txt"], "none.txt: cannot be read", "one position per line"),
        (&["pig", "--book", "none.txt"], "none.txt: cannot be read", "`--book-plies N`"),
        (
            &["pig", "--book", "n.txt", "--book-plies", "2"],
            "cannot make a book",
            "leave `--book` out",
        ),
        (&["connect4", "--book", "n.txt", "--book-plies", "9"], "too long", "fewer plies"),
        (&["connect4", "--position", "8"], "`8` is not a column", "write the start as"),
        (&["pacman"], "there is no exact solver for pacman", "agon list games"),
        (&["pig:goal=5000"], "takes too long to solve", "a goal of at most 300"),
        (&["einstein"], "6 stones of each side", "`size = 3`"),
        (&["backgammon"], "where both sides bear off", "a position such as `-AAAA"),
        (&["kalah"], "6 pits with 4 seeds each take too long", "`seeds` from 1 to 3"),
        (&["checkers"], "at most 4 pieces on the board", "a position such as `W:WK15,20"),
        (&["othello"], "60 cells are empty", "`size = 6`"),
        (&["othello:size=5"], "no four cells in the middle", "4, 6 or 8"),
        (&["breakthrough"], "a board of 8 by 8 takes too long", "at most 25 cells"),
        (
            &["tictactoe", "--position", "xyz"],
            "--position",
            "write the start as `start` or `.../.../...`",
        ),
        (&["tree:file=none.toml"], "none.toml", "cannot be read"),
    ] {
        let output = agon(&[&["solve", "--game"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = stderr(&output);
        assert!(text.contains(message) && text.contains(help), "{text}");
        assert!(stdout(&output).is_empty());
    }
}
