//! `SPEC` arguments of the command line: their meaning and their error messages.

use agon::config::{parse_agent_spec, parse_game_spec};
use agon::params::{Spec, Value};
use agon::play::Registry;

fn game(text: &str) -> Result<Spec, String> {
    let parsed = parse_game_spec(text, "--game", &Registry::builtin());
    parsed.map(|(spec, _)| spec).map_err(|error| error.render(false))
}

fn agent(text: &str) -> Result<Spec, String> {
    let registry = Registry::builtin();
    let (_, any_game) = parse_game_spec("connect4", "--game", &registry).expect("a game");
    let parsed = parse_agent_spec(text, "--agent", &any_game, &registry);
    parsed.map_err(|error| error.render(false))
}

#[test]
fn keys_and_defaults_are_those_of_the_config() {
    let spec = game("connect4").expect("right");
    assert_eq!((spec.kind.as_str(), spec.values.int("columns")), ("connect4", Some(7)));
    let spec = game("mnk:m=15, n=15 ,k=5,exact=true").expect("right");
    assert_eq!(spec.values.int("m"), Some(15));
    assert_eq!(spec.values.get("exact"), Some(&Value::Bool(true)));
    let spec = agent("alphabeta:depth=8,ordering=static,weights={three=5,four=9}").expect("right");
    assert_eq!(spec.values.text("ordering"), Some("static"));
    let Some(Value::Weights(weights)) = spec.values.get("weights") else { panic!("no weights") };
    assert_eq!(weights.len(), 2);
}

#[test]
fn agents_inside_agents_stand_in_parentheses_or_braces() {
    let plain = agent("noisy:agent=(alphabeta:depth=4,ties=random),epsilon=0.1").expect("right");
    let inner = plain.values.spec("agent").expect("an agent");
    assert_eq!((inner.kind.as_str(), inner.values.int("depth")), ("alphabeta", Some(4)));
    assert_eq!(inner.values.text("ties"), Some("random"));
    for same in [
        "noisy:epsilon=0.1,agent={alphabeta:depth=4,ties=random}",
        "noisy:epsilon=0.1,agent={kind=\"alphabeta\",depth=4,ties=\"random\"}",
        " noisy : epsilon = 0.1 , agent = ( alphabeta : depth = 4 , ties = random ) ",
    ] {
        assert_eq!(agent(same).as_ref(), Ok(&plain), "{same}");
    }
    let random = agent("noisy:agent=(random),epsilon=0.5");
    assert_eq!(random.as_ref().map(|spec| spec.kind.as_str()), Ok("noisy"));
    assert_eq!(agent("noisy:agent=random,epsilon=0.5"), random);
}

#[test]
fn mistakes_are_shown_in_the_spec() {
    let found: Vec<String> = [
        game("conect4"),
        game("mnk:m=20,k=x,z=1"),
        game("mnk:m=3,n=3,k=4"),
        game(""),
        game("mnk,m=3"),
        game("mnk:m"),
        game("mnk:m=3,m=4"),
        agent("alphabeta:depth=[1,2]"),
        agent("noisy:agent=(alphabeta:depth=0),epsilon=2"),
        agent("noisy:agent=alphabet,epsilon=0.1"),
        agent("noisy:agent=7,epsilon=0.1"),
        agent("alphabeta:depth=3,evaluator=zzz"),
        agent("alphabeta"),
    ]
    .into_iter()
    .map(|result| result.expect_err("wrong"))
    .collect();
    let found = found.join("\n");
    let expected = "tests/data/config/spec.txt";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(expected, &found).expect("writable");
    }
    assert_eq!(std::fs::read_to_string(expected).unwrap_or_default(), found);
}
