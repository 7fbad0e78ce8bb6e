//! Fuzz tests of the config readers: every input gives a result or an error, never a panic.

use crate::support::fuzz::Target;
use agon::config::{Overrides, parse, parse_agent_spec, parse_game_spec};
use agon::params::quoted;
use agon::play::Registry;
use proptest::prelude::*;

/// Reads a config, and renders its errors in every form.
fn survives(target: &Target, text: &str, set: &[String]) {
    let length = text.len() + set.iter().map(String::len).sum::<usize>();
    target.feed(length, || read(text, set));
}

fn read(text: &str, set: &[String]) {
    let overrides = Overrides { set: set.to_vec(), ..Overrides::default() };
    match parse(text, "fuzz.toml", &overrides, &Registry::builtin()) {
        Ok(experiment) => {
            let resolved = experiment.to_toml();
            let again = parse(&resolved, "fuzz.toml", &Overrides::default(), &Registry::builtin());
            assert_eq!(again.as_ref().ok(), Some(&experiment), "{resolved}");
        }
        Err(error) => {
            assert!(error.total > 0);
            let plain = error.render(false);
            assert!(!plain.contains('\u{1b}'), "{plain:?}");
            assert!(!error.short().contains('\u{1b}'));
            error.render(true);
        }
    }
}

fn cases() -> ProptestConfig {
    crate::support::fuzz::config(1000)
}

/// Parts of configs, right and wrong.
fn piece() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "[game]",
        "[[agents]]",
        "[schedule]",
        "[openings]",
        "[sprt]",
        "[limits]",
        "[limits]",
        "[[game]]",
        "[agents]",
        "kind",
        "name",
        "depth",
        "agent",
        "games",
        "list",
        "plies",
        "weights",
        "=",
        "\"connect4\"",
        "\"alphabeta\"",
        "\"noisy\"",
        "\"random\"",
        "\"list\"",
        "\"{depth}\"",
        "\"{{\"",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "1",
        "-1",
        "1e999",
        "nan",
        "true",
        "[1, 2]",
        "{ kind = \"random\" }",
        "[\"4 4\", \"9\"]",
        "\n",
        "\n",
        "\n",
        "\r\n",
        "\u{0}",
        "\u{feff}",
        "é",
        "日本",
        "'",
        "\"\"\"",
        "#",
        "\\",
        "99999999999999999999999999",
        "2020-01-01",
        "\t",
    ]);
    prop_oneof![4 => words.prop_map(str::to_owned), 1 => any::<String>()]
}

/// A config that is almost right.
fn config() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        "1",
        "0",
        "-5",
        "2.5",
        "true",
        "\"random\"",
        "\"\"",
        "[1, 2, 3]",
        "[]",
        "{}",
        "{ kind = \"minimax\", depth = [1, 2] }",
        "\"full\"",
        "[\"4\"]",
        "\"list\"",
        "nan",
        "\"self-play\"",
        "9223372036854775807",
        "[[1], [2]]",
        "\"{kind}\"",
        "1979-05-27",
    ]);
    let key = prop::sample::select(vec![
        "seed",
        "name",
        "question",
        "kind",
        "depth",
        "nodes",
        "ordering",
        "ties",
        "agent",
        "epsilon",
        "temperature",
        "weights",
        "evaluator",
        "format",
        "games",
        "include_self",
        "plies",
        "list",
        "file",
        "max_plies",
        "elo1",
        "max_games",
        "moves",
        "columns",
        "zzz",
        "a.b",
    ]);
    let header = prop::sample::select(vec![
        "[game]\nkind = \"connect4\"",
        "[[agents]]\nkind = \"alphabeta\"\ndepth = 1",
        "[[agents]]\nkind = \"noisy\"",
        "[[agents]]\nkind = \"random\"",
        "[schedule]",
        "[openings]",
        "[limits]",
        "[limits]",
    ]);
    let line = (key, value).prop_map(|(key, value)| format!("{key} = {value}"));
    let section = (header, prop::collection::vec(line.clone(), 0..4))
        .prop_map(|(header, lines)| format!("{header}\n{}\n", lines.join("\n")));
    (prop::collection::vec(line, 0..3), prop::collection::vec(section, 0..6))
        .prop_map(|(top, sections)| format!("{}\n{}", top.join("\n"), sections.join("\n")))
}

#[test]
fn any_text_is_read_or_refused() {
    let target = Target::new("configs of any text");
    proptest!(cases(), |(text in any::<String>())| {
        survives(&target, &text, &[]);
    });
}

#[test]
fn any_pieces_are_read_or_refused() {
    let target = Target::new("configs of pieces");
    proptest!(cases(), |(pieces in prop::collection::vec(piece(), 0..40))| {
        survives(&target, &pieces.join(" "), &[]);
        survives(&target, &pieces.concat(), &[]);
    });
}

