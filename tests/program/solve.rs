//! `agon solve`: known values from outside, and what cannot be solved.

use serde_json::Value as Json;

use crate::support::{agon, stderr, stdout};

fn json(arguments: &[&str]) -> Json {
    let output = agon(&[&["solve", "--json", "--game"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
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
    // Value of a move and of the position agree, seen from the second player too.
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

#[test]
fn what_cannot_be_solved_is_one_error_with_a_remedy() {
    for (arguments, message, remedy) in [
        (&["mnk:m=15,n=15,k=5"][..], "10^105 positions", "a board of at most 16 cells"),
        (&["connect4"], "7 columns and 6 rows", "at most 4 by 4"),
        (&["pacman"], "nobody has solved pacman", "agon list games"),
        (&["pig:goal=5000"], "takes too long to solve", "a goal of at most 300"),
        (&["einstein"], "6 stones of each side", "`size = 3`"),
        (&["tictactoe", "--position", "xyz"], "--position", "the start is written `.../.../...`"),
        (&["tree:file=none.toml"], "none.toml", "cannot be read"),
    ] {
        let output = agon(&[&["solve", "--game"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = stderr(&output);
        assert!(text.contains(message) && text.contains(remedy), "{text}");
        assert!(stdout(&output).is_empty());
    }
}
