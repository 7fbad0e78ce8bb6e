//! Tests of `agon solve --tree`: known trees, the pictures of the pages, and errors.

use std::fs;
use std::path::Path;

use crate::support::{agon, ok, stderr, stdout};

const CS188: &str = "tree:file=configs/trees/minimax.toml";
const GAMBLE: &str = "tree:file=configs/trees/chance.toml";

/// Draws a tree: the printed text and the file.
fn draw(ending: &str, arguments: &[&str]) -> (String, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join(format!("tree.{ending}"));
    let path = file.to_str().expect("text");
    let printed = stdout(&ok(agon(&[&["solve", "--tree", path], arguments].concat())));
    (printed.replace(path, "FILE"), fs::read_to_string(&file).expect("a picture"))
}

fn game<'a>(game: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["--game", game], more].concat()
}

#[test]
fn alpha_beta_draws_the_tree_of_the_textbook() {
    let (printed, dot) = draw("dot", &game(CS188, &[]));
    let expected =
        format!("alpha-beta · {CS188}: value 3, 13 nodes, 2 not visited\nFILE is written\n");
    assert_eq!(printed, expected);
    for line in [
        "  n0 [shape=triangle label=\"3\\nα 3\\nβ +∞\"];\n",
        "  n1 [shape=invtriangle label=\"3\\nα −∞\\nβ 3\"];\n",
        "  n5 [shape=invtriangle label=\"≤2\\nα 3\\nβ 2\"];\n",
        "  n6 [shape=box label=\"2\"];\n",
        "  n7 [shape=box label=\"4\" color=gray fontcolor=gray style=dashed];\n",
        "  n8 [shape=box label=\"6\" color=gray fontcolor=gray style=dashed];\n",
        "  n5 -> n8 [label=\"3\" color=gray fontcolor=gray style=dashed];\n",
        "  n9 [shape=invtriangle label=\"2\\nα 3\\nβ 2\"];\n",
        "  n0 -> n1 [label=\"1\" penwidth=3];\n",
    ] {
        assert!(dot.contains(line), "{line}{dot}");
    }
    assert_eq!(dot.matches(" -> ").count(), 12);
    let (printed, dot) = draw("dot", &game(CS188, &["--search", "minimax"]));
    assert!(printed.contains("value 3, 13 nodes\n") && !dot.contains("gray"), "{printed}{dot}");
}

#[test]
fn averages_are_drawn_with_their_values() {
    let (printed, dot) = draw("dot", &game(GAMBLE, &[]));
    assert!(
        printed.contains("expectiminimax") && printed.contains("value 10, 6 nodes"),
        "{printed}"
    );
    assert!(dot.contains("n1 [shape=circle label=\"10\"]") && dot.contains("\"2 (2/6)\""), "{dot}");
    let (printed, dot) = draw("dot", &game(CS188, &["--search", "expectimax"]));
    assert!(printed.contains("value 7.67") && dot.contains("shape=circle label=\"4\""), "{dot}");
}

#[test]
fn positions_of_games_are_drawn() {
    // The first player wins at once with the third stone in a row.
    let position = ["--position", "xx./oo./...", "--plies", "2", "--search", "minimax"];
    let (printed, dot) = draw("dot", &game("tictactoe", &position));
    assert!(printed.contains("minimax · tictactoe · xx./oo./... · 2 plies: value W1"), "{printed}");
    assert!(dot.contains("label=\"L2\""), "{dot}");
    let (full, _) = draw("dot", &game("tictactoe", &["--plies", "2", "--search", "minimax"]));
    assert!(full.contains("82 nodes\n"), "{full}");
    let (cut, svg) = draw("svg", &game("tictactoe", &["--plies", "2"]));
    assert!(cut.contains("82 nodes, ") && svg.contains("grey: cut off"), "{cut}");
    let value = |printed: &str| printed.split(['·', ',']).nth(2).map(str::to_owned);
    assert_eq!(value(&full), value(&cut));
    let (pig, _) = draw("dot", &game("pig:goal=10", &["--plies", "2"]));
    assert!(pig.starts_with("expectiminimax · pig:goal=10 · 2 plies: value "), "{pig}");
    let (chess, _) = draw("svg", &game("chess", &["--plies", "1"]));
    assert!(chess.contains("21 nodes"), "{chess}");
}

