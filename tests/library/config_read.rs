//! Valid configs: defaults, sweeps, options, and the conversion back to TOML.

use agon::config::{Experiment, Overrides, ScheduleFormat, Sequential, load, parse, read};
use agon::params::Value;
use agon::play::{Openings, Registry, SetupError};
use agon::stats::sprt::SprtSettings;

const GAME: &str = "[game]\nkind = \"connect4\"\n";

fn with(overrides: &Overrides, text: &str) -> Experiment {
    let registry = Registry::builtin();
    parse(text, "folder/stem.toml", overrides, &registry).unwrap_or_else(|error| panic!("{error}"))
}

fn good(text: &str) -> Experiment {
    with(&Overrides::default(), text)
}

fn set(words: &[&str], text: &str) -> Experiment {
    let set = words.iter().map(|word| (*word).to_owned()).collect();
    with(&Overrides { set, ..Overrides::default() }, text)
}

fn names(experiment: &Experiment) -> Vec<&str> {
    experiment.agents.iter().map(|agent| agent.name.as_str()).collect()
}

#[test]
fn what_is_left_out_has_a_default() {
    let experiment = good(&format!(
        "{GAME}[[agents]]\nkind = \"random\"\n[[agents]]\nkind = \"minimax\"\ndepth = 2\n"
    ));
    assert_eq!(experiment.name, "stem");
    assert_eq!(experiment.question, None);
    assert_eq!(experiment.seed, 0);
    assert_eq!(experiment.game.values.int("columns"), Some(7));
    assert_eq!(experiment.any_game.kind(), "connect4");
    assert_eq!(names(&experiment), ["random", "minimax"]);
    assert_eq!(experiment.agents[1].spec.values.text("ties"), Some("first"));
    assert_eq!(experiment.schedule.format, ScheduleFormat::ROUND_ROBIN);
    assert_eq!(experiment.schedule.games, 100);
    assert!(!experiment.schedule.include_self);
    assert_eq!(experiment.openings, Openings::Random { plies: 4 });
    assert_eq!(experiment.limits.max_plies, 400);
    assert_eq!(experiment.openings_wanted(), 50);
}

#[test]
fn without_their_section_openings_are_random_where_the_game_has_enough() {
    let random = |plies| Openings::Random { plies };
    for (game, games, more, wanted) in [
        ("connect4", 2, "", random(4)),
        // 4 plies give 568 positions up to symmetry, 6 plies a few thousand.
        ("connect4", 1_200, "", random(6)),
        ("connect4", 2, "[limits]\nmax_plies = 4\n", Openings::Start),
        ("connect4", 2, "[openings]\nkind = \"start\"\n", Openings::Start),
        ("connect4", 10_000_000_000_u64, "", Openings::Start),
        ("mnk\"\nm = 15\nn = 15\nk = \"5", 100, "", random(4)),
        ("chess", 100, "", random(4)),
        // There are 12 positions after 2 plies up to symmetry, and far fewer than 5000 after any
        // number.
        ("tictactoe", 24, "", random(2)),
        ("tictactoe", 26, "", random(4)),
        ("tictactoe", 10_000, "", Openings::Start),
        ("pig", 100, "", Openings::Start),
        ("einstein", 100, "", Openings::Start),
    ] {
        let game = game.replace("k = \"5", "k = 5\n#");
        let experiment = good(&format!(
            "[game]\nkind = \"{game}\"\n[[agents]]\nname = \"r{{epsilon}}\"\nkind = \"noisy\"\n\
             agent = {{ kind = \"random\" }}\nepsilon = [0.1, 0.2]\n[schedule]\ngames = {games}\n{more}"
        ));
        assert_eq!(experiment.openings, wanted, "{game}, {games} games");
        // The resolved config contains it.
        assert_eq!(good(&experiment.to_toml()).openings, wanted);
    }
}

#[test]
fn self_play_includes_the_agents_themselves_and_takes_odd_numbers() {
    let text = format!(
        "{GAME}[[agents]]\nkind = \"random\"\n[schedule]\nformat = \"self-play\"\ngames = 7\n"
    );
    let experiment = good(&text);
    assert!(experiment.schedule.include_self);
    assert_eq!(experiment.openings_wanted(), 7);
}

