//! agon as a library: games and agents of another program in agon's experiments.

#[path = "../../examples/custom_agent.rs"]
#[allow(dead_code)]
mod custom_agent;
#[path = "../../examples/custom_game.rs"]
#[allow(dead_code)]
mod custom_game;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

use agon::agents::{Agent, AgentInfo, Fault, FaultKind, MoveRequest};
use agon::arena::Tally;
use agon::config::{self, Experiment, Overrides};
use agon::games::{Game, Pig, TicTacToe, below, conformance};
use agon::play::{GameEntry, Registry};
use custom_agent::Flat;
use custom_game::Nim;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs an example, which cargo has built next to this test.
fn example(name: &str, arguments: &[&str]) -> Output {
    Command::new(program(name)).args(arguments).output().expect("it runs")
}

fn program(name: &str) -> PathBuf {
    let here = std::env::current_exe().expect("a path");
    let folder = here.ancestors().nth(2).expect("target/debug").join("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.exists(), "`cargo build --examples` makes {}", program.display());
    program
}

/// The answers of an example that serves an agent to a host.
fn served(name: &str, game: &str, agent: &str) -> String {
    let dir = tempfile::tempdir().expect("a folder");
    let said = dir.path().join("said");
    fs::write(&said, "ugi\nposition startpos\ngo depth 1\n").expect("written");
    let program = Command::new(program(name))
        .args(["serve", "--game", game, "--agent", agent])
        .stdin(fs::File::open(&said).expect("a file"))
        .output()
        .expect("it runs");
    text(&program.stdout) + &text(&program.stderr)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn read(config: &str, registry: &Registry) -> Result<Experiment, String> {
    config::parse(config, "mine.toml", &Overrides::default(), registry)
        .map_err(|error| error.render(false))
}

/// The fenced blocks of a page in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join("docs").join(page)).expect("the page");
    (text.split(&format!("```{language}\n")).skip(1))
        .map(|rest| rest.split("```").next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn the_custom_game_passes_the_suite_for_games() {
    for heap in [1, 4, 21] {
        conformance::check(&Nim { heap }, 100);
    }
}

#[test]
fn every_agent_of_the_catalogue_plays_a_custom_game() {
    let mut registry = Registry::builtin();
    registry.add_game::<Nim>().register_for::<Flat, Nim>();
    let config = "[game]\nkind = \"nim\"\nheap = 12\n[[agents]]\nkind = \"perfect\"\n\
        [[agents]]\nkind = \"alphabeta\"\ndepth = 20\n[[agents]]\nkind = \"mcts\"\n\
        simulations = 50\n[[agents]]\nkind = \"flat\"\nplayouts = 5\n[schedule]\ngames = 2\n\
        allow_duplicates = true\n";
    let played = agon::run(&read(config, &registry).expect("right"), 2).expect("played");
    let (_, pairing) = &played.tally.pairings[0];
    // The second player wins if the heap is a multiple of four.
    assert_eq!(pairing.all().games().wins(), 1);
    assert_eq!(played.tally.faults() + played.tally.voids(), 0);
    assert_eq!(played.tally.rows, 12);
}

#[test]
fn a_custom_agent_plays_every_game_and_inside_others() {
    let mut registry = Registry::builtin();
    registry.add_agent::<Flat>();
    for game in Registry::builtin().games.iter().filter(|entry| entry.has_defaults()) {
        let GameEntry { kind: game, .. } = game;
        let config = format!(
            "[game]\nkind = \"{game}\"\n[[agents]]\nkind = \"flat\"\nplayouts = 1\n[[agents]]\n\
             kind = \"noisy\"\nepsilon = 0.5\nagent = {{ kind = \"flat\", playouts = 1 }}\n\
             [schedule]\ngames = 2\n[limits]\nmax_plies = 30\n"
        );
        let experiment = read(&config, &registry).unwrap_or_else(|error| panic!("{error}"));
        let played = agon::run(&experiment, 1).expect("played");
        assert_eq!((played.tally.rows, played.tally.faults()), (2, 0), "{game}");
    }
}

#[test]
fn mistakes_about_custom_agents_are_told_like_any_other() {
    let mut registry = Registry::builtin();
    registry.add_agent::<Flat>();
    let config = "[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"flat\"\nplayouts = 0\n\
        [[agents]]\nkind = \"random\"\n";
    let error = read(config, &registry).expect_err("0 playouts");
    assert!(error.contains("a whole number from 1 to 1000000"), "{error}");
    // `add_agent` registers `flat` only for built-in games.
    registry.add_game::<Nim>();
    let config = "[game]\nkind = \"nim\"\n[[agents]]\nkind = \"flat\"\n[[agents]]\n\
        kind = \"random\"\n";
    let error = read(config, &registry).expect_err("it cannot play");
    assert!(error.contains("`flat` does not play nim"), "{error}");
}

/// Always holds; for Pig only.
struct Coward;

impl Agent<Pig> for Coward {
    fn choose(
        &mut self,
        _: &mut MoveRequest<'_, Pig>,
    ) -> Result<agon::games::pig::PigMove, Box<Fault>> {
        Ok(agon::games::pig::PigMove::Hold)
    }
}

#[test]
fn an_agent_for_one_game_is_refused_elsewhere() {
    let mut registry = Registry::builtin();
    let info = AgentInfo::of::<()>("coward", "Holds at once", "");
    registry.add_agent_for::<Pig, _>(info, |_, ()| Ok(Box::new(Coward)));
    assert_eq!(registry.game_of("coward"), Some("pig"));
    let config = |game| {
        format!(
            "[game]\nkind = \"{game}\"\n[[agents]]\nkind = \"coward\"\n[[agents]]\nkind = \"random\"\n"
        )
    };
    assert!(read(&config("pig"), &registry).is_ok());
    let error = read(&config("tictactoe"), &registry).expect_err("another game");
    assert!(error.contains("it plays pig only"), "{error}");
}

/// Plays any legal move, after the first attempts at each game failed for external reasons.
struct Failing {
    kind: FaultKind,
    failures: u32,
}

agon::choice! {
    /// Why an agent fails.
    enum Why {
        Shortage = "shortage",
        Overload = "overload",
    }
}

agon::params! {
    /// How an agent fails.
    struct FailingParams {
        /// why it fails
        why: Why = Why::Overload,
        /// how often it fails
        failures: u32 [0..=100] = 0,
    }
}

/// Failures so far, by kind of failure, requested failures and game. Agents do not live long enough
/// to count them.
static FAILED: Mutex<BTreeMap<(&str, u32, u64), u32>> = Mutex::new(BTreeMap::new());

impl Agent<TicTacToe> for Failing {
    fn choose(&mut self, request: &mut MoveRequest<'_, TicTacToe>) -> Result<u8, Box<Fault>> {
        let mut moves = Vec::new();
        request.game.moves(request.state, &mut moves);
        let mut failed = FAILED.lock().expect("no panic");
        let count = failed
            .entry((self.kind.reason(), self.failures, request.game_so_far.game))
            .or_default();
        if moves.len() < 6 && *count < self.failures {
            *count += 1;
            return Err(Box::new(Fault { kind: self.kind, detail: "nothing left".to_owned() }));
        }
        Ok(moves[below(request.rng, moves.len() as u32) as usize])
    }
}

/// Four games against `random` in which the first attempts fail.
fn failing(kind: &str, failures: u32) -> Result<Tally, String> {
    let mut registry = Registry::builtin();
    let info = AgentInfo::of::<FailingParams>("failing", "Fails at first", "");
    registry.add_agent_for::<TicTacToe, _>(info, |_, FailingParams { why, failures }| {
        let kind = match why {
            Why::Shortage => FaultKind::Shortage,
            Why::Overload => FaultKind::Overload,
        };
        Ok(Box::new(Failing { kind, failures }))
    });
    let config = format!(
        "[game]\nkind = \"tictactoe\"\n[[agents]]\nkind = \"failing\"\nwhy = \"{kind}\"\n\
         failures = {failures}\n[[agents]]\nkind = \"random\"\n[schedule]\ngames = 4\n"
    );
    let experiment = read(&config, &registry).unwrap_or_else(|error| panic!("{error}"));
    agon::run(&experiment, 2).map(|played| played.tally).map_err(|error| error.to_string())
}

#[test]
fn games_that_no_agent_is_to_blame_for_are_played_again() {
    let results = |tally: &Tally| tally.pairings[0].1.all().games();
    let plain = failing("overload", 0).expect("played");
    assert_eq!((plain.rows, plain.voids(), plain.faults()), (4, 0, 0));
    for (kind, failures) in [("overload", 3), ("shortage", 2)] {
        let again = failing(kind, failures).expect("played");
        assert_eq!((again.rows, again.voids(), again.faults()), (4, 0, 0), "{kind}");
        assert_eq!(results(&again), results(&plain), "{kind}");
    }
    // If the machine stays too busy, games are void and no agent loses them.
    let busy = failing("overload", 4).expect("played");
    assert_eq!((busy.rows, busy.voids(), busy.faults()), (4, 4, 0));
}

#[test]
fn the_examples_are_whole_programs() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, page, kind) in
        [("custom_game", "add-a-game.md", "nim"), ("custom_agent", "add-an-agent.md", "flat")]
    {
        let config = dir.path().join(format!("{kind}.toml"));
        fs::write(&config, &blocks(page, "toml")[0]).expect("written");
        // The command of the page; cargo has built the example.
        let command = &blocks(page, "sh")[0];
        let cargo = format!("cargo run --release --example {name} -- ");
        let arguments = command.strip_prefix(&cargo).expect("cargo runs the example");
        let played = Command::new(program(name))
            .args(arguments.split_whitespace())
            .args(["--out", kind])
            .current_dir(dir.path())
            .output()
            .expect("it runs");
        let out = dir.path().join(kind);
        assert_eq!(played.status.code(), Some(0), "{}", text(&played.stderr));
        for file in ["games.csv", "agents.csv", "summary.txt", "resolved.toml"] {
            assert!(out.join(file).exists(), "{file}");
        }
        // The output contains every line that the page shows.
        let shown = &blocks(page, "text")[0];
        let printed = text(&played.stdout);
        for line in shown.lines().filter(|line| !line.is_empty()) {
            assert!(printed.contains(line), "not printed: {line}\n{printed}");
        }
        assert!(text(&example(name, &["list"]).stdout).contains(kind));
        assert!(text(&example(name, &["schema"]).stdout).contains(kind));
    }
    let solved = text(&example("custom_game", &["solve", "--game", "nim:heap=7"]).stdout);
    assert!(solved.contains("the first player wins"), "{solved}");
    // With seven left, the best move takes three.
    let served = [
        served("custom_game", "nim:heap=7", "perfect"),
        served("custom_agent", "connect4", "flat"),
    ];
    assert!(served[0].contains("bestmove 3"), "{}", served[0]);
    assert!(served[1].contains("bestmove "), "{}", served[1]);
}

#[test]
fn the_pages_show_the_examples() {
    for (name, page) in [("custom_game", "add-a-game.md"), ("custom_agent", "add-an-agent.md")] {
        let source = fs::read_to_string(root().join(format!("examples/{name}.rs"))).expect(name);
        assert!(source.lines().count() < 60, "{name} is meant to be short");
        // The page splits the example into pieces: all pieces in order are the whole file.
        let pieces: String = blocks(page, "rust").concat();
        let lines = |text: &str| {
            text.lines()
                .filter(|line| !line.trim().is_empty())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(lines(&pieces), lines(&source), "{page}");
    }
}

#[test]
fn the_citation_has_the_version_of_the_crate() {
    let citation = fs::read_to_string(root().join("CITATION.cff")).expect("CITATION.cff");
    let version = concat!("version: ", env!("CARGO_PKG_VERSION"));
    assert!(citation.lines().any(|line| line == version), "{citation}");
}
