//! `agon list`: the page and the JSON contain everything that can be configured.

use agon::config::{Definitions, SectionShape};
use agon::play::Registry;

/// Whether a game or an agent of this kind needs a program, which does not exist here.
fn is_program(spec: &str) -> bool {
    let kind = spec.split(':').next().unwrap_or_default();
    ["program", "referee", "command"].contains(&kind)
}

fn run(words: &[&str]) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_agon"))
        .arg("list")
        .args(words)
        .output()
        .expect("the program");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn without_a_name_the_names_are_one_screen() {
    let page = run(&[]);
    assert!(page.lines().count() <= 40, "{page}");
    let definitions = Definitions::new(&Registry::builtin());
    for section in &definitions.sections {
        for kind in definitions.kinds(section.key) {
            assert!(page.contains(kind.kind), "{}", kind.kind);
        }
    }
    assert!(page.contains("schedule, "), "{page}");
}

#[test]
fn the_page_names_every_key_of_every_kind() {
    let page = run(&["all"]);
    assert!(!page.contains('\u{1b}'), "no escape codes in a pipe");
    for line in page.lines() {
        assert!(line.chars().count() <= 100, "too wide: {line}");
        assert_eq!(line.trim_end(), line, "blanks at the end");
    }
    let json: serde_json::Value = serde_json::from_str(&run(&["--format", "json"])).expect("JSON");
    let definitions = Definitions::new(&Registry::builtin());
    for param in &definitions.top {
        assert!(page.contains(&format!("\n      {}  ", param.key)), "{}", param.key);
    }
    for section in &definitions.sections {
        let key = if section.key == "game" { "games" } else { section.key };
        assert!(json.get(key).is_some(), "{key}");
        if let SectionShape::OneOf { kinds, .. } | SectionShape::Agents(kinds) = &section.shape {
            for kind in kinds {
                assert!(page.contains(&format!("\n  {}\n", kind.kind)), "{}", kind.kind);
                for line in kind.example.lines() {
                    assert!(page.contains(line), "{line}");
                }
            }
        }
    }
}

#[test]
fn topics_are_distinguished() {
    assert!(run(&["games"]).starts_with("GAMES\n"));
    assert!(!run(&["games"]).contains("AGENTS"));
    assert!(run(&["agents"]).starts_with("AGENTS\n"));
    assert!(run(&["evaluators"]).starts_with("EVALUATORS\n"));
    assert!(run(&["evaluators"]).contains("weights = { "));
    assert!(run(&["openings"]).starts_with("OPENINGS\n"));
    for (section, key) in [
        ("schedule", "games"),
        ("sprt", "elo1"),
        ("limits", "max_plies"),
        ("output", "moves"),
        ("grading", "oracle"),
        ("luck", "scale"),
        ("adjudication", "draw_moves"),
    ] {
        let page = run(&[section]);
        assert!(page.starts_with(&format!("[{}]\n", section.to_uppercase())), "{page}");
        assert!(page.contains(key) && !page.contains("CONNECT4"), "{page}");
        let json: serde_json::Value =
            serde_json::from_str(&run(&[section, "--format", "json"])).expect("JSON");
        let keys: Vec<&String> = json.as_object().expect("an object").keys().collect();
        assert_eq!(keys, [section]);
    }
}

#[test]
fn it_is_listed_where_games_begin_by_default() {
    assert!(run(&["openings"]).contains("random openings if the game has enough"));
    let begins = |game| run(&[game]).contains("Without [openings]: random openings of");
    assert_eq!(["connect4", "tictactoe", "pig"].map(begins), [true, true, false]);
    assert!(run(&["pig"]).contains("Without [openings]: the start position."));
}

#[test]
fn every_example_is_a_config() {
    let registry = Registry::builtin();
    let definitions = Definitions::new(&registry);
    for agent in definitions.kinds("agents").iter().filter(|agent| !is_program(agent.kind)) {
        let any = if agent.kind == "perfect" { "tictactoe" } else { "connect4" };
        let game = agon::agents::game_of(agent.kind).unwrap_or(any);
        let text = format!(
            "[game]\nkind = \"{game}\"\n\n{}\n\n[[agents]]\nname = \"other\"\nkind = \"random\"\n",
            agent.example
        );
        let read = agon::config::parse(&text, "example.toml", &Default::default(), &registry);
        assert!(read.is_ok(), "{}", read.unwrap_err());
    }
    for game in definitions.kinds("game").iter().filter(|game| !is_program(game.kind)) {
        let text = format!(
            "{}\n\n[[agents]]\nkind = \"random\"\n\n[schedule]\nformat = \"self-play\"\n",
            game.example
        );
        let read = agon::config::parse(&text, "example.toml", &Default::default(), &registry);
        assert!(read.is_ok(), "{}", read.unwrap_err());
    }
}

#[test]
fn one_name_is_one_page() {
    let page = run(&["mnk"]);
    assert!(page.starts_with("GAMES\n\n  mnk\n"), "{page}");
    assert!(page.contains("\nEVALUATORS\n\n  mnk\n"), "{page}");
    assert!(!page.contains("connect4") && !page.contains("AGENTS"), "{page}");
    let page = run(&["hold"]);
    assert!(
        page.starts_with("AGENTS\n\n  hold\n") && page.contains("It plays pig only."),
        "{page}"
    );
    // `random` is both an agent and a kind of opening.
    let page = run(&["random"]);
    assert!(page.contains("AGENTS\n") && page.contains("OPENINGS\n"), "{page}");
    let json: serde_json::Value =
        serde_json::from_str(&run(&["pig", "--format", "json"])).expect("JSON");
    assert_eq!(json["games"][0]["kind"], "pig");
    assert_eq!(json.get("agents"), None);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["list", "conect4"])
        .output()
        .expect("the program");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean `connect4`?"));
}

#[test]
fn examples_for_the_command_line_are_accepted() {
    let registry = Registry::builtin();
    let specs = |page: String| {
        let line =
            |line: &str| line.trim().strip_prefix("On the command line: ").map(str::to_owned);
        page.lines().filter_map(line).collect::<Vec<String>>()
    };
    let games = specs(run(&["games"]));
    // `program` and `referee` have no example.
    assert!(games.len() >= registry.games.len() - 2, "{games:?}");
    for spec in games.iter().filter(|spec| *spec != "tree" && !is_program(spec)) {
        let read = agon::config::parse_game_spec(spec, "", &registry);
        assert!(read.is_ok(), "{spec}");
    }
    let agents = specs(run(&["agents"]));
    assert!(agents.len() >= registry.agents.len() - 1, "{agents:?}");
    for spec in agents.iter().filter(|spec| !spec.starts_with("engine") && !is_program(spec)) {
        let kind = spec.split(':').next().unwrap_or_default();
        let game = registry.game_of(kind).unwrap_or("tictactoe");
        let (_, any_game) = agon::config::parse_game_spec(game, "", &registry).expect("a game");
        let read = agon::config::parse_agent_spec(spec, "", &any_game, &registry);
        assert!(read.is_ok(), "{spec}: {}", read.err().map_or(String::new(), |e| e.render(false)));
    }
}
