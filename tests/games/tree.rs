//! Tests of explicit trees: known results, forms of the file, and errors with line numbers.

use crate::support::chance::{Opponent, Plain, build, follow};
use agon::games::tree::{LeafEstimate, NodeKind};
use agon::games::{Configurable, Drawing, Game, GameTree, Notation, Scoring, SearchHints, Turn};
use agon::params::{Value, Values};
use agon::search::{AlphaBeta, AlphaBetaOptions, Limits};
use proptest::prelude::*;

fn from_text(text: &str) -> GameTree {
    build(&[], &[("text", text)])
}

fn from_file(file: &str) -> GameTree {
    build(&[], &[("file", file)])
}

fn value(game: &GameTree, opponent: Opponent, depth: u32) -> f64 {
    Plain { game, evaluator: LeafEstimate, opponent, nodes: 0 }.value(&game.start(), depth)
}

#[test]
fn the_minimax_tree_is_worth_3() {
    for game in [from_file("configs/trees/minimax.toml"), build(&[], &[])] {
        assert_eq!(value(&game, Opponent::Minimiser, 9), 3.0);
        assert_eq!(game.hints().max_plies(), Some(2));
        assert!(!game.has_chance() && game.scoring().numeric_score());
    }
}

#[test]
fn alpha_beta_leaves_4_and_6_unseen() {
    let game = from_file("configs/trees/minimax.toml");
    let mut search = AlphaBeta::new(LeafEstimate, AlphaBetaOptions::PLAIN);
    let answer = search.search(&game, &game.start(), &Limits::depth(2), false);
    assert_eq!((answer.value, answer.best), (3, vec![0]));
    assert_eq!(answer.stats.leaves, 7);
}

#[test]
fn the_gamble_is_worth_10() {
    let game = from_file("configs/trees/chance.toml");
    assert_eq!(value(&game, Opponent::Minimiser, 9), 10.0);
    let gamble = game.read_position("gamble").unwrap();
    assert_eq!(game.turn(&gamble), Turn::Chance);
    let mut outcomes = Vec::new();
    game.outcomes(&gamble, &mut outcomes);
    assert_eq!(outcomes, [(0, 3), (1, 2), (2, 1)]);
    let bare = from_text(
        r#"chance = [8, 24, -12]
        weights = ["1/2", "1/3", "1/6"]"#,
    );
    assert_eq!(value(&bare, Opponent::Minimiser, 0), 10.0);
}

#[test]
fn the_trap_is_worth_what_the_opponent_makes_of_it() {
    let game = from_file("configs/trees/trap.toml");
    assert_eq!(value(&game, Opponent::Minimiser, 9), 10.0);
    assert_eq!(value(&game, Opponent::Uniform, 9), 50.0);
}

#[test]
fn estimates_stand_at_the_horizon() {
    let game = from_text("max = [{ min = [1, 2], estimate = 7 }, { max = [3, 4] }]");
    assert_eq!(value(&game, Opponent::Minimiser, 1), 7.0);
    assert_eq!(value(&game, Opponent::Minimiser, 2), 4.0);
}

#[test]
fn moves_and_positions_are_read_in_many_forms() {
    let game = from_file("tests/data/chance/forms.toml");
    let mut texts = Vec::new();
    let at = |path: &str| {
        let state = game.read_position(path).unwrap();
        game.children(state.node()).map(|(label, weight, _)| (label.to_owned(), weight)).collect()
    };
    let mut children = |path: &str| -> Vec<(String, u32)> {
        texts.push(path.to_owned());
        at(path)
    };
    let plain = |labels: &[&str]| labels.iter().map(|l| ((*l).to_owned(), 1)).collect::<Vec<_>>();
    assert_eq!(children("/"), plain(&["1", "2", "3", "4"]));
    assert_eq!(children("/1"), plain(&["b", "a"]));
    assert_eq!(children("/1/b"), [("tails".to_owned(), 3), ("heads".to_owned(), 1)]);
    assert_eq!(children("c"), plain(&["e", "f", "2"]));
    assert_eq!(children("3"), plain(&["second", "first"]));
    assert_eq!(children("/4"), [("1".to_owned(), 1), ("2".to_owned(), 3)]);

    let state = follow(&game, &game.start(), "1 b heads");
    assert_eq!(game.write_position(&state), "/1/b/heads");
    // Names take precedence over numbers: the child `2` is the third.
    assert_eq!(game.notation().read_move(&state, "2"), Ok(2));
    assert_eq!(game.notation().read_move(&state, "1"), Ok(0));
    let error = game.notation().read_move(&state, "g").unwrap_err();
    assert_eq!(error, "`g` is not a move; legal: e, f, 2");
    assert_eq!(game.notation().read_move(&game.start(), "spelled-out"), Ok(2));
    assert!(game.read_position("/1/x").unwrap_err().starts_with("below `/1`: "));
}

