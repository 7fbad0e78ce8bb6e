//! Tests of agents: their parameters, their errors, and their random numbers.

use crate::support::agents::{choose, spec};
use crate::support::search::build as build_game;
use agon::agents::{build, catalogue, game_of};
use agon::arena::Schedule;
use agon::config::{Overrides, parse};
use agon::games::{Configurable, Connect4Standard, Game, Player, TicTacToe, Turn};
use agon::params::{Default, Param, ParamError, Spec, Type, Value, Values};
use agon::play::{AnyGame, MoveTexts, Registry};

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn refused<G: Configurable>(game: &G, spec: &Spec) -> ParamError {
    match build(game, spec) {
        Ok(_) => panic!("{spec:?} was accepted"),
        Err(error) => error,
    }
}

/// Whether the value has the parameter's type and is in its range.
fn allowed(param: &Param, value: &Value) -> bool {
    match (&param.ty, value) {
        (Type::Int { min, max }, Value::Int(v)) => (min..=max).contains(&v),
        (Type::Float { min, max }, Value::Float(v)) => (min..=max).contains(&v),
        (Type::Bool, Value::Bool(_)) | (Type::Text, Value::Text(_)) => true,
        (Type::Choice(words), Value::Text(word)) => words.contains(&word.as_str()),
        _ => false,
    }
}

fn connect4() -> Connect4Standard {
    build_game(&[])
}

/// One spec for every kind and every choice of its parameters.
fn all_specs() -> Vec<Spec> {
    let mut specs = vec![
        spec("random", &[]),
        spec("minimax", &[("depth", Value::Int(2))]),
        spec("alphabeta", &[("nodes", Value::Int(500))]),
        spec("alphabeta", &[("movetime", Value::Int(1))]),
        spec("alphabeta", &[("depth", Value::Int(3)), ("quiescence", Value::Bool(true))]),
        spec("alphabeta", &[("depth", Value::Int(3)), ("table_mb", Value::Int(0))]),
        spec("expectimax", &[("depth", Value::Int(2))]),
        spec("expectimax", &[("nodes", Value::Int(500))]),
        spec("expectimax", &[("movetime", Value::Int(1))]),
        spec("mcts", &[("simulations", Value::Int(300))]),
        spec("mcts", &[("nodes", Value::Int(3000)), ("reuse", Value::Bool(true))]),
        spec("mcts", &[("movetime", Value::Int(1)), ("ties", text("random"))]),
    ];
    for word in ["none", "star1", "star2"] {
        let opponent = ("opponent", text("perfect"));
        let given = [("depth", Value::Int(2)), ("pruning", text(word)), opponent];
        specs.push(spec("expectimax", &given));
    }
    for kind in ["minimax", "alphabeta", "expectimax"] {
        for (key, value) in [
            ("exponent", Value::Float(0.5)),
            ("risk", Value::Float(-0.01)),
            ("points", Value::Pairs(vec![(-5.0, -9.0), (5.0, 1.0)])),
        ] {
            let word = [("exponent", "power"), ("risk", "exponential"), ("points", "table")];
            let word = word.iter().find(|(name, _)| *name == key).unwrap().1;
            let given = [("depth", Value::Int(2)), ("utility", text(word)), (key, value)];
            specs.push(spec(kind, &given));
        }
    }
    for word in ["none", "static", "full"] {
        specs.push(spec("alphabeta", &[("depth", Value::Int(3)), ("ordering", text(word))]));
    }
    for (model, key, number) in [("epsilon", "epsilon", 0.3), ("softmax", "temperature", 5.0)] {
        let given =
            [("depth", Value::Int(2)), ("opponent", text(model)), (key, Value::Float(number))];
        specs.push(spec("expectimax", &given));
    }
    for kind in ["minimax", "alphabeta", "expectimax"] {
        for (key, word) in [("ties", "random"), ("terminal", "evaluator"), ("evaluator", "zero")] {
            specs.push(spec(kind, &[("depth", Value::Int(2)), (key, text(word))]));
        }
    }
    for inner in specs.clone() {
        let inner = ("agent", Value::Spec(Box::new(inner)));
        specs.push(spec("noisy", &[inner.clone(), ("epsilon", Value::Float(0.5))]));
        specs.push(spec("noisy", &[inner, ("temperature", Value::Float(5.0))]));
    }
    specs
}

