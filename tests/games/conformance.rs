//! The conformance suite for every game, with several sizes of each.

use crate::support::chance::build;
use crate::support::visit::{Visit, with_game};
use agon::games::{
    Backgammon, Breakthrough, Checkers, Configurable, Einstein, Game, Go, Kalah, Othello, Pig,
    Turn, Weights, conformance,
};
use agon::play::Registry;

struct Check(u32);

impl Visit for Check {
    fn visit<G: Configurable>(&mut self, game: &G) {
        conformance::check(game, self.0);
    }
}

macro_rules! conforms {
    ($($name:ident: $spec:literal, $games:literal;)*) => {
        /// The games with a separate test.
        const LISTED: &[&str] = &[$($spec),*];

        $(
            #[test]
            fn $name() {
                with_game($spec, Check($games));
            }
        )*
    };
}

conforms! {
    tictactoe: "tictactoe", 300;
    connect4: "connect4", 200;
    connect4_4x4: "connect4:columns=4,rows=4", 200;
    connect4_5x4: "connect4:columns=5,rows=4", 200;
    connect4_9x6: "connect4:columns=9,rows=6", 50;
    connect4_6x9: "connect4:columns=6,rows=9", 50;
    connect4_8x7: "connect4:columns=8,rows=7,connect=5", 50;
    connect4_12x4: "connect4:columns=12,rows=4", 50;
    connect4_one_row: "connect4:columns=32,rows=1,connect=3", 50;
    connect4_one_column: "connect4:columns=1,rows=20,connect=2", 10;
    connect4_three: "connect4:columns=3,rows=15,connect=12", 50;
    chess: "chess", 2;
    chess960: "chess:variant=960,position=0", 2;
    breakthrough: "breakthrough", 20;
    breakthrough_2x4: "breakthrough:columns=2,rows=4", 100;
    breakthrough_5x5: "breakthrough:columns=5,rows=5", 50;
    breakthrough_8x4: "breakthrough:columns=8,rows=4", 30;
    breakthrough_3x8: "breakthrough:columns=3,rows=8", 30;
    breakthrough_7x6: "breakthrough:columns=7,rows=6", 20;
    mnk_3x3: "mnk:m=3,n=3,k=3", 300;
    mnk_4x3: "mnk:m=4,n=3,k=3", 200;
    mnk_3x5: "mnk:m=3,n=5,k=4", 200;
    mnk_7x5: "mnk:m=7,n=5,k=4", 50;
    mnk_10x10: "mnk:m=10,n=10,k=5", 5;
    mnk_10x10_exact: "mnk:m=10,n=10,k=4,exact=true", 5;
    mnk_19x19: "mnk:m=19,n=19,k=5", 1;
    mnk_20x20: "mnk:m=20,n=20,k=5", 1;
    mnk_20x20_line: "mnk:m=20,n=20,k=20,exact=true", 1;
    mnk_19x19_line: "mnk:m=19,n=19,k=19,exact=true", 1;
    mnk_6x6_exact: "mnk:m=6,n=6,k=3,exact=true", 50;
    mnk_one_row: "mnk:m=20,n=1,k=6", 50;
    mnk_one_column: "mnk:m=1,n=20,k=2", 50;
    kalah: "kalah", 40;
    kalah_1x1: "kalah:pits=1,seeds=1", 5;
    kalah_1x10: "kalah:pits=1,seeds=10", 20;
    kalah_3x6: "kalah:pits=3,seeds=6", 50;
    kalah_7x10: "kalah:pits=7,seeds=10", 20;
    othello: "othello", 10;
    othello_6x6: "othello:size=6", 20;
    othello_4x4: "othello:size=4", 100;
    checkers: "checkers", 20;
    checkers_with_three_quiet_moves: "checkers:quiet_moves=3", 40;
    go: "go", 1;
    go_2x2: "go:size=2,suicide=true", 300;
    go_3x3: "go:size=3,komi=0,margin=true", 100;
    go_5x5: "go:size=5,komi=24,suicide=true", 20;
    pig: "pig", 3;
    pig_to_ten: "pig:goal=10", 50;
    pig_to_one: "pig:goal=1", 50;
    pig_with_a_coin: "pig:goal=20,die=2", 20;
    pig_with_a_hundred_faces: "pig:goal=300,die=100", 10;
    einstein: "einstein", 4;
    einstein_fixed: "einstein:arrangement=123456/654321", 40;
    einstein_2x2: "einstein:size=2", 50;
    einstein_3x3: "einstein:size=3", 50;
    einstein_4x4_six: "einstein:size=4,stones=6,arrangement=\"246135\"", 50;
    einstein_6x6_one: "einstein:size=6,stones=1", 50;
    backgammon: "backgammon", 2;
    backgammon_with_gammons: "backgammon:gammons=true", 2;
    einstein_8x8: "einstein:size=8,arrangement=\"531642\"", 10;
    pacman_chase: "pacman", 30;
    pacman_dead_end: "pacman:layout=dead_end", 30;
    pacman_with_capsules: "pacman:layout=tests/data/chance/capsules.txt", 10;
    pacman_alone: "pacman:layout=%%%%%%/%P__.%/%%%%%%", 20;
    tree: "tree", 20;
    tree_of_a_gamble: "tree:file=configs/trees/chance.toml", 20;
    tree_with_names: "tree:file=configs/trees/trap.toml", 20;
    tree_of_many_forms: "tree:file=tests/data/chance/forms.toml", 100;
    tree_of_chance_only: "tree:text=\"chance = [1, 2]\"", 20;
}