#[test]
fn the_drawing_shows_the_tree() {
    let game = from_text(
        "max = { stop = 1, go = 'die' }\n[nodes]\ndie = { chance = [6, 0], weights = [1, 5] }",
    );
    let drawing = "\
max
├─ stop: 1
└─ go: die chance
   ├─ 1 (1/6): 6
   └─ 2 (5/6): 0
";
    assert_eq!(game.drawing().text(&game.start()), drawing);
}

#[test]
fn a_vast_tree_is_drawn_in_part() {
    let leaves = vec!["0"; 5_000].join(", ");
    let game = from_text(&format!("max = [{leaves}]"));
    let drawing = game.drawing().text(&game.start());
    assert_eq!(drawing.lines().count(), 202);
    assert!(drawing.ends_with("… (the tree has 5001 nodes)\n"));
    assert_eq!(game.kind(0), NodeKind::Max);
}

/// TOML has integers in four bases.
#[test]
fn weights_are_read_in_every_base() {
    let plain = from_text("chance = [0, 1]\nweights = [16, 2]");
    let based = from_text("chance = [0, 1]\nweights = [0x10, 0b10]");
    let weights =
        |tree: &GameTree| tree.children(0).map(|(_, weight, _)| weight).collect::<Vec<_>>();
    assert_eq!((weights(&plain), weights(&based)), (vec![8, 1], vec![8, 1]));
}

/// The readable error message for a text.
#[track_caller]
fn refused(text: &str) -> String {
    let mut values = Values::default();
    values.set("text", Value::Text(text.to_owned()));
    let error = GameTree::build(&values).expect_err(text);
    assert_eq!(error.key.as_deref(), Some("text"));
    error.to_string()
}

