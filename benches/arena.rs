//! Games per second: random against random through referee, clock and rows.

use std::hint::black_box;
use std::sync::Arc;

use agon::params::{Spec, Value, Values};
use agon::world::{GameSpec, MoveTexts, Openings, Registry, Setup};
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
    let world = registry.game(&game.kind).expect("registered").open(&game.values).expect("valid");
    let random = Spec { kind: "random".to_owned(), values: Values::default() };
    let setup = Setup {
        agents: vec![random.clone(), random],
        openings: Openings::Start,
        wanted: 1,
        max_plies: 400,
        seed: 1,
    };
    let field = world.field(setup).expect("two random agents");
    let mut table = Arc::clone(&field).table();
    let mut texts = MoveTexts::default();

    const GAMES: u64 = 1000;
    let mut play = || -> u64 {
        (1..=GAMES)
            .map(|game| {
                let spec =
                    GameSpec { game, pairing: 1, opening: 1, first: 0, second: 1, dice: game };
                u64::from(table.play(black_box(&spec), &mut texts).plies)
            })
            .sum()
    };
    // Fixed seeds: the same thousand games whatever the machine.
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

criterion_group!(benches, random_against_random);
criterion_main!(benches);