#[test]
fn the_page_has_each_step_and_no_address() {
    let (_, page) = draw("html", &game(CS188, &[]));
    for sentence in [
        "<li>Enter the root: the first player maximises.</li>",
        "<li>The leaf 2 1 has the value 2.</li>",
        "<li>Cut at 2: α = 3 is not below β = 2. 2 branches not visited.</li>",
        "\"cut\":[7,8]",
    ] {
        assert!(page.contains(sentence), "{sentence}\n{page}");
    }
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url("));
    // Names of a tree are text, not markup.
    let (_, page) = draw("html", &game("tree:text=max = {'<b>' = 1}", &[]));
    assert!(!page.contains("<b>"), "{page}");
}

#[test]
fn three_players_take_their_own_largest_value() {
    let tree = "configs/trees/three_players.toml";
    let text = stdout(&ok(agon(&["solve", "--maxn", tree])));
    for line in ["A = (1, 2, 6)\n", "│  └─ 2: C = (6, 1, 2)\n", "value     (1, 2, 6)\n"] {
        assert!(text.contains(line), "{line}{text}");
    }
    assert!(text.contains("best play 1 1 1\n"), "{text}");
    let (printed, dot) = draw("dot", &["--maxn", tree]);
    assert!(
        printed.starts_with(&format!("max^n · {tree}: value (1, 2, 6), 15 nodes\n")),
        "{printed}"
    );
    assert!(
        dot.contains("label=\"B\\n(1, 5, 2)\"") && dot.contains("label=\"(5, 4, 5)\""),
        "{dot}"
    );
    let (_, page) = draw("html", &["--maxn", tree]);
    assert!(page.contains("<li>Return from 1 to the root: A takes 1, (1, 2, 6).</li>"), "{page}");
}

#[test]
fn the_pictures_of_the_pages_are_what_is_drawn() {
    for (file, arguments) in [
        ("tree_alphabeta.svg", game(CS188, &[])),
        ("tree_expectimax.svg", game(GAMBLE, &[])),
        ("tree_maxn.svg", vec!["--maxn", "configs/trees/three_players.toml"]),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(file);
        let (_, drawn) = draw("svg", &arguments);
        assert!(fs::read_to_string(&path).expect(file) == drawn, "docs/{file} differs");
    }
}

#[test]
fn what_cannot_be_drawn_is_one_error_with_help() {
    let dir = tempfile::tempdir().expect("a folder");
    let bad = dir.path().join("bad.toml");
    fs::write(&bad, "players = ['A', 'B', 'C']\nA = [[1, 2, 3],\n[4, 5]]\n").expect("written");
    let bad = bad.to_str().expect("text");
    for (arguments, message, help) in [
        (&["--game", "tictactoe", "--tree", "t.svg"][..], "the tree of tictactoe", "`--plies 2`"),
        (
            &["--game", "tictactoe", "--tree", "t.svg", "--plies", "3", "--search", "minimax"],
            "the tree has 586 nodes, too many to draw",
            "at most 500 are drawn: use a smaller `--plies`",
        ),
        (
            &["--game", "chess", "--tree", "t.svg", "--plies", "5"],
            "the tree has more than 100 000 nodes",
            "`--plies`",
        ),
        (&["--game", "tree", "--tree", "t.png"], "t.png has no known ending", "`.svg`, `.dot` or"),
        (&["--game", "tree", "--tree", "tree"], "tree has no known ending", "`.html`"),
        (&["--game", "tree", "--tree", "none/t.svg"], "cannot write none/t.svg", "a folder that"),
        (
            &["--game", "pig", "--tree", "t.svg", "--plies", "2", "--search", "minimax"],
            "does not support chance (pig)",
            "`expectiminimax`",
        ),
        (&["--game", "tree:text=max = []", "--tree", "t.svg"], "text:1: 0 children", "1 to 10000"),
        (&["--game", "tree", "--position", "/9", "--tree", "t.svg"], "`9` is not a move", "start"),
        (&["--game", "tree", "--plies", "2"], "--tree <FILE>", "--help"),
        (&["--game", "tree", "--tree", "t.svg", "--json"], "cannot be used with", "--json"),
        (&["--maxn", "none.toml"], "none.toml: cannot be read", "a file with a tree"),
        (&["--maxn", bad], "bad.toml:3: a leaf has 2 values for 3 players", "one value per player"),
        (&["--maxn", bad, "--game", "tree"], "cannot be used with", "--maxn"),
    ] {
        let output = agon(&[&["solve"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = stderr(&output);
        assert!(text.contains(message) && text.contains(help), "{arguments:?}\n{text}");
        assert!(stdout(&output).is_empty());
    }
    assert!(!Path::new("t.svg").exists());
}
