//! Tests of games with chance: published win rates must match within the statistical error.

use std::collections::HashMap;

use crate::support::{ok, play};

/// The games of a config by first and second agent: wins of the first agent, and games.
fn shares(config: &str) -> impl Fn(&str, &str) -> (f64, f64) + use<> {
    let dir = tempfile::tempdir().expect("a folder");
    ok(play(dir.path(), config, &["-j2"]));
    let mut reader = csv::Reader::from_path(dir.path().join("out/games.csv")).expect("games.csv");
    let head = reader.headers().expect("a header").clone();
    let [first, second, result] = ["first", "second", "result"]
        .map(|name| head.iter().position(|column| column == name).expect("a column"));
    let mut counts = HashMap::<_, (u32, u32)>::new();
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).expect("a row") {
        let count = counts.entry([&row[first], &row[second]].map(str::to_owned)).or_default();
        *count = (count.0 + u32::from(&row[result] == "first"), count.1 + 1);
    }
    move |first, second| {
        let (wins, n) = counts[&[first, second].map(str::to_owned)];
        (f64::from(wins), f64::from(n))
    }
}

/// Compares a share with its exact value: 4.5 standard errors, one in 150 000 fails.
#[track_caller]
fn assert_share((wins, n): (f64, f64), exact: f64) {
    let error = (exact * (1.0 - exact) / n).sqrt();
    let share = wins / n;
    assert!(n >= 100.0, "{n} games");
    assert!((share - exact).abs() <= 4.5 * error + 1e-12, "{share:.4} of {n}, not {exact:.4}");
}

#[test]
fn pig_is_won_as_often_as_the_solution_says() {
    let share = shares(
        "[game]\nkind = \"pig\"\n[[agents]]\nkind = \"optimal\"\n\
         [[agents]]\nname = \"hold-{at}\"\nkind = \"hold\"\nat = [20, 25]\n\
         [[agents]]\nkind = \"random\"\n\
         [schedule]\ngames = 6000\ninclude_self = true\n[limits]\nmax_plies = 10000\n",
    );
    for (first, second, exact) in [
        ("optimal", "optimal", 0.530593),
        ("optimal", "hold-20", 0.571498),
        ("hold-20", "optimal", 0.491658),
        ("hold-20", "hold-20", 0.534698),
        ("hold-25", "hold-20", 0.543482),
        ("hold-20", "hold-25", 0.520034),
        ("random", "random", 0.512658),
        ("hold-20", "random", 0.996773),
        ("random", "hold-20", 1.0 - 0.995695),
    ] {
        assert_share(share(first, second), exact);
    }
}

#[test]
fn perfect_einstein_on_a_small_board_wins_as_often_as_its_value() {
    let share = shares(
        "[game]\nkind = \"einstein\"\nsize = 3\nstones = 3\n[[agents]]\nkind = \"perfect\"\n\
         [schedule]\nformat = \"self-play\"\ngames = 8000\n",
    );
    assert_share(share("perfect", "perfect"), 0.667124);
}

#[test]
fn random_einstein_is_a_little_better_for_the_mover() {
    let share = shares(
        "[game]\nkind = \"einstein\"\n[[agents]]\nkind = \"random\"\n\
         [schedule]\nformat = \"self-play\"\ngames = 40000\n",
    );
    // The published share is rounded to a tenth of a percent.
    let (wins, n) = share("random", "random");
    assert!((wins / n - 0.532).abs() < 4.5 * 0.5 / n.sqrt() + 0.0005, "{}", wins / n);
}

#[test]
fn perfect_tic_tac_toe_is_exact() {
    let share = shares(
        "[game]\nkind = \"tictactoe\"\n\
         [[agents]]\nname = \"p\"\nkind = \"perfect\"\nties = \"random\"\n\
         [[agents]]\nname = \"r\"\nkind = \"random\"\n\
         [schedule]\ngames = 8000\n",
    );
    assert_share(share("p", "r"), 75257.0 / 77760.0);
    assert_eq!(share("r", "p").0, 0.0);
}

/// Pacman by `first` against random and chasing ghosts, `games` games each.
fn pacman(layout: &str, agents: &str, games: u32) -> impl Fn(&str, &str) -> (f64, f64) + use<> {
    shares(&format!(
        "[game]\nkind = \"pacman\"\nlayout = \"{layout}\"\n{agents}\
         [[agents]]\nname = \"random\"\nkind = \"random\"\nseat = \"second\"\n\
         [[agents]]\nname = \"chasing\"\nkind = \"directional\"\nseat = \"second\"\n\
         [schedule]\ngames = {games}\nallow_duplicates = true\n"
    ))
}

fn searcher(kind: &str, depth: &str, more: &str) -> String {
    format!(
        "[[agents]]\nname = \"{kind}{more}\"\nkind = \"{kind}\"\ndepth = \"{depth}\"\n\
         seat = \"first\"\n{more}\n"
    )
}

#[test]
fn the_trapped_pacman() {
    let agents = searcher("alphabeta", "3r", "") + &searcher("expectimax", "3r", "");
    let share = pacman("dead_end", &agents, 1000);
    assert_eq!(share("alphabeta", "random"), (0.0, 1000.0));
    assert_eq!(share("alphabeta", "chasing"), (0.0, 1000.0));
    assert_share(share("expectimax", "random"), 0.499);
    assert_share(share("expectimax", "chasing"), 0.104);
    // A search of one round does not see the ghosts coming.
    let share = pacman("dead_end", &searcher("alphabeta", "1r", ""), 1000);
    assert_share(share("alphabeta", "random"), 0.499);
}

#[test]
fn the_chased_pacman() {
    let agents = searcher("alphabeta", "4r", "") + &searcher("expectimax", "4r", "");
    let share = pacman("chase", &agents, 800);
    assert_share(share("alphabeta", "random"), 0.64);
    assert_share(share("alphabeta", "chasing"), 0.12);
    assert_share(share("expectimax", "random"), 0.83);
}