#[test]
fn every_other_game_of_the_registry() {
    for entry in Registry::builtin().games.iter().filter(|entry| entry.has_defaults()) {
        if !LISTED.contains(&entry.kind) {
            with_game(entry.kind, Check(20));
        }
    }
}

/// Exchanges the colours if both sides have the same number of stones.
struct Antisymmetric(&'static str, Weights);

impl Visit for Antisymmetric {
    fn visit<G: Configurable>(&mut self, game: &G) {
        let positions = conformance::positions(game, 30, 4);
        let swap = |state: &G::State| {
            if game.turn(state) == Turn::Over {
                return None;
            }
            let exchange = |c| match c {
                'x' => 'o',
                'o' => 'x',
                c => c,
            };
            let text: String = game.write_position(state).chars().map(exchange).collect();
            game.read_position(&text).ok()
        };
        conformance::antisymmetric(game, &positions, self.0, &self.1, swap);
    }
}

#[test]
fn evaluators_change_sign_with_the_colours() {
    let specs = [
        "tictactoe",
        "connect4",
        "connect4:columns=6,rows=5",
        "mnk:m=5,n=4,k=4",
        "mnk:m=10,n=10,k=5",
        "mnk:m=6,n=6,k=3,exact=true",
    ];
    for spec in specs {
        with_game(spec, Antisymmetric("segments", Weights::new()));
        with_game(spec, Antisymmetric("zero", Weights::new()));
        // The end of the game favours the sides differently, so this feature is left out.
        let weights = match spec.starts_with("connect4") {
            true => Weights::from([("zugzwang".to_owned(), 0)]),
            false => Weights::new(),
        };
        with_game(spec, Antisymmetric("linear", weights));
    }
}

fn antisymmetric<G: Configurable>(game: &G, swap: impl Fn(&G::State) -> G::State) {
    let positions = conformance::positions(game, 20, 4);
    let swap = |state: &G::State| (game.turn(state) != Turn::Over).then(|| swap(state));
    for evaluator in game.evaluators() {
        conformance::antisymmetric(game, &positions, evaluator.name, &Weights::new(), swap);
    }
}

#[test]
fn evaluators_change_sign_with_the_sides() {
    antisymmetric(&build::<Einstein>(&[], &[]), |state| state.exchanged());
    antisymmetric(&build::<Backgammon>(&[], &[]), |state| state.exchanged());
    for [columns, rows] in [[8, 8], [5, 5], [3, 7]] {
        let game: Breakthrough = build(&[("columns", columns), ("rows", rows)], &[]);
        antisymmetric(&game, |state| game.exchanged(state));
    }
    antisymmetric(&build::<Kalah>(&[], &[]), |state| state.exchanged());
    for size in [4, 6, 8] {
        let game: Othello = build(&[("size", size)], &[]);
        antisymmetric(&game, |state| game.exchanged(state));
    }
    antisymmetric(&build::<Checkers>(&[], &[]), |state| state.exchanged());
    let go: Go = build(&[("size", 5), ("komi", 0)], &[]);
    antisymmetric(&go, |state| go.exchanged(state));
    let pig: Pig = build(&[], &[]);
    antisymmetric(&pig, |state| {
        let text = pig.write_position(state);
        let (scores, rest) = text.split_once(' ').unwrap();
        let (first, second) = scores.split_once('-').unwrap();
        let rest = match rest.strip_prefix("first") {
            Some(rest) => format!("second{rest}"),
            None => rest.replace("second", "first"),
        };
        pig.read_position(&format!("{second}-{first} {rest}")).unwrap()
    });
}