#[test]
fn mistakes_are_named_with_their_lines() {
    let cases = [
        ("max = [1, 2", "text:1: "),
        ("", "text:1: the root has no children"),
        ("max = []", "text:1: 0 children"),
        ("max = 3", "text:1: children are a list or a table"),
        ("max = [1]\nmin = [2]", "text:2: two decide in one node"),
        ("mox = [1]", "text:1: a node has no key `mox` (did you mean `max`?"),
        (
            "root = 'a'",
            "text:1: a node has no key `root` (`max`, `min`, `chance`, `weights`, `estimate`; \
             `agon solve --maxn FILE`",
        ),
        ("max = [1,\n { weights = [1] }]", "text:2: the node has no children"),
        ("max = [1,\n 2.5]", "text:2: the value 2.5 is not a whole number"),
        ("max = [1,\n [2]]", "text:2: a list is not a node"),
        ("max = [1,\n true]", "text:2: this is not a node"),
        ("max = [1,\n 1000000001]", "text:2: the value 1000000001 is out of range"),
        ("max = [1,\n 99999999999999999999]", "text:2: the value 99999999999999999999 is out"),
        ("max = [1,\n -9223372036854775808]", "text:2: the value -9223372036854775808 is out"),
        ("max = [1]\nestimate = -9223372036854775808", "text:2: the value -9223372036854775808"),
        ("max = ['a', 'b']\n[nodes]\na = 1", "text:1: there is no node `b`"),
        ("max = ['a']", "text:1: there is no node `a`"),
        (
            "max = ['left']\n[nodes]\nlaft = 1",
            "text:1: there is no node `left` under `[nodes]` (did you mean `laft`?",
        ),
        ("max = ['a', 'a']\n[nodes]\na = 1", "text:1: the node `a` is named a second time"),
        (
            "max = ['a']\n[nodes]\na = { min = [1, 'b'] }\nb = { max = [{ min = ['a'] }] }",
            "text:4: the tree runs in a circle: a → b → a",
        ),
        ("max = [1]\n[nodes]\n\na = 1", "text:4: no path leads from the root to the node `a`"),
        ("max = [1]\n[nodes]\na = { min = ['a'] }", "text:3: no path leads"),
        ("max = ['a']\n[nodes]\na = 'b'\nb = 1", "text:3: the node `a` is only another name"),
        ("max = ['a']\n[nodes]\na = 1\na = 2", "text:4: "),
        ("max = { a = 1,\n a = 2 }", "text:2: "),
        ("nodes = 3\nmax = [1]", "text:1: `nodes` is not a table"),
        ("chance = [1, 2]\nweights = [1]", "text:2: the number of weights is 1, and of outcomes 2"),
        ("chance = [1, 2]\nweights = [1, 0]", "text:2: a weight of zero"),
        ("chance = [1, 2]\nweights = ['1/2', '0/3']", "text:2: a weight of zero"),
        ("chance = [1, 2]\nweights = [1, -1]", "text:2: `-1` is not a weight"),
        ("chance = [1, 2]\nweights = [1, 'x']", "text:2: `x` is not a weight"),
        ("chance = [1, 2]\nweights = ['1/2', '1/3']", "text:2: these weights do not sum to 1"),
        ("chance = [1, 2]\nweights = [4294967295, 2]", "text:2: these weights do not fit"),
        ("chance = [1, 2]\nweights = 3", "text:2: weights are a list or a table"),
        ("chance = { a = 1 }\nweights = { b = 1 }", "text:2: there is no outcome `b`"),
        ("max = [1, 2]\nweights = [1, 1]", "text:2: only chance has weights"),
        ("max = [1]\nestimate = 'x'", "text:2: an estimate is a whole number"),
        ("max = { 'to the left' = 1 }", "text:1: `to the left` cannot be a name"),
        ("max = [1]\n[nodes]\n'a/b' = 1", "text:3: `a/b` cannot be a name"),
    ];
    for (text, expected) in cases {
        let error = refused(text);
        assert!(error.starts_with(expected), "{text}\n  {error}\n  not {expected}");
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    let list = format!("max = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    refused(&list);
    let nested = format!("max = [{}1{}]", "{ min = [".repeat(300), "] }".repeat(300));
    let message = refused(&nested);
    assert!(message.contains("`[nodes]`") && message.contains("200 levels"), "{message}");
    // Dots nest as braces do; both together nest deeper than either alone.
    let dots = ".max".repeat(5000);
    for text in [format!("max = [1]\n[nodes{dots}]\nmax = [1]"), format!("nodes.a{dots} = 1")] {
        let message = refused(&text);
        assert!(
            message.contains("inside one another") && message.contains("200 levels"),
            "{message}"
        );
    }
    let dots = ".max".repeat(70);
    let both = format!("{}1{}", format!("{{ max{dots} = ").repeat(70), "}".repeat(70));
    assert!(refused(&format!("max = {both}")).contains("inside one another"));
    let mut named = "max = ['n0']\n[nodes]\n".to_owned();
    for i in 0..50_000 {
        named += &format!("n{i} = {{ min = ['n{}'] }}\n", i + 1);
    }
    assert!(refused(&named).contains("more than 200 levels"));
}

#[test]
fn the_file_and_its_absence_are_named() {
    let mut values = Values::default();
    values.set("file", Value::Text("tests/data/chance/none.toml".to_owned()));
    let error = GameTree::build(&values).unwrap_err();
    assert_eq!(error.key.as_deref(), Some("file"));
    assert!(error.message.contains("tests/data/chance/none.toml"));
    values.set("text", Value::Text("max = [1]".to_owned()));
    assert!(GameTree::build(&values).is_err());
}

/// The keys of a node and its minimax value, computed independently of the tree.
fn keys_and_value(kind: usize, children: &[((String, f64), u32)]) -> (String, f64) {
    let nodes: Vec<&str> = children.iter().map(|((text, _), _)| text.as_str()).collect();
    let values = children.iter().map(|((_, value), _)| *value);
    let weights: Vec<String> = children.iter().map(|(_, weight)| weight.to_string()).collect();
    let nodes = nodes.join(", ");
    match kind {
        0 => (format!("max = [{nodes}]"), values.fold(f64::NEG_INFINITY, f64::max)),
        1 => (format!("min = [{nodes}]"), values.fold(f64::INFINITY, f64::min)),
        _ => {
            let all: u32 = children.iter().map(|(_, weight)| weight).sum();
            let sum: f64 = children.iter().map(|((_, v), weight)| v * f64::from(*weight)).sum();
            let keys = format!("chance = [{nodes}], weights = [{}]", weights.join(", "));
            (keys, sum / f64::from(all))
        }
    }
}

fn any_node() -> impl Strategy<Value = (String, f64)> {
    let leaf = (-100i32..=100).prop_map(|value| (value.to_string(), f64::from(value)));
    leaf.prop_recursive(5, 60, 4, |inner| {
        (0usize..3, prop::collection::vec((inner, 1u32..9), 1..4)).prop_map(|(kind, children)| {
            let (keys, value) = keys_and_value(kind, &children);
            (format!("{{ {keys} }}"), value)
        })
    })
}

proptest! {
    #[test]
    fn any_tree_has_the_value_of_its_text((text, known) in any_node()) {
        let game = from_text(&format!("max = [{text}]"));
        let seen = value(&game, Opponent::Minimiser, 99);
        prop_assert!((seen - known).abs() < 1e-9, "{text}: {seen}, not {known}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_makes_the_reader_panic(
        text in "(max|min|chance|weights|nodes|estimate|a|[0-9.'\"=,{}\\[\\]/ \n-]){0,40}",
    ) {
        let mut values = Values::default();
        values.set("text", Value::Text(text));
        if let Err(error) = GameTree::build(&values) {
            prop_assert!(!error.message.is_empty());
        }
    }

    #[test]
    fn damaged_files_never_make_the_reader_panic(at in 0usize..600, with in "\\PC{0,3}") {
        let mut text = include_str!("../data/chance/forms.toml").to_owned();
        let at = at % text.len();
        text.replace_range(at..=at, &with);
        let mut values = Values::default();
        values.set("text", Value::Text(text));
        if let Ok(tree) = GameTree::build(&values) {
            prop_assert!(tree.len() > 1);
        }
    }
}
