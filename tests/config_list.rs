//! `agon list`: everything that can be configured is on the page and in the JSON.

use agon::config::{Definitions, Shape};
use agon::world::Registry;

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
fn the_page_names_every_key_of_every_kind() {
    let page = run(&[]);
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
        if let Shape::OneOf { kinds, .. } | Shape::Agents(kinds) = &section.shape {
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
fn topics_are_told_apart() {
    assert!(run(&["games"]).starts_with("GAMES\n"));
    assert!(!run(&["games"]).contains("AGENTS"));
    assert!(run(&["agents"]).starts_with("AGENTS\n"));
    assert!(run(&["evaluators"]).starts_with("EVALUATORS\n"));
    assert!(run(&["evaluators"]).contains("weights = { "));
    assert!(run(&["openings"]).starts_with("OPENINGS\n"));
}

#[test]
fn every_example_is_a_config() {
    let registry = Registry::builtin();
    let definitions = Definitions::new(&registry);
    for agent in definitions.kinds("agents") {
        let any = if agent.kind == "perfect" { "tictactoe" } else { "connect4" };
        let game = agon::agents::game_of(agent.kind).unwrap_or(any);
        let text = format!(
            "[game]\nkind = \"{game}\"\n\n{}\n\n[[agents]]\nname = \"other\"\nkind = \"random\"\n",
            agent.example
        );
        let read = agon::config::parse(&text, "example.toml", &Default::default(), &registry);
        assert!(read.is_ok(), "{}", read.unwrap_err());
    }
    for game in definitions.kinds("game") {
        let text = format!(
            "{}\n\n[[agents]]\nkind = \"random\"\n\n[schedule]\nformat = \"self-play\"\n",
            game.example
        );
        let read = agon::config::parse(&text, "example.toml", &Default::default(), &registry);
        assert!(read.is_ok(), "{}", read.unwrap_err());
    }
}
