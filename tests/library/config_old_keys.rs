//! Old names of keys: they are read as the present names, with one warning each.

use std::collections::BTreeSet;

use agon::config::{Definitions, LoadedConfig, Overrides, old_keys_of_spec, parse_agent_spec};
use agon::config::{SectionShape, parse_game_spec, read_from};
use agon::params::{Param, Params, Value};
use agon::play::Registry;

/// A config with every key that had another name.
const OLD: &str = r#"
[game]
kind = "chess"
drawing = "unicode"
[[agents]]
name = "a"
kind = "alphabeta"
depth = 2
threats = false
reductions = true
[[agents]]
name = "b"
kind = "noisy"
epsilon = 0.5
agent = { kind = "alphabeta", depth = 2, reductions = true }
[[agents]]
name = "e"
kind = "engine"
command = "true"
nodes = 1
ceiling = 2.0
startup = 3.0
max_faults = 7
"#;

fn set(text: &str, overrides: &[&str]) -> Result<LoadedConfig, String> {
    let set = overrides.iter().map(|word| (*word).to_owned()).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    read_from(text, "x.toml", &overrides, &Registry::builtin()).map_err(|e| e.render(false))
}

fn good(text: &str) -> LoadedConfig {
    set(text, &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// All parameters of the definitions that had another name.
fn renamed() -> Vec<Param> {
    let definitions = Definitions::new(&Registry::builtin());
    let of_sections = definitions.sections.iter().flat_map(|section| match &section.shape {
        SectionShape::Keys(params) => params.clone(),
        SectionShape::Shared | SectionShape::Lists => Vec::new(),
        SectionShape::OneOf { kinds, .. } | SectionShape::Agents(kinds) => {
            kinds.iter().flat_map(|kind| kind.params.clone()).collect()
        }
    });
    let all = definitions.top.iter().cloned().chain(of_sections);
    all.filter(|param| param.old.is_some()).collect()
}

/// The config with the present names.
fn present(text: &str) -> String {
    renamed().iter().fold(text.to_owned(), |text, param| {
        let old = param.old.expect("it was renamed");
        let text = text.replace(&format!("\n{old} = "), &format!("\n{} = ", param.key));
        text.replace(&format!(", {old} = "), &format!(", {} = ", param.key))
    })
}

#[test]
fn old_keys_give_the_same_experiment_and_one_warning_each() {
    let (old, new) = (good(OLD), good(&present(OLD)));
    assert_eq!(old.experiment.to_toml(), new.experiment.to_toml());
    assert_eq!(old.experiment.hash(), new.experiment.hash());
    assert_eq!(old.experiment.differing_keys(&new.experiment), []);
    assert_eq!(new.warnings, Vec::<String>::new());
    let said = |param: &Param| format!("`{}` is now called `{}`;", param.old.unwrap(), param.key);
    let wanted: BTreeSet<String> = renamed().iter().map(said).collect();
    assert_eq!(old.warnings.len(), wanted.len(), "{:#?}", old.warnings);
    for wanted in wanted {
        assert!(old.warnings.iter().any(|text| text.contains(&wanted)), "{wanted}");
    }
    assert_eq!(
        old.warnings[0],
        "x.toml:4:1: `drawing` is now called `board_style`; rename it, because the next release \
         will not read the old name"
    );
}

#[test]
fn an_old_and_a_new_name_of_one_key_are_an_error_with_both_places() {
    let text = OLD.replace("threats = false\n", "threats = false\nforced_moves = true\n");
    let error = set(&text, &[]).map(|_| ()).expect_err("two names");
    assert!(error.contains("`forced_moves` is given twice"), "{error}");
    assert!(error.contains("`threats` is its old name"), "{error}");
    assert!(error.contains("x.toml:9:1") && error.contains("and here"), "{error}");
    assert!(error.contains("help: keep `forced_moves`"), "{error}");
}

#[test]
fn options_override_the_file_by_either_name() {
    let lmr = |read: &LoadedConfig| read.experiment.agents[0].spec.values.get("lmr").cloned();
    for text in [OLD.to_owned(), present(OLD)] {
        for option in ["agents.a.lmr=false", "agents.a.reductions=false"] {
            let read = set(&text, &[option]).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(lmr(&read), Some(Value::Bool(false)), "{option}");
        }
        let both = ["agents.a.lmr=false", "agents.a.reductions=true"];
        assert_eq!(lmr(&set(&text, &both).expect("the last one wins")), Some(Value::Bool(true)));
    }
    let read = set(&present(OLD), &["agents.a.reductions=false"]).expect("read");
    let [warning] = &read.warnings[..] else { panic!("{:?}", read.warnings) };
    assert!(warning.starts_with("--set agents.a.reductions=false: `reductions`"), "{warning}");
}

#[test]
fn swept_old_keys_keep_the_names_of_agents() {
    let sweep = |name: &str| {
        let text = format!(
            "[game]\nkind = \"connect4\"\n[[agents]]\n{name}kind = \"alphabeta\"\ndepth = 2\n\
             threats = [true, false]\n"
        );
        let names = good(&text).experiment.agents.into_iter().map(|agent| agent.name);
        names.collect::<Vec<_>>()
    };
    let default = ["alphabeta-threatstrue", "alphabeta-threatsfalse"];
    assert_eq!(sweep(""), default);
    assert_eq!(sweep("name = \"ab {threats}\"\n"), ["ab true", "ab false"]);
}

#[test]
fn specs_have_the_same_warnings() {
    let registry = Registry::builtin();
    let text = "noisy:agent=(alphabeta:depth=2,reductions=true),epsilon=0.1";
    let (_, any_game) = parse_game_spec("connect4", "--game", &registry).expect("a game");
    let spec = parse_agent_spec(text, "--agent", &any_game, &registry).expect("an agent");
    let inner = spec.values.spec("agent").expect("an agent");
    assert_eq!(inner.values.get("lmr"), Some(&Value::Bool(true)));
    let warnings = old_keys_of_spec(text, "--agent", &registry);
    let [warning] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(warning.contains("`reductions` is now called `lmr`"), "{warning}");
    assert!(old_keys_of_spec("chess", "--game", &registry).is_empty());
}

#[test]
fn a_struct_reads_values_by_their_old_names() {
    let mut values = agon::params::Values::default();
    values.set("drawing", agon::params::Value::Text("unicode".into()));
    let params = agon::games::chess::ChessParams::read(&values).expect("valid");
    assert_eq!(params.values().text("board_style"), Some("unicode"));
}