#[test]
fn lists_make_all_combinations_in_the_order_of_the_file() {
    let sweep = "[[agents]]\nname = \"{ordering}-{depth}\"\nkind = \"alphabeta\"\n\
                 ordering = [\"none\", \"full\"]\ndepth = [3, 1]\n";
    let experiment = good(&format!("{GAME}{sweep}"));
    assert_eq!(names(&experiment), ["none-3", "none-1", "full-3", "full-1"]);
    assert_eq!(experiment.agents[2].spec.values.int("depth"), Some(3));
    assert_eq!(experiment.agents[2].spec.values.text("ordering"), Some("full"));
}

#[test]
fn agents_without_a_name_are_named_by_what_is_swept() {
    let sweep = "[[agents]]\nkind = \"alphabeta\"\ndepth = [1, 2]\nties = \"random\"\n\
                 [[agents]]\nkind = \"noisy\"\nepsilon = [0, 0.25]\n\
                 agent = { kind = \"alphabeta\", depth = [4, 5] }\n";
    let experiment = good(&format!("{GAME}{sweep}"));
    assert_eq!(
        names(&experiment),
        [
            "alphabeta-depth1",
            "alphabeta-depth2",
            "noisy-epsilon0-agent-depth4",
            "noisy-epsilon0-agent-depth5",
            "noisy-epsilon0.25-agent-depth4",
            "noisy-epsilon0.25-agent-depth5",
        ]
    );
    let inner = experiment.agents[5].spec.values.spec("agent").expect("an agent");
    assert_eq!((inner.kind.as_str(), inner.values.int("depth")), ("alphabeta", Some(5)));
    assert_eq!(inner.values.text("ties"), Some("first"));
}

#[test]
fn kinds_can_be_swept_over() {
    let sweep = "[[agents]]\nkind = [\"minimax\", \"alphabeta\"]\ndepth = [1, 2]\n";
    assert_eq!(
        names(&good(&format!("{GAME}{sweep}"))),
        ["minimax-depth1", "minimax-depth2", "alphabeta-depth1", "alphabeta-depth2"]
    );
}

#[test]
fn braces_are_doubled_in_names() {
    let agent = "[[agents]]\nname = \"a{{depth}}{depth}\"\nkind = \"minimax\"\ndepth = [1, 2]\n";
    let experiment = good(&format!("{GAME}{agent}"));
    assert_eq!(names(&experiment), ["a{depth}1", "a{depth}2"]);
    assert_eq!(good(&experiment.to_toml()), renamed(experiment, "stem"));
}

fn renamed(mut experiment: Experiment, name: &str) -> Experiment {
    experiment.name = name.to_owned();
    experiment
}

#[test]
fn options_override_any_key() {
    let text = format!(
        "{GAME}[[agents]]\nname = \"a\"\nkind = \"minimax\"\ndepth = 1\n\
         [[agents]]\nname = \"v1.{{depth}}\"\nkind = \"minimax\"\ndepth = [2, 3]\n\
         [[agents]]\nkind = \"noisy\"\nepsilon = 0.5\nagent = {{ kind = \"random\" }}\n"
    );
    let experiment = set(
        &[
            "agents.a.depth = 5",
            "agents.\"v1.{depth}\".depth=[7,8]",
            "agents.2.agent.kind=minimax",
            "agents.noisy.agent.depth=2",
            "game.columns=8",
            "schedule.games=50",
            "openings={kind=\"list\",list=[\"4 4\", \"3\"]}",
            "openings.list.1=5",
            "question=What = this?",
            "name=7",
            "seed=1",
            "seed=2",
        ],
        &text,
    );
    assert_eq!(names(&experiment), ["a", "v1.7", "v1.8", "noisy"]);
    assert_eq!(experiment.agents[0].spec.values.int("depth"), Some(5));
    let inner = experiment.agents[3].spec.values.spec("agent").expect("an agent");
    assert_eq!((inner.kind.as_str(), inner.values.int("depth")), ("minimax", Some(2)));
    assert_eq!(experiment.game.values.int("columns"), Some(8));
    assert_eq!(experiment.schedule.games, 50);
    assert_eq!(experiment.openings, Openings::List(vec!["4 4".into(), "5".into()]));
    assert_eq!(experiment.question.as_deref(), Some("What = this?"));
    assert_eq!(experiment.name, "7");
    assert_eq!(experiment.seed, 2);

    let numbers = Overrides {
        seed: Some(9),
        games: Some(4),
        set: vec!["seed=3".into()],
        ..Overrides::default()
    };
    let experiment = with(&numbers, &text);
    assert_eq!((experiment.seed, experiment.schedule.games), (9, 4));
}

