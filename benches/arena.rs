//! Speed of everything around the search: games with referee and clock, writing and reading rows,
//! and the start of a run.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use agon::arena::{
    GameRow, GameRows, Outputs, Pairing, Remaining, Runner, Schedule, Tally, Watchdog, header,
    silent,
};
use agon::config::{Overrides, parse};
use agon::params::{Spec, Value, Values};
use agon::play::{GameSpec, MoveTexts, Openings, Outcome, Registry, Setup};
use agon::report::{Heading, Results, RunContext, TableFormat, render, write_json};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn connect4() -> Spec {
    let mut values = Values::default();
    for (key, value) in [("columns", 7), ("rows", 6), ("connect", 4)] {
        values.set(key, Value::Int(value));
    }
    Spec { kind: "connect4".to_owned(), values }
}

fn random_against_random(c: &mut Criterion) {
    let registry = Registry::builtin();
    let game = connect4();
    let any_game =
        registry.game(&game.kind).expect("registered").open(&game.values).expect("valid");
    let random = Spec { kind: "random".to_owned(), values: Values::default() };
    let setup = Setup {
        agents: vec![random.clone(), random],
        openings: Openings::Start,
        wanted: 1,
        fewer_openings: false,
        max_plies: 400,
        max_cost: None,
        adjudication: Default::default(),
        syzygy: None,
        luck: None,
        tuned: Vec::new(),
        seed: 1,
        engine_context: Arc::default(),
    };
    let lineup = any_game.lineup(setup).expect("two random agents");
    let mut worker = lineup.worker();
    let mut texts = MoveTexts::default();

    const GAMES: u64 = 1000;
    let mut play = || -> u64 {
        (1..=GAMES)
            .map(|game| {
                let spec =
                    GameSpec { game, pairing: 1, opening: 1, first: 0, second: 1, dice: game };
                u64::from(worker.play(black_box(&spec), &mut texts).plies)
            })
            .sum()
    };
    // Fixed seeds: the same thousand games on every machine.
    let plies = play();
    assert_eq!(plies, play());
    assert!((20_000..23_000).contains(&plies), "{plies} plies in a thousand games");

    let mut group = c.benchmark_group("referee");
    group.throughput(Throughput::Elements(GAMES));
    group.bench_function("connect4 random against random, clocked, with move texts", |b| {
        b.iter(&mut play);
    });
    group.finish();
}

const MATCH: &str = "name = \"m\"\n[game]\nkind = \"connect4\"\n\
    [[agents]]\nname = \"a\"\nkind = \"random\"\n[[agents]]\nname = \"b\"\nkind = \"random\"\n\
    [schedule]\nformat = \"match\"\ngames = 20000\n[openings]\nkind = \"start\"\n";

/// Whole games with their rows, counted and written to memory; then the rows are read again.
fn journal(c: &mut Criterion) {
    let registry = Registry::builtin();
    let experiment = parse(MATCH, "m.toml", &Overrides::default(), &registry).expect("a config");
    let lineup = experiment.any_game.lineup(experiment.setup()).expect("two agents");
    let schedule = Schedule::new(&experiment, lineup.openings());
    let stop = AtomicBool::new(false);
    let names = || vec!["a".to_owned(), "b".to_owned()];
    let run = || {
        let mut rows = header().as_bytes().to_vec();
        let observer = &silent;
        let lineup = Arc::clone(&lineup);
        let watchdog = Watchdog::default();
        let (jobs, stop, pin) = (1, &stop, false);
        let runner = Runner { lineup, schedule: &schedule, jobs, stop, pin, observer, watchdog };
        let out = Outputs { games: &mut rows, moves: None, wal: None };
        let (tally, _) = runner
            .run(out, &Remaining::all(&schedule), Tally::new(names(), schedule.pairings()))
            .expect("memory");
        assert_eq!(tally.rows, 20_000);
        rows
    };
    let mut group = c.benchmark_group("journal");
    group.throughput(Throughput::Elements(20_000)).sample_size(20);
    group.bench_function("connect4 random against random, played and written", |b| b.iter(run));
    let rows = run();
    group.bench_function("rows read again", |b| {
        b.iter(|| {
            let mut reader = GameRows::new(black_box(&rows[..]), names()).expect("the header");
            let mut plies = 0;
            while let Some(row) = reader.next_row().expect("a row") {
                plies += u64::from(row.plies);
            }
            assert!((400_000..450_000).contains(&plies), "{plies} plies");
        });
    });
    group.finish();
}

/// The time from a config's text to the first game, which every command needs.
fn start_up(c: &mut Criterion) {
    let text = include_str!("../configs/c4_depth.toml");
    let registry = Registry::builtin();
    let ready = || {
        let experiment = parse(text, "c4_depth.toml", &Overrides::default(), &registry);
        let experiment = experiment.expect("a config");
        let lineup = experiment.any_game.lineup(experiment.setup()).expect("agents");
        Schedule::new(&experiment, lineup.openings()).games()
    };
    assert_eq!(ready(), 11_000);
    c.bench_function("start-up: c4_depth from text to schedule", |b| b.iter(ready));
}

/// The tables of a run with many agents and two games per pairing. Their time must be linear in the
/// number of pairings, not quadratic.
fn tables(c: &mut Criterion) {
    let mut group = c.benchmark_group("tables");
    group.sample_size(10);
    for agents in [100, 300, 1000] {
        let names: Vec<String> = (0..agents).map(|agent| format!("r{agent}")).collect();
        let meets = |a| (a + 1..agents).map(move |b| Pairing::of(a, b));
        let pairings: Vec<Pairing> = (0..agents).flat_map(meets).collect();
        let mut tally = Tally::new(names, &pairings);
        tally.distinct_openings = true;
        for (i, pairing) in pairings.iter().enumerate() {
            for (game, first, second) in [(1, pairing.a, pairing.b), (2, pairing.b, pairing.a)] {
                let game = 2 * i as u64 + game;
                tally.push(&row(game, i as u32 + 1, first, second));
            }
        }
        let make = || {
            let results = Results::new(Heading::default(), tally.clone(), RunContext::default());
            let mut bytes = render(&results, TableFormat::Text, false, None).into_bytes();
            write_json(&results, &mut bytes).expect("memory");
            bytes.len()
        };
        group.throughput(Throughput::Elements(pairings.len() as u64));
        group.bench_function(format!("{agents} agents"), |b| b.iter(make));
    }
    group.finish();
}

/// A row with a pseudo-random result, determined by the numbers of the agents.
fn row(game: u64, pairing: u32, first: usize, second: usize) -> GameRow {
    let outcome = match (game.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) % 8 {
        0..4 => Outcome::First,
        4..7 => Outcome::Second,
        _ => Outcome::Draw,
    };
    let (opening, identity) = (1, game);
    GameRow { game, pairing, opening, first, second, outcome, identity, ..GameRow::default() }
}

criterion_group!(benches, random_against_random, journal, start_up, tables);
criterion_main!(benches);