#[test]
fn every_agent_plays_legal_moves_and_reports() {
    let game = connect4();
    for spec in all_specs() {
        let Ok(mut agent) = build(&game, &spec) else {
            let inner = spec.values.spec("agent").unwrap();
            assert!(spec.kind == "noisy" && ["random", "mcts"].contains(&inner.kind.as_str()));
            continue;
        };
        for seed in 0..3 {
            let mut state = game.start();
            agent.new_game(&game, Player::First);
            let mut plies = 0;
            while let Turn::Player(player) = game.turn(&state) {
                let (mv, search_info, _) = choose(&mut agent, &game, &state, seed * 100 + plies);
                let mut legal = Vec::new();
                game.moves(&state, &mut legal);
                assert!(legal.contains(&mv), "{spec:?} plays {mv}");
                if !["random", "noisy"].contains(&spec.kind.as_str()) {
                    assert!(search_info.searched && search_info.stats.nodes > 0, "{spec:?}");
                    assert!(search_info.value.is_some_and(f64::is_finite), "{spec:?} {player:?}");
                }
                game.play(&mut state, mv);
                plies += 1;
            }
        }
    }
}

/// The same stream leads to the same game; only ties and noise use random numbers.
#[test]
fn randomness_is_drawn_only_where_it_is_needed() {
    // A single best move, because it wins at once; then a position with one legal move.
    let game = connect4();
    let won = game.read_position("414141").unwrap();
    let forced = TicTacToe.read_position("XOXXOO_XO").unwrap();
    let timed = |spec: &Spec| spec.values.int("movetime").is_some();
    let mut compared = 0;
    for spec in &all_specs() {
        if timed(spec) || spec.values.spec("agent").is_some_and(timed) {
            continue;
        }
        let Ok(mut agent) = build(&game, spec) else { continue };
        let (first, _, words) = choose(&mut agent, &game, &game.start(), 7);
        agent.new_game(&game, Player::First);
        assert_eq!((first, words), {
            let (mv, _, words) = choose(&mut agent, &game, &game.start(), 7);
            (mv, words)
        });
        let random = spec.values.text("ties") == Some("random");
        let noisy = ["random", "noisy", "mcts"].contains(&spec.kind.as_str());
        assert!(words == 0 || random || noisy, "{spec:?}");
        let (_, _, words) = choose(&mut agent, &game, &won, 7);
        assert!(words == 0 || noisy, "{spec:?}");
        let mut agent = build(&TicTacToe, spec).unwrap();
        let (mv, _, words) = choose(&mut agent, &TicTacToe, &forced, 7);
        assert_eq!(mv, 6);
        // The random player uses random numbers in every position.
        let player = spec.values.spec("agent").unwrap_or(spec);
        assert!(words == 0 || player.kind == "random", "{spec:?}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

/// All openings of tic-tac-toe are drawn, so all of them must occur.
#[test]
fn random_ties_are_fair() {
    for kind in ["minimax", "alphabeta"] {
        let spec = spec(kind, &[("depth", Value::Int(9)), ("ties", text("random"))]);
        let mut agent = build(&TicTacToe, &spec).unwrap();
        let mut counts = [0; 9];
        let games = if kind == "minimax" { 40 } else { 900 };
        for seed in 0..games {
            let (mv, _, words) = choose(&mut agent, &TicTacToe, &TicTacToe.start(), seed);
            counts[usize::from(mv)] += 1;
            assert!(words > 0);
        }
        assert!(counts.iter().all(|&count| count > 0), "{kind} {counts:?}");
        let most = counts.iter().max().unwrap();
        assert!(kind == "minimax" || *most < 140, "{counts:?}");
    }
}

#[test]
fn noise_is_as_strong_as_asked_for() {
    let best = spec("alphabeta", &[("depth", Value::Int(1)), ("table_mb", Value::Int(0))]);
    let inner = ("agent", Value::Spec(Box::new(best)));
    let game = connect4();
    let state = game.read_position("414141").unwrap();
    let share = |given: (&str, Value)| {
        let mut agent = build(&game, &spec("noisy", &[inner.clone(), given])).unwrap();
        let wins = (0..4000).filter(|&seed| choose(&mut agent, &game, &state, seed).0 == 3);
        wins.count() as f64 / 4000.0
    };
    for (epsilon, expected) in [(0.0, 1.0), (0.35, 0.7), (1.0, 1.0 / 7.0)] {
        let share = share(("epsilon", Value::Float(epsilon)));
        assert!((share - expected).abs() < 0.03, "{epsilon}: {share}");
    }
    // The win is worth 2e9 more than any other move: six others have a weight of exp(-4) each.
    let share = share(("temperature", Value::Float(5e8)));
    assert!((share - 1.0 / (1.0 + 6.0 * (-4.0f64).exp())).abs() < 0.02, "{share}");
}

#[test]
fn mistakes_name_the_key_and_have_help() {
    let game = connect4();
    let inner = |spec: Spec| ("agent", Value::Spec(Box::new(spec)));
    let depth = ("depth", Value::Int(3));
    let random = inner(spec("random", &[]));
    let epsilon = ("epsilon", Value::Float(0.1));
    let temperature = ("temperature", Value::Float(1.0));
    let simulations = ("simulations", Value::Int(10));
    let pairs = |pairs: &[(f64, f64)]| Value::Pairs(pairs.to_vec());
    let shaped = |kind, word, key, value| {
        spec(kind, &[("depth", Value::Int(3)), ("utility", text(word)), (key, value)])
    };
    let cases = [
        (spec("minimax", &[]), "depth"),
        (spec("alphabeta", &[]), "depth"),
        (spec("alphabeta", &[depth.clone(), ("table_mb", Value::Int(1 << 40))]), "table_mb"),
        (spec("expectimax", &[]), "depth"),
        (spec("expectimax", &[depth.clone(), ("opponent", text("epsilon"))]), "opponent"),
        (spec("expectimax", &[depth.clone(), ("opponent", text("softmax"))]), "opponent"),
        (spec("expectimax", &[depth.clone(), epsilon.clone()]), "epsilon"),
        (spec("expectimax", &[depth.clone(), temperature.clone()]), "temperature"),
        (spec("expectimax", &[depth.clone(), ("utility", text("power"))]), "utility"),
        (spec("minimax", &[depth.clone(), ("risk", Value::Float(0.1))]), "risk"),
        (shaped("alphabeta", "power", "exponent", Value::Float(-1.0)), "exponent"),
        (shaped("expectimax", "exponential", "risk", Value::Float(0.0)), "risk"),
        (shaped("expectimax", "table", "points", pairs(&[(0.0, 0.0), (1.0, 0.0)])), "points"),
        (shaped("minimax", "table", "points", pairs(&[(0.0, 0.0), (0.0, 1.0)])), "points"),
        (shaped("expectimax", "table", "points", pairs(&[(0.0, 0.0)])), "points"),
        (spec("mcts", &[]), "simulations"),
        (spec("mcts", &[simulations.clone(), ("tree_mb", Value::Int(1 << 40))]), "tree_mb"),
        (
            spec("mcts", &[simulations, ("tree_mb", Value::Int(1)), ("reuse", Value::Bool(true))]),
            "tree_mb",
        ),
        (spec("noisy", std::slice::from_ref(&epsilon)), "agent"),
        (spec("noisy", std::slice::from_ref(&random)), "agent"),
        (spec("noisy", &[random.clone(), temperature.clone()]), "temperature"),
        (spec("noisy", &[random, epsilon.clone(), temperature]), "temperature"),
        (spec("noisy", &[inner(spec("minimax", &[])), epsilon]), "agent"),
        (spec("minimax", &[depth.clone(), ("evaluator", text("segmants"))]), "evaluator"),
        (Spec { kind: "minmax".to_owned(), values: Values::default() }, "kind"),
    ];
    for (spec, key) in cases {
        let error = refused(&game, &spec);
        assert_eq!(error.key.as_deref(), Some(key), "{error}");
        assert!(!error.help.is_empty(), "{error}");
        assert!(!error.message.ends_with('.'), "{error}");
    }
    let weights = [("twoo".to_owned(), 5)].into_iter().collect();
    let weights = [depth, ("evaluator", text("segments")), ("weights", Value::Weights(weights))];
    assert!(refused(&game, &spec("minimax", &weights)).to_string().contains("two"));
}

#[test]
fn the_catalogue_is_complete() {
    for info in catalogue() {
        assert!(!info.summary.is_empty() && !info.summary.ends_with('.'));
        assert!(info.example.contains(&format!("kind = \"{}\"", info.kind)));
        for param in &info.params {
            assert!(!param.help.is_empty() && !param.help.ends_with('.'), "{}", param.key);
            if let Default::Is(value) = &param.default {
                assert!(allowed(param, value), "{}: {}", info.kind, param.key);
            }
        }
    }
}

/// The spec with only the values in the TOML table.
fn bare(spec: &Spec, stated: &toml::Table) -> Spec {
    let mut values = Values::default();
    for (key, value) in &spec.values.0 {
        match (value, stated.get(key)) {
            (Value::Spec(inner), Some(toml::Value::Table(stated))) => {
                values.set(key, Value::Spec(Box::new(bare(inner, stated))));
            }
            (value, Some(_)) => values.set(key, value.clone()),
            (_, None) => {}
        }
    }
    Spec { kind: spec.kind.clone(), values }
}

#[test]
fn an_agent_of_the_library_is_the_same_as_that_of_a_config() {
    for info in catalogue() {
        let game = game_of(info.kind).unwrap_or("tictactoe");
        let config = format!(
            "[game]\nkind = \"{game}\"\n[[agents]]\n{}\n[[agents]]\nname = \"other\"\n\
             kind = \"random\"\n[schedule]\ngames = 2\nallow_duplicates = true\n",
            info.example
        );
        let experiment = parse(&config, "t.toml", &Overrides::default(), &Registry::builtin())
            .unwrap_or_else(|error| panic!("{}", error.render(false)));
        let whole = &experiment.agents[0].spec;
        let bare = bare(whole, &info.example.parse().expect("TOML"));
        let needs = Registry::builtin().requirements(&bare);
        assert_eq!(needs, experiment.agents[0].needs, "{}", info.kind);
        if info.kind == "engine" {
            // The example's program may not exist.
            assert!(bare.values.0.len() < whole.values.0.len());
            assert_eq!(bare.values.filled(&info.params), whole.values);
            continue;
        }
        let played = |spec: &Spec| {
            let mut setup = experiment.setup();
            setup.agents[0] = spec.clone();
            let lineup = experiment.any_game.lineup(setup).expect("agents");
            let schedule = Schedule::new(&experiment, lineup.openings());
            let (mut worker, mut texts) = (lineup.worker(), MoveTexts::default());
            let games = schedule.unit(0).map(|game| {
                let record = worker.play(&game, &mut texts);
                let costs = record.sides.map(|side| (side.nodes, side.depth));
                (record.outcome, record.rng_draws, costs, texts.moves.clone())
            });
            games.collect::<Vec<_>>()
        };
        assert_eq!(played(&bare), played(whole), "{}", info.kind);
    }
}

#[test]
fn a_game_of_the_library_is_the_same_as_that_of_a_config() {
    let registry = Registry::builtin();
    for entry in registry.games.iter().filter(|entry| entry.has_defaults()) {
        let config = format!(
            "[game]\nkind = \"{}\"\n[[agents]]\nkind = \"random\"\n[[agents]]\nname = \"b\"\n\
             kind = \"random\"\n",
            entry.kind
        );
        let experiment = parse(&config, "t.toml", &Overrides::default(), &registry)
            .unwrap_or_else(|error| panic!("{}", error.render(false)));
        let mut values = Values::default();
        let any_game = registry.open(entry, &values).expect("a game by default");
        assert_eq!(any_game.evaluators(), experiment.any_game.evaluators(), "{}", entry.kind);
        let start = |game: &AnyGame| game.write_position(&game.start());
        assert_eq!(start(&any_game), start(&experiment.any_game), "{}", entry.kind);
        // Every listed default is valid in the library.
        for param in any_game.params() {
            if let Default::Is(value) = param.default {
                assert_eq!(experiment.game.values.get(param.key), Some(&value), "{}", entry.kind);
                values.set(param.key, value);
            }
        }
        assert_eq!(experiment.game.values, values, "{}", entry.kind);
    }
}