#[test]
fn a_whole_experiment_can_be_set_on_the_command_line() {
    let experiment = set(
        &["game.kind=tictactoe", "agents=[{kind=\"random\"}]", "schedule.format=self-play"],
        "",
    );
    assert_eq!(experiment.any_game.kind(), "tictactoe");
    assert_eq!(names(&experiment), ["random"]);
}

#[test]
fn openings_come_from_files_beside_the_config() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("book.txt", "\u{feff}# Openings.\r\n\r\n4 4\r\n  3 4 5\t\r\n# The end.").expect("ok");
    let config = format!(
        "\u{feff}{GAME}[[agents]]\nkind = \"random\"\n[schedule]\nformat = \"self-play\"\n\
         [openings]\nkind = \"file\"\nfile = \"book.txt\"\n"
    );
    write("with book.toml", &config).expect("ok");
    let path = folder.path().join("with book.toml");
    let experiment = load(&path, &Overrides::default(), &Registry::builtin()).expect("right");
    assert_eq!(experiment.name, "with book");
    assert_eq!(experiment.openings, Openings::List(vec!["4 4".into(), "3 4 5".into()]));
    // The resolved config needs no other file.
    assert_eq!(good(&experiment.to_toml()), experiment);
}

#[test]
fn every_config_that_comes_along_resolves_to_itself() {
    let registry = Registry::builtin();
    let mut count = 0;
    for entry in std::fs::read_dir("configs").expect("the configs") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("readable");
        assert!(text.starts_with("#:schema ../agon.schema.json\n"), "{}", path.display());
        let experiment = load(&path, &Overrides::default(), &registry);
        let experiment = experiment.unwrap_or_else(|error| panic!("{error}"));
        assert!(experiment.question.is_some(), "{}", path.display());
        let resolved = good(&experiment.to_toml());
        assert_eq!(resolved, experiment, "{}", experiment.to_toml());
        assert_eq!(resolved.to_toml(), experiment.to_toml());
        assert_eq!(resolved.hash(), experiment.hash());
        assert_eq!(experiment.differing_keys(&resolved), []);
        let lineup = experiment.any_game.lineup(experiment.setup());
        assert!(lineup.is_ok(), "{}: {}", path.display(), lineup.err().expect("an error"));
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn the_hash_is_that_of_the_games_and_stays() {
    let text = format!(
        "{GAME}[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"mm\"\nkind = \"minimax\"\n\
         depth = 2\n"
    );
    let experiment = good(&text);
    // A fixed value: the hash identifies results folders.
    let plain = "[[agents]]\nkind = \"random\"\n[schedule]\nformat = \"self-play\"\n\
                 [openings]\nkind = \"start\"\n";
    assert_eq!(good(&format!("{GAME}{plain}")).hash(), "3fc9a4922c545c6c");
    let same = set(&["name=other", "question=Why?"], &text);
    assert_eq!(same.hash(), experiment.hash());
    assert_eq!(same.differing_keys(&experiment), []);
    for word in [
        "seed=1",
        "schedule.games=2",
        "schedule.include_self=true",
        "game.columns=8",
        "agents.0.name=r",
        "agents.mm.depth=3",
        "agents.mm.weights={three=99}",
        "openings={kind=\"random\",plies=2}",
        "limits.max_plies=20",
    ] {
        let other = set(&[word], &text);
        assert_ne!(other.hash(), experiment.hash(), "{word}");
        assert!(!other.differing_keys(&experiment).is_empty(), "{word}");
    }
}

#[test]
fn differing_keys_are_named_with_both_values() {
    let text = format!(
        "{GAME}[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"n\"\n\
                        kind = \"noisy\"\nepsilon = 0.5\nagent = {{ kind = \"minimax\", depth = 2 }}\n"
    );
    let here = good(&text);
    let there = set(&["agents.n.agent.depth=3", "seed=4", "openings.kind=start"], &text);
    let differing: Vec<_> = here
        .differing_keys(&there)
        .into_iter()
        .map(|(key, here, there)| format!("{key}: {here} / {there}"))
        .collect();
    assert_eq!(
        differing,
        [
            "seed: 0 / 4",
            "agents.n.agent.depth: 2 / 3",
            "openings.kind: \"random\" / \"start\"",
            "openings.plies: 4 / —",
        ]
    );
}

#[test]
fn what_shows_when_the_run_is_set_up_is_reported_at_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("few.toml");
    let text = "[game]\nkind = \"tictactoe\"\n\n[[agents]]\nkind = \"random\"\n\n[[agents]]\n\
                name = \"b\"\nkind = \"random\"\n\n[schedule]\ngames = 100\n\n[openings]\n\
                kind = \"random\"\nplies = 1\n";
    std::fs::write(&path, text).expect("writable");
    let registry = Registry::builtin();
    let reading = read(&path, &Overrides::default(), &registry).expect("right");
    let experiment = &reading.experiment;
    let error = experiment.any_game.lineup(experiment.setup()).err().expect("too few");
    let shown = reading.setup_error(&error).render(false);
    assert_eq!(
        shown.replace(&folder.path().display().to_string(), "DIR"),
        "\
error: there are not 50 different openings of 1 ply
  --> DIR/few.toml:16:9
   |
12 | games = 100
   |         --- these games need 50
...
16 | plies = 1
   |         ^ there are 3, symmetric ones counted once
   |
   = help: ask for another number of plies or at most 6 games
"
    );
    let again = agon::config::setup_error(&path, &Overrides::default(), &registry, &error);
    assert_eq!(again.render(false), shown);
    assert!(matches!(error, SetupError::Openings(_)));
}

