//! Tests of exact results of whole games: play must match within the statistical error. They check
//! seeding, seats, openings and counting from the config to `seats.csv`, for several seeds and
//! thread counts.

use std::path::Path;

use crate::support::{agon, stderr};

/// `games` games of the first agent against the second from the start position: the row of
/// `pairings.csv`.
struct Played {
    folder: tempfile::TempDir,
    columns: Vec<(String, String)>,
}

impl Played {
    fn new(game: &str, agents: [&str; 2], games: u64, seed: u64, jobs: u32) -> Played {
        let dir = tempfile::tempdir().expect("a folder");
        let [a, b] = agents;
        let text = format!(
            "[game]\n{game}\n[[agents]]\nname = \"a\"\n{a}\n[[agents]]\nname = \"b\"\n{b}\n\
             [schedule]\ngames = {games}\n[openings]\nkind = \"start\"\n"
        );
        let config = crate::support::write(dir.path(), "c.toml", &text);
        let out = dir.path().join("out");
        let (seed, jobs) = (seed.to_string(), jobs.to_string());
        let out_text = out.to_str().expect("text");
        let output =
            agon(&["--config", &config, "--seed", &seed, "-j", &jobs, "--out", out_text, "-q"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        Played { columns: first_row(&out.join("pairings.csv")), folder: dir }
    }

    fn count(&self, column: &str) -> f64 {
        let found = self.columns.iter().find(|(name, _)| name == column);
        found.and_then(|(_, value)| value.parse().ok()).expect(column)
    }
}

fn first_row(path: &Path) -> Vec<(String, String)> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let head = reader.headers().expect("a header").clone();
    let row = reader.records().next().expect("a row").expect("CSV");
    head.iter().zip(row.iter()).map(|(h, v)| (h.to_owned(), v.to_owned())).collect()
}

fn mean_plies(played: &Played) -> f64 {
    let games = played.folder.path().join("out/games.csv");
    let mut reader = csv::Reader::from_path(games).expect("games.csv");
    let place = reader.headers().expect("a header").iter().position(|h| h == "plies");
    let place = place.expect("plies");
    let plies =
        reader.records().map(|row| row.expect("a row")[place].parse::<f64>().expect("plies"));
    let (sum, n) = plies.fold((0.0, 0.0), |(sum, n), plies| (sum + plies, n + 1.0));
    sum / n
}

/// Compares a share with its exact value: 4.5 standard errors, one run in 150 000 fails.
fn assert_share(what: &str, count: f64, n: f64, exact: f64) {
    let error = (exact * (1.0 - exact) / n).sqrt();
    let share = count / n;
    assert!(
        (share - exact).abs() <= 4.5 * error + 1e-12,
        "{what}: {share:.5} is not {exact:.5} within 4.5 times {error:.5}"
    );
}

/// Wins of the first mover, draws, wins of the second mover.
fn seats(played: &Played) -> [f64; 3] {
    [
        played.count("a_first_wins") + played.count("a_second_losses"),
        played.count("draws"),
        played.count("a_first_losses") + played.count("a_second_wins"),
    ]
}

const RANDOM: &str = "kind = \"random\"";

#[test]
fn random_tic_tac_toe_is_exact() {
    for (seed, jobs) in [(1, 1), (2, 3)] {
        let games = 60_000;
        let played = Played::new("kind = \"tictactoe\"", [RANDOM, RANDOM], games, seed, jobs);
        let exact = [737.0 / 1260.0, 8.0 / 63.0, 121.0 / 420.0];
        for (count, exact) in seats(&played).into_iter().zip(exact) {
            assert_share("tic-tac-toe", count, games as f64, exact);
        }
    }
}

#[test]
fn random_connect_four_agrees_with_independent_programs() {
    for (seed, jobs) in [(3, 2), (4, 5)] {
        let games = 40_000;
        let played = Played::new("kind = \"connect4\"", [RANDOM, RANDOM], games, seed, jobs);
        for (count, exact) in seats(&played).into_iter().zip([0.5556, 0.0026, 0.4418]) {
            // The known shares are rounded to 0.005 %.
            let error = (exact * (1.0 - exact) / games as f64).sqrt();
            assert!((count / games as f64 - exact).abs() < 4.5 * error + 0.000_05);
        }
        let plies = mean_plies(&played);
        assert!((plies - 21.31).abs() < 0.15, "{plies} plies");
    }
}

#[test]
fn perfect_tic_tac_toe_against_random_is_exact() {
    let perfect = "kind = \"alphabeta\"\ndepth = 9\nordering = \"full\"\ntable_mb = 1\n\
                   ties = \"random\"\nevaluator = \"zero\"\nterminal = \"outcome\"";
    let games = 3_000;
    let played = Played::new("kind = \"mnk\"\nm = 3\nn = 3\nk = 3", [perfect, RANDOM], games, 5, 2);
    let half = games as f64 / 2.0;
    assert_eq!(played.count("a_first_losses"), 0.0);
    assert_eq!(played.count("a_second_losses"), 0.0);
    assert_share("perfect first", played.count("a_first_wins"), half, 75257.0 / 77760.0);
    assert_share("random first", played.count("a_second_draws"), half, 757.0 / 3402.0);
}

#[test]
fn perfect_tic_tac_toe_against_itself_is_a_draw() {
    let perfect = "kind = \"alphabeta\"\ndepth = 9\nties = \"random\"\ntable_mb = 1";
    let played = Played::new("kind = \"tictactoe\"", [perfect, perfect], 20, 6, 2);
    assert_eq!(seats(&played), [0.0, 20.0, 0.0]);
}
