//! Tests of `docs/search.md`: its node counts match the configs that it names.

use std::collections::BTreeMap;
use std::fs;

use agon::games::pacman::ScoreEvaluator;
use agon::games::{
    Configurable, Evaluator, Game, Pacman, Player, Scoring, SearchHints, TicTacToe, Turn, Zero,
};
use agon::params::{Value, Values};
use agon::search::{AlphaBeta, AlphaBetaOptions, Limits};

use crate::console::root;
use crate::support::{agon, ok, rows, stdout};

/// The lines of the page after the name of the config.
fn section(config: &str) -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/search.md")).expect("the page");
    let named = format!("agon --config configs/{config}.toml");
    let place = page.find(&named).unwrap_or_else(|| panic!("the page does not name {config}"));
    page[place..].lines().map(str::to_owned).collect()
}

/// Plays an unchanged config: returns its output, and the nodes of each agent in all its games.
fn play(config: &str) -> (String, BTreeMap<String, u64>) {
    let dir = tempfile::tempdir().expect("a folder");
    let path = root().join("configs").join(format!("{config}.toml"));
    let (path, out) = (path.to_str().expect("text"), dir.path().to_str().expect("text"));
    let output = ok(agon(&["--config", path, "--out", out, "-v", "-j2"]));
    let agents = rows(&dir.path().join("agents.csv")).into_iter();
    let nodes = agents.map(|row| (row["agent"].clone(), row["nodes"].parse().expect("a number")));
    (stdout(&output), nodes.collect())
}

/// A number in the format of the page.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{} {:03}", grouped(number / 1000), number % 1000),
    }
}

/// The page names the nodes of these agents after these words, each for this number of games.
fn check(config: &str, sentences: &[(&str, &str)], games: u64) {
    let (page, (_, nodes)) = (section(config).join(" "), play(config));
    for (words, agent) in sentences {
        let shown = format!("{words} {}", grouped(nodes[*agent] / games));
        assert!(page.contains(&shown), "the page does not say: {shown}");
    }
}

#[test]
fn options_far_ahead_take_the_nodes_that_the_page_shows() {
    let sentences = [
        ("together take", "all 14"),
        ("without `killers` it is", "no killers 14"),
        ("without `history`", "no history 14"),
        ("without `forced_moves`", "no threats 14"),
        ("without `pvs`", "no pvs 14"),
        ("With `aspiration = 50` it is", "aspiration 50 to 14"),
        ("with `aspiration = 200`", "aspiration 200 to 14"),
        ("with `lmr`", "reductions 14"),
    ];
    check("deep_options", &sentences, 2);
}

#[test]
fn options_in_chess_take_the_nodes_that_the_page_shows() {
    let sentences = [
        ("exact search takes", "exact"),
        ("with `null_move`", "null moves"),
        ("with `lmr`", "reductions"),
        ("with both", "both"),
    ];
    check("chess_options", &sentences, 1);
}

#[test]
fn expectimax_takes_the_nodes_that_the_page_shows() {
    let sentences = [
        ("perfect opponent take", "perfect, none"),
        ("with star1", "perfect, star1"),
        ("with star2", "perfect, star2"),
        ("and a table of 16 MB", "perfect, star2, table"),
        ("Four plies with star2 take", "perfect, star2, 4 plies"),
        ("with a table", "perfect, star2, table, 4 plies"),
    ];
    check("star", &sentences, 1);
}

#[test]
#[ignore = "seconds; `cargo test --release --test program search_page -- --include-ignored`"]
fn reductions_score_what_the_page_says() {
    let (text, _) = play("reductions");
    let score = text.lines().find(|line| line.trim().starts_with("score %")).expect("a score");
    let (value, interval) = score.trim()[7..].trim().split_once(' ').expect("an interval");
    let interval = &interval[..=interval.find(']').expect("its end")];
    let shown = format!("exact search won {value} % {interval} of 800 games");
    let page = section("reductions").join(" ");
    assert!(page.contains(&shown), "the page does not say: {shown}");
}

#[test]
#[ignore = "seconds; `cargo test --release --test program search_page -- --include-ignored`"]
fn options_at_depth_6_take_what_the_page_shows() {
    let (text, _) = play("pruning");
    // The columns of each row before the first time: name, moves, depth, nodes, branching.
    let figures = |line: &str| -> Vec<String> {
        line.trim()
            .split("  ")
            .filter(|cell| !cell.is_empty())
            .map(str::trim)
            .take(5)
            .map(str::to_owned)
            .collect()
    };
    let table = |lines: &mut dyn Iterator<Item = String>| -> Vec<Vec<String>> {
        let rows = lines.skip_while(|line| !line.trim_start().starts_with("agent  ")).skip(1);
        rows.take_while(|line| !line.contains("p50 and p99:") && line != "```")
            .map(|line| figures(&line))
            .collect()
    };
    let costs = text.find("What a move costs").expect("the table of costs");
    let printed = table(&mut text[costs..].lines().map(str::to_owned));
    assert_eq!(table(&mut section("pruning").into_iter()), printed);
    assert_eq!(printed.len(), 12);
}