#[test]
fn numbers_for_names_keep_their_form() {
    let agent = "[[agents]]\nname = \"e{epsilon}\"\nkind = \"noisy\"\n\
                 agent = { kind = \"random\" }\nepsilon = [0.1, 1, 1e-5]\n";
    let experiment = good(&format!("{GAME}{agent}"));
    assert_eq!(names(&experiment), ["e0.1", "e1", "e0.00001"]);
    assert_eq!(experiment.agents[1].spec.values.get("epsilon"), Some(&Value::Float(1.0)));
}

const TWO: &str = "[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"r\"\nkind = \"random\"\n";

#[test]
fn a_sequential_test_is_one_of_two_agents_and_its_cap_is_that_of_the_schedule() {
    let text = |more: &str| format!("{GAME}{TWO}{more}");
    assert_eq!(good(&text("")).kind.sequential_test(), None);
    for (more, games) in [
        ("[sprt]\n", 40_000),
        ("[sprt]\nmax_games = 500\n", 500),
        ("[sprt]\nmax_games = 500\n[schedule]\ngames = 400\n", 400),
        ("[sprt]\nmax_games = 300\n[schedule]\ngames = 400\n", 300),
    ] {
        let experiment = good(&text(more));
        assert_eq!(experiment.schedule.games, games, "{more}");
        assert_eq!(experiment.kind.sequential_test(), SprtSettings::default().check().ok());
        assert_eq!(good(&experiment.to_toml()), experiment, "{}", experiment.to_toml());
    }
    let plain = good(&text("[schedule]\ngames = 400\n"));
    let tested = good(&text("[sprt]\nelo1 = 7\nmax_games = 400\n"));
    let keys: Vec<String> =
        plain.differing_keys(&tested).into_iter().map(|(key, ..)| key).collect();
    assert!(keys.contains(&"sprt.elo1".to_owned()) && !keys.contains(&"schedule.games".to_owned()));
    assert_ne!(plain.hash(), tested.hash());
}

#[test]
fn the_command_line_may_ask_for_a_sequential_test() {
    let sequential = Sequential { elo1: Some(20.0), ..Sequential::default() };
    let overrides = Overrides { sequential: Some(sequential), ..Overrides::default() };
    let settings =
        |text: &str| *with(&overrides, text).kind.sequential_test().expect("a test").settings();
    let found = settings(&format!("{GAME}{TWO}"));
    assert_eq!(found, SprtSettings { elo1: 20.0, ..SprtSettings::default() });
    let found = settings(&format!("{GAME}{TWO}[sprt]\nelo0 = 10\nelo1 = 11\n"));
    assert_eq!(found, SprtSettings { elo0: 10.0, elo1: 20.0, ..SprtSettings::default() });
}