#[test]
fn nearly_right_configs_are_read_or_refused() {
    let target = Target::new("configs that are nearly right");
    proptest!(cases(), |(text in config())| {
        survives(&target, &text, &[]);
    });
}

#[test]
fn what_is_right_survives_the_way_to_toml_and_back() {
    let target = Target::new("configs that are right");
    proptest!(cases(), |(
        name in "\\PC{1,20}",
        question in any::<String>(),
        seed in 0..=i64::MAX,
        epsilon in 0.0..=1.0,
        weight in any::<i16>(),
        games in 1u64..500_000_000,
        plies in 1i64..40,
        max_plies in 41u32..100_000,
    )| {
        let set = |values: &str| format!(
            "question = {}\nseed = {seed}\n[game]\nkind = \"connect4\"\n[[agents]]\n\
             name = {}\n{values}\n[[agents]]\nname = \"-\"\nkind = \"noisy\"\n\
             epsilon = {epsilon:?}\nagent = {{ kind = \"minimax\", depth = 1 }}\n\
             [schedule]\ngames = {}\n[openings]\nkind = \"random\"\nplies = {plies}\n\
             [limits]\nmax_plies = {max_plies}\n",
            quoted(&question),
            quoted(&name.trim().replace('{', "{{").replace('}', "}}")),
            2 * games,
        );
        let weights = format!("kind = \"minimax\"\ndepth = 1\nweights = {{ three = {weight} }}");
        let text = set(&weights);
        let registry = Registry::builtin();
        prop_assume!(!name.trim().is_empty() && name.trim() != "-");
        let experiment = target
            .feed(text.len(), || parse(&text, "right.toml", &Overrides::default(), &registry))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        let again = parse(&experiment.to_toml(), "other.toml", &Overrides::default(), &registry);
        prop_assert_eq!(again.as_ref().ok(), Some(&experiment));
        prop_assert_eq!(again.map(|again| again.hash()).ok(), Some(experiment.hash()));
    });
}

#[test]
fn any_option_is_read_or_refused() {
    let target = Target::new("options of configs");
    let options = prop::collection::vec(prop::collection::vec(piece(), 0..8), 0..3);
    proptest!(cases(), |(text in config(), set in options)| {
        let set: Vec<String> = set.into_iter().map(|pieces| pieces.concat()).collect();
        survives(&target, &text, &set);
    });
}

#[test]
fn any_spec_is_read_or_refused() {
    let target = Target::new("games and agents on the command line");
    let words = prop::sample::select(vec![
        "noisy",
        "alphabeta",
        "mnk",
        ":",
        "=",
        ",",
        "(",
        ")",
        "{",
        "}",
        "depth",
        "agent",
        "1",
        "\"",
        "'",
        "[",
        "]",
        "epsilon",
        "é",
        "\u{0}",
    ]);
    let pieces = prop_oneof![words.prop_map(str::to_owned), any::<String>()];
    let pieces = prop::collection::vec(pieces, 0..20);
    let registry = Registry::builtin();
    let (_, any_game) = parse_game_spec("connect4", "--game", &registry).expect("a game");
    proptest!(cases(), |(text in any::<String>(), pieces in pieces)| {
        for text in [text, pieces.concat()] {
            target.feed(text.len(), || {
                for option in ["--game", ""] {
                    if let Err(error) = parse_game_spec(&text, option, &registry) {
                        error.render(false);
                        error.short();
                    }
                    if let Err(error) = parse_agent_spec(&text, option, &any_game, &registry) {
                        error.render(true);
                    }
                }
            });
        }
    });
}

#[test]
fn nesting_beyond_measure_is_refused() {
    let deep = |open: &str, close: &str, times: usize| {
        format!("{}{}", open.repeat(times), close.repeat(times))
    };
    let target = Target::new("configs nested beyond measure");
    let dotted = vec!["a"; 79].join(".");
    for text in [
        format!("x = {}", deep("[", "]", 100_000)),
        format!("x = {}", deep("{ a = ", "}", 100_000)),
        format!("x = {}", deep(&format!("{{ {dotted} = "), "}", 79)),
        format!("[{dotted}]\n{dotted} = {}", deep(&format!("{{ {dotted} = "), "}", 79)),
        format!("{} = 1", vec!["a"; 100_000].join(".")),
        format!(
            "[[agents]]\nkind = \"noisy\"\nagent = {}",
            deep("{ kind = \"noisy\", agent = ", "}", 60)
        ),
        "[".repeat(100_000),
        "a = \"".repeat(10_000),
        "\n[a]".repeat(10_000),
        "x=1\n".repeat(10_000),
    ] {
        survives(&target, &text, &[]);
        survives(&target, "", &[text]);
    }
    let registry = Registry::builtin();
    let spec = deep("noisy:agent=(", ")", 50_000);
    assert!(parse_game_spec(&spec, "--game", &registry).is_err());
}