/// Textbook alpha-beta, with both cut-off rules.
struct Course<'a, G, E> {
    game: &'a G,
    evaluator: E,
    /// Whether a value equal to the bound causes a cut-off.
    cuts_at_equal: bool,
    /// The value that a win loses with each ply.
    later: i32,
    nodes: u64,
}

impl<G: Game, E: Evaluator<G>> Course<'_, G, E> {
    fn value(&mut self, state: &G::State, depth: u32, (mut alpha, mut beta): (i32, i32)) -> i32 {
        self.nodes += 1;
        let player = match self.game.turn(state) {
            Turn::Player(player) if depth > 0 => player,
            Turn::Over if !self.game.scoring().numeric_score() => {
                return self.game.payoff(state).signum() * (100 + self.later * depth as i32);
            }
            _ => return self.evaluator.evaluate(self.game, state),
        };
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        let first = player == Player::First;
        let mut best = if first { i32::MIN } else { i32::MAX };
        for mv in moves {
            let mut child = state.clone();
            self.game.play(&mut child, mv);
            let value = self.value(&child, depth - 1, (alpha, beta));
            best = if first { best.max(value) } else { best.min(value) };
            let passed = if first { best.cmp(&beta) } else { alpha.cmp(&best) };
            if passed.is_gt() || (passed.is_eq() && self.cuts_at_equal) {
                break;
            }
            if first {
                alpha = alpha.max(best);
            } else {
                beta = beta.min(best);
            }
        }
        best
    }
}

/// Nodes from the start position at these depths: agon, then the textbook search with the other
/// rule.
fn both_counts<G: Game, E: Evaluator<G> + Clone>(
    game: &G,
    evaluator: E,
    depths: &[u32],
    course: (bool, i32),
) -> [Vec<u64>; 2] {
    let count = |depth: u32, (cuts_at_equal, later): (bool, i32)| {
        let mut course =
            Course { game, evaluator: evaluator.clone(), cuts_at_equal, later, nodes: 0 };
        course.value(&game.start(), depth, (i32::MIN, i32::MAX));
        course.nodes
    };
    let agon = |depth: u32| {
        let mut search = AlphaBeta::new(evaluator.clone(), AlphaBetaOptions::PLAIN);
        let found = search.search(game, &game.start(), &Limits::depth(depth), false);
        assert_eq!(found.stats.nodes, count(depth, (true, 1)), "the rules are those of the page");
        found.stats.nodes
    };
    [depths.iter().map(|&d| agon(d)).collect(), depths.iter().map(|&d| count(d, course)).collect()]
}

/// The known results of other programs, and why agon's results differ.
#[test]
fn the_page_explains_the_node_counts_of_textbooks() {
    let page = fs::read_to_string(root().join("docs/search.md")).expect("the page");
    let shown = |begin: &str, [agon, other]: [Vec<u64>; 2], known: [&[u64]; 2]| {
        assert_eq!([&agon[..], &other[..]], known, "{begin}");
        let row = page.lines().find(|line| line.starts_with(begin)).expect("a row");
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).skip(2).collect();
        let list = |counts: &[u64]| counts.iter().copied().map(grouped).collect::<Vec<_>>();
        assert_eq!(cells, [list(&agon).join(", "), list(&other).join(", ")]);
    };
    let counts = both_counts(&TicTacToe, Zero, &[9], (true, 0));
    shown("| tic-tac-toe,", counts, [&[20_866], &[18_297]]);
    for (layout, known) in [
        ("chase", [&[17, 70, 226, 772], &[17, 149, 688, 2_212]]),
        ("dead_end", [&[10, 27, 38, 41], &[11, 39, 38, 41]]),
    ] {
        let mut values = Values::default();
        values.set("layout", Value::Text(layout.to_owned()));
        values.set("stop", Value::Bool(true));
        let game = Pacman::build(&values).expect("a layout");
        let depths = [1, 2, 3, 4].map(|rounds| rounds * game.hints().plies_per_round());
        let counts = both_counts(&game, ScoreEvaluator, &depths, (false, 1));
        shown(&format!("| Pacman, layout `{layout}`"), counts, known.map(|counts| &counts[..]));
    }
}
